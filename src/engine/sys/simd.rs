//! Vectors of integers: the inner loops of networks, which of 64 integers reach a limit, the instructions for
//! sets of bits, and prefetch.

#![allow(unsafe_code)]
// Older compilers take the inner `unsafe` blocks, each with its reason, for superfluous without
// this.
#![warn(unsafe_op_in_unsafe_fn)]

use super::plain;
use super::rows::{Aligned, Row, Sums};
use std::sync::atomic::{AtomicU8, Ordering};

/// Work for [`with_bit_instructions`]: a trait, since a closure can't be marked
/// `#[inline(always)]`. What of `run` and below it is not marked so is right too, but compiled
/// without these instructions.
pub trait Work {
    /// What it returns.
    type Result;
    /// Does it.
    fn run(self) -> Self::Result;
}

/// Does some work with the instructions for sets of bits that belong to a path: what is inlined
/// into the work is compiled for them.
#[inline(always)]
pub fn with_bit_instructions<W: Work>(instructions: Instructions, work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    {
        /// # Safety
        /// The processor must have these instructions.
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn with_all<W: Work>(work: W) -> W::Result {
            work.run()
        }
        /// # Safety
        /// The processor must have this instruction.
        #[target_feature(enable = "popcnt")]
        unsafe fn with_count<W: Work>(work: W) -> W::Result {
            work.run()
        }
        match instructions.path {
            // SAFETY: `Path::available` asks for all of these before it names the path.
            Path::Avx2 => return unsafe { with_all(work) },
            // SAFETY: as above.
            Path::Sse41 => return unsafe { with_count(work) },
            Path::Plain => {}
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = instructions;
    work.run()
}

/// The places, as bits, of the numbers that are at least `min`.
#[inline(always)]
pub fn at_least(instructions: Instructions, numbers: &[i16; 64], min: i16) -> u64 {
    match instructions.path {
        #[cfg(target_arch = "x86_64")]
        Path::Sse41 | Path::Avx2 => sse2::at_least(numbers, min),
        _ => plain::at_least(numbers, min),
    }
}

/// The sums `biases[j] + numbers[i] * weight(i, j)` for all columns `j`, which come in fours. The
/// weights of two numbers after each other are a row: those of the first column, those of the
/// second, and so on. Sums too large wrap around.
#[inline(always)]
pub fn sums_of_products<const FOURS: usize>(
    instructions: Instructions,
    numbers: &[i16],
    weights: &[[[i16; 8]; FOURS]],
    biases: &[[i32; 4]; FOURS],
) -> [[i32; 4]; FOURS] {
    match instructions.path {
        #[cfg(target_arch = "x86_64")]
        Path::Sse41 | Path::Avx2 => sse2::sums_of_products(numbers, weights, biases),
        _ => plain::sums_of_products(numbers, weights, biases),
    }
}

/// What all processors of x86-64 have: safe to call on any of them.
#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_cmpgt_epi16, _mm_loadu_si128, _mm_madd_epi16,
        _mm_movemask_epi8, _mm_packs_epi16, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128,
        _mm_storeu_si128,
    };

    /// See [`super::at_least`].
    #[inline(always)]
    pub fn at_least(numbers: &[i16; 64], min: i16) -> u64 {
        let mut below = 0;
        for (index, sixteen) in numbers.chunks_exact(16).enumerate() {
            // SAFETY: all x86-64 processors have SSE2. The two loads read the 16 numbers, and need
            // no alignment.
            let mask = unsafe {
                let low = _mm_loadu_si128(sixteen.as_ptr().cast::<__m128i>());
                let high = _mm_loadu_si128(sixteen.as_ptr().add(8).cast::<__m128i>());
                let limit = _mm_set1_epi16(min);
                let (low, high) = (_mm_cmpgt_epi16(limit, low), _mm_cmpgt_epi16(limit, high));
                _mm_movemask_epi8(_mm_packs_epi16(low, high))
            };
            below |= u64::from(mask as u16) << (16 * index);
        }
        !below
    }

    /// See [`super::sums_of_products`].
    #[inline(always)]
    pub fn sums_of_products<const FOURS: usize>(
        numbers: &[i16],
        weights: &[[[i16; 8]; FOURS]],
        biases: &[[i32; 4]; FOURS],
    ) -> [[i32; 4]; FOURS] {
        let mut sums = *biases;
        // SAFETY: all x86-64 processors have SSE2. Each load reads four sums or their eight
        // weights, each store writes four sums; none needs an alignment.
        unsafe {
            let mut vectors = [_mm_setzero_si128(); FOURS];
            for (vector, four) in vectors.iter_mut().zip(&sums) {
                *vector = _mm_loadu_si128(four.as_ptr().cast::<__m128i>());
            }
            for (pair, row) in numbers.chunks_exact(2).zip(weights) {
                let pair = i32::from(pair[0]) & 0xffff | i32::from(pair[1]) << 16;
                let pair = _mm_set1_epi32(pair);
                for (vector, weights) in vectors.iter_mut().zip(row) {
                    let weights = _mm_loadu_si128(weights.as_ptr().cast::<__m128i>());
                    *vector = _mm_add_epi32(*vector, _mm_madd_epi16(pair, weights));
                }
            }
            for (four, vector) in sums.iter_mut().zip(&vectors) {
                _mm_storeu_si128(four.as_mut_ptr().cast::<__m128i>(), *vector);
            }
        }
        sums
    }
}

/// Which instructions to use. The results are the same on all paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Path {
    /// What every processor has: plain loops.
    Plain,
    /// 128-bit vectors (SSE4.1) and the count of bits, as the contest's processor has them.
    Sse41,
    /// 256-bit vectors (AVX2) and all instructions for sets of bits.
    Avx2,
}

/// The best path to take, as a number: see [`Path::restrict`].
static BEST: AtomicU8 = AtomicU8::new(Path::Avx2 as u8);

impl Path {
    /// From now on no path better than this counts as available: so a program behaves as on an older
    /// processor.
    pub fn restrict(self) {
        BEST.store(self as u8, Ordering::Relaxed);
    }

    /// The best path that is allowed, where not all are.
    pub fn restriction() -> Option<Path> {
        let mut allowed = [Path::Plain, Path::Sse41].iter().copied();
        let best = BEST.load(Ordering::Relaxed);
        allowed.find(|&path| path as u8 == best)
    }

    /// The paths that this processor can take, the best one last.
    pub fn available() -> Vec<Path> {
        let mut paths = Path::of_processor();
        paths.retain(|&path| path as u8 <= BEST.load(Ordering::Relaxed));
        paths
    }

    fn of_processor() -> Vec<Path> {
        let mut paths = vec![Path::Plain];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("popcnt") {
            paths.push(Path::Sse41);
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
            {
                paths.push(Path::Avx2);
            }
        }
        paths
    }
}

/// A path that this processor has been found to have: whoever holds it may use its instructions.
#[derive(Clone, Copy, Debug)]
pub struct Instructions {
    path: Path,
}

impl Instructions {
    /// The best ones here.
    pub fn best() -> Instructions {
        Instructions { path: Path::available().pop().unwrap_or(Path::Plain) }
    }

    /// Those of a path, if the processor has it.
    #[cfg(test)]
    pub fn new(path: Path) -> Option<Instructions> {
        Path::available().into_iter().find(|&found| found == path).map(|path| Instructions { path })
    }
}

/// Vectors that [`Kernels::update_all`] holds in registers at a time.
const BLOCK: usize = 8;
/// Numbers of 16 bits in the widest vectors.
const MAX_LANES: usize = 16;

/// The loops over a layer of `N` neurons with outputs of 0 to `MAX`, on one path: with the same
/// results on all. A vector path can only be had where the processor has it.
#[derive(Clone, Copy, Debug)]
pub struct Kernels<const N: usize, const MAX: i16> {
    instructions: Instructions,
}

/// Calls a function of the path's module.
macro_rules! on_path {
    ($path:expr, $($call:tt)*) => {
        match $path {
            // SAFETY: the path of `Instructions` is only ever one that `Path::available` found on
            // this processor, and the `N` of `Kernels` one that `WHOLE_VECTORS` allows, and
            // `WHOLE_BLOCKS` where there are blocks.
            #[cfg(target_arch = "x86_64")]
            Path::Sse41 => unsafe { sse41::$($call)* },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::$($call)* },
            _ => plain::$($call)*,
        }
    };
}

impl<const N: usize, const MAX: i16> Kernels<N, MAX> {
    /// Does not compile where some vector would go beyond a row's end.
    const WHOLE_VECTORS: () = assert!(N % MAX_LANES == 0);
    /// Does not compile where some block of vectors would.
    const WHOLE_BLOCKS: () = assert!(N % (BLOCK * MAX_LANES) == 0);

    fn on(instructions: Instructions) -> Self {
        let () = Self::WHOLE_VECTORS;
        Kernels { instructions }
    }

    /// The fastest kernels here.
    pub fn best() -> Self {
        Kernels::on(Instructions::best())
    }

    /// The kernels of a path, if the processor has it.
    #[cfg(test)]
    pub fn new(path: Path) -> Option<Self> {
        Instructions::new(path).map(Kernels::on)
    }

    /// The instructions that they use.
    #[inline(always)]
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// `to = from + added - removed`, with so many rows each.
    #[inline(always)]
    pub fn update<const ROWS: usize>(
        &self,
        to: &mut Sums<N>,
        from: &Sums<N>,
        added: [&Row<N>; ROWS],
        removed: [&Row<N>; ROWS],
    ) {
        on_path!(self.instructions.path, update(to, from, added, removed))
    }

    /// Adds (or removes) a single row in place.
    #[inline(always)]
    pub fn change(&self, sums: &mut Sums<N>, row: &Row<N>, add: bool) {
        on_path!(self.instructions.path, change(sums, row, add))
    }

    /// `to = from + added - removed`, with any of the rows each, by their indices. Panics where
    /// there is no such row.
    #[inline(always)]
    pub fn update_all(
        &self,
        to: &mut Sums<N>,
        from: &Sums<N>,
        rows: &[Row<N>],
        added: &[u16],
        removed: &[u16],
    ) {
        let () = Self::WHOLE_BLOCKS;
        on_path!(self.instructions.path, update_all(to, from, rows, added, removed))
    }

    /// The sum of `w * a * a` over both layers and their weights `w`, with `a` the sum limited to
    /// 0..=`MAX` (squared clipped ReLU). Each `w * a` must fit 16 bits, and each sum of some
    /// products 32.
    #[inline(always)]
    pub fn output(&self, own: &Sums<N>, other: &Sums<N>, weights: &[Aligned<[i16; N]>; 2]) -> i32 {
        on_path!(self.instructions.path, output::<N, MAX>(own, other, weights))
    }
}

/// The loops of a path. They count vectors and blocks, as the contest's compilers, of Rust 1.63 or so,
/// make slow code of ranges with a step. The module around it has the `Vector`, its `LANES` of 16 bits and the
/// processor's instructions for it under common names, and `widened` for the numbers of a row.
#[cfg(target_arch = "x86_64")]
macro_rules! loops {
    ($feature:tt) => {
        /// # Safety
        /// The processor must have the feature, and `N` be a multiple of `LANES`.
        #[target_feature(enable = $feature)]
        pub unsafe fn update<const N: usize, const ROWS: usize>(
            to: &mut Sums<N>,
            from: &Sums<N>,
            added: [&Row<N>; ROWS],
            removed: [&Row<N>; ROWS],
        ) {
            for vector in 0..N / LANES {
                let at = vector * LANES;
                // SAFETY: `at + LANES <= N`, and both are `Aligned`.
                unsafe {
                    let mut sum = load(from.0.as_ptr().add(at).cast());
                    for n in 0..ROWS {
                        sum = add(sum, widened(added[n].0.as_ptr().add(at)));
                        sum = subtract(sum, widened(removed[n].0.as_ptr().add(at)));
                    }
                    store(to.0.as_mut_ptr().add(at).cast(), sum);
                }
            }
        }

        /// # Safety
        /// As of `update`.
        #[target_feature(enable = $feature)]
        pub unsafe fn change<const N: usize>(sums: &mut Sums<N>, row: &Row<N>, is_added: bool) {
            for vector in 0..N / LANES {
                let at = vector * LANES;
                // SAFETY: as in `update`.
                unsafe {
                    let place = sums.0.as_mut_ptr().add(at).cast();
                    let (sum, weights) = (load(place), widened(row.0.as_ptr().add(at)));
                    store(place, if is_added { add(sum, weights) } else { subtract(sum, weights) });
                }
            }
        }

        /// # Safety
        /// The processor must have the feature, and `N` be a multiple of `BLOCK * LANES`.
        #[target_feature(enable = $feature)]
        pub unsafe fn update_all<const N: usize>(
            to: &mut Sums<N>,
            from: &Sums<N>,
            rows: &[Row<N>],
            added: &[u16],
            removed: &[u16],
        ) {
            // As many sums at a time as fit the registers.
            for number in 0..N / (BLOCK * LANES) {
                let first = number * BLOCK * LANES;
                // SAFETY: `first + BLOCK * LANES <= N`, all are `Aligned`, and `rows` is indexed
                // with a check.
                unsafe {
                    let (from, to) = (from.0.as_ptr().add(first), to.0.as_mut_ptr().add(first));
                    let mut block = [zero(); BLOCK];
                    for (i, sum) in block.iter_mut().enumerate() {
                        *sum = load(from.add(i * LANES).cast());
                    }
                    for &input in added {
                        let row = rows[usize::from(input)].0.as_ptr().add(first);
                        for (i, sum) in block.iter_mut().enumerate() {
                            *sum = add(*sum, widened(row.add(i * LANES)));
                        }
                    }
                    for &input in removed {
                        let row = rows[usize::from(input)].0.as_ptr().add(first);
                        for (i, sum) in block.iter_mut().enumerate() {
                            *sum = subtract(*sum, widened(row.add(i * LANES)));
                        }
                    }
                    for (i, sum) in block.iter().enumerate() {
                        store(to.add(i * LANES).cast(), *sum);
                    }
                }
            }
        }

        /// # Safety
        /// As of `update`.
        #[target_feature(enable = $feature)]
        pub unsafe fn output<const N: usize, const MAX: i16>(
            own: &Sums<N>,
            other: &Sums<N>,
            weights: &[Aligned<[i16; N]>; 2],
        ) -> i32 {
            // SAFETY: `at + LANES <= N`, and all are `Aligned`; a vector is the numbers in it.
            unsafe {
                let mut total = zero();
                for (layer, weights) in [(own, &weights[0]), (other, &weights[1])] {
                    for vector in 0..N / LANES {
                        let at = vector * LANES;
                        let sum = load(layer.0.as_ptr().add(at).cast());
                        let active = min(max(sum, zero()), all(MAX));
                        let weight = load(weights.0.as_ptr().add(at).cast());
                        let products = sums_of_pairs(active, multiply(active, weight));
                        total = add_32(total, products);
                    }
                }
                let totals: [i32; LANES / 2] = std::mem::transmute::<Vector, _>(total);
                totals.iter().sum()
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod sse41 {
    use super::{Aligned, Row, Sums, BLOCK};
    use std::arch::x86_64::{
        __m128i as Vector, _mm_add_epi16 as add, _mm_add_epi32 as add_32, _mm_cvtepi8_epi16,
        _mm_load_si128 as load, _mm_loadl_epi64, _mm_madd_epi16 as sums_of_pairs,
        _mm_max_epi16 as max, _mm_min_epi16 as min, _mm_mullo_epi16 as multiply,
        _mm_set1_epi16 as all, _mm_setzero_si128 as zero, _mm_store_si128 as store,
        _mm_sub_epi16 as subtract,
    };

    const LANES: usize = 8;

    /// # Safety
    /// The processor must have SSE4.1. Eight numbers are read, at any alignment.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    unsafe fn widened(weights: *const i8) -> Vector {
        // SAFETY: as the caller vouches.
        unsafe { _mm_cvtepi8_epi16(_mm_loadl_epi64(weights.cast())) }
    }

    loops!("sse4.1");
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Aligned, Row, Sums, BLOCK, MAX_LANES as LANES};
    use std::arch::x86_64::{
        __m256i as Vector, _mm256_add_epi16 as add, _mm256_add_epi32 as add_32,
        _mm256_cvtepi8_epi16, _mm256_load_si256 as load, _mm256_madd_epi16 as sums_of_pairs,
        _mm256_max_epi16 as max, _mm256_min_epi16 as min, _mm256_mullo_epi16 as multiply,
        _mm256_set1_epi16 as all, _mm256_setzero_si256 as zero, _mm256_store_si256 as store,
        _mm256_sub_epi16 as subtract, _mm_load_si128,
    };

    /// # Safety
    /// The processor must have AVX2. 16 numbers are read, aligned to as many bytes.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn widened(weights: *const i8) -> Vector {
        // SAFETY: as the caller vouches.
        unsafe { _mm256_cvtepi8_epi16(_mm_load_si128(weights.cast())) }
    }

    loops!("avx2");
}

/// Asks the processor to fetch the cache line where this begins, for a read that comes soon.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        // SAFETY: all x86-64 processors have the instruction; a hint reads and changes nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>((place as *const T).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests;
