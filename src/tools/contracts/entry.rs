//! The entry of a game in the registry: what it is called, which contest it belongs to, how it is played,
//! and which of the instruments' capabilities it has.

use super::analysis::Analyse;
use super::bench::Bench;
use super::board::{BoardPage, Puzzles};
use super::by_hand::ByHand;
use super::engines::Engines;
use super::format::FileFormat;
use super::game_files::GameFiles;
use super::judge::{CodeCup, Judge, JudgeOptions};
use super::openings::{opening_of, Random};
use super::opponent::Opponents;
use super::page::Page;
use super::perft::Perft;
use super::record::Record;
use super::rules::Rules;
use super::settings::Settings;
use super::GameState;
use crate::engine::contest::Contest;
use crate::engine::dialogue::Player;
use anyhow::{anyhow, Result};
use clap::{ArgMatches, Subcommand};
use std::fmt;
use std::ops::Deref;
use std::process::ExitCode;

/// A game, and what cupbot can do with it. What is `None` it can't.
pub struct Entry {
    /// Its rules.
    pub rules: &'static Rules,
    /// The contest that it belongs to.
    pub contest: &'static Contest,
    /// The judge's side of the contest's protocol.
    pub judge: fn(JudgeOptions) -> Box<dyn Judge>,
    /// Does the contest play matches of two games, in which each side begins once, with one process of each
    /// player? A fault loses such a match.
    pub has_matches: bool,
    /// What a match of two players compares.
    pub comparison: Comparison,
    /// What of a start position's text is left out or changed, a sentence each.
    pub start_remarks: fn(&str) -> Vec<String>,
    /// Are these the words of a record of this game, without id and outcome? If so, how many of them
    /// are its start position (0: the game begins from the beginning). Nothing is said about legality.
    pub recognise: fn(&[&str]) -> Option<usize>,
    /// The random openings of its matches.
    pub openings: Random,
    /// The opening of a match that a record is, in any notation of the game's community; all of it is in the
    /// game's texts.
    pub opening: fn(&Record) -> Result<Box<dyn GameState>>,
    /// A player at the start of a game.
    pub player: fn(Settings) -> Box<dyn Player>,
    /// The default size of its table, in MiB.
    pub hash_mb: usize,
    /// The board for play by hand.
    pub by_hand: Option<ByHand>,
    /// Counting the move tree.
    pub perft: Option<Perft>,
    /// The benchmark.
    pub bench: Option<Bench>,
    /// Searching every position of a game.
    pub analyse: Option<Analyse>,
    /// The page that shows a game.
    pub page: Option<Page>,
    /// What the board in the browser needs beside the page.
    pub board: Option<BoardPage>,
    /// Puzzles for the board in the browser.
    pub puzzles: Option<Puzzles>,
    /// Built-in players for matches.
    pub opponents: Option<Opponents>,
    /// Programs that speak another protocol, as players of matches.
    pub engines: Option<Engines>,
    /// Serves programs of the game's community by UCI on stdin and stdout.
    pub uci: Option<fn(Settings) -> Result<ExitCode>>,
    /// Files of games in another form than our records.
    pub format: Option<FileFormat>,
    /// Its files of self-play games.
    pub game_files: Option<GameFiles>,
    /// Further subcommands.
    pub commands: Option<Commands>,
}

/// What a match of two players compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Who is stronger: the elo difference, from pairs of games with colours swapped.
    Elo,
    /// How well they play together: the mean of the points that both sides get alike.
    MeanScore,
}

impl Comparison {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Comparison::Elo => "elo difference",
            Comparison::MeanScore => "mean score of both together",
        }
    }
}

/// The further subcommands of a game.
pub struct Commands {
    /// Adds them to a command.
    pub augment: fn(clap::Command) -> clap::Command,
    /// Does what the matches of that command ask for, with the entry of the game.
    pub run: fn(&'static Entry, &ArgMatches) -> Result<ExitCode>,
}

impl Commands {
    /// These subcommands.
    pub const fn of<C: Run>() -> Commands {
        Commands {
            augment: C::augment_subcommands,
            run: |game, matches| C::from_arg_matches(matches)?.run(game),
        }
    }
}

/// Subcommands that can be run.
pub trait Run: Subcommand {
    /// Does what a subcommand of this game asks for.
    fn run(self, game: &'static Entry) -> Result<ExitCode>;
}

/// An entry has all that the rules have.
impl Deref for Entry {
    type Target = Rules;

    fn deref(&self) -> &Rules {
        self.rules
    }
}

impl Entry {
    /// A game of CodeCup with nothing but a player. An entry names what it has beyond that, and takes the rest from
    /// here.
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
            by_hand: None,
            perft: None,
            bench: None,
            analyse: None,
            page: None,
            board: None,
            puzzles: None,
            opponents: None,
            engines: None,
            uci: None,
            format: None,
            game_files: None,
            commands: None,
        }
    }

    /// What the game can do in this build, by name, in the order of the columns of `cupbot games`.
    pub fn capabilities(&self) -> Vec<(&'static str, bool)> {
        vec![
            ("by hand", self.by_hand.is_some()),
            ("perft", self.perft.is_some()),
            ("bench", self.bench.is_some()),
            ("analyse", self.analyse.is_some()),
            ("replay", self.page.is_some()),
            ("board", self.page.is_some() && self.board.is_some()),
            ("self in match", self.opponents.is_some()),
            ("uci", self.uci.is_some()),
            ("pgn", self.format.is_some()),
            ("more commands", self.commands.is_some()),
        ]
    }

    /// A capability of the game, or the one refusal for all that are missing. `what` completes the
    /// sentence "Nim has no ...".
    pub fn require<'a, T>(&'a self, capability: &'a Option<T>, what: &str) -> Result<&'a T> {
        capability.as_ref().ok_or_else(|| {
            anyhow!("{} has no {what}; `cupbot games` shows what works for each game", self.title)
        })
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules.fmt(f)
    }
}

/// An entry is its rules.
impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.rules == other.rules
    }
}
