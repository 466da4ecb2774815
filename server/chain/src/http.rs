//! Requests to sources over HTTP: every request has a deadline, every response a size limit,
//! and no message contains a URL, because it may contain credentials.

use std::error::Error as _;
use std::time::{Duration, Instant};

use rand::Rng;
use reqwest::{RequestBuilder, StatusCode};

use super::ChainError;
use super::service::Service;
use crate::outbound::{BodyError, read_at_most};

pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) body: Vec<u8>,
}

/// The pause before a busy source is asked again: at first, and at most. It doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Sends the request to `service` and reads at most `limit` bytes of the response. When the source says that it is busy, though it
/// has just answered other requests, sends the request again until its time is over.
pub(super) async fn send(
    service: &Service,
    request: RequestBuilder,
    limit: usize,
) -> Result<Answer, ChainError> {
    // Held during the pauses as well: other requests would get the same refusal.
    let _permit = service.permit(limit).await?;
    let begin = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        let Some(this) = request.try_clone() else {
            return send_once(service, request, limit).await;
        };
        let answer = send_once(service, this, limit).await?;
        if !is_busy(answer.status) {
            service.note_answer();
            return Ok(answer);
        }
        if !service.has_answered_recently() || begin.elapsed() + pause > service.timeout() {
            return Ok(answer);
        }
        let share = rand::rng().random_range(0.5..=1.0);
        tokio::time::sleep(pause.mul_f64(share)).await;
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}

/// Whether the source is busy: Core's work queue is full, or an explorer limits the rate of requests.
fn is_busy(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
    )
}

async fn send_once(
    service: &Service,
    request: RequestBuilder,
    limit: usize,
) -> Result<Answer, ChainError> {
    let failed = |error: reqwest::Error| request_error(service, &error);
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

/// The failure, named by its innermost cause, because the outer ones repeat the URL.
fn request_error(service: &Service, error: &reqwest::Error) -> ChainError {
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
