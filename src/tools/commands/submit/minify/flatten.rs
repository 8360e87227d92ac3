//! Moves the items of all modules into the root module, where they need no paths, no imports and no `pub`.
//!
//! Items whose names clash are renamed. A module is kept if it is compiled conditionally or if a macro definition names
//! it. What can't be flattened (glob imports, imports of the crate's items in functions, two macros or kept modules of
//! one name) is left to the compiler to refuse.

use super::edits::{apply, Edits};
use super::modules::{prelude_path, Modules, Target, ROOT};
use super::tokens::{located, Located};
use anyhow::{bail, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Field, ImplItemFn, ItemFn, PatIdent, TraitItemFn, Variant};

/// Keywords that precede a defined name.
const DEFINING: [&str; 9] =
    ["fn", "mod", "struct", "enum", "type", "const", "static", "trait", "macro_rules"];

/// A foreign name that occurs more often than this gets an alias, which is later shortened.
const FREQUENT: usize = 11;

/// Returns an equivalent program with all items in the root module. The text must have no inner attributes.
pub fn flatten(text: &str) -> Result<String> {
    let file = syn::parse_file(text)?;
    let modules = Modules::of(&file, text.len());
    let mut locals = Locals::default();
    locals.visit_file(&file);
    let tokens = located(text)?;
    let mut flattener =
        Flattener { modules, locals, tokens, names: HashMap::new(), edits: Edits::new() };
    flattener.assign_root_names();
    flattener.unwrap_modules();
    flattener.write_imports();
    for at in 0..flattener.tokens.len() {
        flattener.edit_token(at)?;
    }
    Ok(apply(text, flattener.edits))
}

/// Definitions that are not items of a module.
#[derive(Default)]
struct Locals {
    /// Names of all variables.
    variables: HashSet<String>,
    /// Byte range of each function, with the names of its variables.
    functions: Vec<(Range<usize>, HashSet<String>)>,
    /// Byte positions at which variables, fields, variants and methods are defined.
    definitions: HashSet<usize>,
    /// Nesting depth of functions at the visited node.
    depth: usize,
}

impl Locals {
    fn function(&mut self, range: Range<usize>, visit: impl FnOnce(&mut Locals)) {
        if self.depth == 0 {
            self.functions.push((range, HashSet::new()));
        }
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }

    /// Whether the function around a byte position has a variable with this name.
    fn has_variable(&self, position: usize, name: &str) -> bool {
        let around = self.functions.iter().find(|(range, _)| range.contains(&position));
        around.is_some_and(|(_, variables)| variables.contains(name))
    }
}

impl<'ast> Visit<'ast> for Locals {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        let range = item.span().byte_range();
        self.function(range, |this| visit::visit_item_fn(this, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.definitions.insert(item.sig.ident.span().byte_range().start);
        let range = item.span().byte_range();
        self.function(range, |this| visit::visit_impl_item_fn(this, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.definitions.insert(item.sig.ident.span().byte_range().start);
        let range = item.span().byte_range();
        self.function(range, |this| visit::visit_trait_item_fn(this, item));
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        let name = pattern.ident.to_string();
        // An uppercase name in a pattern is a constant.
        if !name.starts_with(char::is_uppercase) {
            self.definitions.insert(pattern.ident.span().byte_range().start);
            if let Some((_, variables)) = self.functions.last_mut().filter(|_| self.depth > 0) {
                variables.insert(name.clone());
            }
            self.variables.insert(name);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_field(&mut self, field: &'ast Field) {
        self.definitions.extend(field.ident.iter().map(|name| name.span().byte_range().start));
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        self.definitions.insert(variant.ident.span().byte_range().start);
        visit::visit_variant(self, variant);
    }
}

/// State of the flattening of a file.
struct Flattener {
    modules: Modules,
    locals: Locals,
    tokens: Vec<Located>,
    /// Names in the root module.
    names: HashMap<Target, String>,
    edits: Edits,
}

impl Flattener {
    /// Assigns a unique root name to everything that moves into the root.
    fn assign_root_names(&mut self) {
        let mut targets: BTreeMap<String, BTreeSet<Target>> = BTreeMap::new();
        for (index, module) in self.modules.all.iter().enumerate() {
            if module.is_kept {
                let target = Target::Module(index);
                targets.entry(module.name.clone()).or_default().insert(target);
                continue;
            }
            for name in module.items.keys() {
                let target = Target::Item(index, name.clone());
                targets.entry(name.clone()).or_default().insert(target);
            }
            for import in &module.imports {
                if let target @ Target::Foreign(_) = self.modules.imported(index, import) {
                    targets.entry(import.name.clone()).or_default().insert(target);
                }
            }
        }
        let mut counts: HashMap<String, usize> = HashMap::new();
        for token in self.tokens.iter().filter(|token| token.is_name) {
            *counts.entry(token.text.clone()).or_default() += 1;
        }
        let is_frequent = |name: &String| counts.get(name).is_some_and(|&count| count > FREQUENT);
        for name in counts.keys().filter(|name| is_frequent(name)) {
            if let Some(path) = prelude_path(name) {
                targets.entry(name.clone()).or_default().insert(Target::Foreign(path));
            }
        }
        let unresolved = self.unresolved_names();
        let mut taken: HashSet<String> = counts.keys().cloned().collect();
        for (name, targets) in targets {
            let is_taken = self.locals.variables.contains(&name) || unresolved.contains(&name);
            let is_main = name == "main";
            for (index, target) in targets.into_iter().enumerate() {
                let is_long = matches!(target, Target::Foreign(_)) && is_frequent(&name);
                // Kept modules keep their names, since macros may refer to them.
                let is_module = matches!(target, Target::Module(_));
                let is_free = index == 0 && !is_taken && !is_long || is_main || is_module;
                let numbered = || (2..).map(|number| format!("{name}_{number}"));
                let other = || numbered().find(|name| !taken.contains(name));
                let unique = if is_free { name.clone() } else { other().unwrap_or_default() };
                taken.insert(unique.clone());
                self.names.insert(target, unique);
            }
        }
    }

    /// Returns the names that are used without a path in modules that do not define them.
    fn unresolved_names(&self) -> HashSet<String> {
        let alone = (0..self.tokens.len()).filter(|&at| self.begins_path(at));
        let unresolved = alone.filter(|&at| {
            let position = self.tokens[at].range.start;
            let module = self.modules.at(position);
            let is_import =
                self.modules.all[module].uses.iter().any(|range| range.contains(&position));
            let name = [self.tokens[at].text.clone()];
            let is_unresolved = !is_import && !self.is_definition(at);
            is_unresolved && self.modules.resolve(module, &name).is_none()
        });
        unresolved.map(|at| self.tokens[at].text.clone()).collect()
    }

    /// Removes the start and end of each module, and all imports.
    fn unwrap_modules(&mut self) {
        for module in &self.modules.all {
            if module.is_kept {
                self.edits.push((module.inside.start..module.inside.start, "use super::*;".into()));
                continue;
            }
            self.edits.push((module.range.start..module.inside.start, String::new()));
            self.edits.push((module.inside.end..module.range.end, String::new()));
            self.edits.extend(module.uses.iter().map(|range| (range.clone(), String::new())));
        }
    }

    /// Writes the imports of foreign names at the start, and those of the kept modules.
    fn write_imports(&mut self) {
        let mut imports: Vec<(&str, &str)> = Vec::new();
        for (target, name) in &self.names {
            if let Target::Foreign(path) = target {
                imports.push((path, name));
            }
        }
        imports.sort();
        self.edits.push((0..0, import_text(&imports)));
        for (index, module) in self.modules.all.iter().enumerate().filter(|(_, m)| m.is_kept) {
            let (mut texts, mut foreign) = (String::new(), Vec::new());
            for import in &module.imports {
                let path = match self.modules.imported(index, import) {
                    Target::Foreign(path) => {
                        foreign.push((path, import.name.as_str()));
                        continue;
                    }
                    target => match self.names.get(&target) {
                        // Covered by `use super::*`.
                        Some(name) if *name == import.name => continue,
                        Some(name) => format!("super::{name}"),
                        None => format!("super::{}", import.path.join("::")),
                    },
                };
                texts += &import_text(&[(&path, &import.name)]);
            }
            foreign.sort();
            let foreign: Vec<(&str, &str)> =
                foreign.iter().map(|(path, name)| (path.as_str(), *name)).collect();
            texts += &import_text(&foreign);
            let first = module.inside.start;
            self.edits.push((first..first, texts));
            self.edits.extend(module.uses.iter().map(|range| (range.clone(), String::new())));
        }
    }

    /// Renames the item whose path begins at a token, and removes its path and `pub`.
    fn edit_token(&mut self, at: usize) -> Result<()> {
        let position = self.tokens[at].range.clone();
        let module = self.modules.at(position.start);
        let this = &self.modules.all[module];
        if this.uses.iter().any(|range| range.contains(&position.start)) {
            return Ok(());
        }
        let is_in_macro = self.modules.macros.iter().any(|range| range.contains(&position.start));
        let name = self.tokens[at].text.clone();
        if name == "pub" && self.tokens[at].is_name {
            // Items of kept modules must not be more visible than the items in their signatures.
            let is_needed = is_in_macro || this.is_kept;
            let with = if is_needed { "pub(crate)" } else { "" };
            self.edits.push((position.start..self.end_of_visibility(at), with.to_string()));
            return Ok(());
        }
        if this.items.get(&name).is_some_and(|places| places.contains(&position)) {
            if let Some(unique) = self.names.get(&Target::Item(module, name)) {
                self.edits.push((position, unique.clone()));
            }
            return Ok(());
        }
        if !self.begins_path(at) || self.is_definition(at) {
            return Ok(());
        }
        let path = self.path_at(at);
        let is_path = path.len() > 1 || self.is_before_colons(at);
        if !is_path && (name == "self" || name == "super" || name == "crate") {
            return Ok(());
        }
        let is_call = self.tokens.get(at + 1).is_some_and(|next| next.text == "(");
        if !is_path && !is_call && self.locals.has_variable(position.start, &name) {
            return Ok(());
        }
        let Some((target, used)) = self.modules.resolve(module, &path) else { return Ok(()) };
        // A module's name without a path refers to something else.
        if !is_path && matches!(target, Target::Module(_)) {
            return Ok(());
        }
        // Each further segment is three tokens on: two colons and the name.
        let end = self.tokens[at + 3 * (used - 1)].range.end;
        let Some(new) = self.name_from(module, &target) else {
            bail!("can't flatten the path {} in the module {:?}", path.join("::"), this.name);
        };
        // In a kept module an import provides the name.
        if used > 1 || !this.is_kept || !this.imports.iter().any(|import| import.name == name) {
            let is_of_macro = at > 0 && self.tokens[at - 1].text == "$";
            self.edits.push((position.start - usize::from(is_of_macro)..end, new));
        }
        Ok(())
    }

    /// Returns the end of `pub` or `pub(super)`, as a byte position.
    fn end_of_visibility(&self, at: usize) -> usize {
        let text = |index: usize| self.tokens.get(index).map_or("", |token| token.text.as_str());
        let is_scope = matches!(text(at + 2), "super" | "crate" | "self") && text(at + 3) == ")";
        let last = if text(at + 1) == "(" && is_scope { at + 3 } else { at };
        self.tokens[last].range.end
    }

    /// Returns the name of a target as written in a module; `None` for the root module.
    fn name_from(&self, module: usize, target: &Target) -> Option<String> {
        match target {
            Target::Item(of, name) if *of != module && self.modules.all[*of].is_kept => {
                Some(format!("{}::{name}", self.names.get(&Target::Module(*of))?))
            }
            Target::Item(_, name) => Some(self.names.get(target).unwrap_or(name).clone()),
            // A kept module imports foreign names itself.
            Target::Foreign(path) => {
                let last = path.rsplit("::").next()?;
                Some(self.names.get(target).map_or(last, String::as_str).to_string())
            }
            Target::Module(ROOT) => None,
            Target::Module(_) => self.names.get(target).cloned(),
        }
    }

    /// Whether a token is a name that begins a path: it does not follow `::`, `.`, `'` or `$`, and is not a macro name.
    fn begins_path(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let before = |back: usize| at.checked_sub(back).map(|index| &self.tokens[index]);
        let is = |back, text: &str| before(back).is_some_and(|token| token.text == text);
        let is_field = is(1, ".") && !(is(2, ".") && before(2).is_some_and(|dot| dot.is_joint));
        let is_filled = is(1, "$") && token.text != "crate";
        let is_rest = is_field || is(1, "'") || is_filled || (is(1, ":") && is(2, ":"));
        let after = |more: usize| self.tokens.get(at + more).map_or("", |token| &token.text);
        let is_macro = after(1) == "!" && matches!(after(2), "(" | "[" | "{");
        token.is_name && !is_rest && !is_macro
    }

    fn is_before_colons(&self, at: usize) -> bool {
        let is = |index: usize| self.tokens.get(index).is_some_and(|token| token.text == ":");
        is(at + 1) && is(at + 2) && self.tokens[at + 1].is_joint
    }

    /// Whether a token defines a name, or names a field.
    fn is_definition(&self, at: usize) -> bool {
        let text = |back: usize| at.checked_sub(back).map(|index| self.tokens[index].text.as_str());
        // The `const` of a pointer type defines nothing.
        let before = text(1).filter(|_| text(2) != Some("*"));
        let is_field = self.tokens.get(at + 1).is_some_and(|next| next.text == ":");
        self.locals.definitions.contains(&self.tokens[at].range.start)
            || before.is_some_and(|before| DEFINING.contains(&before))
            || is_field && !self.is_before_colons(at)
    }

    /// Returns the segments of the path that begins at a token.
    fn path_at(&self, at: usize) -> Vec<String> {
        let mut path = vec![self.tokens[at].text.clone()];
        let mut last = at;
        while self.is_before_colons(last)
            && self.tokens.get(last + 3).is_some_and(|token| token.is_name)
        {
            last += 3;
            path.push(self.tokens[last].text.clone());
        }
        path
    }
}

/// Returns the `use` item for pairs of path and name, which must be sorted.
fn import_text(imports: &[(&str, &str)]) -> String {
    if imports.is_empty() {
        return String::new();
    }
    format!("use {};", import_tree(imports))
}

fn import_tree(imports: &[(&str, &str)]) -> String {
    let mut parts = Vec::new();
    let mut rest = imports;
    while let [(path, name), ..] = rest {
        let (first, inner) = path.split_once("::").unwrap_or((path, ""));
        let of_first = |path: &str| path == first || path.starts_with(&format!("{first}::"));
        let count = rest.iter().take_while(|(path, _)| of_first(path)).count();
        if inner.is_empty() {
            parts.push(if first == *name { first.into() } else { format!("{first} as {name}") });
            if count > 1 {
                // The module itself and some of its items.
                let tails = tails(&rest[1..count], first);
                parts.pop();
                let itself = if first == *name { "self".into() } else { format!("self as {name}") };
                parts.push(format!("{first}::{{{itself},{}}}", unbraced(&import_tree(&tails))));
            }
        } else {
            parts.push(format!("{first}::{}", import_tree(&tails(&rest[..count], first))));
        }
        rest = &rest[count..];
    }
    match &parts[..] {
        [one] => one.clone(),
        _ => format!("{{{}}}", parts.join(",")),
    }
}

fn tails<'a>(imports: &[(&'a str, &'a str)], first: &str) -> Vec<(&'a str, &'a str)> {
    imports.iter().map(|(path, name)| (&path[first.len() + 2..], *name)).collect()
}

/// Removes the outer braces of a list of imports.
fn unbraced(list: &str) -> &str {
    list.strip_prefix('{').and_then(|list| list.strip_suffix('}')).unwrap_or(list)
}
