//! Collects the columns of a batch of rows.

use crate::columns::BATCH_ROWS;
use crate::columns::{COLUMNS, ELEMENTS_MAX};
use crate::lz4;
use crate::metadata::{Buffer, Node};
use crate::record::{Record, UnitState, has};
use crate::stream::{ALIGNMENT, Body, i64_of};

/// Number of records whose columns are written together. They stay in the fastest cache. A multiple
/// of [`GROUP`].
pub(crate) const BLOCK: usize = 256;
/// Number of rows whose presence bits are written together.
const GROUP: usize = 64;
/// The number of a group's first row, and its records (at most [`GROUP`]).
type Rows<'a> = (usize, &'a [Record]);
/// Stands at the start of an uncompressed buffer, where a compressed one has its length.
const PLAIN: i64 = -1;

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

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a row for each of [`BLOCK`] records, or of fewer at the end of a trace.
    pub(crate) fn add(&mut self, records: &[Record]) {
        for records in records.chunks(GROUP) {
            self.add_group((self.rows, records));
            self.rows += records.len();
        }
    }

    fn add_group(&mut self, rows: Rows<'_>) {
        self.pid.copy(rows, |record| record.pid.to_le_bytes());
        self.tid.copy(rows, |record| record.tid.to_le_bytes());
        self.state.copy(rows, |record| [record.state as u8]);
        self.start.copy(rows, |record| record.start_s.to_le_bytes());
        self.end.copy(rows, |record| record.end_s.to_le_bytes());
        let elements = flags(rows, |record| (record.element < ELEMENTS_MAX).into());
        let element = |record: &Record| record.element.to_le_bytes();
        self.element.add(rows, mask(&elements, 1), element);
        let all = flags(rows, |record| record.has);
        let began = |record: &Record| record.began_s.to_le_bytes();
        self.began.add(rows, mask(&all, has::BEGAN), began);
        let partner = |record: &Record| record.partner.to_le_bytes();
        self.partner.add(rows, mask(&all, has::PARTNER), partner);
        let bytes = |record: &Record| record.bytes.to_le_bytes();
        self.bytes.add(rows, mask(&all, has::BYTES), bytes);
        let message = |record: &Record| record.message.to_le_bytes();
        self.message.add(rows, mask(&all, has::MESSAGE), message);
        let roles = mask(&all, has::ROLE);
        self.role.add(rows, roles, |record| [record.role as u8]);
        self.add_linked(rows, roles, mask(&all, has::LINK));
    }

    /// Adds the columns of which each record has at most one. The masks mark the records that have
    /// a role, and those that have a link.
    fn add_linked(&mut self, rows: Rows<'_>, roles: u64, links: u64) {
        let waits = flags(rows, |record| {
            let is = |state| record.state == state;
            (is(UnitState::Wait) | is(UnitState::Synchronize)).into()
        });
        let causes = links & mask(&waits, 1);
        let (tags, comms) = (links & !causes & roles, links & !causes & !roles);
        self.cause_pid.add(rows, causes, |record| high(record.link));
        self.cause_tid.add(rows, causes, |record| low(record.link));
        self.tag.add(rows, tags, |record| record.link.to_le_bytes());
        self.comm.add(rows, comms, |record| low(record.link));
    }

    /// Writes the buffers of all columns to `body`, and returns their positions: for each column, a
    /// buffer that says which values are present, and one with the values.
    pub(crate) fn put<'a>(&'a self, body: &mut Body<'a>) -> (Vec<Buffer>, Vec<Node>) {
        let mut buffers = Vec::with_capacity(2 * COLUMNS.len());
        let mut nodes = Vec::with_capacity(COLUMNS.len());
        macro_rules! put {
            ($($column:ident)*) => {$(
                nodes.push([i64_of(self.rows), i64_of(self.$column.missing)]);
                buffers.extend(self.$column.put(self.rows, body));
            )*};
        }
        put!(pid tid element state start end began partner bytes message role);
        put!(cause_pid cause_tid tag comm);
        (buffers, nodes)
    }

    pub(crate) fn restart(&mut self) {
        self.rows = 0;
        macro_rules! restart {
            ($($column:ident)*) => {$(
                self.$column.missing = 0;
                self.$column.last = Default::default();
            )*};
        }
        restart!(element began partner bytes message role cause_pid cause_tid tag comm);
    }
}

/// A column of a batch. Its values are stored as in the file.
#[derive(Debug)]
struct Column<const WIDTH: usize> {
    /// The values. A missing value repeats the one in the previous row.
    values: Vec<[u8; WIDTH]>,
    /// A bit for each row. It is set if the row has a value.
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

    /// Adds the values of a group of records. Each record must have one.
    #[inline]
    fn copy(&mut self, (row, records): Rows<'_>, value: impl Fn(&Record) -> [u8; WIDTH]) {
        for (to, record) in self.values[row..].iter_mut().zip(records) {
            *to = value(record);
        }
    }

    /// Adds the values of a group of records. A record whose bit in `present` isn't set repeats the
    /// previous value.
    #[inline]
    fn add(&mut self, rows: Rows<'_>, present: u64, value: impl Fn(&Record) -> [u8; WIDTH]) {
        let (row, records) = rows;
        let all = u64::MAX >> (GROUP - records.len());
        let mut missing = !present & all;
        self.present[row / 8..row / 8 + GROUP / 8].copy_from_slice(&(present & all).to_le_bytes());
        self.missing += missing.count_ones() as usize;
        if missing == all {
            self.values[row..row + GROUP].fill(self.last);
            return;
        }
        self.copy(rows, value);
        let values = &mut self.values[row..row + GROUP];
        if missing & 1 != 0 {
            values[0] = self.last;
            missing -= 1;
        }
        while missing != 0 {
            let place = missing.trailing_zeros() as usize;
            values[place] = values[place - 1];
            missing &= missing - 1;
        }
        self.last = values[records.len() - 1];
    }

    /// Writes which of the first `rows` rows have values, followed by the values.
    fn put<'a>(&'a self, rows: usize, body: &mut Body<'a>) -> [Buffer; 2] {
        let bitmap = if self.missing == 0 {
            0
        } else {
            rows.div_ceil(8)
        };
        [
            put_buffer::<1>(&self.present[..bitmap], body),
            put_buffer::<WIDTH>(self.values[..rows].as_flattened(), body),
        ]
    }
}

/// Computes a byte of flags for each record of a group.
#[inline]
fn flags((_, records): Rows<'_>, flags_of: impl Fn(&Record) -> u8) -> [u8; GROUP] {
    let mut all = [0; GROUP];
    for (flags, record) in all.iter_mut().zip(records) {
        *flags = flags_of(record);
    }
    all
}

/// Collects one flag of each byte as bits, starting with the first byte.
#[inline]
fn mask(flags: &[u8; GROUP], flag: u8) -> u64 {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    /// Factor that collects the bits of bytes that are 0 or 1 in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (bytes, _) = flags.as_chunks();
    bytes.iter().rev().fold(0, |all, bytes| {
        let bits = u64::from_le_bytes(*bytes) >> flag.trailing_zeros() & LOWEST;
        all << 8 | bits.wrapping_mul(GATHER) >> 56
    })
}

#[inline]
fn low(link: u64) -> [u8; 4] {
    let [a, b, c, d, ..] = link.to_le_bytes();
    [a, b, c, d]
}

#[inline]
fn high(link: u64) -> [u8; 4] {
    low(link >> 32)
}

/// Writes a buffer of values with `WIDTH` bytes each, compressed if that helps: first the length,
/// then the content. Writes nothing for an empty buffer.
pub(crate) fn put_buffer<'a, const WIDTH: usize>(values: &'a [u8], body: &mut Body<'a>) -> Buffer {
    let (start, own) = (body.length(), body.bytes.len());
    if !values.is_empty() {
        body.bytes.extend(i64_of(values.len()).to_le_bytes());
        if !lz4::compress::<WIDTH>(values, &mut body.bytes) {
            body.bytes[own..].copy_from_slice(&PLAIN.to_le_bytes());
            body.put(values);
        }
    }
    let buffer = [i64_of(start), i64_of(body.length() - start)];
    body.align();
    buffer
}

/// Reads the content of a buffer; `None` if it has fewer than `least` bytes.
pub(crate) fn read_buffer(buffer: &[u8], least: usize) -> Option<std::borrow::Cow<'_, [u8]>> {
    if least == 0 {
        return Some((&[]).into());
    }
    let (length, content) = buffer.split_first_chunk()?;
    let length = i64::from_le_bytes(*length);
    if length == PLAIN {
        return content.get(..least).map(Into::into);
    }
    // The rows and widths determine the length, except for padding, no matter which program wrote
    // the buffer.
    let length = usize::try_from(length).ok()?;
    let fits = (least..=least.next_multiple_of(ALIGNMENT)).contains(&length);
    fits.then(|| lz4::decompress(content, length))?
        .map(Into::into)
}
