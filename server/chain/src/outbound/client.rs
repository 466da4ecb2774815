//! The one client for other servers.

use std::time::Duration;

/// The client: short time-outs, no redirects to follow blindly.
///
/// # Errors
/// When TLS cannot be prepared.
pub fn client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .user_agent(concat!("proof-of-reserves/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(5))
        .timeout(Duration::from_secs(20))
        .redirect(reqwest::redirect::Policy::none())
        .build()
}
