//! Maps the lines of `lib.rs` to parts of the model.

use std::collections::BTreeMap;

use crate::emit::{Listing, Subject};
use crate::target::Input;
use crate::trace_map::{Origin, TraceMap};
use prophet_frontend::program::ListPlace as _;
use prophet_map::Map;
use prophet_model::diagnostic::Span;
use prophet_model::model;
use prophet_model::source::lines::Lines;

/// Maps the lines of `text` to parts of the model in `input`.
pub(super) fn map(input: &Input<'_>, text: &Listing) -> TraceMap {
    let mut tracer = Tracer::new(input);
    for subject in text.marked() {
        tracer.note(subject);
    }
    let lines = text.subjects();
    let lines =
        lines.filter_map(|(line, subject)| Some((line, (*tracer.origin_of.get(&subject)?)?)));
    let lines: Vec<(usize, usize)> = lines.collect();
    TraceMap::new(input.model_file, lines, tracer.origins)
}

struct Tracer<'t> {
    input: &'t Input<'t>,
    lines: Lines<'t>,
    parameters: Vec<&'t model::Variable>,
    globals: Vec<&'t model::Variable>,
    /// The cost functions, by the span of their body.
    functions: BTreeMap<Span, &'t model::CostFunction>,
    /// The diagrams, by path. If several have the same path, the first counts.
    diagrams: BTreeMap<&'t str, &'t model::Diagram>,
    origins: Vec<Origin>,
    /// The index of each subject's origin that has been looked up; `None` if the subject isn't
    /// drawn.
    origin_of: BTreeMap<Subject, Option<usize>>,
    /// Indices of origins by kind, place, and path, because different subjects can have the same
    /// origin.
    known: Map<(&'static str, usize, String), usize>,
}

impl<'t> Tracer<'t> {
    fn new(input: &'t Input<'t>) -> Self {
        let model = input.model;
        let (parameters, globals) = model.globals.iter().partition(|it| it.read_only);
        let functions = model.functions.iter().rev();
        let diagrams = model.diagrams.iter().rev();
        Self {
            input,
            lines: Lines::of(input.source),
            parameters,
            globals,
            functions: functions.map(|it| (it.body.text.span, it)).collect(),
            diagrams: diagrams.map(|it| (it.path.as_str(), it)).collect(),
            origins: Vec::new(),
            origin_of: BTreeMap::new(),
            known: Map::new(),
        }
    }

    fn note(&mut self, subject: Subject) {
        if !self.origin_of.contains_key(&subject) {
            let origin = self.origin(subject);
            self.origin_of.insert(subject, origin);
        }
    }

    fn origin(&mut self, subject: Subject) -> Option<usize> {
        let program = self.input.program;
        Some(match subject {
            Subject::Parameter(index) => self.variable(self.parameters.get(index.number())?),
            Subject::Global(index) => self.variable(self.globals.get(index.number())?),
            Subject::Function(index) => {
                let body = program.functions[index].source.text.span;
                let it = *self.functions.get(&body)?;
                self.intern("function", &it.name.value, &it.path, None, it.span)
            }
            Subject::Element(index) => {
                let it = &program.elements[index];
                self.intern("element", &it.name, &it.path, Some(it.id), it.span)
            }
            Subject::Diagram(index) => {
                let it = &program.diagrams[index];
                let drawn = *self.diagrams.get(it.path.as_str())?;
                self.intern("diagram", &it.name, &it.path, None, drawn.span)
            }
        })
    }

    fn variable(&mut self, variable: &model::Variable) -> usize {
        let name = &variable.name;
        self.intern("variable", &name.value, &variable.path, None, name.span)
    }

    fn intern(
        &mut self,
        kind: &'static str,
        name: &str,
        path: &str,
        id: Option<i64>,
        span: Span,
    ) -> usize {
        let key = (kind, span.start, path.to_owned());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let (line, column) = self.lines.place(span.start);
        let input = self.input;
        self.origins.push(Origin {
            kind: kind.to_owned(),
            name: name.to_owned(),
            path: path.to_owned(),
            id,
            file: input.source.file_at(span.start).map(|it| {
                let file = it.beside(input.model_file);
                file.display().to_string()
            }),
            line,
            column,
        });
        let index = self.origins.len() - 1;
        self.known.insert(key, index);
        index
    }
}
