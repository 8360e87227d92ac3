//! What the network sees of a position: a short list of true statements out of 1,754.

use super::super::geometry::{
    around, image_of_segment, sides_of_cells, sides_of_dots, Each, Segments, ALL_CELLS, ALL_DOTS,
    ALL_SEGMENTS, CELL_COUNT, SEGMENT_COUNT,
};
use super::super::position::{Position, Sizes};
use arrayvec::ArrayVec;

/// Patterns of the four segments around a cell or a dot.
const PATTERNS: usize = 16;
const DOT_COUNT: usize = 36;
/// Kinds of bridges: legal or blocked, and with an even or odd cycle rank behind them. Closing a zone
/// of even rank changes who makes the last move.
const KINDS: usize = 4;
/// Bridges of one kind and size are counted up to this.
const MOST_BRIDGES: usize = 4;
/// Groups of walls are counted up to this.
const MOST_GROUPS: usize = 18;
/// More new zones than this never fit.
const MOST_ZONES: usize = 6;

/// The statements' numbers: each kind begins where the one before it ends.
const CELLS: usize = 0;
const DOTS: usize = CELLS + CELL_COUNT * PATTERNS;
const BRIDGES: usize = DOTS + DOT_COUNT * PATTERNS;
const BRIDGES_BY_SIZE: usize = BRIDGES + KINDS * SEGMENT_COUNT;
const SIZES: usize = BRIDGES_BY_SIZE + KINDS * CELL_COUNT * MOST_BRIDGES;
const LEGAL_COUNT: usize = SIZES + CELL_COUNT;
const OPEN_COUNT: usize = LEGAL_COUNT + SEGMENT_COUNT + 1;
const GROUP_COUNT: usize = OPEN_COUNT + CELL_COUNT + 1;
const NEW_ZONES: usize = GROUP_COUNT + MOST_GROUPS + 1;
/// How many statements there are.
pub const INPUTS: usize = NEW_ZONES + MOST_ZONES + 1;

/// How many can be true at a time: patterns of cells and dots, bridges (fewer than cells) each by
/// place and size, sizes, and four counts.
const MOST_TRUE: usize = CELL_COUNT + DOT_COUNT + 2 * CELL_COUNT + CELL_COUNT + 4;

/// The second layer has one set of weights for each of these: whether an odd number of moves is left
/// if no zone is closed any more, and how many they are.
pub const BUCKETS: usize = 2 * PHASES;
const PHASES: usize = 6;
/// The cycle ranks from which on a phase is a later one.
const PHASE_RANKS: [u32; PHASES - 1] = [6, 9, 12, 16, 21];

/// The true statements about a position.
#[derive(Clone, Debug)]
pub struct Features {
    list: ArrayVec<u16, MOST_TRUE>,
    bucket: usize,
}

/// What the statements are about.
#[derive(Clone, Copy, Debug)]
pub struct View {
    gaps: Segments,
    legal: u8,
    open: u8,
    groups: u8,
    /// So many zones can still be closed at most.
    new_zones: u8,
    sizes: Sizes,
    /// The bridges by kind,
    bridges: [Segments; KINDS],
    /// and how many they are by the size of the zone too.
    by_size: [[u8; CELL_COUNT + 1]; KINDS],
}

impl View {
    /// The view of a position.
    #[inline(always)]
    pub fn of(position: &Position) -> View {
        let (gaps, legal) = (position.gaps(), position.legal());
        let mut bridges = [0; KINDS];
        let mut by_size = [[0; CELL_COUNT + 1]; KINDS];
        for (bridge, zone) in position.zones_behind() {
            let size = zone.count_ones();
            // The gaps inside and the bridge, less the cells.
            let rank = (gaps & around(zone)).count_ones().wrapping_sub(size);
            let kind = 2 * usize::from(bridge & legal == 0) + (rank % 2) as usize;
            bridges[kind] |= bridge;
            by_size[kind][size as usize] += 1;
        }
        let (open, sizes) = (position.open().count_ones(), position.sizes());
        View {
            gaps,
            legal: legal.count_ones() as u8,
            open: open as u8,
            groups: position.group_count() as u8,
            new_zones: sizes.most_new(open) as u8,
            sizes,
            bridges,
            by_size,
        }
    }

    /// The bucket of the position.
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        let rank = self.gaps.count_ones() - u32::from(self.open);
        let phase = PHASE_RANKS.iter().filter(|&&least| rank >= least).count();
        2 * phase + (rank % 2) as usize
    }

    /// The statements that are numbers.
    #[inline(always)]
    fn counts(&self) -> [usize; 4] {
        [
            LEGAL_COUNT + usize::from(self.legal),
            OPEN_COUNT + usize::from(self.open),
            GROUP_COUNT + usize::from(self.groups).min(MOST_GROUPS),
            NEW_ZONES + usize::from(self.new_zones).min(MOST_ZONES),
        ]
    }

    /// The view of the position's image.
    pub fn image(&self, symmetry: usize) -> View {
        let image = |set: Segments| {
            let bits = Each(set).map(|bit| bit.trailing_zeros() as usize);
            bits.fold(0, |image, bit| image | 1 << image_of_segment(bit, symmetry))
        };
        View { gaps: image(self.gaps), bridges: self.bridges.map(image), ..*self }
    }
}

impl Features {
    /// The statements that are true of a view.
    #[inline(always)]
    pub fn of(view: &View) -> Features {
        let mut list = ArrayVec::new();
        each_feature(view, None, |feature| list.push(feature as u16));
        Features { list, bucket: view.bucket() }
    }

    /// Their numbers.
    #[inline(always)]
    pub fn list(&self) -> &[u16] {
        &self.list
    }

    /// The bucket of the position.
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        self.bucket
    }
}

/// Calls `take` with the number of each statement that is true of a view, but not of the other one, if there
/// is one.
#[inline(always)]
pub fn each_feature(view: &View, other: Option<&View>, mut take: impl FnMut(usize)) {
    let changed = other.map_or(ALL_SEGMENTS, |other| view.gaps ^ other.gaps);
    each_pattern(view.gaps, changed, &mut take);
    for kind in 0..KINDS {
        each_bridge(kind, view, other, &mut take);
    }
    for size in Each(u64::from(view.sizes.bits() & !other.map_or(0, |other| other.sizes.bits()))) {
        take(SIZES + size.trailing_zeros() as usize - 1);
    }
    let others = other.map(View::counts);
    for (index, &count) in view.counts().iter().enumerate() {
        if others.map_or(true, |others| others[index] != count) {
            take(count);
        }
    }
}

/// Which of the segments around every cell and dot beside the changed segments are gaps.
#[inline(always)]
fn each_pattern(gaps: Segments, changed: Segments, take: &mut impl FnMut(usize)) {
    let pattern = |around: [Segments; 4], at: u64| {
        let bits = around.iter().enumerate();
        bits.fold(0, |pattern, (side, gaps)| pattern | usize::from(gaps & at != 0) << side)
    };
    let any = |sets: [u64; 4]| sets[0] | sets[1] | sets[2] | sets[3];
    let of_cells = sides_of_cells(gaps);
    for cell in Each(any(sides_of_cells(changed)) & ALL_CELLS) {
        let index = usize::from(CELL_NUMBERS[cell.trailing_zeros() as usize]);
        take(CELLS + index * PATTERNS + pattern(of_cells, cell));
    }
    let of_dots = sides_of_dots(gaps);
    for dot in Each(any(sides_of_dots(changed)) & ALL_DOTS) {
        let index = usize::from(DOT_NUMBERS[dot.trailing_zeros() as usize]);
        take(DOTS + index * PATTERNS + pattern(of_dots, dot));
    }
}

/// The bridges of a kind by place and by size.
#[inline(always)]
fn each_bridge(kind: usize, view: &View, other: Option<&View>, take: &mut impl FnMut(usize)) {
    for bridge in Each(view.bridges[kind] & !other.map_or(0, |other| other.bridges[kind])) {
        take(BRIDGES + kind * SEGMENT_COUNT + bridge.trailing_zeros() as usize);
    }
    let by_size = &view.by_size[kind];
    if view.bridges[kind] == 0 || other.map_or(false, |other| *by_size == other.by_size[kind]) {
        return;
    }
    let base = BRIDGES_BY_SIZE + kind * CELL_COUNT * MOST_BRIDGES;
    let up_to_most = |count: u8| usize::from(count).min(MOST_BRIDGES);
    for (size, &count) in by_size.iter().enumerate().filter(|(_, &count)| count > 0) {
        let count = up_to_most(count);
        if other.map_or(true, |other| up_to_most(other.by_size[kind][size]) != count) {
            take(base + (size - 1) * MOST_BRIDGES + count - 1);
        }
    }
}

/// The numbers of the cells and of the dots by their bits.
const CELL_NUMBERS: [u8; 64] = numbers_of(ALL_CELLS);
const DOT_NUMBERS: [u8; 64] = numbers_of(ALL_DOTS);

/// The rank of each bit of a set, the lowest 0.
const fn numbers_of(mut set: u64) -> [u8; 64] {
    let mut numbers = [0; 64];
    let mut number = 0;
    while set != 0 {
        numbers[set.trailing_zeros() as usize] = number;
        set &= set - 1;
        number += 1;
    }
    numbers
}
