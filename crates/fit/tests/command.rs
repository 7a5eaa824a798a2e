//! Tests the command as users call it.

use std::path::Path;

use prophet_testing::{Home, assert_says};

pub(crate) fn home() -> Home {
    let home = Home::of(env!("CARGO_BIN_EXE_prophet-fit"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for file in [
        "docs/measurements/times.csv",
        "sample-models/kernel6.uml",
        "sample-models/pingpong.uml",
    ] {
        home.copy(root.join(file));
    }
    home
}

#[test]
fn calls_are_answered_or_refused() {
    let home = home();
    let model = home.read("kernel6.uml");
    home.write("m.mdzip", b"PK\x03\x04");
    home.assert_transcripts("tests/cases/commands.txt");
    assert_eq!(home.read("kernel6.uml"), model);
    assert!(!home.path("new.toml").exists());
}

#[test]
fn regions_get_cost_functions_that_hold_beyond_the_points() {
    let found = home().json("times.csv --at p=64,n=1600 --format json");
    // The laws behind the numbers, as the file states them.
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
    let text = home().printed("times.csv --region solve --at n=800,p=16 --level 0.5");
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
    assert_says(&text, &["p=16, n=800: ", ", measured "]);
}

#[test]
fn a_slice_has_a_parameter_less() {
    let words = "times.csv --region solve --parameter n=800 --format json";
    let found = home().json(words);
    assert_eq!(found[0]["parameters"], serde_json::json!(["p"]));
    assert_eq!(found[0]["points"], 5);
}

#[test]
fn points_are_shown_with_all_digits() {
    let text = home().printed("times.csv --region write --at p=1048576,n=0.1234567");
    assert!(text.contains("p=1048576, n=0.1234567: "), "{text}");
}

#[test]
fn a_single_value_has_no_interval() {
    let home = home();
    home.write("one.csv", "p,time\n4,2\n");
    let found = home.json("one.csv --format json");
    assert!(found[0]["largest"]["low"].is_null(), "{found}");
    home.write("two.csv", "p,time\n4,2\n4,3\n");
    let found = home.json("two.csv --format json");
    assert!(found[0]["largest"]["low"].is_number());
}

#[test]
fn negative_values_need_permission() {
    let home = home();
    home.write("t.csv", "p,time\n1,-1\n2,-2\n3,-3\n4,-4\n");
    let found = home.json("t.csv --allow-negative --format json");
    assert!(found[0]["largest"]["value"].as_f64().expect("a number") < 0.0);
}

fn inserted(home: &Home) -> String {
    home.printed(
        "times.csv --region write --into kernel6.uml --element Kernel6 --argument n=N \
         --argument p=NUM_PROCESSES",
    );
    home.read("kernel6.uml")
}

#[test]
fn a_cost_function_goes_into_a_model_and_nothing_else_changes() {
    let home = home();
    let before = home.read("kernel6.uml");
    let after = inserted(&home);
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
    let home = home();
    let once = inserted(&home);
    let words = "times.csv --region solve --into kernel6.uml --element _Kernel6 --argument n=N \
                 --argument p=2";
    assert!(home.printed(words).contains("solve"));
    let twice = inserted(&home);
    let count = |text: &str| text.matches("name=\"fitted_").count();
    assert_eq!((count(&once), count(&twice)), (1, 1));
}

#[test]
fn a_page_has_drawings_and_no_script() {
    let home = home();
    let text = "region,p,time\n<b>x</b>,1,8\n<b>x</b>,2,4.1\n<b>x</b>,4,2\n<b>x</b>,8,1\n";
    home.write("t.csv", text);
    home.printed("t.csv --html page.html --at p=16");
    let html = home.read("page.html");
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
