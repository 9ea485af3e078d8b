//! Mutual TLS as plugins have it: each side makes a certificate for one run, and the other side accepts exactly that one.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertificateParams, ExtendedKeyUsagePurpose, KeyPair};
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{
    CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime,
};
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName, Error, ServerConfig,
    SignatureScheme,
};
use tokio_rustls::{TlsAcceptor, TlsConnector};

/// A certificate for one run, with its key.
pub(crate) struct Identity {
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    /// A new certificate with a key on P-256.
    pub(crate) fn generate() -> Result<Identity, String> {
        let wrong = |error: rcgen::Error| format!("no certificate could be made: {error}");
        let key = KeyPair::generate().map_err(wrong)?;
        let mut parameters = CertificateParams::new(vec!["localhost".to_owned()]).map_err(wrong)?;
        parameters.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        let certificate = parameters.self_signed(&key).map_err(wrong)?.der().clone();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        Ok(Identity { certificate, key })
    }

    /// The certificate in DER.
    pub(crate) fn der(&self) -> &[u8] {
        &self.certificate
    }

    /// The certificate in PEM.
    pub(crate) fn pem(&self) -> String {
        let text = STANDARD.encode(self.der());
        let lines: Vec<String> =
            text.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
    }

    /// The client side of TLS that accepts the server with this certificate in DER, and no other.
    pub(crate) fn connector(self, server: Vec<u8>) -> Result<TlsConnector, String> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let wrong = |error: Error| format!("TLS could not be set up: {error}");
        let pinned = Pinned { certificate: CertificateDer::from(server), provider: Arc::clone(&provider) };
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(wrong)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(pinned))
            .with_client_auth_cert(vec![self.certificate], self.key)
            .map_err(wrong)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(TlsConnector::from(Arc::new(config)))
    }

    /// The server side of TLS that accepts the client with this certificate in PEM, and no other.
    pub(crate) fn acceptor(self, client: &str) -> Result<TlsAcceptor, String> {
        let client = CertificateDer::from_pem_slice(client.as_bytes())
            .map_err(|_| "the certificate of the host is not PEM".to_owned())?;
        let provider = Arc::new(aws_lc_rs::default_provider());
        let wrong = |error: Error| format!("TLS could not be set up: {error}");
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(wrong)?
            .with_client_cert_verifier(Arc::new(Pinned { certificate: client, provider }))
            .with_single_cert(vec![self.certificate], self.key)
            .map_err(wrong)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

/// Accepts the peer with one certificate, whose key has to sign the handshake.
#[derive(Debug)]
struct Pinned {
    certificate: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check(certificate).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

impl Pinned {
    /// Whether a certificate is the one that is accepted.
    fn check(&self, certificate: &CertificateDer<'_>) -> Result<(), Error> {
        if *certificate == self.certificate {
            Ok(())
        } else {
            Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
        }
    }
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(certificate).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        ClientCertVerifier::verify_tls12_signature(self, message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        ClientCertVerifier::verify_tls13_signature(self, message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ClientCertVerifier::supported_verify_schemes(self)
    }
}
