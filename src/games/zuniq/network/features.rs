//! Input features of the network: 1,754 binary features, few of which are active in a position.

use super::super::geometry::{
    around, image_of_segment, sides_of_cells, sides_of_dots, Each, Segments, ALL_CELLS, ALL_DOTS,
    ALL_SEGMENTS, CELL_COUNT, SEGMENT_COUNT,
};
use super::super::position::{Position, Sizes};
use arrayvec::ArrayVec;

/// Number of patterns of the four segments around a cell or a dot; each segment is a gap or not.
const PATTERNS: usize = 16;
const DOT_COUNT: usize = 36;
/// Number of kinds of bridges: legal or blocked, with an even or odd cycle rank of the zone that the bridge would
/// close. Closing a zone of even rank changes which side makes the last move.
pub const KINDS: usize = 4;
/// Cap on the number of bridges of one kind and size.
const MAX_BRIDGES: usize = 4;
/// Cap on the number of groups of walls.
const MAX_GROUPS: usize = 18;
/// Maximum number of zones of different sizes on the board (1 + 2 + ... + 6 = 21 of 25 cells).
const MAX_ZONES: usize = 6;

/// First feature index of the cell patterns. Each group of features begins where the previous group ends.
const CELLS: usize = 0;
const DOTS: usize = CELLS + CELL_COUNT * PATTERNS;
const BRIDGES: usize = DOTS + DOT_COUNT * PATTERNS;
const BRIDGES_BY_SIZE: usize = BRIDGES + KINDS * SEGMENT_COUNT;
const SIZES: usize = BRIDGES_BY_SIZE + KINDS * CELL_COUNT * MAX_BRIDGES;
const LEGAL_COUNT: usize = SIZES + CELL_COUNT;
const OPEN_COUNT: usize = LEGAL_COUNT + SEGMENT_COUNT + 1;
const GROUP_COUNT: usize = OPEN_COUNT + CELL_COUNT + 1;
const NEW_ZONES: usize = GROUP_COUNT + MAX_GROUPS + 1;
/// Number of features.
pub const INPUTS: usize = NEW_ZONES + MAX_ZONES + 1;

/// Maximum number of active features: patterns of cells and dots, bridges (fewer than cells) by location and by size,
/// sizes, and four counts.
const MAX_ACTIVE: usize = CELL_COUNT + DOT_COUNT + 2 * CELL_COUNT + CELL_COUNT + 4;

/// Number of buckets: the layers after the first have one set of weights for each parity of the cycle rank and each of
/// six ranges of it (phases).
pub const BUCKETS: usize = 2 * PHASES;
const PHASES: usize = 6;
/// Smallest cycle rank of each phase except the first.
const PHASE_RANKS: [u32; PHASES - 1] = [6, 9, 12, 16, 21];

/// Active features of a position.
#[derive(Clone, Debug)]
pub struct Features {
    list: ArrayVec<u16, MAX_ACTIVE>,
    bucket: usize,
}

/// Data of a position from which its features are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureSource {
    /// Segments without a wall.
    pub gaps: Segments,
    /// Number of legal moves.
    pub legal: u8,
    /// Number of cells outside zones.
    pub open: u8,
    /// Number of groups of walls.
    pub groups: u8,
    /// Maximum number of zones that can still be closed.
    pub new_zones: u8,
    /// Sizes of the closed zones.
    pub sizes: Sizes,
    /// Bridges of each kind.
    pub bridges: [Segments; KINDS],
    /// Number of bridges of each kind and size of zone.
    pub by_size: [[u8; CELL_COUNT + 1]; KINDS],
}

impl FeatureSource {
    /// Collects the data of a position.
    #[inline(always)]
    pub fn of(position: &Position) -> FeatureSource {
        let (gaps, legal) = (position.gaps(), position.legal());
        let mut bridges = [0; KINDS];
        let mut by_size = [[0; CELL_COUNT + 1]; KINDS];
        for (bridge, zone) in position.bridges_with_zones() {
            let size = zone.count_ones();
            // The gaps inside plus the bridge, minus the cells.
            let rank = (gaps & around(zone)).count_ones().wrapping_sub(size);
            let kind = 2 * usize::from(bridge & legal == 0) + (rank % 2) as usize;
            bridges[kind] |= bridge;
            by_size[kind][size as usize] += 1;
        }
        let (open, sizes) = (position.open().count_ones(), position.sizes());
        FeatureSource {
            gaps,
            legal: legal.count_ones() as u8,
            open: open as u8,
            groups: position.group_count() as u8,
            new_zones: sizes.max_new_zones(open) as u8,
            sizes,
            bridges,
            by_size,
        }
    }

    /// Returns the bucket of the position, below [`BUCKETS`].
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        let rank = self.gaps.count_ones() - u32::from(self.open);
        let phase = PHASE_RANKS.iter().filter(|&&min_rank| rank >= min_rank).count();
        2 * phase + (rank % 2) as usize
    }

    /// Returns the indices of the four count features.
    #[inline(always)]
    fn counts(&self) -> [usize; 4] {
        [
            LEGAL_COUNT + usize::from(self.legal),
            OPEN_COUNT + usize::from(self.open),
            GROUP_COUNT + usize::from(self.groups).min(MAX_GROUPS),
            NEW_ZONES + usize::from(self.new_zones).min(MAX_ZONES),
        ]
    }

    /// Returns the data of the position's image under a symmetry (below `SYMMETRIES`).
    pub fn image(&self, symmetry: usize) -> FeatureSource {
        let image = |set: Segments| {
            let bits = Each(set).map(|bit| bit.trailing_zeros() as usize);
            bits.fold(0, |image, bit| image | 1 << image_of_segment(bit, symmetry))
        };
        FeatureSource { gaps: image(self.gaps), bridges: self.bridges.map(image), ..*self }
    }
}

impl Features {
    /// Computes the active features.
    #[inline(always)]
    pub fn of(source: &FeatureSource) -> Features {
        let mut list = ArrayVec::new();
        each_feature(source, None, |feature| list.push(feature as u16));
        Features { list, bucket: source.bucket() }
    }

    /// Returns the indices of the active features, each below [`INPUTS`], in no particular order.
    #[inline(always)]
    pub fn list(&self) -> &[u16] {
        &self.list
    }

    /// Returns the bucket of the position, below [`BUCKETS`].
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        self.bucket
    }
}

/// Calls `take` with the index of each active feature of `source` that is not active for `other`.
#[inline(always)]
pub fn each_feature(
    source: &FeatureSource,
    other: Option<&FeatureSource>,
    mut take: impl FnMut(usize),
) {
    let changed = other.map_or(ALL_SEGMENTS, |other| source.gaps ^ other.gaps);
    each_pattern(source.gaps, changed, &mut take);
    for kind in 0..KINDS {
        each_bridge(kind, source, other, &mut take);
    }
    for size in Each(u64::from(source.sizes.bits() & !other.map_or(0, |other| other.sizes.bits())))
    {
        take(SIZES + size.trailing_zeros() as usize - 1);
    }
    let others = other.map(FeatureSource::counts);
    for (index, &count) in source.counts().iter().enumerate() {
        if others.map_or(true, |others| others[index] != count) {
            take(count);
        }
    }
}

/// Calls `take` with the features of the gap patterns around the cells and dots that touch a changed segment.
#[inline(always)]
fn each_pattern(gaps: Segments, changed: Segments, take: &mut impl FnMut(usize)) {
    let pattern = |around: [Segments; 4], at: u64| {
        let bits = around.iter().enumerate();
        bits.fold(0, |pattern, (side, gaps)| pattern | usize::from(gaps & at != 0) << side)
    };
    let any = |sets: [u64; 4]| sets[0] | sets[1] | sets[2] | sets[3];
    let of_cells = sides_of_cells(gaps);
    for cell in Each(any(sides_of_cells(changed)) & ALL_CELLS) {
        let index = usize::from(CELL_INDICES[cell.trailing_zeros() as usize]);
        take(CELLS + index * PATTERNS + pattern(of_cells, cell));
    }
    let of_dots = sides_of_dots(gaps);
    for dot in Each(any(sides_of_dots(changed)) & ALL_DOTS) {
        let index = usize::from(DOT_INDICES[dot.trailing_zeros() as usize]);
        take(DOTS + index * PATTERNS + pattern(of_dots, dot));
    }
}

/// Calls `take` with the features of the bridges of a kind, by location and by size.
#[inline(always)]
fn each_bridge(
    kind: usize,
    source: &FeatureSource,
    other: Option<&FeatureSource>,
    take: &mut impl FnMut(usize),
) {
    for bridge in Each(source.bridges[kind] & !other.map_or(0, |other| other.bridges[kind])) {
        take(BRIDGES + kind * SEGMENT_COUNT + bridge.trailing_zeros() as usize);
    }
    let by_size = &source.by_size[kind];
    if source.bridges[kind] == 0 || other.map_or(false, |other| *by_size == other.by_size[kind]) {
        return;
    }
    let base = BRIDGES_BY_SIZE + kind * CELL_COUNT * MAX_BRIDGES;
    let capped = |count: u8| usize::from(count).min(MAX_BRIDGES);
    for (size, &count) in by_size.iter().enumerate().filter(|(_, &count)| count > 0) {
        let count = capped(count);
        if other.map_or(true, |other| capped(other.by_size[kind][size]) != count) {
            take(base + (size - 1) * MAX_BRIDGES + count - 1);
        }
    }
}

/// Index of each cell, by bit.
const CELL_INDICES: [u8; 64] = bit_indices(ALL_CELLS);
/// Index of each dot, by bit.
const DOT_INDICES: [u8; 64] = bit_indices(ALL_DOTS);

/// Returns, for each bit of a set, the number of lower bits in the set.
const fn bit_indices(mut set: u64) -> [u8; 64] {
    let mut numbers = [0; 64];
    let mut number = 0;
    while set != 0 {
        numbers[set.trailing_zeros() as usize] = number;
        set &= set - 1;
        number += 1;
    }
    numbers
}
