//! Represents a model that was made from a trace, with remarks about it.

use std::collections::BTreeMap;

use prophet_text::{count, counted};

use super::rule::RankRule;

/// The model that a trace was folded into.
#[derive(Debug, Default)]
pub struct Folded {
    /// The text of the model, as plain XML.
    pub text: String,
    /// Number of events in the trace.
    pub events: u64,
    pub ranks: u32,
    /// Number of elements in the model that do something.
    pub elements: usize,
    /// Names of elements whose values or conditions list individual ranks.
    pub listed: Vec<String>,
    /// Names of elements that use mean message sizes, because the sizes depend on the program's
    /// data.
    pub means: Vec<String>,
    /// The rule for the program's number of ranks, as given by the user or derived from the runs.
    pub rule: Option<RankRule>,
    /// Ambiguities that the sizes of the recorded runs don't resolve.
    pub undecided: Vec<String>,
    /// Remarks about fitted costs, each with the number of fits that it applies to.
    pub notes: BTreeMap<String, u32>,
}

const NAMED: usize = 8;

impl Folded {
    /// Describes the sizes of the trace and the model, as in `12 events of 4 ranks in 3 elements`.
    pub fn sizes(&self) -> String {
        format!(
            "{} of {} in {}",
            counted(self.events, "event", "events"),
            counted(u64::from(self.ranks), "rank", "ranks"),
            counted(self.elements as u64, "element", "elements")
        )
    }

    /// Returns a remark if the model lists individual ranks.
    pub fn remark(&self) -> Option<String> {
        (!self.listed.is_empty()).then(|| {
            format!(
                "no formula was found for {} ({}): the model lists the values of each rank there, \
                 and is only valid for {} ranks",
                counted(self.listed.len() as u64, "element", "elements"),
                self.some_listed(", "),
                count(u64::from(self.ranks))
            )
        })
    }

    /// Returns the names of the first elements that list ranks, joined with `separator`; `…` stands
    /// for the remaining ones.
    pub fn some_listed(&self, separator: &str) -> String {
        let mut text = self.listed[..self.listed.len().min(NAMED)].join(separator);
        if self.listed.len() > NAMED {
            text += separator;
            text.push('…');
        }
        text
    }
}
