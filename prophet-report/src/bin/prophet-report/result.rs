//! What a page shows of a result in JSON, and of a run that is kept.

use prophet_report::PARTIAL;
use prophet_report::page::{self, Data, Fact};
use prophet_trace::{Header, Results};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A run as `cargo xtask runs export` writes it.
#[derive(Deserialize)]
pub(crate) struct Kept {
    pub(crate) id: i64,
    /// Where its trace was.
    pub(crate) trace: Option<String>,
    pub(crate) result: Run,
}

/// The result of a run, as `--format json` prints it. Keys that are not here are no trouble.
#[derive(Deserialize)]
pub(crate) struct Run {
    model: String,
    system: System,
    #[serde(default)]
    parameters: Map<String, Value>,
    #[serde(default)]
    machine: String,
    #[serde(default)]
    seed: u64,
    predicted_time_s: f64,
    #[serde(default)]
    partial: bool,
    evaluation: Option<Evaluation>,
    #[serde(default)]
    processes: Vec<Process>,
    #[serde(default)]
    elements: Vec<Element>,
}

#[derive(Deserialize)]
struct System {
    nodes: u32,
    cpus_per_node: u32,
    processes: u32,
    threads: u32,
}

#[derive(Deserialize)]
struct Evaluation {
    engine: String,
    wall_s: f64,
    cpu_s: f64,
    events: u64,
    messages: u64,
    peak_memory_bytes: u64,
}

#[derive(Deserialize)]
struct Process {
    pid: u32,
    nid: u32,
    end_s: f64,
    compute_s: f64,
    communication_s: f64,
    wait_s: f64,
}

#[derive(Deserialize)]
struct Element {
    name: String,
    id: i64,
    #[serde(rename = "type")]
    kind: String,
    count: u64,
    total_s: f64,
    max_s: f64,
}

/// Why a text is no result, in words.
fn wrong(error: &serde_json::Error) -> String {
    format!("this is neither a trace nor a result in JSON: {error}")
}

/// The data of the page of a result, as `--format json` prints it: what only a trace tells is
/// missing.
///
/// # Errors
///
/// In words, if the text is no such result.
pub(crate) fn of_result(text: &str) -> Result<Data, String> {
    let run: Run = serde_json::from_str(text).map_err(|error| wrong(&error))?;
    of_run(run)
}

/// The runs that an export has.
///
/// # Errors
///
/// In words, if the text is none.
pub(crate) fn kept(text: &str) -> Result<Vec<Kept>, String> {
    serde_json::from_str(text).map_err(|error| wrong(&error))
}

impl Run {
    /// Whether a trace may be that of this run.
    pub(crate) fn is_told_by(&self, header: &Header, results: &Results) -> bool {
        let same_time = self.predicted_time_s.to_bits() == results.predicted_time_s.to_bits();
        same_time && self.model == header.model && self.seed == header.seed
    }

    /// What the evaluation took.
    pub(crate) fn evaluation(&self) -> Option<page::Evaluation> {
        self.evaluation.as_ref().map(|it| page::Evaluation {
            engine: it.engine.clone(),
            wall_s: it.wall_s,
            cpu_s: it.cpu_s,
            events: it.events,
            messages: it.messages,
            peak_memory_bytes: it.peak_memory_bytes,
        })
    }
}

/// The data of the page of a result.
pub(crate) fn of_run(run: Run) -> Result<Data, String> {
    let times = run.processes.iter();
    let times = times.flat_map(|it| [it.end_s, it.compute_s, it.communication_s, it.wait_s]);
    let times = times.chain(run.elements.iter().flat_map(|it| [it.total_s, it.max_s]));
    if times
        .chain([run.predicted_time_s])
        .any(|time_s| !(0.0..f64::INFINITY).contains(&time_s))
    {
        return Err("the result in JSON has a negative time".to_owned());
    }
    let evaluation = run.evaluation();
    let mut processes = page::Processes::default();
    for process in run.processes {
        processes.pid.push(process.pid);
        processes.nid.push(process.nid);
        processes.end_s.push(process.end_s);
        processes.compute_s.push(process.compute_s);
        processes.communication_s.push(process.communication_s);
        processes.wait_s.push(process.wait_s);
    }
    let element = |element: Element| page::Element {
        name: element.name,
        id: element.id.to_string(),
        kind: element.kind,
        count: element.count,
        total_s: element.total_s,
        max_s: element.max_s,
    };
    let parameter = |(name, value): (String, Value)| Fact {
        name,
        value: value.to_string(),
    };
    Ok(Data {
        elements: run.elements.into_iter().map(element).collect(),
        processes,
        notes: notes(run.partial),
        run: page::Run {
            model: run.model,
            nodes: run.system.nodes,
            cpus_per_node: run.system.cpus_per_node,
            processes: run.system.processes,
            threads: run.system.threads,
            parameters: run.parameters.into_iter().map(parameter).collect(),
            machine: run.machine,
            seed: run.seed.to_string(),
            versions: Vec::new(),
            predicted_time_s: run.predicted_time_s,
            partial: run.partial,
            evaluation,
        },
        ..Data::default()
    })
}

fn notes(partial: bool) -> Vec<String> {
    let mut notes = vec![
        "This is made of a result in JSON, which tells sums alone. A trace (--trace), or a run \
         with --report, tells what happened when."
            .to_owned(),
    ];
    if partial {
        notes.push(PARTIAL.to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_tells_what_was_run() {
        let data = of_result(
            r#"{"model": "Pi", "predicted_time_s": 1.5,
                "system": {"nodes": 1, "cpus_per_node": 4, "processes": 4, "threads": 1}}"#,
        )
        .unwrap();
        assert!((data.run.predicted_time_s - 1.5).abs() < 1e-12);
        assert_eq!((data.run.processes, data.notes.len()), (4, 1));
        assert!(
            of_result("{}")
                .unwrap_err()
                .contains("missing field `model`")
        );
    }
}
