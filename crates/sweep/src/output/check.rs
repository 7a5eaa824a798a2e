//! Refusals of outputs that cannot be written.

use std::path::{Path, PathBuf};

use prophet_files::is_same_file;
use prophet_text::{Problem, problem};

use super::Format;

/// Refuses to write over what is read, and two things into one file; each output has its flag.
///
/// # Errors
///
/// The first output that is refused.
pub fn check_outputs(
    outputs: &[(&str, &Option<PathBuf>)],
    inputs: &[PathBuf],
) -> Result<(), Problem> {
    let given = outputs
        .iter()
        .filter_map(|(flag, path)| Some((*flag, path.as_deref()?)));
    let given: Vec<(&str, &Path)> = given.collect();
    for (place, (flag, path)) in given.iter().enumerate() {
        if inputs.iter().any(|input| is_same_file(input, path)) {
            return Err(problem!(
                "{flag} is {} itself, which the sweep reads",
                path.display()
            ));
        }
        let is_same = |(_, other): &&(&str, &Path)| other == path || is_same_file(other, path);
        if let Some((other, _)) = given[..place].iter().find(is_same) {
            return Err(problem!("{other} and {flag} are both {}", path.display()));
        }
    }
    Ok(())
}

/// Refuses `--json` where nothing is to be found, and `--format` where no rows are written.
pub(crate) fn check_words(
    has_goals: bool,
    json: bool,
    format: Option<Format>,
) -> Result<(), Problem> {
    if has_goals && format.is_some() {
        return Err("--format is the format of rows in a file: give --out FILE, too".into());
    }
    if json && !has_goals {
        return Err(problem!(
            "--json prints what --minimize, --pareto or --sensitivity finds, and none of \
                    them is given; --format jsonl is for rows"
        ));
    }
    Ok(())
}
