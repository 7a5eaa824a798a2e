//! Describes the accelerators of nodes, such as GPUs.

use std::fmt;

use crate::quantity::engineering;

prophet_text::named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    #[expect(missing_docs, reason = "the variants are the names of the formats")]
    pub enum Precision {
        Fp64 = "fp64",
        Fp32 = "fp32",
        Fp16 = "fp16",
        Int8 = "int8",
    }
}

prophet_text::named_enum! {
    /// The order in which an accelerator's engines start operations.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Queues {
        /// Each stream has its own queue, so whatever is ready first starts first.
        #[default]
        Stream = "stream",
        /// Each engine has one queue for all streams: operations start in the order in which they
        /// were issued, even if a later one is ready first.
        Engine = "engine",
    }
}

/// A link between an accelerator and its host's memory, or between two accelerators.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceLink {
    /// Time of an empty copy, in seconds.
    pub latency_s: f64,
    /// In bytes per second.
    pub bandwidth: f64,
}

impl DeviceLink {
    /// Returns the time to copy `bytes` bytes, in seconds.
    #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
    #[inline]
    pub fn seconds(&self, bytes: u64) -> f64 {
        self.latency_s + bytes as f64 / self.bandwidth
    }
}

impl fmt::Display for DeviceLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&engineering(self.bandwidth, "B/s"))?;
        match self.latency_s {
            0.0 => Ok(()),
            latency_s => write!(f, " after {}", engineering(latency_s, "s")),
        }
    }
}

/// A set of accelerator kinds, by their indices in the machine file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u64);

impl Kinds {
    const MAX: usize = 64;
    pub const ALL: Self = Self(u64::MAX);
    pub const NONE: Self = Self(0);

    /// Adds the kind with the index `place`.
    #[must_use]
    pub fn with(self, place: usize) -> Self {
        Self(self.0 | 1 << place)
    }

    /// Returns the accelerators in `all` that have one of these kinds, with their indices.
    #[inline]
    pub fn of(self, all: &[Accelerator]) -> impl Iterator<Item = (usize, &Accelerator)> {
        let all = all.iter().enumerate();
        all.filter(move |(place, _)| self.has(*place))
    }

    #[inline]
    pub fn has(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }
}

/// A kind of accelerator. Each node has [`count`](Self::count) of them, unless its group has none.
///
/// ```
/// use prophet_runtime::{Accelerator, ByMachine, DeviceLink, Kernel, Model, Simulation};
/// use prophet_runtime::{Synchronize, System};
///
/// const AXPY: Kernel = Kernel::new(0, "Axpy", 1);
/// const WAIT: Synchronize = Synchronize::new(1, "Wait", 2);
/// let model = Model::new("Axpy", &[], 2);
/// let mut system = System::new(1, 1, 1, 1);
/// let link = DeviceLink { latency_s: 0.0, bandwidth: 16e9 };
/// system.accelerators = [Accelerator::new("gpu", 1e12, link)].into();
/// // The host goes on after the launch, and then waits for the device.
/// let run = Simulation::new(&model, system).run(async |ctx| {
///     AXPY.execute(ctx, ByMachine).bytes(2_000_000_000_000).await?;
///     assert_eq!(ctx.now_s(), 0.0);
///     WAIT.execute(ctx).await
/// });
/// assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(2.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Accelerator {
    pub name: String,
    /// Number of accelerators per node.
    pub count: u32,
    /// How long a launch or copy occupies the host, in seconds.
    pub launch_s: f64,
    /// Peak performance by [`Precision`], in operations per second; `None` for a precision without
    /// a peak.
    pub peaks: [Option<f64>; 4],
    /// The bandwidth of an accelerator's memory, in bytes per second.
    pub memory_bandwidth: f64,
    /// The size of an accelerator's memory, in bytes; `None` for no limit.
    pub memory: Option<u64>,
    /// Number of copy engines per accelerator.
    pub copy_engines: u32,
    pub queues: Queues,
    pub link: DeviceLink,
    /// The link to each other accelerator on the node; `None` if there is no such link.
    pub peer: Option<DeviceLink>,
    /// The power of an accelerator while no kernel runs, in watts.
    pub idle_w: f64,
    /// The power of an accelerator while a kernel runs, in watts.
    pub busy_w: f64,
}

impl Accelerator {
    /// Creates a kind with one accelerator per node, two copy engines and no launch time.
    pub fn new(name: impl Into<String>, memory_bandwidth: f64, link: DeviceLink) -> Self {
        Self {
            name: name.into(),
            count: 1,
            launch_s: 0.0,
            peaks: [None; 4],
            memory_bandwidth,
            memory: None,
            copy_engines: COPY_ENGINES,
            queues: Queues::Stream,
            link,
            peer: None,
            idle_w: 0.0,
            busy_w: 0.0,
        }
    }

    #[inline]
    pub fn peak(&self, precision: Precision) -> Option<f64> {
        self.peaks[precision as usize]
    }
}

impl fmt::Display for Accelerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.count, self.name)?;
        for precision in Precision::ALL {
            if let Some(peak) = self.peak(precision) {
                let peak = engineering(peak, "FLOP/s");
                write!(f, ", {} {peak}", precision.name())?;
            }
        }
        f.write_str(", memory ")?;
        if let Some(size) = self.memory {
            #[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
            let size = engineering(size as f64, "B");
            write!(f, "{size} at ")?;
        }
        let memory = engineering(self.memory_bandwidth, "B/s");
        write!(f, "{memory}, link {}", self.link)?;
        if let Some(peer) = &self.peer {
            write!(f, ", to other accelerators {peer}")?;
        }
        if self.copy_engines != COPY_ENGINES {
            write!(f, ", copy engines {}", self.copy_engines)?;
        }
        if self.queues != Queues::default() {
            write!(f, ", queues {}", self.queues.name())?;
        }
        if self.launch_s > 0.0 {
            write!(f, ", launch {}", engineering(self.launch_s, "s"))?;
        }
        if self.busy_w > 0.0 {
            let [idle, busy] = [self.idle_w, self.busy_w].map(|it| engineering(it, "W"));
            write!(f, ", idle {idle}, busy {busy}")?;
        }
        Ok(())
    }
}

pub const COPY_ENGINES: u32 = 2;

/// The maximum number of accelerators per node.
pub const COUNT_MAX: u32 = 1024;

/// The maximum number of copy engines per accelerator.
pub const COPY_ENGINES_MAX: u32 = 16;

/// Returns a message about the first contradiction or invalid value in the accelerators of a
/// machine; `None` if they are valid.
pub fn problem(all: &[Accelerator]) -> Option<String> {
    let (kinds, most) = (Kinds::MAX, u64::from(COUNT_MAX));
    if all.len() > kinds {
        return Some(format!(
            "`name`: a machine has at most {kinds} kinds of accelerators"
        ));
    }
    if all.iter().map(|it| u64::from(it.count)).sum::<u64>() > most {
        return Some(format!("`count`: a node has at most {most} accelerators"));
    }
    all.iter().find_map(problem_of)
}

fn problem_of(accelerator: &Accelerator) -> Option<String> {
    let Accelerator { name, link, .. } = accelerator;
    let is_positive = |value: f64| value > 0.0 && value.is_finite();
    let is_time = |value: f64| value >= 0.0 && value.is_finite();
    if accelerator.count == 0 {
        return Some(format!("`count`: the number of accelerators `{name}` is 0"));
    }
    let engines = accelerator.copy_engines;
    if !(1..=COPY_ENGINES_MAX).contains(&engines) {
        let most = COPY_ENGINES_MAX;
        return Some(format!(
            "`copy-engines`: {engines} is out of range (1 to {most})"
        ));
    }
    for precision in Precision::ALL {
        if let Some(peak) = accelerator.peak(precision).filter(|it| !is_positive(*it)) {
            let precision = precision.name();
            return Some(format!(
                "`{precision}`: expected a peak above 0, found {peak}"
            ));
        }
    }
    let peer = accelerator.peer.unwrap_or(*link);
    let rates = [accelerator.memory_bandwidth, link.bandwidth, peer.bandwidth];
    let times = [accelerator.launch_s, link.latency_s, peer.latency_s];
    if !rates.into_iter().all(is_positive) || !times.into_iter().all(is_time) {
        return Some(format!("`name`: a rate or time of `{name}` is invalid"));
    }
    let (idle_w, busy_w) = (accelerator.idle_w, accelerator.busy_w);
    let are_powers = is_time(idle_w) && busy_w.is_finite() && busy_w >= idle_w;
    (!are_powers).then(|| {
        let [busy, idle] = [busy_w, idle_w].map(|power| engineering(power, "W"));
        format!("`busy`: {busy} while a kernel runs is below the idle power of {idle}")
    })
}
