//! Nodes and flows of diagrams.

use std::collections::BTreeSet;

use crate::document::Work;
use crate::edit::{Edit, Refused};
use crate::patch::Patch;
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
    "StructuredActivityNode",
];

/// Adds a node, with its stereotype and the place of its drawing.
pub(crate) fn add_node(work: &mut Work<'_>, edit: &Edit) -> Result<(), Refused> {
    let Edit::AddNode {
        diagram,
        kind,
        name,
        stereotype,
        x,
        y,
        width,
        height,
        key,
    } = edit
    else {
        return Ok(());
    };
    let diagram = work.id(diagram)?;
    if !NODES.contains(&kind.as_str()) {
        let why = format!("a node of the type `{kind}` cannot be added");
        return Err(Refused::new(why));
    }
    let node = work.patch(|tree, _| {
        let owner = tree.find(&diagram)?;
        let id = tree.free_id(if name.is_empty() { kind } else { name });
        Ok((new_node(tree, owner, kind, name, &id), id))
    })?;
    work.added(key.as_ref(), &node);
    if let Some(stereotype) = stereotype {
        stereotype::set(work, &node, Some(stereotype))?;
    }
    drawing::place(work, &[(&node, [*x, *y, *width, *height])])
}

fn new_node(
    tree: &Tree<'_>,
    owner: Element<'_, '_>,
    kind: &str,
    name: &str,
    id: &str,
) -> Vec<Patch> {
    let is_structured = kind == "StructuredActivityNode";
    let role = if is_structured && is_activity(owner) && tree.is_eclipse() {
        "structuredNode"
    } else {
        "node"
    };
    let mut new = NewElement::named(role)
        .with(
            format!("{}:type", tree.xmi()),
            format!("{}:{kind}", tree.uml()),
        )
        .with(format!("{}:id", tree.xmi()), id);
    if !name.is_empty() {
        new = new.with("name", name);
    }
    let is_node = |it: &Element<'_, '_>| {
        matches!(local(*it), "node" | "structuredNode" | "edge" | "ownedNode")
    };
    let last = owner.children().rfind(is_node);
    let patch = match last {
        Some(last) => tree.insert_behind(last, &[new]),
        None => tree.insert_into(owner, &[new]),
    };
    let mut patches = vec![patch];
    if is_activity(owner) && (owner.has_attribute("node") || tree.is_eclipse()) {
        patches.extend(tree.add_reference(owner, "node", id));
        if is_structured {
            patches.extend(tree.add_reference(owner, "group", id));
        }
    }
    patches
}

fn is_activity(element: Element<'_, '_>) -> bool {
    kind(element) == "Activity"
}

/// Adds a flow from the first to the second of two nodes.
pub(crate) fn add_flow(
    work: &mut Work<'_>,
    diagram: &str,
    ends: [&String; 2],
    guard: Option<&str>,
    key: Option<&String>,
) -> Result<(), Refused> {
    let diagram = work.id(diagram)?;
    let (source, target) = (work.id(ends[0])?, work.id(ends[1])?);
    let flow = work.patch(|tree, _| {
        let owner = tree.find(&diagram)?;
        let (from, to) = (tree.find(&source)?, tree.find(&target)?);
        let name = |it: &str| it.trim_start_matches('_').to_owned();
        let id = tree.free_id(&format!("{}_to_{}", name(&source), name(&target)));
        let (xmi, uml) = (tree.xmi(), tree.uml());
        let mut new = NewElement::named("edge")
            .with(format!("{xmi}:type"), format!("{uml}:ControlFlow"))
            .with(format!("{xmi}:id"), &*id)
            .with("target", &*target)
            .with("source", &*source);
        if let Some(guard) = guard.map(str::trim).filter(|it| !it.is_empty()) {
            let own = tree.free_id(&format!("{}_guard", name(&id)));
            new = new.child(text::new_guard(tree, &own, guard));
        }
        let patch = match children(owner, "edge").last() {
            Some(last) => tree.insert_behind(last, &[new]),
            None => tree.insert_into(owner, &[new]),
        };
        let mut patches = vec![patch];
        if lists_flows(tree) {
            patches.extend(join(tree, from, to, &id));
        }
        Ok((patches, id))
    })?;
    work.added(key, &flow);
    Ok(())
}

/// True if nodes list their flows, as most tools write them: also where there is none yet.
fn lists_flows(tree: &Tree<'_>) -> bool {
    let mut has_flows = false;
    for it in tree.elements() {
        if it.has_attribute("outgoing") || it.has_attribute("incoming") {
            return true;
        }
        has_flows |= local(it) == "edge";
    }
    !has_flows
}

/// Adds a flow to the lists of its ends, which may be one node.
fn join(tree: &Tree<'_>, from: Element<'_, '_>, to: Element<'_, '_>, flow: &str) -> Vec<Patch> {
    let mut patches = tree.add_reference(from, "outgoing", flow);
    patches.extend(tree.add_reference(to, "incoming", flow));
    patches
}

/// Gives a flow other ends.
pub(crate) fn reconnect(
    work: &mut Work<'_>,
    flow: &str,
    ends: [&String; 2],
) -> Result<(), Refused> {
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
            if lists_flows(tree) {
                patches.extend(tree.add_reference(new, list, &flow));
            }
            Ok((patches, ()))
        })?;
    }
    Ok(())
}

/// Lets an action call an activity, or nothing.
pub(crate) fn calls(
    work: &mut Work<'_>,
    element: &str,
    diagram: Option<&str>,
) -> Result<(), Refused> {
    let element = work.id(element)?;
    let diagram = diagram.map(|it| work.id(it)).transpose()?;
    work.patch(|tree, _| {
        let action = tree.find(&element)?;
        if kind(action) != "CallBehaviorAction" {
            return Err(Refused::new(format!("a {} calls nothing", kind(action))));
        }
        if let Some(diagram) = &diagram {
            let called = tree.find(diagram)?;
            if !is_activity(called) {
                let what = id(called).unwrap_or("");
                return Err(Refused::new(format!("`{what}` is no activity")));
            }
        }
        let child = children(action, "behavior").next();
        let mut patches: Vec<_> = child.map(|it| tree.remove(it)).into_iter().collect();
        patches.extend(tree.set_attribute(action, "behavior", diagram.as_deref()));
        Ok((patches, ()))
    })
}
