//! Positions after both setups, and making moves.

use super::attacks::attacks;
use super::types::{Bitboard, Colour, Hand, Kind, Move, Origin, Piece, Square};
use super::zobrist;

/// Maximum number of moves per game, including the two setups. After them the game is drawn.
pub const MAX_PLIES: usize = 102;

/// Piece placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; 5],
    colours: [Bitboard; 2],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Board = Board { kinds: [Bitboard::EMPTY; 5], colours: [Bitboard::EMPTY; 2] };

    /// Returns the squares of all pieces of a side.
    #[inline(always)]
    pub fn colour(&self, colour: Colour) -> Bitboard {
        self.colours[colour.index()]
    }

    /// Returns the squares of all pieces of a kind, of both sides.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Returns the squares of a side's pieces of a kind.
    #[inline(always)]
    pub fn pieces(&self, colour: Colour, kind: Kind) -> Bitboard {
        self.kinds[kind.index()] & self.colours[colour.index()]
    }

    /// Returns the occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colours[0] | self.colours[1]
    }

    /// Returns the empty squares.
    #[inline(always)]
    pub fn empty(&self) -> Bitboard {
        !self.occupied()
    }

    /// Returns the kind of the piece on a square.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| self.kinds[kind.index()].has(square))
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_on(square)?;
        let colour = if self.colours[0].has(square) { Colour::Red } else { Colour::Blue };
        Some(Piece { colour, kind })
    }

    /// Places a piece on an empty square, or removes it from its square.
    #[inline(always)]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind.index()] ^= Bitboard::of(square);
        self.colours[piece.colour.index()] ^= Bitboard::of(square);
    }

    /// Returns the square of a side's wazir; `None` if it was captured.
    #[inline(always)]
    pub fn wazir(&self, colour: Colour) -> Option<Square> {
        self.pieces(colour, Kind::Wazir).first()
    }

    /// Returns the squares of a side's pieces that attack a square.
    #[inline(always)]
    pub fn attackers(&self, square: Square, by: Colour) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for kind in Kind::ALL {
            found |= attacks(kind, square) & self.kinds[kind.index()];
        }
        found & self.colours[by.index()]
    }
}

/// A position with a side to move. It is immutable: making a move returns a new position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    hands: [Hand; 2],
    side: Colour,
    ply: u8,
    hash: u64,
}

impl Position {
    /// Creates a position after `ply` moves, including the setups. `None` if a side has more than one wazir, if there
    /// are more pieces of a kind than exist, or if `ply` exceeds [`MAX_PLIES`].
    pub fn new(board: Board, hands: [Hand; 2], ply: usize) -> Option<Position> {
        let one_wazir =
            Colour::ALL.iter().all(|&colour| board.pieces(colour, Kind::Wazir).count() <= 1);
        let in_play = |kind: Kind| {
            board.kind(kind).count() as usize + hands[0].count(kind) + hands[1].count(kind)
        };
        let complete = Kind::DROPPABLE.iter().all(|&kind| in_play(kind) <= Hand::MAX[kind.index()]);
        if !one_wazir || !complete || ply > MAX_PLIES {
            return None;
        }
        let side = Colour::to_move_after(ply);
        let mut position = Position { board, hands, side, ply: ply as u8, hash: 0 };
        position.hash = position.recomputed_hash();
        Some(position)
    }

    /// Returns the piece placement.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns a side's hand.
    #[inline(always)]
    pub fn hand(&self, colour: Colour) -> Hand {
        self.hands[colour.index()]
    }

    /// Returns the side to move.
    #[inline(always)]
    pub fn side(&self) -> Colour {
        self.side
    }

    /// Returns the number of moves made, including the two setups.
    #[inline(always)]
    pub fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    /// Returns the hash of placement, hands and side to move (not of the ply).
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Computes the hash from scratch. It equals [`Position::hash`].
    pub fn recomputed_hash(&self) -> u64 {
        let mut hash = 0;
        for square in self.board.occupied() {
            if let Some(piece) = self.board.piece_on(square) {
                hash ^= zobrist::piece(piece, square);
            }
        }
        for colour in Colour::ALL {
            for kind in Kind::DROPPABLE {
                hash ^= zobrist::hand(colour, self.hand(colour), kind);
            }
        }
        if self.side == Colour::Blue {
            hash ^= zobrist::blue_to_move();
        }
        hash
    }

    /// Returns the side that has captured the enemy wazir.
    pub fn winner(&self) -> Option<Colour> {
        Colour::ALL.iter().copied().find(|&colour| self.board.wazir(!colour).is_none())
    }

    /// Whether the game is over, by capture of a wazir or by the number of moves.
    pub fn is_over(&self) -> bool {
        self.ply() >= MAX_PLIES || self.winner().is_some()
    }

    /// Returns the squares of the enemy pieces that attack the wazir of the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        match self.board.wazir(self.side) {
            Some(wazir) => self.board.attackers(wazir, !self.side),
            None => Bitboard::EMPTY,
        }
    }

    /// Returns the kind of the piece that a pseudo-legal move moves or drops. For a board move from an empty square the
    /// result is the alfil.
    #[inline(always)]
    pub fn moved_kind(&self, mv: Move) -> Kind {
        match mv.origin() {
            Origin::Board(from) => self.board.kind_on(from).unwrap_or(Kind::Alfil),
            Origin::Hand(kind) => kind,
        }
    }

    /// Whether a pseudo-legal move attacks the enemy wazir. Leapers have no discovered attacks, so only the moved piece
    /// counts.
    #[inline(always)]
    pub fn gives_check(&self, mv: Move) -> bool {
        match self.board.wazir(!self.side) {
            Some(wazir) => attacks(self.moved_kind(mv), wazir).has(mv.to()),
            None => false,
        }
    }

    /// Whether a pseudo-legal move is a capture.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board.colour(!self.side).has(mv.to())
    }

    /// Returns the kind of the piece that a pseudo-legal move captures.
    #[inline(always)]
    pub fn captured_kind(&self, mv: Move) -> Option<Kind> {
        if self.is_capture(mv) {
            self.board.kind_on(mv.to())
        } else {
            None
        }
    }

    /// Whether the rules allow the side to move to play this move. It may leave its wazir en prise.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        if self.board.wazir(!self.side).is_none() || self.board.wazir(self.side).is_none() {
            return false;
        }
        match mv.origin() {
            Origin::Hand(kind) => {
                self.hand(self.side).count(kind) > 0 && self.board.empty().has(mv.to())
            }
            Origin::Board(from) => {
                let own = self.board.colour(self.side);
                own.has(from)
                    && !own.has(mv.to())
                    && attacks(self.moved_kind(mv), from).has(mv.to())
            }
        }
    }

    /// Whether the mover's wazir is not attacked after a pseudo-legal move.
    pub fn is_safe(&self, mv: Move) -> bool {
        let after = self.make(mv);
        match after.board.wazir(self.side) {
            Some(wazir) => after.board.attackers(wazir, !self.side).is_empty(),
            None => false,
        }
    }

    /// Returns the hash of the position after a pseudo-legal move.
    #[inline(always)]
    pub fn hash_after(&self, mv: Move) -> u64 {
        let (us, to) = (self.side, mv.to());
        let piece = Piece { colour: us, kind: self.moved_kind(mv) };
        let mut hash = self.hash ^ zobrist::blue_to_move() ^ zobrist::piece(piece, to);
        if let Some(kind) = self.captured_kind(mv) {
            hash ^= zobrist::piece(Piece { colour: !us, kind }, to);
            if kind != Kind::Wazir {
                hash ^= self.hand_hash_change(kind, Hand::add);
            }
        }
        match mv.origin() {
            Origin::Board(from) => hash ^ zobrist::piece(piece, from),
            Origin::Hand(kind) => hash ^ self.hand_hash_change(kind, Hand::remove),
        }
    }

    /// Returns the change of the hash if `change` is applied to the hand of the side to move.
    #[inline(always)]
    fn hand_hash_change(&self, kind: Kind, change: fn(&mut Hand, Kind)) -> u64 {
        let before = self.hand(self.side);
        let mut after = before;
        change(&mut after, kind);
        zobrist::hand(self.side, before, kind) ^ zobrist::hand(self.side, after, kind)
    }

    /// Returns the position after a pseudo-legal move.
    #[inline]
    #[must_use]
    pub fn make(&self, mv: Move) -> Position {
        let us = self.side;
        let to = mv.to();
        let piece = Piece { colour: us, kind: self.moved_kind(mv) };
        let mut next = self.with_other_side_to_move(self.hash_after(mv));
        if let Some(kind) = self.captured_kind(mv) {
            next.board.toggle(Piece { colour: !us, kind }, to);
            if kind != Kind::Wazir {
                next.hands[us.index()].add(kind);
            }
        }
        match mv.origin() {
            Origin::Board(from) => next.board.toggle(piece, from),
            Origin::Hand(kind) => next.hands[us.index()].remove(kind),
        }
        next.board.toggle(piece, to);
        next
    }

    /// Returns the position after a null move, which is not a legal move of the game (for null-move pruning).
    #[inline]
    #[must_use]
    pub fn make_null(&self) -> Position {
        self.with_other_side_to_move(self.hash ^ zobrist::blue_to_move())
    }

    /// Returns the position with the other side to move, a ply later, with this hash.
    #[inline(always)]
    fn with_other_side_to_move(&self, hash: u64) -> Position {
        Position { side: !self.side, ply: self.ply + 1, hash, ..*self }
    }
}
