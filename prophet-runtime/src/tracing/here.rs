//! Writes records in the simulation's own thread, for web pages, where there is no other thread.

use std::cell::RefCell;
use std::io;
use std::path::Path;

use prophet_files::Output;
use prophet_trace::{Header, Record, Results, Sorter, TraceWriter, Traffic};

/// A trace that is being written, or the error after a failure.
#[derive(Debug)]
pub(super) struct File(RefCell<io::Result<Option<Sorter<Output>>>>);

impl File {
    pub(super) fn create(output: Output, path: &Path, header: Header) -> io::Result<Self> {
        let sorter = Sorter::new(TraceWriter::new(output, header)?, path.to_owned());
        Ok(Self(RefCell::new(Ok(Some(sorter)))))
    }

    /// Writes records. No later record ends before `until_s`. Returns the emptied list.
    pub(super) fn add(&self, mut records: Vec<Record>, until_s: f64) -> Vec<Record> {
        self.put(|sorter| sorter.add(&mut records, until_s));
        records.clear();
        records
    }

    pub(super) fn add_traffic(&self, traffic: Traffic) {
        self.put(|sorter| sorter.add_traffic(&traffic));
    }

    pub(super) fn finish(&self, results: Results) -> io::Result<Output> {
        let sorter = self.0.replace(Ok(None))?;
        let ended = || io::Error::other("it has already ended");
        sorter.ok_or_else(ended)?.finish(results)
    }

    fn put(&self, put: impl FnOnce(&mut Sorter<Output>) -> io::Result<()>) {
        let mut writing = self.0.borrow_mut();
        if let Ok(Some(sorter)) = &mut *writing
            && let Err(error) = put(sorter)
        {
            *writing = Err(error);
        }
    }
}
