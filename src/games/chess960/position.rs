//! Positions and making moves.

use super::attacks;
use super::types::{Bitboard, Colour, Kind, Move, Square};
use super::zobrist;

/// Castling rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingRule {
    /// The arena's: the squares between king and rook and both destinations must be empty.
    Arena,
    /// FIDE's: all squares that king and rook pass must be empty.
    Fide,
}

/// Maximum length of a game in plies, unless the arena sets another one: 125 moves per side.
pub const MAX_PLIES: usize = 250;

/// Files of king and rook after castling to the left and to the right.
const CASTLED_FILES: [(usize, usize); 2] = [(2, 3), (6, 5)];

/// Returns the squares of king and rook after castling.
#[inline(always)]
pub fn castled(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = CASTLED_FILES[usize::from(rook.file() > king.file())];
    (Square::new(king_file, king.rank()), Square::new(rook_file, king.rank()))
}

/// Hash keys of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Key of everything that distinguishes positions for repetition.
    pub all: u64,
    /// Key of the pawns.
    pub pawns: u64,
    /// Keys of each side's pieces except pawns.
    pub pieces: [u64; 2],
}

/// A position with both kings, in which the side to move can't capture the opponent's king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) kinds: [Bitboard; 6],
    pub(super) colours: [Bitboard; 2],
    pub(super) board: [Option<Kind>; 64],
    /// Rooks that may castle.
    pub(super) castling: Bitboard,
    /// The square that a pawn has just passed by moving two squares.
    pub(super) en_passant: Option<Square>,
    pub(super) side: Colour,
    pub(super) rule: CastlingRule,
    /// Maximum length of the game in plies.
    pub(super) max_plies: u16,
    /// Half-move clock: plies without a capture or pawn move.
    pub(super) halfmoves: u16,
    /// Move number, from 1.
    pub(super) number: u16,
    /// Opposing pieces that give check.
    pub(super) checkers: Bitboard,
    /// Own pieces that are alone between their king and an opposing slider.
    pub(super) pinned: Bitboard,
    pub(super) keys: Keys,
}

impl Position {
    /// An empty board, as a start for building positions.
    pub(super) fn empty(rule: CastlingRule) -> Position {
        Position {
            kinds: [Bitboard::EMPTY; 6],
            colours: [Bitboard::EMPTY; 2],
            board: [None; 64],
            castling: Bitboard::EMPTY,
            en_passant: None,
            side: Colour::White,
            rule,
            max_plies: MAX_PLIES as u16,
            halfmoves: 0,
            number: 1,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            keys: Keys::default(),
        }
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Colour {
        self.side
    }

    /// Pieces of a side.
    #[inline(always)]
    pub fn colour(&self, colour: Colour) -> Bitboard {
        self.colours[colour.index()]
    }

    /// Pieces of a kind.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Pieces of a side and kind.
    #[inline(always)]
    pub fn pieces(&self, colour: Colour, kind: Kind) -> Bitboard {
        self.colour(colour) & self.kind(kind)
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colours[0] | self.colours[1]
    }

    /// Returns the kind of the piece on a square.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<Kind> {
        self.board[square.index()]
    }

    /// Returns the colour of the piece on a square.
    pub fn colour_on(&self, square: Square) -> Option<Colour> {
        Colour::ALL.iter().copied().find(|&colour| self.colour(colour).has(square))
    }

    /// Returns the square of a side's king.
    #[inline(always)]
    pub fn king(&self, colour: Colour) -> Square {
        self.pieces(colour, Kind::King).lowest()
    }

    /// Rooks that may castle.
    #[inline(always)]
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// Castling rule.
    pub fn rule(&self) -> CastlingRule {
        self.rule
    }

    /// The square that a pawn has just passed by moving two squares, whether or not it can be captured there.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Opposing pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Pinned pieces: own pieces that may move only on the line of their king.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Half-move clock: plies without a capture or pawn move.
    #[inline(always)]
    pub fn halfmoves(&self) -> usize {
        usize::from(self.halfmoves)
    }

    /// Move number, from 1.
    pub fn number(&self) -> usize {
        usize::from(self.number)
    }

    /// Plies since the start, from the move number.
    #[inline(always)]
    pub fn ply(&self) -> usize {
        (self.number() - 1) * 2 + self.side.index()
    }

    /// Plies left until the game is drawn by the number of moves.
    #[inline(always)]
    pub fn plies_left(&self) -> usize {
        usize::from(self.max_plies).saturating_sub(self.ply())
    }

    /// Hash keys.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Hash of everything that counts for repetition.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.keys.all
    }

    /// Returns the hash after a move, for a prefetch. It is wrong after castling, en passant captures and changes of
    /// castling or en passant rights.
    #[inline(always)]
    pub fn likely_hash_after(&self, mv: Move) -> u64 {
        let (us, kind, to) = (self.side, self.moved(mv), mv.to());
        let taken = self.kind_on(to).map_or(0, |taken| zobrist::piece(!us, taken, to));
        let landed = zobrist::piece(us, mv.promotion().unwrap_or(kind), to);
        self.keys.all ^ zobrist::SIDE ^ zobrist::piece(us, kind, mv.from()) ^ landed ^ taken
    }

    /// Whether the move is a capture or promotion.
    #[inline(always)]
    pub fn is_noisy(&self, mv: Move) -> bool {
        mv.promotion().is_some() || self.is_capture(mv)
    }

    /// Whether the move is a capture.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.captured(mv).is_some()
    }

    /// Returns the captured kind.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<Kind> {
        if mv.is_en_passant() {
            Some(Kind::Pawn)
        } else if mv.is_castling() {
            None
        } else {
            self.kind_on(mv.to())
        }
    }

    /// Returns the kind of the moving piece; a pawn if the square is empty.
    #[inline(always)]
    pub fn moved(&self, mv: Move) -> Kind {
        self.kind_on(mv.from()).unwrap_or(Kind::Pawn)
    }

    /// Returns all pieces that attack a square, with this occupancy.
    #[inline(always)]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.kind(Kind::Queen);
        let pawns = attacks::pawns(Colour::White, square.bit()) & self.colour(Colour::Black)
            | attacks::pawns(Colour::Black, square.bit()) & self.colour(Colour::White);
        pawns & self.kind(Kind::Pawn)
            | attacks::knight(square) & self.kind(Kind::Knight)
            | attacks::king(square) & self.kind(Kind::King)
            | attacks::bishop(square, occupied) & (self.kind(Kind::Bishop) | queens)
            | attacks::rook(square, occupied) & (self.kind(Kind::Rook) | queens)
    }

    /// Whether a side attacks a square, with this occupancy.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Colour, occupied: Bitboard) -> bool {
        let enemies = self.colour(by);
        let queens = self.kind(Kind::Queen);
        let near = attacks::knight(square) & self.kind(Kind::Knight)
            | attacks::king(square) & self.kind(Kind::King)
            | attacks::pawns(!by, square.bit()) & self.kind(Kind::Pawn);
        (near & enemies).any()
            || {
                let sliders = (self.kind(Kind::Bishop) | queens) & enemies;
                (attacks::bishop_lines(square) & sliders).any()
                    && (attacks::bishop(square, occupied) & sliders).any()
            }
            || {
                let sliders = (self.kind(Kind::Rook) | queens) & enemies;
                (attacks::rook_lines(square) & sliders).any()
                    && (attacks::rook(square, occupied) & sliders).any()
            }
    }

    /// Returns a side's sliders that would attack a square on an empty board.
    #[inline(always)]
    pub fn aimed_sliders(&self, square: Square, by: Colour) -> Bitboard {
        let queens = self.kind(Kind::Queen);
        let rooks = attacks::rook_lines(square) & (self.kind(Kind::Rook) | queens);
        let bishops = attacks::bishop_lines(square) & (self.kind(Kind::Bishop) | queens);
        (rooks | bishops) & self.colour(by)
    }

    /// Whether the king of the side to move may castle with this rook, which still has the right.
    pub fn can_castle(&self, rook: Square) -> bool {
        let king = self.king(self.side);
        let (king_to, rook_to) = castled(king, rook);
        let others = self.occupied() ^ king.bit() ^ rook.bit();
        let path = attacks::between(king, king_to) | king.bit() | king_to.bit();
        let destinations = king_to.bit() | rook_to.bit();
        let free = attacks::between(king, rook) | destinations;
        let (free, safe) = match self.rule {
            CastlingRule::Fide => (free | path | attacks::between(rook, rook_to), path),
            // The arena's loop over the king's path runs away from the rook, or not at all if the destination is on the
            // rook's side.
            CastlingRule::Arena if king.file() == 1 && rook.file() == 0 => (free, Bitboard::EMPTY),
            CastlingRule::Arena => (free, path),
        };
        let occupied = self.occupied() ^ king.bit();
        (free & others).is_empty()
            && !safe.into_iter().any(|square| self.is_attacked(square, !self.side, occupied))
            && !self.is_attacked(king_to, !self.side, others | destinations)
    }

    /// Whether the move gives check, directly or by discovery. Castling and en passant captures are tested by making
    /// them.
    #[inline(always)]
    pub fn gives_check(&self, mv: Move) -> bool {
        if mv.is_castling() || mv.is_en_passant() {
            return self.make(mv).checkers.any();
        }
        let king = self.king(!self.side);
        let kind = mv.promotion().unwrap_or(self.moved(mv));
        let occupied = (self.occupied() ^ mv.from().bit()) | mv.to().bit();
        let direct = match kind {
            Kind::Pawn => attacks::pawns(self.side, mv.to().bit()).has(king),
            Kind::King => false,
            kind => attacks::of(kind, mv.to(), occupied).has(king),
        };
        direct || {
            let own = self.colour(self.side) & !mv.from().bit();
            let queens = self.kind(Kind::Queen);
            let from = mv.from();
            let rooks = (self.kind(Kind::Rook) | queens) & own;
            let bishops = (self.kind(Kind::Bishop) | queens) & own;
            attacks::rook_lines(king).has(from) && (attacks::rook(king, occupied) & rooks).any()
                || attacks::bishop_lines(king).has(from)
                    && (attacks::bishop(king, occupied) & bishops).any()
        }
    }

    /// Returns the position with another half-move clock and move number.
    pub fn with_clocks(mut self, halfmoves: usize, number: usize) -> Position {
        self.halfmoves = halfmoves as u16;
        self.number = number as u16;
        self
    }

    /// Returns the position with another castling rule.
    pub fn with_rule(mut self, rule: CastlingRule) -> Position {
        self.rule = rule;
        self
    }

    /// Returns the position without an en passant square.
    pub fn without_en_passant(mut self) -> Position {
        self.keys.all ^= self.en_passant_key();
        self.en_passant = None;
        self
    }

    /// Adds a piece to an empty square, or removes it.
    #[inline(always)]
    pub(super) fn toggle(&mut self, colour: Colour, kind: Kind, square: Square) {
        self.kinds[kind.index()] ^= square.bit();
        self.colours[colour.index()] ^= square.bit();
        let key = zobrist::piece(colour, kind, square);
        self.keys.all ^= key;
        match kind {
            Kind::Pawn => self.keys.pawns ^= key,
            _ => self.keys.pieces[colour.index()] ^= key,
        }
    }

    /// Key of the en passant square, which counts if an opposing pawn could capture there, pinned or not.
    #[inline(always)]
    pub(super) fn en_passant_key(&self) -> u64 {
        match self.en_passant {
            Some(square) => {
                let ready = attacks::pawns(!self.side, square.bit());
                if (ready & self.pieces(self.side, Kind::Pawn)).any() {
                    zobrist::en_passant(square.file())
                } else {
                    0
                }
            }
            None => 0,
        }
    }

    /// Returns the position after a legal move.
    #[inline]
    pub fn make(&self, mv: Move) -> Position {
        let mut next = *self;
        let (us, from, to) = (self.side, mv.from(), mv.to());
        let kind = self.moved(mv);
        next.leave_turn();
        next.halfmoves = self.halfmoves.saturating_add(1);
        next.toggle(us, kind, from);
        next.board[from.index()] = None;
        if mv.is_castling() {
            let (king_to, rook_to) = castled(from, to);
            next.toggle(us, Kind::Rook, to);
            next.board[to.index()] = None;
            next.toggle(us, Kind::King, king_to);
            next.toggle(us, Kind::Rook, rook_to);
            next.board[king_to.index()] = Some(Kind::King);
            next.board[rook_to.index()] = Some(Kind::Rook);
        } else {
            if let Some(taken) = self.kind_on(to) {
                next.toggle(!us, taken, to);
                next.halfmoves = 0;
            } else if mv.is_en_passant() {
                let victim = Square::new(to.file(), from.rank());
                next.toggle(!us, Kind::Pawn, victim);
                next.board[victim.index()] = None;
            } else if mv.is_double() {
                next.en_passant = Some(Square::from_index((from.index() + to.index()) / 2));
            }
            let landed = mv.promotion().unwrap_or(kind);
            next.toggle(us, landed, to);
            next.board[to.index()] = Some(landed);
        }
        if kind == Kind::Pawn {
            next.halfmoves = 0;
        }
        next.lose_castling(kind, from, to);
        next.begin_turn();
        next
    }

    /// Returns the position after a null move, which must not be made in check.
    #[inline]
    pub fn make_null(&self) -> Position {
        let mut next = *self;
        next.leave_turn();
        next.halfmoves = self.halfmoves.saturating_add(1);
        next.begin_turn();
        next
    }

    /// Removes castling rights that the move ends.
    #[inline(always)]
    fn lose_castling(&mut self, kind: Kind, from: Square, to: Square) {
        let mut lost = from.bit() | to.bit();
        if kind == Kind::King {
            lost |= Bitboard::rank(from.rank()) & Bitboard::rank(7 * self.side.index());
        }
        lost &= self.castling;
        if lost.any() {
            self.castling ^= lost;
            lost.into_iter().for_each(|rook| self.keys.all ^= zobrist::castling(rook));
        }
    }

    /// Updates the state that ends with every turn.
    #[inline(always)]
    fn leave_turn(&mut self) {
        self.keys.all ^= self.en_passant_key() ^ zobrist::SIDE;
        self.en_passant = None;
    }

    /// Switches the side to move.
    #[inline(always)]
    fn begin_turn(&mut self) {
        self.number = self.number.saturating_add(self.side.index() as u16);
        self.side = !self.side;
        self.keys.all ^= self.en_passant_key();
        self.find_checks();
    }

    /// Computes checkers and pinned pieces.
    #[inline(always)]
    pub(super) fn find_checks(&mut self) {
        let (us, king) = (self.side, self.king(self.side));
        let enemies = self.colour(!us);
        self.pinned = Bitboard::EMPTY;
        self.checkers = enemies
            & (attacks::knight(king) & self.kind(Kind::Knight)
                | attacks::pawns(us, king.bit()) & self.kind(Kind::Pawn));
        let occupied = self.occupied();
        for slider in self.aimed_sliders(king, !us) {
            let blockers = attacks::between(king, slider) & occupied;
            if blockers.is_empty() {
                self.checkers |= slider.bit();
            } else if !blockers.several() {
                self.pinned |= blockers & self.colour(us);
            }
        }
    }
}
