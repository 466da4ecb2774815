//! Fetches a picture from the provider, with a size limit and a time-out.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use url::Url;

use chain::outbound::{BodyError, read_at_most};

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

/// The HTTP client for pictures. It follows no redirects, which could lead to any host.
///
/// # Errors
/// When TLS cannot be prepared.
pub(super) fn client(patience: Duration) -> Result<Client, reqwest::Error> {
    Client::builder()
        .user_agent(concat!("proof-of-reserves/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .connect_timeout(patience / 2)
        .timeout(patience)
        .pool_max_idle_per_host(2)
        .build()
}

/// The bytes at an address that [`super::address::Hosts`] allows.
///
/// # Errors
/// When there is no picture, it is too large, or the provider does not respond in time.
pub(super) async fn bytes(client: &Client, address: Url) -> Result<Vec<u8>, FetchError> {
    let response = client
        .get(address)
        .header("accept", "image/png, image/jpeg, image/gif, image/webp")
        .send()
        .await?;
    match response.status() {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::FORBIDDEN => {
            return Err(FetchError::Missing);
        }
        other => return Err(FetchError::Status(other)),
    }
    let body = read_at_most(response, MAX_BYTES).await;
    body.map_err(|error| match error {
        BodyError::TooLong => FetchError::TooLarge,
        BodyError::Http(error) => error.into(),
    })
}

#[cfg(test)]
mod tests;
