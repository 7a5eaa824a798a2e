//! Places of calls in a program, and the functions that have them, by the debug information that
//! `addr2line` (GNU binutils) reads.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use prophet_import::Recording;
use prophet_import::recording::{RankRecording, Site};

use crate::between::{Code, without_arguments};

/// Module and offset of a place, and the region around it.
type Address = (String, u64, String);

/// Places of all runs.
#[derive(Debug, Default)]
pub(crate) struct Places {
    numbers: BTreeMap<Address, u32>,
    functions: Vec<String>,
    /// The function that computes before each place; empty if it is not known.
    computing: Vec<String>,
    /// Places of each module, and their offsets.
    modules: BTreeMap<String, Vec<(u32, u64)>>,
}

/// The place in a module: modules are known by the names of their files, as a program may be moved.
fn address(rank: &RankRecording, site: &Site) -> Address {
    let module = usize::try_from(site.module).ok();
    let path = module.and_then(|it| rank.modules.get(it));
    let name = path.and_then(|it| Path::new(it).file_name());
    let name = name.unwrap_or_default().to_string_lossy().into_owned();
    (name, site.offset, site.region.clone())
}

impl Places {
    /// The places of runs, with the names of their functions.
    pub(crate) fn of<'r>(runs: impl Iterator<Item = &'r Recording>) -> Self {
        let mut places = Self::default();
        let mut modules: BTreeMap<String, Vec<(u32, u64)>> = BTreeMap::new();
        for rank in runs.flat_map(Recording::ranks) {
            for site in &rank.sites {
                let next = u32::try_from(places.functions.len()).unwrap_or(u32::MAX);
                let number = *places.numbers.entry(address(rank, site)).or_insert(next);
                if number < next {
                    continue;
                }
                // A region that the program marks has a name of the program's choice.
                if !site.region.is_empty() {
                    places.functions.push(site.region.clone());
                    continue;
                }
                places.functions.push(site.function.clone());
                let module = usize::try_from(site.module).ok();
                if let Some(path) = module.and_then(|it| rank.modules.get(it)) {
                    let places = modules.entry(path.clone()).or_default();
                    places.push((number, site.offset));
                }
            }
        }
        places.computing = vec![String::new(); places.functions.len()];
        for (path, offsets) in &modules {
            places.name(path, offsets);
        }
        places.modules = modules;
        places
    }

    /// Names the functions of places in a module, as far as its debug information allows.
    fn name(&mut self, path: &str, offsets: &[(u32, u64)]) {
        let mut command = Command::new("addr2line");
        command.args(["--functions", "--demangle", "--basenames", "--exe", path]);
        // The call is before the place to which it returns.
        let before = offsets
            .iter()
            .map(|it| format!("{:#x}", it.1.saturating_sub(1)));
        let output = command.args(before).stdin(Stdio::null()).output();
        let Ok(output) = output else { return };
        let text = String::from_utf8_lossy(&output.stdout);
        let names = text.lines().step_by(2);
        for ((number, _), name) in offsets.iter().zip(names) {
            if !name.starts_with('?') {
                self.functions[*number as usize] = without_arguments(name);
            }
        }
    }

    /// Names of the functions of all places, and of the functions that compute before them, which
    /// takes longer.
    pub(crate) fn names(&mut self) -> (&[String], &[String]) {
        for (path, offsets) in &self.modules {
            let code = Code::of(path, offsets.iter().map(|it| it.1));
            for (number, offset) in offsets {
                let name = code.computing_before(*offset).to_owned();
                self.computing[*number as usize] = name;
            }
        }
        (&self.functions, &self.computing)
    }

    /// Names of the functions of all places.
    pub(crate) fn functions(&self) -> &[String] {
        &self.functions
    }

    /// Numbers of the places of a rank.
    pub(crate) fn numbers(&self, rank: &RankRecording) -> Vec<u32> {
        let sites = rank.sites.iter().map(|it| address(rank, it));
        sites.map(|it| self.numbers[&it]).collect()
    }
}
