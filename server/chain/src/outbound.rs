//! Requests to other servers: one client with deadlines, and bodies with a size limit.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, RequestBuilder};

/// A response with its whole body.
pub type Response = http::Response<Vec<u8>>;

/// Why there is no response, or its body was not read to its end. Does not repeat the address, which may contain a secret.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// It is longer than the limit.
    #[error("the answer is too long")]
    TooLong,
    /// The connection failed.
    #[error(transparent)]
    Http(reqwest::Error),
}

impl From<reqwest::Error> for BodyError {
    fn from(error: reqwest::Error) -> Self {
        Self::Http(error.without_url())
    }
}

/// The client: short time-outs and no redirects. It trusts the system's CA certificates; where there are none it fails every https request,
/// and still reaches servers on this machine by plain http.
///
/// # Errors
/// When TLS cannot be prepared.
pub fn client() -> Result<Client, reqwest::Error> {
    builder().build().or_else(|error| {
        tracing::warn!(%error, "every https request will fail; install the package ca-certificates, or set SSL_CERT_FILE");
        builder().tls_certs_only([]).build()
    })
}

fn builder() -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("proof-of-reserves/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(5))
        .timeout(Duration::from_secs(20))
        .redirect(reqwest::redirect::Policy::none())
}

/// Sends a request, and reads its response, of at most `limit` bytes.
///
/// # Errors
/// When there is no response, or it is longer.
pub async fn fetch(request: RequestBuilder, limit: usize) -> Result<Response, BodyError> {
    let mut response = request.send().await?;
    // A vector that grows step by step would take up to three times as much memory.
    let stated = response.content_length().map(usize::try_from);
    let mut body = Vec::with_capacity(stated.and_then(Result::ok).unwrap_or_default().min(limit));
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > limit {
            return Err(BodyError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(http::Response::from(response).map(|_: reqwest::Body| body))
}
