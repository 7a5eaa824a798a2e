//! The checked-in crates are what the generator makes of the sample models.

use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::{Request, generate};
use prophet_codegen::output::Mode;
use prophet_tests::{generated::workspace, models, root};

#[test]
fn generated_crates_are_up_to_date() {
    let workspace = workspace();
    let mut stale = Vec::new();
    for model in models("sample-models") {
        let rules = RuleSet::shipped();
        let request = Request {
            mode: Mode::Check,
            ..Request::new(&model, &rules)
        };
        if let Err(failure) = generate(&request, &workspace) {
            stale.push(format!("{}: {failure:?}", model.display()));
        }
    }
    assert!(
        stale.is_empty(),
        "run `cargo xtask gen` for:\n{}",
        stale.join("\n")
    );
}

#[test]
fn every_generated_crate_has_its_model() {
    let entries = std::fs::read_dir(root().join("generated")).expect("there are generated crates");
    for entry in entries {
        let name = entry.expect("the folder can be listed").file_name();
        let model = root()
            .join("sample-models")
            .join(&name)
            .with_extension("uml");
        assert!(
            model.is_file(),
            "generated/{} has no model",
            name.to_string_lossy()
        );
    }
}
