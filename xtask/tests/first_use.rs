//! Commands that are not part of `cargo xtask` are compiled on first use.

use std::path::Path;
use std::process::Command;

use prophet_testing::stderr;

#[test]
fn a_large_command_is_compiled_on_first_use() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO"))
        .args(["xtask", "report", "none.arrow"])
        .current_dir(root)
        .output()
        .expect("cargo can be started");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let reason = "error: `none.arrow`: No such file or directory";
    assert!(message.contains(reason), "{message}");
}
