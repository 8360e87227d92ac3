//! A source as a list of tokens, without those that only concern people and lints.

use anyhow::{anyhow, Result};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::HashSet;
use std::iter::Peekable;
use std::ops::Range;

/// What matters of a token for what may stand beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// A number or a text.
    Literal,
    /// A punctuation character that stands alone.
    Alone,
    /// One that forms a token with the next one.
    Joint,
    /// The mark of a lifetime.
    Quote,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// Stands for another token by a name of the file's macro.
    Short,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// What is written.
    pub text: String,
    pub kind: Kind,
}

/// A token with its bytes.
pub struct Located {
    pub text: String,
    pub range: Range<usize>,
    pub is_name: bool,
    /// A punctuation character that forms a token with the next one.
    pub is_joint: bool,
}

/// The tokens of a source with their bytes.
pub fn located(text: &str) -> Result<Vec<Located>> {
    let mut all = Vec::new();
    locate(tokens_of(text)?, &mut all);
    Ok(all)
}

/// The names of the traits that a source defines.
pub fn own_traits(tokens: &[Located]) -> HashSet<String> {
    let defined = tokens.windows(2).filter(|pair| pair[0].text == "trait");
    defined.map(|pair| pair[1].text.clone()).collect()
}

/// Names in attributes are no names of items.
fn locate(tokens: TokenStream, all: &mut Vec<Located>) {
    let mut is_attribute = false;
    for tree in tokens {
        let range = tree.span().byte_range();
        let (text, is_joint) = match &tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    _ => ("[", "]"),
                };
                let bracket = |text: &str, range| Located {
                    text: text.into(),
                    range,
                    is_name: false,
                    is_joint: false,
                };
                all.push(bracket(open, group.span_open().byte_range()));
                let first = all.len();
                locate(group.stream(), all);
                if is_attribute {
                    all[first..].iter_mut().for_each(|token| token.is_name = false);
                }
                is_attribute = false;
                all.push(bracket(close, group.span_close().byte_range()));
                continue;
            }
            TokenTree::Punct(punct) => {
                (punct.as_char().to_string(), punct.spacing() == Spacing::Joint)
            }
            tree => (tree.to_string(), false),
        };
        let is_name = matches!(tree, TokenTree::Ident(_));
        is_attribute = text == "#" || is_attribute && text == "!";
        all.push(Located { text, range, is_name, is_joint });
    }
}

/// What asks for inlining: no speed was seen to be lost without `(always)`.
const INLINE: &str = "inline";
/// Attributes that only concern people and lints.
const SILENT: [&str; 6] = ["doc", "allow", "warn", "deny", "must_use", "clippy"];

pub fn tokens_of(text: &str) -> Result<TokenStream> {
    text.parse().map_err(|error| anyhow!("not Rust: {error}"))
}

/// The tokens of a source.
pub fn flat(text: &str) -> Result<Vec<Token>> {
    let mut flat = Flat(Vec::new());
    flat.add(tokens_of(text)?);
    Ok(flat.0)
}

/// The tokens so far.
struct Flat(Vec<Token>);

impl Flat {
    fn push(&mut self, text: impl ToString, kind: Kind) {
        self.0.push(Token { text: text.to_string(), kind });
    }

    fn add(&mut self, tokens: TokenStream) {
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            if is_char(&tree, '#') && skip_silent(&mut trees) {
                continue;
            }
            match tree {
                TokenTree::Group(group) => {
                    let stream = trimmed(group.stream(), group.delimiter());
                    self.group(group.delimiter(), stream);
                }
                TokenTree::Ident(name) if name == "derive" => {
                    self.push(name, Kind::Word);
                    if let Some(TokenTree::Group(group)) = trees.next() {
                        self.group(Delimiter::Parenthesis, without_debug(group.stream()));
                    }
                }
                TokenTree::Ident(name) if name == INLINE => {
                    self.push(name, Kind::Word);
                    trees.next_if(|tree| matches!(tree, TokenTree::Group(_)));
                }
                TokenTree::Ident(name) => self.push(name, Kind::Word),
                TokenTree::Literal(literal) => {
                    let is_after = self.0.last().is_some_and(|last| last.text == ".");
                    let is_before = trees.peek().is_some_and(|next| is_char(next, '.'));
                    let text = shortened(&literal.to_string(), is_after || is_before);
                    self.push(text, Kind::Literal);
                }
                TokenTree::Punct(punct) => {
                    let kind = match punct.spacing() {
                        Spacing::Joint if punct.as_char() == '\'' => Kind::Quote,
                        Spacing::Joint => Kind::Joint,
                        Spacing::Alone => Kind::Alone,
                    };
                    self.push(punct.as_char(), kind);
                }
            }
        }
    }

    fn group(&mut self, delimiter: Delimiter, stream: TokenStream) {
        let (open, close) = match delimiter {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => return self.add(stream),
        };
        self.push(open, Kind::Open);
        self.add(stream);
        self.push(close, Kind::Close);
    }
}

/// Skips, after a `#`, the rest of an attribute that means nothing here; returns whether it is one.
fn skip_silent(trees: &mut Peekable<impl Iterator<Item = TokenTree> + Clone>) -> bool {
    let mut rest = trees.clone();
    let is_inner = rest.next_if(|tree| is_char(tree, '!')).is_some();
    let is_silent = rest.next().as_ref().is_some_and(is_silent);
    for _ in 0..usize::from(is_silent) + usize::from(is_silent && is_inner) {
        trees.next();
    }
    is_silent
}

/// The traits to derive, but for `fmt::Debug`: nothing in a player shows a value so.
fn without_debug(traits: TokenStream) -> TokenStream {
    let names = traits.to_string();
    let kept: Vec<&str> = names
        .split(',')
        .map(str::trim)
        .filter(|name| *name != "Debug" && !name.is_empty())
        .collect();
    kept.join(",").parse().unwrap_or(traits)
}

/// A number without the marks between its digits, and without a zero after its point where no point is
/// beside it; any other literal as it is.
fn shortened(literal: &str, is_at_point: bool) -> String {
    if !literal.starts_with(|first: char| first.is_ascii_digit()) {
        return literal.to_string();
    }
    let number = literal.replace('_', "");
    match number.strip_suffix(".0") {
        Some(whole) if !is_at_point => format!("{whole}."),
        _ => number,
    }
}

/// The tokens without a comma at the end, where that means nothing.
fn trimmed(tokens: TokenStream, delimiter: Delimiter) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    let commas = trees.iter().filter(|tree| is_char(tree, ',')).count();
    let is_macro = trees.iter().any(|tree| is_char(tree, '$'));
    let is_tuple_of_one = delimiter == Delimiter::Parenthesis && commas == 1;
    if trees.last().is_some_and(|tree| is_char(tree, ',')) && !is_macro && !is_tuple_of_one {
        trees.pop();
    }
    trees.into_iter().collect()
}

pub fn is_char(tree: &TokenTree, character: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Are these the brackets of an attribute that only concerns people and lints? Not those that a macro fills.
fn is_silent(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else { return false };
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    let Some(TokenTree::Ident(name)) = trees.first() else { return false };
    let is_filled = trees.iter().any(|tree| is_char(tree, '$'));
    let is_named = SILENT.iter().any(|silent| name == silent);
    let is_empty = name == "derive" && without_debug_group(trees.get(1));
    group.delimiter() == Delimiter::Bracket && (is_named || is_empty) && !is_filled
}

/// Does nothing remain of these traits to derive?
fn without_debug_group(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Group(group)) if without_debug(group.stream()).is_empty())
}

#[cfg(test)]
mod tests;
