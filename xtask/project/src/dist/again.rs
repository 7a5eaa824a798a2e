//! Compiles the program again in a different place. Everyone who compiles the same commit must get
//! the same bytes.

use std::fs;
use std::path::Path;

use super::{Dist, HERE, empty, stop, text};
use crate::Stop;

/// Compiles the last commit again in another folder, and compares both programs.
pub(super) fn compare(dist: &Dist) -> Result<(), Stop> {
    let folder = super::crates::alone(dist.root()).with_extension("again");
    empty(&folder)?;
    let commit = format!("env.PROPHET_COMMIT={:?}", dist.commit(&folder)?);
    let target = folder.join("target");
    HERE.build(
        &folder,
        &["--target-dir", text(&target)?, "--config", &commit],
    )?;

    let again = HERE.program(&target);
    let read = |path: &Path| fs::read(path).map_err(|error| stop("read", path, &error));
    if read(&dist.program())? != read(&again)? {
        return Err(Stop::input(format!(
            "{} differs: is everything committed?",
            again.display()
        )));
    }
    eprintln!("both folders contain the same bytes");
    fs::remove_dir_all(&folder).map_err(|error| stop("remove", &folder, &error))
}
