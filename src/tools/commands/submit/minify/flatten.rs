//! Puts what all modules define into the root, where it needs no paths, no imports and no `pub`.
//!
//! What has the same name as something else gets another one. A module stays one where it is compiled under a
//! condition, or where a macro's definition names it.

use super::edits::{apply, Edits};
use super::modules::{path_everywhere, Module, Modules, Target, ROOT};
use super::tokens::{located, Located};
use anyhow::{bail, ensure, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Field, ImplItemFn, ItemFn, ItemUse, PatIdent, TraitItemFn, UseTree, Variant};

/// Keywords before a name that is defined.
const DEFINING: [&str; 9] =
    ["fn", "mod", "struct", "enum", "type", "const", "static", "trait", "macro_rules"];

/// A foreign name that is met more often gets another one, which will be short.
const OFTEN: usize = 11;

/// The same program with its modules in the root. The text must have no inner attributes.
pub fn flattened(text: &str) -> Result<String> {
    let file = syn::parse_file(text)?;
    let modules = Modules::of(&file, text.len());
    for module in &modules.all {
        ensure!(
            module.imports.iter().all(|import| import.name != "*"),
            "can't flatten the imports of all names in the module {:?}",
            module.name
        );
    }
    let mut macros = HashSet::new();
    for name in modules.all.iter().flat_map(|module| &module.macros) {
        ensure!(macros.insert(name), "can't flatten two macros {name:?}");
    }
    let mut locals = Locals::default();
    locals.visit_file(&file);
    ensure!(
        !locals.imports_own,
        "can't flatten an import within a function, unless it is from another crate"
    );
    let tokens = located(text)?;
    let mut work = Work { modules, locals, tokens, names: HashMap::new(), edits: Edits::new() };
    work.name_all();
    work.refuse_clashes_of_modules()?;
    work.refuse_clashes_in_macros()?;
    work.take_modules_away();
    work.write_imports();
    for at in 0..work.tokens.len() {
        work.edit_token(at)?;
    }
    Ok(apply(text, work.edits))
}

/// What is no item of a module.
#[derive(Default)]
struct Locals {
    /// The names of all variables.
    variables: HashSet<String>,
    /// The functions with their variables' names.
    functions: Vec<(Range<usize>, HashSet<String>)>,
    /// The bytes where variables, fields, variants and methods get their names.
    definitions: HashSet<usize>,
    /// Does a function import something of the source itself?
    imports_own: bool,
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

    /// Does the function around a byte have a variable of a name?
    fn has_variable(&self, place: usize, name: &str) -> bool {
        let around = self.functions.iter().find(|(range, _)| range.contains(&place));
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
        // A constant is met as a pattern, too.
        if !name.starts_with(char::is_uppercase) {
            self.definitions.insert(pattern.ident.span().byte_range().start);
            if let Some((_, variables)) = self.functions.last_mut().filter(|_| self.depth > 0) {
                variables.insert(name.clone());
            }
            self.variables.insert(name);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if let UseTree::Path(path) = &item.tree {
            let is_own = ["crate", "self", "super"].iter().any(|own| path.ident == own);
            self.imports_own |= is_own && self.depth > 0;
        }
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

/// A file while it becomes flat.
struct Work {
    modules: Modules,
    locals: Locals,
    tokens: Vec<Located>,
    /// The names in the root.
    names: HashMap<Target, String>,
    edits: Edits,
}

impl Work {
    /// Gives all that is to stand in the root a name there.
    fn name_all(&mut self) {
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
        let is_often = |name: &String| counts.get(name).is_some_and(|&count| count > OFTEN);
        for name in counts.keys().filter(|name| is_often(name)) {
            if let Some(path) = path_everywhere(name) {
                targets.entry(name.clone()).or_default().insert(Target::Foreign(path));
            }
        }
        let strange = self.strange_names();
        let mut taken: HashSet<String> = counts.keys().cloned().collect();
        for (name, targets) in targets {
            let is_taken = self.locals.variables.contains(&name) || strange.contains(&name);
            let is_main = name == "main";
            for (index, target) in targets.into_iter().enumerate() {
                let is_long = matches!(target, Target::Foreign(_)) && is_often(&name);
                // Macros name modules that stay, so these keep their names.
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

    /// An error where two modules that stay have the same name.
    fn refuse_clashes_of_modules(&self) -> Result<()> {
        let mut names = HashSet::new();
        for module in self.modules.all.iter().filter(|module| module.is_kept) {
            let name = &module.name;
            ensure!(
                names.insert(name),
                "can't flatten two modules {name:?} that must stay modules"
            );
        }
        Ok(())
    }

    /// An error where something has another name now that a module has as well that only macros name: what they are
    /// called with could mean both.
    fn refuse_clashes_in_macros(&self) -> Result<()> {
        for (target, unique) in &self.names {
            let Target::Item(_, name) = target else { continue };
            let has_it = |module: &&Module| module.is_called && module.items.contains_key(name);
            if let Some(module) = self.modules.all.iter().find(has_it).filter(|_| name != unique) {
                let module = &module.name;
                bail!(
                    "can't flatten {name:?}: the module {module:?}, which macros name, has it too"
                );
            }
        }
        Ok(())
    }

    /// Names that stand alone in modules that have nothing of that name.
    fn strange_names(&self) -> HashSet<String> {
        let alone = (0..self.tokens.len()).filter(|&at| self.begins_path(at));
        let strange = alone.filter(|&at| {
            let place = self.tokens[at].range.start;
            let module = self.modules.at(place);
            let is_import =
                self.modules.all[module].uses.iter().any(|range| range.contains(&place));
            let name = [self.tokens[at].text.clone()];
            let is_strange = !is_import && !self.is_definition(at);
            is_strange && self.modules.resolve(module, &name).is_none()
        });
        strange.map(|at| self.tokens[at].text.clone()).collect()
    }

    /// Takes the modules' beginnings and ends away, and all imports.
    fn take_modules_away(&mut self) {
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

    /// Writes the imports of what is foreign at the start, and those of the modules that stay.
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
            let mut texts = String::new();
            for import in &module.imports {
                let (name, path) = match self.modules.imported(index, import) {
                    Target::Foreign(path) => (&import.name, path),
                    target => match self.names.get(&target) {
                        // The import of all names has it.
                        Some(name) if *name == import.name => continue,
                        Some(name) => (&import.name, format!("super::{name}")),
                        None => (&import.name, format!("super::{}", import.path.join("::"))),
                    },
                };
                texts += &import_text(&[(&path, name)]);
            }
            let first = module.inside.start;
            self.edits.push((first..first, texts));
            self.edits.extend(module.uses.iter().map(|range| (range.clone(), String::new())));
        }
    }

    /// Renames what begins at a token, and takes its path and `pub` away.
    fn edit_token(&mut self, at: usize) -> Result<()> {
        let place = self.tokens[at].range.clone();
        let module = self.modules.at(place.start);
        let this = &self.modules.all[module];
        if this.uses.iter().any(|range| range.contains(&place.start)) {
            return Ok(());
        }
        let is_in_macro = self.modules.macros.iter().any(|range| range.contains(&place.start));
        let name = self.tokens[at].text.clone();
        if name == "pub" && self.tokens[at].is_name {
            // What stays in a module must not be seen from further than what it names is.
            let is_needed = is_in_macro || this.is_kept;
            let with = if is_needed { "pub(crate)" } else { "" };
            self.edits.push((place.start..self.end_of_visibility(at), with.to_string()));
            return Ok(());
        }
        if this.items.get(&name).is_some_and(|places| places.contains(&place)) {
            if let Some(unique) = self.names.get(&Target::Item(module, name)) {
                self.edits.push((place, unique.clone()));
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
        let is_called = self.tokens.get(at + 1).is_some_and(|next| next.text == "(");
        if !is_path && !is_called && self.locals.has_variable(place.start, &name) {
            return Ok(());
        }
        let Some((target, used)) = self.modules.resolve(module, &path) else { return Ok(()) };
        // A module's name alone is something else's.
        if !is_path && matches!(target, Target::Module(_)) {
            return Ok(());
        }
        // Three tokens from one segment to the next.
        let end = self.tokens[at + 3 * (used - 1)].range.end;
        let Some(new) = self.name_from(module, &target) else {
            bail!("can't flatten the path {} in the module {:?}", path.join("::"), this.name);
        };
        // In a module that stays, an import of another name does.
        if used > 1 || !this.is_kept || !this.imports.iter().any(|import| import.name == name) {
            let is_of_macro = at > 0 && self.tokens[at - 1].text == "$";
            self.edits.push((place.start - usize::from(is_of_macro)..end, new));
        }
        Ok(())
    }

    /// Where `pub` ends, or `pub(super)`.
    fn end_of_visibility(&self, at: usize) -> usize {
        let text = |index: usize| self.tokens.get(index).map_or("", |token| token.text.as_str());
        let is_scope = matches!(text(at + 2), "super" | "crate" | "self") && text(at + 3) == ")";
        let last = if text(at + 1) == "(" && is_scope { at + 3 } else { at };
        self.tokens[last].range.end
    }

    /// How a module, which is in the root now or stays, names something.
    fn name_from(&self, module: usize, target: &Target) -> Option<String> {
        match target {
            Target::Item(of, name) if *of != module && self.modules.all[*of].is_kept => {
                Some(format!("{}::{name}", self.names.get(&Target::Module(*of))?))
            }
            Target::Item(_, name) => Some(self.names.get(target).unwrap_or(name).clone()),
            // A foreign name within a module that stays is its own.
            Target::Foreign(path) => {
                let last = path.rsplit("::").next()?;
                Some(self.names.get(target).map_or(last, String::as_str).to_string())
            }
            Target::Module(ROOT) => None,
            Target::Module(_) => self.names.get(target).cloned(),
        }
    }

    /// Is a token a name that no path, value or mark stands before? Macros' names, which stay, are none.
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

    /// Does a name get its meaning at a token, or name a field?
    fn is_definition(&self, at: usize) -> bool {
        let text = |back: usize| at.checked_sub(back).map(|index| self.tokens[index].text.as_str());
        // A pointer's `const` defines nothing.
        let before = text(1).filter(|_| text(2) != Some("*"));
        let is_field = self.tokens.get(at + 1).is_some_and(|next| next.text == ":");
        self.locals.definitions.contains(&self.tokens[at].range.start)
            || before.is_some_and(|before| DEFINING.contains(&before))
            || is_field && !self.is_before_colons(at)
    }

    /// The names of the path that begins at a token.
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

/// The import of some paths by some names. The paths must be sorted.
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
                // The module itself, and some of what is in it.
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

/// A list of imports without the braces around all of it.
fn unbraced(list: &str) -> &str {
    list.strip_prefix('{').and_then(|list| list.strip_suffix('}')).unwrap_or(list)
}

#[cfg(test)]
mod tests;
