//! What is known of the partner: how well it plays by our own measure, and which colour it keeps.

use super::board::Colour;
use super::game::{Game, MAX_PLIES, RHYTHM};
use super::search::{best_of, Roles, Search};

/// How deep the partner's moves are judged, in plies.
const DEPTH: usize = 2;
/// What an earlier move weighs against the one after it.
const MEMORY: f32 = 0.93;
/// A belief to begin with: the trust, and the points of difference between moves that it is worth.
const PRIOR_TRUST: f32 = 0.6;
const PRIOR_WEIGHT: f32 = 30.0;
/// The most that any partner is trusted.
const MAX_TRUST: f32 = 0.95;
/// The part of the colours still to come that survives with a partner who is against it.
const MIN_SURVIVAL: f32 = 0.4;
/// Another main colour must promise so many units more.
const HYSTERESIS: f32 = 8.0;
/// The same with a partner who keeps none: what the board is arranged for is worth more.
const ALONE_HYSTERESIS: f32 = 30.0;

/// The agreement with one main colour: sums over the partner's moves, the older ones weighing less.
#[derive(Clone, Copy, Debug)]
struct Agreement {
    /// What the moves made were better than the mean of all moves.
    gained: f32,
    /// What the best moves would have been.
    possible: f32,
}

impl Agreement {
    fn trust(self) -> f32 {
        (self.gained / self.possible).clamp(0.0, MAX_TRUST)
    }
}

/// What is known of the partner.
#[derive(Clone, Debug)]
pub struct Partner {
    agreements: [Agreement; 3],
    main: Colour,
}

impl Partner {
    /// A partner of whom nothing is known.
    pub fn new() -> Partner {
        let prior = Agreement { gained: PRIOR_TRUST * PRIOR_WEIGHT, possible: PRIOR_WEIGHT };
        Partner { agreements: [prior; 3], main: Colour::Blue }
    }

    /// A partner of whom nothing is to be expected.
    pub fn untrusted() -> Partner {
        let prior = Agreement { gained: 0.0, possible: PRIOR_WEIGHT };
        Partner { agreements: [prior; 3], main: Colour::Blue }
    }

    /// The colour to keep.
    pub fn main(&self) -> Colour {
        self.main
    }

    /// How much the partner is trusted to play for that colour: 0 as a random mover, 1 as we do.
    pub fn trust(&self) -> f32 {
        self.agreements[self.main.index()].trust()
    }

    /// How much the partner is trusted to play for one of the colours.
    pub fn most_trust(&self) -> f32 {
        self.agreements.iter().map(|agreement| agreement.trust()).fold(0.0, f32::max)
    }

    /// Learns from the partner's move, the last one of the game.
    pub fn observe(&mut self, game: &Game, search: &mut Search) {
        let mv = match game.moves().last() {
            Some(&mv) => mv,
            None => return,
        };
        let before = game.position_after(game.ply() - 1);
        for colour in Colour::ALL.iter().copied() {
            let choices = search.all(before, Roles::of_main(colour), 1.0, DEPTH);
            let sum: f32 = choices.iter().map(|choice| choice.value).sum();
            let mean = sum / choices.len().max(1) as f32;
            let made = choices.iter().find(|choice| choice.mv == mv).map(|choice| choice.value);
            let best = best_of(&choices).map(|choice| choice.value);
            if let (Some(made), Some(best)) = (made, best) {
                let agreement = &mut self.agreements[colour.index()];
                agreement.gained = MEMORY * agreement.gained + (made - mean);
                agreement.possible = (MEMORY * agreement.possible + (best - mean)).max(1e-3);
            }
        }
    }

    /// Chooses the colour to keep with a partner who keeps none: this one, unless another one has
    /// clearly more units.
    pub fn choose_main_by_units(&mut self, game: &Game, preferred: Colour) {
        let board = game.position().board;
        let mut best = (preferred, board.units(preferred) as f32 + ALONE_HYSTERESIS);
        for colour in Colour::ALL.iter().copied() {
            let units = board.units(colour) as f32;
            if units > best.1 {
                best = (colour, units);
            }
        }
        self.main = best.0;
    }

    /// Chooses the colour to keep in the present position: the one of which most is expected.
    pub fn choose_main(&mut self, game: &Game) {
        let board = game.position().board;
        let to_come = ((MAX_PLIES - game.ply()) / RHYTHM) as f32;
        let promise = |colour: Colour| {
            let trust = self.agreements[colour.index()].trust();
            let survival = MIN_SURVIVAL + (1.0 - MIN_SURVIVAL) * trust;
            board.units(colour) as f32 + survival * to_come
        };
        let mut best = (self.main, promise(self.main) + HYSTERESIS);
        for colour in Colour::ALL.iter().copied() {
            let promised = promise(colour);
            if promised > best.1 {
                best = (colour, promised);
            }
        }
        self.main = best.0;
    }
}

impl Default for Partner {
    fn default() -> Partner {
        Partner::new()
    }
}
