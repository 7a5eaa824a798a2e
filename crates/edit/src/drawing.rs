//! Places of nodes and flows: UML Diagram Interchange (UML 2.5.1, annex B), in an extension of the
//! model, where Eclipse's tools leave it alone.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::Node;

use crate::document::Work;
use crate::edit::{Point, Refused};
use crate::patch::Patch;
use crate::xml::{Element, NewElement, Tree, children, id, kind, local};

/// The namespace of diagrams.
const UMLDI: &str = "http://www.omg.org/spec/UML/20131001/UMLDI";
/// Name of the tool that the extension is of.
const EXTENDER: &str = "Performance Prophet";
/// Largest distance from the origin; anything farther away is not a drawing.
const FARTHEST: f64 = 1e6;

/// Draws nodes at places: left, top, width, height.
pub(crate) fn place(work: &mut Work<'_>, nodes: &[(&str, [f64; 4])]) -> Result<(), Refused> {
    let is_sound =
        |it: &[f64; 4]| it.iter().all(|it| it.abs() <= FARTHEST) && it[2] > 0.0 && it[3] > 0.0;
    if !nodes.iter().all(|(_, bounds)| is_sound(bounds)) {
        return Err(Refused::new(
            "a drawing lies within a million units, and has a size",
        ));
    }
    let of = nodes
        .iter()
        .map(|(node, bounds)| Ok((work.id(node)?, *bounds)));
    let mut bounds: BTreeMap<String, [f64; 4]> = of.collect::<Result<_, Refused>>()?;
    work.patch(|tree, _| {
        let mut patches = Vec::new();
        let drawn = tree.elements().filter(|it| local(*it) == "ownedElement");
        for shape in drawn {
            let of = shape
                .attribute("modelElement")
                .and_then(|of| bounds.remove(of));
            if let Some(new) = of {
                patches.extend(replace_bounds(tree, shape, new));
            }
        }
        // The others are drawn for the first time.
        let mut shapes: BTreeMap<Option<&str>, Vec<NewElement>> = BTreeMap::new();
        let mut taken = BTreeSet::new();
        let new = tree
            .elements()
            .filter_map(|it| Some((it, bounds.get(id(it)?)?)));
        for (node, new) in new {
            let shape = drawn_element(tree, node, "UMLShape", &mut taken);
            let shape = shape.child(with_bounds(*new));
            shapes.entry(activity_of(node)).or_default().push(shape);
        }
        let placed: usize = shapes.values().map(Vec::len).sum();
        if placed < bounds.len() {
            return Err(Refused::new("there is no such node in the model"));
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

/// Draws a flow along points; without any, a straight line.
pub(crate) fn draw(work: &mut Work<'_>, flow: &str, points: &[Point]) -> Result<(), Refused> {
    let flow = work.id(flow)?;
    if points
        .iter()
        .flatten()
        .any(|it| it.abs() > FARTHEST || it.is_nan())
    {
        return Err(Refused::new("a drawing lies within a million units"));
    }
    let new = points.iter().map(|[x, y]| {
        let point = [("x", written(*x)), ("y", written(*y))];
        with(NewElement::named("waypoint"), point.into_iter())
    });
    let new: Vec<NewElement> = new.collect();
    work.patch(|tree, _| {
        let owner = tree.find(&flow)?;
        let patches = match shape(tree, &flow) {
            Some(edge) => {
                let old = children(edge, "waypoint").map(|it| tree.remove(it));
                let mut patches: Vec<Patch> = old.collect();
                if new.is_empty() {
                    patches = vec![tree.remove(edge)];
                } else if let Some(last) = children(edge, "waypoint").last() {
                    patches.push(tree.insert_behind(last, &new));
                } else {
                    patches.push(tree.insert_into(edge, &new));
                }
                patches
            }
            None if new.is_empty() => Vec::new(),
            None => {
                let edge = drawn_element(tree, owner, "UMLEdge", &mut BTreeSet::new());
                let edges = vec![edge.children(new.iter().cloned())];
                insert_drawn(tree, BTreeMap::from([(activity_of(owner), edges)]))
            }
        };
        Ok((patches, ()))
    })
}

/// A number as XMI has it.
fn written(number: f64) -> String {
    format!("{}", (number * 100.0).round() / 100.0)
}

fn with<'n>(new: NewElement, values: impl Iterator<Item = (&'n str, String)>) -> NewElement {
    values.fold(new, |new, (name, value)| new.with(name, value))
}

/// The drawing of an element.
fn shape<'a, 't>(tree: &'a Tree<'t>, element: &str) -> Option<Element<'a, 't>> {
    let mut drawn = tree.elements().filter(|it| local(*it) == "ownedElement");
    drawn.find(|it| it.attribute("modelElement") == Some(element))
}

/// The activity that an element is drawn in.
fn activity_of<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    let mut around = element.ancestors().filter(Node::is_element);
    around.find(|it| kind(*it) == "Activity").and_then(id)
}

/// A drawing of an element, without its place.
fn drawn_element(
    tree: &Tree<'_>,
    element: Element<'_, '_>,
    class: &str,
    taken: &mut BTreeSet<String>,
) -> NewElement {
    let xmi = tree.xmi();
    let prefix = tree.prefix(|it| it == UMLDI).unwrap_or("umldi");
    let of = id(element).unwrap_or("");
    let suffix = if class == "UMLEdge" { "edge" } else { "shape" };
    let mut own = tree.free_id(&format!("{}_{suffix}", of.trim_start_matches('_')));
    while !taken.insert(own.clone()) {
        own.push('_');
    }
    NewElement::named("ownedElement")
        .with(format!("{xmi}:type"), format!("{prefix}:{class}"))
        .with(format!("{xmi}:id"), own)
        .with("modelElement", of)
}

/// Inserts drawings into the diagrams of their activities, which may be new.
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
            .with(format!("{}:id", tree.xmi()), own)
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
        let extension = NewElement::named(format!("{}:Extension", tree.xmi()))
            .with("extender", EXTENDER)
            .children(new);
        patches.push(tree.insert_into(model, &[extension]));
    }
    patches
}
