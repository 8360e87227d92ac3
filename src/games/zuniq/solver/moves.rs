//! The moves of a node in the order in which their results are looked up.

use super::super::geometry::{around, Cells, Each, Segments, CELL_COUNT, SEGMENT_COUNT};
use super::super::position::Position;
use super::ending;
use super::node::Node;
use arrayvec::ArrayVec;

/// A list of moves, each with the cells that it closes.
pub struct Moves {
    list: ArrayVec<(Segments, Cells), SEGMENT_COUNT>,
}

impl Moves {
    /// Creates an empty list.
    #[inline(always)]
    pub fn new() -> Moves {
        Moves { list: ArrayVec::new() }
    }

    /// Adds the moves to search: first those that close a zone, ordered by the number of replies that they leave, since
    /// the table most often has their results. Fills the list in place, because returning it would copy it.
    #[inline(always)]
    pub fn generate(&mut self, node: &Node) {
        let position = node.position();
        let moves = node.reduced().moves();
        let legal = position.legal();
        let mut closing = ArrayVec::<(u32, Segments, Cells), CELL_COUNT>::new();
        for (bridge, zone) in
            position.bridges_with_zones().filter(|(bridge, _)| moves & bridge != 0)
        {
            closing.push(((legal & !around(zone)).count_ones(), bridge, zone));
        }
        closing.sort_by_key(|&(replies, _, _)| replies);
        self.list.extend(closing.iter().map(|&(_, bridge, zone)| (bridge, zone)));
        self.list.extend(Each(moves & !position.bridges()).map(|bit| (bit, 0)));
    }

    /// Removes the moves that lose because they lead to an ending that the opponent wins. Stops and returns the move if
    /// one leads to an ending that the opponent loses.
    #[inline(always)]
    pub fn drop_endings(&mut self, position: &Position) -> Option<Segments> {
        let mut kept = 0;
        for index in 0..self.list.len() {
            let (bit, zone) = self.list[index];
            match ending_after(position, bit, zone) {
                Some(false) => return Some(bit),
                Some(true) => {}
                None => {
                    self.list[kept] = self.list[index];
                    kept += 1;
                }
            }
        }
        self.list.truncate(kept);
        None
    }

    /// Moves a move to the front if it is in the list.
    #[inline(always)]
    pub fn move_to_front(&mut self, bit: Segments) {
        if let Some(place) = self.list().iter().position(|&(other, _)| other == bit) {
            self.list[..=place].rotate_right(1);
        }
    }

    /// Returns the moves, each with the cells that it closes.
    #[inline(always)]
    pub fn list(&self) -> &[(Segments, Cells)] {
        &self.list
    }
}

/// Returns whether the opponent wins after a move that leads to an ending, or `None` for other moves. Does not make the
/// move.
#[inline(always)]
fn ending_after(position: &Position, bit: Segments, zone: Cells) -> Option<bool> {
    let (gaps, open, sizes) = (position.gaps(), position.open(), position.sizes());
    if zone == 0 {
        return ending::wins(gaps & !bit, open, sizes);
    }
    ending::wins(gaps & !around(zone), open & !zone, sizes.with(zone.count_ones() as usize))
}

/// Returns whether two moves lead to the same position in either order. `second` must be legal after `first`.
///
/// They do unless `second` is a bridge that encloses `first`. Proof: `first` can't enclose `second`, which is legal
/// after it. The zones of two bridges are disjoint or nested. If one move makes the other a bridge, the later of the
/// two closes the same zone in either order, and its size is free in one order if and only if it is free in the other.
pub fn commute(position: &Position, first: Segments, second: Segments) -> bool {
    around(position.zone_closed_by(second)) & first == 0
}
