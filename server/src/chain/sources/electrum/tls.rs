//! TLS to Electrum servers, with the provider and the roots that the HTTP client uses too.

use std::sync::Arc;

use rustls_platform_verifier::BuilderVerifierExt;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;

/// The reason why TLS cannot be used here.
#[derive(Debug, thiserror::Error)]
#[error("TLS cannot be prepared: {0}")]
pub struct TlsError(#[from] tokio_rustls::rustls::Error);

/// Trusts what the system trusts. A server with a certificate of its own making is reached through
/// plain TCP on this machine, or by adding that certificate to the system's.
///
/// # Errors
/// When the system has no usable root certificates.
pub fn tls() -> Result<TlsConnector, TlsError> {
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
