//! From a position to the inputs of the network. The trainer uses the same.
//!
//! Each side sees the board through its own wazir: the rules are the same under all 8 rotations and
//! reflections, so the board is turned until that wazir stands on one of 10 squares. An input is
//! the wazir's square combined with another piece and its square, or with the n-th piece of a kind
//! in one of the hands; or a threat, whatever the wazir's square.

use super::super::position::Position;
use super::super::types::{Bitboard, Colour, Hand, Kind, Piece, Square};
use super::threats::{Threat, Threats, CLASSES, MAX_THREATS};

/// The squares of the triangle a1, a4, d4 that every wazir square can be turned to.
pub const WAZIR_SQUARES: usize = 10;
/// Own knight, ferz, dabbaba, alfil, then the enemy's and the enemy's wazir, on 64 squares each.
const PIECE_INPUTS: usize = 9 * 64;
/// Where each kind's inputs begin within a hand's, and the size of a hand.
const HAND_OFFSETS: [usize; 4] = [0, 2, 6, 14];
const HAND_INPUTS: usize = 30;
/// The inputs of one wazir square: pieces, then own and enemy hand.
pub const INPUTS_PER_WAZIR: usize = PIECE_INPUTS + 2 * HAND_INPUTS;
/// Where the threats begin, which are the same inputs for all wazir squares: those against the own
/// side, then those against the enemy.
pub const FIRST_THREAT: usize = WAZIR_SQUARES * INPUTS_PER_WAZIR;
/// The inputs that are threats.
pub const THREATS: usize = 2 * CLASSES * 64;
/// All inputs of one side's perspective.
pub const INPUTS: usize = FIRST_THREAT + THREATS;

/// How a side sees the board: turned by one of the 8 symmetries, with its wazir on one of 10
/// squares.
#[derive(Clone, Copy)]
pub struct Perspective {
    side: Colour,
    first_input: usize,
    turned: &'static [u8; 64],
}

/// `TURNED[symmetry][square]`: bit 0 of the symmetry mirrors the columns, bit 1 the rows, bit 2
/// then exchanges rows and columns.
static TURNED: [[u8; 64]; 8] = turned_squares();

const fn turned_squares() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 64 {
            let (mut row, mut column) = (square / 8, square % 8);
            if symmetry & 1 != 0 {
                column = 7 - column;
            }
            if symmetry & 2 != 0 {
                row = 7 - row;
            }
            let turned = if symmetry & 4 != 0 { column * 8 + row } else { row * 8 + column };
            table[symmetry][square] = turned as u8;
            square += 1;
        }
        symmetry += 1;
    }
    table
}

/// The row and column of a square, or of its image, in the quarter of a1.
#[inline(always)]
fn folded(square: Square) -> (usize, usize) {
    let fold = |line: usize| line.min(7 - line);
    (fold(square.row()), fold(square.column()))
}

/// Do two perspectives fit a wazir on this square? They do on a diagonal.
#[inline(always)]
pub fn has_two_perspectives(wazir: Square) -> bool {
    let (row, column) = folded(wazir);
    row == column
}

impl Perspective {
    /// The perspective of `side`, whose wazir stands on `wazir`.
    #[inline]
    pub fn new(side: Colour, wazir: Square) -> Perspective {
        Perspective::reflected(side, wazir, false)
    }

    /// As [`Perspective::new`], but on a diagonal, where two perspectives exist, the other one if
    /// `other`.
    #[inline]
    pub fn reflected(side: Colour, wazir: Square, other: bool) -> Perspective {
        let mirror = |line: usize| line > 3;
        let (row, column) = folded(wazir);
        // Below the diagonal the perspective is reflected; on it, both perspectives exist.
        let reflect = row > column || other && has_two_perspectives(wazir);
        let symmetry = usize::from(mirror(wazir.column()))
            | usize::from(mirror(wazir.row())) << 1
            | usize::from(reflect) << 2;
        let (low, high) = (row.min(column), row.max(column));
        let bucket = high * (high + 1) / 2 + low;
        Perspective { side, first_input: bucket * INPUTS_PER_WAZIR, turned: &TURNED[symmetry] }
    }

    /// The input of a piece on a square; not for the perspective's own wazir.
    #[inline(always)]
    pub fn piece(&self, piece: Piece, square: Square) -> usize {
        debug_assert!(piece.colour != self.side || piece.kind != Kind::Wazir);
        let owner = if piece.colour == self.side { 0 } else { 4 };
        let turned = usize::from(self.turned[square.index()]);
        self.first_input + (owner + piece.kind.index()) * 64 + turned
    }

    /// The input of the `nth` piece (from 0) of a kind in a side's hand.
    #[inline(always)]
    pub fn in_hand(&self, owner: Colour, kind: Kind, nth: usize) -> usize {
        let hand = if owner == self.side { 0 } else { HAND_INPUTS };
        let offset = HAND_OFFSETS[kind.index() & 3] + nth;
        self.first_input + PIECE_INPUTS + hand + offset
    }

    /// The input of a threat against a side.
    #[inline(always)]
    fn threat(&self, against: Colour, threat: Threat) -> usize {
        let owner = if against == self.side { 0 } else { CLASSES * 64 };
        let turned = usize::from(self.turned[threat.square()]);
        FIRST_THREAT + owner + threat.first_input() + turned
    }

    /// The inputs of pieces that are 1 in a position.
    fn placed(&self, position: &Position, emit: &mut impl FnMut(usize)) {
        for colour in Colour::ALL {
            for kind in Kind::ALL {
                if kind == Kind::Wazir && colour == self.side {
                    continue;
                }
                for square in position.board().pieces(colour, kind) {
                    emit(self.piece(Piece { colour, kind }, square));
                }
            }
            for kind in Kind::DROPPABLE {
                for nth in 0..position.hand(colour).count(kind) {
                    emit(self.in_hand(colour, kind, nth));
                }
            }
        }
    }

    /// The inputs of pieces that differ between what `old` holds and a position: `emit(input,
    /// added)`.
    pub fn changes(&self, old: &Placement, position: &Position, mut emit: impl FnMut(usize, bool)) {
        for colour in Colour::ALL {
            for kind in Kind::ALL {
                if kind == Kind::Wazir && colour == self.side {
                    continue;
                }
                let piece = Piece { colour, kind };
                let (before, now) = (old.pieces(piece), position.board().pieces(colour, kind));
                for square in before & !now {
                    emit(self.piece(piece, square), false);
                }
                for square in now & !before {
                    emit(self.piece(piece, square), true);
                }
            }
            for kind in Kind::DROPPABLE {
                let before = old.hands[colour.index()].count(kind);
                let now = position.hand(colour).count(kind);
                for nth in now..before {
                    emit(self.in_hand(colour, kind, nth), false);
                }
                for nth in before..now {
                    emit(self.in_hand(colour, kind, nth), true);
                }
            }
        }
    }
}

/// All inputs that are 1 in these perspectives of a position: `emit(perspective, input)`.
pub fn active(
    position: &Position,
    perspectives: &[Perspective],
    mut emit: impl FnMut(usize, usize),
) {
    let mut threats = Threats::none();
    threats.find(position);
    for (index, perspective) in perspectives.iter().enumerate() {
        perspective.placed(position, &mut |input| emit(index, input));
        for side in Colour::ALL {
            let against = threats.against(side).iter();
            against.for_each(|&threat| emit(index, perspective.threat(side, threat)));
        }
    }
}

/// The inputs of threats in two perspectives.
#[derive(Clone)]
pub struct ThreatInputs {
    threats: Threats,
    inputs: [[u16; MAX_THREATS]; 2],
}

impl ThreatInputs {
    /// No threats.
    pub fn none() -> ThreatInputs {
        ThreatInputs { threats: Threats::none(), inputs: [[0; MAX_THREATS]; 2] }
    }

    /// Becomes the threats of a position as these perspectives see them.
    #[inline(always)]
    pub fn set(&mut self, position: &Position, perspectives: &[Perspective; 2]) {
        self.threats.find(position);
        let [first, second] = &mut self.inputs;
        let mut done = 0;
        for side in Colour::ALL {
            let threats = self.threats.against(side);
            let places = first[done..].iter_mut().zip(&mut second[done..]);
            for ((first, second), &threat) in places.zip(threats) {
                *first = perspectives[0].threat(side, threat) as u16;
                *second = perspectives[1].threat(side, threat) as u16;
            }
            done += threats.len();
        }
    }

    /// The inputs of one of the perspectives.
    #[inline(always)]
    pub fn inputs(&self, perspective: usize) -> &[u16] {
        &self.inputs[perspective][..self.threats.count()]
    }
}

/// Where all pieces are, by colour and kind: what an accumulator stands for.
#[derive(Clone, Copy, Default)]
pub struct Placement {
    pieces: [[Bitboard; 5]; 2],
    hands: [Hand; 2],
}

impl Placement {
    /// The placement of a position.
    pub fn of(position: &Position) -> Placement {
        let mut placement = Placement::default();
        for colour in Colour::ALL {
            for kind in Kind::ALL {
                placement.pieces[colour.index()][kind.index()] =
                    position.board().pieces(colour, kind);
            }
            placement.hands[colour.index()] = position.hand(colour);
        }
        placement
    }

    #[inline(always)]
    fn pieces(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.colour.index()][piece.kind.index()]
    }
}

/// Steps of the number of pieces in both hands.
const HAND_STEPS: usize = 8;
/// Phases of the game. Since it ends with move 102, what wins in time is worth ever more, and what
/// only promises to win ever less.
pub const PHASES: usize = 8;
/// The ply at which the second phase begins, and the length of the others.
const FIRST_PHASE: usize = 34;
const PHASE_PLIES: usize = 10;
/// The number of output buckets.
pub const BUCKETS: usize = PHASES * HAND_STEPS;

/// The phase of the game at a ply.
#[inline]
pub fn phase(ply: usize) -> usize {
    ((ply + PHASE_PLIES).saturating_sub(FIRST_PHASE) / PHASE_PLIES).min(PHASES - 1)
}

/// The output bucket of a position: by the phase and the number of pieces in both hands.
#[inline]
pub fn bucket(position: &Position) -> usize {
    let in_hand = 32 - position.board().occupied().count() as usize;
    phase(position.ply()) * HAND_STEPS + (in_hand / 2).min(HAND_STEPS - 1)
}
