//! Registry entries: a game's rules, contest, player, and the tools that support it.

use super::analysis::Analyse;
use super::board::{BoardPage, Puzzles};
use super::by_hand::ByHand;
use super::engines::Engines;
use super::game_files::{FileFormat, GameFiles};
use super::judge::{CodeCup, Judge, JudgeOptions};
use super::levels::Strength::{Nodes, Sight};
use super::levels::{Level, Strength, Strengths};
use super::openings::{opening_of, Random};
use super::opponent::Opponents;
use super::record::Record;
use super::{GameState, Rules, Settings};
use crate::engine::contest::Contest;
use crate::engine::dialogue::Player;
use crate::engine::network_file::NetworkError;
use crate::tools::support::units::integer;
use anyhow::{anyhow, Result};
use clap::{ArgMatches, Subcommand};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A game and its tools.
pub struct Entry {
    /// Rules of the game.
    pub rules: &'static Rules,
    /// Contest in which the game is played.
    pub contest: &'static Contest,
    /// Creates a judge of the contest.
    pub judge: fn(JudgeOptions) -> Box<dyn Judge>,
    /// Whether the contest plays matches of two games with the same two processes, each player beginning once. A fault
    /// loses the whole match.
    pub has_matches: bool,
    /// Measure that a match compares the players by.
    pub comparison: Comparison,
    /// Returns a sentence for each part of a start position's text that is ignored or changed.
    pub start_remarks: fn(&str) -> Vec<String>,
    /// Recognises the words of a record of this game (without id and outcome). Returns the number of words of the start
    /// position (0 for the usual start), or `None`. Moves are not checked for legality.
    pub recognise: fn(&[&str]) -> Option<usize>,
    /// Random openings for matches.
    pub openings: Random,
    /// Converts a record, in any common notation of the game, to the opening of a match, whose moves are all in the
    /// game's own notation.
    pub opening: fn(&Record) -> Result<Box<dyn GameState>>,
    /// Creates a player at the start of a game.
    pub player: fn(Settings) -> Box<dyn Player>,
    /// Default size of the player's hash table, in MiB.
    pub hash_mb: usize,
    /// The strengths of the levels below full strength.
    pub strengths: Strengths,
    /// Tools that support the game.
    pub tools: Tools,
}

/// The tools of a game. `None`: the tool does not support it.
pub struct Tools {
    /// Play by hand in the terminal.
    pub by_hand: Option<ByHand>,
    /// Counts of the leaf nodes of the move tree.
    pub perft: Option<Perft>,
    /// Benchmark.
    pub bench: Option<Bench>,
    /// Analysis of every position of a game.
    pub analyse: Option<Analyse>,
    /// The board in the browser, and the page that shows a game.
    pub board: Option<BoardPage>,
    /// Puzzles for the board in the browser.
    pub puzzles: Option<Puzzles>,
    /// Built-in players for matches.
    pub opponents: Option<Opponents>,
    /// Programs that speak another protocol (e.g. UCI), as players in matches.
    pub engines: Option<Engines>,
    /// Runs the player as a UCI engine on stdin and stdout.
    pub uci: Option<fn(Settings) -> Result<ExitCode>>,
    /// A file format for games, in addition to cupbot's records, e.g. PGN.
    pub format: Option<FileFormat>,
    /// Files of self-play games.
    pub game_files: Option<GameFiles>,
    /// Subcommands of this game only.
    pub commands: Option<Commands>,
}

/// A tool's name and whether a game has it.
pub type Capability = (&'static str, fn(&Tools) -> bool);

impl Tools {
    /// No tools.
    pub const NONE: Tools = Tools {
        by_hand: None,
        perft: None,
        bench: None,
        analyse: None,
        board: None,
        puzzles: None,
        opponents: None,
        engines: None,
        uci: None,
        format: None,
        game_files: None,
        commands: None,
    };

    /// The rows of `cupbot games`.
    pub const CAPABILITIES: [Capability; 10] = [
        ("by hand", |tools| tools.by_hand.is_some()),
        ("perft", |tools| tools.perft.is_some()),
        ("bench", |tools| tools.bench.is_some()),
        ("analyse", |tools| tools.analyse.is_some()),
        ("replay", |tools| tools.board.is_some()),
        ("board", |tools| tools.board.is_some()),
        ("self in match", |tools| tools.opponents.is_some()),
        ("uci", |tools| tools.uci.is_some()),
        ("pgn", |tools| tools.format.is_some()),
        ("more commands", |tools| tools.commands.is_some()),
    ];
}

/// The measure that a match compares two players by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Strength: the elo difference, from pairs of games with colours swapped.
    Elo,
    /// Teamwork: the mean score of a game in which both sides get the same points.
    MeanScore,
}

impl Comparison {
    /// Returns the name for tables and JSON.
    pub fn text(self) -> &'static str {
        match self {
            Comparison::Elo => "elo difference",
            Comparison::MeanScore => "mean score of both together",
        }
    }
}

/// Subcommands of one game.
pub struct Commands {
    /// Adds the subcommands to a command.
    pub augment: fn(clap::Command) -> clap::Command,
    /// Runs the subcommand that was parsed.
    pub run: fn(&'static Entry, &ArgMatches) -> Result<ExitCode>,
    /// Examples for their help.
    pub examples: Examples,
}

/// Names of commands and two examples for the help of each. They work when pasted in this order in an empty folder;
/// `GAME` stands for the name of the game.
pub type Examples = &'static [(&'static str, [&'static str; 2])];

impl Commands {
    /// Creates the subcommands defined by `C`.
    pub const fn of<C: Run>() -> Commands {
        Commands {
            augment: C::augment_subcommands,
            run: |game, matches| C::from_arg_matches(matches)?.run(game),
            examples: C::EXAMPLES,
        }
    }
}

/// Subcommands that can be run.
pub trait Run: Subcommand {
    /// Examples for the help.
    const EXAMPLES: Examples;
    /// Runs the subcommand for this game.
    fn run(self, game: &'static Entry) -> Result<ExitCode>;
}

impl Entry {
    /// Creates an entry of a CodeCup game that has only a player; used as the default for other fields
    /// (`..Entry::bare(...)`).
    pub const fn bare(
        rules: &'static Rules,
        contest: &'static Contest,
        player: fn(Settings) -> Box<dyn Player>,
        openings: Random,
    ) -> Entry {
        Entry {
            rules,
            contest,
            judge: CodeCup::boxed,
            has_matches: false,
            comparison: Comparison::Elo,
            start_remarks: |_| Vec::new(),
            recognise: |_| None,
            openings,
            opening: opening_of,
            player,
            hash_mb: 1,
            strengths: [Sight(0.7), Sight(0.9), Nodes(100), Nodes(2_000), Nodes(20_000)],
            tools: Tools::NONE,
        }
    }

    /// Returns the strength of a level; `None`: full strength.
    pub fn strength(&self, level: &Level) -> Option<Strength> {
        level.index.map(|index| self.strengths[index])
    }

    /// Returns a tool of the game, or an error if it is `None`. `what` completes the message "Nim has no ...".
    pub fn require<'a, T>(&'a self, tool: &'a Option<T>, what: &str) -> Result<&'a T> {
        let title = self.rules.title;
        let missing =
            || anyhow!("{title} has no {what}; `cupbot games` shows what works for each game");
        tool.as_ref().ok_or_else(missing)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules.fmt(f)
    }
}

/// Entries are equal if their rules are.
impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.rules == other.rules
    }
}

/// Perft of a game.
pub struct Perft {
    /// Returns the counter of the position after these moves. The second argument holds the options.
    pub counter: fn(&[String], &[String]) -> Result<Counter>,
    /// Description of the options for the help, or an empty text.
    pub options: &'static str,
}

/// Returns the legal moves of a position, each with the number of leaves below it. The depth is at least 1 and counted
/// from the position.
pub type Counter = Box<dyn Fn(u32) -> Vec<(String, u64)>>;

/// A benchmark: returns a report whose last line is `Bench: N`.
pub type Bench = fn(&BenchOptions) -> Result<String>;

/// Options of a benchmark.
#[derive(clap::Args, Default)]
pub struct BenchOptions {
    /// Search depth in the game's unit: plies, or thousands of simulations
    #[arg(long, value_parser = integer::<i32>(1..=30))]
    pub depth: Option<i32>,
    /// Network file, or another value of the player option `net` (default: the built-in network)
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

impl BenchOptions {
    /// Runs a game's benchmark to the depth of the options, or the default one, and with their network, read by `read`,
    /// or the built-in one.
    pub fn run<N>(
        &self,
        run: fn(i32, Option<N>) -> Result<String, NetworkError>,
        default_depth: i32,
        read: impl Fn(&Path) -> Result<N>,
    ) -> Result<String> {
        let network = self.net.as_deref().map(read).transpose()?;
        Ok(run(self.depth.unwrap_or(default_depth), network)?)
    }
}
