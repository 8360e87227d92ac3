//! The state of a game after both setups, and what a move does to it.

use super::attacks::attacks;
use super::types::{Bitboard, Colour, Hand, Kind, Move, Origin, Piece, Square};
use super::zobrist;

/// The moves of a game, the two setups included; after them it is a draw.
pub const MAX_PLIES: usize = 102;

/// Which piece stands where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; 5],
    colours: [Bitboard; 2],
}

impl Board {
    /// No piece anywhere.
    pub const EMPTY: Board = Board { kinds: [Bitboard::EMPTY; 5], colours: [Bitboard::EMPTY; 2] };

    /// The squares of all pieces of a side.
    #[inline(always)]
    pub fn colour(&self, colour: Colour) -> Bitboard {
        self.colours[colour.index()]
    }

    /// The squares of all pieces of a kind, of both sides.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of a side's pieces of a kind.
    #[inline(always)]
    pub fn pieces(&self, colour: Colour, kind: Kind) -> Bitboard {
        self.kinds[kind.index()] & self.colours[colour.index()]
    }

    /// The squares with a piece.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colours[0] | self.colours[1]
    }

    /// The squares without a piece.
    #[inline(always)]
    pub fn empty(&self) -> Bitboard {
        !self.occupied()
    }

    /// The kind of the piece on a square.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| self.kinds[kind.index()].has(square))
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_on(square)?;
        let colour = if self.colours[0].has(square) { Colour::Red } else { Colour::Blue };
        Some(Piece { colour, kind })
    }

    /// Puts a piece on an empty square, or takes it from its square.
    #[inline(always)]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind.index()] ^= Bitboard::of(square);
        self.colours[piece.colour.index()] ^= Bitboard::of(square);
    }

    /// The square of a side's wazir; `None` once it is captured.
    #[inline(always)]
    pub fn wazir(&self, colour: Colour) -> Option<Square> {
        self.pieces(colour, Kind::Wazir).first()
    }

    /// The pieces of a side that attack a square.
    #[inline(always)]
    pub fn attackers(&self, square: Square, by: Colour) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for kind in Kind::ALL {
            found |= attacks(kind, square) & self.kinds[kind.index()];
        }
        found & self.colours[by.index()]
    }
}

/// A position with a side to move. Copy it freely: a move makes a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    hands: [Hand; 2],
    side: Colour,
    ply: u8,
    hash: u64,
}

impl Position {
    /// The position after `ply` moves (setups included). `None` where a side has more than one
    /// wazir, or all kinds together exceed what exists.
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

    /// The placement.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What a side can drop.
    #[inline(always)]
    pub fn hand(&self, colour: Colour) -> Hand {
        self.hands[colour.index()]
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Colour {
        self.side
    }

    /// The number of moves made, the two setups included.
    #[inline(always)]
    pub fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    /// The hash of placement, hands and side to move (not of the ply).
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash from scratch; equals [`Position::hash`].
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

    /// The side that has captured the enemy wazir.
    pub fn winner(&self) -> Option<Colour> {
        Colour::ALL.iter().copied().find(|&colour| self.board.wazir(!colour).is_none())
    }

    /// Is the game over, by capture or by the number of moves?
    pub fn is_over(&self) -> bool {
        self.ply() >= MAX_PLIES || self.winner().is_some()
    }

    /// The enemy pieces that attack the wazir of the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        match self.board.wazir(self.side) {
            Some(wazir) => self.board.attackers(wazir, !self.side),
            None => Bitboard::EMPTY,
        }
    }

    /// The kind that a move of the side to move places on its target. Meaningful for pseudo-legal
    /// moves; the alfil for a board move from an empty square.
    #[inline(always)]
    pub fn moved_kind(&self, mv: Move) -> Kind {
        match mv.origin() {
            Origin::Board(from) => self.board.kind_on(from).unwrap_or(Kind::Alfil),
            Origin::Hand(kind) => kind,
        }
    }

    /// Does a pseudo-legal move attack the enemy wazir? Leapers discover no attacks, so only the
    /// moved piece counts.
    #[inline(always)]
    pub fn gives_check(&self, mv: Move) -> bool {
        match self.board.wazir(!self.side) {
            Some(wazir) => attacks(self.moved_kind(mv), wazir).has(mv.to()),
            None => false,
        }
    }

    /// Does a pseudo-legal move capture?
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board.colour(!self.side).has(mv.to())
    }

    /// The kind of the enemy piece that a pseudo-legal move captures.
    #[inline(always)]
    pub fn captured_kind(&self, mv: Move) -> Option<Kind> {
        if self.is_capture(mv) {
            self.board.kind_on(mv.to())
        } else {
            None
        }
    }

    /// May the side to move play this move? (Leaving the own wazir en prise is allowed.)
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

    /// Does a pseudo-legal move keep the own wazir from capture?
    pub fn is_safe(&self, mv: Move) -> bool {
        let after = self.make(mv);
        match after.board.wazir(self.side) {
            Some(wazir) => after.board.attackers(wazir, !self.side).is_empty(),
            None => false,
        }
    }

    /// The hash of the position after a pseudo-legal move.
    #[inline(always)]
    pub fn hash_after(&self, mv: Move) -> u64 {
        let (us, to) = (self.side, mv.to());
        let piece = Piece { colour: us, kind: self.moved_kind(mv) };
        let mut hash = self.hash ^ zobrist::blue_to_move() ^ zobrist::piece(piece, to);
        if let Some(kind) = self.captured_kind(mv) {
            hash ^= zobrist::piece(Piece { colour: !us, kind }, to);
            if kind != Kind::Wazir {
                hash ^= self.hand_change(kind, Hand::add);
            }
        }
        match mv.origin() {
            Origin::Board(from) => hash ^ zobrist::piece(piece, from),
            Origin::Hand(kind) => hash ^ self.hand_change(kind, Hand::remove),
        }
    }

    /// What a change of the own pieces of a kind in hand changes in the hash.
    #[inline(always)]
    fn hand_change(&self, kind: Kind, change: fn(&mut Hand, Kind)) -> u64 {
        let before = self.hand(self.side);
        let mut after = before;
        change(&mut after, kind);
        zobrist::hand(self.side, before, kind) ^ zobrist::hand(self.side, after, kind)
    }

    /// The position after a pseudo-legal move.
    #[inline]
    #[must_use]
    pub fn make(&self, mv: Move) -> Position {
        let us = self.side;
        let to = mv.to();
        let piece = Piece { colour: us, kind: self.moved_kind(mv) };
        let mut next = self.passed_on(self.hash_after(mv));
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

    /// The position in which the side to move has passed (for null-move pruning; not a move of the
    /// game).
    #[inline]
    #[must_use]
    pub fn make_null(&self) -> Position {
        self.passed_on(self.hash ^ zobrist::blue_to_move())
    }

    /// The same pieces with the other side to move, under this hash.
    #[inline(always)]
    fn passed_on(&self, hash: u64) -> Position {
        Position { side: !self.side, ply: self.ply + 1, hash, ..*self }
    }
}
