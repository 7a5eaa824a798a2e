//! Answers requests that run the model (predictions, reports, sweeps and animations), and requests
//! for variables in an animation.

use prophet_text::{Context as _, Problem};
use std::collections::BTreeMap;
use std::path::PathBuf;

use prophet_runtime::RunHandle;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::animation::{self, TraceRequest, VariablesRequest};
use crate::answer::{Answer, ok};
#[cfg(feature = "server")]
use crate::export;
#[cfg(feature = "server")]
use crate::kept::KeepRequest;
use crate::memory;
use crate::predict::{Page, Running, StopOnDrop, predict};
use crate::report;
use crate::shared::{Program, Shared};
#[cfg(feature = "server")]
use crate::sweep::SweepRequest;
#[cfg(feature = "server")]
use crate::trace_file::TraceFileRequest;
use crate::workflow;

#[derive(Debug, Deserialize)]
struct Asked<R> {
    /// The page that requests the run. Its previous run of the same kind is stopped.
    #[serde(default)]
    page: Page,
    #[serde(flatten)]
    request: R,
}

#[derive(Debug, Deserialize)]
struct PredictRequest {
    /// Whether to run the model as it was last saved.
    #[serde(default)]
    saved: bool,
    #[serde(default)]
    flags: BTreeMap<String, String>,
}

#[derive(Debug)]
pub(crate) struct Run {
    handle: RunHandle,
    request: Request,
}

#[derive(Debug)]
enum Request {
    Predict(PredictRequest),
    Report(PredictRequest),
    Trace(TraceRequest),
    Variables(VariablesRequest),
    #[cfg(feature = "server")]
    Sweep(SweepRequest),
    #[cfg(feature = "server")]
    TraceFile(TraceFileRequest),
    #[cfg(feature = "server")]
    Keep(KeepRequest),
}

/// Starts the run that a page requests at an address. Returns the run and the guard that stops it,
/// or why the request is invalid. Returns `None` for other addresses.
///
/// A run is stopped when the same page starts another run of the same kind.
pub(crate) fn begin(shared: &Shared, path: &str, bytes: &[u8]) -> Option<Result<Begun, Problem>> {
    let (runs, any) = (&shared.runs, RunHandle::default());
    Some(match path {
        "api/predict" => begun(bytes, &runs.predictions, any, Request::Predict),
        "api/report" => begun(bytes, &runs.reports, report::handle(), Request::Report),
        "api/trace" => begun(bytes, &runs.traces, any, Request::Trace),
        "api/variables" => begun(bytes, &runs.variables, any, Request::Variables),
        #[cfg(feature = "server")]
        "api/sweep" => begun(bytes, &runs.sweeps, any, Request::Sweep),
        #[cfg(feature = "server")]
        "api/keep" => begun(bytes, &runs.kept, any, Request::Keep),
        #[cfg(feature = "server")]
        "api/trace-file" => begun(bytes, &runs.files, report::handle(), Request::TraceFile),
        _ => return None,
    })
}

/// A run, and the guard that stops it.
type Begun = (StopOnDrop, Run);

fn begun<R: DeserializeOwned>(
    bytes: &[u8],
    running: &Running,
    handle: RunHandle,
    request: fn(R) -> Request,
) -> Result<Begun, Problem> {
    let asked = serde_json::from_slice::<Asked<R>>(bytes);
    let asked = asked.told()?;
    let run = Run {
        handle: handle.clone(),
        request: request(asked.request),
    };
    Ok((running.next(asked.page, handle), run))
}

impl Run {
    /// Runs the model in its current state.
    pub(crate) fn answer(&self, shared: &Shared) -> Answer {
        let program = shared.program();
        let (checked, revision) = (&*program.0, program.1);
        let (folder, run) = (shared.folder(), &self.handle);
        let answer = match &self.request {
            Request::Predict(ask) => told(revision, predicted(shared, &program, ask, run)),
            Request::Report(ask) => told(revision, reported(shared, &program, ask, run)),
            Request::Trace(ask) if workflow::is_workflow(checked) => told(
                revision,
                animation::of_workflow(checked, ask, &file(shared)),
            ),
            Request::Trace(ask) => told(revision, animation::trace(checked, ask, folder, run)),
            Request::Variables(ask) => {
                let seen = animation::variables(checked, revision, ask, folder, run);
                told(revision, seen)
            }
            #[cfg(feature = "server")]
            Request::Keep(ask) => told(revision, ask.keep(checked, &file(shared), folder, run)),
            #[cfg(feature = "server")]
            Request::TraceFile(ask) => export::told(ask.download(checked, folder, run)),
            #[cfg(feature = "server")]
            Request::Sweep(ask) => {
                let name = file(shared);
                let name = name.file_name().unwrap_or_default().to_string_lossy();
                let pages = &shared.runs.pages;
                told(revision, ask.sweep(checked, &name, folder, pages, run))
            }
        };
        memory::give_back();
        answer
    }
}

/// Answers with the result of a run, and with the revision of the model that was run.
fn told(revision: u64, result: Result<impl Serialize, Problem>) -> Answer {
    match result {
        Ok(result) => ok(&json!({ "revision": revision, "result": result })),
        Err(error) => ok(&json!({ "revision": revision, "error": error.to_string() })),
    }
}

fn predicted(
    shared: &Shared,
    (checked, _): &Program,
    ask: &PredictRequest,
    run: &RunHandle,
) -> Result<serde_json::Value, Problem> {
    let saved;
    let checked = if ask.saved {
        saved = shared.session().checked_as_saved();
        &saved
    } else {
        &**checked
    };
    if workflow::is_workflow(checked) {
        return workflow::predict(checked, &ask.flags, &file(shared));
    }
    predict(checked, &ask.flags, shared.folder(), run)
}

fn file(shared: &Shared) -> PathBuf {
    shared.session().path().to_owned()
}

fn reported(
    shared: &Shared,
    (checked, _): &Program,
    ask: &PredictRequest,
    run: &RunHandle,
) -> Result<report::Report, Problem> {
    let pages = &shared.runs.pages;
    if workflow::is_workflow(checked) {
        return pages.report_workflow(checked, &ask.flags, &file(shared));
    }
    pages.report(checked, &ask.flags, shared.folder(), run)
}
