//! Checks of settings, and the error of those that are invalid or dangerous.

use chain::is_loopback;
use url::Url;

/// The setting, the problem, and the fix; never the value of a secret.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct ConfigError(String);

/// Returns the error unless `valid`.
pub(super) fn require(valid: bool, otherwise: impl Into<String>) -> Result<(), ConfigError> {
    if valid {
        Ok(())
    } else {
        Err(ConfigError(otherwise.into()))
    }
}

/// Parses an address that is https or of this machine. A user name or a password would be shown where no secret is expected.
pub(super) fn private_url(text: &str) -> Result<Url, &'static str> {
    let url = text.trim().parse().ok().filter(|url: &Url| {
        let is_private = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url));
        is_private && url.username().is_empty() && url.password().is_none()
    });
    url.ok_or(
        "not an https address, or an http one of this machine, without a user name or a password",
    )
}

/// The same, without a query or a fragment.
pub(super) fn plain_url(text: &str) -> Result<Url, &'static str> {
    let url = private_url(text)?;
    let is_plain = url.query().is_none() && url.fragment().is_none();
    is_plain
        .then_some(url)
        .ok_or("an address with a query or a fragment")
}
