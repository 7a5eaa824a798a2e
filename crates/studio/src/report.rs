//! Reports predictions: renders report pages, and marks the critical path on the diagrams.

use prophet_text::{Context as _, Problem};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use http::HeaderValue;
use http::header::CONTENT_SECURITY_POLICY;
use prophet_codegen::model::{ElementId, Model};
use prophet_codegen::target::drawing::Drawing;
use prophet_codegen::target::svg;
use prophet_edit::Outline;
use prophet_frontend::checked::Checked;
use prophet_frontend::program::Program;
use prophet_report::page::{CriticalPathData, Data, Diagram, policy, render};
use prophet_report::{Extras, of_trace};
use prophet_runtime::{RunHandle, Trace};
use serde::Serialize;

use crate::answer::{Answer, missing, typed};
use crate::predict::{interpreted, scratch, words};
use crate::ways::{FlowId, passes};
use crate::workflow;

/// Number of pages to keep, so that several tabs can each show one.
const KEPT: usize = 4;
/// Number of events after which the run of a report is stopped. By then, its trace can take a
/// gigabyte.
pub(crate) const EVENTS_MAX: u64 = 50_000_000;

/// Additional policy for a report. The report is shown in a frame as if it came from another site,
/// but users can save files from it.
const FRAMED: &str = "frame-ancestors 'self'; sandbox allow-scripts allow-downloads";

#[derive(Debug, Default)]
pub(crate) struct Reports(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    pages: VecDeque<(u64, Kept)>,
    last: u64,
}

/// A page, and the policy that its scripts need.
#[derive(Debug, Clone)]
struct Kept {
    policy: &'static str,
    page: Arc<str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Address of the page, relative to the model's address.
    address: String,
    path: Option<PathView>,
}

/// The critical path, in the form in which a page shows it on diagrams.
#[derive(Debug, Serialize)]
struct PathView {
    end_s: f64,
    elements: Vec<ElementOnPath>,
    flows: Vec<FlowOnPath>,
}

#[derive(Debug, Serialize)]
struct ElementOnPath {
    element: i64,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct FlowOnPath {
    id: String,
    count: u64,
}

impl Reports {
    /// Predicts with these flags, and explains where the time went. If that fails, returns the
    /// problem.
    pub(crate) fn report(
        &self,
        checked: &Checked,
        flags: &BTreeMap<String, String>,
        machines: &crate::folder::Folder,
        handle: &RunHandle,
    ) -> Result<Report, Problem> {
        let mut trace = Trace::scratch(scratch());
        let words = words(checked, flags, machines)?;
        let outcome = interpreted(checked)?.observe(words, Some(&mut trace), handle);
        if let Err(why) = outcome
            && handle.events() <= EVENTS_MAX
        {
            return Err(why);
        }
        let data = data(checked, &trace)?;
        let path = match (&checked.model, &checked.program) {
            (Some(model), Some(program)) => path(model, program, checked.source.own_text(), &data),
            _ => None,
        };
        let address = self.keep(policy(), render(&data));
        Ok(Report { address, path })
    }

    /// Predicts the workflow in a file, and explains where the time went.
    pub(crate) fn report_workflow(
        &self,
        checked: &Checked,
        flags: &BTreeMap<String, String>,
        file: &Path,
    ) -> Result<Report, Problem> {
        let predicted = workflow::predicted(checked, flags, file)?;
        let page = predicted.page();
        let uses = predicted.uses().into_iter();
        let elements = uses
            .filter(|it| it.critical_s > 0.0)
            .map(|it| ElementOnPath {
                element: it.element,
                seconds: it.critical_s,
            });
        let path = PathView {
            end_s: predicted.makespan_s(),
            elements: elements.collect(),
            flows: Vec::new(),
        };
        Ok(Report {
            address: self.keep(prophet_workflow::command::page_policy(), page),
            path: Some(path),
        })
    }

    /// Keeps a page, and returns its address relative to the model's address.
    pub(crate) fn keep(&self, policy: &'static str, page: String) -> String {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.last += 1;
        let number = shelf.last;
        let page = page.into();
        shelf.pages.push_back((number, Kept { policy, page }));
        if shelf.pages.len() > KEPT {
            shelf.pages.pop_front();
        }
        format!("api/report/{number}")
    }

    /// Answers with the page with this number, to be shown in a frame.
    pub(crate) fn answer(&self, number: &str) -> Answer {
        let Some(Kept { policy, page }) = self.find(number) else {
            return missing();
        };
        let mut answer = typed("text/html; charset=utf-8", page.as_bytes().to_vec());
        if let Ok(policy) = HeaderValue::from_str(&format!("{policy}; {FRAMED}")) {
            let headers = answer.headers_mut();
            headers.insert(CONTENT_SECURITY_POLICY, policy);
        }
        answer
    }

    fn find(&self, number: &str) -> Option<Kept> {
        let number: u64 = number.parse().ok()?;
        let shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = shelf.pages.iter().find(|(of, _)| *of == number);
        found.map(|(_, page)| page.clone())
    }
}

/// Creates a handle that stops the run of a report before its trace fills the disk.
pub(crate) fn handle() -> RunHandle {
    RunHandle::limited(EVENTS_MAX)
}

fn data(checked: &Checked, trace: &Trace) -> Result<Data, Problem> {
    let written = trace.written();
    written.context("the run cannot be traced")?;
    let cannot = "the trace cannot be read";
    let mut reader = trace.read().context(cannot)?;
    let extras = Extras {
        diagrams: diagrams(checked),
        ..Extras::default()
    };
    of_trace(&mut reader, extras).context(cannot)
}

fn diagrams(checked: &Checked) -> Vec<Diagram> {
    let (Some(model), Some(program)) = (&checked.model, &checked.program) else {
        return Vec::new();
    };
    let pictures = svg::carried(&Drawing::new(model, program)).into_iter();
    let diagram = |picture: svg::Picture| Diagram {
        name: picture.title,
        svg: picture.svg,
    };
    pictures.map(diagram).collect()
}

fn path(model: &Model, program: &Program, text: &str, data: &Data) -> Option<PathView> {
    let path = data.critical_path.as_ref()?;
    let flows = Outline::read(text).map_or_else(
        |_| Vec::new(),
        |outline| flows(model, program, &outline, data),
    );
    Some(PathView {
        end_s: data.run.predicted_time_s,
        elements: elements(path, data),
        flows,
    })
}

/// Adds up the time of each element on the path.
fn elements(path: &CriticalPathData, data: &Data) -> Vec<ElementOnPath> {
    let mut seconds: BTreeMap<u32, f64> = BTreeMap::new();
    for part in &path.parts {
        *seconds.entry(part.element).or_default() += part.total_s;
    }
    let held = |(place, seconds): (u32, f64)| {
        let element = data.elements.get(place as usize)?.id.parse().ok()?;
        Some(ElementOnPath { element, seconds })
    };
    seconds.into_iter().filter_map(held).collect()
}

/// Finds the flows between consecutive elements on the path.
fn flows(model: &Model, program: &Program, outline: &Outline, data: &Data) -> Vec<FlowOnPath> {
    let drawing = Drawing::new(model, program);
    let elements = model.elements.iter().enumerate();
    let by_id: BTreeMap<String, ElementId> = elements
        .filter_map(|(at, it)| Some((drawing.id(it)?.to_string(), ElementId(at))))
        .collect();
    // The program starts and ends without an element.
    let element = |place: Option<u32>| match place {
        Some(place) => {
            let found = data.elements.get(place as usize)?;
            by_id.get(&found.id).copied().map(Some)
        }
        None => Some(None),
    };
    let path = data.critical_path.iter();
    let steps = path.flat_map(|path| &path.steps);
    let steps = steps.filter_map(|it| Some((element(it.from)?, element(it.to)?, it.count)));
    let flow = |((diagram, number), count): (FlowId, u64)| {
        let flow = &model.diagram(diagram).flows[number];
        let id = outline.id_at(flow.span.start)?.to_owned();
        Some(FlowOnPath { id, count })
    };
    passes(model, steps).into_iter().filter_map(flow).collect()
}
