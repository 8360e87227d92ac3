//! Accumulators of the first layer along the search path.

use super::super::position::{castled, Position};
use super::super::types::{Bitboard, Colour, Kind, Move, Square};
use super::features::{bucket, is_mirrored, View, INPUTS};
use super::network::{Layout, Network, Sums, HIDDEN};
use crate::engine::accumulator::Stack;
use crate::engine::evaluator;
use crate::engine::score::Score;
use crate::engine::sys::rows::Aligned;

/// A piece on a square.
type Placed = (Colour, Kind, Square);

/// Changes by a move: at most two pieces added and two removed.
#[derive(Clone, Copy, Default)]
pub struct Change {
    added: [Option<Placed>; 2],
    removed: [Option<Placed>; 2],
    /// Whether a king has crossed the middle, which mirrors its perspective.
    crossed: Option<Colour>,
}

/// The last accumulator computed from scratch for a side and a half of the board for its king: the next refresh applies
/// only the differences.
#[derive(Clone)]
struct Cached {
    pieces: [[Bitboard; 6]; 2],
    sums: Sums,
}

/// Accumulators along a path.
#[derive(Clone)]
pub struct Accumulators {
    stack: Stack<Sums, Change>,
    cache: Vec<Cached>,
}

impl evaluator::Accumulators<HIDDEN> for Accumulators {
    type Layout = Layout;
    type Position = Position;
    type Move = Move;
    type Change = Change;

    fn new(network: &Network) -> Accumulators {
        let cached = Cached { pieces: [[Bitboard::EMPTY; 6]; 2], sums: network.bias };
        let stack = Stack::new(Aligned([0; HIDDEN]), Change::default());
        Accumulators { stack, cache: vec![cached; 4] }
    }

    #[inline(always)]
    fn stack(&mut self) -> &mut Stack<Sums, Change> {
        &mut self.stack
    }

    #[inline]
    fn change(before: &Position, mv: Option<Move>) -> Change {
        mv.map_or_else(Change::default, |mv| Change::of(before, mv))
    }

    #[inline]
    fn evaluate(&mut self, network: &Network, position: &Position) -> Score {
        for side in Colour::ALL {
            let view = View::new(side, position.king(side));
            let ends = |change: &Change| change.crossed == Some(side);
            let apply =
                |change: &Change, from: &Sums, to: &mut Sums| change.apply(network, view, from, to);
            if !self.stack.follow(side.index(), ends, apply) {
                self.refresh(network, position, side);
            }
        }
        let us = position.side().index();
        let sums = self.stack.sums();
        network.output(&sums[us], &sums[1 - us], bucket(position))
    }
}

impl Accumulators {
    /// Refreshes the top entry from the cache.
    fn refresh(&mut self, network: &Network, position: &Position, side: Colour) {
        let king = position.king(side);
        let view = View::new(side, king);
        let cached = &mut self.cache[side.index() * 2 + usize::from(is_mirrored(king))];
        for colour in Colour::ALL {
            for kind in Kind::ALL {
                let now = position.pieces(colour, kind);
                let old = &mut cached.pieces[colour.index()][kind.index()];
                for square in now ^ *old {
                    let row = &network.rows[view.input(colour, kind, square)];
                    network.kernels.change(&mut cached.sums, row, now.has(square));
                }
                *old = now;
            }
        }
        *self.stack.fresh(side.index()) = cached.sums;
    }
}

impl Change {
    #[inline]
    fn of(before: &Position, mv: Move) -> Change {
        let us = before.side();
        let (from, to, kind) = (mv.from(), mv.to(), before.moved(mv));
        let mut change = Change::default();
        change.removed[0] = Some((us, kind, from));
        let mut landed = to;
        if mv.is_castling() {
            let (king_to, rook_to) = castled(from, to);
            landed = king_to;
            change.removed[1] = Some((us, Kind::Rook, to));
            change.added[1] = Some((us, Kind::Rook, rook_to));
        } else if mv.is_en_passant() {
            let victim = Square::new(to.file(), from.rank());
            change.removed[1] = Some((!us, Kind::Pawn, victim));
        } else {
            change.removed[1] = before.kind_on(to).map(|victim| (!us, victim, to));
        }
        change.added[0] = Some((us, mv.promotion().unwrap_or(kind), landed));
        if kind == Kind::King && is_mirrored(from) != is_mirrored(landed) {
            change.crossed = Some(us);
        }
        change
    }

    /// Computes the accumulator after a move from the one before.
    #[inline]
    fn apply(&self, network: &Network, view: View, from: &Sums, to: &mut Sums) {
        let rows = &network.rows;
        let row = |placed: Option<Placed>| {
            let input = placed.map(|(colour, kind, square)| view.input(colour, kind, square));
            // A row of zeros stands for an unused change.
            &rows[input.unwrap_or(INPUTS)]
        };
        let kernels = network.kernels;
        match self.removed {
            [None, _] => *to = *from,
            [one, None] => kernels.update(to, from, [row(self.added[0])], [row(one)]),
            [one, other] => {
                let added = [row(self.added[0]), row(self.added[1])];
                kernels.update(to, from, added, [row(one), row(other)]);
            }
        }
    }
}
