//! The cookies, and the one place that decides how they are set, out of reach of every script: one holds
//! the refresh token of a family in cookie mode (decisions, D9), the other tells the browser that began a
//! sign-in from every other.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::config::Config;
use crate::sign_in::origin::Caller;

/// How one cookie is set at one origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CookiePolicy {
    name: &'static str,
    secure: bool,
}

/// Both cookies, at the origin that people use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cookies {
    /// Of a session: its refresh token.
    pub session: CookiePolicy,
    /// Of sign-ins that are under way.
    pub sign_in: CookiePolicy,
}

impl Cookies {
    #[must_use]
    pub fn new(config: &Config) -> Self {
        Self {
            session: CookiePolicy::new(config, "__Host-por-refresh", "por-refresh"),
            sign_in: CookiePolicy::new(config, "__Host-por-sign-in", "por-sign-in"),
        }
    }

    /// The refresh token in the cookie of a request. Whoever else makes a browser send the cookie is
    /// treated as if it had none (decisions, D9).
    #[must_use]
    pub fn of_own_page<'a>(&self, caller: Caller, headers: &'a HeaderMap) -> Option<&'a str> {
        match caller {
            Caller::OwnPage => self.session.read(headers),
            Caller::ForeignPage | Caller::Program => None,
        }
    }
}

impl CookiePolicy {
    /// Follows the scheme that people use. With https the name's prefix makes the browser insist on
    /// Secure, Path=/ and no Domain (RFC 6265bis, section 4.1.3.2); plain http, which is loopback
    /// alone, can have neither.
    fn new(config: &Config, secure: &'static str, plain: &'static str) -> Self {
        let https = config.origin().starts_with("https:");
        Self {
            name: if https { secure } else { plain },
            secure: https,
        }
    }

    /// The value that came with a request.
    #[must_use]
    pub fn read<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find_map(|(name, value)| (name == self.name).then_some(value))
    }

    /// Sets the cookie for `seconds`. The value must be one of our tokens, which need no quoting. Lax, because
    /// it has to come along when a provider sends somebody back.
    #[must_use]
    pub fn set(&self, token: &str, seconds: i64) -> Option<HeaderValue> {
        let secure = if self.secure { "; Secure" } else { "" };
        let name = self.name;
        HeaderValue::try_from(format!(
            "{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
        ))
        .ok()
    }

    /// Removes the cookie.
    #[must_use]
    pub fn clear(&self) -> Option<HeaderValue> {
        self.set("", 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECURE: CookiePolicy = CookiePolicy {
        name: "__Host-por-refresh",
        secure: true,
    };

    #[test]
    fn the_cookie_is_read_by_its_exact_name() {
        let mut headers = HeaderMap::new();
        headers.append("cookie", HeaderValue::from_static("a=1; por-refresh=no"));
        headers.append("cookie", HeaderValue::from_static("__Host-por-refresh=yes"));
        assert_eq!(SECURE.read(&headers), Some("yes"));
        assert_eq!(SECURE.read(&HeaderMap::new()), None);
    }

    #[test]
    fn no_script_and_no_other_host_sees_the_cookie() {
        let cookie = SECURE.set("token", 60).unwrap();
        assert_eq!(
            cookie,
            "__Host-por-refresh=token; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
        );
    }
}
