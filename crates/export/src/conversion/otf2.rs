//! Writes traces in the Open Trace Format 2, as a folder for Vampir, Scalasca, Cube and
//! `otf2-print`.
//!
//! OTF2's own library writes the files, because no crate does, and bindings would require the
//! library wherever this project is compiled. A small C program (`otf2.c`) calls it. The program is
//! compiled when needed, and gets its input from this module. Executions and their parts become
//! regions that units enter and leave. Messages and collectives become MPI records.

mod communicators;
mod region;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};

use prophet_files::Folder;
use prophet_trace::{Record, Role, UnitId, UnitState};

use super::ExportError;
use super::Input;
use super::names::{self, Names};
use super::timeline::{self, Nested};
use communicators::Communicators;
use region::Collective;

const PROGRAM: &str = include_str!("otf2.c");
const NEEDS: &str = "OTF2's own library writes this format; install a C compiler and \
                     libotf2-trace-dev (`apt-get install libotf2-trace-dev`)";
/// Texts with fixed numbers.
const FIXED: [&str; 3] = ["", "run", "MPI_COMM_WORLD"];
/// Clock ticks per second in a run of usual length, and in a very long run.
const TICKS: f64 = 1e12;
const TICKS_LONG: f64 = 1e6;
/// Minimum length of a very long run, in seconds.
const LONG_S: f64 = 1e6;

pub(crate) fn write(input: &mut Input, to: &Path) -> Result<(), ExportError> {
    if fs::read_dir(to).map_or(to.exists(), |mut entries| entries.next().is_some()) {
        return Err(ExportError::new(
            "it already exists: OTF2 needs a new folder",
        ));
    }
    let names = Names::new(input.results());
    // Records of version 2 don't describe collectives sufficiently.
    let calls = input.header().format > 2;
    let is_whole = |record: &Record| is_part(record, &names);
    let has_others =
        |whole: &Record, record: &Record| region::has_others(names.kind_of(whole), record);
    let records = timeline::by_unit(input, is_whole, has_others)?;
    let trace = Trace {
        names: &names,
        calls,
        tags: tags(&records),
        ranks: ranks(&records),
        communicators: Communicators::of(records.iter().map(|nested| &nested.record)),
        records: &records,
    };
    let tool = Folder::temporary("prophet-otf2")?;
    let program = compile(tool.path())?;
    // The folder appears when it is complete. The library gives it the usual access rights.
    let to = fs::canonicalize(to).unwrap_or_else(|_| to.to_owned());
    let aside = Folder::beside(&to)?;
    run(&program, aside.path(), &trace)?;
    Ok(aside.replace(&to)?)
}

struct Trace<'a> {
    names: &'a Names,
    /// Whether collectives are written as such, without their messages.
    calls: bool,
    /// Tags other than 0 of messages, by sender and number.
    tags: BTreeMap<(u32, u32), i64>,
    /// Ranks of the processes that take part, by pid.
    ranks: BTreeMap<u32, u32>,
    communicators: Communicators,
    records: &'a [Nested],
}

/// Returns `true` if the last record of an execution is only a part of it, or of a different kind.
fn is_part(record: &Record, names: &Names) -> bool {
    let kind = names.kind_of(record);
    record.began_s().is_some_and(|began_s| {
        let is_other = kind.is_some_and(|kind| {
            region::of_kind(kind) != region::of_state(record.state, Some(kind))
        });
        // A collective is always written as a whole.
        let is_call = kind.is_some_and(|kind| Collective::of(kind).is_some());
        began_s < record.start_s || is_other || is_call
    })
}

fn compile(folder: &Path) -> Result<PathBuf, ExportError> {
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
        return Ok(program);
    }
    Err(ExportError::new(NEEDS))
}

fn run(program: &Path, to: &Path, trace: &Trace<'_>) -> Result<(), ExportError> {
    let mut child = Command::new(program)
        .arg(to)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let told = match child.stdin.take() {
        Some(input) => tell(trace, BufWriter::with_capacity(1 << 16, input)),
        None => Ok(()),
    };
    let output = child.wait_with_output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or("no message");
        return Err(ExportError::new(format!("OTF2's library failed: {said}")));
    }
    Ok(told?)
}

/// Passes the trace's content to the program that writes the archive.
fn tell(trace: &Trace<'_>, out: BufWriter<ChildStdin>) -> std::io::Result<()> {
    let ends_s = trace.records.iter().map(|nested| nested.record.end_s);
    let end_s = ends_s.fold(0.0, f64::max);
    let mut teller = Teller {
        out,
        trace,
        ticks: if end_s > LONG_S { TICKS_LONG } else { TICKS },
        time: 0,
        texts: BTreeMap::new(),
        regions: BTreeMap::new(),
    };
    let end = teller.ticks_at(end_s);
    writeln!(teller.out, "c {} {end}", teller.ticks)?;
    for text in FIXED {
        teller.text(text)?;
    }
    for (pid, rank) in &trace.ranks {
        let text = teller.text(&names::unit(UnitId { pid: *pid, tid: 0 }))?;
        writeln!(teller.out, "g {rank} {text}")?;
    }
    let mut silent: BTreeSet<u32> = trace.ranks.keys().copied().collect();
    let mut number = 0;
    let is_same = |one: &Nested, next: &Nested| one.record.unit() == next.record.unit();
    for records in trace.records.chunk_by(is_same) {
        let unit = records[0].record.unit();
        writeln!(teller.out, "o {number}")?;
        let events = teller.unit(records)?;
        teller.location(number, unit, events)?;
        if unit.tid == 0 {
            silent.remove(&unit.pid);
        }
        number += 1;
    }
    // Processes without records can take part in messages.
    for pid in silent {
        writeln!(teller.out, "o {number}")?;
        teller.location(number, UnitId { pid, tid: 0 }, 0)?;
        number += 1;
    }
    teller.communicators()?;
    teller.out.flush()
}

/// Returns the ranks of the processes that take part, by pid.
fn ranks(records: &[Nested]) -> BTreeMap<u32, u32> {
    let records = records.iter().map(|nested| &nested.record);
    let partners = records.clone().filter_map(Record::partner_pid);
    let pids: BTreeSet<u32> = records.map(|record| record.pid).chain(partners).collect();
    pids.into_iter().zip(0..).collect()
}

/// Returns the tags other than 0 of messages, by sender and number.
fn tags(records: &[Nested]) -> BTreeMap<(u32, u32), i64> {
    let records = records.iter().map(|nested| &nested.record);
    let tag = |record: &Record| Some((record.sender()?, record.message_tag()?));
    records
        .filter_map(tag)
        .filter(|(_, tag)| *tag != 0)
        .collect()
}

struct Teller<'a> {
    out: BufWriter<ChildStdin>,
    trace: &'a Trace<'a>,
    ticks: f64,
    /// Time of the unit's last event. Whatever the trace contains, no later event gets an earlier
    /// time.
    time: u64,
    texts: BTreeMap<String, usize>,
    /// Regions by element and, for parts of executions, by state.
    regions: BTreeMap<(Option<u32>, Option<UnitState>), usize>,
}

/// An execution, or a part of one, that is open at the current position in the unit.
struct Inside {
    record: Record,
    region: usize,
}

impl Teller<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times are not negative, and the ticks are chosen to fit"
    )]
    fn ticks_at(&self, seconds: f64) -> u64 {
        (seconds * self.ticks).round() as u64
    }

    /// Returns the time of a unit's next event.
    fn next_time(&mut self, seconds: f64) -> u64 {
        self.time = self.time.max(self.ticks_at(seconds));
        self.time
    }

    /// Returns the number of a text, and writes the text if it is new.
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

    fn region(&mut self, record: &Record) -> std::io::Result<usize> {
        let names = self.trace.names;
        let kind = names.kind_of(record);
        let is_whole = record.state == UnitState::Content
            || record.began_s().is_some() && !is_part(record, names);
        let part = (!is_whole || kind.is_none()).then_some(record.state);
        let key = (record.element_index(), part);
        if let Some(number) = self.regions.get(&key) {
            return Ok(*number);
        }
        let state = record.state.name();
        let name = match (part, names.of(record)) {
            (None, Some(name)) => name.to_owned(),
            (Some(_), Some(name)) => format!("{name}: {state}"),
            (_, None) => state.to_owned(),
        };
        let (paradigm, role) = match (part, kind) {
            (None, Some(kind)) => region::of_kind(kind),
            _ => region::of_state(record.state, kind),
        };
        let text = self.text(&name)?;
        let number = self.regions.len();
        let (role, paradigm) = (role as u8, paradigm as u8);
        writeln!(self.out, "r {number} {text} {role} {paradigm}")?;
        self.regions.insert(key, number);
        Ok(number)
    }

    fn location(&mut self, number: u32, unit: UnitId, events: u64) -> std::io::Result<()> {
        let text = self.text(&names::unit(unit))?;
        let rank = self.rank(unit.pid);
        writeln!(self.out, "l {number} {rank} {} {events} {text}", unit.tid)
    }

    fn rank(&self, pid: u32) -> u32 {
        self.trace.ranks.get(&pid).copied().unwrap_or(0)
    }

    /// Writes the events of a unit, and returns how many there are.
    fn unit(&mut self, records: &[Nested]) -> std::io::Result<u64> {
        self.time = 0;
        let mut inside: Vec<Inside> = Vec::new();
        let mut events = 0;
        for Nested { record, depth } in records {
            while inside.len() > *depth {
                if let Some(last) = inside.pop() {
                    events += self.leave(&last)?;
                }
            }
            let region = self.region(record)?;
            let time = self.next_time(record.start_s);
            writeln!(self.out, "e {time} {region}")?;
            events += 1 + self.message(record, time)?;
            if self.collective(record).is_some() {
                writeln!(self.out, "b {time}")?;
                events += 1;
            }
            inside.push(Inside {
                record: *record,
                region,
            });
        }
        while let Some(last) = inside.pop() {
            events += self.leave(&last)?;
        }
        Ok(events)
    }

    fn leave(&mut self, Inside { record, region }: &Inside) -> std::io::Result<u64> {
        let time = self.next_time(record.end_s);
        let mut events = 1;
        if let Some((collective, bytes)) = self.collective(record) {
            self.end_collective(record, time, collective, bytes)?;
            events += 1;
        }
        writeln!(self.out, "x {time} {region}")?;
        Ok(events)
    }

    /// Returns the collective and its size, if a record is the execution of a whole collective.
    fn collective(&self, record: &Record) -> Option<(Collective, u64)> {
        if record.state != UnitState::Content || !self.trace.calls {
            return None;
        }
        let collective = Collective::of(self.trace.names.kind_of(record)?)?;
        Some((collective, record.size_bytes()?))
    }

    fn end_collective(
        &mut self,
        record: &Record,
        time: u64,
        collective: Collective,
        bytes: u64,
    ) -> std::io::Result<()> {
        let (number, members) = self.trace.communicators.of_call(record);
        // Ranks are indices in the communicator. A communicator without a list of members contains
        // all processes.
        let rank = |pid: u32| match members {
            Some(members) => members.binary_search(&pid).unwrap_or(0),
            None => self.rank(pid) as usize,
        };
        let ranks = members.map_or(self.trace.ranks.len(), <[u32]>::len) as u64;
        let is_root = record.partner_pid() == Some(record.pid);
        let own = rank(record.pid) as u64;
        let (sent, received) = collective.sizes(bytes, own, ranks, is_root);
        // The highest number means no root.
        let root = record.partner_pid().map(rank);
        let root = root
            .and_then(|root| u32::try_from(root).ok())
            .unwrap_or(u32::MAX);
        let collective = collective as u8;
        writeln!(
            self.out,
            "f {time} {collective} {number} {root} {sent} {received}"
        )
    }

    /// Writes the message of a record, unless the record is only a wait for it.
    fn message(&mut self, record: &Record, time: u64) -> std::io::Result<u64> {
        if record.state == UnitState::Collective && self.trace.calls {
            return Ok(0);
        }
        let kind = match record.role() {
            Some(Role::Send) if record.state != UnitState::Wait => 'm',
            Some(Role::Receive) if record.state != UnitState::Wait => 'n',
            _ => return Ok(0),
        };
        let partner = record.partner_pid().map_or(0, |pid| self.rank(pid));
        let bytes = record.size_bytes().unwrap_or(0);
        let tag = record.sender().and_then(|name| self.trace.tags.get(&name));
        // The format has unsigned 32-bit tags.
        let tag = tag.copied().unwrap_or(0) & i64::from(u32::MAX);
        writeln!(self.out, "{kind} {time} {partner} {tag} {bytes}")?;
        Ok(1)
    }

    /// Writes the communicators that don't contain all processes, with their ranks.
    fn communicators(&mut self) -> std::io::Result<()> {
        for (number, members) in self.trace.communicators.others() {
            let first = members.first().copied().unwrap_or(0);
            let of = members.len();
            let text = self.text(&format!("{of} processes, the first is process {first}"))?;
            write!(self.out, "k {number} {text} {of}")?;
            for pid in members {
                let rank = self.rank(*pid);
                write!(self.out, " {rank}")?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }
}
