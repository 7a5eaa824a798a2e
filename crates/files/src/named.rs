//! Checks the name of an output, so that a command doesn't run in vain.

use std::io;
use std::path::Path;

use prophet_text::{Problem, problem};

/// Returns the folder of a file if it is missing, so that the file can't be created.
pub fn missing_folder(file: &Path) -> Option<&Path> {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty())?;
    let found = folder.metadata();
    let is_missing = found.is_err_and(|it| it.kind() == io::ErrorKind::NotFound);
    is_missing.then_some(folder)
}

/// Returns a better name for an output with the extension of another format. `endings` are the
/// extensions that the output can have, the best one first.
pub fn better_name(file: &Path, endings: &[&str]) -> Option<String> {
    let ending = file.extension()?.to_string_lossy().to_lowercase();
    if endings.contains(&&*ending) {
        return None;
    }
    let better = file.with_extension(endings[0]);
    Some(prophet_text::plain::line(&better.display().to_string()))
}

/// Rejects the name of an output with the extension of another format. `endings` are the extensions
/// that `what` can have, the best one first.
///
/// # Errors
///
/// Returns a problem that suggests another name.
pub fn check_ending(flag: &str, file: &Path, what: &str, endings: &[&str]) -> Result<(), Problem> {
    better_name(file, endings).map_or(Ok(()), |better| {
        Err(problem!("{flag} writes {what}; name it {better}"))
    })
}
