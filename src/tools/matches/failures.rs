//! Finds out that a player does not play at all, so that a match need not go on to its end.

use crate::tools::arena::record::GameRecord;

/// A player that fails in the same way in each of its first so many games ends the match.
const FIRST_GAMES: usize = 3;

/// The faults of both players in their first games.
#[derive(Default)]
pub struct Failures {
    games: usize,
    /// What the players failed by: by kind and in words.
    faults: [Vec<(&'static str, String)>; 2],
}

impl Failures {
    /// Counts a game; only the first ones matter.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        let Some((player, fault)) = game.faulty_player().zip(game.fault.as_ref()) else { return };
        if self.games <= FIRST_GAMES {
            let last =
                fault.stderr.last().map_or(String::new(), |line| format!("; stderr: {line}"));
            let name = &game.names[usize::from(game.players[0] != player)];
            let detail = format!("{name:?} failed: {}{last}", fault.detail);
            self.faults[player].push((fault.kind.name(), detail));
        }
    }

    /// Why it makes no sense to go on, if so.
    pub fn hopeless(&self) -> Option<String> {
        let all_alike = |faults: &&Vec<(&str, String)>| {
            faults.len() == FIRST_GAMES && faults.iter().all(|(kind, _)| *kind == faults[0].0)
        };
        let faults = self.faults.iter().find(all_alike)?;
        Some(format!("in all of the first {FIRST_GAMES} games {}", faults[0].1))
    }
}
