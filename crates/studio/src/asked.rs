//! Requests that run the model: predictions, reports, animations, and variables in them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::Response;
use prophet_runtime::RunHandle;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::animation::{self, TraceRequest, VariablesRequest};
use crate::answer::{ok, on_thread, refused};
use crate::memory;
use crate::predict::{Page, Running, predict};
use crate::report;
use crate::runs::Runs;
use crate::shared::{Program, Shared};
use crate::workflow;

/// Request of a page for a run.
#[derive(Debug, Deserialize)]
struct Asked<R> {
    /// The page, whose own run of that kind ends.
    #[serde(default)]
    page: Page,
    #[serde(flatten)]
    request: R,
}

/// Request for a prediction.
#[derive(Debug, Deserialize)]
struct PredictRequest {
    /// True for the model as it was saved last.
    #[serde(default)]
    saved: bool,
    #[serde(default)]
    flags: BTreeMap<String, String>,
}

/// Answers from a run of the model.
pub(crate) async fn answer(shared: &Arc<Shared>, path: &str, bytes: &Bytes) -> Response {
    let any = RunHandle::default();
    match path {
        "api/predict" => computed(shared, bytes, |it| &it.predictions, any, predicted).await,
        "api/report" => {
            let limited = report::handle();
            computed(shared, bytes, |it| &it.reports, limited, reported).await
        }
        "api/trace" => {
            let trace = |it: &Shared, program: &Program, ask: &TraceRequest, run: &RunHandle| {
                if workflow::is_workflow(&program.0) {
                    return animation::of_workflow(&program.0, ask, &file(it));
                }
                animation::trace(&program.0, ask, it.folder(), run)
            };
            computed(shared, bytes, |it| &it.traces, any, trace).await
        }
        _ => {
            let seen = |it: &Shared, program: &Program, ask: &VariablesRequest, run: &RunHandle| {
                animation::variables(&program.0, program.1, ask, it.folder(), run)
            };
            computed(shared, bytes, |it| &it.variables, any, seen).await
        }
    }
}

fn predicted(
    shared: &Shared,
    (checked, _): &Program,
    ask: &PredictRequest,
    run: &RunHandle,
) -> Result<serde_json::Value, String> {
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

/// The model's file.
fn file(shared: &Shared) -> PathBuf {
    shared.session().path().to_owned()
}

fn reported(
    shared: &Shared,
    (checked, _): &Program,
    ask: &PredictRequest,
    run: &RunHandle,
) -> Result<report::Report, String> {
    let pages = &shared.runs.pages;
    if workflow::is_workflow(checked) {
        return pages.report_workflow(checked, &ask.flags, &file(shared));
    }
    pages.report(checked, &ask.flags, shared.folder(), run)
}

/// Computes from the checked model of a revision; ends if a newer request of its kind and page
/// begins, or the page goes away.
async fn computed<R: DeserializeOwned + Send + 'static, T: Serialize>(
    shared: &Arc<Shared>,
    body: &Bytes,
    kind: impl FnOnce(&Runs) -> &Running,
    handle: RunHandle,
    compute: impl FnOnce(&Shared, &Program, &R, &RunHandle) -> Result<T, String> + Send + 'static,
) -> Response {
    let Asked { page, request } = match serde_json::from_slice::<Asked<R>>(body) {
        Ok(asked) => asked,
        Err(error) => return refused(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    let run = kind(&shared.runs).next(page, handle);
    let handle = run.clone();
    on_thread(shared, move |shared| {
        let program = shared.program();
        let computed = compute(shared, &program, &request, &handle);
        let (_, revision) = program;
        let answer = match computed {
            Ok(result) => ok(&json!({ "revision": revision, "result": result })),
            Err(error) => ok(&json!({ "revision": revision, "error": error })),
        };
        memory::give_back();
        answer
    })
    .await
}
