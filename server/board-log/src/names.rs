//! Names as a board shows them (decisions, D7), and as statements have them (proofs, section 1).

use std::sync::LazyLock;

use serde::Deserialize;

/// How the board speaks of a sign-in provider.
#[derive(Debug, Deserialize)]
pub struct ProviderWords {
    /// Its name in requests, in the database and in statements.
    pub name: &'static str,
    /// Its name on screens.
    pub title: &'static str,
    /// What the board shows before a name: `@` before handles.
    shown: &'static str,
    /// What a statement has before a name; null where names are not signed: real ones, which several people can have.
    signed: Option<&'static str>,
}

/// Before a handle, which is bare in addresses.
const HANDLE: &str = "@";

/// All providers, in the order in which they are listed.
pub static PROVIDERS: LazyLock<Vec<ProviderWords>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../lists/providers.json")).expect("the list is well-formed")
});

fn find(provider: &str) -> Option<&'static ProviderWords> {
    PROVIDERS.iter().find(|it| it.name == provider)
}

/// The provider whose names are handles: shown with an @, and bare in addresses.
pub fn handles() -> &'static str {
    let handles = PROVIDERS.iter().find(|it| it.shown == HANDLE);
    handles.map_or("", |it| it.name)
}

/// The name in addresses of the board: a handle bare, every other name after the provider's name.
pub fn address_name(provider: &str, username: &str) -> String {
    match prefix(provider) {
        prefix if prefix == HANDLE => username.to_owned(),
        prefix => prefix + username,
    }
}

/// The name that the board shows: a handle with its @, other names after the provider's name. A default name (`named` is false), which no
/// provider gave, has no prefix.
pub fn shown_name(provider: &str, username: &str, named: bool) -> String {
    match named {
        true => prefix(provider) + username,
        false => username.to_owned(),
    }
}

/// The name in statements, with its prefix, before it is cut; `None` for an empty name, and where the provider's names are not signed.
pub fn signed_name(provider: &str, username: &str) -> Option<String> {
    if username.is_empty() {
        return None;
    }
    let prefix = match find(provider) {
        Some(words) => words.signed?.to_owned(),
        None => prefix(provider),
    };
    Some(prefix + username)
}

/// What the board shows before a name of this provider. A newer board may have one that is not on this list.
fn prefix(provider: &str) -> String {
    find(provider).map_or_else(|| format!("{provider}:"), |it| it.shown.to_owned())
}
