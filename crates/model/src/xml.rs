//! Parses small XML files, such as rule files, into a tree with the place of each part.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::source::{Source, Span, Text, escape};

/// Maximum size of a text, in bytes.
const BYTES_MAX: usize = 1 << 20;

/// Maximum nesting depth of elements. It is limited because reading elements is recursive.
const DEPTH_MAX: usize = 32;

/// An XML element.
#[derive(Debug)]
pub struct Xml {
    /// Name without its namespace prefix.
    pub name: String,
    /// Place of the start tag.
    pub span: Span,
    /// Attributes, in order.
    pub attributes: Vec<Attribute>,
    /// Child elements, in order.
    pub children: Vec<Xml>,
    /// Text of this element, without its children's text.
    pub text: String,
}

#[derive(Debug)]
pub struct Attribute {
    pub name: String,
    pub value: Text,
}

impl Xml {
    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Text> {
        let attribute = self.attributes.iter().find(|it| it.name == name)?;
        Some(&attribute.value)
    }

    /// Returns the first child with this name.
    pub fn child(&self, name: &str) -> Option<&Xml> {
        self.children.iter().find(|child| child.name == name)
    }
}

/// A problem in an XML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct XmlProblem {
    pub span: Span,
    pub message: String,
    /// Whether the text is too large or too deeply nested.
    pub is_limit: bool,
}

impl XmlProblem {
    fn limit(span: Span, message: String) -> Self {
        Self {
            span,
            message,
            is_limit: true,
        }
    }
}

/// Parses an XML text and returns its root element. Messages refer to the text as `what`.
///
/// # Errors
///
/// Returns the first problem if the text isn't well-formed, is too large, or declares a document
/// type.
pub fn parse(source: &Source, what: &str) -> Result<Xml, XmlProblem> {
    let text = source.text.as_str();
    if text.len() > BYTES_MAX {
        let message = format!("{what} has more than {BYTES_MAX} bytes");
        return Err(XmlProblem::limit(Span::default(), message));
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
                    let message = format!("elements are nested more than {DEPTH_MAX} levels deep");
                    return Err(XmlProblem::limit(span, message));
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
                let message = format!("{what} cannot have a document type");
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
        (None, None) => Err(not_xml(Span::default(), "missing root element".to_owned())),
    }
}

fn place(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

fn not_xml(span: Span, problem: String) -> XmlProblem {
    XmlProblem {
        span,
        message: problem,
        is_limit: false,
    }
}

/// Creates an element from its start tag. Ignores prefixes, because there is only one namespace.
fn element(text: &str, tag: &BytesStart<'_>, span: Span) -> Result<Xml, XmlProblem> {
    let mut attributes: Vec<Attribute> = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| not_xml(span, error.to_string()))?;
        let name = attribute.key.as_ref().to_owned();
        if name == "xmlns" || name.contains(':') {
            continue;
        }
        let raw: &str = &attribute.value;
        let value = Text::new(
            escape::attribute(raw).into_owned(),
            span_of(text, raw).unwrap_or(span),
        );
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

/// Returns the place of `part` in `text`, from which the XML reader has borrowed it.
fn span_of(text: &str, part: &str) -> Option<Span> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    (text.get(start..end)? == part).then_some(Span::new(start, end))
}

fn close(element: Xml, open: &mut [Xml], root: &mut Option<Xml>) -> Result<(), XmlProblem> {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None if root.is_some() => {
            return Err(not_xml(
                element.span,
                "unexpected second root element".to_owned(),
            ));
        }
        None => *root = Some(element),
    }
    Ok(())
}

fn add_text(raw: &str, span: Span, open: &mut [Xml]) -> Result<(), XmlProblem> {
    match open.last_mut() {
        Some(element) => element.text.push_str(&escape::text(raw)),
        None if raw.trim().is_empty() => {}
        None => {
            let message = "unexpected text outside the root element".to_owned();
            return Err(not_xml(span, message));
        }
    }
    Ok(())
}
