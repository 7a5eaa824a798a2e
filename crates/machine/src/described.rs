//! Reads machines from TOML, XML and `SimGrid` platform files, and writes, draws and lists them.

mod accelerator;
mod accuracy;
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
use std::path::Path;

use prophet_text::{FileKind, FileRole, Problem, did_you_mean};

use crate::hardware::Hardware;
use crate::machine::{DRAWN, Machine};

impl Machine {
    /// Returns the built-in machine with this name; `None` if there is no such machine.
    pub fn preset(name: &str) -> Option<Self> {
        let (_, text) = presets::ALL.iter().find(|(known, _)| *known == name)?;
        // A test reads all of these files.
        file::parse(text, name, Hardware::NONE).ok()
    }

    /// Returns the names of the built-in machines.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        presets::ALL.iter().map(|(name, _)| *name)
    }

    /// Returns the names of the built-in machines for which `has` returns `true`, as text for
    /// messages.
    pub fn that_have(has: impl Fn(&Self) -> bool) -> String {
        let has = |name: &&str| Self::preset(name).is_some_and(|it| has(&it));
        Self::presets().filter(has).collect::<Vec<_>>().join(", ")
    }

    /// Parses a machine from TOML. Messages name `path` as its file.
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
    /// Returns the first problem in the text, with file and line.
    pub fn parse(text: &str, path: &str) -> Result<Self, Problem> {
        file::parse(text, path, Hardware::NONE)
    }

    /// Reads a machine file: TOML or, if its name ends in `.xml`, XML that follows `machine.xsd` or
    /// a `SimGrid` platform file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read, or else the first problem in the file, with file
    /// and line.
    pub fn read(path: &str) -> Result<Self, Problem> {
        Self::read_with(path, Hardware::NONE)
    }

    /// Reads a machine like [`Self::read`], for a program with additional hardware models.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Self::read`].
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

    /// Parses a machine from XML. Messages name `path` as its file.
    ///
    /// ```
    /// use prophet_runtime::Machine;
    ///
    /// let text = "<system name='mine' source='measured'>\n<computer count='4' cpu='2'/></system>";
    /// let error = Machine::parse_xml(text, "mine.xml").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "mine.xml:2: `computer` does not support `cpu` (it supports name, count)"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Self::parse`].
    pub fn parse_xml(text: &str, path: &str) -> Result<Self, Problem> {
        file::parse_xml(text, path, Hardware::NONE)
    }

    /// Writes the machine as TOML. If the machine comes from a platform file, the TOML lists all
    /// routes.
    ///
    /// # Errors
    ///
    /// Returns an error if the platform file contains something that the TOML format can't express,
    /// such as a repeating profile, or if it has too many routes.
    pub fn to_toml(&self) -> Result<Cow<'_, str>, Problem> {
        if self.toml.is_empty() {
            return routes::toml(self).map(Cow::Owned);
        }
        Ok(Cow::Borrowed(&self.toml))
    }

    /// Writes the machine as XML that follows `machine.xsd`.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Self::to_toml`].
    pub fn to_xml(&self) -> Result<String, Problem> {
        let table = toml::from_str(&self.to_toml()?).map_err(|error| error.message().to_owned())?;
        Ok(xml::write(&table))
    }

    /// Draws the machine as SVG: its nodes and links or, if messages don't share links, the parts
    /// of a node.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine has neither links nor parts to draw, or the reason why its
    /// links can't be built.
    pub fn draw(&self) -> Result<String, Problem> {
        let nothing = "the machine has nothing to draw: it describes neither shared links nor the \
                       CPUs of a node";
        let links = self.draw_links().transpose()?;
        let drawn = links.or_else(|| self.draw_node());
        drawn.ok_or_else(|| nothing.into())
    }

    /// Draws the nodes and links as SVG; returns `None` if messages don't share links.
    ///
    /// # Errors
    ///
    /// Returns the reason why the links can't be built.
    pub fn draw_links(&self) -> Option<Result<String, Problem>> {
        let fabric = self.network.as_ref()?.fabric.as_ref()?;
        let platform = fabric.platform(self.nodes.unwrap_or(DRAWN));
        Some(platform.map(|it| it.draw()))
    }

    /// Draws the parts of a node as SVG; returns `None` for a node with one CPU and no
    /// accelerators, or with an unknown number of CPUs.
    pub fn draw_node(&self) -> Option<String> {
        let has_more = !self.accelerators.is_empty();
        let cpus = self.cpus_per_node.filter(|cpus| *cpus > 1 || has_more);
        cpus.map(|cpus| drawn::node(self, cpus))
    }

    /// Returns the message for an unknown machine name.
    pub fn unknown(name: &str) -> String {
        let suggestion = did_you_mean(name, Self::presets());
        let names: Vec<&str> = Self::presets().collect();
        format!(
            "unknown machine `{name}`, and no such file{suggestion}\n\
             help: choose one of {}, or give the path of a machine file",
            names.join(", ")
        )
    }

    /// Lists the built-in machines, one per line.
    pub fn list() -> String {
        let width = Self::presets().map(str::len).max().unwrap_or_default() + 2;
        let line = |name| {
            let machine = Self::preset(name)?;
            let size = match (machine.nodes, machine.cpus_per_node) {
                (Some(nodes), Some(cpus)) => format!("{nodes} x {cpus} CPUs"),
                (None, Some(cpus)) => format!("any x {cpus} CPUs"),
                _ => "any size".to_owned(),
            };
            let about = machine.source.lines().next().unwrap_or_default();
            Some(format!("{name:<width$}{size:<17}{about}\n"))
        };
        Self::presets().filter_map(line).collect()
    }
}

#[cfg(test)]
mod tests;
