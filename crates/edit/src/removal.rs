//! Removes elements, together with everything that refers to them.

use std::collections::BTreeSet;

use prophet_text::Problem;

use crate::patch::Patch;
use crate::work::Work;
use crate::xml::{Element, Tree, base, children, id, local};

/// Removes elements, their flows, stereotypes, drawings and comments, and all references to them.
pub(crate) fn remove(work: &mut Work<'_>, elements: &[String]) -> Result<(), Problem> {
    let ids: Vec<String> = elements
        .iter()
        .map(|it| work.id(it))
        .collect::<Result<_, _>>()?;
    work.patch(|tree, _| {
        let mut gone = BTreeSet::new();
        for id in &ids {
            let element = tree.find(id)?;
            if element == tree.root() || element == tree.model()? {
                return Err(Problem::new("cannot remove the model itself"));
            }
            let inside = element.descendants().filter_map(crate::xml::id);
            gone.extend(inside);
        }
        follow(tree, &mut gone);
        Ok((patches(tree, &gone), ()))
    })
}

/// Adds all elements that can't exist without the removed elements.
fn follow<'a>(tree: &'a Tree<'_>, gone: &mut BTreeSet<&'a str>) {
    loop {
        let before = gone.len();
        for element in tree.elements() {
            if !is_gone(element, gone) && depends(element, gone) {
                gone.extend(element.descendants().filter_map(id));
            }
        }
        if gone.len() == before {
            return;
        }
    }
}

fn is_gone(element: Element<'_, '_>, gone: &BTreeSet<&str>) -> bool {
    id(element).is_some_and(|it| gone.contains(it))
}

fn depends(element: Element<'_, '_>, gone: &BTreeSet<&str>) -> bool {
    let names = |name: &str| {
        let attribute = element.attribute(name).or_else(|| {
            let mut ends = children(element, name).flat_map(|it| it.attributes());
            ends.find(|it| it.name() == "idref").map(|it| it.value())
        });
        attribute.is_some_and(|it| gone.contains(it))
    };
    match local(element) {
        "edge" | "containedEdge" => names("source") || names("target"),
        "ownedElement" => names("modelElement"),
        "ownedComment" => {
            // A note that is also about other elements stays.
            let of = element.attribute("annotatedElement").unwrap_or("");
            !of.is_empty() && of.split_whitespace().all(|it| gone.contains(it))
        }
        _ => base(element).is_some_and(|it| gone.contains(it)),
    }
}

fn patches(tree: &Tree<'_>, gone: &BTreeSet<&str>) -> Vec<Patch> {
    let mut patches = Vec::new();
    for element in tree.elements() {
        if is_gone(element, gone) || (id(element).is_none() && depends(element, gone)) {
            patches.push(tree.remove(element));
            continue;
        }
        for attribute in element.attributes().filter(|it| it.namespace().is_none()) {
            if is_list(attribute.name()) && names_any(attribute.value(), gone) {
                patches.extend(tree.without_references(element, attribute, gone));
            }
        }
    }
    patches
}

/// Returns `true` if the attribute contains a list of references.
fn is_list(name: &str) -> bool {
    matches!(
        name,
        "node"
            | "edge"
            | "group"
            | "structuredNode"
            | "incoming"
            | "outgoing"
            | "inPartition"
            | "behavior"
            | "classifierBehavior"
            | "annotatedElement"
            | "containedNode"
            | "containedEdge"
            | "interruptingEdge"
            | "method"
            | "variable"
    )
}

fn names_any(list: &str, gone: &BTreeSet<&str>) -> bool {
    list.split_whitespace().any(|it| gone.contains(it))
}
