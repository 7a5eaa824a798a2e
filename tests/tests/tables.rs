//! Tests tables of `interpolate`: with many points, with two arguments, and outside their points.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prophet_tests::programs::{Programs, crate_of};
use prophet_tests::sketch;
use serde_json::{Value, json};

#[test]
fn a_large_table_is_a_file_beside_the_code_and_means_the_same() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut text = String::new();
    for number in 0..20_000 {
        writeln!(text, "{number},{}", f64::from(number) / 3.0).expect("text can always grow");
    }
    fs::write(folder.join("times.csv"), text).expect("a file can be written");
    let model = folder.join("large-table.uml");
    let cost = "interpolate('times.csv', 12000)".replace('\'', "&quot;");
    let sketch = format!("start -> A -> end\nA: action cost=\"{cost}\"\n");
    // The sketch escapes the ampersand again.
    let xmi = sketch::xmi(&sketch).replace("&amp;quot;", "&quot;");
    fs::write(&model, xmi).expect("a file can be written");
    let files = crate_of(&model);
    let library = &files[Path::new("src/lib.rs")];
    assert!(library.len() < 10_000, "{} bytes", library.len());
    assert!(
        files.keys().any(|path| path.ends_with("times_csv.table")),
        "{:?}",
        files.keys()
    );
    let programs = Programs::build(&folder.join("crates"), std::slice::from_ref(&model));
    let output = programs.run(&model, &["--processes", "1"]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && shown.contains("4000"), "{shown}");
}

/// Tests that tables give the same values in the compiled crate and in the interpreter.
#[test]
fn curves_and_what_lies_outside_of_them() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("surfaces");
    fs::create_dir_all(&folder).expect("a folder can be made");
    // The values at the corners are 1 + 2p + 3n. So are the values in between.
    let text = "p,n,seconds\n1,100,303\n1,200,603\n4,100,309\n4,200,609\n";
    fs::write(folder.join("times.csv"), text).expect("a file can be written");
    let step = "0,0\n1,0\n2,8\n3,8\n";
    fs::write(folder.join("step.csv"), step).expect("a file can be written");
    let model = folder.join("surface.uml");
    // The values are 455 + 309 + 455 + 1.25, and 8 and 0 at the ends, far from their points.
    let cost = "interpolate('times.csv', 2 + pid, 150) + interpolate('times.csv', 9, 0) \
        + interpolate('times.csv', 2, 150, 'monotone') + interpolate('step.csv', 1.25, 'monotone') \
        + interpolate('step.csv', 1e300) + interpolate('step.csv', -3)";
    let cost = cost.replace('\'', "&quot;");
    let sketch = format!("start -> A -> end\nA: action cost=\"{cost}\"\n");
    let xmi = sketch::xmi(&sketch).replace("&amp;quot;", "&quot;");
    fs::write(&model, xmi).expect("a file can be written");
    let files = crate_of(&model);
    let library = &files[Path::new("src/lib.rs")];
    assert!(library.contains("Surface::new("), "{library}");
    let programs = Programs::build(&folder.join("crates"), std::slice::from_ref(&model));
    // `Programs::run` also compares the crate with the interpreter.
    for engine in ["event", "local"] {
        let flags = ["--processes", "1", "--engine", engine, "--format", "json"];
        let output = programs.run(&model, &flags);
        assert_eq!(String::from_utf8_lossy(&output.stderr), OUTSIDE, "{engine}");
        let result: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        assert_eq!(result["predicted_time_s"], 1228.25);
        let expected = json!([
            {"table": "step.csv", "argument": "x", "asked": 1e300, "from": 0.0, "to": 3.0},
            {"table": "times.csv", "argument": "x", "asked": 9.0, "from": 1.0, "to": 4.0},
            {"table": "times.csv", "argument": "y", "asked": 0.0, "from": 100.0, "to": 200.0},
        ]);
        assert_eq!(result["extrapolations"], expected);
    }
}

const OUTSIDE: &str = "\
warning: the table `step.csv` was looked up at x = 1e300, outside its points (0 to 3): \
the nearest point was used
warning: the table `times.csv` was looked up at x = 9, outside its points (1 to 4): \
the nearest point was used
warning: the table `times.csv` was looked up at y = 0, outside its points (100 to 200): \
the nearest point was used
";
