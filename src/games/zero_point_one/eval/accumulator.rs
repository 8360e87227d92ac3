//! Accumulators of the first layer along the search path, and their incremental updates.

use super::super::position::Position;
use super::super::types::{Colour, Kind, Move, Origin, Piece, Square};
use super::features::{bucket, Perspective, Placement, ThreatInputs};
use super::network::{Layout, Network, Sums, HIDDEN};
use crate::engine::accumulator::Stack;
use crate::engine::evaluator;
use crate::engine::score::Score;
use crate::engine::sys::rows::Aligned;
use arrayvec::ArrayVec;

/// Maximum number of active piece inputs per perspective: all pieces except the side's own wazir.
const MAX_CHANGES: usize = 31;

/// Changes of the inputs by a move.
#[derive(Clone, Copy)]
pub struct Change {
    piece: Piece,
    origin: Origin,
    to: Square,
    /// Captured kind and its number in the mover's hand before the move.
    captured: Option<(Kind, usize)>,
    /// Number of pieces of the moved kind in the mover's hand before the move, for drops.
    held: usize,
}

/// The last refreshed accumulator of a side and its wazir's square. The next refresh applies only the differences to it
/// ("Finny table").
#[derive(Clone)]
struct Cached {
    placement: Placement,
    sums: Sums,
}

/// Accumulators along the search path.
#[derive(Clone)]
pub struct Accumulators {
    /// Accumulators of the piece inputs. The change of a null move is `None`.
    stack: Stack<Sums, Option<Change>>,
    cache: Vec<Cached>,
    /// Threats of the position evaluated last.
    threats: ThreatInputs,
    /// Accumulators of the position evaluated last, including threats.
    full: [Sums; 2],
}

impl evaluator::Accumulators<HIDDEN> for Accumulators {
    type Layout = Layout;
    type Position = Position;
    type Move = Move;
    type Change = Option<Change>;

    fn new(network: &Network) -> Accumulators {
        let cached = Cached { placement: Placement::default(), sums: network.bias };
        Accumulators {
            stack: Stack::new(Aligned([0; HIDDEN]), None),
            cache: vec![cached; 128],
            threats: ThreatInputs::none(),
            full: [network.bias; 2],
        }
    }

    #[inline(always)]
    fn stack(&mut self) -> &mut Stack<Sums, Option<Change>> {
        &mut self.stack
    }

    #[inline]
    fn change(before: &Position, mv: Option<Move>) -> Option<Change> {
        mv.map(|mv| Change::new(before, mv))
    }

    #[inline]
    fn evaluate(&mut self, network: &Network, position: &Position) -> Score {
        let [own, other] = self.full(network, position, position.side());
        network.output(own, other, bucket(position))
    }
}

impl Accumulators {
    /// Returns the full accumulators of `position`, the one that the recorded moves lead to, in the perspectives of
    /// `side` and its opponent. Threats change with every move, so they are not updated incrementally, but added to the
    /// accumulators of the pieces here.
    #[inline]
    pub fn full(&mut self, network: &Network, position: &Position, side: Colour) -> &[Sums; 2] {
        let sides = [side, !side];
        for side in sides {
            self.update(network, position, side);
        }
        let wazir = |side| position.board().wazir(side);
        let perspectives = match sides.map(wazir) {
            [Some(own), Some(other)] => {
                [Perspective::new(side, own), Perspective::new(!side, other)]
            }
            // Unreachable: without a wazir the game is over.
            _ => return &self.full,
        };
        self.threats.set(position, &perspectives);
        let pieces = self.stack.sums();
        for (index, side) in sides.iter().copied().enumerate() {
            let (to, from) = (&mut self.full[index], &pieces[side.index()]);
            network.kernels.update_all(to, from, &network.rows, self.threats.inputs(index), &[]);
        }
        &self.full
    }

    /// Updates the accumulator of the pieces in a side's perspective to `position`. If the side's wazir has moved, all
    /// inputs have changed, so the accumulator is refreshed.
    #[inline]
    fn update(&mut self, network: &Network, position: &Position, side: Colour) {
        let wazir = match position.board().wazir(side) {
            Some(square) => square,
            None => return,
        };
        let perspective = Perspective::new(side, wazir);
        let own = Piece { colour: side, kind: Kind::Wazir };
        let moves_wazir = |change: &Option<Change>| change.map_or(false, |it| it.piece == own);
        let apply = |change: &Option<Change>, from: &Sums, to: &mut Sums| match change {
            Some(change) => change.apply(network, &perspective, from, to),
            None => *to = *from,
        };
        if !self.stack.follow(side.index(), moves_wazir, apply) {
            self.refresh(network, position, side, wazir, &perspective);
        }
    }

    /// Refreshes the top accumulator from the cache.
    fn refresh(
        &mut self,
        network: &Network,
        position: &Position,
        side: Colour,
        wazir: Square,
        perspective: &Perspective,
    ) {
        let cached = &mut self.cache[side.index() * 64 + wazir.index()];
        let mut changes: [ArrayVec<u16, MAX_CHANGES>; 2] = [ArrayVec::new(), ArrayVec::new()];
        perspective.changes(&cached.placement, position, |input, added| {
            changes[usize::from(added)].push(input as u16);
        });
        let [removed, added] = &changes;
        let to = self.stack.fresh(side.index());
        network.kernels.update_all(to, &cached.sums, &network.rows, added, removed);
        cached.sums = *to;
        cached.placement = Placement::of(position);
    }
}

impl Change {
    #[inline]
    fn new(before: &Position, mv: Move) -> Change {
        let side = before.side();
        let kind = before.moved_kind(mv);
        let hand = before.hand(side);
        let captured = before.captured_kind(mv).map(|kind| (kind, hand.count(kind)));
        Change {
            piece: Piece { colour: side, kind },
            origin: mv.origin(),
            to: mv.to(),
            captured,
            held: hand.count(kind),
        }
    }

    /// Computes the accumulator after the move from the one before, in a perspective whose wazir has not moved.
    fn apply(&self, network: &Network, perspective: &Perspective, from: &Sums, to: &mut Sums) {
        let kernels = network.kernels;
        let added = &network.rows[perspective.piece(self.piece, self.to)];
        let side = self.piece.colour;
        let removed = match self.origin {
            Origin::Board(square) => &network.rows[perspective.piece(self.piece, square)],
            Origin::Hand(kind) => &network.rows[perspective.in_hand(side, kind, self.held - 1)],
        };
        match self.captured {
            Some((kind, held)) if kind != Kind::Wazir => {
                let victim = Piece { colour: !side, kind };
                let taken = &network.rows[perspective.piece(victim, self.to)];
                let gained = &network.rows[perspective.in_hand(side, kind, held)];
                kernels.update(to, from, [added, gained], [removed, taken]);
            }
            _ => kernels.update(to, from, [added], [removed]),
        }
    }
}
