//! The responses that the OpenAPI document lists for each operation.

use std::sync::LazyLock;

use crate::support::prelude::*;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../openapi.json")).unwrap());

/// Responses that no operation lists: refusals before routing, and server errors.
const BESIDE: [u16; 3] = [414, 431, 500];

/// Whether the OpenAPI document lists this response. True for addresses that are not in it.
pub(crate) fn expects(method: &str, path: &str, status: u16) -> bool {
    let Some(operation) = operation(method, path) else {
        return true;
    };
    BESIDE.contains(&status) || operation["responses"].get(status.to_string()).is_some()
}

fn operation(method: &str, path: &str) -> Option<&'static Value> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    // A literal path takes precedence over one with placeholders.
    let mut fitting: Vec<_> = paths.iter().filter(|(it, _)| fits(it, path)).collect();
    fitting.sort_by_key(|(template, _)| template.contains('{'));
    let (_, item) = fitting.first()?;
    item.get(method.to_lowercase())
}

fn fits(template: &str, path: &str) -> bool {
    let (wanted, given) = (template.split('/'), path.split('/'));
    wanted.clone().count() == given.clone().count()
        && wanted.zip(given).all(|(wanted, given)| {
            wanted == given || (wanted.starts_with('{') && !given.is_empty())
        })
}
