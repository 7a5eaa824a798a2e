//! Writes diagrams in the languages of graph tools. Each diagram becomes a file of nodes, groups
//! (nodes with content) and edges.

use std::collections::BTreeMap;
use std::path::PathBuf;

use prophet_codegen::model::{DiagramId, Element, NodeKind};
use prophet_codegen::target::drawing::{Caption, Drawing, NodePart, guard, one_line, parts};
use prophet_codegen::target::rust::ident::{Namespace, snake_case};
use prophet_codegen::target::{Files, Input};

/// A language for drawing graphs. Its methods return lines without indentation or line breaks.
pub(super) trait DiagramLanguage {
    /// The extension of the files.
    const ENDING: &'static str;

    fn begin(&self, title: &str, marker: &str) -> Vec<String>;
    fn end(&self) -> Vec<String>;
    /// Returns how an edge refers to a node at one of its ends.
    fn end_of_edge(&self, name: &str, _kind: &NodeKind) -> String {
        name.to_owned()
    }
    fn node(&self, name: &str, kind: &NodeKind, caption: &Caption) -> Vec<String>;
    fn begin_group(&self, name: &str, caption: &Caption) -> Vec<String>;
    fn end_group(&self) -> String;
    /// Returns the line for an edge, with its guard in brackets.
    fn edge(&self, from: &str, to: &str, guard: Option<&str>) -> String;
}

pub(super) fn files<L: DiagramLanguage>(language: &L, input: &Input<'_>) -> Files {
    let drawing = Drawing::new(input.model, input.program);
    let file = one_line(input.model_file);
    let marker = format!(
        "{} from {file}. Do not edit.",
        prophet_codegen::output::MARKER
    );
    drawing
        .activities()
        .into_iter()
        .map(|(name, id)| {
            let title = one_line(&input.model.diagram(id).name);
            let mut writer = GraphWriter {
                language,
                drawing: &drawing,
                names: Namespace::default(),
                lines: language.begin(&title, &marker),
            };
            writer.diagram(id, 1);
            writer.lines.extend(language.end());
            let mut text = writer.lines.join("\n");
            text.push('\n');
            let path = PathBuf::from(format!("{name}.{}", L::ENDING));
            (path, text.into())
        })
        .collect()
}

struct GraphWriter<'a, L> {
    language: &'a L,
    drawing: &'a Drawing<'a>,
    names: Namespace,
    lines: Vec<String>,
}

impl<L: DiagramLanguage> GraphWriter<'_, L> {
    /// Writes the nodes and edges of a diagram, nested in `depth` groups.
    fn diagram(&mut self, id: DiagramId, depth: usize) {
        let model = self.drawing.model;
        let diagram = model.diagram(id);
        let mut names = BTreeMap::new();
        for id in &diagram.elements {
            let element = model.element(*id);
            let name = self.name(&element.name);
            let caption = self.drawing.caption(*id);
            let parts = parts(element);
            if parts.is_empty() {
                let lines = self.language.node(&name, &element.kind, &caption);
                self.put(depth, lines);
            } else {
                self.group(&name, &caption, element, parts, depth);
            }
            names.insert(*id, self.language.end_of_edge(&name, &element.kind));
        }
        // Keeps the order of the list, because the first edges are drawn first.
        let edges: Vec<String> = diagram
            .flows
            .iter()
            .filter_map(|flow| {
                let guard = flow.guard.as_ref().map(guard);
                let (from, to) = (names.get(&flow.source)?, names.get(&flow.target)?);
                Some(self.language.edge(from, to, guard.as_deref()))
            })
            .collect();
        self.put(depth, edges);
    }

    fn group(
        &mut self,
        name: &str,
        caption: &Caption,
        element: &Element,
        parts: Vec<NodePart>,
        depth: usize,
    ) {
        self.put(depth, self.language.begin_group(name, caption));
        let mut before: Option<String> = None;
        for NodePart { label, diagram } in parts {
            if label.is_empty() {
                self.diagram(diagram, depth + 1);
                continue;
            }
            let part = self.name(&format!("{} part", element.name));
            let caption = Caption {
                name: label,
                ..Caption::default()
            };
            self.put(depth + 1, self.language.begin_group(&part, &caption));
            self.diagram(diagram, depth + 2);
            self.put(depth + 1, vec![self.language.end_group()]);
            // The parts of a loop run one after another, but the clauses of a conditional node
            // don't.
            if let (Some(before), NodeKind::Loop(_)) = (&before, &element.kind) {
                let edge = self.language.edge(before, &part, None);
                self.put(depth + 1, vec![edge]);
            }
            before = Some(part);
        }
        self.put(depth, vec![self.language.end_group()]);
    }

    /// Derives a node name that can't be a keyword of the language.
    fn name(&mut self, name: &str) -> String {
        self.names.take(&format!("n_{}", snake_case(name, "node")))
    }

    fn put(&mut self, depth: usize, lines: Vec<String>) {
        let indent = "    ".repeat(depth);
        let lines = lines.into_iter().map(|line| format!("{indent}{line}"));
        self.lines.extend(lines);
    }
}

/// Returns the lines of a caption: the keyword in guillemets, the name, facts and code.
pub(super) fn lines(caption: &Caption) -> Vec<String> {
    /// Maximum number of lines of code to show. An ellipsis replaces the others.
    const MOST_CODE: usize = 6;
    let keyword = caption.keyword.iter().map(|it| format!("«{it}»"));
    let facts = caption.facts.iter().cloned();
    let code = caption.code.iter().take(MOST_CODE).cloned();
    let more = (caption.code.len() > MOST_CODE).then(|| "…".to_owned());
    let name = Some(caption.name.clone()).filter(|name| !name.is_empty());
    keyword
        .chain(name)
        .chain(facts)
        .chain(code)
        .chain(more)
        .collect()
}
