//! Fetches a picture from the provider, with a size limit and a time-out.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use url::Url;

use super::picture::PictureError;

/// The largest file that is read, in bytes.
pub(super) const MAX_BYTES: usize = 2 * 1024 * 1024;

/// The time-out of a whole fetch.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// The bytes at an address that [`super::address::Hosts`] allows; none when the provider has no such picture. The client follows no
/// redirects, which could lead to any host.
///
/// # Errors
/// When the picture is too large, or the provider does not respond in time, or with something else.
pub(super) async fn bytes(
    client: &Client,
    address: Url,
    timeout: Duration,
) -> Result<Option<Vec<u8>>, PictureError> {
    let request = client
        .get(address)
        .header("accept", "image/png, image/jpeg, image/gif, image/webp")
        .timeout(timeout);
    let response = outbound::fetch(request, MAX_BYTES).await?;
    match response.status() {
        StatusCode::OK => Ok(Some(response.into_body())),
        StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::FORBIDDEN => Ok(None),
        other => Err(PictureError::Status(other)),
    }
}

#[cfg(test)]
mod tests;
