//! Reference implementation of the rules, with lists of pieces.

use std::fmt;

/// A game of the reference implementation.
#[derive(Clone)]
pub struct Reference {
    /// Rows of pieces: value and colour.
    board: Vec<Vec<Option<(u32, char)>>>,
    ply: usize,
    /// The highest sum so far.
    pub best: u32,
}

impl Reference {
    /// Creates the empty board.
    pub fn new() -> Reference {
        Reference { board: vec![vec![None; 4]; 4], ply: 0, best: 0 }
    }

    fn turn(&self) -> char {
        "brgss".chars().nth(self.ply % 5).expect("five turns")
    }

    /// Returns all legal moves in the referee's notation.
    pub fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.ply == 1000 {
            return moves;
        }
        if self.turn() == 's' {
            for direction in ["U", "D", "L", "R"] {
                if self.slid(direction) != self.board {
                    moves.push(direction.to_string());
                }
            }
            return moves;
        }
        for (row, line) in self.board.iter().enumerate() {
            for (column, square) in line.iter().enumerate() {
                if square.is_none() {
                    moves.push(format!("{}{}", row + 1, column + 1));
                }
            }
        }
        moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, text: &str) {
        match self.turn() {
            's' => self.board = self.slid(text),
            colour => {
                let digits: Vec<usize> =
                    text.chars().map(|c| c.to_digit(10).expect("a digit") as usize).collect();
                self.board[digits[0] - 1][digits[1] - 1] = Some((1, colour));
            }
        }
        self.ply += 1;
        let sum = self.board.iter().flatten().flatten().map(|(value, _)| value).sum();
        self.best = self.best.max(sum);
    }

    fn slid(&self, direction: &str) -> Vec<Vec<Option<(u32, char)>>> {
        let mut after = vec![vec![None; 4]; 4];
        for line in 0..4 {
            // The squares of the line, starting at the edge towards which the pieces slide.
            let squares: Vec<(usize, usize)> = (0..4)
                .map(|step| match direction {
                    "U" => (step, line),
                    "D" => (3 - step, line),
                    "L" => (line, step),
                    _ => (line, 3 - step),
                })
                .collect();
            let mut pieces: Vec<(u32, char)> =
                squares.iter().filter_map(|&(row, column)| self.board[row][column]).collect();
            let mut kept = Vec::new();
            while !pieces.is_empty() {
                let first = pieces.remove(0);
                match pieces.first() {
                    Some(&(value, colour)) if value == first.0 => {
                        pieces.remove(0);
                        if colour == first.1 {
                            kept.push((3 * value, colour));
                        }
                    }
                    _ => kept.push(first),
                }
            }
            for (piece, &(row, column)) in kept.into_iter().zip(&squares) {
                after[row][column] = Some(piece);
            }
        }
        after
    }

    /// Returns the number of leaves of the move tree.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let children = self.moves().into_iter().map(|text| {
            let mut child = self.clone();
            child.play(&text);
            child.perft(depth - 1)
        });
        children.sum()
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.board {
            let squares = row.iter().map(|square| match square {
                Some((value, colour)) => format!("{:>6}", format!("{value}{colour}")),
                None => format!("{:>6}", "."),
            });
            writeln!(f, "{}", squares.collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}
