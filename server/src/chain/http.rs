//! What the sources behind HTTP share: every request has a deadline, every answer a size limit,
//! and no message repeats a URL, because a URL may carry credentials.

use std::error::Error as _;

use reqwest::{RequestBuilder, StatusCode};

use super::ChainError;
use super::service::Service;

/// An answer that was read to its end.
pub(super) struct Answer {
    /// HTTP status.
    pub(super) status: StatusCode,
    /// The body, within the limit.
    pub(super) body: Vec<u8>,
}

/// Sends the request to `service` and reads at most `limit` bytes of the answer.
pub(super) async fn send(
    service: &Service,
    request: RequestBuilder,
    limit: usize,
) -> Result<Answer, ChainError> {
    let failed = |error: reqwest::Error| failed(service, &error);
    let request = request.timeout(service.timeout());
    let mut response = request.send().await.map_err(failed)?;
    let status = response.status();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if body.len() + chunk.len() > limit {
            return Err(service.invalid(format!("more than {limit} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer { status, body })
}

/// Only the innermost cause is told: the outer ones name the URL.
fn failed(service: &Service, error: &reqwest::Error) -> ChainError {
    if error.is_timeout() {
        return service.late();
    }
    let Some(mut cause) = error.source() else {
        return service.unreachable("the request failed");
    };
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    service.unreachable(cause.to_string())
}
