//! Stores the state of the reader: what it has read, and the elements that are still open.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;

use prophet_text::Problem;

use super::profile::{self, Profile};
use super::{Read, Watts};
use crate::builder::Builder;
use crate::change::{Change, Quantity, Target};
use crate::cluster::LinkSpeed;
use crate::dijkstra::Dijkstra;
use crate::lists::Hop;
use crate::platform::Link;

use crate::refuse::refuse;
use crate::star::Star;

const WARNINGS_MAX: usize = 100;

const CHANGES_MAX: usize = 1 << 22;

/// The links that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wires {
    One(u32),
    /// A link for each direction.
    Split {
        up: u32,
        down: u32,
    },
}

/// A profile that applies to an element. Both are given by name.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) line: u32,
    pub(super) kind: String,
    pub(super) trace: String,
    pub(super) element: String,
}

#[derive(Debug)]
pub(super) struct OpenTrace {
    pub(super) id: String,
    pub(super) periodicity_s: f64,
    pub(super) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    None,
    Full,
    Floyd,
    Dijkstra,
    Cluster,
    Vivaldi,
}

#[derive(Debug)]
pub(super) struct OpenZone {
    pub(super) zone: u32,
    pub(super) kind: Kind,
    /// Given routes, by the indices of points in the zone.
    pub(super) table: BTreeMap<(u32, u32), Hop>,
    pub(super) graph: Dijkstra,
    pub(super) star: Star,
    pub(super) cabinets: Vec<Cabinet>,
    pub(super) host_links: Vec<HostLink>,
    pub(super) backbone: Option<(u32, Link)>,
}

#[derive(Debug)]
pub(super) struct HostLink {
    pub(super) line: u32,
    pub(super) host: String,
    pub(super) up: String,
    pub(super) down: String,
}

/// Hosts of a zone with Cluster routing. They are added at the end of the zone.
#[derive(Debug)]
pub(super) struct Cabinet {
    pub(super) line: u32,
    pub(super) names: Vec<String>,
    pub(super) speed: f64,
    pub(super) wire: LinkSpeed,
}

#[derive(Debug)]
pub(super) struct OpenRoute {
    pub(super) element: String,
    pub(super) src: u32,
    pub(super) dst: u32,
    pub(super) gateways: Option<(u32, u32)>,
    pub(super) bypass: bool,
    pub(super) symmetrical: bool,
    /// Links in the forward direction. `back` contains the links in the other direction, at the
    /// same indices.
    pub(super) there: Vec<u32>,
    pub(super) back: Vec<u32>,
}

pub(super) struct Reader<'f> {
    file: String,
    pub(super) line: u32,
    pub(super) builder: Builder,
    pub(super) zones: Vec<OpenZone>,
    pub(super) route: Option<OpenRoute>,
    pub(super) points: BTreeMap<String, u32>,
    pub(super) links: BTreeMap<String, Wires>,
    /// Vivaldi coordinates, by point.
    pub(super) coordinates: BTreeMap<u32, [f64; 3]>,
    /// Loopback of hosts in zones with tables. The link is `None` until it is first needed.
    pub(super) loopback: (LinkSpeed, Option<u32>),
    pub(super) fat_tree_nodes: u32,
    pub(super) trace: Option<OpenTrace>,
    pub(super) traces: BTreeMap<String, Profile>,
    pub(super) connections: Vec<Connection>,
    changes: Vec<Change>,
    /// Power of hosts. `described` contains the hosts of the last element, with their power state.
    pub(super) watts: BTreeMap<u32, Watts>,
    pub(super) described: (Range<u32>, usize),
    warnings: Vec<Problem>,
    warned: BTreeSet<String>,
    profiles: &'f mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    /// Names of the profile files that the platform refers to.
    named: BTreeSet<String>,
}

impl<'f> Reader<'f> {
    pub(super) fn new(
        file: &str,
        profiles: &'f mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    ) -> Self {
        let loopback = LinkSpeed {
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
            watts: BTreeMap::new(),
            described: (0..0, 0),
            warnings: Vec::new(),
            warned: BTreeSet::new(),
            profiles,
            named: BTreeSet::new(),
        }
    }

    pub(super) fn finish(mut self) -> Read {
        self.changes
            .sort_by(|one, other| one.at_s.total_cmp(&other.at_s));
        Read {
            platform: self.builder.platform,
            warnings: self.warnings,
            changes: self.changes,
            watts: self.watts,
            profiles: self.named,
        }
    }

    pub(super) fn warn(&mut self, message: &str) {
        if self.warnings.len() <= WARNINGS_MAX {
            let more = "there are more parts that are not supported";
            let last = self.warnings.len() == WARNINGS_MAX;
            let message = if last { more } else { message };
            let warning = Problem::at(self.file.as_ref(), self.line.into(), message);
            self.warnings.push(warning);
        }
    }

    /// Warns about a part that isn't supported. Warns only once for each kind.
    pub(super) fn warn_once(&mut self, kind: &str, message: &str) {
        if self.warned.insert(kind.to_owned()) {
            self.warn(message);
        }
    }

    pub(super) fn profile_in(&mut self, file: &str) -> Result<Profile, Problem> {
        self.named.insert(file.to_owned());
        let bytes = match (self.profiles)(file) {
            Ok(bytes) => bytes,
            Err(problem) => refuse!("cannot read the profile `{file}`: {problem}"),
        };
        match profile::read(&String::from_utf8_lossy(&bytes), None) {
            Ok(profile) => Ok(profile),
            Err((line, problem)) => refuse!("{file}:{}: {problem}", line + 1),
        }
    }

    pub(super) fn warn_of_state(&mut self, element: &str) {
        self.warn(&format!("failures are not supported: `{element}` stays up"));
    }

    /// Adds the changes in a profile to all links that a name refers to.
    pub(super) fn change_links(
        &mut self,
        profile: &Profile,
        wires: Wires,
        quantity: fn(f64) -> Quantity,
    ) -> Result<(), Problem> {
        match wires {
            Wires::One(link) => self.change(profile, Target::Link(link), quantity),
            Wires::Split { up, down } => {
                self.change(profile, Target::Link(up), quantity)?;
                self.change(profile, Target::Link(down), quantity)
            }
        }
    }

    pub(super) fn change(
        &mut self,
        profile: &Profile,
        target: Target,
        quantity: fn(f64) -> Quantity,
    ) -> Result<(), Problem> {
        if self.changes.len() + profile.events.len() > CHANGES_MAX {
            refuse!("the profiles have more than {CHANGES_MAX} changes in total");
        }
        for (at_s, value) in &profile.events {
            let quantity = quantity(*value);
            if matches!(quantity, Quantity::Bandwidth(value) if value <= 0.0) {
                refuse!(
                    "a profile sets a bandwidth to 0 at {at_s} s, so messages could not pass; keep \
                     it above 0"
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
