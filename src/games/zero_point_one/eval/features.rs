//! The network's input features. The trainer uses this code too.
//!
//! Each side has its own perspective, which depends on its wazir's square. The rules are invariant under all 8
//! rotations and reflections of the board, so the board is transformed such that the wazir is on one of 10 squares. An
//! input is a combination of the wazir's square with another piece and its square, or with the n-th piece of a kind in
//! a hand; or it is a threat, regardless of the wazir's square.

use super::super::position::Position;
use super::super::types::{Bitboard, Colour, Hand, Kind, Piece, Square};
use super::threats::{Threat, Threats, CLASSES, MAX_THREATS};

/// Number of wazir squares after the transformation: those of the triangle a1, a4, d4.
pub const WAZIR_SQUARES: usize = 10;
/// Number of piece inputs per wazir square: own knight, ferz, dabbaba and alfil, then the enemy's and the enemy's
/// wazir, on 64 squares each.
const PIECE_INPUTS: usize = 9 * 64;
/// Offset of the inputs of each kind within the inputs of a hand.
const HAND_OFFSETS: [usize; 4] = [0, 2, 6, 14];
/// Number of inputs per hand.
const HAND_INPUTS: usize = 30;
/// Number of inputs per wazir square: pieces, then own and enemy hand.
pub const INPUTS_PER_WAZIR: usize = PIECE_INPUTS + 2 * HAND_INPUTS;
/// Index of the first threat input. Threat inputs are shared by all wazir squares: first the threats against the side
/// itself, then those against the enemy.
pub const FIRST_THREAT: usize = WAZIR_SQUARES * INPUTS_PER_WAZIR;
/// Number of threat inputs.
pub const THREATS: usize = 2 * CLASSES * 64;
/// Total number of inputs of one perspective.
pub const INPUTS: usize = FIRST_THREAT + THREATS;

/// A side's perspective: the board transformed by one of the 8 symmetries such that its wazir is on one of 10 squares.
#[derive(Clone, Copy)]
pub struct Perspective {
    side: Colour,
    first_input: usize,
    symmetry: usize,
}

/// `TURNED[symmetry][square]` is the transformed square. Bit 0 of the symmetry mirrors the columns, bit 1 the rows, and
/// bit 2 then swaps rows and columns.
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

/// Where a wazir's square is in the triangle, and the symmetry that brings it there.
#[derive(Clone, Copy)]
struct Place {
    number: usize,
    symmetry: usize,
}

/// Places by square, of the perspective used in play and of the second one, if there are two.
static PLACES: [[Place; 64]; 2] = places();

const fn places() -> [[Place; 64]; 2] {
    let mut places = [[Place { number: 0, symmetry: 0 }; 64]; 2];
    let mut square = 0;
    while square < 64 {
        places[0][square] = place(Square::from_index(square), false);
        places[1][square] = place(Square::from_index(square), true);
        square += 1;
    }
    places
}

const fn place(wazir: Square, other: bool) -> Place {
    let [row, column] = folded(wazir);
    // Below the diagonal the board is reflected; on the diagonal both variants are possible.
    let reflects = row > column || other && has_two_perspectives(wazir);
    let (low, high) = if row < column { (row, column) } else { (column, row) };
    let symmetry = (wazir.column() > 3) as usize
        | ((wazir.row() > 3) as usize) << 1
        | (reflects as usize) << 2;
    Place { number: high * (high + 1) / 2 + low, symmetry }
}

/// Returns the row and column of a square, mirrored into the quarter of a1.
const fn folded(square: Square) -> [usize; 2] {
    let (row, column) = (square.row(), square.column());
    [if row > 3 { 7 - row } else { row }, if column > 3 { 7 - column } else { column }]
}

/// Whether two perspectives are possible for a wazir on this square, i.e. whether it is on a diagonal.
pub const fn has_two_perspectives(wazir: Square) -> bool {
    let [row, column] = folded(wazir);
    row == column
}

impl Perspective {
    /// Creates the perspective of `side` with its wazir on `wazir`.
    #[inline]
    pub fn new(side: Colour, wazir: Square) -> Perspective {
        Perspective::reflected(side, wazir, false)
    }

    /// Like [`Perspective::new`], but if `other` and the wazir is on a diagonal, creates the second of the two possible
    /// perspectives.
    #[inline]
    pub fn reflected(side: Colour, wazir: Square, other: bool) -> Perspective {
        let Place { number, symmetry } = PLACES[usize::from(other)][wazir.index()];
        Perspective { side, first_input: number * INPUTS_PER_WAZIR, symmetry }
    }

    /// Returns the input of a piece on a square. The piece must not be the perspective's own wazir.
    #[inline(always)]
    pub fn piece(&self, piece: Piece, square: Square) -> usize {
        debug_assert!(piece.colour != self.side || piece.kind != Kind::Wazir);
        let owner = if piece.colour == self.side { 0 } else { 4 };
        let turned = usize::from(TURNED[self.symmetry & 7][square.index()]);
        self.first_input + (owner + piece.kind.index()) * 64 + turned
    }

    /// Returns the input of the `nth` piece (from 0) of a kind in a side's hand.
    #[inline(always)]
    pub fn in_hand(&self, owner: Colour, kind: Kind, nth: usize) -> usize {
        let hand = if owner == self.side { 0 } else { HAND_INPUTS };
        let offset = HAND_OFFSETS[kind.index() & 3] + nth;
        self.first_input + PIECE_INPUTS + hand + offset
    }

    /// Writes the inputs of the first `count` threats against a side. It also writes what follows them in `inputs`: to
    /// convert eight at a time takes a few vector instructions.
    #[inline(always)]
    fn threats(&self, against: Colour, threats: &[Threat], count: usize, inputs: &mut [u16]) {
        let owner = if against == self.side { 0 } else { CLASSES * 64 };
        let first = (FIRST_THREAT + owner) as u16;
        // The symmetry of `TURNED` without a lookup, so that the loop compiles to vector instructions.
        let mirror = [0, 7, 56, 63][self.symmetry & 3];
        let swaps = self.symmetry & 4 != 0;
        let eights = threats.chunks_exact(8).zip(inputs.chunks_exact_mut(8));
        for (threats, inputs) in eights.take((count + 7) / 8) {
            for (input, threat) in inputs.iter_mut().zip(threats) {
                let mirrored = threat.bits() ^ mirror;
                let swapped = mirrored & !63 | mirrored >> 3 & 7 | (mirrored & 7) << 3;
                *input = first + if swaps { swapped } else { mirrored };
            }
        }
    }

    /// Emits the active piece inputs of a position.
    fn active_pieces(&self, position: &Position, emit: &mut impl FnMut(usize)) {
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

    /// Emits the piece inputs that differ between the placement `old` and a position: `emit(input, added)`.
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

/// Emits all active inputs of a position in these perspectives: `emit(perspective, input)`.
pub fn active(
    position: &Position,
    perspectives: &[Perspective],
    mut emit: impl FnMut(usize, usize),
) {
    let mut threats = Threats::none();
    threats.find(position);
    let mut inputs = [0; THREAT_ROOM];
    for (index, perspective) in perspectives.iter().enumerate() {
        perspective.active_pieces(position, &mut |input| emit(index, input));
        for side in Colour::ALL {
            let (list, count) = threats.against(side);
            perspective.threats(side, list, count, &mut inputs);
            inputs[..count].iter().for_each(|&input| emit(index, usize::from(input)));
        }
    }
}

/// Room for the inputs of all threats, since eight at a time are written.
const THREAT_ROOM: usize = MAX_THREATS + 9;

/// Active threat inputs of a position in two perspectives.
#[derive(Clone)]
pub struct ThreatInputs {
    threats: Threats,
    inputs: [[u16; THREAT_ROOM]; 2],
}

impl ThreatInputs {
    /// Creates an empty list.
    pub fn none() -> ThreatInputs {
        ThreatInputs { threats: Threats::none(), inputs: [[0; THREAT_ROOM]; 2] }
    }

    /// Replaces the list by the threats of a position in these perspectives.
    #[inline(always)]
    pub fn set(&mut self, position: &Position, perspectives: &[Perspective; 2]) {
        self.threats.find(position);
        for (perspective, inputs) in perspectives.iter().zip(&mut self.inputs) {
            let mut done = 0;
            for side in Colour::ALL {
                let (threats, count) = self.threats.against(side);
                perspective.threats(side, threats, count, &mut inputs[done..]);
                done += count;
            }
        }
    }

    /// Returns the threat inputs of one of the perspectives.
    #[inline(always)]
    pub fn inputs(&self, perspective: usize) -> &[u16] {
        &self.inputs[perspective][..self.threats.count()]
    }
}

/// Piece placement by colour and kind, including hands, that an accumulator represents.
#[derive(Clone, Copy, Default)]
pub struct Placement {
    pieces: [[Bitboard; 5]; 2],
    hands: [Hand; 2],
}

impl Placement {
    /// Returns the placement of a position.
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

/// Number of output buckets per game phase, by the number of pieces in both hands.
const HAND_STEPS: usize = 8;
/// Number of game phases. The game ends after 102 moves, so towards the end fast wins become more valuable and
/// long-term advantages less.
pub const PHASES: usize = 8;
/// Length of the first phase, in plies.
const FIRST_PHASE: usize = 34;
/// Length of each later phase, in plies.
const PHASE_PLIES: usize = 10;
/// Number of output buckets.
pub const BUCKETS: usize = PHASES * HAND_STEPS;

/// Returns the game phase at a ply.
#[inline]
pub fn phase(ply: usize) -> usize {
    ((ply + PHASE_PLIES).saturating_sub(FIRST_PHASE) / PHASE_PLIES).min(PHASES - 1)
}

/// Returns the output bucket of a position, by phase and number of pieces in both hands.
#[inline]
pub fn bucket(position: &Position) -> usize {
    let in_hand = 32 - position.board().occupied().count() as usize;
    phase(position.ply()) * HAND_STEPS + (in_hand / 2).min(HAND_STEPS - 1)
}
