//! Reads and writes Arrow's metadata: the messages and the footer around the columns.
//!
//! The tables follow `Schema.fbs`, `Message.fbs` and `File.fbs` of Apache Arrow, metadata version
//! 5: <https://arrow.apache.org/docs/format/Columnar.html>. They are implemented here because
//! compiling `arrow-ipc` and its 69 dependencies takes 86 s of CPU time, and every generated
//! program would have to wait for that.

use crate::columns::{COLUMNS, Column, Kind};
use crate::flat::{Field, Malformed, Object, Table, serialize};

pub(crate) const MAGIC: &[u8; 6] = b"ARROW1";
/// Key of this crate's own text in a table's metadata.
pub(crate) const KEY: &str = "prophet";

const VERSION_5: i16 = 4;
const SCHEMA: u8 = 1;
const DICTIONARY: u8 = 2;
const BATCH: u8 = 3;
const INT: u8 = 2;
const FLOAT: u8 = 3;
const UTF8: u8 = 5;
const DOUBLE: i16 = 2;
const LZ4_FRAME: u8 = 0;
const BY_BUFFER: u8 = 0;

/// Position of a message in the file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) offset: i64,
    pub(crate) metadata_length: i32,
    pub(crate) body_length: i64,
}

/// A buffer in a body: its start and its length, in bytes.
pub(crate) type Buffer = [i64; 2];

/// The number of rows of a column, and the number of its missing values.
pub(crate) type Node = [i64; 2];

fn int(bits: i32, signed: bool) -> Object {
    Object::table([(0, Field::I32(bits)), (1, Field::U8(u8::from(signed)))])
}

fn field(column: &Column) -> Object {
    let (tag, kind, dictionary) = match column.kind {
        Kind::U32 => (INT, int(32, false), None),
        Kind::I64 => (INT, int(64, true), None),
        Kind::F64 => (FLOAT, Object::table([(0, Field::I16(DOUBLE))]), None),
        Kind::Text8(id) => (UTF8, Object::table([]), Some((id, int(8, true)))),
        Kind::Text32(id) => (UTF8, Object::table([]), Some((id, int(32, true)))),
    };
    let mut fields = vec![
        (0, Field::text(column.name)),
        (1, Field::U8(u8::from(column.nullable))),
        (2, Field::U8(tag)),
        (3, Field::Child(kind)),
        (5, Field::Child(Object::Tables(Vec::new()))),
    ];
    if let Some((id, index)) = dictionary {
        let encoding = Object::table([(0, Field::I64(id)), (1, Field::Child(index))]);
        fields.push((4, Field::Child(encoding)));
    }
    Object::Table(fields)
}

/// Builds the schema of a table. Its metadata can contain a text.
fn schema(columns: &[Column], text: Option<&str>) -> Object {
    let columns = columns.iter().map(field).collect();
    let mut fields = vec![
        (0, Field::I16(0)),
        (1, Field::Child(Object::Tables(columns))),
    ];
    if let Some(text) = text {
        let metadata = Object::table([(0, Field::text(KEY)), (1, Field::text(text))]);
        fields.push((2, Field::Child(Object::Tables(vec![metadata]))));
    }
    Object::Table(fields)
}

fn message(tag: u8, header: Object, body_length: i64) -> Vec<u8> {
    serialize(&Object::table([
        (0, Field::I16(VERSION_5)),
        (1, Field::U8(tag)),
        (2, Field::Child(header)),
        (3, Field::I64(body_length)),
    ]))
}

fn batch(rows: i64, nodes: &[Node], buffers: &[Buffer]) -> Object {
    let compression = Object::table([(0, Field::U8(LZ4_FRAME)), (1, Field::U8(BY_BUFFER))]);
    Object::table([
        (0, Field::I64(rows)),
        (1, Field::Child(Object::structs(nodes))),
        (2, Field::Child(Object::structs(buffers))),
        (3, Field::Child(compression)),
    ])
}

/// Builds the message that starts a table. Its metadata can contain a text.
pub(crate) fn schema_message(columns: &[Column], text: Option<&str>) -> Vec<u8> {
    message(SCHEMA, schema(columns, text), 0)
}

pub(crate) fn batch_message(rows: i64, nodes: &[Node], buffers: &[Buffer], body: i64) -> Vec<u8> {
    message(BATCH, batch(rows, nodes, buffers), body)
}

pub(crate) fn dictionary_message(id: i64, texts: i64, buffers: &[Buffer], body: i64) -> Vec<u8> {
    let data = batch(texts, &[[texts, 0]], buffers);
    let header = Object::table([(0, Field::I64(id)), (1, Field::Child(data))]);
    message(DICTIONARY, header, body)
}

pub(crate) fn footer(text: &str, dictionaries: &[Block], batches: &[Block]) -> Vec<u8> {
    let blocks = |blocks: &[Block]| {
        let numbers = |block: &Block| {
            let metadata_length = i64::from(block.metadata_length);
            [block.offset, metadata_length, block.body_length]
        };
        let blocks: Vec<_> = blocks.iter().map(numbers).collect();
        Field::Child(Object::structs(&blocks))
    };
    serialize(&Object::table([
        (0, Field::I16(VERSION_5)),
        (1, Field::Child(schema(&COLUMNS, Some(text)))),
        (2, blocks(dictionaries)),
        (3, blocks(batches)),
    ]))
}

#[derive(Debug)]
pub(crate) struct Footer {
    pub(crate) text: String,
    /// Number of columns in the file. They are the first ones of ours.
    pub(crate) columns: usize,
    pub(crate) batches: Vec<Block>,
}

/// Reads a footer; `None` if it belongs to a different kind of table.
pub(crate) fn read_footer(bytes: &[u8]) -> Result<Option<Footer>, Malformed> {
    let footer = Table::root(bytes)?;
    let schema = footer.table(1)?.ok_or(Malformed)?;
    let fields = schema.tables(1)?;
    if fields.len() > COLUMNS.len() || footer.i16(0)? != Some(VERSION_5) {
        return Ok(None);
    }
    if !are_columns(&fields, &COLUMNS)? {
        return Ok(None);
    }
    let mut text = None;
    for entry in schema.tables(2)? {
        if entry.text(0)? == Some(KEY) {
            text = entry.text(1)?;
        }
    }
    let Some(text) = text else { return Ok(None) };
    let block = |[offset, metadata_length, body_length]: [i64; 3]| Block {
        offset,
        // The upper half is padding.
        #[expect(clippy::cast_possible_truncation, reason = "it is the lower half")]
        metadata_length: metadata_length as i32,
        body_length,
    };
    Ok(Some(Footer {
        text: text.to_owned(),
        columns: fields.len(),
        batches: footer.structs(3)?.into_iter().map(block).collect(),
    }))
}

/// Returns `true` if each field matches the column with the same index.
fn are_columns(fields: &[Table<'_>], columns: &[Column]) -> Result<bool, Malformed> {
    for (field, column) in fields.iter().zip(columns) {
        if field.text(0)? != Some(column.name) || !is_kind(field, column.kind)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns `true` if a message starts a table with these columns.
pub(crate) fn begins(bytes: &[u8], columns: &[Column]) -> Result<bool, Malformed> {
    let message = Table::root(bytes)?;
    if message.u8(1)? != Some(SCHEMA) {
        return Ok(false);
    }
    let schema = message.table(2)?.ok_or(Malformed)?;
    let fields = schema.tables(1)?;
    Ok(fields.len() == columns.len() && are_columns(&fields, columns)?)
}

fn is_kind(field: &Table<'_>, kind: Kind) -> Result<bool, Malformed> {
    let is_int = |table: Option<Table<'_>>, bits, signed| {
        let Some(table) = table else { return Ok(false) };
        let is_signed = table.u8(1)?.unwrap_or(0) != 0;
        Ok(table.i32(0)? == Some(bits) && is_signed == signed)
    };
    let (tag, dictionary) = (field.u8(2)?, field.table(4)?);
    let encoded = |id, bits| {
        let Some(dictionary) = dictionary else {
            return Ok(false);
        };
        let is_id = dictionary.i64(0)?.unwrap_or(0) == id;
        Ok(tag == Some(UTF8) && is_id && is_int(dictionary.table(1)?, bits, true)?)
    };
    match kind {
        Kind::Text8(id) => encoded(id, 8),
        Kind::Text32(id) => encoded(id, 32),
        _ if dictionary.is_some() => Ok(false),
        Kind::U32 => Ok(tag == Some(INT) && is_int(field.table(3)?, 32, false)?),
        Kind::I64 => Ok(tag == Some(INT) && is_int(field.table(3)?, 64, true)?),
        Kind::F64 => {
            let precision = field
                .table(3)?
                .map(|table| table.i16(0))
                .transpose()?
                .flatten();
            Ok(tag == Some(FLOAT) && precision == Some(DOUBLE))
        }
    }
}

#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) rows: i64,
    /// Number of bytes that follow the message.
    pub(crate) body: i64,
    pub(crate) nodes: Vec<Node>,
    pub(crate) buffers: Vec<Buffer>,
}

/// Reads the content of a message; `None` unless it is a batch. The batch's buffers can be LZ4
/// frames.
pub(crate) fn read_batch(bytes: &[u8]) -> Result<Option<Batch>, Malformed> {
    let message = Table::root(bytes)?;
    if message.u8(1)? != Some(BATCH) {
        return Ok(None);
    }
    let batch = message.table(2)?.ok_or(Malformed)?;
    let Some(compression) = batch.table(3)? else {
        return Ok(None);
    };
    let number = |slot| compression.u8(slot).map(Option::unwrap_or_default);
    if (number(0)?, number(1)?) != (LZ4_FRAME, BY_BUFFER) {
        return Ok(None);
    }
    Ok(Some(Batch {
        rows: batch.i64(0)?.unwrap_or(0),
        body: message.i64(3)?.unwrap_or(0),
        nodes: batch.structs(1)?,
        buffers: batch.structs(2)?,
    }))
}
