//! Rows of numbers that the loops work on.

/// Numbers that begin where a cache line does, so that no vector of them lies on two.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Aligned<T>(pub T);

/// The sums of a layer of `N` neurons.
pub type Sums<const N: usize> = Aligned<[i16; N]>;
/// The weights of one input of such a layer.
pub type Row<const N: usize> = Aligned<[i8; N]>;
