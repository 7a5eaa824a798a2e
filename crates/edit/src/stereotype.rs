//! Applies stereotypes. An application is an XML element next to the model. Its `base_…` attribute
//! refers to the element with the stereotype.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_text::Problem;

use crate::patch::Patch;
use crate::profile::{Profile, Profiles, Stereotype};
use crate::work::Work;
use crate::xml::{Element, NewElement, Tree, base, children, id, kind, local};

pub(crate) fn applications<'a, 't>(
    tree: &'a Tree<'t>,
    profiles: &'a Profiles,
    element: &'a str,
) -> impl Iterator<Item = Element<'a, 't>> {
    tree.based_on(element).filter(|it| profiles.applies(*it))
}

pub(crate) fn set(work: &mut Work<'_>, element: &str, name: Option<&str>) -> Result<(), Problem> {
    let element = work.id(element)?;
    work.patch(|tree, profiles| {
        let of = tree.find(&element)?;
        let old: Vec<_> = applications(tree, profiles, &element).collect();
        let Some(name) = name else {
            let patches = old.into_iter().map(|it| tree.remove(it)).collect();
            return Ok((patches, ()));
        };
        let (profile, stereotype) = profiles.stereotype(name).ok_or_else(|| unknown(name))?;
        if old.iter().any(|it| local(*it) == stereotype.element) {
            return Ok((Vec::new(), ()));
        }
        let new = application(tree, profile, stereotype, of, old.first().copied())?;
        let patches = match old.first() {
            Some(&first) => {
                let mut patches = profile_patches(tree, profile)?;
                patches.push(tree.insert_behind(first, &[new]));
                patches.extend(old.into_iter().map(|it| tree.remove(it)));
                patches
            }
            None => insert(tree, profile, new)?,
        };
        Ok((patches, ()))
    })
}

/// Applies stereotypes to new elements. Each element is given as its id and the name of its
/// stereotype.
pub(crate) fn add(work: &mut Work<'_>, elements: &[(&str, &str)]) -> Result<(), Problem> {
    let mut of_profiles: BTreeMap<Option<&str>, Vec<(&str, &str)>> = BTreeMap::new();
    for (element, name) in elements {
        let profile = work.profiles.stereotype(name);
        let of_profile = of_profiles.entry(profile.map(|it| &*it.0.uri)).or_default();
        of_profile.push((element, name));
    }
    for elements in of_profiles.into_values() {
        let Some(((first, name), others)) = elements.split_first() else {
            continue;
        };
        // The first application adds everything that the file needs for the others.
        set(work, first, Some(name))?;
        work.patch(|tree, profiles| Ok((added(tree, profiles, others)?, ())))?;
    }
    Ok(())
}

/// Applies stereotypes of profiles that the file already applies.
fn added(
    tree: &Tree<'_>,
    profiles: &Profiles,
    elements: &[(&str, &str)],
) -> Result<Vec<Patch>, Problem> {
    let mut new = Vec::new();
    for (element, name) in elements {
        let of = tree.find(element)?;
        let (profile, stereotype) = profiles.stereotype(name).ok_or_else(|| unknown(name))?;
        new.push(application(tree, profile, stereotype, of, None)?);
    }
    Ok(vec![tree.insert_behind(last_application(tree)?, &new)])
}

fn unknown(name: &str) -> Problem {
    Problem::new(format!("the profile has no stereotype `{name}`"))
}

/// Finds the element to insert new applications after: the last application or, without any, the
/// model.
fn last_application<'a, 't>(tree: &'a Tree<'t>) -> Result<Element<'a, 't>, Problem> {
    let last = tree.root().children().rfind(|it| base(*it).is_some());
    last.map_or_else(|| tree.model(), Ok)
}

/// Creates an application. Tags of the old application are kept if the new stereotype has them too.
fn application(
    tree: &Tree<'_>,
    profile: &Profile,
    stereotype: &Stereotype,
    of: Element<'_, '_>,
    old: Option<Element<'_, '_>>,
) -> Result<NewElement, Problem> {
    let name = &stereotype.name;
    let unfit = || Problem::new(format!("`{name}` cannot be applied to a {}", kind(of)));
    let base = stereotype.base(kind(of)).ok_or_else(unfit)?;
    let of = id(of).unwrap_or("");
    let own = format!("{}_{}", of.trim_start_matches('_'), stereotype.element);
    let prefix = match tree.prefix(|it| profile.is_namespace(it)) {
        Some(known) => known.to_owned(),
        None => free_prefix(tree, profile),
    };
    let mut new = NewElement::named(format!("{prefix}:{}", stereotype.element))
        .with(format!("{}:id", tree.xmi_prefix()), tree.free_id(&own))
        .with(base, of);
    for tag in &stereotype.tags {
        // The application's own `xmi:id` isn't the tag `id`.
        let is_tag =
            |it: &roxmltree::Attribute<'_, '_>| it.namespace().is_none() && it.name() == tag.name;
        if let Some(value) = old.and_then(|it| it.attributes().find(is_tag)) {
            new = new.with(&tag.name, value.value());
        }
    }
    Ok(new)
}

/// Inserts an application after the other applications, or after the model.
fn insert(tree: &Tree<'_>, profile: &Profile, new: NewElement) -> Result<Vec<Patch>, Problem> {
    let root = tree.root();
    let mut patches = profile_patches(tree, profile)?;
    if local(root) != "XMI" {
        patches.extend(wrap(tree, profile, new));
        return Ok(patches);
    }
    patches.push(tree.insert_behind(last_application(tree)?, &[new]));
    Ok(patches)
}

fn free_prefix(tree: &Tree<'_>, profile: &Profile) -> String {
    let is_free = |it: &String| tree.root().lookup_namespace_uri(Some(it)).is_none();
    let numbered = (2_u32..).map(|number| format!("{}{number}", profile.prefix));
    let mut free = std::iter::once(profile.prefix.clone()).chain(numbered);
    free.find(is_free).unwrap_or_default()
}

/// Declares the namespace of the profile and applies the profile, unless the file already does so.
fn profile_patches(tree: &Tree<'_>, profile: &Profile) -> Result<Vec<Patch>, Problem> {
    let root = tree.root();
    let mut patches = Vec::new();
    if tree.prefix(|it| profile.is_namespace(it)).is_some() {
        return Ok(patches);
    }
    let file = &profile.file;
    if local(root) == "XMI" {
        let at = tree.end_of_attributes(root);
        let space = format!(" xmlns:{}=\"{}\"", free_prefix(tree, profile), profile.uri);
        patches.push(Patch::insert(at, space));
    }
    let model = tree.model()?;
    let is_applied = children(model, "profileApplication").any(|it| {
        let mut hrefs = it.descendants().filter_map(|it| it.attribute("href"));
        hrefs.any(|it| it.contains(&profile.id))
    });
    if !is_applied && tree.is_eclipse() {
        let (xmi, href) = (tree.xmi_prefix(), format!("{file}#{}", profile.package));
        let annotation = NewElement::named("eAnnotations")
            .with(
                format!("{xmi}:id"),
                tree.free_id(&format!("{}_application_annotation", profile.prefix)),
            )
            .with("source", "http://www.eclipse.org/uml2/2.0.0/UML")
            .child(
                NewElement::named("references")
                    .with(format!("{xmi}:type"), "ecore:EPackage")
                    .with("xmlns:ecore", "http://www.eclipse.org/emf/2002/Ecore")
                    .with("href", href),
            );
        let application = NewElement::named("profileApplication")
            .with(
                format!("{xmi}:id"),
                tree.free_id(&format!("{}_application", profile.prefix)),
            )
            .child(annotation)
            .child(
                NewElement::named("appliedProfile").with("href", format!("{file}#{}", profile.id)),
            );
        patches.push(tree.insert_into(model, &[application]));
    }
    Ok(patches)
}

/// Wraps the model and the application in an `xmi:XMI` element.
fn wrap(tree: &Tree<'_>, profile: &Profile, new: NewElement) -> Vec<Patch> {
    let root = tree.root();
    let xmi = tree.xmi_prefix();
    let is_version = |it: &roxmltree::Attribute<'_, '_>| {
        it.name() == "version" && it.namespace().is_some_and(crate::xml::is_xmi)
    };
    let version = root.attributes().find(is_version);
    let number = version.map_or("20131001", |it| it.value());
    let mut tag = format!("<{xmi}:XMI {xmi}:version=\"{number}\"");
    for space in root.namespaces() {
        if let Some(prefix) = space.name().filter(|it| *it != "xml") {
            let _ = write!(tag, " xmlns:{prefix}=\"{}\"", space.uri());
        }
    }
    if tree.prefix(|it| profile.is_namespace(it)).is_none() {
        let _ = write!(
            tag,
            " xmlns:{}=\"{}\"",
            free_prefix(tree, profile),
            profile.uri
        );
    }
    tag.push_str(">\n");
    let mut patches = vec![Patch::insert(root.range().start, tag)];
    if version.is_some() {
        patches.extend(tree.set_attribute(root, &format!("{xmi}:version"), None));
    }
    patches.push(tree.insert_behind(root, &[new]));
    patches.push(Patch::insert(root.range().end, format!("\n</{xmi}:XMI>")));
    patches
}
