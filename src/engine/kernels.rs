//! What safe Rust can't say: the inner loops of a network on vectors of integers (AVX2, SSE4.1 and
//! plain, chosen when the network is loaded, with identical results), which of 64 integers are great, the
//! instructions for sets of bits, hints about memory, and the time that the processor has worked for us. The
//! only file with `unsafe` code.

// Older compilers take the inner `unsafe` blocks, each with its reason, for superfluous without this.
#![warn(unsafe_op_in_unsafe_fn)]

use std::time::Duration;

/// Neurons of the first layer per side.
pub const HIDDEN: usize = 128;
/// A neuron's output is limited to 0..=`ACTIVATION_MAX`, which stands for 1.
pub const ACTIVATION_MAX: i16 = 127;

/// The sums of the first layer of one view.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Sums(pub [i16; HIDDEN]);

/// The weights of one input.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Row(pub [i8; HIDDEN]);

/// The weights of one output: the first half is for the side to move.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct OutputRow(pub [i16; 2 * HIDDEN]);

/// Which instructions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Plain loops.
    Plain,
    /// 128-bit vectors.
    Sse41,
    /// 256-bit vectors.
    Avx2,
}

impl Path {
    /// The paths that this processor can take, the best one last.
    pub fn available() -> Vec<Path> {
        let mut paths = vec![Path::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("sse4.1") {
                paths.push(Path::Sse41);
            }
            if is_x86_feature_detected!("avx2") {
                paths.push(Path::Avx2);
            }
        }
        paths
    }
}

/// Work for [`with_bit_instructions`]: a trait, since a closure can't be marked `#[inline(always)]`. What of
/// `run` and below it is not marked so is right too, but compiled without these instructions.
pub trait Work {
    /// What it returns.
    type Result;
    /// Does it.
    fn run(self) -> Self::Result;
}

/// Does some work with the processor's instructions for sets of bits, where it has them: what is inlined
/// into the work is compiled for them.
#[inline(always)]
pub fn with_bit_instructions<W: Work>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    {
        /// # Safety
        /// The processor must have these instructions.
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn with_instructions<W: Work>(work: W) -> W::Result {
            work.run()
        }
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has just been found to have them.
            return unsafe { with_instructions(work) };
        }
        /// # Safety
        /// The processor must have this instruction.
        #[target_feature(enable = "popcnt")]
        unsafe fn with_count<W: Work>(work: W) -> W::Result {
            work.run()
        }
        // The contest's processor has no AVX2.
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has just been found to have it.
            return unsafe { with_count(work) };
        }
    }
    work.run()
}

/// Asks the system for large pages under these words, which must not have been used yet. Random reads
/// in a table of small pages wait longer for the address than for the data. Where the system has no
/// large pages to give, nothing changes.
pub fn prefer_large_pages(words: &mut [u64]) {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    {
        use std::os::raw::{c_int, c_void};
        extern "C" {
            fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
        }
        /// From Linux's mman-common.h.
        const MADV_HUGEPAGE: c_int = 14;
        const LARGE_PAGE: usize = 2 << 20;
        let address = words.as_ptr() as usize;
        let before = address.wrapping_neg() % LARGE_PAGE;
        let length = words.len() * 8;
        if before + LARGE_PAGE <= length {
            let whole = (length - before) / LARGE_PAGE * LARGE_PAGE;
            let start = &mut words[before / 8..(before + whole) / 8];
            // SAFETY: the range is that of a slice that is borrowed mutably, and the advice changes
            // no contents. A refusal leaves everything as it was.
            let _refused =
                unsafe { madvise(start.as_mut_ptr().cast::<c_void>(), whole, MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    let _ = words;
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

/// The places, as bits, of the numbers that are at least `least`.
#[inline(always)]
pub fn at_least(numbers: &[i16; 64], least: i16) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            __m128i, _mm_cmpgt_epi16, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
            _mm_set1_epi16,
        };
        let mut below = 0;
        for (index, sixteen) in numbers.chunks_exact(16).enumerate() {
            // SAFETY: all x86-64 processors have SSE2. The two loads read the 16 numbers, and need no
            // alignment.
            let mask = unsafe {
                let low = _mm_loadu_si128(sixteen.as_ptr().cast::<__m128i>());
                let high = _mm_loadu_si128(sixteen.as_ptr().add(8).cast::<__m128i>());
                let least = _mm_set1_epi16(least);
                let (low, high) = (_mm_cmpgt_epi16(least, low), _mm_cmpgt_epi16(least, high));
                _mm_movemask_epi8(_mm_packs_epi16(low, high))
            };
            below |= u64::from(mask as u16) << (16 * index);
        }
        !below
    }
    #[cfg(not(target_arch = "x86_64"))]
    numbers
        .iter()
        .enumerate()
        .fold(0, |mask, (index, &number)| mask | u64::from(number >= least) << index)
}

/// The columns of [`sums_of_products`].
pub const PRODUCT_COLUMNS: usize = 16;

/// The sums `biases[j] + numbers[i] * weight(i, j)` for 16 columns `j`. The weights of two numbers after each
/// other are a row: those of the first column, those of the second, and so on. Sums too great wrap around.
#[inline(always)]
pub fn sums_of_products(
    numbers: &[i16],
    weights: &[[i16; 2 * PRODUCT_COLUMNS]],
    biases: &[i32; PRODUCT_COLUMNS],
) -> [i32; PRODUCT_COLUMNS] {
    let mut sums = *biases;
    let rows = numbers.chunks_exact(2).zip(weights);
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            __m128i, _mm_add_epi32, _mm_loadu_si128, _mm_madd_epi16, _mm_set1_epi32,
            _mm_storeu_si128,
        };
        // SAFETY: all x86-64 processors have SSE2. The four loads read the 16 biases, those of each row its
        // 32 weights, and the four stores write the 16 sums; none needs an alignment.
        unsafe {
            let load = |place: *const __m128i, index| _mm_loadu_si128(place.add(index));
            let place = sums.as_mut_ptr().cast::<__m128i>();
            let mut four = [0, 1, 2, 3].map(|index| load(place, index));
            for (pair, row) in rows {
                let pair = i32::from(pair[0]) & 0xffff | i32::from(pair[1]) << 16;
                let pair = _mm_set1_epi32(pair);
                let row = row.as_ptr().cast::<__m128i>();
                for (index, sums) in four.iter_mut().enumerate() {
                    *sums = _mm_add_epi32(*sums, _mm_madd_epi16(pair, load(row, index)));
                }
            }
            for (index, sums) in four.iter().enumerate() {
                _mm_storeu_si128(place.add(index), *sums);
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    for (pair, row) in rows {
        for (sum, weights) in sums.iter_mut().zip(row.chunks_exact(2)) {
            for (number, weight) in pair.iter().zip(weights) {
                *sum = sum.wrapping_add(i32::from(*number) * i32::from(*weight));
            }
        }
    }
    sums
}

/// Whose processor time.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// All threads of this process since its start.
    Process,
    /// This thread alone.
    Thread,
}

/// The processor time that somebody has had; `None` where the system does not tell (anywhere but on Linux
/// with 64 bits).
pub fn cpu_time(whose: Whose) -> Option<Duration> {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    {
        use std::os::raw::{c_int, c_long};
        /// `struct timespec` of the C library.
        #[repr(C)]
        struct Time {
            seconds: c_long,
            nanoseconds: c_long,
        }
        extern "C" {
            fn clock_gettime(clock: c_int, time: *mut Time) -> c_int;
        }
        // CLOCK_PROCESS_CPUTIME_ID and CLOCK_THREAD_CPUTIME_ID of Linux's time.h.
        let clock = match whose {
            Whose::Process => 2,
            Whose::Thread => 3,
        };
        let mut time = Time { seconds: 0, nanoseconds: 0 };
        // SAFETY: the pointer is to a local of the type that the call fills in.
        let status = unsafe { clock_gettime(clock, &mut time) };
        // A clock that stands at zero tells nothing.
        if status == 0 && (time.seconds, time.nanoseconds) != (0, 0) {
            Some(Duration::new(time.seconds as u64, time.nanoseconds as u32))
        } else {
            None
        }
    }
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    {
        let _ = whose;
        None
    }
}

/// The kernels of one path. A vector path can only be had where the processor has it.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    path: Path,
}

impl Kernels {
    /// The fastest kernels here.
    pub fn best() -> Kernels {
        let path = Path::available().pop().unwrap_or(Path::Plain);
        Kernels { path }
    }

    /// The kernels of a path, if the processor has it.
    pub fn new(path: Path) -> Option<Kernels> {
        Path::available().into_iter().find(|&found| found == path).map(|path| Kernels { path })
    }

    /// `to = from + added - removed`, for a move that changes one input.
    #[inline(always)]
    pub fn update_one(&self, to: &mut Sums, from: &Sums, added: &Row, removed: &Row) {
        match self.path {
            Path::Plain => plain::update(to, from, [added], [removed]),
            // SAFETY: `path` is only ever one that `Path::available` found on this processor.
            #[cfg(target_arch = "x86_64")]
            Path::Sse41 => unsafe { sse41::update(to, from, [added], [removed]) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::update(to, from, [added], [removed]) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => plain::update(to, from, [added], [removed]),
        }
    }

    /// As [`Kernels::update_one`], for a move that changes two inputs each way.
    #[inline(always)]
    pub fn update_two(&self, to: &mut Sums, from: &Sums, added: [&Row; 2], removed: [&Row; 2]) {
        match self.path {
            Path::Plain => plain::update(to, from, added, removed),
            // SAFETY: as in `update_one`.
            #[cfg(target_arch = "x86_64")]
            Path::Sse41 => unsafe { sse41::update(to, from, added, removed) },
            // SAFETY: as in `update_one`.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::update(to, from, added, removed) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => plain::update(to, from, added, removed),
        }
    }

    /// Adds (or removes) a single input in place.
    #[inline(always)]
    pub fn change(&self, sums: &mut Sums, row: &Row, add: bool) {
        match self.path {
            Path::Plain => plain::change(sums, row, add),
            // SAFETY: as in `update_one`.
            #[cfg(target_arch = "x86_64")]
            Path::Sse41 => unsafe { sse41::change(sums, row, add) },
            // SAFETY: as in `update_one`.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::change(sums, row, add) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => plain::change(sums, row, add),
        }
    }

    /// `to = from +` the rows of all `inputs`. Panics where there is no such row.
    #[inline(always)]
    pub fn add_all(&self, to: &mut Sums, from: &Sums, rows: &[Row], inputs: &[u16]) {
        match self.path {
            Path::Plain => plain::add_all(to, from, rows, inputs),
            // SAFETY: as in `update_one`.
            #[cfg(target_arch = "x86_64")]
            Path::Sse41 => unsafe { sse41::add_all(to, from, rows, inputs) },
            // SAFETY: as in `update_one`.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::add_all(to, from, rows, inputs) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => plain::add_all(to, from, rows, inputs),
        }
    }

    /// The sum of `w * a * a` over both views, with `a` the sum limited to 0..=127 (squared clipped
    /// ReLU). No partial sum leaves 32 bits: 256 * 127 * 127 * 256 < 2^31.
    #[inline(always)]
    pub fn output(&self, own: &Sums, other: &Sums, weights: &OutputRow) -> i32 {
        match self.path {
            Path::Plain => plain::output(own, other, weights),
            // SAFETY: as in `update_one`.
            #[cfg(target_arch = "x86_64")]
            Path::Sse41 => unsafe { sse41::output(own, other, weights) },
            // SAFETY: as in `update_one`.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::output(own, other, weights) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => plain::output(own, other, weights),
        }
    }
}

mod plain {
    use super::{OutputRow, Row, Sums, ACTIVATION_MAX, HIDDEN};

    pub fn update<const N: usize>(
        to: &mut Sums,
        from: &Sums,
        added: [&Row; N],
        removed: [&Row; N],
    ) {
        for i in 0..HIDDEN {
            let mut sum = from.0[i];
            for n in 0..N {
                sum += i16::from(added[n].0[i]) - i16::from(removed[n].0[i]);
            }
            to.0[i] = sum;
        }
    }

    pub fn change(sums: &mut Sums, row: &Row, add: bool) {
        for (sum, &weight) in sums.0.iter_mut().zip(&row.0) {
            *sum += if add { i16::from(weight) } else { -i16::from(weight) };
        }
    }

    pub fn add_all(to: &mut Sums, from: &Sums, rows: &[Row], inputs: &[u16]) {
        *to = *from;
        inputs.iter().for_each(|&input| change(to, &rows[usize::from(input)], true));
    }

    pub fn output(own: &Sums, other: &Sums, weights: &OutputRow) -> i32 {
        let activated = own.0.iter().chain(&other.0).map(|sum| sum.clamp(&0, &ACTIVATION_MAX));
        activated.zip(&weights.0).map(|(&a, &w)| i32::from(a) * i32::from(a * w)).sum()
    }
}

#[cfg(target_arch = "x86_64")]
mod sse41 {
    use super::{OutputRow, Row, Sums, ACTIVATION_MAX, HIDDEN};
    use std::arch::x86_64::*;

    /// 16-bit lanes of a vector.
    const LANES: usize = 8;
    /// Vectors of sums held in registers at a time.
    const BLOCK: usize = 8;
    const _: () = assert!(HIDDEN % (BLOCK * LANES) == 0);

    #[inline]
    #[target_feature(enable = "sse4.1")]
    unsafe fn load_row(row: &Row, at: usize) -> __m128i {
        // SAFETY: callers keep `at + LANES <= HIDDEN`; the load takes 8 bytes at any alignment.
        unsafe { _mm_cvtepi8_epi16(_mm_loadl_epi64(row.0.as_ptr().add(at).cast())) }
    }

    /// SAFETY: the processor must have SSE4.1.
    #[target_feature(enable = "sse4.1")]
    pub unsafe fn update<const N: usize>(
        to: &mut Sums,
        from: &Sums,
        added: [&Row; N],
        removed: [&Row; N],
    ) {
        for at in (0..HIDDEN).step_by(LANES) {
            // SAFETY: `at + LANES <= HIDDEN`, and `Sums` is aligned to 64 bytes.
            unsafe {
                let mut sum = _mm_load_si128(from.0.as_ptr().add(at).cast());
                for n in 0..N {
                    sum = _mm_add_epi16(sum, load_row(added[n], at));
                    sum = _mm_sub_epi16(sum, load_row(removed[n], at));
                }
                _mm_store_si128(to.0.as_mut_ptr().add(at).cast(), sum);
            }
        }
    }

    /// SAFETY: the processor must have SSE4.1.
    #[target_feature(enable = "sse4.1")]
    pub unsafe fn change(sums: &mut Sums, row: &Row, add: bool) {
        for at in (0..HIDDEN).step_by(LANES) {
            // SAFETY: as in `update`.
            unsafe {
                let place = sums.0.as_mut_ptr().add(at).cast();
                let (sum, weights) = (_mm_load_si128(place), load_row(row, at));
                let sum =
                    if add { _mm_add_epi16(sum, weights) } else { _mm_sub_epi16(sum, weights) };
                _mm_store_si128(place, sum);
            }
        }
    }

    /// SAFETY: the processor must have SSE4.1.
    #[target_feature(enable = "sse4.1")]
    pub unsafe fn add_all(to: &mut Sums, from: &Sums, rows: &[Row], inputs: &[u16]) {
        // As many sums at a time as fit the registers.
        for first in (0..HIDDEN).step_by(BLOCK * LANES) {
            // SAFETY: `first + BLOCK * LANES <= HIDDEN`, as `BLOCK * LANES` divides `HIDDEN`; `Sums` is
            // aligned to 64 bytes, and `rows` is indexed with a check.
            unsafe {
                let (from, to) = (from.0.as_ptr().add(first), to.0.as_mut_ptr().add(first));
                let mut block = [_mm_setzero_si128(); BLOCK];
                for (i, sum) in block.iter_mut().enumerate() {
                    *sum = _mm_load_si128(from.add(i * LANES).cast());
                }
                for &input in inputs {
                    let row = &rows[usize::from(input)];
                    for (i, sum) in block.iter_mut().enumerate() {
                        *sum = _mm_add_epi16(*sum, load_row(row, first + i * LANES));
                    }
                }
                for (i, sum) in block.iter().enumerate() {
                    _mm_store_si128(to.add(i * LANES).cast(), *sum);
                }
            }
        }
    }

    /// SAFETY: the processor must have SSE4.1.
    #[target_feature(enable = "sse4.1")]
    pub unsafe fn output(own: &Sums, other: &Sums, weights: &OutputRow) -> i32 {
        // SAFETY: `at + LANES <= HIDDEN` for the sums, the weights have twice as many; all are
        // aligned to 64 bytes.
        unsafe {
            let (zero, one) = (_mm_setzero_si128(), _mm_set1_epi16(ACTIVATION_MAX));
            let mut total = zero;
            for (view, first) in [(own, 0), (other, HIDDEN)] {
                for at in (0..HIDDEN).step_by(LANES) {
                    let sum = _mm_load_si128(view.0.as_ptr().add(at).cast());
                    let active = _mm_min_epi16(_mm_max_epi16(sum, zero), one);
                    let weight = _mm_load_si128(weights.0.as_ptr().add(first + at).cast());
                    let product = _mm_madd_epi16(active, _mm_mullo_epi16(active, weight));
                    total = _mm_add_epi32(total, product);
                }
            }
            let total = _mm_add_epi32(total, _mm_shuffle_epi32(total, 0b01_00_11_10));
            let total = _mm_add_epi32(total, _mm_shuffle_epi32(total, 0b10_11_00_01));
            _mm_cvtsi128_si32(total)
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{OutputRow, Row, Sums, ACTIVATION_MAX, HIDDEN};
    use std::arch::x86_64::*;

    /// 16-bit lanes of a vector.
    const LANES: usize = 16;
    /// Vectors of sums held in registers at a time.
    const BLOCK: usize = 8;
    const _: () = assert!(HIDDEN % (BLOCK * LANES) == 0);

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn load_row(row: &Row, at: usize) -> __m256i {
        // SAFETY: callers keep `at + LANES <= HIDDEN`, a multiple of 16; `Row` is aligned.
        unsafe { _mm256_cvtepi8_epi16(_mm_load_si128(row.0.as_ptr().add(at).cast())) }
    }

    /// SAFETY: the processor must have AVX2.
    #[target_feature(enable = "avx2")]
    pub unsafe fn update<const N: usize>(
        to: &mut Sums,
        from: &Sums,
        added: [&Row; N],
        removed: [&Row; N],
    ) {
        for at in (0..HIDDEN).step_by(LANES) {
            // SAFETY: `at + LANES <= HIDDEN`, and `Sums` is aligned to 64 bytes.
            unsafe {
                let mut sum = _mm256_load_si256(from.0.as_ptr().add(at).cast());
                for n in 0..N {
                    sum = _mm256_add_epi16(sum, load_row(added[n], at));
                    sum = _mm256_sub_epi16(sum, load_row(removed[n], at));
                }
                _mm256_store_si256(to.0.as_mut_ptr().add(at).cast(), sum);
            }
        }
    }

    /// SAFETY: the processor must have AVX2.
    #[target_feature(enable = "avx2")]
    pub unsafe fn change(sums: &mut Sums, row: &Row, add: bool) {
        for at in (0..HIDDEN).step_by(LANES) {
            // SAFETY: as in `update`.
            unsafe {
                let place = sums.0.as_mut_ptr().add(at).cast();
                let (sum, weights) = (_mm256_load_si256(place), load_row(row, at));
                let sum = if add {
                    _mm256_add_epi16(sum, weights)
                } else {
                    _mm256_sub_epi16(sum, weights)
                };
                _mm256_store_si256(place, sum);
            }
        }
    }

    /// SAFETY: the processor must have AVX2.
    #[target_feature(enable = "avx2")]
    pub unsafe fn add_all(to: &mut Sums, from: &Sums, rows: &[Row], inputs: &[u16]) {
        // As many sums at a time as fit the registers.
        for first in (0..HIDDEN).step_by(BLOCK * LANES) {
            // SAFETY: `first + BLOCK * LANES <= HIDDEN`, as `BLOCK * LANES` divides `HIDDEN`; `Sums` is
            // aligned to 64 bytes, and `rows` is indexed with a check.
            unsafe {
                let (from, to) = (from.0.as_ptr().add(first), to.0.as_mut_ptr().add(first));
                let mut block = [_mm256_setzero_si256(); BLOCK];
                for (i, sum) in block.iter_mut().enumerate() {
                    *sum = _mm256_load_si256(from.add(i * LANES).cast());
                }
                for &input in inputs {
                    let row = &rows[usize::from(input)];
                    for (i, sum) in block.iter_mut().enumerate() {
                        *sum = _mm256_add_epi16(*sum, load_row(row, first + i * LANES));
                    }
                }
                for (i, sum) in block.iter().enumerate() {
                    _mm256_store_si256(to.add(i * LANES).cast(), *sum);
                }
            }
        }
    }

    /// SAFETY: the processor must have AVX2.
    #[target_feature(enable = "avx2")]
    pub unsafe fn output(own: &Sums, other: &Sums, weights: &OutputRow) -> i32 {
        // SAFETY: `at + LANES <= HIDDEN` for the sums, the weights have twice as many; all are
        // aligned to 64 bytes.
        unsafe {
            let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(ACTIVATION_MAX));
            let mut total = zero;
            for (view, first) in [(own, 0), (other, HIDDEN)] {
                for at in (0..HIDDEN).step_by(LANES) {
                    let sum = _mm256_load_si256(view.0.as_ptr().add(at).cast());
                    let active = _mm256_min_epi16(_mm256_max_epi16(sum, zero), one);
                    let weight = _mm256_load_si256(weights.0.as_ptr().add(first + at).cast());
                    let product = _mm256_madd_epi16(active, _mm256_mullo_epi16(active, weight));
                    total = _mm256_add_epi32(total, product);
                }
            }
            let (low, high) = (_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
            let total = _mm_add_epi32(low, high);
            let total = _mm_add_epi32(total, _mm_shuffle_epi32(total, 0b01_00_11_10));
            let total = _mm_add_epi32(total, _mm_shuffle_epi32(total, 0b10_11_00_01));
            _mm_cvtsi128_si32(total)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{at_least, sums_of_products, PRODUCT_COLUMNS};
    use crate::engine::rng::Rng;

    #[test]
    fn places_of_great_numbers_are_found() {
        let mut rng = Rng::new(3);
        for least in [i16::MIN, -2000, -1, 0, 1, 700, i16::MAX] {
            for _ in 0..100 {
                let mut numbers = [0; 64];
                // Many near the limit, and the extremes.
                numbers.iter_mut().for_each(|number| {
                    *number = match rng.below(4) {
                        0 => least,
                        1 => least.saturating_add(rng.below(3) as i16 - 1),
                        2 => [i16::MIN, i16::MAX][rng.below(2)],
                        _ => (rng.below(1 << 16) as i32 - (1 << 15)) as i16,
                    }
                });
                let found = at_least(&numbers, least);
                for (place, &number) in numbers.iter().enumerate() {
                    assert_eq!(found >> place & 1 != 0, number >= least, "{} {}", number, least);
                }
            }
        }
    }

    #[test]
    fn sums_of_products_are_those_of_single_products() {
        let mut rng = Rng::new(4);
        for most in [3, 300, i32::from(i16::MAX)] {
            for _ in 0..100 {
                let mut any = || (rng.below(2 * most as usize + 1) as i32 - most) as i16;
                let numbers: Vec<i16> = (0..10).map(|_| any()).collect();
                let weights = [[0; 2 * PRODUCT_COLUMNS]; 5].map(|row| row.map(|_: i16| any()));
                let biases = [0; PRODUCT_COLUMNS].map(|_: i32| i32::from(any()));
                let sums = sums_of_products(&numbers, &weights, &biases);
                for (column, &sum) in sums.iter().enumerate() {
                    let product = |(row, &number): (usize, &i16)| {
                        i64::from(number) * i64::from(weights[row / 2][2 * column + row % 2])
                    };
                    let products: i64 = numbers.iter().enumerate().map(product).sum();
                    assert_eq!(sum, (i64::from(biases[column]) + products) as i32);
                }
            }
        }
    }
}
