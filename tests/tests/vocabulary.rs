//! Tests a user-defined stereotype, from its profile to its time in a run, with
//! `docs/examples/checkpoint`.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_codegen::target::Target;
use prophet_codegen::target::svg::Svg;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_targets::cpp::Cpp;
use prophet_targets::mermaid::Mermaid;
use prophet_targets::mpi_c::MpiC;
use prophet_targets::plantuml::PlantUml;
use prophet_targets::simgrid::SimGrid;
use prophet_targets::xml::Xml;
use prophet_testing::{succeeded, words};
use prophet_tests::built::installed;
use prophet_tests::programs::json;
use prophet_tests::{
    generated::{generated, refusal},
    problems_with, root, sums,
};

fn example(name: &str) -> PathBuf {
    root().join("docs/examples/checkpoint").join(name)
}

fn rules() -> RuleSet {
    let mut rules = RuleSet::shipped();
    let read = rules.add_vocabulary(&example("checkpoint.vocabulary.xml"));
    read.expect("the vocabulary has no problem");
    rules
}

/// Tests the cases in a file. Lines `OLD => NEW` replace texts in a model. They are followed by the
/// first line of each problem.
pub(crate) fn assert_problems(rules: &RuleSet, model: &Path, cases: &str) {
    prophet_testing::assert_cases(cases, |case| {
        let told = |line: &str| {
            let (old, new) = line.split_once(" => ").expect("two texts");
            let mut told = vec![line.to_owned()];
            told.extend(
                problems_with(rules, model, old, new)
                    .iter()
                    .map(|it| format!("  {it}")),
            );
            told.join("\n") + "\n"
        };
        case.input.lines().map(told).collect()
    });
}

#[test]
fn the_example_runs() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    succeeded(installed(folder.path()).args(["new", "mine", "--vocabulary"]));
    for engine in ["event", "local"] {
        let line = "run mine/solver.uml --vocabulary mine/checkpoint.vocabulary.xml -- \
                    --nodes 2 --steps 20 --format json --engine";
        let mut command = installed(folder.path());
        let output = command.args(words(line)).arg(engine).output();
        let result = json(&output.expect("the program can be started"));
        sums::check(&result, engine);
        let held_s = result["processes"][0]["hold_s"].as_f64();
        assert!(held_s.is_some_and(|held_s| held_s > 1.0), "{result}");
        // There are 20 steps, and 2 checkpoints of two processes that share 2 GB/s.
        let predicted = result["predicted_time_s"].as_f64().expect("a number");
        assert!(
            (predicted - (20.0 * 0.5 + 2.0 * 1.01)).abs() < 1e-12,
            "{predicted}"
        );
        let elements = result["elements"].as_array().expect("a list");
        let save = elements.iter().find(|element| element["name"] == "Save");
        let save = save.expect("it was executed");
        assert_eq!(
            (&save["type"], &save["id"]),
            (&"checkpoint".into(), &42.into())
        );
        assert_eq!(save["count"], 4);
    }
}

#[test]
fn without_the_vocabulary_it_is_an_action_that_does_nothing() {
    let checked = check_by(&RuleSet::shipped(), &example("solver.uml"), None);
    let checked = checked.expect("the model can be read");
    let codes: Vec<&str> = checked
        .diagnostics
        .iter()
        .map(|it| it.code.as_ref())
        .collect();
    assert!(codes.contains(&"PM0826"), "{codes:?}");
}

#[test]
fn its_tags_are_checked_and_its_rules_applied() {
    let model = example("solver.uml");
    assert_problems(&rules(), &model, "tests/cases/vocabulary.txt");
}

#[test]
fn pictures_show_it_and_other_targets_refuse_it() {
    let (rules, model) = (rules(), example("solver.uml"));
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let pictures: [&dyn Target; 2] = [&Svg, &Mermaid];
    for target in pictures {
        let out = folder.path().join(target.name());
        let made = generated(&rules, target, &model, &out);
        made.unwrap_or_else(|failure| panic!("{failure:?}"));
        let pictures = fs::read_dir(&out).expect("there are pictures");
        let texts: Vec<String> = pictures
            .map(|picture| fs::read_to_string(picture.expect("a file").path()).expect("text"))
            .collect();
        for words in ["checkpoint", "bytes = STATE"] {
            let shown = texts.iter().any(|text| text.contains(words));
            assert!(shown, "{} has no {words}", target.name());
        }
    }
    let others: [&dyn Target; 5] = [&Cpp, &Xml, &PlantUml, &MpiC, &SimGrid];
    for target in others {
        let name = target.name();
        let expected = format!("the target `{name}` does not support `checkpoint`");
        assert_eq!(refusal(&rules, target, &model)[0].message, expected);
    }
}
