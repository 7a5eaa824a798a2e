//! Digests of plans and chunks.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// Digest of a text.
pub(super) fn of(text: &str) -> String {
    hexadecimal(Sha256::new_with_prefix(text))
}

/// Digest as hexadecimal digits.
pub(super) fn hexadecimal(hash: Sha256) -> String {
    let mut text = String::new();
    for byte in hash.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
