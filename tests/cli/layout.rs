//! The layers of the sources: imports between the files of `src` form no cycle, and no layer imports a higher one.
//! Every path in a source counts as an import, in `use`, code and macros alike. Modules called `tests` may import
//! everything, except that those of the playing core import no tools.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, lowest first: each may import itself and those before it. A file belongs to the first layer that is a
/// prefix of its module. `fuzz`, which makes input for tests, belongs to the first layer.
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

/// Number of layers that make up the playing core.
const CORE: usize = 2;

/// Folders whose members do not import each other.
const INDEPENDENT: [&str; 2] = ["games", "tools::labs"];

/// The path of a module: its names.
type Module = Vec<String>;

/// The imports of each file from others, by their modules.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Adds all files in a folder that have this extension.
fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

/// The texts of all sources in a folder of the package, by the modules that they would be.
fn sources(folder: &str) -> BTreeMap<Module, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths = Vec::new();
    collect(&root, "rs", &mut paths);
    let source = |path: PathBuf| {
        let module = path.strip_prefix(&root).expect("a path below").with_extension("");
        let names = module.iter().map(|name| name.to_string_lossy().to_string());
        let module = names.filter(|name| !["mod", "main"].contains(&name.as_str())).collect();
        (module, fs::read_to_string(path).expect("a source"))
    };
    paths.into_iter().map(source).collect()
}

/// Splits a source into names, punctuation (`::` is one word) and brackets, without comments; a literal becomes `0`.
fn flatten(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket => ["[", "]"],
                    _ => ["(", ")"],
                };
                words.push(open.to_string());
                flatten(group.stream(), words);
                words.push(close.to_string());
            }
            TokenTree::Literal(_) => words.push("0".to_string()),
            TokenTree::Punct(punct)
                if punct.as_char() == ':' && words.last().is_some_and(|word| word == ":") =>
            {
                *words.last_mut().expect("a colon") = "::".to_string();
            }
            other => words.push(other.to_string().trim_start_matches("r#").to_string()),
        }
    }
}

/// Returns the file that a path refers to from a module; `None` if the path leads out of the package.
fn file_of(
    path: &[String],
    here: &[String],
    is_file: impl Fn(&[String]) -> bool,
) -> Option<Module> {
    let mut module = if path[0] == "crate" { Module::new() } else { here.to_vec() };
    if !["crate", "self", "super"].contains(&path[0].as_str())
        && !is_file(&[here, &path[..1]].concat())
    {
        return None;
    }
    for name in path {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => drop(module.pop()),
            _ => module.push(name.clone()),
        }
    }
    // An item, or a module inside a file, belongs to the file.
    while !is_file(&module) {
        module.pop();
    }
    Some(module)
}

/// Returns the paths in a file, each with the module that contains it.
fn paths(module: &Module, words: &[String]) -> Vec<(Module, Module)> {
    let is_name = |word: &String| word.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic());
    let (mut found, mut here, mut at) = (Vec::new(), module.clone(), 0);
    // For each open bracket the path that a group of `use` continues, and whether it is a module's.
    let mut open: Vec<(Module, bool)> = Vec::new();
    while let Some(word) = words.get(at) {
        let is = |at: usize, word: &str| words.get(at).is_some_and(|other| other == word);
        match word.as_str() {
            "{" | "[" | "(" => {
                let is_module = word == "{" && at > 1 && words[at - 2] == "mod";
                here.extend(is_module.then(|| words[at - 1].clone()));
                open.push((Vec::new(), is_module));
            }
            "}" | "]" | ")" => {
                let (_, is_module) = open.pop().expect("an open bracket");
                here.truncate(here.len() - usize::from(is_module));
            }
            _ if is_name(word) => {
                let mut path = open.last().map_or(Vec::new(), |(path, _)| path.clone());
                path.push(word.clone());
                while is(at + 1, "::") && words.get(at + 2).is_some_and(is_name) {
                    path.push(words[at + 2].clone());
                    at += 2;
                }
                if is(at + 1, "::") && is(at + 2, "{") {
                    open.push((path, false));
                    at += 2;
                } else if path.len() > 1 || is(at + 1, "::") {
                    found.push((here.clone(), path));
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// What to do with imports within modules called `tests`.
#[derive(Clone, Copy, PartialEq)]
enum Tests {
    Included,
    LeftOut,
}

/// The imports of every source.
fn imports_of(sources: &BTreeMap<Module, String>, tests: Tests) -> Imports {
    let name = |module: &Module| module.join("::");
    let is_left_out =
        |module: &Module| tests == Tests::LeftOut && module.iter().any(|part| part == "tests");
    let mut imports = Imports::new();
    for (module, text) in sources.iter().filter(|(module, _)| !is_left_out(module)) {
        let mut words = Vec::new();
        flatten(text.parse().expect("Rust"), &mut words);
        let is_file = |module: &[String]| sources.contains_key(module);
        let paths = paths(module, &words).into_iter().filter(|(here, _)| !is_left_out(here));
        let files = paths.filter_map(|(here, path)| file_of(&path, &here, is_file));
        imports
            .insert(name(module), files.filter(|file| file != module).map(|m| name(&m)).collect());
    }
    imports
}

fn imports(tests: Tests) -> Imports {
    let imports = imports_of(&sources("src"), tests);
    assert!(imports.len() > 200, "only {} files found", imports.len());
    imports
}

fn is_within(module: &str, folder: &str) -> bool {
    folder.is_empty()
        || module.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[test]
fn imports_are_found_in_all_forms_of_paths() {
    let plant = |text: &str| {
        let file = |name: &str| name.split("::").map(str::to_string).collect::<Module>();
        let mut sources: BTreeMap<Module, String> =
            ["games", "games::zuniq", "games::zuniq::tree", "games::chess960", "tools::labs"]
                .map(|name| (file(name), String::new()))
                .into();
        sources.insert(Module::new(), String::new());
        sources.insert(file("games::zuniq"), text.to_string());
        let found = |tests| imports_of(&sources, tests)["games::zuniq"].iter().cloned().collect();
        [Tests::Included, Tests::LeftOut].map(found) as [Vec<String>; 2]
    };
    for upward in [
        "use crate::tools::labs::Entry;",
        "use crate::{tools::labs, games::zuniq::Part};",
        "use super::super::tools::{labs::{self, Entry as E}};",
        "use super::super::tools::labs::*;",
        "pub(in crate::tools::labs) struct Part;",
        "fn f(n: usize) -> Vec<crate::tools::labs::Entry> { Vec::new() }",
        "fn f() { println!(\"{}\", g(crate::tools::labs::ENTRY)) }",
        "mod inner { mod other { use super::super::super::super::tools::labs::ENTRY; } }",
        "#[cfg(test)] mod tests; #[cfg(test)] use crate::tools::labs::Entry;",
    ] {
        assert_eq!(plant(upward), [["tools::labs"]; 2], "{upward}");
    }
    assert_eq!(plant("fn f() { tree::grow(super::chess960::MOVES) }")[0].len(), 2);
    let comment = "// crate::tools::labs\nconst A: &str = \"crate::tools::labs\"; use labs::Entry;";
    assert_eq!(plant(comment), [[""; 0]; 2]);
    let test = "#[cfg(test)] mod tests { use crate::tools::labs::Entry; }";
    assert_eq!(plant(test), [vec!["tools::labs"], vec![]]);
}

/// Returns the files that are part of cycles of imports.
fn cycles(mut imports: Imports) -> Imports {
    // A file that imports none of the rest, or is imported by none, is in no cycle.
    loop {
        let before = imports.len();
        let files: BTreeSet<String> = imports.keys().cloned().collect();
        let imported: BTreeSet<String> = imports.values().flatten().cloned().collect();
        imports.retain(|file, of| {
            of.retain(|other| files.contains(other));
            !of.is_empty() && imported.contains(file)
        });
        if imports.len() == before {
            return imports;
        }
    }
}

#[test]
fn imports_have_no_cycles() {
    assert_eq!(cycles(imports(Tests::LeftOut)), Imports::new());
}

/// The folders of the modules of the board's page, the lowest layer first.
const PAGE_LAYERS: [&str; 4] = ["state/", "drawing/", "actions/", "main.js"];

#[test]
fn modules_of_the_page_import_downwards() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tools/commands/board/assets");
    let root = folder.canonicalize().expect("a folder");
    let name = |path: PathBuf| {
        let path = path.canonicalize().unwrap_or_else(|error| panic!("{path:?}: {error}"));
        path.strip_prefix(&root).expect("a module").to_string_lossy().to_string()
    };
    let layer = |file: &str| PAGE_LAYERS.iter().position(|layer| file.starts_with(layer));
    let (mut paths, mut imports) = (Vec::new(), Imports::new());
    collect(&root, "js", &mut paths);
    for path in paths {
        let text = fs::read_to_string(&path).expect("a module");
        let imported = text.split(" from '").skip(1).filter_map(|rest| rest.split_once("';"));
        let imported = imported.map(|(other, _)| name(path.with_file_name(other))).collect();
        imports.insert(name(path), imported);
    }
    assert!(imports.values().flatten().count() > 50, "{imports:#?}");
    for (file, imported) in &imports {
        assert!(imported.iter().all(|other| layer(other) <= layer(file)), "{file}: {imported:?}");
    }
    assert_eq!(cycles(imports), Imports::new());
}

#[test]
fn no_layer_imports_a_higher_one() {
    let layer = |module: &str| {
        let module = if is_within(module, "fuzz") { LAYERS[0] } else { module };
        LAYERS.iter().position(|layer| is_within(module, layer)).expect("the last one has all")
    };
    let core = imports(Tests::Included).into_iter().filter(|(file, _)| layer(file) < CORE);
    for (file, imported) in imports(Tests::LeftOut).into_iter().chain(core) {
        let upward: Vec<_> = imported.iter().filter(|other| layer(other) > layer(&file)).collect();
        assert!(upward.is_empty(), "{file} imports {upward:?}");
    }
}

#[test]
fn no_game_imports_another() {
    let imports = imports(Tests::Included);
    let member = |module: &str, folder: &str| {
        let rest = module.strip_prefix(folder)?.strip_prefix("::")?;
        rest.split("::").next().map(str::to_string)
    };
    let games: BTreeSet<String> = imports.keys().filter_map(|file| member(file, "games")).collect();
    assert!(games.len() >= 4, "{games:?}");
    let game = |module: &str| {
        let name = INDEPENDENT.iter().find_map(|folder| member(module, folder));
        name.filter(|name| games.contains(name))
    };
    for (file, imported) in &imports {
        let Some(own) = game(file) else { continue };
        for other in imported {
            assert!(game(other).is_none_or(|met| met == own), "{file} imports {other}");
        }
    }
}

/// Maximum length of the name of a function, including tests.
const MAX_NAME: usize = 50;

/// Width of comments, in columns.
const WIDTH: usize = 120;

/// Splits a line of a comment into its start, with the indentation, and its text. Returns `None` for code and for lines
/// that are not prose: headings, lists, tables, code blocks and indented text.
fn prose(line: &str) -> Option<(&str, &str)> {
    let comment = line.trim_start();
    let mark = ["/// ", "//! ", "// "].into_iter().find(|mark| comment.starts_with(mark))?;
    let (start, text) = line.split_at(line.len() - comment.len() + mark.len());
    let is_listed = text.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    (!text.starts_with(['-', '*', '|', '#', '>', '`', ' ']) && !is_listed).then_some((start, text))
}

#[test]
fn comments_are_filled_to_120_columns() {
    let mut files = Vec::new();
    for folder in ["src", "tests", "examples"] {
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), "rs", &mut files);
    }
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        let mut comments = text.lines().filter(|line| line.trim_start().starts_with("//"));
        let wide = comments.find(|line| line.chars().count() > WIDTH);
        assert_eq!(wide, None, "{}", file.display());
        let lines: Vec<&str> = text.lines().collect();
        let early = lines.windows(2).find(|pair| {
            let [Some((start, _)), Some((next, text))] = [prose(pair[0]), prose(pair[1])] else {
                return false;
            };
            let word = text.split(' ').next().unwrap_or_default();
            start == next && pair[0].chars().count() + 1 + word.chars().count() <= WIDTH
        });
        assert_eq!(early, None, "{}: the next word fits into the first line", file.display());
    }
}

#[test]
fn names_of_functions_are_short() {
    let texts: String =
        ["src", "tests"].map(sources).into_iter().flat_map(BTreeMap::into_values).collect();
    let names =
        texts.split("fn ").skip(1).filter_map(|rest| rest.split_once('(')).map(|(name, _)| name);
    let is_name = |name: &&str| name.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric());
    let names: Vec<&str> = names.filter(is_name).collect();
    assert!(names.len() > 2000, "{} functions", names.len());
    let long: Vec<_> = names.iter().filter(|name| name.len() > MAX_NAME).collect();
    assert!(long.is_empty(), "{long:?}");
}

/// The last column of a table in `docs/rules` names a test.
#[test]
fn tests_named_in_the_rules_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&root.join("src"), "rs", &mut files);
    collect(&root.join("tests"), "rs", &mut files);
    let sources: String =
        files.iter().map(|file| fs::read_to_string(file).expect("a source")).collect();
    let mut pages = Vec::new();
    collect(&root.join("docs/rules"), "md", &mut pages);
    assert_eq!(pages.len(), 4);
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page");
        let names = text.lines().filter_map(|line| line.strip_suffix("` |")?.rsplit('`').next());
        let names: Vec<&str> = names.collect();
        assert!(names.len() > 8, "{}", page.display());
        for name in names {
            assert!(sources.contains(&format!("fn {name}(")), "{}: {name}", page.display());
        }
    }
}
