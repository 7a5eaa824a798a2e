//! Reads the rows of a trace.

use std::convert::Infallible;

use prophet_trace::{ReadError, Record, TraceReader};

/// The rows of a trace, in batches that can be read in any order. Rows are in trace order: sorted
/// by end, process and thread.
pub trait Rows {
    /// Why a batch can't be read.
    type Error;

    fn batches(&self) -> usize;

    /// Replaces `rows` with the rows of a batch.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read, or is damaged at this batch.
    fn batch(&mut self, number: usize, rows: &mut Vec<Record>) -> Result<(), Self::Error>;
}

/// Rows in memory, as a single batch.
impl Rows for &[Record] {
    type Error = Infallible;

    fn batches(&self) -> usize {
        1
    }

    fn batch(&mut self, _: usize, rows: &mut Vec<Record>) -> Result<(), Infallible> {
        self.clone_into(rows);
        Ok(())
    }
}

impl Rows for TraceReader {
    type Error = ReadError;

    fn batches(&self) -> usize {
        Self::batches(self)
    }

    fn batch(&mut self, number: usize, rows: &mut Vec<Record>) -> Result<(), ReadError> {
        self.go_to(number);
        self.next_batch(rows)?;
        Ok(())
    }
}

/// Calls `see` for each row, in order.
///
/// # Errors
///
/// Returns an error if a batch can't be read.
pub fn for_each<R: Rows>(rows: &mut R, mut see: impl FnMut(&Record)) -> Result<(), R::Error> {
    let mut batch = Vec::new();
    for number in 0..rows.batches() {
        rows.batch(number, &mut batch)?;
        batch.iter().for_each(&mut see);
    }
    Ok(())
}
