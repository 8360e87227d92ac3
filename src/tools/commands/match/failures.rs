//! Detects players that can't play at all, so that a match can be aborted early.

use crate::tools::arena::match_file::GameRecord;
use crate::tools::arena::FaultKind;

/// A match is aborted if a player loses this many first games by the same kind of fault.
const FIRST_GAMES: usize = 3;

/// Faults of both players in the first games.
#[derive(Default)]
pub struct Failures {
    games: usize,
    /// Faults in the first games by player: kind and description.
    faults: [Vec<(FaultKind, String)>; 2],
    /// Whether each player has played a game without a fault at the start.
    can_play: [bool; 2],
    /// Description of a fault which shows that a player can't play at all.
    unable: Option<String>,
}

impl Failures {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        for player in game.players {
            self.can_play[player] |= game.unable_player().is_none();
        }
        let Some((player, fault)) = game.faulty_player().zip(game.fault.as_ref()) else { return };
        if self.games <= FIRST_GAMES {
            let detail = game.fault_text().unwrap_or_default();
            self.faults[player].push((fault.kind, detail));
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
        let all_alike = |faults: &&Vec<(FaultKind, String)>| {
            faults.len() == FIRST_GAMES && faults.iter().all(|(kind, _)| *kind == faults[0].0)
        };
        let faults = self.faults.iter().find(all_alike)?;
        Some(format!("the first {FIRST_GAMES} games were lost by the same fault: {}", faults[0].1))
    }
}
