//! `--report`: a run is traced, and its trace explained.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use prophet_report::page::{Data, Diagram, Evaluation, WhatIf};
use prophet_report::{Extras, of_trace, write_page};
use prophet_trace::{ProcessTotals, Reader};

use crate::engine::{Observer, Progress};
use crate::model::Drawing;
use crate::outcome::Outcome;
use crate::trace::Trace;

/// Events that all runs with faster elements may take together: some seconds. Counted, since what a
/// clock says would differ from run to run.
const EVENTS_MAX: u64 = 20_000_000;
/// What a run takes besides its events, as events.
const EVENTS_OF_RUN: u64 = 1000;
/// How much of its own time a faster element takes.
const FACTOR: f64 = 0.9;

/// The trace of a run that is there for its report alone; gone with this value.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// A file beside a report that is no other program's.
    pub(super) fn beside(report: &Path) -> Self {
        let mut name = report.as_os_str().to_owned();
        name.push(format!(".{}.trace", std::process::id()));
        Self(name.into())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // There is none if it could not be written.
        let _ = fs::remove_file(&self.0);
    }
}

/// Runs the program again, with the own time of an element changed by a factor.
pub(super) type Again<'e> = dyn Fn((u32, f64), &mut dyn Observer) -> Result<Outcome, String> + 'e;

/// Writes the report of a run that has been traced. `evaluate` runs it again, with the own time of
/// an element, by index, multiplied by a factor.
///
/// # Errors
///
/// In words, if the trace could not be written or read, or the report not be written.
pub(super) fn write(
    path: &Path,
    trace: &Trace,
    drawings: &[Drawing],
    outcome: &Outcome,
    evaluate: &Again<'_>,
) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| {
        format!("the report `{}` cannot be written: {error}", path.display())
    };
    trace.written().map_err(|error| failed(&error))?;
    let mut reader = Reader::open(trace.path()).map_err(|error| failed(&error))?;
    let mut data =
        of_trace(&mut reader, extras(drawings, outcome)).map_err(|error| failed(&error))?;
    let elements = reader.results().elements.iter();
    let indices: Vec<u32> = elements.map(|element| element.index).collect();
    if !outcome.partial {
        try_faster(&mut data, &indices, outcome, evaluate);
    }
    write_page(path, &data)
}

fn extras(drawings: &[Drawing], outcome: &Outcome) -> Extras {
    let evaluation = &outcome.evaluation;
    let processes = outcome.processes.iter().map(|process| ProcessTotals {
        pid: process.pid,
        nid: process.nid,
        end_s: process.end_s,
        compute_s: process.compute_s,
        communication_s: process.communication_s,
        wait_s: process.wait_s,
    });
    Extras {
        evaluation: Some(Evaluation {
            engine: evaluation.engine.to_owned(),
            wall_s: evaluation.wall_s,
            cpu_s: evaluation.cpu_s,
            events: evaluation.events,
            messages: evaluation.messages,
            peak_memory_bytes: evaluation.peak_memory_bytes,
        }),
        processes: processes.collect(),
        diagrams: drawings.iter().map(diagram).collect(),
    }
}

fn diagram(drawing: &Drawing) -> Diagram {
    Diagram {
        name: drawing.name.to_owned(),
        svg: drawing.svg.to_owned(),
    }
}

/// Ends a run that takes many more events than the one that it is compared with.
struct Budget(u64);

impl Observer for Budget {
    fn look(&mut self, progress: Progress) -> ControlFlow<()> {
        if progress.events > self.0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Replaces what the critical path promises at most by what a run gives, for the elements that
/// promise most and as far as the budget goes.
fn try_faster(data: &mut Data, indices: &[u32], outcome: &Outcome, evaluate: &Again<'_>) {
    let Some(mut promised) = data.what_if.take() else {
        return;
    };
    let events = outcome.evaluation.events;
    let tried = EVENTS_MAX / (events + EVENTS_OF_RUN);
    let tried = usize::try_from(tried).unwrap_or(usize::MAX);
    for row in promised.elements.iter_mut().take(tried) {
        let Some(index) = indices.get(row.element as usize) else {
            continue;
        };
        let mut budget = Budget(2 * events + 4096);
        let faster = evaluate((*index, FACTOR), &mut budget);
        if let Some(faster) = faster.ok().filter(|faster| !faster.partial) {
            row.predicted_time_s = faster.predicted_time_s;
            row.gain_s = outcome.predicted_time_s - faster.predicted_time_s;
            row.exact = true;
        }
    }
    data.what_if = Some(WhatIf::new(1.0 - FACTOR, &promised.elements));
}
