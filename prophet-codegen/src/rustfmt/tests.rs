use prophet_testing::assert_says;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::{Rustfmt, RustfmtError};

const UGLY: &str = "// Kept.\nfn  main( ){let x=1;\n\n\n// Kept too.\nprintln!( \"{x}\" )}";
const PRETTY: &str = "// Kept.
fn main() {
    let x = 1;

    // Kept too.
    println!(\"{x}\")
}
";

#[test]
fn formats_text_and_keeps_what_is_formatted() {
    let rustfmt = Rustfmt::from_env();
    assert_eq!(rustfmt.format(UGLY).unwrap(), PRETTY);
    assert_eq!(rustfmt.format(PRETTY).unwrap(), PRETTY);
}

#[test]
fn knows_the_edition() {
    // `async` has been a keyword since the 2018 edition, `gen` since 2024.
    let text = "async fn one() {}\n";
    assert_eq!(Rustfmt::from_env().format(text).unwrap(), text);
    assert!(Rustfmt::from_env().format("fn gen() {}\n").is_err());
}

#[test]
fn names_its_version() {
    let version = Rustfmt::from_env().version().unwrap();
    assert!(version.starts_with("rustfmt 1."), "{version}");
    assert_eq!(version.lines().count(), 1);
}

#[test]
fn the_users_configuration_has_no_influence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rustfmt.toml"), "hard_tabs = true\n").unwrap();
    let empty = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    let rustfmt = Rustfmt::from_env();

    // Without these precautions, rustfmt would find that file.
    let mut careless = Command::new(&rustfmt.program);
    careless.args(["--edition", "2024"]).current_dir(&folder);
    assert!(rustfmt.run(careless, UGLY).unwrap().contains("\tlet"));

    let mut command = rustfmt.format_command(empty.path());
    command.current_dir(&folder);
    assert_eq!(rustfmt.run(command, UGLY).unwrap(), PRETTY);
}

#[test]
fn text_that_is_no_rust_is_an_error_that_says_where() {
    let error = Rustfmt::from_env()
        .format("fn main() {\n    let = 1;\n}\n")
        .unwrap_err();
    assert!(matches!(error, RustfmtError::Failed { .. }), "{error:?}");
    assert!(error.to_string().contains("<stdin>:2:9"), "{error}");
}

#[test]
fn a_missing_rustfmt_says_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let rustfmt = Rustfmt::new(folder.path().join("rustfmt"));
    for error in [
        rustfmt.format("").unwrap_err(),
        rustfmt.version().unwrap_err(),
    ] {
        assert!(matches!(error, RustfmtError::Missing { .. }), "{error:?}");
        let message = error.to_string();
        assert_says(
            &message,
            &["https://rustup.rs", "`rustup component add rustfmt`"],
        );
        assert!(
            message.contains(&folder.path().display().to_string()),
            "{message}"
        );
    }
}

#[test]
#[cfg(unix)]
fn rustups_stand_in_for_a_missing_rustfmt_counts_as_missing() {
    let rustfmt = Rustfmt::new("sh");
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "echo \"error: 'rustfmt' is not installed for 'stable'\" >&2; exit 1",
    ]);
    let error = rustfmt.run(command, "").unwrap_err();
    assert!(matches!(error, RustfmtError::Missing { .. }), "{error:?}");
    assert!(
        error.to_string().contains("is not installed for 'stable'"),
        "{error}"
    );
}

#[test]
#[cfg(unix)]
fn a_program_that_fails_or_does_not_read_is_an_error() {
    let long = "// A comment.\n".repeat(100_000);
    let error = Rustfmt::new("false").format(&long).unwrap_err();
    assert!(error.to_string().contains("exit status: 1"), "{error}");
    let error = Rustfmt::new("true").format(&long).unwrap_err();
    assert!(matches!(error, RustfmtError::Io { .. }), "{error:?}");
    let error = Rustfmt::new(Path::new("/")).format(&long).unwrap_err();
    assert!(error.to_string().starts_with("cannot run `/`"), "{error}");
}

#[test]
fn five_megabytes_pass_through() {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < 5_000_000 {
        writeln!(
            text,
            "fn  cost_{number}(p:f64)->f64{{\n  0.5*p+f64::from( {number} )\n}}"
        )
        .unwrap();
        number += 1;
    }
    #[expect(clippy::disallowed_methods, reason = "the time is printed, not used")]
    let start = std::time::Instant::now();
    let formatted = Rustfmt::from_env().format(&text).unwrap();
    eprintln!(
        "rustfmt took {:?} for {} bytes",
        start.elapsed(),
        text.len()
    );
    assert_eq!(formatted.matches("fn cost_").count(), number);
    assert!(formatted.ends_with(&format!("    0.5 * p + f64::from({})\n}}\n", number - 1)));
}
