//! Puzzles of Zero Point One for the board in the browser: the suite of `cupbot tactics`. A solver judges each
//! attempted move.

use super::solver::{safe_moves, Solver};
use super::suite::{solver_for, Tactic, Task, FULL_WIDTH, SUITE};
use crate::engine::score;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::types::Move;
use crate::tools::contracts::board::{Puzzle, Puzzles, Verdict};
use crate::tools::contracts::capitalised;
use anyhow::{ensure, Context, Result};

/// Adapter for the board in the browser.
pub const PUZZLES: Puzzles = Puzzles { list, judge, solve };

/// Node limit of the searcher, which is used too if the solver finds no long win by checks.
const SEARCH_NODES: u64 = 100_000;
/// Hash table size of the searcher, in MiB.
const SEARCH_MB: usize = 8;

/// Returns the number of the solver's moves in the solution.
fn moves_of(task: Task) -> usize {
    match task {
        Task::Win(moves) => moves,
        Task::Defend(_) => 1,
    }
}

/// Returns all puzzles: wins first, then defences, each ordered by length.
fn list() -> Vec<Puzzle> {
    let mut found: Vec<(Task, Puzzle)> = SUITE.lines().filter_map(puzzle_of).collect();
    found.sort_by_key(|(task, _)| *task);
    found.into_iter().map(|(_, puzzle)| puzzle).collect()
}

fn puzzle_of(line: &str) -> Option<(Task, Puzzle)> {
    let Tactic { position, task, .. } = Tactic::parse(line).ok()?;
    let task = task?;
    let side = position.side();
    let (own, other) = (capitalised(side.name()), capitalised((!side).name()));
    let text = match task {
        Task::Win(1) => format!("{own} captures the wazir at once"),
        Task::Win(moves) => {
            format!("{own} captures the wazir by move {moves}, whatever {other} does")
        }
        Task::Defend(moves) => {
            format!("{own} has one move after which {other} can't capture the wazir within {moves} moves")
        }
    };
    let (position, moves) = (position.to_string(), moves_of(task));
    Some((task, Puzzle { position, side: side.index(), task: text, moves }))
}

/// Returns the task of a puzzle of the list.
fn task_of(puzzle: &Puzzle) -> Result<Task> {
    let mut all = SUITE.lines().filter_map(puzzle_of);
    let found = all.find(|(_, other)| other.position == puzzle.position);
    Ok(found.context("no such puzzle")?.0)
}

/// Returns the game after these moves from a puzzle's position.
fn game_after(puzzle: &Puzzle, moves: &[String]) -> Result<Game> {
    let mut game = Game::from_position(puzzle.position.parse()?);
    for text in moves {
        game.play(text).with_context(|| text.clone())?;
    }
    Ok(game)
}

/// Formats a move in a position.
fn text_of(position: &Position, mv: Move) -> String {
    mv.text(position.side()).to_string()
}

fn judge(puzzle: &Puzzle, moves: &[String]) -> Result<Verdict> {
    let task = task_of(puzzle)?;
    ensure!(moves.len() % 2 == 1, "the last move must be by the side that solves the puzzle");
    let made = moves.len() / 2;
    ensure!(made < moves_of(task), "the puzzle has no more than {} moves", moves_of(task));
    let game = game_after(puzzle, moves)?;
    let [.., position, next] = game.positions() else { anyhow::bail!("no move was made") };
    Ok(match task {
        Task::Win(number) => judge_win(position, game.moves().last().copied(), next, number - made),
        Task::Defend(number) => judge_defence(next, number),
    })
}

/// Judges a move that should win in at most `left` moves, including itself.
fn judge_win(position: &Position, mv: Option<Move>, next: &Position, left: usize) -> Verdict {
    if next.winner() == Some(position.side()) {
        let text =
            format!("Solved: {} has captured the wazir.", capitalised(position.side().name()));
        return Verdict::Solved { text };
    }
    let Some(mv) = mv else { return Verdict::Wrong { text: "That is not a move.".to_string() } };
    if left < 2 {
        return Verdict::Wrong { text: "That does not capture the wazir.".to_string() };
    }
    if move_wins(position, mv, left) {
        if let Some(answer) = longest_answer(next, left - 1) {
            return Verdict::Right { answer: text_of(next, answer) };
        }
    }
    Verdict::Wrong { text: refutation_text(position, next, left - 1) }
}

/// Returns the refutation of a move that does not win in `left` more moves.
fn refutation_text(position: &Position, next: &Position, left: usize) -> String {
    let (own, other) = (capitalised(position.side().name()), capitalised(next.side().name()));
    let answers = safe_moves(next);
    if let Some(&capture) = answers.iter().find(|&&mv| next.make(mv).winner().is_some()) {
        return format!("Then {other} captures the wazir: {}.", text_of(next, capture));
    }
    let refutes = |mv: &&Move| !wins(&next.make(**mv), left);
    match answers.iter().find(refutes) {
        Some(&mv) => {
            let moves = if left == 1 {
                "by the next move".to_string()
            } else {
                format!("within {left} more moves")
            };
            format!(
                "{other} answers {}, and {own} does not capture the wazir {moves}.",
                text_of(next, mv)
            )
        }
        None => format!("{own} does not win in time."),
    }
}

fn judge_defence(next: &Position, number: usize) -> Verdict {
    let (own, other) = (capitalised((!next.side()).name()), capitalised(next.side().name()));
    for moves in 1..=number {
        let found = Solver::new(FULL_WIDTH).winning_moves(next, moves);
        let Some(&mv) = found.first() else { continue };
        let text = match moves {
            1 => format!("Then {other} captures the wazir: {}.", text_of(next, mv)),
            _ => format!(
                "{other} answers {} and captures the wazir by move {moves}.",
                text_of(next, mv)
            ),
        };
        return Verdict::Wrong { text };
    }
    Verdict::Solved { text: format!("Solved: {own}'s wazir is safe for {number} moves.") }
}

/// Whether the side to move wins in at most `moves` moves.
fn wins(position: &Position, moves: usize) -> bool {
    solver_for(moves).wins(position, moves)
        || moves > FULL_WIDTH
            && searched_plies(position).is_some_and(|plies| plies > 0 && plies < 2 * moves as i32)
}

/// Whether a move wins in at most `left` moves, including itself.
fn move_wins(position: &Position, mv: Move, left: usize) -> bool {
    let is_proved = solver_for(left).move_wins(position, mv, left);
    let next = position.make(mv);
    is_proved
        || left > FULL_WIDTH
            && searched_plies(&next).is_some_and(|plies| plies < 0 && -plies < 2 * left as i32 - 1)
}

/// Searches a position and returns the distance to the end in plies, negative if the side to move loses; `None` if the
/// score is not decisive.
fn searched_plies(position: &Position) -> Option<i32> {
    let mut searcher = Searcher::new(Params::default(), SEARCH_MB);
    let limits = Limits { hard_nodes: Some(SEARCH_NODES), ..Limits::default() };
    let found = searcher.search(&Game::from_position(*position), limits);
    let plies = score::plies_to_end(found.score)? as i32;
    Some(plies * found.score.signum())
}

/// Returns the most stubborn answer to a win in `left` more moves.
fn longest_answer(position: &Position, left: usize) -> Option<Move> {
    let mut answers = safe_moves(position);
    if answers.is_empty() {
        // Every move loses the wazir.
        movegen::pseudo_legal(position, |mv| answers.push(mv));
    }
    let holds = |mv: &&Move| left < 2 || !wins(&position.make(**mv), left - 1);
    answers.iter().find(holds).or_else(|| answers.first()).copied()
}

fn solve(puzzle: &Puzzle, moves: &[String]) -> Result<Vec<String>> {
    let task = task_of(puzzle)?;
    ensure!(moves.len().is_multiple_of(2), "the other side is to move");
    let game = game_after(puzzle, moves)?;
    let mut position = *game.positions().last().context("no position")?;
    let mut line = Vec::new();
    let made = moves.len() / 2;
    match task {
        Task::Defend(number) => {
            let found = Solver::new(FULL_WIDTH).defences(&position, number);
            line.extend(found.first().map(|&mv| text_of(&position, mv)));
        }
        Task::Win(number) => {
            for left in (1..=number.saturating_sub(made)).rev() {
                let Some(mv) = winning_move(&position, left) else { break };
                line.push(text_of(&position, mv));
                position = position.make(mv);
                if position.winner().is_some() {
                    break;
                }
                let Some(answer) = longest_answer(&position, left - 1) else { break };
                line.push(text_of(&position, answer));
                position = position.make(answer);
            }
        }
    }
    ensure!(!line.is_empty(), "there is no solution from this position");
    Ok(line)
}

/// Returns a move that wins in at most `left` moves, by the shortest win that is found.
fn winning_move(position: &Position, left: usize) -> Option<Move> {
    let proved = (1..=left).find_map(|moves| {
        let found = solver_for(moves).winning_moves(position, moves);
        found.first().copied()
    });
    proved.or_else(|| safe_moves(position).into_iter().find(|&mv| move_wins(position, mv, left)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first moves that solve a puzzle according to the suite.
    fn first_moves(puzzle: &Puzzle) -> Vec<String> {
        let line = SUITE.lines().find(|line| line.starts_with(&puzzle.position)).expect("a line");
        line.split(';').nth(2).expect("moves").split_whitespace().map(String::from).collect()
    }

    #[test]
    fn puzzles_are_solved_only_by_their_solution() {
        let all = list();
        assert!(all.len() >= 50 && all.windows(2).all(|two| two[0].position != two[1].position));
        for puzzle in &all {
            let position: Position = puzzle.position.parse().expect("a position");
            let mut solution = solve(puzzle, &[]).expect("a solution");
            assert!(first_moves(puzzle).contains(&solution[0]), "{puzzle:?}: {solution:?}");
            let last = judge(puzzle, &solution).expect("moves");
            assert!(matches!(last, Verdict::Solved { .. }), "{puzzle:?}: {last:?}");
            // Each prefix of the solution that ends with the solver's move is judged as right.
            while solution.len() > 2 {
                solution.truncate(solution.len() - 2);
                let verdict = judge(puzzle, &solution).expect("moves");
                assert!(matches!(verdict, Verdict::Right { .. }), "{solution:?}: {verdict:?}");
            }
            let mut other = safe_moves(&position).into_iter().map(|mv| text_of(&position, mv));
            let other = other.rfind(|text| !first_moves(puzzle).contains(text));
            if let Some(text) = other {
                let verdict = judge(puzzle, std::slice::from_ref(&text)).expect("a move");
                assert!(matches!(verdict, Verdict::Wrong { .. }), "{puzzle:?} {text}: {verdict:?}");
            }
        }
    }

    #[test]
    fn invalid_attempts_are_rejected() {
        let puzzle = &list()[0];
        let texts = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        for (moves, words) in [
            (vec![], "the side that solves"),
            (texts(&["a1a8", "x", "y"]), "no more than 1"),
            (texts(&["zz"]), "zz"),
        ] {
            let error = format!("{:#}", judge(puzzle, &moves).expect_err("an invalid attempt"));
            assert!(error.contains(words), "{error}");
        }
        let unknown = Puzzle { position: "8/8".to_string(), ..puzzle.clone() };
        assert!(judge(&unknown, &texts(&["a1a2"])).is_err());
        assert!(solve(puzzle, &texts(&["a1a2"])).is_err());
    }
}
