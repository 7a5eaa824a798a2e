//! Builds pages from a JSON result or from a saved run.

use crate::analysis::totals::Split;
use crate::page::{self, Data, Fact};
use crate::{DRAWN, PARTIAL};
use prophet_result::{ElementOutcome, Extrapolation, RunResult};
use prophet_text::{Problem, problem};
use prophet_trace::{Header, Results};
use serde::Deserialize;
use serde_json::Value;

/// A run in the form that `cargo xtask runs export` writes.
#[derive(Deserialize)]
pub(crate) struct Kept {
    pub(crate) id: i64,
    pub(crate) trace: Option<String>,
    pub(crate) result: RunResult<'static>,
}

fn wrong(error: &serde_json::Error) -> Problem {
    let why = prophet_text::json_mistake(error);
    if error.is_eof() {
        return why.into();
    }
    problem!("this is neither a trace nor a JSON result: {why}")
}

/// Builds a page's data from a result as `--format json` prints it, without the parts that need a
/// trace.
///
/// # Errors
///
/// Returns an error if the text isn't the result of a run.
pub(crate) fn of_result(text: &str) -> Result<Data, Problem> {
    of_run(RunResult::from_json(text.as_bytes()).map_err(|error| wrong(&error))?)
}

/// Reads the runs in an export.
///
/// # Errors
///
/// Returns an error if the text isn't an export of runs.
pub(crate) fn kept(text: &str) -> Result<Vec<Kept>, Problem> {
    serde_json::from_str(text).map_err(|error| wrong(&error))
}

/// Returns `true` if a trace can come from the run with this result.
pub(crate) fn is_told_by(run: &RunResult<'_>, header: &Header, results: &Results) -> bool {
    let same_time = run.predicted_time_s.to_bits() == results.predicted_time_s.to_bits();
    same_time && run.model == header.model && run.seed == header.seed
}

pub(crate) fn evaluation(run: &RunResult<'_>) -> Option<page::Evaluation> {
    let known = Some(&run.evaluation).filter(|it| it.is_known());
    known.map(page::Evaluation::from)
}

/// Returns `true` if the result depends on a single random draw.
pub(crate) fn is_draw(run: &RunResult<'_>) -> bool {
    run.random && run.replications <= 1
}

/// Builds the page's data from a result.
pub(crate) fn of_run(run: RunResult<'_>) -> Result<Data, Problem> {
    let times = run.processes.iter();
    let times = times.flat_map(|it| {
        let parts_s = [it.compute_s, it.communication_s, it.wait_s, it.hold_s];
        parts_s.into_iter().chain([it.end_s])
    });
    let times = times.chain(run.elements.iter().flat_map(|it| [it.total_s, it.max_s]));
    if times
        .chain([run.predicted_time_s])
        .any(|time_s| !(0.0..f64::INFINITY).contains(&time_s))
    {
        return Err("the JSON result has a negative time".into());
    }
    let evaluation = evaluation(&run);
    let mut notes = notes(&run);
    let adds_up = run.processes.iter().all(Split::adds_up);
    if !adds_up {
        let note = "The times of some processes add up to more than their end times, as thread \
                    times did in older versions, so the times of processes are omitted.";
        notes.push(note.to_owned());
    }
    let mut processes = page::Processes::default();
    for process in run.processes.iter().filter(|_| adds_up) {
        processes.push(
            [process.pid, process.nid],
            process.end_s,
            Split::of(process),
        );
    }
    let all_s: f64 = processes.end_s.iter().sum();
    let element = |element: &ElementOutcome| page::Element {
        share: share(element, all_s),
        name: element.name.clone(),
        id: element.id.to_string(),
        kind: element.kind.to_string(),
        count: element.count,
        total_s: element.total_s,
        max_s: element.max_s,
        place: None,
    };
    let parameter = |(name, value): (String, Value)| Fact {
        name,
        value: value.to_string(),
    };
    Ok(Data {
        elements: run.elements.iter().map(element).collect(),
        imbalance: page::Imbalance::of(&processes, run.predicted_time_s),
        processes,
        notes,
        run: page::Run {
            model: run.model,
            nodes: run.system.nodes,
            cpus_per_node: run.system.cpus_per_node,
            processes: run.system.processes,
            threads: run.system.threads,
            units_of_process: run.system.threads,
            parameters: run.parameters.into_iter().map(parameter).collect(),
            machine: run.machine,
            seed: run.seed.to_string(),
            versions: Vec::new(),
            predicted_time_s: run.predicted_time_s,
            partial: run.partial,
            evaluation,
            energy: page::energy_facts(run.energy.as_ref(), run.cost.as_ref()),
        },
        ..Data::default()
    })
}

/// Returns an element's share of the time of all processes. It is limited, because an untrusted
/// file can contain any numbers.
fn share(element: &ElementOutcome, all_s: f64) -> f64 {
    // Results from older versions contain neither shares nor threads that share time.
    let share = if element.share.is_nan() {
        element.total_s / all_s
    } else {
        element.share
    };
    if share > 0.0 { share.min(1.0) } else { 0.0 }
}

fn notes(run: &RunResult<'_>) -> Vec<String> {
    let mut notes = vec![
        "This report is based on a JSON result, which only contains sums. To see what happened \
         when, use a trace (--trace) or a run with --report."
            .to_owned(),
    ];
    if run.partial {
        notes.push(PARTIAL.to_owned());
    }
    if is_draw(run) {
        notes.push(DRAWN.to_owned());
    }
    if !run.costs.is_empty() {
        notes.push(format!("Costs are {}.", run.costs));
    }
    notes.extend(run.extrapolations.iter().map(sentence));
    notes.extend(run.assumptions.iter().map(|it| format!("Assumed: {it}.")));
    notes
}

/// Returns a sentence about a lookup outside the points of a table.
fn sentence(extrapolation: &Extrapolation) -> String {
    let text = extrapolation.to_string();
    format!("{}.", text.replacen('t', "T", 1))
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_says;

    use super::*;

    fn pi(more: &str) -> Data {
        let system = r#"{"nodes": 1, "cpus_per_node": 4, "processes": 4, "threads": 1}"#;
        let head = r#""model": "Pi", "predicted_time_s": 1.5"#;
        of_result(&format!("{{{head}, \"system\": {system}{more}}}")).unwrap()
    }

    #[test]
    fn a_result_tells_of_tables_that_said_nothing() {
        let data = pi(r#", "extrapolations":
                [{"table": "t.csv", "argument": "x", "asked": 9, "from": 1, "to": 4.5}]"#);
        let note = "The table `t.csv` was looked up at x = 9, outside its points (1 to 4.5): \
                    the nearest point was used.";
        assert_eq!(data.notes[1], note);
    }

    #[test]
    fn a_result_tells_what_was_run() {
        let data = pi("");
        assert!((data.run.predicted_time_s - 1.5).abs() < 1e-12);
        assert_eq!((data.run.processes, data.notes.len()), (4, 1));
        assert_says(of_result("{}").unwrap_err(), &["missing key `model`"]);
    }
}
