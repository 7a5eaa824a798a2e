//! Parquet: the columns of the trace, elements and states by name, a row group for each batch.
//!
//! The writer uses a small part of the format that current readers support: values by a dictionary
//! or plain, compressed if that helps. Written by hand: the crate `parquet` takes 46 s of CPU to
//! compile with its 66 packages. <https://parquet.apache.org/docs/file-format/>

mod page;
mod thrift;

use std::io::Write;

use prophet_trace::{Record, Role, State};

use super::ExportError;
use super::Input;
use super::names::Names;
use page::{Chunk, Values};
use thrift::{List, Struct};

const MAGIC: &[u8] = b"PAR1";
const INT32: i32 = 1;
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
/// Converted type of integers without a sign, and of texts.
const UTF8: i32 = 0;
const UINT_32: i32 = 13;

/// A column: its name, its type, and the meaning of that.
struct Column {
    name: &'static str,
    kind: i32,
    converted: Option<i32>,
    nullable: bool,
}

const fn column(name: &'static str, kind: i32, converted: Option<i32>, nullable: bool) -> Column {
    Column {
        name,
        kind,
        converted,
        nullable,
    }
}

const COLUMNS: [Column; 15] = [
    column("pid", INT32, Some(UINT_32), false),
    column("tid", INT32, Some(UINT_32), false),
    column("element", BYTE_ARRAY, Some(UTF8), true),
    column("state", BYTE_ARRAY, Some(UTF8), false),
    column("start", DOUBLE, None, false),
    column("end", DOUBLE, None, false),
    column("began", DOUBLE, None, true),
    column("partner", INT32, Some(UINT_32), true),
    column("bytes", INT64, None, true),
    column("message", INT32, Some(UINT_32), true),
    column("role", BYTE_ARRAY, Some(UTF8), true),
    column("cause_pid", INT32, Some(UINT_32), true),
    column("cause_tid", INT32, Some(UINT_32), true),
    column("tag", INT64, None, true),
    column("comm", INT32, Some(UINT_32), true),
];

/// Values of a column of some records.
fn values<'a>(column: usize, records: &'a [Record], names: &'a Names) -> Values<'a> {
    let numbers = |number: fn(&Record) -> Option<u32>| {
        let bits = records.iter().map(|record| number(record).map(u64::from));
        Values::Numbers(bits.collect(), 4)
    };
    let longs = |number: fn(&Record) -> Option<u64>| {
        Values::Numbers(records.iter().map(number).collect(), 8)
    };
    let times = |time: fn(&Record) -> Option<f64>| {
        let bits = records.iter().map(|record| time(record).map(f64::to_bits));
        Values::Reals(bits.collect())
    };
    let texts = |text: fn(&Record) -> Option<&'static str>| {
        Values::Text(records.iter().map(text).collect())
    };
    match column {
        0 => numbers(|record| Some(record.pid)),
        1 => numbers(|record| Some(record.tid)),
        2 => Values::Text(records.iter().map(|record| names.of(record)).collect()),
        3 => texts(|record| Some(State::name(record.state))),
        4 => times(|record| Some(record.start_s)),
        5 => times(|record| Some(record.end_s)),
        6 => times(Record::began_s),
        7 => numbers(Record::partner_pid),
        8 => longs(Record::size_bytes),
        9 => numbers(Record::message_number),
        10 => texts(|record| record.role().map(Role::name)),
        11 => numbers(|record| record.cause_unit().map(|unit| unit.pid)),
        12 => numbers(|record| record.cause_unit().map(|unit| unit.tid)),
        13 => longs(|record| record.message_tag().map(i64::cast_unsigned)),
        _ => numbers(Record::comm_pid),
    }
}

/// Writes all records.
pub(crate) fn write(input: &mut Input, out: &mut impl Write) -> Result<(), ExportError> {
    let names = Names::new(input.results());
    out.write_all(MAGIC)?;
    let mut place = MAGIC.len();
    let (mut groups, mut rows) = (Vec::new(), 0);
    let mut records = Vec::new();
    while input.next_batch(&mut records)? {
        let mut chunks = List::new();
        let mut size = 0;
        for (number, column) in COLUMNS.iter().enumerate() {
            let chunk = Chunk::new(&values(number, &records, &names), column.nullable);
            chunks.push(&chunk_metadata(column, &chunk, records.len(), place));
            out.write_all(&chunk.bytes)?;
            place += chunk.bytes.len();
            size += chunk.plain_bytes;
        }
        let group = Struct::new()
            .list(1, &chunks)
            .int64(2, size)
            .int64(3, records.len());
        groups.push(group);
        rows += records.len();
    }
    let footer = footer(input, &groups, rows);
    out.write_all(&footer)?;
    let length =
        u32::try_from(footer.len()).map_err(|_| ExportError::new("it has too many rows"))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(MAGIC)?;
    Ok(())
}

/// Metadata of a column's chunk, which begins at `place` in the file.
fn chunk_metadata(column: &Column, chunk: &Chunk, rows: usize, place: usize) -> Struct {
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
    path.push_text(column.name);
    let mut metadata = Struct::new()
        .int32(1, column.kind)
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

/// Builds the end of the file: the schema, the places of the row groups, and the run.
fn footer(input: &Input, groups: &[Struct], rows: usize) -> Vec<u8> {
    let mut schema = List::new();
    let columns = i32::try_from(COLUMNS.len()).unwrap_or(0);
    schema.push(&Struct::new().text(4, "schema").int32(5, columns));
    for column in &COLUMNS {
        let repetition = i32::from(column.nullable);
        let mut field = Struct::new()
            .int32(1, column.kind)
            .int32(3, repetition)
            .text(4, column.name);
        if let Some(converted) = column.converted {
            field = field.int32(6, converted);
        }
        schema.push(&field);
    }
    let mut all = List::new();
    for group in groups {
        all.push(group);
    }
    let about = serde_json::to_string(input.header()).unwrap_or_default();
    let mut metadata = List::new();
    metadata.push(&Struct::new().text(1, "prophet").text(2, &about));
    Struct::new()
        .int32(1, 1)
        .list(2, &schema)
        .int64(3, rows)
        .list(4, &all)
        .list(5, &metadata)
        .text(6, "Performance Prophet")
        .finish()
}
