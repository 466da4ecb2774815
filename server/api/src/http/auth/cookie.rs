//! The cookies, and the one place that decides how they are set, out of reach of every script: one holds
//! the refresh token of a family in cookie mode (decisions, D9), the other tells the browser that began a
//! sign-in from every other.

use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use time::Duration;

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
    pub fn new(config: &Config) -> Self {
        Self {
            session: CookiePolicy::new(config, "__Host-por-refresh", "por-refresh"),
            sign_in: CookiePolicy::new(config, "__Host-por-sign-in", "por-sign-in"),
        }
    }

    /// The refresh token in the cookie of a request. When another site makes a browser send the cookie, the request is
    /// treated as if it had none (decisions, D9).
    pub fn of_own_page<'a>(&self, caller: Caller, jar: &'a CookieJar) -> Option<&'a str> {
        match caller {
            Caller::OwnPage => self.session.read(jar),
            Caller::ForeignPage | Caller::Program => None,
        }
    }
}

impl CookiePolicy {
    /// Follows the scheme of the public address. With https the name's prefix makes the browser insist on
    /// Secure, Path=/ and no Domain (RFC 6265bis, section 4.1.3.2); plain http, which is used only on
    /// loopback, can have neither prefix nor Secure.
    fn new(config: &Config, secure: &'static str, plain: &'static str) -> Self {
        let https = config.origin().starts_with("https:");
        Self {
            name: if https { secure } else { plain },
            secure: https,
        }
    }

    /// The value that came with a request.
    pub fn read<'a>(&self, jar: &'a CookieJar) -> Option<&'a str> {
        jar.get(self.name).map(Cookie::value)
    }

    /// The cookie for `seconds`; with 0 it is removed. Lax, because it has to come along when a provider sends a browser back.
    pub fn set(&self, token: &str, seconds: i64) -> Cookie<'static> {
        Cookie::build((self.name, token.to_owned()))
            .path("/")
            .max_age(Duration::seconds(seconds))
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure)
            .build()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

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
        assert_eq!(SECURE.read(&CookieJar::from_headers(&headers)), Some("yes"));
        assert_eq!(SECURE.read(&CookieJar::default()), None);
    }

    #[test]
    fn no_script_and_no_other_host_sees_the_cookie() {
        let cookie = SECURE.set("token", 60).to_string();
        assert_eq!(
            cookie,
            "__Host-por-refresh=token; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=60"
        );
    }
}
