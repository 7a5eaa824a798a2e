//! Represents numbers in JSON documents, which may be written as strings.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::measurements::collector::number;

/// Numbers about the run as a whole, by name.
pub(crate) type Globals = BTreeMap<String, f64>;

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Scalar {
    Number(f64),
    Text(String),
    Other(IgnoredAny),
}

impl Scalar {
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => number(text),
            Self::Other(_) => None,
        }
    }

    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("`{text}`"),
            Self::Other(_) => "a value".to_owned(),
        }
    }
}
