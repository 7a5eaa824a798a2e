//! Parses small XML documents into elements with line numbers.

use quick_xml::errors::{Error, IllFormedError};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

const DEPTH_MAX: usize = 8;

/// A problem: the line, and a message.
pub(in super::super) type Problem = (usize, String);

#[derive(Debug, Clone, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    text: String,
}

impl Element {
    pub(super) fn attribute(&self, key: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the text of an element, which must contain nothing else.
    pub(super) fn text_alone(&self) -> Result<&str, Problem> {
        if self.children.is_empty() && self.attributes.is_empty() {
            return Ok(self.text.trim());
        }
        Err((self.line, format!("`{}` can only contain text", self.name)))
    }
}

/// Parses a document. Only XML's predefined entities are accepted, so entities can't make the text
/// grow.
pub(super) fn parse(text: &str) -> Result<Element, Problem> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut open: Vec<Element> = Vec::new();
    loop {
        let line = line_at(text, reader.buffer_position());
        let wrong = |message: String| (line, message);
        let event = reader.read_event().map_err(|error| {
            let line = line_at(text, reader.error_position());
            (line, not_well_formed(&error))
        })?;
        match event {
            Event::Start(tag) => {
                if open.len() >= DEPTH_MAX {
                    return Err(wrong(format!(
                        "elements are nested more than {DEPTH_MAX} deep"
                    )));
                }
                open.push(element(&tag, line).map_err(wrong)?);
            }
            Event::End(_) => {
                let Some(ended) = open.pop() else {
                    return Err(wrong("an end tag has no start tag".to_owned()));
                };
                match open.last_mut() {
                    Some(parent) => parent.children.push(ended),
                    None => return Ok(ended),
                }
            }
            Event::Text(text) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&text.into_inner());
                }
            }
            Event::CData(text) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&text.into_inner());
                }
            }
            Event::GeneralRef(name) => {
                let name = name.into_inner();
                let Some(meant) = predefined(&name) else {
                    let message = format!("replace the entity `&{name};` by its text");
                    return Err(wrong(message));
                };
                if let Some(element) = open.last_mut() {
                    element.text.push_str(meant);
                }
            }
            Event::DocType(_) => {
                return Err(wrong(
                    "a machine cannot have a document type: remove it".to_owned(),
                ));
            }
            Event::Eof => {
                let name = open.last().map_or("system", |it| &it.name);
                return Err(wrong(format!(
                    "the file ends before `</{name}>`; is it cut off?"
                )));
            }
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

fn not_well_formed(error: &Error) -> String {
    match error {
        Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
            match found.split_once(char::is_whitespace) {
                Some((name, _)) => format!("`</{name}` needs a `>` at its end"),
                None => format!("expected `</{expected}>`, found `</{found}>`"),
            }
        }
        _ => format!("the file is not well-formed XML: {error}"),
    }
}

fn element(tag: &BytesStart<'_>, line: usize) -> Result<Element, String> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let key = attribute.key.as_ref().to_owned();
        // Namespaces and schema locations don't describe the machine.
        if key == "xmlns" || key.starts_with("xmlns:") || key.starts_with("xsi:") {
            continue;
        }
        let value = attribute.normalized_value(XmlVersion::Explicit1_0);
        let value = value.map_err(|error| format!("`{key}`: {error}"))?;
        attributes.push((key, value.into_owned()));
    }
    Ok(Element {
        // Elements of custom models have a namespace with an arbitrary prefix.
        name: tag.local_name().as_ref().to_owned(),
        line,
        attributes,
        ..Element::default()
    })
}

fn predefined(name: &str) -> Option<&'static str> {
    Some(match name {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        _ => return None,
    })
}

/// Returns the line at a position, or after the blanks there.
fn line_at(text: &str, position: u64) -> usize {
    let position = usize::try_from(position)
        .unwrap_or(text.len())
        .min(text.len());
    let blank = |rest: &str| rest.len() - rest.trim_start().len();
    let position = position + text.get(position..).map_or(0, blank);
    let before = text.get(..position).unwrap_or(text);
    1 + before.matches('\n').count()
}
