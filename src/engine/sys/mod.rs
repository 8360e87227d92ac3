//! All unsafe code: SIMD kernels, prefetch, calls of the operating system.

pub mod os;
mod plain;
pub mod rows;
pub mod simd;
