//! Tests that the output of `check --format sarif` is SARIF 2.1.0, according to the schema
//! published by OASIS.
//!
//! The schema is in the package `serde-sarif`, which cargo downloads but doesn't compile.

use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;
use jsonschema::Validator;
use prophet_codegen::diagnostic::render_sarif;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_testing::skip;
use prophet_tests::{models, root};
use serde_json::{Value, json};

/// Returns the schema. The error says why it isn't available.
fn schema() -> Result<Value, String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--locked".to_owned()])
        .exec()
        .map_err(|error| error.to_string())?;
    let mut packages = metadata.packages.iter();
    let package = packages.find(|it| it.name.as_str() == "serde-sarif");
    let package = package.expect("tests/Cargo.toml names it");
    let path = package.manifest_path.with_file_name("src/schema.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Ok(serde_json::from_str(&text).expect("the schema is JSON"))
}

/// Returns a validator, or reports that the schema can't be downloaded.
fn validator() -> Option<Validator> {
    let mut schema = match schema() {
        Ok(schema) => schema,
        Err(error) => {
            skip(format_args!("the schema of SARIF is not at hand: {error}"));
            return None;
        }
    };
    let title = schema["title"].as_str().unwrap_or_default();
    assert!(title.contains("(SARIF) Version 2.1.0"), "{title}");
    // Some dialects don't accept one of the schema's regular expressions. This one is corrected as
    // in the errata.
    for owner in ["run", "toolComponent"] {
        let pattern = format!("/definitions/{owner}/properties/language/pattern");
        let pattern = schema.pointer_mut(&pattern).expect("it has a language");
        *pattern = json!("^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    }
    let options = jsonschema::options().should_validate_formats(true);
    Some(options.build(&schema).expect("the schema is one"))
}

fn log(rules: &RuleSet, model: &Path) -> Value {
    let checked = check_by(rules, model, None).expect("the model is a file");
    let describe = |code: &str| rules.summary(code);
    let log = render_sarif(&checked.source, &checked.diagnostics, &describe);
    serde_json::from_str(&log).expect("it is JSON")
}

#[test]
fn every_log_is_valid() {
    let Some(validator) = validator() else { return };
    let rules = RuleSet::shipped();
    let mut results = 0;
    for folder in ["sample-models", "tests/models/wrong", "tests/models/flow"] {
        let is_filled = |it: &PathBuf| it.metadata().is_ok_and(|it| it.len() > 0);
        for model in models(folder).into_iter().filter(is_filled) {
            let log = log(&rules, &model);
            let problems: Vec<String> = validator
                .iter_errors(&log)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(problems.is_empty(), "{}: {problems:#?}", model.display());
            results += log["runs"][0]["results"].as_array().map_or(0, Vec::len);
        }
    }
    assert!(results > 50, "only {results} results were validated");
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let Some(validator) = validator() else { return };
    let model = root().join("tests/models/wrong/bad-guard.uml");
    let log = log(&RuleSet::shipped(), &model);
    assert!(validator.is_valid(&log));
    let region = "/runs/0/results/0/locations/0/physicalLocation/region";
    let uri = "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri";
    for (place, value) in [
        ("/version", json!("2.0.0")),
        ("/runs/0/tool", json!({})),
        ("/runs/0/results/0/level", json!("fatal")),
        ("/runs/0/results/0/message", json!("wrong")),
        ("/runs/0/results/0/ruleIndex", json!(-2)),
        (region, json!({ "startLine": 0 })),
        (uri, json!("a model.uml")),
    ] {
        let mut wrong = log.clone();
        *wrong.pointer_mut(place).expect(place) = value;
        assert!(!validator.is_valid(&wrong), "{place}");
    }
}
