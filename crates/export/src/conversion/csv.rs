//! Writes the columns of a trace as comma-separated values, with the names of elements and states.
//!
//! We don't use the crate `csv`, because it takes 4.5 s of CPU time to compile. All columns except
//! names are numbers, and the crate doesn't protect names that spreadsheets would interpret as
//! formulas.

use std::fmt::Display;
use std::io::Write;

use prophet_text::plain::cell;
use prophet_trace::{Record, Role};

use super::ExportError;
use super::Input;
use super::names::Names;

const HEAD: &str = "pid,tid,element,state,start,end,began,partner,bytes,message,role,cause_pid,\
                    cause_tid,tag,comm";

/// Writes all records, one per line, after a line with the names of the columns.
pub(crate) fn write(input: &mut Input, out: &mut impl Write) -> Result<(), ExportError> {
    let names = Names::new(input.results());
    writeln!(out, "{HEAD}")?;
    let mut records = Vec::new();
    while input.next_batch(&mut records)? {
        for record in &records {
            write_record(record, &names, out)?;
        }
    }
    Ok(())
}

fn write_record(record: &Record, names: &Names, out: &mut impl Write) -> std::io::Result<()> {
    let Record {
        pid,
        tid,
        start_s,
        end_s,
        ..
    } = record;
    write!(out, "{pid},{tid},{},", cell(names.of(record).unwrap_or("")))?;
    write!(out, "{},{start_s},{end_s},", record.state.name())?;
    let (began, partner) = (some(record.began_s()), some(record.partner_pid()));
    let (bytes, message) = (some(record.size_bytes()), some(record.message_number()));
    let role = record.role().map_or("", Role::name);
    let cause = record.cause_unit();
    let (cause_pid, cause_tid) = (
        some(cause.map(|unit| unit.pid)),
        some(cause.map(|unit| unit.tid)),
    );
    writeln!(
        out,
        "{began},{partner},{bytes},{message},{role},{cause_pid},{cause_tid},{},{}",
        some(record.message_tag()),
        some(record.comm_pid())
    )
}

fn some(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
