//! Finds call sites in a program, and the functions that contain them.
//!
//! `addr2line` (GNU binutils) reads the names from debug information right after the recording. For
//! recordings from other machines, no program file is opened.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use prophet_import::Recording;
use prophet_import::recording::{FUNCTIONS, Functions, NamedSite, RankRecording, Site};
use prophet_text::{Context as _, Problem};

use crate::between::{Code, without_arguments};

/// A call site's module, its offset or lines, and the region that contains it.
type Address = (String, u64, String);

#[derive(Debug, Default)]
pub(crate) struct Places {
    numbers: BTreeMap<Address, u32>,
    functions: Vec<String>,
    /// The function that computes before each call site; empty if unknown.
    computing: Vec<String>,
}

/// Returns the address of a call site. Modules are identified by file name, because programs can be
/// moved.
fn address(rank: &RankRecording, site: &Site) -> Address {
    let module = usize::try_from(site.module).ok();
    let path = module.and_then(|it| rank.modules.get(it));
    let name = path.and_then(|it| Path::new(it).file_name());
    let name = name.unwrap_or_default().to_string_lossy().into_owned();
    if site.lines.is_empty() {
        (name, site.offset, site.region.clone())
    } else {
        (name, 0, format!("{} {}", site.region, site.lines))
    }
}

impl Places {
    /// Returns the call sites of runs, and the names of their functions.
    pub(crate) fn of<'r>(runs: impl Iterator<Item = &'r Recording>) -> Self {
        let mut places = Self::default();
        for rank in runs.flat_map(Recording::ranks) {
            for site in &rank.sites {
                let next = u32::try_from(places.functions.len()).unwrap_or(u32::MAX);
                let number = *places.numbers.entry(address(rank, site)).or_insert(next);
                if number < next {
                    continue;
                }
                // The program chooses the names of its marked regions.
                let is_marked = !site.region.is_empty();
                let name = if is_marked {
                    &site.region
                } else {
                    &site.function
                };
                places.functions.push(name.clone());
                places.computing.push(site.computing.clone());
            }
        }
        places
    }

    /// Returns, for each call site, the name of the function that contains it and of the function
    /// that computes before it.
    pub(crate) fn names(&self) -> (&[String], &[String]) {
        (&self.functions, &self.computing)
    }

    pub(crate) fn numbers(&self, rank: &RankRecording) -> Vec<u32> {
        let sites = rank.sites.iter().map(|it| address(rank, it));
        sites.map(|it| self.numbers[&it]).collect()
    }
}

/// Writes the function names in a new recording to its folder, as far as the program's debug
/// information contains them.
///
/// # Errors
///
/// Returns an error if the file can't be written.
pub(crate) fn name_functions(folder: &Path, recording: &Recording) -> Result<(), Problem> {
    let mut offsets: BTreeMap<&String, BTreeSet<u64>> = BTreeMap::new();
    for rank in recording.ranks() {
        for site in rank.sites.iter().filter(|it| it.region.is_empty()) {
            let module = usize::try_from(site.module).ok();
            if let Some(path) = module.and_then(|it| rank.modules.get(it)) {
                offsets.entry(path).or_default().insert(site.offset);
            }
        }
    }
    let all = offsets
        .into_iter()
        .map(|(path, offsets)| (path.clone(), functions(path, &offsets)));
    let text = serde_json::to_string_pretty(&all.collect::<Functions>()).told()?;
    prophet_files::save(
        &folder.join(FUNCTIONS),
        prophet_text::plain::json(&text) + "\n",
    )
}

/// Returns, for each call site in a module, the name of the function that contains it and of the
/// function that computes before it. Several sites can
/// belong to the same lines.
fn functions(path: &str, offsets: &BTreeSet<u64>) -> BTreeMap<u64, NamedSite> {
    let mut command = Command::new("addr2line");
    command.args(["--functions", "--demangle", "--basenames", "--exe", path]);
    // A call comes before the address to which it returns.
    let before = offsets
        .iter()
        .map(|it| format!("{:#x}", it.saturating_sub(1)));
    let output = command.args(before).stdin(Stdio::null()).output();
    let text = output.map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
    let text = text.unwrap_or_default();
    let mut around = text.lines().step_by(2);
    let code = Code::of(path, offsets.iter().copied());
    let named = |offset: &u64| {
        let around = around.next().filter(|it| !it.starts_with('?'));
        let function = around.map_or(String::new(), without_arguments);
        let computing = code.computing_before(*offset).to_owned();
        let lines = code.lines_of(*offset);
        (*offset, NamedSite(function, computing, lines))
    };
    offsets.iter().map(named).collect()
}
