//! Edits activities, variables and cost functions.

use std::collections::BTreeMap;

use prophet_text::Problem;

use crate::edit::{CostParameter, Edit};
use crate::patch::Patch;
use crate::text::{set_body, set_name};
use crate::work::Work;
use crate::xml::{Element, NewElement, Tree, children, id, kind, local};

/// Prefix of references to UML's primitive types.
const PRIMITIVE: &str = "pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml#";

pub(crate) fn add_activities(work: &mut Work<'_>, edits: &[Edit]) -> Result<(), Problem> {
    let added = work.patch(|tree, _| {
        let last = tree
            .elements()
            .filter(|it| kind(*it) == "Activity" && is_owned(*it))
            .last();
        let role = last.map_or("packagedElement", local);
        let (mut new, mut added) = (Vec::new(), Vec::new());
        for edit in edits {
            if let Edit::AddActivity { name, key } = edit {
                let id = tree.free_id(name);
                new.push(tree.element(role, "Activity", &id).with("name", name));
                added.push((key.as_ref(), id));
            }
        }
        let patch = match last {
            Some(last) => tree.insert_behind(last, &new),
            None => tree.insert_into(tree.model()?, &new),
        };
        Ok((vec![patch], added))
    })?;
    for (key, id) in added {
        work.added(key, &id);
    }
    Ok(())
}

fn is_owned(element: Element<'_, '_>) -> bool {
    matches!(
        local(element),
        "ownedBehavior" | "packagedElement" | "ownedMember"
    )
}

/// Finds the element that owns the global variables of a program. This is the class of the
/// program's main activity or, without a class, the activity itself.
fn program_of<'a, 't>(tree: &'a Tree<'t>, main: &str) -> Result<Element<'a, 't>, Problem> {
    let activity = tree.find(main)?;
    let class = |it: &Element<'a, 't>| it.is_element() && kind(*it) == "Class";
    let behaves = |it: &Element<'a, 't>| it.attribute("classifierBehavior") == Some(main);
    let found = tree.elements().find(behaves);
    Ok(found
        .or_else(|| activity.ancestors().find(class))
        .unwrap_or(activity))
}

/// Finds the class with the global variables as its attributes. If there is no such class, finds
/// the first activity.
fn program<'a, 't>(tree: &'a Tree<'t>) -> Result<Element<'a, 't>, Problem> {
    let class = tree
        .elements()
        .find(|it| it.has_attribute("classifierBehavior"));
    let first = || tree.elements().find(|it| kind(*it) == "Activity");
    let found = class.or_else(|| {
        let activity = first()?;
        let class = activity
            .ancestors()
            .find(|it| it.is_element() && kind(*it) == "Class");
        class.or(Some(activity))
    });
    found.ok_or_else(|| Problem::new("the model has no program"))
}

pub(crate) fn change_variable(work: &mut Work<'_>, id: &str, edit: &Edit) -> Result<(), Problem> {
    let variable = work.id(id)?;
    work.patch(|tree, _| {
        let there = tree.find(&variable)?;
        Ok((changed_variable(tree, there, edit), ()))
    })
}

pub(crate) fn add_variables(work: &mut Work<'_>, edits: &[Edit]) -> Result<(), Problem> {
    let mut owners = Vec::new();
    for edit in edits {
        if let Edit::Variable { owner, program, .. } = edit {
            let owner = owner.as_ref().map(|it| work.id(it)).transpose()?;
            let main = program.as_ref().map(|it| work.id(it)).transpose()?;
            owners.push((owner, main));
        }
    }
    let ids = work.patch(|tree, _| new_variables(tree, edits, &owners))?;
    for (edit, id) in edits.iter().zip(&ids) {
        if let Edit::Variable { key, .. } = edit {
            work.added(key.as_ref(), id);
        }
    }
    Ok(())
}

/// Creates the patches that add variables to their owners (a diagram or a program), and returns
/// them with the variables' ids.
fn new_variables(
    tree: &Tree<'_>,
    edits: &[Edit],
    owners: &[(Option<String>, Option<String>)],
) -> Result<(Vec<Patch>, Vec<String>), Problem> {
    let mut ids = Vec::new();
    let mut of_owners: BTreeMap<_, Vec<NewElement>> = BTreeMap::new();
    for (edit, of) in edits.iter().zip(owners) {
        let Edit::Variable { name, .. } = edit else {
            continue;
        };
        let is_local = of.0.is_some();
        let (role, class) = if is_local {
            ("variable", "Variable")
        } else {
            ("ownedAttribute", "Property")
        };
        let own = tree.free_id(name);
        let new = tree.element(role, class, &own).with("name", name);
        let new = described(tree, new, edit, &own);
        of_owners.entry((of, role)).or_default().push(new);
        ids.push(own);
    }
    let mut patches = Vec::new();
    for ((of, role), new) in of_owners {
        let parent = match of {
            (Some(owner), _) => tree.find(owner)?,
            (None, Some(main)) => program_of(tree, main)?,
            (None, None) => program(tree)?,
        };
        patches.push(behind_all(tree, parent, role, &new));
    }
    Ok((patches, ids))
}

/// Inserts elements after the last element in the same role. If there is none, inserts them after
/// the comments, or as the first children.
fn behind_all(tree: &Tree<'_>, parent: Element<'_, '_>, role: &str, new: &[NewElement]) -> Patch {
    let last = children(parent, role)
        .last()
        .or_else(|| children(parent, "ownedComment").last());
    match last {
        Some(last) => tree.insert_behind(last, new),
        None => tree.insert_first(parent, new),
    }
}

/// Sets the type, length and value of a new variable.
fn described(tree: &Tree<'_>, new: NewElement, edit: &Edit, own: &str) -> NewElement {
    let Edit::Variable {
        type_name,
        read_only,
        length,
        default,
        ..
    } = edit
    else {
        return new;
    };
    let new = if *read_only {
        new.with("isReadOnly", "true")
    } else {
        new
    };
    let new = typed(tree, new, type_name);
    let length = length.map(|it| upper(tree, own, it));
    let value = default.as_deref().filter(|it| !it.trim().is_empty());
    let value = value.map(|it| literal(tree, own, it));
    new.children(length).children(value)
}

/// A type that the model declares, or a primitive type of UML.
enum Type {
    Declared(String),
    Primitive(&'static str),
}

impl Type {
    fn find(tree: &Tree<'_>, name: &str) -> Self {
        let declared = tree.type_named(name).and_then(id);
        declared.map_or_else(
            || Self::Primitive(primitive(name)),
            |it| Self::Declared(it.to_owned()),
        )
    }
}

/// Returns the UML type that corresponds to a C or Rust type.
fn primitive(name: &str) -> &'static str {
    match name {
        "bool" | "Boolean" | "boolean" => "Boolean",
        "double" | "float" | "Real" | "f64" | "f32" => "Real",
        "String" => "String",
        _ => "Integer",
    }
}

fn typed(tree: &Tree<'_>, new: NewElement, name: &str) -> NewElement {
    match Type::find(tree, name) {
        Type::Declared(id) => new.with("type", id),
        Type::Primitive(name) => new.child(primitive_type(tree, name)),
    }
}

fn primitive_type(tree: &Tree<'_>, name: &str) -> NewElement {
    tree.typed("type", "PrimitiveType")
        .with("href", format!("{PRIMITIVE}{name}"))
}

/// Creates the upper multiplicity of an array.
fn upper(tree: &Tree<'_>, of: &str, length: u64) -> NewElement {
    let own = format!("{}_upper", of.trim_start_matches('_'));
    tree.element("upperValue", "LiteralUnlimitedNatural", &tree.free_id(&own))
        .with("value", length.to_string())
}

/// Creates a default value. If the text is a literal, this is a UML literal.
fn literal(tree: &Tree<'_>, of: &str, value: &str) -> NewElement {
    let value = value.trim();
    let class = if value.parse::<i64>().is_ok() {
        "LiteralInteger"
    } else if value.parse::<f64>().is_ok_and(f64::is_finite) {
        "LiteralReal"
    } else if matches!(value, "true" | "false") {
        "LiteralBoolean"
    } else {
        "OpaqueExpression"
    };
    let own = format!("{}_default", of.trim_start_matches('_'));
    let new = tree.element("defaultValue", class, &tree.free_id(&own));
    if class == "OpaqueExpression" {
        return new.child(NewElement::named("body").text(value));
    }
    new.with("value", value)
}

fn changed_variable(tree: &Tree<'_>, there: Element<'_, '_>, edit: &Edit) -> Vec<Patch> {
    let Edit::Variable {
        name,
        type_name,
        read_only,
        length,
        default,
        ..
    } = edit
    else {
        return Vec::new();
    };
    let of = id(there).unwrap_or("");
    let mut patches = Vec::new();
    if there.attribute("name") != Some(name) {
        patches.extend(set_name(tree, there, name));
    }
    if type_of(tree, there).as_deref() != Some(type_name) {
        patches.extend(set_type(tree, there, type_name));
    }
    if (there.attribute("isReadOnly") == Some("true")) != *read_only {
        let value = read_only.then_some("true");
        patches.extend(tree.set_attribute(there, "isReadOnly", value));
    }
    let old = children(there, "upperValue").next();
    let old_length = old.and_then(|it| it.attribute("value")?.parse().ok());
    if old_length.filter(|it| *it > 1) != length.filter(|it| *it > 1) {
        let new = length.filter(|it| *it > 1).map(|it| upper(tree, of, it));
        patches.extend(replaced(tree, there, old, new));
    }
    let old = children(there, "defaultValue").next();
    let default = default
        .as_deref()
        .map(str::trim)
        .filter(|it| !it.is_empty());
    if old.map(value_of).as_deref() != default {
        let new = default.map(|it| literal(tree, of, it));
        patches.extend(replaced(tree, there, old, new));
    }
    patches
}

fn replaced(
    tree: &Tree<'_>,
    parent: Element<'_, '_>,
    old: Option<Element<'_, '_>>,
    new: Option<NewElement>,
) -> Vec<Patch> {
    let inserted = new.map(|it| match old {
        Some(old) => tree.insert_behind(old, &[it]),
        None => tree.insert_into(parent, &[it]),
    });
    inserted
        .into_iter()
        .chain(old.map(|it| tree.remove(it)))
        .collect()
}

fn value_of(value: Element<'_, '_>) -> String {
    let body = children(value, "body").next().and_then(|it| it.text());
    let written = value
        .attribute("value")
        .or(body)
        .or_else(|| value.attribute("body"));
    let implied = match kind(value) {
        "LiteralInteger" => "0",
        "LiteralBoolean" => "false",
        _ => "",
    };
    written.unwrap_or(implied).trim().to_owned()
}

fn type_of(tree: &Tree<'_>, of: Element<'_, '_>) -> Option<String> {
    if let Some(declared) = of.attribute("type") {
        return tree
            .find(declared)
            .ok()?
            .attribute("name")
            .map(str::to_owned);
    }
    let href = children(of, "type").find_map(|it| it.attribute("href"))?;
    href.rsplit('#').next().map(str::to_owned)
}

fn set_type(tree: &Tree<'_>, of: Element<'_, '_>, name: &str) -> Vec<Patch> {
    let child = children(of, "type").next();
    match Type::find(tree, name) {
        Type::Declared(id) => {
            let mut patches = tree.set_attribute(of, "type", Some(&id));
            patches.extend(child.map(|it| tree.remove(it)));
            patches
        }
        Type::Primitive(name) => {
            let mut patches = tree.set_attribute(of, "type", None);
            patches.extend(replaced(tree, of, child, Some(primitive_type(tree, name))));
            patches
        }
    }
}

pub(crate) fn change_function(work: &mut Work<'_>, id: &str, edit: &Edit) -> Result<(), Problem> {
    let Edit::Function {
        name,
        parameters,
        result,
        body,
        ..
    } = edit
    else {
        return Ok(());
    };
    let signature = signature(parameters, result.as_deref());
    let function = work.id(id)?;
    work.patch(|tree, _| {
        let there = tree.find(&function)?;
        let mut patches = Vec::new();
        if there.attribute("name") != Some(name) {
            patches.extend(set_name(tree, there, name));
        }
        patches.extend(changed_signature(tree, there, &function, &signature));
        patches.extend(set_body(tree, there, Some(body)));
        Ok((patches, ()))
    })
}

pub(crate) fn add_functions(work: &mut Work<'_>, edits: &[Edit]) -> Result<(), Problem> {
    let added = work.patch(|tree, _| {
        let (mut new, mut added) = (Vec::new(), Vec::new());
        for edit in edits {
            if let Edit::Function { key, .. } = edit {
                let (id, function) = new_function(tree, edit);
                new.push(function);
                added.push((key.as_ref(), id));
            }
        }
        Ok((vec![tree.insert_into(program(tree)?, &new)], added))
    })?;
    for (key, id) in added {
        work.added(key, &id);
    }
    Ok(())
}

fn new_function(tree: &Tree<'_>, edit: &Edit) -> (String, NewElement) {
    let Edit::Function {
        name,
        parameters,
        result,
        body,
        language,
        ..
    } = edit
    else {
        return (String::new(), NewElement::default());
    };
    let signature = signature(parameters, result.as_deref());
    let own = tree.free_id(name);
    let new = tree
        .element("ownedBehavior", "OpaqueBehavior", &own)
        .with("name", name)
        .children(signature.iter().map(|it| parameter(tree, &own, it)))
        .child(NewElement::named("language").text(language.as_deref().unwrap_or("C")))
        .child(NewElement::named("body").text(body));
    (own, new)
}

/// The parameters of a function: name, type, and whether it is the result.
type Signature = Vec<(String, String, bool)>;

fn signature(parameters: &[CostParameter], result: Option<&str>) -> Signature {
    let inputs = parameters
        .iter()
        .map(|it| (it.name.clone(), it.type_name.clone(), false));
    let result = result.map(|it| ("result".to_owned(), it.to_owned(), true));
    inputs.chain(result).collect()
}

fn parameter(
    tree: &Tree<'_>,
    of: &str,
    (name, type_name, is_result): &(String, String, bool),
) -> NewElement {
    let own = format!("{}_{name}", of.trim_start_matches('_'));
    let new = NewElement::named("ownedParameter")
        .with(format!("{}:id", tree.xmi_prefix()), tree.free_id(&own))
        .with("name", name);
    let new = if *is_result {
        new.with("direction", "return")
    } else {
        new
    };
    typed(tree, new, type_name)
}

/// Replaces the parameters of a function if they have changed.
fn changed_signature(
    tree: &Tree<'_>,
    there: Element<'_, '_>,
    function: &str,
    wanted: &Signature,
) -> Vec<Patch> {
    let old: Vec<_> = children(there, "ownedParameter").collect();
    let is_result = |it: &Element<'_, '_>| it.attribute("direction") == Some("return");
    let described = |it: &Element<'_, '_>| {
        let name = if is_result(it) {
            "result"
        } else {
            it.attribute("name").unwrap_or("")
        };
        (
            name.to_owned(),
            type_of(tree, *it).unwrap_or_default(),
            is_result(it),
        )
    };
    let mut current: Signature = old.iter().map(described).collect();
    // The result can be at any position, so it is moved to the end.
    current.sort_by_key(|it| it.2);
    if current == *wanted {
        return Vec::new();
    }
    let new: Vec<NewElement> = wanted
        .iter()
        .map(|it| parameter(tree, function, it))
        .collect();
    let patch = match old.last() {
        Some(last) => tree.insert_behind(*last, &new),
        None => behind_all(tree, there, "ownedParameter", &new),
    };
    std::iter::once(patch)
        .chain(old.into_iter().map(|it| tree.remove(it)))
        .collect()
}
