//! Command `report`: `text|json OUT MAP FILE…`, empty OUT and MAP mean no file.

use prophet_text::{Problem, problem};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::write_page;
use prophet_files::is_same_file;

mod compare;
mod places;
mod read;
mod result;
mod summary;

use compare::compare;
use places::Map;
use read::read;
use summary::{summary_json, summary_text};

/// Prints the findings about some runs, and writes the page if OUT names one.
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
    let mut inputs = files.iter().map(PathBuf::as_path).chain(map);
    if let Some(out) = out
        && let Some(file) = inputs.find(|file| is_same_file(file, out))
    {
        return Err(problem!("--out is {} itself", file.display()));
    }
    let map = map.map(Map::read).transpose()?;
    let runs: Vec<_> = files
        .iter()
        .map(|path| read(path))
        .collect::<Result<_, Problem>>()?;
    let runs = runs.into_iter().flatten().collect();
    let mut data = compare(runs);
    if let Some(map) = map {
        map.place(&mut data);
    }
    let text = if as_json {
        format!("{:#}\n", summary_json(&data))
    } else {
        summary_text(&data)
    };
    prophet_text::print(&text)?;
    let Some(out) = out else { return Ok(()) };
    write_page(out, &data)?;
    eprintln!("wrote {}", out.display());
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
        assert_eq!(told, Err(problem!("--out is {} itself", map.display())));
    }
}
