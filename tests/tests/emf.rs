//! Tests that the profile and the models open in the Eclipse Modeling Framework, on which Papyrus
//! is based.

use std::process::Command;

use prophet_codegen::model::StereotypeKind;
use prophet_testing::skip;
use prophet_tests::{models, root, shared};

/// Exit code of `check.sh` if EMF or the JDK isn't installed.
const SKIPPED: i32 = 77;

#[test]
fn profile_and_models_load_in_emf() {
    let Some(script) = shared().map(|shared| shared.join("emf/check.sh")) else {
        eprintln!("skipped: there is no ../shared/emf/check.sh");
        return;
    };
    let output = Command::new("sh")
        .arg(script)
        .arg(root().join("sample-models/prophet.profile.uml"))
        .args(models("sample-models"))
        .args(models("sample-models/workflows"))
        .args(models("tests/models/flow"))
        .args(models("tests/models/threads"))
        .args(models("tests/models/flows"))
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(SKIPPED) {
        skip(text);
        return;
    }
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let count = StereotypeKind::ALL.len();
    assert!(text.contains(&format!("{count} stereotypes")), "{text}");
}
