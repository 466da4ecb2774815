//! Requests to sources over HTTP: every request has a deadline, every response a size limit,
//! and no message contains a URL, because it may contain credentials.

use std::error::Error as _;
use std::time::{Duration, Instant};

use rand::Rng;
use reqwest::{RequestBuilder, StatusCode};

use super::ChainError;
use super::service::Service;
use crate::outbound::{BodyError, fetch};

/// The pause before a busy source is asked again: at first, and at most. It doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Sends the request to `service` and reads the response, of at most `limit` bytes; `None` for 404. When the source says that it is
/// busy, though it has just answered other requests, sends the request again until its time is over.
pub(super) async fn send(
    service: &Service,
    request: RequestBuilder,
    limit: usize,
) -> Result<Option<Vec<u8>>, ChainError> {
    // Held during the pauses as well: other requests would get the same refusal.
    let _permit = service.permit(limit).await?;
    let begin = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        let this = request.try_clone();
        let this = this.ok_or_else(|| service.invalid("a request that cannot be repeated"))?;
        let (status, body) = send_once(service, this, limit).await?;
        if !is_busy(status) {
            service.note_answer();
            return understand(service, status, body);
        }
        if !service.has_answered_recently() || begin.elapsed() + pause > service.timeout() {
            return understand(service, status, body);
        }
        let share = rand::rng().random_range(0.5..=1.0);
        tokio::time::sleep(pause.mul_f64(share)).await;
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}

fn understand(
    service: &Service,
    status: StatusCode,
    body: Vec<u8>,
) -> Result<Option<Vec<u8>>, ChainError> {
    match status {
        StatusCode::OK => Ok(Some(body)),
        StatusCode::NOT_FOUND => Ok(None),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Err(service.unreachable("it refused the user name and password"))
        }
        status => Err(service.unreachable(format!("HTTP {}", status.as_u16()))),
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
) -> Result<(StatusCode, Vec<u8>), ChainError> {
    let answer = fetch(request.timeout(service.timeout()), limit).await;
    answer.map_err(|error| match error {
        BodyError::TooLong => service.invalid(format!("more than {limit} bytes")),
        BodyError::Http(error) => request_error(service, &error),
    })
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
