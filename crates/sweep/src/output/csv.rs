//! Writes rows as comma-separated values, with a header row.

use std::io::{self, Write};

use crate::evaluate::SweepRow;
use crate::space::AxisValue;
use prophet_text::plain::cell;

use super::columns::{Columns, RowWriter, number};

pub(super) struct Csv<W> {
    columns: Columns,
    out: W,
    has_heading: bool,
}

impl<W: Write> Csv<W> {
    pub(super) const fn new(columns: Columns, out: W) -> Self {
        Self {
            columns,
            out,
            has_heading: false,
        }
    }

    fn heading(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_heading, true) {
            let axes = self.columns.axes.iter().map(|name| cell(name));
            let results = self.columns.results().map(str::to_owned);
            let names: Vec<String> = axes.chain(results).chain(["error".to_owned()]).collect();
            writeln!(self.out, "{}", names.join(","))?;
        }
        Ok(())
    }
}

impl<W: Write> RowWriter for Csv<W> {
    fn row(&mut self, row: &SweepRow) -> io::Result<()> {
        self.heading()?;
        for value in &row.values {
            match value {
                AxisValue::Text(text) => write!(self.out, "{},", cell(text))?,
                value => write!(self.out, "{value},")?,
            }
        }
        match &row.found {
            Ok(found) => {
                for value in self.columns.values(found) {
                    write!(self.out, "{},", number(value).unwrap_or_default())?;
                }
                writeln!(self.out)
            }
            Err(message) => {
                for _ in self.columns.results() {
                    write!(self.out, ",")?;
                }
                writeln!(self.out, "{}", cell(message))
            }
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.heading()?;
        self.out.flush()
    }
}
