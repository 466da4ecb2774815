//! What is known of each provider: its addresses, what it is asked for, and how it wants to be asked.

use oauth2::AuthType;
use url::Url;

/// A provider that people really sign in with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// X, called by the name that its API and its clients have kept.
    Twitter,
    /// Google, by OpenID Connect.
    Google,
    /// GitHub.
    Github,
}

/// Where one provider is asked.
#[derive(Clone, Debug)]
pub(super) struct Endpoints {
    /// The page that asks the person.
    pub(super) authorize: Url,
    /// Where a code is exchanged.
    pub(super) token: Url,
    /// Who the person is.
    pub(super) person: Url,
    /// The person's e-mail addresses, where those are apart.
    pub(super) emails: Option<Url>,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Twitter, Self::Google, Self::Github];

    /// The name on the wire and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Twitter => "twitter",
            Self::Google => "google",
            Self::Github => "github",
        }
    }

    /// The provider of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Twitter => "X",
            Self::Google => "Google",
            Self::Github => "GitHub",
        }
    }

    /// How its environment variables begin.
    #[must_use]
    pub fn variables(self) -> &'static str {
        match self {
            Self::Twitter => "TWITTER",
            Self::Google => "GOOGLE",
            Self::Github => "GITHUB",
        }
    }

    /// The least that tells who somebody is. X gives a profile only to apps that may read posts too.
    pub(super) fn scopes(self) -> &'static [&'static str] {
        match self {
            Self::Twitter => &["users.read", "tweet.read"],
            Self::Google => &["openid", "email", "profile"],
            Self::Github => &["read:user", "user:email"],
        }
    }

    /// How this server proves who it is (RFC 6749, section 2.3.1): X takes the header alone, the others
    /// document the body.
    pub(super) fn auth_type(self) -> AuthType {
        match self {
            Self::Twitter => AuthType::BasicAuth,
            Self::Google | Self::Github => AuthType::RequestBody,
        }
    }

    /// How the `iss` of an answer must read, when it has one (RFC 9207, section 2.4).
    pub(super) fn issuer(self, base: Option<&Url>) -> Option<String> {
        match (self, base) {
            (Self::Google, None) => Some("https://accounts.google.com".to_owned()),
            (Self::Github, None) => Some("https://github.com/login/oauth".to_owned()),
            (Self::Twitter, None) => None,
            (_, Some(base)) => Some(base.as_str().trim_end_matches('/').to_owned()),
        }
    }

    /// The provider's own addresses, or the same paths on a server that stands in for it. A GitHub Enterprise
    /// Server has its API below `/api/v3`.
    pub(super) fn endpoints(self, base: Option<&Url>) -> Result<Endpoints, url::ParseError> {
        let at = |own: &str, path: &str| match base {
            None => Url::parse(&format!("{own}{path}")),
            Some(base) => Url::parse(&format!("{}{path}", base.as_str().trim_end_matches('/'))),
        };
        Ok(match self {
            Self::Twitter => Endpoints {
                authorize: at("https://x.com", "/i/oauth2/authorize")?,
                token: at("https://api.x.com", "/2/oauth2/token")?,
                person: at(
                    "https://api.x.com",
                    "/2/users/me?user.fields=profile_image_url",
                )?,
                emails: None,
            },
            Self::Google => Endpoints {
                authorize: at("https://accounts.google.com", "/o/oauth2/v2/auth")?,
                token: at("https://oauth2.googleapis.com", "/token")?,
                person: at("https://openidconnect.googleapis.com", "/v1/userinfo")?,
                emails: None,
            },
            Self::Github => {
                let api = if base.is_some() { "/api/v3" } else { "" };
                let person = format!("{api}/user");
                let emails = format!("{api}/user/emails");
                Endpoints {
                    authorize: at("https://github.com", "/login/oauth/authorize")?,
                    token: at("https://github.com", "/login/oauth/access_token")?,
                    person: at("https://api.github.com", &person)?,
                    emails: Some(at("https://api.github.com", &emails)?),
                }
            }
        })
    }
}
