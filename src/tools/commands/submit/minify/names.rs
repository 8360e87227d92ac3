//! Replaces the names that a source defines by names of one character.

use super::edits::{apply, Edits};
use super::tokens::{is_char, located, own_traits, Located};
use anyhow::{ensure, Result};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    ConstParam, Field, ForeignItemFn, Ident, ImplItem, ImplItemFn, Item, ItemImpl, PatIdent,
    Signature, TraitItemFn, TypeParam, UseName, UsePath, UseRename, UseTree, Variant,
};

/// Fragment specifiers of macro parameters.
const FRAGMENTS: [&str; 8] = ["block", "expr", "ident", "literal", "pat", "path", "tt", "ty"];

/// Returns the source with one-character names for the names that it defines; the most frequent get ASCII letters. The
/// compiler refuses the result if a format string contains a name.
pub fn shorten_names(text: &str) -> Result<String> {
    let file = syn::parse_file(text)?;
    let tokens = located(text)?;
    let traits = own_traits(&tokens);
    let mut defined = Defined { traits, ..Defined::default() };
    defined.visit_file(&file);
    for pair in tokens.windows(2).filter(|pair| pair[0].text == "fn") {
        if defined.macros.iter().any(|range| range.contains(&pair[1].range.start)) {
            defined.foreign.insert(pair[1].text.clone());
        }
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        *counts.entry(&token.text).or_default() += usize::from(defined.is_own(&tokens, at));
        let is_stringify = token.text == "stringify";
        ensure!(!is_stringify, "can't rename the argument of stringify!");
    }
    let mut long: Vec<&str> =
        counts.iter().filter(|(_, &count)| count > 0).map(|(name, _)| *name).collect();
    // Ties are broken by name, so that the order does not depend on hashing.
    long.sort_by(|a, b| counts[b].cmp(&counts[a]).then_with(|| a.cmp(b)));
    let free = short_names().filter(|short| !counts.contains_key(short.as_str()));
    let short: HashMap<&str, String> = long.into_iter().zip(free).collect();
    let mut edits = Edits::new();
    for (at, token) in tokens.iter().enumerate() {
        if defined.is_own(&tokens, at) {
            edits.extend(
                short.get(token.text.as_str()).map(|name| (token.range.clone(), name.clone())),
            );
        }
    }
    Ok(apply(text, edits))
}

/// Returns one-character names: ASCII letters, then ideographs of Unicode 3.0, which normalisation does not change.
/// Rust allows them in names since 1.53.
pub fn short_names() -> impl Iterator<Item = String> {
    ('a'..='z').chain('A'..='Z').chain('\u{4e00}'..='\u{9fa5}').map(String::from)
}

/// The names that a source defines.
#[derive(Default)]
struct Defined {
    names: HashSet<String>,
    /// Names of fields.
    fields: HashSet<String>,
    /// Names of methods.
    methods: HashSet<String>,
    /// Byte positions at which functions of types and traits are defined.
    functions: HashSet<usize>,
    /// Traits that the source defines.
    traits: HashSet<String>,
    /// Byte ranges of the macro definitions.
    macros: Vec<Range<usize>>,
    /// Foreign names: in paths of imports, of foreign functions, and of members of foreign traits. Functions that a
    /// macro defines count as foreign, since they may implement a foreign trait.
    foreign: HashSet<String>,
    /// Aliases of imported foreign names.
    aliases: HashSet<String>,
}

impl Defined {
    fn add(&mut self, name: &Ident) {
        self.names.insert(name.to_string());
    }

    fn add_field(&mut self, name: &Ident) {
        self.fields.insert(name.to_string());
        self.add(name);
    }

    /// Whether a token is a name that the source defines and that can be renamed. A name after a value or a path may be
    /// foreign.
    fn is_own(&self, tokens: &[Located], at: usize) -> bool {
        let name = &tokens[at].text;
        let text =
            |back: usize| at.checked_sub(back).map_or("", |index| tokens[index].text.as_str());
        let next = tokens.get(at + 1).map_or("", |token| token.text.as_str());
        let is_plain = self.names.contains(name) && !self.must_stay(name);
        let is_method = is_plain && !self.is_common(name);
        let is_range = text(2) == "." && tokens[at - 2].is_joint;
        match text(1) {
            "'" => false,
            "$" => is_plain,
            _ if !tokens[at].is_name => false,
            _ if self.functions.contains(&tokens[at].range.start) => is_method,
            "." if is_range => is_plain,
            "." if next == "(" || next == ":" => is_method && self.methods.contains(name),
            "." => is_plain && self.fields.contains(name),
            ":" if text(2) == ":" && is_type(text(3)) => is_method && self.is_of_source(text(3)),
            ":" if text(2) == ":" => is_plain && self.is_of_source(text(3)),
            ":" if text(3) == "$" => is_plain && !FRAGMENTS.contains(&name.as_str()),
            _ => is_plain,
        }
    }

    /// Whether the source defines the name before the `::` of a path.
    fn is_of_source(&self, name: &str) -> bool {
        // A variable may have the name of a foreign module.
        let is_foreign = self.foreign.contains(name) && !is_type(name);
        let is_own = self.names.contains(name) && !is_foreign && !self.aliases.contains(name);
        is_own || matches!(name, "Self" | "self" | "super" | "crate" | ">")
    }

    /// Whether a name must be kept.
    fn must_stay(&self, name: &str) -> bool {
        name.len() == 1 || name.starts_with('_') || name == "main" || self.foreign.contains(name)
    }

    /// Whether a method name may also occur in the standard library: all names of one word.
    fn is_common(&self, name: &str) -> bool {
        let is_word = !name.strip_prefix("is_").unwrap_or(name).contains('_');
        is_word && self.methods.contains(name)
    }
}

fn is_type(name: &str) -> bool {
    name == ">" || name.starts_with(char::is_uppercase)
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
            Item::Macro(item) if item.ident.is_some() => {
                self.macros.push(item.span().byte_range());
            }
            Item::Macro(item) => self.add_assigned(item.mac.tokens.clone()),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        self.add(&signature.ident);
        visit::visit_signature(self, signature);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.functions.insert(item.sig.ident.span().byte_range().start);
        if item.sig.receiver().is_some() {
            self.methods.insert(item.sig.ident.to_string());
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_foreign_item_fn(&mut self, item: &'ast ForeignItemFn) {
        self.foreign.insert(item.sig.ident.to_string());
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.functions.insert(item.sig.ident.span().byte_range().start);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let is_foreign = of.is_some_and(|of| !self.traits.contains(&of.ident.to_string()));
        for inner in &item.items {
            let (name, is_method) = match inner {
                ImplItem::Fn(inner) => (&inner.sig.ident, inner.sig.receiver().is_some()),
                ImplItem::Const(inner) => (&inner.ident, false),
                ImplItem::Type(inner) => (&inner.ident, false),
                _ => continue,
            };
            let of_that = match (is_foreign, is_method) {
                (true, _) => &mut self.foreign,
                (false, true) => &mut self.methods,
                _ => continue,
            };
            of_that.insert(name.to_string());
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.add(&item.ident);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_field(&mut self, field: &'ast Field) {
        field.ident.iter().for_each(|name| self.add_field(name));
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

    fn visit_use_path(&mut self, path: &'ast UsePath) {
        if path.ident == "super" {
            return self.add_renames(&path.tree);
        }
        self.foreign.insert(path.ident.to_string());
        visit::visit_use_path(self, path);
    }

    fn visit_use_name(&mut self, name: &'ast UseName) {
        self.foreign.insert(name.ident.to_string());
    }

    fn visit_use_rename(&mut self, rename: &'ast UseRename) {
        self.foreign.insert(rename.ident.to_string());
        self.aliases.insert(rename.rename.to_string());
        self.add(&rename.rename);
    }

    fn visit_const_param(&mut self, param: &'ast ConstParam) {
        self.add(&param.ident);
        visit::visit_const_param(self, param);
    }

    fn visit_type_param(&mut self, param: &'ast TypeParam) {
        self.add(&param.ident);
        visit::visit_type_param(self, param);
    }
}

impl Defined {
    /// Adds the aliases of an import from this crate.
    fn add_renames(&mut self, tree: &UseTree) {
        if let UseTree::Rename(rename) = tree {
            self.add(&rename.rename);
        }
    }

    /// Adds the names before `=` in a macro call as fields.
    fn add_assigned(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for pair in trees.windows(2) {
            if let (TokenTree::Ident(name), true) = (&pair[0], is_char(&pair[1], '=')) {
                self.add_field(name);
            }
        }
    }
}

#[cfg(test)]
mod tests;
