//! A slow, simple reference implementation of the rules, written only from their text: letters in a map and moves as
//! text. It shares no code with the implementation that it checks.

use crate::engine::rng::Rng;
use std::collections::BTreeMap;

/// Row and column, 0 to 7.
pub type Place = (i32, i32);

/// A position: upper-case letters are Red's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub board: BTreeMap<Place, char>,
    /// Letters of the pieces in Red's and Blue's hands, in the case of the owner.
    pub hands: [Vec<char>; 2],
    /// Number of moves made, including the setups. If even, Red is to move.
    pub ply: usize,
}

/// Returns the two distances that a piece leaps, in either order and any direction.
fn leap(letter: char) -> (i32, i32) {
    match letter.to_ascii_uppercase() {
        'W' => (0, 1),
        'F' => (1, 1),
        'D' => (0, 2),
        'N' => (1, 2),
        'A' => (2, 2),
        other => panic!("no piece {}", other),
    }
}

/// Whether a piece can leap from one place to the other.
pub fn leaps(letter: char, from: Place, to: Place) -> bool {
    let (rows, columns) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
    let (short, long) = leap(letter);
    (rows.min(columns), rows.max(columns)) == (short, long)
}

pub fn place_text(place: Place) -> String {
    format!("{}{}", (b'a' + place.0 as u8) as char, place.1 + 1)
}

fn place(text: &str) -> Place {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

pub fn places() -> impl Iterator<Item = Place> {
    (0..8).flat_map(|row| (0..8).map(move |column| (row, column)))
}

impl Reference {
    /// Creates the position after two setups in the notation of the judge.
    pub fn from_setups(red: &str, blue: &str) -> Reference {
        let red_places = places().take(16);
        let blue_places = places().skip(48);
        let red = red_places.zip(red.chars());
        let blue = blue_places.zip(blue.chars());
        Reference { board: red.chain(blue).collect(), hands: Default::default(), ply: 2 }
    }

    /// Parses the format of [`Reference::text`].
    pub fn parse(text: &str) -> Reference {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut board = BTreeMap::new();
        for (row, letters) in (0..).zip(fields[0].split('/')) {
            let mut column = 0;
            for letter in letters.chars() {
                match letter.to_digit(10) {
                    Some(empty) => column += empty as i32,
                    None => {
                        board.insert((row, column), letter);
                        column += 1;
                    }
                }
            }
        }
        let held = fields[1].chars().filter(|held| held.is_alphabetic());
        let (red, blue) = held.partition(|held| held.is_ascii_uppercase());
        Reference { board, hands: [red, blue], ply: fields[2].parse().expect("a number") }
    }

    /// Creates a random position, not necessarily reachable in a game: every piece is anywhere on the board or in a
    /// hand.
    pub fn random(rng: &mut Rng) -> Reference {
        let mut free: Vec<Place> = places().collect();
        rng.shuffle(&mut free);
        let mut board = BTreeMap::new();
        let mut hands: [Vec<char>; 2] = Default::default();
        let mut put = |letter| board.insert(free.pop().expect("64 squares, 32 pieces"), letter);
        put('W');
        put('w');
        let in_hand = rng.unit();
        let reds = 0.1 + 0.8 * rng.unit();
        for letter in "NNFFFFDDDDDDDDAAAAAAAAAAAAAAAA".chars() {
            let owner = usize::from(rng.unit() >= reds);
            let letter = if owner == 0 { letter } else { letter.to_ascii_lowercase() };
            if rng.unit() < in_hand {
                hands[owner].push(letter);
            } else {
                put(letter);
            }
        }
        let ply = 2 + rng.below(100);
        Reference { board, hands, ply }
    }

    pub fn is_red_to_move(&self) -> bool {
        self.ply % 2 == 0
    }

    pub fn is_own(&self, letter: char) -> bool {
        letter.is_ascii_uppercase() == self.is_red_to_move()
    }

    /// Whether both wazirs are on the board.
    fn has_both_wazirs(&self) -> bool {
        ['W', 'w'].iter().all(|wazir| self.board.values().any(|letter| letter == wazir))
    }

    /// Returns the place of a side's wazir.
    pub fn wazir(&self, red: bool) -> Option<Place> {
        let letter = if red { 'W' } else { 'w' };
        self.board.iter().find(|(_, &l)| l == letter).map(|(&place, _)| place)
    }

    /// Whether a side attacks a place.
    pub fn attacks(&self, red: bool, target: Place) -> bool {
        self.board.iter().any(|(&from, &letter)| {
            letter.is_ascii_uppercase() == red && leaps(letter, from, target)
        })
    }

    /// Returns all moves of the rules, sorted, regardless of the safety of the wazir.
    pub fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if !self.has_both_wazirs() {
            return moves;
        }
        for (&from, &letter) in self.board.iter().filter(|(_, &letter)| self.is_own(letter)) {
            for to in places().filter(|&to| leaps(letter, from, to)) {
                if !self.board.get(&to).map_or(false, |&l| self.is_own(l)) {
                    moves.push(place_text(from) + &place_text(to));
                }
            }
        }
        for letter in &self.hands[self.ply % 2] {
            for to in places().filter(|to| !self.board.contains_key(to)) {
                moves.push(format!("{}{}", letter, place_text(to)));
            }
        }
        moves.sort();
        moves.dedup();
        moves
    }

    /// Returns the letter of the piece that a move moves or drops, and its target.
    pub fn landing(&self, mv: &str) -> (char, Place) {
        if mv.len() == 3 {
            (mv.chars().next().expect("a drop has a letter"), place(&mv[1..]))
        } else {
            (self.board[&place(&mv[..2])], place(&mv[2..]))
        }
    }

    pub fn is_capture(&self, mv: &str) -> bool {
        self.board.contains_key(&self.landing(mv).1)
    }

    /// Whether the moved piece would attack the enemy wazir.
    pub fn gives_check(&self, mv: &str) -> bool {
        let (letter, to) = self.landing(mv);
        self.wazir(!self.is_red_to_move()).map_or(false, |wazir| leaps(letter, to, wazir))
    }

    /// Whether the mover's wazir is not attacked after the move.
    pub fn is_safe(&self, mv: &str) -> bool {
        let red = self.is_red_to_move();
        let next = self.make(mv);
        next.wazir(red).map_or(false, |wazir| !next.attacks(!red, wazir))
    }

    pub fn make(&self, mv: &str) -> Reference {
        let mut next = self.clone();
        let (letter, to) = self.landing(mv);
        let hand = &mut next.hands[self.ply % 2];
        if mv.len() == 3 {
            let index = hand.iter().position(|&held| held == letter).expect("a piece in hand");
            hand.remove(index);
        } else {
            next.board.remove(&place(&mv[..2]));
            match next.board.get(&to) {
                None | Some('W') | Some('w') => {}
                Some(taken) if self.is_red_to_move() => hand.push(taken.to_ascii_uppercase()),
                Some(taken) => hand.push(taken.to_ascii_lowercase()),
            }
        }
        next.board.insert(to, letter);
        next.ply += 1;
        next
    }

    /// Returns the expected text of the position.
    pub fn text(&self) -> String {
        let rows: Vec<String> = (0..8).map(|row| self.row_text(row)).collect();
        let mut hands = String::new();
        for hand in &self.hands {
            for kind in "NFDA".chars() {
                hands.extend(hand.iter().filter(|held| held.to_ascii_uppercase() == kind));
            }
        }
        let hands = if hands.is_empty() { "-".to_string() } else { hands };
        format!("{} {} {}", rows.join("/"), hands, self.ply)
    }

    fn row_text(&self, row: i32) -> String {
        let letters = (0..8).map(|column| self.board.get(&(row, column)).copied().unwrap_or('.'));
        let mut text: String = letters.collect();
        for empty in (1..=8).rev() {
            text = text.replace(&".".repeat(empty), &empty.to_string());
        }
        text
    }
}
