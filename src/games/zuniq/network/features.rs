//! What the network sees of a position: a short list of true statements out of 1,754.

use super::super::geometry::{
    around, image_of_segment, sides_of_cells, sides_of_dots, Each, Segments, ALL_CELLS, ALL_DOTS,
    SEGMENT_COUNT,
};
use super::super::position::{Position, Sizes};

/// Patterns of the four segments around a cell or a dot.
const PATTERNS: usize = 16;
const CELL_COUNT: usize = 25;
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
    list: [u16; MOST_TRUE],
    count: usize,
    bucket: usize,
}

/// What the statements are about.
#[derive(Clone, Copy, Debug)]
pub struct View {
    gaps: Segments,
    legal: u8,
    open: u8,
    groups: u8,
    sizes: Sizes,
    /// The bridges by kind,
    bridges: [Segments; KINDS],
    /// and how many they are by the size of the zone too.
    by_size: [[u8; CELL_COUNT + 1]; KINDS],
}

impl View {
    /// The view of a position.
    #[inline]
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
        View {
            gaps,
            legal: legal.count_ones() as u8,
            open: position.open().count_ones() as u8,
            groups: position.group_count() as u8,
            sizes: position.sizes(),
            bridges,
            by_size,
        }
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
    #[inline]
    pub fn of(view: &View) -> Features {
        let rank = view.gaps.count_ones() - u32::from(view.open);
        let phase = PHASE_RANKS.iter().filter(|&&least| rank >= least).count();
        let bucket = 2 * phase + (rank % 2) as usize;
        let mut features = Features { list: [0; MOST_TRUE], count: 0, bucket };
        features.add_patterns(view.gaps);
        for (kind, (&bridges, by_size)) in view.bridges.iter().zip(&view.by_size).enumerate() {
            if bridges == 0 {
                continue;
            }
            for bridge in Each(bridges) {
                features.add(BRIDGES + kind * SEGMENT_COUNT + bridge.trailing_zeros() as usize);
            }
            let base = BRIDGES_BY_SIZE + kind * CELL_COUNT * MOST_BRIDGES;
            for (size, &count) in by_size.iter().enumerate().filter(|(_, &count)| count > 0) {
                let count = usize::from(count).min(MOST_BRIDGES);
                features.add(base + (size - 1) * MOST_BRIDGES + count - 1);
            }
        }
        for size in Each(u64::from(view.sizes.bits())) {
            features.add(SIZES + size.trailing_zeros() as usize - 1);
        }
        features.add(LEGAL_COUNT + usize::from(view.legal));
        features.add(OPEN_COUNT + usize::from(view.open));
        features.add(GROUP_COUNT + usize::from(view.groups).min(MOST_GROUPS));
        let new_zones = view.sizes.most_new(u32::from(view.open)) as usize;
        features.add(NEW_ZONES + new_zones.min(MOST_ZONES));
        features
    }

    /// Which of the segments around every cell and dot are gaps.
    #[inline(always)]
    fn add_patterns(&mut self, gaps: Segments) {
        let pattern = |around: [Segments; 4], at: u32| {
            let bits = around.iter().enumerate();
            bits.fold(0, |pattern, (side, gaps)| pattern | (gaps >> at & 1) << side) as usize
        };
        let (of_cells, of_dots) = (sides_of_cells(gaps), sides_of_dots(gaps));
        for (index, &cell) in CELL_BITS.iter().enumerate() {
            self.add(CELLS + index * PATTERNS + pattern(of_cells, cell));
        }
        for (index, &dot) in DOT_BITS.iter().enumerate() {
            self.add(DOTS + index * PATTERNS + pattern(of_dots, dot));
        }
    }

    #[inline(always)]
    fn add(&mut self, feature: usize) {
        self.list[self.count] = feature as u16;
        self.count += 1;
    }

    /// Their numbers.
    #[inline(always)]
    pub fn list(&self) -> &[u16] {
        &self.list[..self.count]
    }

    /// The bucket of the position.
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        self.bucket
    }
}

/// The bits of the cells and of the dots.
const CELL_BITS: [u32; CELL_COUNT] = bits_of(ALL_CELLS);
const DOT_BITS: [u32; DOT_COUNT] = bits_of(ALL_DOTS);

/// The places of the bits of a set, lowest first.
const fn bits_of<const N: usize>(mut set: u64) -> [u32; N] {
    let mut bits = [0; N];
    let mut index = 0;
    while index < N {
        bits[index] = set.trailing_zeros();
        set &= set - 1;
        index += 1;
    }
    bits
}
