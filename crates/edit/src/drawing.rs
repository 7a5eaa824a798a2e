//! Places of nodes and flows: UML Diagram Interchange (UML 2.5.1, annex B), in an extension of the
//! model, where Eclipse's tools leave it alone.

use crate::document::Work;
use crate::edit::{Point, Refused};
use crate::patch::Patch;
use crate::xml::{Element, NewElement, Tree, children, id, kind, local};

/// The namespace of diagrams.
const UMLDI: &str = "http://www.omg.org/spec/UML/20131001/UMLDI";
/// Whose extension it is.
const EXTENDER: &str = "Performance Prophet";
/// Largest distance from the origin; anything farther away is not a drawing.
const FARTHEST: f64 = 1e6;

/// Draws a node at a place: left, top, width, height.
pub(crate) fn place(work: &mut Work<'_>, element: &str, bounds: [f64; 4]) -> Result<(), Refused> {
    let element = work.id(element)?;
    if !bounds.iter().all(|it| it.abs() <= FARTHEST) || bounds[2] <= 0.0 || bounds[3] <= 0.0 {
        return Err(Refused::new(
            "a drawing lies within a million units, and has a size",
        ));
    }
    let names = ["x", "y", "width", "height"];
    let values = names.into_iter().zip(bounds.map(written));
    work.patch(|tree, _| {
        let owner = tree.find(&element)?;
        let Some(shape) = shape(tree, &element) else {
            let bounds = with(NewElement::named("bounds"), values);
            return Ok((draw_new(tree, owner, "UMLShape", &[bounds]), ()));
        };
        let Some(there) = children(shape, "bounds").next() else {
            let bounds = with(NewElement::named("bounds"), values);
            return Ok((vec![tree.insert_into(shape, &[bounds])], ()));
        };
        let set = |(name, value): (&str, String)| tree.set_attribute(there, name, Some(&value));
        let patches = values.flat_map(set).collect();
        Ok((patches, ()))
    })
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
            None => draw_new(tree, owner, "UMLEdge", &new),
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

/// Adds a drawing to the diagram of the element's activity, which may be new.
fn draw_new(
    tree: &Tree<'_>,
    element: Element<'_, '_>,
    class: &str,
    content: &[NewElement],
) -> Vec<Patch> {
    let xmi = tree.xmi();
    let prefix = tree.prefix(|it| it == UMLDI).unwrap_or("umldi");
    let of = id(element).unwrap_or("");
    let name = of.trim_start_matches('_');
    let suffix = if class == "UMLEdge" { "edge" } else { "shape" };
    let drawn = NewElement::named("ownedElement")
        .with(format!("{xmi}:type"), format!("{prefix}:{class}"))
        .with(
            format!("{xmi}:id"),
            tree.free_id(&format!("{name}_{suffix}")),
        )
        .with("modelElement", of)
        .children(content.iter().cloned());
    let activity = element
        .ancestors()
        .find(|it| it.is_element() && kind(*it) == "Activity");
    let activity = activity.unwrap_or(element);
    let of = id(activity).unwrap_or("");
    let mut diagrams = tree
        .elements()
        .filter(|it| local(*it) == "UMLActivityDiagram");
    if let Some(diagram) = diagrams.find(|it| it.attribute("modelElement") == Some(of)) {
        return vec![tree.insert_into(diagram, &[drawn])];
    }
    let own = tree.free_id(&format!("{}_diagram", of.trim_start_matches('_')));
    let diagram = NewElement::named("umldi:UMLActivityDiagram")
        .with("xmlns:umldi", UMLDI)
        .with(format!("{xmi}:id"), own)
        .with("modelElement", of)
        .child(drawn);
    let ours = |it: &Element<'_, '_>| {
        local(*it) == "Extension" && it.attribute("extender") == Some(EXTENDER)
    };
    if let Some(extension) = tree.elements().find(ours) {
        return vec![tree.insert_into(extension, &[diagram])];
    }
    let extension = NewElement::named(format!("{xmi}:Extension"))
        .with("extender", EXTENDER)
        .child(diagram);
    match tree.model() {
        Ok(model) => vec![tree.insert_into(model, &[extension])],
        Err(_) => Vec::new(),
    }
}
