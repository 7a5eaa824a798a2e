//! Parses the text of a model into a tree, and creates patches for the text.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use prophet_text::Problem;
use prophet_text::plain::is_hidden;
use roxmltree::{Attribute, Document, Node, NodeId, ParsingOptions};

use crate::patch::Patch;

#[derive(Debug)]
pub(crate) struct Tree<'t> {
    pub(crate) text: &'t str,
    pub(crate) xml: Document<'t>,
    index: OnceCell<Index>,
    /// For each name, the next number to try for the id of a new element.
    given: RefCell<BTreeMap<String, u64>>,
}

pub(crate) type Element<'a, 't> = Node<'a, 't>;

impl<'t> Tree<'t> {
    pub(crate) fn parse(text: &'t str) -> Result<Self, Problem> {
        let options = ParsingOptions::default();
        let cannot = |error| Problem::new(format!("the file is not XML: {error}"));
        let xml = Document::parse_with_options(text, options).map_err(cannot)?;
        let (index, given) = (OnceCell::new(), RefCell::default());
        Ok(Self {
            text,
            xml,
            index,
            given,
        })
    }

    pub(crate) fn root(&self) -> Element<'_, 't> {
        self.xml.root_element()
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = Element<'_, 't>> {
        self.xml.descendants().filter(Node::is_element)
    }

    pub(crate) fn find(&self, id: &str) -> Result<Element<'_, 't>, Problem> {
        let missing = || Problem::new(format!("the model has no element `{id}`"));
        let found = self.index().ids.get(id);
        found
            .and_then(|it| self.xml.get_node(*it))
            .ok_or_else(missing)
    }

    /// Iterates over the stereotypes applied to an element: elements with a `base_…` attribute that
    /// refers to it.
    pub(crate) fn based_on(&self, id: &str) -> impl Iterator<Item = Element<'_, 't>> {
        let found = self.index().bases.get(id).into_iter().flatten();
        found.filter_map(|it| self.xml.get_node(*it))
    }

    pub(crate) fn drawing_of(&self, id: &str) -> Option<Element<'_, 't>> {
        let found = self.index().drawings.get(id);
        found.and_then(|it| self.xml.get_node(*it))
    }

    pub(crate) fn type_named(&self, name: &str) -> Option<Element<'_, 't>> {
        let found = self.index().types.get(name);
        found.and_then(|it| self.xml.get_node(*it))
    }

    /// Returns `true` if nodes list their flows, or if there are no flows. Most tools write such
    /// lists.
    pub(crate) fn lists_flows(&self) -> bool {
        let index = self.index();
        index.lists_flows || !index.has_flows
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(self))
    }

    pub(crate) fn typed(&self, role: &str, class: &str) -> NewElement {
        let (name, value) = (
            format!("{}:type", self.xmi_prefix()),
            format!("{}:{class}", self.uml_prefix()),
        );
        NewElement::named(role).with(name, value)
    }

    pub(crate) fn element(&self, role: &str, class: &str, id: &str) -> NewElement {
        let element = self.typed(role, class);
        element.with(format!("{}:id", self.xmi_prefix()), id)
    }

    /// Derives an unused `xmi:id` from a name. Never returns the same id twice.
    pub(crate) fn free_id(&self, name: &str) -> String {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let plain = name.chars().map(|it| if is_plain(it) { it } else { '_' });
        let base: String = std::iter::once('_').chain(plain.take(ID_MAX)).collect();
        let mut given = self.given.borrow_mut();
        let mut number = given.get(&base).copied().unwrap_or(1);
        let id = loop {
            let id = if number == 1 {
                base.clone()
            } else {
                format!("{base}_{number}")
            };
            number += 1;
            if !self.index().ids.contains_key(&id) && !given.contains_key(&id) {
                break id;
            }
        };
        // Makes sure that the next search for this name doesn't try all numbers again.
        given.insert(base, number);
        given.entry(id.clone()).or_insert(1);
        id
    }

    /// Returns the namespace prefix of XMI attributes.
    pub(crate) fn xmi_prefix(&self) -> &str {
        self.prefix(is_xmi).unwrap_or("xmi")
    }

    /// Returns the namespace prefix of UML types.
    pub(crate) fn uml_prefix(&self) -> &str {
        let is_uml = |uri: &str| {
            let is_interchange = uri.ends_with("UMLDI");
            !is_interchange && (uri.contains("/uml2/") || uri.contains("UML"))
        };
        self.prefix(is_uml).unwrap_or("uml")
    }

    /// Returns a namespace prefix for which `is_meant` accepts the URI.
    pub(crate) fn prefix(&self, is_meant: impl Fn(&str) -> bool) -> Option<&str> {
        let mut elements = self.elements().take(NEAR);
        elements.find_map(|it| {
            let mut spaces = it.namespaces();
            spaces
                .find(|space| is_meant(space.uri()) && space.name().is_some())?
                .name()
        })
    }

    /// Returns `true` if Eclipse UML2 wrote the file. Such files list the nodes of an activity
    /// twice.
    pub(crate) fn is_eclipse(&self) -> bool {
        let eclipse = |uri: &str| uri.starts_with("http://www.eclipse.org/uml2/");
        let mut elements = self.elements().take(NEAR);
        elements.any(|it| it.namespaces().any(|space| eclipse(space.uri())))
    }

    pub(crate) fn model(&self) -> Result<Element<'_, 't>, Problem> {
        let is_model = |it: &Element<'_, 't>| matches!(local(*it), "Model" | "Package");
        let missing = || Problem::new("the file does not contain a model");
        self.elements().find(is_model).ok_or_else(missing)
    }

    fn newline(&self) -> &'static str {
        let first = self.text.find('\n');
        let is_windows = first.is_some_and(|at| self.text[..at].ends_with('\r'));
        if is_windows { "\r\n" } else { "\n" }
    }

    /// Returns the white space before an element; `None` if the element isn't the first on its
    /// line.
    fn indentation(&self, element: Element<'_, 't>) -> Option<&'t str> {
        let start = element.range().start;
        let line = self.text[..start].rfind('\n')? + 1;
        let before = &self.text[line..start];
        before.trim().is_empty().then_some(before)
    }

    /// Returns the indentation of children relative to their parents.
    fn step(&self) -> String {
        let steps = self.elements().take(NEAR).find_map(|it| {
            let own = self.indentation(it)?;
            let outer = self.indentation(it.parent_element()?)?;
            own.strip_prefix(outer).filter(|step| !step.is_empty())
        });
        steps.unwrap_or("  ").to_owned()
    }

    pub(crate) fn start_tag(&self, element: Element<'_, 't>) -> StartTag {
        let range = element.range();
        let bytes = self.text.as_bytes();
        let mut quote = None;
        let mut at = range.start;
        while at < range.end {
            match (quote, bytes[at]) {
                (None, b'>') => break,
                (None, it @ (b'"' | b'\'')) => quote = Some(it),
                (Some(open), it) if open == it => quote = None,
                _ => {}
            }
            at += 1;
        }
        let is_empty = bytes[..at].ends_with(b"/");
        StartTag {
            close: at,
            is_empty,
        }
    }

    fn content(&self, element: Element<'_, 't>) -> std::ops::Range<usize> {
        let end = element.range().end;
        let start = (self.start_tag(element).close + 1).min(end);
        let before_end_tag = self.text[start..end]
            .rfind("</")
            .map_or(start, |at| start + at);
        start..before_end_tag
    }

    /// Sets or removes an attribute. `name` includes the prefix.
    pub(crate) fn set_attribute(
        &self,
        element: Element<'_, 't>,
        name: &str,
        value: Option<&str>,
    ) -> Vec<Patch> {
        let local = name.rsplit(':').next().unwrap_or(name);
        let there = element
            .attributes()
            .find(|it| it.name() == local && it.namespace().is_some() == name.contains(':'));
        match (there, value) {
            (None, None) => Vec::new(),
            (Some(attribute), None) => {
                let range = attribute.range();
                let before = self.text[..range.start].trim_end().len();
                vec![Patch::new(before..range.end, "")]
            }
            (Some(attribute), Some(value)) => {
                vec![Patch::new(attribute.range_value(), escape(value))]
            }
            (None, Some(value)) => {
                let at = self.end_of_attributes(element);
                vec![Patch::insert(at, format!(" {name}=\"{}\"", escape(value)))]
            }
        }
    }

    pub(crate) fn end_of_attributes(&self, element: Element<'_, 't>) -> usize {
        let tag = self.start_tag(element);
        let inner = &self.text[..tag.close - usize::from(tag.is_empty)];
        inner.trim_end().len()
    }

    /// Adds ids to a list of references. Creates the list if necessary.
    pub(crate) fn add_references(
        &self,
        element: Element<'_, 't>,
        list: &str,
        ids: &[&str],
    ) -> Vec<Patch> {
        let before = element.attribute(list).unwrap_or("");
        let after = format!("{before} {}", ids.join(" "));
        self.set_attribute(element, list, Some(after.trim()))
    }

    /// Removes `ids` from a list of references. Removes the list if it becomes empty.
    pub(crate) fn without_references(
        &self,
        element: Element<'_, 't>,
        list: Attribute<'_, 't>,
        ids: &BTreeSet<&str>,
    ) -> Vec<Patch> {
        let kept = list
            .value()
            .split_whitespace()
            .filter(|it| !ids.contains(it));
        let kept = kept.collect::<Vec<_>>().join(" ");
        self.set_attribute(
            element,
            list.name(),
            Some(&*kept).filter(|it| !it.is_empty()),
        )
    }

    pub(crate) fn set_text(&self, element: Element<'_, 't>, text: &str) -> Patch {
        let tag = self.start_tag(element);
        if tag.is_empty {
            let name = self.name(element);
            let range = tag.close - 1..tag.close + 1;
            return Patch::new(range, format!(">{}</{name}>", escape_text(text)));
        }
        Patch::new(self.content(element), escape_text(text))
    }

    /// Replaces a part of an attribute's value, or of the text between tags.
    pub(crate) fn put(&self, range: Range<usize>, text: &str) -> Result<Patch, Problem> {
        let holds = |it: &Range<usize>| {
            it.start <= range.start && range.end <= it.end && range.start <= range.end
        };
        let is_cut =
            !self.text.is_char_boundary(range.start) || !self.text.is_char_boundary(range.end);
        let mut attributes = self.elements().flat_map(|it| it.attributes());
        if attributes.any(|it| holds(&it.range_value())) && !is_cut {
            return Ok(Patch::new(range, escape(text)));
        }
        let mut texts = self.xml.descendants().filter(Node::is_text);
        if texts.any(|it| holds(&it.range())) && !is_cut {
            return Ok(Patch::new(range, escape_text(text)));
        }
        Err(Problem::new("there is no value or text at that place"))
    }

    /// Renames the attribute with this position in its value. If there is none, renames the
    /// innermost element there. Prefixes are kept.
    pub(crate) fn rename(&self, at: usize, name: &str) -> Result<Vec<Patch>, Problem> {
        if !is_name(name) {
            return Err(Problem::new(format!("`{name}` is not a valid XML name")));
        }
        let nothing = || Problem::new("there is no element at that place");
        let around = |it: &Element<'_, 't>| it.range().contains(&at);
        // Inner elements follow outer ones, so the last one is the innermost.
        let element = self.elements().filter(around).last().ok_or_else(nothing)?;
        let of_value = |it: &Attribute<'_, '_>| {
            let value = it.range_value();
            value.start <= at && at <= value.end
        };
        let local = |start: usize, name: &str| start + name.rfind(':').map_or(0, |it| it + 1);
        if let Some(attribute) = element.attributes().find(of_value) {
            if element.has_attribute(name) {
                return Err(Problem::new(format!("`{name}` already exists")));
            }
            let old = attribute.range_qname();
            let start = local(old.start, &self.text[old.clone()]);
            return Ok(vec![Patch::new(start..old.end, name)]);
        }
        let old = self.name(element);
        let range = element.range();
        let mut patches = Vec::new();
        let mut put = |start: usize| {
            patches.push(Patch::new(local(start, old)..start + old.len(), name));
        };
        put(range.start + "<".len());
        if !self.start_tag(element).is_empty {
            put(self.content(element).end + "</".len());
        }
        Ok(patches)
    }

    /// Returns the name of an element as written, with its prefix.
    pub(crate) fn name(&self, element: Element<'_, 't>) -> &'t str {
        let rest = &self.text[element.range().start + 1..];
        let end = rest.find(|it: char| it.is_whitespace() || it == '>' || it == '/');
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Inserts elements after `sibling`. They are on separate lines if `sibling` is.
    pub(crate) fn insert_behind(&self, sibling: Element<'_, 't>, new: &[NewElement]) -> Patch {
        let indentation = self.indentation(sibling);
        let text = written(new, indentation, &self.step(), self.newline());
        Patch::insert(sibling.range().end, text)
    }

    /// Inserts elements as the last children of `parent`.
    pub(crate) fn insert_into(&self, parent: Element<'_, 't>, new: &[NewElement]) -> Patch {
        if let Some(last) = parent.children().rfind(Node::is_element) {
            return self.insert_behind(last, new);
        }
        self.fill(parent, new)
    }

    pub(crate) fn insert_first(&self, parent: Element<'_, 't>, new: &[NewElement]) -> Patch {
        let Some(first) = parent.first_element_child() else {
            return self.fill(parent, new);
        };
        let indentation = self.indentation(first);
        let text = written(new, indentation, &self.step(), self.newline());
        Patch::insert(self.content(parent).start, text)
    }

    /// Inserts elements into `parent`, which must not have any children.
    fn fill(&self, parent: Element<'_, 't>, new: &[NewElement]) -> Patch {
        let (step, newline) = (self.step(), self.newline());
        let outer = self.indentation(parent);
        let inner = outer.map(|it| format!("{it}{step}"));
        let mut text = written(new, inner.as_deref(), &step, newline);
        if let Some(outer) = outer {
            let _ = write!(text, "{newline}{outer}");
        }
        let tag = self.start_tag(parent);
        if tag.is_empty {
            let range = self.end_of_attributes(parent)..tag.close + 1;
            return Patch::new(range, format!(">{text}</{}>", self.name(parent)));
        }
        let content = self.content(parent);
        let is_blank = self.text[content.clone()].trim().is_empty();
        let range = if is_blank {
            content
        } else {
            content.end..content.end
        };
        Patch::new(range, text)
    }

    /// Removes an element. If nothing else is on its line, removes the line too.
    pub(crate) fn remove(&self, element: Element<'_, 't>) -> Patch {
        let range = element.range();
        let rest = &self.text[range.end..];
        let ends_line = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let start = match self.indentation(element) {
            // Also removes the line break before the element.
            Some(indentation) if ends_line => {
                let before = &self.text[..range.start - indentation.len()];
                let before = before.strip_suffix('\n').unwrap_or(before);
                before.strip_suffix('\r').unwrap_or(before).len()
            }
            _ => range.start,
        };
        Patch::new(start..range.end, "")
    }
}

/// Indexes for finding elements. If several elements have the same key, only the first one is in
/// the index.
#[derive(Debug, Default)]
struct Index {
    ids: BTreeMap<String, NodeId>,
    /// Stereotype applications by the id of the element with the stereotype.
    bases: BTreeMap<String, Vec<NodeId>>,
    drawings: BTreeMap<String, NodeId>,
    types: BTreeMap<String, NodeId>,
    has_flows: bool,
    lists_flows: bool,
}

impl Index {
    fn new(tree: &Tree<'_>) -> Self {
        let mut index = Self::default();
        for element in tree.elements() {
            let own = element.id();
            if let Some(id) = id(element) {
                index.ids.entry(id.to_owned()).or_insert(own);
            }
            if let Some(of) = base(element) {
                index.bases.entry(of.to_owned()).or_default().push(own);
            }
            if let ("ownedElement", Some(of)) = (local(element), element.attribute("modelElement"))
            {
                index.drawings.entry(of.to_owned()).or_insert(own);
            }
            if let ("PrimitiveType" | "DataType", Some(name)) =
                (kind(element), element.attribute("name"))
            {
                index.types.entry(name.to_owned()).or_insert(own);
            }
            index.has_flows |= local(element) == "edge";
            index.lists_flows |=
                element.has_attribute("outgoing") || element.has_attribute("incoming");
        }
        index
    }
}

/// Maximum length of an id derived from a name.
const ID_MAX: usize = 60;
/// Number of elements to examine at the start of a file, to find out how it is formatted.
const NEAR: usize = 64;

#[derive(Debug, Clone, Copy)]
pub(crate) struct StartTag {
    /// Position of the tag's `>`.
    pub(crate) close: usize,
    /// Whether the tag closes itself, as in `<a/>`.
    pub(crate) is_empty: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct NewElement {
    name: String,
    attributes: Vec<(String, String)>,
    text: Option<String>,
    children: Vec<NewElement>,
}

impl NewElement {
    pub(crate) fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.attributes.push((name.into(), value.into()));
        self
    }

    #[must_use]
    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    #[must_use]
    pub(crate) fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    #[must_use]
    pub(crate) fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    fn write(&self, out: &mut String, indentation: Option<String>, step: &str, newline: &str) {
        let line = indentation.as_ref().map(|it| format!("{newline}{it}"));
        out.push_str(line.as_deref().unwrap_or(""));
        let _ = write!(out, "<{}", self.name);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"{}\"", escape(value));
        }
        if self.text.is_none() && self.children.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        out.push_str(&escape_text(self.text.as_deref().unwrap_or("")));
        let inner = indentation.map(|it| format!("{it}{step}"));
        for child in &self.children {
            child.write(out, inner.clone(), step, newline);
        }
        if !self.children.is_empty() {
            out.push_str(line.as_deref().unwrap_or(""));
        }
        let _ = write!(out, "</{}>", self.name);
    }
}

/// Renders elements. With an `indentation`, each element is on a separate line.
fn written(new: &[NewElement], indentation: Option<&str>, step: &str, newline: &str) -> String {
    let mut out = String::new();
    for element in new {
        element.write(&mut out, indentation.map(str::to_owned), step, newline);
    }
    out
}

pub(crate) fn is_name(name: &str) -> bool {
    let is_first = |it: char| it.is_ascii_alphabetic() || it == '_';
    name.starts_with(is_first)
        && name
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '_')
}

pub(crate) fn is_xmi(uri: &str) -> bool {
    uri.contains("XMI")
}

/// Returns the `xmi:id` of an element, or `xmi.id` in old files.
pub(crate) fn id<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    let is_id = |it: &Attribute<'_, '_>| match it.name() {
        "id" => it.namespace().is_some_and(is_xmi),
        name => name == "xmi.id",
    };
    element.attributes().find(is_id).map(|it| it.value())
}

/// Returns the id of the element that a stereotype is applied to; `None` if the element isn't a
/// stereotype application.
pub(crate) fn base<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    let mut attributes = element.attributes();
    attributes
        .find(|it| it.name().starts_with("base_"))
        .map(|it| it.value())
}

/// Returns an element's name without its prefix.
pub(crate) fn local<'a>(element: Element<'a, '_>) -> &'a str {
    element.tag_name().name()
}

/// Returns the UML type of an element without its prefix, such as `OpaqueAction`.
pub(crate) fn kind<'a>(element: Element<'a, '_>) -> &'a str {
    let is_type = |it: &Attribute<'_, '_>| {
        let is_known = |uri: &str| is_xmi(uri) || uri.ends_with("XMLSchema-instance");
        it.name() == "type" && it.namespace().is_some_and(is_known)
    };
    let found = element.attributes().find(is_type).map(|it| it.value());
    let kind = found.unwrap_or_else(|| local(element));
    kind.rsplit(':').next().unwrap_or(kind)
}

pub(crate) fn children<'a, 't>(
    element: Element<'a, 't>,
    name: &str,
) -> impl Iterator<Item = Element<'a, 't>> {
    element
        .children()
        .filter(move |it| it.is_element() && local(*it) == name)
}

fn escape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for it in value.chars() {
        match it {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            _ if is_character(it) && is_hidden(it) => {
                let _ = write!(out, "&#{};", u32::from(it));
            }
            _ if is_character(it) => out.push(it),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\n' | '\t' => out.push(it),
            _ if is_character(it) && is_hidden(it) => {
                let _ = write!(out, "&#{};", u32::from(it));
            }
            _ if is_character(it) => out.push(it),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

/// Returns `true` for characters that XML 1.0 allows.
fn is_character(it: char) -> bool {
    matches!(it, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
