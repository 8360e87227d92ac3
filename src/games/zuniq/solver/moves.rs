//! The moves of a node in the order in which what is known about them is looked up.

use super::super::geometry::{around, Cells, Each, Segments, SEGMENT_COUNT};
use super::super::position::Position;
use super::ending;
use super::node::Node;

/// Moves, each with the cells that it closes.
pub struct Moves {
    list: [(Segments, Cells); SEGMENT_COUNT],
    count: usize,
}

impl Moves {
    /// The moves that matter: first those that close a zone, of these first those that leave the fewest
    /// replies. What was searched before is most often there.
    #[inline(always)]
    pub fn of(node: &Node) -> Moves {
        let position = node.position();
        let moves = node.reduced().moves();
        let legal = position.legal();
        let mut sorted = Moves { list: [(0, 0); SEGMENT_COUNT], count: 0 };
        let mut replies = [0; SEGMENT_COUNT];
        for (bridge, zone) in position.zones_behind().filter(|(bridge, _)| moves & bridge != 0) {
            let left = (legal & !around(zone)).count_ones();
            let mut place = sorted.count;
            while place > 0 && replies[place - 1] > left {
                sorted.list[place] = sorted.list[place - 1];
                replies[place] = replies[place - 1];
                place -= 1;
            }
            sorted.list[place] = (bridge, zone);
            replies[place] = left;
            sorted.count += 1;
        }
        for bit in Each(moves & !position.bridges()) {
            sorted.list[sorted.count] = (bit, 0);
            sorted.count += 1;
        }
        sorted
    }

    /// Takes away those that lead to endings, or stops and returns one that leads to an ending that the
    /// opponent loses.
    #[inline(always)]
    pub fn drop_endings(&mut self, position: &Position) -> Option<Segments> {
        let mut kept = 0;
        for index in 0..self.count {
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
        self.count = kept;
        None
    }

    /// Makes this move the first, if it is there.
    #[inline(always)]
    pub fn move_to_front(&mut self, bit: Segments) {
        if let Some(place) = self.list().iter().position(|&(other, _)| other == bit) {
            self.list[..=place].rotate_right(1);
        }
    }

    /// The moves, and behind each the cells that it closes.
    #[inline(always)]
    pub fn list(&self) -> &[(Segments, Cells)] {
        &self.list[..self.count]
    }
}

/// Does the reply to a move win? Known where the move leads to an ending. No board is made for this: what
/// the move leaves can be seen.
#[inline(always)]
fn ending_after(position: &Position, bit: Segments, zone: Cells) -> Option<bool> {
    let (gaps, open, sizes) = (position.gaps(), position.open(), position.sizes());
    if zone == 0 {
        return ending::wins(gaps & !bit, open, sizes);
    }
    ending::wins(gaps & !around(zone), open & !zone, sizes.with(zone.count_ones() as usize))
}
