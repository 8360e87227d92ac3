//! A slow, simple implementation of the rules of Zuniq, for tests that referee its players.

use std::collections::BTreeSet;

/// Number of cells per row and column.
const SIDE: i32 = 5;

/// A wall: row and column of its first dot, and whether it is horizontal.
type Wall = (i32, i32, bool);
type Cell = (i32, i32);

/// A board: the set of walls drawn.
#[derive(Default)]
pub struct Board(BTreeSet<Wall>);

impl Board {
    /// Draws a wall. Returns false if the rules forbid it.
    pub fn play(&mut self, text: &str) -> bool {
        let wall = parse(text.trim_end_matches('!'));
        let legal = wall.is_some_and(|wall| self.is_legal(wall));
        self.0.extend(wall.filter(|_| legal));
        legal
    }

    pub fn is_over(&self) -> bool {
        let dots = (0..=SIDE).flat_map(|row| (0..=SIDE).map(move |column| (row, column)));
        let mut walls = dots.flat_map(|(row, column)| [(row, column, true), (row, column, false)]);
        !walls.any(|wall| self.is_legal(wall))
    }

    fn is_legal(&self, wall: Wall) -> bool {
        let (row, column, is_horizontal) = wall;
        let fits = if is_horizontal { column < SIDE } else { row < SIDE };
        if !fits || self.0.contains(&wall) || self.zone(sides(wall)[0]).is_some() {
            return false;
        }
        let mut walls = self.0.clone();
        walls.insert(wall);
        let zones = Board(walls).zones();
        let sizes: BTreeSet<usize> = zones.iter().map(BTreeSet::len).collect();
        sizes.len() == zones.len()
    }

    /// Returns all zones.
    fn zones(&self) -> BTreeSet<BTreeSet<Cell>> {
        let cells = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
        cells.filter_map(|cell| self.zone(cell)).collect()
    }

    /// Returns the cells connected to `cell`; `None` if they include the outside.
    fn zone(&self, cell: Cell) -> Option<BTreeSet<Cell>> {
        let mut zone = BTreeSet::new();
        let mut waiting = vec![cell];
        while let Some(cell) = waiting.pop() {
            let (row, column) = cell;
            if !(0..SIDE).contains(&row) || !(0..SIDE).contains(&column) {
                return None;
            }
            if zone.insert(cell) {
                let around = [(row, column, true), (row + 1, column, true)]
                    .into_iter()
                    .chain([(row, column, false), (row, column + 1, false)]);
                let open = around.filter(|wall| !self.0.contains(wall));
                waiting.extend(open.flat_map(sides));
            }
        }
        Some(zone)
    }
}

/// Returns the cells on both sides of a wall.
fn sides((row, column, is_horizontal): Wall) -> [Cell; 2] {
    [if is_horizontal { (row - 1, column) } else { (row, column - 1) }, (row, column)]
}

fn parse(text: &str) -> Option<Wall> {
    let &[row, column, direction] = text.as_bytes() else { return None };
    let (row, column) = (i32::from(row) - i32::from(b'A'), i32::from(column) - i32::from(b'1'));
    let on_board = (0..=SIDE).contains(&row) && (0..=SIDE).contains(&column);
    (on_board && matches!(direction, b'h' | b'v')).then_some((row, column, direction == b'h'))
}
