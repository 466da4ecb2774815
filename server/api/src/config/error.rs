//! A setting that cannot work, or would make the service unsafe.

/// The setting, what is wrong with it, and what to do instead. Never the value of a secret.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct ConfigError(String);

/// Refuses a setting unless `fine`.
pub(super) fn require(fine: bool, otherwise: impl Into<String>) -> Result<(), ConfigError> {
    if fine {
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
