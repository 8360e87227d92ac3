//! SIMD and other CPU-specific code: the inner loops of networks, comparison of 64 integers with a limit, bit
//! manipulation instructions, and prefetch.

#![allow(unsafe_code)]
// Without this, older compilers report the inner `unsafe` blocks as unnecessary.
#![warn(unsafe_op_in_unsafe_fn)]

use super::plain;
use super::rows::{Aligned, Row, Sums};
use std::sync::atomic::{AtomicU8, Ordering};

/// Work for [`with_bit_instructions`]. It is a trait because a closure can't be marked `#[inline(always)]`. Functions
/// that `run` calls without that mark work too, but are compiled without these instructions.
pub trait Work {
    /// Result of the work.
    type Result;
    /// Does the work.
    fn run(self) -> Self::Result;
}

/// Runs work compiled with the bit manipulation instructions of a path. This includes all code that is inlined into the
/// work.
#[inline(always)]
pub fn with_bit_instructions<W: Work>(instructions: Instructions, work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    {
        /// # Safety
        /// The CPU must support these instructions.
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn with_all<W: Work>(work: W) -> W::Result {
            work.run()
        }
        /// # Safety
        /// The CPU must support this instruction.
        #[target_feature(enable = "popcnt")]
        unsafe fn with_count<W: Work>(work: W) -> W::Result {
            work.run()
        }
        match instructions.path {
            // SAFETY: `Path::available` returns this path only if the CPU supports all of these.
            Path::Avx2 => return unsafe { with_all(work) },
            // SAFETY: `Path::available` returns this path only if the CPU supports `popcnt`.
            Path::Sse41 => return unsafe { with_count(work) },
            Path::Plain => {}
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = instructions;
    work.run()
}

/// Returns a bit mask of the indices of the numbers that are at least `min`.
#[inline(always)]
pub fn at_least(instructions: Instructions, numbers: &[i16; 64], min: i16) -> u64 {
    match instructions.path {
        #[cfg(target_arch = "x86_64")]
        Path::Sse41 | Path::Avx2 => sse2::at_least(numbers, min),
        _ => plain::at_least(numbers, min),
    }
}

/// Multiplies a vector by a matrix: returns `biases[j]` plus the sum of `numbers[i] * weight(i, j)` for all columns
/// `j`, in groups of four. A row of `weights` holds the weights of two consecutive numbers: a pair for the first
/// column, a pair for the second, and so on. Overflow wraps around.
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

/// SSE2 implementations. All x86-64 CPUs support SSE2, so they are safe to call.
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
            // SAFETY: all x86-64 CPUs support SSE2. The two loads read the 16 numbers, and need no alignment.
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
        // SAFETY: all x86-64 CPUs support SSE2. Each load reads four sums or their eight weights, each store writes
        // four sums; none needs alignment.
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

/// A set of CPU instructions to use. All paths give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Path {
    /// Portable loops.
    Plain,
    /// 128-bit vectors (SSE4.1) and `popcnt`, as on the contest's CPU.
    Sse41,
    /// 256-bit vectors (AVX2) and all bit manipulation instructions.
    Avx2,
}

/// The best path allowed, as a number. See [`Path::restrict`].
static BEST: AtomicU8 = AtomicU8::new(Path::Avx2 as u8);

impl Path {
    /// Makes all better paths unavailable for this process, to behave as on an older CPU.
    pub fn restrict(self) {
        BEST.store(self as u8, Ordering::Relaxed);
    }

    /// Returns the path set by [`Path::restrict`], if any.
    pub fn restriction() -> Option<Path> {
        let mut allowed = [Path::Plain, Path::Sse41].iter().copied();
        let best = BEST.load(Ordering::Relaxed);
        allowed.find(|&path| path as u8 == best)
    }

    /// Returns the paths that are allowed and that this CPU supports, the best one last.
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

/// Proof that the CPU supports the instructions of a path.
#[derive(Clone, Copy, Debug)]
pub struct Instructions {
    path: Path,
}

impl Instructions {
    /// Returns the best available instructions.
    pub fn best() -> Instructions {
        Instructions { path: Path::available().pop().unwrap_or(Path::Plain) }
    }

    /// Returns the instructions of a path if it is available.
    #[cfg(test)]
    pub fn new(path: Path) -> Option<Instructions> {
        Path::available().into_iter().find(|&found| found == path).map(|path| Instructions { path })
    }
}

/// Number of vectors that [`Kernels::update_all`] holds in registers at a time.
const BLOCK: usize = 8;
/// Number of 16-bit lanes of the widest vectors.
const MAX_LANES: usize = 16;

/// Kernels of a layer of `N` neurons with activations from 0 to `MAX`. All paths give the same results.
#[derive(Clone, Copy, Debug)]
pub struct Kernels<const N: usize, const MAX: i16> {
    instructions: Instructions,
}

/// Calls a function in the module of a path.
macro_rules! on_path {
    ($path:expr, $($call:tt)*) => {
        match $path {
            // SAFETY: `Instructions` holds only paths that `Path::available` returned, and `N` satisfies
            // `WHOLE_VECTORS`, and `WHOLE_BLOCKS` if the function works on blocks.
            #[cfg(target_arch = "x86_64")]
            Path::Sse41 => unsafe { sse41::$($call)* },
            // SAFETY: as for `Path::Sse41`.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::$($call)* },
            _ => plain::$($call)*,
        }
    };
}

impl<const N: usize, const MAX: i16> Kernels<N, MAX> {
    /// Compilation fails if a row is not a whole number of vectors.
    const WHOLE_VECTORS: () = assert!(N % MAX_LANES == 0);
    /// Compilation fails if a row is not a whole number of blocks.
    const WHOLE_BLOCKS: () = assert!(N % (BLOCK * MAX_LANES) == 0);

    fn on(instructions: Instructions) -> Self {
        let () = Self::WHOLE_VECTORS;
        Kernels { instructions }
    }

    /// Returns the kernels of the best available path.
    pub fn best() -> Self {
        Kernels::on(Instructions::best())
    }

    /// Returns the kernels of a path if it is available.
    #[cfg(test)]
    pub fn new(path: Path) -> Option<Self> {
        Instructions::new(path).map(Kernels::on)
    }

    /// Returns the instructions that the kernels use.
    #[inline(always)]
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Computes `to = from + added - removed` with `ROWS` rows each.
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

    /// Adds a single row in place, or subtracts it if not `add`.
    #[inline(always)]
    pub fn change(&self, sums: &mut Sums<N>, row: &Row<N>, add: bool) {
        on_path!(self.instructions.path, change(sums, row, add))
    }

    /// Computes `to = from + added - removed` with any number of rows, given by their indices. Panics if an index is
    /// out of range.
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

    /// Computes the output neuron: the sum of `w * a * a` over both layers and their weights `w`, where `a` is the
    /// accumulator clamped to 0..=`MAX` (squared clipped ReLU). Each `w * a` must fit in 16 bits, and every partial sum
    /// in 32.
    #[inline(always)]
    pub fn output(&self, own: &Sums<N>, other: &Sums<N>, weights: &[Aligned<[i16; N]>; 2]) -> i32 {
        on_path!(self.instructions.path, output::<N, MAX>(own, other, weights))
    }
}

/// Defines the kernels of a path. The surrounding module provides `Vector`, its number of 16-bit `LANES`, the
/// intrinsics under common names, and `widened`, which loads weights of a row. Loops count vectors and blocks because
/// the contests' compilers (about Rust 1.63) generate slow code for `step_by`.
#[cfg(target_arch = "x86_64")]
macro_rules! loops {
    ($feature:tt) => {
        /// # Safety
        /// The CPU must support the feature, and `N` must be a multiple of `LANES`.
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
        /// The CPU must support the feature, and `N` must be a multiple of `LANES`.
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
        /// The CPU must support the feature, and `N` must be a multiple of `BLOCK * LANES`.
        #[target_feature(enable = $feature)]
        pub unsafe fn update_all<const N: usize>(
            to: &mut Sums<N>,
            from: &Sums<N>,
            rows: &[Row<N>],
            added: &[u16],
            removed: &[u16],
        ) {
            // Works on as many sums at a time as fit in the registers.
            for number in 0..N / (BLOCK * LANES) {
                let first = number * BLOCK * LANES;
                // SAFETY: `first + BLOCK * LANES <= N`, all are `Aligned`, and the indices of `rows` are checked.
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
        /// The CPU must support the feature, and `N` must be a multiple of `LANES`.
        #[target_feature(enable = $feature)]
        pub unsafe fn output<const N: usize, const MAX: i16>(
            own: &Sums<N>,
            other: &Sums<N>,
            weights: &[Aligned<[i16; N]>; 2],
        ) -> i32 {
            // SAFETY: `at + LANES <= N`, and all are `Aligned`. A vector has the layout of an array of its lanes.
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
    /// The CPU must support SSE4.1, and eight numbers must be readable, at any alignment.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    unsafe fn widened(weights: *const i8) -> Vector {
        // SAFETY: guaranteed by the caller.
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
    /// The CPU must support AVX2, and 16 numbers, aligned to 16 bytes, must be readable.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn widened(weights: *const i8) -> Vector {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm256_cvtepi8_epi16(_mm_load_si128(weights.cast())) }
    }

    loops!("avx2");
}

/// Prefetches the cache line at the start of a value.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        // SAFETY: all x86-64 CPUs support the instruction, and a prefetch has no effect on memory contents.
        unsafe { _mm_prefetch::<_MM_HINT_T0>((place as *const T).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests;
