//! Reads the calls of a rank from its file, whose format is defined in
//! `crates/record/library/record.h`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prophet_text::Problem;

use super::bytes::{Bytes, Flaw};
use super::regions::{Counts, Parallel, Regions};

/// First line of a rank's file.
pub(super) const BEGIN: &[u8] = b"prophet recording 1\n";
const ENTRIES_MAX: usize = 1 << 20;
/// Maximum total number of members in a rank's groups.
const MEMBERS_MAX: u64 = 1 << 24;
const LIST_MAX: u64 = 1 << 24;
/// Maximum duration of a call, and maximum time between two calls, in nanoseconds (about 30 years).
const TIME_MAX_NS: i64 = 1_000_000_000_000_000_000;

const NAMES: [&str; 27] = [
    "bytes",
    "comm",
    "count",
    "datatype",
    "dest",
    "dests",
    "flag",
    "from",
    "index",
    "indices",
    "recvcount",
    "recvcounts",
    "recvtag",
    "recvtype",
    "request",
    "requests",
    "root",
    "sendcount",
    "sendcounts",
    "sendtag",
    "sendtype",
    "source",
    "sources",
    "tag",
    "target",
    "value",
    "window",
];

/// A place in a program that calls MPI.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Index of the module, or -1 if unknown.
    pub module: i64,
    /// Offset of the return address in the module.
    pub offset: u64,
    /// The function that contains the call site; empty unless its module exports it.
    pub function: String,
    /// The function that computes before the call; empty unless the recording contains its name.
    pub computing: String,
    /// The functions and lines of the call; empty if unknown.
    pub lines: String,
    /// The innermost marked region that contains the calls; empty if they are outside all regions.
    pub region: String,
}

/// The ranks of a communicator, as numbered in the whole program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRanks {
    /// The ranks in communicator order; [`u32::MAX`] stands for a rank of another program.
    pub members: Vec<u32>,
    /// Whether these are the ranks on the other side of an intercommunicator.
    pub is_other_side: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Argument {
    Number(i64),
    /// Size in bytes of an element of a data type.
    Type(u64),
    Group(u32),
    List(Vec<i64>),
}

#[derive(Debug, Default)]
pub(crate) struct RecordedCall {
    pub(crate) function: usize,
    pub(crate) site: u32,
    /// Start of the call, relative to the start of the first call.
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
    /// CPU time since the previous call.
    pub(crate) computing_ns: u64,
    /// Instructions and cache misses since the previous call.
    pub(crate) counts: Counts,
    pub(crate) arguments: Vec<(&'static str, Argument)>,
}

#[derive(Debug, Clone, Copy)]
enum ArgumentKind {
    Number,
    Type,
    Group,
    Handle,
    Numbers,
    Handles,
}

/// An MPI function. The names of arguments that aren't used are empty.
#[derive(Debug)]
struct Function {
    name: String,
    arguments: Vec<(&'static str, ArgumentKind)>,
}

/// A rank's calls in order, and the definitions read so far.
#[derive(Debug)]
pub(crate) struct Calls {
    path: PathBuf,
    bytes: Bytes,
    functions: Vec<Function>,
    info: BTreeMap<String, String>,
    modules: Vec<String>,
    sites: Vec<Site>,
    /// Number of each of the file's call sites, outside regions.
    outside: Vec<u32>,
    /// Numbers of call sites inside regions, by the number outside regions and the region.
    inside: BTreeMap<(u32, usize), u32>,
    regions: Regions,
    parallel: Parallel,
    groups: Vec<MemberRanks>,
    members: u64,
    last_handle: i64,
    clock_ns: u64,
    thread: u64,
    count: u64,
    is_over: bool,
}

impl Calls {
    /// Opens a rank's file, and reads it `buffer` bytes at a time.
    pub(crate) fn open(path: &Path, buffer: usize) -> Result<Self, Problem> {
        let mut calls = Self {
            path: path.to_owned(),
            bytes: Bytes::of(path, buffer),
            functions: Vec::new(),
            info: BTreeMap::new(),
            modules: Vec::new(),
            sites: Vec::new(),
            outside: Vec::new(),
            inside: BTreeMap::new(),
            regions: Regions::default(),
            parallel: Parallel::default(),
            groups: Vec::new(),
            members: 0,
            last_handle: 0,
            clock_ns: 0,
            thread: 0,
            count: 0,
            is_over: false,
        };
        match calls.bytes.begins_with(BEGIN) {
            Ok(true) => Ok(calls),
            Ok(false) => Err(Problem::of(path, "this is not the recording of a rank")),
            Err(flaw) => Err(calls.flaw(flaw)),
        }
    }

    /// Reads the next call. Returns `false` at the end of the recording.
    pub(crate) fn next(&mut self, call: &mut RecordedCall) -> Result<bool, Problem> {
        self.read(call).map_err(|flaw| self.flaw(flaw))
    }

    /// Returns a key's value; empty if the key is unknown.
    pub(crate) fn info(&self, key: &str) -> &str {
        self.info.get(key).map_or("", String::as_str)
    }

    pub(crate) fn function(&self, number: usize) -> &str {
        &self.functions[number].name
    }

    pub(crate) fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Returns the program and the libraries read so far.
    pub(crate) fn modules(&self) -> &[String] {
        &self.modules
    }

    pub(super) fn regions(&self) -> &Regions {
        &self.regions
    }

    pub(super) fn parallel(&self) -> Parallel {
        self.parallel
    }

    /// Returns the groups of ranks read so far. The first group contains all ranks.
    pub(crate) fn groups(&self) -> &[MemberRanks] {
        &self.groups
    }

    /// Returns the number of the thread that made the last call, counted from 0.
    pub(crate) fn thread(&self) -> u64 {
        self.thread
    }

    pub(crate) fn problem(&self, why: impl AsRef<str>) -> Problem {
        let why = format!("call {}: {}", self.count, why.as_ref());
        Problem::of(&self.path, why)
    }

    fn flaw(&self, flaw: Flaw) -> Problem {
        match flaw {
            Flaw::Cut => self.cut(),
            Flaw::Wrong(why) => {
                let next = self.count + 1;
                Problem::of(&self.path, format!("call {next}: {why}"))
            }
        }
    }

    pub(crate) fn cut(&self) -> Problem {
        let calls = prophet_text::counted(self.count, "call", "calls");
        let why = format!(
            "the recording ends after {calls}, before `MPI_Finalize`: the program was killed or \
             ended early, or the file was cut off; record a run that completes"
        );
        Problem::of(&self.path, why)
    }

    fn read(&mut self, call: &mut RecordedCall) -> Result<bool, Flaw> {
        (call.counts, call.computing_ns) = Default::default();
        let mut counts = Counts::default();
        while !self.is_over {
            let kind = match self.bytes.byte() {
                Err(Flaw::Cut) | Ok(0) => break,
                Err(flaw) => return Err(flaw),
                Ok(kind) => kind,
            };
            match kind {
                1 => {
                    let key = self.bytes.text()?;
                    let value = self.bytes.text()?;
                    self.info.insert(key, value);
                    has_room(self.info.len())?;
                }
                2 => {
                    let module = self.bytes.text()?;
                    self.modules.push(module);
                    has_room(self.modules.len())?;
                }
                3 => self.site()?,
                4 => self.defined()?,
                5 => self.group()?,
                6 => {
                    self.call(call, counts)?;
                    self.count += 1;
                    return Ok(true);
                }
                7 => self.thread = self.bytes.count()?,
                8 => counts = self.counts()?,
                9 => self.region(call, std::mem::take(&mut counts))?,
                10 => self.parallel_region()?,
                other => return Err(Flaw::wrong(format!("unknown record kind {other}"))),
            }
        }
        self.is_over = true;
        Ok(false)
    }

    fn counts(&mut self) -> Result<Counts, Flaw> {
        let mut count = || Ok(u64::try_from(self.bytes.number()?).unwrap_or(0));
        Ok(Counts {
            instructions: count()?,
            cache_misses: count()?,
        })
    }

    /// Starts or ends a region. The time before it belongs to the enclosing region.
    fn region(&mut self, call: &mut RecordedCall, counts: Counts) -> Result<(), Flaw> {
        let before_ns = self.time("between two calls")?;
        let computing_ns = self.time("of CPU time between two calls")?;
        self.clock_ns = self.clock_ns.saturating_add(before_ns);
        self.regions.spend(computing_ns, 0, counts);
        call.computing_ns = call.computing_ns.saturating_add(computing_ns);
        call.counts += counts;
        let name = self.bytes.text()?;
        if name.is_empty() {
            self.regions.end();
        } else if !self.regions.begin(name) {
            return Err(Flaw::wrong("too many regions are open"));
        }
        Ok(())
    }

    fn parallel_region(&mut self) -> Result<(), Flaw> {
        let threads = self.bytes.count()?;
        let wall_ns = self.time("in a parallel region")?;
        self.parallel += Parallel {
            regions: 1,
            threads,
            wall_ns,
        };
        Ok(())
    }

    /// Reads a call site's number in the file.
    fn known_site(&mut self) -> Result<u32, Flaw> {
        let site = self.bytes.count()?;
        let known = usize::try_from(site)
            .ok()
            .and_then(|it| self.outside.get(it));
        known
            .copied()
            .ok_or_else(|| Flaw::wrong(format!("unknown place {site}")))
    }

    /// Returns the number of a call site in the innermost region.
    fn in_region(&mut self, site: u32) -> Result<u32, Flaw> {
        let Some(region) = self.regions.innermost() else {
            return Ok(site);
        };
        let next = number_of(self.sites.len());
        let number = *self.inside.entry((site, region)).or_insert(next);
        if number == next {
            let outside = self.sites[site as usize].clone();
            let region = self.regions.name(region).to_owned();
            self.sites.push(Site { region, ..outside });
            has_room(self.sites.len())?;
        }
        Ok(number)
    }

    fn site(&mut self) -> Result<(), Flaw> {
        let module = self.bytes.number()?;
        let is_known = usize::try_from(module).is_ok_and(|it| it < self.modules.len());
        if !is_known && module != -1 {
            return Err(Flaw::wrong(format!("unknown module {module}")));
        }
        let offset = self.bytes.count()?;
        let function = self.bytes.text()?;
        self.outside.push(number_of(self.sites.len()));
        self.sites.push(Site {
            module,
            offset,
            function,
            computing: String::new(),
            lines: String::new(),
            region: String::new(),
        });
        has_room(self.sites.len())
    }

    fn defined(&mut self) -> Result<(), Flaw> {
        let name = self.bytes.text()?;
        let text = self.bytes.text()?;
        let argument = |word: &str| {
            let (name, kind) = word.split_once('=')?;
            let name = NAMES.iter().find(|it| **it == name).copied();
            let kind = match kind {
                "n" => ArgumentKind::Number,
                "t" => ArgumentKind::Type,
                "c" => ArgumentKind::Group,
                "h" => ArgumentKind::Handle,
                "l" => ArgumentKind::Numbers,
                "H" => ArgumentKind::Handles,
                _ => return None,
            };
            Some((name.unwrap_or(""), kind))
        };
        let arguments = text.split_ascii_whitespace().map(argument);
        let arguments: Option<Vec<_>> = arguments.collect();
        let arguments = arguments
            .ok_or_else(|| Flaw::wrong(format!("`{name}` has the invalid arguments `{text}`")))?;
        self.functions.push(Function { name, arguments });
        has_room(self.functions.len())
    }

    fn group(&mut self) -> Result<(), Flaw> {
        let _own = self.bytes.number()?;
        let is_other_side = self.bytes.count()? == 1;
        let mut members = Vec::new();
        let ranks: i64 = self.info("ranks").parse().unwrap_or(0);
        for _ in 0..self.bytes.count()? {
            let (first, step) = (self.bytes.number()?, self.bytes.number()?);
            let count = self.bytes.count()?;
            self.members = self.members.saturating_add(count);
            if self.members > MEMBERS_MAX {
                return Err(Flaw::wrong("the communicators have too many ranks"));
            }
            for place in 0..i64::try_from(count).unwrap_or(i64::MAX) {
                let rank = first.saturating_add(step.saturating_mul(place));
                if rank >= ranks {
                    let why =
                        format!("a communicator contains rank {rank}, but there are only {ranks}");
                    return Err(Flaw::Wrong(why));
                }
                members.push(u32::try_from(rank).unwrap_or(u32::MAX));
            }
        }
        self.groups.push(MemberRanks {
            members,
            is_other_side,
        });
        has_room(self.groups.len())
    }

    fn call(&mut self, call: &mut RecordedCall, counts: Counts) -> Result<(), Flaw> {
        let number = self.bytes.count()?;
        let place = usize::try_from(number).ok();
        let place = place.filter(|it| *it < self.functions.len());
        call.function = place.ok_or_else(|| Flaw::wrong(format!("unknown function {number}")))?;
        let site = self.known_site()?;
        call.site = self.in_region(site)?;
        let before_ns = self.time("between two calls")?;
        let computing_ns = self.time("of CPU time between two calls")?;
        let took_ns = self.time("in a call")?;
        self.regions.spend(computing_ns, took_ns, counts);
        call.computing_ns = call.computing_ns.saturating_add(computing_ns);
        call.counts += counts;
        call.start_ns = self.clock_ns.saturating_add(before_ns);
        call.end_ns = call.start_ns.saturating_add(took_ns);
        self.clock_ns = call.end_ns;
        call.arguments.clear();
        for argument in 0..self.functions[call.function].arguments.len() {
            let (name, kind) = self.functions[call.function].arguments[argument];
            let value = self.argument(kind)?;
            call.arguments.push((name, value));
        }
        Ok(())
    }

    fn time(&mut self, of: &str) -> Result<u64, Flaw> {
        let time_ns = self.bytes.number()?;
        if !(0..=TIME_MAX_NS).contains(&time_ns) {
            let why = format!(
                "the clock runs backwards or jumps: {time_ns} ns {of}; record again on a machine \
                 with a steady clock"
            );
            return Err(Flaw::Wrong(why));
        }
        Ok(time_ns.unsigned_abs())
    }

    fn argument(&mut self, kind: ArgumentKind) -> Result<Argument, Flaw> {
        Ok(match kind {
            ArgumentKind::Number => Argument::Number(self.bytes.number()?),
            ArgumentKind::Type => Argument::Type(self.bytes.count()?),
            ArgumentKind::Handle => Argument::Number(self.handle()?),
            ArgumentKind::Group => {
                let number = self.bytes.count()?;
                let group = u32::try_from(number).ok();
                let group = group.filter(|it| (*it as usize) < self.groups.len());
                let why = || Flaw::wrong(format!("unknown communicator {number}"));
                Argument::Group(group.ok_or_else(why)?)
            }
            ArgumentKind::Numbers | ArgumentKind::Handles => {
                let count = self.bytes.count()?;
                if count > LIST_MAX {
                    return Err(Flaw::wrong(format!(
                        "a list of {count} numbers is too long"
                    )));
                }
                let is_handles = matches!(kind, ArgumentKind::Handles);
                let numbers = (0..count).map(|_| {
                    if is_handles {
                        self.handle()
                    } else {
                        self.bytes.number()
                    }
                });
                Argument::List(numbers.collect::<Result<_, Flaw>>()?)
            }
        })
    }

    fn handle(&mut self) -> Result<i64, Flaw> {
        self.last_handle = self.last_handle.wrapping_add(self.bytes.number()?);
        Ok(self.last_handle)
    }
}

fn number_of(entries: usize) -> u32 {
    u32::try_from(entries).unwrap_or(u32::MAX)
}

fn has_room(count: usize) -> Result<(), Flaw> {
    if count > ENTRIES_MAX {
        return Err(Flaw::wrong(format!(
            "there are more than {ENTRIES_MAX} entries"
        )));
    }
    Ok(())
}
