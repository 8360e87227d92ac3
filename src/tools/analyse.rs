//! `cupbot analyse`: what the search thinks of every move of a game.

mod zuniq;

use super::progress;
use super::record::{self, for_red, Mark, Note, Record, Source};
use super::rules::Rules;
use super::zero_point_one::evaluation;
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Found, Limits, Searcher};
use crate::games::zero_point_one::types::{Colour, Move};
use anyhow::{bail, Context, Result};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// How long to think about a move unless told.
const DEFAULT_TIME: Duration = Duration::from_millis(500);
/// What a blunder costs unless told.
const DEFAULT_BLUNDER: Score = 200;
/// A mistake costs this part of what a blunder costs.
const MISTAKE_DIVISOR: Score = 2;
/// Beyond this a game is as good as decided: what a move changes there is no mistake any more.
const CLEAR_ADVANTAGE: Score = 1_000;
/// How many moves of an expected line the table shows.
const LINE_SHOWN: usize = 8;

/// Search every position of a game: score, depth and best line, with mistakes marked
///
/// Which game it is the first move tells. In Zero Point One scores are from Red's view in hundredths of a piece: what is good for Red is positive. A proved
/// win is shown with the moves of both sides that it still takes. A move is numbered as in the whole
/// game, the two setups included: the first board move is 3.
///
/// In Zuniq the score is White's probability of winning, or who is proved to win, and instead of a line
/// there is the best move.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Think so many milliseconds about a move [default: 500]
    #[arg(long, value_name = "MS", conflicts_with = "nodes",
          value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Search so many nodes a move; the result is the same every time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Begin at this move
    #[arg(long, value_name = "PLY")]
    from: Option<usize>,
    /// End with this move
    #[arg(long, value_name = "PLY")]
    to: Option<usize>,
    /// What a move must cost to be a blunder, in hundredths of a piece, in Zuniq in percent of the
    /// probability to win; half of it is a mistake [default: 200; in Zuniq 30]
    #[arg(long, value_name = "COST", value_parser = clap::value_parser!(i32).range(1..))]
    blunder: Option<Score>,
    /// The network to judge by in Zero Point One, or `handmade` (default: the built-in evaluation)
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// The size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u64).range(1..=4096))]
    hash: u64,
    /// Print one JSON object on one line, which `cupbot replay` reads
    #[arg(long)]
    json: bool,
}

impl Args {
    /// How long to think about a move, where nodes are no limit.
    fn time(&self) -> Duration {
        self.time.map_or(DEFAULT_TIME, Duration::from_millis)
    }
}

/// Prints the analysis of a game or position.
pub fn run(args: Args) -> Result<ExitCode> {
    let record = args.source.read()?;
    if record.is_zuniq() {
        zuniq::run(record, &args)?;
        return Ok(ExitCode::SUCCESS);
    }
    let game = record.replay()?;
    let Some(first) = game.positions().first() else {
        bail!("expected both setups before there is anything to analyse");
    };
    let (from, to) = plies(&args, &game, first.ply() + 1)?;
    let notes = Analyst::new(&args)?.game(&game, from, to);
    print(&args, &Report::new(record, &game, &notes), |out| write_table(out, &game, &notes))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a report as JSON or in the form made by `write`, as the arguments say.
fn print(
    args: &Args,
    report: &impl Serialize,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = if args.json {
        serde_json::to_writer(&mut out, report)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(out))
    } else {
        write(&mut out)
    };
    written.context("writing the analysis")
}

/// The first and the last move to analyse, as numbers: those asked for, as far as they exist. `first`
/// is the first that could be.
fn plies<G: Rules>(args: &Args, game: &G, first: usize) -> Result<(usize, usize)> {
    // Where the game goes on, the next move counts too.
    let last = game.ply() + usize::from(game.end().is_none());
    if last < first {
        bail!("the game is over, there is nothing to analyse");
    }
    let (from, to) = (args.from.unwrap_or(first).max(first), args.to.unwrap_or(last).min(last));
    if from > to {
        bail!("no move from {from} to {to}: there are those from {first} to {last}");
    }
    Ok((from, to))
}

/// Searches the positions of a game.
struct Analyst {
    searcher: Searcher,
    limits: Limits,
    blunder: Score,
}

impl Analyst {
    fn new(args: &Args) -> Result<Analyst> {
        let hard_time = args.nodes.is_none().then_some(args.time());
        let limits = Limits { hard_nodes: args.nodes, hard_time, ..Limits::default() };
        let evaluator = evaluation::named(args.net.as_deref())?;
        let hash_mb = args.hash as usize;
        let searcher = Searcher::with_evaluator(Params::default(), evaluator, hash_mb);
        Ok(Analyst { searcher, limits, blunder: args.blunder.unwrap_or(DEFAULT_BLUNDER) })
    }

    /// The notes on the moves `from` to `to`. Works backwards (retrograde analysis), so that the
    /// table already knows what follows when an earlier position is searched.
    fn game(&mut self, game: &Game, from: usize, to: usize) -> Vec<Note> {
        let mut game = game.clone();
        let bar = progress_bar(to + 1 - from);
        let mut notes: Vec<Note> = Vec::new();
        // What the position after the move is worth to its side to move.
        let mut next: Option<Score> = None;
        // The last move played in the present position.
        let mut played: Option<Move> = None;
        loop {
            let ply = game.ply() + 1;
            if ply < from {
                break;
            }
            // One position beyond the last move shows what that move was worth.
            if ply <= to + 1 {
                let value = match game.outcome() {
                    Some(outcome) => final_score(outcome, game.side()),
                    None => {
                        let found = self.searcher.search(&game, self.limits);
                        if ply <= to {
                            notes.push(note(&game, &found, played, next, self.blunder));
                            bar.inc(1);
                        }
                        found.score
                    }
                };
                next = Some(value);
            }
            played = game.pop();
            if played.is_none() {
                break;
            }
        }
        bar.finish_and_clear();
        notes.reverse();
        notes
    }
}

/// A progress bar on stderr, where that is a terminal.
fn progress_bar(moves: usize) -> ProgressBar {
    progress::bar(moves as u64, "{bar:30} {pos}/{len} moves, {eta} left")
}

/// What a finished game is worth to a side.
fn final_score(outcome: Outcome, side: Colour) -> Score {
    match outcome {
        Outcome::Drawn => score::DRAW,
        Outcome::Won(winner) if winner == side => score::win_in(0),
        Outcome::Won(_) => score::lost_in(0),
    }
}

/// The note on the move played in the present position of a game. `next` is the score of the position
/// after it, for the opponent who moves there.
fn note(
    game: &Game,
    found: &Found,
    played: Option<Move>,
    next: Option<Score>,
    blunder: Score,
) -> Note {
    let side = game.side();
    let verdict = match (played, next) {
        (Some(played), Some(next)) if found.best != Some(played) => {
            Some(judge(found.score, score_before(next), blunder))
        }
        (Some(_), _) => Some((0, None)),
        _ => None,
    };
    Note {
        ply: game.ply() + 1,
        side: side.name().to_string(),
        mv: played.map(|mv| mv.text(side).to_string()),
        score: for_red(found.score, side),
        depth: Some(found.depth),
        nodes: Some(found.nodes),
        line: line_texts(&found.line, side),
        loss: verdict.map(|(loss, _)| loss),
        mark: verdict.and_then(|(_, mark)| mark),
    }
}

/// What a position is worth to the one who moves to it, one move earlier.
fn score_before(next: Score) -> Score {
    // A win in n from there is one in n + 1 from here.
    score::from_root(-next, 1)
}

/// What a move cost that is worth `after` where the best one is worth `best`, both to the mover, and
/// how bad that is.
fn judge(best: Score, after: Score, blunder: Score) -> (Score, Option<Mark>) {
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

/// The moves of a line as the sides write them, `side` moving first.
fn line_texts(line: &[Move], side: Colour) -> Vec<String> {
    let sides = [side, !side].into_iter().cycle();
    line.iter().zip(sides).map(|(mv, side)| mv.text(side).to_string()).collect()
}

/// The analysis of a game as a record.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    red: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blue: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    moves: Vec<String>,
    analysis: &'a [Note],
}

impl Report<'_> {
    fn new<'a>(record: Record, game: &Game, analysis: &'a [Note]) -> Report<'a> {
        let [red, blue] = record.players;
        let outcome = record.outcome.or_else(|| record::outcome_word(game).map(str::to_string));
        let position = record.start.map(|position| position.to_string());
        Report { id: record.id, red, blue, outcome, position, moves: record.moves, analysis }
    }
}

/// A score from Red's view: `+120`, `red in 5`, `blue in 4`.
fn score_text(score: Score) -> String {
    match score::plies_to_end(score) {
        Some(plies) if score > 0 => format!("red in {plies}"),
        Some(plies) => format!("blue in {plies}"),
        None => format!("{score:+}"),
    }
}

/// How a mark is written behind a move.
fn mark_sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Mistake => "?",
        Mark::Blunder | Mark::MissedWin | Mark::AllowedWin => "??",
    }
}

fn mark_text(mark: Mark) -> &'static str {
    match mark {
        Mark::Mistake => "mistake",
        Mark::Blunder => "blunder",
        Mark::MissedWin => "misses a win",
        Mark::AllowedWin => "allows a win",
    }
}

fn write_table(out: &mut dyn Write, game: &Game, notes: &[Note]) -> io::Result<()> {
    writeln!(out, "Scores are from Red's view, in hundredths of a piece; \"red in 5\": Red wins")?;
    writeln!(
        out,
        "by the fifth move from there, of both sides' moves. The score and the best line"
    )?;
    writeln!(out, "are those before the move; the loss is what the move cost its player.")?;
    writeln!(out)?;
    writeln!(
        out,
        "{:>3} {:4} {:6} {:>10} {:>5} {:>5}  {:<50} remark",
        "ply", "side", "move", "score", "depth", "loss", "best line"
    )?;
    for note in notes {
        let sign = note.mark.map_or("", mark_sign);
        let mv = note.mv.as_deref().unwrap_or("-");
        let line = note.line[..note.line.len().min(LINE_SHOWN)].join(" ");
        let loss = note.loss.map_or(String::new(), |loss| loss.to_string());
        let row = format!(
            "{:>3} {:4} {:6} {:>10} {:>5} {:>5}  {:<50} {}",
            note.ply,
            note.side,
            format!("{mv}{sign}"),
            score_text(note.score),
            note.depth.unwrap_or_default(),
            loss,
            line,
            note.mark.map_or("", mark_text)
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    writeln!(out)?;
    for side in Colour::ALL {
        writeln!(out, "{}", summary(side, notes))?;
    }
    let outcome = record::outcome_word(game);
    writeln!(out, "outcome {}", outcome.unwrap_or("open"))
}

/// What a side did wrong, in one line.
fn summary(side: Colour, notes: &[Note]) -> String {
    let own = || notes.iter().filter(|note| note.side == side.name());
    let marked = |mark| own().filter(|note| note.mark == Some(mark)).count();
    let losses: Vec<Score> = own().filter_map(|note| note.loss).collect();
    let mean = f64::from(losses.iter().sum::<Score>()) / losses.len().max(1) as f64;
    format!(
        "{} moves {} mistakes {} blunders {} wins missed {} wins allowed {} mean loss {:.0}",
        side.name(),
        losses.len(),
        marked(Mark::Mistake),
        marked(Mark::Blunder),
        marked(Mark::MissedWin),
        marked(Mark::AllowedWin),
        mean
    )
}

#[cfg(test)]
mod tests;
