//! Sets of squares of a board of 64 squares.

/// Declares `Bitboard`, a set of squares of type `Square`: bit `n` stands for the square with index `n`.
macro_rules! bitboard {
    () => {
        /// A set of squares: bit `n` stands for the square with index `n`.
        #[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
        pub struct Bitboard(pub u64);

        impl Bitboard {
            /// No square.
            pub const EMPTY: Bitboard = Bitboard(0);

            /// Whether the square is in the set.
            #[inline(always)]
            pub const fn has(self, square: Square) -> bool {
                self.0 >> square.index() & 1 != 0
            }

            /// Whether the set is empty.
            #[inline(always)]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether the set has any square.
            #[inline(always)]
            pub const fn any(self) -> bool {
                self.0 != 0
            }

            /// The number of squares.
            #[inline(always)]
            pub const fn count(self) -> usize {
                self.0.count_ones() as usize
            }
        }

        /// The squares from the lowest index to the highest.
        #[derive(Clone, Copy)]
        pub struct Squares(u64);

        impl Iterator for Squares {
            type Item = Square;

            #[inline(always)]
            fn next(&mut self) -> Option<Square> {
                if self.0 == 0 {
                    return None;
                }
                let index = self.0.trailing_zeros() as usize;
                self.0 &= self.0 - 1;
                Some(Square::from_index(index))
            }
        }

        impl IntoIterator for Bitboard {
            type Item = Square;
            type IntoIter = Squares;

            #[inline(always)]
            fn into_iter(self) -> Squares {
                Squares(self.0)
            }
        }

        $crate::engine::bitboard::binary_operator!(BitAnd bitand BitAndAssign bitand_assign &);
        $crate::engine::bitboard::binary_operator!(BitOr bitor BitOrAssign bitor_assign |);
        $crate::engine::bitboard::binary_operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

        impl std::ops::Not for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn not(self) -> Bitboard {
                Bitboard(!self.0)
            }
        }
    };
}

/// Implements an operator of `Bitboard` and its assignment.
macro_rules! binary_operator {
    ($trait:ident $method:ident $assign_trait:ident $assign_method:ident $op:tt) => {
        impl std::ops::$trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }

        impl std::ops::$assign_trait for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
pub(crate) use {binary_operator, bitboard};
