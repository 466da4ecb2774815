//! Gets a picture's bytes from its provider, with a limit of size and of time.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use url::Url;

use chain::outbound::body::{BodyError, read_at_most};

/// The largest file that is read, in bytes.
pub(super) const MAX_BYTES: usize = 2 * 1024 * 1024;

/// For the whole exchange.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Why there are no bytes.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    /// The provider has no such picture.
    #[error("the provider has no picture there")]
    Missing,
    /// More than [`MAX_BYTES`].
    #[error("the picture is larger than 2 MiB")]
    TooLarge,
    /// An answer without a picture, such as a redirect.
    #[error("the provider answered {0}")]
    Status(StatusCode),
    /// No answer, or not in time.
    #[error("the provider cannot be reached: {0}")]
    Unreachable(#[from] reqwest::Error),
}

/// The HTTP client for pictures. It follows no redirects: they could lead to any host.
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
/// When there are none, too many, or the provider does not answer in time.
pub(super) async fn bytes(client: &Client, address: Url) -> Result<Vec<u8>, FetchError> {
    let answer = client
        .get(address)
        .header("accept", "image/png, image/jpeg, image/gif, image/webp")
        .send()
        .await?;
    match answer.status() {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::FORBIDDEN => {
            return Err(FetchError::Missing);
        }
        other => return Err(FetchError::Status(other)),
    }
    let body = read_at_most(answer, MAX_BYTES).await;
    body.map_err(|error| match error {
        BodyError::TooLong => FetchError::TooLarge,
        BodyError::Http(error) => error.into(),
    })
}

#[cfg(test)]
mod tests;
