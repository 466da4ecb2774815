//! TLS to Electrum servers, with the same roots and provider as the HTTP client.

use std::sync::Arc;

use rustls_platform_verifier::BuilderVerifierExt;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::{ClientConfig, Error, RootCertStore};

/// A connector that trusts the system's certificates. A server with a self-signed certificate must be reached by
/// plain TCP on this machine, or its certificate added to the system's. If the system has none, no server is trusted.
///
/// # Errors
/// When no version of TLS is available.
pub fn tls() -> Result<TlsConnector, Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?;
    let trusting = builder.clone().with_platform_verifier();
    let trusting = trusting.unwrap_or_else(|error| {
        tracing::warn!(%error, "no ssl:// server can be reached; install the package ca-certificates, or set SSL_CERT_FILE");
        builder.with_root_certificates(RootCertStore::empty())
    });
    Ok(TlsConnector::from(Arc::new(trusting.with_no_client_auth())))
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpStream};
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::pki_types::ServerName;
    use tokio_rustls::rustls::{ProtocolVersion, ServerConfig};

    use super::*;
    use crate::outbound;

    #[test]
    fn others_are_spoken_to_by_tls_1_2_or_newer_and_in_ciphers_that_authenticate() {
        let connector = tls().unwrap();
        let suites = &connector.config().crypto_provider().cipher_suites;
        assert!(!suites.is_empty());
        for suite in suites {
            let new = [ProtocolVersion::TLSv1_2, ProtocolVersion::TLSv1_3];
            assert!(new.contains(&suite.version().version), "{suite:?}");
            let name = format!("{:?}", suite.suite());
            let authenticates = name.contains("_GCM_") || name.contains("CHACHA20_POLY1305");
            assert!(authenticates, "{name}");
        }
    }

    #[tokio::test]
    async fn a_server_with_a_certificate_of_its_own_making_is_refused() {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = made.signing_key.serialize_der().try_into().unwrap();
        let server = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(server));
        let serving = tokio::spawn(async move {
            let mut greeted = Vec::new();
            for _ in 0..2 {
                let (stream, _) = listener.accept().await.unwrap();
                greeted.push(acceptor.accept(stream).await.is_ok());
            }
            greeted
        });
        let stream = TcpStream::connect(address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let electrum = tls().unwrap().connect(name, stream).await.unwrap_err();
        assert!(electrum.to_string().contains("UnknownIssuer"), "{electrum}");
        let url = format!("https://localhost:{}", address.port());
        let client = outbound::client().unwrap();
        let http = client.get(url).send().await.unwrap_err();
        assert!(format!("{http:?}").contains("UnknownIssuer"), "{http:?}");
        assert_eq!(serving.await.unwrap(), [false, false]);
    }
}
