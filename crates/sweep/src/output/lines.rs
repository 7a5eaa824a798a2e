//! Writes rows as JSON Lines.

use std::io::{self, Write};

use crate::evaluate::SweepRow;
use crate::space::AxisValue;
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::columns::{Columns, RowWriter};

pub(super) struct JsonLines<W> {
    columns: Columns,
    out: W,
}

impl<W: Write> JsonLines<W> {
    pub(super) const fn new(columns: Columns, out: W) -> Self {
        Self { columns, out }
    }
}

impl<W: Write> RowWriter for JsonLines<W> {
    fn row(&mut self, row: &SweepRow) -> io::Result<()> {
        let columns = &self.columns;
        let text = serde_json::to_string(&Line { columns, row })?;
        writeln!(self.out, "{}", prophet_text::plain::json(&text))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

struct Line<'a> {
    columns: &'a Columns,
    row: &'a SweepRow,
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.columns.axes.iter().zip(&self.row.values) {
            match value {
                AxisValue::Whole(whole) => map.serialize_entry(name, whole)?,
                AxisValue::Real(real) => map.serialize_entry(name, real)?,
                AxisValue::Text(text) => map.serialize_entry(name, &**text)?,
            }
        }
        match &self.row.found {
            Ok(found) => {
                for (name, value) in self.columns.results().zip(self.columns.values(found)) {
                    match AxisValue::from(value) {
                        AxisValue::Whole(whole) => map.serialize_entry(name, &whole)?,
                        _ => map.serialize_entry(name, &value)?,
                    }
                }
            }
            Err(message) => map.serialize_entry("error", message)?,
        }
        map.end()
    }
}
