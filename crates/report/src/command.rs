//! Implements the `report` command.

use prophet_text::Problem;
use std::path::{Path, PathBuf};

use crate::write_page;
use prophet_files::Inputs;

mod compare;
mod places;
mod read;
mod result;
mod summary;

use compare::compare;
use places::Map;
use read::read;
use summary::{summary_json, summary_text};

/// Prints a summary of one or more runs, and writes the page if `out` names a file. With a `map`,
/// findings name lines of the model.
///
/// # Errors
///
/// Returns an error if a file can't be read, or the page can't be written.
pub fn run(
    as_json: bool,
    out: Option<&Path>,
    map: Option<&Path>,
    files: &[PathBuf],
) -> Result<(), Problem> {
    let mut inputs: Inputs = files.iter().map(PathBuf::as_path).chain(map).collect();
    inputs.refuse(out.map(|it| ("--out", it)))?;
    let map = map.map(Map::read).transpose()?;
    let runs: Vec<_> = files
        .iter()
        .map(|path| read(path, &mut inputs))
        .collect::<Result<_, Problem>>()?;
    let runs = runs.into_iter().flatten().collect();
    inputs.refuse(out.map(|it| ("--out", it)))?;
    let mut data = compare(runs);
    if let Some(map) = map {
        map.place(&mut data);
    }
    let text = if as_json {
        prophet_text::plain::json(&format!("{:#}\n", summary_json(&data)))
    } else {
        summary_text(&data)
    };
    prophet_text::print(&text)?;
    let Some(out) = out else { return Ok(()) };
    write_page(out, &data)?;
    prophet_text::tell!("wrote {}", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_does_not_replace_the_map() {
        let folder = tempfile::tempdir().expect("there is room");
        let map = folder.path().join("lib.rs.map.json");
        std::fs::write(&map, "{}").expect("there is room");
        let told = run(false, Some(&map), Some(&map), &[]);
        let told = told.expect_err("it is an input").to_string();
        prophet_testing::assert_says(&told, &["`--out` would replace ", "lib.rs.map.json"]);
    }
}
