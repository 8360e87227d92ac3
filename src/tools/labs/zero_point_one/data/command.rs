//! `cupbot data`: verifies files of self-play games and prints statistics.

use super::file::{Block, GameReader};
use super::stored_game::TrainingGame;
use crate::engine::score::{is_decisive, Score};
use crate::games::zero_point_one::game::Outcome;
use crate::games::zero_point_one::types::Colour;
use crate::tools::support::ctrl_c;
use anyhow::Result;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// Verify files of self-play games of Zero Point One and print statistics, or the games as text
#[derive(clap::Args)]
pub struct Args {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one game per line in the format of `cupbot check`: number, outcome, setups, moves
    #[arg(long)]
    text: bool,
    /// Print the statistics as JSON
    #[arg(long, conflicts_with = "text")]
    json: bool,
}

#[derive(Default, serde::Serialize)]
struct Statistics {
    games: u64,
    positions: u64,
    random_moves: u64,
    decisive_scores: u64,
    red_wins: u64,
    blue_wins: u64,
    draws: u64,
    bad_games: u64,
    damaged_blocks: u64,
    bytes: u64,
}

/// Reads all files. The exit status is 1 if anything is damaged.
pub fn run(args: Args) -> Result<ExitCode> {
    ctrl_c::start_over();
    let mut statistics = Statistics::default();
    for path in &args.files {
        statistics.bytes += std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        for block in GameReader::open(path)? {
            match block {
                Block::Games(records) => {
                    for record in records {
                        statistics.add(&record);
                        if args.text {
                            say!("{}", text(statistics.games, &record))?;
                        }
                    }
                }
                Block::Damaged(damage) => {
                    statistics.damaged_blocks += 1;
                    let (path, offset) = (path.display(), damage.offset);
                    tell!("{path}: offset {offset}: {}", damage.reason);
                }
            }
        }
    }
    if args.json {
        say!("{}", serde_json::to_string(&statistics)?)?;
    } else if !args.text {
        statistics.print()?;
    }
    let is_valid = statistics.damaged_blocks + statistics.bad_games == 0;
    Ok(ExitCode::from(u8::from(!is_valid)))
}

impl Statistics {
    fn add(&mut self, record: &TrainingGame) {
        self.games += 1;
        self.positions += record.plies.len() as u64;
        let decisive = |score: i16| is_decisive(Score::from(score));
        self.random_moves += record.plies.iter().filter(|ply| ply.score.is_none()).count() as u64;
        self.decisive_scores +=
            record.plies.iter().filter(|ply| ply.score.is_some_and(decisive)).count() as u64;
        match record.outcome {
            Outcome::Won(Colour::Red) => self.red_wins += 1,
            Outcome::Won(Colour::Blue) => self.blue_wins += 1,
            Outcome::Drawn => self.draws += 1,
        }
        // A game may be adjudicated early (resignation, repetition), but must not continue after its end.
        let outcome = record.replay().outcome();
        if outcome.is_some_and(|outcome| outcome != record.outcome) {
            self.bad_games += 1;
        }
    }

    fn print(&self) -> io::Result<()> {
        let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        say!("games           {}", self.games)?;
        say!("positions       {}", self.positions)?;
        say!("plies per game  {:.1}", self.positions as f64 / self.games.max(1) as f64)?;
        say!("red wins        {:.1} %", share(self.red_wins, self.games))?;
        say!("blue wins       {:.1} %", share(self.blue_wins, self.games))?;
        say!("draws           {:.1} %", share(self.draws, self.games))?;
        say!("random moves    {:.1} %", share(self.random_moves, self.positions))?;
        say!("decisive scores {:.1} %", share(self.decisive_scores, self.positions))?;
        if self.positions > 0 {
            say!("bytes per ply   {:.2}", self.bytes as f64 / self.positions as f64)?;
        }
        say!("bad games       {}", self.bad_games)?;
        say!("damaged blocks  {}", self.damaged_blocks)
    }
}

/// Formats a game as a line for `cupbot check`.
fn text(number: u64, record: &TrainingGame) -> String {
    let outcome = match record.outcome {
        Outcome::Won(colour) => colour.name(),
        Outcome::Drawn => "draw",
    };
    format!("{number} {outcome} {}", record.replay().texts().join(" "))
}
