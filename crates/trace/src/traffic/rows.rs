//! Reads every table except the table of records.

use std::collections::BTreeMap;
use std::io::SeekFrom;
use std::marker::PhantomData;

use serde::Deserialize;

use super::records::{Hop, TracedNetwork, TrafficRow};
use super::tables::TablePlace;
use crate::columns::Column;
use crate::metadata::{self, Batch};
use crate::raw::{ReadError, Slices, Source, check_batch, damaged, read};
use crate::stream::CONTINUATION;

/// Positions of the tables by name, as the description of the run states them.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct TablePlaces {
    #[serde(default)]
    tables: BTreeMap<String, TablePlace>,
}

impl TablePlaces {
    /// Checks that all tables end before `end`.
    pub(crate) fn check(&self, end: u64) -> Result<(), ReadError> {
        for (name, place) in &self.tables {
            let last = place.offset.checked_add(place.bytes);
            if last.is_none_or(|last| last > end) {
                let what = "it extends past the end of the file";
                return Err(damaged(format!("table `{name}`: {what}")));
            }
        }
        Ok(())
    }

    pub(crate) fn place(&self, name: &str) -> Option<TablePlace> {
        self.tables.get(name).copied()
    }
}

/// Reads the rows of a traffic table, batch by batch.
#[derive(Debug)]
pub struct TrafficRows<'r, R> {
    file: &'r mut dyn Source,
    /// The network, and the position of the next message; `None` after the end of the table, or if
    /// there is no table.
    next: Option<(&'r TracedNetwork, u64)>,
    end: u64,
    has_begun: bool,
    row: PhantomData<fn() -> R>,
}

impl<'r, R: TrafficRow> TrafficRows<'r, R> {
    pub(crate) fn new(
        file: &'r mut dyn Source,
        place: Option<TablePlace>,
        network: Option<&'r TracedNetwork>,
    ) -> Self {
        let (offset, end) = place.map_or((0, 0), |it| (it.offset, it.offset + it.bytes));
        Self {
            file,
            next: network.filter(|_| place.is_some()).map(|it| (it, offset)),
            end,
            has_begun: false,
            row: PhantomData,
        }
    }

    /// Replaces `rows` with the rows of the next batch. Returns `false` if no batch is left.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or the table is damaged.
    pub fn next_batch(&mut self, rows: &mut Vec<R>) -> Result<bool, ReadError> {
        rows.clear();
        let read = self.read_batch(rows);
        read.map_err(|error| match error {
            ReadError::Damaged(what) => damaged(format!("table `{}`: {what}", R::NAME)),
            other => other,
        })
    }

    fn read_batch(&mut self, rows: &mut Vec<R>) -> Result<bool, ReadError> {
        if self.next.is_some() && !self.has_begun {
            self.has_begun = true;
            let begins = self.message()?;
            if !begins.is_some_and(|message| metadata::begins(&message, R::COLUMNS) == Ok(true)) {
                return Err(damaged("it has different columns"));
            }
        }
        let Some((network, message)) = self.next.map(|it| it.0).zip(self.message()?) else {
            self.next = None;
            return Ok(false);
        };
        let batch = metadata::read_batch(&message)?;
        let batch = batch
            .ok_or_else(|| damaged("a message is not a batch, or uses a different compression"))?;
        let length = u64::try_from(batch.body).unwrap_or(u64::MAX);
        check_batch(&batch, length, R::COLUMNS)?;
        let body = self.take(length)?;
        put_rows(&body, &batch, network, rows)?;
        Ok(true)
    }

    /// Reads the metadata of the next message; `None` after the last message.
    fn message(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        if self.next.is_none() {
            return Ok(None);
        }
        let start = self.take(8)?;
        let [mark @ .., a, b, c, d] = &*start else {
            return Err(ReadError::Truncated);
        };
        let length = i32::from_le_bytes([*a, *b, *c, *d]);
        let length = u64::try_from(length).ok().filter(|_| *mark == CONTINUATION);
        let length = length.ok_or_else(|| damaged("a message has no header"))?;
        if length == 0 {
            return Ok(None);
        }
        self.take(length).map(Some)
    }

    fn take(&mut self, length: u64) -> Result<Vec<u8>, ReadError> {
        let short = || damaged("it ends within a message");
        let (_, place) = self.next.as_mut().ok_or_else(short)?;
        let after = place.checked_add(length).filter(|it| *it <= self.end);
        let start = std::mem::replace(place, after.ok_or_else(short)?);
        self.file.seek(SeekFrom::Start(start))?;
        read(&mut *self.file, length)
    }
}

fn put_rows<R: TrafficRow>(
    body: &[u8],
    batch: &Batch,
    network: &TracedNetwork,
    rows: &mut Vec<R>,
) -> Result<(), ReadError> {
    let count = usize::try_from(batch.rows).unwrap_or(0);
    let mut slices = Slices::new(body);
    let mut columns = Vec::with_capacity(R::COLUMNS.len());
    for (Column { name, kind, .. }, (node, [there, values])) in
        { R::COLUMNS.iter() }.zip(batch.nodes.iter().zip(batch.buffers.as_chunks().0))
    {
        let wrong = |what| damaged(format!("the column `{name}` {what}"));
        if node[1] != 0 {
            return Err(wrong("has holes"));
        }
        slices.next(*there, 0).map_err(wrong)?;
        let values = slices.next(*values, count * kind.width()).map_err(wrong)?;
        columns.push((values, kind.width()));
    }
    let mut words = vec![0; columns.len()];
    rows.reserve(count);
    for row in 0..count {
        for (word, (values, width)) in words.iter_mut().zip(&columns) {
            let mut bytes = [0; 8];
            bytes[..*width].copy_from_slice(&values[row * width..(row + 1) * width]);
            *word = u64::from_le_bytes(bytes);
        }
        let wrong = || damaged(format!("row {row} of a batch is invalid"));
        rows.push(R::from_words(&words, network).ok_or_else(wrong)?);
    }
    Ok(())
}

/// Collects the links on each of `count` routes, by route number.
pub(crate) fn routes_of(
    mut hops: TrafficRows<'_, Hop>,
    count: u32,
) -> Result<Vec<Vec<u32>>, ReadError> {
    let wrong = |what| damaged(format!("table `{}`: {what}", Hop::NAME));
    let mut routes: Vec<Vec<u32>> = Vec::new();
    let mut batch = Vec::new();
    // Equal routes have the same number, so at most one route has no links.
    let mut without = 1;
    while hops.next_batch(&mut batch)? {
        for hop in &batch {
            let route = hop.route as usize;
            if route + 1 < routes.len() || route > routes.len() + without {
                return Err(wrong("its routes are out of order"));
            }
            without -= route.saturating_sub(routes.len());
            if route >= routes.len() {
                routes.resize(route + 1, Vec::new());
            }
            routes[route].push(hop.link);
        }
    }
    if routes.len() + without < count as usize {
        return Err(wrong("routes are missing"));
    }
    routes.resize(count as usize, Vec::new());
    Ok(routes)
}
