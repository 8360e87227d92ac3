//! Makes a source small where a contest counts its characters: what nothing names is left out, comments and
//! layout too. Names stay, so that the file can still be read.

use anyhow::{anyhow, Result};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, ImplItem, Item, ItemImpl};

/// Lines are broken at the first token behind so many characters.
const LINE: usize = 150;
/// Pairs of characters that would become one token if they stood together.
const OPERATORS: [&str; 22] = [
    "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "^=", "%=", "&=", "|=", "<=", ">=", "==", "!=",
    "->", "=>", "<-", "..", "::", "//",
];
/// Attributes that only concern people and lints.
const SILENT: [&str; 6] = ["doc", "allow", "warn", "deny", "must_use", "clippy"];

/// The source with the same meaning in fewer characters.
pub fn minified(source: &str) -> Result<String> {
    let mut text = source.to_string();
    while let Some(smaller) = without_unnamed(&text)? {
        text = smaller;
    }
    let mut printer = Printer::default();
    printer.print(tokens_of(&text)?);
    printer.out.push('\n');
    Ok(printer.out)
}

fn tokens_of(text: &str) -> Result<TokenStream> {
    text.parse().map_err(|error| anyhow!("not Rust: {error}"))
}

/// The source without the functions and constants that are named nowhere but in themselves; `None` where
/// there are no such.
fn without_unnamed(text: &str) -> Result<Option<String>> {
    let mut names = HashMap::new();
    collect_names(tokens_of(text)?, &mut names);
    let mut finder = Finder { names: &names, found: Vec::new() };
    finder.visit_file(&syn::parse_file(text)?);
    if finder.found.is_empty() {
        return Ok(None);
    }
    let mut smaller = String::with_capacity(text.len());
    let mut done = 0;
    for range in finder.found {
        smaller.push_str(&text[done..range.start]);
        done = range.end;
    }
    smaller.push_str(&text[done..]);
    Ok(Some(smaller))
}

/// Where each name stands, by the bytes of the text.
fn collect_names(tokens: TokenStream, names: &mut HashMap<String, Vec<usize>>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => collect_names(group.stream(), names),
            TokenTree::Ident(name) => {
                let place = name.span().byte_range().start;
                names.entry(name.to_string()).or_default().push(place);
            }
            _ => {}
        }
    }
}

/// Finds the items that nothing names, the outermost ones, in the order of the text.
struct Finder<'a> {
    names: &'a HashMap<String, Vec<usize>>,
    found: Vec<Range<usize>>,
}

impl Finder<'_> {
    /// Takes an item if nothing outside of it has its name; returns whether it does.
    fn take(&mut self, name: &Ident, attributes: &[Attribute], range: Range<usize>) -> bool {
        let is_plain = attributes.iter().all(|attribute| !attribute.path().is_ident("cfg"));
        let places = self.names.get(&name.to_string());
        let is_own = |place: &usize| range.contains(place);
        let is_unnamed = name != "main"
            && is_plain
            && places.is_none_or(|places| places.iter().all(is_own));
        if is_unnamed {
            self.found.push(range);
        }
        is_unnamed
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let range = item.span().byte_range();
        let taken = match item {
            Item::Fn(item) => self.take(&item.sig.ident, &item.attrs, range),
            Item::Const(item) if item.ident != "_" => self.take(&item.ident, &item.attrs, range),
            Item::Static(item) => self.take(&item.ident, &item.attrs, range),
            Item::Type(item) => self.take(&item.ident, &item.attrs, range),
            Item::Mod(item) => self.take(&item.ident, &item.attrs, range),
            _ => false,
        };
        if !taken {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        // What a trait asks for is needed, whoever names it.
        if item.trait_.is_some() {
            return;
        }
        for inner in &item.items {
            let range = inner.span().byte_range();
            let _taken = match inner {
                ImplItem::Fn(inner) => self.take(&inner.sig.ident, &inner.attrs, range),
                ImplItem::Const(inner) => self.take(&inner.ident, &inner.attrs, range),
                _ => false,
            };
        }
    }
}

/// The last thing printed, as far as it matters for what may follow.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    /// A name or a literal.
    Word,
    /// A punctuation character that stands alone.
    Alone(char),
    /// One that forms a token with the next one.
    Joint,
}

/// Writes tokens with as little between them as there must be.
#[derive(Default)]
struct Printer {
    out: String,
    column: usize,
    last: Last,
}

impl Printer {
    fn print(&mut self, tokens: TokenStream) {
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            if is_char(&tree, '#') {
                let mut rest = trees.clone();
                let is_inner = rest.next_if(|tree| is_char(tree, '!')).is_some();
                if rest.next().as_ref().is_some_and(is_silent) {
                    trees.next();
                    if is_inner {
                        trees.next();
                    }
                    continue;
                }
            }
            match tree {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.put(open, Last::Other);
                    self.print(group.stream());
                    self.put(close, Last::Other);
                }
                TokenTree::Ident(name) => self.word(&name.to_string()),
                TokenTree::Literal(literal) => self.word(&literal.to_string()),
                TokenTree::Punct(punct) => {
                    let character = punct.as_char();
                    self.part_from(character);
                    let last = match punct.spacing() {
                        Spacing::Joint => Last::Joint,
                        Spacing::Alone => Last::Alone(character),
                    };
                    self.put(&character.to_string(), last);
                }
            }
        }
    }

    fn word(&mut self, text: &str) {
        if self.last == Last::Word {
            self.blank();
        }
        self.put(text, Last::Word);
    }

    /// A blank before a punctuation character, where it would become a part of the last token.
    fn part_from(&mut self, character: char) {
        let pair = match self.last {
            // A prefix of a literal or a lifetime.
            Last::Word => matches!(character, '\'' | '#'),
            Last::Alone(before) => OPERATORS.contains(&format!("{before}{character}").as_str()),
            Last::Joint | Last::Other => false,
        };
        if pair {
            self.blank();
        }
    }

    /// A blank, or the end of a line that is long enough.
    fn blank(&mut self) {
        if self.column >= LINE {
            self.break_line();
        } else {
            self.out.push(' ');
            self.column += 1;
        }
    }

    fn break_line(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    fn put(&mut self, text: &str, last: Last) {
        if self.column >= LINE && self.last != Last::Joint {
            self.break_line();
        }
        self.out.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, rest)) => rest.chars().count(),
            None => self.column + text.chars().count(),
        };
        self.last = last;
    }
}

fn is_char(tree: &TokenTree, character: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Are these the brackets of an attribute that only concerns people and lints? Not those that a macro fills.
fn is_silent(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else { return false };
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    let Some(TokenTree::Ident(name)) = trees.first() else { return false };
    let is_filled = trees.iter().any(|tree| is_char(tree, '$'));
    let is_named = SILENT.iter().any(|silent| name == silent);
    group.delimiter() == Delimiter::Bracket && is_named && !is_filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_stay_what_they_are() {
        let source = "\
//! Inner.
/// Outer.
#[inline(always)]
fn main() {
    let x = - 1 + - - 2 & & 3 != 4; // Comment.
    let y: Vec<Vec<u8>> = a::<'a, u8>(1 .. 2, 1..=2, x as u8, \"a  b\", 'c');
    'outer: loop { break 'outer; }
    if x < - 1 && *y == **z || w.0 .1 > 5 {}
}
";
        let found = minified(source).expect("Rust");
        let shown = |text: &str| -> Vec<String> {
            fn flat(tokens: TokenStream, to: &mut Vec<String>) {
                for tree in tokens {
                    match tree {
                        TokenTree::Group(group) => {
                            to.push(format!("{:?}", group.delimiter()));
                            flat(group.stream(), to);
                        }
                        TokenTree::Punct(punct) => to.push(punct.as_char().to_string()),
                        other => to.push(other.to_string()),
                    }
                }
            }
            let mut list = Vec::new();
            flat(tokens_of(text).expect("Rust"), &mut list);
            list
        };
        let bare: String = source.lines().filter(|line| !line.starts_with("//")).collect();
        let bare = bare.replace("// Comment.", "");
        assert_eq!(shown(&found.replace("0.1", "0 .1")), shown(&bare));
        assert!(found.starts_with("#[inline(always)]fn main(){let x=-1+- -2&&3!=4;") || found.contains("- -2& &3"), "{found}");
        assert_eq!(found.lines().count(), 1 + usize::from(found.len() > 200));
    }

    #[test]
    fn what_nothing_names_is_left_out() {
        let source = "\
fn main() { used(); S::kept(); }
fn used() {}
fn dead() { only_by_dead(); dead(); }
fn only_by_dead() {}
const UNUSED: u8 = 1;
mod unused { pub fn main2() {} }
struct S;
impl S { fn kept() {} fn lost() {} }
impl Clone for S { fn clone(&self) -> S { S } }
";
        let expected = "fn main(){used();S::kept();}fn used(){}struct S;impl S{fn kept(){}}\
                        impl Clone for S{fn clone(&self)->S{S}}\n";
        assert_eq!(minified(source).expect("Rust"), expected);
    }

    #[test]
    fn macros_keep_what_they_match() {
        let source = "macro_rules! m { ($(#[doc = $doc:expr])* $x:ident) => { $(#[doc = $doc])* struct $x; } }\nm! { /// Text.\n Name }\n";
        let found = minified(source).expect("Rust");
        assert!(found.contains("$(#[doc=$doc:expr])*$x:ident"), "{found}");
        assert!(found.contains("m!{Name}"), "{found}");
    }
}
