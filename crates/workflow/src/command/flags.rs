//! Defines the command-line flags, and creates the machines that they specify.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, ValueEnum};
use prophet_frontend::check::RuleSet;
use prophet_frontend::rule_flags::RuleFlags;
use prophet_result::Expectation;
use prophet_runtime::Machine;
use prophet_text::Problem;

use crate::formats::Reading;
use crate::machine_file::{self, Named};
use crate::schedulers::NAMES;
use crate::wfformat::Instance;
use crate::{Group, HostLink, SharedStorage, WorkflowEngine, WorkflowMachine};

pub(super) const RECORDED: &str = "recorded";
/// The scheduler that follows a schedule file.
pub(super) const SCHEDULE: &str = "schedule";
const MOST: usize = 1_000;

/// Predicts a workflow from WfFormat 1.5, Pegasus, Nextflow, Snakemake or CWL
#[derive(Debug, Parser)]
#[allow(clippy::doc_markdown, reason = "the help shows it as it is")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(name = "run", version)]
pub(super) struct Arguments {
    /// The workflow: a WfFormat instance, or a Pegasus, Nextflow, Snakemake or CWL file
    pub(super) file: PathBuf,
    /// Files that complete the workflow: the DAG of a Nextflow trace, Snakemake records, inputs for
    /// CWL, or a table with the columns `task` and `seconds`; a folder stands for the files in it
    #[arg(long, value_name = "FILES", value_delimiter = ',')]
    pub(super) with: Vec<PathBuf>,
    /// Also predict tasks with existing results: cached in Nextflow, dashed in Snakemake [default:
    /// only predict what remains to be done]
    #[arg(long)]
    all: bool,
    /// Cores held by each task without recorded cores [default: from its CPU load, otherwise 1]
    #[arg(long, value_name = "NUMBER", value_parser = count)]
    task_cores: Option<u32>,
    /// Recorded executions in WfFormat. For each type of task, a law is fitted to them, which gives
    /// the times of tasks from the sizes of their inputs
    #[arg(long, value_name = "FILES", value_delimiter = ',')]
    pub(super) costs_from: Vec<PathBuf>,
    /// Two recorded executions of the same short workflow in WfFormat: on the machine that the task
    /// times are from, and on the machine to predict for. The times of each type of task are
    /// multiplied by the ratio of its times in these executions
    #[arg(long, value_name = "THERE,HERE", value_delimiter = ',')]
    pub(super) short_runs: Vec<PathBuf>,
    /// Scheduler: recorded, fcfs, easy, conservative, data-aware, min-min, max-min, heft, cpop or
    /// peft; several, separated by commas, or `all` are compared [default: recorded if the hosts of
    /// all tasks are, otherwise fcfs]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    scheduler: Vec<String>,
    /// Follow this schedule, written by `--save-schedule`
    #[arg(long, value_name = "FILE", conflicts_with = "scheduler")]
    pub(super) schedule: Option<PathBuf>,
    /// Machine to predict for: a file of sites and hosts, or a machine that programs run on, by
    /// name (such as gescher) or file [default: the recorded hosts]
    #[arg(long, value_name = "FILE|NAME")]
    machine: Option<PathBuf>,
    /// Number of hosts, each like the first recorded host, or nodes of the machine; several
    /// numbers, separated by commas, are compared [default: the recorded hosts, or all nodes]
    #[arg(
        long,
        value_name = "NUMBERS",
        value_delimiter = ',',
        visible_alias = "nodes",
        value_parser = count
    )]
    hosts: Vec<u32>,
    /// Cores of each host [default: as recorded, or as in the machine]
    #[arg(long, value_name = "NUMBER", visible_alias = "cpus-per-node", value_parser = count)]
    cores: Option<u32>,
    /// Speed of each host, as a multiple of the recorded hosts' speed
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    speed: f64,
    /// Bytes per second that all tasks together read from the shared file system [default: 1.25e8
    /// for Pegasus workflows; otherwise files take no time, because recorded times include reading]
    #[arg(long, value_name = "BYTES/S", requires = "write_bandwidth")]
    read_bandwidth: Option<f64>,
    /// Bytes per second that all tasks together write to the shared file system
    #[arg(long, value_name = "BYTES/S", requires = "read_bandwidth")]
    write_bandwidth: Option<f64>,
    /// Bytes per second between two hosts without a shared file system
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
    /// Seconds that a task waits in the queue before it can start [default: 5 for Pegasus
    /// workflows, 30 for Pegasus 4; otherwise 0]
    #[arg(long, value_name = "SECONDS")]
    submit_delay: Option<f64>,
    /// Seconds between the cycles at which the queue lets tasks start [default: 20 for Pegasus
    /// workflows; otherwise 0]
    #[arg(long, value_name = "SECONDS")]
    cycle: Option<f64>,
    /// Omit what the workflow engine adds: the queue, jobs and file copies of Pegasus, and the
    /// start of tasks in Nextflow
    #[arg(long)]
    without_engine: bool,
    /// Price of a core hour [default: the prices of the machine file]
    #[arg(long, value_name = "PRICE")]
    price: Option<f64>,
    /// Seed for random values: waits in queues, failures, and random costs and decisions of
    /// drawings
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Number of predictions, with seeds starting at `--seed`; the makespan is their mean
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1,
        value_parser = count
    )]
    replications: u32,
    /// Also predict the makespan with tasks of each type twice as fast
    #[arg(long)]
    pub(super) what_if: bool,
    /// Form of the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// Fail unless this comparison with a number of the JSON result is true, such as
    /// 'prediction.makespan_s < 60'. Can be repeated
    #[arg(long, value_name = "COMPARISON")]
    pub(super) expect: Vec<Expectation>,
    /// Write the schedule: the tasks of each host in order
    #[arg(long, value_name = "FILE")]
    pub(super) save_schedule: Option<PathBuf>,
    /// Write an HTML page with a Gantt chart
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Write a trace for Perfetto or Chrome
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// Also write the result as JSON to a file
    #[arg(long, value_name = "FILE", overrides_with = "record")]
    pub(super) record: Option<PathBuf>,
    /// Write the workflow with the predicted times: WfFormat, or Pegasus' DAX (.dax, .xml) or YAML
    /// (.yml)
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Whether the workflow is drawn.
    #[arg(skip)]
    is_drawn: bool,
}

pub(super) fn rules(flags: &RuleFlags) -> Result<RuleSet, Problem> {
    let read = flags.read();
    read.map_err(|wrong| Problem::with_help(Problem::from(wrong), "Correct the rule flags."))
}

/// Form of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Table,
    Json,
    Csv,
}

impl Arguments {
    /// Reads the words of a command line, without the flags of a drawing.
    pub(super) fn read(
        program: Option<&str>,
        words: Vec<OsString>,
        is_drawn: bool,
    ) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        if let Some(program) = program {
            command.set_bin_name(program);
        }
        let mut read = Self::from_arg_matches(&command.try_get_matches_from_mut(words)?)?;
        read.is_drawn = is_drawn;
        let recorded = [
            (read.all, "--all"),
            (read.task_cores.is_some(), "--task-cores"),
            (!read.short_runs.is_empty(), "--short-runs"),
        ];
        match recorded.into_iter().find(|it| is_drawn && it.0) {
            Some((_, flag)) => {
                let why = format!("`{flag}` is only for recorded workflows: remove it");
                Err(command.error(ErrorKind::ArgumentConflict, why))
            }
            None => Ok(read),
        }
    }

    /// Returns the names of all flags.
    pub(super) fn names() -> Vec<String> {
        let command = Self::command();
        let mut names: Vec<String> = Vec::new();
        for flag in command.get_arguments() {
            let aliases = flag.get_visible_aliases().unwrap_or_default();
            names.extend(
                flag.get_long()
                    .into_iter()
                    .chain(aliases)
                    .map(str::to_owned),
            );
        }
        names
    }

    pub(super) fn schedulers(&self, instance: &Instance) -> Result<Vec<String>, Problem> {
        if self.schedule.is_some() {
            return Ok(vec![SCHEDULE.to_owned()]);
        }
        if self.scheduler == ["all"] {
            return Ok(NAMES.iter().map(|it| it.0.to_owned()).collect());
        }
        if !self.scheduler.is_empty() {
            let is_recorded = self.scheduler.iter().any(|it| it == RECORDED);
            if is_recorded && !self.has_recorded_hosts() {
                let what = "`--scheduler recorded` needs the recorded hosts";
                return Err(Problem::with_help(
                    what,
                    "Remove `--hosts` and `--machine`.",
                ));
            }
            return Ok(self.scheduler.clone());
        }
        let is_recorded = self.has_recorded_hosts() && instance.recorded_hosts().is_some();
        let name = if is_recorded { RECORDED } else { "fcfs" };
        Ok(vec![name.to_owned()])
    }

    pub(super) fn reading(&self) -> Reading {
        Reading {
            task_cores: self.task_cores,
            all: self.all,
        }
    }

    /// Returns the files to read. A folder means all files inside it.
    pub(super) fn read_files(&self) -> Vec<PathBuf> {
        let mut files = vec![self.file.clone()];
        files.extend(
            { self.schedule.as_deref().into_iter() }
                .chain(self.machine.as_deref().and_then(machine_file::file))
                .map(Path::to_owned),
        );
        files.extend(self.machine.iter().flat_map(|it| machine_file::logs(it)));
        let recorded = [&self.with, &self.costs_from, &self.short_runs];
        files.extend(recorded.into_iter().flatten().cloned());
        files
    }

    /// Returns the files to write, with the flags that name them.
    pub(super) fn outputs(&self) -> Vec<(&'static str, &Path)> {
        let outputs = [
            ("--out", &self.out),
            ("--save-schedule", &self.save_schedule),
            ("--report", &self.report),
            ("--trace", &self.trace),
            ("--record", &self.record),
        ];
        let named = outputs
            .into_iter()
            .filter_map(|it| Some((it.0, it.1.as_deref()?)));
        named.collect()
    }

    fn has_recorded_hosts(&self) -> bool {
        self.hosts.is_empty() && self.machine.is_none()
    }

    /// Returns the machine as the user named it.
    pub(super) fn machine_name(&self) -> Option<&Path> {
        self.machine.as_deref()
    }

    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let seed = self.seed;
        (0..u64::from(self.replications)).map(move |it| seed.wrapping_add(it))
    }

    /// Returns the machines with their prices. `is_random` is `true` if the workflow itself is
    /// random.
    pub(super) fn machines(
        &self,
        instance: &Instance,
        is_random: bool,
    ) -> Result<Vec<WorkflowMachine>, Problem> {
        let mut machines = self.machines_without_prices(instance)?;
        for machine in &mut machines {
            if let Some(price) = self.price {
                machine.prices.fill(price);
            }
            if self.replications > 1 && !machine.is_random() && !is_random {
                let what = "nothing is random, so all replications would be equal";
                let help = "Remove `--replications`, or add something random: a `wait` \
                            distribution to a site, or a random cost or a `failure_probability` to \
                            a task.";
                return Err(Problem::with_help(what, help));
            }
        }
        Ok(machines)
    }

    /// Returns the machine in a file, the recorded one, or one machine for each number of hosts.
    fn machines_without_prices(
        &self,
        instance: &Instance,
    ) -> Result<Vec<WorkflowMachine>, Problem> {
        let recorded = instance
            .recorded
            .as_ref()
            .and_then(|it| it.machine.as_ref());
        let schedulers = self.schedulers(instance)?.len();
        let replications = self.replications as usize;
        let machines = self.hosts.len().max(1);
        if machines.saturating_mul(schedulers * replications) > MOST {
            let what = format!("there are more than {MOST} predictions");
            return Err(Problem::with_help(
                what,
                "Pass fewer numbers or schedulers.",
            ));
        }
        if let Some(name) = &self.machine {
            return match machine_file::Named::find(name)? {
                Named::Sites(machine) => self.only_sites(*machine),
                Named::Nodes(machine) => self.on_nodes(&machine, instance),
            };
        }
        let mut machines = Vec::new();
        if self.hosts.is_empty() {
            let groups = recorded.map(|it| it.groups().to_vec()).ok_or_else(|| {
                let help = "Describe the machine, for example with `--hosts 4 --cores 8`.";
                Problem::with_help("the hosts are unknown", help)
            })?;
            machines.push(self.machine(groups, instance)?);
        }
        for &count in &self.hosts {
            let first = recorded.and_then(|it| it.groups().first());
            // A drawing's hosts are large enough for each of its tasks.
            let largest = self.is_drawn.then(|| largest(instance));
            let cores = self.cores.or(first.map(|it| it.cores)).or(largest);
            let cores = cores.ok_or_else(|| {
                let help = "Set the cores of a host, for example with `--cores 8`.";
                Problem::with_help("the cores of the hosts are unknown", help)
            })?;
            let mut group = Group::new("host", count, cores);
            group.memory_bytes = first.map_or(u64::MAX, |it| it.memory_bytes);
            machines.push(self.machine(vec![group], instance)?);
        }
        Ok(machines)
    }

    /// Returns a machine from a file with sites. Flags that set the same values cause errors.
    fn only_sites(&self, machine: WorkflowMachine) -> Result<Vec<WorkflowMachine>, Problem> {
        #[expect(clippy::float_cmp, reason = "a default is as it is written")]
        let flags = [
            ("--hosts", !self.hosts.is_empty()),
            ("--cores", self.cores.is_some()),
            ("--speed", self.speed != 1.0),
            ("--read-bandwidth", self.read_bandwidth.is_some()),
            ("--bandwidth", self.bandwidth.is_some()),
            ("--submit-delay", self.submit_delay.is_some()),
            ("--cycle", self.cycle.is_some()),
            ("--without-engine", self.without_engine),
        ];
        if let Some((flag, _)) = flags.into_iter().find(|it| it.1) {
            let what = format!(
                "the machine file has its own sites and hosts, so `{flag}` is not supported"
            );
            return Err(Problem::with_help(
                what,
                format!("Remove `{flag}`, or `--machine`."),
            ));
        }
        Ok(vec![machine])
    }

    /// Turns nodes of a machine for MPI programs into a workflow machine, for each requested number
    /// of nodes.
    fn on_nodes(
        &self,
        machine: &Machine,
        instance: &Instance,
    ) -> Result<Vec<WorkflowMachine>, Problem> {
        let all = self.hosts.iter().copied().map(Some);
        let whole = self.hosts.is_empty().then_some(None);
        let numbers = whole.into_iter().chain(all);
        let mut machines = Vec::new();
        for nodes in numbers {
            let hosts = Named::hosts(machine, nodes, self.cores, largest(instance))?;
            let mut machine = self.machine(hosts.groups, instance)?;
            if machine.within.is_none() && self.read_bandwidth.is_none() {
                machine.within = Some(hosts.within);
            }
            machine.notes = hosts.notes;
            machines.push(machine);
        }
        Ok(machines)
    }

    /// Creates hosts. Their storage, network and queue come from flags, or otherwise from the
    /// engine.
    fn machine(
        &self,
        mut groups: Vec<Group>,
        instance: &Instance,
    ) -> Result<WorkflowMachine, Problem> {
        for group in &mut groups {
            group.cores = self.cores.unwrap_or(group.cores);
            group.speed *= self.speed;
        }
        let mut machine = WorkflowMachine::new(groups)?;
        if !self.without_engine {
            instance.add_engine(&mut machine);
        }
        if let (Some(read_bytes_per_s), Some(write_bytes_per_s)) =
            (self.read_bandwidth, self.write_bandwidth)
        {
            machine.shared[0] = Some(SharedStorage {
                read_bytes_per_s,
                write_bytes_per_s,
            });
        }
        if let Some(bytes_per_s) = self.bandwidth {
            machine.shared[0] = None;
            machine.within = Some(HostLink {
                bytes_per_s,
                latency_s: self.latency,
                is_shared: false,
            });
        }
        let queue = &mut machine.queues[0];
        if let Some(delay_s) = self.submit_delay {
            queue.submit_delay_s = delay_s;
            queue.engine = queue.engine.map(|it| WorkflowEngine {
                delays_s: None,
                ..it
            });
        }
        queue.cycle_s = self.cycle.unwrap_or(queue.cycle_s);
        Ok(machine)
    }
}

/// Parses a number of hosts, cores or predictions.
fn count(text: &str) -> Result<u32, Problem> {
    prophet_text::whole_number(text, 1..=u64::from(u32::MAX))
}

fn largest(instance: &Instance) -> u32 {
    let tasks = instance.workflow.ids().map(|it| instance.workflow.task(it));
    tasks.map(|it| it.cores).max().unwrap_or(1)
}
