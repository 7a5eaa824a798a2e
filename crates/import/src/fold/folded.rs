//! The model that results from a trace, and what is to say about it.

use std::collections::BTreeMap;

use prophet_text::{count, counted};

use super::rule::RankRule;

/// A folded trace.
#[derive(Debug, Default)]
pub struct Folded {
    /// The model, in the plain XML form.
    pub text: String,
    /// Number of events of the trace.
    pub events: u64,
    /// Number of ranks.
    pub ranks: u32,
    /// Number of elements of the model that do something.
    pub elements: usize,
    /// Elements whose values or conditions list ranks.
    pub listed: Vec<String>,
    /// Elements whose messages have mean sizes, since the program's data decide these.
    pub means: Vec<String>,
    /// The program's rule for its number of ranks, told or shown.
    pub rule: Option<RankRule>,
    /// What the sizes of the runs leave open.
    pub undecided: Vec<String>,
    /// Remarks on fits of costs, with the number of fits.
    pub notes: BTreeMap<String, u32>,
}

/// Maximum number of elements that are named in a message.
const NAMED: usize = 8;

impl Folded {
    /// The sizes of the trace and the model: `12 events of 4 ranks in 3 elements`.
    pub fn sizes(&self) -> String {
        format!(
            "{} of {} in {}",
            counted(self.events, "event", "events"),
            counted(u64::from(self.ranks), "rank", "ranks"),
            counted(self.elements as u64, "element", "elements")
        )
    }

    /// The remark that the model lists ranks, if it does.
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

    /// The first elements that list ranks, with a separator between; `…` stands for others.
    pub fn some_listed(&self, separator: &str) -> String {
        let mut text = self.listed[..self.listed.len().min(NAMED)].join(separator);
        if self.listed.len() > NAMED {
            text += separator;
            text.push('…');
        }
        text
    }
}
