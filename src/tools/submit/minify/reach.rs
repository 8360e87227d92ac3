//! Leaves out what `main` does not reach.

use super::edits::{apply, Edits};
use super::tokens::tokens_of;
use anyhow::Result;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Ident, ImplItem, Item, ItemImpl, ItemMod, Type, UseTree, Visibility};

/// The source without what `main` does not reach. Reach goes by names alone: an item is needed if what is
/// needed has its name in it, whichever item of that name it means; and of what a trait asks for a type, all is
/// needed with the type.
pub fn without_unreached(text: &str) -> Result<String> {
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
    let mut edits = Edits::new();
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
    Ok(apply(text, edits))
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

