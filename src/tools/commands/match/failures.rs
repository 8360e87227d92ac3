//! Detects players that can't play at all, so that a match can be aborted early.

use crate::tools::arena::match_file::GameRecord;
use crate::tools::support::text::count_of;

/// A match is aborted if a player loses this many first games by faults.
const FIRST_GAMES: usize = 3;

/// Faults of both players in the first games.
#[derive(Default)]
pub struct Failures {
    games: usize,
    /// Number of games that each player has lost by a fault.
    faults: [usize; 2],
    /// The last fault of each player.
    last_faults: [String; 2],
    /// A match is aborted if a player has lost this many games by faults.
    limit: Option<usize>,
    /// Whether each player has made a move.
    can_play: [bool; 2],
    /// Description of a fault which shows that a player can't play at all.
    unable: Option<String>,
}

impl Failures {
    /// Creates the count of a match that is aborted after `limit` faults of a player.
    pub fn with_limit(limit: Option<u64>) -> Failures {
        Failures { limit: limit.map(|limit| limit as usize), ..Failures::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        for player in game.players {
            self.can_play[player] |= game.has_moved(player);
        }
        if let Some(player) = game.faulty_player() {
            self.faults[player] += 1;
            self.last_faults[player] = game.fault_text().unwrap_or_default();
        }
    }

    /// Whether a game shows that a player can't play at all with its command line.
    pub fn is_void(&mut self, game: &GameRecord) -> bool {
        let unable = game.unable_player().filter(|&player| !self.can_play[player]);
        if unable.is_some() && self.unable.is_none() {
            self.unable = game.fault_text();
        }
        unable.is_some()
    }

    /// Whether no game has been counted.
    pub fn is_before_the_first_game(&self) -> bool {
        self.games == 0
    }

    /// Returns the reason to abort the match, if there is one.
    pub fn abort_reason(&self) -> Option<String> {
        if let Some(unable) = &self.unable {
            return Some(unable.clone());
        }
        for (&count, last) in self.faults.iter().zip(&self.last_faults) {
            if count == FIRST_GAMES && self.games == FIRST_GAMES {
                return Some(format!("the first {FIRST_GAMES} games were lost by faults: {last}"));
            }
            if self.limit.is_some_and(|limit| count >= limit) {
                return Some(format!(
                    "{} lost by faults, the last one: {last}",
                    count_of(count, "game")
                ));
            }
        }
        None
    }
}
