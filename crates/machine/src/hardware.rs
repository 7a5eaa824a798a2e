//! Defines hardware models, which simulate the devices of a machine.
//!
//! Use these types to define models in your own crates and use them in generated programs (see
//! `docs/vocabulary.md`).

pub mod settings;

use std::fmt;

use prophet_contention::{Contention, Wire};

pub use settings::{Resource, Setting, Values};

/// The name of the network between nodes, as the device of a model.
pub const NETWORK: &str = "network";

/// The model of a device whose uses don't affect each other.
///
/// The engine calls the model when a process uses the device. The model doesn't know which process
/// that is.
pub trait Duration: fmt::Debug {
    /// Returns how long the device takes for these resources, in seconds, if nothing else uses it.
    ///
    /// A negative or non-finite time stops the run.
    fn duration_s(&self, resources: Values<'_>) -> f64;
}

/// Declares a hardware model: the device that it simulates, and its inputs.
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
    pub device: &'static str,
    /// The name of the model, which is unique among the device's models.
    pub name: &'static str,
    /// What one evaluation of the model costs, as text for lists of models.
    pub work: &'static str,
    /// The model's parameters, which users set for a machine.
    pub settings: &'static [Setting],
    /// What the model needs to know about each use of the device, such as the number of bytes.
    pub resources: &'static [Resource],
    pub make: Make,
}

/// The function that creates a model from its settings.
#[derive(Debug, Clone, Copy)]
pub enum Make {
    Duration(fn(Values<'_>) -> Box<dyn Duration>),
    Contention(fn(Values<'_>, &[Wire]) -> Box<dyn Contention>),
}

impl HardwareModel {
    /// Declares a model of the network between nodes. `make` creates it from its settings and the
    /// links.
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

    /// Declares a model of a custom device. `make` creates it from its settings.
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

    /// Declares the model's parameters, which users set for a machine. Every network model also has
    /// the parameters of networks with links: `topology` and its sizes, `latency`, `bandwidth`,
    /// `background` and `o`.
    #[must_use]
    pub const fn with_settings(self, settings: &'static [Setting]) -> Self {
        Self { settings, ..self }
    }

    /// Declares what the model needs to know about each use of the device.
    #[must_use]
    pub const fn with_resources(self, resources: &'static [Resource]) -> Self {
        Self { resources, ..self }
    }

    /// Describes what one evaluation of the model costs, for lists of models.
    #[must_use]
    pub const fn with_work(self, work: &'static str) -> Self {
        Self { work, ..self }
    }
}

/// Compares models by name, which is unique within a program.
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

/// The hardware models that other crates add to a program.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hardware(&'static [&'static [HardwareModel]]);

impl Hardware {
    /// Only the built-in models.
    pub const NONE: Self = Self(&[]);

    /// Combines the models of several crates.
    pub const fn new(models: &'static [&'static [HardwareModel]]) -> Self {
        Self(models)
    }

    /// Returns the models, crate by crate.
    pub fn iter(self) -> impl Iterator<Item = &'static HardwareModel> {
        self.0.iter().copied().flatten()
    }

    /// Returns the models of a device.
    pub fn of(self, device: &str) -> impl Iterator<Item = &'static HardwareModel> {
        self.iter().filter(move |model| model.device == device)
    }
}
