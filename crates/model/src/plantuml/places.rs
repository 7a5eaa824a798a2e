//! Maps places in the XML that a text model was translated to back to the text.

use crate::diagnostic::Diagnostic;
use crate::model::{
    Code, CostFunction, Diagram, Element, Flow, Guard, Model, NodeKind, Stereotype, Variable,
};
use crate::source::{Origin, Span, Text};

#[derive(Debug)]
pub(crate) struct Places<'s> {
    source: &'s str,
    /// Places in the XML with the places in the text that they came from. Outer places come before
    /// inner ones.
    pairs: Vec<(Span, Span)>,
}

impl<'s> Places<'s> {
    pub(super) const fn new(source: &'s str, pairs: Vec<(Span, Span)>) -> Self {
        Self { source, pairs }
    }

    /// Replaces a place in the XML with the place in the text that the innermost enclosing part
    /// came from.
    fn moved(&self, span: &mut Span) {
        let pairs = &self.pairs;
        let mut at = pairs.partition_point(|(xml, _)| xml.start <= span.start);
        while at > 0 {
            at -= 1;
            let (xml, text) = pairs[at];
            if span.end <= xml.end {
                *span = text;
                return;
            }
        }
        *span = Span::default();
    }

    pub(crate) fn diagnostic(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        self.moved(&mut diagnostic.span);
        diagnostic
    }

    pub(crate) fn model(&self, model: &mut Model) {
        let starts = model.others.iter_mut().flat_map(|it| &mut it.globals);
        for variable in model.globals.iter_mut().chain(starts) {
            self.variable(variable);
        }
        for function in &mut model.functions {
            self.function(function);
        }
        for diagram in &mut model.diagrams {
            self.diagram(diagram);
        }
        for element in &mut model.elements {
            self.element(element);
        }
    }

    fn variable(&self, variable: &mut Variable) {
        self.text(&mut variable.name);
        self.text(&mut variable.type_name);
        self.code(variable.default.as_mut());
    }

    fn function(&self, function: &mut CostFunction) {
        self.moved(&mut function.span);
        self.text(&mut function.name);
        self.code(Some(&mut function.body));
        if let Some(result) = &mut function.result {
            self.text(result);
        }
        for parameter in &mut function.parameters {
            self.variable(parameter);
        }
        for problem in &mut function.problems {
            self.moved(&mut problem.span);
        }
    }

    fn diagram(&self, diagram: &mut Diagram) {
        self.moved(&mut diagram.span);
        self.stereotype(diagram.stereotype.as_mut());
        for local in &mut diagram.locals {
            self.variable(local);
        }
        for Flow { guard, span, .. } in &mut diagram.flows {
            self.moved(span);
            if let Some(Guard::When(code)) = guard {
                self.code(Some(code));
            }
        }
    }

    fn element(&self, element: &mut Element) {
        self.moved(&mut element.span);
        self.stereotype(element.stereotype.as_mut());
        self.code(element.body.as_mut());
        match &mut element.kind {
            NodeKind::Loop(node) => self.code(node.condition.as_mut()),
            NodeKind::Conditional(clauses) => {
                for clause in clauses {
                    self.moved(&mut clause.span);
                    self.code(clause.condition.as_mut());
                }
            }
            _ => {}
        }
    }

    fn stereotype(&self, stereotype: Option<&mut Stereotype>) {
        if let Some(stereotype) = stereotype {
            self.moved(&mut stereotype.span);
            for text in stereotype.tags.values_mut() {
                self.text(text);
            }
        }
    }

    fn code(&self, code: Option<&mut Code>) {
        if let Some(code) = code {
            self.text(&mut code.text);
        }
    }

    fn text(&self, text: &mut Text) {
        self.moved(&mut text.span);
        let raw = self.source.get(text.span.range()).unwrap_or_default();
        if raw.contains('\n') && raw != text.value {
            text.origins = origins(&text.value, raw, text.span.start).unwrap_or_default();
        }
    }
}

/// Returns the place of each line of `value` in the source, where lines are indented. Returns
/// `None` if they differ from the source in anything else.
fn origins(value: &str, raw: &str, base: usize) -> Option<Vec<Origin>> {
    let mut origins = Vec::new();
    let (mut start, mut from) = (0, 0);
    for line in value.split('\n') {
        let at = from + raw[from..].find(line)?;
        from = at + line.len();
        let end = start + line.len();
        // A line break belongs to the line that it ends.
        origins.push(Origin {
            start,
            end: end + 1,
            span: Span::new(base + at, base + from + 1),
        });
        start = end + 1;
    }
    Some(origins)
}
