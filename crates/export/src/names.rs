//! What elements and units are called, and what kind the elements are of.

use std::collections::BTreeMap;

use prophet_trace::{Record, Results, UnitId};

/// The names of a trace's elements and their stereotypes, by index.
#[derive(Debug)]
pub(crate) struct Names(BTreeMap<u32, (String, String)>);

impl Names {
    pub(crate) fn new(results: &Results) -> Self {
        let elements = results.elements.iter();
        Self(
            elements
                .map(|element| (element.index, (element.name.clone(), element.kind.clone())))
                .collect(),
        )
    }

    /// The name of a record's element; none outside of elements.
    pub(crate) fn of(&self, record: &Record) -> Option<&str> {
        let (name, _) = self.0.get(&record.element_index()?)?;
        Some(name)
    }

    /// The stereotype of a record's element; none outside of elements.
    pub(crate) fn kind_of(&self, record: &Record) -> Option<&str> {
        let (_, kind) = self.0.get(&record.element_index()?)?;
        Some(kind)
    }

    /// What a viewer shows on a record: its element, else its state.
    pub(crate) fn label(&self, record: &Record) -> &str {
        self.of(record).unwrap_or_else(|| record.state.name())
    }
}

/// What a unit is called.
pub(crate) fn unit(unit: UnitId) -> String {
    match unit {
        UnitId { pid, tid: 0 } => format!("process {pid}"),
        UnitId { pid, tid } => format!("process {pid}, thread {tid}"),
    }
}
