//! Alpha-beta search: everything that is the same in any game. A game implements [`Search`] and [`Deepen`] for its
//! searcher.
//!
//! The root ([`search_lines`]): iterative deepening, multi-PV, aspiration windows with re-searches, late move
//! reductions of root moves, principal variation search. The game decides how a window is widened and when the time is
//! used up.
//!
//! The steps of a node, in this order, in both alpha-beta games (`search/node.rs`):
//! 1. End of the game, repetition, end of the path; at depth 0 quiescence (`search/quiescence.rs`).
//! 2. Mate distance pruning ([`Window::narrow`]).
//! 3. Transposition table: probe and cutoff (`Entry::cutoff`).
//! 4. Static eval: from the table or the network, correction history, improving ([`Core::is_improving`]), and the
//!    table's score where it is closer (`table::refined`).
//! 5. Pruning of the node, by the game: reverse futility, razoring, null move, ProbCut.
//! 6. Singular test of the hash move (`Entry::singular`): extension by the game.
//! 7. The move loop. The game's picker (`search/picker.rs`) orders the moves with the mechanics of [`picker`]; the game
//!    prunes moves (late move pruning, futility, exchanges) and reduces them; [`Search::search_move`] is principal
//!    variation search with late move reduction and re-searches.
//! 8. After a cutoff: killers ([`Core::add_killer`]) and the game's histories.
//! 9. Correction history learns the error of the static eval; the table stores the result ([`Best::entry`]).

mod best;
mod deepening;
mod node;
mod options;
pub mod picker;
mod root;
mod search;
pub mod window;

pub use best::Best;
pub use deepening::{deepen_by_aspiration, search_lines, search_root_moves, Report, MAX_DEPTH};
pub use node::{up_to, with_gravity, NodeKind, Reductions, Step, Tried, Visit};
pub use options::Options;
pub use root::{Aspiration, Iterations, RootMove, SearchResult};
pub use search::{Core, Deepen, Search};
pub use window::{Searched, Window};

#[cfg(test)]
mod tests;
