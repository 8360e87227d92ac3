//! Ranking of quiet moves by history and static features. Most quiet moves are drops, and most nodes try only a few
//! moves, so the promising ones are generated first. For each kind, the scores of all drop squares are computed
//! together.

use super::super::attacks::{attacks, spreads};
use super::super::movegen;
use super::super::position::Position;
use super::super::types::{Bitboard, Kind, Move};
use super::knowledge::Knowledge;
use super::params::Params;
use crate::engine::sys::simd::at_least;

/// Minimum rank of a promising move, between the scores of moves that have succeeded and failed. In searches to depth
/// 13, 20 of 88 moves are promising, and four of five nodes need no others.
pub const PROMISING: i32 = 0;

/// Drops by kind.
pub type Drops = [Bitboard; 4];

/// Ranks of the quiet moves of a position without check.
pub struct Quiets<'a> {
    position: &'a Position,
    knowledge: &'a Knowledge<'a>,
    features: StaticFeatures,
}

impl<'a> Quiets<'a> {
    /// Computes them for a position.
    #[inline(always)]
    pub fn of(position: &'a Position, knowledge: &'a Knowledge<'a>) -> Quiets<'a> {
        Quiets { position, knowledge, features: StaticFeatures::new(position) }
    }

    /// Generates the safe moves that give check without capturing.
    #[inline(always)]
    pub fn checks(&self, mut emit: impl FnMut(Move, i32)) {
        let bonus = self.knowledge.params.rank_check;
        movegen::checks(self.position, |mv| emit(mv, self.rank(mv) + bonus));
    }

    /// Generates the other safe board moves that do not capture.
    #[inline(always)]
    pub fn board_moves(&self, mut emit: impl FnMut(Move, i32)) {
        movegen::quiet_board_moves(self.position, |mv| emit(mv, self.rank(mv)));
    }

    /// Generates the promising drops without check, and returns them.
    #[inline(always)]
    pub fn promising_drops(&self, mut emit: impl FnMut(Move, i32)) -> Drops {
        // Maximum sum of the static features.
        let min_score = (PROMISING - self.knowledge.params.rank_flight) as i16;
        let instructions = self.knowledge.instructions;
        let mut promising = [Bitboard::EMPTY; 4];
        self.drops(
            |_, scores| Bitboard(at_least(instructions, scores, min_score)),
            |kind, mv, rank| {
                if rank >= PROMISING {
                    promising[kind.index()] |= Bitboard::of(mv.to());
                    emit(mv, rank);
                }
            },
        );
        promising
    }

    /// Generates the drops without check that were not generated before.
    #[inline(always)]
    pub fn other_drops(&self, out: &Drops, mut emit: impl FnMut(Move, i32)) {
        self.drops(|kind, _| !out[kind.index()], |_, mv, rank| emit(mv, rank));
    }

    /// Returns the drops of each kind on the squares selected by `among` from the kind and its scores.
    #[inline(always)]
    fn drops(
        &self,
        among: impl Fn(Kind, &[i16; 64]) -> Bitboard,
        mut emit: impl FnMut(Kind, Move, i32),
    ) {
        let side = self.position.side();
        let hand = self.position.hand(side);
        for kind in Kind::DROPPABLE {
            if hand.count(kind) == 0 {
                continue;
            }
            let scores = self.knowledge.drop_scores(side, kind);
            for to in movegen::quiet_targets(self.position, kind) & among(kind, &scores) {
                let mv = Move::drop(kind, to);
                let static_rank = self.features.rank(kind, mv, self.knowledge.params);
                emit(kind, mv, i32::from(scores[to.index()]) + static_rank);
            }
        }
    }

    /// Returns the rank of any quiet move, including checks.
    #[inline(always)]
    fn rank(&self, mv: Move) -> i32 {
        let (position, params) = (self.position, self.knowledge.params);
        let static_rank = self.features.rank(position.moved_kind(mv), mv, params);
        let escapes = mv.from().map_or(false, |from| self.features.attacked.has(from));
        let escape = if escapes { params.rank_escape } else { 0 };
        self.knowledge.quiet_score(position, mv) + static_rank + escape
    }
}

/// Static features of quiet moves.
struct StaticFeatures {
    /// Squares attacked by the enemy.
    attacked: Bitboard,
    /// Squares attacked by the enemy and not defended.
    hanging: Bitboard,
    /// By kind, squares from which a piece attacks a flight square of the enemy wazir.
    near_flights: [Bitboard; 5],
}

impl StaticFeatures {
    fn new(position: &Position) -> StaticFeatures {
        let (us, board) = (position.side(), position.board());
        let around = |square| attacks(Kind::Wazir, square) & !board.colour(!us);
        let flights = board.wazir(!us).map_or(Bitboard::EMPTY, around);
        let attacked = movegen::attacked_by(position, !us);
        let hanging = attacked & !movegen::attacked_by(position, us);
        StaticFeatures { attacked, hanging, near_flights: spreads(|_| flights) }
    }

    #[inline(always)]
    fn rank(&self, kind: Kind, mv: Move, params: &Params) -> i32 {
        let to = mv.to();
        let mut rank = 0;
        if self.near_flights[kind.index()].has(to) {
            rank += params.rank_flight;
        }
        if self.hanging.has(to) {
            rank -= params.rank_hanging;
        }
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::{History, PieceTo, Previous};
    use super::*;
    use crate::engine::rng::Rng;
    use crate::engine::sys::simd::Instructions;
    use crate::games::zero_point_one::setup;

    /// Returns all safe quiet moves with their ranks, by definition.
    fn expected(position: &Position, knowledge: &Knowledge) -> Vec<(Move, i32)> {
        let (us, params) = (position.side(), knowledge.params);
        let enemy = position.board().wazir(!us).expect("a wazir");
        let mut moves = Vec::new();
        movegen::safe(position, |mv| {
            if position.is_capture(mv) {
                return;
            }
            let mut rank = knowledge.quiet_score(position, mv);
            let kind = position.moved_kind(mv);
            let flights = attacks(Kind::Wazir, enemy) & !position.board().colour(!us);
            let attacked = |square| position.board().attackers(square, !us).any();
            if position.gives_check(mv) {
                rank += params.rank_check;
            }
            if (attacks(kind, mv.to()) & flights).any() {
                rank += params.rank_flight;
            }
            if mv.from().map_or(false, attacked) {
                rank += params.rank_escape;
            }
            if attacked(mv.to()) && position.board().attackers(mv.to(), us).is_empty() {
                rank -= params.rank_hanging;
            }
            moves.push((mv, rank));
        });
        moves
    }

    /// Plays random games with a history of random bonuses and checks every position without check.
    #[test]
    fn promising_and_other_moves_are_all_quiet_ones() {
        let (mut rng, params) = (Rng::new(21), Params::default());
        let mut history = History::new();
        let (mut promising, mut others) = (0, 0);
        for _ in 0..60 {
            let mut position =
                Position::from_setups(&setup::random(&mut rng), &setup::random(&mut rng));
            let mut previous: Previous = [None; 2];
            while !position.is_over() {
                let instructions = Instructions::best();
                let knowledge =
                    Knowledge { history: &history, previous, params: &params, instructions };
                if position.checkers().is_empty() {
                    let quiets = Quiets::of(&position, &knowledge);
                    let mut all = Vec::new();
                    quiets.checks(|mv, rank| all.push((mv, rank)));
                    quiets.board_moves(|mv, rank| all.push((mv, rank)));
                    let before = all.len();
                    let out = quiets.promising_drops(|mv, rank| all.push((mv, rank)));
                    assert!(all[before..].iter().all(|&(_, rank)| rank >= PROMISING));
                    let between = all.len();
                    quiets.other_drops(&out, |mv, rank| all.push((mv, rank)));
                    assert!(all[between..].iter().all(|&(_, rank)| rank < PROMISING));
                    promising += between - before;
                    others += all.len() - between;
                    let mut expected = expected(&position, &knowledge);
                    all.sort_by_key(|(mv, _)| mv.bits());
                    expected.sort_by_key(|(mv, _)| mv.bits());
                    assert_eq!(all, expected, "{}", position);
                }
                let mut moves = Vec::new();
                movegen::safe(&position, |mv| moves.push(mv));
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let bonus = 2000 - rng.below(4000) as i32;
                    let (piece_to, limit) = (PieceTo::of(&position, mv), params.history_limit);
                    history.update_quiet(position.side(), mv, piece_to, &previous, bonus, limit);
                }
                let mv = moves[rng.below(moves.len())];
                previous = [Some(PieceTo::of(&position, mv)), previous[0]];
                position = position.make(mv);
            }
        }
        assert!(promising > 1000 && others > 1000, "{} {}", promising, others);
    }
}
