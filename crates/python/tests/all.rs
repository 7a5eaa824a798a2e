//! Tests the Python package, its types, and a notebook.

mod package;

use std::fs;
use std::path::Path;
use std::process::Output;

use package::{made, python, root};
use prophet_testing::skip;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns `true` if Python has a module. Otherwise, skips the test.
fn has_module(folder: &Path, module: &str) -> bool {
    let found = python(folder, &["-c", &format!("import {module}")])
        .status
        .success();
    if !found {
        skip(format_args!("python3 has no {module}"));
    }
    found
}

fn assert_passed(output: &Output) {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
}

/// Optuna finds the smallest value of all points.
const LEAST: &str = "
rows = model.sweep({'nodes': '1..64', 'cpus-per-node': '1..16'}, NAT=64).to_rows()
least = min(row['predicted_time_s'] * row['nodes'] for row in rows)
assert study.best_value == least, (study.best_value, least)
";

/// `SALib` finds that the number of nodes matters most.
const LARGEST: &str = "
assert list(bounds)[effects['mu_star'].argmax()] == 'doublings', effects
";

#[test]
fn the_package_does_what_its_tests_say() {
    let Some(folder) = made() else {
        return;
    };
    let folder = folder.path();
    has_module(folder, "pyarrow");
    let tests = root().join("crates/python/tests/test_package.py");
    let tests = tests.to_str().expect("a path in UTF-8");
    assert_passed(&python(folder, &[tests]));
    let is_search = |it: &String| it.contains("optuna") || it.contains("SALib");
    let (searches, others): (Vec<_>, Vec<_>) = examples(folder).into_iter().partition(is_search);
    if has_module(folder, "matplotlib") {
        let program = others.concat();
        let program = format!("import matplotlib\nmatplotlib.use('agg')\n{program}");
        let said = run(folder, &program);
        assert!(said.contains("1.0 + 2.0 * n"), "{said}");
    }
    if has_module(folder, "optuna") && has_module(folder, "SALib") {
        let [searched, effects] = searches.as_slice() else {
            panic!("{searches:?}");
        };
        run(folder, &format!("{searched}{LEAST}"));
        run(folder, &format!("{effects}{LARGEST}"));
    }
    if has_module(folder, "mypy") {
        let settings = root().join("crates/python/pyproject.toml");
        let settings = settings.to_str().expect("a path in UTF-8");
        let arguments = [
            "-m",
            "mypy",
            "--config-file",
            settings,
            "performance_prophet",
            tests,
        ];
        assert_passed(&python(folder, &arguments));
    }
    if has_module(folder, "nbconvert") && has_module(folder, "matplotlib") {
        notebook(folder);
    }
}

/// Returns the examples on the page about Python in order, after writing their model to a folder.
fn examples(folder: &Path) -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/python.md")).expect("the page");
    let model = root().join("sample-models/lapw0.uml");
    fs::copy(model, folder.join("lapw0.uml")).expect("it can be copied");
    let examples = page.split("```python\n").skip(1);
    { examples.map(|it| it.split("```").next()) }
        .map(|it| it.expect("an example ends").to_owned())
        .collect()
}

fn run(folder: &Path, program: &str) -> String {
    let ran = python(folder, &["-c", program]);
    assert_passed(&ran);
    text(&ran.stdout)
}

/// Tests a notebook of five lines, from the import to a plot, with `nbconvert`.
fn notebook(folder: &Path) {
    let model = root().join("sample-models/lapw0.uml");
    let model = model.to_str().expect("a path in UTF-8");
    let lines = [
        "import performance_prophet as pp\n".to_owned(),
        format!("model = pp.Model.open({model:?})\n"),
        "times = model.sweep({'nodes': range(1, 17)}, cpus_per_node=4)\n".to_owned(),
        "import matplotlib.pyplot as plt\n".to_owned(),
        "plt.plot(times['nodes'], times['predicted_time_s'])".to_owned(),
    ];
    let cell = |source: &[String]| {
        serde_json::json!({
            "cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [],
            "source": source,
        })
    };
    let notebook = serde_json::json!({
        "nbformat": 4, "nbformat_minor": 4,
        "metadata": {"kernelspec": {
            "name": "python3", "display_name": "Python", "language": "python",
        }},
        "cells": [cell(&lines), cell(&["model.predict(nodes=2)".to_owned()])],
    });
    let file = folder.join("plot.ipynb");
    fs::write(&file, notebook.to_string()).expect("it can be written");
    let arguments = [
        "-m",
        "nbconvert",
        "--to",
        "notebook",
        "--execute",
        "--inplace",
        "plot.ipynb",
    ];
    assert_passed(&python(folder, &arguments));
    let executed = fs::read_to_string(&file).expect("it can be read");
    let executed: serde_json::Value = serde_json::from_str(&executed).expect("it is JSON");
    let outputs = |cell: usize| executed["cells"][cell]["outputs"].as_array().cloned();
    let plot = outputs(0).unwrap_or_default();
    let has_picture = plot.iter().any(|it| it["data"]["image/png"].is_string());
    assert!(has_picture, "{plot:?}");
    let shown = outputs(1).unwrap_or_default();
    let page = shown[0]["data"]["text/html"].to_string();
    assert!(page.contains("LAPW0") && page.contains("<table>"), "{page}");
}
