//! Writes the public address of the source into both manifests. npm compares it with the repository that a release is built in.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::workspace::Workspace;

/// Sets `repository` in `psbt-wasm/Cargo.toml` and in `psbt-wasm/js/package.json`.
pub(crate) fn run(url: &str) -> Result<()> {
    ensure!(
        is_public(url),
        "{url}: the repository must be like https://github.com/OWNER/NAME"
    );
    let directory = Workspace::read()?.crate_dir();
    edit(&directory.join("Cargo.toml"), |manifest| {
        set(
            manifest,
            "repository = ",
            "readme = ",
            &format!("repository = \"{url}\""),
        )
    })?;
    edit(&directory.join("js/package.json"), |manifest| {
        let value =
            format!(r#"{{ "type": "git", "url": "git+{url}.git", "directory": "psbt-wasm" }}"#);
        set(
            manifest,
            "  \"repository\": ",
            "  \"license\": ",
            &format!("  \"repository\": {value},"),
        )
    })
}

/// An address that needs no escape in TOML or JSON.
fn is_public(url: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._/".contains(&byte);
    url.strip_prefix("https://").is_some_and(|rest| {
        rest.bytes().all(plain)
            && rest.split('/').all(|part| !part.is_empty())
            && !rest.ends_with(".git")
    })
}

fn edit(path: &Path, change: impl FnOnce(&str) -> Option<String>) -> Result<()> {
    let name = || path.display().to_string();
    let manifest = fs::read_to_string(path).with_context(name)?;
    let changed = change(&manifest)
        .context("the manifest has another form")
        .with_context(name)?;
    fs::write(path, changed).with_context(name)
}

/// Replaces the line that begins with `old`, or else adds one after the line that begins with `before`.
fn set(manifest: &str, old: &str, before: &str, line: &str) -> Option<String> {
    let mut lines: Vec<&str> = manifest
        .lines()
        .filter(|line| !line.starts_with(old))
        .collect();
    let at = lines.iter().position(|line| line.starts_with(before))?;
    lines.insert(at + 1, line);
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_added_once_and_then_replaced() {
        let manifest = "[package]\nreadme = \"README.md\"\nedition = \"2024\"\n";
        let with = |manifest: &str, line| {
            set(manifest, "repository = ", "readme = ", line).expect("a manifest")
        };
        let first = with(manifest, "repository = \"1\"");
        assert_eq!(
            first,
            "[package]\nreadme = \"README.md\"\nrepository = \"1\"\nedition = \"2024\"\n"
        );
        assert_eq!(with(&first, "repository = \"2\""), first.replace('1', "2"));
        assert_eq!(set("[package]\n", "repository = ", "readme = ", ""), None);
    }

    #[test]
    fn only_a_public_address_is_taken() {
        assert!(is_public("https://github.com/owner/name"));
        for url in [
            "http://github.com/owner/name",
            "https://github.com/owner/",
            "https://a/\"b",
            "https://github.com/owner/name.git",
            "https://",
        ] {
            assert!(!is_public(url), "{url}");
        }
    }
}
