//! Lists, compares and deletes saved runs, which are predictions in the folder's repository.

use std::collections::BTreeMap;
use std::path::Path;

use prophet_frontend::checked::Checked;
use prophet_runs::compare::{compare, render};
use prophet_runs::{ListedRun, Location, Repository, RunRecord, hash};
use prophet_runtime::RunHandle;
use prophet_text::Problem;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, told};
use crate::folder::Folder;
use crate::predict::{predict, words};

/// Name of the repository's file in the folder. `run --save` uses the same file.
const FILE: &str = "runs.sqlite";
const VARIABLE: &str = "PROPHET_REPOSITORY";
/// Maximum number of runs to list or compare. If there are more, the latest are listed.
const LISTED: usize = 500;
const WIDTH: usize = 110;

#[derive(Debug, Deserialize)]
pub(crate) struct KeepRequest {
    #[serde(default)]
    flags: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Chosen {
    runs: Vec<i64>,
}

#[derive(Debug, Serialize)]
struct List {
    repository: String,
    runs: Vec<ListedRun>,
}

/// Answers requests about saved runs; `None` for other addresses.
pub(crate) fn answer(folder: &Folder, path: &str, body: &[u8]) -> Option<Answer> {
    let location = location(folder);
    Some(match path {
        "api/kept" => told(body, |_: serde::de::IgnoredAny| list(&location)),
        "api/compare-kept" => told(body, |ask: Chosen| {
            let runs = ask.runs.get(..LISTED).unwrap_or(&ask.runs);
            let kept = Repository::open(&location)?.get(runs)?;
            Ok(render(&compare(&kept), WIDTH))
        }),
        "api/delete-kept" => told(body, |ask: Chosen| {
            Repository::open(&location)?.delete(&ask.runs)?;
            list(&location)
        }),
        _ => return None,
    })
}

fn location(folder: &Folder) -> Location {
    let named = std::env::var(VARIABLE).ok().filter(|it| !it.is_empty());
    match named {
        Some(named) => Location::of(&named),
        None => Location::File(folder.root().join(FILE)),
    }
}

fn list(location: &Location) -> Result<List, Problem> {
    let is_there = match location {
        Location::File(file) => file.symlink_metadata().is_ok(),
        Location::Url(_) => true,
    };
    let mut runs = Vec::new();
    if is_there {
        runs = Repository::open(location)?.list(None)?;
    }
    runs.reverse();
    runs.truncate(LISTED);
    Ok(List {
        repository: location.to_string(),
        runs,
    })
}

impl KeepRequest {
    /// Makes a prediction, saves the result, and returns the number of the run.
    pub(crate) fn keep(
        &self,
        checked: &Checked,
        file: &Path,
        folder: &Folder,
        handle: &RunHandle,
    ) -> Result<i64, Problem> {
        if crate::workflow::is_workflow(checked) {
            return Err("only runs of processes can be kept, but a workflow has tasks".into());
        }
        let result = predict(checked, &self.flags, folder, handle)?;
        let [mut run] = <[RunRecord; 1]>::try_from(RunRecord::read_all(&result.to_string())?)
            .map_err(|_| "the result is not a run".to_owned())?;
        let words = words(checked, &self.flags, folder)?.into_iter().skip(1);
        run.command = Some(words.map(|it| it.to_string_lossy().into_owned()).collect());
        run.model_file = Some(file.display().to_string());
        // Unsaved edits aren't in any file that could be hashed.
        let bytes = std::fs::read(file).ok();
        let saved = bytes.filter(|it| it == checked.source.own_text().as_bytes());
        run.model_hash = saved.map(|it| hash::bytes(&it));
        let ids = Repository::create(&location(folder))?.add(&[run])?;
        ids.first()
            .copied()
            .ok_or_else(|| "the run was not kept".into())
    }
}
