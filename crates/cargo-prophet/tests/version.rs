//! Tests that the version names the compiled commit.

use std::path::Path;
use std::process::Command;

fn printed(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).expect("it is text");
    output.status.success().then(|| text.trim().to_owned())
}

fn commit() -> Option<String> {
    let named = std::env::var("PROPHET_COMMIT").ok();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let log = ["log", "-1", "--abbrev=7", "--format=%h %cs"];
    let is_checkout = root.join(".git").exists();
    let found = || printed(Command::new("git").arg("-C").arg(&root).args(log));
    named.or_else(|| is_checkout.then(found)?)
}

#[test]
fn both_programs_name_their_version_and_commit() {
    let number = env!("CARGO_PKG_VERSION");
    let version = commit().map_or(number.to_owned(), |commit| format!("{number} ({commit})"));
    for (program, name) in [
        (env!("CARGO_BIN_EXE_cargo-prophet"), "cargo prophet"),
        (
            env!("CARGO_BIN_EXE_performance-prophet"),
            "performance-prophet",
        ),
    ] {
        let said = printed(Command::new(program).arg("--version"));
        assert_eq!(said, Some(format!("{name} {version}")));
    }
}
