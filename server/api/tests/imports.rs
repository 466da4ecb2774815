//! The server's files import each other in one direction only, and each room keeps to its own.
//!
//! A parent's `mod` declaration is no import. An import of a re-exported name counts as an import of the file that defines it.
//! Tests inside the source files do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// A path of modules from the crate's root, or of names as the source has them.
type Names = Vec<String>;

/// Which files take names from which.
type Arrows = BTreeSet<(String, String)>;

static HOUSE: LazyLock<House> = LazyLock::new(House::read);

#[test]
fn no_file_imports_another_in_a_circle() {
    let arrows = HOUSE.arrows();
    assert!(arrows.len() > 300, "imports are found at all: {arrows:?}");
    let circles = circles(arrows);
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn only_the_commands_and_the_router_know_the_app() {
    let may = |file: &str| file.starts_with("commands") || file == "http/router.rs";
    let mut known = HOUSE.arrows();
    known.retain(|(from, to)| to == "app.rs" && !may(from));
    assert!(known.is_empty(), "{known:?}");
}

#[test]
fn only_http_knows_axum() {
    let may = |file: &str| {
        file.starts_with("http/") || ["http.rs", "app.rs", "commands/serve.rs"].contains(&file)
    };
    let known: BTreeSet<&String> = HOUSE
        .uses
        .iter()
        .filter(|(_, path)| path[0].contains("axum"))
        .map(|(at, _)| &HOUSE.modules[at].file)
        .collect();
    assert!(known.len() > 20, "axum is found at all: {known:?}");
    let strangers: Vec<_> = known.into_iter().filter(|file| !may(file)).collect();
    assert!(strangers.is_empty(), "{strangers:?}");
}

#[test]
fn the_server_starts_no_program() {
    let ours = |path: &Names| path.iter().any(|it| it == "process");
    let starts: Vec<_> = HOUSE.uses.iter().filter(|(_, path)| ours(path)).collect();
    assert!(starts.is_empty(), "{starts:?}");
}

/// What a module declares.
#[derive(Default)]
struct Module {
    file: String,
    items: BTreeSet<String>,
    /// Names that `use` brings in, and what they stand for there.
    names: BTreeMap<String, Names>,
    globs: Vec<Names>,
}

#[derive(Default)]
struct House {
    modules: BTreeMap<Names, Module>,
    /// Every path in the code, and the module that it is in.
    uses: Vec<(Names, Names)>,
}

/// What a path leads to.
enum Found {
    Module(Names),
    /// An item that this module defines.
    ItemOf(Names),
}

impl House {
    fn read() -> Self {
        let mut house = Self::default();
        house.read_file("lib.rs", Path::new(""), Vec::new());
        house
    }

    fn read_file(&mut self, file: &str, folder: &Path, at: Names) {
        let text = fs::read_to_string(source().join(file)).expect(file);
        let parsed = syn::parse_file(&text).expect(file);
        let mut reader = Reader {
            house: self,
            file,
            folder: folder.to_owned(),
            at,
        };
        reader.module(&parsed.items);
    }

    fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (at, path) in &self.uses {
            let Some(Found::ItemOf(module)) = self.resolve(at, path, 0) else {
                continue;
            };
            let (from, to) = (&self.modules[at].file, &self.modules[&module].file);
            if from != to {
                arrows.insert((from.clone(), to.clone()));
            }
        }
        arrows
    }

    fn resolve(&self, at: &Names, path: &[String], depth: usize) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let mut found = match first.as_str() {
            "crate" => Found::Module(Names::new()),
            "self" => Found::Module(at.clone()),
            "super" => Found::Module(at[..at.len().checked_sub(1)?].to_vec()),
            name => self.look_up(at, name, depth)?,
        };
        for name in rest {
            let Found::Module(module) = &found else {
                break;
            };
            found = if name == "super" {
                Found::Module(module[..module.len().checked_sub(1)?].to_vec())
            } else {
                let module = module.clone();
                let named = self.look_up(&module, name, depth);
                // What a macro makes is not seen.
                named.unwrap_or(Found::ItemOf(module))
            };
        }
        Some(found)
    }

    fn look_up(&self, at: &Names, name: &str, depth: usize) -> Option<Found> {
        let child = [at.as_slice(), &[name.to_owned()]].concat();
        if self.modules.contains_key(&child) {
            return Some(Found::Module(child));
        }
        let module = &self.modules[at];
        if module.items.contains(name) {
            return Some(Found::ItemOf(at.clone()));
        }
        // A name may stand for itself in another crate.
        if depth > 9 {
            return None;
        }
        if let Some(path) = module.names.get(name) {
            return self.resolve(at, path, depth + 1);
        }
        module.globs.iter().find_map(|glob| {
            let Some(Found::Module(from)) = self.resolve(at, glob, depth + 1) else {
                return None;
            };
            self.look_up(&from, name, depth + 1)
        })
    }
}

/// Reads one file, and those that it declares as its modules.
struct Reader<'h> {
    house: &'h mut House,
    file: &'h str,
    folder: PathBuf,
    at: Names,
}

impl Reader<'_> {
    fn module(&mut self, items: &[Item]) {
        let module = Module {
            file: self.file.to_owned(),
            items: items.iter().filter_map(name).collect(),
            ..Module::default()
        };
        self.house.modules.insert(self.at.clone(), module);
        for item in items {
            self.visit_item(item);
        }
    }

    fn uses(&mut self, path: Names) {
        self.house.uses.push((self.at.clone(), path));
    }

    fn imports(&mut self, tree: &UseTree, before: &[String], private: bool) {
        let after = |name: &dyn ToString| [before, &[name.to_string()]].concat();
        let (path, name) = match tree {
            UseTree::Path(tree) => {
                return self.imports(&tree.tree, &after(&tree.ident), private);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.imports(tree, before, private);
                }
                return;
            }
            UseTree::Glob(_) => (before.to_vec(), None),
            UseTree::Name(tree) if tree.ident == "self" => {
                (before.to_vec(), before.last().cloned())
            }
            UseTree::Name(tree) => (after(&tree.ident), Some(tree.ident.to_string())),
            UseTree::Rename(tree) => (after(&tree.ident), Some(tree.rename.to_string())),
        };
        let module = self.house.modules.entry(self.at.clone()).or_default();
        match name {
            Some(name) => drop(module.names.insert(name, path.clone())),
            None => module.globs.push(path.clone()),
        }
        if private {
            self.uses(path);
        }
    }

    /// The paths among the tokens of a macro or an attribute.
    fn tokens(&mut self, tokens: &str) {
        let tokens = tokens.replace(" :: ", "::");
        let words = tokens.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        for word in words.filter(|word| word.contains("::")) {
            let names = word.split("::").filter(|name| !name.is_empty());
            let names: Names = names.map(str::to_owned).collect();
            if names.len() > 1 {
                self.uses(names);
            }
        }
    }
}

impl Visit<'_> for Reader<'_> {
    fn visit_item(&mut self, item: &Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !attributes.iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &syn::ItemMod) {
        let name = item.ident.to_string();
        let at = [self.at.as_slice(), std::slice::from_ref(&name)].concat();
        if let Some((_, items)) = &item.content {
            let outer = std::mem::replace(&mut self.at, at);
            self.module(items);
            self.at = outer;
        } else {
            let file = self.folder.join(format!("{name}.rs"));
            let file = file.to_str().expect("a name in Unicode");
            self.house.read_file(file, &self.folder.join(&name), at);
        }
    }

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        let private = matches!(item.vis, Visibility::Inherited);
        self.imports(&item.tree, &[], private);
    }

    fn visit_path(&mut self, path: &syn::Path) {
        if path.leading_colon.is_none() {
            let names = path.segments.iter();
            self.uses(names.map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &syn::Macro) {
        self.tokens(&item.tokens.to_string());
        visit::visit_macro(self, item);
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.tokens(&list.tokens.to_string());
        }
    }

    /// Who may see something is no import.
    fn visit_visibility(&mut self, _: &Visibility) {}
}

fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn is_for_tests(attribute: &Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else {
        return false;
    };
    list.path.is_ident("cfg") && list.tokens.to_string() == "test"
}

/// What is left after all arrows to files that take nothing, and from files that give nothing, are removed again and again.
fn circles(mut arrows: Arrows) -> Arrows {
    loop {
        let before = arrows.clone();
        let (takers, givers): (BTreeSet<_>, BTreeSet<_>) = before.iter().cloned().unzip();
        arrows.retain(|(from, to)| givers.contains(from) && takers.contains(to));
        if arrows.len() == before.len() {
            return arrows;
        }
    }
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}
