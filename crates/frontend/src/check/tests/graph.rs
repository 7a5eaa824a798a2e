//! Builds models from graphs, for tests here and in drawings.

use std::collections::BTreeSet;

use prophet_map::Map;
use prophet_model::diagnostic::Span;
use prophet_model::model::{
    Code, Diagram, DiagramId, Element, ElementId, Flow, Guard, Language, Model, NodeKind,
};
use prophet_model::source::Text;

pub(crate) fn model(
    nodes: Vec<(String, NodeKind)>,
    edges: &[(usize, usize, Option<String>)],
) -> Model {
    let text = |value: &str| Text::new(value.to_owned(), Span::default());
    let flow = |(source, target, guard): &(usize, usize, Option<String>)| Flow {
        source: ElementId(*source),
        target: ElementId(*target),
        guard: guard.as_ref().map(|it| {
            Guard::When(Code {
                language: Language::C,
                text: text(it),
            })
        }),
        span: Span::default(),
    };
    let element = |(name, kind): (String, NodeKind)| Element {
        path: format!("M::Main::{name}"),
        name,
        span: Span::default(),
        comment: None,
        diagram: DiagramId(0),
        kind,
        stereotype: None,
        body: None,
    };
    Model {
        name: "M".to_owned(),
        main: DiagramId(0),
        globals: Vec::new(),
        others: Vec::new(),
        mains: Vec::new(),
        functions: Vec::new(),
        diagrams: vec![Diagram {
            name: "Main".to_owned(),
            path: "M::Main".to_owned(),
            span: Span::default(),
            comment: None,
            stereotype: None,
            locals: Vec::new(),
            elements: (0..nodes.len()).map(ElementId).collect(),
            flows: edges.iter().map(flow).collect(),
        }],
        elements: nodes.into_iter().map(element).collect(),
        assumed: Vec::new(),
        idle: BTreeSet::new(),
        places: Map::new(),
    }
}
