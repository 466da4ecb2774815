//! The sign-in providers. A provider is a file in this folder, a line in [`ALL`], and its words in the list of `board-log`: settings,
//! callback address, login page, names and pictures follow from them.

mod github;
mod google;
mod mock;
mod provider;
mod x;

pub use board_log::names::{address_name, handles, shown_name};
pub use provider::{
    Claims, ClientAuth, Endpoint, OAuth, Pictures, Provider, ProviderResponse, SignInMethod,
};

/// The providers, in the order in which they are listed.
pub const ALL: &[&Provider] = &[&x::X, &google::GOOGLE, &github::GITHUB, &mock::MOCK];

/// The provider of this name.
pub fn find(name: &str) -> Option<&'static Provider> {
    ALL.iter().copied().find(|provider| provider.name == name)
}

/// The providers that sign in by OAuth 2.0, which are all but the mock.
pub fn oauth() -> impl Iterator<Item = (&'static Provider, &'static OAuth)> {
    ALL.iter().filter_map(|provider| match &provider.method {
        SignInMethod::OAuth(oauth) => Some((*provider, oauth)),
        SignInMethod::Mock(_) => None,
    })
}

/// Parses what [`address_name`] and [`shown_name`] write into the provider, if it names one, and the name there.
pub fn parse_name(name: &str) -> (Option<&str>, &str) {
    match name.split_once(':') {
        Some((provider, rest)) if find(provider).is_some() => (Some(provider), rest),
        _ => (None, name.strip_prefix('@').unwrap_or(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_log::names::PROVIDERS;
    use std::collections::BTreeSet;

    #[test]
    fn names_can_be_told_apart_and_be_part_of_settings_and_addresses() {
        let names: BTreeSet<_> = ALL.iter().map(|provider| provider.name).collect();
        assert_eq!(names.len(), ALL.len());
        for name in names {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
            assert!(name.chars().all(plain), "{name}");
        }
        // Each provider has an entry in providers.json, in the same order, and there is no other entry.
        let words = PROVIDERS.iter().map(|it| it.name);
        assert!(ALL.iter().map(|it| it.name).eq(words));
        assert!(find(handles()).is_some());
    }

    #[test]
    fn only_x_names_get_the_at() {
        for (provider, shown, address) in [
            ("twitter", "@a b", "a b"),
            ("github", "github:a b", "github:a b"),
            ("mock", "mock:a b", "mock:a b"),
        ] {
            assert_eq!(shown_name(provider, "a b", true), shown);
            assert_eq!(address_name(provider, "a b"), address);
        }
    }
}
