//! The sums of the first layer along the search path: each entry differs from the one before by a
//! move, and is computed only when an evaluation asks for it.

use super::super::position::Position;
use super::super::types::{Colour, Kind, Move, Origin, Piece, Square};
use super::features::{Perspective, Placement, ThreatInputs};
use super::network::{Network, Sums, HIDDEN};
use crate::engine::sys::rows::Aligned;
use arrayvec::ArrayVec;

/// Longer paths are not followed move by move but computed anew.
const MAX_ENTRIES: usize = 256;
/// At most so many inputs of pieces are 1 in a perspective: all pieces but its own wazir.
const MAX_CHANGES: usize = 31;

/// What a move does to the inputs.
#[derive(Clone, Copy)]
struct Change {
    piece: Piece,
    origin: Origin,
    to: Square,
    /// The kind captured, and how many of it the mover had in hand before.
    captured: Option<(Kind, usize)>,
    /// For a drop: how many of the kind the mover had in hand before.
    held: usize,
}

#[derive(Clone)]
struct Entry {
    sums: [Sums; 2],
    known: [bool; 2],
    /// The move that led here; `None`: a null move.
    change: Option<Change>,
}

impl Entry {
    fn new() -> Entry {
        let zero = Aligned([0; HIDDEN]);
        Entry { sums: [zero; 2], known: [false; 2], change: None }
    }
}

/// The sums last computed from scratch for a side and the square of its wazir: the next refresh
/// there applies the differences only.
#[derive(Clone)]
struct Cached {
    placement: Placement,
    sums: Sums,
}

/// The stack of sums along a path.
#[derive(Clone)]
pub struct Accumulators {
    entries: Vec<Entry>,
    top: usize,
    /// Moves pushed beyond the last entry.
    beyond: usize,
    cache: Vec<Cached>,
    /// Room for the threats of the position last evaluated and for its full sums.
    threats: ThreatInputs,
    full: [Sums; 2],
}

impl Accumulators {
    /// An empty stack for a network.
    pub fn new(network: &Network) -> Accumulators {
        let cached = Cached { placement: Placement::default(), sums: *network.bias() };
        Accumulators {
            entries: vec![Entry::new(); MAX_ENTRIES],
            top: 0,
            beyond: 0,
            cache: vec![cached; 128],
            threats: ThreatInputs::none(),
            full: [*network.bias(); 2],
        }
    }

    /// A path begins.
    pub fn reset(&mut self) {
        self.top = 0;
        self.beyond = 0;
        self.entries[0].known = [false; 2];
        self.entries[0].change = None;
    }

    /// A move (`None`: a null move) is made in `before`.
    #[inline]
    pub fn push(&mut self, before: &Position, mv: Option<Move>) {
        if self.top + 1 == MAX_ENTRIES {
            self.beyond += 1;
            return;
        }
        self.top += 1;
        let entry = &mut self.entries[self.top];
        entry.known = [false; 2];
        entry.change = mv.map(|mv| Change::new(before, mv));
    }

    /// The last move is taken back.
    #[inline]
    pub fn pop(&mut self) {
        if self.beyond > 0 {
            self.beyond -= 1;
        } else {
            self.top -= 1;
        }
    }

    /// The full sums of the perspectives of `side` and its opponent of `position`, to which the
    /// moves pushed have led. Threats come and go with every move, so they are not followed but
    /// added to the sums of the pieces here.
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
            // Not reached: without a wazir the game is over.
            _ => return &self.full,
        };
        self.threats.set(position, &perspectives);
        let pieces = &self.entries[self.top].sums;
        for (index, side) in sides.iter().copied().enumerate() {
            let (to, from) = (&mut self.full[index], &pieces[side.index()]);
            network.kernels().update_all(to, from, network.rows(), self.threats.inputs(index), &[]);
        }
        &self.full
    }

    /// Brings the sums of the pieces in a side's perspective up to `position`.
    #[inline]
    fn update(&mut self, network: &Network, position: &Position, side: Colour) {
        if self.beyond > 0 || !self.follow(network, position, side) {
            self.refresh(network, position, side);
        }
    }

    /// Computes the top entry from the last known one below it. False where the side's own wazir
    /// has moved in between: then its perspective of everything has changed.
    fn follow(&mut self, network: &Network, position: &Position, side: Colour) -> bool {
        let s = side.index();
        let mut known = self.top;
        while !self.entries[known].known[s] {
            let moved_wazir = self.entries[known]
                .change
                .map_or(false, |change| change.piece == Piece { colour: side, kind: Kind::Wazir });
            if known == 0 || moved_wazir {
                return false;
            }
            known -= 1;
        }
        let wazir = match position.board().wazir(side) {
            Some(square) => square,
            None => return true,
        };
        let perspective = Perspective::new(side, wazir);
        for index in known + 1..=self.top {
            let (below, above) = self.entries.split_at_mut(index);
            let (from, entry) = (&below[index - 1].sums[s], &mut above[0]);
            match entry.change {
                Some(change) => change.apply(network, &perspective, from, &mut entry.sums[s]),
                None => entry.sums[s] = *from,
            }
            entry.known[s] = true;
        }
        true
    }

    /// Computes the top entry from the cache.
    fn refresh(&mut self, network: &Network, position: &Position, side: Colour) {
        let wazir = match position.board().wazir(side) {
            Some(square) => square,
            None => return,
        };
        let perspective = Perspective::new(side, wazir);
        let cached = &mut self.cache[side.index() * 64 + wazir.index()];
        let mut changes: [ArrayVec<u16, MAX_CHANGES>; 2] = [ArrayVec::new(), ArrayVec::new()];
        perspective.changes(&cached.placement, position, |input, added| {
            changes[usize::from(added)].push(input as u16);
        });
        let [removed, added] = &changes;
        let (entry, from) = (&mut self.entries[self.top], &cached.sums);
        let to = &mut entry.sums[side.index()];
        network.kernels().update_all(to, from, network.rows(), added, removed);
        cached.sums = *to;
        cached.placement = Placement::of(position);
        entry.known[side.index()] = self.beyond == 0;
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

    /// Computes the sums after the move from those before, in a perspective whose wazir has not
    /// moved.
    fn apply(&self, network: &Network, perspective: &Perspective, from: &Sums, to: &mut Sums) {
        let kernels = network.kernels();
        let added = network.row(perspective.piece(self.piece, self.to));
        let side = self.piece.colour;
        let removed = match self.origin {
            Origin::Board(square) => network.row(perspective.piece(self.piece, square)),
            Origin::Hand(kind) => network.row(perspective.in_hand(side, kind, self.held - 1)),
        };
        match self.captured {
            Some((kind, held)) if kind != Kind::Wazir => {
                let victim = Piece { colour: !side, kind };
                let taken = network.row(perspective.piece(victim, self.to));
                let gained = network.row(perspective.in_hand(side, kind, held));
                kernels.update(to, from, [added, gained], [removed, taken]);
            }
            _ => kernels.update(to, from, [added], [removed]),
        }
    }
}
