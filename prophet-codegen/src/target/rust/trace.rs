//! The map from the lines of `lib.rs` to the parts of the model.

use super::handler::Parts;
use crate::diagnostic::Span;
use crate::map::Map;
use crate::program::{ElementIndex, Program};
use crate::source::lines::Lines;
use crate::target::Input;
use crate::trace_map::{Origin, TraceMap, Words, count_words};

/// The map of `text`, which is `raw`, laid out. `program` is what `parts` are of.
pub(super) fn map(
    input: &Input<'_>,
    program: &Program,
    parts: &Parts,
    raw: &str,
    text: &str,
) -> TraceMap {
    let mut tracer = Tracer {
        lines: Lines::new(&input.source.text),
        origins: Vec::new(),
        known: Map::new(),
        words: Words::new(),
        rest: raw,
        count: 0,
    };
    for (code, element) in parts.elements.iter().zip(&parts.element_of) {
        let origin = element.map(|element| tracer.element(program, element));
        tracer.piece(code, origin, &[]);
    }
    let globals = input.model.globals.iter();
    let (parameters, variables): (Vec<_>, Vec<_>) = globals.partition(|it| it.read_only);
    let globals = parameters.into_iter().chain(variables);
    for (field, variable) in parts.fields.iter().zip(globals) {
        let (name, span) = (&variable.name.value, variable.name.span);
        let origin = tracer.origin("variable", name, &variable.path, None, span);
        tracer.piece(&field.declaration, Some(origin), &[]);
    }
    for (function, used) in parts.functions.iter().zip(&program.functions) {
        let mut drawn = input.model.functions.iter();
        let drawn = drawn.find(|it| it.body.text.span == used.source.text.span);
        let origin = drawn.map(|it| {
            let (name, path) = (&it.name.value, &it.path);
            tracer.origin("function", name, path, None, it.span)
        });
        tracer.piece(function.code.trim(), origin, &[]);
    }
    for (documented, diagram) in parts.diagrams.iter().zip(&program.diagrams) {
        let mut drawn = input.model.diagrams.iter();
        let drawn = drawn.find(|it| it.path == diagram.path);
        let (name, path) = (&diagram.name, &diagram.path);
        let origin = drawn.map(|it| tracer.origin("diagram", name, path, None, it.span));
        let marks = documented.marks.iter();
        let marks: Vec<(usize, usize)> = marks
            .map(|(word, element)| (*word, tracer.element(program, *element)))
            .collect();
        tracer.piece(&documented.code, origin, &marks);
    }
    TraceMap::new(input.model_file, tracer.origins, &tracer.words, text)
}

struct Tracer<'t> {
    lines: Lines<'t>,
    origins: Vec<Origin>,
    /// The origins by kind and place.
    known: Map<(&'static str, usize, String), usize>,
    words: Words,
    /// What of the text has not been passed.
    rest: &'t str,
    /// The words that have been passed.
    count: usize,
}

impl Tracer<'_> {
    fn element(&mut self, program: &Program, index: ElementIndex) -> usize {
        let element = &program.elements[index];
        let (name, path) = (&element.name, &element.path);
        self.origin("element", name, path, Some(element.id), element.span)
    }

    /// The index of an origin.
    fn origin(
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
        self.origins.push(Origin {
            kind: kind.to_owned(),
            name: name.to_owned(),
            path: path.to_owned(),
            id,
            line,
            column,
        });
        let index = self.origins.len() - 1;
        self.known.insert(key, index);
        index
    }

    /// Passes the next place of `code`, in which `marks` say from which word on it speaks of
    /// another origin.
    fn piece(&mut self, code: &str, origin: Option<usize>, marks: &[(usize, usize)]) {
        let Some(at) = self.rest.find(code) else {
            return;
        };
        let (before, behind) = self.rest.split_at(at);
        self.count += count_words(before);
        self.words.push((self.count, origin));
        let inside = marks
            .iter()
            .map(|(word, it)| (self.count + word, Some(*it)));
        self.words.extend(inside);
        self.count += count_words(code);
        self.words.push((self.count, None));
        self.rest = &behind[code.len()..];
    }
}
