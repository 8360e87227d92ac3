//! The module tree of a source: the items and imports of each module, and path resolution.

use super::tokens::is_char;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Item, ItemMod, ItemUse, UseTree};

/// Paths and names that are in scope in every module.
const PRELUDE: [(&str, &[&str]); 2] = [
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

/// Returns the path of a name that is in scope in every module.
pub fn prelude_path(name: &str) -> Option<String> {
    let (base, _) = PRELUDE.iter().find(|(_, names)| names.contains(&name))?;
    Some(format!("{base}::{name}"))
}

/// Index of the root module.
pub const ROOT: usize = 0;

/// The target of a name or a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A module of the source.
    Module(usize),
    /// An item that a module of the source defines: the module's index and the item's name.
    Item(usize, String),
    /// A path into another crate.
    Foreign(String),
}

/// An import of one name.
#[derive(Clone, Debug)]
pub struct Import {
    /// Name under which the path is imported.
    pub name: String,
    pub path: Vec<String>,
}

/// A module.
#[derive(Debug, Default)]
pub struct Module {
    pub name: String,
    parent: usize,
    /// Byte range of the whole module item.
    pub range: Range<usize>,
    /// Byte range between the braces.
    pub inside: Range<usize>,
    /// Whether it is kept as a module.
    pub is_kept: bool,
    children: HashMap<String, usize>,
    /// Names of the macros that it defines.
    pub macros: HashSet<String>,
    /// Other items that it defines, with the byte ranges of their names.
    pub items: HashMap<String, Vec<Range<usize>>>,
    pub imports: Vec<Import>,
    /// Byte ranges of all imports.
    pub uses: Vec<Range<usize>>,
}

/// All modules of a source; the first one is the root.
#[derive(Debug, Default)]
pub struct Modules {
    pub all: Vec<Module>,
    /// Byte ranges of the macro definitions.
    pub macros: Vec<Range<usize>>,
}

impl Modules {
    /// Collects the modules of a file of `length` bytes.
    pub fn of(file: &syn::File, length: usize) -> Modules {
        let mut modules = Modules::default();
        let root = Module { range: 0..length, inside: 0..length, ..Module::default() };
        modules.all.push(root);
        modules.add_items(ROOT, &file.items);
        let mut named_in_macros = HashSet::new();
        collect_modules_named_in_macros(&file.items, &mut named_in_macros);
        for module in &mut modules.all {
            module.is_kept |= named_in_macros.contains(&module.name);
        }
        for index in 0..modules.all.len() {
            let mut imports = std::mem::take(&mut modules.all[index].imports);
            imports.retain(|import| !modules.is_macro(index, import));
            modules.all[index].imports = imports;
        }
        modules
    }

    /// Whether an import is of a macro; such imports are not needed in a flattened source.
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
                Item::Const(item) if item.ident != "_" => self.add_item(module, &item.ident),
                Item::Static(item) => self.add_item(module, &item.ident),
                Item::Type(item) => self.add_item(module, &item.ident),
                Item::Struct(item) => self.add_item(module, &item.ident),
                Item::Enum(item) => self.add_item(module, &item.ident),
                Item::Trait(item) => self.add_item(module, &item.ident),
                Item::Mod(item) => self.add_module(module, item),
                Item::Use(item) => self.add_imports(module, item),
                Item::ExternCrate(item) => {
                    // An alias of this crate itself.
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
        let positions = self.all[module].items.entry(name.to_string()).or_default();
        positions.push(name.span().byte_range());
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

    /// Returns the innermost module at a byte position.
    pub fn at(&self, position: usize) -> usize {
        // Submodules come after their parents.
        self.all.iter().rposition(|module| module.inside.contains(&position)).unwrap_or(ROOT)
    }

    /// Resolves a path in a module. Returns the target and the number of segments that lead to it: the leading modules
    /// and the item after them. `None` if the module does not know the first segment.
    pub fn resolve(&self, module: usize, path: &[String]) -> Option<(Target, usize)> {
        let mut found = self.named(module, path.first()?, true)?;
        let mut used = 1;
        while let (Target::Module(inner), Some(name)) = (&found, path.get(used)) {
            // An unknown item of a module is assumed to be defined by a macro.
            let item = Target::Item(*inner, name.clone());
            found = self.named(*inner, name, false).unwrap_or(item);
            used += 1;
        }
        Some((found, used))
    }

    /// Resolves a single name in a module; `is_first`: the name begins a path.
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
        // The crate's alias in the root is known everywhere.
        let child = child.or_else(|| self.all[ROOT].children.get(name).filter(|&&m| m == ROOT));
        let module = child.map(|&child| Target::Module(child));
        module.or_else(|| prelude_path(name).filter(|_| is_first).map(Target::Foreign))
    }

    /// Resolves an import of a module.
    pub fn imported(&self, module: usize, import: &Import) -> Target {
        let is_itself = import.path.len() == 1 && import.path[0] == import.name;
        let found = if is_itself { None } else { self.resolve(module, &import.path) };
        match found {
            Some((target, _)) => target,
            None => Target::Foreign(import.path.join("::")),
        }
    }
}

/// Whether an attribute is a compilation condition.
fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}

/// Collects the names before `::$` in macro definitions: only the compiler knows which items of such modules are used.
fn collect_modules_named_in_macros(items: &[Item], names: &mut HashSet<String>) {
    for item in items {
        match item {
            Item::Mod(item) => {
                collect_modules_named_in_macros(
                    item.content.as_ref().map_or(&[], |(_, items)| items),
                    names,
                );
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
        UseTree::Glob(_) => {}
    }
}
