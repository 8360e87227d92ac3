//! Threat inputs of the network: attacked pieces, attacked squares next to a wazir, and squares of possible checks.
//! Sums over single pieces can't express these; threat inputs are known from chess engines (Stockfish, 2025). They do
//! not depend on the square of the side's wazir and are recomputed at every evaluation.

use super::super::attacks::{attacks, spreads, united, LEAPS};
use super::super::position::Position;
use super::super::types::{Bitboard, Colour, Kind, Square};

/// First of four threat classes, by piece kind: an undefended droppable piece that is attacked.
pub(super) const ATTACKED: usize = 0;
/// First of four threat classes, by piece kind: a defended droppable piece that is attacked.
pub(super) const ATTACKED_DEFENDED: usize = 4;
/// Threat class: a square next to the wazir that the enemy attacks.
pub(super) const GUARDED_NEIGHBOUR: usize = 8;
/// Threat class: a flight, i.e. a square to which the wazir can move safely.
pub(super) const FLIGHT: usize = 9;
/// First of four threat classes, by piece kind: an undefended square on which the enemy can drop a piece with check.
pub(super) const DROP_CHECK: usize = 10;
/// First of four threat classes, by piece kind: an undefended square to which the enemy can move a piece with check.
pub(super) const CHECK: usize = DROP_CHECK + 4;
/// Threat class: the undefended square of a check that leaves no flight. A drop is mate, since checks by leapers can't
/// be blocked; a knight that moves may give up a flight that it guarded.
pub(super) const MATE: usize = CHECK + 4;
/// Threat class: the undefended square of a check that leaves one flight.
pub(super) const ONE_FLIGHT: usize = MATE + 1;
/// Threat class: the undefended square of a check that is not mate and also attacks an undefended piece.
pub(super) const FORK: usize = MATE + 2;
/// Threat class: the defended square of a check that leaves no flight.
pub(super) const DEFENDED_MATE: usize = MATE + 3;
/// Number of threat classes.
pub const CLASSES: usize = DEFENDED_MATE + 1;

/// Maximum number of threats per position; others are ignored. More have not occurred in games.
pub const MAX_THREATS: usize = 63;
/// Capacity of the list of threats. A position has at most 198: 30 attacked pieces, 8 squares next to the wazirs, and
/// for both wazirs 4 threats on each of 20 squares. It is a power of two, for `add_if`.
const CAPACITY: usize = 256;

/// A threat: its class and square.
#[derive(Clone, Copy, Default)]
pub struct Threat(u16);

impl Threat {
    #[inline(always)]
    fn new(class: usize, square: Square) -> Threat {
        Threat((class << 6 | square.index()) as u16)
    }

    /// Returns the class, below [`CLASSES`].
    #[cfg(test)]
    pub fn class(self) -> usize {
        usize::from(self.0 >> 6)
    }

    /// Returns the class times 64 plus the index of the square.
    #[inline(always)]
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Returns the index of the square.
    #[cfg(test)]
    pub fn square(self) -> usize {
        usize::from(self.0 & 63)
    }
}

/// The threats of a position against both sides. They are stored in an array, because an `ArrayVec` checks its capacity
/// at every push.
#[derive(Clone)]
pub struct Threats {
    /// Threats against Red, then those against Blue.
    list: [Threat; CAPACITY],
    against_red: usize,
    count: usize,
}

impl Threats {
    /// Creates an empty list.
    pub fn none() -> Threats {
        Threats { list: [Threat::default(); CAPACITY], against_red: 0, count: 0 }
    }

    /// Replaces the list by all threats of a position.
    #[inline(always)]
    pub fn find(&mut self, position: &Position) {
        let reach = [Reach::of(position, Colour::Red), Reach::of(position, Colour::Blue)];
        self.count = 0;
        self.add_against(position, Colour::Red, &reach);
        self.against_red = self.count.min(MAX_THREATS);
        self.add_against(position, Colour::Blue, &reach);
        self.count = self.count.min(MAX_THREATS);
    }

    /// Returns the number of threats.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the list from the first threat against a side on, and the number of threats against it.
    #[inline(always)]
    pub fn against(&self, side: Colour) -> (&[Threat], usize) {
        match side {
            Colour::Red => (&self.list, self.against_red),
            Colour::Blue => (&self.list[self.against_red..], self.count - self.against_red),
        }
    }

    /// Adds a threat if `is_one`. It is always written, but counted only then, because a branch would often be
    /// mispredicted. The remainder has no effect except that it avoids a bounds check.
    #[inline(always)]
    fn add_if(&mut self, is_one: bool, class: usize, square: Square) {
        self.list[self.count % CAPACITY] = Threat::new(class, square);
        self.count += usize::from(is_one);
    }

    /// Adds the threats against one side.
    #[inline(always)]
    fn add_against(&mut self, position: &Position, colour: Colour, reach: &[Reach; 2]) {
        let board = position.board();
        let (own, enemy) = (&reach[colour.index()], &reach[(!colour).index()]);
        let wazir = match board.wazir(colour) {
            Some(square) => square,
            None => return,
        };
        let pieces = board.colour(colour) & !Bitboard::of(wazir);
        for square in pieces & enemy.all {
            let begin = if own.all.has(square) { ATTACKED_DEFENDED } else { ATTACKED };
            self.add_if(true, begin + droppable_on(position, square), square);
        }
        let beside = attacks(Kind::Wazir, wazir);
        for square in beside & (enemy.all | !board.colour(colour)) {
            let class = if enemy.all.has(square) { GUARDED_NEIGHBOUR } else { FLIGHT };
            self.add_if(true, class, square);
        }
        let flights = beside & !enemy.all & !board.colour(colour);
        // Cheaper than counting them. A checking piece guards none of them, see `mate`.
        let at_most_one = flights.0 & flights.0.wrapping_sub(1) == 0;
        let unguarded = pieces & !own.all;
        let (drops, moves) = checks(position, colour, wazir, enemy);
        for square in drops | moves {
            let kind = checking_kind(wazir, square);
            let next = attacks(kind, square);
            let safe = !own.all.has(square);
            self.add_if(safe && drops.has(square), DROP_CHECK + kind.index(), square);
            self.add_if(safe && moves.has(square), CHECK + kind.index(), square);
            let forks = safe && flights.any() && (next & unguarded).any();
            self.add_if(forks, FORK, square);
            let class = match (flights.is_empty(), safe) {
                (true, true) => MATE,
                (true, false) => DEFENDED_MATE,
                _ => ONE_FLIGHT,
            };
            self.add_if(flights.is_empty() || at_most_one && safe, class, square);
        }
    }
}

/// Squares that a side's pieces attack, by kind and in total.
struct Reach {
    by_kind: [Bitboard; 5],
    all: Bitboard,
}

impl Reach {
    #[inline(always)]
    fn of(position: &Position, colour: Colour) -> Reach {
        let by_kind = spreads(|kind| position.board().pieces(colour, kind));
        Reach { by_kind, all: united(by_kind) }
    }
}

/// Returns the squares on which a drop, and those on which a move, of the enemy would give check to the wazir.
#[inline(always)]
fn checks(
    position: &Position,
    colour: Colour,
    wazir: Square,
    enemy: &Reach,
) -> (Bitboard, Bitboard) {
    let board = position.board();
    let hand = position.hand(!colour);
    let (mut drops, mut moves) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for kind in Kind::DROPPABLE {
        let checks = attacks(kind, wazir);
        moves |= checks & enemy.by_kind[kind.index()];
        // All ones if the hand has the kind.
        drops |= checks & Bitboard(u64::from(hand.count(kind) > 0).wrapping_neg());
    }
    (drops & board.empty(), moves & !board.colour(!colour))
}

/// Returns the index of the kind of the piece, which is not a wazir, on a square.
#[inline(always)]
fn droppable_on(position: &Position, square: Square) -> usize {
    let is = |kind| usize::from(position.board().kind(kind).has(square));
    is(Kind::Ferz) + 2 * is(Kind::Dabbaba) + 3 * is(Kind::Alfil)
}

/// Returns the kind, other than the wazir, that attacks one of these squares from the other.
#[inline(always)]
fn checking_kind(wazir: Square, square: Square) -> Kind {
    KINDS[wazir.index().abs_diff(square.index()) % KINDS.len()]
}

/// Kinds by the difference of the indices of two squares that a leap connects.
static KINDS: [Kind; 32] = kinds_by_difference();

const fn kinds_by_difference() -> [Kind; 32] {
    let mut kinds = [Kind::Knight; 32];
    let mut index = 0;
    while index < Kind::DROPPABLE.len() {
        let kind = Kind::DROPPABLE[index];
        let mut leap = 0;
        while leap < LEAPS[kind.index()].len() {
            let (rows, columns) = LEAPS[kind.index()][leap];
            let difference = rows * 8 + columns;
            if difference > 0 {
                kinds[difference as usize] = kind;
            }
            leap += 1;
        }
        index += 1;
    }
    kinds
}
