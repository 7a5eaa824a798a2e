//! Holds the model of a trace, and remarks about it.

use std::collections::BTreeMap;

use prophet_text::{count, counted};

use super::rule::RankRule;

/// A folded trace.
#[derive(Debug, Default)]
pub struct Folded {
    /// The model, as plain XML.
    pub text: String,
    /// Number of events in the trace.
    pub events: u64,
    pub ranks: u32,
    /// Number of elements in the model that do something.
    pub elements: usize,
    /// Elements with values or conditions that list ranks.
    pub listed: Vec<String>,
    /// Elements with mean message sizes, because the sizes depend on the program's data.
    pub means: Vec<String>,
    /// The program's rule for its number of ranks, given by the user or derived from the runs.
    pub rule: Option<RankRule>,
    /// Ambiguities that the sizes of the runs don't resolve.
    pub undecided: Vec<String>,
    /// Remarks about cost fits, with the number of fits they apply to.
    pub notes: BTreeMap<String, u32>,
}

const NAMED: usize = 8;

impl Folded {
    /// Formats the sizes of the trace and the model: `12 events of 4 ranks in 3 elements`.
    pub fn sizes(&self) -> String {
        format!(
            "{} of {} in {}",
            counted(self.events, "event", "events"),
            counted(u64::from(self.ranks), "rank", "ranks"),
            counted(self.elements as u64, "element", "elements")
        )
    }

    /// Returns a remark if the model lists ranks.
    pub fn remark(&self) -> Option<String> {
        (!self.listed.is_empty()).then(|| {
            format!(
                "no formula was found for {} ({}): the model lists ranks there, and is only valid \
                 for {}",
                counted(self.listed.len() as u64, "element", "elements"),
                self.some_listed(", "),
                count(u64::from(self.ranks))
            )
        })
    }

    /// Returns the first elements that list ranks, joined with `separator`; `…` stands for the
    /// remaining ones.
    pub fn some_listed(&self, separator: &str) -> String {
        let mut text = self.listed[..self.listed.len().min(NAMED)].join(separator);
        if self.listed.len() > NAMED {
            text += separator;
            text.push('…');
        }
        text
    }
}
