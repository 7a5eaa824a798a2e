//! Columns of the rows of one batch, as they grow.

use crate::columns::BATCH_ROWS;
use crate::columns::{COLUMNS, ELEMENTS_MAX};
use crate::lz4;
use crate::metadata::{Buffer, Node};
use crate::record::{NO_ROLE, NONE, NONE_BYTES, Record};

/// Alignment of buffers, in bytes.
pub(crate) const ALIGNMENT: usize = 64;
/// Number of records whose columns are written together: they stay in the fastest cache. It is a
/// multiple of [`GROUP`].
pub(crate) const BLOCK: usize = 256;
/// Number of rows whose bits are written together.
const GROUP: usize = 64;
/// Length at the start of a buffer that is not compressed.
const PLAIN: i64 = -1;

/// The rows of a batch by columns.
#[derive(Debug)]
pub(crate) struct Batch {
    rows: usize,
    pid: Column<4>,
    tid: Column<4>,
    element: Column<4>,
    state: Column<1>,
    start: Column<8>,
    end: Column<8>,
    began: Column<8>,
    partner: Column<4>,
    bytes: Column<8>,
    message: Column<4>,
    role: Column<1>,
    cause_pid: Column<4>,
    cause_tid: Column<4>,
    tag: Column<8>,
    comm: Column<4>,
}

impl Batch {
    pub(crate) fn new() -> Self {
        Self {
            rows: 0,
            pid: Column::new(),
            tid: Column::new(),
            element: Column::new(),
            state: Column::new(),
            start: Column::new(),
            end: Column::new(),
            began: Column::new(),
            partner: Column::new(),
            bytes: Column::new(),
            message: Column::new(),
            role: Column::new(),
            cause_pid: Column::new(),
            cause_tid: Column::new(),
            tag: Column::new(),
            comm: Column::new(),
        }
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Adds the rows of some records: Takes [`BLOCK`] records, except at the end of a trace.
    pub(crate) fn add(&mut self, records: &[Record]) {
        let rows = (self.rows, records);
        self.pid.add(rows, |record| record.pid.to_le_bytes());
        self.tid.add(rows, |record| record.tid.to_le_bytes());
        self.element.add_some(rows, |record| {
            (record.element.to_le_bytes(), record.element < ELEMENTS_MAX)
        });
        self.state.add(rows, |record| [record.state as u8]);
        self.start.add(rows, |record| record.start_s.to_le_bytes());
        self.end.add(rows, |record| record.end_s.to_le_bytes());
        self.began.add_some(rows, |record| {
            (record.began_s.to_le_bytes(), !record.began_s.is_nan())
        });
        self.partner.add_some(rows, |record| {
            (record.partner.to_le_bytes(), record.partner != NONE)
        });
        self.bytes.add_some(rows, |record| {
            (record.bytes.to_le_bytes(), record.bytes != NONE_BYTES)
        });
        self.message.add_some(rows, |record| {
            let number = record.message_number();
            (number.unwrap_or(0).to_le_bytes(), number.is_some())
        });
        self.role
            .add_some(rows, |record| ([record.role], record.role != NO_ROLE));
        self.add_linked(rows);
        self.rows += records.len();
    }

    /// Adds the columns of which a record has at most one, and most records have none.
    fn add_linked(&mut self, rows: (usize, &[Record])) {
        let cause = |record: &Record| record.cause_unit();
        self.cause_pid
            .add_rare(rows, |it| cause(it).map(|unit| unit.pid.to_le_bytes()));
        self.cause_tid
            .add_rare(rows, |it| cause(it).map(|unit| unit.tid.to_le_bytes()));
        self.tag
            .add_rare(rows, |it| it.message_tag().map(i64::to_le_bytes));
        self.comm
            .add_rare(rows, |it| it.comm_pid().map(u32::to_le_bytes));
    }

    /// Writes the buffers of all columns to `body`, and starts over; returns their places: two for
    /// each column, one for the presence of values and one for the values.
    pub(crate) fn take(&mut self, body: &mut Vec<u8>) -> (Vec<Buffer>, Vec<Node>) {
        let rows = std::mem::take(&mut self.rows);
        let mut buffers = Vec::with_capacity(2 * COLUMNS.len());
        let mut nodes = Vec::with_capacity(COLUMNS.len());
        body.clear();
        macro_rules! put {
            ($($column:ident)*) => {$(
                nodes.push([i64_of(rows), i64_of(self.$column.missing)]);
                buffers.extend(self.$column.take(rows, body));
            )*};
        }
        put!(pid tid element state start end began partner bytes message role);
        put!(cause_pid cause_tid tag comm);
        (buffers, nodes)
    }
}

/// A column of a batch, with its values as in files.
#[derive(Debug)]
struct Column<const WIDTH: usize> {
    /// The values; a missing value repeats the value of the row before.
    values: Vec<[u8; WIDTH]>,
    /// A bit for each row, set if it has a value.
    present: Vec<u8>,
    missing: usize,
    last: [u8; WIDTH],
}

impl<const WIDTH: usize> Column<WIDTH> {
    fn new() -> Self {
        Self {
            values: vec![[0; WIDTH]; BATCH_ROWS],
            present: vec![0; BATCH_ROWS / 8],
            missing: 0,
            last: [0; WIDTH],
        }
    }

    /// Adds values of records, the first of which has the number `row`.
    #[inline]
    fn add(&mut self, (row, records): (usize, &[Record]), value: impl Fn(&Record) -> [u8; WIDTH]) {
        for (to, record) in self.values[row..].iter_mut().zip(records) {
            *to = value(record);
        }
    }

    /// Adds values of records, each with a flag for its presence.
    #[inline]
    fn add_some(
        &mut self,
        (row, records): (usize, &[Record]),
        value: impl Fn(&Record) -> ([u8; WIDTH], bool),
    ) {
        let values = self.values[row..].chunks_mut(GROUP);
        let present = self.present[row / 8..].chunks_exact_mut(GROUP / 8);
        let mut last = self.last;
        for ((values, present), records) in values.zip(present).zip(records.chunks(GROUP)) {
            let (mut bits, mut bit) = (0_u64, 1_u64);
            for (to, record) in values.iter_mut().zip(records) {
                let (value, is_present) = value(record);
                last = if is_present { value } else { last };
                *to = last;
                bits |= if is_present { bit } else { 0 };
                bit <<= 1;
            }
            present.copy_from_slice(&bits.to_le_bytes());
            self.missing += records.len() - bits.count_ones() as usize;
        }
        self.last = last;
    }

    /// Adds values of records, if any record has one.
    #[inline]
    fn add_rare(
        &mut self,
        rows: (usize, &[Record]),
        value: impl Fn(&Record) -> Option<[u8; WIDTH]>,
    ) {
        if rows.1.iter().any(|record| value(record).is_some()) {
            self.add_some(rows, |record| {
                let value = value(record);
                (value.unwrap_or([0; WIDTH]), value.is_some())
            });
        } else {
            self.add_none(rows);
        }
    }

    /// Adds rows without values.
    fn add_none(&mut self, (row, records): (usize, &[Record])) {
        let end = row + records.len();
        self.values[row..end].fill(self.last);
        self.present[row / 8..end.div_ceil(8)].fill(0);
        self.missing += records.len();
    }

    /// Writes the presence of values in `rows` rows, and the values, and starts over.
    fn take(&mut self, rows: usize, body: &mut Vec<u8>) -> [Buffer; 2] {
        let bitmap = if self.missing == 0 {
            0
        } else {
            rows.div_ceil(8)
        };
        (self.missing, self.last) = (0, [0; WIDTH]);
        [
            put_buffer::<1>(&self.present[..bitmap], body),
            put_buffer::<WIDTH>(self.values[..rows].as_flattened(), body),
        ]
    }
}

/// Writes a buffer of values of `WIDTH` bytes, compressed if that helps: first its length, then its
/// content. An empty buffer has neither.
pub(crate) fn put_buffer<const WIDTH: usize>(values: &[u8], body: &mut Vec<u8>) -> Buffer {
    let start = body.len();
    if !values.is_empty() {
        body.extend(i64_of(values.len()).to_le_bytes());
        if !lz4::compress::<WIDTH>(values, body) {
            body[start..].copy_from_slice(&PLAIN.to_le_bytes());
            body.extend(values);
        }
    }
    let buffer = [i64_of(start), i64_of(body.len() - start)];
    body.resize(body.len().next_multiple_of(ALIGNMENT), 0);
    buffer
}

/// Reads the content of a buffer that should have at least `least` bytes; `None` if it has fewer.
pub(crate) fn read_buffer(buffer: &[u8], least: usize) -> Option<std::borrow::Cow<'_, [u8]>> {
    if least == 0 {
        return Some((&[]).into());
    }
    let (length, content) = buffer.split_first_chunk()?;
    let length = i64::from_le_bytes(*length);
    if length == PLAIN {
        return content.get(..least).map(Into::into);
    }
    // Rows and widths give the length, up to padding, whichever program wrote the buffer.
    let length = usize::try_from(length).ok()?;
    let fits = (least..=least.next_multiple_of(ALIGNMENT)).contains(&length);
    fits.then(|| lz4::decompress(content, length))?
        .map(Into::into)
}

/// Converts a length in memory, which always fits.
pub(crate) fn i64_of(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}
