//! Reads stereotypes from profiles: the UML types that they can be applied to, and their tags.

use std::collections::BTreeMap;

use prophet_text::Problem;
use roxmltree::Node;
use serde::Serialize;

use crate::xml::{Tree, children, id, kind};

/// The stereotypes of a UML profile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Profile {
    /// Namespace of the elements that apply the stereotypes.
    pub uri: String,
    /// Prefix for this namespace in files.
    pub prefix: String,
    /// Reference to the profile's package without the path of its file, such as
    /// `prophet.profile.uml#_prophet_package`.
    pub package: String,
    /// Id of the profile.
    pub id: String,
    /// The profile's file, as models refer to it.
    pub file: String,
    /// The stereotypes, in the order of the profile.
    pub stereotypes: Vec<Stereotype>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stereotype {
    /// Name of the stereotype, such as `action+`.
    pub name: String,
    /// Name of the XML elements that apply the stereotype, such as `action`.
    #[serde(skip)]
    pub element: String,
    pub about: String,
    /// UML types that the stereotype can be applied to.
    pub on: Vec<String>,
    /// The tags, in the order of the profile.
    pub tags: Vec<Tag>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tag {
    pub name: String,
    /// What the stereotype is for; empty if the profile doesn't say.
    pub about: String,
    /// Type in the profile: `String`, `Integer`, `Real` or `Boolean`.
    #[serde(rename = "type")]
    pub type_name: String,
}

/// Prefix of properties that refer to the element with the stereotype, such as `base_Action`.
const BASE: &str = "base_";

impl Profile {
    /// Parses a profile in the format of Eclipse UML2. `file` is the name of its file, as models
    /// refer to it.
    ///
    /// # Errors
    ///
    /// Returns an error if the text isn't such a profile.
    pub fn read(text: &str, file: &str) -> Result<Self, Problem> {
        let tree = Tree::parse(text)?;
        let none = || Problem::new("the file does not contain a UML 2 profile and its definition");
        let package = tree
            .elements()
            .find(|it| it.has_attribute("nsURI"))
            .ok_or_else(none)?;
        let of_package = |name: &str| package.attribute(name).unwrap_or("").to_owned();
        let elements = element_names(package);
        let stereotypes = tree.elements().filter(|it| kind(*it) == "Stereotype");
        let read = |it: Node<'_, '_>| stereotype(it, &elements);
        Ok(Self {
            uri: of_package("nsURI"),
            prefix: of_package("nsPrefix"),
            package: id(package).unwrap_or("").to_owned(),
            id: id(tree.root()).unwrap_or("").to_owned(),
            file: file.to_owned(),
            stereotypes: stereotypes.map(read).collect(),
        })
    }

    /// Returns the built-in profile.
    #[must_use]
    pub fn shipped() -> Self {
        let text = prophet_samples::PROFILE;
        Self::read(text, "prophet.profile.uml").unwrap_or_default()
    }

    /// Returns the stereotype with this name.
    pub fn stereotype(&self, name: &str) -> Option<&Stereotype> {
        self.stereotypes.iter().find(|it| it.name == name)
    }

    /// Returns `true` if `uri` is the profile's namespace, in any variant that tools generate.
    pub(crate) fn is_namespace(&self, uri: &str) -> bool {
        uri == self.uri || (!self.prefix.is_empty() && uri.contains(&*self.prefix))
    }

    fn applied(&self, element: Node<'_, '_>) -> Option<&Stereotype> {
        let tag = element.tag_name();
        tag.namespace().filter(|uri| self.is_namespace(uri))?;
        let is_it = |it: &&Stereotype| it.element == tag.name() || it.name == tag.name();
        self.stereotypes.iter().find(is_it)
    }
}

/// The profiles with the stereotypes that edits can apply.
#[derive(Debug, Clone)]
pub struct Profiles(Vec<Profile>);

impl Profiles {
    /// Returns only the built-in profile.
    #[must_use]
    pub fn shipped() -> Self {
        Self(vec![Profile::shipped()])
    }

    pub fn add(&mut self, profile: Profile) {
        self.0.push(profile);
    }

    /// Iterates over the stereotypes of all profiles.
    pub fn stereotypes(&self) -> impl Iterator<Item = &Stereotype> {
        self.0.iter().flat_map(|it| &it.stereotypes)
    }

    /// Returns the first stereotype with this name, and its profile.
    pub fn stereotype(&self, name: &str) -> Option<(&Profile, &Stereotype)> {
        let mut named = self
            .0
            .iter()
            .filter_map(|it| Some((it, it.stereotype(name)?)));
        named.next()
    }

    pub(crate) fn applies(&self, element: Node<'_, '_>) -> bool {
        self.applied(element).is_some()
    }

    pub(crate) fn applied(&self, element: Node<'_, '_>) -> Option<&Stereotype> {
        self.0.iter().find_map(|it| it.applied(element))
    }
}

impl Stereotype {
    /// Returns the attribute that applies the stereotype to an element of this UML type, such as
    /// `base_Action`; `None` if it can't be applied to this type.
    pub fn base(&self, kind: &str) -> Option<String> {
        let is_exact = |it: &&String| *it == kind;
        let general = general(kind);
        let is_general = |it: &&String| general.contains(&it.as_str());
        let on = self
            .on
            .iter()
            .find(is_exact)
            .or_else(|| self.on.iter().find(is_general))?;
        Some(format!("{BASE}{on}"))
    }
}

/// Returns the generalizations of the UML type `kind`, the nearest first.
fn general(kind: &str) -> &'static [&'static str] {
    match kind {
        "LoopNode" | "ConditionalNode" | "SequenceNode" | "ExpansionRegion" => &[
            "StructuredActivityNode",
            "Action",
            "ActivityNode",
            "NamedElement",
            "Element",
        ],
        "Activity" => &["Behavior", "Class", "NamedElement", "Element"],
        it if it.ends_with("Action") || it == "StructuredActivityNode" => {
            &["Action", "ActivityNode", "NamedElement", "Element"]
        }
        _ => &["ActivityNode", "NamedElement", "Element"],
    }
}

/// Returns the names of XML elements for stereotypes with a name that isn't valid in XML.
fn element_names(package: Node<'_, '_>) -> BTreeMap<String, String> {
    let classes = children(package, "eClassifiers");
    let names = classes.filter_map(|it| {
        let mut inside = children(it, "eAnnotations");
        let stereotype = inside.find_map(|it| it.attribute("references"))?;
        Some((stereotype.to_owned(), it.attribute("name")?.to_owned()))
    });
    names.collect()
}

fn stereotype(element: Node<'_, '_>, elements: &BTreeMap<String, String>) -> Stereotype {
    let name = element.attribute("name").unwrap_or("").to_owned();
    let in_files = id(element).and_then(|it| elements.get(it)).unwrap_or(&name);
    let (mut on, mut tags) = (Vec::new(), Vec::new());
    for attribute in children(element, "ownedAttribute") {
        let Some(name) = attribute.attribute("name") else {
            continue;
        };
        match name.strip_prefix(BASE) {
            Some(base) => on.push(base.to_owned()),
            None => tags.push(tag(attribute, name)),
        }
    }
    let (element, about) = (in_files.clone(), comment(element));
    Stereotype {
        name,
        element,
        about,
        on,
        tags,
    }
}

fn tag(attribute: Node<'_, '_>, name: &str) -> Tag {
    let local = attribute.attribute("type").or_else(|| {
        let mut types = children(attribute, "type");
        types.find_map(|it| it.attribute("href"))
    });
    let local = local.unwrap_or("");
    Tag {
        name: name.to_owned(),
        about: comment(attribute),
        type_name: local.rsplit('#').next().unwrap_or(local).to_owned(),
    }
}

fn comment(element: Node<'_, '_>) -> String {
    let mut comments = children(element, "ownedComment");
    let body = comments.find_map(|it| children(it, "body").next()?.text());
    body.unwrap_or("").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_profile_is_read() {
        let profile = Profile::shipped();
        assert_eq!(profile.uri, "http:///schemas/prophet/1");
        assert_eq!(profile.prefix, "prophet");
        let action = profile.stereotype("action+").expect("it is there");
        assert_eq!(action.element, "action");
        assert_eq!(action.base("OpaqueAction").as_deref(), Some("base_Action"));
        assert_eq!(action.base("DecisionNode"), None);
        assert!(action.tags.iter().any(|it| it.name == "cost"));
        let region = profile.stereotype("parallel").expect("it is there");
        let base = region.base("StructuredActivityNode");
        assert_eq!(base.as_deref(), Some("base_StructuredActivityNode"));
        assert!(region.about.len() > 10, "{}", region.about);
    }
}
