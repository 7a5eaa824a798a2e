//! Runs predictions for pages. A page's new prediction stops its previous one.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use prophet_frontend::checked::Checked;
use prophet_interpreter::{Interpreted, Unsupported};
use prophet_runtime::{Ran, RunHandle};
use prophet_text::{Context as _, Problem};
use serde::Serialize;
use serde_json::Value;

use crate::folder::Folder;
use crate::words::{MACHINE, may_set};

/// Maximum number of pages with runs. When there is another page, the oldest run is stopped.
const PAGES_MAX: usize = 16;

/// The latest run of each page, for one kind of run.
#[derive(Debug, Default)]
pub(crate) struct Running(Mutex<VecDeque<(Page, RunHandle)>>);

/// A number that a page, or a part of it, has chosen for its runs.
pub(crate) type Page = u32;

/// Stops a run when nobody waits for it any longer.
#[derive(Debug)]
pub(crate) struct StopOnDrop(RunHandle);

#[derive(Debug, Serialize)]
pub(crate) struct Progress {
    time_s: f64,
    events: u64,
}

impl Running {
    /// Stops a page's run, and registers the page's next run with this handle.
    pub(crate) fn next(&self, page: Page, handle: RunHandle) -> StopOnDrop {
        let mut last = self.last();
        let own = last.iter().position(|(of, _)| *of == page);
        let place = own.or_else(|| (last.len() == PAGES_MAX).then_some(0));
        if let Some((_, ended)) = place.and_then(|at| last.remove(at)) {
            ended.stop();
        }
        last.push_back((page, handle.clone()));
        StopOnDrop(handle)
    }

    pub(crate) fn progress(&self, page: Page) -> Option<Progress> {
        let last = self.last();
        let (_, run) = last.iter().find(|(of, _)| *of == page)?;
        Some(Progress {
            time_s: run.time_s(),
            events: run.events(),
        })
    }

    fn last(&self) -> MutexGuard<'_, VecDeque<(Page, RunHandle)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for StopOnDrop {
    type Target = RunHandle;

    fn deref(&self) -> &RunHandle {
        &self.0
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Predicts with these flags, which can include parameters of the model. Returns the result as
/// `run` prints it, or the problem.
pub(crate) fn predict(
    checked: &Checked,
    flags: &BTreeMap<String, String>,
    folder: &Folder,
    handle: &RunHandle,
) -> Result<Value, Problem> {
    let interpreted = interpreted(checked)?;
    let words = words(checked, flags, folder)?;
    let Ran {
        prediction, failed, ..
    } = interpreted.evaluate(words, handle)?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    let result = prediction.result(interpreted.model());
    result.to_value().told()
}

pub(crate) fn interpreted(checked: &Checked) -> Result<Interpreted, Problem> {
    let interpreted = Interpreted::new(checked, &checked.source.name, false);
    interpreted.map_err(|why| only_compiled(&why).into())
}

/// Returns a folder for temporary files, if there is a disk.
pub(crate) fn scratch() -> PathBuf {
    let folder = if cfg!(target_family = "wasm") {
        PathBuf::new()
    } else {
        std::env::temp_dir()
    };
    folder.join("prophet-studio")
}

pub(crate) fn only_compiled(why: &Unsupported) -> String {
    format!("{why}; only a compiled program can run it")
}

/// Returns the command line of a run with these flags, which can include parameters of the model.
/// The machine can be a file in the folder.
pub(crate) fn words(
    checked: &Checked,
    flags: &BTreeMap<String, String>,
    folder: &Folder,
) -> Result<Vec<OsString>, Problem> {
    let Some(program) = &checked.program else {
        return Err("the model has problems".into());
    };
    let mut words: Vec<OsString> = vec!["studio".into()];
    for (name, value) in flags {
        if program.parameters.iter().any(|it| it.name == *name) {
            words.push(format!("--set={name}={value}").into());
        } else if may_set(name, value) {
            words.push(format!("--{name}={value}").into());
        } else if name == MACHINE {
            let mut word = OsString::from("--machine=");
            word.push(
                folder
                    .machine_value(value)
                    .context(cannot_be(name, value))?,
            );
            words.push(word);
        } else {
            return Err(cannot_be(name, value).into());
        }
    }
    Ok(words)
}

fn cannot_be(name: &str, value: &str) -> String {
    format!("`{name}` cannot be set to `{value}` here")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_the_last_one_of_its_page_alone() {
        let running = Running::default();
        let [one, other, newer] = [7, 8, 7].map(|page| running.next(page, RunHandle::default()));
        assert!(one.is_stopped());
        assert!(!other.is_stopped());
        assert!(!newer.is_stopped());
        assert!(running.progress(8).is_some());
        assert!(running.progress(9).is_none());
    }

    #[test]
    fn the_oldest_run_ends_where_there_are_too_many() {
        let running = Running::default();
        let pages = 0..=u32::try_from(PAGES_MAX).unwrap();
        let runs: Vec<_> = pages
            .map(|page| running.next(page, RunHandle::default()))
            .collect();
        let stopped: Vec<_> = runs.iter().map(|it| it.is_stopped()).collect();
        assert!(stopped[0]);
        assert!(!stopped[1..].contains(&true), "{stopped:?}");
    }
}
