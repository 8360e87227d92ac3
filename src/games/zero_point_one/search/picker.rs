//! Staged move ordering: a cutoff saves the generation of later stages.

use super::super::movegen;
use super::super::position::Position;
use super::super::see::{see_at_least, EXCHANGE_VALUE};
use super::super::types::{Bitboard, Move};
use super::knowledge::Knowledge;
use super::quiets::{Drops, Quiets, PROMISING};
use crate::engine::alpha_beta::picker::{self, Pending};

/// A pending move.
pub type Ranked = picker::Ranked<Move>;

/// Stage of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Hash move.
    Table,
    /// Captures that lose no material (SEE).
    GoodCaptures,
    /// Killers: quiet moves that refuted a sibling.
    Killers,
    /// Other quiet moves: checks, board moves, drops.
    Quiets,
    /// Captures that lose material.
    BadCaptures,
    /// Evasions.
    Evasions,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Table,
    GenerateCaptures,
    GoodCaptures,
    Killer(usize),
    GenerateQuiets,
    Quiets,
    GenerateChecks,
    Checks,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Rank of captures among evasions: first.
const CAPTURE_RANK: i32 = 1 << 20;
/// Weight of a hundredth of the victim's value relative to capture history.
const VICTIM_WEIGHT: i32 = 64;

/// Generates the safe moves of a node in order. Pending moves are on a stack shared by all nodes of a path; the node
/// truncates it when it is done.
pub struct Picker {
    next: Next,
    pending: Pending<Move>,
    checkers: Bitboard,
    /// The stage after the good captures.
    after_captures: Next,
    /// Whether only promising checks are wanted among the quiet moves.
    checks_only: bool,
    /// The promising drops, while the others are not generated yet.
    drops: Drops,
    drops_pending: bool,
    /// The next quiet move, if it is known already.
    upcoming: Option<Move>,
}

impl Picker {
    /// Creates a picker of all safe moves. `table_move` must be safe or `None`.
    pub fn all(
        checkers: Bitboard,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        stack: &[Ranked],
    ) -> Picker {
        Picker {
            next: Next::Table,
            pending: Pending::new(table_move, killers, stack),
            checkers,
            after_captures: Next::Killer(0),
            checks_only: false,
            drops: [Bitboard::EMPTY; 4],
            drops_pending: false,
            upcoming: None,
        }
    }

    /// Creates a picker of the captures that lose no material, or of all evasions in check.
    pub fn captures(checkers: Bitboard, table_move: Option<Move>, stack: &[Ranked]) -> Picker {
        let picker = Picker::all(checkers, table_move, [None; 2], stack);
        Picker { after_captures: Next::Done, ..picker }
    }

    /// Creates a picker of the captures and quiet checks that lose no material, or of all evasions in check.
    pub fn captures_and_checks(
        checkers: Bitboard,
        table_move: Option<Move>,
        stack: &[Ranked],
    ) -> Picker {
        let picker = Picker::all(checkers, table_move, [None; 2], stack);
        Picker { after_captures: Next::GenerateChecks, ..picker }
    }

    /// Returns the next move and its stage; `None` at the end.
    #[inline]
    pub fn next(
        &mut self,
        position: &Position,
        knowledge: &Knowledge,
        stack: &mut Vec<Ranked>,
    ) -> Option<(Move, Stage)> {
        loop {
            match self.next {
                Next::Table => {
                    let check = self.checkers.any();
                    self.next = if check { Next::GenerateEvasions } else { Next::GenerateCaptures };
                    if let Some(mv) = self.pending.table_move {
                        return Some((mv, Stage::Table));
                    }
                }
                Next::GoodCaptures => match self.pending.best(stack) {
                    Some(mv) if see_at_least(position, mv, 0) => {
                        return Some((mv, Stage::GoodCaptures));
                    }
                    Some(mv) => self.pending.keep_bad(mv, stack),
                    None => self.next = self.after_captures,
                },
                Next::Killer(index) => {
                    self.next = if index == 0 { Next::Killer(1) } else { Next::GenerateQuiets };
                    if let Some(mv) = self.killer(position, index) {
                        return Some((mv, Stage::Killers));
                    }
                }
                Next::Quiets => match self.upcoming.take().or_else(|| self.best_quiet(stack)) {
                    Some(mv) => {
                        self.upcoming = self.best_quiet(stack);
                        return Some((mv, Stage::Quiets));
                    }
                    None if self.drops_pending && !self.checks_only => {
                        self.generate_other_drops(position, knowledge, stack);
                    }
                    None => self.begin_bad_captures(),
                },
                Next::Checks => match self.pending.best(stack) {
                    Some(mv) => return Some((mv, Stage::Quiets)),
                    None => self.next = Next::Done,
                },
                Next::BadCaptures => match self.pending.next_bad(stack) {
                    Some(mv) => return Some((mv, Stage::BadCaptures)),
                    None => self.next = Next::Done,
                },
                Next::Evasions => match self.pending.best(stack) {
                    Some(mv) => return Some((mv, Stage::Evasions)),
                    None => self.next = Next::Done,
                },
                Next::Done => return None,
                generate => self.next = self.generate(generate, position, knowledge, stack),
            }
        }
    }

    /// Generates the moves of a stage, and returns the stage in which they are returned.
    #[inline(always)]
    fn generate(
        &mut self,
        stage: Next,
        position: &Position,
        knowledge: &Knowledge,
        stack: &mut Vec<Ranked>,
    ) -> Next {
        match stage {
            Next::GenerateCaptures => {
                movegen::captures(position, |mv| push_capture(position, mv, knowledge, stack));
                Next::GoodCaptures
            }
            Next::GenerateChecks => {
                self.pending.begin_stage(stack);
                movegen::checks(position, |mv| {
                    if see_at_least(position, mv, 0) {
                        stack.push(Ranked { mv, rank: knowledge.quiet_score(position, mv) });
                    }
                });
                Next::Checks
            }
            Next::GenerateEvasions => {
                movegen::evasions(position, self.checkers, |mv| {
                    let rank = if position.is_capture(mv) {
                        CAPTURE_RANK
                    } else {
                        knowledge.quiet_score(position, mv)
                    };
                    stack.push(Ranked { mv, rank });
                });
                Next::Evasions
            }
            _ => {
                self.generate_quiets(position, knowledge, stack);
                Next::Quiets
            }
        }
    }

    /// Takes the best quiet move. Unpromising ones wait until all drops are generated.
    #[inline]
    fn best_quiet(&mut self, stack: &mut [Ranked]) -> Option<Move> {
        let min_rank = if self.drops_pending { PROMISING } else { i32::MIN };
        self.pending.best_quiet(min_rank, stack)
    }

    /// Returns the move that will be next, if it is known: after a quiet move, among those generated.
    #[inline(always)]
    pub fn upcoming(&self) -> Option<Move> {
        self.upcoming
    }

    /// Returns the killer with this index if it is a safe quiet move here and was not returned yet.
    fn killer(&self, position: &Position, index: usize) -> Option<Move> {
        self.pending.killer(index, |mv| {
            !position.is_capture(mv) && position.is_pseudo_legal(mv) && position.is_safe(mv)
        })
    }

    /// Skips the remaining quiet moves.
    pub fn skip_quiets(&mut self) {
        if self.next == Next::Quiets {
            self.begin_bad_captures();
            self.upcoming = None;
        }
    }

    fn begin_bad_captures(&mut self) {
        self.next = Next::BadCaptures;
        self.pending.begin_bad();
    }

    /// Skips the quiet moves that are not promising; if none are generated yet, all except promising checks.
    pub fn leave_out_quiets(&mut self) {
        self.checks_only = true;
    }

    /// Generates the checks, the board moves and the promising drops.
    fn generate_quiets(
        &mut self,
        position: &Position,
        knowledge: &Knowledge,
        stack: &mut Vec<Ranked>,
    ) {
        self.pending.begin_stage(stack);
        let quiets = Quiets::of(position, knowledge);
        if self.checks_only {
            quiets.checks(|mv, rank| {
                if rank >= PROMISING {
                    stack.push(Ranked { mv, rank });
                }
            });
            return;
        }
        let mut push = |mv, rank| stack.push(Ranked { mv, rank });
        quiets.checks(&mut push);
        quiets.board_moves(&mut push);
        self.drops = quiets.promising_drops(&mut push);
        self.drops_pending = true;
    }

    /// Generates the remaining drops. The promising ones are remembered, not ranked again, because the history has
    /// changed meanwhile.
    fn generate_other_drops(
        &mut self,
        position: &Position,
        knowledge: &Knowledge,
        stack: &mut Vec<Ranked>,
    ) {
        let quiets = Quiets::of(position, knowledge);
        quiets.other_drops(&self.drops, |mv, rank| stack.push(Ranked { mv, rank }));
        self.drops_pending = false;
    }
}

/// Most valuable victim first, then capture history.
#[inline(always)]
fn push_capture(position: &Position, mv: Move, knowledge: &Knowledge, stack: &mut Vec<Ranked>) {
    if let Some(victim) = position.board().kind_on(mv.to()) {
        let value = EXCHANGE_VALUE[victim.index()];
        let rank = VICTIM_WEIGHT * value + knowledge.history.capture(position, mv, victim);
        stack.push(Ranked { mv, rank });
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::{History, PieceTo, Previous};
    use super::super::params::Params;
    use super::*;
    use crate::engine::rng::Rng;
    use crate::engine::sys::simd::Instructions;
    use crate::games::zero_point_one::setup;

    /// Returns all moves of a picker used in this way, with histories that change between moves as in a search.
    struct Trial {
        rng: Rng,
        history: History,
        params: Params,
    }

    impl Trial {
        fn moves(
            &mut self,
            position: &Position,
            mut picker: Picker,
            after_each: impl Fn(&mut Picker, Stage),
        ) -> Vec<Move> {
            let previous: Previous = [None; 2];
            let (mut stack, mut out) = (Vec::new(), Vec::new());
            while let Some((mv, stage)) = {
                let knowledge = Knowledge {
                    history: &self.history,
                    previous,
                    params: &self.params,
                    instructions: Instructions::best(),
                };
                picker.next(position, &knowledge, &mut stack)
            } {
                out.push(mv);
                after_each(&mut picker, stage);
                movegen::safe(position, |mv| {
                    let bonus = 1500 - self.rng.below(3000) as i32;
                    let (side, limit) = (position.side(), self.params.history_limit);
                    let piece_to = PieceTo::of(position, mv);
                    self.history.update_quiet(side, mv, piece_to, &previous, bonus, limit);
                });
            }
            out
        }

        fn some_of(&mut self, moves: &[Move]) -> Option<Move> {
            let index = self.rng.below(moves.len() + 1);
            moves.get(index).copied()
        }
    }

    fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
        moves.sort_by_key(|mv| mv.bits());
        moves
    }

    /// Calls `check` with positions of random games and their safe moves.
    fn with_random_positions(check: &mut dyn FnMut(&mut Trial, &Position, &[Move])) {
        let mut trial =
            Trial { rng: Rng::new(8), history: History::new(), params: Params::default() };
        for _ in 0..40 {
            let setups = [(); 2].map(|()| setup::random(&mut trial.rng));
            let mut position = Position::from_setups(&setups[0], &setups[1]);
            while !position.is_over() {
                let mut safe = Vec::new();
                movegen::safe(&position, |mv| safe.push(mv));
                if safe.is_empty() {
                    break;
                }
                check(&mut trial, &position, &safe);
                position = position.make(safe[trial.rng.below(safe.len())]);
            }
        }
    }

    #[test]
    fn every_safe_move_is_returned_once() {
        let mut count = 0;
        with_random_positions(&mut |trial, position, safe| {
            let table_move = trial.some_of(safe);
            let killers = [trial.some_of(safe), trial.some_of(safe)];
            if killers[0] == killers[1] {
                return;
            }
            let picker = Picker::all(position.checkers(), table_move, killers, &[]);
            let out = trial.moves(position, picker, |_, _| {});
            assert!(table_move.map_or(true, |mv| out[0] == mv));
            assert_eq!(sorted(out), sorted(safe.to_vec()), "{}", position);
            count += 1;
        });
        assert!(count > 1000, "{}", count);
    }

    #[test]
    fn captures_stay_when_quiet_moves_are_left_out() {
        let mut left_out = [0; 2];
        with_random_positions(&mut |trial, position, safe| {
            if position.checkers().any() {
                return;
            }
            let captures: Vec<Move> =
                safe.iter().copied().filter(|&mv| position.is_capture(mv)).collect();
            let among = |out: &[Move]| -> Vec<Move> {
                out.iter().copied().filter(|&mv| position.is_capture(mv)).collect()
            };
            // Skipped after the first of them.
            let picker = Picker::all(position.checkers(), None, [None; 2], &[]);
            let quiet = |stage| stage == Stage::Quiets;
            let skipped = trial.moves(position, picker, |picker, stage| {
                if quiet(stage) {
                    picker.skip_quiets();
                }
            });
            assert_eq!(sorted(among(&skipped)), sorted(captures.clone()), "{}", position);
            assert!(skipped.len() <= captures.len() + 1);
            left_out[0] += safe.len() - skipped.len();
            // Skipped before they are generated: only checks remain.
            let mut picker = Picker::all(position.checkers(), None, [None; 2], &[]);
            picker.leave_out_quiets();
            let out = trial.moves(position, picker, |_, _| {});
            assert_eq!(sorted(among(&out)), sorted(captures), "{}", position);
            let tactical = |mv: &Move| position.is_capture(*mv) || position.gives_check(*mv);
            assert!(out.iter().all(tactical), "{}", position);
            left_out[1] += safe.len() - out.len();
        });
        assert!(left_out.iter().all(|&count| count > 1000), "{:?}", left_out);
    }
}
