//! Makes a source small where a contest counts its characters, in steps: comments and attributes for people go
//! ([`tokens`]), modules move into the root ([`flatten`]), what nothing needs goes ([`reach`]), names get one
//! character ([`names`]), words that are met often stand once ([`words`]), and between tokens stays only what must
//! part them ([`layout`]).

mod edits;
mod flatten;
mod layout;
mod modules;
mod names;
mod reach;
mod tokens;
mod words;

use anyhow::{Context, Result};

/// The source with the same meaning in fewer characters. It must be complete, with `main` in it.
pub fn minified(source: &str) -> Result<String> {
    let text = layout::text_of(&tokens::flat(source)?);
    let text = flatten::flattened(&text).context("putting all modules into one")?;
    let text = reach::without_unreached(&text).context("looking for what is needed")?;
    let text = names::renamed(&text).context("looking for names")?;
    Ok(layout::text_of(&words::abbreviated(tokens::flat(&text)?)))
}

#[cfg(test)]
mod tests;
