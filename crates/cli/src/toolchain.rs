//! Checks the installed Rust toolchain, which compiles crates.

use std::process::Command;

/// Oldest version of Rust that can compile the runtime.
const NEEDED: &str = prophet_runtime::RUST_VERSION;

/// If a message is about something that needs Rust, adds what is wrong with the installed Rust.
pub(crate) fn explained(message: String) -> String {
    if message.is_empty() {
        return message;
    }
    let version = Command::new("rustc").arg("--version").output();
    let version = version.ok().filter(|output| output.status.success());
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    match problem(version.as_deref()) {
        Some(problem) => format!("{message}\n{problem}"),
        None => message,
    }
}

fn problem(version: Option<&str>) -> Option<String> {
    let help = "`run --evaluate interpreted` predicts without Rust";
    let Some(version) = version else {
        return Some(format!(
            "Rust is not installed: get it from https://rustup.rs; {help}"
        ));
    };
    let here = version.split_whitespace().nth(1)?;
    let (found, needed) = (numbers(here), numbers(NEEDED));
    (!found.is_empty() && found < needed).then(|| {
        format!("Rust {here} is too old: {NEEDED} or later is needed; run `rustup update`; {help}")
    })
}

fn numbers(version: &str) -> Vec<u32> {
    let release = version.split(['-', '+']).next().unwrap_or_default();
    release
        .split('.')
        .map_while(|part| part.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rust_that_is_missing_or_too_old_is_named() {
        let missing = problem(None).expect("it is one");
        assert!(missing.contains("Rust is not installed"));
        let old = problem(Some("rustc 1.80.1 (3f5fd8dd4 2024-08-06)")).expect("it is one");
        let start = format!("Rust 1.80.1 is too old: {NEEDED} or later is needed");
        assert!(old.starts_with(&start), "{old}");
        assert_eq!(problem(Some("rustc 1.200.0-nightly (a 2030-01-01)")), None);
        assert_eq!(
            problem(Some(&format!("rustc {NEEDED}.0 (b 2026-04-14)"))),
            None
        );
        assert_eq!(problem(Some("something else")), None);
    }

    #[test]
    fn the_rust_that_compiled_this_explains_nothing() {
        assert_eq!(explained(String::new()), "");
        assert_eq!(explained("cargo failed".to_owned()), "cargo failed");
    }
}
