//! Edits the nodes and flows of diagrams.

use std::collections::{BTreeMap, BTreeSet};

use prophet_text::Problem;

use crate::edit::Edit;
use crate::patch::Patch;
use crate::work::Work;
use crate::xml::{Element, NewElement, Tree, children, id, kind, local};
use crate::{drawing, stereotype, text};

/// UML types of nodes that can be added.
const NODES: &[&str] = &[
    "InitialNode",
    "ActivityFinalNode",
    "FlowFinalNode",
    "DecisionNode",
    "MergeNode",
    "ForkNode",
    "JoinNode",
    "OpaqueAction",
    "CallBehaviorAction",
    STRUCTURED,
];
const STRUCTURED: &str = "StructuredActivityNode";

/// Adds nodes with their stereotypes and drawings.
///
/// The text is parsed once for all nodes in existing diagrams. Nodes inside new nodes follow.
pub(crate) fn add_nodes(work: &mut Work<'_>, edits: &[Edit]) -> Result<(), Problem> {
    let mut waiting: Vec<&Edit> = edits.iter().collect();
    while let Some(first) = waiting.first() {
        if let Edit::AddNode { diagram, .. } = first {
            // Reports keys that no edit defines.
            work.id(diagram)?;
        }
        let is_ready = |it: &&Edit| match it {
            Edit::AddNode { diagram, .. } => work.id(diagram).is_ok(),
            _ => true,
        };
        let (ready, later): (Vec<&Edit>, Vec<&Edit>) = waiting.into_iter().partition(is_ready);
        add_ready(work, &ready)?;
        waiting = later;
    }
    Ok(())
}

fn add_ready(work: &mut Work<'_>, edits: &[&Edit]) -> Result<(), Problem> {
    let mut owners = Vec::new();
    for edit in edits {
        if let Edit::AddNode { diagram, kind, .. } = edit {
            if !NODES.contains(&kind.as_str()) {
                let why = format!("cannot add a node of type `{kind}`");
                return Err(Problem::new(why));
            }
            owners.push(work.id(diagram)?);
        }
    }
    let ids = work.patch(|tree, _| new_nodes(tree, edits, &owners))?;
    let (mut stereotypes, mut places) = (Vec::new(), Vec::new());
    for (edit, node) in edits.iter().zip(&ids) {
        let Edit::AddNode {
            stereotype,
            x,
            y,
            width,
            height,
            key,
            ..
        } = edit
        else {
            continue;
        };
        work.added(key.as_ref(), node);
        stereotypes.extend(stereotype.as_deref().map(|name| (&**node, name)));
        places.push((&**node, [*x, *y, *width, *height]));
    }
    stereotype::add(work, &stereotypes)?;
    drawing::place(work, &places)
}

/// Creates the patches that add nodes to their owners, and returns them with the nodes' ids.
fn new_nodes(
    tree: &Tree<'_>,
    edits: &[&Edit],
    owners: &[String],
) -> Result<(Vec<Patch>, Vec<String>), Problem> {
    let mut ids = Vec::new();
    let mut of_owners: BTreeMap<&str, Vec<(&str, String, NewElement)>> = BTreeMap::new();
    for (edit, of) in edits.iter().zip(owners) {
        let Edit::AddNode { kind, name, .. } = edit else {
            continue;
        };
        let id = tree.free_id(if name.is_empty() { kind } else { name });
        let new = new_node(tree, tree.find(of)?, [kind, name, &id]);
        let nodes = of_owners.entry(of).or_default();
        nodes.push((kind, id.clone(), new));
        ids.push(id);
    }
    let mut patches = Vec::new();
    for (of, nodes) in of_owners {
        patches.extend(insert_nodes(tree, tree.find(of)?, nodes));
    }
    Ok((patches, ids))
}

fn new_node(tree: &Tree<'_>, owner: Element<'_, '_>, [kind, name, id]: [&str; 3]) -> NewElement {
    let role = if kind == STRUCTURED && is_activity(owner) && tree.is_eclipse() {
        "structuredNode"
    } else {
        "node"
    };
    let new = tree.element(role, kind, id);
    if name.is_empty() {
        new
    } else {
        new.with("name", name)
    }
}

/// Inserts nodes after the existing nodes and flows of their owner. Each new node is given as its
/// kind, id and element.
fn insert_nodes(
    tree: &Tree<'_>,
    owner: Element<'_, '_>,
    nodes: Vec<(&str, String, NewElement)>,
) -> Vec<Patch> {
    let is_node = |it: &Element<'_, '_>| {
        matches!(local(*it), "node" | "structuredNode" | "edge" | "ownedNode")
    };
    let is_structured = |kind: &str| kind == STRUCTURED;
    let ids: Vec<&str> = nodes.iter().map(|it| &*it.1).collect();
    let groups = nodes.iter().filter(|it| is_structured(it.0));
    let groups: Vec<&str> = groups.map(|it| &*it.1).collect();
    let mut patches = Vec::new();
    if is_activity(owner) && (owner.has_attribute("node") || tree.is_eclipse()) {
        patches.extend(tree.add_references(owner, "node", &ids));
        if !groups.is_empty() {
            patches.extend(tree.add_references(owner, "group", &groups));
        }
    }
    let new: Vec<NewElement> = nodes.into_iter().map(|it| it.2).collect();
    let last = owner.children().rfind(is_node);
    patches.push(match last {
        Some(last) => tree.insert_behind(last, &new),
        None => tree.insert_into(owner, &new),
    });
    patches
}

fn is_activity(element: Element<'_, '_>) -> bool {
    kind(element) == "Activity"
}

pub(crate) fn add_flows(work: &mut Work<'_>, edits: &[Edit]) -> Result<(), Problem> {
    let mut flows = Vec::new();
    for edit in edits {
        if let Edit::AddFlow {
            diagram,
            source,
            target,
            guard,
            ..
        } = edit
        {
            let [diagram, source, target] = [work.id(diagram)?, work.id(source)?, work.id(target)?];
            let guard = guard.as_deref().map(str::trim).filter(|it| !it.is_empty());
            flows.push((diagram, [source, target], guard));
        }
    }
    let ids = work.patch(|tree, _| new_flows(tree, &flows))?;
    for (edit, flow) in edits.iter().zip(&ids) {
        if let Edit::AddFlow { key, .. } = edit {
            work.added(key.as_ref(), flow);
        }
    }
    Ok(())
}

/// Creates the patches that add flows, and returns them with the flows' ids. Each flow is given as
/// its diagram, ends and guard.
fn new_flows(
    tree: &Tree<'_>,
    flows: &[(String, [String; 2], Option<&str>)],
) -> Result<(Vec<Patch>, Vec<String>), Problem> {
    let mut ids = Vec::new();
    let mut of_owners: BTreeMap<&str, Vec<NewElement>> = BTreeMap::new();
    let mut lists: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    // Lists of flows are created in the order in which their nodes first appear.
    let mut order: Vec<(&str, &str)> = Vec::new();
    for (at, (diagram, [source, target], guard)) in flows.iter().enumerate() {
        for end in [source, target] {
            tree.find(end)?;
        }
        let (id, new) = new_flow(tree, [source, target], *guard);
        of_owners.entry(diagram).or_default().push(new);
        for list in [(&**source, "outgoing"), (&**target, "incoming")] {
            let flows = lists.entry(list).or_default();
            if flows.is_empty() {
                order.push(list);
            }
            flows.push(at);
        }
        ids.push(id);
    }
    let mut patches = Vec::new();
    for (diagram, new) in of_owners {
        let owner = tree.find(diagram)?;
        patches.push(match children(owner, "edge").last() {
            Some(last) => tree.insert_behind(last, &new),
            None => tree.insert_into(owner, &new),
        });
    }
    if tree.lists_flows() {
        for (end, list) in order {
            let added = lists.get(&(end, list)).into_iter().flatten();
            let added: Vec<&str> = added.map(|at| &*ids[*at]).collect();
            patches.extend(tree.add_references(tree.find(end)?, list, &added));
        }
    }
    Ok((patches, ids))
}

/// Creates a flow between two nodes, and returns its id and its element.
fn new_flow(
    tree: &Tree<'_>,
    [source, target]: [&str; 2],
    guard: Option<&str>,
) -> (String, NewElement) {
    let name = |it: &str| it.trim_start_matches('_').to_owned();
    let id = tree.free_id(&format!("{}_to_{}", name(source), name(target)));
    let (xmi, uml) = (tree.xmi_prefix(), tree.uml_prefix());
    let new = NewElement::named("edge")
        .with(format!("{xmi}:type"), format!("{uml}:ControlFlow"))
        .with(format!("{xmi}:id"), &*id)
        .with("target", target)
        .with("source", source);
    let guard = guard.map(|guard| {
        let own = tree.free_id(&format!("{}_guard", name(&id)));
        text::new_guard(tree, &own, guard)
    });
    (id, new.children(guard))
}

pub(crate) fn reconnect(
    work: &mut Work<'_>,
    flow: &str,
    ends: [&String; 2],
) -> Result<(), Problem> {
    let flow = work.id(flow)?;
    let (source, target) = (work.id(ends[0])?, work.id(ends[1])?);
    for (role, list, end) in [
        ("source", "outgoing", source),
        ("target", "incoming", target),
    ] {
        work.patch(|tree, _| {
            let edge = tree.find(&flow)?;
            let new = tree.find(&end)?;
            let old = edge.attribute(role).map(str::to_owned);
            if old.as_deref() == Some(&*end) {
                return Ok((Vec::new(), ()));
            }
            let mut patches = tree.set_attribute(edge, role, Some(&end));
            let old = old.and_then(|it| tree.find(&it).ok());
            let listed = old.and_then(|it| Some((it, it.attribute_node(list)?)));
            if let Some((old, listed)) = listed {
                let gone = BTreeSet::from([&*flow]);
                patches.extend(tree.without_references(old, listed, &gone));
            }
            if tree.lists_flows() {
                patches.extend(tree.add_references(new, list, &[&flow]));
            }
            Ok((patches, ()))
        })?;
    }
    Ok(())
}

pub(crate) fn calls(
    tree: &Tree<'_>,
    element: &str,
    diagram: Option<&str>,
) -> Result<Vec<Patch>, Problem> {
    let action = tree.find(element)?;
    if kind(action) != "CallBehaviorAction" {
        return Err(Problem::new(format!(
            "a {} does not call anything",
            kind(action)
        )));
    }
    if let Some(diagram) = diagram {
        let called = tree.find(diagram)?;
        if !is_activity(called) {
            let what = id(called).unwrap_or("");
            return Err(Problem::new(format!("`{what}` is not an activity")));
        }
    }
    let child = children(action, "behavior").next();
    let mut patches: Vec<_> = child.map(|it| tree.remove(it)).into_iter().collect();
    patches.extend(tree.set_attribute(action, "behavior", diagram));
    Ok(patches)
}
