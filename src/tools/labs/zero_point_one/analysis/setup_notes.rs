//! Judgement of setups: Red's by the best known answer, Blue's by the best line after it.

use crate::engine::score::Score;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::search::{Limits, SearchResult, Searcher};
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::{Colour, Move};
use crate::tools::contracts::analysis::{Mark, Options, DEFAULT_BLUNDER};
use crate::tools::contracts::score_judge::assess;
use crate::tools::contracts::score_note::ScoreNote;
use crate::tools::labs::zero_point_one::rules::RULES;

/// Effort to find the best answer to a setup, in units of the effort for a move.
const EFFORT: f64 = 4.0;
/// Maximum depth of the first round, in which all answers are searched, and of the second one. With a fixed depth the
/// scores can be compared.
const DEPTHS: [i32; 2] = [6, 9];
/// Number of answers in the second round.
const FINALISTS: usize = 4;

/// Notes on the setups of a game.
pub struct SetupNotes<'a> {
    /// The game.
    pub game: &'a Game,
    /// The searcher.
    pub searcher: &'a mut Searcher,
    /// Options of the analysis.
    pub options: &'a Options,
}

/// An answer to Red's setup with what was found in the position after both.
struct Answer {
    blue: Setup,
    found: SearchResult,
}

impl SetupNotes<'_> {
    /// Returns the notes on the setups, from the one with this number on: those made, or the next one. `first` is Red's
    /// score before the first move, if it was searched.
    pub fn notes(&mut self, from: usize, first: Option<Score>) -> Vec<ScoreNote> {
        let red = self.game.setups().first().copied();
        let blue = self.game.setups().get(1).copied();
        let answer = red.map(|red| (red, self.best_answer(red, blue)));
        let mut notes = Vec::new();
        if from == 1 {
            notes.push(self.red_note(answer.as_ref()));
        }
        if let Some((red, best)) = answer {
            notes.push(self.answer_note((red, blue), best, first));
        }
        notes
    }

    /// Returns the note on Red's setup, which has this best answer.
    fn red_note(&mut self, made: Option<&(Setup, Answer)>) -> ScoreNote {
        let best_red = setup::first();
        let expected = match made {
            Some((red, answer)) if *red == best_red => answer.found.clone(),
            _ => self.best_answer(best_red, None).found,
        };
        let mut note = note(Colour::Red, &expected, best_red);
        let Some((red, answer)) = made else { return note };
        note.mv = Some(red.text(Colour::Red));
        note.loss = Some(0);
        if *red != best_red {
            self.judge(&mut note, (expected.score, &answer.found), (*red, answer.blue));
        }
        note
    }

    /// Returns the note on Blue's setup.
    fn answer_note(
        &mut self,
        (red, blue): (Setup, Option<Setup>),
        best: Answer,
        first: Option<Score>,
    ) -> ScoreNote {
        let mut note = note(Colour::Blue, &best.found, best.blue);
        let Some(blue) = blue else { return note };
        note.mv = Some(blue.text(Colour::Blue));
        note.loss = Some(0);
        if blue != best.blue {
            let mut found = self.search(red, blue, 1);
            // The search of the first move is deeper.
            found.score = first.map_or(found.score, |first| first.min(found.score));
            self.judge(&mut note, (best.found.score, &found), (red, blue));
        }
        note
    }

    /// Adds the loss of a setup to its note. The scores are Red's with the best setup and after the setup made.
    fn judge(
        &self,
        note: &mut ScoreNote,
        (best, after): (Score, &SearchResult),
        (red, blue): (Setup, Setup),
    ) {
        let blunder = self.options.blunder.map_or(DEFAULT_BLUNDER, f64::from);
        let (side, sign) = if note.ply == 1 { (Colour::Red, 1) } else { (Colour::Blue, -1) };
        let (loss, mark) = assess(sign * best, sign * after.score, blunder);
        note.loss = Some(loss);
        note.mark = mark.map(Mark::unproved);
        note.why = mark.map(|_| {
            let pieces = f64::from(loss) / 100.0;
            let proof = first_capture(&Game::from_setups(red, blue), &after.line, !side);
            format!(
                "costs {pieces:.1} pieces{}",
                proof.map_or(String::new(), |text| format!(": {text}"))
            )
        });
    }

    /// Returns the best answer to Red's setup among the book's and the one made.
    fn best_answer(&mut self, red: Setup, made: Option<Setup>) -> Answer {
        let mut answers: Vec<(Score, Setup)> =
            setup::book(Colour::Blue).chain(made).map(|blue| (0, blue)).collect();
        let share = EFFORT / 2.0 / answers.len() as f64;
        for (score, blue) in &mut answers {
            *score = self.search_within(red, *blue, (DEPTHS[0], share)).score;
        }
        answers.sort_by_key(|(score, _)| *score);
        answers.truncate(FINALISTS);
        let answers = answers
            .into_iter()
            .map(|(_, blue)| Answer { blue, found: self.search(red, blue, FINALISTS) });
        let best = answers.min_by_key(|answer| answer.found.score);
        best.unwrap_or_else(|| {
            let blue = setup::for_side(&setup::first(), Colour::Blue);
            Answer { blue, found: self.search(red, blue, 1) }
        })
    }

    /// Searches the position after two setups as in the second round, whose effort `count` setups share.
    fn search(&mut self, red: Setup, blue: Setup, count: usize) -> SearchResult {
        self.search_within(red, blue, (DEPTHS[1], EFFORT / 2.0 / count as f64))
    }

    fn search_within(
        &mut self,
        red: Setup,
        blue: Setup,
        (depth, part): (i32, f64),
    ) -> SearchResult {
        let limits = Limits { depth: Some(depth), ..self.options.limits(part) };
        self.searcher.search(&Game::from_setups(red, blue), limits)
    }
}

/// Creates the note on a setup whose best alternative is `best`.
fn note(side: Colour, found: &SearchResult, best: Setup) -> ScoreNote {
    let ply = side.index() + 1;
    // The search is that of Red's first move.
    ScoreNote {
        side: RULES.side_name(side.into()).to_string(),
        line: vec![best.text(side)],
        ..ScoreNote::of(&RULES, ply, Colour::Red.into(), found)
    }
}

/// Describes the first capture of a side in a line, or else its first move.
fn first_capture(game: &Game, line: &[Move], taker: Colour) -> Option<String> {
    let mut position = *game.position()?;
    let mut first = None;
    for &mv in line {
        if position.side() == taker {
            let (side, text) = (RULES.side_name(taker.into()), mv.text(taker));
            first.get_or_insert_with(|| format!("the best line of {side} begins with {text}"));
        }
        match position.captured_kind(mv).filter(|_| position.side() == taker) {
            Some(kind) => {
                let (side, kind) = (RULES.side_name(taker.into()), kind.name());
                return Some(format!("in the best line {side} takes the {kind} on {}", mv.to()));
            }
            None => position = position.make(mv),
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::zero_point_one::search::params::Params;
    use crate::tools::contracts::analysis::tests::options;

    #[test]
    fn bad_setups_cost_pieces_and_book_setups_nothing() {
        let bad = Setup::parse("ndawdadfaafaadaa", Colour::Blue).expect("a setup");
        let mut searcher = Searcher::new(Params::default(), 4);
        let options = options(&["--nodes", "20000"]);
        let mut judged = |game: &Game| {
            SetupNotes { game, searcher: &mut searcher, options: &options }.notes(1, None)
        };
        let notes = judged(&Game::from_setups(setup::first(), bad));
        assert_eq!((notes[0].loss, notes[0].mark), (Some(0), None));
        assert!(notes[1].mark.is_some() && notes[1].loss > Some(100), "{:?}", notes[1]);
        let why = notes[1].why.as_deref().expect("a reason");
        assert!(why.starts_with("costs ") && why.contains(" red "), "{why}");
        let best = Setup::parse(&notes[1].line[0], Colour::Blue).expect("a setup");
        let notes = judged(&Game::from_setups(setup::first(), best));
        assert!(notes[1].mark.is_none() && notes[1].loss < Some(100), "{:?}", notes[1]);
        // Before a setup its best choice is known.
        let notes = judged(&Game::new());
        assert_eq!((notes.len(), &notes[0].line[0]), (1, &setup::first().text(Colour::Red)));
    }
}
