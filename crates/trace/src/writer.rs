//! Writes the records of a trace to a file, batch by batch.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::batch::{BLOCK, Batch, put_buffer};
use crate::columns::BATCH_ROWS;
use crate::columns::{COLUMNS, ELEMENTS, ELEMENTS_MAX, Kind, ROLES, STATES};
use crate::header::Whole;
use crate::header::{Header, Results};
use crate::metadata::{self, Block, MAGIC};
use crate::order::Item;
use crate::record::{Record, Role, UnitState};
use crate::stream::{Body, Stream, i32_of, i64_of};
use crate::traffic::Traffic;
use crate::traffic::tables::Tables;

/// Writes a trace. Only one batch is in memory at a time, however many records there are.
///
/// A file is complete only after [`Self::finish`] has returned. Readers reject incomplete files.
#[derive(Debug)]
pub struct TraceWriter<W: Write> {
    stream: Stream<W>,
    header: Header,
    /// Records that haven't been added to the columns yet.
    block: Vec<Record>,
    batch: Batch,
    /// Memory to reuse for the next bytes.
    body: Vec<u8>,
    dictionaries: Vec<Block>,
    batches: Vec<Block>,
    /// Tables for a network's traffic, if there is any so far.
    tables: Option<Box<Tables>>,
    /// Path of a file on the disk where the tables wait; `None` if they wait in memory.
    spill: Option<PathBuf>,
}

impl<W: Write> TraceWriter<W> {
    /// Begins a trace.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn new(out: W, header: Header) -> io::Result<Self> {
        let mut writer = Self {
            stream: Stream::new(out),
            block: Vec::with_capacity(BLOCK),
            batch: Batch::new(),
            body: Vec::new(),
            dictionaries: Vec::new(),
            batches: Vec::new(),
            tables: None,
            spill: None,
            header,
        };
        writer.stream.put(MAGIC)?;
        writer.stream.put(&[0; 2])?;
        let text = serde_json::to_string(&writer.header)?;
        let schema = metadata::schema_message(&COLUMNS, Some(&text));
        writer.stream.put_message(&schema, &Body::default())?;
        writer.put_dictionary(STATES, &UnitState::ALL.map(UnitState::name))?;
        writer.put_dictionary(ROLES, &Role::ALL.map(Role::name))?;
        Ok(writer)
    }

    /// Appends records.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn write(&mut self, records: &[Record]) -> io::Result<()> {
        records.iter().try_for_each(|record| self.push(*record))
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    #[inline]
    pub fn push(&mut self, record: Record) -> io::Result<()> {
        self.block.push(record);
        if self.block.len() == BLOCK {
            self.put_block()?;
        }
        Ok(())
    }

    pub(crate) fn write_all(&mut self, items: &[Item], lists: &[Vec<Record>]) -> io::Result<()> {
        for item in items {
            let records = item.of(lists);
            if self.block.len() + records.len() >= BLOCK {
                self.write(records)?;
            } else {
                self.block.extend_from_slice(records);
            }
        }
        Ok(())
    }

    /// Appends traffic on the links of a network.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn write_traffic(&mut self, traffic: &Traffic) -> io::Result<()> {
        if self.tables.is_none() {
            self.tables = Some(Box::new(Tables::new(self.spill.as_deref())?));
        }
        let tables = self.tables.as_mut();
        tables.map_or(Ok(()), |tables| tables.add(traffic))
    }

    /// Keeps waiting traffic on the same disk as `path` instead of in memory.
    pub(crate) fn spill_to(&mut self, path: PathBuf) {
        self.spill = Some(path);
    }

    fn put_block(&mut self) -> io::Result<()> {
        self.batch.add(&self.block);
        self.block.clear();
        if self.batch.rows() == BATCH_ROWS {
            self.put_batch()?;
        }
        Ok(())
    }

    /// Ends the trace with the run's outcome, and returns the output.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn finish(mut self, results: Results) -> io::Result<W> {
        self.put_block()?;
        if self.batch.rows() > 0 {
            self.put_batch()?;
        }
        let labels = labels(&results);
        self.put_dictionary(ELEMENTS, &labels)?;
        self.stream.end()?;
        let tables = self.tables.take();
        let tables = tables.map(|tables| tables.finish(&mut self.stream));
        let text = serde_json::to_string(&Whole {
            header: self.header.clone(),
            results,
            tables: tables.transpose()?.unwrap_or_default(),
        })?;
        let footer = metadata::footer(&text, &self.dictionaries, &self.batches);
        let length = i32::try_from(footer.len())
            .map_err(|_| io::Error::other("the totals of the trace are too large"))?;
        self.stream.put(&footer)?;
        self.stream.put(&length.to_le_bytes())?;
        self.stream.put(MAGIC)?;
        self.stream.out.flush()?;
        Ok(self.stream.out)
    }

    fn put_dictionary(&mut self, id: i64, texts: &[impl AsRef<str>]) -> io::Result<()> {
        let mut ends = vec![0_i32];
        let mut content = Vec::new();
        for text in texts {
            content.extend(text.as_ref().as_bytes());
            ends.push(i32_of(content.len()));
        }
        let ends: Vec<u8> = ends.iter().flat_map(|end| end.to_le_bytes()).collect();
        let mut body = Body::default();
        let buffers = [&[], &*ends, &*content].map(|bytes| put_buffer::<1>(bytes, &mut body));
        let (count, length) = (i64_of(texts.len()), i64_of(body.length()));
        let message = metadata::dictionary_message(id, count, &buffers, length);
        let block = self.stream.put_message(&message, &body)?;
        self.dictionaries.push(block);
        Ok(())
    }

    fn put_batch(&mut self) -> io::Result<()> {
        let rows = i64_of(self.batch.rows());
        let mut body = Body::of(std::mem::take(&mut self.body));
        let (buffers, nodes) = self.batch.put(&mut body);
        let message = metadata::batch_message(rows, &nodes, &buffers, i64_of(body.length()));
        let block = self.stream.put_message(&message, &body)?;
        self.batches.push(block);
        self.body = body.bytes;
        self.batch.restart();
        Ok(())
    }
}

/// Returns the labels of the elements, by index: their names, with the ids of elements that share a
/// name.
fn labels(results: &Results) -> Vec<String> {
    let elements = results.elements.iter();
    let elements = elements.filter(|element| element.index < ELEMENTS_MAX);
    let count = elements
        .clone()
        .map(|element| element.index as usize + 1)
        .max();
    let mut labels = vec![None; count.unwrap_or(0)];
    let mut known = std::collections::BTreeSet::new();
    for element in elements {
        let mut label = element.name.clone();
        if !known.insert(label.clone()) {
            label = format!("{} ({})", element.name, element.id);
            while !known.insert(label.clone()) {
                label.push('\'');
            }
        }
        labels[element.index as usize] = Some(label);
    }
    let unmet = |(index, label): (usize, Option<String>)| {
        label.unwrap_or_else(|| format!("element {index} of the model, never executed"))
    };
    labels.into_iter().enumerate().map(unmet).collect()
}

const _: () = assert!(matches!(COLUMNS[2].kind, Kind::Text32(ELEMENTS)));
