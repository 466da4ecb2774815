//! TLS to other servers: the system's roots, read once for all of them, and not before somebody is called.
//!
//! Reading them takes as long as everything else that a start of the server does.

use std::sync::{Arc, OnceLock};

use rustls_platform_verifier::Verifier;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};

/// The system's verifier, as soon as it is needed.
static VERIFIER: OnceLock<Verifier> = OnceLock::new();

/// Trusts what the system trusts.
///
/// # Errors
/// When there is no version of the protocol to speak.
pub fn config() -> Result<ClientConfig, Error> {
    let provider = Arc::new(default_provider());
    let verifier = Arc::new(OfTheSystem(Arc::clone(&provider)));
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth())
}

/// An HTTP client with that.
pub fn of_a_client(builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    match config() {
        Ok(mut config) => {
            config.alpn_protocols = vec![b"http/1.1".to_vec()];
            builder.tls_backend_preconfigured(config)
        }
        // It makes one of its own then, or says why it cannot.
        Err(_) => builder,
    }
}

/// Asks the verifier of the system everything.
#[derive(Debug)]
struct OfTheSystem(Arc<CryptoProvider>);

impl OfTheSystem {
    fn verifier(&self) -> Result<&'static Verifier, Error> {
        if let Some(verifier) = VERIFIER.get() {
            return Ok(verifier);
        }
        let verifier = Verifier::new(Arc::clone(&self.0))?;
        Ok(VERIFIER.get_or_init(|| verifier))
    }

    fn algorithms(&self) -> &WebPkiSupportedAlgorithms {
        &self.0.signature_verification_algorithms
    }
}

impl ServerCertVerifier for OfTheSystem {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verifier = self.verifier()?;
        verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    // Signatures of a handshake need no roots.
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, self.algorithms())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, self.algorithms())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms().supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use tokio::net::{TcpListener, TcpStream};
    use tokio_rustls::rustls::{ProtocolVersion, ServerConfig};
    use tokio_rustls::{TlsAcceptor, TlsConnector};

    use super::*;

    #[test]
    fn others_are_spoken_to_by_tls_1_2_or_newer_and_in_ciphers_that_authenticate() {
        let config = config().unwrap();
        let suites = &config.crypto_provider().cipher_suites;
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
        static GREETED: AtomicBool = AtomicBool::new(false);
        let serving = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let accepted = TlsAcceptor::from(Arc::new(server)).accept(stream).await;
            GREETED.store(accepted.is_ok(), Ordering::Relaxed);
        });
        let connector = TlsConnector::from(Arc::new(config().unwrap()));
        let stream = TcpStream::connect(address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let refused = connector.connect(name, stream).await.unwrap_err();
        assert!(refused.to_string().contains("UnknownIssuer"), "{refused}");
        serving.await.unwrap();
        assert!(!GREETED.load(Ordering::Relaxed));
    }
}
