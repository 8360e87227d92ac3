//! Staged move ordering: a cutoff saves the generation of later stages.

use super::super::checks::Checks;
use super::super::movegen::{self, Each, Sink, Wanted};
use super::super::position::Position;
use super::super::see::{see_at_least, VALUE};
use super::super::types::{Bitboard, Kind, Move, Square};
use super::history::{Context, History, QuietScores};
use super::params::Params;
use crate::engine::alpha_beta::picker::{self, Pending};

/// A pending move.
pub type Ranked = picker::Ranked<Move>;

/// Stage of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Hash move.
    Table,
    /// Captures and promotions that lose no material (SEE).
    Good,
    /// Killers: quiet moves that refuted a sibling.
    Killers,
    /// Other quiet moves.
    Quiets,
    /// Captures that lose material.
    Bad,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Table,
    GenerateNoisy,
    Good,
    Killer(usize),
    GenerateQuiets,
    Quiets,
    Bad,
    Done,
}

/// Inputs of move ordering.
pub struct Knowledge<'a> {
    /// History tables.
    pub history: &'a History,
    /// Search parameters.
    pub params: &'a Params,
    /// Context of the node.
    pub context: &'a Context,
}

impl Knowledge<'_> {
    /// Returns the rank of a quiet move.
    #[inline(always)]
    fn quiet_rank(&self, scores: &QuietScores, kind: Kind, mv: Move, is_check: bool) -> i32 {
        // Bonus for leaving a square attacked by a lesser piece, malus for entering one.
        let unsafe_for = self.context.threats.lesser[kind.index()];
        let gained = i32::from(unsafe_for.has(mv.from())) - i32::from(unsafe_for.has(mv.to()));
        let mut rank = scores.of(kind, mv);
        rank += gained * VALUE[kind.index()] * self.params.rank_escape;
        if is_check {
            rank += self.params.rank_check;
        }
        rank
    }
}

/// Ranks quiet moves and adds them to the stack.
struct QuietRanks<'a> {
    position: &'a Position,
    knowledge: &'a Knowledge<'a>,
    scores: QuietScores<'a>,
    checks: &'a Checks,
    stack: &'a mut Vec<Ranked>,
}

impl QuietRanks<'_> {
    #[inline(always)]
    fn push(&mut self, kind: Kind, mv: Move, is_check: bool) {
        let rank = self.knowledge.quiet_rank(&self.scores, kind, mv, is_check);
        self.stack.push(Ranked { mv, rank });
    }
}

impl Sink for QuietRanks<'_> {
    // Computes once what depends only on the piece.
    #[inline(never)]
    fn piece(&mut self, from: Square, to: Bitboard) {
        let kind = self.position.kind_on(from).unwrap_or(Kind::King);
        let checking = self.checks.targets(kind, from);
        Each(|mv: Move| self.push(kind, mv, checking.has(mv.to()))).piece(from, to);
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i32) {
        Each(|mv| self.special(mv)).pawns(to, step);
    }

    #[inline(never)]
    fn special(&mut self, mv: Move) {
        self.push(self.position.moved(mv), mv, self.checks.gives(self.position, mv));
    }
}

/// Which moves a picker generates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// All moves.
    All,
    /// Captures and promotions with an exchange result of at least this, and at least 0.
    Good(i32),
    /// Those with a result of at least 0, and quiet checks.
    GoodAndChecks,
}

/// Weight of a hundredth of the victim's value relative to capture history.
const VICTIM_WEIGHT: i32 = 16;
/// Rank of underpromotions: last.
const UNDERPROMOTION: i32 = -1 << 20;

/// Generates the legal moves of a node in order. Pending moves are on a stack shared by all nodes of a path; the node
/// truncates it when it is done.
pub struct Picker {
    next: Next,
    choice: Choice,
    pending: Pending<Move>,
    skips_quiets: bool,
}

impl Picker {
    /// Creates a picker. `table_move` must be legal and belong to the selection.
    pub fn new(
        choice: Choice,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        stack: &[Ranked],
    ) -> Picker {
        Picker {
            next: Next::Table,
            choice,
            pending: Pending::new(table_move, killers, stack),
            skips_quiets: false,
        }
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
                    self.next = Next::GenerateNoisy;
                    if let Some(mv) = self.pending.table_move {
                        return Some((mv, Stage::Table));
                    }
                }
                Next::GenerateNoisy => {
                    generate_noisy(position, knowledge.history, stack);
                    self.next = Next::Good;
                }
                Next::Good => match self.pending.best(stack) {
                    Some(mv) if self.is_good(position, mv) => return Some((mv, Stage::Good)),
                    Some(mv) => self.pending.keep_bad(mv, stack),
                    None => self.next = self.after_good(),
                },
                Next::Killer(index) => {
                    self.next = if index == 0 { Next::Killer(1) } else { Next::GenerateQuiets };
                    if let Some(mv) = self.killer(position, index) {
                        return Some((mv, Stage::Killers));
                    }
                }
                Next::GenerateQuiets => {
                    self.generate_quiets(position, knowledge, stack);
                    self.next = Next::Quiets;
                }
                Next::Quiets => match self.best_quiet(stack) {
                    Some(mv) => return Some((mv, Stage::Quiets)),
                    None if self.choice == Choice::All => {
                        self.next = Next::Bad;
                        self.pending.begin_bad();
                    }
                    None => self.next = Next::Done,
                },
                Next::Bad => match self.pending.next_bad(stack) {
                    Some(mv) => return Some((mv, Stage::Bad)),
                    None => self.next = Next::Done,
                },
                Next::Done => return None,
            }
        }
    }

    /// Generates the quiet moves of the selection. Not inlined: most calls of `next` only take a move.
    #[inline(never)]
    fn generate_quiets(&self, position: &Position, knowledge: &Knowledge, stack: &mut Vec<Ranked>) {
        self.pending.begin_stage(stack);
        if self.skips_quiets {
            return;
        }
        let checks = &Checks::new(position);
        let scores = knowledge.history.quiets(position, knowledge.context);
        let mut ranks = QuietRanks { position, knowledge, scores, checks, stack };
        if self.choice == Choice::All {
            movegen::generate(position, Bitboard::ALL, Wanted::Quiet, &mut ranks);
        } else {
            checks.each_quiet(position, |mv| ranks.push(position.moved(mv), mv, true));
        }
    }

    fn after_good(&self) -> Next {
        match self.choice {
            Choice::All => Next::Killer(0),
            Choice::Good(_) => Next::Done,
            Choice::GoodAndChecks => Next::GenerateQuiets,
        }
    }

    #[inline(always)]
    fn is_good(&self, position: &Position, mv: Move) -> bool {
        let threshold = match self.choice {
            Choice::Good(threshold) => threshold,
            Choice::All | Choice::GoodAndChecks => 0,
        };
        let is_minor = matches!(mv.promotion(), Some(kind) if kind != Kind::Queen);
        !is_minor && see_at_least(position, mv, threshold)
    }

    /// Takes the best quiet move.
    #[inline(always)]
    fn best_quiet(&mut self, stack: &mut [Ranked]) -> Option<Move> {
        if self.skips_quiets {
            return None;
        }
        self.pending.best_quiet(i32::MIN, stack)
    }

    /// Returns the killer with this index if it is a legal quiet move here and was not returned yet.
    fn killer(&self, position: &Position, index: usize) -> Option<Move> {
        let fits = |mv: Move| {
            !position.is_capture(mv)
                && mv.promotion().is_none()
                && position.colour(position.side()).has(mv.from())
                && movegen::is_legal(position, mv)
        };
        self.pending.killer(index, fits).filter(|_| !self.skips_quiets)
    }

    /// Skips the remaining quiet moves.
    pub fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }
}

/// Generates captures and promotions.
#[inline(never)]
fn generate_noisy(position: &Position, history: &History, stack: &mut Vec<Ranked>) {
    movegen::each(position, Wanted::Noisy, |mv| {
        let rank = noisy_rank(position, mv, history);
        stack.push(Ranked { mv, rank });
    });
}

/// MVV-LVA without the attacker: most valuable victim first, then capture history.
#[inline(always)]
fn noisy_rank(position: &Position, mv: Move, history: &History) -> i32 {
    let victim = position.captured(mv).map_or(0, |kind| VALUE[kind.index()]);
    let promotion = match mv.promotion() {
        None => 0,
        Some(Kind::Queen) => VALUE[Kind::Queen.index()] * VICTIM_WEIGHT,
        Some(_) => UNDERPROMOTION,
    };
    victim * VICTIM_WEIGHT + promotion + history.capture(position, mv)
}

#[cfg(test)]
mod tests {
    use super::super::history::CONTINUATIONS;
    use super::*;
    use crate::engine::rng::Rng;
    use crate::games::chess960::position::CastlingRule;
    use crate::games::chess960::start;
    use crate::games::chess960::threats::Threats;

    /// Returns the quiet moves of a position in order, with an empty history.
    fn quiets(fen: &str, params: &Params) -> Vec<String> {
        let position = Position::from_fen(fen, CastlingRule::Arena).expect(fen);
        let threats = Threats::of(&position, !position.side());
        let context = Context { previous: [None; CONTINUATIONS], threats };
        let history = History::new();
        let knowledge = Knowledge { history: &history, params, context: &context };
        let mut stack = Vec::new();
        let mut picker = Picker::new(Choice::All, None, [None; 2], &stack);
        let mut moves = Vec::new();
        while let Some((mv, stage)) = picker.next(&position, &knowledge, &mut stack) {
            if stage == Stage::Quiets {
                moves.push(mv.to_string());
            }
        }
        moves
    }

    /// The pawn on e5 attacks the queen on d4 and the square f4, nothing else.
    #[test]
    fn attacked_pieces_leave_for_safe_squares() {
        let fen = "7k/8/8/4p3/3Q4/8/6P1/K7 w - - 0 1";
        let moves = quiets(fen, &Params { rank_check: 0, ..Params::default() });
        let is_queen = |mv: &String| mv.starts_with("d4");
        let (first, rest) = moves.split_at(moves.iter().filter(|mv| is_queen(mv)).count() - 1);
        assert!(first.len() > 10 && first.iter().all(is_queen), "{:?}", moves);
        assert!(rest.contains(&"d4f4".to_string()) && rest.len() > 3, "{:?}", moves);
    }

    #[test]
    fn checks_come_first() {
        let fen = "7k/8/8/8/8/8/6P1/KR6 w - - 0 1";
        let first = |params: &Params| {
            let mut first = quiets(fen, params)[..2].to_vec();
            first.sort();
            first
        };
        assert_eq!(first(&Params::default()), ["b1b8", "b1h1"]);
        assert_ne!(first(&Params { rank_check: -1, ..Params::default() }), ["b1b8", "b1h1"]);
    }

    /// Returns all moves of a picker, with histories that change between moves as in a search.
    fn handed_out(
        rng: &mut Rng,
        position: &Position,
        mut picker: Picker,
        skips_quiets: bool,
    ) -> Vec<Move> {
        let threats = Threats::of(position, !position.side());
        let context = Context { previous: [None; CONTINUATIONS], threats };
        let (params, mut history) = (Params::default(), History::new());
        let (mut stack, mut moves) = (Vec::new(), Vec::new());
        loop {
            let knowledge = Knowledge { history: &history, params: &params, context: &context };
            let (mv, stage) = match picker.next(position, &knowledge, &mut stack) {
                Some(found) => found,
                None => return moves,
            };
            moves.push(mv);
            if skips_quiets && stage == Stage::Quiets {
                picker.skip_quiets();
            }
            for mv in movegen::moves(position) {
                let bonus = 1500 - rng.below(3000) as i32;
                if position.is_noisy(mv) {
                    history.update_capture(position, mv, bonus);
                } else {
                    history.update_quiet(position, mv, &context, bonus);
                }
            }
        }
    }

    fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
        moves.sort_by_key(|mv| mv.bits());
        moves
    }

    /// Calls `check` with positions of random games and their moves.
    fn with_random_positions(mut check: impl FnMut(&mut Rng, &Position, &[Move])) {
        let mut rng = Rng::new(8);
        for _ in 0..30 {
            let mut position = start::numbered(rng.below(start::COUNT), CastlingRule::Arena);
            for _ in 0..120 {
                let moves = movegen::moves(&position);
                if moves.is_empty() {
                    break;
                }
                check(&mut rng, &position, &moves);
                position = position.make(moves[rng.below(moves.len())]);
            }
        }
    }

    fn some_of(rng: &mut Rng, moves: &[Move]) -> Option<Move> {
        moves.get(rng.below(moves.len() + 1)).copied()
    }

    #[test]
    fn every_move_is_returned_once_though_history_changes() {
        let mut count = 0;
        with_random_positions(|rng, position, moves| {
            let table_move = some_of(rng, moves);
            let killers = [some_of(rng, moves), some_of(rng, moves)];
            if killers[0] == killers[1] {
                return;
            }
            let picker = Picker::new(Choice::All, table_move, killers, &[]);
            let out = handed_out(rng, position, picker, false);
            assert!(table_move.map_or(true, |mv| out[0] == mv));
            assert_eq!(sorted(out), sorted(moves.to_vec()), "{}", position);
            count += 1;
        });
        assert!(count > 1000, "{}", count);
    }

    #[test]
    fn captures_stay_when_quiets_are_skipped() {
        let mut skipped = 0;
        with_random_positions(|rng, position, moves| {
            let noisy = |moves: &[Move]| -> Vec<Move> {
                moves.iter().copied().filter(|&mv| position.is_noisy(mv)).collect()
            };
            let picker = Picker::new(Choice::All, None, [None; 2], &[]);
            let out = handed_out(rng, position, picker, true);
            assert_eq!(sorted(noisy(&out)), sorted(noisy(moves)), "{}", position);
            assert!(out.len() <= noisy(moves).len() + 1, "{}", position);
            skipped += moves.len() - out.len();
        });
        assert!(skipped > 1000, "{}", skipped);
    }

    /// Quiescence: captures that win the exchange, and quiet checks.
    #[test]
    fn choices_are_those_of_a_slow_selection() {
        let mut checks = 0;
        with_random_positions(|rng, position, moves| {
            let is_good = |mv: Move, threshold: i32| {
                let is_minor = matches!(mv.promotion(), Some(kind) if kind != Kind::Queen);
                position.is_noisy(mv) && !is_minor && see_at_least(position, mv, threshold)
            };
            let threshold = rng.below(500) as i32;
            let picker = Picker::new(Choice::Good(threshold), None, [None; 2], &[]);
            let expected = moves.iter().copied().filter(|&mv| is_good(mv, threshold)).collect();
            let out = handed_out(rng, position, picker, false);
            assert_eq!(sorted(out), sorted(expected), "{} {}", position, threshold);
            let picker = Picker::new(Choice::GoodAndChecks, None, [None; 2], &[]);
            let is_check = |mv: Move| !position.is_noisy(mv) && position.gives_check(mv);
            checks += moves.iter().filter(|&&mv| is_check(mv)).count();
            let fits = |mv: &Move| is_good(*mv, 0) || is_check(*mv);
            let expected = moves.iter().copied().filter(fits).collect();
            let out = handed_out(rng, position, picker, false);
            assert_eq!(sorted(out), sorted(expected), "{}", position);
        });
        assert!(checks > 100, "{}", checks);
    }
}
