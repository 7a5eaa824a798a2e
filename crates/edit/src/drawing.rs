//! Draws nodes and flows with UML Diagram Interchange (UML 2.5.1, annex B). Positions are stored in
//! an extension of the model, which Eclipse's tools don't change.

use std::collections::BTreeMap;

use prophet_text::Problem;
use roxmltree::Node;

use crate::edit::{Edit, Point};
use crate::patch::Patch;
use crate::work::Work;
use crate::xml::{Element, NewElement, Tree, children, id, kind, local};

const UMLDI: &str = "http://www.omg.org/spec/UML/20131001/UMLDI";
/// Name of the tool that owns the XMI extension.
const EXTENDER: &str = "Performance Prophet";
/// Maximum distance of coordinates from the origin.
const FARTHEST: f64 = 1e6;

/// Draws nodes with these bounds: left, top, width and height.
pub(crate) fn place(work: &mut Work<'_>, nodes: &[(&str, [f64; 4])]) -> Result<(), Problem> {
    let is_sound =
        |it: &[f64; 4]| it.iter().all(|it| it.abs() <= FARTHEST) && it[2] > 0.0 && it[3] > 0.0;
    if !nodes.iter().all(|(_, bounds)| is_sound(bounds)) {
        return Err(Problem::new(
            "a drawing must be within a million units of the origin and have a size",
        ));
    }
    let of = nodes
        .iter()
        .map(|(node, bounds)| Ok((work.id(node)?, *bounds)));
    let mut bounds: BTreeMap<String, [f64; 4]> = of.collect::<Result<_, Problem>>()?;
    work.patch(|tree, _| {
        let mut patches = Vec::new();
        bounds.retain(|of, new| {
            let drawn = tree.drawing_of(of);
            patches.extend(
                drawn
                    .into_iter()
                    .flat_map(|it| replace_bounds(tree, it, *new)),
            );
            drawn.is_none()
        });
        // Drawings of nodes that haven't been drawn yet, by activity.
        let mut shapes: BTreeMap<Option<&str>, Vec<NewElement>> = BTreeMap::new();
        let new = tree
            .elements()
            .filter_map(|it| Some((it, bounds.get(id(it)?)?)));
        for (node, new) in new {
            let shape = drawn_element(tree, node, "UMLShape");
            let shape = shape.child(with_bounds(*new));
            shapes.entry(activity_of(node)).or_default().push(shape);
        }
        let placed: usize = shapes.values().map(Vec::len).sum();
        if placed < bounds.len() {
            return Err(Problem::new("the model does not contain this node"));
        }
        patches.extend(insert_drawn(tree, shapes));
        Ok((patches, ()))
    })
}

fn with_bounds(bounds: [f64; 4]) -> NewElement {
    let values = ["x", "y", "width", "height"]
        .into_iter()
        .zip(bounds.map(written));
    with(NewElement::named("bounds"), values)
}

fn replace_bounds(tree: &Tree<'_>, shape: Element<'_, '_>, bounds: [f64; 4]) -> Vec<Patch> {
    let Some(there) = children(shape, "bounds").next() else {
        return vec![tree.insert_into(shape, &[with_bounds(bounds)])];
    };
    let values = ["x", "y", "width", "height"]
        .into_iter()
        .zip(bounds.map(written));
    let set = |(name, value): (&str, String)| tree.set_attribute(there, name, Some(&value));
    values.flat_map(set).collect()
}

/// Draws flows along points. Without points, a flow is a straight line.
pub(crate) fn draw(work: &mut Work<'_>, edits: &[Edit]) -> Result<(), Problem> {
    let mut flows = Vec::new();
    for edit in edits {
        if let Edit::Points { flow, points } = edit {
            let is_far = |it: &f64| it.abs() > FARTHEST || it.is_nan();
            if points.iter().flatten().any(is_far) {
                return Err(Problem::new(
                    "a drawing must be within a million units of the origin",
                ));
            }
            flows.push((work.id(flow)?, waypoints(points)));
        }
    }
    work.patch(|tree, _| {
        let mut patches = Vec::new();
        let mut shapes: BTreeMap<Option<&str>, Vec<NewElement>> = BTreeMap::new();
        for (flow, new) in flows {
            let owner = tree.find(&flow)?;
            if let Some(edge) = tree.drawing_of(&flow) {
                patches.extend(redrawn(tree, edge, &new));
            } else if !new.is_empty() {
                let edge = drawn_element(tree, owner, "UMLEdge").children(new);
                shapes.entry(activity_of(owner)).or_default().push(edge);
            }
        }
        patches.extend(insert_drawn(tree, shapes));
        Ok((patches, ()))
    })
}

fn waypoints(points: &[Point]) -> Vec<NewElement> {
    let new = points.iter().map(|[x, y]| {
        let point = [("x", written(*x)), ("y", written(*y))];
        with(NewElement::named("waypoint"), point.into_iter())
    });
    new.collect()
}

/// Draws an existing edge along other points. Without points, removes its drawing.
fn redrawn(tree: &Tree<'_>, edge: Element<'_, '_>, new: &[NewElement]) -> Vec<Patch> {
    if new.is_empty() {
        return vec![tree.remove(edge)];
    }
    let old = children(edge, "waypoint").map(|it| tree.remove(it));
    let mut patches: Vec<Patch> = old.collect();
    patches.push(match children(edge, "waypoint").last() {
        Some(last) => tree.insert_behind(last, new),
        None => tree.insert_into(edge, new),
    });
    patches
}

/// Formats a number for XMI, rounded to two digits after the point.
fn written(number: f64) -> String {
    format!("{}", (number * 100.0).round() / 100.0)
}

fn with<'n>(new: NewElement, values: impl Iterator<Item = (&'n str, String)>) -> NewElement {
    values.fold(new, |new, (name, value)| new.with(name, value))
}

fn activity_of<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    let mut around = element.ancestors().filter(Node::is_element);
    around.find(|it| kind(*it) == "Activity").and_then(id)
}

/// Creates the drawing of an element, without a position.
fn drawn_element(tree: &Tree<'_>, element: Element<'_, '_>, class: &str) -> NewElement {
    let xmi = tree.xmi_prefix();
    let prefix = tree.prefix(|it| it == UMLDI).unwrap_or("umldi");
    let of = id(element).unwrap_or("");
    let suffix = if class == "UMLEdge" { "edge" } else { "shape" };
    let own = tree.free_id(&format!("{}_{suffix}", of.trim_start_matches('_')));
    NewElement::named("ownedElement")
        .with(format!("{xmi}:type"), format!("{prefix}:{class}"))
        .with(format!("{xmi}:id"), own)
        .with("modelElement", of)
}

/// Inserts drawings into the diagrams of their activities. Creates diagrams that don't exist.
fn insert_drawn(tree: &Tree<'_>, shapes: BTreeMap<Option<&str>, Vec<NewElement>>) -> Vec<Patch> {
    let mut patches = Vec::new();
    let mut new = Vec::new();
    for (activity, shapes) in shapes {
        let of = activity.unwrap_or("");
        let mut diagrams = tree
            .elements()
            .filter(|it| local(*it) == "UMLActivityDiagram");
        if let Some(diagram) = diagrams.find(|it| it.attribute("modelElement") == Some(of)) {
            patches.push(tree.insert_into(diagram, &shapes));
            continue;
        }
        let own = tree.free_id(&format!("{}_diagram", of.trim_start_matches('_')));
        let diagram = NewElement::named("umldi:UMLActivityDiagram")
            .with("xmlns:umldi", UMLDI)
            .with(format!("{}:id", tree.xmi_prefix()), own)
            .with("modelElement", of);
        new.push(diagram.children(shapes));
    }
    if new.is_empty() {
        return patches;
    }
    let ours = |it: &Element<'_, '_>| {
        local(*it) == "Extension" && it.attribute("extender") == Some(EXTENDER)
    };
    if let Some(extension) = tree.elements().find(ours) {
        patches.push(tree.insert_into(extension, &new));
    } else if let Ok(model) = tree.model() {
        let extension = NewElement::named(format!("{}:Extension", tree.xmi_prefix()))
            .with("extender", EXTENDER)
            .children(new);
        patches.push(tree.insert_into(model, &[extension]));
    }
    patches
}
