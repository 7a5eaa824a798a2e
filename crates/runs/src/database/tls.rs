//! Encrypts connections to servers, and verifies the servers as PostgreSQL's own clients do.

use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{
    WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

use super::security::{Mode, Security};

/// File in the user's home folder in which `psql` looks for certificates too.
const ROOTS: &str = ".postgresql/root.crt";

/// Returns the configuration of a secure connection.
///
/// # Errors
///
/// Returns an error message if certificates are needed but can't be read.
pub(super) fn config(security: &Security) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Verifier {
        trusted: trusted(security)?,
        verifies_name: security.mode == Mode::VerifyFull,
        algorithms: provider.signature_verification_algorithms,
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let config = config.dangerous();
    let config = config.with_custom_certificate_verifier(Arc::new(verifier));
    Ok(config.with_no_client_auth())
}

/// Reads the certificates for verification. Certificates that the user specifies are used in every
/// mode.
fn trusted(security: &Security) -> Result<Option<Vec<CertificateDer<'static>>>, String> {
    if let Some(path) = &security.roots {
        return read(path).map(Some);
    }
    let usual = std::env::home_dir().map(|home| home.join(ROOTS));
    match usual.filter(|path| path.exists()) {
        Some(path) => read(&path).map(Some),
        None if security.mode < Mode::VerifyCa => Ok(None),
        None => Err(format!(
            "set the certificate file to verify with: sslrootcert=FILE, or ~/{ROOTS}"
        )),
    }
}

fn read(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let failed = |error: &dyn std::fmt::Display| {
        format!(
            "cannot read the certificates in `{}`: {error}",
            path.display()
        )
    };
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| failed(&error))?;
    let certificates: Result<Vec<_>, _> = certificates.collect();
    match certificates {
        Ok(certificates) if certificates.is_empty() => {
            Err(failed(&"the file does not contain certificates"))
        }
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(failed(&error)),
    }
}

/// Verifies servers by the same rules as PostgreSQL's own clients.
#[derive(Debug)]
struct Verifier {
    /// Trusted certificates; `None` accepts any certificate.
    trusted: Option<Vec<CertificateDer<'static>>>,
    verifies_name: bool,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let parsed = ParsedCertificate::try_from(certificate)?;
        // A certificate that is trusted itself, such as a server's self-signed one, doesn't need
        // another one.
        if let Some(trusted) = &self.trusted
            && !trusted.contains(certificate)
        {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(trusted.iter().cloned());
            let algorithms = self.algorithms.all;
            verify_server_cert_signed_by_trust_anchor(
                &parsed,
                &roots,
                intermediates,
                now,
                algorithms,
            )?;
        }
        if self.verifies_name {
            verify_server_name(&parsed, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_that_are_needed_are_named() {
        let security = Security {
            mode: Mode::VerifyFull,
            roots: Some("no/such".into()),
        };
        let message = config(&security).unwrap_err();
        assert!(
            message.starts_with("cannot read the certificates in `no/such`: "),
            "{message}"
        );
    }
}
