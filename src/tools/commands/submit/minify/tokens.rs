//! Splits a source into tokens and drops those without effect on the program.

use anyhow::{anyhow, Result};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::HashSet;
use std::iter::Peekable;
use std::ops::Range;

/// The kind of a token, which determines the white space that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// A number, a string or a character.
    Literal,
    /// A punctuation character that does not continue in the next token.
    Alone,
    /// A punctuation character that forms an operator with the next one.
    Joint,
    /// The quote of a lifetime.
    Quote,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// A macro parameter that replaces another token (see [`super::words`]).
    Parameter,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// Text of the token.
    pub text: String,
    pub kind: Kind,
}

/// A token with its byte range.
pub struct Located {
    pub text: String,
    pub range: Range<usize>,
    pub is_name: bool,
    /// Whether this is a punctuation character that forms an operator with the next one.
    pub is_joint: bool,
}

/// Returns all tokens of a source with their byte ranges.
pub fn located(text: &str) -> Result<Vec<Located>> {
    let mut all = Vec::new();
    locate(tokens_of(text)?, &mut all);
    Ok(all)
}

/// Returns the names of the traits that a source defines.
pub fn own_traits(tokens: &[Located]) -> HashSet<String> {
    let defined = tokens.windows(2).filter(|pair| pair[0].text == "trait");
    defined.map(|pair| pair[1].text.clone()).collect()
}

/// Appends tokens to `all`. Names in attributes are not marked as names, since they are not names of items.
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

/// Attribute that requests inlining. Its argument `(always)` is dropped: no loss of speed was measured.
const INLINE: &str = "inline";
/// Attributes without effect on the program: documentation and lints.
const IGNORED_ATTRIBUTES: [&str; 6] = ["doc", "allow", "warn", "deny", "must_use", "clippy"];

pub fn tokens_of(text: &str) -> Result<TokenStream> {
    text.parse().map_err(|error| anyhow!("not Rust: {error}"))
}

/// Returns the tokens of a source that affect the program.
pub fn relevant_tokens(text: &str) -> Result<Vec<Token>> {
    let mut list = TokenList(Vec::new());
    list.add(tokens_of(text)?);
    Ok(list.0)
}

/// The tokens collected so far.
struct TokenList(Vec<Token>);

impl TokenList {
    fn push(&mut self, text: impl ToString, kind: Kind) {
        self.0.push(Token { text: text.to_string(), kind });
    }

    fn add(&mut self, tokens: TokenStream) {
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            if is_char(&tree, '#') && skip_ignored_attribute(&mut trees) {
                continue;
            }
            match tree {
                TokenTree::Group(group) => {
                    let stream = without_trailing_comma(group.stream(), group.delimiter());
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
                    let text = shorten_number(&literal.to_string(), is_after || is_before);
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

/// Skips, after a `#`, the rest of an attribute without effect; returns whether there was one.
fn skip_ignored_attribute(trees: &mut Peekable<impl Iterator<Item = TokenTree> + Clone>) -> bool {
    let mut rest = trees.clone();
    let is_inner = rest.next_if(|tree| is_char(tree, '!')).is_some();
    let is_ignored = rest.next().as_ref().is_some_and(is_ignored);
    for _ in 0..usize::from(is_ignored) + usize::from(is_ignored && is_inner) {
        trees.next();
    }
    is_ignored
}

/// Removes `Debug` from the traits to derive: a player never formats values with it.
fn without_debug(traits: TokenStream) -> TokenStream {
    let names = traits.to_string();
    let kept: Vec<&str> = names
        .split(',')
        .map(str::trim)
        .filter(|name| *name != "Debug" && !name.is_empty())
        .collect();
    kept.join(",").parse().unwrap_or(traits)
}

/// Shortens a number: removes underscores, and the zero after the decimal point unless another point is next to the
/// number. Other literals are unchanged.
fn shorten_number(literal: &str, is_beside_point: bool) -> String {
    if !literal.starts_with(|first: char| first.is_ascii_digit()) {
        return literal.to_string();
    }
    let number = literal.replace('_', "");
    match number.strip_suffix(".0") {
        Some(whole) if !is_beside_point => format!("{whole}."),
        _ => number,
    }
}

/// Removes a trailing comma that has no meaning.
fn without_trailing_comma(tokens: TokenStream, delimiter: Delimiter) -> TokenStream {
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

/// Whether these are the brackets of an attribute without effect. Attributes with macro parameters are kept.
fn is_ignored(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else { return false };
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    let Some(TokenTree::Ident(name)) = trees.first() else { return false };
    let is_filled = trees.iter().any(|tree| is_char(tree, '$'));
    let is_named = IGNORED_ATTRIBUTES.iter().any(|ignored| name == ignored);
    let is_empty = name == "derive" && is_empty_without_debug(trees.get(1));
    group.delimiter() == Delimiter::Bracket && (is_named || is_empty) && !is_filled
}

/// Whether the list of traits to derive is empty without `Debug`.
fn is_empty_without_debug(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Group(group)) if without_debug(group.stream()).is_empty())
}

#[cfg(test)]
mod tests;
