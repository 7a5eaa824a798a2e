//! Renders a summary as text or JSON.

use std::fmt::Write as _;

use super::{Counts, Summary};

impl Summary {
    /// Renders the summary as text: what was read, and then what was skipped and why.
    pub fn to_text(&self) -> String {
        let mut text = self.file.clone();
        if !self.uml.is_empty() {
            let _ = write!(text, ": {}", self.uml);
        }
        if let Some(exporter) = &self.exporter {
            let _ = write!(text, ", written by {exporter}");
        }
        text.push_str("\n\nread\n");
        let read = &self.read;
        let mut line = |what: &str, count: usize, kinds: &Counts| {
            let kinds: Vec<String> = kinds
                .iter()
                .map(|(kind, n)| format!("{kind} {n}"))
                .collect();
            let _ = writeln!(
                text,
                "{}",
                format!("{count:>8}  {what:<18}  {}", kinds.join(", ")).trim_end()
            );
        };
        let none = Counts::new();
        line("activities", read.activities, &none);
        if read.implicit_activities > 0 {
            line("from packages", read.implicit_activities, &none);
        }
        line("nodes", sum(&read.nodes), &read.nodes);
        line("edges", sum(&read.edges), &read.edges);
        line("guards", read.guards, &none);
        if read.guards_from_names > 0 {
            line("guards from names", read.guards_from_names, &none);
        }
        line("stereotypes", sum(&read.stereotypes), &read.stereotypes);
        line("functions", read.functions, &none);
        line("variables", read.variables, &none);
        text.push_str("\nskipped\n");
        if self.skipped.is_empty() {
            text.push_str("          nothing\n");
        }
        for it in &self.skipped {
            let _ = writeln!(text, "{:>8}  {:<28}  {}", it.count, it.kind, it.reason);
        }
        text
    }

    /// Renders the summary as a JSON object.
    ///
    /// # Panics
    ///
    /// Never panics, because all keys are strings.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("the keys are texts");
        prophet_text::plain::json(&text)
    }
}

fn sum(counts: &Counts) -> usize {
    counts.values().sum()
}
