//! The cookies, out of reach of every script: one holds the refresh token of a session in cookie mode (decisions, D9), the other
//! distinguishes the browser that began a sign-in from every other. And which requests may use the first.

use axum::http::{HeaderMap, header};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use time::Duration;

use crate::config::Config;
use crate::sign_in::SignIn;
use crate::sign_in::origin::Caller;

/// How one cookie is set at one origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CookiePolicy {
    name: &'static str,
    secure: bool,
}

/// Both cookies, at the public address of the site.
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
    pub fn refresh_token<'a>(&self, caller: Caller, jar: &'a CookieJar) -> Option<&'a str> {
        self.session.get(jar).filter(|_| caller == Caller::OwnPage)
    }
}

impl CookiePolicy {
    /// Follows the scheme of the public address. With https the name's prefix makes the browser insist on
    /// Secure, Path=/ and no Domain (RFC 6265bis, section 4.1.3.2); plain http, which is used only on
    /// loopback, can have neither prefix nor Secure.
    fn new(config: &Config, secure: &'static str, plain: &'static str) -> Self {
        let is_secure = config.secure();
        Self {
            name: if is_secure { secure } else { plain },
            secure: is_secure,
        }
    }

    /// The value that came with a request.
    pub fn get<'a>(&self, jar: &'a CookieJar) -> Option<&'a str> {
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

/// Who sends a request with these headers.
pub(super) fn caller(sign_in: &SignIn, headers: &HeaderMap) -> Caller {
    judge(headers, |origin| sign_in.origins.is_own(origin))
}

/// By headers that no page can set.
fn judge(headers: &HeaderMap, is_own: impl Fn(&str) -> bool) -> Caller {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (Some(origin), None) if origin.to_str().is_ok_and(is_own) => Caller::OwnPage,
        (None, _) if !headers.contains_key("sec-fetch-site") => Caller::Program,
        _ => Caller::ForeignPage,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

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
        assert_eq!(SECURE.get(&CookieJar::from_headers(&headers)), Some("yes"));
        assert_eq!(SECURE.get(&CookieJar::default()), None);
    }

    #[test]
    fn no_script_and_no_other_host_sees_the_cookie() {
        let cookie = SECURE.set("token", 60).to_string();
        assert_eq!(
            cookie,
            "__Host-por-refresh=token; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=60"
        );
    }

    #[test]
    fn a_caller_is_judged_by_headers_that_no_page_can_set() {
        let caller = |pairs: &[(&'static str, &str)]| {
            let headers = pairs
                .iter()
                .map(|(name, value)| {
                    (
                        HeaderName::from_static(name),
                        HeaderValue::from_str(value).unwrap(),
                    )
                })
                .collect();
            judge(&headers, |origin| origin == "https://reserves.example")
        };
        let own = ("origin", "https://reserves.example");
        assert_eq!(caller(&[own]), Caller::OwnPage);
        assert_eq!(caller(&[]), Caller::Program);
        for foreign in [
            &[("origin", "https://evil.example")][..],
            &[("origin", "null")],
            &[("origin", "")],
            &[("origin", "https://reserves.example:8443")],
            &[("origin", "http://reserves.example")],
            &[("sec-fetch-site", "same-origin")],
        ] {
            assert_eq!(caller(foreign), Caller::ForeignPage, "{foreign:?}");
        }
    }
}
