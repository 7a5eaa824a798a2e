//! Hardware models: simulations of the devices of a machine.
//!
//! The library's models are described where they are defined. These types are for models in crates
//! of users, which a generated program names (`docs/vocabulary.md`).

pub mod settings;

use std::fmt;

use prophet_contention::{Contention, Wire};

pub use settings::{Resource, Setting, Values};

/// Device whose models are networks between nodes.
pub const NETWORK: &str = "network";

/// Model of a device whose time depends on nothing else.
///
/// The engine asks when a process uses the device; the model knows nothing of processes.
pub trait Duration: fmt::Debug {
    /// Seconds that the device takes for these resources, and no others at that time.
    ///
    /// A negative or non-finite time stops the run.
    fn duration_s(&self, resources: Values<'_>) -> f64;
}

/// Model of a device in its own crate.
///
/// ```
/// use prophet_runtime::{Duration, HardwareModel, Resource, Setting, Values};
///
/// #[derive(Debug)]
/// struct Disk {
///     seek_s: f64,
///     bytes_per_s: f64,
/// }
///
/// impl Duration for Disk {
///     fn duration_s(&self, resources: Values<'_>) -> f64 {
///         let bytes_s = resources.get("bytes") / self.bytes_per_s;
///         resources.get("seeks") * self.seek_s + bytes_s
///     }
/// }
///
/// const DISK: HardwareModel = HardwareModel::device("disk", "plain", |settings| {
///     Box::new(Disk {
///         seek_s: settings.get("seek"),
///         bytes_per_s: settings.get("bandwidth"),
///     })
/// })
/// .with_settings(&[
///     Setting::seconds("seek", "the time of a seek").or(5e-3),
///     Setting::bytes_per_s("bandwidth", "the bandwidth").above(0.0),
/// ])
/// .with_resources(&[Resource::new("bytes"), Resource::new("seeks").or(1.0)]);
/// assert_eq!(DISK.to_string(), "disk=plain");
/// ```
#[derive(Clone, Copy)]
pub struct HardwareModel {
    /// Device that the model simulates.
    pub device: &'static str,
    /// Name among the models of the device.
    pub name: &'static str,
    /// Work to evaluate it, in words.
    pub work: &'static str,
    /// Parameters that a machine sets.
    pub settings: &'static [Setting],
    /// Resource data that each use of the device must give.
    pub resources: &'static [Resource],
    pub make: Make,
}

/// Maker of a model from its settings.
#[derive(Debug, Clone, Copy)]
pub enum Make {
    Duration(fn(Values<'_>) -> Box<dyn Duration>),
    Contention(fn(Values<'_>, &[Wire]) -> Box<dyn Contention>),
}

impl HardwareModel {
    /// Creates a model of a network between nodes: its constructor gets the settings and the links.
    pub const fn network(
        name: &'static str,
        make: fn(Values<'_>, &[Wire]) -> Box<dyn Contention>,
    ) -> Self {
        Self {
            device: NETWORK,
            name,
            work: "",
            settings: &[],
            resources: &[],
            make: Make::Contention(make),
        }
    }

    /// Creates a model of your own device: its constructor gets the settings.
    pub const fn device(
        device: &'static str,
        name: &'static str,
        make: fn(Values<'_>) -> Box<dyn Duration>,
    ) -> Self {
        Self {
            device,
            name,
            work: "",
            settings: &[],
            resources: &[],
            make: Make::Duration(make),
        }
    }

    /// Adds the parameters that a machine sets. A network also has `topology` and its sizes,
    /// `latency`, `bandwidth`, `background` and `o`, as all networks with links do.
    #[must_use]
    pub const fn with_settings(self, settings: &'static [Setting]) -> Self {
        Self { settings, ..self }
    }

    /// Adds the resource data that each use of the device must give.
    #[must_use]
    pub const fn with_resources(self, resources: &'static [Resource]) -> Self {
        Self { resources, ..self }
    }

    /// Adds a description of its cost to evaluate, for lists of models.
    #[must_use]
    pub const fn with_work(self, work: &'static str) -> Self {
        Self { work, ..self }
    }
}

/// Models are known by their names, which differ within a program.
impl PartialEq for HardwareModel {
    fn eq(&self, other: &Self) -> bool {
        (self.device, self.name) == (other.device, other.name)
    }
}

impl fmt::Debug for HardwareModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for HardwareModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.device, self.name)
    }
}

/// Models that crates of their own add to a program.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hardware(&'static [&'static [HardwareModel]]);

impl Hardware {
    /// No models except the library's own.
    pub const NONE: Self = Self(&[]);

    /// The models of some crates.
    pub const fn new(models: &'static [&'static [HardwareModel]]) -> Self {
        Self(models)
    }

    /// Lists the models, crate by crate.
    pub fn iter(self) -> impl Iterator<Item = &'static HardwareModel> {
        self.0.iter().copied().flatten()
    }

    /// Lists the models of a device.
    pub fn of(self, device: &str) -> impl Iterator<Item = &'static HardwareModel> {
        self.iter().filter(move |model| model.device == device)
    }
}
