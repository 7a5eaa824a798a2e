//! Changes of links during the run, in a machine's file.

use prophet_platform::Quantity;
use serde::Deserialize;
use toml::Spanned;

use super::file::Problem;
use crate::language::quantity::{ParseError, bytes_per_second, seconds};
use crate::machine::fabric::Change;

/// Entry `[[change]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    at: String,
    pub(super) link: String,
    background: Option<f64>,
    bandwidth: Option<String>,
}

/// Reads changes, in the order of the file.
pub(super) fn read(entries: &[Spanned<Entry>]) -> Result<Vec<Change>, Problem> {
    let read = |entry: &Spanned<Entry>| {
        let change = entry.get_ref().change();
        change.map_err(|error| (Some(entry.span()), error.to_string()))
    };
    entries.iter().map(read).collect()
}

impl Entry {
    fn change(&self) -> Result<Change, ParseError> {
        let quantity = match (self.background, &self.bandwidth) {
            (Some(background), None) if (0.0..1.0).contains(&background) => {
                Quantity::Background(background)
            }
            (Some(background), None) => {
                let message = format!("the background {background} is not from 0 to below 1");
                return Err(ParseError::new(message));
            }
            (None, Some(bandwidth)) => Quantity::Bandwidth(bytes_per_second(bandwidth)?),
            _ => {
                let message = "a change has either a `background` or a `bandwidth`";
                return Err(ParseError::new(message));
            }
        };
        Ok(Change {
            at_s: seconds(&self.at)?,
            link: self.link.clone(),
            quantity,
        })
    }
}
