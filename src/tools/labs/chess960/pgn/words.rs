//! Words and limits of PGN.

/// Game results.
pub const WHITE_WINS: &str = "1-0";
pub const BLACK_WINS: &str = "0-1";
pub const DRAWN: &str = "1/2-1/2";
pub const OPEN: &str = "*";
/// Maximum nesting depth of variations.
pub const MAX_DEPTH: usize = 60;
/// Value of the tag `Variant`.
pub const VARIANT: &str = "Chess960";
