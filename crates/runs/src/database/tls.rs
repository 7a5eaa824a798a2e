//! Encrypted connections, with the options of PostgreSQL's own clients: `sslmode` and
//! `sslrootcert`.

use std::path::{Path, PathBuf};
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

/// File in the user's folder where `psql` looks for certificates, too.
const ROOTS: &str = ".postgresql/root.crt";

/// Security that a connection requires of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    /// No encryption.
    Disable,
    /// Encryption, if the server supports it; the default.
    Prefer,
    /// Encryption.
    Require,
    /// Encryption, and a certificate that leads to a trusted one.
    VerifyCa,
    /// Encryption, and such a certificate for the server's name.
    VerifyFull,
}

/// Options of a URL that concern encryption.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Security {
    mode: Mode,
    /// A file of trusted certificates.
    roots: Option<PathBuf>,
}

impl Security {
    /// Takes these options out of a URL: the library for connections knows only some of them.
    pub(super) fn take(url: &str) -> Result<(String, Self), String> {
        let mut security = Self {
            mode: Mode::Prefer,
            roots: None,
        };
        let Some((before, options)) = url.split_once('?') else {
            return Ok((url.to_owned(), security));
        };
        let mut rest = Vec::new();
        for option in options.split('&') {
            match option.split_once('=') {
                Some(("sslmode", mode)) => security.mode = mode_of(mode)?,
                Some(("sslrootcert", path)) => security.roots = Some(decoded(path)?.into()),
                _ => rest.push(option),
            }
        }
        let rest = rest.join("&");
        let question = if rest.is_empty() { "" } else { "?" };
        Ok((format!("{before}{question}{rest}"), security))
    }

    /// True if the connection is encrypted when the server supports it.
    pub(super) fn encrypts(&self) -> bool {
        self.mode > Mode::Disable
    }

    /// True if an unencrypted connection must be refused.
    pub(super) fn requires(&self) -> bool {
        self.mode >= Mode::Require
    }

    /// Builds the configuration of a secure connection.
    ///
    /// # Errors
    ///
    /// A message, if certificates are needed and cannot be read.
    pub(super) fn config(&self) -> Result<ClientConfig, String> {
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier {
            trusted: self.trusted()?,
            verifies_name: self.mode == Mode::VerifyFull,
            algorithms: provider.signature_verification_algorithms,
        };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?;
        let config = config.dangerous();
        let config = config.with_custom_certificate_verifier(Arc::new(verifier));
        Ok(config.with_no_client_auth())
    }

    /// Reads the certificates to verify with: in any mode those that the user names.
    fn trusted(&self) -> Result<Option<Vec<CertificateDer<'static>>>, String> {
        if let Some(path) = &self.roots {
            return read(path).map(Some);
        }
        let usual = std::env::home_dir().map(|home| home.join(ROOTS));
        match usual.filter(|path| path.exists()) {
            Some(path) => read(&path).map(Some),
            None if self.mode < Mode::VerifyCa => Ok(None),
            None => Err(format!(
                "name the file of certificates to verify with: sslrootcert=FILE, or ~/{ROOTS}"
            )),
        }
    }
}

fn mode_of(name: &str) -> Result<Mode, String> {
    Ok(match name {
        "disable" => Mode::Disable,
        "prefer" => Mode::Prefer,
        "require" => Mode::Require,
        "verify-ca" => Mode::VerifyCa,
        "verify-full" => Mode::VerifyFull,
        _ => {
            let modes = "disable, prefer, require, verify-ca, verify-full";
            return Err(format!("sslmode is one of {modes}"));
        }
    })
}

/// Decodes a value of a URL, in which `%2F` is a slash.
fn decoded(value: &str) -> Result<String, String> {
    let wrong = || "sslrootcert is not a path".to_owned();
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = digit().zip(digit()).ok_or_else(wrong)?;
            bytes.push(u8::try_from(16 * high + low).map_err(|_| wrong())?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

fn read(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let failed = |error: &dyn std::fmt::Display| {
        format!(
            "the certificates in `{}` cannot be read: {error}",
            path.display()
        )
    };
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| failed(&error))?;
    let certificates: Result<Vec<_>, _> = certificates.collect();
    match certificates {
        Ok(certificates) if certificates.is_empty() => Err(failed(&"there are none")),
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(failed(&error)),
    }
}

/// Verifier that follows the rules of PostgreSQL's own clients.
#[derive(Debug)]
struct Verifier {
    /// Trusted certificates; `None` if any certificate is accepted.
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
        // A certificate that is trusted itself, as servers make for themselves, needs no other.
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
    fn options_are_taken_out_of_a_url() {
        let taken = |url| Security::take(url).unwrap();
        let prefer = Security {
            mode: Mode::Prefer,
            roots: None,
        };
        let plain = "postgresql://a@b/c";
        assert_eq!(taken(plain), (plain.to_owned(), prefer));
        let url = "postgresql://a@b/c?sslrootcert=%2Ftmp%2Fa.crt&user=d&sslmode=verify-ca";
        let (rest, security) = taken(url);
        assert_eq!(rest, "postgresql://a@b/c?user=d");
        assert_eq!((security.mode, security.requires()), (Mode::VerifyCa, true));
        assert_eq!(security.roots, Some("/tmp/a.crt".into()));
        assert!(!taken("postgresql://b?sslmode=disable").1.encrypts());
        for wrong in ["sslmode=allow", "sslrootcert=%2", "sslrootcert=%ff"] {
            assert!(
                Security::take(&format!("postgresql://b?{wrong}")).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn certificates_that_are_needed_are_named() {
        let security = Security {
            mode: Mode::VerifyFull,
            roots: Some("no/such".into()),
        };
        let message = security.config().unwrap_err();
        assert!(
            message.starts_with("the certificates in `no/such` cannot be read: "),
            "{message}"
        );
    }
}
