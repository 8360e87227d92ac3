//! Makes one file of a tree of modules: `mod x;` becomes `mod x { ... }`, tests are left out, and
//! `include_str!` and `include_bytes!` become literals. Comments and layout stay.

use super::literals::{data_literal, text_literal};
use anyhow::{anyhow, bail, ensure, Context, Result};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use std::collections::HashSet;
use std::ops::Range;

/// Files by their path, with `/`, below the root of the crate's sources.
pub type Sources<'a> = &'a [(&'a str, &'a [u8])];

/// The source of the module in the file `path` with all modules below it inside.
pub fn bundle(sources: Sources, path: &str) -> Result<String> {
    let text = text_of(sources, path)?;
    let tokens = tokens_of(text).with_context(|| path.to_string())?;
    // The modules of `a/mod.rs` lie in `a`, those of `a/b.rs` in `a/b`.
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let modules = stem.strip_suffix("/mod").unwrap_or(stem).to_string();
    let mut file = File { sources, path, edits: Vec::new() };
    file.walk(tokens, &modules).with_context(|| path.to_string())?;
    Ok(apply(text, file.edits))
}

/// The same source one level deeper. Lines within a literal stay as they are: there blanks count.
pub fn indented(source: &str) -> Result<String> {
    let mut fixed = HashSet::new();
    collect_literal_lines(tokens_of(source)?, &mut fixed);
    let mut text = String::with_capacity(source.len() * 9 / 8);
    for (index, line) in source.lines().enumerate() {
        if !line.is_empty() && !fixed.contains(&(index + 1)) {
            text.push_str("    ");
        }
        text.push_str(line);
        text.push('\n');
    }
    Ok(text)
}

/// A replacement of a part of a file.
struct Edit {
    range: Range<usize>,
    text: String,
    /// Nothing shall remain of the lines that this leaves empty.
    whole_lines: bool,
}

/// A file while its edits are collected.
struct File<'a> {
    sources: Sources<'a>,
    path: &'a str,
    edits: Vec<Edit>,
}

impl File<'_> {
    /// Collects the edits of a token stream; `modules` is the folder of its child modules.
    fn walk(&mut self, tokens: TokenStream, modules: &str) -> Result<()> {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        while index < trees.len() {
            index += self.step(&trees[index..], modules)?;
        }
        Ok(())
    }

    /// Handles what stands first in `trees`; returns the number of trees done.
    fn step(&mut self, trees: &[TokenTree], modules: &str) -> Result<usize> {
        let attributes = attribute_run(trees);
        if attributes.iter().any(|text| text == "cfg(test)") {
            let end = item_end(&trees[2 * attributes.len()..])
                .ok_or_else(|| anyhow!("can't find the end of an item for tests"))?
                + 2 * attributes.len();
            let range = start(&trees[0])..trees[end - 1].span().byte_range().end;
            self.edits.push(Edit { range, text: String::new(), whole_lines: true });
            return Ok(end);
        }
        ensure!(
            !attributes.iter().any(|text| text.starts_with("path=")),
            "can't bundle a module with a path attribute"
        );
        match trees {
            [TokenTree::Ident(word), TokenTree::Ident(name), end, ..] if word == "mod" => {
                let inner = format!("{modules}/{name}");
                match end {
                    TokenTree::Punct(end) if end.as_char() == ';' => {
                        let source = indented(&self.child(&inner)?)?;
                        self.replace(end.span(), format!(" {{\n{source}}}"));
                    }
                    TokenTree::Group(body) => self.walk(body.stream(), &inner)?,
                    _ => {}
                }
                Ok(3)
            }
            [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(arguments), ..]
                if bang.as_char() == '!' && name.to_string().starts_with("include") =>
            {
                let literal = self.include(&name.to_string(), arguments.stream())?;
                let range = start(&trees[0])..arguments.span().byte_range().end;
                self.edits.push(Edit { range, text: literal, whole_lines: false });
                Ok(3)
            }
            [TokenTree::Group(group), ..] => {
                self.walk(group.stream(), modules)?;
                Ok(1)
            }
            _ => Ok(1),
        }
    }

    /// The source of the child module whose path is `stem` without the ending.
    fn child(&self, stem: &str) -> Result<String> {
        let candidates = [format!("{stem}.rs"), format!("{stem}/mod.rs")];
        let found = candidates.iter().find(|path| find(self.sources, path).is_some());
        match found {
            Some(path) => bundle(self.sources, path),
            None => bail!("neither {} nor {} exists", candidates[0], candidates[1]),
        }
    }

    /// The literal that stands for `name!(arguments)`.
    fn include(&self, name: &str, arguments: TokenStream) -> Result<String> {
        let argument = arguments.to_string();
        let relative = argument.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let Some(relative) = relative.filter(|path| !path.contains(['\\', '"'])) else {
            bail!("can't bundle {name}!({argument}): expected a plain path");
        };
        let path = beside(self.path, relative);
        match name {
            "include_str" => Ok(text_literal(text_of(self.sources, &path)?)),
            "include_bytes" => data_literal(
                find(self.sources, &path).ok_or_else(|| anyhow!("{path} does not exist"))?,
            )
            .context(path),
            _ => bail!("can't bundle {name}!"),
        }
    }

    fn replace(&mut self, span: Span, text: String) {
        self.edits.push(Edit { range: span.byte_range(), text, whole_lines: false });
    }
}

/// The text with all edits, which do not overlap, applied.
fn apply(text: &str, edits: Vec<Edit>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        result.push_str(&text[done..edit.range.start]);
        done = edit.range.end;
        if edit.whole_lines {
            // The indentation before, the line end behind, and all blank lines around but one.
            let before = result.trim_end().len();
            let rest = text[done..].trim_start_matches([' ', '\n']);
            let gap = &text[done..text.len() - rest.len()];
            let blank = result[before..].contains("\n\n") || gap.contains("\n\n");
            result.truncate(before);
            result.push('\n');
            if blank && !rest.is_empty() && !rest.starts_with('}') {
                result.push('\n');
            }
            done += gap.trim_end_matches(' ').len();
        }
        result.push_str(&edit.text);
    }
    result.push_str(&text[done..]);
    result
}

/// The outer attributes that `trees` begins with, without blanks. Each takes two trees.
fn attribute_run(trees: &[TokenTree]) -> Vec<String> {
    let pairs = trees.chunks_exact(2).map_while(|pair| match pair {
        [TokenTree::Punct(hash), TokenTree::Group(body)]
            if hash.as_char() == '#' && body.delimiter() == Delimiter::Bracket =>
        {
            Some(body.stream().to_string().replace(' ', ""))
        }
        _ => None,
    });
    pairs.collect()
}

/// How many trees the item that `trees` begins with has: up to its semicolon or its braces.
fn item_end(trees: &[TokenTree]) -> Option<usize> {
    let words: Vec<String> = trees.iter().take(4).map(ToString::to_string).collect();
    let words = words.iter().map(String::as_str).skip_while(|w| *w == "pub" || w.starts_with('('));
    let words: Vec<&str> = words.collect();
    let ends_with_semicolon = match words[..] {
        ["const", next, ..] => !matches!(next, "fn" | "unsafe" | "extern" | "async"),
        [first, ..] => matches!(first, "use" | "static" | "type" | "let"),
        [] => false,
    };
    let end = trees.iter().position(|tree| match tree {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !ends_with_semicolon,
        _ => false,
    })?;
    Some(end + 1)
}

/// The lines (from 1) that begin inside a literal.
fn collect_literal_lines(tokens: TokenStream, lines: &mut HashSet<usize>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => collect_literal_lines(group.stream(), lines),
            TokenTree::Literal(literal) => {
                let span = literal.span();
                lines.extend(span.start().line + 1..=span.end().line);
            }
            _ => {}
        }
    }
}

fn start(tree: &TokenTree) -> usize {
    tree.span().byte_range().start
}

fn tokens_of(text: &str) -> Result<TokenStream> {
    text.parse().map_err(|error| anyhow!("not Rust: {error}"))
}

fn find<'a>(sources: Sources<'a>, path: &str) -> Option<&'a [u8]> {
    sources.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
}

fn text_of<'a>(sources: Sources<'a>, path: &str) -> Result<&'a str> {
    let bytes = find(sources, path).ok_or_else(|| anyhow!("{path} does not exist"))?;
    std::str::from_utf8(bytes).with_context(|| path.to_string())
}

/// The path that `relative` means in the file `path`.
fn beside(path: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests;
