//! Operators of sets.

/// Implements the operators of a set whose only field is a bit mask.
macro_rules! set_operators {
    ($set:ident: $($trait:ident $method:ident $assign_trait:ident $assign_method:ident $op:tt)*) => {
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
pub(crate) use set_operators;
