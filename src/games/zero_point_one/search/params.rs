//! The numbers of the search that a tuner may turn.

/// Declares every parameter once: name, default, least, most, step of the tuner, meaning.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:expr, $min:expr, $max:expr, $step:expr;)*) => {
        /// The parameters of a searcher. Two searchers with different ones can meet in one process.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// The ranges of all parameters.
            pub const SPECS: &'static [ParamSpec] = &[
                $(ParamSpec {
                    name: stringify!($name),
                    default: $default,
                    min: $min,
                    max: $max,
                    step: $step,
                },)*
            ];

            /// The value of a parameter by its name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets a parameter by its name. False: no such name.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

/// The range of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct ParamSpec {
    /// The field's name.
    pub name: &'static str,
    /// The value in play.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    /// The size of a tuner's first step.
    pub step: i32,
}

params! {
    /// Half the width of the first aspiration window.
    aspiration_width = 40, 5, 200, 10;
    /// Null move from this depth on.
    null_min_depth = 3, 1, 6, 1;
    /// Plies that a null move saves at least.
    null_base = 3, 1, 5, 1;
    /// One more ply saved for so many plies of depth.
    null_depth_divisor = 4, 2, 8, 1;
    /// Late move reductions from this depth on.
    lmr_min_depth = 3, 1, 6, 1;
    /// Late move reductions from this move on.
    lmr_min_moves = 4, 1, 12, 1;
    /// The constant of the reduction, in hundredths of a ply.
    lmr_base = 50, -50, 200, 20;
    /// The divisor of `ln(depth) * ln(moves)`, in hundredths.
    lmr_divisor = 220, 100, 500, 30;
    /// The largest magnitude of a history value.
    history_limit = 8192, 1024, 16384, 1024;
}
