//! The analysis of a game: a search of every position, from the end backwards.

use super::by_hand::in_pawns;
use super::notation;
use super::note::ScoreNote;
use super::replay::{game_of, is_over, number_text, stages};
use super::rules::RULES;
use super::thinking::{Limits, SearchResult, Thinker, Unwatched};
use crate::engine::score::{self, Score};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::types::{Colour, Move};
use crate::tools::contracts::analysis::{
    to_note, Analyse, Analysis, Mark, Options, MISTAKE_DIVISOR,
};
use crate::tools::contracts::record::{for_first, outcome_word, Record};
use crate::tools::support::progress_bar::moves_bar;
use anyhow::{bail, Result};
use std::fmt::{self, Write};

/// What the command needs to know.
pub const ANALYSE: Analyse = Analyse {
    run,
    scores:
        "from White's view in pawns, or the moves to a mate; --blunder in hundredths of a pawn \
             (default: 200); moves may be in SAN, and a PGN file is read as well",
};

/// What a blunder costs by default, in hundredths.
const DEFAULT_BLUNDER: Score = 200;
/// Beyond this a game is as good as decided: what a move changes there is no mistake any more.
const CLEAR_ADVANTAGE: Score = 1_000;
/// How many moves of an expected line the table shows.
const LINE_SHOWN: usize = 8;

fn run(record: &Record, options: &Options) -> Result<Analysis> {
    let game = game_of(record)?;
    if game.moves().is_empty() && is_over(game.position()) {
        bail!("the game is over, there is nothing to analyse");
    }
    let (from, to) = options.plies(&game, 1)?;
    let notes = Analyst::new(options)?.game(&game, from, to);
    let outcome = record.outcome.clone().or(outcome_word(&RULES, &game).map(str::to_string));
    let table = table(&game, outcome.as_deref(), &notes)?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

/// Searches the positions of a game.
struct Analyst {
    thinker: Thinker,
    limits: Limits,
    blunder: Score,
}

impl Analyst {
    fn new(options: &Options) -> Result<Analyst> {
        let hard_time = options.nodes.is_none().then_some(options.time());
        let limits = Limits { hard_nodes: options.nodes, hard_time, ..Limits::default() };
        let thinker = Thinker::with_net(options.net.as_deref(), options.hash as usize)?;
        Ok(Analyst { thinker, limits, blunder: options.blunder.unwrap_or(DEFAULT_BLUNDER) })
    }

    /// The notes on the moves `from` to `to`. Works backwards (retrograde analysis), so that the table
    /// already knows what follows when an earlier position is searched.
    fn game(&mut self, game: &Game, from: usize, to: usize) -> Vec<ScoreNote> {
        let stages = stages(game);
        let bar = moves_bar(to + 1 - from);
        let mut notes = Vec::new();
        // What the position after the move is worth to its side to move.
        let mut next: Option<Score> = None;
        // One position beyond the last move shows what that move was worth.
        for index in (from - 1..=to.min(stages.len() - 1)).rev() {
            let stage = &stages[index];
            let played = game.moves().get(index).copied();
            let is_last = index == stages.len() - 1;
            if let Some(value) = final_score(stage, is_last) {
                next = Some(value);
                continue;
            }
            let moves = movegen::moves(stage.position());
            let found = self.thinker.think(stage, &moves, self.limits, &mut Unwatched);
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

/// What a finished game is worth to the side to move; `None` where it goes on.
fn final_score(game: &Game, is_last: bool) -> Option<Score> {
    let position = game.position();
    if is_over(position) {
        return Some(if position.checkers().any() { score::lost_in(0) } else { score::DRAW });
    }
    game.outcome().filter(|_| is_last).map(|_| score::DRAW)
}

/// The note on the move played in the present position of a game. `next` is the score of the position after
/// it, for the opponent who moves there.
fn note(
    game: &Game,
    ply: usize,
    found: &SearchResult,
    played: Option<Move>,
    next: Option<Score>,
    blunder: Score,
) -> ScoreNote {
    let position = game.position();
    let side = position.side();
    let verdict = match (played, next) {
        (Some(played), Some(next)) if found.best != Some(played) => {
            // A win in n from there is one in n + 1 from here.
            Some(assess(found.score, score::from_root(-next, 1), blunder))
        }
        (Some(_), _) => Some((0, None)),
        _ => None,
    };
    ScoreNote {
        ply,
        side: RULES.sides[side.index()].to_string(),
        mv: played.map(|mv| notation::san(position, mv)),
        score: for_first(found.score, side.into()),
        depth: Some(found.depth),
        nodes: Some(found.nodes),
        line: notation::san_line(position, &found.line),
        loss: verdict.map(|(loss, _)| loss),
        mark: verdict.and_then(|(_, mark)| mark),
    }
}

/// What a move cost that is worth `after` where the best one is worth `best`, both to the mover, and how bad
/// that is.
fn assess(best: Score, after: Score, blunder: Score) -> (Score, Option<Mark>) {
    let within = |score: Score| score.clamp(-CLEAR_ADVANTAGE, CLEAR_ADVANTAGE);
    let loss = (within(best) - within(after)).max(0);
    let won = |score: Score| score > score::MAX_EVAL;
    let mark = if won(-after) && !won(-best) {
        Some(Mark::AllowedWin)
    } else if won(best) && !won(after) {
        Some(Mark::MissedWin)
    } else if loss >= blunder {
        Some(Mark::Blunder)
    } else if loss >= (blunder / MISTAKE_DIVISOR).max(1) {
        Some(Mark::Mistake)
    } else {
        None
    };
    (loss, mark)
}

/// A score from White's view, in pawns: `+1.20`, `white #3`.
pub fn score_text(score: Score) -> String {
    let [white, black] = RULES.sides;
    match score::plies_to_end(score) {
        Some(plies) if score > 0 => format!("{white} #{}", plies.div_ceil(2)),
        Some(plies) => format!("{black} #{}", plies.div_ceil(2)),
        None => format!("{:+.2}", in_pawns(score)),
    }
}

/// The notes as a table, with a legend before and a summary behind.
fn table(game: &Game, outcome: Option<&str>, notes: &[ScoreNote]) -> Result<String, fmt::Error> {
    let mut text = String::new();
    write_table(&mut text, game, notes)?;
    for side in Colour::ALL {
        writeln!(text, "{}", summary(RULES.sides[side.index()], notes))?;
    }
    writeln!(text, "outcome {}", outcome.unwrap_or("open"))?;
    Ok(text)
}

fn write_table(out: &mut String, game: &Game, notes: &[ScoreNote]) -> fmt::Result {
    writeln!(
        out,
        "Scores are from White's view, in pawns; \"white #3\": White mates in 3 moves. The"
    )?;
    writeln!(
        out,
        "score and the best line are those before the move; the loss is what the move cost"
    )?;
    writeln!(out, "its player.")?;
    writeln!(out)?;
    let head = ["ply", "side", "move", "score", "depth", "loss", "best line"];
    let [ply, side, mv, score, depth, loss, line] = head;
    writeln!(out, "{ply:>3} {side:5} {mv:12} {score:>9} {depth:>5} {loss:>5}  {line:<48} remark")?;
    let stages = stages(game);
    for note in notes {
        let sign = note.mark.map_or("", Mark::sign);
        let mv = note.mv.as_deref().unwrap_or("-");
        let number =
            stages.get(note.ply - 1).map_or(String::new(), |game| number_text(game.position()));
        let line = note.line[..note.line.len().min(LINE_SHOWN)].join(" ");
        let loss = note.loss.map_or(String::new(), |loss| format!("{:.2}", in_pawns(loss)));
        let row = format!(
            "{:>3} {:5} {:12} {:>9} {:>5} {:>5}  {:<48} {}",
            note.ply,
            note.side,
            format!("{number}{mv}{sign}"),
            score_text(note.score),
            note.depth.unwrap_or_default(),
            loss,
            line,
            note.mark.map_or("", Mark::text)
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    writeln!(out)
}

/// What a side did wrong, in one line.
fn summary(side: &str, notes: &[ScoreNote]) -> String {
    let own = || notes.iter().filter(|note| note.side == side);
    let marked = |mark| own().filter(|note| note.mark == Some(mark)).count();
    let losses: Vec<Score> = own().filter_map(|note| note.loss).collect();
    let mean = in_pawns(losses.iter().sum()) / losses.len().max(1) as f64;
    format!(
        "{side} moves {} mistakes {} blunders {} wins missed {} wins allowed {} mean loss {mean:.2}",
        losses.len(),
        marked(Mark::Mistake),
        marked(Mark::Blunder),
        marked(Mark::MissedWin),
        marked(Mark::AllowedWin),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::labs::game_reader::parse;
    use clap::Args;
    use clap::FromArgMatches;

    /// The analysis of a record by so many nodes.
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
        let notes: Vec<ScoreNote> = found
            .notes
            .iter()
            .map(|note| serde_json::from_value(note.clone().into()).expect("a note"))
            .collect();
        assert_eq!(notes.len(), 4);
        assert_eq!((notes[2].mark, notes[3].mark), (Some(Mark::AllowedWin), None));
        assert_eq!(notes[3].score, score::lost_in(1), "Black mates, from White's view");
        assert_eq!(notes[3].line, ["Qh4#"]);
        assert_eq!(found.outcome.as_deref(), Some("black"));
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

    #[test]
    fn losses_are_marked() {
        assert_eq!(assess(50, -160, 200), (210, Some(Mark::Blunder)));
        assert_eq!(assess(50, -60, 200), (110, Some(Mark::Mistake)));
        assert_eq!(assess(score::win_in(3), 500, 200).1, Some(Mark::MissedWin));
        assert_eq!(assess(1500, 1100, 200), (0, None), "both win");
    }
}
