//! A file to records, batch by batch.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::batch::read_buffer;
use crate::columns::{COLUMNS, ELEMENTS_MAX};
use crate::flat::Malformed;
use crate::metadata::{self, Batch, Block, Buffer, Footer, MAGIC};
use crate::record::{NO_ROLE, NONE, NONE_BYTES, Record, Role, State};
use crate::{BATCH_ROWS, FORMAT, Header, Results};

/// Metadata of a file, or of a batch, with more bytes are refused.
const METADATA_MAX: u64 = 1 << 30;

/// Why a file cannot be read as a trace. The texts follow its name and a colon.
#[derive(Debug)]
pub enum ReadError {
    /// It could not be read at all.
    Io(io::Error),
    /// It is something else.
    Foreign(&'static str),
    /// It begins as a trace does, and its end is missing.
    Truncated,
    /// It is a trace of another version of the format.
    Version(u32),
    /// It contradicts itself.
    Damaged(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Foreign(what) => write!(f, "this is no trace of Performance Prophet: {what}"),
            Self::Truncated => f.write_str(
                "the trace is cut off: its end is missing, as when the run that wrote it was \
                 killed or the disk was full",
            ),
            Self::Version(version) => write!(
                f,
                "the trace has version {version} of the format, and this program reads \
                 version {FORMAT}"
            ),
            Self::Damaged(what) => write!(f, "the trace is damaged: {what}"),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Truncated,
            _ => Self::Io(error),
        }
    }
}

impl From<Malformed> for ReadError {
    fn from(_: Malformed) -> Self {
        Self::Damaged("its metadata cannot be read".to_owned())
    }
}

/// Reads a trace. It holds one batch, whatever size the file has.
#[derive(Debug)]
pub struct Reader {
    /// Not by its type, so that what reads traces is compiled once, here.
    file: Box<dyn Source>,
    header: Header,
    results: Results,
    blocks: Vec<Block>,
    next: usize,
    /// How many bytes the file has.
    length: u64,
    body: Vec<u8>,
}

/// What a trace is read from.
trait Source: Read + Seek + fmt::Debug {}

impl<S: Read + Seek + fmt::Debug> Source for S {}

impl Reader {
    /// Opens a trace by its path.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no whole trace.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::new(File::open(path)?)
    }

    /// Reads what the trace says of its run.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no whole trace.
    pub fn new(file: impl Read + Seek + fmt::Debug + 'static) -> Result<Self, ReadError> {
        Self::of(Box::new(file))
    }

    fn of(mut file: Box<dyn Source>) -> Result<Self, ReadError> {
        let length = file.seek(SeekFrom::End(0))?;
        let Footer { text, batches } = read_footer(&mut *file, length)?;
        let version: Version = serde_json::from_str(&text)
            .map_err(|_| ReadError::Foreign("its metadata are others"))?;
        if version.format != FORMAT {
            return Err(ReadError::Version(version.format));
        }
        let wrong = |error| damaged(format!("what it says of its run: {error}"));
        let header: Header = serde_json::from_str(&text).map_err(wrong)?;
        let results: Results = serde_json::from_str(&text).map_err(wrong)?;
        Ok(Self {
            file,
            header,
            results,
            blocks: batches,
            next: 0,
            length,
            body: Vec::new(),
        })
    }

    /// What was run.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What came out.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// How many batches the trace has.
    pub fn batches(&self) -> usize {
        self.blocks.len()
    }

    /// Has [`Self::next_batch`] go on with the batch of this number, from 0.
    pub fn go_to(&mut self, batch: usize) {
        self.next = batch;
    }

    /// Replaces `records` by those of the next batch; returns whether there was one.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged there.
    pub fn next_batch(&mut self, records: &mut Vec<Record>) -> Result<bool, ReadError> {
        records.clear();
        let Some(block) = self.blocks.get(self.next).copied() else {
            return Ok(false);
        };
        self.next += 1;
        self.read_block(block, records)
            .map_err(|error| match error {
                ReadError::Damaged(what) => {
                    ReadError::Damaged(format!("batch {}: {what}", self.next))
                }
                error => error,
            })?;
        Ok(true)
    }

    fn read_block(&mut self, block: Block, records: &mut Vec<Record>) -> Result<(), ReadError> {
        let outside = || damaged("it does not lie within the file");
        let offset = u64::try_from(block.offset).map_err(|_| outside())?;
        let metadata = u64::try_from(block.metadata_length).map_err(|_| outside())?;
        let body = u64::try_from(block.body_length).map_err(|_| outside())?;
        let end = offset
            .checked_add(metadata)
            .and_then(|sum| sum.checked_add(body));
        if metadata < 8 || end.is_none_or(|end| end > self.length) {
            return Err(outside());
        }
        self.file.seek(SeekFrom::Start(offset))?;
        let bytes = read(&mut *self.file, metadata)?;
        let Some(batch) = metadata::read_batch(&bytes[8..])? else {
            return Err(damaged("it is none, or otherwise compressed"));
        };
        let rows = usize::try_from(batch.rows)
            .ok()
            .filter(|rows| *rows <= BATCH_ROWS);
        let rows = rows.ok_or_else(|| damaged(format!("it has more than {BATCH_ROWS} rows")))?;
        if batch.nodes.len() != COLUMNS.len() || batch.buffers.len() != 2 * COLUMNS.len() {
            return Err(damaged("it has other columns"));
        }
        let most = rows * 64 + 128 * COLUMNS.len() + 64;
        if body > 2 * most as u64 {
            return Err(damaged("it is too long for its rows"));
        }
        self.body = read(&mut *self.file, body)?;
        let columns = Columns::new(&self.body, rows, &batch)?;
        records.reserve(rows);
        for row in 0..rows {
            let record = columns.record(row);
            records.push(record.ok_or_else(|| damaged(format!("row {row} makes no sense")))?);
        }
        Ok(())
    }
}

#[derive(serde::Deserialize)]
struct Version {
    format: u32,
}

fn damaged(what: impl Into<String>) -> ReadError {
    ReadError::Damaged(what.into())
}

/// Reads so many bytes, which the file has.
fn read(file: &mut dyn Source, length: u64) -> Result<Vec<u8>, ReadError> {
    if length > METADATA_MAX {
        return Err(damaged("its metadata are too long"));
    }
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        Ok(bytes)
    } else {
        Err(ReadError::Truncated)
    }
}

/// Finds and reads the end of a file.
fn read_footer(file: &mut dyn Source, length: u64) -> Result<Footer, ReadError> {
    if length == 0 {
        return Err(ReadError::Foreign("it is empty"));
    }
    let magic = MAGIC.len() as u64;
    file.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    file.take(magic).read_to_end(&mut start)?;
    if start != MAGIC {
        return Err(ReadError::Foreign("it is no file in Arrow's format"));
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
    let size = size.ok_or_else(|| damaged("its end does not lie within the file"))?;
    file.seek(SeekFrom::Start(length - tail - size))?;
    let footer = metadata::read_footer(&read(file, size)?)?;
    footer.ok_or(ReadError::Foreign("it has another table"))
}

const NOTHING: &[u8] = &[];

/// The columns of a batch.
struct Columns<'a> {
    /// What is there, empty when all is, and the values.
    columns: [[Cow<'a, [u8]>; 2]; COLUMNS.len()],
}

impl<'a> Columns<'a> {
    fn new(
        body: &'a [u8],
        rows: usize,
        Batch { nodes, buffers, .. }: &Batch,
    ) -> Result<Self, ReadError> {
        let slice = |[start, length]: Buffer, least: usize| {
            let start = usize::try_from(start).ok()?;
            let length = usize::try_from(length).ok()?;
            read_buffer(body.get(start..start.checked_add(length)?)?, least)
        };
        let short = || damaged("a column is too short");
        let mut columns =
            [const { [Cow::Borrowed(NOTHING), Cow::Borrowed(NOTHING)] }; COLUMNS.len()];
        for (number, (column, kind)) in columns.iter_mut().zip(&COLUMNS).enumerate() {
            let [there, values] = [buffers[2 * number], buffers[2 * number + 1]];
            let missing = nodes[number][1] != 0;
            if missing && !kind.nullable {
                return Err(damaged(format!("the column `{}` has holes", kind.name)));
            }
            let bitmap = if missing { rows.div_ceil(8) } else { 0 };
            let there = slice(there, bitmap).ok_or_else(short)?;
            let values = slice(values, rows * kind.kind.width()).ok_or_else(short)?;
            *column = [there, values];
        }
        Ok(Self { columns })
    }

    /// The bits of a value, if there is one.
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

    /// A row; none if it makes no sense.
    fn record(&self, row: usize) -> Option<Record> {
        let state = *State::ALL.get(self.number::<3>(row)? as usize)?;
        let (start_s, end_s) = (self.time_s::<4>(row)?, self.time_s::<5>(row)?);
        let began_s = match self.bits::<6>(row) {
            Some(_) => self.time_s::<6>(row)?,
            None => f64::NAN,
        };
        let role = match self.number::<10>(row) {
            Some(role) => *Role::ALL.get(role as usize)? as u8,
            None => NO_ROLE,
        };
        let element = self.number::<2>(row);
        let makes_sense = start_s <= end_s
            && (began_s.is_nan() || began_s <= end_s)
            && element.is_none_or(|element| element < ELEMENTS_MAX)
            && (role == NO_ROLE || self.bits::<7>(row).is_some());
        makes_sense.then_some(Record {
            pid: self.number::<0>(row)?,
            tid: self.number::<1>(row)?,
            element: element.unwrap_or(NONE),
            state,
            role,
            start_s,
            end_s,
            began_s,
            partner: self.number::<7>(row).unwrap_or(NONE),
            bytes: self.bits::<8>(row).unwrap_or(NONE_BYTES),
            message: self.number::<9>(row).unwrap_or(NONE),
            cause_pid: self.number::<11>(row).unwrap_or(NONE),
            cause_tid: self.number::<12>(row).unwrap_or(NONE),
        })
    }
}
