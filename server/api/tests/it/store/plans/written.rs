//! The statements as they stand in the source, so that none is forgotten.

use std::path::Path;

use syn::visit::Visit;

/// Files of `server/api/src/store` whose statements are all looked at.
const FILES: [&str; 15] = [
    "claims.rs",
    "claims/change.rs",
    "claims/record.rs",
    "claims/settle.rs",
    "claims/takeover.rs",
    "follower.rs",
    "follower/cursor.rs",
    "follower/sweep.rs",
    "history.rs",
    "jobs.rs",
    "proofs.rs",
    "published.rs",
    "changes.rs",
    "rate_limits.rs",
    "reverify.rs",
];

struct Texts(Vec<String>);

impl Visit<'_> for Texts {
    fn visit_lit_str(&mut self, text: &syn::LitStr) {
        self.0.push(text.value());
    }
}

/// All of them, with single spaces.
pub(super) fn statements() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/src");
    let mut texts = Texts(Vec::new());
    for file in FILES {
        let source = std::fs::read_to_string(folder.join(file)).expect(file);
        texts.visit_file(&syn::parse_file(&source).expect(file));
    }
    let statements = texts.0.iter().filter(|text| is_statement(text));
    statements.map(|text| spaced(text)).collect()
}

/// Whether it asks or changes something, and is no `begin` or word of a person.
pub(super) fn is_statement(text: &str) -> bool {
    let verbs = ["select ", "insert ", "update ", "delete ", "with "];
    verbs.iter().any(|verb| text.starts_with(verb))
}

/// The text with single spaces.
pub(super) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a statement that was run is this one: lists and rows have been put into their places.
pub(super) fn is(written: &str, run: &str) -> bool {
    let parts = written
        .split("in ($list)")
        .flat_map(|part| part.split("$rows"));
    let mut rest = Some(run);
    for part in parts {
        rest = rest.and_then(|run| run.find(part).map(|at| &run[at + part.len()..]));
    }
    rest.is_some()
}
