//! Flags, and the machines that they describe.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use super::recorded_hosts;
use crate::schedulers::NAMES;
use crate::wfformat::Instance;
use crate::{Group, Link, Machine, Problem, Queue, Storage};

/// The scheduler that leaves each task where it was recorded.
pub(super) const RECORDED: &str = "recorded";
/// Predictions that one command makes at most.
const MOST: usize = 1_000;

/// Predicts a recorded workflow in WfFormat 1.5
#[derive(Debug, Parser)]
#[allow(clippy::doc_markdown, reason = "the help shows it as it is")]
#[command(name = "run", version)]
pub(super) struct Arguments {
    /// The instance, in JSON
    pub(super) file: PathBuf,
    /// Scheduler: recorded, fcfs, easy, conservative, data-aware, min-min, max-min, heft, cpop or
    /// peft; several with commas, or `all`, are compared [default: recorded, where the hosts of all
    /// tasks are; else fcfs]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    scheduler: Vec<String>,
    /// Number of hosts, each as the first recorded one; several numbers with commas are compared
    /// [default: the recorded hosts]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    hosts: Vec<u32>,
    /// Cores of each host [default: those recorded]
    #[arg(long, value_name = "NUMBER")]
    cores: Option<u32>,
    /// Speed of each host, as a multiple of that of the recorded hosts
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    speed: f64,
    /// Bytes a second that all tasks together read from the shared file system [default: files
    /// take no time, since recorded times have their reading in them]
    #[arg(long, value_name = "BYTES/S", requires = "write_bandwidth")]
    read_bandwidth: Option<f64>,
    /// Bytes a second that all tasks together write to the shared file system
    #[arg(long, value_name = "BYTES/S", requires = "read_bandwidth")]
    write_bandwidth: Option<f64>,
    /// Bytes a second between two hosts, where there is no shared file system
    #[arg(long, value_name = "BYTES/S", conflicts_with = "read_bandwidth")]
    bandwidth: Option<f64>,
    /// Seconds before the first byte between two hosts
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 0.0,
        requires = "bandwidth"
    )]
    latency: f64,
    /// Seconds that a task waits in the queue before it can start
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    submit_delay: f64,
    /// Seconds between the cycles at which the queue lets tasks start
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    cycle: f64,
    /// Form of the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// Write the instance with the prediction as its execution
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Read a drawing, whose parameters are flags, too
    #[arg(long, hide = true)]
    pub(super) drawn: bool,
    /// The activity to start with, where a drawing leaves it open
    #[arg(long, value_name = "NAME", hide = true, requires = "drawn")]
    pub(super) main: Option<String>,
    /// Assume what a drawing leaves open
    #[arg(long, hide = true, requires = "drawn")]
    pub(super) assume: bool,
}

/// Form of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Table,
    Json,
}

impl Arguments {
    /// Names of the schedulers.
    pub(super) fn schedulers(&self, instance: &Instance) -> Result<Vec<String>, Problem> {
        if self.scheduler == ["all"] {
            return Ok(NAMES.iter().map(|it| it.0.to_owned()).collect());
        }
        if !self.scheduler.is_empty() {
            let is_recorded = self.scheduler.iter().any(|it| it == RECORDED);
            if is_recorded && !self.hosts.is_empty() {
                let what = "`--scheduler recorded` needs the recorded hosts";
                return Err(Problem::new(what, "Leave out `--hosts`."));
            }
            return Ok(self.scheduler.clone());
        }
        let is_recorded = self.hosts.is_empty() && recorded_hosts(instance).is_some();
        let name = if is_recorded { RECORDED } else { "fcfs" };
        Ok(vec![name.to_owned()])
    }

    /// The machines: the recorded one, or one for each number of hosts.
    pub(super) fn machines(&self, instance: &Instance) -> Result<Vec<Machine>, Problem> {
        let recorded = instance
            .recorded
            .as_ref()
            .and_then(|it| it.machine.as_ref());
        let schedulers = self.schedulers(instance)?.len();
        if self.hosts.len().saturating_mul(schedulers) > MOST {
            let what = format!("these are more than {MOST} predictions");
            return Err(Problem::new(what, "Give fewer numbers or schedulers."));
        }
        let mut machines = Vec::new();
        if self.hosts.is_empty() {
            let groups = recorded.map(|it| it.groups().to_vec()).ok_or_else(|| {
                let help = "Give the machine with `--hosts` and `--cores`.";
                Problem::new("no machine is recorded", help)
            })?;
            machines.push(self.machine(groups)?);
        }
        for &count in &self.hosts {
            let first = recorded.and_then(|it| it.groups().first());
            // The hosts of a drawing have room for each of its tasks.
            let largest = self.drawn.then(|| largest(instance));
            let recorded = first.map(|it| it.cores);
            let cores = self.cores.or(recorded).or(largest).ok_or_else(|| {
                let help = "Give the cores of a host with `--cores`.";
                Problem::new("no machine is recorded", help)
            })?;
            let mut group = Group::new("host", count, cores);
            group.memory_bytes = first.map_or(u64::MAX, |it| it.memory_bytes);
            machines.push(self.machine(vec![group])?);
        }
        Ok(machines)
    }

    /// Hosts with the flags' cores, speed, storage, network and queue.
    fn machine(&self, mut groups: Vec<Group>) -> Result<Machine, Problem> {
        for group in &mut groups {
            group.cores = self.cores.unwrap_or(group.cores);
            group.speed *= self.speed;
        }
        let mut machine = Machine::new(groups)?;
        if let (Some(read_bytes_per_s), Some(write_bytes_per_s)) =
            (self.read_bandwidth, self.write_bandwidth)
        {
            machine.shared[0] = Some(Storage {
                read_bytes_per_s,
                write_bytes_per_s,
            });
        }
        machine.within = self.bandwidth.map(|bytes_per_s| Link {
            bytes_per_s,
            latency_s: self.latency,
            is_shared: false,
        });
        machine.queue = Queue {
            submit_delay_s: self.submit_delay,
            cycle_s: self.cycle,
        };
        Ok(machine)
    }
}

/// The cores of the largest task.
fn largest(instance: &Instance) -> u32 {
    let tasks = instance.workflow.ids().map(|it| instance.workflow.task(it));
    tasks.map(|it| it.cores).max().unwrap_or(1)
}
