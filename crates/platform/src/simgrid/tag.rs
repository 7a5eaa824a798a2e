//! Reads XML tags with their line numbers.

use prophet_text::Problem;
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use crate::refuse::refuse;

const DEPTH_MAX: usize = 64;

const ATTRIBUTES_MAX: usize = 64;

#[derive(Debug)]
pub(super) enum TagPart {
    Start(Tag),
    End(String),
    Text(String),
}

/// A start tag. Its attributes are removed one by one.
#[derive(Debug)]
pub(super) struct Tag {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
}

impl Tag {
    pub(super) fn optional(&mut self, name: &str) -> Option<String> {
        let at = self.attributes.iter().position(|it| it.0 == name)?;
        Some(self.attributes.swap_remove(at).1)
    }

    /// Removes an attribute and returns its value; `None` if it is missing or empty.
    pub(super) fn filled(&mut self, name: &str) -> Option<String> {
        self.optional(name).filter(|it| !it.is_empty())
    }

    pub(super) fn required(&mut self, name: &str) -> Result<String, Problem> {
        match self.optional(name) {
            Some(value) => Ok(value),
            None => refuse!("`{}` needs the attribute `{name}`", self.name),
        }
    }

    /// Reports an attribute that hasn't been removed.
    pub(super) fn finish(&self) -> Result<(), Problem> {
        match self.attributes.first() {
            None => Ok(()),
            Some((name, _)) => refuse!(
                "`{}` has the attribute `{name}`, which SimGrid does not know: correct or remove \
                 it",
                self.name
            ),
        }
    }
}

/// Reads a document tag by tag, without expanding entities.
pub(super) struct TagReader<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
    open: Vec<String>,
    /// Whether the last tag was an empty element, so that its end comes next.
    ends: bool,
    /// Line where the current part begins.
    line: u32,
    counted: usize,
}

impl<'a> TagReader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        TagReader {
            reader: Reader::from_str(text),
            text,
            open: Vec::new(),
            ends: false,
            line: 1,
            counted: 0,
        }
    }

    pub(super) fn line(&self) -> u32 {
        self.line
    }

    /// Returns the name of the parent of the last start tag.
    pub(super) fn parent(&self) -> &str {
        let around = self.open.len().checked_sub(2);
        around.map_or("", |at| self.open[at].as_str())
    }

    pub(super) fn next(&mut self) -> Result<Option<TagPart>, Problem> {
        if std::mem::take(&mut self.ends) {
            return Ok(self.open.pop().map(TagPart::End));
        }
        loop {
            let begin = self.reader.buffer_position();
            self.count_lines(begin);
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(problem) => {
                    self.count_lines(self.reader.error_position());
                    refuse!("the file is not well-formed XML: {problem}");
                }
            };
            match event {
                Event::Start(tag) => return self.start(&tag).map(Some),
                Event::Empty(tag) => {
                    let part = self.start(&tag)?;
                    self.ends = true;
                    return Ok(Some(part));
                }
                Event::End(_) => return Ok(self.open.pop().map(TagPart::End)),
                Event::Text(text) => {
                    let text = text.into_inner().into_owned();
                    let blank = text.len() - text.trim_start().len();
                    self.count_lines(begin + blank as u64);
                    return Ok(Some(TagPart::Text(text)));
                }
                Event::CData(text) => {
                    return Ok(Some(TagPart::Text(text.into_inner().into_owned())));
                }
                Event::GeneralRef(name) => {
                    let name = name.into_inner();
                    refuse!("entities are not supported: replace `&{name};` by its text");
                }
                Event::Eof => {
                    if let Some(open) = self.open.last() {
                        refuse!("the file ends inside `{open}`: is it complete?");
                    }
                    return Ok(None);
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<TagPart, Problem> {
        let name = tag.name().as_ref().to_owned();
        if self.open.len() >= DEPTH_MAX {
            refuse!("elements are nested more than {DEPTH_MAX} deep");
        }
        let mut attributes: Vec<(String, String)> = Vec::new();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(problem) => refuse!("the attributes of `{name}` are not XML: {problem}"),
            };
            let key = attribute.key.as_ref().to_owned();
            let value = match attribute.normalized_value(XmlVersion::Implicit1_0) {
                Ok(value) => value.into_owned(),
                Err(problem) => refuse!("attribute `{key}` of `{name}` is not XML: {problem}"),
            };
            if attributes.iter().any(|it| it.0 == key) {
                refuse!("duplicate attribute `{key}` of `{name}`: remove one");
            }
            if attributes.len() >= ATTRIBUTES_MAX {
                refuse!("`{name}` has more than {ATTRIBUTES_MAX} attributes");
            }
            attributes.push((key, value));
        }
        self.open.push(name.clone());
        Ok(TagPart::Start(Tag { name, attributes }))
    }

    fn count_lines(&mut self, to: u64) {
        let to = usize::try_from(to)
            .unwrap_or(usize::MAX)
            .min(self.text.len());
        let passed = self
            .text
            .as_bytes()
            .get(self.counted..to)
            .unwrap_or_default();
        self.line = self.line.saturating_add(lines(passed));
        self.counted = to.max(self.counted);
    }
}

pub(super) fn lines(text: &[u8]) -> u32 {
    let ends = text.split(|it| *it == b'\n').count() - 1;
    u32::try_from(ends).unwrap_or(u32::MAX)
}
