//! Converts loop nodes and conditional nodes to structured nodes. They contain a decision with the
//! conditions as guards.

use prophet_edit::Edit;
use prophet_model::model::{Clause, Code, Element, ElementId, LoopNode, NodeKind, StereotypeKind};

use super::{Drawer, condition, node_key};

/// Vertical distance between nodes.
const STEP: f64 = 80.0;

impl Drawer<'_> {
    /// Adds nodes for the parts of a loop or conditional node, and the control nodes between them.
    pub(super) fn decided(&mut self, id: ElementId) -> Result<(), String> {
        let element = self.model.element(id);
        if !is_decided(element)? {
            return Ok(());
        }
        match &element.kind {
            NodeKind::Loop(node) => self.loop_node(id, node),
            NodeKind::Conditional(clauses) => self.choice(id, clauses),
            _ => Ok(()),
        }
    }

    pub(super) fn content_keys(&self, id: ElementId) -> Vec<String> {
        let element = self.model.element(id);
        let contents = element.kind.contents();
        if is_decided(element) == Ok(true) {
            return (0..contents.len()).map(|at| part_key(id, at)).collect();
        }
        contents.iter().map(|_| node_key(id)).collect()
    }

    fn loop_node(&mut self, id: ElementId, node: &LoopNode) -> Result<(), String> {
        let guard = self.condition(id, node.condition.as_ref())?;
        let mut inner = Inner::new(self, id);
        let initial = inner.add("InitialNode");
        let setup = node.setup.map(|_| inner.part());
        let merge = inner.add("MergeNode");
        let test = node.test.map(|_| inner.part());
        let decision = inner.add("DecisionNode");
        let body = inner.part();
        let end = inner.add("ActivityFinalNode");
        let begin = [Some(&initial), setup.as_ref(), Some(&merge)];
        inner.chain(&begin);
        if node.tested_first {
            inner.chain(&[Some(&merge), test.as_ref(), Some(&decision)]);
            inner.flow(&decision, &body, Some(guard));
            inner.flow(&body, &merge, None);
        } else {
            inner.chain(&[Some(&merge), Some(&body), test.as_ref(), Some(&decision)]);
            inner.flow(&decision, &merge, Some(guard));
        }
        inner.flow(&decision, &end, Some("else".to_owned()));
        Ok(())
    }

    fn choice(&mut self, id: ElementId, clauses: &[Clause]) -> Result<(), String> {
        let guards = clauses.iter().map(|it| it.condition.as_ref());
        let guards: Vec<String> = guards
            .map(|it| self.condition(id, it))
            .collect::<Result<_, _>>()?;
        let mut inner = Inner::new(self, id);
        let initial = inner.add("InitialNode");
        let decision = inner.add("DecisionNode");
        inner.flow(&initial, &decision, None);
        let parts: Vec<String> = guards.iter().map(|_| inner.part()).collect();
        let merge = inner.add("MergeNode");
        let end = inner.add("ActivityFinalNode");
        for (part, guard) in parts.iter().zip(guards) {
            inner.flow(&decision, part, Some(guard));
            inner.flow(part, &merge, None);
        }
        inner.flow(&decision, &merge, Some("else".to_owned()));
        inner.flow(&merge, &end, None);
        Ok(())
    }

    fn condition(&self, id: ElementId, code: Option<&Code>) -> Result<String, String> {
        let path = &self.model.element(id).path;
        let code = code.ok_or_else(|| format!("{path} has no condition"))?;
        condition(code, path)
    }
}

/// Returns `true` if conditions decide which parts of the node run.
///
/// # Errors
///
/// Returns an error if such a node also has a stereotype.
fn is_decided(element: &Element) -> Result<bool, String> {
    let stereotype = element.stereotype.as_ref().map(|it| it.kind);
    match (&element.kind, stereotype) {
        (NodeKind::Loop(_) | NodeKind::Conditional(_), None) => Ok(true),
        // The number of iterations is given, so the test isn't evaluated.
        (NodeKind::Loop(node), Some(StereotypeKind::ParallelDo))
            if node.setup.is_none() && node.test.is_none() =>
        {
            Ok(false)
        }
        (kind @ (NodeKind::Loop(_) | NodeKind::Conditional(_)), Some(stereotype)) => {
            let (path, kind, name) = (&element.path, kind.uml_name(), stereotype.name());
            Err(format!(
                "{path} is a {kind} with the stereotype `{name}`, which the studio cannot express"
            ))
        }
        _ => Ok(false),
    }
}

fn part_key(id: ElementId, number: usize) -> String {
    format!("{}_{number}", node_key(id))
}

/// Nodes in a structured node, drawn one below the other.
struct Inner<'d, 'm> {
    drawer: &'d mut Drawer<'m>,
    id: ElementId,
    count: u16,
    parts: usize,
}

impl<'d, 'm> Inner<'d, 'm> {
    const fn new(drawer: &'d mut Drawer<'m>, id: ElementId) -> Self {
        Self {
            drawer,
            id,
            count: 0,
            parts: 0,
        }
    }

    fn add(&mut self, kind: &str) -> String {
        let key = format!("{}_c{}", node_key(self.id), self.count);
        self.node(kind, String::new(), key, [18.0, 18.0])
    }

    fn part(&mut self) -> String {
        let model = self.drawer.model;
        let key = part_key(self.id, self.parts);
        let contents = model.element(self.id).kind.contents();
        let content = contents.get(self.parts);
        let name = content.map_or_else(String::new, |it| model.diagram(*it).name.clone());
        self.parts += 1;
        self.node("StructuredActivityNode", name, key, [120.0, 40.0])
    }

    fn node(&mut self, kind: &str, name: String, key: String, size: [f64; 2]) -> String {
        let [width, height] = size;
        self.drawer.edits.push(Edit::AddNode {
            diagram: format!("${}", node_key(self.id)),
            kind: kind.to_owned(),
            name,
            stereotype: None,
            x: -0.5 * width,
            y: STEP * f64::from(self.count),
            width,
            height,
            key: Some(key.clone()),
        });
        self.count += 1;
        key
    }

    fn chain(&mut self, nodes: &[Option<&String>]) {
        let nodes: Vec<&String> = nodes.iter().copied().flatten().collect();
        for pair in nodes.windows(2) {
            self.flow(pair[0], pair[1], None);
        }
    }

    fn flow(&mut self, source: &str, target: &str, guard: Option<String>) {
        self.drawer.edits.push(Edit::AddFlow {
            diagram: format!("${}", node_key(self.id)),
            source: format!("${source}"),
            target: format!("${target}"),
            guard,
            key: None,
        });
    }
}
