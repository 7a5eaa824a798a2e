//! The prediction of a model, with the shares of its elements.

use prophet_frontend::checked::Checked;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Prediction, RunHandle};
use prophet_text::{count, counted, percent, time};

/// Number of events at which a run is too long to be shown while somebody types.
const EVENTS_MAX: u64 = 50_000;

/// The prediction with the defaults of all flags; `None` for a model with errors, without a default
/// of a parameter, or whose run fails or takes long.
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

/// Executions and share of an element in a line, if it was executed.
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
