//! Sets of squares.

/// Implements what sets of squares of all boards have in common: a set is a type whose only field is a `u64`, in which
/// bit `n` represents the square with index `n`. The last arguments are the names of the operators.
macro_rules! square_set {
    ($set:ident of $square:ident:
        $($trait:ident $method:ident $assign_trait:ident $assign_method:ident $op:tt)*) => {
        impl $set {
            /// The empty set.
            pub const EMPTY: $set = $set(0);

            /// Whether the set contains the square.
            #[inline(always)]
            pub const fn has(self, square: $square) -> bool {
                self.0 >> square.index() & 1 != 0
            }

            /// Whether the set is empty.
            #[inline(always)]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether the set is not empty.
            #[inline(always)]
            pub const fn any(self) -> bool {
                self.0 != 0
            }
        }

        /// Iterates over the squares in ascending order.
        #[derive(Clone, Copy)]
        pub struct Squares(u64);

        impl Iterator for Squares {
            type Item = $square;

            #[inline(always)]
            fn next(&mut self) -> Option<$square> {
                if self.0 == 0 {
                    return None;
                }
                let square = $square::from_index(self.0.trailing_zeros() as usize);
                self.0 &= self.0 - 1;
                Some(square)
            }
        }

        impl IntoIterator for $set {
            type Item = $square;
            type IntoIter = Squares;

            #[inline(always)]
            fn into_iter(self) -> Squares {
                Squares(self.0)
            }
        }

        $(
            impl std::ops::$trait for $set {
                type Output = $set;
                #[inline(always)]
                fn $method(self, other: $set) -> $set {
                    $set(self.0 $op other.0)
                }
            }

            impl std::ops::$assign_trait for $set {
                #[inline(always)]
                fn $assign_method(&mut self, other: $set) {
                    self.0 = self.0 $op other.0;
                }
            }
        )*

        impl std::ops::Not for $set {
            type Output = $set;
            #[inline(always)]
            fn not(self) -> $set {
                $set(!self.0)
            }
        }
    };
}
pub(crate) use square_set;
