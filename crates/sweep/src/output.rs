//! Rows as text.

mod check;
mod csv;
mod format;
mod keeping;
mod lines;
mod parquet;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::evaluate::{Found, METRICS, Replications, Row};

use crate::space::{Axis, Form, Space, Value};

pub(crate) use check::{check_outputs, check_words};
pub(crate) use format::Format;
pub(crate) use keeping::Keeping;

/// Columns of the rows: the axes, the results, and why there are none.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(crate) axes: Vec<String>,
    /// Forms of the values of the axes.
    pub(crate) forms: Vec<Form>,
    /// Places of the results that are shown: an axis is not shown twice.
    metrics: Vec<usize>,
    /// True if points have several seeds.
    has_seeds: bool,
}

impl Columns {
    pub(crate) fn new(space: &Space, replications: &Replications) -> Self {
        let axes: Vec<String> = space.axes().map(|axis| axis.name.clone()).collect();
        let is_axis = |name: &str| axes.iter().any(|axis| axis.replace('-', "_") == name);
        let metrics = (0..METRICS.len()).filter(|place| !is_axis(METRICS[*place].name));
        Self {
            metrics: metrics.collect(),
            has_seeds: replications.are_several(),
            axes,
            forms: space.axes().map(Axis::form).collect(),
        }
    }

    /// Names of the results.
    pub(crate) fn results(&self) -> impl Iterator<Item = &'static str> {
        let of_seeds = self.has_seeds.then_some(["half_width_s", "seeds"]);
        let metrics = self.metrics.iter().map(|place| METRICS[*place].name);
        metrics.chain(of_seeds.into_iter().flatten())
    }

    /// The results by their names; not a number where one is not defined.
    #[expect(clippy::cast_precision_loss, reason = "a number of seeds is small")]
    pub(crate) fn values(&self, found: &Found) -> impl Iterator<Item = f64> {
        let of_seeds = self
            .has_seeds
            .then_some([found.half_width_s, found.seeds as f64]);
        let metrics = self.metrics.iter().map(|place| found.metrics[*place]);
        metrics.chain(of_seeds.into_iter().flatten())
    }
}

/// Taker of rows.
pub(crate) type Take<'t> = &'t mut dyn FnMut(&Row) -> io::Result<()>;

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` gives")]
fn unwritten(error: io::Error) -> String {
    format!("cannot write the rows: {error}")
}

/// Ignores a reader that closes the output early (`| head`), but not a full disk.
pub(crate) fn told(written: io::Result<()>) -> Result<(), String> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unwritten(error)),
        _ => Ok(()),
    }
}

/// Writer of rows.
pub(crate) trait Writer {
    /// Writes a row.
    fn row(&mut self, row: &Row) -> io::Result<()>;

    /// Writes what is left.
    fn finish(&mut self) -> io::Result<()>;
}

/// Makes the writer of a format.
pub(crate) fn writer<'o>(
    format: Format,
    columns: Columns,
    out: impl Write + 'o,
) -> io::Result<Box<dyn Writer + 'o>> {
    Ok(match format {
        Format::Csv => Box::new(csv::Csv::new(columns, out)),
        Format::Jsonl => Box::new(lines::Lines::new(columns, out)),
        Format::Parquet => Box::new(parquet::Parquet::new(columns, out)?),
    })
}

/// Writes a file of rows: all of it, or nothing.
pub(crate) fn commit(
    path: &Path,
    format: Format,
    columns: Columns,
    write: impl FnOnce(&mut dyn Writer) -> Result<(), String>,
) -> Result<(), String> {
    let failed = |error| format!("cannot write {}: {error}", path.display());
    let mut file = prophet_files::Output::create(path).map_err(failed)?;
    let out = BufWriter::new(&mut file);
    let mut writer = self::writer(format, columns, out).map_err(failed)?;
    write(&mut *writer)?;
    writer.finish().map_err(failed)?;
    drop(writer);
    file.commit().map(drop).map_err(failed)
}

/// A number as text; nothing if it is none.
fn number(number: f64) -> Option<String> {
    number.is_finite().then(|| Value::from(number).to_string())
}
