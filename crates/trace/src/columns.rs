//! Defines the columns of a trace's table, in order.

/// The version of the trace format that is written. Version 2, whose records have neither tags nor
/// communicators, can still be read; all other versions are rejected.
pub const FORMAT: u32 = 3;

/// Number of rows per batch. Only the last batch of a file can have fewer.
pub const BATCH_ROWS: usize = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    U32,
    I64,
    F64,
    /// Texts, as 8-bit indices into the dictionary with this number.
    Text8(i64),
    /// Texts, as 32-bit indices into the dictionary with this number.
    Text32(i64),
}

impl Kind {
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::Text8(_) => 1,
            Self::U32 | Self::Text32(_) => 4,
            Self::I64 | Self::F64 => 8,
        }
    }
}

pub(crate) const STATES: i64 = 0;
pub(crate) const ROLES: i64 = 1;
pub(crate) const ELEMENTS: i64 = 2;

#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
}

pub(crate) const fn column(name: &'static str, kind: Kind) -> Column {
    Column {
        name,
        kind,
        nullable: false,
    }
}

const fn nullable(name: &'static str, kind: Kind) -> Column {
    Column {
        name,
        kind,
        nullable: true,
    }
}

pub(crate) const COLUMNS: [Column; 15] = [
    column("pid", Kind::U32),
    column("tid", Kind::U32),
    nullable("element", Kind::Text32(ELEMENTS)),
    column("state", Kind::Text8(STATES)),
    column("start", Kind::F64),
    column("end", Kind::F64),
    nullable("began", Kind::F64),
    nullable("partner", Kind::U32),
    nullable("bytes", Kind::I64),
    nullable("message", Kind::U32),
    nullable("role", Kind::Text8(ROLES)),
    nullable("cause_pid", Kind::U32),
    nullable("cause_tid", Kind::U32),
    nullable("tag", Kind::I64),
    nullable("comm", Kind::U32),
];

/// Returns the number of columns in files of this format version; `None` if the version isn't
/// supported.
pub(crate) const fn columns_of(format: u32) -> Option<usize> {
    match format {
        2 => Some(13),
        FORMAT => Some(COLUMNS.len()),
        _ => None,
    }
}

/// Returns the number of bytes per row, without the bits for missing values.
pub(crate) fn row_bytes(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.kind.width()).sum()
}

/// Maximum number of elements in the dictionary. A record of an element with a higher index doesn't
/// name its element.
pub(crate) const ELEMENTS_MAX: u32 = 1 << 20;
