//! Static exchange evaluation (SEE): the material balance if both sides keep capturing on one square.

use super::position::Position;
use super::types::{Bitboard, Kind, Move};

/// Exchange values by kind (knight, ferz, dabbaba, alfil, wazir), in hundredths of a ferz. A captured piece changes
/// sides, so every capture swings the balance by about twice its value; this common factor is omitted. The wazir is
/// worth more than all other pieces together.
///
/// The values were chosen by hand for the first version and never tuned. Games have confirmed only the SEE pruning that
/// uses them, together with the rest of the selective search.
pub const EXCHANGE_VALUE: [i32; 5] = [160, 100, 105, 95, 10_000];

/// Kinds from the least to the most valuable: the order of capturing.
const CHEAPEST_FIRST: [Kind; 5] =
    [Kind::Alfil, Kind::Ferz, Kind::Dabbaba, Kind::Knight, Kind::Wazir];

/// Whether the exchange that a pseudo-legal move starts on its target square wins at least `threshold` (in hundredths
/// of a ferz) for the mover. The threshold must be small compared to the wazir's value. Leapers have no X-ray attacks,
/// so all attackers are known from the start.
pub fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    let board = position.board();
    let to = mv.to();
    let captured = board.kind_on(to).map_or(0, |kind| EXCHANGE_VALUE[kind.index()]);
    // `balance`: gain of the side that has just moved, minus the threshold.
    let mut balance = captured - threshold;
    if balance < 0 {
        return false;
    }
    let mut side = !position.side();
    let moved_kind = position.moved_kind(mv);
    if moved_kind == Kind::Wazir {
        // Losing the wazir ends the game, so no recapture compensates for it.
        return board.attackers(to, side).is_empty();
    }
    balance -= EXCHANGE_VALUE[moved_kind.index()];
    if balance >= 0 {
        return true;
    }
    let moved = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
    let mut attackers =
        (board.attackers(to, side) | board.attackers(to, !side)) & !moved & !Bitboard::of(to);
    loop {
        let own = attackers & board.colour(side);
        let (kind, from) = match cheapest(position, own) {
            Some(found) => found,
            None => break,
        };
        attackers &= !Bitboard::of(from);
        side = !side;
        balance = -balance - 1 - EXCHANGE_VALUE[kind.index()];
        if balance >= 0 {
            // A wazir can't capture a piece that is still defended.
            if kind == Kind::Wazir && (attackers & board.colour(side)).any() {
                side = !side;
            }
            break;
        }
    }
    side != position.side()
}

/// Returns the least valuable piece among `pieces`.
#[inline(always)]
fn cheapest(position: &Position, pieces: Bitboard) -> Option<(Kind, super::types::Square)> {
    CHEAPEST_FIRST.iter().copied().find_map(|kind| {
        (pieces & position.board().kind(kind)).first().map(|square| (kind, square))
    })
}
