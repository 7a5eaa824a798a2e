//! Tests user-defined hardware models in a generated program: `docs/examples/hardware`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use prophet_codegen::target::Target;
use prophet_codegen::target::svg::Svg;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use prophet_targets::cpp::Cpp;
use prophet_targets::mpi_c::MpiC;
use prophet_targets::simgrid::SimGrid;
use prophet_testing::{assert_says, has, succeeded, words};
use prophet_tests::built::installed;
use prophet_tests::programs::json;
use prophet_tests::{
    generated::{generated, refusal},
    root,
};

use crate::vocabulary::assert_problems;

fn example(name: &str) -> PathBuf {
    root().join("docs/examples/hardware").join(name)
}

fn rules() -> RuleSet {
    let mut rules = RuleSet::shipped();
    let read = rules.add_vocabulary(&example("own-hardware.vocabulary.xml"));
    read.expect("the vocabulary has no problem");
    rules
}

#[test]
fn the_example_runs_with_all_models() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    succeeded(installed(folder.path()).args(["new", "buses", "--hardware"]));
    let run = |flags: &str| {
        let line = "run buses/saving.prophet.xml --vocabulary buses/own-hardware.vocabulary.xml";
        let line = format!("{line} -- --format json {flags}");
        let output = installed(folder.path()).args(words(&line)).output();
        output.expect("the program can be started")
    };
    let is = |flags: &str, expected_ms: f64| {
        let result = json(&run(&format!("--machine buses/saving.toml {flags}")));
        let time_ms = result["predicted_time_s"].as_f64().expect("a number") * 1e3;
        assert!((time_ms - expected_ms).abs() < 1e-6, "{flags}: {time_ms}");
    };
    // There are four messages of 1 ms, and the bus needs 1 ms before each of them; then 2 seeks and
    // 10 MB; then 7 pages of 1 ms.
    is("", 8.0 + 120.0 + 7.0);
    is("--model network=shared", 1.0 + 120.0 + 7.0);
    is(
        "--model network=bus:latency=0,bandwidth=2GB/s",
        2.0 + 120.0 + 7.0,
    );
    // The workload chooses the model of the index, so that the flag only affects the state: 611
    // pages.
    is("--model disk=flash", 8.0 + 611.0 + 7.0);

    let output = run("--machine buses/saving.toml --model disk=tape");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert_says(&errors, &["`tape` is not a model of the device `disk`"]);

    // The disk's speed isn't known without a machine.
    let output = run("");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("action+ `Save`"), "{errors}");
    assert!(errors.contains("`hard` needs `bandwidth=`"), "{errors}");
    assert!(errors.contains("saving.prophet.xml:11"), "{errors}");
}

#[test]
fn wrong_uses_of_devices_are_told() {
    let model = example("saving.prophet.xml");
    assert_problems(&rules(), &model, "tests/cases/hardware.txt");
}

#[test]
fn only_the_crate_and_pictures_have_devices_of_ones_own() {
    let (rules, model) = (rules(), example("saving.prophet.xml"));
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let picture = generated(&rules, &Svg, &model, folder.path());
    picture.unwrap_or_else(|failure| panic!("{failure:?}"));
    let others: [&dyn Target; 3] = [&Cpp, &MpiC, &SimGrid];
    for target in others {
        let name = target.name();
        let expected = format!("the target `{name}` does not support the device `disk`");
        assert_eq!(refusal(&rules, target, &model)[0].message, expected);
    }
    let checked = check_by(&rules, &model, None).expect("the model can be read");
    let why = Interpreted::new(&checked, "saving", false).err();
    let why = why.map(|why| why.to_string());
    assert_eq!(
        why.as_deref(),
        Some("the model has the custom device `disk`")
    );
}

#[test]
fn its_schema_describes_its_xml() {
    if !has("xmllint", "--version") {
        return;
    }
    let model = fs::read_to_string(example("saving.prophet.xml")).expect("it is here");
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let file = folder.path().join("checked.xml");
    let is_valid = |schema: &str, text: &str| {
        fs::write(&file, text).expect("a file can be written");
        let lint = Command::new("xmllint")
            .args(["--noout", "--nonet", "--schema"])
            .args([&example(schema), &file])
            .output();
        lint.expect("xmllint runs").status.success()
    };
    let ruds = model.split("rud=\"").skip(1);
    let ruds = ruds.filter_map(|rest| rest.split('"').next());
    let ruds: Vec<String> = ruds.map(|rud| rud.replace("&lt;", "<")).collect();
    assert_eq!(ruds.len(), 2);
    assert!(ruds.iter().all(|rud| is_valid("disk.xsd", rud)), "{ruds:?}");
    assert!(!is_valid(
        "disk.xsd",
        "<rud device='disk'><byte>1</byte></rud>"
    ));
    let space = "xmlns='http:///schemas/own-hardware/1'";
    let is_valid = |text: String| is_valid("own-hardware.xsd", &text);
    assert!(is_valid(format!(
        "<hard {space} bandwidth='100MB/s' seek='10ms'/>"
    )));
    assert!(!is_valid(format!("<hard {space} speed='100MB/s'/>")));
    assert!(is_valid(format!("<flash {space} channels='4'/>")));
    assert!(!is_valid(format!("<flash {space} channels='0'/>")));
    assert!(is_valid(format!(
        "<bus {space} latency='0s' bandwidth='1GB/s'/>"
    )));
}
