//! What the repository refers to is there: the decisions and rules that code and pages cite, the sections of
//! its own pages, and the files and headings that its pages link to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The page that an entry of this kind is on: `D4`, `B8`.
const PAGES_BY_LETTER: [(char, &str); 4] = [
    ('A', "rules"),
    ('B', "rules"),
    ('C', "rules"),
    ('D', "decisions"),
];

/// The pages whose parts are cited by number: "specification, section 7".
const PAGES_WITH_SECTIONS: [&str; 2] = ["specification", "proofs"];

/// What is built or downloaded, wherever it lies.
const NOT_OURS: [&str; 9] = [
    ".git",
    ".tools",
    ".data",
    ".artifacts",
    "artifacts",
    "dist",
    "node_modules",
    "pkg",
    "target",
];

/// Where paths begin that pages name in full.
const FOLDERS: [&str; 5] = ["server", "web", "psbt-wasm", "migrations", ".github"];

#[test]
fn every_citation_is_of_something_that_is_there() {
    let anchors = anchors_of_pages();
    let mut found = BTreeSet::new();
    let mut missing = Vec::new();
    for path in files() {
        let Ok(text) = fs::read_to_string(root().join(&path)) else {
            continue;
        };
        for (line, page, anchor) in citations(&path, &text) {
            if anchors[page].contains(&anchor) {
                found.insert(anchor);
            } else {
                missing.push(format!("{}:{line}: {page}.md#{anchor}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "no such anchor:\n{missing:#?}");
    assert!(found.len() > 20, "citations are found at all: {found:?}");
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    assert_on_pages(links, leads_somewhere);
}

#[test]
fn every_path_that_a_page_names_is_there() {
    assert_on_pages(paths, |page, named| {
        // In the package's own pages these are what it exports.
        let export = page.starts_with("psbt-wasm") && named.starts_with("psbt-wasm");
        export || root().join(named).exists()
    });
}

/// Fails with the page and line of everything that is wrong.
fn assert_on_pages(find: fn(&str) -> Vec<(usize, &str)>, is_right: fn(&Path, &str) -> bool) {
    let mut wrong = Vec::new();
    for page in files().iter().filter(|path| is_page(path)) {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        let found = find(&text).into_iter();
        let found = found.filter(|(_, found)| !is_right(page, found));
        wrong.extend(found.map(|(line, found)| format!("{}:{line}: {found}", page.display())));
    }
    assert!(wrong.is_empty(), "leads to nothing:\n{}", wrong.join("\n"));
}

#[test]
fn every_test_that_shows_a_requirement_is_there() {
    let pages = ["server/docs/asvs.md", ".github/SECURITY.md"]
        .map(|page| fs::read_to_string(root().join(page)).expect("the page"));
    let guide = fs::read_to_string(root().join("CONTRIBUTING.md")).expect("the page");
    let (_, guide) = guide
        .split_once("\n## What every change keeps\n")
        .expect("the part");
    let pages = pages.iter().map(String::as_str).chain([guide]);
    let named: Vec<&str> = pages.flat_map(shown_by).collect();
    assert!(named.len() > 50, "tests are found at all: {named:?}");
    let mut missing: BTreeSet<&str> = named.into_iter().collect();
    for path in files() {
        let rust = path.extension().is_some_and(|it| it == "rs");
        let web = [".test.ts", ".test.tsx"];
        let web = web.iter().any(|it| path.to_string_lossy().ends_with(it));
        if rust || web {
            let text = fs::read_to_string(root().join(&path)).expect("a file");
            missing.retain(|name| {
                let (function, called) = (format!("fn {name}("), format!("'{name}'"));
                !(rust && text.contains(&function) || web && text.contains(&called))
            });
        }
    }
    assert!(missing.is_empty(), "no such test:\n{missing:#?}");
}

/// The anchors of each page that is cited.
fn anchors_of_pages() -> BTreeMap<&'static str, BTreeSet<String>> {
    let by_letter = PAGES_BY_LETTER.map(|(_, page)| page).into_iter();
    let with_anchors = |page| {
        let path = root().join(format!("server/docs/{page}.md"));
        (page, anchors(&fs::read_to_string(path).expect("the page")))
    };
    let pages = by_letter.chain(PAGES_WITH_SECTIONS);
    pages.map(with_anchors).collect()
}

/// The citations in one file: line, page, anchor. They may go on in the next line, behind its comment mark.
fn citations(path: &Path, text: &str) -> Vec<(usize, &'static str, String)> {
    let mut found = Vec::new();
    // The page whose sections the next numbers are, and whether "section" has come already.
    let mut page = None;
    let mut section = false;
    let mut before = "";
    for (index, line) in text.lines().enumerate() {
        let mut prose = is_page(path) || is_comment(line);
        for raw in line.split_whitespace() {
            prose |= raw.starts_with("//");
            let word = raw.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            if word.is_empty() {
                continue;
            }
            let called = ["rule", "decision"].iter().any(|it| before.starts_with(it));
            if let Some((named, anchor)) = entry(word)
                && (prose || called || raw.starts_with('('))
            {
                found.push((index + 1, named, anchor));
            }
            match page {
                Some(named) if section && word.parse::<u8>().is_ok() => {
                    found.push((index + 1, named, format!("s{word}")));
                }
                _ if matches!(word, "section" | "sections") => section = page.is_some(),
                _ if section && matches!(word, "and" | "to") => {}
                _ => {
                    let lower = word.to_lowercase();
                    page = PAGES_WITH_SECTIONS.into_iter().find(|it| *it == lower);
                    section = false;
                }
            }
            before = word;
        }
    }
    found
}

/// The page and the anchor of `D4` or `B8`.
fn entry(word: &str) -> Option<(&'static str, String)> {
    let (letter, number) = word.split_at_checked(1)?;
    let number = number
        .parse::<u8>()
        .ok()
        .filter(|it| (1..100).contains(it))?;
    let mut pages = PAGES_BY_LETTER.into_iter();
    let (_, page) = pages.find(|(it, _)| letter.starts_with(*it))?;
    Some((page, format!("{}{number}", letter.to_lowercase())))
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    let mut marks = ["//", "*", "/*", "--", "#"].iter();
    marks.any(|mark| line.starts_with(mark)) && !line.starts_with("#[")
}

/// The headings of a page as the web spells them, and the anchors written out.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let headings = headings.filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
    let written = page.split("<a id=\"").skip(1);
    let written = written.filter_map(|rest| rest.split('"').next());
    headings
        .map(slug)
        .chain(written.map(str::to_owned))
        .collect()
}

fn slug(heading: &str) -> String {
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let heading = heading.to_lowercase().replace(' ', "-");
    heading.chars().filter(is_kept).collect()
}

/// The targets of a page's links that are neither on another site nor in a block of code.
fn links(page: &str) -> Vec<(usize, &str)> {
    let mut code = false;
    let mut found = Vec::new();
    for (index, line) in page.lines().enumerate() {
        code ^= line.trim_start().starts_with("```");
        if code {
            continue;
        }
        let targets = line.split("](").skip(1);
        let targets = targets.filter_map(|rest| rest.split(')').next());
        let targets = targets.filter(|it| !it.contains(':'));
        found.extend(targets.map(|it| (index + 1, it)));
    }
    found
}

/// The names in code spans of the last column of a page's tables.
fn shown_by(page: &str) -> Vec<&str> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    rows.filter_map(|row| row.strip_suffix(" |")?.rsplit(" |").next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

/// The paths below the root that a page names in code spans, but for what is built.
fn paths(page: &str) -> Vec<(usize, &str)> {
    let is_path = |span: &&str| {
        let mut parts = span.split('/');
        let folder = parts.next().is_some_and(|first| FOLDERS.contains(&first));
        folder && parts.all(|part| !NOT_OURS.contains(&part)) && !span.contains(' ')
    };
    let mut found = Vec::new();
    for (index, line) in page.lines().enumerate() {
        let spans = line.split('`').skip(1).step_by(2);
        found.extend(spans.filter(is_path).map(|span| (index + 1, span)));
    }
    found
}

fn leads_somewhere(from: &Path, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    // A text of the web app links to addresses of the app and of the server.
    if from.starts_with("web/src") && file.starts_with('/') {
        let read = |path| fs::read_to_string(root().join(path)).expect("the routes");
        let below_log = file.strip_prefix("/log").unwrap_or(file);
        return read("web/src/routes.tsx").contains(&format!("path=\"{file}\""))
            || read("server/api/src/http/router.rs").contains(&format!("(\"{below_log}\""))
            || read("server/api/openapi.json").contains(&format!("\"{file}\": {{"));
    }
    let path = match file {
        "" => root().join(from),
        file => root().join(from).parent().expect("a folder").join(file),
    };
    if anchor.is_empty() {
        return path.exists();
    }
    fs::read_to_string(path).is_ok_and(|page| anchors(&page).contains(anchor))
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "md")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files that are not generated, by their paths below the root.
fn files() -> Vec<PathBuf> {
    fn add(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let (name, kind) = (entry.file_name(), entry.file_type().expect("a kind"));
            if NOT_OURS.iter().any(|it| name == *it) {
                continue;
            }
            if kind.is_dir() {
                add(&folder.join(name), files);
            } else if kind.is_file() {
                files.push(folder.join(name));
            }
        }
    }
    let mut files = Vec::new();
    add(Path::new(""), &mut files);
    files
}
