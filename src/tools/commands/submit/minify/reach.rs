//! Removes items that are unreachable from `main`, in a flattened source.
//!
//! Reachability is determined by names only: a reachable item reaches all items and members whose names occur in it.

use super::edits::{apply, Edits};
use super::tokens::{is_char, located, own_traits, tokens_of};
use anyhow::Result;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::HashSet;
use std::fmt::Display;
use std::ops::Range;

/// Keywords of items that end with a semicolon, even after braces.
const WITH_SEMICOLON: [&str; 4] = ["const", "static", "type", "use"];
/// Keywords of items that are reached by the name that follows.
const NAMED: [&str; 8] =
    ["fn", "const", "static", "type", "struct", "enum", "trait", "macro_rules"];
/// Traits for debugging and error reports, which a player does not use.
const DEBUG_TRAITS: [&str; 2] = ["Debug", "Error"];

/// Returns the source without the items that are unreachable from `main`.
pub fn remove_unreachable(text: &str) -> Result<String> {
    let own_traits = own_traits(&located(text)?);
    let mut items = Items { own_traits, all: Vec::new() };
    items.add_all(tokens_of(text)?, None);
    let is_reachable = items.reachable();
    let unreachable =
        items.all.into_iter().zip(is_reachable).filter(|(_, is_reachable)| !is_reachable);
    Ok(apply(text, unreachable.map(|(item, _)| (item.range, String::new())).collect::<Edits>()))
}

/// Collects the names in some tokens, except names of fields and names with a type annotation.
fn collect_names(tokens: TokenStream, names: &mut Vec<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let is = |back: usize, mark| at >= back && is_char(&trees[at - back], mark);
        let (is_call, is_typed) = match trees.get(at + 1) {
            Some(TokenTree::Group(group)) => (group.delimiter() == Delimiter::Parenthesis, false),
            // In a macro the argument list may be a parameter.
            Some(TokenTree::Punct(next)) => (
                matches!(next.as_char(), ':' | '$'),
                next.as_char() == ':' && next.spacing() == Spacing::Alone,
            ),
            _ => (false, false),
        };
        let is_after_value = is(1, '.') && !is(2, '.');
        let is_after_path = is(1, ':') && is(2, ':');
        let is_field = is_after_value && !is_call;
        let is_defined = at > 0 && is_word(&trees[at - 1], "fn");
        match tree {
            TokenTree::Group(group) => collect_names(group.stream(), names),
            TokenTree::Ident(name) if !is_field && !is_typed && !is_defined => {
                names.extend((!is_after_value).then(|| name.to_string()));
                names.extend((is_after_value || is_after_path).then(|| member(name)));
            }
            _ => {}
        }
    }
}

/// Returns the name of a member of a type or trait, with a leading dot to distinguish it from items.
fn member(name: impl Display) -> String {
    format!(".{name}")
}

/// An item, or a member of a type or a trait.
struct Item {
    range: Range<usize>,
    /// Name that reaches it; `None`: it is reached together with the item around it.
    name: Option<String>,
    /// Index of the item around it.
    outer: Option<usize>,
    /// Whether the items within it are members.
    has_members: bool,
    /// Names that it reaches, except those in the items within it.
    names: Vec<String>,
}

/// All items of a source.
struct Items {
    own_traits: HashSet<String>,
    all: Vec<Item>,
}

impl Items {
    /// Adds all items in some tokens.
    fn add_all(&mut self, tokens: TokenStream, outer: Option<usize>) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = &trees[..];
        while !rest.is_empty() {
            let end_at = |is_end: &dyn Fn(&TokenTree) -> bool| {
                rest.iter().position(is_end).map_or(rest.len(), |at| at + 1)
            };
            let mut len = end_at(&|tree| is_char(tree, ';') || is_brace(tree));
            let keyword = (0..len).find(|&at| is_keyword(&rest[at..len]));
            if keyword.is_some_and(|at| WITH_SEMICOLON.iter().any(|word| is_word(&rest[at], word)))
            {
                len = end_at(&|tree| is_char(tree, ';'));
            }
            self.add(&rest[..len], keyword, outer);
            rest = &rest[len..];
        }
    }

    /// Adds an item and those within it.
    fn add(&mut self, trees: &[TokenTree], keyword: Option<usize>, outer: Option<usize>) {
        let start = trees[0].span().byte_range().start;
        let range = start..trees[trees.len() - 1].span().byte_range().end;
        let keyword = keyword.map_or(&[][..], |at| &trees[at..]);
        let is = |word: &str| keyword.first().is_some_and(|tree| is_word(tree, word));
        let mut name = None;
        let mut has_members = is("trait");
        if is("impl") {
            let (of, this) = implemented(keyword);
            has_members = of.as_ref().is_none_or(|of| self.own_traits.contains(of));
            // An empty name is never reached.
            let is_debug_trait = of.is_some_and(|of| DEBUG_TRAITS.contains(&of.as_str()));
            name = if is_debug_trait { Some(String::new()) } else { this };
        } else if NAMED.iter().any(|word| is(word)) {
            name = names_of(&keyword[1..]).into_iter().find(|name| name != "mut");
        }
        // A macro parameter may stand for any name.
        name = name.filter(|name| name != "main" && name != "_" && !name.starts_with('$'));
        if outer.is_some_and(|outer| self.all[outer].has_members) {
            name = name.map(member);
        }
        let is_import = is("use") && !trees.iter().any(|tree| is_word(tree, "super"));
        let index = self.all.len();
        self.all.push(Item { range, name, outer, has_members, names: Vec::new() });
        let mut outside = Vec::new();
        for tree in trees {
            match tree {
                TokenTree::Group(group) if (has_members || is("mod")) && is_brace(tree) => {
                    self.add_all(group.stream(), Some(index));
                }
                TokenTree::Group(group) if is("macro_rules") && is_brace(tree) => {
                    self.add_rules(group.stream(), index);
                }
                tree => outside.push(tree.clone()),
            }
        }
        if !is_import {
            collect_names(outside.into_iter().collect(), &mut self.all[index].names);
        }
    }

    /// Adds the items that the rules of a macro generate.
    fn add_rules(&mut self, rules: TokenStream, outer: usize) {
        let trees: Vec<TokenTree> = rules.into_iter().collect();
        for pair in trees.windows(2).filter(|pair| is_char(&pair[0], '>')) {
            if let TokenTree::Group(body) = &pair[1] {
                self.add_all(body.stream(), Some(outer));
            }
        }
    }

    /// Returns for each item whether it is reachable.
    fn reachable(&self) -> Vec<bool> {
        let mut names = HashSet::new();
        let mut is_reachable = vec![false; self.all.len()];
        loop {
            let is_next = |index: &usize| {
                let Item { name, outer, .. } = &self.all[*index];
                !is_reachable[*index]
                    && name.as_ref().is_none_or(|name| names.contains(name))
                    && outer.is_none_or(|outer| is_reachable[outer])
            };
            let next: Vec<usize> = (0..self.all.len()).filter(is_next).collect();
            if next.is_empty() {
                return is_reachable;
            }
            for index in next {
                is_reachable[index] = true;
                names.extend(&self.all[index].names);
            }
        }
    }
}

/// Returns the trait, if any, and the type of an `impl`.
fn implemented(trees: &[TokenTree]) -> (Option<String>, Option<String>) {
    let names = names_of(&trees[1..]);
    let head = names.split(|name| name == "where").next().unwrap_or_default();
    match head.iter().position(|name| name == "for") {
        Some(at) => (head[..at].last().cloned(), head.get(at + 1).cloned()),
        None => (None, head.last().cloned()),
    }
}

/// Returns the names in some token trees, except those in angle brackets; macro parameters keep their `$`.
fn names_of(trees: &[TokenTree]) -> Vec<String> {
    let mut depth = 0;
    let mut names = Vec::new();
    let mut mark = "";
    for tree in trees {
        depth += i32::from(is_char(tree, '<')) - i32::from(is_char(tree, '>'));
        if let (TokenTree::Ident(name), 0) = (tree, depth) {
            names.push(format!("{mark}{name}"));
        }
        mark = if is_char(tree, '$') { "$" } else { "" };
    }
    names
}

/// Whether the first token is an item's keyword. The `const` of a `const fn` is not.
fn is_keyword(trees: &[TokenTree]) -> bool {
    let is_of_function =
        trees.get(1).is_some_and(|next| is_word(next, "fn") || is_word(next, "unsafe"));
    let mut words = NAMED.iter().chain(&["impl", "mod", "use"]);
    words.any(|word| is_word(&trees[0], word)) && !is_of_function
}

fn is_word(tree: &TokenTree, text: &str) -> bool {
    matches!(tree, TokenTree::Ident(word) if word == text)
}

fn is_brace(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

#[cfg(test)]
mod tests;
