//! Tables of `interpolate` with many points.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prophet_tests::programs::{Programs, crate_of};
use prophet_tests::sketch;

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
    // The sketch escapes the ampersand once more.
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
