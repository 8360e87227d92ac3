//! What commands and labs share and what knows no game: files, texts, numbers, signals, pages.

pub mod ctrl_c;
pub mod files;
pub mod pages;
pub mod progress_bar;
pub mod random;
pub mod reaper;
pub mod shard;
pub mod simd_option;
pub mod stats;
pub mod style;
pub mod text;
pub mod units;
