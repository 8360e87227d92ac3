//! A simple hand-made evaluation, which played the first training games: tapered material, piece squares, mobility,
//! pawns and king shelter. The weights are our own guesses.

use crate::engine::score::Score;
use crate::games::chess960::attacks;
use crate::games::chess960::position::Position;
use crate::games::chess960::types::{Bitboard, Colour, Kind, Square};

/// A weight for the middle game and the ending.
type Pair = (Score, Score);

/// Piece values by kind.
const MATERIAL: [Pair; 6] = [(85, 110), (330, 300), (350, 320), (470, 540), (1000, 980), (0, 0)];
/// Phase value by kind; all pieces together are 24.
const PHASE: [Score; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: Score = 24;
/// Bonus per step towards the centre (0 to 6 over both axes), by kind.
const CENTRE: [Pair; 6] = [(4, 0), (9, 7), (4, 4), (1, 1), (1, 5), (-12, 10)];
/// Bonus per rank forward, by kind.
const FORWARD: [Pair; 6] = [(3, 6), (3, 1), (2, 0), (1, 1), (0, 2), (-14, 3)];
/// Bonus per square that a piece can move to, by kind.
const MOBILITY: [Pair; 6] = [(0, 0), (4, 4), (5, 5), (2, 5), (1, 3), (0, 0)];
/// Bonus of a passed pawn, by ranks advanced.
const PASSED: [Pair; 8] = [(0, 0), (2, 8), (4, 12), (8, 25), (20, 45), (45, 80), (80, 130), (0, 0)];
const DOUBLED: Pair = (-8, -18);
const ISOLATED: Pair = (-12, -12);
const BISHOP_PAIR: Pair = (28, 45);
const OPEN_ROOK: Pair = (22, 6);
/// Bonus per own pawn in front of the king.
const SHELTER: Pair = (14, 0);
/// Malus per enemy piece that attacks the king's surroundings.
const ATTACKER: Pair = (-18, 0);
/// Bonus for the side to move.
const TEMPO: Score = 14;

/// Returns the static eval for the side to move, in hundredths of a pawn.
pub fn evaluate(position: &Position) -> Score {
    let us = position.side();
    let (own, other) = (worth(position, us), worth(position, !us));
    let count = |kind: &Kind| PHASE[kind.index()] * position.kind(*kind).count() as Score;
    let phase = Kind::ALL.iter().map(count).sum::<Score>().min(FULL_PHASE);
    let (middle, ending) = (own.0 - other.0, own.1 - other.1);
    TEMPO + (middle * phase + ending * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Adds a weight `times` times.
fn add(sum: &mut Pair, weight: Pair, times: Score) {
    sum.0 += weight.0 * times;
    sum.1 += weight.1 * times;
}

/// Returns the sum of a side's terms.
fn worth(position: &Position, us: Colour) -> Pair {
    let mut sum = (0, 0);
    let king = position.king(!us);
    let zone = attacks::king(king) | king.bit();
    for kind in Kind::ALL {
        let index = kind.index();
        for square in position.pieces(us, kind) {
            add(&mut sum, MATERIAL[index], 1);
            add(&mut sum, CENTRE[index], centrality(square));
            add(&mut sum, FORWARD[index], rank_of(us, square) as Score);
            let attacked = attacks::of(kind, square, position.occupied());
            let reached = attacked & !position.colour(us);
            add(&mut sum, MOBILITY[index], reached.count() as Score);
            if kind != Kind::King && (attacked & zone).any() {
                // Seen from the other side.
                add(&mut sum, ATTACKER, -1);
            }
        }
    }
    if position.pieces(us, Kind::Bishop).several() {
        add(&mut sum, BISHOP_PAIR, 1);
    }
    let own_king = position.king(us);
    let before = attacks::king(own_king).up(attacks::forward(us)) | attacks::king(own_king);
    let pawns = position.pieces(us, Kind::Pawn);
    add(&mut sum, SHELTER, (before & pawns).count().min(4) as Score);
    pawns_worth(position, us, &mut sum);
    sum
}

/// Passed, doubled and isolated pawns, and rooks on files without own pawns.
fn pawns_worth(position: &Position, us: Colour, sum: &mut Pair) {
    let pawns = position.pieces(us, Kind::Pawn);
    let enemies = position.pieces(!us, Kind::Pawn);
    for square in pawns {
        let file = Bitboard::file(square.file());
        let beside = file.left() | file.right();
        let ranks_before = (0..8).filter(|&rank| {
            let square_of = Square::new(0, rank);
            rank_of(us, square_of) > rank_of(us, square)
        });
        let before = ranks_before.fold(Bitboard::EMPTY, |set, rank| set | Bitboard::rank(rank));
        if ((file | beside) & before & enemies).is_empty() {
            add(sum, PASSED[rank_of(us, square)], 1);
        }
        if (file & before & pawns).any() {
            add(sum, DOUBLED, 1);
        }
        if (beside & pawns).is_empty() {
            add(sum, ISOLATED, 1);
        }
    }
    for rook in position.pieces(us, Kind::Rook) {
        if (Bitboard::file(rook.file()) & pawns).is_empty() {
            add(sum, OPEN_ROOK, 1);
        }
    }
}

/// Returns the distance of a square from a side's first rank.
fn rank_of(us: Colour, square: Square) -> usize {
    square.rank() ^ us.rank_flip()
}

/// Returns 0 for a corner to 6 for the centre.
fn centrality(square: Square) -> Score {
    let from_edge = |line: usize| line.min(7 - line) as Score;
    from_edge(square.file()) + from_edge(square.rank())
}
