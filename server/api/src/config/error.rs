//! Invalid and dangerous settings.

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
