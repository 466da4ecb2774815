//! Requests to other servers: one client with deadlines, and bodies with a size limit.

use std::error::Error as _;
use std::iter::successors;
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
    #[error("{}", describe(.0))]
    Http(reqwest::Error),
}

impl From<reqwest::Error> for BodyError {
    fn from(error: reqwest::Error) -> Self {
        Self::Http(error.without_url())
    }
}

/// Why a request failed: its innermost cause, such as a refused connection, an unknown name or a bad certificate. The outer ones only repeat
/// the address.
pub fn describe(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    let causes = successors(error.source(), |&cause| cause.source());
    let innermost = causes.last().map(ToString::to_string);
    innermost.unwrap_or_else(|| error.to_string())
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_failed_request_says_what_is_wrong_with_the_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        // Speaks no TLS.
        let other = std::thread::spawn(move || {
            let (mut connection, _) = listener.accept().expect("a client");
            let _ = connection.read(&mut [0; 1]);
            let _ = connection.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        });
        let why = async |url: String| {
            let failed = client().expect("a client").get(url).send().await;
            describe(&failed.expect_err("nothing is there"))
        };
        let said = why(format!("https://{address}")).await;
        assert!(said.contains("corrupt message"), "{said}");
        other.join().expect("a listener");
        let said = why(format!("http://{address}")).await;
        assert!(said.contains("Connection refused"), "{said}");
    }
}
