//! The order of moves: staged, so that a cut-off spares the generation of what comes later.

use super::super::attacks::attacks;
use super::super::movegen;
use super::super::position::Position;
use super::super::see::{see_at_least, EXCHANGE_VALUE};
use super::super::types::{Bitboard, Kind, Move};
use super::history::{Actor, History, Previous};
use super::params::Params;

/// A move with its rank in the order.
#[derive(Clone, Copy)]
pub struct Ranked {
    mv: Move,
    rank: i32,
}

/// What the order of a node's moves depends on besides the position.
pub struct Knowledge<'a> {
    /// The scores of moves.
    pub history: &'a History,
    /// The moves that led here.
    pub previous: Previous,
    /// The weights of the static features.
    pub params: &'a Params,
}

/// What kind of move the picker has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The table's move.
    Table,
    /// Captures that do not lose material.
    GoodCaptures,
    /// Quiet moves that refuted a sibling.
    Killers,
    /// The other quiet moves: checks, board moves, drops.
    Quiets,
    /// Captures that lose material.
    BadCaptures,
    /// Answers to a check.
    Evasions,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Table,
    GenerateCaptures,
    GoodCaptures,
    FirstKiller,
    SecondKiller,
    GenerateQuiets,
    Quiets,
    GenerateChecks,
    Checks,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Captures come before other evasions.
const CAPTURE_RANK: i32 = 1 << 20;
/// In the order of captures, a hundredth of the victim outweighs so much capture history.
const VICTIM_WEIGHT: i32 = 64;

/// Hands out the safe moves of one node in order. The moves wait on a stack that all nodes of a path
/// share; the node truncates it when done.
pub struct Picker {
    next: Next,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    checkers: Bitboard,
    captures_only: bool,
    with_checks: bool,
    /// The stack's part of this node: bad captures up to `bad_end`, the current stage's from `cursor`.
    base: usize,
    bad_end: usize,
    cursor: usize,
}

impl Picker {
    /// A picker of all safe moves. `table_move` must be safe or `None`.
    pub fn all(
        checkers: Bitboard,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        stack: &[Ranked],
    ) -> Picker {
        let base = stack.len();
        Picker {
            next: Next::Table,
            table_move,
            killers,
            checkers,
            captures_only: false,
            with_checks: false,
            base,
            bad_end: base,
            cursor: base,
        }
    }

    /// A picker of the captures that do not lose material, and of such quiet checks if wanted, or of
    /// all evasions when in check.
    pub fn captures(
        checkers: Bitboard,
        table_move: Option<Move>,
        with_checks: bool,
        stack: &[Ranked],
    ) -> Picker {
        let mut picker = Picker::all(checkers, table_move, [None; 2], stack);
        picker.captures_only = true;
        picker.with_checks = with_checks;
        picker
    }

    /// The next move and its stage; `None` when all are out.
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
                    self.next = if self.checkers.any() {
                        Next::GenerateEvasions
                    } else {
                        Next::GenerateCaptures
                    };
                    if let Some(mv) = self.table_move {
                        return Some((mv, Stage::Table));
                    }
                }
                Next::GenerateCaptures => {
                    movegen::captures(position, |mv| push_capture(position, mv, knowledge, stack));
                    self.next = Next::GoodCaptures;
                }
                Next::GoodCaptures => match self.best(stack) {
                    Some(mv) if see_at_least(position, mv, 0) => {
                        return Some((mv, Stage::GoodCaptures));
                    }
                    Some(mv) => self.keep_bad(mv, stack),
                    None if self.with_checks => self.next = Next::GenerateChecks,
                    None if self.captures_only => self.next = Next::Done,
                    None => self.next = Next::FirstKiller,
                },
                Next::FirstKiller => {
                    self.next = Next::SecondKiller;
                    if let Some(mv) = self.killer(position, 0) {
                        return Some((mv, Stage::Killers));
                    }
                }
                Next::SecondKiller => {
                    self.next = Next::GenerateQuiets;
                    if let Some(mv) = self.killer(position, 1) {
                        return Some((mv, Stage::Killers));
                    }
                }
                Next::GenerateQuiets => {
                    self.generate_quiets(position, knowledge, stack);
                    self.next = Next::Quiets;
                }
                Next::Quiets => match self.best(stack) {
                    Some(mv) if self.killers.contains(&Some(mv)) => {}
                    Some(mv) => return Some((mv, Stage::Quiets)),
                    None => {
                        self.next = Next::BadCaptures;
                        self.cursor = self.base;
                    }
                },
                Next::GenerateChecks => {
                    stack.truncate(self.cursor);
                    movegen::checks(position, |mv| {
                        if see_at_least(position, mv, 0) {
                            stack.push(Ranked { mv, rank: knowledge.quiet_score(position, mv) });
                        }
                    });
                    self.next = Next::Checks;
                }
                Next::Checks => match self.best(stack) {
                    Some(mv) => return Some((mv, Stage::Quiets)),
                    None => self.next = Next::Done,
                },
                Next::BadCaptures => {
                    if self.cursor < self.bad_end {
                        self.cursor += 1;
                        return Some((stack[self.cursor - 1].mv, Stage::BadCaptures));
                    }
                    self.next = Next::Done;
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
                    self.next = Next::Evasions;
                }
                Next::Evasions => match self.best(stack) {
                    Some(mv) => return Some((mv, Stage::Evasions)),
                    None => self.next = Next::Done,
                },
                Next::Done => return None,
            }
        }
    }

    /// Takes the highest of the waiting moves out, passing over the table's.
    #[inline]
    fn best(&mut self, stack: &mut [Ranked]) -> Option<Move> {
        loop {
            let waiting = &stack[self.cursor..];
            let (offset, _) = waiting.iter().enumerate().max_by_key(|(_, ranked)| ranked.rank)?;
            stack.swap(self.cursor, self.cursor + offset);
            let mv = stack[self.cursor].mv;
            self.cursor += 1;
            if Some(mv) != self.table_move {
                return Some(mv);
            }
        }
    }

    /// Puts a capture aside for the last stage. Its place is free: the cursor has passed it.
    fn keep_bad(&mut self, mv: Move, stack: &mut [Ranked]) {
        stack[self.bad_end] = Ranked { mv, rank: 0 };
        self.bad_end += 1;
    }

    /// The killer of this index, if it is a safe quiet move here and not yet out.
    fn killer(&self, position: &Position, index: usize) -> Option<Move> {
        let mv = self.killers[index]?;
        let fresh = Some(mv) != self.table_move && !position.is_capture(mv);
        if fresh && position.is_pseudo_legal(mv) && position.is_safe(mv) {
            Some(mv)
        } else {
            None
        }
    }

    /// Skips what is left of the quiet moves.
    pub fn skip_quiets(&mut self) {
        if self.next == Next::Quiets {
            self.next = Next::BadCaptures;
            self.cursor = self.base;
        }
    }

    fn generate_quiets(
        &mut self,
        position: &Position,
        knowledge: &Knowledge,
        stack: &mut Vec<Ranked>,
    ) {
        stack.truncate(self.cursor);
        let features = Features::new(position);
        let params = knowledge.params;
        let mut rank = |mv: Move, bonus: i32| {
            let rank =
                knowledge.quiet_score(position, mv) + features.rank(position, mv, params) + bonus;
            stack.push(Ranked { mv, rank });
        };
        movegen::checks(position, |mv| rank(mv, params.rank_check));
        movegen::quiet_board_moves(position, |mv| rank(mv, 0));
        movegen::quiet_drops(position, |mv| rank(mv, 0));
    }
}

impl Knowledge<'_> {
    /// What the history says of a quiet move.
    #[inline(always)]
    pub fn quiet_score(&self, position: &Position, mv: Move) -> i32 {
        let actor = Actor::of(position, mv);
        self.history.quiet(position.side(), mv, actor, &self.previous)
    }
}

/// What a glance at the board says of quiet moves.
struct Features {
    /// Squares that the enemy attacks.
    attacked: Bitboard,
    /// Squares that an own piece attacks.
    defended: Bitboard,
    /// Squares beside the enemy wazir that it could flee to.
    flights: Bitboard,
}

impl Features {
    fn new(position: &Position) -> Features {
        let (us, board) = (position.side(), position.board());
        let around = |square| attacks(Kind::Wazir, square) & !board.colour(!us);
        Features {
            attacked: movegen::attacked_by(position, !us),
            defended: movegen::attacked_by(position, us),
            flights: board.wazir(!us).map_or(Bitboard::EMPTY, around),
        }
    }

    #[inline(always)]
    fn rank(&self, position: &Position, mv: Move, params: &Params) -> i32 {
        let to = mv.to();
        let mut rank = 0;
        if (attacks(position.moved_kind(mv), to) & self.flights).any() {
            rank += params.rank_flight;
        }
        if mv.from().map_or(false, |from| self.attacked.has(from)) {
            rank += params.rank_escape;
        }
        if self.attacked.has(to) && !self.defended.has(to) {
            rank -= params.rank_hanging;
        }
        rank
    }
}

/// Most valuable victim first; among equals what the history prefers.
#[inline(always)]
fn push_capture(position: &Position, mv: Move, knowledge: &Knowledge, stack: &mut Vec<Ranked>) {
    if let Some(victim) = position.board().kind_on(mv.to()) {
        let value = EXCHANGE_VALUE[victim.index()];
        let rank = VICTIM_WEIGHT * value + knowledge.history.capture(position, mv, victim);
        stack.push(Ranked { mv, rank });
    }
}
