//! Generation of legal moves with bitboards.

use super::attacks;
use super::position::Position;
use super::types::{Bitboard, Colour, Kind, Move, Square};
use arrayvec::ArrayVec;

/// Upper bound of the number of moves of any board; positions of real games have at most 218. A piece has at most 27
/// moves. A square is reached from eight directions and by eight knights, one of the last rank by three pawns in four
/// ways each: with n own pieces there are at most 27 n moves, and at most 16 (64 - n) + 74.
pub const MAX_MOVES: usize = 700;
/// List of moves.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Kind of moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// Other moves.
    Quiet,
}

/// Receiver of generated moves.
pub trait Sink {
    /// Moves of a piece other than a pawn to these squares.
    fn piece(&mut self, from: Square, to: Bitboard);
    /// Pawn moves to these squares from those `step` indices below; [`DOUBLE_STEP`] up or down for two ranks.
    fn pawns(&mut self, to: Bitboard, step: i32);
    /// A special move.
    fn special(&mut self, mv: Move);
}

/// Passes moves to a closure.
pub struct Each<F: FnMut(Move)>(pub F);

impl<F: FnMut(Move)> Sink for Each<F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard) {
        to.into_iter().for_each(|to| (self.0)(Move::plain(from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i32) {
        for to in to {
            let from = Square::from_index((to.index() as i32 - step) as usize);
            if step.abs() == DOUBLE_STEP {
                (self.0)(Move::double(from, to));
            } else if LAST_RANKS.has(to) {
                Move::promotions(from, to).iter().for_each(|&mv| (self.0)(mv));
            } else {
                (self.0)(Move::plain(from, to));
            }
        }
    }

    #[inline(always)]
    fn special(&mut self, mv: Move) {
        (self.0)(mv);
    }
}

/// Counts moves.
struct Count(usize);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _from: Square, to: Bitboard) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _step: i32) {
        self.0 += to.count() + 3 * (to & LAST_RANKS).count();
    }

    #[inline(always)]
    fn special(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

/// Difference of indices over two ranks.
const DOUBLE_STEP: i32 = 16;
const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

/// Calls `act` for every legal move of a kind.
#[inline(always)]
pub fn each(position: &Position, wanted: Wanted, act: impl FnMut(Move)) {
    generate(position, Bitboard::ALL, wanted, &mut Each(act));
}

/// Returns all legal moves.
pub fn moves(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    each(position, Wanted::All, |mv| list.push(mv));
    list
}

/// Returns the number of legal moves.
#[inline(always)]
pub fn count(position: &Position) -> usize {
    let mut count = Count(0);
    generate(position, Bitboard::ALL, Wanted::All, &mut count);
    count.0
}

/// Whether the move is legal.
pub fn is_legal(position: &Position, mv: Move) -> bool {
    let mut found = false;
    let sink = &mut Each(|other| found |= other == mv);
    generate(position, mv.from().bit(), Wanted::All, sink);
    found
}

/// Whether the side to move has a legal move.
pub fn has_moves(position: &Position) -> bool {
    // The king first: only it can answer a double check.
    let king = position.kind(Kind::King);
    [king, !king].iter().any(|&sources| {
        let mut count = Count(0);
        generate(position, sources, Wanted::All, &mut count);
        count.0 > 0
    })
}

/// Passes the legal moves of a kind from some squares to a sink.
#[inline(always)]
pub fn generate(position: &Position, sources: Bitboard, wanted: Wanted, sink: &mut impl Sink) {
    let us = position.side();
    let (own, occupied) = (position.colour(us), position.occupied());
    let sources = sources & own;
    let king = position.king(us);
    let reachable = match wanted {
        Wanted::All => !own,
        Wanted::Noisy => position.colour(!us),
        Wanted::Quiet => !occupied,
    };
    if sources.has(king) {
        king_moves(position, king, reachable, sink);
        if wanted != Wanted::Noisy {
            castlings(position, king, sink);
        }
    }
    let checkers = position.checkers();
    if checkers.several() {
        return;
    }
    let answers = if checkers.any() {
        checkers | attacks::between(king, checkers.lowest())
    } else {
        Bitboard::ALL
    };
    let targets = reachable & answers;
    let pinned = position.pinned();
    for from in position.kind(Kind::Knight) & sources & !pinned {
        sink.piece(from, attacks::knight(from) & targets);
    }
    let queens = position.kind(Kind::Queen);
    for from in (position.kind(Kind::Bishop) | queens) & sources {
        let to = attacks::bishop(from, occupied) & targets;
        sink.piece(from, to & allowed(from, pinned, king));
    }
    for from in (position.kind(Kind::Rook) | queens) & sources {
        let to = attacks::rook(from, occupied) & targets;
        sink.piece(from, to & allowed(from, pinned, king));
    }
    let pawns = position.kind(Kind::Pawn) & sources;
    pawn_moves(position, pawns & !pinned, answers, wanted, sink);
    for from in pawns & pinned {
        let answers = answers & attacks::line(king, from);
        pawn_moves(position, from.bit(), answers, wanted, sink);
    }
    if wanted != Wanted::Quiet {
        en_passant(position, pawns, sink);
    }
}

/// Squares that a possibly pinned piece may move to.
#[inline(always)]
fn allowed(from: Square, pinned: Bitboard, king: Square) -> Bitboard {
    if pinned.has(from) {
        attacks::line(king, from)
    } else {
        Bitboard::ALL
    }
}

#[inline(always)]
fn king_moves(position: &Position, king: Square, reachable: Bitboard, sink: &mut impl Sink) {
    let them = !position.side();
    // The king's own square does not block an attacker's line.
    let occupied = position.occupied() ^ king.bit();
    let mut to = Bitboard::EMPTY;
    for square in attacks::king(king) & reachable {
        if !position.is_attacked(square, them, occupied) {
            to |= square.bit();
        }
    }
    sink.piece(king, to);
}

#[inline(always)]
fn castlings(position: &Position, king: Square, sink: &mut impl Sink) {
    for rook in position.castling() & position.colour(position.side()) {
        if position.can_castle(rook) {
            sink.special(Move::castling(king, rook));
        }
    }
}

/// Pawn moves except en passant captures.
#[inline(always)]
fn pawn_moves(
    position: &Position,
    pawns: Bitboard,
    answers: Bitboard,
    wanted: Wanted,
    sink: &mut impl Sink,
) {
    let us = position.side();
    let up = attacks::forward(us);
    let empty = !position.occupied();
    let pushes = match wanted {
        Wanted::All => Bitboard::ALL,
        Wanted::Noisy => LAST_RANKS,
        Wanted::Quiet => !LAST_RANKS,
    };
    let single = pawns.up(up) & empty;
    sink.pawns(single & answers & pushes, 8 * up);
    if wanted != Wanted::Noisy {
        let third = Bitboard::rank(2 ^ us.rank_flip());
        sink.pawns((single & third).up(up) & empty & answers, DOUBLE_STEP * up);
    }
    if wanted != Wanted::Quiet {
        let victims = position.colour(!us) & answers;
        sink.pawns(pawns.up(up).left() & victims, 8 * up - 1);
        sink.pawns(pawns.up(up).right() & victims, 8 * up + 1);
    }
}

/// En passant captures: two pawns leave their squares at once, so attacks on the king are computed anew.
#[inline(always)]
fn en_passant(position: &Position, pawns: Bitboard, sink: &mut impl Sink) {
    let to = match position.en_passant() {
        Some(square) => square,
        None => return,
    };
    let us = position.side();
    let king = position.king(us);
    for from in attacks::pawns(!us, to.bit()) & pawns {
        let victim = Square::new(to.file(), from.rank()).bit();
        let occupied = (position.occupied() ^ from.bit() ^ victim) | to.bit();
        let enemies = position.colour(!us) & !victim;
        if (position.attackers(king, occupied) & enemies).is_empty() {
            sink.special(Move::en_passant(from, to));
        }
    }
}

/// Perft: returns the number of leaves at this depth; the last moves are counted, not made.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count(position) as u64,
        _ => {
            let mut leaves = 0;
            each(position, Wanted::All, |mv| leaves += perft(&position.make(mv), depth - 1));
            leaves
        }
    }
}

/// Returns the index of a side's first rank.
pub fn first_rank(side: Colour) -> usize {
    side.rank_flip()
}
