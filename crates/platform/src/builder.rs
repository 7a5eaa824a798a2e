//! Builds platforms, and checks that they stay within the size limits.

use std::collections::BTreeMap;

use prophet_text::Problem;

use crate::lists::{NONE, Span, index};
use crate::platform::{HOSTS_MAX, Host, LINKS_MAX, Link, Platform};

use crate::refuse::refuse;
use crate::zone::{Point, Routing, What, Zone};

/// Maximum total length of all lists of links, for spokes of stars and given routes.
const LIST_ENTRIES_MAX: usize = 1 << 25;

#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub(crate) platform: Platform,
}

impl Builder {
    pub(crate) fn new(name: &str) -> Self {
        let name = name.to_owned();
        let platform = Platform {
            name,
            ..Platform::default()
        };
        Builder { platform }
    }

    /// Checks that the platform stays within its limits if this many hosts and links are added.
    /// Call it before creating any of them.
    pub(crate) fn reserve(&mut self, hosts: u128, links: u128) -> Result<(), Problem> {
        let platform = &mut self.platform;
        let all_hosts = hosts.saturating_add(platform.hosts.len() as u128);
        let all_links = links.saturating_add(platform.links.len() as u128);
        if all_hosts > u128::from(HOSTS_MAX) {
            refuse!(
                "the machine has {all_hosts} hosts; the limit is {HOSTS_MAX}: describe a smaller \
                 machine"
            );
        }
        if all_links > u128::from(LINKS_MAX) {
            refuse!(
                "the machine has {all_links} links; the limit is {LINKS_MAX}: describe a smaller \
                 machine"
            );
        }
        Ok(())
    }

    /// Adds a zone inside `parent`, or the outermost zone if `parent` is `NONE`.
    pub(crate) fn zone(&mut self, name: &str, parent: u32, routing: Routing) -> u32 {
        let zone = index(self.platform.zones.len());
        let depth = match parent {
            NONE => 0,
            _ => self.platform.zones[parent as usize].depth + 1,
        };
        self.platform.zones.push(Zone {
            name: name.to_owned(),
            parent,
            depth,
            point: NONE,
            points: Vec::new(),
            holds_zones: false,
            routing,
            bypasses: BTreeMap::new(),
        });
        let point = self.point(parent, What::Zone(zone));
        self.platform.zones[zone as usize].point = point;
        zone
    }

    pub(crate) fn host(&mut self, zone: u32, host: Host) -> Result<u32, Problem> {
        self.reserve(1, 0)?;
        if !(host.speed.is_finite() && host.speed >= 0.0) {
            refuse!(
                "the speed of host `{}` is not a number of flop/s",
                host.name
            );
        }
        if host.cores == 0 {
            refuse!("host `{}` has no cores: add at least one core", host.name);
        }
        let point = self.point(zone, What::Host(index(self.platform.hosts.len())));
        self.platform.hosts.push(host);
        self.platform.host_points.push(point);
        Ok(point)
    }

    pub(crate) fn router(&mut self, zone: u32, name: &str) -> Result<u32, Problem> {
        if self.platform.points.len() >= 2 * HOSTS_MAX as usize {
            refuse!(
                "the machine has more than {} routers and hosts",
                2 * HOSTS_MAX
            );
        }
        let router = index(self.platform.routers.len());
        self.platform.routers.push(name.to_owned());
        Ok(self.point(zone, What::Router(router)))
    }

    fn point(&mut self, zone: u32, what: What) -> u32 {
        let point = index(self.platform.points.len());
        let mut id = 0;
        if let Some(around) = self.platform.zones.get_mut(zone as usize) {
            id = index(around.points.len());
            around.points.push(point);
            around.holds_zones |= matches!(what, What::Zone(_));
        }
        self.platform.points.push(Point { zone, id, what });
        point
    }

    pub(crate) fn next_link(&self) -> u32 {
        index(self.platform.links.len())
    }

    pub(crate) fn link(&mut self, link: Link) -> Result<u32, Problem> {
        self.reserve(0, 1)?;
        check_link(&link)?;
        let at = self.next_link();
        self.platform.links.push(link);
        Ok(at)
    }

    pub(crate) fn list(&mut self, links: &[u32]) -> Result<Span, Problem> {
        if self.platform.lists.total() + links.len() > LIST_ENTRIES_MAX {
            refuse!("the routes have more than {LIST_ENTRIES_MAX} links in total");
        }
        Ok(self.platform.lists.add(links))
    }
}

pub(crate) fn check_link(link: &Link) -> Result<(), Problem> {
    let name = &link.name;
    if !(link.bytes_per_s.is_finite() && link.bytes_per_s > 0.0) {
        refuse!("the bandwidth of link `{name}` is not above 0, so messages could never cross it");
    }
    if !(link.latency_s.is_finite() && link.latency_s >= 0.0) {
        refuse!("the latency of link `{name}` is not a time of 0 or more");
    }
    if !(0.0..1.0).contains(&link.background) {
        refuse!(
            "the background of link `{name}` is {}: other traffic can take a share from 0 to below \
             1",
            link.background
        );
    }
    Ok(())
}
