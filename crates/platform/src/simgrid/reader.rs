//! State of the reader, and the order of the elements that it reads.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::profile::{self, Profile};
use super::routes::OpenRoute;
use super::tag::{Part, Parts, Tag};
use super::zones::OpenZone;
use super::{Problem, Read, units};
use crate::builder::Builder;
use crate::change::{Change, Quantity, Target};
use crate::cluster::Wire;
use crate::refusal::{Refusal, refuse};

/// Maximum number of warnings about a file.
const WARNINGS_MAX: usize = 100;

/// Maximum number of changes by all profiles.
const CHANGES_MAX: usize = 1 << 22;

/// Links that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wires {
    One(u32),
    /// One each way.
    Split {
        up: u32,
        down: u32,
    },
}

/// Profile that an element of a given name shall have.
#[derive(Debug)]
struct Connection {
    line: u32,
    kind: String,
    trace: String,
    element: String,
}

/// Profile whose text is being read.
#[derive(Debug)]
struct OpenTrace {
    id: String,
    periodicity_s: f64,
    text: String,
}

pub(super) struct Reader<'f> {
    file: String,
    /// Line of the element at hand.
    pub(super) line: u32,
    pub(super) builder: Builder,
    pub(super) zones: Vec<OpenZone>,
    pub(super) route: Option<OpenRoute>,
    /// Hosts, routers and zones by name.
    pub(super) points: BTreeMap<String, u32>,
    pub(super) links: BTreeMap<String, Wires>,
    /// Places of Vivaldi by point.
    pub(super) coordinates: BTreeMap<u32, [f64; 3]>,
    /// Way of a host to itself in zones with tables, and its link once there is one.
    pub(super) loopback: (Wire, Option<u32>),
    /// Nodes of all fat trees so far.
    pub(super) fat_tree_nodes: u32,
    trace: Option<OpenTrace>,
    traces: BTreeMap<String, Profile>,
    connections: Vec<Connection>,
    changes: Vec<Change>,
    warnings: Vec<Problem>,
    warned: BTreeSet<String>,
    profiles: &'f mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
}

impl<'f> Reader<'f> {
    pub(super) fn new(
        file: &str,
        profiles: &'f mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    ) -> Self {
        let loopback = Wire {
            bytes_per_s: 10e9,
            latency_s: 0.0,
        };
        Reader {
            file: file.to_owned(),
            line: 1,
            builder: Builder::new(""),
            zones: Vec::new(),
            route: None,
            points: BTreeMap::new(),
            links: BTreeMap::new(),
            coordinates: BTreeMap::new(),
            loopback: (loopback, None),
            fat_tree_nodes: 0,
            trace: None,
            traces: BTreeMap::new(),
            connections: Vec::new(),
            changes: Vec::new(),
            warnings: Vec::new(),
            warned: BTreeSet::new(),
            profiles,
        }
    }

    /// Reads all parts of a document.
    pub(super) fn document(&mut self, text: &str) -> Result<(), Refusal> {
        let mut parts = Parts::new(text);
        loop {
            let part = parts.next();
            self.line = parts.line();
            match part? {
                None => break,
                Some(Part::Start(tag)) => self.start(tag, parts.parent())?,
                Some(Part::End(name)) => self.end(&name)?,
                Some(Part::Text(text)) => self.text(&text)?,
            }
        }
        for connection in std::mem::take(&mut self.connections) {
            self.line = connection.line;
            self.connect(&connection)?;
        }
        if self.builder.platform.hosts.is_empty() {
            refuse!("the file describes no host: is it a platform of SimGrid?");
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Read {
        self.changes
            .sort_by(|one, other| one.at_s.total_cmp(&other.at_s));
        Read {
            platform: self.builder.platform,
            warnings: self.warnings,
            changes: self.changes,
        }
    }

    fn start(&mut self, mut tag: Tag, parent: &str) -> Result<(), Refusal> {
        if (tag.name == "platform") != parent.is_empty() {
            refuse!(
                "`{}` stands where `platform` should, or in its place",
                tag.name
            );
        }
        match tag.name.as_str() {
            "platform" => version(&mut tag)?,
            "config" => drop(tag.optional("id")),
            "prop" => self.property(&mut tag, parent)?,
            "AS" | "zone" => self.open_zone(&mut tag)?,
            "host" => self.host(&mut tag)?,
            "router" => self.router(&mut tag)?,
            "peer" => self.peer(&mut tag)?,
            "cluster" => self.cluster(&mut tag)?,
            "cabinet" => self.cabinet(&mut tag)?,
            "link" => self.link(&mut tag)?,
            "backbone" => self.backbone(&mut tag)?,
            "host_link" => self.host_link(&mut tag)?,
            "link_ctn" => self.link_of_route(&mut tag)?,
            "trace" => self.open_trace(&mut tag)?,
            "trace_connect" => self.trace_connect(&mut tag)?,
            "include" => refuse!("`include` is not read: put what it names into this file"),
            "disk" | "storage" | "storage_type" | "mount" => {
                self.warn(&format!(
                    "`{}` is not modelled: disks take no time",
                    tag.name
                ));
                return Ok(());
            }
            "process" | "actor" | "argument" => {
                let once = "deployment";
                self.warn_once(
                    once,
                    "what runs where is said by the model, not by this file",
                );
                return Ok(());
            }
            "random" | "model_prop" => {
                self.warn(&format!("`{}` has no meaning: remove it", tag.name));
                return Ok(());
            }
            _ if tag.name.to_lowercase().ends_with("route") => self.open_route(&mut tag)?,
            name => refuse!("`{name}` is not one of SimGrid's elements: correct or remove it"),
        }
        tag.finish()
    }

    fn end(&mut self, name: &str) -> Result<(), Refusal> {
        match name {
            "AS" | "zone" => self.close_zone(),
            "trace" => self.close_trace(),
            _ if self.route.as_ref().is_some_and(|it| it.element == name) => self.close_route(),
            _ => Ok(()),
        }
    }

    fn text(&mut self, text: &str) -> Result<(), Refusal> {
        match &mut self.trace {
            Some(trace) => trace.text.push_str(text),
            None if text.trim().is_empty() => {}
            None => refuse!(
                "`{}` is text where only elements mean something",
                text.trim()
            ),
        }
        Ok(())
    }

    /// Warns about a part of the file.
    pub(super) fn warn(&mut self, message: &str) {
        if self.warnings.len() <= WARNINGS_MAX {
            let more = "there is more that is not modelled";
            let last = self.warnings.len() == WARNINGS_MAX;
            let message = if last { more } else { message };
            self.warnings.push(Problem {
                file: self.file.clone(),
                line: self.line,
                message: message.to_owned(),
            });
        }
    }

    /// Warns about the first part of a kind.
    pub(super) fn warn_once(&mut self, kind: &str, message: &str) {
        if self.warned.insert(kind.to_owned()) {
            self.warn(message);
        }
    }

    fn property(&mut self, tag: &mut Tag, parent: &str) -> Result<(), Refusal> {
        let (id, value) = (tag.required("id")?, tag.required("value")?);
        match (parent, id.as_str()) {
            ("config", "network/loopback-bw") => {
                self.loopback.0.bytes_per_s = units::bandwidth(&value)?;
            }
            ("config", "network/loopback-lat") => self.loopback.0.latency_s = units::time(&value)?,
            ("config", _) => {
                self.warn(&format!(
                    "`{id}` is ignored: set it with flags or in a machine file"
                ));
            }
            _ => {
                let message = format!("the property `{id}` is not modelled, wherever it stands");
                self.warn_once(&format!("prop {id}"), &message);
            }
        }
        Ok(())
    }

    fn open_trace(&mut self, tag: &mut Tag) -> Result<(), Refusal> {
        let id = tag.required("id")?;
        let periodicity = tag.required("periodicity")?;
        let Ok(periodicity_s) = periodicity.trim().parse() else {
            refuse!("the periodicity `{periodicity}` of trace `{id}` is not a number of seconds");
        };
        if let Some(file) = tag.filled("file") {
            let profile = self.profile_in(&file)?;
            self.traces.insert(id, profile);
            return Ok(());
        }
        self.trace = Some(OpenTrace {
            id,
            periodicity_s,
            text: String::new(),
        });
        Ok(())
    }

    fn close_trace(&mut self) -> Result<(), Refusal> {
        let Some(OpenTrace {
            id,
            periodicity_s,
            text,
        }) = self.trace.take()
        else {
            return Ok(());
        };
        match profile::read(&text, Some(periodicity_s)) {
            Ok(profile) => self.traces.insert(id, profile),
            Err((line, Refusal(problem))) => {
                refuse!("line {} of the trace `{id}`: {problem}", line + 1)
            }
        };
        Ok(())
    }

    /// Profile in its own file.
    pub(super) fn profile_in(&mut self, file: &str) -> Result<Profile, Refusal> {
        let bytes = match (self.profiles)(file) {
            Ok(bytes) => bytes,
            Err(problem) => refuse!("the profile `{file}` cannot be read: {problem}"),
        };
        match profile::read(&String::from_utf8_lossy(&bytes), None) {
            Ok(profile) => Ok(profile),
            Err((line, Refusal(problem))) => refuse!("{file}:{}: {problem}", line + 1),
        }
    }

    fn trace_connect(&mut self, tag: &mut Tag) -> Result<(), Refusal> {
        let connection = Connection {
            line: self.line,
            kind: tag
                .optional("kind")
                .unwrap_or_else(|| "HOST_AVAIL".to_owned()),
            trace: tag.required("trace")?,
            element: tag.required("element")?,
        };
        self.connections.push(connection);
        Ok(())
    }

    fn connect(&mut self, it: &Connection) -> Result<(), Refusal> {
        let Connection {
            kind,
            trace,
            element,
            ..
        } = it;
        let Some(profile) = self.traces.get(trace).cloned() else {
            refuse!("`trace_connect` names the trace `{trace}`, which is not described");
        };
        match kind.as_str() {
            "HOST_AVAIL" | "LINK_AVAIL" => self.warn_of_state(element),
            "SPEED" => {
                let host = self.builder.platform.host(element);
                let Some(host) = host else {
                    refuse!("`trace_connect` names the host `{element}`, which is not described");
                };
                self.change(&profile, Target::Host(host), Quantity::Speed)?;
            }
            "BANDWIDTH" | "LATENCY" => {
                let Some(wires) = self.links.get(element).copied() else {
                    refuse!("`trace_connect` names the link `{element}`, which is not described");
                };
                let latency = kind == "LATENCY";
                let quantity = if latency {
                    Quantity::Latency
                } else {
                    Quantity::Bandwidth
                };
                self.change_links(&profile, wires, quantity)?;
            }
            _ => refuse!("`{kind}` is no kind of trace: write SPEED, BANDWIDTH or LATENCY"),
        }
        Ok(())
    }

    pub(super) fn warn_of_state(&mut self, element: &str) {
        self.warn(&format!("failures are not modelled: `{element}` stays up"));
    }

    /// Adds the changes of all links that a name stands for.
    pub(super) fn change_links(
        &mut self,
        profile: &Profile,
        wires: Wires,
        quantity: fn(f64) -> Quantity,
    ) -> Result<(), Refusal> {
        match wires {
            Wires::One(link) => self.change(profile, Target::Link(link), quantity),
            Wires::Split { up, down } => {
                self.change(profile, Target::Link(up), quantity)?;
                self.change(profile, Target::Link(down), quantity)
            }
        }
    }

    /// Adds the changes of a link or host.
    pub(super) fn change(
        &mut self,
        profile: &Profile,
        target: Target,
        quantity: fn(f64) -> Quantity,
    ) -> Result<(), Refusal> {
        if self.changes.len() + profile.events.len() > CHANGES_MAX {
            refuse!("the profiles have more than {CHANGES_MAX} changes in all");
        }
        for (at_s, value) in &profile.events {
            let quantity = quantity(*value);
            if matches!(quantity, Quantity::Bandwidth(value) if value <= 0.0) {
                refuse!(
                    "a profile sets a bandwidth to 0 at {at_s} s: no message would pass; keep it \
                     above 0"
                );
            }
            self.changes.push(Change {
                at_s: *at_s,
                repeat_s: profile.repeat_s,
                target,
                quantity,
            });
        }
        Ok(())
    }
}

fn version(tag: &mut Tag) -> Result<(), Refusal> {
    let version = tag.required("version")?;
    match version.parse::<f64>() {
        Ok(number) if (4.0..=4.1).contains(&number) => Ok(()),
        _ => refuse!(
            "version {version} is not read, only 4 and 4.1: convert the file by \
             `simgrid_update_xml`"
        ),
    }
}
