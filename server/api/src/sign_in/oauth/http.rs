//! Requests to providers, with a deadline and a size limit. The log contains no text of a provider.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use chain::outbound::{BodyError, fetch};
use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use reqwest::StatusCode;

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

/// The outbound client for the `oauth2` crate, whose own adapter is for another version of reqwest.
#[derive(Clone, Debug)]
pub(super) struct Http(pub(super) reqwest::Client);

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = HttpError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let request = self
                .0
                .request(parts.method, parts.uri.to_string())
                .headers(parts.headers)
                .body(body);
            let (status, body) = fetch(request.timeout(TIMEOUT), MAX_BYTES).await?;
            let refused = status.is_success() && is_refusal(&body);
            let mut response = HttpResponse::new(body);
            *response.status_mut() = if refused {
                StatusCode::BAD_REQUEST
            } else {
                status
            };
            Ok(response)
        })
    }
}

impl Http {
    /// The response at this address with the access token.
    pub(super) async fn get(
        &self,
        url: &url::Url,
        access_token: &str,
    ) -> Result<Vec<u8>, HttpError> {
        let request = self
            .0
            .get(url.clone())
            .header("accept", "application/json")
            .bearer_auth(access_token);
        let (status, body) = fetch(request.timeout(TIMEOUT), MAX_BYTES).await?;
        if status.is_success() {
            Ok(body)
        } else {
            Err(HttpError::Status(status))
        }
    }
}

/// Whether a successful response contains an error, as GitHub's do against RFC 6749, section 5.2.
fn is_refusal(body: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Refusal {
        #[serde(rename = "error")]
        _error: String,
    }
    serde_json::from_slice::<Refusal>(body).is_ok()
}
