//! Minifies a source for contests that limit the number of characters, in steps:
//!
//! - [`tokens`] removes comments and attributes without effect on the program.
//! - [`flatten`] moves all items into the root module.
//! - [`reach`] removes unreachable items.
//! - [`names`] replaces names by names of one character.
//! - [`words`] replaces frequent tokens by macro parameters.
//! - [`layout`] removes unnecessary white space.

mod edits;
mod flatten;
mod layout;
mod modules;
mod names;
mod reach;
mod tokens;
mod words;

use anyhow::{Context, Result};

/// Returns an equivalent source with fewer characters. The source must be a complete program with `main`.
pub fn minify(source: &str) -> Result<String> {
    let text = layout::text_of(&tokens::relevant_tokens(source)?);
    let text = flatten::flatten(&text).context("flattening modules")?;
    let text = reach::remove_unreachable(&text).context("removing unreachable items")?;
    let text = names::shorten_names(&text).context("shortening names")?;
    Ok(layout::text_of(&words::abbreviate(tokens::relevant_tokens(&text)?)))
}

#[cfg(test)]
mod tests;
