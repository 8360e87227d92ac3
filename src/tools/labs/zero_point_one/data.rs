//! `cupbot data`: verifies files of self-play games and prints statistics.

use super::stored_game::TrainingGame;
use crate::engine::score::{is_decisive, Score};
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::types::Colour;
use crate::tools::support::ctrl_c;
use crate::tools::support::text::shown_name;
use crate::tools::training::game_file::{Block, Reader};
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
        let mut reader = Reader::<TrainingGame>::open(path)?;
        for block in reader.by_ref() {
            match block? {
                Block::Games(games) => {
                    for stored in games {
                        let game = replay(&stored.game);
                        statistics.add(&stored.game, &game);
                        if args.text {
                            say!("{}", text(statistics.games, &stored.game, &game))?;
                        }
                    }
                }
                Block::Damaged(damage) => {
                    statistics.damaged_blocks += 1;
                    tell!("{}: {damage}", shown_name(path));
                }
            }
        }
        statistics.bytes += reader.offset;
    }
    if args.json {
        say!("{}", serde_json::to_string(&statistics)?)?;
    } else if !args.text {
        statistics.print()?;
    }
    let is_valid = statistics.damaged_blocks + statistics.bad_games == 0;
    Ok(ExitCode::from(u8::from(!is_valid)))
}

/// Returns the game in the form of the players.
fn replay(stored: &TrainingGame) -> Game {
    let [red, blue] = stored.start;
    let mut game = Game::from_setups(red, blue);
    stored.plies.iter().for_each(|ply| game.push(ply.mv));
    game
}

/// Returns the winner's colour; `None` for a draw.
fn winner(stored: &TrainingGame) -> Option<Colour> {
    stored.winner.map(|winner| Colour::ALL[winner])
}

impl Statistics {
    fn add(&mut self, stored: &TrainingGame, game: &Game) {
        self.games += 1;
        self.positions += stored.plies.len() as u64;
        let decisive = |score: i16| is_decisive(Score::from(score));
        self.random_moves += stored.plies.iter().filter(|ply| ply.score.is_none()).count() as u64;
        self.decisive_scores +=
            stored.plies.iter().filter(|ply| ply.score.is_some_and(decisive)).count() as u64;
        match winner(stored) {
            Some(Colour::Red) => self.red_wins += 1,
            Some(Colour::Blue) => self.blue_wins += 1,
            None => self.draws += 1,
        }
        // A game may be adjudicated early (resignation, repetition), but must not contradict its end.
        let recorded = winner(stored).map_or(Outcome::Drawn, Outcome::Won);
        if game.outcome().is_some_and(|outcome| outcome != recorded) {
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
fn text(number: u64, stored: &TrainingGame, game: &Game) -> String {
    let outcome = winner(stored).map_or("draw", Colour::name);
    format!("{number} {outcome} {}", game.texts().join(" "))
}
