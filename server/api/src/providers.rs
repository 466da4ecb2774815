//! The sign-in providers. A provider is a file in this folder and a line in [`ALL`]: settings, callback address, names and
//! pictures follow from it.

mod github;
mod google;
mod mock;
mod provider;
mod x;

pub use board_log::names::{address_name, display_name, shown_name};
pub use provider::{
    Claims, ClientAuth, Endpoint, Handles, OAuth, Pictures, Provider, ProviderResponse,
    SignInMethod,
};

/// The providers, in the order in which they are listed.
pub const ALL: &[&Provider] = &[&x::X, &google::GOOGLE, &github::GITHUB, &mock::MOCK];

/// The provider of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Provider> {
    ALL.iter().copied().find(|provider| provider.name == name)
}

/// The providers with OAuth 2.0.
pub fn oauth() -> impl Iterator<Item = (&'static Provider, &'static OAuth)> {
    ALL.iter().filter_map(|provider| match &provider.method {
        SignInMethod::OAuth(oauth) => Some((*provider, oauth)),
        SignInMethod::Mock(_) => None,
    })
}

/// Parses what [`address_name`] and [`shown_name`] write into the provider, if it names one, and the name there.
#[must_use]
pub fn parse_name(name: &str) -> (Option<&str>, &str) {
    match name.split_once(':') {
        Some((provider, rest)) if find(provider).is_some() => (Some(provider), rest),
        _ => (None, name.strip_prefix('@').unwrap_or(name)),
    }
}

/// The address of a user's profile at the provider, for names that are linked.
#[must_use]
pub fn profile_url(provider: &str, username: &str) -> Option<String> {
    let handles = handles(provider)?;
    let name: String = url::form_urlencoded::byte_serialize(username.as_bytes()).collect();
    Some(format!("{}{}", handles.pages, name.replace('+', "%20")))
}

/// The provider whose names are handles, which need no provider before them.
#[must_use]
pub fn handle_provider() -> Option<&'static str> {
    let provider = ALL.iter().find(|provider| provider.handles.is_some())?;
    Some(provider.name)
}

fn handles(provider: &str) -> Option<&'static Handles> {
    find(provider)?.handles.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_can_be_told_apart_and_be_part_of_settings_and_addresses() {
        let names: BTreeSet<_> = ALL.iter().map(|provider| provider.name).collect();
        assert_eq!(names.len(), ALL.len());
        for name in names {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
            assert!(name.chars().all(plain), "{name}");
        }
        // A bare name would mean two people.
        let bare = ALL.iter().filter(|provider| provider.handles.is_some());
        assert_eq!(bare.count(), 1);
    }

    #[test]
    fn only_x_names_get_the_at_and_a_page() {
        for (provider, shown, address, at) in [
            (
                "twitter",
                "@a b",
                "a b",
                Some("https://x.com/a%20b".to_owned()),
            ),
            ("github", "github:a b", "github:a b", None),
            ("mock", "mock:a b", "mock:a b", None),
        ] {
            assert_eq!(display_name(provider, "a b"), shown);
            assert_eq!(address_name(provider, "a b"), address);
            assert_eq!(profile_url(provider, "a b"), at);
        }
    }
}
