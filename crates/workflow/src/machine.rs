//! Represents the machines that workflows run on: sites with hosts, storage, networks and queues.

use prophet_text::Problem;

use crate::{Queue, Task, TaskCost, Workflow, quoted};

const MOST_HOSTS: u32 = 1_000_000;

/// Index of a host among the hosts of all groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostId(pub u32);

impl HostId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Storage whose bandwidth is shared fairly (max-min) by all transfers that use it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SharedStorage {
    /// In bytes per second.
    pub read_bytes_per_s: f64,
    /// In bytes per second.
    pub write_bytes_per_s: f64,
}

impl SharedStorage {
    /// Returns the storage of Pegasus' submit host, from which each task's inputs are copied, and
    /// to which its outputs are copied. Recordings don't describe the network, so we assume Gigabit
    /// Ethernet.
    pub fn pegasus() -> Self {
        Self {
            read_bytes_per_s: 125e6,
            write_bytes_per_s: 125e6,
        }
    }
}

/// A network connection between hosts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostLink {
    /// In bytes per second.
    pub bytes_per_s: f64,
    /// Time until the first byte arrives, in seconds.
    pub latency_s: f64,
    /// Whether all transfers share the bandwidth. Otherwise, each transfer has the full bandwidth.
    pub is_shared: bool,
}

/// A group of identical hosts.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Name of the group. In a group of several hosts, a host's name is this name followed by the
    /// host's number.
    pub name: String,
    pub site: usize,
    pub count: u32,
    /// Cores per host.
    pub cores: u32,
    /// Speed factor. A cost in seconds is the time that a task takes on a host with speed 1.
    pub speed: f64,
    /// Operations per second, for costs that are numbers of operations.
    pub operations_per_s: f64,
    /// Memory per host, in bytes.
    pub memory_bytes: u64,
    /// Index of the hosts' column in the table of costs.
    pub column: usize,
    /// The disk of each host; if `None`, access to local files takes no time.
    pub disk: Option<SharedStorage>,
}

impl Group {
    /// Creates a group of hosts at site 0, with a speed of 1, 10⁹ operations per second and
    /// unlimited memory.
    pub fn new(name: &str, count: u32, cores: u32) -> Self {
        Self {
            name: name.to_owned(),
            site: 0,
            count,
            cores,
            speed: 1.0,
            operations_per_s: 1e9,
            memory_bytes: u64::MAX,
            column: 0,
            disk: None,
        }
    }
}

/// A machine that workflows can run on: its hosts, storage, networks and queues.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowMachine {
    groups: Vec<Group>,
    group_of: Vec<u32>,
    /// The shared file system of each site. The workflow's inputs are on site 0's file system.
    pub shared: Vec<Option<SharedStorage>>,
    /// The network between the hosts of a site; if `None`, transfers take no time.
    pub within: Option<HostLink>,
    /// The network between every two sites; if `None`, transfers take no time.
    pub between: Option<HostLink>,
    pub queues: Vec<Queue>,
    /// Seed for the random wait times in queues.
    pub seed: u64,
    /// Names of the sites; by default `site 1`, `site 2` and so on.
    pub site_names: Vec<String>,
    /// Price of a core hour, by site.
    pub prices: Vec<f64>,
    /// Remarks about where the machine's description comes from.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct WrongHosts {
    pub problem: Box<Problem>,
    /// Index of the invalid group; `None` if there are no groups.
    pub group: Option<usize>,
}

impl From<WrongHosts> for Problem {
    fn from(wrong: WrongHosts) -> Self {
        *wrong.problem
    }
}

fn is_positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

impl WorkflowMachine {
    /// Creates a machine without storage, networks or queues, on which file access takes no time.
    ///
    /// # Errors
    ///
    /// Returns an error if a group has no hosts, no cores or no speed, or if there are too many
    /// hosts.
    pub fn new(groups: Vec<Group>) -> Result<Self, WrongHosts> {
        let mut group_of = Vec::new();
        for (number, group) in (0..).zip(&groups) {
            let wrong = |what: String, help: &str| WrongHosts {
                problem: Problem::with_help(what, help)
                    .in_part(format!("hosts {}", quoted(&group.name)))
                    .into(),
                group: Some(number as usize),
            };
            let properties = [
                ("count", group.count > 0),
                ("number of cores", (1..=1 << 24).contains(&group.cores)),
                ("speed", is_positive(group.speed)),
                ("operations per second", is_positive(group.operations_per_s)),
                ("site", group.site < 1_000),
                ("disk bandwidth", group.disk.is_none_or(is_storage)),
            ];
            if let Some((name, _)) = properties.into_iter().find(|(_, is_right)| !is_right) {
                let what = format!("the {name} of the hosts is 0, negative or too large");
                let help = "Set a count, cores (at most 2^24) and speeds above 0 for the hosts.";
                return Err(wrong(what, help));
            }
            if group_of.len() + group.count as usize > MOST_HOSTS as usize {
                let what = format!("the machine has more than {MOST_HOSTS} hosts");
                return Err(wrong(what, "Reduce the number of hosts."));
            }
            group_of.extend(std::iter::repeat_n(number, group.count as usize));
        }
        if groups.is_empty() {
            let what = "the machine has no hosts";
            return Err(WrongHosts {
                problem: Problem::with_help(what, "Add at least one host to the machine.").into(),
                group: None,
            });
        }
        let sites = groups.iter().map(|it| it.site + 1).max().unwrap_or(1);
        Ok(Self {
            groups,
            group_of,
            shared: vec![None; sites],
            within: None,
            between: None,
            queues: vec![Queue::default(); sites],
            seed: 1,
            site_names: (1..=sites).map(|it| format!("site {it}")).collect(),
            prices: vec![0.0; sites],
            notes: Vec::new(),
        })
    }

    /// Returns the machine with the shortest and with the longest known delay of the workflow
    /// engine, which uses the queue of site 0; `None` if these delays are unknown.
    pub fn extremes(&self) -> Option<[Self; 2]> {
        let queue = self.queues.first()?;
        let delays_s = queue.engine?.delays_s?;
        Some(delays_s.map(|delay_s| {
            let mut machine = self.clone();
            machine.queues[0] = queue.delayed(delay_s);
            machine
        }))
    }

    pub fn len(&self) -> usize {
        self.group_of.len()
    }

    /// Always `false`, because a machine has at least one host.
    pub fn is_empty(&self) -> bool {
        self.group_of.is_empty()
    }

    pub fn hosts(&self) -> impl DoubleEndedIterator<Item = HostId> + use<> {
        (0..u32::try_from(self.group_of.len()).unwrap_or(u32::MAX)).map(HostId)
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    pub fn group(&self, host: HostId) -> &Group {
        &self.groups[self.group_of[host.index()] as usize]
    }

    pub fn site(&self, host: HostId) -> usize {
        self.group(host).site
    }

    /// Returns a host's name, including its number in the group. The name is untrusted text.
    pub fn host_name(&self, host: HostId) -> String {
        let group = self.group(host);
        if group.count == 1 {
            return group.name.clone();
        }
        let number = self.group_of[host.index()];
        let first = self.group_of.partition_point(|it| *it < number);
        format!("{}-{}", group.name, host.index() - first + 1)
    }

    pub fn cores(&self) -> u64 {
        let cores = |it: &Group| u64::from(it.count) * u64::from(it.cores);
        self.groups.iter().map(cores).sum()
    }

    pub fn sites(&self) -> usize {
        self.shared.len()
    }

    pub fn site_cores(&self, site: usize) -> u64 {
        let cores = |it: &Group| u64::from(it.count) * u64::from(it.cores);
        let groups = self.groups.iter().filter(|it| it.site == site);
        groups.map(cores).sum()
    }

    /// Returns `true` if predictions for this machine differ between seeds.
    pub fn is_random(&self) -> bool {
        self.queues.iter().any(|it| it.wait.is_random())
    }

    /// Checks that each site has enough cores for the jobs in its queue.
    fn check_jobs(&self) -> Result<(), Problem> {
        for (site, queue) in self.queues.iter().enumerate() {
            let cores = self.site_cores(site);
            if let Some(job) = queue.jobs.iter().find(|it| u64::from(it.cores) > cores) {
                let what = format!(
                    "a job of another user needs {} cores, but the site has {cores}",
                    job.cores
                );
                let help = "Add hosts to the site, or use another log.";
                let place = format!("site {}", quoted(&self.site_names[site]));
                return Err(Problem::with_help(what, help).in_part(place));
            }
        }
        Ok(())
    }

    /// Returns how long a task computes on a host, in seconds, without the time for its files.
    pub fn seconds(&self, workflow: &Workflow, task: &Task, host: HostId) -> f64 {
        let group = self.group(host);
        self.queues[group.site].start_s + Self::group_seconds(workflow, task, group)
    }

    pub(crate) fn group_seconds(workflow: &Workflow, task: &Task, group: &Group) -> f64 {
        match task.cost {
            TaskCost::Seconds(seconds) => seconds / group.speed,
            TaskCost::Work(operations) => operations / group.operations_per_s,
            TaskCost::Row(row) => workflow.cell_s(row, group.column),
        }
    }

    /// Returns `true` if a host, when idle, has enough cores and memory for a task.
    pub fn can_run(&self, task: &Task, host: HostId) -> bool {
        let group = self.group(host);
        task.cores <= group.cores && task.memory_bytes <= group.memory_bytes
    }

    /// Checks that the machine can run the workflow.
    ///
    /// # Errors
    ///
    /// Returns an error if a number is negative or not finite, if the table of costs lacks a
    /// column, or if a task doesn't fit on any host.
    pub fn check(&self, workflow: &Workflow) -> Result<(), Problem> {
        let is_time = |it: f64| it.is_finite() && it >= 0.0;
        let links = [self.within, self.between];
        let is_link = |it: &HostLink| is_positive(it.bytes_per_s) && is_time(it.latency_s);
        let is_right = links.iter().flatten().all(is_link)
            && self.shared.iter().flatten().copied().all(is_storage)
            && self.queues.iter().all(Queue::is_right)
            && self.prices.iter().copied().all(is_time)
            && [self.queues.len(), self.prices.len(), self.site_names.len()]
                == [self.shared.len(); 3];
        if !is_right {
            let what = "a bandwidth, time or price of the machine is negative, 0 or not a number";
            let help = "Use bandwidths above 0, and times and prices of 0 or more.";
            return Err(Problem::with_help(what, help));
        }
        self.check_jobs()?;
        let columns = self.groups.iter().map(|it| it.column + 1).max();
        if workflow.columns > 0 && columns.is_some_and(|it| it > workflow.columns) {
            let what = "the table of costs has no column for a kind of host";
            return Err(Problem::with_help(
                what,
                "Add a column for each kind of host.",
            ));
        }
        let fits = |task: &Task, it: &Group| {
            task.cores <= it.cores && task.memory_bytes <= it.memory_bytes
        };
        for id in workflow.ids() {
            let task = workflow.task(id);
            if !self.groups.iter().any(|it| fits(task, it)) {
                let most = self.groups.iter().map(|it| it.cores).max().unwrap_or(0);
                let what = if task.cores > most {
                    format!(
                        "the task needs {} cores, but the largest host has {most}",
                        task.cores
                    )
                } else {
                    let (cores, bytes) = (task.cores, task.memory_bytes);
                    format!("no host has the {cores} cores and {bytes} bytes of memory it needs")
                };
                let help = "Add a larger host to the machine, or reduce the needs of the task.";
                let place = format!("task {}", quoted(workflow.task_name(id)));
                return Err(Problem::with_help(what, help).in_part(place));
            }
        }
        Ok(())
    }
}

fn is_storage(storage: SharedStorage) -> bool {
    is_positive(storage.read_bytes_per_s) && is_positive(storage.write_bytes_per_s)
}
