//! All unsafe code: SIMD kernels, prefetch and system calls.

pub mod os;
mod plain;
pub mod rows;
pub mod simd;
