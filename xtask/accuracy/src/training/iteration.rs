//! Parses measured training iterations.

use std::collections::BTreeMap;

use super::Layout;
use super::sample::NODE;

/// A measured iteration: a row of a table, with its cells by column name.
#[derive(Debug, Clone)]
pub struct Iteration(BTreeMap<String, String>);

impl Iteration {
    /// Parses the rows of a tab-separated table.
    pub fn all(table: &str) -> Vec<Self> {
        let mut lines = table
            .lines()
            .map(|line| line.split('\t').map(str::to_owned));
        let names: Vec<_> = lines.next().into_iter().flatten().collect();
        let row = |cells| Self(names.iter().cloned().zip(cells).collect());
        lines.map(row).collect()
    }

    /// Returns the text in the column `name`.
    ///
    /// # Panics
    ///
    /// Panics if there is no such column.
    pub fn text(&self, name: &str) -> &str {
        &self.0[name]
    }

    /// Returns the number in the column `name`.
    ///
    /// # Panics
    ///
    /// Panics if there is no such column, or if it doesn't contain a number.
    pub fn number(&self, name: &str) -> f64 {
        let text = self.text(name);
        text.parse()
            .unwrap_or_else(|_| panic!("`{text}` is not a number"))
    }

    /// Returns the integer in the column `name`.
    ///
    /// # Panics
    ///
    /// Panics like [`Self::number`].
    pub fn count(&self, name: &str) -> u32 {
        let text = self.text(name);
        text.parse()
            .unwrap_or_else(|_| panic!("`{text}` is not a count"))
    }

    /// Returns the measured time in seconds.
    pub fn measured_s(&self) -> f64 {
        self.number("iter_time_s")
    }

    /// Returns the iteration as a run of the sample `megatron`.
    pub fn layout(&self) -> Layout {
        let gpus = self.count("gpus");
        let nodes = gpus.div_ceil(NODE);
        let selective = self.text("recompute").starts_with("selective");
        Layout {
            nodes,
            gpus: gpus / nodes,
            processes: self.count("pp"),
            parameters: vec![
                ("HIDDEN", self.count("hidden")),
                ("LAYERS", self.count("layers")),
                ("HEADS", self.count("heads")),
                ("SEQUENCE", self.count("seq")),
                ("VOCABULARY", 51_200),
                ("BATCH", self.count("global_batch")),
                ("MICRO_BATCH", self.count("microbatch")),
                ("TENSOR", self.count("tp")),
                ("INTERLEAVE", self.count("interleave")),
                ("RECOMPUTE", [2, 1][usize::from(selective)]),
                (
                    "SEQUENCE_PARALLEL",
                    u32::from(self.text("tp_comm") == "rs_ag"),
                ),
            ],
        }
    }
}
