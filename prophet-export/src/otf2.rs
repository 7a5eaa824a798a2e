//! The Open Trace Format 2: a folder that Vampir, Scalasca, Cube and `otf2-print` read.
//!
//! It is written by OTF2's own library, to which a small program in C passes on what is told it
//! here (`otf2.c`): that is compiled when it is needed. Records become regions that their units
//! enter and leave, whole executions around what they contain; messages become those of MPI.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};

use prophet_trace::{Record, Role, State, UnitId};

use crate::ExportError;
use crate::format::Input;
use crate::names::{self, Names};
use crate::timeline;

const PROGRAM: &str = include_str!("otf2.c");
/// What a machine needs that writes OTF2.
const NEEDS: &str = "OTF2 is written by its own library: that takes a C compiler and \
                     `apt-get install libotf2-trace-dev`";
/// The texts with fixed numbers.
const FIXED: [&str; 3] = ["", "run", "MPI_COMM_WORLD"];
/// Clock ticks in a second, and in one of a very long run.
const TICKS: f64 = 1e12;
const TICKS_LONG: f64 = 1e6;
/// A run of more seconds is very long.
const LONG_S: f64 = 1e6;

/// Writes all records to a folder, which is made.
pub(crate) fn write(input: &mut Input, to: &Path) -> Result<(), ExportError> {
    if fs::read_dir(to).map_or(to.exists(), |mut entries| entries.next().is_some()) {
        return Err(ExportError::new(
            "it is there already: OTF2 is a folder of its own",
        ));
    }
    let names = Names::new(input.results());
    let records = timeline::by_unit(input)?;
    let (folder, program) = compile()?;
    let written = run(&program, to, &records, &names);
    let _ = fs::remove_dir_all(folder);
    if written.is_err() {
        let _ = fs::remove_dir_all(to);
    }
    written
}

/// Compiles the program that writes; returns it, and the folder that it is in.
fn compile() -> Result<(PathBuf, PathBuf), ExportError> {
    let folder = std::env::temp_dir().join(format!("prophet-otf2-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let (source, program) = (folder.join("otf2.c"), folder.join("otf2"));
    fs::write(&source, PROGRAM)?;
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command
        .arg("-O1")
        .arg("-o")
        .args([&program, &source])
        .arg("-lotf2");
    let compiled = command.output();
    if compiled.is_ok_and(|compiled| compiled.status.success()) {
        return Ok((folder, program));
    }
    let _ = fs::remove_dir_all(folder);
    Err(ExportError::new(NEEDS))
}

fn run(program: &Path, to: &Path, records: &[Record], names: &Names) -> Result<(), ExportError> {
    let mut child = Command::new(program)
        .arg(to)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let told = match child.stdin.take() {
        Some(input) => tell(records, names, BufWriter::with_capacity(1 << 16, input)),
        None => Ok(()),
    };
    let output = child.wait_with_output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or("it says nothing");
        return Err(ExportError::new(format!("OTF2's library failed: {said}")));
    }
    Ok(told?)
}

/// Tells the program what is in the trace.
fn tell(records: &[Record], names: &Names, out: BufWriter<ChildStdin>) -> std::io::Result<()> {
    let end_s = records
        .iter()
        .map(|record| record.end_s)
        .fold(0.0, f64::max);
    let ticks = if end_s > LONG_S { TICKS_LONG } else { TICKS };
    let mut teller = Teller {
        out,
        names,
        ticks,
        texts: BTreeMap::new(),
        regions: BTreeMap::new(),
        ranks: ranks(records),
    };
    let end = teller.time(end_s);
    writeln!(teller.out, "c {ticks} {end}")?;
    for text in FIXED {
        teller.text(text)?;
    }
    let processes: Vec<(u32, u32)> = teller
        .ranks
        .iter()
        .map(|(pid, rank)| (*pid, *rank))
        .collect();
    for (pid, rank) in processes {
        let text = teller.text(&names::unit(UnitId { pid, tid: 0 }))?;
        writeln!(teller.out, "g {rank} {text}")?;
    }
    let mut silent: BTreeSet<u32> = teller.ranks.keys().copied().collect();
    let mut number = 0;
    for records in records.chunk_by(|one, next| one.unit() == next.unit()) {
        let unit = records[0].unit();
        writeln!(teller.out, "o {number}")?;
        let events = teller.unit(records)?;
        teller.location(number, unit, events)?;
        if unit.tid == 0 {
            silent.remove(&unit.pid);
        }
        number += 1;
    }
    // Processes without records take part in messages.
    for pid in silent {
        writeln!(teller.out, "o {number}")?;
        teller.location(number, UnitId { pid, tid: 0 }, 0)?;
        number += 1;
    }
    teller.out.flush()
}

/// The processes that take part, by their numbers, and their ranks among them.
fn ranks(records: &[Record]) -> BTreeMap<u32, u32> {
    let partners = records.iter().filter_map(Record::partner_pid);
    let pids: BTreeSet<u32> = { records.iter() }
        .map(|record| record.pid)
        .chain(partners)
        .collect();
    pids.into_iter().zip(0..).collect()
}

struct Teller<'a> {
    out: BufWriter<ChildStdin>,
    names: &'a Names,
    ticks: f64,
    texts: BTreeMap<String, usize>,
    regions: BTreeMap<(Option<u32>, State), usize>,
    ranks: BTreeMap<u32, u32>,
}

impl Teller<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times are not negative, and the ticks are chosen to fit"
    )]
    fn time(&self, seconds: f64) -> u64 {
        (seconds * self.ticks).round() as u64
    }

    /// The number of a text.
    fn text(&mut self, text: &str) -> std::io::Result<usize> {
        let text = text.replace(['\n', '\r', '\0'], " ");
        if let Some(number) = self.texts.get(&text) {
            return Ok(*number);
        }
        let number = self.texts.len();
        writeln!(self.out, "s {number} {text}")?;
        self.texts.insert(text, number);
        Ok(number)
    }

    /// The number of the region of a record.
    fn region(&mut self, record: &Record) -> std::io::Result<usize> {
        let key = (record.element_index(), record.state);
        if let Some(number) = self.regions.get(&key) {
            return Ok(*number);
        }
        let state = record.state.name();
        let name = match (record.state, self.names.of(record)) {
            (State::Content, Some(name)) => name.to_owned(),
            (_, Some(name)) => format!("{name}: {state}"),
            (_, None) => state.to_owned(),
        };
        let text = self.text(&name)?;
        let number = self.regions.len();
        writeln!(self.out, "r {number} {text} {state}")?;
        self.regions.insert(key, number);
        Ok(number)
    }

    fn location(&mut self, number: u32, unit: UnitId, events: u64) -> std::io::Result<()> {
        let text = self.text(&names::unit(unit))?;
        let rank = self.ranks.get(&unit.pid).copied().unwrap_or(0);
        writeln!(self.out, "l {number} {rank} {} {events} {text}", unit.tid)
    }

    /// What a unit does; returns how many events that is.
    fn unit(&mut self, records: &[Record]) -> std::io::Result<u64> {
        let mut inside: Vec<(f64, usize)> = Vec::new();
        let mut events = 0;
        for record in records {
            while let Some((end_s, region)) = inside.pop_if(|(end_s, _)| *end_s <= record.start_s) {
                events += self.leave(end_s, region)?;
            }
            let region = self.region(record)?;
            let time = self.time(record.start_s);
            writeln!(self.out, "e {time} {region}")?;
            events += 1 + self.message(record, time)?;
            inside.push((record.end_s, region));
        }
        while let Some((end_s, region)) = inside.pop() {
            events += self.leave(end_s, region)?;
        }
        Ok(events)
    }

    fn leave(&mut self, end_s: f64, region: usize) -> std::io::Result<u64> {
        writeln!(self.out, "x {} {region}", self.time(end_s))?;
        Ok(1)
    }

    /// The message of a record, if it is not only waited for.
    fn message(&mut self, record: &Record, time: u64) -> std::io::Result<u64> {
        let kind = match record.role() {
            Some(Role::Send) => 'm',
            Some(Role::Receive) if record.state != State::Wait => 'n',
            _ => return Ok(0),
        };
        let partner = record.partner_pid().and_then(|pid| self.ranks.get(&pid));
        let partner = partner.copied().unwrap_or(0);
        let bytes = record.size_bytes().unwrap_or(0);
        writeln!(self.out, "{kind} {time} {partner} {bytes}")?;
        Ok(1)
    }
}
