//! XML of a rule file: small, so that it is held as a tree, with the place of everything.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use prophet_model::diagnostic::catalogue::rules;
use prophet_model::diagnostic::{Diagnostic, Span};
use prophet_model::source::{Source, Text, escape};

/// Maximum size of a rule file, in bytes.
const BYTES_MAX: usize = 1 << 20;

/// Maximum depth of nested elements; the code that reads them recurses.
const DEPTH_MAX: usize = 32;

/// An element.
#[derive(Debug)]
pub(super) struct Xml {
    pub(super) name: String,
    /// Start tag.
    pub(super) span: Span,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<Xml>,
    /// The character data directly in it.
    pub(super) text: String,
}

/// An attribute.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: Text,
}

impl Xml {
    /// Finds the value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&Text> {
        let attribute = self.attributes.iter().find(|it| it.name == name)?;
        Some(&attribute.value)
    }

    /// Finds the first child of that name.
    pub(super) fn child(&self, name: &str) -> Option<&Xml> {
        self.children.iter().find(|child| child.name == name)
    }
}

/// Reads the root element of a rule file.
pub(super) fn parse(source: &Source) -> Result<Xml, Diagnostic> {
    let text = source.text.as_str();
    if text.len() > BYTES_MAX {
        let message = format!("the rule file has more than {BYTES_MAX} bytes");
        return Err(Diagnostic::new(&rules::TOO_LARGE, Span::default(), message));
    }
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let base = text.len() - body.len();
    let mut reader = Reader::from_str(body);
    let mut open: Vec<Xml> = Vec::new();
    let mut root = None;
    loop {
        let start = base + place(reader.buffer_position());
        let event = reader.read_event();
        let span = Span::new(start, base + place(reader.buffer_position()));
        let raw = text.get(span.range()).unwrap_or_default();
        match event {
            Err(error) => {
                let at = base + place(reader.error_position());
                return Err(not_xml(Span::new(at, span.end.max(at)), error.to_string()));
            }
            Ok(Event::Eof) => break,
            Ok(Event::Start(tag)) => {
                if open.len() >= DEPTH_MAX {
                    let message = format!("more than {DEPTH_MAX} elements are nested");
                    return Err(Diagnostic::new(&rules::TOO_LARGE, span, message));
                }
                open.push(element(text, &tag, span)?);
            }
            Ok(Event::Empty(tag)) => {
                let element = element(text, &tag, span)?;
                close(element, &mut open, &mut root)?;
            }
            Ok(Event::End(_)) => {
                if let Some(element) = open.pop() {
                    close(element, &mut open, &mut root)?;
                }
            }
            Ok(Event::Text(_) | Event::CData(_) | Event::GeneralRef(_)) => {
                add_text(raw, span, &mut open)?;
            }
            Ok(Event::DocType(_)) => {
                let message = "a rule file has no document type".to_owned();
                return Err(not_xml(span, message));
            }
            Ok(Event::Comment(_) | Event::PI(_) | Event::Decl(_)) => {}
        }
    }
    match (open.last(), root) {
        (Some(open), _) => Err(not_xml(
            open.span,
            format!("`<{}>` is never closed", open.name),
        )),
        (None, Some(root)) => Ok(root),
        (None, None) => Err(not_xml(Span::default(), "there is no element".to_owned())),
    }
}

/// Converts a position that quick-xml gives, which lies in a text that is in memory.
fn place(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

fn not_xml(span: Span, problem: String) -> Diagnostic {
    Diagnostic::new(&rules::NOT_XML, span, problem)
}

/// Reads an element from its start tag. Prefixes are ignored: a rule file has one namespace.
fn element(text: &str, tag: &BytesStart<'_>, span: Span) -> Result<Xml, Diagnostic> {
    let mut attributes: Vec<Attribute> = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| not_xml(span, error.to_string()))?;
        let name = attribute.key.as_ref().to_owned();
        if name == "xmlns" || name.contains(':') {
            continue;
        }
        let raw: &str = &attribute.value;
        let value = Text {
            value: escape::attribute(raw).into_owned(),
            span: span_of(text, raw).unwrap_or(span),
        };
        attributes.push(Attribute { name, value });
    }
    let name = tag.local_name().as_ref().to_owned();
    Ok(Xml {
        name,
        span,
        attributes,
        children: Vec::new(),
        text: String::new(),
    })
}

/// Place of a part of `text` in it; the reader lends parts of the text it reads.
fn span_of(text: &str, part: &str) -> Option<Span> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    (text.get(start..end)? == part).then_some(Span::new(start, end))
}

fn close(element: Xml, open: &mut [Xml], root: &mut Option<Xml>) -> Result<(), Diagnostic> {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None if root.is_some() => {
            return Err(not_xml(element.span, "there is a second root".to_owned()));
        }
        None => *root = Some(element),
    }
    Ok(())
}

fn add_text(raw: &str, span: Span, open: &mut [Xml]) -> Result<(), Diagnostic> {
    match open.last_mut() {
        Some(element) => element.text.push_str(&escape::text(raw)),
        None if raw.trim().is_empty() => {}
        None => {
            let message = "there is text outside of the root element".to_owned();
            return Err(not_xml(span, message));
        }
    }
    Ok(())
}
