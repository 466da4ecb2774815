//! Requests to providers, with a deadline and a size limit.

use std::time::Duration;

use oauth2::{HttpRequest, HttpResponse};
use outbound::{BodyError, fetch};
use reqwest::StatusCode;
use serde_json::{Value, json};
use url::Url;

use super::refusal::{Refusal, is_temporary};

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
    /// It refused, and may have said why.
    #[error(transparent)]
    Refused(#[from] Refusal),
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
    let body = serde_json::from_slice::<Value>(response.body());
    let body = body.unwrap_or_default();
    let is_refusal = body["error"].is_string();
    if response.status().is_success() {
        if is_refusal {
            // GitHub's refusals are successful, against RFC 6749, section 5.2.
            *response.status_mut() = StatusCode::BAD_REQUEST;
        } else if let Some(token) = body["access_token"].as_str() {
            // Only this is used, so whatever is wrong with the rest ends no sign-in.
            let token = json!({ "access_token": token, "token_type": "bearer" });
            *response.body_mut() = token.to_string().into_bytes();
        }
    } else if !is_refusal || is_temporary(response.status()) {
        return Err(Refusal::new(&response).into());
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
        _ => Err(Refusal::new(&response).into()),
    }
}

impl HttpError {
    /// A successful response without an account.
    pub(super) fn without_account(body: &[u8]) -> Self {
        Refusal::of_account(body).map_or(Self::Unreadable, Self::Refused)
    }
}
