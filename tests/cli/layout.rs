//! The order of the house: the files of `src` import each other without a circle, and no lower layer imports a
//! higher one. Imports are read from the sources: `use`, and paths that begin with `crate`, `super` or `self`.
//! What is compiled for tests alone may import everything.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, ItemMod, ItemUse, Macro, UseTree};

/// The layers, the lowest first: each may import itself and what stands before it. The first prefix that fits
/// a file's module counts.
const LAYERS: [&str; 11] = [
    "engine",
    "games",
    "tools::support",
    "tools::contracts",
    "tools::arena",
    "tools::training",
    "tools::labs",
    "tools::commands",
    "tools",
    "cli",
    "",
];

/// Folders whose members know nothing of each other.
const STRANGERS: [&str; 2] = ["games", "tools::labs"];

/// A module by the names that lead to it.
type Module = Vec<String>;

/// The files of `src`, without tests, by their modules.
fn files() -> BTreeMap<Module, File> {
    fn collect(folder: &Path, module: &[String], files: &mut BTreeMap<Module, File>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().to_string();
            if name == "tests" {
                continue;
            }
            let mut inner = module.to_vec();
            if !["mod", "main"].contains(&name.as_str()) {
                inner.push(name);
            }
            if path.is_dir() {
                collect(&path, &inner, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                files.insert(inner, syn::parse_file(&text).expect("Rust"));
            }
        }
    }
    let mut files = BTreeMap::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &[], &mut files);
    let for_tests: Vec<Module> =
        files.iter().flat_map(|(module, file)| tests_of(module, file)).collect();
    for module in &for_tests {
        files.retain(|file, _| !file.starts_with(module));
    }
    files
}

/// The modules that a file declares for tests.
fn tests_of(module: &Module, file: &File) -> Vec<Module> {
    let declared = file.items.iter().filter_map(|item| match item {
        Item::Mod(item) if item.content.is_none() && is_for_tests(&item.attrs) => {
            Some([&module[..], &[item.ident.to_string()]].concat())
        }
        _ => None,
    });
    declared.collect()
}

/// Is this compiled for tests alone?
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_test = |list: &syn::MetaList| {
            let text = list.tokens.to_string();
            text == "test" || text.starts_with("all") && text.contains("test")
        };
        attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(is_test)
    })
}

/// Collects the files that a file imports.
struct Imports<'a> {
    files: &'a BTreeMap<Module, File>,
    /// The module that is read now, with modules inside the file.
    here: Module,
    found: BTreeSet<Module>,
}

impl Imports<'_> {
    /// Notes the file that a path from here leads into.
    fn note(&mut self, path: &[String]) {
        let mut module = self.here.clone();
        let mut names = path.iter();
        let first = names.next().map(String::as_str);
        match first {
            Some("crate") => module.clear(),
            Some("self") => {}
            Some("super") => {
                module.pop();
            }
            // The name of a module below, or something else altogether.
            Some(name) => module.push(name.to_string()),
            None => return,
        }
        let is_below = !matches!(first, Some("crate" | "self" | "super"));
        if is_below && !self.files.contains_key(&module) {
            return;
        }
        for name in names {
            match name.as_str() {
                "super" => {
                    module.pop();
                }
                name => {
                    module.push(name.to_string());
                    if !self.files.contains_key(&module) {
                        module.pop();
                        break;
                    }
                }
            }
        }
        // A module inside a file belongs to the file.
        while !self.files.contains_key(&module) {
            module.pop();
        }
        self.found.insert(module);
    }

    fn note_tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |ident: &syn::Ident| {
            let name = ident.to_string();
            [before, &[name.trim_start_matches("r#").to_string()]].concat()
        };
        match tree {
            UseTree::Path(path) => self.note_tree(&with(&path.ident), &path.tree),
            UseTree::Name(name) if name.ident == "self" => self.note(before),
            UseTree::Name(name) => self.note(&with(&name.ident)),
            UseTree::Rename(rename) => self.note(&with(&rename.ident)),
            UseTree::Glob(_) => self.note(before),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.note_tree(before, tree));
            }
        }
    }

    /// Notes the paths of a macro's call, which are no more than words yet.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if path.is_empty() || colons == 2 => {
                    path.push(ident.to_string().trim_start_matches("r#").to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += 1
                }
                other => {
                    self.note_words(&path);
                    path.clear();
                    colons = 0;
                    match other {
                        TokenTree::Ident(ident) => path.push(ident.to_string()),
                        TokenTree::Group(group) if group.delimiter() != Delimiter::None => {
                            self.note_tokens(group.stream());
                        }
                        _ => {}
                    }
                }
            }
        }
        self.note_words(&path);
    }

    fn note_words(&mut self, path: &[String]) {
        if path.len() > 1 {
            self.note(path);
        }
    }
}

impl<'ast> Visit<'ast> for Imports<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.note_tree(&[], &item.tree);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.here.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.here.pop();
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        let names: Vec<String> =
            names.iter().map(|name| name.trim_start_matches("r#").to_string()).collect();
        self.note_words(&names);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.note_tokens(call.tokens.clone());
    }
}

/// The imports of every file from others.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let files = files();
    assert!(files.len() > 200, "only {} files found", files.len());
    let name = |module: &Module| module.join("::");
    let imports = files.iter().map(|(module, file)| {
        let mut imports = Imports { files: &files, here: module.clone(), found: BTreeSet::new() };
        imports.visit_file(file);
        imports.found.remove(module);
        (name(module), imports.found.iter().map(name).collect())
    });
    imports.collect()
}

fn is_within(module: &str, folder: &str) -> bool {
    folder.is_empty()
        || module.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut imports = imports();
    // What imports nothing that is left can't be on a circle.
    loop {
        let ends: Vec<String> =
            imports.iter().filter(|(_, of)| of.is_empty()).map(|(file, _)| file.clone()).collect();
        if ends.is_empty() {
            break;
        }
        for end in &ends {
            imports.remove(end);
            imports.values_mut().for_each(|of| {
                of.remove(end);
            });
        }
    }
    // Nor what nothing that is left imports.
    loop {
        let imported: BTreeSet<String> = imports.values().flatten().cloned().collect();
        let before = imports.len();
        imports.retain(|file, _| imported.contains(file));
        if imports.len() == before {
            break;
        }
    }
    assert!(imports.is_empty(), "{imports:#?}");
}

#[test]
fn no_layer_imports_a_higher_one() {
    let layer = |module: &str| {
        LAYERS.iter().position(|layer| is_within(module, layer)).expect("the last one has all")
    };
    for (file, imported) in imports() {
        for other in imported {
            assert!(layer(&file) >= layer(&other), "{file} imports {other}");
        }
    }
}

#[test]
fn no_game_knows_another() {
    let own = |module: &str, folder: &str| {
        let rest = module.strip_prefix(folder)?.strip_prefix("::")?;
        rest.split("::").next().map(str::to_string)
    };
    let imports = imports();
    for folder in STRANGERS {
        let games: BTreeSet<String> =
            imports.keys().filter_map(|file| own(file, "games")).collect();
        assert!(games.len() >= 4, "{games:?}");
        for (file, imported) in &imports {
            let Some(game) = own(file, folder).filter(|name| games.contains(name)) else {
                continue;
            };
            for other in imported {
                for folder in STRANGERS {
                    let met = own(other, folder).filter(|name| games.contains(name));
                    assert!(met.is_none_or(|met| met == game), "{file} imports {other}");
                }
            }
        }
    }
}

/// No function, and so no test, has a longer name.
const MAX_NAME: usize = 50;

#[test]
fn names_of_functions_are_short() {
    fn collect(folder: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, names);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                let found = text.split("fn ").skip(1).filter_map(|rest| rest.split_once('('));
                names.extend(found.map(|(name, _)| name.to_string()));
            }
        }
    }
    let mut names = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["src", "tests"].iter().for_each(|folder| collect(&root.join(folder), &mut names));
    let is_name = |name: &&String| name.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric());
    let names: Vec<&String> = names.iter().filter(is_name).collect();
    assert!(names.len() > 2000, "{} functions", names.len());
    let long: Vec<_> = names.iter().filter(|name| name.len() > MAX_NAME).collect();
    assert!(long.is_empty(), "{long:?}");
}
