//! Tunable search parameters.

/// Description of a tunable parameter.
#[derive(Clone, Copy, Debug)]
pub struct ParamSpec {
    /// Name of the field.
    pub name: &'static str,
    /// Default value.
    pub default: i32,
    /// Minimum value.
    pub min: i32,
    /// Maximum value.
    pub max: i32,
    /// Initial step size of the tuner.
    pub step: i32,
    /// Description: the doc comment, with a space before each line.
    pub meaning: &'static str,
}

/// Declares a type `Params` with one field per search parameter: description, name, default, minimum, maximum and
/// initial tuner step.
macro_rules! params {
    ($($(#[doc = $doc:expr])* $name:ident = $default:expr, $min:expr, $max:expr, $step:expr;)*) => {
        /// Parameters of a searcher. Searchers in one process may have different ones.
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
            /// Descriptions of all parameters.
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

            /// Returns the value of the parameter with this name.
            pub fn value_of(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets the parameter with this name. Returns false if the name is unknown.
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
