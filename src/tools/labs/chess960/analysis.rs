//! Analysis of a game: searches every position, from the end backwards.

use super::by_hand::{in_pawns, score_in_words};
use super::reasons::reason;
use super::replay::{game_of, is_over, number_text, stages};
use super::rules::RULES;
use super::{notation, opponent};
use crate::engine::score::{self, Score};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::search::params::Params;
use crate::games::chess960::search::{Limits, Searcher};
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::contracts::analysis::{to_note, Analyse, Analysis, Hint, Options};
use crate::tools::contracts::record::{for_first, Outcome, Record};
use crate::tools::contracts::score_judge::{self, Examined};
use crate::tools::contracts::score_note::ScoreNote;
use crate::tools::contracts::score_table::Table;
use anyhow::{bail, Context, Error, Result};
use std::ops::RangeInclusive;

/// Entry for the command.
pub const ANALYSE: Analyse = Analyse {
    run,
    hint,
    scores:
        "from White's view in pawns, or the moves to a mate; --blunder in percent of the \
             probability of winning (default: 15); moves may be in SAN, and a PGN file is read as well",
};

/// How the notes are shown.
const TABLE: Table = Table {
    legend: "Scores are from White's view, in pawns; \"white #3\": White mates in 3 moves. The\n\
             score and the best line are those before the move; the loss is what the move cost\n\
             its player, of scores within 10 pawns.",
    sides: RULES.sides,
    move_width: 12,
    score: score_text,
    loss: |loss| format!("{:.2}", loss / 100.0),
};

fn run(record: &Record, options: &Options) -> Result<Analysis> {
    let game = game_of(record)?;
    if game.moves().is_empty() && is_over(game.position()) {
        bail!("the game is over, there is nothing to analyse");
    }
    let (from, to) = options.plies(&game, 1)?;
    let notes = notes(&game, from..=to, options)?;
    let outcome = record.outcome.clone().or(Outcome::of(&RULES, &game));
    let stages = stages(&game);
    let number = |note: &ScoreNote| {
        stages.get(note.ply - 1).map_or(String::new(), |game| number_text(game.position()))
    };
    let table = TABLE.text(outcome.as_ref(), &notes, number)?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

fn hint(record: &Record, options: &Options) -> Result<Hint> {
    let game = game_of(record)?;
    let (next, position) = (game.moves().len() + 1, game.position());
    let note = notes(&game, next..=next, options)?.pop().context("the game is over")?;
    let best = note.line.first().context("there is no move")?;
    let mv = notation::parse_any(position, best).map_err(Error::msg)?;
    let own = for_first(note.score, position.side().into());
    let plies = score::plies_to_end(own).filter(|_| own > 0);
    let depth = note.depth.unwrap_or_default();
    Ok(Hint {
        text: mv.to_string(),
        reason: reason(position, mv, (&note.line, plies.map(|plies| plies.div_ceil(2)))),
        score: format!("{} at depth {depth}", score_in_words(note.score)),
        line: format!("{}{}", number_text(position), note.line.join(" ")),
    })
}

/// Returns the notes on moves of a game.
fn notes(game: &Game, plies: RangeInclusive<usize>, options: &Options) -> Result<Vec<ScoreNote>> {
    let evaluator = opponent::Game::evaluator(options.net.as_deref())?;
    let mut searcher = Searcher::new(Params::default(), evaluator, options.hash as usize);
    let stages = stages(game);
    let mut look = |ply: usize, limits: Limits| {
        let stage = stages.get(ply - 1)?;
        let position = stage.position();
        if let Some(score) = final_score(stage, ply == stages.len()) {
            return Some(Examined::Over(score));
        }
        let found = searcher.search(stage, &movegen::moves(position), limits);
        let played = game.moves().get(ply - 1).copied();
        let side = position.side().into();
        let note = ScoreNote {
            mv: played.map(|mv| notation::san(position, mv)),
            line: notation::san_line(position, &found.line),
            ..ScoreNote::of(&RULES, ply, side, &found)
        };
        Some(Examined::Searched { side, found, played, note })
    };
    Ok(score_judge::notes(plies, options, &mut look))
}

/// Returns the score of a finished game for the side to move; `None` if it is not over.
fn final_score(game: &Game, is_last: bool) -> Option<Score> {
    let position = game.position();
    if is_over(position) {
        return Some(if position.checkers().any() { score::lost_in(0) } else { score::DRAW });
    }
    game.outcome().filter(|_| is_last).map(|_| score::DRAW)
}

/// Formats a score from White's point of view, in pawns: `+1.20`, `white #3`.
pub fn score_text(score: Score) -> String {
    let [white, black] = RULES.sides;
    match score::plies_to_end(score) {
        Some(plies) if score > 0 => format!("{white} #{}", plies.div_ceil(2)),
        Some(plies) => format!("{black} #{}", plies.div_ceil(2)),
        None => format!("{:+.2}", in_pawns(score)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::contracts::analysis::tests::options;
    use crate::tools::contracts::analysis::{parse_notes, Mark};
    use crate::tools::labs::game_reader::parse;

    /// Analyses a record with this many nodes per move.
    fn analysed(line: &str) -> Analysis {
        let options = options(&["--nodes", "3000", "--net", "handmade", "--hash", "1"]);
        run(&parse(line).expect("readable").expect("a record"), &options).expect("an analysis")
    }

    #[test]
    fn a_fools_mate_is_seen_coming() {
        let found = analysed("f3 e5 g4 Qh4#");
        let notes: Vec<ScoreNote> = parse_notes(&found.notes).expect("notes");
        assert_eq!(notes.len(), 4);
        assert_eq!((notes[2].mark, notes[3].mark), (Some(Mark::AllowedWin), None));
        assert_eq!(notes[3].score, score::lost_in(1), "Black mates, from White's view");
        assert_eq!(notes[3].line, ["Qh4#"]);
        assert_eq!(found.outcome, Some(Outcome::won("black")));
        assert!(found.table.contains("2.g4??"), "{}", found.table);
        assert!(found.table.contains("2...Qh4#"), "{}", found.table);
        assert!(found.table.contains("black #1"), "{}", found.table);
    }

    #[test]
    fn a_bare_position_has_a_note_on_the_next_move() {
        let found = analysed("7k/6pp/8/8/8/8/8/K3R3 w - - 0 40");
        assert_eq!(found.notes.len(), 1);
        assert!(found.table.contains("40.-"), "{}", found.table);
        assert!(found.table.contains("white #1"), "{}", found.table);
        assert!(found.table.contains("Re8#"), "{}", found.table);
    }
}
