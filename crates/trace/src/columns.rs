//! Columns of the table, in their order.

/// Version of the format that is written. Files of version 2, whose records have neither tags nor
/// communicators, are read as well; others are refused.
pub const FORMAT: u32 = 3;

/// Number of rows of a batch; the last of a file may have fewer.
pub const BATCH_ROWS: usize = 1 << 16;

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whole numbers without a sign in 32 bits.
    U32,
    /// Whole numbers with a sign in 64 bits.
    I64,
    /// Real numbers in 64 bits.
    F64,
    /// Texts of the dictionary with this number, by their indices there in 8 bits.
    Text8(i64),
    /// Texts of the dictionary with this number, by their indices there in 32 bits.
    Text32(i64),
}

impl Kind {
    /// Number of bytes of a value.
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::Text8(_) => 1,
            Self::U32 | Self::Text32(_) => 4,
            Self::I64 | Self::F64 => 8,
        }
    }
}

/// Numbers of the dictionaries.
pub(crate) const STATES: i64 = 0;
pub(crate) const ROLES: i64 = 1;
pub(crate) const ELEMENTS: i64 = 2;

/// A column.
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

/// Number of columns in files of a version of the format; `None` if it cannot be read.
pub(crate) const fn columns_of(format: u32) -> Option<usize> {
    match format {
        2 => Some(13),
        FORMAT => Some(COLUMNS.len()),
        _ => None,
    }
}

/// Number of bytes of a row, without the presence of values.
pub(crate) fn row_bytes(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.kind.width()).sum()
}

/// Limit of the dictionary: records of elements with a higher index name none.
pub(crate) const ELEMENTS_MAX: u32 = 1 << 20;
