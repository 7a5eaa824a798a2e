//! Looks up the names of elements and units, and the stereotypes of elements.

use std::collections::BTreeMap;

use prophet_trace::{Record, Results, UnitId};

/// Names and stereotypes of a trace's elements, by index.
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

    /// Returns the name of a record's element; `None` outside elements.
    pub(crate) fn of(&self, record: &Record) -> Option<&str> {
        self.of_index(record.element_index()?)
    }

    pub(crate) fn of_index(&self, index: u32) -> Option<&str> {
        let (name, _) = self.0.get(&index)?;
        Some(name)
    }

    /// Returns the stereotype of a record's element; `None` outside elements.
    pub(crate) fn kind_of(&self, record: &Record) -> Option<&str> {
        let (_, kind) = self.0.get(&record.element_index()?)?;
        Some(kind)
    }

    /// Returns the label of a record in a viewer: its element, or otherwise its state.
    pub(crate) fn label(&self, record: &Record) -> &str {
        self.of(record).unwrap_or_else(|| record.state.name())
    }
}

pub(crate) fn unit(unit: UnitId) -> String {
    match unit {
        UnitId { pid, tid: 0 } => format!("process {pid}"),
        UnitId { pid, tid } => format!("process {pid}, thread {tid}"),
    }
}
