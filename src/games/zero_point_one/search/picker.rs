//! The order of moves: staged, so that a cut-off spares the generation of what comes later.

use super::super::movegen;
use super::super::position::Position;
use super::super::see::{see_at_least, EXCHANGE_VALUE};
use super::super::types::{Bitboard, Move};
use super::history::History;

/// A move with its rank in the order.
#[derive(Clone, Copy)]
pub struct Ranked {
    mv: Move,
    rank: i32,
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
    BadCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Quiet checks come before other quiet moves of equal history.
const CHECK_RANK: i32 = 6_000;

/// Hands out the safe moves of one node in order. The moves wait on a stack that all nodes of a path
/// share; the node truncates it when done.
pub struct Picker {
    next: Next,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    checkers: Bitboard,
    captures_only: bool,
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
            base,
            bad_end: base,
            cursor: base,
        }
    }

    /// A picker of the captures that do not lose material, or of all evasions when in check.
    pub fn captures(checkers: Bitboard, table_move: Option<Move>, stack: &[Ranked]) -> Picker {
        let mut picker = Picker::all(checkers, table_move, [None; 2], stack);
        picker.captures_only = true;
        picker
    }

    /// The next move and its stage; `None` when all are out.
    pub fn next(
        &mut self,
        position: &Position,
        history: &History,
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
                    movegen::captures(position, |mv| push_capture(position, mv, stack));
                    self.next = Next::GoodCaptures;
                }
                Next::GoodCaptures => match self.best(stack) {
                    Some(mv) if see_at_least(position, mv, 0) => {
                        return Some((mv, Stage::GoodCaptures));
                    }
                    Some(mv) => self.keep_bad(mv, stack),
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
                    self.generate_quiets(position, history, stack);
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
                Next::BadCaptures => {
                    if self.cursor < self.bad_end {
                        self.cursor += 1;
                        return Some((stack[self.cursor - 1].mv, Stage::BadCaptures));
                    }
                    self.next = Next::Done;
                }
                Next::GenerateEvasions => {
                    let side = position.side();
                    movegen::evasions(position, self.checkers, |mv| {
                        let rank =
                            if position.is_capture(mv) { 1 << 20 } else { history.quiet(side, mv) };
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

    fn generate_quiets(&mut self, position: &Position, history: &History, stack: &mut Vec<Ranked>) {
        stack.truncate(self.cursor);
        let side = position.side();
        movegen::checks(position, |mv| {
            stack.push(Ranked { mv, rank: history.quiet(side, mv) + CHECK_RANK });
        });
        let mut push = |mv: Move| stack.push(Ranked { mv, rank: history.quiet(side, mv) });
        movegen::quiet_board_moves(position, &mut push);
        movegen::quiet_drops(position, &mut push);
    }
}

/// Most valuable victim first, least valuable attacker first among equals.
fn push_capture(position: &Position, mv: Move, stack: &mut Vec<Ranked>) {
    let victim = position.board().kind_on(mv.to()).map_or(0, |kind| EXCHANGE_VALUE[kind.index()]);
    let attacker = EXCHANGE_VALUE[position.moved_kind(mv).index()];
    stack.push(Ranked { mv, rank: 16 * victim - attacker });
}
