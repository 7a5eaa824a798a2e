//! Writes the columns of a trace as Parquet, with the names of elements and states, and a row group
//! for each batch.

use std::io::Write;

use prophet_parquet::{ColumnKind, ColumnValues, ParquetColumn, ParquetWriter};
use prophet_trace::{Record, Role, UnitState};

use super::ExportError;
use super::Input;
use super::names::Names;

/// The columns: name, kind, and whether values can be missing.
const COLUMNS: [(&str, ColumnKind, bool); 15] = [
    ("pid", ColumnKind::Uint32, false),
    ("tid", ColumnKind::Uint32, false),
    ("element", ColumnKind::Text, true),
    ("state", ColumnKind::Text, false),
    ("start", ColumnKind::Double, false),
    ("end", ColumnKind::Double, false),
    ("began", ColumnKind::Double, true),
    ("partner", ColumnKind::Uint32, true),
    ("bytes", ColumnKind::Int64, true),
    ("message", ColumnKind::Uint32, true),
    ("role", ColumnKind::Text, true),
    ("cause_pid", ColumnKind::Uint32, true),
    ("cause_tid", ColumnKind::Uint32, true),
    ("tag", ColumnKind::Int64, true),
    ("comm", ColumnKind::Uint32, true),
];

fn values<'a>(column: usize, records: &'a [Record], names: &'a Names) -> ColumnValues<'a> {
    let numbers = |number: fn(&Record) -> Option<u32>| {
        let bits = records.iter().map(|record| number(record).map(u64::from));
        ColumnValues::Numbers(bits.collect(), 4)
    };
    let longs = |number: fn(&Record) -> Option<u64>| {
        ColumnValues::Numbers(records.iter().map(number).collect(), 8)
    };
    let times = |time: fn(&Record) -> Option<f64>| {
        let bits = records.iter().map(|record| time(record).map(f64::to_bits));
        ColumnValues::Reals(bits.collect())
    };
    let texts = |text: fn(&Record) -> Option<&'static str>| {
        ColumnValues::Text(records.iter().map(text).collect())
    };
    match column {
        0 => numbers(|record| Some(record.pid)),
        1 => numbers(|record| Some(record.tid)),
        2 => ColumnValues::Text(records.iter().map(|record| names.of(record)).collect()),
        3 => texts(|record| Some(UnitState::name(record.state))),
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

pub(crate) fn write(input: &mut Input, out: &mut impl Write) -> Result<(), ExportError> {
    let names = Names::new(input.results());
    let columns = COLUMNS.map(|(name, kind, nullable)| ParquetColumn::new(name, kind, nullable));
    let mut writer = ParquetWriter::begin(out, columns.to_vec())?;
    let mut records = Vec::new();
    while input.next_batch(&mut records)? {
        let columns = (0..COLUMNS.len()).map(|column| values(column, &records, &names));
        writer.group(&columns.collect::<Vec<_>>())?;
    }
    let about = serde_json::to_string(input.header()).unwrap_or_default();
    writer.finish("prophet", &about)?;
    Ok(())
}
