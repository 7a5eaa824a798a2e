//! Edits names, tags, code, guards and comments.

use prophet_text::Problem;

use crate::patch::Patch;
use crate::profile::Profiles;
use crate::stereotype::applications;
use crate::work::Work;
use crate::xml::{Element, NewElement, Tree, children, id, is_name, kind};

/// Changes the name of an element, in the attribute or child that contains it.
pub(crate) fn rename(tree: &Tree<'_>, element: &str, name: &str) -> Result<Vec<Patch>, Problem> {
    let element = tree.find(element)?;
    let child = children(element, "name").find(|it| !it.has_children() || it.text().is_some());
    let patches = match child {
        Some(child) if !element.has_attribute("name") => vec![tree.set_text(child, name)],
        _ => set_name(tree, element, name),
    };
    Ok(patches)
}

pub(crate) fn set_name(tree: &Tree<'_>, element: Element<'_, '_>, name: &str) -> Vec<Patch> {
    tree.set_attribute(element, "name", Some(name))
}

pub(crate) fn tag(
    (tree, profiles): (&Tree<'_>, &Profiles),
    element: &str,
    tag: &str,
    value: Option<&str>,
) -> Result<Vec<Patch>, Problem> {
    if !is_name(tag) {
        return Err(Problem::new(format!("`{tag}` is not a valid tag name")));
    }
    let application = applications(tree, profiles, element)
        .next()
        .ok_or_else(|| {
            let text =
                "the element has no stereotype, or has it in a form that cannot be edited here";
            Problem::new(text)
        })?;
    let mut inside = children(application, tag);
    let patches = match (inside.next(), value) {
        (Some(child), Some(value)) => vec![tree.set_text(child, value)],
        (Some(child), None) => vec![tree.remove(child)],
        (None, value) => tree.set_attribute(application, tag, value),
    };
    Ok(patches)
}

pub(crate) fn body(
    tree: &Tree<'_>,
    element: &str,
    text: Option<&str>,
) -> Result<Vec<Patch>, Problem> {
    let element = tree.find(element)?;
    if !kind(element).starts_with("Opaque") {
        let why = format!("a {} cannot have its own code", kind(element));
        return Err(Problem::new(why));
    }
    Ok(set_body(tree, element, text))
}

/// Sets the body of an element, in the form that it already has. The language of a new body is C.
pub(crate) fn set_body(
    tree: &Tree<'_>,
    element: Element<'_, '_>,
    text: Option<&str>,
) -> Vec<Patch> {
    let text = text.filter(|it| !it.is_empty());
    let there = children(element, "body").next();
    match (there, text) {
        (Some(body), Some(text)) => vec![tree.set_text(body, text)],
        (Some(body), None) => {
            let language = children(element, "language").next();
            [Some(body), language]
                .into_iter()
                .flatten()
                .map(|it| tree.remove(it))
                .collect()
        }
        (None, text) if element.has_attribute("body") => tree.set_attribute(element, "body", text),
        (None, Some(text)) => {
            let body = NewElement::named("body").text(text);
            let patch = match children(element, "language").next() {
                Some(language) => tree.insert_behind(language, &[body]),
                None => tree.insert_into(element, &[NewElement::named("language").text("C"), body]),
            };
            vec![patch]
        }
        (None, None) => Vec::new(),
    }
}

pub(crate) fn guard(work: &mut Work<'_>, flow: &str, text: Option<&str>) -> Result<(), Problem> {
    let flow = work.id(flow)?;
    work.patch(|tree, _| {
        let edge = tree.find(&flow)?;
        let text = text.map(str::trim).filter(|it| !it.is_empty());
        let patches = match (children(edge, "guard").next(), text) {
            (Some(guard), Some(text)) => guard_text(tree, guard, text),
            (Some(guard), None) => vec![tree.remove(guard)],
            (None, Some(text)) => {
                let id = tree.free_id(&format!("{}_guard", flow.trim_start_matches('_')));
                vec![tree.insert_into(edge, &[new_guard(tree, &id, text)])]
            }
            (None, None) => Vec::new(),
        };
        Ok((patches, ()))
    })
}

/// Sets the text of a guard where the tool has written it.
fn guard_text(tree: &Tree<'_>, guard: Element<'_, '_>, text: &str) -> Vec<Patch> {
    let mut bodies = guard.descendants().filter(|it| it.has_tag_name("body"));
    if let Some(body) = bodies.next() {
        return vec![tree.set_text(body, text)];
    }
    match ["body", "value", "symbol"]
        .into_iter()
        .find(|it| guard.has_attribute(*it))
    {
        Some(attribute) => tree.set_attribute(guard, attribute, Some(text)),
        None => vec![tree.insert_into(guard, &[NewElement::named("body").text(text)])],
    }
}

pub(crate) fn new_guard(tree: &Tree<'_>, id: &str, text: &str) -> NewElement {
    let (xmi, uml) = (tree.xmi_prefix(), tree.uml_prefix());
    NewElement::named("guard")
        .with(format!("{xmi}:type"), format!("{uml}:OpaqueExpression"))
        .with(format!("{xmi}:id"), id)
        .child(NewElement::named("body").text(text))
}

pub(crate) fn comment(
    tree: &Tree<'_>,
    element: &str,
    text: Option<&str>,
) -> Result<Vec<Patch>, Problem> {
    let owner = tree.find(element)?;
    let text = text.filter(|it| !it.trim().is_empty());
    let there = children(owner, "ownedComment").next();
    let patches = match (there, text) {
        (Some(comment), None) => vec![tree.remove(comment)],
        (Some(comment), Some(text)) => match children(comment, "body").next() {
            Some(body) => vec![tree.set_text(body, text)],
            None => tree.set_attribute(comment, "body", Some(text)),
        },
        (None, Some(text)) => vec![tree.insert_first(owner, &[new_comment(tree, owner, text)])],
        (None, None) => Vec::new(),
    };
    Ok(patches)
}

fn new_comment(tree: &Tree<'_>, owner: Element<'_, '_>, text: &str) -> NewElement {
    let xmi = tree.xmi_prefix();
    let of = id(owner).unwrap_or("");
    let own = tree.free_id(&format!("{}_comment", of.trim_start_matches('_')));
    NewElement::named("ownedComment")
        .with(
            format!("{xmi}:type"),
            format!("{}:Comment", tree.uml_prefix()),
        )
        .with(format!("{xmi}:id"), own)
        .with("annotatedElement", of)
        .child(NewElement::named("body").text(text))
}
