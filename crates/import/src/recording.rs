//! Reads recordings that `record` made of running programs: folders that contain a file for each
//! rank.
//!
//! | module | is |
//! |---|---|
//! | `bytes` | numbers and texts in a file |
//! | `regions` | regions that the program marks |
//! | `calls` | a rank's calls |

mod bytes;
mod calls;
mod regions;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prophet_text::Problem;

use crate::event::Group;
pub(crate) use calls::{Argument, Calls, RecordedCall};
pub use calls::{MemberRanks, Site};
pub use regions::{Counts, Parallel, Region};

const BUFFER: usize = 1 << 16;
const RANKS_MAX: u32 = 1 << 20;

/// File in a recording that names the functions at call sites, if debug information contains their
/// names.
pub const FUNCTIONS: &str = "functions.json";
/// Maximum size of the file with function names, in bytes.
const FUNCTIONS_MAX: u64 = 64 << 20;

/// What debug information says about call sites, by module and by the offset in the module.
pub type Functions = BTreeMap<String, BTreeMap<u64, NamedSite>>;

/// The function that contains a call site, the function that computes before it, and the functions
/// and lines in the source code, which can have several call sites. All can be empty if unknown.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct NamedSite(
    pub String,
    pub String,
    #[serde(default, skip_serializing_if = "String::is_empty")] pub String,
);

#[derive(Debug)]
pub struct Recording {
    folder: PathBuf,
    ranks: Vec<RankRecording>,
    /// Groups, by their members, except for the group of all ranks in order.
    groups: BTreeMap<Vec<u32>, Arc<Group>>,
}

/// What was recorded about one rank, except for its calls.
#[derive(Debug, Clone, Default)]
pub struct RankRecording {
    /// Number of calls of each MPI function, by the function's name without `MPI_`.
    pub calls: BTreeMap<String, u64>,
    /// CPU time between MPI calls, in nanoseconds.
    pub computing_ns: u64,
    /// Number of instructions and cache misses between MPI calls.
    pub counts: Counts,
    /// Why no instructions or cache misses were counted; empty if the counters worked.
    pub uncounted: String,
    /// Regions that the program marked, by name.
    pub regions: BTreeMap<String, Region>,
    /// How many OpenMP parallel regions the rank ran, with how many threads and for how long.
    pub parallel: Parallel,
    /// Whether OpenMP used several threads with a runtime that doesn't report parallel regions.
    pub has_unreported_threads: bool,
    /// Time between MPI calls in which the rank slept, or waited for files or other processes, in
    /// nanoseconds.
    pub blocked_ns: u64,
    /// Time from `MPI_Init` to the end of the last call, in nanoseconds.
    pub wall_ns: u64,
    /// Time that the recorder itself takes per call, in nanoseconds.
    pub overhead_ns: u64,
    /// Path of the executable.
    pub program: String,
    /// The command line that the program was run with.
    pub command: Vec<String>,
    /// Parameters of the run, as the user gave them.
    pub parameters: BTreeMap<String, String>,
    /// Files that call MPI: the program and its libraries.
    pub modules: Vec<String>,
    /// The places in the modules that call MPI.
    pub sites: Vec<Site>,
    /// For each call site, the number of calls, and the time in and before them.
    pub spent: Vec<Region>,
    /// Number of threads that called MPI.
    pub threads: u64,
    /// Number of calls that failed; these calls have no records.
    pub failed: u64,
    /// Whether the program called `MPI_Finalize`.
    pub is_over: bool,
}

impl RankRecording {
    /// Adds a call's time to its call site. Initializing and finalizing MPI don't count as work of
    /// the program.
    fn spend(&mut self, call: &RecordedCall, function: &str) {
        let is_work = !matches!(function, "Init" | "Init_thread" | "Finalize");
        let place = call.site as usize;
        if self.spent.len() <= place {
            self.spent.resize(place + 1, Region::default());
        }
        self.spent[place] += &Region {
            times: 1,
            computing_ns: call.computing_ns,
            calls_ns: u64::from(is_work) * (call.end_ns - call.start_ns),
            counts: call.counts,
        };
    }
}

fn file_name(rank: u32) -> String {
    format!("rank-{rank}.calls")
}

/// Returns the folder of a recording; `path` is the folder, or one of its files.
pub(crate) fn folder(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return has_ranks(path).then(|| path.to_owned());
    }
    let mut begin = Vec::new();
    let file = File::open(path).ok()?;
    file.take(calls::BEGIN.len() as u64)
        .read_to_end(&mut begin)
        .ok()?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    (begin == calls::BEGIN).then(|| folder.unwrap_or(Path::new(".")).to_owned())
}

fn has_ranks(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    let mut names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
    names.any(|name| {
        let rest = name.strip_prefix("rank-");
        let number = rest.and_then(|it| it.strip_suffix(".calls"));
        number.is_some_and(|it| it.parse::<u32>().is_ok())
    })
}

impl Recording {
    /// Reads a recording, including all calls, so that errors are reported up front.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder contains no recording, if a rank's file is missing, invalid,
    /// or from another recording, or if a rank didn't call `MPI_Finalize`.
    pub fn open(folder: &Path) -> Result<Self, Problem> {
        let recording = Self::open_early(folder)?;
        let early = recording.ranks.iter().zip(0..).find(|it| !it.0.is_over);
        if let Some((_, rank)) = early {
            let mut calls = recording.calls(rank)?;
            while calls.next(&mut RecordedCall::default())? {}
            return Err(calls.cut());
        }
        Ok(recording)
    }

    /// Reads a recording in which some ranks may not have called `MPI_Finalize`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Self::open`], except if a rank didn't call `MPI_Finalize`.
    pub fn open_early(folder: &Path) -> Result<Self, Problem> {
        let mut recording = Self {
            folder: folder.to_owned(),
            ranks: Vec::new(),
            groups: BTreeMap::new(),
        };
        let count = recording.count()?;
        for rank in 0..count {
            let rank = recording.rank(rank, count)?;
            recording.ranks.push(rank);
        }
        recording.name_functions()?;
        Ok(recording)
    }

    /// Names the functions around call sites, from debug information collected where the program
    /// ran. The program itself is never opened, because a recording may come from a stranger.
    fn name_functions(&mut self) -> Result<(), Problem> {
        let file = self.folder.join(FUNCTIONS);
        if !file.exists() {
            return Ok(());
        }
        let bytes = prophet_files::read_beside(&file, FUNCTIONS, FUNCTIONS_MAX);
        let bytes = bytes.map_err(|why| Problem::unread(&file, why))?;
        let all: Functions =
            serde_json::from_slice(&bytes).map_err(|why| Problem::of(&file, why.to_string()))?;
        for rank in &mut self.ranks {
            for site in &mut rank.sites {
                let module = usize::try_from(site.module).ok();
                let module = module.and_then(|it| rank.modules.get(it));
                let name = module.and_then(|it| all.get(it)?.get(&site.offset));
                if let Some(NamedSite(function, computing, lines)) = name {
                    if !function.is_empty() {
                        site.function.clone_from(function);
                    }
                    site.computing.clone_from(computing);
                    site.lines.clone_from(lines);
                }
            }
        }
        Ok(())
    }

    /// Returns the number of ranks according to the first file.
    fn count(&self) -> Result<u32, Problem> {
        let file = self.first()?;
        let mut calls = Calls::open(&file, BUFFER)?;
        calls.next(&mut RecordedCall::default())?;
        let count = calls.info("ranks").parse().unwrap_or(0);
        if count == 0 {
            return Err(calls.cut());
        }
        if count > RANKS_MAX {
            let why = format!("the recording has {count} ranks; up to {RANKS_MAX} are supported");
            return Err(Problem::of(&file, why));
        }
        Ok(count)
    }

    fn first(&self) -> Result<PathBuf, Problem> {
        let first = self.file(0);
        if !first.is_file() {
            let why = if !self.folder.exists() {
                "there is no such folder; pass the folder of a recording"
            } else if self.folder.is_file() {
                "it is a file; pass the folder of a recording, which `record -- mpirun …` creates"
            } else if has_ranks(&self.folder) {
                "`rank-0.calls`, the file of rank 0, is missing; copy all files of the recording, \
                 or record again"
            } else {
                "the folder does not contain a recording; create one with `record -- mpirun …`"
            };
            return Err(Problem::of(&self.folder, why));
        }
        Ok(first)
    }

    fn file(&self, rank: u32) -> PathBuf {
        self.folder.join(file_name(rank))
    }

    fn rank(&mut self, number: u32, count: u32) -> Result<RankRecording, Problem> {
        let file = self.file(number);
        if !file.is_file() {
            let why = format!(
                "the file of rank {number} is missing: the recording has {count} ranks; copy all \
                 files of the recording, or record again"
            );
            return Err(Problem::of(&file, why));
        }
        let mut calls = Calls::open(&file, BUFFER)?;
        let mut rank = RankRecording::default();
        let mut counts: Vec<u64> = Vec::new();
        let mut call = RecordedCall::default();
        while calls.next(&mut call)? {
            if counts.len() <= call.function {
                counts.resize(call.function + 1, 0);
            }
            counts[call.function] += 1;
            rank.computing_ns = rank.computing_ns.saturating_add(call.computing_ns);
            rank.counts += call.counts;
            rank.spend(&call, calls.function(call.function));
            rank.wall_ns = call.end_ns;
            rank.threads = rank.threads.max(calls.thread() + 1);
            rank.is_over = calls.function(call.function) == "Finalize";
        }
        let whose = (calls.info("rank"), calls.info("ranks"));
        if rank.is_over && whose != (&number.to_string(), &count.to_string()) {
            let why = format!(
                "the file contains rank {} of {}, but its name says rank {number} of {count}: the \
                 folder mixes several recordings; record again into an empty folder",
                whose.0, whose.1
            );
            return Err(Problem::of(&file, why));
        }
        for (function, count) in (0..).zip(counts) {
            let name = calls.function(function).to_owned();
            *rank.calls.entry(name).or_default() += count;
        }
        rank.calls.retain(|_, count| *count > 0);
        rank.overhead_ns = calls.info("overhead_ns").parse().unwrap_or(0);
        rank.blocked_ns = calls.info("blocked_ns").parse().unwrap_or(0);
        rank.failed = calls.info("failed").parse().unwrap_or(0);
        rank.regions = calls.regions().by_name();
        rank.parallel = calls.parallel();
        rank.has_unreported_threads = calls.info("openmp") == "unreported";
        calls.info("counters").clone_into(&mut rank.uncounted);
        calls.info("program").clone_into(&mut rank.program);
        rank.command = calls.info("command").lines().map(str::to_owned).collect();
        let parameters = calls.info("parameters").lines();
        rank.parameters = parameters
            .filter_map(|it| it.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        rank.modules = calls.modules().to_vec();
        rank.sites = calls.sites().to_vec();
        self.add_groups(calls.groups(), count);
        Ok(rank)
    }

    fn add_groups(&mut self, groups: &[MemberRanks], ranks: u32) {
        for group in groups {
            let members = &group.members;
            if is_all(members, ranks) || self.groups.contains_key(members) {
                continue;
            }
            let number = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
            let members = members.clone();
            let group = Group {
                number,
                members: members.clone(),
            };
            self.groups.insert(members, Arc::new(group));
        }
    }

    /// Returns what was recorded about each rank, in rank order.
    pub fn ranks(&self) -> &[RankRecording] {
        &self.ranks
    }

    /// Returns the number of groups, not counting the group of all ranks in order.
    pub(crate) fn groups(&self) -> u32 {
        u32::try_from(self.groups.len()).unwrap_or(u32::MAX)
    }

    /// Returns the group with these members; `None` for all ranks in order.
    pub(crate) fn group(&self, members: &[u32]) -> Option<Arc<Group>> {
        self.groups.get(members).cloned()
    }

    pub(crate) fn calls(&self, rank: u32) -> Result<Calls, Problem> {
        let buffer = (256 << 20) / self.ranks.len().max(1);
        Calls::open(&self.file(rank), buffer.clamp(1 << 10, BUFFER))
    }
}

/// Returns `true` if `members` are all ranks in order.
pub(crate) fn is_all(members: &[u32], ranks: u32) -> bool {
    members.len() == ranks as usize && members.iter().zip(0..).all(|(it, rank)| *it == rank)
}
