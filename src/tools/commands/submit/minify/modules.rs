//! The tree of a source's modules: what each has by which name, and what a path means.

use super::tokens::is_char;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Item, ItemMod, ItemUse, UseTree};

/// Where the names come from that every module has.
const EVERYWHERE: [(&str, &[&str]); 2] = [
    (
        "std::primitive",
        &[
            "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "str", "u8", "u16", "u32",
            "u64", "u128", "usize",
        ],
    ),
    (
        "std::prelude::v1",
        &["Box", "Err", "None", "Ok", "Option", "Result", "Some", "String", "Vec"],
    ),
];

/// The path of a name that every module has.
pub fn path_everywhere(name: &str) -> Option<String> {
    let (base, _) = EVERYWHERE.iter().find(|(_, names)| names.contains(&name))?;
    Some(format!("{base}::{name}"))
}

/// The module that is the file itself.
pub const ROOT: usize = 0;

/// What a name or a path means.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A module of the source.
    Module(usize),
    /// What a module of the source defines by a name.
    Item(usize, String),
    /// A path into another crate.
    Foreign(String),
}

/// An import of one name.
#[derive(Clone, Debug)]
pub struct Import {
    /// The name that it gives.
    pub name: String,
    pub path: Vec<String>,
}

/// A module.
#[derive(Debug, Default)]
pub struct Module {
    pub name: String,
    parent: usize,
    /// The bytes of the item; and those of what is in it, between the braces.
    pub range: Range<usize>,
    pub inside: Range<usize>,
    /// It stays a module.
    pub is_kept: bool,
    /// A macro's definition names it.
    pub is_called: bool,
    children: HashMap<String, usize>,
    /// The macros that it defines.
    pub macros: HashSet<String>,
    /// What else it defines, with the bytes of the names.
    pub items: HashMap<String, Vec<Range<usize>>>,
    pub imports: Vec<Import>,
    /// The bytes of all imports.
    pub uses: Vec<Range<usize>>,
}

/// All modules; the first one is the root.
#[derive(Debug, Default)]
pub struct Modules {
    pub all: Vec<Module>,
    /// The bytes of the definitions of macros.
    pub macros: Vec<Range<usize>>,
}

impl Modules {
    /// The modules of a file.
    pub fn of(file: &syn::File, length: usize) -> Modules {
        let mut modules = Modules::default();
        let root = Module { range: 0..length, inside: 0..length, ..Module::default() };
        modules.all.push(root);
        modules.add_items(ROOT, &file.items);
        let mut called = HashSet::new();
        collect_called(&file.items, &mut called);
        for module in &mut modules.all {
            module.is_called = called.contains(&module.name);
            module.is_kept |= module.is_called;
        }
        for index in 0..modules.all.len() {
            let mut imports = std::mem::take(&mut modules.all[index].imports);
            imports.retain(|import| !modules.is_macro(index, import));
            modules.all[index].imports = imports;
        }
        modules
    }

    /// Whether an import of a module is of a macro: that needs none where all modules are one.
    fn is_macro(&self, module: usize, import: &Import) -> bool {
        let Some((name, path)) = import.path.split_last() else { return false };
        let of = match self.resolve(module, path) {
            Some((Target::Module(of), used)) if used == path.len() => of,
            None if path.is_empty() => module,
            _ => return false,
        };
        self.all[of].macros.contains(name)
    }

    fn add_items(&mut self, module: usize, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(item) => self.add_item(module, &item.sig.ident),
                Item::Const(item) => self.add_item(module, &item.ident),
                Item::Static(item) => self.add_item(module, &item.ident),
                Item::Type(item) => self.add_item(module, &item.ident),
                Item::Struct(item) => self.add_item(module, &item.ident),
                Item::Enum(item) => self.add_item(module, &item.ident),
                Item::Trait(item) => self.add_item(module, &item.ident),
                Item::Mod(item) => self.add_module(module, item),
                Item::Use(item) => self.add_imports(module, item),
                Item::ExternCrate(item) => {
                    // The crate itself by another name.
                    if let Some((_, name)) = &item.rename {
                        self.all[module].children.insert(name.to_string(), ROOT);
                    }
                    self.all[module].uses.push(item.span().byte_range());
                }
                Item::Macro(item) => {
                    if let Some(name) = &item.ident {
                        self.all[module].macros.insert(name.to_string());
                        self.macros.push(item.span().byte_range());
                    }
                }
                _ => {}
            }
        }
    }

    fn add_item(&mut self, module: usize, name: &Ident) {
        let places = self.all[module].items.entry(name.to_string()).or_default();
        places.push(name.span().byte_range());
    }

    fn add_module(&mut self, parent: usize, item: &ItemMod) {
        let Some((brace, items)) = &item.content else { return };
        let name = item.ident.to_string();
        let inside = brace.span.open().byte_range().end..brace.span.close().byte_range().start;
        let is_kept = item.attrs.iter().any(is_condition);
        let range = item.span().byte_range();
        let index = self.all.len();
        self.all[parent].children.insert(name.clone(), index);
        self.all.push(Module { name, parent, range, inside, is_kept, ..Module::default() });
        self.add_items(index, items);
    }

    fn add_imports(&mut self, module: usize, item: &ItemUse) {
        self.all[module].uses.push(item.span().byte_range());
        add_tree(&item.tree, &mut Vec::new(), &mut self.all[module].imports);
    }

    /// The module whose text has this byte.
    pub fn at(&self, place: usize) -> usize {
        // Those inside another one come after it.
        self.all.iter().rposition(|module| module.inside.contains(&place)).unwrap_or(ROOT)
    }

    /// What a path means in a module, and how many of its segments say so: all of those of modules, and the one
    /// behind them. `None` where the first is no name of the module.
    pub fn resolve(&self, module: usize, path: &[String]) -> Option<(Target, usize)> {
        let mut found = self.named(module, path.first()?, true)?;
        let mut used = 1;
        while let (Target::Module(inner), Some(name)) = (&found, path.get(used)) {
            // What a module does not have, a macro defines there.
            let item = Target::Item(*inner, name.clone());
            found = self.named(*inner, name, false).unwrap_or(item);
            used += 1;
        }
        Some((found, used))
    }

    /// What a name alone means in a module, or after its path.
    fn named(&self, module: usize, name: &str, is_first: bool) -> Option<Target> {
        let this = &self.all[module];
        match name {
            "super" => return Some(Target::Module(this.parent)),
            "self" => return Some(Target::Module(module)),
            "crate" if is_first => return Some(Target::Module(ROOT)),
            _ => {}
        }
        if this.items.contains_key(name) {
            return Some(Target::Item(module, name.to_string()));
        }
        if let Some(import) = this.imports.iter().find(|import| import.name == name) {
            return Some(self.imported(module, import));
        }
        let child = this.children.get(name);
        // The name that the root gives the crate is known everywhere.
        let child = child.or_else(|| self.all[ROOT].children.get(name).filter(|&&m| m == ROOT));
        let module = child.map(|&child| Target::Module(child));
        module.or_else(|| path_everywhere(name).filter(|_| is_first).map(Target::Foreign))
    }

    /// What an import of a module imports.
    pub fn imported(&self, module: usize, import: &Import) -> Target {
        let is_itself = import.path.len() == 1 && import.path[0] == import.name;
        let found = if is_itself { None } else { self.resolve(module, &import.path) };
        match found {
            Some((target, _)) => target,
            None => Target::Foreign(import.path.join("::")),
        }
    }
}

/// Does an attribute compile something only under a condition?
fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}

/// The names before `::$` in the definitions of macros: only the compiler knows what is named in modules of those
/// names.
fn collect_called(items: &[Item], names: &mut HashSet<String>) {
    for item in items {
        match item {
            Item::Mod(item) => {
                collect_called(item.content.as_ref().map_or(&[], |(_, items)| items), names);
            }
            Item::Macro(item) if item.ident.is_some() => {
                collect_before_colons(item.mac.tokens.clone(), names);
            }
            _ => {}
        }
    }
}

fn collect_before_colons(tokens: TokenStream, names: &mut HashSet<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for window in trees.windows(4) {
        if let [TokenTree::Ident(name), a, b, c] = window {
            if is_char(a, ':') && is_char(b, ':') && is_char(c, '$') {
                names.insert(name.to_string());
            }
        }
    }
    for tree in trees {
        if let TokenTree::Group(group) = tree {
            collect_before_colons(group.stream(), names);
        }
    }
}

fn add_tree(tree: &UseTree, path: &mut Vec<String>, imports: &mut Vec<Import>) {
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            add_tree(&inner.tree, path, imports);
            path.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            let name = path.last().cloned().unwrap_or_default();
            imports.push(Import { name, path: path.clone() });
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            let path = path.iter().cloned().chain([name.clone()]).collect();
            imports.push(Import { name, path });
        }
        UseTree::Rename(rename) => {
            let name = rename.rename.to_string();
            let path = path.iter().cloned().chain([rename.ident.to_string()]).collect();
            imports.push(Import { name, path });
        }
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| add_tree(tree, path, imports));
        }
        // The parser of the bundle's caller has none of these to show.
        UseTree::Glob(_) => imports.push(Import { name: "*".into(), path: path.clone() }),
    }
}
