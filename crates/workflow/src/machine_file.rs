//! Reads machine files: sites, hosts, storage, networks and queues in TOML, or machines for MPI
//! programs.

mod nodes;
mod wait;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prophet_runtime::Machine;
use prophet_runtime::quantity::{bytes, bytes_per_second, seconds};
use prophet_text::{FileRole, Problem, did_you_mean, toml_mistake};
use serde::Deserialize;
use toml::Spanned;

use crate::{
    Group, HostLink, Job, Policy, Queue, QueueWait, SharedStorage, WorkflowMachine, quoted, swf,
    text_file,
};

const LARGEST_BYTES: u64 = 1 << 20;
const HELP: &str = "Correct the entry; `docs/workflows.md` lists all entries.";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entries {
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(default, rename = "site")]
    sites: Vec<SiteEntry>,
    #[serde(default)]
    hosts: Vec<Spanned<HostsEntry>>,
    network: Option<LinkEntry>,
    between_sites: Option<LinkEntry>,
}

type SpannedText = Option<Spanned<String>>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SiteEntry {
    name: Spanned<String>,
    read_bandwidth: SpannedText,
    write_bandwidth: SpannedText,
    submit_delay: SpannedText,
    cycle: SpannedText,
    wait: SpannedText,
    log: SpannedText,
    log_start: SpannedText,
    scheduler: SpannedText,
    price: Option<Spanned<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct HostsEntry {
    name: String,
    site: SpannedText,
    count: Option<u32>,
    cores: u32,
    speed: Option<f64>,
    operations_per_second: Option<f64>,
    memory: SpannedText,
    disk_read_bandwidth: SpannedText,
    disk_write_bandwidth: SpannedText,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LinkEntry {
    bandwidth: Spanned<String>,
    latency: SpannedText,
    #[serde(default)]
    shared: bool,
}

/// Reads a machine file and the logs that it refers to.
///
/// # Errors
///
/// Returns the first error, with its file and line.
pub fn read(path: &Path) -> Result<WorkflowMachine, Problem> {
    let name = text_file::shown(path);
    let text = text_file::read(path, LARGEST_BYTES).map_err(|it| it.in_file(name.clone()))?;
    let log = |log: &str, from_s| {
        let text = text_file::read_beside(path, log, swf::LARGEST_BYTES);
        let log_file = text_file::shown(&path.with_file_name(log));
        let log = text.and_then(|text| swf::parse(&text, from_s));
        log.map_err(|it| it.in_file(log_file))
    };
    parse(&text, &log).map_err(|it| it.or_in_file(name))
}

/// What the value of `--machine` refers to.
#[derive(Debug)]
pub enum Named {
    /// Sites with hosts, read from a file.
    Sites(Box<WorkflowMachine>),
    Nodes(Box<Machine>),
}

pub use nodes::NodeHosts;

impl Named {
    /// Finds a machine by name or by the path of its file.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such machine or file, or the first error in the file.
    pub fn find(name: &Path) -> Result<Self, Problem> {
        if let Some(machine) = preset(name) {
            return Ok(Self::Nodes(Box::new(machine)));
        }
        if !name.exists() && name.extension().is_none() {
            let message = Machine::unknown(&prophet_text::plain::line(&name.to_string_lossy()));
            let help = "Name a machine, or a machine file.";
            return Err(Problem::with_help(message, help));
        }
        let format = prophet_files::format_of(name);
        if let Some(told) = format.and_then(|it| it.unless(FileRole::Machine)) {
            let help = "Name a machine, or a machine file.";
            return Err(Problem::with_help(told, help).in_file(text_file::shown(name)));
        }
        if is_of_sites(name) {
            return Ok(Self::Sites(Box::new(read(name)?)));
        }
        let machine = Machine::read(&name.to_string_lossy());
        let machine = machine.map_err(|mut it| {
            if it.help.is_empty() {
                it.help = "Correct the machine file; docs/machines.md lists all entries.".into();
            }
            it
        })?;
        Ok(Self::Nodes(Box::new(machine)))
    }

    /// Turns the first `nodes` nodes of a machine for MPI programs into hosts with `cores` cores
    /// each. The defaults are the machine's numbers; if it doesn't specify them, they are 1 node
    /// and `most` cores.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine has fewer nodes, or no route between two of them.
    pub fn hosts(
        machine: &Machine,
        nodes: Option<u32>,
        cores: Option<u32>,
        most: u32,
    ) -> Result<NodeHosts, Problem> {
        nodes::hosts(machine, nodes, cores, most)
    }
}

fn preset(name: &Path) -> Option<Machine> {
    Machine::preset(name.to_str()?)
}

/// Returns the file that `--machine` names; `None` for a built-in machine.
pub(crate) fn file(name: &Path) -> Option<&Path> {
    preset(name).is_none().then_some(name)
}

/// Returns `true` if a file contains sites or hosts. Files that aren't TOML count too, because the
/// reader of such files reports the error.
fn is_of_sites(path: &Path) -> bool {
    if path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("xml"))
    {
        return false;
    }
    let text = text_file::read(path, LARGEST_BYTES).ok();
    let table = text.and_then(|it| it.parse::<toml::Table>().ok());
    let of_sites = ["hosts", "site", "between-sites"];
    table.is_none_or(|it| of_sites.iter().any(|key| it.contains_key(*key)))
}

/// Returns the paths of the logs that a machine file refers to; empty if the file can't be read.
pub(crate) fn logs(path: &Path) -> Vec<PathBuf> {
    let text = text_file::read(path, LARGEST_BYTES).unwrap_or_default();
    let entries: Result<Entries, _> = toml::from_str(&text);
    let sites = entries.map(|it| it.sites).unwrap_or_default();
    let logs = sites.iter().filter_map(|it| it.log.as_ref());
    logs.map(|it| path.with_file_name(it.get_ref())).collect()
}

/// Reads the log with this name. The second argument is the time that counts as 0.
type Logs<'a> = &'a dyn Fn(&str, f64) -> Result<swf::Log, Problem>;

fn parse(text: &str, logs: Logs<'_>) -> Result<WorkflowMachine, Problem> {
    let entries: Entries = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |it| it.start);
        let message = prophet_text::plain::line(&toml_mistake(text, error.span(), error.message()));
        TextLines(text).problem(start, message)
    })?;
    let reader = MachineReader {
        lines: TextLines(text),
        logs,
    };
    reader.machine(&entries)
}

/// The text of the file, to find the line at an offset.
#[derive(Debug, Clone, Copy)]
struct TextLines<'a>(&'a str);

impl TextLines<'_> {
    fn line(self, start: usize) -> u64 {
        let before = self.0.get(..start).unwrap_or_default();
        before.matches('\n').count() as u64 + 1
    }

    fn problem(self, start: usize, what: impl Into<String>) -> Problem {
        Problem::with_help(what, HELP).on_line(self.line(start))
    }

    fn value<T, E: std::fmt::Display>(
        self,
        entry: &SpannedText,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Problem> {
        let parse = |entry: &Spanned<String>| {
            let value = parse(entry.get_ref());
            value.map_err(|it| self.problem(entry.span().start, it.to_string()))
        };
        entry.as_ref().map(parse).transpose()
    }

    /// Returns storage with two bandwidths. Neither can be specified without the other.
    fn storage(
        self,
        read: &SpannedText,
        write: &SpannedText,
    ) -> Result<Option<SharedStorage>, Problem> {
        let rates = [
            self.value(read, bytes_per_second)?,
            self.value(write, bytes_per_second)?,
        ];
        match rates {
            [Some(read_bytes_per_s), Some(write_bytes_per_s)] => Ok(Some(SharedStorage {
                read_bytes_per_s,
                write_bytes_per_s,
            })),
            [None, None] => Ok(None),
            _ => {
                let start = read
                    .as_ref()
                    .or(write.as_ref())
                    .map_or(0, |it| it.span().start);
                let what = "storage needs a read bandwidth and a write bandwidth";
                Err(self.problem(start, what))
            }
        }
    }
}

struct MachineReader<'a> {
    lines: TextLines<'a>,
    logs: Logs<'a>,
}

impl MachineReader<'_> {
    fn machine(&self, entries: &Entries) -> Result<WorkflowMachine, Problem> {
        let mut sites: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, site) in entries.sites.iter().enumerate() {
            let name = site.name.get_ref();
            if sites.insert(name, number).is_some() {
                let what = format!("duplicate site {}", quoted(name));
                return Err(self.lines.problem(site.name.span().start, what));
            }
        }
        let mut groups = Vec::new();
        for hosts in &entries.hosts {
            groups.push(self.group(hosts.get_ref(), &sites)?);
        }
        for (site, entry) in entries.sites.iter().enumerate() {
            if !groups.iter().any(|it| it.site == site) {
                let what = format!("the site {} has no hosts", quoted(entry.name.get_ref()));
                return Err(self.lines.problem(entry.name.span().start, what));
            }
        }
        // The index of a group is also the index of its entry.
        let mut machine = WorkflowMachine::new(groups).map_err(|it| {
            let entry = it.group.and_then(|number| entries.hosts.get(number));
            let start = entry.map_or(0, |it| it.span().start);
            it.problem.on_line(self.lines.line(start))
        })?;
        for (number, site) in entries.sites.iter().enumerate() {
            self.site(site, number, &mut machine)?;
        }
        machine.within = self.link(entries.network.as_ref())?;
        machine.between = self.link(entries.between_sites.as_ref())?;
        Ok(machine)
    }

    fn group(&self, entry: &HostsEntry, sites: &BTreeMap<&str, usize>) -> Result<Group, Problem> {
        let site = self.lines.value(&entry.site, |name| {
            sites.get(name).copied().ok_or_else(|| {
                let meant = did_you_mean(name, sites.keys().copied());
                format!("unknown site {}{meant}", quoted(name))
            })
        })?;
        let mut group = Group::new(&entry.name, entry.count.unwrap_or(1), entry.cores);
        group.site = site.unwrap_or(0);
        group.speed = entry.speed.unwrap_or(group.speed);
        group.operations_per_s = entry
            .operations_per_second
            .unwrap_or(group.operations_per_s);
        let memory = self.lines.value(&entry.memory, bytes)?;
        group.memory_bytes = memory.unwrap_or(u64::MAX);
        let disk = [&entry.disk_read_bandwidth, &entry.disk_write_bandwidth];
        group.disk = self.lines.storage(disk[0], disk[1])?;
        Ok(group)
    }

    fn site(
        &self,
        entry: &SiteEntry,
        site: usize,
        machine: &mut WorkflowMachine,
    ) -> Result<(), Problem> {
        let lines = self.lines;
        machine.site_names[site].clone_from(entry.name.get_ref());
        machine.shared[site] = lines.storage(&entry.read_bandwidth, &entry.write_bandwidth)?;
        if let Some(price) = &entry.price {
            let value = *price.get_ref();
            if !(value.is_finite() && value >= 0.0) {
                let what = format!("expected a price of 0 or more, found {value}");
                return Err(lines.problem(price.span().start, what));
            }
            machine.prices[site] = value;
        }
        let policy = lines.value(&entry.scheduler, |name| match name {
            "fcfs" => Ok(Policy::Fcfs),
            "easy" => Ok(Policy::Easy),
            _ => Err(format!(
                "unknown queue scheduler {}; use fcfs or easy",
                quoted(name)
            )),
        })?;
        machine.queues[site] = Queue {
            submit_delay_s: lines.value(&entry.submit_delay, seconds)?.unwrap_or(0.0),
            cycle_s: lines.value(&entry.cycle, seconds)?.unwrap_or(0.0),
            wait: lines
                .value(&entry.wait, wait::parse)?
                .unwrap_or(QueueWait::default()),
            jobs: self.jobs(entry, machine.site_cores(site))?.into(),
            policy: policy.unwrap_or_default(),
            ..Queue::default()
        };
        Ok(())
    }

    /// Returns the jobs in a site's log. Each job must fit on the site's cores.
    fn jobs(&self, entry: &SiteEntry, cores: u64) -> Result<Vec<Job>, Problem> {
        let from_s = self.lines.value(&entry.log_start, seconds)?;
        let Some(name) = &entry.log else {
            let without = [&entry.log_start, &entry.scheduler];
            if let Some(first) = without.into_iter().flatten().next() {
                let what = "the entry needs a `log`";
                return Err(self.lines.problem(first.span().start, what));
            }
            return Ok(Vec::new());
        };
        let log = (self.logs)(name.get_ref(), from_s.unwrap_or(0.0))?;
        if let Some((job, line)) = log.jobs.iter().find(|it| u64::from(it.0.cores) > cores) {
            let of = log.processors.map_or(String::new(), |it| {
                format!("; the log is from a system with {it} processors")
            });
            let what = format!(
                "the job in line {line} of the log {} needs {} cores, but the site has {cores}{of}",
                quoted(name.get_ref()),
                job.cores
            );
            return Err(self.lines.problem(name.span().start, what));
        }
        Ok(log.jobs.into_iter().map(|it| it.0).collect())
    }

    fn link(&self, entry: Option<&LinkEntry>) -> Result<Option<HostLink>, Problem> {
        let Some(entry) = entry else {
            return Ok(None);
        };
        let bandwidth = Some(entry.bandwidth.clone());
        let bytes_per_s = self.lines.value(&bandwidth, bytes_per_second)?;
        let latency_s = self.lines.value(&entry.latency, seconds)?;
        Ok(bytes_per_s.map(|bytes_per_s| HostLink {
            bytes_per_s,
            latency_s: latency_s.unwrap_or(0.0),
            is_shared: entry.shared,
        }))
    }
}
