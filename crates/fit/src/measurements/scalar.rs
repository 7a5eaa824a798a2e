//! Represents values in documents: numbers, which can be written as strings.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::measurements::collector::number;

/// Numbers that a document states about the whole run, by name.
pub(crate) type Globals = BTreeMap<String, f64>;

/// A number, a text, or something else.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Scalar {
    Number(f64),
    Text(String),
    Other(IgnoredAny),
}

impl Scalar {
    /// Returns the number, or the number that the text contains.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => number(text),
            Self::Other(_) => None,
        }
    }

    /// Describes it for messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("`{text}`"),
            Self::Other(_) => "a value".to_owned(),
        }
    }
}
