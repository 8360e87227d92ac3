//! Makes a source small where a contest counts its characters: what nothing names is left out, comments and
//! layout too, and names are short.

mod edits;
mod flatten;
mod layout;
mod modules;
mod names;
mod reach;
mod tidy;
mod tokens;
mod words;

use anyhow::{Context, Result};

/// The source with the same meaning in fewer characters.
pub fn minified(source: &str) -> Result<String> {
    let text = layout::text_of(&tokens::flat(source)?);
    let text = flatten::flattened(&text)?;
    let text = reach::without_unreached(&text)?;
    let text = tidy::tidied(&text)?;
    if let Ok(p) = std::env::var("DUMP") { std::fs::write(p, &text)?; }
    let short = names::short_names(&text).context("the flat source")?;
    let tokens = words::abbreviated(names::renamed(tokens::flat(&text)?, &short));
    Ok(layout::text_of(&tokens))
}
