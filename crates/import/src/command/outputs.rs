//! Files that the commands write.

use prophet_text::{Problem, problem};
use std::path::Path;

use prophet_files::is_same_file;

use crate::files;

/// Refuses an output that would replace a file of the trace; it is named as in a message.
pub(super) fn refuse_input(what: &str, output: &Path, trace: &Path) -> Result<(), Problem> {
    let mut all = files::all(trace).into_iter();
    let same = all.find(|file| is_same_file(file, output));
    same.map_or(Ok(()), |file| {
        Err(problem!(
            "{what} is {} itself, which is read",
            file.display()
        ))
    })
}
