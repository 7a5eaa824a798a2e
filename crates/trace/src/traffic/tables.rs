//! Writes every table except the table of records. They are streams in Arrow's format, between the
//! end of the table of records and the file's footer. The description of the run contains their
//! positions.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::records::{Flow, FlowMetric, Hop, LinkLoad, Operation, Traffic, TrafficRow};
use crate::aside::Aside;
use crate::batch::put_buffer;
use crate::columns::{BATCH_ROWS, Column};
use crate::metadata;
use crate::stream::{Body, Stream, i64_of};

/// Maximum number of bytes of a table that wait in memory. Further bytes wait in a file.
const WAITING_MAX: usize = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TablePlace {
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
}

/// The tables for a network's traffic and for accelerators, to which rows are still being added.
#[derive(Debug)]
pub(crate) struct Tables {
    hops: Table,
    flows: Table,
    loads: Table,
    metrics: Table,
    operations: Table,
}

impl Tables {
    /// Creates empty tables. Their rows wait on the same disk as `spill`, or in memory if it is
    /// `None`.
    pub(crate) fn new(spill: Option<&Path>) -> io::Result<Self> {
        Ok(Self {
            hops: Table::new(Hop::COLUMNS, spill)?,
            flows: Table::new(Flow::COLUMNS, spill)?,
            loads: Table::new(LinkLoad::COLUMNS, spill)?,
            metrics: Table::new(FlowMetric::COLUMNS, spill)?,
            operations: Table::new(Operation::COLUMNS, spill)?,
        })
    }

    pub(crate) fn add(&mut self, traffic: &Traffic) -> io::Result<()> {
        self.hops.add(&traffic.hops)?;
        self.flows.add(&traffic.flows)?;
        self.loads.add(&traffic.loads)?;
        self.metrics.add(&traffic.metrics)?;
        self.operations.add(&traffic.operations)
    }

    /// Writes the tables one after another, and returns their positions by name. The table of
    /// operations is omitted if no accelerator was used.
    pub(crate) fn finish<W: Write>(
        self,
        out: &mut Stream<W>,
    ) -> io::Result<BTreeMap<&'static str, TablePlace>> {
        let tables = [
            (Hop::NAME, self.hops),
            (Flow::NAME, self.flows),
            (LinkLoad::NAME, self.loads),
            (FlowMetric::NAME, self.metrics),
            (Operation::NAME, self.operations),
        ];
        tables
            .into_iter()
            .filter(|(name, table)| *name != Operation::NAME || !table.is_empty())
            .map(|(name, table)| Ok((name, table.finish(out)?)))
            .collect()
    }
}

/// A table to which rows are being added: its current batch, and the earlier batches.
#[derive(Debug)]
struct Table {
    kinds: &'static [Column],
    /// The values of the waiting rows, by column.
    columns: Vec<Vec<u8>>,
    rows: usize,
    has_batches: bool,
    batches: Stream<Waiting>,
}

impl Table {
    fn new(kinds: &'static [Column], spill: Option<&Path>) -> io::Result<Self> {
        let mut batches = Stream::new(Waiting {
            path: spill.map(Path::to_owned),
            memory: Vec::new(),
            file: None,
        });
        batches.put_message(&metadata::schema_message(kinds, None), &Body::default())?;
        Ok(Self {
            kinds,
            columns: vec![Vec::new(); kinds.len()],
            rows: 0,
            has_batches: false,
            batches,
        })
    }

    fn add(&mut self, rows: &[impl TrafficRow]) -> io::Result<()> {
        for row in rows {
            let words = row.words();
            let columns = self.columns.iter_mut().zip(self.kinds);
            for ((column, kind), word) in columns.zip(words.as_ref()) {
                column.extend(&word.to_le_bytes()[..kind.kind.width()]);
            }
            self.rows += 1;
            if self.rows == BATCH_ROWS {
                self.put_batch()?;
            }
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.rows == 0 && !self.has_batches
    }

    fn put_batch(&mut self) -> io::Result<()> {
        let rows = i64_of(std::mem::take(&mut self.rows));
        self.has_batches = true;
        let mut body = Body::default();
        let mut buffers = Vec::with_capacity(2 * self.columns.len());
        for (column, kind) in self.columns.iter().zip(self.kinds) {
            // No value is missing, so the buffers that say which are present are empty.
            buffers.push(put_buffer::<1>(&[], &mut body));
            buffers.push(match kind.kind.width() {
                4 => put_buffer::<4>(column, &mut body),
                _ => put_buffer::<8>(column, &mut body),
            });
        }
        let nodes = vec![[rows, 0]; self.columns.len()];
        let message = metadata::batch_message(rows, &nodes, &buffers, i64_of(body.length()));
        self.batches.put_message(&message, &body)?;
        self.columns.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    fn finish<W: Write>(mut self, out: &mut Stream<W>) -> io::Result<TablePlace> {
        if self.rows > 0 {
            self.put_batch()?;
        }
        self.batches.end()?;
        out.align()?;
        let (offset, bytes) = (out.written() as u64, self.batches.written() as u64);
        self.batches.out.copy_to(out)?;
        Ok(TablePlace { offset, bytes })
    }
}

/// Bytes that wait to be written, in memory or (if there are many) in a file.
#[derive(Debug)]
struct Waiting {
    /// Path of a file on the disk where the bytes wait; `None` if they wait in memory.
    path: Option<PathBuf>,
    memory: Vec<u8>,
    file: Option<Aside>,
}

impl Write for Waiting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.memory.extend(bytes);
        if let Some(path) = &self.path
            && self.memory.len() > WAITING_MAX
        {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(Aside::create(path)?),
            };
            file.put(&self.memory)?;
            self.memory.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Waiting {
    fn copy_to<W: Write>(mut self, out: &mut Stream<W>) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.copy_to(|bytes| out.put(bytes))?;
        }
        out.put(&self.memory)
    }
}
