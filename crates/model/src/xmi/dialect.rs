//! Recognizes the UML version of a file, and the tool that wrote it, by namespaces and structure.
//! The exporter that the file names is only displayed, because some tools write another tool's
//! name.

use super::tree::{Namespace, NodeId, Tree};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::xmi as rules;
use crate::path;
use crate::xml_form;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// UML 2 in XMI 2.x
    Uml2(NodeId),
    /// UML 1.4 in XMI 1.x
    Uml14(NodeId),
    /// Our own XML format.
    Structured(NodeId),
}

/// Finds the element that contains the model.
///
/// # Errors
///
/// Returns an error that says what the file contains instead, if it isn't a model.
pub(super) fn root(tree: &Tree<'_>) -> Result<Root, Diagnostic> {
    let root = NodeId(0);
    let refuse = |problem: &str, help: &str| {
        let span = tree.span(root);
        Err(Diagnostic::new(&rules::NOT_A_MODEL, span, problem).help(help))
    };
    let export = "export the model as XMI 2.x for UML 2, with `uml:Model` or `xmi:XMI` as the root";
    if let Some(xmi) = xmi_1(tree, root) {
        if is_uml13(tree, xmi) {
            return refuse(
                "UML 1.3 is not supported",
                "export the model as UML 2.x (XMI 2.1) with a newer release of the tool",
            );
        }
        if has(tree, "ActivityGraph") {
            return Ok(Root::Uml14(xmi));
        }
        if has(tree, "activitywidget") {
            return refuse(UMBRELLO, UMBRELLO_HELP);
        }
        return refuse(
            "the file is XMI 1.x for UML 1.x without an activity graph",
            "draw the program as an activity diagram, or export it as XMI 2.x for UML 2",
        );
    }
    if tree.uri(root) == Some(xml_form::NAMESPACE) && tree.role(root) == xml_form::ROOT {
        return Ok(Root::Structured(root));
    }
    match tree.node(root).namespace {
        Namespace::Uml => Ok(Root::Uml2(root)),
        Namespace::Xmi if !packages(tree, root).is_empty() => {
            if has(tree, "activitywidget") && !has_activity(tree) {
                return refuse(UMBRELLO, UMBRELLO_HELP);
            }
            Ok(Root::Uml2(root))
        }
        Namespace::Xmi => refuse("the file does not contain a `uml:Model`", export),
        _ => refuse("the file is XML, but not a UML model", export),
    }
}

const UMBRELLO: &str =
    "Umbrello stores activity diagrams only as drawings, so their flows cannot be read";
const UMBRELLO_HELP: &str = "draw the program in a tool that exports activities as UML";

/// Finds the element `XMI` of XMI 1.x. It is the root or, in ArgoUML's `.uml` files, a child of the
/// root.
fn xmi_1(tree: &Tree<'_>, root: NodeId) -> Option<NodeId> {
    let is_it =
        |&node: &NodeId| tree.role(node) == "XMI" && tree.attribute(node, "xmi.version").is_some();
    let children = tree.children(root).filter(|_| tree.role(root) == "uml");
    std::iter::once(root).chain(children).find(is_it)
}

/// Returns `true` if the namespace or the metamodel says UML 1.3. XMI 1.0 always contains UML 1.3.
fn is_uml13(tree: &Tree<'_>, xmi: NodeId) -> bool {
    let tag = &tree.source.text[tree.span(xmi).range()];
    let is = |node, name: &str, version: &str| {
        let given = tree.attribute(node, name);
        given.is_some_and(|it| tree.raw(it).trim() == version)
    };
    let headers = tree.children_in(xmi, "XMI.header");
    let mut metamodels = headers.flat_map(|it| tree.children_in(it, "XMI.metamodel"));
    is(xmi, "xmi.version", "1.0")
        || ["UML1.3", "UML/1.3"].iter().any(|it| tag.contains(it))
        || metamodels.any(|it| is(it, "xmi.version", "1.3"))
}

/// Returns the root elements of the other UML 2 files.
pub(super) fn roots_beside(tree: &Tree<'_>) -> Vec<NodeId> {
    let mut roots = tree.roots_beside();
    roots.retain(|&root| matches!(tree.node(root).namespace, Namespace::Uml | Namespace::Xmi));
    roots
}

pub(super) fn packages(tree: &Tree<'_>, root: NodeId) -> Vec<NodeId> {
    if tree.node(root).namespace == Namespace::Uml {
        return vec![root];
    }
    let is_uml = |&child: &NodeId| tree.node(child).namespace == Namespace::Uml;
    tree.children(root).filter(is_uml).collect()
}

fn has(tree: &Tree<'_>, role: &str) -> bool {
    tree.ids().any(|node| tree.role(node) == role)
}

fn has_activity(tree: &Tree<'_>) -> bool {
    tree.ids().any(|node| tree.kind(node) == "Activity")
}

/// Returns the name and version of the tool that wrote the file, if the file says so.
pub(super) fn exporter(tree: &Tree<'_>) -> Option<String> {
    /// Maximum number of elements to search. The exporter is at the start of a file.
    const ELEMENTS_MAX: usize = 200;
    let mut first = tree.ids().take(ELEMENTS_MAX);
    let exporter = first.find_map(|node| {
        let (name, version) = match tree.role(node) {
            "Documentation" => (
                tree.any_attribute(node, "exporter"),
                tree.any_attribute(node, "exporterVersion"),
            ),
            "XMI.documentation" => {
                let text = |role| {
                    let child = tree.children_in(node, role).next();
                    child.and_then(|it| tree.content(it)).map(|it| it.value)
                };
                (text("XMI.exporter"), text("XMI.exporterVersion"))
            }
            _ => return None,
        };
        let name = name?;
        Some(version.map_or_else(|| name.clone(), |version| format!("{name} {version}")))
    });
    exporter.map(|it| path::shorten(it.trim()).into_owned())
}
