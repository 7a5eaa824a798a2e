//! Computes the identity of a sweep, which depends on everything that its rows depend on.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::evaluation::Evaluate;

/// Computes the identity of a sweep. Sweeps with the same identity have the same rows. `model` must
/// contain every text that the subject was made from, such as the model file and its tables.
///
/// The identity also covers the points, the flags, machine files, the seeds, and the version of
/// this program. Of files that runs read themselves (`--mapping FILE`, `--changes FILE`), it covers
/// only the names.
pub fn identity(sweep: &dyn Evaluate, model: &[&str]) -> String {
    let mut digest = Sha256::new();
    let mut add = |text: &str| {
        digest.update((text.len() as u64).to_le_bytes());
        digest.update(text);
    };
    add(env!("CARGO_PKG_VERSION"));
    for text in model {
        add(text);
    }
    for part in sweep.identity_texts() {
        add(&part);
    }
    hex(&digest.finalize()[..16])
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        // Writing to a string can't fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
