//! Adds an activity that calls the program's activity for each arriving job, and measures each job
//! as a whole.
//!
//! In an open workload, each job sends a message to the next job, which takes as long as the time
//! between their arrivals. In a closed workload, a job thinks while a message to itself is in
//! transit. This way, waiting doesn't occupy a CPU, and times can be computed during the run.

use super::super::reader::Reader;
use super::super::tree::NodeId;
use super::super::values::c_code;
use crate::model::{
    DiagramId, ElementId, Flow, Guard, NodeKind, Stereotype, StereotypeKind, Variable,
};
use crate::path;
use crate::source::{Span, Text};

/// Message tag for arriving and thinking. Models are unlikely to use it.
const TAG: &str = "31000";

/// The job's own number. Checks would report a plain `pid` as a mistake.
const SELF: &str = "pid + 0";

/// Name of the parameter for how often each job of a closed workload does its work.
pub(super) const CYCLES: &str = "cycles";

/// Creates the parameter for how often each job of a closed workload does its work.
pub(super) fn cycles(span: Span) -> Variable {
    Variable {
        name: Text::new(CYCLES, span),
        path: CYCLES.to_owned(),
        type_name: Text::new("long", span),
        length: None,
        read_only: true,
        is_required: false,
        default: Some(c_code(Text::new("1", span))),
        comment: Some("How often each job does its work".to_owned()),
    }
}

/// A diagram that is generated for a node of the file.
struct MadeDiagram<'r, 't, 's> {
    reader: &'r mut Reader<'t, 's>,
    node: NodeId,
    diagram: DiagramId,
    path: String,
    span: Span,
    /// The element before the next one, and the guard of the flow between them.
    last: Option<(ElementId, Option<Guard>)>,
}

impl<'t, 's> Reader<'t, 's> {
    /// Generates an open workload. `gap` is the time between the arrivals of two jobs.
    pub(super) fn open(
        &mut self,
        main: NodeId,
        work: DiagramId,
        gap: Text,
        span: Span,
    ) -> DiagramId {
        let mut made = self.begin_diagram(main, work, "Arrivals", span);
        made.then("Begin", NodeKind::Initial);
        let message = [("source", made.text("pid - 1")), ("cost", made.text("0.0"))];
        made.only_if("pid > 0", "Arrive", StereotypeKind::BRecv, message);
        let message = [("dest", made.text("pid + 1")), ("cost", gap)];
        let has_next = "pid + 1 < NUM_PROCESSES";
        made.only_if(has_next, "Next", StereotypeKind::NbSend, message);
        made.work(work);
        made.then("End", NodeKind::ActivityFinal);
        made.diagram
    }

    /// Generates a closed workload. Each job thinks and works as often as the parameter says.
    pub(super) fn closed(
        &mut self,
        main: NodeId,
        work: DiagramId,
        delay: Option<Text>,
        span: Span,
    ) -> DiagramId {
        let mut made = self.begin_diagram(main, work, "Population", span);
        let outer = made.diagram;
        made.then("Begin", NodeKind::Initial);
        let inner_path = path::join(&made.path, "Cycle");
        let cycle = made.reader.diagram(main, "Cycle".to_owned(), inner_path);
        let iterations = [("iterations", made.text(CYCLES))];
        let repeated = made.then("Cycle", NodeKind::Structured(cycle));
        made.apply(repeated, StereotypeKind::LoopPlus, iterations);
        made.then("End", NodeKind::ActivityFinal);
        made.diagram = cycle;
        made.last = None;
        made.then("Begin", NodeKind::Initial);
        if let Some(delay) = delay {
            let message = [("dest", made.text(SELF)), ("cost", delay)];
            made.message("Think", StereotypeKind::NbSend, message);
            let message = [("source", made.text(SELF)), ("cost", made.text("0.0"))];
            made.message("Wake", StereotypeKind::BRecv, message);
        }
        made.work(work);
        made.then("End", NodeKind::ActivityFinal);
        outer
    }

    /// Creates a diagram with the same owner as the program's activity.
    fn begin_diagram(
        &mut self,
        node: NodeId,
        work: DiagramId,
        name: &str,
        span: Span,
    ) -> MadeDiagram<'_, 't, 's> {
        let path = format!("{}::{name}", self.diagrams[work.0].path);
        let diagram = self.diagram(node, name.to_owned(), path.clone());
        MadeDiagram {
            reader: self,
            node,
            diagram,
            path,
            span,
            last: None,
        }
    }
}

impl MadeDiagram<'_, '_, '_> {
    /// Creates text in the cost language that isn't in the file.
    fn text(&self, text: &str) -> Text {
        Text::new(text, self.span)
    }

    fn then(&mut self, name: &str, kind: NodeKind) -> ElementId {
        let path = path::join(&self.path, name);
        let id = self.reader.add_element(self.diagram, self.node, path, kind);
        let element = &mut self.reader.elements[id.0];
        name.clone_into(&mut element.name);
        element.span = self.span;
        if let Some((source, guard)) = self.last.take() {
            self.flow(source, id, guard);
        }
        self.last = Some((id, None));
        id
    }

    fn flow(&mut self, source: ElementId, target: ElementId, guard: Option<Guard>) {
        let span = self.span;
        self.reader.diagrams[self.diagram.0].flows.push(Flow {
            source,
            target,
            guard,
            span,
        });
    }

    fn apply<const N: usize>(
        &mut self,
        id: ElementId,
        kind: StereotypeKind,
        tags: [(&str, Text); N],
    ) {
        let tags = tags.map(|(name, text)| (name.to_owned(), text));
        self.reader.elements[id.0].stereotype = Some(Stereotype {
            kind,
            tags: tags.into(),
            span: self.span,
            is_implied: false,
        });
    }

    fn message(&mut self, name: &str, kind: StereotypeKind, [partner, cost]: [(&str, Text); 2]) {
        let id = self.then(name, NodeKind::Action);
        let tag = ("tag", self.text(TAG));
        self.apply(id, kind, [partner, cost, tag]);
    }

    /// Adds a message that only jobs with this condition exchange.
    fn only_if(
        &mut self,
        condition: &str,
        name: &str,
        kind: StereotypeKind,
        message: [(&str, Text); 2],
    ) {
        let decision = self.then(&format!("Has{name}"), NodeKind::Decision);
        let condition = Guard::When(c_code(self.text(condition)));
        self.last = Some((decision, Some(condition)));
        self.message(name, kind, message);
        let merge = self.then(&format!("After{name}"), NodeKind::Merge);
        self.flow(decision, merge, Some(Guard::Else));
    }

    /// Adds the call of a job's content, so that its time is measured as a whole.
    fn work(&mut self, work: DiagramId) {
        let name = self.reader.diagrams[work.0].name.clone();
        let call = self.then(&name, NodeKind::Call(Some(work)));
        if self.reader.diagrams[work.0].stereotype.is_none() {
            self.apply(call, StereotypeKind::ActivityPlus, []);
        }
    }
}
