//! Leaves out what `main` does not reach, in a source whose modules are in the root.
//!
//! Reach goes by names: `x()` needs the item `x`, `A::x()` the `x` of `A`, `y.x()` each `x` of any type, `y.x` none. A type
//! needs what traits of others ask of it; what a trait of the source asks, only what is named.

use super::edits::{apply, Edits};
use super::tokens::{is_char, tokens_of};
use anyhow::Result;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Ident, ImplItem, Item, ItemImpl, ItemMacro, ItemUse, TraitItem, Type, UseTree};

/// Traits of the standard library that are imported for their methods, without being named.
const TRAITS: [&str; 5] = ["Write", "BufRead", "Read", "FromStr", "Hash"];
/// Traits that show a value to programmers: nothing in a player does.
const SHOWING: [&str; 2] = ["Debug", "Error"];

/// The source without what `main` does not reach.
pub fn without_unreached(text: &str) -> Result<String> {
    let file = syn::parse_file(text)?;
    let traits = file.items.iter().filter_map(|item| match item {
        Item::Trait(item) => Some(item.ident.to_string()),
        _ => None,
    });
    let mut finder = Finder { traits: traits.collect(), ..Finder::default() };
    finder.visit_file(&file);
    let mut references = Vec::new();
    collect_references(tokens_of(text)?, &mut references);
    references.retain(|(place, _)| !finder.imports.iter().any(|(range, _)| range.contains(place)));
    let needed = finder.needed(&references);
    let mut edits = Edits::new();
    for candidate in finder.candidates.iter().filter(|candidate| !needed.contains(&candidate.key)) {
        edits.push((candidate.range.clone(), String::new()));
    }
    let left = apply(text, edits.clone());
    let mut names = Vec::new();
    collect_names(tokens_of(&without_imports(&left)?)?, &mut names);
    let names: HashSet<String> = names.into_iter().map(|(_, name)| name).collect();
    for (range, tree) in &finder.imports {
        let text = filtered(tree, &|name| names.contains(name));
        edits.push((range.clone(), text.map_or(String::new(), |tree| format!("use {tree};"))));
    }
    Ok(apply(text, edits))
}

/// The source without its imports.
fn without_imports(text: &str) -> Result<String> {
    let mut finder = Finder::default();
    finder.visit_file(&syn::parse_file(text)?);
    Ok(apply(text, finder.imports.into_iter().map(|(range, _)| (range, String::new())).collect()))
}

/// All names with the bytes of the text where they begin.
pub fn collect_names(tokens: TokenStream, names: &mut Vec<(usize, String)>) {
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

/// How something is named.
#[derive(Clone, Debug)]
enum Reference {
    /// By its name alone.
    Alone(String),
    /// Behind a type or a module.
    Of(String, String),
    /// Behind a value.
    Behind(String),
}

/// All references with the bytes of the text where their names begin.
fn collect_references(tokens: TokenStream, references: &mut Vec<(usize, Reference)>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_before = |at: usize, back: usize, character: char| {
        at.checked_sub(back).is_some_and(|index| is_char(&trees[index], character))
    };
    let is_joint = |at: usize, back: usize| {
        let tree = at.checked_sub(back).map(|index| &trees[index]);
        matches!(tree, Some(TokenTree::Punct(punct)) if punct.spacing() == Spacing::Joint)
    };
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => collect_references(group.stream(), references),
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let is_range = is_before(at, 2, '.') && is_joint(at, 2);
                let is_path = is_before(at, 1, ':') && is_before(at, 2, ':') && is_joint(at, 2);
                let is_member = is_before(at, 1, '.') && !is_range;
                let reference = match at.checked_sub(3).map(|index| &trees[index]) {
                    // A definition needs nothing by its own name.
                    _ if is_word(at.checked_sub(1).map(|index| &trees[index]), "fn") => continue,
                    _ if is_member && is_field(trees.get(at + 1)) => continue,
                    _ if is_member => Reference::Behind(name),
                    Some(TokenTree::Ident(of)) if is_path => Reference::Of(of.to_string(), name),
                    _ if is_path => Reference::Behind(name),
                    _ => Reference::Alone(name),
                };
                references.push((tree.span().byte_range().start, reference));
            }
            _ => {}
        }
    }
}

fn is_word(tree: Option<&TokenTree>, text: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(word)) if word == text)
}

/// Is what stands before this token, after a value, a field of it? A call has arguments, or types before them.
fn is_field(next: Option<&TokenTree>) -> bool {
    match next {
        Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Parenthesis,
        // In a macro the arguments may be a variable.
        Some(tree) => !is_char(tree, ':') && !is_char(tree, '$'),
        None => true,
    }
}

/// What is left of an import; `None` where nothing is.
fn filtered(tree: &UseTree, is_named: &dyn Fn(&str) -> bool) -> Option<String> {
    match tree {
        UseTree::Path(path) => Some(format!("{}::{}", path.ident, filtered(&path.tree, is_named)?)),
        UseTree::Name(name) if name.ident == "self" => Some("self".to_string()),
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            (is_named(&name) || TRAITS.contains(&name.as_str())).then_some(name)
        }
        UseTree::Rename(rename) => {
            let (of, name) = (rename.ident.to_string(), rename.rename.to_string());
            let is_kept = is_named(&name) || TRAITS.contains(&of.as_str());
            is_kept.then(|| format!("{of} as {name}"))
        }
        UseTree::Glob(_) => Some("*".to_string()),
        UseTree::Group(group) => {
            let kept: Vec<String> =
                group.items.iter().filter_map(|tree| filtered(tree, is_named)).collect();
            match &kept[..] {
                [] => None,
                [one] if one != "self" => Some(one.clone()),
                _ => Some(format!("{{{}}}", kept.join(","))),
            }
        }
    }
}

/// What makes something needed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// The item of a name.
    Item(String),
    /// What a type or a trait has by a name.
    Member(String, String),
    /// Nothing.
    Never,
}

/// Something that may be left out.
struct Candidate {
    key: Key,
    range: Range<usize>,
}

/// Finds what may be left out.
#[derive(Default)]
struct Finder {
    candidates: Vec<Candidate>,
    imports: Vec<(Range<usize>, UseTree)>,
    /// The bytes of blocks of a type or a trait, which is `Self` there.
    blocks: Vec<(Range<usize>, String)>,
    /// The names of the traits, and of the structures and enumerations, that are defined.
    traits: HashSet<String>,
    types: HashSet<String>,
    /// The bytes of macros' definitions.
    macros: Vec<Range<usize>>,
}

impl Finder {
    fn add(&mut self, key: Key, range: Range<usize>) {
        self.candidates.push(Candidate { key, range });
    }

    fn add_item(&mut self, name: &Ident, range: Range<usize>) {
        if name != "main" && name != "_" {
            self.add(Key::Item(name.to_string()), range);
        }
    }

    /// Adds the functions and constants that the body of a macro defines, but those of traits.
    fn add_macro(&mut self, rules: &[TokenTree]) {
        for tree in rules.iter().skip(3).step_by(5) {
            if let TokenTree::Group(body) = tree {
                let body: Vec<TokenTree> = body.stream().into_iter().collect();
                self.add_definitions(&body, Key::Item);
            }
        }
    }

    fn add_definitions(&mut self, trees: &[TokenTree], key: fn(String) -> Key) {
        // The first token of the item, whether it is a block of a type, and whether it is of a trait.
        let (mut first, mut is_block, mut is_of_trait) = (0, false, false);
        let mut name = None;
        for (at, tree) in trees.iter().enumerate() {
            let word = |text: &str| matches!(tree, TokenTree::Ident(word) if word == text);
            match tree {
                TokenTree::Ident(_) if word("impl") => is_block = true,
                TokenTree::Ident(_) if word("for") => is_of_trait = true,
                TokenTree::Ident(_) if (word("fn") || word("const")) && name.is_none() => {
                    name = match trees.get(at + 1) {
                        Some(TokenTree::Ident(name)) if !is_block && name != "fn" => Some(name),
                        _ => None,
                    };
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    if is_block && !is_of_trait {
                        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                        self.add_definitions(&inner, |name| Key::Member(String::new(), name));
                    }
                }
                tree if is_char(tree, ';') => {}
                _ => continue,
            }
            let is_end = is_char(tree, ';')
                || matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            if is_end {
                if let Some(name) = name.take() {
                    let range =
                        trees[first].span().byte_range().start..tree.span().byte_range().end;
                    self.add(key(name.to_string()), range);
                }
                (first, is_block, is_of_trait) = (at + 1, false, false);
            }
        }
    }

    /// What `main` reaches.
    fn needed(&self, references: &[(usize, Reference)]) -> HashSet<Key> {
        let mut members: HashMap<&str, Vec<&Key>> = HashMap::new();
        for candidate in &self.candidates {
            if let Key::Member(_, name) = &candidate.key {
                members.entry(name).or_default().push(&candidate.key);
            }
        }
        let mut needed = HashSet::new();
        // What is within a candidate is needed with all candidates around it.
        let mut waiting: Vec<(Vec<&Key>, Vec<Key>)> = Vec::new();
        for (place, reference) in references {
            let around = self.candidates.iter().filter(|candidate| candidate.range.contains(place));
            let around = around.map(|candidate| &candidate.key).collect();
            waiting.push((around, self.keys(*place, reference, &members)));
        }
        loop {
            let count = waiting.len();
            waiting.retain_mut(|(around, keys)| {
                let is_needed = around.iter().all(|key| needed.contains(*key));
                if is_needed {
                    needed.extend(std::mem::take(keys));
                }
                !is_needed
            });
            if waiting.len() == count {
                return needed;
            }
        }
    }

    /// What a reference needs.
    fn keys(
        &self,
        place: usize,
        reference: &Reference,
        members: &HashMap<&str, Vec<&Key>>,
    ) -> Vec<Key> {
        let any = |name: &str| members.get(name).into_iter().flatten().map(|key| (*key).clone());
        let is_in_macro = self.macros.iter().any(|range| range.contains(&place));
        match reference {
            Reference::Alone(name) if is_in_macro => {
                any(name).chain([Key::Item(name.clone())]).collect()
            }
            Reference::Alone(name) => vec![Key::Item(name.clone())],
            Reference::Behind(name) => any(name).collect(),
            Reference::Of(of, name) => {
                let block = self.blocks.iter().rfind(|(range, _)| range.contains(&place));
                let (this, is_own) = match block {
                    Some((_, this)) if of == "Self" => (this, true),
                    _ => (of, false),
                };
                let has_it = |key: &Key| matches!(key, Key::Member(type_, _) if type_ == this);
                let is_known = !is_in_macro && self.types.contains(this);
                let mut keys: Vec<Key> = any(name).filter(|key| !is_known || has_it(key)).collect();
                if keys.is_empty() || is_own {
                    // That of a trait, or of a type that only the compiler knows.
                    keys.extend(any(name).filter(|key| self.is_of_trait(key)));
                }
                // An item of a module that stays.
                keys.push(Key::Item(name.clone()));
                keys
            }
        }
    }

    fn is_of_trait(&self, key: &Key) -> bool {
        matches!(key, Key::Member(of, _) if self.traits.contains(of))
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item(&mut self, item: &'ast Item) {
        let range = item.span().byte_range();
        match item {
            Item::Fn(item) => self.add_item(&item.sig.ident, range),
            Item::Const(item) => self.add_item(&item.ident, range),
            Item::Static(item) => self.add_item(&item.ident, range),
            Item::Type(item) => self.add_item(&item.ident, range),
            Item::Struct(item) => {
                self.types.insert(item.ident.to_string());
                self.add_item(&item.ident, range);
            }
            Item::Enum(item) => {
                self.types.insert(item.ident.to_string());
                self.add_item(&item.ident, range);
            }
            Item::Trait(item) => {
                let name = item.ident.to_string();
                for inner in &item.items {
                    if let TraitItem::Fn(function) = inner {
                        let member = function.sig.ident.to_string();
                        self.add(Key::Member(name.clone(), member), inner.span().byte_range());
                    }
                }
                self.blocks.push((range.clone(), name));
                self.add_item(&item.ident, range);
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        if let Some(name) = &item.ident {
            self.macros.push(item.span().byte_range());
            self.add_item(name, item.span().byte_range());
            self.add_macro(&item.mac.tokens.clone().into_iter().collect::<Vec<_>>());
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.imports.push((item.span().byte_range(), item.tree.clone()));
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        visit::visit_item_impl(self, item);
        let Type::Path(path) = item.self_ty.as_ref() else { return };
        let Some(this) = path.path.segments.last().map(|segment| segment.ident.to_string()) else {
            return;
        };
        let range = item.span().byte_range();
        self.blocks.push((range.clone(), this.clone()));
        let of = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let of = of.map(|segment| segment.ident.to_string());
        if of.as_ref().is_some_and(|of| SHOWING.contains(&of.as_str())) {
            return self.add(Key::Never, range);
        }
        // What a trait of others asks is needed with the type.
        let owner = of.map_or(Some(this.clone()), |of| self.traits.contains(&of).then_some(of));
        for inner in owner.iter().flat_map(|_| &item.items) {
            let name = match inner {
                ImplItem::Fn(inner) => inner.sig.ident.to_string(),
                ImplItem::Const(inner) => inner.ident.to_string(),
                _ => continue,
            };
            let key = Key::Member(owner.clone().unwrap_or_default(), name);
            self.add(key, inner.span().byte_range());
        }
        // A type that is left out leaves nothing to implement for.
        self.add(Key::Item(this), range);
    }
}

#[cfg(test)]
mod tests;
