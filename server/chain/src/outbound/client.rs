//! The one client for other servers.

use std::time::Duration;

use reqwest::{Client, ClientBuilder};

/// The client: short time-outs, no redirects to follow blindly. It trusts the system's CA certificates. Without any it trusts nobody,
/// and still reaches servers by plain HTTP on this machine.
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
