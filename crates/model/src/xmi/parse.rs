//! Parses XML text into a [`Tree`], in the first pass.
//!
//! quick-xml finds the tags. This module checks namespaces, attributes and escapes, and that the
//! document is well-formed.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::attributes::{self, RawAttribute};
use super::index::{IdEntry, Index};
use super::limits::Limits;
use super::namespace;
use super::segments::Passed;
use super::tree::{Document, Namespace, Node, NodeId, ReadAttribute, Slice, Tree};
use crate::xml_form;
use prophet_text::article;

use crate::diagnostic::catalogue::xmi as rules;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::source::{Source, escape};
use prophet_map::Map;

const NAMESPACES_MAX: usize = u16::MAX as usize;

/// Parses the XML. Reports problems, and returns `None` if they make the XML invalid.
pub(super) fn parse<'s>(
    source: &'s Source,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Option<Tree<'s>> {
    // Byte ranges are stored as 32-bit numbers.
    let bytes_max = limits.bytes.min(u32::MAX as usize);
    if source.text.len() > bytes_max {
        diagnostics.push(too_large(Span::default(), bytes_max, "bytes"));
        return None;
    }
    let mut parser = XmlParser::new(source, limits, diagnostics);
    let parts = source.parts();
    let read = parts.map(|part| parser.run(source.range_of(part)));
    match read.collect::<Result<(), Diagnostic>>() {
        Ok(()) => Some(parser.finish()),
        Err(mut diagnostic) => {
            if diagnostic.code == rules::NOT_XML.code && source.text.contains(xml_form::NAMESPACE) {
                "correct the XML here; docs/text.md describes the format"
                    .clone_into(&mut diagnostic.help);
            }
            let escapes = std::mem::take(&mut parser.escapes).sorted();
            for escape in escapes {
                diagnostics.push(escape);
            }
            diagnostics.push(diagnostic);
            None
        }
    }
}

fn too_large(span: Span, limit: usize, what: &str) -> Diagnostic {
    let message = format!("the file has more than {limit} {what}");
    Diagnostic::new(&rules::TOO_LARGE, span, message)
}

struct Open<'s> {
    node: NodeId,
    last_child: Option<NodeId>,
    declared: Vec<&'s str>,
}

struct XmlParser<'s, 'd> {
    source: &'s Source,
    limits: &'d Limits,
    diagnostics: &'d mut Diagnostics,
    tree: Tree<'s>,
    /// Number of elements in all files before the current one.
    root: usize,
    entries: Vec<IdEntry<'s>>,
    /// Elements with an id that an earlier element of the same file has, together with that
    /// element.
    conflicts: Vec<(NodeId, NodeId)>,
    open: Vec<Open<'s>>,
    /// Namespaces by prefix. The innermost declaration is last.
    prefixes: Map<&'s str, Vec<Namespace>>,
    /// Namespaces by URI or, if the prefix isn't declared, by the prefix and a colon.
    namespaces: Map<Cow<'s, str>, Namespace>,
    /// Attributes of the current tag.
    scratch: Vec<RawAttribute>,
    /// Reports about unknown escapes. They're dropped if StarUML wrote the file, because it doesn't
    /// escape `&` at all.
    escapes: Diagnostics,
}

impl<'s, 'd> XmlParser<'s, 'd> {
    fn new(source: &'s Source, limits: &'d Limits, diagnostics: &'d mut Diagnostics) -> Self {
        Self {
            source,
            limits,
            diagnostics,
            tree: Tree {
                source,
                nodes: Vec::new(),
                attributes: Vec::new(),
                uris: Vec::new(),
                documents: Vec::new(),
                passed: Passed::default(),
                is_uri_encoded: false,
            },
            root: 0,
            entries: Vec::new(),
            conflicts: Vec::new(),
            open: Vec::new(),
            prefixes: Map::new(),
            namespaces: Map::new(),
            scratch: Vec::new(),
            escapes: Diagnostics::new(),
        }
    }

    fn run(&mut self, part: Range<usize>) -> Result<(), Diagnostic> {
        let text = self.source.text.get(part.clone()).unwrap_or_default();
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let base = part.start + text.len() - body.len();
        check_characters(text, part.start)?;
        self.root = self.tree.nodes.len();
        let mut reader = Reader::from_str(body);
        loop {
            let start = base + position(reader.buffer_position());
            let event = reader.read_event();
            let end = base + position(reader.buffer_position());
            match event {
                Err(error) => {
                    let at = base + position(reader.error_position());
                    let message = match error.to_string() {
                        it if it.starts_with("syntax error") => CUT_OFF.to_owned(),
                        it => it,
                    };
                    return Err(not_xml(Span::new(at, end.max(at)), message));
                }
                Ok(Event::Eof) => break,
                Ok(Event::Start(_)) => self.start(start, end, 1)?,
                Ok(Event::Empty(_)) => {
                    self.start(start, end, 2)?;
                    self.end(end);
                }
                Ok(Event::End(_)) => self.end(start),
                Ok(Event::Text(_)) => self.text(start, end)?,
                Ok(Event::CData(_)) => self.has_text(start, end)?,
                Ok(Event::GeneralRef(_)) => {
                    self.check_escapes(start, end);
                    self.has_text(start, end)?;
                }
                Ok(Event::DocType(_)) => self.document_type(start, end)?,
                Ok(Event::Comment(_) | Event::PI(_) | Event::Decl(_)) => {}
            }
        }
        if let Some(open) = self.open.last() {
            let tag = self.tree.span(open.node);
            let name = self.tree.qualified_name(open.node);
            return Err(not_xml(tag, format!("{CUT_OFF}: `</{name}>` is missing")));
        }
        if self.tree.nodes.len() == self.root {
            let start = Span::new(part.start, part.start);
            return Err(not_xml(start, "missing root element".to_owned()));
        }
        let (index, conflicts) = Index::new(std::mem::take(&mut self.entries));
        let root = narrow(self.root);
        self.tree.documents.push(Document { root, index });
        self.conflicts.extend(conflicts);
        Ok(())
    }

    fn finish(self) -> Tree<'s> {
        let tree = self.tree;
        if !tree.is_uri_encoded {
            for escape in self.escapes.sorted() {
                self.diagnostics.push(escape);
            }
        }
        for (later, first) in self.conflicts {
            let span = tree
                .xmi_attribute(later, "id")
                .or_else(|| tree.attribute(later, "xmi.id"))
                .map_or(tree.span(later), Slice::span);
            let id = self.source.text.get(span.range()).unwrap_or_default();
            let name = tree.short_name(first);
            let message = format!("the id `{id}` is given twice");
            let help = if name.is_empty() {
                let role = tree.role(first);
                format!("{} `{role}` has it too; ids must be unique", article(role))
            } else {
                format!("`{name}` has it too; ids must be unique")
            };
            // Enterprise Architect writes association ends twice, but nothing refers to them.
            let rule = if is_feature(&tree, later) && is_feature(&tree, first) {
                &rules::DUPLICATE_FEATURE
            } else {
                &rules::DUPLICATE_ID
            };
            let diagnostic = Diagnostic::new(rule, span, message);
            self.diagnostics.push(diagnostic.help(help));
        }
        tree
    }

    /// Opens an element at its start tag. `bracket` is the length of the tag's closing bracket, in
    /// bytes.
    fn start(&mut self, start: usize, end: usize, bracket: usize) -> Result<(), Diagnostic> {
        let span = Span::new(start, end);
        if self.open.is_empty() && self.tree.nodes.len() > self.root {
            return Err(not_xml(span, "unexpected second root element".to_owned()));
        }
        let depth_max = self.limits.depth.min(Limits::DEPTH_MAX);
        if self.open.len() >= depth_max {
            let message = format!("elements are nested more than {depth_max} levels deep");
            return Err(Diagnostic::new(&rules::TOO_DEEP, span, message));
        }
        if self.tree.nodes.len() >= self.limits.elements {
            return Err(too_large(span, self.limits.elements, "elements"));
        }
        let inside = (start + 1, end.saturating_sub(bracket).max(start + 1));
        let text = self.source.text.get(inside.0..inside.1).unwrap_or_default();
        let length = text
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(text.len());
        let (name, rest) = text.split_at(length);
        if name.is_empty() || name.contains(['"', '\'', '<', '=', '&']) {
            return Err(not_xml(
                span,
                format!("`{name}` is not a valid element name"),
            ));
        }
        let offset = inside.0 + length;
        self.scratch.clear();
        attributes::scan(rest, &mut self.scratch).map_err(|error| {
            let at = offset + error.at;
            not_xml(Span::new(at, at + 1), error.problem.to_owned())
        })?;
        let declared = self.declarations(rest)?;
        let node = self.node(span, name, rest, offset)?;
        self.link(node);
        self.open.push(Open {
            node,
            last_child: None,
            declared,
        });
        Ok(())
    }

    fn declarations(&mut self, text: &'s str) -> Result<Vec<&'s str>, Diagnostic> {
        let mut declared = Vec::new();
        for at in 0..self.scratch.len() {
            let (name, value) = self.scratch_at(at, text);
            let prefix = match name.strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) if rest.starts_with(':') => &rest[1..],
                _ => continue,
            };
            let uri = escape::attribute(value);
            let namespace = self.namespace(prefix, uri)?;
            self.prefixes.get_or_default(prefix).push(namespace);
            declared.push(prefix);
        }
        Ok(declared)
    }

    fn scratch_at(&self, at: usize, text: &'s str) -> (&'s str, &'s str) {
        let of = |(start, end)| text.get(start..end).unwrap_or_default();
        self.scratch
            .get(at)
            .map_or(("", ""), |it| (of(it.name), of(it.value)))
    }

    fn namespace(&mut self, prefix: &str, uri: Cow<'s, str>) -> Result<Namespace, Diagnostic> {
        if uri.is_empty() {
            return Ok(Namespace::None);
        }
        if let Some(&known) = self.namespaces.get(&uri) {
            return Ok(known);
        }
        let namespace = match namespace::classify(prefix, Some(&uri)) {
            Some(namespace) => namespace,
            None => self.other_namespace(uri.clone())?,
        };
        self.namespaces.insert(uri, namespace);
        Ok(namespace)
    }

    fn other_namespace(&mut self, uri: Cow<'s, str>) -> Result<Namespace, Diagnostic> {
        let index = self.tree.uris.len();
        let Some(index) = u16::try_from(index).ok().filter(|_| index < NAMESPACES_MAX) else {
            return Err(too_large(Span::default(), NAMESPACES_MAX, "namespaces"));
        };
        self.tree.uris.push(uri);
        Ok(Namespace::Other(index))
    }

    fn resolve(&mut self, prefix: &'s str, span: Span) -> Result<Namespace, Diagnostic> {
        if let Some(&innermost) = self.prefixes.get(prefix).and_then(|all| all.last()) {
            return Ok(innermost);
        }
        if prefix.is_empty() {
            return Ok(Namespace::None);
        }
        let key = Cow::Owned(format!("{prefix}:"));
        if let Some(&known) = self.namespaces.get(&key) {
            return Ok(known);
        }
        if prefix != "xml" {
            let message = format!("the prefix `{prefix}` is not declared");
            let help = format!("declare it in the root element, as in `xmlns:{prefix}=\"…\"`");
            self.diagnostics
                .push(Diagnostic::new(&rules::UNDECLARED_PREFIX, span, message).help(help));
        }
        let namespace = match namespace::classify(prefix, None) {
            Some(namespace) => namespace,
            None => self.other_namespace(Cow::Borrowed(""))?,
        };
        self.namespaces.insert(key, namespace);
        Ok(namespace)
    }

    /// Adds the attributes of the current tag, which have been scanned in `text`. Returns the UML
    /// type and the id if they are among them.
    fn attributes(
        &mut self,
        text: &'s str,
        offset: usize,
    ) -> Result<(Slice, Option<Cow<'s, str>>), Diagnostic> {
        let mut kind = Slice::default();
        let mut xmi_id = None;
        for at in 0..self.scratch.len() {
            let (name, value) = self.scratch_at(at, text);
            if name == "xmlns" || name.starts_with("xmlns:") {
                continue;
            }
            let Some(raw) = self.scratch.get(at).copied() else {
                continue;
            };
            let span = |(start, end): (usize, usize)| Span::new(offset + start, offset + end);
            let value_span = span(raw.value);
            self.check_escapes(value_span.start, value_span.end);
            let (prefix, local) = name.split_once(':').unwrap_or(("", name));
            let namespace = match prefix {
                "" => Namespace::None,
                _ => self.resolve(prefix, span(raw.name))?,
            };
            match (namespace, local) {
                (Namespace::Xmi | Namespace::Xsi, "type") => {
                    let start = value.rfind(':').map_or(0, |colon| colon + 1);
                    kind = slice(value_span.start + start, value_span.end);
                }
                // UML 1.x uses `xmi.id`.
                (Namespace::Xmi, "id") | (Namespace::None, "xmi.id") => {
                    xmi_id = Some(escape::attribute(value));
                }
                _ => {}
            }
            self.tree.attributes.push(ReadAttribute {
                namespace,
                name: slice(span(raw.name).end - local.len(), span(raw.name).end),
                value: slice(value_span.start, value_span.end),
            });
        }
        Ok((kind, xmi_id))
    }

    /// Adds an element for a tag. Its attributes have been scanned in `text`.
    fn node(
        &mut self,
        tag: Span,
        name: &'s str,
        text: &'s str,
        offset: usize,
    ) -> Result<NodeId, Diagnostic> {
        let id = NodeId(narrow(self.tree.nodes.len()));
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let namespace = self.resolve(prefix, tag)?;
        let first = self.tree.attributes.len();
        let (kind, xmi_id) = self.attributes(text, offset)?;
        if self.tree.attributes.len() > self.limits.attributes {
            return Err(too_large(tag, self.limits.attributes, "attributes"));
        }
        self.check_duplicates(first, tag)?;
        self.tree.is_uri_encoded |= self.is_staruml(local, first);
        let parent = self.open.last().map(|open| open.node);
        let is_in_extension = parent.is_some_and(|it| self.tree.node(it).is_extension);
        let is_extension = is_in_extension
            || (namespace == Namespace::Xmi && local == "Extension")
            || matches!(local, "eAnnotations" | "XMI.extension" | "XMI.extensions");
        if let Some(xmi_id) = xmi_id.filter(|xmi_id| !xmi_id.is_empty()) {
            self.entries.push(IdEntry::new(xmi_id, id, is_extension));
        }
        let name_end = tag.start + 1 + name.len();
        self.tree.nodes.push(Node {
            namespace,
            is_extension,
            has_text: false,
            tag: slice(tag.start, tag.end),
            name: slice(tag.start + 1, name_end),
            local_start: narrow(name_end - local.len()),
            kind,
            content_end: narrow(tag.end),
            parent,
            first_child: None,
            next_sibling: None,
            attributes: slice(first, self.tree.attributes.len()),
        });
        Ok(id)
    }

    /// Returns `true` if a tag says that StarUML wrote the file. The tag's attributes start at
    /// `first`.
    fn is_staruml(&self, name: &str, first: usize) -> bool {
        let key = match name {
            "Documentation" => "exporter",
            "Extension" => "extender",
            _ => return false,
        };
        let attributes = self.tree.attributes.get(first..).unwrap_or_default();
        attributes.iter().any(|it| {
            self.tree.raw(it.name) == key && self.tree.raw(it.value).starts_with("StarUML")
        })
    }

    /// Reports an attribute that occurs twice. The tag's attributes start at `first`.
    fn check_duplicates(&self, first: usize, tag: Span) -> Result<(), Diagnostic> {
        let added = self.tree.attributes.get(first..).unwrap_or_default();
        let key = |it: &ReadAttribute| {
            let namespace = match it.namespace {
                Namespace::None => 0,
                Namespace::Xmi => 1,
                Namespace::Uml => 2,
                Namespace::Xsi => 3,
                Namespace::Other(index) => 4 + u32::from(index),
            };
            (namespace, self.tree.raw(it.name))
        };
        let mut keys: Vec<_> = added.iter().map(key).collect();
        keys.sort_unstable();
        match keys.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(not_xml(
                tag,
                format!("the attribute `{}` is given twice", pair[0].1),
            )),
            None => Ok(()),
        }
    }

    /// Adds a new element as the last child of the innermost open element.
    fn link(&mut self, node: NodeId) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        match open.last_child.replace(node) {
            None => self.tree.nodes[open.node.index()].first_child = Some(node),
            Some(last) => self.tree.nodes[last.index()].next_sibling = Some(node),
        }
    }

    /// Closes the innermost open element. Its end tag starts at `at`.
    fn end(&mut self, at: usize) {
        let Some(open) = self.open.pop() else {
            return;
        };
        self.tree.nodes[open.node.index()].content_end = narrow(at);
        for prefix in open.declared {
            if let Some(all) = self.prefixes.get_mut(prefix) {
                all.pop();
            }
        }
    }

    fn text(&mut self, start: usize, end: usize) -> Result<(), Diagnostic> {
        let text = self.source.text.get(start..end).unwrap_or_default();
        if text.bytes().all(|b| b.is_ascii_whitespace()) {
            return Ok(());
        }
        self.has_text(start, end)
    }

    fn has_text(&mut self, start: usize, end: usize) -> Result<(), Diagnostic> {
        let Some(open) = self.open.last() else {
            if self.tree.nodes.is_empty() {
                let text = self.source.text.get(start..end).unwrap_or_default();
                let text = text.trim_start();
                let begin = end - text.len();
                let line = text.lines().next().unwrap_or_default();
                let span = Span::new(begin, begin + line.len());
                let message = "the file is neither XML nor a text with `@startuml`".to_owned();
                let help = "pass a UML model as XMI, or a PlantUML activity diagram; if this is a \
                            program, get a model from its runs with `record` and `learn`";
                return Err(not_xml(span, message).help(help));
            }
            let message = "unexpected text outside the root element".to_owned();
            return Err(not_xml(Span::new(start, end), message));
        };
        self.tree.nodes[open.node.index()].has_text = true;
        Ok(())
    }

    fn check_escapes(&mut self, start: usize, end: usize) {
        /// Maximum length of an unknown escape. Longer text isn't meant as an escape.
        const LENGTH_MAX: usize = 12;
        let text = self.source.text.get(start..end).unwrap_or_default();
        for (at, _) in text.match_indices('&') {
            let rest = &text[at..];
            if escape::reference(rest).is_some() {
                continue;
            }
            let semicolon = rest.bytes().take(LENGTH_MAX).position(|b| b == b';');
            let length = semicolon.map_or(1, |at| at + 1);
            let shown = &rest[..length];
            let span = Span::new(start + at, start + at + length);
            let message = format!("unknown escape `{shown}`");
            let help = "write `&amp;` for the character `&`";
            self.escapes
                .push(Diagnostic::new(&rules::UNKNOWN_ESCAPE, span, message).help(help));
        }
    }

    fn document_type(&self, start: usize, end: usize) -> Result<(), Diagnostic> {
        let span = Span::new(start, end);
        let text = self.source.text.get(start..end).unwrap_or_default();
        if self.tree.nodes.len() > self.root {
            return Err(not_xml(span, "a document type must come first".to_owned()));
        }
        if !text.contains('[') {
            return Ok(());
        }
        let message = "a document type with declarations is not allowed: entities can make a \
                       small file huge or read other files";
        let help = "remove everything between `[` and `]` in the `<!DOCTYPE …>`";
        Err(Diagnostic::new(&rules::DECLARATIONS, span, message).help(help))
    }
}

/// Returns `true` if an element is an attribute of a class or an association end.
fn is_feature(tree: &Tree<'_>, node: NodeId) -> bool {
    let role = tree.role(node);
    tree.kind(node) == "Property"
        || matches!(
            role,
            "ownedAttribute" | "ownedEnd" | "Attribute" | "AssociationEnd"
        )
}

/// What is wrong with a file that ends in the middle.
const CUT_OFF: &str = "the file is cut off";

fn not_xml(span: Span, problem: String) -> Diagnostic {
    Diagnostic::new(&rules::NOT_XML, span, problem).help("export the model again, as XMI")
}

/// Reports a character that XML doesn't allow. `text` starts at `base`.
fn check_characters(text: &str, base: usize) -> Result<(), Diagnostic> {
    let is_bad = |b: &u8| *b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r');
    match text.bytes().position(|b| is_bad(&b)) {
        None => Ok(()),
        Some(at) => {
            let code = text.as_bytes().get(at).copied().unwrap_or_default();
            let message = format!("the character U+{code:04X} is not allowed in XML");
            Err(not_xml(Span::new(base + at, base + at + 1), message))
        }
    }
}

fn position(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn slice(start: usize, end: usize) -> Slice {
    Slice {
        start: narrow(start),
        end: narrow(end),
    }
}
