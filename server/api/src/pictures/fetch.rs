//! Fetches a picture from the provider, with a size limit and a time-out.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use url::Url;

use chain::outbound::{self, BodyError};

/// The largest file that is read, in bytes.
pub(super) const MAX_BYTES: usize = 2 * 1024 * 1024;

/// The time-out of a whole fetch.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Why a picture was not fetched.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    #[error("the provider has no such picture")]
    Missing,
    /// More than [`MAX_BYTES`].
    #[error("the picture is larger than 2 MiB")]
    TooLarge,
    /// A response without a picture, such as a redirect.
    #[error("the provider responded {0}")]
    Status(StatusCode),
    #[error("the provider cannot be reached: {0}")]
    Unreachable(#[from] reqwest::Error),
}

/// The bytes at an address that [`super::address::Hosts`] allows. The client follows no redirects, which could lead to any host.
///
/// # Errors
/// When there is no picture, it is too large, or the provider does not respond in time.
pub(super) async fn bytes(
    client: &Client,
    address: Url,
    patience: Duration,
) -> Result<Vec<u8>, FetchError> {
    let request = client
        .get(address)
        .header("accept", "image/png, image/jpeg, image/gif, image/webp")
        .timeout(patience);
    let fetched = outbound::fetch(request, MAX_BYTES).await;
    let (status, body) = fetched.map_err(|error| match error {
        BodyError::TooLong => FetchError::TooLarge,
        BodyError::Http(error) => error.into(),
    })?;
    match status {
        StatusCode::OK => Ok(body),
        StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::FORBIDDEN => {
            Err(FetchError::Missing)
        }
        other => Err(FetchError::Status(other)),
    }
}

#[cfg(test)]
mod tests;
