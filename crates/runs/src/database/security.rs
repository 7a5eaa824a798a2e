//! Parses the security options of a connection, `sslmode` and `sslrootcert`. They work as in
//! PostgreSQL's own clients.

use std::path::PathBuf;

/// How secure a connection must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    Disable,
    /// Encryption if the server supports it (the default).
    Prefer,
    /// Encryption is required.
    Require,
    /// Encryption, and a certificate signed by a trusted one, directly or through others.
    VerifyCa,
    /// Encryption, and a trusted certificate for the server's name.
    VerifyFull,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Security {
    pub(super) mode: Mode,
    /// A file that contains trusted certificates.
    pub(super) roots: Option<PathBuf>,
}

impl Security {
    /// Removes the encryption options from a URL, because the connection library supports only some
    /// of them.
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
                Some(("sslmode", mode)) => security.mode = Mode::of(mode)?,
                Some(("sslrootcert", path)) => security.roots = Some(certificate_path(path)?),
                _ => rest.push(option),
            }
        }
        let rest = rest.join("&");
        let question = if rest.is_empty() { "" } else { "?" };
        Ok((format!("{before}{question}{rest}"), security))
    }

    /// Returns `true` if the connection is encrypted whenever the server supports it.
    pub(super) fn encrypts(&self) -> bool {
        self.mode > Mode::Disable
    }

    /// Returns `true` if an unencrypted connection must be rejected.
    pub(super) fn requires(&self) -> bool {
        self.mode >= Mode::Require
    }

    /// Rejects modes that need encryption if this program was built without it.
    #[cfg(any(test, not(feature = "tls")))]
    pub(super) fn without_tls(&self) -> Result<(), String> {
        if self.requires() {
            return Err(format!(
                "`sslmode={}` needs encryption, which this program was built without: install it \
                 with cargo, or use an SSH tunnel and `sslmode=disable`",
                self.mode.name()
            ));
        }
        Ok(())
    }
}

const MODES: [(&str, Mode); 5] = [
    ("disable", Mode::Disable),
    ("prefer", Mode::Prefer),
    ("require", Mode::Require),
    ("verify-ca", Mode::VerifyCa),
    ("verify-full", Mode::VerifyFull),
];

impl Mode {
    fn of(name: &str) -> Result<Self, String> {
        let found = MODES.iter().find(|(known, _)| *known == name);
        found.map(|&(_, mode)| mode).ok_or_else(|| {
            let names = MODES.map(|(name, _)| name);
            format!("expected one of {} for sslmode", names.join(", "))
        })
    }

    #[cfg(any(test, not(feature = "tls")))]
    fn name(self) -> &'static str {
        MODES[self as usize].0
    }
}

/// Returns a path from a URL, in which `%2F` means a slash.
fn certificate_path(value: &str) -> Result<PathBuf, String> {
    let bytes = prophet_text::percent_decoded(value).ok();
    let path = bytes.and_then(|it| String::from_utf8(it).ok());
    path.map(PathBuf::from)
        .ok_or_else(|| "sslrootcert is not a path".to_owned())
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
        assert_eq!(taken("postgresql://b").1.without_tls(), Ok(()));
        let refused = taken("postgresql://b?sslmode=require").1.without_tls();
        let message = refused.unwrap_err();
        let begin = "`sslmode=require` needs encryption, which this program was built without: ";
        assert!(message.starts_with(begin), "{message}");
        for (name, mode) in MODES {
            assert_eq!((Mode::of(name), mode.name()), (Ok(mode), name));
        }
        for wrong in ["sslmode=allow", "sslrootcert=%2", "sslrootcert=%ff"] {
            assert!(
                Security::take(&format!("postgresql://b?{wrong}")).is_err(),
                "{wrong}"
            );
        }
    }
}
