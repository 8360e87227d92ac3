//! Beam search over both sides for a game with a high score, which the player stores and follows.
//!
//! A beam keeps the best positions of every ply. Two rules keep it diverse: only one of several symmetric positions is
//! kept, and the number of positions with the same pieces is limited. The value counts the surviving units of all three
//! colours, so that all three stay alive.

use super::successors::successors;
use crate::engine::rng::Rng;
use crate::games::g6561::board::{
    reversed_line, Board, Colour, Direction, Piece, EXPONENTS, LINES, SIDE, SQUARES, VALUES,
};
use crate::games::g6561::game::{Move, Turn, MAX_PLIES, RHYTHM};
use crate::games::g6561::slides::Slides;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Number of pieces of one colour that are placed in a complete game.
const PIECES_A_COLOUR: u32 = (MAX_PLIES / RHYTHM) as u32;
/// Exponent of growth: the value of a piece of `u` units is `u` to this power, log 3 / log 2.
const GROWTH: f64 = 1.585;
/// Number of candidates per position of the beam that are sorted in every ply.
const SORTED: usize = 6;
/// Number of pieces above which a board is crowded.
const ROOM: f64 = 7.0;
/// Weight of the sum of the board at the end of a game, in addition to the sum that it can still reach.
const SUM_WEIGHT: f64 = 0.5;
/// Base of a piece's worth in the terms for neighbours and edges: `FIRST_UNIT * UNIT_RATIO^exponent`.
const FIRST_UNIT: f64 = 1.5;
/// Ratio of the worths of pieces with successive exponents.
const UNIT_RATIO: f64 = 2.4;

/// The weights of the value, in points.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Fraction of the future units that is expected to survive.
    survival: f64,
    /// Cost of each piece above the minimum number for the units of its colour.
    excess: f64,
    /// Cost of equal neighbours of two colours, as a fraction of their worth.
    danger: f64,
    /// Bonus for equal neighbours of one colour, as a fraction of their worth.
    merge: f64,
    /// Bonus for a piece at an edge, counted twice in a corner, as a fraction of its worth.
    edge: f64,
    /// Cost of unequal neighbours per step between their exponents, as a fraction of their worth.
    step: f64,
    /// First ply at which the value shifts to the sum that can still be reached.
    end: f64,
    /// Maximum random bonus of every value, in points, which makes restarts differ.
    noise: f64,
}

impl Weights {
    /// Draws the weights of a restart.
    fn random(rng: &mut Rng) -> Weights {
        let mut part = || rng.below(1 << 20) as f64 / f64::from(1 << 20);
        Weights {
            survival: 0.3 + 0.6 * part(),
            excess: 2.0 * (3.0 * part()).exp(),
            danger: 0.3 * (2.5 * part()).exp(),
            merge: 0.2 * part(),
            edge: 0.3 * part(),
            step: 0.05 * part(),
            end: 880.0 + 80.0 * part(),
            noise: 4.0 * part(),
        }
    }
}

/// Width of the beam.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    /// Maximum number of positions per ply.
    pub positions: usize,
    /// Maximum number of positions per ply with the same pieces.
    pub same_pieces: u32,
}

/// A game and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundGame {
    /// The moves up to the one that reached the score.
    pub moves: Vec<Move>,
    /// The highest sum.
    pub score: u32,
}

/// How a position of the beam was reached: the index of the previous position, and the move.
#[derive(Clone, Copy)]
struct Step {
    parent: u32,
    mv: u8,
}

/// Encodes a move as a number: squares first, then slides.
fn coded(mv: Move) -> u8 {
    match mv {
        Move::Place(square) => square as u8,
        Move::Slide(direction) => (SQUARES + direction as usize) as u8,
    }
}

fn decoded(code: u8) -> Move {
    match usize::from(code) {
        square if square < SQUARES => Move::Place(square),
        slide => Move::Slide(Direction::ALL[slide - SQUARES]),
    }
}

/// A position that may enter the beam.
struct Candidate {
    value: f32,
    board: Board,
    step: Step,
}

/// The search with its tables.
pub struct Beam {
    slides: Arc<Slides>,
    mirrored: Vec<u32>,
    /// Random number of every kind of piece. Their sum is the key of a board's pieces.
    keys: [u64; 32],
    /// The worth of a piece by its exponent.
    worth: [f64; EXPONENTS],
    weights: Weights,
    rng: Rng,
}

impl Beam {
    /// Creates a search whose restarts are determined by the seed.
    pub fn new(seed: u64) -> Beam {
        let mut rng = Rng::new(seed);
        Beam {
            slides: Slides::shared(),
            mirrored: (0..LINES as u32).map(reversed_line).collect(),
            keys: [(); 32].map(|()| rng.next()),
            worth: std::array::from_fn(|exponent| FIRST_UNIT * UNIT_RATIO.powi(exponent as i32)),
            weights: Weights::random(&mut rng),
            rng,
        }
    }

    /// Searches once with new random weights. Calls `each_ply` after every ply.
    pub fn restart(&mut self, width: Width, mut each_ply: impl FnMut()) -> FoundGame {
        self.weights = Weights::random(&mut self.rng);
        let mut beam = vec![Board::EMPTY];
        let mut steps: Vec<Vec<Step>> = Vec::new();
        let mut best = (0, 0, 0);
        for ply in 0..MAX_PLIES {
            let candidates = self.candidates(&beam, ply);
            let (next, reached) = self.choose(candidates, width);
            if next.is_empty() {
                break;
            }
            steps.push(reached);
            for (index, sum) in next.iter().map(|board| board.sum()).enumerate() {
                if sum > best.0 {
                    best = (sum, steps.len(), index);
                }
            }
            beam = next;
            each_ply();
        }
        let (score, plies, index) = best;
        FoundGame { moves: way_to(&steps[..plies], index), score }
    }

    /// Returns all positions one move after those of the beam.
    fn candidates(&mut self, beam: &[Board], ply: usize) -> Vec<Candidate> {
        let mut candidates = Vec::with_capacity(beam.len() * 10);
        for (parent, &board) in beam.iter().enumerate() {
            for (mv, board) in successors(&self.slides, board, Turn::after(ply)) {
                // An empty board before the second slide would end the game.
                if board != Board::EMPTY {
                    let step = Step { parent: parent as u32, mv: coded(mv) };
                    let value = self.value(board, ply + 1) as f32;
                    candidates.push(Candidate { value, board, step });
                }
            }
        }
        candidates
    }

    /// Selects the positions of the next beam, best first, with the steps that led to them.
    fn choose(&self, mut candidates: Vec<Candidate>, width: Width) -> (Vec<Board>, Vec<Step>) {
        let by_value = |a: &Candidate, b: &Candidate| b.value.total_cmp(&a.value);
        let sorted = width.positions * SORTED;
        if candidates.len() > sorted {
            candidates.select_nth_unstable_by(sorted - 1, by_value);
            candidates.truncate(sorted);
        }
        candidates.sort_by(by_value);
        let mut seen = HashSet::new();
        let mut same_pieces: HashMap<u64, u32> = HashMap::new();
        let (mut next, mut steps) = (Vec::new(), Vec::new());
        for Candidate { board, step, .. } in candidates {
            if !seen.insert(self.canonical(board)) {
                continue;
            }
            let count = same_pieces.entry(self.key_of_pieces(board)).or_default();
            if *count >= width.same_pieces {
                continue;
            }
            *count += 1;
            next.push(board);
            steps.push(step);
            if next.len() >= width.positions {
                break;
            }
        }
        (next, steps)
    }

    fn key_of_pieces(&self, board: Board) -> u64 {
        let keys = (0..SQUARES).map(|square| self.keys[usize::from(board.cell(square))]);
        keys.fold(0, u64::wrapping_add)
    }

    /// Returns the canonical form of a board: the least of its eight images under symmetries.
    fn canonical(&self, board: Board) -> Board {
        let turned = |board: Board| {
            let mirrored = Board::of_rows(board.rows().map(|row| self.mirrored[row as usize]));
            let upside_down = |board: Board| {
                let [a, b, c, d] = board.rows();
                Board::of_rows([d, c, b, a])
            };
            board.min(mirrored).min(upside_down(board)).min(upside_down(mirrored))
        };
        turned(board).min(turned(board.transposed()))
    }

    /// Returns the value of a board after `ply` moves, in points.
    fn value(&mut self, board: Board, ply: usize) -> f64 {
        let weights = self.weights;
        let mut units = [0; 3];
        let mut count = 0;
        let mut edges = 0.0;
        for square in 0..SQUARES {
            let Some(Piece { colour, exponent }) = board.piece(square) else { continue };
            units[colour.index()] += 1u32 << exponent;
            count += 1;
            let is_edge = |index: usize| u8::from(index == 0 || index == SIDE - 1);
            let edges_here = is_edge(square / SIDE) + is_edge(square % SIDE);
            edges += f64::from(edges_here) * self.worth[usize::from(exponent)];
        }
        let needed: u32 = units.iter().map(|units| units.count_ones()).sum();
        let excess =
            f64::from(count) - f64::from(needed) + 0.5 * (f64::from(count) - ROOM).max(0.0);
        let growth = self.growth(units, ply, board);
        let lines = board.rows().into_iter().chain(board.transposed().rows());
        let neighbours: f64 = lines.map(|line| self.neighbours(line)).sum();
        let noise = weights.noise * self.rng.below(1 << 20) as f64 / f64::from(1 << 20);
        growth - weights.excess * excess + neighbours + weights.edge * edges + noise
    }

    /// Returns the expected final value of the units of all colours.
    fn growth(&self, units: [u32; 3], ply: usize, board: Board) -> f64 {
        let Weights { survival, end, .. } = self.weights;
        let late = ((ply as f64 - end) / (MAX_PLIES as f64 - end)).clamp(0.0, 1.0);
        let mut growth = late * late * SUM_WEIGHT * f64::from(board.sum());
        for colour in Colour::ALL {
            let units = units[colour.index()];
            let placed = (ply + RHYTHM - 1 - colour.index()) / RHYTHM;
            let to_come = PIECES_A_COLOUR - placed as u32;
            let expected = (f64::from(units) + survival * f64::from(to_come)).powf(GROWTH);
            growth += (1.0 - late) * expected + late * f64::from(greatest_sum(units + to_come));
        }
        growth
    }

    /// Returns the terms of the neighbours of a line.
    fn neighbours(&self, line: u32) -> f64 {
        let cells = (0..SIDE).map(|index| (line >> (5 * index)) as u8 & 31);
        let mut before: Option<Piece> = None;
        let mut value = 0.0;
        for piece in cells.filter_map(Piece::of_cell) {
            if let Some(before) = before {
                let least = self.worth[usize::from(piece.exponent.min(before.exponent))];
                value += if piece == before {
                    self.weights.merge * least
                } else if piece.exponent == before.exponent {
                    -self.weights.danger * least
                } else {
                    let steps = f64::from(piece.exponent.abs_diff(before.exponent));
                    -self.weights.step * steps * least
                };
            }
            before = Some(piece);
        }
        value
    }
}

/// Returns the highest sum that `units` units of one colour can have, as pieces of different values.
fn greatest_sum(units: u32) -> u32 {
    (0..EXPONENTS)
        .filter(|exponent| units >> exponent & 1 == 1)
        .map(|exponent| VALUES[exponent])
        .sum()
}

/// Returns the moves that lead to the position with this index in the last ply.
fn way_to(steps: &[Vec<Step>], index: usize) -> Vec<Move> {
    let mut moves = Vec::with_capacity(steps.len());
    let mut index = index;
    for of_ply in steps.iter().rev() {
        let step = of_ply[index];
        moves.push(decoded(step.mv));
        index = step.parent as usize;
    }
    moves.reverse();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::g6561::game::Game;

    const NARROW: Width = Width { positions: 40, same_pieces: 5 };

    #[test]
    fn the_moves_found_reach_the_reported_score() {
        let mut plies = 0;
        let found = Beam::new(3).restart(NARROW, || plies += 1);
        let mut game = Game::new();
        for &mv in &found.moves {
            game.push(mv).expect("legal");
        }
        assert_eq!(game.score(), found.score);
        assert!(found.score > 300 && plies >= found.moves.len(), "{}", found.score);
        assert_eq!(found, Beam::new(3).restart(NARROW, || ()), "the seed determines the result");
        assert_ne!(found, Beam::new(4).restart(NARROW, || ()));
    }

    #[test]
    fn symmetric_boards_have_one_canonical_form() {
        let piece = |exponent| Piece { colour: Colour::Red, exponent };
        let board = |a, b| Board::EMPTY.with(a, piece(1)).with(b, piece(4));
        let beam = Beam::new(1);
        // Corners and their neighbours along an edge.
        let all = [(0, 1), (0, 4), (3, 2), (3, 7), (12, 8), (12, 13), (15, 14), (15, 11)];
        let forms = all.map(|(a, b)| beam.canonical(board(a, b)));
        assert!(forms.iter().all(|form| *form == forms[0]));
        assert_ne!(beam.canonical(board(0, 2)), forms[0]);
        assert_eq!(beam.key_of_pieces(board(0, 2)), beam.key_of_pieces(board(9, 5)));
    }

    #[test]
    fn move_codes_round_trip() {
        let slides = Direction::ALL.map(Move::Slide);
        for mv in (0..SQUARES).map(Move::Place).chain(slides) {
            assert_eq!(decoded(coded(mv)), mv);
        }
        assert_eq!(greatest_sum(200), 2187 + 729 + 27);
    }
}
