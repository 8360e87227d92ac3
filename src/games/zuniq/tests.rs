//! Tests of the rules, most of them against a reference implementation that was written from the rules alone.

use super::game::{bonus, Game, GameError, Side};
use super::geometry::{
    ends, image_of_cell, image_of_segment, sides, sides_of_cells, sides_of_dots, Each, ALL_CELLS,
    ALL_DOTS, ALL_SEGMENTS, SYMMETRIES,
};
use super::perft::perft;
use super::position::Position;
use super::segment::{Segment, SegmentError};
use crate::engine::rng::Rng;
use proptest::collection::vec;
use proptest::prelude::*;

/// Reference implementation with arrays of walls and breadth-first search instead of bitboards.
mod reference {
    /// Walls: `horizontal[r][c]` is to the right of dot (r, c), `vertical[r][c]` below it.
    #[derive(Clone, Default)]
    pub struct Board {
        pub horizontal: [[bool; 5]; 6],
        pub vertical: [[bool; 6]; 5],
    }

    pub fn all_texts() -> Vec<String> {
        let mut texts = Vec::new();
        for row in 0..6u8 {
            for column in 0..6u8 {
                let name = format!("{}{}", char::from(b'A' + row), column + 1);
                if column < 5 {
                    texts.push(format!("{}h", name));
                }
                if row < 5 {
                    texts.push(format!("{}v", name));
                }
            }
        }
        texts
    }

    impl Board {
        fn wall(&mut self, text: &str) -> &mut bool {
            let bytes = text.as_bytes();
            let (row, column) = (usize::from(bytes[0] - b'A'), usize::from(bytes[1] - b'1'));
            if bytes[2] == b'h' {
                &mut self.horizontal[row][column]
            } else {
                &mut self.vertical[row][column]
            }
        }

        pub fn draw(&mut self, text: &str) {
            *self.wall(text) = true;
        }

        /// Returns the cells of each zone, a region connected through gaps without a gap to the outside.
        pub fn zones(&self) -> Vec<Vec<(usize, usize)>> {
            let mut seen = [[false; 5]; 5];
            let mut zones = Vec::new();
            for row in 0..5 {
                for column in 0..5 {
                    if seen[row][column] {
                        continue;
                    }
                    let mut zone = vec![(row, column)];
                    seen[row][column] = true;
                    let mut is_open = false;
                    let mut next = 0;
                    while next < zone.len() {
                        let (r, c) = zone[next];
                        next += 1;
                        let steps = [
                            (self.horizontal[r][c], -1, 0),
                            (self.horizontal[r + 1][c], 1, 0),
                            (self.vertical[r][c], 0, -1),
                            (self.vertical[r][c + 1], 0, 1),
                        ];
                        for (wall, down, right) in steps {
                            if wall {
                                continue;
                            }
                            let (r, c) = (r as isize + down, c as isize + right);
                            if !(0..5).contains(&r) || !(0..5).contains(&c) {
                                is_open = true;
                            } else if !seen[r as usize][c as usize] {
                                seen[r as usize][c as usize] = true;
                                zone.push((r as usize, c as usize));
                            }
                        }
                    }
                    if !is_open {
                        zones.push(zone);
                    }
                }
            }
            zones
        }

        pub fn sizes(&self) -> Vec<usize> {
            let mut sizes: Vec<usize> = self.zones().iter().map(Vec::len).collect();
            sizes.sort_unstable();
            sizes
        }

        fn is_legal(&self, text: &str, zones: &[Vec<(usize, usize)>]) -> bool {
            let mut after = self.clone();
            if std::mem::replace(after.wall(text), true) || Self::is_shut_away(text, zones) {
                return false;
            }
            let sizes = after.sizes();
            let mut distinct = sizes.clone();
            distinct.dedup();
            distinct.len() == sizes.len()
        }

        fn is_shut_away(text: &str, zones: &[Vec<(usize, usize)>]) -> bool {
            let bytes = text.as_bytes();
            let (row, column) = (usize::from(bytes[0] - b'A'), usize::from(bytes[1] - b'1'));
            let beside = if bytes[2] == b'h' {
                [(row.wrapping_sub(1), column), (row, column)]
            } else {
                [(row, column.wrapping_sub(1)), (row, column)]
            };
            zones.iter().any(|zone| beside.iter().any(|cell| zone.contains(cell)))
        }

        pub fn legal(&self) -> Vec<String> {
            let zones = self.zones();
            all_texts().into_iter().filter(|text| self.is_legal(text, &zones)).collect()
        }

        pub fn perft(&self, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            let after = |text: &String| {
                let mut board = self.clone();
                board.draw(text);
                board.perft(depth - 1)
            };
            self.legal().iter().map(after).sum()
        }
    }
}

fn random_move(position: &Position, rng: &mut Rng) -> Option<Segment> {
    let legal: Vec<Segment> = Segment::each(position.legal()).collect();
    if legal.is_empty() {
        return None;
    }
    Some(legal[rng.below(legal.len())])
}

/// Returns a position after `plies` random moves, or fewer if the game ends.
pub fn random_position(rng: &mut Rng, plies: usize) -> Position {
    let mut position = Position::START;
    for _ in 0..plies {
        match random_move(&position, rng) {
            Some(segment) => position = position.make(segment),
            None => break,
        }
    }
    position
}

/// Returns the sizes of the zones, smallest first.
fn sizes(position: &Position) -> Vec<usize> {
    (1..=25).filter(|&size| position.sizes().has(size)).collect()
}

/// Plays a random game with both implementations, compares them before every move and returns the number of plies.
fn compare_random_game(rng: &mut Rng) -> usize {
    let mut game = Game::new();
    let mut board = reference::Board::default();
    loop {
        let position = game.position();
        let mut legal: Vec<String> =
            Segment::each(position.legal()).map(|segment| segment.to_string()).collect();
        let mut expected = board.legal();
        legal.sort_unstable();
        expected.sort_unstable();
        assert_eq!(legal, expected, "after {:?}", game.moves());
        assert_eq!(sizes(position), board.sizes());
        for bit in Each(position.legal()) {
            let after = position.board_after(bit, position.zone_closed_by(bit));
            assert_eq!(after, *position.make_bit(bit).board());
        }
        let segment = match random_move(position, rng) {
            Some(segment) => segment,
            None => return game.ply(),
        };
        board.draw(&segment.to_string());
        game.push(segment, false);
    }
}

#[test]
fn agrees_with_the_reference() {
    let mut rng = Rng::new(1);
    let lengths: Vec<usize> = (0..400).map(|_| compare_random_game(&mut rng)).collect();
    let usual = lengths.iter().filter(|length| (37..=41).contains(*length)).count();
    assert!(usual * 100 >= lengths.len() * 99, "{} of {}", usual, lengths.len());
}

#[test]
fn perft_agrees_with_the_reference() {
    let mut rng = Rng::new(2);
    for plies in [0, 20, 30] {
        let mut position = Position::START;
        let mut board = reference::Board::default();
        for _ in 0..plies {
            let segment = random_move(&position, &mut rng).expect("the game is longer than this");
            position = position.make(segment);
            board.draw(&segment.to_string());
        }
        for depth in 1..=if plies == 0 { 2 } else { 3 } {
            assert_eq!(
                perft(&position, depth),
                board.perft(depth),
                "depth {} ply {}",
                depth,
                plies
            );
        }
    }
}

/// Returns a game with these moves.
fn game_of(moves: &str) -> Game {
    let mut game = Game::new();
    for text in moves.split_whitespace() {
        assert_eq!(game.play(text), Ok(()), "{}", text);
    }
    game
}

#[test]
fn notation_round_trips_and_errors_are_distinguished() {
    for text in reference::all_texts() {
        let segment: Segment = text.parse().expect("a valid segment");
        assert_eq!(segment.to_string(), text);
    }
    for text in ["", "A", "A1", "a1h", "A1H", "A1hh", "11h", "Ahh", "A1!", "Ä1h"] {
        assert_eq!(text.parse::<Segment>(), Err(SegmentError::Format), "{}", text);
    }
    for text in ["A6h", "F1v", "G1h", "A0h", "A7v", "Z9v"] {
        assert_eq!(text.parse::<Segment>(), Err(SegmentError::OffBoard), "{}", text);
    }
}

#[test]
fn illegal_moves_are_explained() {
    let segment = |text: &str| text.parse::<Segment>().expect("a valid segment");
    // One corner cell is closed; another lacks one wall.
    let mut corner = game_of("A1h A1v B1h A2v A5h A5v B5h");
    assert_eq!(corner.play("A1h"), Err(GameError::Drawn(segment("A1h"))));
    assert_eq!(corner.play("A6v"), Err(GameError::SizeTaken(segment("A6v"), 1)));
    assert_eq!(corner.play("A6x"), Err(GameError::Notation(SegmentError::Format)));
    // Two cells are closed as one zone; the segment between them is enclosed.
    let mut pair = game_of("A1h A2h A1v A3v B1h B2h");
    assert_eq!(pair.play("A2v"), Err(GameError::InZone(segment("A2v"))));
}

#[test]
fn splitting_a_zone_makes_a_move_legal_again() {
    // Zones of one and three cells in the upper corners, and three open cells in a row at the bottom.
    let mut game =
        game_of("A1h A1v B1h A2v A3h A4h A5h A3v A6v B3h B4h B5h E1h E2h E3h F1h F2h F3h E4v");
    assert_eq!(sizes(game.position()), [1, 3]);
    let closing: Segment = "E1v".parse().expect("a valid segment");
    assert_eq!(game.play("E1v"), Err(GameError::SizeTaken(closing, 3)));
    // Two of the three become a zone; the third is left with size one, which is also taken.
    game.play("E2v").expect("a new size");
    assert_eq!(game.play("E1v"), Err(GameError::SizeTaken(closing, 1)));
    // In the other game, closing one of the bottom cells leaves two, a size that is not taken.
    game.pop();
    game.play("E3v").expect_err("one cell would be closed");
    let mut other = game_of("A1h A2h A3h A1v A4v B1h B2h B3h E1h E2h E3h F1h F2h F3h E4v");
    assert_eq!(other.play("E1v"), Err(GameError::SizeTaken(closing, 3)));
    other.play("E3v").expect("a first zone of one cell");
    assert_eq!(other.play("E1v"), Ok(()));
}

#[test]
fn only_the_first_claim_counts_and_bonuses_decrease() {
    let bonuses: Vec<f64> = [1, 19, 20, 21, 22, 31, 38, 39, 40, 41].map(bonus).to_vec();
    assert_eq!(bonuses, [10.0, 10.0, 10.0, 9.0, 9.0, 4.0, 1.0, 0.0, 0.0, 0.0]);
    let mut game = game_of("A1h! B1h A2v! C1h");
    assert_eq!(game.claim(Side::White), Some(1));
    assert_eq!(game.claim(Side::Black), None);
    game.pop();
    game.pop();
    assert_eq!(game.claim(Side::White), Some(1));
    game.pop();
    game.pop();
    assert_eq!(game.claim(Side::White), None);
}

#[test]
fn the_board_is_formatted_with_walls_and_zones() {
    let text = game_of("A1h A1v B1h A2v F5h E6v").to_string();
    let expected = "   1   2   3   4   5   6
A  +---+   +   +   +   +
   | 1 |
B  +---+   +   +   +   +

C  +   +   +   +   +   +

D  +   +   +   +   +   +

E  +   +   +   +   +   +
                       |
F  +   +   +   +   +---+
";
    assert_eq!(text, expected);
}

#[test]
fn symmetries_preserve_adjacency() {
    for symmetry in 0..SYMMETRIES {
        let mut seen = 0;
        for bit in 0..60 {
            let image = image_of_segment(bit, symmetry);
            seen |= 1u64 << image;
            let (one, other) = sides(1 << bit);
            let moved = Each(one | other)
                .map(|cell| 1u64 << image_of_cell(cell.trailing_zeros() as usize, symmetry));
            let (one, other) = sides(1 << image);
            assert_eq!(moved.fold(0, |all, cell| all | cell), one | other);
        }
        assert_eq!(seen.count_ones(), 60);
    }
}

#[test]
fn sides_of_cells_and_dots_match_their_segments() {
    for bit in Each(ALL_SEGMENTS) {
        let neighbours = |sets: [u64; 4], all: u64| sets.iter().fold(0, |sum, set| sum | set & all);
        let (one, other) = sides(bit);
        assert_eq!(neighbours(sides_of_cells(bit), ALL_CELLS), one | other);
        let (one, other) = ends(bit);
        assert_eq!(neighbours(sides_of_dots(bit), ALL_DOTS), one | other);
    }
}

proptest! {
    #[test]
    fn any_text_is_rejected_or_round_trips(text in prop_oneof!["[A-G][0-7][hv]", ".{0,5}"]) {
        if let Ok(segment) = text.parse::<Segment>() {
            prop_assert_eq!(segment.to_string(), text);
        }
    }

    /// A rejected text leaves the game unchanged; an accepted text is a legal move.
    #[test]
    fn any_text_is_played_or_leaves_the_game_unchanged(
        texts in vec(prop_oneof![30 => "[A-F][1-6][hv]!?", 1 => "\\PC{0,6}"], 0..200),
    ) {
        let mut game = Game::new();
        for text in texts {
            let before = game.clone();
            let segment = text.trim_end_matches('!').parse::<Segment>();
            let is_legal = segment.map_or(false, |segment| before.position().is_legal(segment));
            if let Err(error) = game.play(&text) {
                prop_assert!(!error.to_string().is_empty());
                prop_assert_eq!(game.moves(), before.moves());
                prop_assert_eq!(game.position(), before.position());
                prop_assert!(!is_legal || text.ends_with("!!"));
            } else {
                prop_assert!(is_legal);
                prop_assert_eq!(game.ply(), before.ply() + 1);
            }
        }
        prop_assert_eq!(game.winner().is_some(), game.position().legal() == 0);
    }
}
