//! Requests to the sources behind HTTP: every request has a deadline, every answer a size limit,
//! and no message repeats a URL, because a URL may carry credentials.

use std::error::Error as _;

use reqwest::{RequestBuilder, StatusCode};

use super::ChainError;
use super::service::Service;
use crate::outbound::body::{BodyError, read_at_most};

/// An answer that was read to its end.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) body: Vec<u8>,
}

/// Sends the request to `service` and reads at most `limit` bytes of the answer.
pub(super) async fn send(
    service: &Service,
    request: RequestBuilder,
    limit: usize,
) -> Result<Answer, ChainError> {
    let _turn = service.turn(limit).await?;
    let failed = |error: reqwest::Error| failed(service, &error);
    let request = request.timeout(service.timeout());
    let response = request.send().await.map_err(failed)?;
    let status = response.status();
    let body = read_at_most(response, limit)
        .await
        .map_err(|error| match error {
            BodyError::TooLong => service.invalid(format!("more than {limit} bytes")),
            BodyError::Http(error) => failed(error),
        })?;
    Ok(Answer { status, body })
}

/// The failure by its innermost cause: the outer ones name the URL.
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
