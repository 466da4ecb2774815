//! The files of each crate of the server import each other in one direction only, and each room of `api` keeps to its own.
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

static HOUSE: LazyLock<House> = LazyLock::new(|| House::read("api"));

/// The crates of the server, each with a lower bound for the imports found in it.
const CRATES: [(&str, usize); 8] = [
    ("api", 300),
    ("audit", 40),
    ("board-log", 20),
    ("chain", 20),
    ("development", 0),
    ("outbound", 0),
    ("store", 60),
    ("verify", 20),
];

#[test]
fn no_file_imports_another_in_a_circle() {
    let mut circular = Vec::new();
    for (name, found) in CRATES {
        let arrows = House::read(name).arrows();
        let count = arrows.len();
        assert!(
            count >= found,
            "imports of {name} are found at all: {count}"
        );
        circular.extend(circles(arrows).into_iter().map(|it| (name, it)));
    }
    assert!(circular.is_empty(), "{circular:#?}");
}

#[test]
fn every_crate_of_the_server_is_looked_at() {
    let folders = fs::read_dir(server()).expect("a folder");
    let folders = folders.map(|it| it.expect("an entry").path());
    let mut crates: Vec<_> = folders.filter(|it| it.join("src").exists()).collect();
    crates.sort();
    let names = CRATES.map(|(name, _)| server().join(name));
    assert_eq!(crates, names);
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
        .map(|(at, _)| &HOUSE.files[at])
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

/// A provider is a file, a line and its words: whatever else names one would be forgotten with the next.
#[test]
fn no_provider_is_named_but_in_its_own_file_and_in_the_list() {
    let top = server().parent().expect("the top of the repository");
    let list = fs::read_to_string(server().join("board-log/lists/providers.json"));
    let list = list.expect("the list");
    let names = list.split("\"name\": \"").skip(1);
    let names: Vec<&str> = names.filter_map(|rest| rest.split('"').next()).collect();
    assert!(names.len() > 3, "{names:?}");
    let mut sources = Vec::new();
    for folder in ["server", "psbt-wasm/src", "psbt-wasm/js", "web/src"] {
        sources_in(&top.join(folder), &mut sources);
    }
    assert!(sources.len() > 500, "{}", sources.len());
    let mut named = Vec::new();
    for file in sources {
        let text = fs::read_to_string(&file).expect("a text");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
        let lines = code.lines().map(str::trim_start);
        let is_comment = |line: &str| ["//", "/*", "*"].iter().any(|it| line.starts_with(it));
        let lines = lines.filter(|line| !is_comment(line));
        let says = |line: &str, name: &str| {
            line.match_indices(name).any(|(at, _)| {
                let before = line[..at].chars().last();
                let after = line[at + name.len()..].chars().next();
                matches!(before, Some('\'' | '"' | '`' | '(' | '|'))
                    && matches!(after, Some('\'' | '"' | ':' | '|'))
            })
        };
        let found = lines.filter(|line| names.iter().any(|name| says(line, name)));
        named.extend(found.map(|line| format!("{}: {line}", file.display())));
    }
    assert!(named.is_empty(), "{named:#?}");
}

/// The source files below a folder that are no tests, and no provider's own.
fn sources_in(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or("");
        if path.is_dir() {
            let others = ["tests", "benches", "testing", "providers", "node_modules"];
            if !others.contains(&name) {
                sources_in(&path, sources);
            }
        } else {
            let is_source = [".rs", ".ts", ".tsx", ".js"]
                .iter()
                .any(|end| name.ends_with(end));
            let is_test =
                name.contains(".test.") || name.ends_with("tests.rs") || name == "schema.d.ts";
            if is_source && !is_test {
                sources.push(path);
            }
        }
    }
}

#[derive(Default)]
struct House {
    /// The folder of the crate's files.
    source: PathBuf,
    /// The file of each module.
    files: BTreeMap<Names, String>,
    /// Names that `use` brings into a module, and what they stand for there.
    names: BTreeMap<(Names, String), Names>,
    /// Every path in the code, and the module that it is in.
    uses: Vec<(Names, Names)>,
}

/// The module that a path leads to, and whether it names an item in it.
type Found = (Names, bool);

impl House {
    fn read(name: &str) -> Self {
        let mut house = Self {
            source: server().join(name).join("src"),
            ..Self::default()
        };
        house.read_file("lib.rs", Path::new(""), Vec::new());
        house
    }

    fn read_file(&mut self, file: &str, folder: &Path, at: Names) {
        let text = fs::read_to_string(self.source.join(file)).expect(file);
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
            if let Some((module, true)) = self.resolve(at, path) {
                let (from, to) = (&self.files[at], &self.files[&module]);
                if from != to {
                    arrows.insert((from.clone(), to.clone()));
                }
            }
        }
        arrows
    }

    fn resolve(&self, at: &Names, path: &[String]) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let mut found = match first.as_str() {
            "crate" => (Names::new(), false),
            "self" => (at.clone(), false),
            "super" => (at[..at.len().checked_sub(1)?].to_vec(), false),
            name => self.look_up(at, name)?,
        };
        for name in rest {
            found = match found {
                (module, false) if name == "super" => {
                    (module[..module.len().checked_sub(1)?].to_vec(), false)
                }
                (module, false) => self.look_up(&module, name).unwrap_or((module, true)),
                item => item,
            };
        }
        Some(found)
    }

    /// A module below this one, or what a name stands for here; `None` for what is defined here, or in another crate.
    fn look_up(&self, at: &Names, name: &str) -> Option<Found> {
        let child = [at.as_slice(), &[name.to_owned()]].concat();
        if self.files.contains_key(&child) {
            return Some((child, false));
        }
        self.resolve(at, self.names.get(&(at.clone(), name.to_owned()))?)
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
        let file = self.file.to_owned();
        self.house.files.insert(self.at.clone(), file);
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
            // Of another crate: none of ours has one.
            UseTree::Glob(_) if before.last().is_some_and(|it| it == "prelude") => return,
            UseTree::Glob(_) => panic!("{}: what a glob takes is not seen", self.file),
            UseTree::Name(tree) if tree.ident == "self" => {
                (before.to_vec(), before.last().cloned().unwrap_or_default())
            }
            UseTree::Name(tree) => (after(&tree.ident), tree.ident.to_string()),
            UseTree::Rename(tree) => (after(&tree.ident), tree.rename.to_string()),
        };
        // A name may stand for itself in another crate.
        if path.first() != Some(&name) {
            let names = &mut self.house.names;
            names.insert((self.at.clone(), name), path.clone());
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
        self.imports(&item.tree, &[], matches!(item.vis, Visibility::Inherited));
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

    /// A visibility (`pub(in path)`) is no import.
    fn visit_visibility(&mut self, _: &Visibility) {}
}

fn is_for_tests(attribute: &Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else {
        return false;
    };
    list.path.is_ident("cfg") && list.tokens.to_string() == "test"
}

/// The circles: repeatedly removes files that import nothing or that nothing imports.
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

/// The folder with the server's crates.
fn server() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("a folder above the crate")
}
