//! Cargo, as users call it.

use std::process::Command;

/// A call of cargo that shares what other calls have compiled: by what cargo tells a test or a
/// program of its package, the library `ring` would be compiled again.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let of_package = ["CARGO_MANIFEST_", "CARGO_PKG_"];
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if of_package.iter().any(|prefix| text.starts_with(prefix)) {
            cargo.env_remove(&name);
        }
    }
    cargo
}
