//! Short names.

use super::reach::collect_names;
use super::tokens::{is_char, tokens_of, Kind, Token};
use anyhow::{bail, ensure, Result};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{
    ConstParam, Field, Ident, Item, PatIdent, Signature, TypeParam, UseName, UsePath, UseRename,
    UseTree, Variant,
};

/// Names that the standard library or the language has as well as the sources.
const KEPT: [&str; 73] = [
    "Err",
    "Error",
    "IntoIter",
    "Item",
    "MAX",
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
    "consume",
    "count",
    "default",
    "deref",
    "deref_mut",
    "elapsed",
    "error",
    "expr",
    "extend",
    "fill",
    "fill_buf",
    "first",
    "flush",
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
    "kind",
    "last",
    "len",
    "lines",
    "load",
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
    "poll",
    "pop",
    "push",
    "push_str",
    "read",
    "sum",
    "take",
    "time",
    "truncate",
    "tt",
    "write",
];
/// The names that the source defines, with the short ones that stand for them everywhere, the shortest for
/// those met most often. Names that the standard library has, too, stay as they are.
pub fn short_names(text: &str) -> Result<HashMap<String, String>> {
    let mut defined = Defined::default();
    defined.visit_file(&syn::parse_file(text)?);
    let mut all = Vec::new();
    collect_names(tokens_of(text)?, &mut all);
    let mut names: HashMap<String, usize> = HashMap::new();
    all.into_iter().for_each(|(_, name)| *names.entry(name).or_default() += 1);
    let is_free =
        |name: &String| name.len() > 1 && !name.starts_with('_') && !KEPT.contains(&name.as_str());
    let Defined { names: defined, foreign } = defined;
    let mut long: Vec<String> =
        defined.difference(&foreign).filter(|name| is_free(name)).cloned().collect();
    // The order of equals must not depend on a hash.
    let worth = |name: &String| names.get(name).copied().unwrap_or(0);
    long.sort_by(|a, b| worth(b).cmp(&worth(a)).then_with(|| a.cmp(b)));
    let mut free = all_short().filter(|short| !names.contains_key(short));
    Ok(long.into_iter().filter_map(|name| Some((name, free.next()?))).collect())
}

/// Names of one character: the letters, then ideographs of Unicode 3.0, which no normalisation changes. Rust
/// takes them since 1.53.
pub fn all_short() -> impl Iterator<Item = String> {
    ('a'..='z').chain('A'..='Z').chain('\u{4e00}'..='\u{9fa5}').map(String::from)
}

/// The names that a source defines.
#[derive(Default)]
struct Defined {
    names: HashSet<String>,
    /// The names in imports' paths.
    foreign: HashSet<String>,
}

impl Defined {
    fn add(&mut self, name: &Ident) {
        self.names.insert(name.to_string());
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
    /// The other names that an import of what is not foreign gives.
    fn add_renames(&mut self, tree: &UseTree) {
        if let UseTree::Rename(rename) = tree {
            self.add(&rename.rename);
        }
    }

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

/// The tokens with the short names. Those of lifetimes stay. An error where a name is a part of
/// a text.
pub fn renamed(mut tokens: Vec<Token>, short: &HashMap<String, String>) -> Result<Vec<Token>> {
    let mut is_lifetime = false;
    for token in &mut tokens {
        match token.kind {
            Kind::Word if token.text == "stringify" => {
                bail!("can't rename what stringify! makes a text of");
            }
            Kind::Word if !is_lifetime => {
                if let Some(name) = short.get(&token.text) {
                    token.text = name.clone();
                }
            }
            Kind::Literal => {
                let named = named_in(&token.text).find(|name| short.contains_key(*name));
                ensure!(named.is_none(), "can't rename a variable within a text: {}", token.text);
            }
            _ => {}
        }
        is_lifetime = token.kind == Kind::Quote;
    }
    Ok(tokens)
}

/// The names that stand in a text as a variable to format would.
fn named_in(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split('{').skip(1);
    behind.filter_map(|rest| rest.split(['}', ':']).next())
}

#[cfg(test)]
mod tests;
