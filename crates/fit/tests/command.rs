//! The command as users call it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) const TIMES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/measurements/times.csv"
);
const MODEL: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../sample-models/kernel6.uml"
);

pub(crate) fn fit(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_prophet-fit");
    let output = Command::new(program).args(arguments).output();
    output.expect("the program can be started")
}

#[track_caller]
pub(crate) fn found(arguments: &[&str]) -> String {
    let output = fit(arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    String::from_utf8(output.stdout).expect("it is text")
}

#[track_caller]
pub(crate) fn refused(arguments: &[&str]) -> String {
    let output = fit(arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).expect("it is text")
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--format", "json"]].concat();
    serde_json::from_str(&found(&arguments)).expect("it is JSON")
}

/// A file with a text, in a folder that goes with the test.
pub(crate) fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a file can be written");
    path.display().to_string()
}

pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

#[test]
fn regions_get_cost_functions_that_hold_beyond_the_points() {
    let found = json(&[TIMES, "--at", "p=64,n=1600"]);
    // What the file says its numbers are made of.
    let truth = [
        0.4e-6 * 1600.0 * 1600.0 / 64.0 + 6.0 * 0.1e-3,
        2e-3 + 10e-6 * 1600.0,
    ];
    let regions = found.as_array().expect("it is a list");
    assert_eq!(regions.len(), 2);
    for (region, truth) in regions.iter().zip(truth) {
        let at = &region["predicted"][0];
        let number = |key: &str| at[key].as_f64().expect("it is a number");
        assert!((number("value") / truth - 1.0).abs() < 0.1, "{region}");
        assert!(number("low") < number("value") && number("value") < number("high"));
        assert!(region["error_left_out"].as_f64().expect("it was measured") < 0.1);
        assert!(region["cost"].as_str().expect("it is text").contains('n'));
        assert_eq!(region["unit"], "s");
    }
    assert_eq!(regions[0]["values"], 40);
    assert_eq!(regions[0]["residuals"].as_array().map(Vec::len), Some(20));
}

#[test]
fn people_get_a_table_and_words() {
    let text = found(&[
        TIMES,
        "--region",
        "solve",
        "--at",
        "n=800,p=16",
        "--level",
        "0.5",
    ]);
    for part in [
        "region",
        "left out",
        "50% by the model",
        "cost function",
        "measure next",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("write"), "{text}");
    assert!(
        text.contains("p=16, n=800: ") && text.contains(", measured "),
        "{text}"
    );
}

#[test]
fn a_slice_has_a_parameter_less() {
    let found = json(&[TIMES, "--region", "solve", "--parameter", "n=800"]);
    assert_eq!(found[0]["parameters"], serde_json::json!(["p"]));
    assert_eq!(found[0]["points"], 5);
}

#[test]
fn odd_measurements_are_fitted_with_a_word() {
    let folder = folder();
    let cases = [
        ("p,time\n4,2\n", "`p` never varies"),
        ("p,time\n4,2\n", "one point gives a constant"),
        (
            "p,cpu_s,real_s\n1,3,4\n2,3,4\n4,3,4\n8,3,4\n",
            "\n\ncpu_s\n  cost function 3.0\n",
        ),
        (
            "name,p,cpu_s,real_s\nf,1,3,4\nf,2,3,4\nf,4,3,4\nf,8,3,4\n",
            "\n\nf, real_s\n  cost function 4.0\n",
        ),
        (
            "p,n,time\n1,7,3\n2,7,5\n4,7,9\n8,7,17\n16,7,33\n",
            "`n` never varies",
        ),
        ("p,time\n1,3\n2,3\n4,3\n8,3\n", "cost function 3.0\n"),
        ("p,time\n1,3\n1,4\n2,5\n2,6\n", "`p` has only 2 values"),
        ("p,time\n1,0\n2,0\n4,0\n8,0\n", "all values are zero"),
    ];
    for (text, word) in cases {
        let file = file(&folder, "t.csv", text);
        let shown = found(&[&file]);
        assert!(shown.contains(word), "{word} in {shown}");
    }
}

#[test]
fn what_cannot_be_fitted_is_told() {
    let folder = folder();
    let of = |text: &str| refused(&[&file(&folder, "t.csv", text)]);
    let negative = "time: a value at p=1 is negative; leave it out, or permit negative costs by \
                    --allow-negative";
    assert!(of("p,time\n1,-2\n2,3\n").contains(negative));
    assert!(of("p,time\n-1,2\n2,3\n").contains("`p` is negative at p=-1; leave the point out"));
    assert!(of("p,time\n1,x\n").contains("t.csv:2: `x` in column `time` is not a number"));
    let cases: [(&[&str], &str); 6] = [
        (
            &[TIMES, "--region", "x"],
            "there is no region `x`, but `solve`, `write`\n",
        ),
        (
            &[TIMES, "--parameter", "n=7"],
            "nothing was measured at n = 7\n",
        ),
        (
            &[TIMES, "--parameter", "q=7"],
            "there is no parameter `q`, but p, n\n",
        ),
        (&[TIMES, "--at", "p=7"], "solve: --at has no value of `n`\n"),
        (
            &[TIMES, "--at", "p=7,q=1"],
            "solve: --at names `q`, but the parameters are p, n\n",
        ),
        (&[TIMES, "--html", TIMES], "times.csv itself\n"),
    ];
    for (arguments, why) in cases {
        let told = refused(arguments);
        assert!(told.ends_with(why), "{told}");
    }
}

#[test]
fn command_lines_that_say_nothing_are_refused() {
    let cases: [(&[&str], &str); 4] = [
        (&[], "<FILE>"),
        (
            &["t.csv", "--level", "1"],
            "a probability lies between 0 and 1, as 0.9",
        ),
        (
            &["t.csv", "--at", "p"],
            "a point is written as p=512,n=9000",
        ),
        (&["t.csv", "--at", "p=inf"], "`inf` is not a finite number"),
    ];
    for (arguments, why) in cases {
        let output = fit(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn points_are_shown_with_all_digits() {
    let text = found(&[TIMES, "--region", "write", "--at", "p=1048576,n=0.1234567"]);
    assert!(text.contains("p=1048576, n=0.1234567: "), "{text}");
}

#[test]
fn a_single_value_has_no_interval() {
    let folder = folder();
    let one = file(&folder, "t.csv", "p,time\n4,2\n");
    let shown = found(&[&one, "--at", "p=8"]);
    assert!(
        shown.contains("p=8: 2 s, range unknown: one value\n"),
        "{shown}"
    );
    let found = json(&[&one]);
    assert!(found[0]["largest"]["low"].is_null(), "{found}");
    let two = file(&folder, "t.csv", "p,time\n4,2\n4,3\n");
    assert!(json(&[&two])[0]["largest"]["low"].is_number());
}

#[test]
fn negative_values_need_permission() {
    let folder = folder();
    let file = file(&folder, "t.csv", "p,time\n1,-1\n2,-2\n3,-3\n4,-4\n");
    let found = json(&[&file, "--allow-negative"]);
    assert!(found[0]["largest"]["value"].as_f64().expect("a number") < 0.0);
}

/// Copies the sample and writes the cost of `write` into it.
fn inserted(folder: &tempfile::TempDir) -> String {
    let model = fs::read_to_string(MODEL).expect("the sample can be read");
    let model = file(folder, "model.uml", &model);
    let arguments = ["--argument", "n=N", "--argument", "p=NUM_PROCESSES"];
    let insert = [
        TIMES,
        "--region",
        "write",
        "--into",
        &model,
        "--element",
        "Kernel6",
    ];
    found(&[&insert, arguments.as_slice()].concat());
    fs::read_to_string(&model).expect("it is there")
}

#[test]
fn a_cost_function_goes_into_a_model_and_nothing_else_changes() {
    let folder = folder();
    let before = fs::read_to_string(MODEL).expect("the sample can be read");
    let after = inserted(&folder);
    let is_new = |line: &&str| !before.contains(*line);
    let (kept, new): (Vec<&str>, Vec<&str>) =
        after.split_inclusive('\n').partition(|line| !is_new(line));
    let text = new.concat();
    for part in [
        "name=\"fitted_Kernel6\"",
        "cost=\"fitted_Kernel6(NUM_PROCESSES, N)\"",
        "Seconds, fitted to 20 values at 20 points of times.csv (write), p = 1 to 16, n = 100 to",
        "<body>return ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let old = before
        .split_inclusive('\n')
        .filter(|line| !line.contains("cost=\"FK6"));
    let mut kept = kept.into_iter();
    for line in old {
        assert!(kept.any(|it| it == line), "{line} is gone");
    }
}

#[test]
fn a_second_fit_replaces_the_first() {
    let folder = folder();
    let once = inserted(&folder);
    let model = folder.path().join("model.uml").display().to_string();
    let arguments = [
        TIMES,
        "--region",
        "solve",
        "--into",
        &model,
        "--element",
        "_Kernel6",
    ];
    let other = found(&[&arguments[..], &["--argument", "n=N", "--argument", "p=2"]].concat());
    assert!(other.contains("solve"));
    let arguments = [
        TIMES,
        "--region",
        "write",
        "--into",
        &model,
        "--element",
        "Kernel6",
    ];
    found(
        &[
            &arguments[..],
            &["--argument", "n=N", "--argument", "p=NUM_PROCESSES"],
        ]
        .concat(),
    );
    let twice = fs::read_to_string(&model).expect("it is there");
    let count = |text: &str| text.matches("name=\"fitted_").count();
    assert_eq!((count(&once), count(&twice)), (1, 1));
}

#[test]
fn models_that_take_no_cost_function_stay_as_they_are() {
    let folder = folder();
    let text = fs::read_to_string(MODEL).expect("the sample can be read");
    let model = file(&folder, "model.uml", &text);
    let archive = folder.path().join("model.mdzip");
    fs::write(&archive, b"PK\x03\x04").expect("a file can be written");
    let archive = archive.display().to_string();
    let into = |region: &[&str], model: &str, element: &str, argument: &[&str]| {
        let given = ["--into", model, "--element", element];
        refused(&[&[TIMES], region, &given, argument].concat())
    };
    let one: &[&str] = &["--region", "write"];
    let cases = [
        (
            into(&[], &model, "Kernel6", &[]),
            "only one cost function can be the cost of an element",
        ),
        (
            into(one, &model, "Kernel6", &[]),
            "it has no variable `p`; say what the parameter is in the model, as --argument \
             p=NUM_PROCESSES",
        ),
        (
            into(one, &model, "Kernel6", &["--argument", "q=1"]),
            "--argument names `q`, but the parameters are p, n",
        ),
        (
            into(one, &model, "Kernel7", &[]),
            "no element `Kernel7` has a stereotype with a cost, such as action+",
        ),
        (into(one, &archive, "Kernel6", &[]), "model.mdzip`"),
        (
            into(one, "no-model.uml", "Kernel6", &[]),
            "cannot read `no-model.uml`: ",
        ),
    ];
    for (told, why) in cases {
        assert!(told.contains(why), "{told}");
    }
    assert_eq!(fs::read_to_string(&model).expect("it is there"), text);
}

#[test]
fn a_page_has_drawings_and_no_script() {
    let folder = folder();
    let text = "region,p,time\n<b>x</b>,1,8\n<b>x</b>,2,4.1\n<b>x</b>,4,2\n<b>x</b>,8,1\n";
    let csv = file(&folder, "t.csv", text);
    let page = folder.path().join("page.html").display().to_string();
    found(&[&csv, "--html", &page, "--at", "p=16"]);
    let html = fs::read_to_string(Path::new(&page)).expect("it is there");
    assert!(html.contains("&lt;b&gt;x&lt;/b&gt;") && !html.contains("<b>x"));
    assert!(html.contains("default-src 'none'") && !html.contains("<script"));
    assert_eq!(html.matches("<svg").count(), 2);
    assert_eq!(
        html.matches("class=\"m\"").count(),
        8,
        "points and residuals"
    );
    assert_eq!(
        html.matches("class=\"a\"").count(),
        1,
        "the predicted point"
    );
    assert!(html.contains("prefers-color-scheme: dark") && !html.contains("NaN"));
}
