//! Bundles a tree of modules into one file: `mod x;` becomes `mod x { ... }`, tests are removed, and `include_str!` and
//! `include_bytes!` become literals. Comments and layout are kept.

use super::literals::{data_literal, dense_literal, text_literal};
use anyhow::{anyhow, bail, Context, Error, Result};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use std::ops::Range;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, ImplItem, Item, ItemMod, Macro, Stmt, TraitItem};

/// Source files by path, relative to the crate's source folder, with `/` as separator.
pub type Sources<'a> = &'a [(&'a str, &'a [u8])];

/// Form of the literals of data files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// ASCII: few bytes.
    Ascii,
    /// Ideographs: few characters.
    Dense,
}

/// Returns the source of the module in the file `path`, with all its submodules inlined.
pub fn bundle(sources: Sources, path: &str, form: Form) -> Result<String> {
    let text = text_of(sources, path)?;
    let syntax = syn::parse_file(text).with_context(|| path.to_string())?;
    // The submodules of `a/mod.rs` are in `a`, those of `a/b.rs` in `a/b`.
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let modules = stem.strip_suffix("/mod").unwrap_or(stem).to_string();
    let mut file = File { sources, path, form, modules, edits: Vec::new(), result: Ok(()) };
    file.visit_file(&syntax);
    file.result.with_context(|| path.to_string())?;
    Ok(apply(text, file.edits))
}

/// Indents a source by one level, except lines that begin inside a literal, where spaces are significant.
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

/// A replacement of a range of a file.
struct Edit {
    range: Range<usize>,
    text: String,
    /// Whether lines that become empty are removed.
    whole_lines: bool,
}

/// A file and its edits so far, in the order of the text.
struct File<'a> {
    sources: Sources<'a>,
    path: &'a str,
    form: Form,
    /// Folder of the submodules of the visited module.
    modules: String,
    edits: Vec<Edit>,
    /// The first error.
    result: Result<()>,
}

impl<'ast> Visit<'ast> for File<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !self.remove_if_test(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !self.remove_if_test(item) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if !self.remove_if_test(item) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if !self.remove_if_test(statement) {
            visit::visit_stmt(self, statement);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if module.attrs.iter().any(|attribute| attribute.path().is_ident("path")) {
            return self.fail(anyhow!("can't bundle a module with a path attribute"));
        }
        let inner = format!("{}/{}", self.modules, module.ident);
        if let Some(semicolon) = module.semi {
            match self.child(&inner).and_then(|source| indented(&source)) {
                Ok(source) => self.replace(semicolon.span(), format!(" {{\n{source}}}")),
                Err(error) => self.fail(error),
            }
        } else {
            let outer = std::mem::replace(&mut self.modules, inner);
            visit::visit_item_mod(self, module);
            self.modules = outer;
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let name = call.path.to_token_stream().to_string();
        if name.starts_with("include") {
            match self.include(&name, call.tokens.to_string()) {
                Ok(literal) => self.replace(call.span(), literal),
                Err(error) => self.fail(error),
            }
        } else if contains_include(call.tokens.clone()) {
            self.fail(anyhow!("can't bundle an include within {name}!"));
        }
    }
}

impl File<'_> {
    fn fail(&mut self, error: Error) {
        if self.result.is_ok() {
            self.result = Err(error);
        }
    }

    /// Removes a node if it is only for tests; returns whether it was.
    fn remove_if_test(&mut self, node: &(impl Spanned + ToTokens)) -> bool {
        let is_test = is_for_tests(node);
        if is_test {
            let range = node.span().byte_range();
            self.edits.push(Edit { range, text: String::new(), whole_lines: true });
        }
        is_test
    }

    /// Returns the source of the submodule with the path `stem`, without file extension.
    fn child(&self, stem: &str) -> Result<String> {
        let candidates = [format!("{stem}.rs"), format!("{stem}/mod.rs")];
        let found = candidates.iter().find(|path| find(self.sources, path).is_some());
        match found {
            Some(path) => bundle(self.sources, path, self.form),
            None => bail!("neither {} nor {} exists", candidates[0], candidates[1]),
        }
    }

    /// Returns the literal that replaces `name!(argument)`.
    fn include(&self, name: &str, argument: String) -> Result<String> {
        let relative = argument.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let Some(relative) = relative.filter(|path| !path.contains(['\\', '"'])) else {
            bail!("can't bundle {name}!({argument}): expected a string literal with a path");
        };
        let path = beside(self.path, relative);
        match name {
            "include_str" => Ok(text_literal(text_of(self.sources, &path)?)),
            "include_bytes" => {
                let bytes = find(self.sources, &path);
                let bytes = bytes.ok_or_else(|| anyhow!("{path} does not exist"))?;
                let literal = match self.form {
                    Form::Ascii => data_literal(bytes),
                    Form::Dense => dense_literal(bytes),
                };
                literal.context(path)
            }
            _ => bail!("can't bundle {name}!"),
        }
    }

    fn replace(&mut self, span: Span, text: String) {
        self.edits.push(Edit { range: span.byte_range(), text, whole_lines: false });
    }
}

/// Whether a node has the attribute `cfg(test)`.
fn is_for_tests(node: &impl ToTokens) -> bool {
    let attributes = |input: ParseStream| {
        let attributes = Attribute::parse_outer(input)?;
        input.parse::<TokenStream>()?;
        Ok(attributes)
    };
    let attributes = attributes.parse2(node.to_token_stream()).unwrap_or_default();
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<Ident>().is_ok_and(|flag| flag == "test")
    })
}

/// Whether the tokens contain an `include` macro.
fn contains_include(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => contains_include(group.stream()),
        TokenTree::Ident(word) => word.to_string().starts_with("include"),
        _ => false,
    })
}

/// Applies edits, which must not overlap.
fn apply(text: &str, edits: Vec<Edit>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        result.push_str(&text[done..edit.range.start]);
        done = edit.range.end;
        if edit.whole_lines {
            // Removes the indentation, the line end and all but one of the surrounding blank lines.
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

/// Collects the numbers (from 1) of lines that begin inside a literal.
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

/// Resolves the path `relative` in the file `path`.
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
