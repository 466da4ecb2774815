//! The description of a provider.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use url::Url;

use board_log::names;
use store::profiles::Identity;

#[derive(Debug)]
pub struct Provider {
    /// The name in requests, in the database and, in capitals, in its settings.
    pub name: &'static str,
    pub method: SignInMethod,
    /// Profile pictures, when it has them.
    pub pictures: Option<Pictures>,
}

impl Provider {
    /// The name on screens.
    pub fn title(&self) -> &'static str {
        let words = names::PROVIDERS.iter().find(|it| it.name == self.name);
        words.map_or(self.name, |it| it.title)
    }
}

/// How users sign in.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one for each provider, in a table that never moves"
)]
pub enum SignInMethod {
    /// On the provider's own page.
    OAuth(OAuth),
    /// At once, as a new user; only in development (decisions, D11).
    Mock(fn() -> Identity),
}

/// How one provider speaks OAuth 2.0 (RFC 6749, section 4.1).
#[derive(Debug)]
pub struct OAuth {
    /// The fewest that give access to the claims.
    pub scopes: &'static [&'static str],
    /// The page that asks the user.
    pub authorize: Endpoint,
    /// Where a code is exchanged.
    pub token: Endpoint,
    /// Where the user's claims are read.
    pub user: Endpoint,
    /// Where the user's e-mail addresses are read, if that is another endpoint.
    pub emails: Option<Endpoint>,
    pub client_auth: ClientAuth,
    /// The `iss` that a callback must have, if it has one (RFC 9207, section 2.4).
    pub issuer: Option<&'static str>,
    pub read: fn(ProviderResponse<'_>) -> serde_json::Result<Claims>,
}

/// How this server authenticates to the provider (RFC 6749, section 2.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientAuth {
    Header,
    Body,
}

/// An address of a provider, and its path on a server in place of the provider's own (setting `…_URL`).
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    origin: &'static str,
    path: &'static str,
    elsewhere: &'static str,
}

/// The JSON that a provider returned.
#[derive(Clone, Copy, Debug)]
pub struct ProviderResponse<'a> {
    pub user: &'a [u8],
    /// None when the provider has no such endpoint, or the user did not grant access to it.
    pub emails: Option<&'a [u8]>,
}

/// What a provider says about a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Never changes, and is never given to another user: it identifies the account.
    pub id: String,
    pub username: Option<String>,
    /// An address that the provider has verified.
    pub email: Option<String>,
    pub picture: Option<String>,
}

/// Where profile pictures are.
#[derive(Debug)]
pub struct Pictures {
    /// Whether pictures may be fetched from this host, by https.
    pub host: fn(&str) -> bool,
    /// The path of a picture of about 400 pixels for the path of the small one in the claims; none for any other path.
    pub larger: fn(&str) -> Option<String>,
}

impl Endpoint {
    /// The same path wherever the provider is.
    pub(super) const fn new(origin: &'static str, path: &'static str) -> Self {
        Self {
            origin,
            path,
            elsewhere: path,
        }
    }

    /// Sets another path for a server in place of the provider's own.
    pub(super) const fn elsewhere(self, path: &'static str) -> Self {
        Self {
            elsewhere: path,
            ..self
        }
    }

    /// The provider's own address, or the one below `base`.
    ///
    /// # Errors
    /// When the result is not a valid address.
    pub fn at(&self, base: Option<&Url>) -> Result<Url, url::ParseError> {
        match base {
            None => Url::parse(&format!("{}{}", self.origin, self.path)),
            Some(base) => {
                let base = base.as_str().trim_end_matches('/');
                Url::parse(&format!("{base}{}", self.elsewhere))
            }
        }
    }
}

/// An optional claim; none when it has another form than documented, because no sign-in depends on it.
pub(super) fn optional<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    let value = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).ok())
}
