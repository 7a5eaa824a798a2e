//! Tests what commands say about a model in addition to the prediction: random draws, flags whose
//! names are taken, the meaning of parameters, and why none of a decision's guards is true.

use std::fs;
use std::path::Path;

use prophet_tests::interpreted::{Ran, run};

/// Runs the activity in `body`. The legend contains these lines.
fn ran(legend: &str, body: &str, flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("told.puml");
    let text = format!(
        "@startuml\ntitle Main\nlegend\n  model Told\n{legend}\nend legend\nstart\n{body}\nstop\n\
         @enduml\n"
    );
    fs::write(&file, text).expect("there is room");
    run(Path::new(&file), "told", flags)
}

/// Runs a model with random draws. The flags set the numbers of jobs and steps.
fn drawn(flags: &[&str]) -> Ran {
    let parameters = "  // Tasks of a run.\n  parameter int JOBS = 3\n  \
                      // Steps of each task.\n  parameter int STEPS = 2";
    let work = ":<<action+>> Work\ncost = exponential(1.0) * JOBS * STEPS;";
    ran(parameters, work, flags)
}

#[test]
fn one_draw_is_told_and_several_have_an_interval() {
    let one = drawn(&[]).stdout;
    let told = " s (one random draw; --replications 30 gives the mean)\nModel ";
    assert!(one.contains(told), "{one}");
    let several = drawn(&["--replications", "30"]).stdout;
    let told = " (95% interval of the mean, 30 replications)\nFirst draw ";
    assert!(several.contains(told), "{several}");
    assert!(!several.contains("one random draw"), "{several}");
    let none = ran("", ":<<action+>> Work\ncost = 2.0;", &[]).stdout;
    assert!(none.starts_with("Predicted time  2 s\nModel "), "{none}");
}

#[test]
fn a_flag_whose_name_a_parameter_has_is_told() {
    let warning = "warning: `--jobs` is a flag of the command, so the parameter JOBS keeps its \
                   value; use `--set JOBS=1` to set it\n";
    for flags in [&["--jobs", "1"][..], &["--jobs=1"]] {
        assert_eq!(drawn(flags).stderr, warning, "{flags:?}");
    }
    let set = ["--jobs", "1", "--set", "JOBS=1"];
    for flags in [&set[..], &set[2..], &["--steps", "1"]] {
        let told = drawn(flags).stderr;
        assert_eq!(told, "", "{flags:?}");
    }
}

#[test]
fn the_first_comment_of_a_parameter_is_its_help() {
    let help = drawn(&["--help"]).stdout;
    let steps = help.split("--steps <INTEGER>").nth(1).unwrap_or_default();
    assert!(steps.contains("Steps of each task."), "{help}");
    let taken = "--set JOBS=<INTEGER>  [default: 3]\n          Tasks of a run.\n";
    assert!(help.contains(taken), "{help}");
}

#[test]
fn a_decision_tells_which_numbers_its_guard_compares() {
    for (number, case, told) in [
        ("N", "1", "3 == 1"),
        ("N / 8.0", "0.5", "0.375 == 0.5"),
        ("1234567 * N", "1", "3703700 == 1"),
        // Numbers are printed with all digits if shorter forms look the same.
        ("1000000 * N", "3000001", "3000000 == 3000001"),
    ] {
        let switch =
            format!("switch ({number})\ncase ({case})\n:<<action+>> Work\ncost = 1.0;\nendswitch");
        let message = ran("  parameter int N = 3", &switch, &[]).stderr;
        let told = format!("{told} is false, and there is no else branch: draw one, ");
        assert!(message.starts_with(&format!("error: {told}")), "{message}");
    }
}
