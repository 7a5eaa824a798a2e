//! Tests files from real tools (`../shared/real-models`). All of them must be readable, and the
//! parts that are read or skipped must add up to what another XML library finds with simple
//! queries.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::{Diagnostics, render_human, render_json};
use prophet_codegen::vocabulary::Vocabulary;
use prophet_frontend::checked::check;
use prophet_model::xmi::{self, Counts, Summary};
use prophet_tests::shared;
use roxmltree::{Document, Node};

const XMI: &str = "/XMI";

/// Returns the model files if they exist next to the checkout.
fn files() -> Option<Vec<PathBuf>> {
    let folder = shared().map(|it| it.join("real-models"));
    let Some(entries) = folder.and_then(|it| std::fs::read_dir(it).ok()) else {
        eprintln!("skipped: there is no ../shared/real-models beside the project");
        return None;
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it != "tsv"));
    paths.sort();
    Some(paths)
}

fn summary(path: &Path) -> Summary {
    let source = xmi::load(path).expect("the file is readable");
    let mut diagnostics = Diagnostics::new();
    let (_, summary) = xmi::read_with_summary(Vocabulary::NONE, &source, None, &mut diagnostics);
    let diagnostics = diagnostics.sorted();
    let shown = render_human(&source, &diagnostics, false);
    assert_eq!(shown.is_empty(), diagnostics.is_empty());
    assert!(render_json(&source, &diagnostics).starts_with('['));
    summary
}

fn sum(counts: &Counts) -> usize {
    counts.values().sum()
}

/// Returns how many skipped parts have a matching kind and reason.
fn skipped(summary: &Summary, fits: impl Fn(&str, &str) -> bool) -> usize {
    let all = summary.skipped.iter();
    let fitting = all.filter(|it| fits(&it.kind, it.reason));
    fitting.map(|it| it.count).sum()
}

/// Returns `true` if an element was added to the model by a tool.
fn is_extension(node: Node<'_, '_>) -> bool {
    node.ancestors().any(|it| {
        let name = it.tag_name().name();
        name == "eAnnotations" || (name == "Extension" && is_xmi(it))
    })
}

fn is_xmi(node: Node<'_, '_>) -> bool {
    let uri = node.tag_name().namespace().unwrap_or_default();
    uri.contains(XMI)
}

/// Returns the UML type of an element, without the prefix.
fn kind<'a>(node: Node<'a, '_>) -> &'a str {
    let mut attributes = node.attributes();
    let kind = attributes
        .find(|it| it.name() == "type" && it.namespace().is_some_and(|uri| uri.contains("XM")));
    let kind = kind.map_or("", |it| it.value());
    kind.rsplit(':').next().unwrap_or_default()
}

/// Returns `true` if Visual Paradigm uses a pseudostate as a control node of an activity.
fn is_control_node(node: Node<'_, '_>) -> bool {
    let mut extensions = node
        .children()
        .filter(|it| it.tag_name().name() == "Extension");
    extensions.any(|it| {
        let mut marks = it.children().map(|mark| mark.tag_name().name());
        marks.any(|mark| {
            matches!(
                mark,
                "initialNode"
                    | "activityFinalNode"
                    | "flowFinalNode"
                    | "decisionNode"
                    | "mergeNode"
                    | "forkNode"
                    | "joinNode"
            )
        })
    })
}

/// Returns `true` if an element is only a reference to another one.
fn is_reference(node: Node<'_, '_>) -> bool {
    let mut attributes = node.attributes();
    attributes.any(|it| matches!(it.name(), "href" | "idref"))
}

fn is_node(node: Node<'_, '_>) -> bool {
    match kind(node) {
        "Pseudostate" => is_control_node(node),
        "InitialNode"
        | "ActivityFinalNode"
        | "FlowFinalNode"
        | "DecisionNode"
        | "MergeNode"
        | "ForkNode"
        | "JoinNode"
        | "StructuredActivityNode"
        | "LoopNode"
        | "ConditionalNode"
        | "SequenceNode"
        | "ActivityParameterNode"
        | "CentralBufferNode"
        | "DataStoreNode" => true,
        kind => kind.ends_with("Action"),
    }
}

fn is_edge(node: Node<'_, '_>) -> bool {
    matches!(kind(node), "ControlFlow" | "ObjectFlow")
}

fn has_guard(node: Node<'_, '_>) -> bool {
    let mut children = node.children();
    node.attribute("guard").is_some() || children.any(|it| it.has_tag_name("guard"))
}

fn is_stereotype(node: Node<'_, '_>) -> bool {
    let uri = node.tag_name().namespace().unwrap_or_default();
    let is_uml = uri.contains("/UML/2") || uri.ends_with("/UML") || is_xmi(node);
    let mut bases = node
        .attributes()
        .filter(|it| it.name().starts_with("base_"));
    !uri.is_empty() && !is_uml && bases.next().is_some()
}

/// What simple queries count in a file.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    activities: usize,
    nodes: usize,
    edges: usize,
    guards: usize,
    stereotypes: usize,
}

fn found(text: &str) -> Found {
    let document = Document::parse(text).expect("the file is XML");
    let elements: Vec<Node<'_, '_>> = document.descendants().filter(Node::is_element).collect();
    let is_own = |it: &Node<'_, '_>| !is_extension(*it) && !is_reference(*it);
    let model = elements.iter().copied().filter(is_own);
    let count = |fits: fn(Node<'_, '_>) -> bool| model.clone().filter(|it| fits(*it)).count();
    let applied = elements
        .iter()
        .filter(|it| it.has_tag_name("appliedStereotype"));
    Found {
        activities: count(|it| kind(it) == "Activity"),
        nodes: count(is_node),
        edges: count(is_edge),
        guards: count(|it| is_edge(it) && has_guard(it)),
        stereotypes: count(is_stereotype) + applied.count(),
    }
}

/// Counts the same things in the summary of read and skipped parts.
fn accounted(summary: &Summary) -> Found {
    let read = &summary.read;
    let is_node_kind =
        |kind: &str| kind.ends_with("Action") || (kind.ends_with("Node") && kind != "Node");
    let is_edge_kind = |kind: &str| matches!(kind, "ControlFlow" | "ObjectFlow");
    Found {
        activities: read.activities + skipped(summary, |kind, _| kind == "Activity"),
        nodes: sum(&read.nodes) + skipped(summary, |kind, _| is_node_kind(kind)),
        edges: sum(&read.edges) + skipped(summary, |kind, _| is_edge_kind(kind)),
        guards: read.guards + skipped(summary, |kind, _| kind == "guard"),
        stereotypes: sum(&read.stereotypes)
            + skipped(summary, |_, reason| reason.starts_with("a stereotype")),
    }
}

#[test]
fn what_is_read_and_skipped_adds_up() {
    let Some(files) = files() else { return };
    assert!(files.len() >= 12, "{files:?}");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the file is text");
        let summary = summary(&path);
        assert_eq!(accounted(&summary), found(&text), "{}", summary.to_text());
    }
}

/// What is read from each file: activities (and packages that replace one), nodes, edges, guards
/// (and names that are used as guards), cost functions.
const READ: &str = "\
MDE4CPP__Ampelsteuerung_Example.uml: 2+0 10 9 2+0 2
MDE4CPP__loadbalance.uml: 2+0 10 9 2+0 10
SynthML__input.21.guardsadded.uml: 1+0 3 2 0+0 1
SynthML__model.uml: 1+0 0 0 0+0 0
SynthML__synthml.profile.uml: 0+0 0 0 0+0 0
crystal-facet-uml__export_test_15_activity.xmi: 1+0 15 15 0+3 0
epsilon__model.profile.uml: 0+0 0 0 0+0 0
epsilon__model.uml: 4+0 10 0 0+0 0
fUML-CPP__PolymorphismTest.uml: 16+0 52 27 1+0 0
staruml-xmi__EA_XMI21.xmi: 2+0 16 17 0+0 0
staruml-xmi__VP_XMI21.xmi: 5+1 18 20 1+0 0
uml4net__ptc-21-03-04.xml: 42+0 34 0 0+0 0
";

#[test]
fn as_much_is_read_as_was() {
    let Some(files) = files() else { return };
    let mut text = String::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let read = summary(&path).read;
        let _ = writeln!(
            text,
            "{name}: {}+{} {} {} {}+{} {}",
            read.activities,
            read.implicit_activities,
            sum(&read.nodes),
            sum(&read.edges),
            read.guards,
            read.guards_from_names,
            read.functions,
        );
    }
    assert_eq!(text, READ);
}

#[test]
fn checking_them_reports_instead_of_panicking() {
    let Some(files) = files() else { return };
    for path in files {
        let checked = check(&path, None).expect("the file is readable");
        let shown = render_human(&checked.source, &checked.diagnostics, false);
        // No file contains a performance model. Each message says why.
        assert!(!shown.is_empty(), "{}", path.display());
    }
}

#[test]
fn summaries_are_json() {
    let Some(files) = files() else { return };
    for path in files {
        let summary = summary(&path);
        let json: serde_json::Value = serde_json::from_str(&summary.to_json()).expect("it is JSON");
        let nodes = json["read"]["nodes"]
            .as_object()
            .expect("nodes are counted");
        let count: u64 = nodes.values().filter_map(serde_json::Value::as_u64).sum();
        assert_eq!(count, sum(&summary.read.nodes) as u64);
        assert!(json["skipped"].as_array().is_some_and(|it| !it.is_empty()));
    }
}
