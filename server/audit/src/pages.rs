//! Checks that the board serves the files in the newest `page` entry of its log, for the pages that check proofs (proofs, section 5).

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt, stream};
use sha2::{Digest, Sha256};

use super::site::{AT_ONCE, Site, SiteError};

/// The address of the pages about single proofs: one file serves all of them.
const OF_PROOF: &str = "/verify/{id}";

/// File name endings of what a page loads.
const LOADED: [&str; 3] = [".js", ".css", ".wasm"];

/// How the files differ from the newest `page` entry, in words.
///
/// # Errors
/// When the board does not respond.
pub(super) async fn differences(
    site: &Site,
    logged: Option<&BTreeMap<String, String>>,
    proof: Option<&str>,
) -> Result<Vec<String>, SiteError> {
    let Some(logged) = logged else {
        return Ok(vec![
            "the log says nothing about the files of the pages that check proofs".to_owned(),
        ]);
    };
    let mut wrong = Vec::new();
    for needed in ["/verify", OF_PROOF, "/prove", "/prove/ask"] {
        if !logged.contains_key(needed) {
            wrong.push(format!("the log says nothing about the file {needed}"));
        }
    }
    let address = |path: &str| match (path, proof) {
        (OF_PROOF, Some(id)) => Some(format!("/verify/{id}")),
        (OF_PROOF, None) => None,
        _ => Some(path.to_owned()),
    };
    let asked = logged
        .iter()
        .filter_map(|(path, hash)| Some((path, hash, address(path)?)));
    let mut served = stream::iter(asked)
        .map(async |(path, hash, address)| (path, hash, site.bytes(&address).await))
        .buffered(AT_ONCE);
    while let Some((path, hash, bytes)) = served.next().await {
        let Some(bytes) = bytes? else {
            wrong.push(format!(
                "the file {path}, which the log names, is not there"
            ));
            continue;
        };
        if hex::encode(Sha256::digest(&bytes)) != *hash {
            wrong.push(format!(
                "the file {path} is another one than the log says it is"
            ));
        }
        let text = String::from_utf8_lossy(&bytes);
        let unknown = list_loaded_files(&text)
            .into_iter()
            .filter(|name| !logged.keys().any(|path| path.ends_with(name)));
        wrong.extend(
            unknown.map(|name| {
                format!("the file {path} loads {name}, about which the log says nothing")
            }),
        );
    }
    Ok(wrong)
}

/// The names of built files in a text, each with a hash: `/index-B4kD9xQ2.js`.
fn list_loaded_files(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let names = text.split(|c| !is_part(c)).filter(|name| {
        let stem = LOADED.iter().find_map(|end| name.strip_suffix(end));
        let hash = stem.and_then(|stem| stem.get(stem.len().checked_sub(9)?..));
        hash.is_some_and(|hash| {
            let letters = hash.strip_prefix('-').unwrap_or_default();
            letters.len() == 8
                && letters
                    .chars()
                    .any(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        })
    });
    names.map(|name| format!("/{name}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_loads_is_found_by_its_name() {
        let text = r#"<script src="/assets/verify-B4kD9xQ2.js">import("./chunk-a_b-C-12.js") new URL("read-DqW3_x-1.wasm") see other.js, no-extension"#;
        let found: Vec<String> = list_loaded_files(text).into_iter().collect();
        assert_eq!(
            found,
            [
                "/chunk-a_b-C-12.js",
                "/read-DqW3_x-1.wasm",
                "/verify-B4kD9xQ2.js"
            ]
        );
    }
}
