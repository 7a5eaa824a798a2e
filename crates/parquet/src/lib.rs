//! Writes Parquet files: named columns of numbers and texts, in groups of rows.
//!
//! The writer uses only a small part of the format, which all current readers support: plain or
//! dictionary-encoded values, compressed if that makes them smaller. We don't use the crate
//! `parquet`, because compiling it and its 66 packages takes 46 s of CPU time.
//! <https://parquet.apache.org/docs/file-format/>
//!
//! ```
//! use prophet_parquet::{ColumnKind, ColumnValues, ParquetColumn, ParquetWriter};
//!
//! let columns = vec![ParquetColumn::new("nodes", ColumnKind::Int64, false)];
//! let mut writer = ParquetWriter::begin(Vec::new(), columns)?;
//! writer.group(&[ColumnValues::Numbers(vec![Some(1), Some(2)], 8)])?;
//! let file = writer.finish("made by", "an example")?;
//! assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | module | is |
//! |---|---|
//! | `page` | a column's pages, in the encoding that takes the fewest bytes |
//! | `thrift` | Thrift's compact protocol, as far as Parquet's metadata needs it |

mod page;
mod thrift;

use std::borrow::Cow;
use std::io::{self, Write};

use page::Chunk;
pub use page::ColumnValues;
use thrift::{List, Struct};

const MAGIC: &[u8] = b"PAR1";

/// The type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Uint32,
    Int64,
    Double,
    /// UTF-8.
    Text,
}

impl ColumnKind {
    /// Returns the type in which values are stored in the file.
    const fn physical(self) -> i32 {
        match self {
            Self::Uint32 => 1,
            Self::Int64 => 2,
            Self::Double => 5,
            Self::Text => 6,
        }
    }

    /// Returns what the stored type means; `None` if that is clear.
    const fn converted(self) -> Option<i32> {
        match self {
            Self::Uint32 => Some(13),
            Self::Text => Some(0),
            Self::Int64 | Self::Double => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParquetColumn {
    name: Cow<'static, str>,
    kind: ColumnKind,
    nullable: bool,
}

impl ParquetColumn {
    /// If the column is `nullable`, values can be missing.
    pub fn new(name: impl Into<Cow<'static, str>>, kind: ColumnKind, nullable: bool) -> Self {
        let name = name.into();
        Self {
            name,
            kind,
            nullable,
        }
    }
}

/// Writes a Parquet file, group by group.
#[derive(Debug)]
pub struct ParquetWriter<W> {
    out: W,
    columns: Vec<ParquetColumn>,
    /// Offset in the file, in bytes.
    place: usize,
    groups: Vec<Struct>,
    rows: usize,
}

impl<W: Write> ParquetWriter<W> {
    /// Starts a file with these columns.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` can't be written.
    pub fn begin(mut out: W, columns: Vec<ParquetColumn>) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        Ok(Self {
            out,
            columns,
            place: MAGIC.len(),
            groups: Vec::new(),
            rows: 0,
        })
    }

    /// Writes a group of rows. All columns must have the same number of values.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` can't be written.
    pub fn group(&mut self, values: &[ColumnValues<'_>]) -> io::Result<()> {
        let rows = values.first().map_or(0, ColumnValues::count);
        let mut chunks = List::new();
        let mut size = 0;
        for (column, values) in self.columns.iter().zip(values) {
            let chunk = Chunk::new(values, column.nullable);
            chunks.push(&chunk_metadata(column, &chunk, rows, self.place));
            self.out.write_all(&chunk.bytes)?;
            self.place += chunk.bytes.len();
            size += chunk.plain_bytes;
        }
        let group = Struct::new().list(1, &chunks).int64(2, size).int64(3, rows);
        self.groups.push(group);
        self.rows += rows;
        Ok(())
    }

    /// Writes the end of the file, with `about` as metadata under `key`, and returns `out`.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` can't be written, or if there are too many rows.
    pub fn finish(mut self, key: &str, about: &str) -> io::Result<W> {
        let footer = self.footer(key, about);
        self.out.write_all(&footer)?;
        let length = u32::try_from(footer.len());
        let length = length.map_err(|_| io::Error::other("it has too many rows"))?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        Ok(self.out)
    }

    /// Returns the end of the file, which contains the schema, the offsets of the row groups, and
    /// the text `about` under `key`.
    fn footer(&self, key: &str, about: &str) -> Vec<u8> {
        let mut schema = List::new();
        let columns = i32::try_from(self.columns.len()).unwrap_or(0);
        schema.push(&Struct::new().text(4, "schema").int32(5, columns));
        for column in &self.columns {
            let repetition = i32::from(column.nullable);
            let mut field = Struct::new()
                .int32(1, column.kind.physical())
                .int32(3, repetition)
                .text(4, &column.name);
            if let Some(converted) = column.kind.converted() {
                field = field.int32(6, converted);
            }
            schema.push(&field);
        }
        let mut all = List::new();
        for group in &self.groups {
            all.push(group);
        }
        let mut metadata = List::new();
        metadata.push(&Struct::new().text(1, key).text(2, about));
        Struct::new()
            .int32(1, 1)
            .list(2, &schema)
            .int64(3, self.rows)
            .list(4, &all)
            .list(5, &metadata)
            .text(6, "Performance Prophet")
            .finish()
    }
}

/// Returns the metadata of a column chunk that starts at `place` in the file.
fn chunk_metadata(column: &ParquetColumn, chunk: &Chunk, rows: usize, place: usize) -> Struct {
    let mut encodings = List::new();
    let encodings_used = [
        page::PLAIN,
        page::RLE,
        page::RLE_DICTIONARY,
        page::BYTE_STREAM_SPLIT,
    ];
    for encoding in encodings_used {
        encodings.push_int32(encoding);
    }
    let mut path = List::new();
    path.push_text(&column.name);
    let mut metadata = Struct::new()
        .int32(1, column.kind.physical())
        .list(2, &encodings)
        .list(3, &path)
        .int32(4, chunk.codec)
        .int64(5, rows)
        .int64(6, chunk.plain_bytes)
        .int64(7, chunk.bytes.len())
        .int64(9, place + chunk.data);
    if chunk.data > 0 {
        metadata = metadata.int64(11, place);
    }
    Struct::new().int64(2, place).structure(3, &metadata)
}
