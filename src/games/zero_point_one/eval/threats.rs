//! What the pieces threaten, as inputs of the network: which pieces and which squares beside a
//! wazir are attacked, and from where a check could come. Sums over single pieces can't express
//! this; threats as inputs are known from chess engines (Stockfish, 2025). They are the same for
//! all squares of the own wazir, and are counted anew at every evaluation.

use super::super::attacks::{attacks, spreads, united};
use super::super::position::Position;
use super::super::types::{Bitboard, Colour, Kind, Square};

/// Classes of threats, by where each begins: a droppable piece attacked, undefended or defended, by
/// its kind, ...
pub(super) const ATTACKED: usize = 0;
pub(super) const DEFENDED: usize = 4;
/// ... a square beside the wazir that the enemy attacks, one to which the wazir can flee, ...
pub(super) const SHUT: usize = 8;
pub(super) const FLIGHT: usize = 9;
/// ... an undefended square on which a piece from the enemy's hand would give check, by its kind,
/// ...
pub(super) const DROP_CHECK: usize = 10;
/// ... one to which an enemy's piece could move with check, by its kind, ...
pub(super) const CHECK: usize = DROP_CHECK + 4;
/// ... the squares of such checks that leave no flight (mate where it is a drop, as no piece stands
/// between leapers; a knight that moves may give up a flight that it guarded), those that leave a
/// single one, and those that attack an undefended piece besides and are not mate; ...
pub(super) const MATE: usize = CHECK + 4;
pub(super) const ONE_FLIGHT: usize = MATE + 1;
pub(super) const FORK: usize = MATE + 2;
/// ... and the squares of checks that leave no flight, but on which the piece can be captured.
pub(super) const HELD_MATE: usize = MATE + 3;
/// The number of classes.
pub const CLASSES: usize = HELD_MATE + 1;

/// At most so many threats of a position count; more have not been met in games.
pub const MAX_THREATS: usize = 63;
/// No position has more than 198: 30 pieces attacked, 8 squares beside the wazirs, and for both
/// wazirs 4 threats on each of 20 squares. A power of two: see `add_if`.
const PLACES: usize = 256;

/// One threat: its class and square.
#[derive(Clone, Copy, Default)]
pub struct Threat(u16);

impl Threat {
    #[inline(always)]
    fn new(class: usize, square: Square) -> Threat {
        Threat((class << 6 | square.index()) as u16)
    }

    /// The class, below [`CLASSES`].
    #[cfg(test)]
    pub fn class(self) -> usize {
        usize::from(self.0 >> 6)
    }

    /// The class times 64: where its inputs begin.
    #[inline(always)]
    pub fn first_input(self) -> usize {
        usize::from(self.0 & !63)
    }

    /// The index of the square.
    #[inline(always)]
    pub fn square(self) -> usize {
        usize::from(self.0 & 63)
    }
}

/// The threats of a position against both sides. (An array: an `ArrayVec` asks at every threat
/// whether it is full.)
#[derive(Clone)]
pub struct Threats {
    /// Those against Red, then those against Blue.
    list: [Threat; PLACES],
    against_red: usize,
    count: usize,
}

impl Threats {
    /// No threats.
    pub fn none() -> Threats {
        Threats { list: [Threat::default(); PLACES], against_red: 0, count: 0 }
    }

    /// Becomes all threats of a position.
    #[inline(always)]
    pub fn find(&mut self, position: &Position) {
        let reach = [Reach::of(position, Colour::Red), Reach::of(position, Colour::Blue)];
        self.count = 0;
        self.add_against(position, Colour::Red, &reach);
        self.against_red = self.count.min(MAX_THREATS);
        self.add_against(position, Colour::Blue, &reach);
        self.count = self.count.min(MAX_THREATS);
    }

    /// The number of threats found.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Those against a side.
    #[inline(always)]
    pub fn against(&self, side: Colour) -> &[Threat] {
        match side {
            Colour::Red => &self.list[..self.against_red],
            Colour::Blue => &self.list[self.against_red..self.count],
        }
    }

    /// Adds a threat where there is one. Written always and kept only then, since a branch would
    /// often be mispredicted; the mask changes nothing but spares a check.
    #[inline(always)]
    fn add_if(&mut self, is_one: bool, class: usize, square: Square) {
        self.list[self.count % PLACES] = Threat::new(class, square);
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
            let begin = if own.all.has(square) { DEFENDED } else { ATTACKED };
            self.add_if(true, begin + droppable_on(position, square), square);
        }
        let beside = attacks(Kind::Wazir, wazir);
        for square in beside & (enemy.all | !board.colour(colour)) {
            let class = if enemy.all.has(square) { SHUT } else { FLIGHT };
            self.add_if(true, class, square);
        }
        let flights = beside & !enemy.all & !board.colour(colour);
        // Cheaper than to count them. A checking piece guards none of them: see `mate`.
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
                (true, false) => HELD_MATE,
                _ => ONE_FLIGHT,
            };
            self.add_if(flights.is_empty() || at_most_one && safe, class, square);
        }
    }
}

/// What a side's pieces attack: by kind, and all together.
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

/// The squares from which a drop and a move of the enemy would give check to the wazir.
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
        // All ones where the hand has the kind.
        drops |= checks & Bitboard(u64::from(hand.count(kind) > 0).wrapping_neg());
    }
    (drops & board.empty(), moves & !board.colour(!colour))
}

/// The index of the kind of piece, not a wazir, on a square.
#[inline(always)]
fn droppable_on(position: &Position, square: Square) -> usize {
    let is = |kind| usize::from(position.board().kind(kind).has(square));
    is(Kind::Ferz) + 2 * is(Kind::Dabbaba) + 3 * is(Kind::Alfil)
}

/// The kind, not a wazir, that attacks the one square from the other: by the square of their
/// distance.
#[inline(always)]
fn checking_kind(wazir: Square, square: Square) -> Kind {
    let rows = wazir.row() as i32 - square.row() as i32;
    let columns = wazir.column() as i32 - square.column() as i32;
    match rows * rows + columns * columns {
        2 => Kind::Ferz,
        4 => Kind::Dabbaba,
        5 => Kind::Knight,
        _ => Kind::Alfil,
    }
}
