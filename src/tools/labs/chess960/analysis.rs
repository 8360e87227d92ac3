//! Analysis of a game: searches every position, from the end backwards.

use super::by_hand::in_pawns;
use super::replay::{game_of, is_over, number_text, stages};
use super::rules::RULES;
use super::{notation, opponent};
use crate::engine::score::{self, Score};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::search::params::Params;
use crate::games::chess960::search::{Limits, SearchResult, Searcher};
use crate::games::chess960::types::Move;
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::contracts::analysis::{to_note, Analyse, Analysis, Options, DEFAULT_BLUNDER};
use crate::tools::contracts::record::{for_first, Outcome, Record};
use crate::tools::contracts::score_note::{verdict, ScoreNote, Table};
use crate::tools::support::ctrl_c;
use crate::tools::support::progress_bar::moves_bar;
use anyhow::{bail, Result};

/// Entry for the command.
pub const ANALYSE: Analyse = Analyse {
    run,
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
    let notes = Analyst::new(options)?.game(&game, from, to);
    let outcome = record.outcome.clone().or(Outcome::of(&RULES, &game));
    let stages = stages(&game);
    let number = |note: &ScoreNote| {
        stages.get(note.ply - 1).map_or(String::new(), |game| number_text(game.position()))
    };
    let table = TABLE.text(outcome.as_ref(), &notes, number)?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

/// Searches the positions of a game.
struct Analyst {
    searcher: Searcher,
    limits: Limits,
    blunder: f64,
}

impl Analyst {
    fn new(options: &Options) -> Result<Analyst> {
        let hard_time = options.nodes.is_none().then_some(options.time());
        let limits = Limits { hard_nodes: options.nodes, hard_time, ..Limits::default() };
        let evaluator = opponent::Game::evaluator(options.net.as_deref())?;
        let searcher = Searcher::new(Params::default(), evaluator, options.hash as usize);
        Ok(Analyst {
            searcher,
            limits,
            blunder: options.blunder.map_or(DEFAULT_BLUNDER, f64::from),
        })
    }

    /// Returns the notes on the moves `from` to `to`. Works backwards (retrograde analysis), so that the
    /// hash table already contains later positions.
    fn game(&mut self, game: &Game, from: usize, to: usize) -> Vec<ScoreNote> {
        let stages = stages(game);
        let bar = moves_bar(to + 1 - from);
        let mut notes = Vec::new();
        // Score of the position after the move, for its side to move.
        let mut next: Option<Score> = None;
        // One position beyond the last move gives the score of that move.
        for index in (from - 1..=to.min(stages.len() - 1)).rev() {
            if ctrl_c::is_interrupted() {
                break;
            }
            let stage = &stages[index];
            let played = game.moves().get(index).copied();
            let is_last = index == stages.len() - 1;
            if let Some(value) = final_score(stage, is_last) {
                next = Some(value);
                continue;
            }
            let moves = movegen::moves(stage.position());
            let found = self.searcher.search_moves(stage, &moves, self.limits);
            if index < to {
                notes.push(note(stage, index + 1, &found, played, next, self.blunder));
                bar.inc(1);
            }
            next = Some(found.score);
        }
        bar.finish_and_clear();
        notes.reverse();
        notes
    }
}

/// Returns the score of a finished game for the side to move; `None` if it is not over.
fn final_score(game: &Game, is_last: bool) -> Option<Score> {
    let position = game.position();
    if is_over(position) {
        return Some(if position.checkers().any() { score::lost_in(0) } else { score::DRAW });
    }
    game.outcome().filter(|_| is_last).map(|_| score::DRAW)
}

/// Returns the note on the move played in the current position. `next` is the score of the position after
/// it, for the opponent.
fn note(
    game: &Game,
    ply: usize,
    found: &SearchResult,
    played: Option<Move>,
    next: Option<Score>,
    blunder: f64,
) -> ScoreNote {
    let position = game.position();
    let side = position.side();
    let (loss, mark) = verdict(found, played, next, blunder);
    ScoreNote {
        ply,
        side: RULES.sides[side.index()].to_string(),
        mv: played.map(|mv| notation::san(position, mv)),
        score: for_first(found.score, side.into()),
        depth: Some(found.depth),
        nodes: Some(found.nodes),
        line: notation::san_line(position, &found.line),
        loss,
        mark,
    }
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
    use crate::tools::contracts::analysis::{parse_notes, Mark};
    use crate::tools::labs::game_reader::parse;
    use clap::Args;
    use clap::FromArgMatches;

    /// Analyses a record with this many nodes per move.
    fn analysed(line: &str) -> Analysis {
        let command = Options::augment_args(clap::Command::new("test").no_binary_name(true));
        let matches =
            command.get_matches_from(["--nodes", "3000", "--net", "handmade", "--hash", "1"]);
        let options = Options::from_arg_matches(&matches).expect("good options");
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
