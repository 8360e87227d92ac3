//! Makes a source small where a contest counts its characters: what nothing names is left out, comments and
//! layout too, and names are short.

mod edits;
mod layout;
mod names;
mod reach;
mod tokens;
mod words;

use anyhow::Result;

/// The source with the same meaning in fewer characters.
pub fn minified(source: &str) -> Result<String> {
    let text = reach::without_unreached(source)?;
    let short = names::short_names(&text)?;
    let tokens = words::abbreviated(names::renamed(tokens::flat(&text)?, &short));
    Ok(layout::text_of(&tokens))
}
