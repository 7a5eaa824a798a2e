//! Composes a text, and records where each part comes from.

use super::Description;
use crate::source::{Origin, Text};

/// A text in the cost language while it is written.
#[derive(Debug, Default)]
pub(super) struct Written {
    value: String,
    origins: Vec<Origin>,
}

impl Written {
    pub(super) fn add(&mut self, text: &str) {
        self.value.push_str(text);
    }

    pub(super) fn copy(&mut self, part: &Text, description: &Description<'_>) {
        let start = self.value.len();
        self.value.push_str(&part.value);
        self.origins.push(Origin {
            start,
            end: self.value.len(),
            span: description.locate(part.span),
        });
    }

    pub(super) fn finish(self, description: &Description<'_>) -> Text {
        Text {
            value: self.value,
            span: description.tag.span,
            origins: self.origins,
        }
    }
}
