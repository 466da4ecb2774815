//! What the sources behind HTTP share: every request has a deadline, every answer a size limit,
//! and no message repeats a URL, because a URL may carry credentials.

use std::error::Error as _;
use std::future::Future;
use std::time::Duration;

use reqwest::{Client, RequestBuilder, StatusCode, Url};

use super::ChainError;

/// How long one request may take, from connecting to the last byte, unless set otherwise.
pub(super) const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// How many requests of one look-up are under way at once.
pub(super) const IN_FLIGHT: usize = 8;

/// How many requests' time a whole look-up may take: a source that is slow at each of thousands of
/// coins must not hold a submission for hours.
const LOOK_UP_REQUESTS: u32 = 6;

/// Largest block that the consensus rules allow: 4,000,000 weight units are at most as many bytes.
pub(super) const MAX_BLOCK_BYTES: usize = 4_000_000;

/// Why the address of a source cannot be used. Never repeats the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceUrlError {
    /// Not an absolute URL with a host.
    #[error("the address of the chain source is not a URL")]
    NotAUrl,
    /// Neither `http` nor `https`.
    #[error("the address of the chain source must begin with http:// or https://")]
    Scheme,
    /// Plain `http` to another machine, where anybody on the way could change the answers.
    #[error(
        "the address of the chain source must begin with https:// unless it is on this machine"
    )]
    PlainHttp,
}

/// Reads the address of a source.
pub(super) fn source_url(text: &str) -> Result<Url, SourceUrlError> {
    let url = Url::parse(text.trim()).map_err(|_| SourceUrlError::NotAUrl)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(SourceUrlError::Scheme);
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(SourceUrlError::NotAUrl);
    }
    Ok(url)
}

/// Host and port, the part of an address that is safe to show.
pub(super) fn host_and_port(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// An answer that was read to its end.
pub(super) struct Answer {
    /// HTTP status.
    pub(super) status: StatusCode,
    /// The body, within the limit.
    pub(super) body: Vec<u8>,
}

/// One HTTP service and the words for its failures.
#[derive(Clone, Debug)]
pub(super) struct Service {
    name: String,
    client: Client,
    timeout: Duration,
}

impl Service {
    pub(super) fn new(name: String, client: Client) -> Self {
        Self {
            name,
            client,
            timeout: REQUEST_TIMEOUT,
        }
    }

    pub(super) fn set_timeout(&mut self, timeout: Duration) {
        self.timeout = timeout;
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Sends the request and reads at most `limit` bytes of the answer.
    pub(super) async fn send(
        &self,
        request: RequestBuilder,
        limit: usize,
    ) -> Result<Answer, ChainError> {
        let request = request.timeout(self.timeout);
        let mut response = request.send().await.map_err(|error| self.failed(&error))?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.failed(&error))?
        {
            if body.len() + chunk.len() > limit {
                return Err(self.invalid(format!("more than {limit} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer { status, body })
    }

    /// Runs a whole look-up within its deadline.
    pub(super) async fn look_up<T>(
        &self,
        work: impl Future<Output = Result<T, ChainError>> + Send,
    ) -> Result<T, ChainError> {
        let deadline = self.timeout * LOOK_UP_REQUESTS;
        tokio::time::timeout(deadline, work)
            .await
            .unwrap_or_else(|_| {
                Err(self.unreachable(format!("the look-up took longer than {deadline:?}")))
            })
    }

    pub(super) fn unreachable(&self, reason: impl Into<String>) -> ChainError {
        ChainError::Unreachable {
            source_name: self.name.clone(),
            reason: reason.into(),
        }
    }

    pub(super) fn invalid(&self, reason: impl Into<String>) -> ChainError {
        ChainError::Invalid {
            source_name: self.name.clone(),
            reason: reason.into(),
        }
    }

    /// Only the innermost cause is told: the outer ones name the URL.
    fn failed(&self, error: &reqwest::Error) -> ChainError {
        if error.is_timeout() {
            return self.unreachable(format!("no answer within {:?}", self.timeout));
        }
        let Some(mut cause) = error.source() else {
            return self.unreachable("the request failed");
        };
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        self.unreachable(cause.to_string())
    }
}
