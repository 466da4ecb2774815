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

impl ConfigError {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

/// Whether the address is https or of this machine.
pub(super) fn is_private(url: &Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url))
}

/// Whether the address has a user name or a password, which would be shown where no secret is expected.
pub(super) fn has_user(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// Whether the address is encrypted or of this machine, and has no query, fragment, user name or password.
pub(super) fn is_safe(url: &Url) -> bool {
    let plain = url.query().is_none() && url.fragment().is_none();
    is_private(url) && plain && !has_user(url)
}
