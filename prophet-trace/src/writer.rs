//! Records to a file, batch by batch.

use std::io::{self, Write};

use crate::columns::{COLUMNS, ELEMENTS, ELEMENTS_MAX, Kind, ROLES, STATES, value};
use crate::header::Whole;
use crate::metadata::{self, Block, Buffer, MAGIC, Node};
use crate::record::{Record, Role, State};
use crate::{BATCH_ROWS, Header, Results};

/// Buffers begin at multiples of so many bytes.
const ALIGNMENT: usize = 64;
/// Records whose columns are written together: they stay in the fastest cache.
const BLOCK: usize = 256;
/// What a message begins with.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Writes a trace. It holds one batch, however many records there are.
///
/// A file is complete when [`Self::finish`] has returned; without it readers refuse the file.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    header: Header,
    /// Bytes written.
    written: usize,
    pending: Vec<Record>,
    body: Vec<u8>,
    dictionaries: Vec<Block>,
    batches: Vec<Block>,
}

impl<W: Write> Writer<W> {
    /// Begins a trace.
    ///
    /// # Errors
    ///
    /// What writing meets.
    pub fn new(out: W, header: Header) -> io::Result<Self> {
        let mut writer = Self {
            out,
            written: 0,
            pending: Vec::with_capacity(BATCH_ROWS),
            body: Vec::new(),
            dictionaries: Vec::new(),
            batches: Vec::new(),
            header,
        };
        writer.put(MAGIC)?;
        writer.put(&[0; 2])?;
        let text = serde_json::to_string(&writer.header)?;
        writer.put_message(&metadata::schema_message(&text), 0)?;
        writer.put_dictionary(STATES, &State::ALL.map(State::name))?;
        writer.put_dictionary(ROLES, &Role::ALL.map(Role::name))?;
        Ok(writer)
    }

    /// Writes records after those before.
    ///
    /// # Errors
    ///
    /// What writing meets.
    pub fn write(&mut self, mut records: &[Record]) -> io::Result<()> {
        while !records.is_empty() {
            let room = BATCH_ROWS - self.pending.len();
            let (now, rest) = records.split_at(room.min(records.len()));
            self.pending.extend_from_slice(now);
            records = rest;
            if self.pending.len() == BATCH_ROWS {
                self.put_batch()?;
            }
        }
        Ok(())
    }

    /// Writes a record after those before.
    ///
    /// # Errors
    ///
    /// What writing meets.
    #[inline]
    pub fn push(&mut self, record: Record) -> io::Result<()> {
        self.pending.push(record);
        if self.pending.len() == BATCH_ROWS {
            self.put_batch()?;
        }
        Ok(())
    }

    /// Ends the trace with what came out, and gives back what it was written to.
    ///
    /// # Errors
    ///
    /// What writing meets.
    pub fn finish(mut self, results: Results) -> io::Result<W> {
        if !self.pending.is_empty() {
            self.put_batch()?;
        }
        let labels = labels(&results);
        self.put_dictionary(ELEMENTS, &labels)?;
        // The end of the messages.
        self.put(&CONTINUATION)?;
        self.put(&[0; 4])?;
        let header = self.header.clone();
        let text = serde_json::to_string(&Whole { header, results })?;
        let footer = metadata::footer(&text, &self.dictionaries, &self.batches);
        let length = i32::try_from(footer.len())
            .map_err(|_| io::Error::other("the totals of the trace are too long"))?;
        self.put(&footer)?;
        self.put(&length.to_le_bytes())?;
        self.put(MAGIC)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.written += bytes.len();
        Ok(())
    }

    /// Writes a message, with the body if that has so many bytes.
    fn put_message(&mut self, metadata: &[u8], body_length: usize) -> io::Result<Block> {
        let offset = self.written;
        // With the eight bytes before them, they end at a multiple of the alignment.
        let end = (offset + 8 + metadata.len()).next_multiple_of(ALIGNMENT);
        let length = end - offset - 8;
        self.put(&CONTINUATION)?;
        self.put(&i32_of(length).to_le_bytes())?;
        self.put(metadata)?;
        self.put(&[0; ALIGNMENT][..length - metadata.len()])?;
        if body_length > 0 {
            let body = std::mem::take(&mut self.body);
            self.put(&body[..body_length])?;
            self.body = body;
        }
        Ok(Block {
            offset: i64_of(offset),
            metadata_length: i32_of(length + 8),
            body_length: i64_of(body_length),
        })
    }

    fn put_dictionary(&mut self, id: i64, texts: &[impl AsRef<str>]) -> io::Result<()> {
        let mut ends = vec![0_i32];
        let mut content = Vec::new();
        for text in texts {
            content.extend(text.as_ref().as_bytes());
            ends.push(i32_of(content.len()));
        }
        let mut layout = Layout::default();
        let buffers = [
            layout.add(0),
            layout.add(4 * ends.len()),
            layout.add(content.len()),
        ];
        self.body.clear();
        self.body.resize(layout.length, 0);
        let ends: Vec<u8> = ends.iter().flat_map(|end| end.to_le_bytes()).collect();
        for (buffer, bytes) in buffers[1..].iter().zip([ends, content]) {
            let start = usize_of(buffer[0]);
            self.body[start..start + bytes.len()].copy_from_slice(&bytes);
        }
        let (count, body) = (i64_of(texts.len()), i64_of(layout.length));
        let message = metadata::dictionary_message(id, count, &buffers, body);
        let block = self.put_message(&message, layout.length)?;
        self.dictionaries.push(block);
        Ok(())
    }

    fn put_batch(&mut self) -> io::Result<()> {
        let rows = self.pending.len();
        let (buffers, nodes, length) = self.lay_out();
        self.body.clear();
        self.body.resize(length, 0);
        for (number, block) in self.pending.chunks(BLOCK).enumerate() {
            let row = number * BLOCK;
            macro_rules! columns {
                ($($column:literal)*) => {$(
                    put_column::<$column>(&mut self.body, block, row, &buffers);
                )*};
            }
            columns!(0 1 2 3 4 5 6 7 8 9 10 11 12);
        }
        self.pending.clear();
        let (rows, body) = (i64_of(rows), i64_of(length));
        let message = metadata::batch_message(rows, &nodes, &buffers, body);
        let block = self.put_message(&message, length)?;
        self.batches.push(block);
        Ok(())
    }

    /// Where the columns of the pending records go: two buffers each, of what is there and of the
    /// values; and the bytes of all.
    fn lay_out(&self) -> (Vec<Buffer>, Vec<Node>, usize) {
        let rows = self.pending.len();
        let mut layout = Layout::default();
        let mut buffers = Vec::with_capacity(2 * COLUMNS.len());
        let mut nodes = Vec::with_capacity(COLUMNS.len());
        let mut missing = [0_usize; COLUMNS.len()];
        for block in self.pending.chunks(BLOCK) {
            macro_rules! columns {
                ($($column:literal)*) => {$(
                    missing[$column] += count_missing::<$column>(block);
                )*};
            }
            columns!(2 6 7 8 9 10 11 12);
        }
        for (column, missing) in COLUMNS.iter().zip(missing) {
            let bitmap = if missing == 0 { 0 } else { rows.div_ceil(8) };
            buffers.push(layout.add(bitmap));
            buffers.push(layout.add(rows * column.kind.width()));
            nodes.push([i64_of(rows), i64_of(missing)]);
        }
        (buffers, nodes, layout.length)
    }
}

/// How many records have no value in a column.
#[inline]
fn count_missing<const COLUMN: usize>(records: &[Record]) -> usize {
    let missing = records
        .iter()
        .map(|record| usize::from(!value(record, COLUMN).1));
    missing.sum()
}

/// Writes a column of some records, the first of which is row `row`.
#[inline]
fn put_column<const COLUMN: usize>(
    body: &mut [u8],
    records: &[Record],
    row: usize,
    buffers: &[Buffer],
) {
    let width = COLUMNS[COLUMN].kind.width();
    let start = usize_of(buffers[2 * COLUMN + 1][0]) + row * width;
    let values = body[start..].chunks_exact_mut(width);
    for (to, record) in values.zip(records) {
        let (bits, _) = value(record, COLUMN);
        to.copy_from_slice(&bits.to_le_bytes()[..width]);
    }
    let [start, length] = buffers[2 * COLUMN];
    if length > 0 {
        let bitmap = &mut body[usize_of(start) + row / 8..];
        for (to, records) in bitmap.iter_mut().zip(records.chunks(8)) {
            let bits = records.iter().enumerate();
            *to = bits.fold(0, |bits, (place, record)| {
                bits | (u8::from(value(record, COLUMN).1) << place)
            });
        }
    }
}

/// Buffers one after the other.
#[derive(Debug, Default)]
struct Layout {
    length: usize,
}

impl Layout {
    fn add(&mut self, length: usize) -> Buffer {
        let buffer = [i64_of(self.length), i64_of(length)];
        self.length += length.next_multiple_of(ALIGNMENT);
        buffer
    }
}

/// What the elements are called in the table: their names, with the ids of those that share one,
/// at the places that records name.
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
        label.unwrap_or_else(|| format!("element {index} of the model, never met"))
    };
    labels.into_iter().enumerate().map(unmet).collect()
}

const _: () = assert!(matches!(COLUMNS[2].kind, Kind::Text32(ELEMENTS)));

/// Lengths in memory fit both.
fn i64_of(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

fn i32_of(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

fn usize_of(length: i64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}
