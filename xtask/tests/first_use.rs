//! Commands that are not part of `cargo xtask` are compiled on first use.

use std::path::Path;
use std::process::Command;

use prophet_testing::stderr;

/// The words of the alias `cargo xtask`.
fn xtask(root: &Path) -> String {
    let settings = std::fs::read_to_string(root.join(".cargo/config.toml"));
    let settings = settings.expect("there are settings");
    let alias = { settings.lines() }.find_map(|line| line.strip_prefix("xtask = \""));
    let alias = alias.and_then(|it| it.strip_suffix('"'));
    alias.expect("there is an alias").to_owned()
}

#[test]
fn a_large_command_is_compiled_on_first_use() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let alias = xtask(&root);
    let (run, words) = alias.split_once(' ').expect("it has options");
    // In the profile of tests, most crates are compiled already.
    let output = Command::new(env!("CARGO"))
        .args([run, "--profile=test"])
        .args(words.split(' '))
        .args(["report", "none.arrow"])
        .current_dir(root)
        .output()
        .expect("cargo can be started");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let reason = "error: `none.arrow`: No such file or directory";
    assert!(message.contains(reason), "{message}");
}
