//! Checks that the examples print what is expected.

use std::path::Path;
use std::process::Command;

use expect_test::{ExpectFile, expect_file};
use prophet_testing::skip;

/// Runs an example that cargo has built together with the tests.
fn check(name: &str, expected: &ExpectFile) {
    let tests = std::env::current_exe().expect("a test has a path");
    let folder = { tests.parent().and_then(Path::parent) }.expect("target/debug/deps");
    let example = folder.join("examples").join(name);
    let example = example.with_extension(std::env::consts::EXE_EXTENSION);
    if !example.exists() {
        // `cargo test --test all` alone doesn't build them.
        skip(format_args!(
            "{name} is not built; `cargo build --examples` does that"
        ));
        return;
    }
    let output = Command::new(&example).output().expect("the example starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    expected.assert_eq(&String::from_utf8_lossy(&output.stdout));
}

#[test]
fn bank() {
    check("bank", &expect_file!["../examples/output/bank.txt"]);
}

#[test]
fn machine_shop() {
    check(
        "machine_shop",
        &expect_file!["../examples/output/machine_shop.txt"],
    );
}

#[test]
fn message_ring() {
    check(
        "message_ring",
        &expect_file!["../examples/output/message_ring.txt"],
    );
}

#[test]
fn shop() {
    check("shop", &expect_file!["../examples/output/shop.txt"]);
}

#[test]
fn reneging() {
    check("reneging", &expect_file!["../examples/output/reneging.txt"]);
}

#[test]
fn port() {
    check("port", &expect_file!["../examples/output/port.txt"]);
}

#[test]
fn network() {
    check("network", &expect_file!["../examples/output/network.txt"]);
}
