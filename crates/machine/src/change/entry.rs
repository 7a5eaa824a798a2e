//! Parses changes as users write them: `[[change]]` entries of a machine file, or lines in a file
//! of changes.

use prophet_platform::Quantity;
use serde::Deserialize;

use super::{Change, Setting};
use crate::quantity::{ParseError, bytes_per_second, parse_error, seconds};

/// A change as a user writes it, before it is checked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    at: Option<String>,
    at_s: Option<f64>,
    pub link: Option<String>,
    node: Option<String>,
    operation: Option<String>,
    background: Option<f64>,
    bandwidth: Option<String>,
    latency: Option<String>,
    speed: Option<f64>,
    cost: Option<String>,
}

impl Entry {
    /// Converts the entry to a change.
    ///
    /// # Errors
    ///
    /// Returns an error if a value is missing, superfluous or invalid.
    pub fn change(&self) -> Result<Change, ParseError> {
        let setting = match (&self.link, &self.node, &self.operation) {
            (Some(link), None, None) => Setting::Link(link.clone(), self.of_link()?),
            (None, Some(node), None) => Setting::Node(node.clone(), self.node_speed()?),
            (None, None, Some(name)) => Setting::Operation(name.clone(), self.of_operation()?),
            _ => {
                let message = "a change needs exactly one of `link`, `node` and `operation`";
                return Err(ParseError::new(message));
            }
        };
        Ok(Change {
            at_s: self.at_s()?,
            setting,
        })
    }

    fn at_s(&self) -> Result<f64, ParseError> {
        match (&self.at, self.at_s) {
            (Some(text), None) => seconds(text),
            (None, Some(at_s)) if (0.0..=f64::MAX).contains(&at_s) => Ok(at_s),
            (None, Some(at_s)) => Err(parse_error!(
                "`at_s` is {at_s}; expected a number of seconds, 0 or more"
            )),
            _ => Err(ParseError::new(
                "a change needs exactly one time: `at` with a unit, or `at_s` in seconds",
            )),
        }
    }

    fn of_link(&self) -> Result<Quantity, ParseError> {
        match (self.background, &self.bandwidth, &self.latency) {
            (Some(background), None, None) if self.has_one() => {
                fraction(background).map(Quantity::Background)
            }
            (None, Some(text), None) if self.has_one() => {
                bytes_per_second(text).map(Quantity::Bandwidth)
            }
            (None, None, Some(text)) if self.has_one() => seconds(text).map(Quantity::Latency),
            _ => {
                let message = "a change to a link needs exactly one of `background`, `bandwidth` \
                               and `latency`";
                Err(ParseError::new(message))
            }
        }
    }

    fn node_speed(&self) -> Result<f64, ParseError> {
        match (self.background, self.speed) {
            (Some(background), None) if self.has_one() => Ok(1.0 - fraction(background)?),
            (None, Some(speed)) if self.has_one() && (0.0..=f64::MAX).contains(&speed) => Ok(speed),
            (None, Some(speed)) if self.has_one() => Err(parse_error!(
                "the speed is {speed}; expected a factor of the node's own speed, 0 or more"
            )),
            _ => {
                let message = "a change to a node needs exactly one of `background` and `speed`";
                Err(ParseError::new(message))
            }
        }
    }

    fn of_operation(&self) -> Result<f64, ParseError> {
        match &self.cost {
            Some(text) if self.has_one() => seconds(text),
            _ => {
                let message = "a change to an operation needs a `cost`, such as \"0.2us\"";
                Err(ParseError::new(message))
            }
        }
    }

    fn has_one(&self) -> bool {
        let texts = [&self.bandwidth, &self.latency, &self.cost];
        let numbers = [self.background, self.speed];
        let texts = texts.iter().filter(|it| it.is_some()).count();
        texts + numbers.iter().flatten().count() == 1
    }
}

/// Checks the fraction of a link that other traffic takes.
fn fraction(background: f64) -> Result<f64, ParseError> {
    if (0.0..1.0).contains(&background) {
        return Ok(background);
    }
    Err(parse_error!(
        "the background {background} is out of range (from 0 to below 1)"
    ))
}
