//! Requests to providers, with a deadline and a size limit. The log contains no text of a provider.

use std::time::Duration;

use chain::outbound::{BodyError, fetch};
use oauth2::{HttpRequest, HttpResponse};
use reqwest::StatusCode;
use serde_json::Value;
use url::Url;

/// How long a response may take. The user waits in front of a blank page.
const TIMEOUT: Duration = Duration::from_secs(8);

/// The largest response that is read, in bytes. Real ones are below 4 kB.
const MAX_BYTES: usize = 64 * 1024;

/// Why a request to a provider failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum HttpError {
    /// It did not respond in time.
    #[error("no response: {0}")]
    Unreachable(#[from] BodyError),
    #[error("status {0}")]
    Status(StatusCode),
    /// The response is not as documented.
    #[error("an invalid response")]
    Unreadable,
}

/// A request of the `oauth2` crate, whose own adapter is for another version of reqwest.
pub(super) async fn exchange(
    client: reqwest::Client,
    request: HttpRequest,
) -> Result<HttpResponse, HttpError> {
    let (parts, body) = request.into_parts();
    let request = client
        .request(parts.method, parts.uri.to_string())
        .headers(parts.headers)
        .body(body);
    let mut response = fetch(request.timeout(TIMEOUT), MAX_BYTES).await?;
    if response.status().is_success() && is_refusal(response.body()) {
        *response.status_mut() = StatusCode::BAD_REQUEST;
    }
    Ok(response)
}

/// The response at this address with the access token.
pub(super) async fn get(
    client: &reqwest::Client,
    url: &Url,
    access_token: &str,
) -> Result<Vec<u8>, HttpError> {
    let request = client
        .get(url.clone())
        .header("accept", "application/json")
        .bearer_auth(access_token);
    let response = fetch(request.timeout(TIMEOUT), MAX_BYTES).await?;
    match response.status() {
        status if status.is_success() => Ok(response.into_body()),
        status => Err(HttpError::Status(status)),
    }
}

/// Whether a successful response contains an error, as GitHub's do against RFC 6749, section 5.2.
fn is_refusal(body: &[u8]) -> bool {
    let body = serde_json::from_slice::<Value>(body);
    body.is_ok_and(|body| body["error"].is_string())
}
