//! Writes rows as Parquet: one column for each axis and result, in groups of rows.

use std::io::{self, Write};

use crate::evaluate::SweepRow;
use crate::space::{AxisForm, AxisValue};
use prophet_parquet as parquet;

use super::columns::{Columns, RowWriter};

const GROUP: usize = 65_536;

pub(super) struct Parquet<W> {
    columns: Columns,
    file: Option<parquet::ParquetWriter<W>>,
    rows: Vec<SweepRow>,
}

impl<W: Write> Parquet<W> {
    pub(super) fn new(columns: Columns, out: W) -> io::Result<Self> {
        let axes = columns.axes.iter().zip(&columns.forms).map(|(name, form)| {
            let kind = match form {
                AxisForm::Whole => parquet::ColumnKind::Int64,
                AxisForm::Real => parquet::ColumnKind::Double,
                AxisForm::Text => parquet::ColumnKind::Text,
            };
            parquet::ParquetColumn::new(name.clone(), kind, false)
        });
        let result = |name| parquet::ParquetColumn::new(name, parquet::ColumnKind::Double, true);
        let error = parquet::ParquetColumn::new("error", parquet::ColumnKind::Text, true);
        let all = axes.chain(columns.results().map(result)).chain([error]);
        let file = parquet::ParquetWriter::begin(out, all.collect())?;
        Ok(Self {
            columns,
            file: Some(file),
            rows: Vec::new(),
        })
    }

    fn group(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let texts = texts(&self.columns, &rows);
        let mut values = Vec::new();
        for (axis, form) in self.columns.forms.iter().enumerate() {
            let of_axis = rows.iter().map(|row| &row.values[axis]);
            values.push(match form {
                AxisForm::Whole => parquet::ColumnValues::Numbers(of_axis.map(whole).collect(), 8),
                AxisForm::Real => parquet::ColumnValues::Reals(of_axis.map(real).collect()),
                AxisForm::Text => parquet::ColumnValues::Text(
                    texts[axis].iter().map(|it| Some(it.as_str())).collect(),
                ),
            });
        }
        let mut results = vec![Vec::with_capacity(rows.len()); self.columns.results().count()];
        for row in &rows {
            let mut of_row = row
                .found
                .as_ref()
                .ok()
                .map(|found| self.columns.values(found));
            for result in &mut results {
                let value = of_row.as_mut().and_then(Iterator::next);
                result.push(value.filter(|it| it.is_finite()).map(f64::to_bits));
            }
        }
        values.extend(results.into_iter().map(parquet::ColumnValues::Reals));
        let errors = rows
            .iter()
            .map(|row| row.found.as_ref().err().map(String::as_str));
        values.push(parquet::ColumnValues::Text(errors.collect()));
        self.file
            .as_mut()
            .map_or(Ok(()), |file| file.group(&values))
    }
}

impl<W: Write> RowWriter for Parquet<W> {
    fn row(&mut self, row: &SweepRow) -> io::Result<()> {
        self.rows.push(row.clone());
        if self.rows.len() >= GROUP {
            return self.group();
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.group()?;
        }
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        file.finish("prophet", "rows of a sweep")?.flush()
    }
}

fn texts(columns: &Columns, rows: &[SweepRow]) -> Vec<Vec<String>> {
    let of_axis = |(axis, form): (usize, &AxisForm)| match form {
        AxisForm::Text => rows
            .iter()
            .map(|row| row.values[axis].to_string())
            .collect(),
        AxisForm::Whole | AxisForm::Real => Vec::new(),
    };
    columns.forms.iter().enumerate().map(of_axis).collect()
}

fn whole(value: &AxisValue) -> Option<u64> {
    match value {
        AxisValue::Whole(whole) => Some(whole.cast_unsigned()),
        AxisValue::Real(_) | AxisValue::Text(_) => None,
    }
}

fn real(value: &AxisValue) -> Option<u64> {
    value.number().map(f64::to_bits)
}
