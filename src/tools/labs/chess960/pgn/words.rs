//! The words of PGN, and limits of reading it.

/// The results of games, and the sides that they mean.
pub const WHITE_WINS: &str = "1-0";
pub const BLACK_WINS: &str = "0-1";
pub const DRAWN: &str = "1/2-1/2";
pub const OPEN: &str = "*";
/// Variations within variations are read and written to this depth.
pub const MAX_DEPTH: usize = 60;
/// The name of the variant.
pub const VARIANT: &str = "Chess960";
