//! Implements the flag `--report`: traces a run and explains the trace.

use std::ops::ControlFlow;
use std::path::Path;

use prophet_report::page::{self, Data, Diagram, WhatIf};
use prophet_report::{Extras, of_trace, write_page};
use prophet_text::{Context as _, Problem};

use super::RunHandle;
use crate::kernel::{Observer, Progress};
use crate::language::model::{Drawing, Model};
use crate::language::place::Places;
use crate::results::outcome::Outcome;
use crate::tracing::Trace;

/// Maximum number of events in all runs with faster elements together, which take a few seconds.
/// Events are limited rather than time, so that reports don't differ from run to run.
const EVENTS_MAX: u64 = 20_000_000;
/// The cost of starting a run, as a number of events.
const EVENTS_OF_RUN: u64 = 1000;
/// The factor by which an element's own time is multiplied to make the element faster.
const FACTOR: f64 = 0.9;

/// Evaluates again with an element's own time multiplied by a factor. Returns `None` if that fails.
pub(super) type Again<'e> = dyn Fn((u32, f64), &mut dyn Observer) -> Option<Outcome> + 'e;

/// Writes the report of a traced run, and returns its data. `evaluate` runs the model again, with
/// the own time of one element, given by its index, multiplied by a factor. The handle ends these
/// runs too.
///
/// # Errors
///
/// Returns an error if the trace couldn't be written or read, or if the report can't be written.
pub(super) fn write(
    path: &Path,
    trace: &Trace,
    model: &Model,
    (outcome, handle): (&Outcome, Option<&RunHandle>),
    evaluate: &Again<'_>,
) -> Result<Data, Problem> {
    let shown = path.display();
    let failed = format_args!("cannot write the report `{shown}`");
    trace.written().context(failed)?;
    let mut reader = trace.read().context(failed)?;
    let mut data = of_trace(&mut reader, extras(model.drawings, outcome)).context(failed)?;
    place(&mut data, &Places::of(model.map));
    if !model.costs.is_empty() {
        let costs = prophet_text::plain::line(model.costs);
        data.notes.push(format!("Costs are {costs}."));
    }
    let assumed = model
        .assumptions
        .iter()
        .map(|it| prophet_text::plain::line(it));
    data.notes
        .extend(assumed.map(|it| format!("Assumed: {it}.")));
    let elements = reader.results().elements.iter();
    let indices: Vec<u32> = elements.map(|element| element.index).collect();
    if !outcome.partial {
        try_faster(&mut data, &indices, (outcome, handle), evaluate);
    }
    write_page(path, &data)?;
    Ok(data)
}

fn extras(drawings: &[Drawing], outcome: &Outcome) -> Extras {
    Extras {
        evaluation: Some((&outcome.evaluation).into()),
        processes: outcome.processes.clone(),
        is_random: outcome.is_random && outcome.replications.is_none(),
        energy: page::energy_facts(outcome.energy.as_ref(), outcome.cost.as_ref()),
        diagrams: drawings.iter().map(diagram).collect(),
    }
}

/// Adds each element's line in the model, if it is known.
fn place(data: &mut Data, places: &Places) {
    for element in &mut data.elements {
        let known = element.id.parse().ok().and_then(|id| places.element(id));
        element.place = known.map(|place| page::ElementPlace {
            line: prophet_text::plain::line(&format!("{}:{}", place.file, place.line)),
            path: String::new(),
        });
    }
}

fn diagram(drawing: &Drawing) -> Diagram {
    Diagram {
        name: drawing.name.to_owned(),
        svg: drawing.svg.to_owned(),
    }
}

/// An observer that ends a run if the handle says so, or if the run takes many more events than the
/// original one.
struct Budget<'h>(u64, Option<&'h RunHandle>);

impl Observer for Budget<'_> {
    fn look(&mut self, progress: Progress) -> ControlFlow<()> {
        if progress.events > self.0 {
            return ControlFlow::Break(());
        }
        { self.1 }.map_or(ControlFlow::Continue(()), |handle| handle.look(progress))
    }
}

/// Replaces bounds that were derived from the critical path by results of actual runs. It begins
/// with the elements that promise most, and goes on as long as the budget allows.
fn try_faster(
    data: &mut Data,
    indices: &[u32],
    (outcome, handle): (&Outcome, Option<&RunHandle>),
    evaluate: &Again<'_>,
) {
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
        let mut budget = Budget(2 * events + 4096, handle);
        let faster = evaluate((*index, FACTOR), &mut budget);
        if let Some(faster) = faster.filter(|faster| !faster.partial) {
            row.predicted_time_s = faster.predicted_time_s;
            row.gain_s = outcome.predicted_time_s - faster.predicted_time_s;
            row.exact = true;
        }
    }
    data.what_if = Some(WhatIf::new(1.0 - FACTOR, &promised.elements));
}

#[cfg(test)]
mod tests {
    use prophet_report::page::Element;

    use super::*;

    #[test]
    fn elements_of_a_page_have_their_lines_in_the_model() {
        let map = r#"{"model": "models/ring.uml", "origins": [
            {"kind": "element", "name": "Work", "path": "M::Work", "id": 7, "line": 42,
             "column": 5}]}"#;
        let element = |id: &str| Element {
            id: id.to_owned(),
            ..Element::default()
        };
        let mut data = Data {
            elements: vec![element("7"), element("8"), element("none")],
            ..Data::default()
        };
        let lines = |data: &Data| -> Vec<Option<String>> {
            let places = data.elements.iter().map(|element| element.place.clone());
            places.map(|place| place.map(|place| place.line)).collect()
        };
        place(&mut data, &Places::of(map));
        assert_eq!(
            lines(&data),
            [Some("models/ring.uml:42".to_owned()), None, None]
        );
        place(&mut data, &Places::of("no map"));
        assert_eq!(lines(&data), [None, None, None]);
    }
}
