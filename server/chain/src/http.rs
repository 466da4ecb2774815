//! Requests to sources over HTTP: every request has a deadline, every response a size limit,
//! and no message contains a URL, because it may contain credentials.

use std::time::{Duration, Instant};

use rand::Rng;
use reqwest::{RequestBuilder, StatusCode};

use super::ChainError;
use super::service::Service;
use outbound::{BodyError, describe, fetch};

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
        let answer = fetch(this.timeout(service.timeout()), limit).await;
        let answer = answer.map_err(|error| match error {
            BodyError::TooLong => service.invalid(format!("more than {limit} bytes")),
            BodyError::Http(error) => request_error(service, &error),
        })?;
        // Core's work queue is full, or an explorer limits the rate of requests.
        let is_busy = matches!(
            answer.status(),
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        );
        if !is_busy {
            service.note_answer();
        }
        let is_over = begin.elapsed() + pause > service.timeout();
        if !is_busy || is_over || !service.has_answered_recently() {
            return match answer.status() {
                StatusCode::OK => Ok(Some(answer.into_body())),
                StatusCode::NOT_FOUND => Ok(None),
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                    Err(service.unreachable("it refused the user name and password"))
                }
                status => Err(service.unreachable(format!("HTTP {}", status.as_u16()))),
            };
        }
        let share = rand::rng().random_range(0.5..=1.0);
        tokio::time::sleep(pause.mul_f64(share)).await;
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}

fn request_error(service: &Service, error: &reqwest::Error) -> ChainError {
    if error.is_timeout() {
        return service.late();
    }
    service.unreachable(describe(error))
}
