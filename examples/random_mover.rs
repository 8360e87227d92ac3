//! A bot for Zero Point One that plays random moves, explained in docs/first-bot.md.

use std::collections::hash_map::RandomState;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};

const SETUPS: [&str; 2] = ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"];

/// A square: row and column, from 0.
type Square = (i8, i8);

#[derive(Default)]
struct Game {
    /// Number of moves so far, including the setups.
    moves: usize,
    /// The letters of the pieces, upper case for Red.
    board: BTreeMap<Square, char>,
    /// The pieces in hand of Red and of Blue, in lower case.
    hands: [Vec<char>; 2],
}

fn square(text: &str) -> Square {
    let bytes = text.as_bytes();
    ((bytes[0] - b'a') as i8, (bytes[1] - b'1') as i8)
}

fn text((row, column): Square) -> String {
    format!("{}{}", (b'a' + row as u8) as char, column + 1)
}

fn leaps(piece: char, from: Square, to: Square) -> bool {
    let (rows, columns) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
    let leap = (rows.min(columns), rows.max(columns));
    let leaps = [('w', (0, 1)), ('f', (1, 1)), ('d', (0, 2)), ('a', (2, 2)), ('n', (1, 2))];
    leaps.contains(&(piece.to_ascii_lowercase(), leap))
}

impl Game {
    fn legal_moves(&self) -> Vec<String> {
        let is_red = self.moves.is_multiple_of(2);
        let squares: Vec<Square> = (0..64).map(|index| (index / 8, index % 8)).collect();
        let is_own =
            |to: &Square| self.board.get(to).map(|piece| piece.is_uppercase()) == Some(is_red);
        let mut moves = Vec::new();
        for (&from, &piece) in self.board.iter().filter(|(from, _)| is_own(from)) {
            let targets = squares.iter().filter(|&&to| leaps(piece, from, to) && !is_own(&to));
            moves.extend(targets.map(|&to| text(from) + &text(to)));
        }
        for piece in &self.hands[self.moves % 2] {
            let letter = if is_red { piece.to_ascii_uppercase() } else { *piece };
            let targets = squares.iter().filter(|to| !self.board.contains_key(to));
            moves.extend(targets.map(|&to| format!("{letter}{}", text(to))));
        }
        moves
    }

    fn play(&mut self, line: &str) {
        let side = self.moves % 2;
        match line.len() {
            16 => {
                let first_row = 6 * side as i8;
                for (index, piece) in (0..).zip(line.chars()) {
                    self.board.insert((first_row + index / 8, index % 8), piece);
                }
            }
            3 => {
                let piece = line.chars().next().unwrap();
                let hand = &mut self.hands[side];
                let place = hand.iter().position(|other| *other == piece.to_ascii_lowercase());
                hand.remove(place.expect("a piece in hand"));
                self.board.insert(square(&line[1..]), piece);
            }
            _ => {
                let piece = self.board.remove(&square(&line[..2])).expect("a piece on the square");
                let captured = self.board.insert(square(&line[2..]), piece);
                self.hands[side].extend(captured.map(|piece| piece.to_ascii_lowercase()));
            }
        }
        self.moves += 1;
    }

    fn choose(&self) -> String {
        if self.moves < 2 {
            return SETUPS[self.moves].to_string();
        }
        let moves = self.legal_moves();
        // The keys of a new hasher are random.
        let random = RandomState::new().build_hasher().finish() as usize;
        moves[random % moves.len()].clone()
    }
}

fn main() {
    let mut game = Game::default();
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        match line.trim() {
            "Quit" => return,
            "Start" => {}
            line => game.play(line),
        }
        let answer = game.choose();
        game.play(&answer);
        println!("{answer}");
        io::stdout().flush().unwrap();
    }
}
