//! Builds elements of our own XML format from a text model, and writes them.

use std::borrow::Cow;

use crate::source::{Span, Text};

#[derive(Debug, Clone)]
pub(super) struct FormElement {
    pub(super) role: &'static str,
    pub(super) span: Span,
    attributes: Vec<(Cow<'static, str>, Text)>,
    pub(super) children: Vec<FormElement>,
    /// Text of the element; `None` if it has children.
    pub(super) text: Option<Text>,
}

impl FormElement {
    pub(super) fn new(role: &'static str, span: Span) -> Self {
        Self {
            role,
            span,
            attributes: Vec::new(),
            children: Vec::new(),
            text: None,
        }
    }

    pub(super) fn leaf(role: &'static str, text: Text) -> Self {
        let mut leaf = Self::new(role, text.span);
        leaf.text = Some(text);
        leaf
    }

    pub(super) fn value(&self, name: &str) -> Option<&Text> {
        let mut attributes = self.attributes.iter();
        Some(&attributes.find(|(it, _)| it == name)?.1)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    pub(super) fn set(&mut self, name: impl Into<Cow<'static, str>>, value: Text) {
        let name = name.into();
        self.attributes.retain(|(it, _)| *it != name);
        self.attributes.push((name, value));
    }

    pub(super) fn absorb(&mut self, other: Self) {
        for (name, value) in other.attributes {
            self.set(name, value);
        }
        self.children.splice(0..0, other.children);
    }

    pub(super) fn take(&mut self, name: &str) -> Option<Text> {
        let at = self.attributes.iter().position(|(it, _)| it == name)?;
        Some(self.attributes.remove(at).1)
    }
}

#[derive(Debug, Default)]
pub(super) struct XmlWriter {
    pub(super) text: String,
    /// Places in the XML with the places in the text that they came from. Outer places come before
    /// inner ones.
    pub(super) places: Vec<(Span, Span)>,
}

impl XmlWriter {
    pub(super) fn write(&mut self, part: &FormElement) {
        let place = self.begin(part.span);
        self.text.push('<');
        self.text.push_str(part.role);
        for (name, value) in &part.attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.escaped(value);
            self.text.push('"');
        }
        if part.children.is_empty() && part.text.is_none() {
            self.text.push_str("/>");
            self.end(place);
            return;
        }
        self.text.push('>');
        self.end(place);
        if let Some(text) = &part.text {
            self.escaped(text);
        }
        for child in &part.children {
            self.write(child);
        }
        self.text.push_str("</");
        self.text.push_str(part.role);
        self.text.push_str(">\n");
    }

    fn escaped(&mut self, text: &Text) {
        let place = self.begin(text.span);
        for c in text.value.chars() {
            match c {
                '\n' => self.text.push_str("&#10;"),
                '\t' => self.text.push_str("&#9;"),
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                c => self.text.push(c),
            }
        }
        self.end(place);
    }

    fn begin(&mut self, span: Span) -> usize {
        let start = self.text.len();
        self.places.push((Span::new(start, start), span));
        self.places.len() - 1
    }

    fn end(&mut self, place: usize) {
        self.places[place].0.end = self.text.len();
    }
}
