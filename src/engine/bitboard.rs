//! Operators of sets of squares.

/// Implements an operator of `Bitboard` and its assignment.
macro_rules! set_operator {
    ($trait:ident $method:ident $assign_trait:ident $assign_method:ident $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
pub(crate) use set_operator;
