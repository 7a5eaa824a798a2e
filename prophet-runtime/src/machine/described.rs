//! Machines described by files.

mod accelerator;
mod cache;
mod device;
mod drawn;
mod entries;
mod file;
mod group;
mod network;
mod operations;
mod platform;
mod power;
mod presets;
mod routes;
mod words;
mod written;
mod xml;

pub use entries::Entry;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prophet_text::{FileKind, FileRole, Problem, did_you_mean};

use crate::language::hardware::Hardware;
use crate::machine::accelerator::Accelerator;
use crate::machine::binding::Binding;
use crate::machine::change::Listed;
use crate::machine::devices::Device;
use crate::machine::groups::{Groups, NodeKind};
use crate::machine::mapping::Mapping;
use crate::machine::memory::Memory;
use crate::machine::network::{Network, NetworkFlag};
use crate::machine::policy::{CpuDiscipline, WaitPolicy};
use crate::machine::power::Power;
use crate::machine::prices::Prices;
use crate::machine::rule::Rule;

/// Number of nodes that are drawn of a machine that may have any.
const DRAWN: u32 = 8;

/// A machine, as described by its file.
///
/// ```
/// use prophet_runtime::{Machine, System};
///
/// let gescher = Machine::preset("gescher").expect("there is one of that name");
/// assert_eq!((gescher.nodes, gescher.cpus_per_node), (Some(16), Some(4)));
/// // Two of its nodes, with a process on each CPU.
/// let system = System::on(gescher, 2, 4, 8, 1);
/// assert_eq!(system.machine(), "gescher");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// Name.
    pub name: String,
    /// Source of its numbers.
    pub source: String,
    /// Number of nodes; `None` if it may have any number.
    pub nodes: Option<u32>,
    /// Number of CPUs of each node; `None` if it may have any number.
    pub cpus_per_node: Option<u32>,
    /// The sockets, the memory and the caches of a node.
    pub memory: Memory,
    /// Accelerators of each node; they have numbers in this order.
    pub accelerators: Arc<[Accelerator]>,
    /// Discipline by which the units of a node share its CPUs.
    pub discipline: CpuDiscipline,
    /// Use of the CPU by a unit that waits for others.
    pub wait_policy: WaitPolicy,
    /// Rule by which collectives choose their algorithms.
    pub(crate) collectives: Rule,
    /// Prices of operations.
    pub prices: Prices,
    /// The user's file that the machine was read from; `None` for presets.
    pub(crate) file: Option<String>,
    /// The files that its file names.
    pub(crate) profiles: Vec<PathBuf>,
    pub(crate) network: Option<NetworkFlag>,
    pub(crate) intranode: Option<NetworkFlag>,
    pub(crate) mapping: Mapping,
    pub(crate) binding: Binding,
    /// Speeds and powers of the nodes, if they differ.
    pub(crate) groups: Groups,
    /// Power of the nodes; `None` if its file names none.
    pub(crate) power: Option<Power>,
    /// Models of devices of your own; the first of a device is used unless another is chosen.
    pub(crate) devices: Vec<Device>,
    /// Changes of nodes and operations during a run.
    pub(crate) changes: Listed,
    /// Contradiction in its file, with file and line; flags may resolve it.
    pub(crate) contradiction: Option<Problem>,
    /// Parts of its file that the machine does not have, with file and line.
    pub(crate) warnings: Vec<Problem>,
    /// Text of the machine in TOML; empty without such a text.
    toml: String,
}

/// Neighboring nodes of a machine that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodesAlike {
    /// Number of nodes.
    pub nodes: u32,
    /// A multiple of the speed for which costs hold.
    pub speed: f64,
    /// Memory of each, in bytes; `None` for no limit.
    pub memory_bytes: Option<u64>,
}

impl Machine {
    /// Finds the machine of that name among those that come with the library.
    pub fn preset(name: &str) -> Option<Self> {
        let (_, text) = presets::ALL.iter().find(|(known, _)| *known == name)?;
        // A test reads all of these files.
        file::parse(text, name, Hardware::NONE).ok()
    }

    /// Names of the machines that come with the library.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        presets::ALL.iter().map(|(name, _)| *name)
    }

    /// Names of the machines that come with the library and that `has` accepts, for messages.
    pub(crate) fn that_have(has: impl Fn(&Self) -> bool) -> String {
        let has = |name: &&str| Self::preset(name).is_some_and(|it| has(&it));
        Self::presets().filter(has).collect::<Vec<_>>().join(", ")
    }

    /// Reads the machine that a text describes; `path` is for messages.
    ///
    /// ```
    /// use prophet_runtime::Machine;
    ///
    /// let text = "name = \"mine\"\nsource = \"measured\"\nnodes = 4\ncpus_per_node = 2\n";
    /// let error = Machine::parse(text, "mine.toml").unwrap_err();
    /// assert_eq!((error.file.as_str(), error.line), ("mine.toml", 4));
    /// assert!(error.message.starts_with("unknown key `cpus_per_node`"));
    /// ```
    ///
    /// # Errors
    ///
    /// The first problem of the text, with file and line.
    pub fn parse(text: &str, path: &str) -> Result<Self, Problem> {
        file::parse(text, path, Hardware::NONE)
    }

    /// Reads the machine in a file: TOML or, if its name ends in `.xml`, XML
    /// or a platform file of `SimGrid`.
    ///
    /// # Errors
    ///
    /// A problem if the file cannot be read, or its first problem, with file and line.
    pub fn read(path: &str) -> Result<Self, Problem> {
        Self::read_with(path, Hardware::NONE)
    }

    /// Reads as [`Self::read`] the machine of a program that has further hardware models.
    ///
    /// # Errors
    ///
    /// As of [`Self::read`].
    pub fn read_with(path: &str, hardware: Hardware) -> Result<Self, Problem> {
        let format = prophet_files::format_of(Path::new(path));
        if let Some(told) = format.and_then(|it| it.unless(FileRole::Machine)) {
            return Err(Problem::of(Path::new(path), told));
        }
        let extension = Path::new(path).extension();
        let is_xml = extension.is_some_and(|extension| extension.eq_ignore_ascii_case("xml"));
        let machine = match is_xml {
            true if format.is_some_and(|it| it.kind == FileKind::Platform) => platform::read(path),
            true => file::parse_xml(&file::text(path)?, path, hardware),
            false => file::parse(&file::text(path)?, path, hardware),
        };
        machine.map(|machine| Self {
            file: Some(path.to_owned()),
            ..machine
        })
    }

    /// Reads the machine that a text in XML describes; `path` is for messages.
    ///
    /// ```
    /// use prophet_runtime::Machine;
    ///
    /// let text = "<system name='mine' source='measured'>\n<computer count='4' cpu='2'/></system>";
    /// let error = Machine::parse_xml(text, "mine.xml").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "mine.xml:2: a `computer` has no `cpu` (it has name, count)"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// As of [`Self::parse`].
    pub fn parse_xml(text: &str, path: &str) -> Result<Self, Problem> {
        file::parse_xml(text, path, Hardware::NONE)
    }

    /// File of the user that the machine was read from; `None` for one that comes with the library.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Parts of the machine's file that the machine does not have, with file and line.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// Network between nodes, in the form of `--network`; empty if the machine names no network.
    pub fn network(&self) -> String {
        let network = self.network.as_ref();
        network.map_or_else(String::new, NetworkFlag::to_string)
    }

    /// Lists the kinds of its first nodes, with their numbers, in the order of the nodes.
    pub fn node_kinds(&self, nodes: u32) -> Vec<NodesAlike> {
        let mut kinds = Vec::new();
        let mut left = nodes;
        let grouped = self.groups.iter().map(|it| (it.count, it.kind));
        let plain = (u32::MAX, NodeKind::PLAIN);
        for (count, kind) in grouped.chain([plain]) {
            let nodes = count.min(left);
            left -= nodes;
            if nodes > 0 {
                kinds.push(NodesAlike {
                    nodes,
                    speed: kind.speed,
                    memory_bytes: kind.memory.or(self.memory.size),
                });
            }
        }
        kinds
    }

    /// Bytes a second and seconds of latency between its first two nodes, when no other message is
    /// on the way; the default network's, if the machine names none.
    ///
    /// # Errors
    ///
    /// A message that there is no route.
    pub fn node_link(&self) -> Result<(f64, f64), Problem> {
        let flag = self.network.as_ref();
        if let Some(fabric) = flag.and_then(|it| it.fabric.as_ref()) {
            return fabric.first_link(self.nodes.unwrap_or(DRAWN));
        }
        Ok(match flag.map_or(Network::DEFAULT, |it| it.network) {
            Network::Hockney {
                latency_s,
                bytes_per_s,
            } => (bytes_per_s, latency_s),
            Network::LogGp {
                l_s,
                o_s,
                gap_per_byte_s,
                ..
            } => (gap_per_byte_s.recip(), 2.0f64.mul_add(o_s, l_s)),
        })
    }

    /// Writes the machine in TOML; the machine of a platform file with all of its routes.
    ///
    /// # Errors
    ///
    /// A message that the platform file has something that TOML does not say, such as a profile
    /// that repeats, or too many routes.
    pub fn to_toml(&self) -> Result<Cow<'_, str>, Problem> {
        if self.toml.is_empty() {
            return routes::toml(self).map(Cow::Owned);
        }
        Ok(Cow::Borrowed(&self.toml))
    }

    /// Writes the machine in XML, in the form of `machine.xsd`.
    ///
    /// # Errors
    ///
    /// As of [`Self::to_toml`].
    pub fn to_xml(&self) -> Result<String, Problem> {
        let table = toml::from_str(&self.to_toml()?).map_err(|error| error.message().to_owned())?;
        Ok(xml::write(&table))
    }

    /// Draws the nodes and links of the machine, or the parts of one node if messages share no
    /// links, as SVG.
    ///
    /// # Errors
    ///
    /// A message that there is neither, or why there are no links.
    pub fn draw(&self) -> Result<String, Problem> {
        let nothing =
            "there is nothing to draw: neither links that messages share nor CPUs of a node";
        let links = self.draw_links().transpose()?;
        let drawn = links.or_else(|| self.draw_node());
        drawn.ok_or_else(|| nothing.into())
    }

    /// Draws the nodes and links as SVG; `None` if messages share no links.
    ///
    /// # Errors
    ///
    /// The reason why there are no links.
    pub fn draw_links(&self) -> Option<Result<String, Problem>> {
        let fabric = self.network.as_ref()?.fabric.as_ref()?;
        let platform = fabric.platform(self.nodes.unwrap_or(DRAWN));
        Some(platform.map(|it| it.draw()))
    }

    /// Draws the parts of one node as SVG; `None` for a node of one CPU without accelerators.
    pub fn draw_node(&self) -> Option<String> {
        let has_more = !self.accelerators.is_empty();
        let cpus = self.cpus_per_node.filter(|cpus| *cpus > 1 || has_more);
        cpus.map(|cpus| drawn::node(self, cpus))
    }

    /// Message that there is no machine of that name.
    pub fn unknown(name: &str) -> String {
        let suggestion = did_you_mean(name, Self::presets());
        let names: Vec<&str> = Self::presets().collect();
        format!(
            "unknown machine `{name}`, and no such file{suggestion}\n\
             help: choose one of {}, or give the path of a machine file",
            names.join(", ")
        )
    }

    /// Lists the machines that come with the library, a line each.
    pub(crate) fn list() -> String {
        let line = |name| {
            let machine = Self::preset(name)?;
            let size = match (machine.nodes, machine.cpus_per_node) {
                (Some(nodes), Some(cpus)) => format!("{nodes} x {cpus} CPUs"),
                (None, Some(cpus)) => format!("any x {cpus} CPUs"),
                _ => "any size".to_owned(),
            };
            let about = machine.source.lines().next().unwrap_or_default();
            Some(format!("{name:<17}{size:<17}{about}\n"))
        };
        Self::presets().filter_map(line).collect()
    }
}

#[cfg(test)]
mod tests;
