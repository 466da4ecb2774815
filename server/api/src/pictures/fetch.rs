//! Gets a picture's bytes from its provider: at most so many, for at most so long, and from nowhere else.

use std::sync::Arc;
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::dns::Resolve;
use url::Url;

use super::resolver::PublicOnly;
use chain::outbound::body::{BodyError, read_at_most};

/// The largest file that is read, in bytes.
pub(super) const MAX_BYTES: usize = 2 * 1024 * 1024;

/// For the whole exchange.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why there are no bytes.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    /// The provider has no such picture.
    #[error("the provider has no picture there")]
    Missing,
    /// More than [`MAX_BYTES`].
    #[error("the picture is larger than 2 MiB")]
    TooLarge,
    /// An answer that is no picture; a redirect is one, for it could lead anywhere.
    #[error("the provider answered {0}")]
    Status(StatusCode),
    /// No answer, or not in time.
    #[error("the provider cannot be reached: {0}")]
    Unreachable(#[from] reqwest::Error),
}

/// A client for this alone.
#[derive(Clone, Debug)]
pub(super) struct Fetcher {
    client: reqwest::Client,
}

impl Fetcher {
    /// A client that connects to public addresses alone, as `lookup` finds them.
    ///
    /// # Errors
    /// When TLS cannot be prepared.
    pub(super) fn new(lookup: Arc<dyn Resolve>) -> Result<Self, reqwest::Error> {
        Self::with_patience(lookup, PATIENCE)
    }

    fn with_patience(lookup: Arc<dyn Resolve>, patience: Duration) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .user_agent(concat!("proof-of-reserves/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(Arc::new(PublicOnly { inner: lookup }))
            // A proxy would look names up by itself.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .connect_timeout(patience / 2)
            .timeout(patience)
            .pool_max_idle_per_host(2)
            .build()?;
        Ok(Self { client })
    }

    /// The bytes at an address that [`super::address::Hosts`] let through.
    ///
    /// # Errors
    /// When there are none, too many, or the provider does not answer in time.
    pub(super) async fn bytes(&self, address: Url) -> Result<Vec<u8>, FetchError> {
        let answer = self
            .client
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
        let announced = answer.content_length().unwrap_or(0);
        if usize::try_from(announced).is_ok_and(|length| length > MAX_BYTES) {
            return Err(FetchError::TooLarge);
        }
        read_at_most(answer, MAX_BYTES)
            .await
            .map_err(|error| match error {
                BodyError::TooLong => FetchError::TooLarge,
                BodyError::Http(error) => error.into(),
            })
    }
}

#[cfg(test)]
mod tests;
