//! Makes a source small where a contest counts its characters: what nothing names is left out, comments and
//! layout too, and names are short.

use anyhow::{anyhow, Result};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Field, Ident, ImplItem, Item, ItemImpl, ItemMod, PatIdent, Signature, Type, TypeParam, UseTree,
    Variant, Visibility,
};

/// Lines are broken at the first token behind so many characters.
const LINE: usize = 150;
/// No line is longer, unless a token is.
const MAX_LINE: usize = 180;
/// Pairs of characters that would become one token if they stood together.
const OPERATORS: [&str; 22] = [
    "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "^=", "%=", "&=", "|=", "<=", ">=", "==", "!=",
    "->", "=>", "<-", "..", "::", "//",
];
/// Names that the standard library or the language has as well as the sources.
const KEPT: [&str; 65] = [
    "Err",
    "Error",
    "IntoIter",
    "Item",
    "None",
    "Ok",
    "Output",
    "Result",
    "Some",
    "Target",
    "add",
    "all",
    "any",
    "bitand",
    "bitand_assign",
    "bitor",
    "bitor_assign",
    "bitxor",
    "bitxor_assign",
    "bytes",
    "clear",
    "clock_gettime",
    "clone",
    "count",
    "default",
    "deref",
    "deref_mut",
    "elapsed",
    "error",
    "expr",
    "extend",
    "fill",
    "first",
    "fmt",
    "from",
    "from_bits",
    "from_str",
    "get",
    "ident",
    "into",
    "into_iter",
    "is_empty",
    "iter",
    "last",
    "len",
    "lines",
    "madvise",
    "main",
    "map",
    "max",
    "min",
    "new",
    "next",
    "not",
    "now",
    "nth",
    "pop",
    "push",
    "push_str",
    "sum",
    "take",
    "time",
    "truncate",
    "tt",
    "write",
];
/// What asks for inlining: no speed was seen to be lost without `(always)`.
const INLINE: &str = "#[inline]";
/// Attributes that only concern people and lints.
const SILENT: [&str; 6] = ["doc", "allow", "warn", "deny", "must_use", "clippy"];

/// The source with the same meaning in fewer characters.
pub fn minified(source: &str) -> Result<String> {
    let text = without_unreached(source)?;
    let mut printer = Printer { short: short_names(&text)?, ..Printer::default() };
    printer.print(tokens_of(&text)?);
    printer.out.push('\n');
    Ok(printer.out)
}

fn tokens_of(text: &str) -> Result<TokenStream> {
    text.parse().map_err(|error| anyhow!("not Rust: {error}"))
}

/// The source without what `main` does not reach. Reach goes by names alone: an item is needed if what is
/// needed has its name in it, whichever item of that name it means; and of what a trait asks for a type, all is
/// needed with the type.
fn without_unreached(text: &str) -> Result<String> {
    let mut finder = Finder::default();
    finder.visit_file(&syn::parse_file(text)?);
    let mut names = Vec::new();
    collect_names(tokens_of(text)?, &mut names);
    // Modules that nothing names, outside of themselves and of each other.
    let unnamed = |module: &&Candidate| {
        let mut places = names.iter().filter(|(_, name)| *name == module.name);
        places.all(|(place, _)| module.range.contains(place))
    };
    let unnamed: Vec<Range<usize>> =
        finder.modules.iter().filter(unnamed).map(|module| module.range.clone()).collect();
    names.retain(|(place, _)| !unnamed.iter().any(|range| range.contains(place)));
    names.retain(|(place, _)| !finder.imports.iter().any(|import| import.range.contains(place)));
    let needed = finder.needed(&names);
    let mut edits = Vec::new();
    edits.extend(unnamed.into_iter().map(|range| (range, String::new())));
    for candidate in finder.candidates.iter().filter(|c| !needed.contains(&c.name)) {
        edits.push((candidate.range.clone(), String::new()));
    }
    for import in &finder.imports {
        let is_kept = |name: &str| {
            needed.contains(name) || TRAITS.contains(&name) || finder.traits.contains(name)
        };
        let tree = filtered(&import.tree, &is_kept);
        let text = tree.map_or(String::new(), |tree| format!("{}{tree};", import.before));
        edits.push((import.range.clone(), text));
    }
    // Within a removed item nothing else is to change.
    edits.sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
    let mut smaller = String::with_capacity(text.len());
    let mut done = 0;
    for (range, with) in edits {
        if range.start >= done {
            smaller.push_str(&text[done..range.start]);
            smaller.push_str(&with);
            done = range.end;
        }
    }
    smaller.push_str(&text[done..]);
    Ok(smaller)
}

/// All names with the bytes of the text where they begin.
fn collect_names(tokens: TokenStream, names: &mut Vec<(usize, String)>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => collect_names(group.stream(), names),
            TokenTree::Ident(name) => {
                names.push((name.span().byte_range().start, name.to_string()));
            }
            _ => {}
        }
    }
}

/// Does a module implement nothing for types of other modules, which they could miss?
fn is_closed(module: &ItemMod) -> bool {
    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
    let is_own = |name: &Ident| {
        items.iter().any(|item| match item {
            Item::Struct(item) => item.ident == *name,
            Item::Enum(item) => item.ident == *name,
            _ => false,
        })
    };
    items.iter().all(|item| match item {
        Item::Impl(item) => match item.self_ty.as_ref() {
            Type::Path(path) => path.path.segments.last().is_some_and(|last| is_own(&last.ident)),
            _ => false,
        },
        Item::Mod(item) => is_closed(item),
        _ => true,
    })
}

/// What is left of an import; `None` where nothing is.
fn filtered(tree: &UseTree, is_kept: &dyn Fn(&str) -> bool) -> Option<String> {
    match tree {
        UseTree::Path(path) => Some(format!("{}::{}", path.ident, filtered(&path.tree, is_kept)?)),
        UseTree::Name(name) if name.ident == "self" => Some("self".to_string()),
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            is_kept(&name).then_some(name)
        }
        UseTree::Rename(rename) => is_kept(&rename.rename.to_string())
            .then(|| format!("{} as {}", rename.ident, rename.rename)),
        UseTree::Glob(_) => Some("*".to_string()),
        UseTree::Group(group) => {
            let kept: Vec<String> =
                group.items.iter().filter_map(|tree| filtered(tree, is_kept)).collect();
            match &kept[..] {
                [] => None,
                [one] if one != "self" => Some(one.clone()),
                _ => Some(format!("{{{}}}", kept.join(","))),
            }
        }
    }
}

/// An item that may be left out.
struct Candidate {
    name: String,
    range: Range<usize>,
}

/// An import.
struct Import {
    range: Range<usize>,
    /// `use`, or `pub use`.
    before: &'static str,
    tree: UseTree,
}

/// Finds what may be left out.
#[derive(Default)]
struct Finder {
    candidates: Vec<Candidate>,
    imports: Vec<Import>,
    /// The names of the traits defined.
    traits: HashSet<String>,
    /// Modules that may be left out where nothing names them.
    modules: Vec<Candidate>,
}

impl Finder {
    fn add(&mut self, name: &impl ToString, range: Range<usize>) {
        let name = name.to_string();
        if name != "main" && name != "_" {
            self.candidates.push(Candidate { name, range });
        }
    }

    /// The names that `main` reaches.
    fn needed(&self, names: &[(usize, String)]) -> HashSet<String> {
        let mut inside: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut waiting = Vec::new();
        for (place, name) in names {
            // The innermost item around a name is the shortest one.
            let around = self.candidates.iter().filter(|c| c.range.contains(place));
            match around.min_by_key(|candidate| candidate.range.len()) {
                Some(candidate) => inside.entry(&candidate.name).or_default().push(name),
                None => waiting.push(name.as_str()),
            }
        }
        let mut needed = HashSet::new();
        while let Some(name) = waiting.pop() {
            if needed.insert(name.to_string()) {
                waiting.extend(inside.get(name).into_iter().flatten());
            }
        }
        needed
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item(&mut self, item: &'ast Item) {
        let range = item.span().byte_range();
        match item {
            Item::Fn(item) => self.add(&item.sig.ident, range),
            Item::Const(item) => self.add(&item.ident, range),
            Item::Static(item) => self.add(&item.ident, range),
            Item::Type(item) => self.add(&item.ident, range),
            Item::Struct(item) => self.add(&item.ident, range),
            Item::Enum(item) => self.add(&item.ident, range),
            Item::Trait(item) => {
                self.traits.insert(item.ident.to_string());
            }
            // A module holds by its name what is in it, but for what it adds to types of others.
            Item::Mod(item) if is_closed(item) => {
                self.modules.push(Candidate { name: item.ident.to_string(), range })
            }
            Item::Use(item) => {
                let is_private = matches!(item.vis, Visibility::Inherited);
                let before = if is_private { "use " } else { "pub use " };
                self.imports.push(Import { range, before, tree: item.tree.clone() });
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let Type::Path(path) = item.self_ty.as_ref() else { return };
        let Some(this) = path.path.segments.last() else { return };
        let range = item.span().byte_range();
        match item.trait_.as_ref().and_then(|(path, _)| path.segments.last()) {
            // Nothing in a player shows a value by these.
            Some(of) if of.ident == "Debug" || of.ident == "Error" => self.add(&NEVER, range),
            Some(_) => self.add(&this.ident, range),
            None => {
                for inner in &item.items {
                    let range = inner.span().byte_range();
                    match inner {
                        ImplItem::Fn(inner) => self.add(&inner.sig.ident, range),
                        ImplItem::Const(inner) => self.add(&inner.ident, range),
                        _ => {}
                    }
                }
                // A type that is left out leaves nothing to implement for.
                self.add(&this.ident, range);
            }
        }
    }
}

/// A name that nothing has.
const NEVER: &str = "";
/// Traits of the standard library that are imported for their methods, without being named.
const TRAITS: [&str; 5] = ["Write", "BufRead", "Read", "FromStr", "Hash"];

/// The names that the source defines, with the short ones that stand for them everywhere, the shortest for
/// those met most often. Names that the standard library has, too, stay as they are.
fn short_names(text: &str) -> Result<HashMap<String, String>> {
    let mut defined = Defined::default();
    defined.visit_file(&syn::parse_file(text)?);
    let mut all = Vec::new();
    collect_names(tokens_of(text)?, &mut all);
    let mut names: HashMap<String, usize> = HashMap::new();
    all.into_iter().for_each(|(_, name)| *names.entry(name).or_default() += 1);
    let is_free =
        |name: &String| name.len() > 1 && !name.starts_with('_') && !KEPT.contains(&name.as_str());
    let mut long: Vec<String> = defined.0.into_iter().filter(is_free).collect();
    // The order of equals must not depend on a hash.
    let worth = |name: &String| names.get(name).copied().unwrap_or(0);
    long.sort_by(|a, b| worth(b).cmp(&worth(a)).then_with(|| a.cmp(b)));
    let mut free = all_short().filter(|short| !names.contains_key(short));
    Ok(long.into_iter().filter_map(|name| Some((name, free.next()?))).collect())
}

/// Names of one letter, then of two, but no keywords.
fn all_short() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('A'..='Z');
    let two = letters().flat_map(move |a| letters().map(move |b| format!("{a}{b}")));
    let keywords = ["as", "do", "fn", "if", "in"];
    letters().map(String::from).chain(two).filter(move |name| !keywords.contains(&name.as_str()))
}

/// The names that a source defines.
#[derive(Default)]
struct Defined(HashSet<String>);

impl Defined {
    fn add(&mut self, name: &Ident) {
        self.0.insert(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Defined {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Struct(item) => self.add(&item.ident),
            Item::Enum(item) => self.add(&item.ident),
            Item::Const(item) => self.add(&item.ident),
            Item::Static(item) => self.add(&item.ident),
            Item::Type(item) => self.add(&item.ident),
            Item::Trait(item) => self.add(&item.ident),
            Item::Mod(item) => self.add(&item.ident),
            Item::Macro(item) => self.add_assigned(item.mac.tokens.clone()),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        self.add(&signature.ident);
        visit::visit_signature(self, signature);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.add(&item.ident);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_field(&mut self, field: &'ast Field) {
        field.ident.iter().for_each(|name| self.add(name));
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        self.add(&variant.ident);
        visit::visit_variant(self, variant);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.add(&pattern.ident);
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_type_param(&mut self, param: &'ast TypeParam) {
        self.add(&param.ident);
        visit::visit_type_param(self, param);
    }
}

impl Defined {
    /// A macro's names before `=` become fields.
    fn add_assigned(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for pair in trees.windows(2) {
            if let (TokenTree::Ident(name), true) = (&pair[0], is_char(&pair[1], '=')) {
                self.add(name);
            }
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
    /// The mark of a lifetime.
    Quote,
}

/// Writes tokens with as little between them as there must be.
#[derive(Default)]
struct Printer {
    out: String,
    column: usize,
    last: Last,
    /// What stands for some names.
    short: HashMap<String, String>,
}

impl Printer {
    fn print(&mut self, tokens: TokenStream) {
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            if is_char(&tree, '#') {
                let mut rest = trees.clone();
                let is_inner = rest.next_if(|tree| is_char(tree, '!')).is_some();
                let attribute = rest.next();
                if attribute.as_ref().is_some_and(is_inline) {
                    trees.next();
                    self.put(INLINE, Last::Other);
                    continue;
                }
                if attribute.as_ref().is_some_and(is_silent) {
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
                    self.print(trimmed(group.stream(), group.delimiter()));
                    self.put(close, Last::Other);
                }
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    if name == "pub" {
                        // Within one file, who may see what matters no more.
                        trees.next_if(is_scope);
                    }
                    let short = self.short.get(&name).filter(|_| self.last != Last::Quote);
                    self.word(short.cloned().as_ref().unwrap_or(&name));
                    if name == "derive" {
                        if let Some(TokenTree::Group(group)) = trees.next() {
                            self.print_derived(group.stream());
                        }
                    }
                }
                TokenTree::Literal(literal) => self.word(&literal.to_string()),
                TokenTree::Punct(punct) => {
                    let character = punct.as_char();
                    self.part_from(character);
                    let last = match punct.spacing() {
                        Spacing::Joint if character == '\'' => Last::Quote,
                        Spacing::Joint => Last::Joint,
                        Spacing::Alone => Last::Alone(character),
                    };
                    self.put(&character.to_string(), last);
                }
            }
        }
    }

    /// The traits to derive, but for `fmt::Debug`: nothing in a player shows a value so.
    fn print_derived(&mut self, traits: TokenStream) {
        let names = traits.into_iter().filter_map(|tree| match tree {
            TokenTree::Ident(name) if name != "Debug" => Some(name.to_string()),
            _ => None,
        });
        let list = names.collect::<Vec<_>>().join(",");
        self.put(&format!("({list})"), Last::Other);
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
            Last::Joint | Last::Quote | Last::Other => false,
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
        // A blank that was meant to part two tokens: the line's end does so, too.
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.column = 0;
    }

    fn put(&mut self, text: &str, last: Last) {
        let width = text.split('\n').next().map_or(0, |line| line.chars().count());
        if (self.column >= LINE || self.column + width > MAX_LINE)
            && !matches!(self.last, Last::Joint | Last::Quote)
        {
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

/// Are these the parentheses of `pub(super)` or `pub(crate)`?
fn is_scope(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else { return false };
    let text = group.stream().to_string();
    group.delimiter() == Delimiter::Parenthesis && (text == "super" || text == "crate")
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

fn is_char(tree: &TokenTree, character: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Are these the brackets that ask for inlining?
fn is_inline(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.stream().to_string().starts_with("inline"))
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

    fn small(source: &str) -> String {
        minified(source).expect("Rust")
    }

    #[test]
    fn tokens_that_would_become_others_stay_apart() {
        let source = "\
//! Inner.
/// Outer.
#[inline(always)]
#[allow(dead_code)]
pub(crate) fn main() {
    let _ = - 1 + - - 2 & & 3 != 4; // Comment.
    let _: Vec<Vec<u8>> = a::<'a, u8>(1 .. 2, 1..=2, _x as u8, \"a  // b\", 'c', (5,));
    'outer: loop { break 'outer; }
    if _x < - 1 && * _y == * * _z || w.0 .1 > 5 {}
}
";
        let expected = "#[inline]pub fn main(){let _=-1+- -2& &3!=4;\
            let _:Vec<Vec<u8>> =a::<'a,u8>(1..2,1..=2,_x as u8,\"a  // b\",'c',(5,));\
            'outer:loop{break 'outer;}if _x< -1&&*_y==**_z||w.0.1>5{}}";
        // Lines are broken somewhere, at a token.
        let joined = |text: &str| text.replace(['\n', ' '], "");
        assert_eq!(joined(&small(source)), joined(expected));
        for apart in ["& &3", "_x as u8", "break 'outer", "< -1", "\"a  // b\""] {
            assert!(small(source).contains(apart), "{apart}: {}", small(source));
        }
    }

    #[test]
    fn what_main_does_not_reach_is_left_out() {
        let source = "\
use std::fmt::{self, Write, Display};
fn main() { used(); S::kept(); }
fn used() {}
fn dead() { only_by_dead(); dead(); }
fn only_by_dead() { dead(); }
const UNUSED: u8 = 1;
mod unused { pub fn used() {} }
mod needed { impl super::S { pub fn kept() {} } }
#[derive(Clone, Debug, PartialEq)]
struct S;
struct T;
impl S { fn lost() {} }
impl fmt::Display for T { }
impl Default for S { fn default() -> S { S } }
";
        let found = small(source);
        // One letter each, by how often they are met.
        assert!(found.contains("use std::fmt::{self,Write};fn main()"), "{found}");
        assert_eq!(found.matches("fn ").count(), 4, "{found}");
        assert!(found.contains("#[derive(Clone,PartialEq)]struct"), "{found}");
        assert!(!found.contains("UNUSED") && found.matches("mod ").count() == 1, "{found}");
        assert!(found.contains("impl Default for") && !found.contains("Display"), "{found}");
    }

    #[test]
    fn macros_keep_what_they_match() {
        let source = "macro_rules! m { ($(#[doc = $doc:expr])* $x:ident = $y:expr;) => \
                      { $(#[doc = $doc])* struct A { $x: u8 } } }\n\
                      m! { /// Text.\n long_name = 5; }\nfn main() { A { long_name: 1 }; }\n";
        let found = small(source);
        assert!(found.contains("($(#[doc=$doc:expr])*$x:ident=$y:expr;)"), "{found}");
        assert!(!found.contains("long_name") && !found.contains("Text"), "{found}");
    }

    #[test]
    fn short_names_are_no_keywords_and_differ() {
        let names: Vec<String> = all_short().collect();
        let distinct: HashSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
        assert!(names.len() > 2000 && !names.iter().any(|name| name == "if" || name == "as"));
    }
}
