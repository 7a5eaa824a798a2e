//! Reads the records of a trace file, batch by batch.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::columns::{COLUMNS, ELEMENTS_MAX, columns_of};
use crate::header::{Header, Results};
use crate::metadata::{self, Batch, Block, Footer, MAGIC};
use crate::raw::{ReadError, Slices, Source, check_batch, damaged, read};
use crate::record::{Link, NO_ELEMENT, Record, Role, UnitState, has};
use crate::traffic::rows::{TablePlaces, TrafficRows, routes_of};
use crate::traffic::{Flow, FlowMetric, Hop, LinkLoad, Operation, TracedNetwork, TrafficRow};

/// Reads a trace. Only one batch is in memory at a time, however large the file is.
#[derive(Debug)]
pub struct TraceReader {
    /// The file. Its type is erased, so that the reader is compiled only once, in this crate.
    file: Box<dyn Source>,
    header: Header,
    results: Results,
    /// Number of columns in the file. They are the first ones of [`COLUMNS`].
    columns: usize,
    places: Vec<Place>,
    tables: TablePlaces,
    rows: u64,
    next: usize,
    body: Vec<u8>,
}

impl TraceReader {
    /// Opens the trace at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or isn't a complete trace.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::new(File::open(path)?)
    }

    /// Reads the header and the results of a trace.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or isn't a complete trace.
    pub fn new(file: impl Read + Seek + fmt::Debug + 'static) -> Result<Self, ReadError> {
        Self::of(Box::new(file))
    }

    fn of(mut file: Box<dyn Source>) -> Result<Self, ReadError> {
        let length = file.seek(SeekFrom::End(0))?;
        let (footer, end) = read_footer(&mut *file, length)?;
        let version: Version = serde_json::from_str(&footer.text)
            .map_err(|_| ReadError::Foreign("its metadata is different"))?;
        let columns = columns_of(version.format).ok_or(ReadError::Version(version.format))?;
        if footer.columns != columns {
            return Err(OTHER_TABLE);
        }
        let wrong = |error| damaged(format!("its description of the run: {error}"));
        let header: Header = serde_json::from_str(&footer.text).map_err(wrong)?;
        let results: Results = serde_json::from_str(&footer.text).map_err(wrong)?;
        check_results(&results)?;
        let places = places(&footer.batches, end)?;
        let tables: TablePlaces = serde_json::from_str(&footer.text).map_err(wrong)?;
        tables.check(end)?;
        let mut reader = Self {
            file,
            header,
            results,
            columns,
            places,
            tables,
            rows: 0,
            next: 0,
            body: Vec::new(),
        };
        reader.rows = reader.count_rows()?;
        Ok(reader)
    }

    /// Counts the rows of all batches, and checks that each batch has enough bytes for its rows.
    fn count_rows(&mut self) -> Result<u64, ReadError> {
        let mut sum = 0;
        for (place, number) in self.places.clone().into_iter().zip(1..) {
            let batch = self.batch(place).map_err(|error| of_batch(number, error))?;
            sum += batch.rows.cast_unsigned();
        }
        Ok(sum)
    }

    /// Returns the description of the recorded run.
    pub fn header(&self) -> &Header {
        &self.header
    }

    pub fn results(&self) -> &Results {
        &self.results
    }

    pub fn batches(&self) -> usize {
        self.places.len()
    }

    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Continues with this batch at the next call of [`Self::next_batch`]. Batches are numbered
    /// from 0.
    pub fn go_to(&mut self, batch: usize) {
        self.next = batch;
    }

    /// Replaces `records` with the records of the next batch. Returns `false` if no batch is left.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or the batch is damaged.
    pub fn next_batch(&mut self, records: &mut Vec<Record>) -> Result<bool, ReadError> {
        records.clear();
        let Some(place) = self.places.get(self.next).copied() else {
            return Ok(false);
        };
        self.next += 1;
        let read = self.read_rows(place, records);
        read.map_err(|error| of_batch(self.next, error))?;
        Ok(true)
    }

    /// Returns a reader of the flows in a network with shared links, sorted by end.
    pub fn flows(&mut self) -> TrafficRows<'_, Flow> {
        self.table()
    }

    /// Returns a reader of the loads of links, sorted by time.
    pub fn loads(&mut self) -> TrafficRows<'_, LinkLoad> {
        self.table()
    }

    /// Returns a reader of the metrics that the network's model reports for flows, in the order of
    /// the flows.
    pub fn metrics(&mut self) -> TrafficRows<'_, FlowMetric> {
        self.table()
    }

    /// Returns a reader of the operations of accelerators, sorted by device and end.
    pub fn operations(&mut self) -> TrafficRows<'_, Operation> {
        static NO_NETWORK: TracedNetwork = TracedNetwork::NONE;
        let place = self.tables.place(Operation::NAME);
        TrafficRows::new(&mut *self.file, place, Some(&NO_NETWORK))
    }

    /// Returns a reader of the links on the network's routes, sorted by route number.
    pub fn hops(&mut self) -> TrafficRows<'_, Hop> {
        self.table()
    }

    /// Reads all routes, and returns the links on each, by route number.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or the table is damaged.
    pub fn routes(&mut self) -> Result<Vec<Vec<u32>>, ReadError> {
        let routes = self.results.network.as_ref().map_or(0, |it| it.routes);
        routes_of(self.hops(), routes)
    }

    fn table<R: TrafficRow>(&mut self) -> TrafficRows<'_, R> {
        let network = self.results.network.as_ref();
        TrafficRows::new(&mut *self.file, self.tables.place(R::NAME), network)
    }

    /// Reads the metadata of a batch. Its body is next in the file.
    fn batch(&mut self, place: Place) -> Result<Batch, ReadError> {
        self.file.seek(SeekFrom::Start(place.offset))?;
        let bytes = read(&mut *self.file, place.metadata)?;
        let Some(batch) = bytes
            .get(8..)
            .map(metadata::read_batch)
            .transpose()?
            .flatten()
        else {
            return Err(damaged(
                "it is not a batch, or uses a different compression",
            ));
        };
        check_batch(&batch, place.body, &COLUMNS[..self.columns])?;
        Ok(batch)
    }

    fn read_rows(&mut self, place: Place, records: &mut Vec<Record>) -> Result<(), ReadError> {
        let batch = self.batch(place)?;
        let rows = usize::try_from(batch.rows).unwrap_or(0);
        self.body = read(&mut *self.file, place.body)?;
        let columns = Columns::new(&self.body, rows, &batch)?;
        records.reserve(rows);
        for row in 0..rows {
            let record = columns.record(row);
            records.push(record.ok_or_else(|| damaged(format!("row {row} is invalid")))?);
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy)]
struct Place {
    offset: u64,
    metadata: u64,
    body: u64,
}

impl Place {
    fn end(self) -> u64 {
        self.offset + self.metadata + self.body
    }
}

/// Returns the positions of the batches, and checks that they don't overlap and that they end
/// before `end`.
fn places(blocks: &[Block], end: u64) -> Result<Vec<Place>, ReadError> {
    let place = |block: &Block| {
        let place = Place {
            offset: u64::try_from(block.offset).ok()?,
            metadata: u64::try_from(block.metadata_length).ok()?,
            body: u64::try_from(block.body_length).ok()?,
        };
        let length = place.metadata.checked_add(place.body)?;
        (place.offset.checked_add(length)? <= end).then_some(place)
    };
    let mut places = Vec::with_capacity(blocks.len());
    for (block, number) in blocks.iter().zip(1..) {
        let outside = || of_batch(number, damaged("it extends past the end of the file"));
        places.push(place(block).ok_or_else(outside)?);
    }
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|number| places[*number].offset);
    for pair in order.windows(2) {
        let (first, second) = (pair[0], pair[1]);
        if places[first].end() > places[second].offset {
            let what = format!("it overlaps batch {}", first.min(second) + 1);
            return Err(of_batch(first.max(second) + 1, damaged(what)));
        }
    }
    Ok(places)
}

/// Rejects lists that aren't sorted, because lookups rely on their order.
fn check_results(results: &Results) -> Result<(), ReadError> {
    let links = results.network.iter().flat_map(|network| &network.links);
    if let Some(link) = links.into_iter().find(|link| !link.makes_sense()) {
        return Err(damaged(format!(
            "its description of the run: link `{}` is invalid",
            link.name
        )));
    }
    let processes = results.processes.iter().zip(0..);
    for (process, pid) in processes {
        if process.pid != pid {
            return Err(damaged(format!(
                "its description of the run: process {} is listed in place of process {pid}",
                process.pid
            )));
        }
    }
    let mut elements = results.elements.windows(2);
    if let Some([first, second]) = elements.find(|pair| pair[0].index >= pair[1].index) {
        return Err(damaged(format!(
            "its description of the run: element {} is listed after element {}",
            second.index, first.index
        )));
    }
    Ok(())
}

/// Adds the number of the batch, counted from 1, to an error.
fn of_batch(number: usize, error: ReadError) -> ReadError {
    match error {
        ReadError::Damaged(what) => ReadError::Damaged(format!("batch {number}: {what}")),
        ReadError::Io(_) | ReadError::Foreign(_) | ReadError::Truncated | ReadError::Version(_) => {
            error
        }
    }
}

const OTHER_TABLE: ReadError = ReadError::Foreign("it has a different table");

#[derive(serde::Deserialize)]
struct Version {
    format: u32,
}

/// Finds and reads the footer of a file. Also returns where it starts.
fn read_footer(file: &mut dyn Source, length: u64) -> Result<(Footer, u64), ReadError> {
    if length == 0 {
        return Err(ReadError::Foreign("it is empty"));
    }
    let magic = MAGIC.len() as u64;
    file.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    file.take(magic).read_to_end(&mut start)?;
    if start != MAGIC {
        return Err(ReadError::Foreign("it is not an Arrow file"));
    }
    let tail = magic + 4;
    if length < 8 + tail {
        return Err(ReadError::Truncated);
    }
    file.seek(SeekFrom::Start(length - tail))?;
    let end = read(file, tail)?;
    if end[4..] != *MAGIC {
        return Err(ReadError::Truncated);
    }
    let size = end[..4].try_into().map(i32::from_le_bytes);
    let size = size.ok().and_then(|size| u64::try_from(size).ok());
    let size = size.filter(|size| *size <= length - tail - 8);
    let size = size.ok_or_else(|| damaged("its footer is not within the file"))?;
    let start = length - tail - size;
    file.seek(SeekFrom::Start(start))?;
    let footer = metadata::read_footer(&read(file, size)?)?;
    Ok((footer.ok_or(OTHER_TABLE)?, start))
}

const NOTHING: &[u8] = &[];

struct Columns<'a> {
    /// For each column, which values are present (empty if all are) and the values. Both are empty
    /// if the file lacks the column.
    columns: [[Cow<'a, [u8]>; 2]; COLUMNS.len()],
}

impl<'a> Columns<'a> {
    fn new(
        body: &'a [u8],
        rows: usize,
        Batch { nodes, buffers, .. }: &Batch,
    ) -> Result<Self, ReadError> {
        let mut slices = Slices::new(body);
        let mut columns =
            [const { [Cow::Borrowed(NOTHING), Cow::Borrowed(NOTHING)] }; COLUMNS.len()];
        // Files of older versions have fewer columns.
        let there = nodes.iter().zip(buffers.as_chunks().0);
        for ((column, kind), (node, [there, values])) in columns.iter_mut().zip(&COLUMNS).zip(there)
        {
            let wrong = |what| damaged(format!("the column `{}` {what}", kind.name));
            let missing = node[1] != 0;
            if missing && !kind.nullable {
                return Err(wrong("has holes"));
            }
            let bitmap = if missing { rows.div_ceil(8) } else { 0 };
            let there = slices.next(*there, bitmap).map_err(wrong)?;
            let values = slices
                .next(*values, rows * kind.kind.width())
                .map_err(wrong)?;
            *column = [there, values];
        }
        Ok(Self { columns })
    }

    #[inline]
    fn bits<const COLUMN: usize>(&self, row: usize) -> Option<u64> {
        let [there, values] = &self.columns[COLUMN];
        if there
            .get(row / 8)
            .is_some_and(|bits| bits >> (row % 8) & 1 == 0)
        {
            return None;
        }
        let width = COLUMNS[COLUMN].kind.width();
        let mut bytes = [0; 8];
        bytes[..width].copy_from_slice(values.get(row * width..(row + 1) * width)?);
        Some(u64::from_le_bytes(bytes))
    }

    #[inline]
    fn number<const COLUMN: usize>(&self, row: usize) -> Option<u32> {
        u32::try_from(self.bits::<COLUMN>(row)?).ok()
    }

    #[inline]
    fn time_s<const COLUMN: usize>(&self, row: usize) -> Option<f64> {
        let time_s = f64::from_bits(self.bits::<COLUMN>(row)?);
        (time_s.is_finite() && time_s >= 0.0).then_some(time_s)
    }

    /// Returns the unit that ended the wait in a row, as stored in [`Record`].
    #[inline]
    fn cause(&self, row: usize) -> Option<u64> {
        let pid = self.bits::<11>(row)?;
        Some(pid << 32 | self.bits::<12>(row)?)
    }

    fn record(&self, row: usize) -> Option<Record> {
        let state = *UnitState::ALL.get(self.number::<3>(row)? as usize)?;
        let (start_s, end_s) = (self.time_s::<4>(row)?, self.time_s::<5>(row)?);
        let began_s = match self.bits::<6>(row) {
            Some(_) => Some(self.time_s::<6>(row)?),
            None => None,
        };
        let role = match self.number::<10>(row) {
            Some(role) => Some(*Role::ALL.get(role as usize)?),
            None => None,
        };
        let mut has = 0;
        let (partner, bytes) = (self.number::<7>(row), self.bits::<8>(row));
        let message = self.number::<9>(row);
        let mut note = |there: bool, bit: u8| has |= if there { bit } else { 0 };
        note(began_s.is_some(), has::BEGAN);
        note(partner.is_some(), has::PARTNER);
        note(bytes.is_some(), has::BYTES);
        note(role.is_some(), has::ROLE);
        note(role.is_some() || message.is_some(), has::MESSAGE);
        let link = match Link::of(state, has) {
            Link::Cause => self.cause(row),
            Link::Tag => self.bits::<13>(row),
            Link::Comm => self.bits::<14>(row),
        };
        has |= if link.is_some() { has::LINK } else { 0 };
        let element = self.number::<2>(row);
        let makes_sense = start_s <= end_s
            && began_s.is_none_or(|began_s| began_s <= end_s)
            && element.is_none_or(|element| element < ELEMENTS_MAX)
            && (role.is_none() || partner.is_some());
        makes_sense.then_some(Record {
            pid: self.number::<0>(row)?,
            tid: self.number::<1>(row)?,
            element: element.unwrap_or(NO_ELEMENT),
            state,
            role: role.unwrap_or(Role::Send),
            has,
            start_s,
            end_s,
            began_s: began_s.unwrap_or(0.0),
            partner: partner.unwrap_or(0),
            bytes: bytes.unwrap_or(0),
            message: message.unwrap_or(u32::MAX),
            link: link.unwrap_or(0),
        })
    }
}
