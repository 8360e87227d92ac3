//! Finds out that a player does not play at all, so that a match need not go on to its end.

use crate::tools::arena::match_file::GameRecord;

/// A player that fails in the same way in each of its first so many games ends the match.
const FIRST_GAMES: usize = 3;

/// The faults of both players in their first games.
#[derive(Default)]
pub struct Failures {
    games: usize,
    /// What the players failed by: by kind and in words.
    faults: [Vec<(&'static str, String)>; 2],
    /// Which players have shown that they can play.
    can_play: [bool; 2],
    /// What shows that one of them can't play at all as it is called.
    unable: Option<String>,
}

impl Failures {
    /// Counts a game; of the faults only the first ones matter.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        for player in game.players {
            self.can_play[player] |= game.unable_player().is_none();
        }
        let Some((player, fault)) = game.faulty_player().zip(game.fault.as_ref()) else { return };
        if self.games <= FIRST_GAMES {
            let detail = game.fault_text().unwrap_or_default();
            self.faults[player].push((fault.kind.name(), detail));
        }
    }

    /// Does a game show that one of the players can't play at all as it is called?
    pub fn is_void(&mut self, game: &GameRecord) -> bool {
        let unable = game.unable_player().filter(|&player| !self.can_play[player]);
        if unable.is_some() && self.unable.is_none() {
            self.unable = game.fault_text();
        }
        unable.is_some()
    }

    /// Has no game been played?
    pub fn is_before_the_first_game(&self) -> bool {
        self.games == 0
    }

    /// Why it makes no sense to go on, if so.
    pub fn hopeless(&self) -> Option<String> {
        if let Some(unable) = &self.unable {
            return Some(unable.clone());
        }
        let all_alike = |faults: &&Vec<(&str, String)>| {
            faults.len() == FIRST_GAMES && faults.iter().all(|(kind, _)| *kind == faults[0].0)
        };
        let faults = self.faults.iter().find(all_alike)?;
        Some(format!("in all of the first {FIRST_GAMES} games {}", faults[0].1))
    }
}
