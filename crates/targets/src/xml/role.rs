//! Names the kinds of nodes in the XML, and checks whether the path of an element follows from its
//! name.

use prophet_codegen::model::{Element, Model, NodeKind};
use prophet_model::path;
use prophet_model::xmi::structured::node_name;

/// Returns `true` if the path of an element follows from its name and its diagram.
pub(crate) fn is_usual_path(model: &Model, element: &Element) -> bool {
    let uml = node_name(role(&element.kind)).unwrap_or_default();
    let shown = if element.name.is_empty() {
        uml
    } else {
        &element.name
    };
    element.path == path::join(&model.diagram(element.diagram).path, shown)
}

pub(super) fn role(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Initial => "initial",
        NodeKind::ActivityFinal => "final",
        NodeKind::FlowFinal => "flow-final",
        NodeKind::Decision => "decision",
        NodeKind::Merge => "merge",
        NodeKind::Fork => "fork",
        NodeKind::Join => "join",
        NodeKind::Action => "action",
        NodeKind::Call(_) => "call",
        NodeKind::Structured(_) => "block",
        NodeKind::Loop(_) => "loop",
        NodeKind::Conditional(_) => "choose",
        NodeKind::Unsupported(_) => "other",
    }
}
