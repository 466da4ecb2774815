//! Names as a board shows them (decisions, D7).

/// The provider whose names are handles: shown with an @, and bare in addresses.
pub const HANDLES: &str = "twitter";

/// The name in addresses of the board: a handle bare, every other name after the provider's name.
pub fn address_name(provider: &str, username: &str) -> String {
    if provider == HANDLES {
        username.to_owned()
    } else {
        format!("{provider}:{username}")
    }
}

/// The name that the board shows: a handle with its @, other names after the provider's name. A default name (`named` is false), which no
/// provider gave, has no prefix.
pub fn shown_name(provider: &str, username: &str, named: bool) -> String {
    match (named, provider) {
        (true, HANDLES) => format!("@{username}"),
        (true, _) => format!("{provider}:{username}"),
        (false, _) => username.to_owned(),
    }
}
