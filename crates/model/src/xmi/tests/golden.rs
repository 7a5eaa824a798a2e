//! Compares the reader's results for the models in `tests/data` with golden files, one test for
//! each family.
//!
//! `UPDATE_EXPECT=1 cargo test -p prophet-model golden` rewrites the expected files. It keeps their
//! first lines: remarks, and the main activity that a user has chosen.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::told;
use crate::source::Source;

/// Folder of the models, relative to the crate's folder, where cargo runs its tests.
const DATA: &str = "tests/data";

/// Start of a line in an expected file that names the main activity.
const MAIN: &str = "main: ";

/// Start of a line in an expected file that says what the model is an example of.
const REMARK: &str = "# ";

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries
        .map(|it| it.expect("it is readable").path())
        .collect();
    paths.sort();
    let inside = |path: PathBuf| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    };
    paths.into_iter().flat_map(inside).collect()
}

fn is_expected(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "expect")
}

/// Returns the expected file of a model: `a.expect` for `a.uml` and for `a.prophet.xml`.
fn expected_of(model: &Path) -> PathBuf {
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    model.with_file_name(format!("{stem}.expect"))
}

#[test]
fn models_are_read_as_expected() {
    let updates = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut different = String::new();
    let (expected, models): (Vec<_>, Vec<_>) = files(Path::new(DATA))
        .into_iter()
        .partition(|it| is_expected(it));
    for model in &models {
        let path = expected_of(model);
        let expected = fs::read_to_string(&path).unwrap_or_default();
        let is_head = |it: &&str| it.starts_with(REMARK) || it.starts_with(MAIN);
        let head: Vec<&str> = expected.split_inclusive('\n').take_while(is_head).collect();
        let main = head
            .iter()
            .find_map(|it| it.strip_prefix(MAIN))
            .map(str::trim_end);
        let text = fs::read_to_string(model).expect("it is a text");
        let actual = head.concat() + &told(&Source::new("model.uml", text), main);
        if actual == expected {
            continue;
        }
        if updates {
            fs::write(&path, actual).expect("it can be written");
        } else {
            let model = model.display();
            let _ = writeln!(
                different,
                "{model}: expected\n{expected}{model}: found\n{actual}"
            );
        }
    }
    assert!(different.is_empty(), "{different}");
    let of_models: Vec<PathBuf> = models.iter().map(|it| expected_of(it)).collect();
    assert_eq!(
        of_models, expected,
        "each model has a file of its own, and each file a model"
    );
}
