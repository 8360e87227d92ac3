//! Parameters of a search that a tuner may change.

/// The range of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct ParamSpec {
    /// The field's name.
    pub name: &'static str,
    /// The value in play.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// The size of a tuner's first step.
    pub step: i32,
    /// What it means, with a blank before each line of the text.
    pub meaning: &'static str,
}

/// Declares the parameters of a search as the fields of a type `Params`: meaning, name, default, minimum, maximum, and
/// the tuner's first step of each.
macro_rules! params {
    ($($(#[doc = $doc:expr])* $name:ident = $default:expr, $min:expr, $max:expr, $step:expr;)*) => {
        /// The parameters of a searcher. Two searchers with different ones can meet in one process.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[doc = $doc])* pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// The ranges of all parameters.
            pub const SPECS: &'static [$crate::engine::params::ParamSpec] = &[
                $($crate::engine::params::ParamSpec {
                    name: stringify!($name),
                    default: $default,
                    min: $min,
                    max: $max,
                    step: $step,
                    meaning: concat!($($doc),*),
                },)*
            ];

            /// The value of a parameter by its name.
            pub fn value_of(&self, name: &str) -> Option<i32> {
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
pub(crate) use params;
