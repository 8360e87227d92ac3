//! Aligned arrays that the kernels work on.

/// A value aligned to a cache line, so that no SIMD vector in it crosses cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Aligned<T>(pub T);

/// Accumulator of a layer of `N` neurons.
pub type Sums<const N: usize> = Aligned<[i16; N]>;
/// Weights from one feature to a layer of `N` neurons.
pub type Row<const N: usize> = Aligned<[i8; N]>;
