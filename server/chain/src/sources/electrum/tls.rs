//! TLS to Electrum servers, with the provider and the roots that the HTTP client uses too.

use std::sync::Arc;

use tokio_rustls::TlsConnector;

use crate::outbound;

/// The reason why TLS cannot be used here.
#[derive(Debug, thiserror::Error)]
#[error("TLS cannot be prepared: {0}")]
pub struct TlsError(#[from] tokio_rustls::rustls::Error);

/// Trusts what the system trusts. A server with a certificate of its own making is reached through
/// plain TCP on this machine, or by adding that certificate to the system's.
///
/// # Errors
/// When there is no version of it to speak.
pub fn tls() -> Result<TlsConnector, TlsError> {
    Ok(TlsConnector::from(Arc::new(outbound::tls::config()?)))
}
