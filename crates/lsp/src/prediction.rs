//! Predicts a model, including each element's share of the time.

use prophet_frontend::checked::Checked;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Prediction, RunHandle};
use prophet_text::{count, counted, percent, time};

/// Number of events above which a run takes too long to be shown while the user types.
const EVENTS_MAX: u64 = 50_000;

/// Makes a prediction without flags. Returns `None` if the model has errors or a parameter without
/// a default, or if the run fails or takes too long.
pub(crate) fn predict(checked: &Checked) -> Option<Prediction> {
    checked.program.as_ref()?;
    let program = Interpreted::new(checked, &checked.source.name, false).ok()?;
    let handle = RunHandle::limited(EVENTS_MAX);
    let ran = program.evaluate(["lsp".into()], &handle).ok()?;
    let is_whole = ran.failed.is_none() && !ran.prediction.outcome.partial;
    is_whole.then_some(ran.prediction)
}

pub(crate) fn line(prediction: &Prediction) -> String {
    let outcome = &prediction.outcome;
    let processes = u64::from(prediction.system.processes);
    let processes = counted(processes, "process", "processes");
    format!(
        "predicted: {} on {processes}",
        time(outcome.predicted_time_s)
    )
}

/// Returns a line with an element's number of executions and share of the time; `None` if it wasn't
/// executed.
pub(crate) fn share(prediction: &Prediction, name: &str) -> Option<String> {
    let element = prediction
        .outcome
        .elements
        .iter()
        .find(|it| it.name == name)?;
    Some(format!(
        "{} of the predicted time: {} × {}",
        percent(element.share),
        count(element.count),
        time(element.mean_s)
    ))
}
