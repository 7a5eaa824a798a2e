//! Implements the `report` command. Its arguments are `text|json OUT MAP FILE…`. An empty OUT or
//! MAP means that there is no such file.

use prophet_text::Problem;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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

/// Prints a summary of one or more runs, and writes the page if OUT isn't empty.
pub fn main(arguments: &[OsString]) -> ExitCode {
    let mut arguments = arguments.iter();
    let as_json = arguments.next().is_some_and(|format| format == "json");
    let mut path = || {
        let path = arguments.next().map(PathBuf::from).unwrap_or_default();
        Some(path).filter(|path| !path.as_os_str().is_empty())
    };
    let (out, map) = (path(), path());
    let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let outcome = run(as_json, out.as_deref(), map.as_deref(), &files);
    prophet_text::exit_code(outcome.map(|()| ExitCode::SUCCESS))
}

fn run(
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
