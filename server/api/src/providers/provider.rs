//! What is to be known of a provider.

use url::Url;

/// One provider.
#[derive(Debug)]
pub struct Provider {
    /// The name on the wire, in the database and, in capitals, at the beginning of its settings.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// How somebody signs in there.
    pub way: Way,
    /// Its user names, when they are shown with an @ and linked. Names of all other providers stand behind the
    /// provider's own (decisions, D7).
    pub handles: Option<Handles>,
    /// The pictures of people that it tells of.
    pub pictures: Option<Pictures>,
}

/// How somebody signs in.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one for each provider, in a table that never moves"
)]
pub enum Way {
    /// On the provider's own page.
    OAuth(OAuth),
    /// Here and now, as whoever this makes up; in development alone (decisions, D11).
    MadeUp(fn() -> Person),
}

/// How one provider speaks OAuth 2.0 (RFC 6749, section 4.1).
#[derive(Debug)]
pub struct OAuth {
    /// The least that tells who somebody is.
    pub scopes: &'static [&'static str],
    /// The page that asks the person.
    pub authorize: Endpoint,
    /// Where a code is exchanged.
    pub token: Endpoint,
    /// Who the person is.
    pub person: Endpoint,
    /// The person's e-mail addresses, where those are apart.
    pub emails: Option<Endpoint>,
    /// How this server proves who it is.
    pub client_auth: ClientAuth,
    /// How the `iss` of an answer must read, when it has one (RFC 9207, section 2.4).
    pub issuer: Option<&'static str>,
    /// Reads who somebody is from the provider's own words.
    pub read: fn(Told<'_>) -> serde_json::Result<Person>,
}

/// The two ways of RFC 6749, section 2.3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientAuth {
    Header,
    Body,
}

/// An address of a provider, and the path of the same on a server that stands in for it.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    origin: &'static str,
    path: &'static str,
    elsewhere: &'static str,
}

/// JSON, as a provider answered it.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    pub person: &'a [u8],
    /// None when the provider has no such endpoint, or the person has kept them back.
    pub emails: Option<&'a [u8]>,
}

/// Who a provider says somebody is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// What never changes and is never given to somebody else: an account hangs on it.
    pub id: String,
    pub username: Option<String>,
    /// An address that the provider has verified.
    pub email: Option<String>,
    pub picture: Option<String>,
}

/// User names that stand for their owner everywhere.
#[derive(Debug)]
pub struct Handles {
    /// What comes before the name in the address of its owner's page.
    pub pages: &'static str,
}

/// Where pictures are.
#[derive(Debug)]
pub struct Pictures {
    /// Whether they may come from this host, by https.
    pub host: fn(&str) -> bool,
    /// The path of a picture of about 400 pixels for the path of the small one that is told; none for any other.
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

    /// Another path on a server that stands in.
    pub(super) const fn elsewhere(self, path: &'static str) -> Self {
        Self {
            elsewhere: path,
            ..self
        }
    }

    /// The provider's own address, or the one below `base`.
    ///
    /// # Errors
    /// When they make no address together.
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
