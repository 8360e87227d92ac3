//! Game-independent helpers for commands and labs: files, text, numbers, signals, HTML pages.

pub mod ctrl_c;
pub mod files;
pub mod pages;
pub mod progress_bar;
pub mod random;
pub mod shard;
pub mod simd_option;
pub mod stats;
pub mod style;
pub mod text;
pub mod units;
