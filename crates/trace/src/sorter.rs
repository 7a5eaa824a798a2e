//! Sorts records that arrive out of order, in bounded memory.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::io::{self, Write};
use std::path::PathBuf;

use crate::aside::{Aside, lost};
use crate::header::Results;
use crate::order::{LIST, Order};
use crate::record::Record;
use crate::traffic::Traffic;
use crate::writer::TraceWriter;

/// Maximum number of records that wait in memory. Further records wait in a file.
const PENDING_MAX: usize = 1 << 20;
/// Number of bytes of a run that are read at a time.
const READ_BYTES: usize = 1 << 10 << 6;
/// If there are more runs than this, they are all merged into one.
const RUNS_MAX: usize = 128;

/// Sorts the records of a trace by end, then by process, then by the order of arrival, and writes
/// them.
///
/// Each unit's records must arrive in order. Records wait in memory as long as records with earlier
/// ends may follow. If too many wait, they are moved to an unnamed file on the same disk as the
/// trace, which other programs can't see.
#[derive(Debug)]
pub struct Sorter<W: Write> {
    writer: TraceWriter<W>,
    /// Records that wait, in order of arrival. Most of the lists are full.
    pending: Vec<Vec<Record>>,
    waiting: usize,
    /// Emptied lists, kept for reuse.
    spare: Vec<Vec<Record>>,
    order: Order,
    pending_max: usize,
    /// Number of records that have arrived since all records were last examined.
    unseen: usize,
    spill: Spill,
}

/// Sort key: the bits of the end, then the process. Records with equal keys stay in order of
/// arrival.
type Key = (u64, u32);

#[inline]
fn key(record: &Record) -> Key {
    (record.end_s.to_bits(), record.pid)
}

impl<W: Write> Sorter<W> {
    /// Creates a sorter that writes to `writer`. If too many records wait, it creates an unnamed
    /// file on the same disk as `spill`.
    pub fn new(mut writer: TraceWriter<W>, spill: PathBuf) -> Self {
        writer.spill_to(spill.clone());
        Self {
            writer,
            pending: Vec::new(),
            waiting: 0,
            spare: Vec::new(),
            order: Order::default(),
            pending_max: PENDING_MAX,
            unseen: 0,
            spill: Spill::new(spill),
        }
    }

    /// Sets the maximum number of records that wait in memory.
    #[must_use]
    pub fn in_memory(self, records: usize) -> Self {
        Self {
            pending_max: records,
            ..self
        }
    }

    /// Takes all records out of `records`, and may swap the vector's memory. No record added later
    /// may end before `until_s`. If you don't know such a time, pass 0; it costs little.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn add(&mut self, records: &mut Vec<Record>, until_s: f64) -> io::Result<()> {
        self.unseen += records.len();
        self.keep(records);
        // Examining all records takes time, so wait until there are many new ones.
        let few = self.unseen < self.waiting / 2 && until_s < f64::INFINITY;
        if (few || until_s <= 0.0) && self.waiting <= self.pending_max {
            return Ok(());
        }
        self.unseen = 0;
        self.write_ready(until_s)?;
        self.forget(until_s);
        if self.waiting > self.pending_max {
            let items = self.order.of(&self.pending, f64::INFINITY);
            let records = items.iter().flat_map(|item| item.of(&self.pending));
            self.spill.add(&records.copied().collect::<Vec<Record>>())?;
            self.forget(f64::INFINITY);
        }
        Ok(())
    }

    /// Adds records to the waiting ones, and empties the list.
    fn keep(&mut self, records: &mut Vec<Record>) {
        self.waiting += records.len();
        while records.len() > LIST {
            let rest = records.split_off(LIST);
            self.pending.push(std::mem::replace(records, rest));
        }
        match self.pending.last_mut() {
            Some(last) if last.len() + records.len() <= LIST => last.append(records),
            _ => {
                let empty = self.spare.pop().unwrap_or_default();
                self.pending.push(std::mem::replace(records, empty));
            }
        }
    }

    fn forget(&mut self, until_s: f64) {
        self.waiting = 0;
        for mut list in std::mem::take(&mut self.pending) {
            list.retain(|record| record.end_s >= until_s);
            self.keep(&mut list);
            self.spare.push(list);
        }
    }

    /// Writes traffic on the links of a network. It must be in the order of the file; see
    /// [`Traffic`].
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn add_traffic(&mut self, traffic: &Traffic) -> io::Result<()> {
        self.writer.write_traffic(traffic)
    }

    /// Ends the trace with the run's outcome, and returns the output.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn finish(mut self, results: Results) -> io::Result<W> {
        self.add(&mut Vec::new(), f64::INFINITY)?;
        self.writer.finish(results)
    }

    /// Writes the records that end before `until_s`, including those in the file.
    fn write_ready(&mut self, until_s: f64) -> io::Result<()> {
        let mut items = self.order.of(&self.pending, until_s);
        while let Some((first, end_s)) = self.spill.first()
            && end_s < until_s
        {
            // Records in the file arrived before those in memory.
            let before = items.partition_point(|item| item.key(&self.pending) < first);
            self.writer.write_all(&items[..before], &self.pending)?;
            items = &items[before..];
            self.writer.push(self.spill.next()?)?;
        }
        self.writer.write_all(items, &self.pending)
    }
}

#[derive(Debug)]
struct Spill {
    path: PathBuf,
    file: Option<Aside>,
    runs: Vec<Run>,
    /// The key of each run's first record, and the index of the run. The earliest is on top.
    heads: BinaryHeap<Reverse<(Key, usize)>>,
}

/// What is left of a run.
#[derive(Debug)]
struct Run {
    /// Start of the part that hasn't been read from the file yet.
    start: u64,
    end: u64,
    records: VecDeque<Record>,
}

impl Spill {
    fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            runs: Vec::new(),
            heads: BinaryHeap::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Returns the key and the end of the first record.
    fn first(&self) -> Option<(Key, f64)> {
        let Reverse((key, _)) = self.heads.peek()?;
        Some((*key, f64::from_bits(key.0)))
    }

    /// Takes the first record, which must exist.
    fn next(&mut self) -> io::Result<Record> {
        let Reverse((_, number)) = self.heads.pop().ok_or_else(lost)?;
        let run = &mut self.runs[number];
        let record = run.records.pop_front().ok_or_else(lost)?;
        if run.records.is_empty() && run.start < run.end {
            let file = self.file.as_mut().ok_or_else(lost)?;
            let length = (run.end - run.start).min(READ_BYTES as u64);
            run.records = records_of(file, run.start, length)?;
            run.start += length;
        }
        if let Some(next) = run.records.front() {
            self.heads.push(Reverse((key(next), number)));
        }
        Ok(record)
    }

    fn add(&mut self, records: &[Record]) -> io::Result<()> {
        if self.is_empty() {
            self.runs.clear();
            self.file = None;
        } else if self.runs.len() >= RUNS_MAX {
            self.unite()?;
        }
        let mut file = match self.file.take() {
            Some(file) => file,
            None => Aside::create(&self.path)?,
        };
        let start = file.length();
        for records in records.chunks(READ_BYTES / Record::BYTES) {
            let bytes: Vec<u8> = { records.iter() }
                .flat_map(|record| record.to_bytes())
                .collect();
            file.put(&bytes)?;
        }
        self.open(file, start, records.first());
        Ok(())
    }

    /// Adds the run that starts at `start` in a file.
    fn open(&mut self, file: Aside, start: u64, first: Option<&Record>) {
        if let Some(first) = first {
            self.heads.push(Reverse((key(first), self.runs.len())));
            self.runs.push(Run {
                start: start + Record::BYTES as u64,
                end: file.length(),
                records: VecDeque::from([*first]),
            });
        }
        self.file = Some(file);
    }

    /// Merges all runs into one, in a new file.
    fn unite(&mut self) -> io::Result<()> {
        let mut file = Aside::create(&self.path)?;
        let (mut first, mut bytes) = (None, Vec::with_capacity(READ_BYTES));
        while !self.is_empty() {
            let record = self.next()?;
            first.get_or_insert(record);
            bytes.extend(record.to_bytes());
            if bytes.len() >= READ_BYTES {
                file.put(&bytes)?;
                bytes.clear();
            }
        }
        file.put(&bytes)?;
        self.runs.clear();
        self.open(file, 0, first.as_ref());
        Ok(())
    }
}

fn records_of(file: &mut Aside, start: u64, length: u64) -> io::Result<VecDeque<Record>> {
    let bytes = file.read(start, usize::try_from(length).map_err(|_| lost())?)?;
    let (records, _) = bytes.as_chunks();
    let records = records.iter().map(|bytes| Record::from_bytes(*bytes));
    records.collect::<Option<_>>().ok_or_else(lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, TraceReader, UnitState};

    /// Returns the records of units whose clocks advance unevenly, in order for each unit, with the
    /// progress of all units.
    fn stream(units: u32, count: u32) -> Vec<(Record, f64)> {
        let mut clocks = vec![0.0_f64; units as usize];
        let mut random = 1_u64;
        let mut next = |end: u32| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            u32::try_from((random >> 33) % u64::from(end)).unwrap()
        };
        let record = |number| {
            let pid = next(units);
            let start_s = clocks[pid as usize];
            let end_s = start_s + f64::from(next(4));
            clocks[pid as usize] = end_s;
            let record = Record::new(pid, 0, UnitState::Compute, start_s, end_s).bytes(number);
            (record, clocks.iter().copied().fold(f64::INFINITY, f64::min))
        };
        (0..u64::from(count)).map(record).collect()
    }

    fn file(stream: &[(Record, f64)], part: usize, in_memory: usize, watched: bool) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let writer = TraceWriter::new(Vec::new(), Header::default()).unwrap();
        let path = folder.path().join("aside");
        let mut sorter = Sorter::new(writer, path.clone()).in_memory(in_memory);
        for part in stream.chunks(part) {
            let mut records: Vec<Record> = part.iter().map(|(record, _)| *record).collect();
            let until_s = if watched { part[part.len() - 1].1 } else { 0.0 };
            sorter.add(&mut records, until_s).unwrap();
            assert!(!path.exists(), "the file has no name");
        }
        sorter.finish(Results::default()).unwrap()
    }

    #[test]
    fn records_come_in_their_order_however_much_fits_in_memory() {
        let stream = stream(5, 3000);
        let mut sorted: Vec<Record> = stream.iter().map(|(record, _)| *record).collect();
        sorted.sort_by_key(key);
        let mut writer = TraceWriter::new(Vec::new(), Header::default()).unwrap();
        writer.write(&sorted).unwrap();
        let expected = writer.finish(Results::default()).unwrap();
        for (part, in_memory) in [(3000, 9000), (100, 9000), (7, 0), (10, 40), (1000, 100)] {
            for watched in [true, false] {
                let bytes = file(&stream, part, in_memory, watched);
                assert!(
                    bytes == expected,
                    "{part} at a time, {in_memory} in memory, {watched}"
                );
            }
        }
        let mut reader = TraceReader::new(std::io::Cursor::new(expected)).unwrap();
        let mut records = Vec::new();
        assert!(reader.next_batch(&mut records).unwrap() && records.len() == 3000);
    }

    #[test]
    fn a_record_comes_back_from_its_bytes() {
        use crate::{Role, UnitId};
        let bare = Record::new(1, 2, UnitState::Content, 0.5, f64::MAX);
        let full = bare
            .element(7)
            .began(0.25)
            .message(Role::Receive, 8, 9, 1 << 60);
        for record in [bare, full.cause(UnitId { pid: 3, tid: 4 })] {
            assert_eq!(Record::from_bytes(record.to_bytes()), Some(record));
        }
        assert_eq!(Record::from_bytes([0xff; 64]), None);
    }

    #[test]
    fn a_folder_without_room_for_what_is_set_aside_is_told() {
        let writer = TraceWriter::new(Vec::new(), Header::default()).unwrap();
        let mut sorter = Sorter::new(writer, "no/such/folder/aside".into()).in_memory(1);
        let mut records: Vec<Record> = stream(2, 9).into_iter().map(|(record, _)| record).collect();
        let error = sorter.add(&mut records, 0.0).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
