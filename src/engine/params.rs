//! What a tuner knows of a number of the search.

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
