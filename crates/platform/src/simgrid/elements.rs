//! Reads hosts, routers, and groups of hosts.

use prophet_text::Problem;

use super::links::Policy;
use super::reader::{Cabinet, Kind, OpenZone, Reader};
use super::tag::Tag;
use super::units;
use crate::change::{Quantity, Target};
use crate::cluster::{Cluster, Duplex, LinkSpeed};
use crate::dragonfly::Dragonfly;
use crate::fat_tree::FatTree;
use crate::lists::index;
use crate::platform::{HOSTS_MAX, Host, Sharing};

use crate::refuse::refuse;
use crate::site::{Site, plain};
use crate::topologies::{Backbone, Spokes, Tree, build};
use crate::torus::Torus;

/// Names of hosts. Each consists of a prefix, a number and a suffix.
struct Names {
    prefix: String,
    hosts: Vec<String>,
    suffix: String,
}

impl Reader<'_> {
    pub(super) fn host(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let id = tag.required("id")?;
        let state = state(tag)?;
        let host = Host {
            name: id,
            cores: cores(tag)?,
            speed: speed(&tag.required("speed")?, state)?,
        };
        let first = index(self.builder.platform.hosts.len());
        self.add_host(host, tag)?;
        self.described = (first..first + 1, state);
        Ok(())
    }

    /// Adds a host, with the attributes that `host` and `peer` have in common. Returns its point.
    fn add_host(&mut self, host: Host, tag: &mut Tag) -> Result<u32, Problem> {
        let zone = self.zone(&tag.name)?.zone;
        let name = host.name.clone();
        let at = index(self.builder.platform.hosts.len());
        let point = self.builder.host(zone, host)?;
        self.name_point(&name, point)?;
        self.place(tag, point)?;
        let deprecated = tag.filled("availability_file");
        if let Some(file) = tag.filled("speed_file").or(deprecated) {
            let profile = self.profile_in(&file)?;
            self.change(&profile, Target::Host(at), Quantity::Speed)?;
        }
        if tag.filled("state_file").is_some() {
            self.warn_of_state(&name);
        }
        Ok(point)
    }

    fn place(&mut self, tag: &mut Tag, point: u32) -> Result<(), Problem> {
        let Some(text) = tag.filled("coordinates") else {
            return Ok(());
        };
        let numbers = text.split_whitespace().map(str::parse::<f64>);
        let numbers: Vec<f64> = numbers
            .filter_map(Result::ok)
            .filter(|it| it.is_finite())
            .collect();
        match numbers[..] {
            [x, y, z] if text.split_whitespace().count() == 3 => {
                self.coordinates.insert(point, [x, y, z]);
                Ok(())
            }
            _ => refuse!(
                "the coordinates `{text}` of `{}` are not three numbers",
                tag.name
            ),
        }
    }

    pub(super) fn router(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let id = tag.required("id")?;
        let zone = self.zone("router")?.zone;
        let point = self.builder.router(zone, &id)?;
        self.name_point(&id, point)?;
        self.place(tag, point)
    }

    pub(super) fn peer(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let id = tag.required("id")?;
        if self.zone("peer")?.kind != Kind::Vivaldi {
            refuse!("peer `{id}` is in a zone without Vivaldi routing: move it");
        }
        let host = Host {
            name: id.clone(),
            cores: 1,
            speed: units::speed(&tag.required("speed")?)?,
        };
        let down = units::bandwidth(&tag.required("bw_in")?)?;
        let up = units::bandwidth(&tag.required("bw_out")?)?;
        if tag.filled("lat").is_some() {
            self.warn(&format!(
                "the latency of peer `{id}` is ignored, as in SimGrid"
            ));
        }
        let point = self.add_host(host, tag)?;
        let link = |name: String, bytes_per_s| {
            let wire = LinkSpeed {
                bytes_per_s,
                latency_s: 0.0,
            };
            plain(name, wire, Sharing::Shared)
        };
        let up = self.add_link(link(format!("link_{id}_UP"), up))?;
        let down = self.add_link(link(format!("link_{id}_DOWN"), down))?;
        let spoke = self.spoke((up, down), None)?;
        let at = self.id(point);
        self.zone("peer")?.star.set(at, spoke);
        Ok(())
    }

    pub(super) fn cabinet(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let id = tag.required("id")?;
        let cabinet = Cabinet {
            line: self.line,
            names: self.names(tag)?.hosts,
            speed: units::speed(&tag.required("speed")?)?,
            wire: LinkSpeed {
                bytes_per_s: units::bandwidth(&tag.required("bw")?)?,
                latency_s: units::time(&tag.required("lat")?)?,
            },
        };
        let zone = self.zone("cabinet")?;
        if zone.kind != Kind::Cluster {
            refuse!("cabinet `{id}` is in a zone without Cluster routing: use `cluster` instead");
        }
        zone.cabinets.push(cabinet);
        Ok(())
    }

    pub(super) fn populate_cabinet(
        &mut self,
        open: &mut OpenZone,
        cabinet: &Cabinet,
        center: Option<u32>,
    ) -> Result<(), Problem> {
        let Cabinet {
            names, speed, wire, ..
        } = cabinet;
        for name in names {
            let host = Host {
                name: name.clone(),
                cores: 1,
                speed: *speed,
            };
            let point = self.builder.host(open.zone, host)?;
            self.name_point(name, point)?;
            let link = |way| plain(format!("link_{name}_{way}"), *wire, Sharing::Shared);
            let up = self.add_link(link("UP"))?;
            let down = self.add_link(link("DOWN"))?;
            let spoke = self.spoke((up, down), center)?;
            open.star.set(self.id(point), spoke);
        }
        Ok(())
    }

    fn names(&self, tag: &mut Tag) -> Result<Names, Problem> {
        let (prefix, suffix) = (tag.required("prefix")?, tag.required("suffix")?);
        let most = HOSTS_MAX - index(self.builder.platform.hosts.len());
        let radical = units::radical(&tag.required("radical")?, most)?;
        let names = radical.iter().map(|it| format!("{prefix}{it}{suffix}"));
        let hosts = names.collect();
        Ok(Names {
            prefix,
            hosts,
            suffix,
        })
    }

    pub(super) fn cluster(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let id = tag.required("id")?;
        let Names {
            prefix,
            hosts: names,
            suffix,
        } = self.names(tag)?;
        let cluster = self.cluster_of(&id, tag)?;
        let backbone = backbone(tag)?;
        let topology = tag.optional("topology");
        let parameters = tag.optional("topo_parameters").unwrap_or_default();
        let router = tag.filled("router_id");
        let zone = self.add_zone(&id)?;
        let first = index(self.builder.platform.points.len());
        let first_host = index(self.builder.platform.hosts.len());
        let site_prefix = format!("{id}.");
        let site = Site {
            cluster: &cluster,
            zone,
            prefix: &site_prefix,
            names,
        };
        match topology.as_deref().unwrap_or("FLAT") {
            "FLAT" => {
                let nodes = site.names.len();
                build(&mut self.builder, &site, &Spokes { nodes, backbone })?;
            }
            "TORUS" => build(&mut self.builder, &site, &Torus::parse(&parameters)?)?,
            "FAT_TREE" => {
                let tree = &FatTree::parse(&parameters)?;
                let offset = self.fat_tree_nodes;
                build(&mut self.builder, &site, &Tree { tree, offset })?;
                self.fat_tree_nodes += index(site.names.len());
            }
            "DRAGONFLY" => build(&mut self.builder, &site, &Dragonfly::parse(&parameters)?)?,
            other => refuse!(
                "unknown topology `{other}` of cluster `{id}`; use FLAT, TORUS, FAT_TREE or \
                 DRAGONFLY"
            ),
        }
        for (name, point) in site.names.iter().zip(first..) {
            self.name_point(name, point)?;
        }
        self.described = (first_host..index(self.builder.platform.hosts.len()), 0);
        if matches!(topology.as_deref(), None | Some("FLAT")) {
            let name = router.unwrap_or_else(|| format!("{prefix}{id}_router{suffix}"));
            let point = self.builder.router(zone, &name)?;
            self.name_point(&name, point)?;
        }
        Ok(())
    }

    fn cluster_of(&mut self, id: &str, tag: &mut Tag) -> Result<Cluster, Problem> {
        let cable = LinkSpeed {
            bytes_per_s: units::bandwidth(&tag.required("bw")?)?,
            latency_s: units::time(&tag.required("lat")?)?,
        };
        let policy = tag.optional("sharing_policy");
        let policy = policy.as_deref().unwrap_or("SPLITDUPLEX");
        let policy = Policy::parse(policy, &format!("cluster `{id}`"))?;
        if policy == Policy::Fatpipe {
            self.warn(&format!(
                "links of cluster `{id}` are shared despite FATPIPE, as in SimGrid"
            ));
        }
        let limiter = tag.filled("limiter_link");
        let limiter = limiter.map(|it| units::bandwidth(&it)).transpose()?;
        let loopback = wire_of(tag, "loopback_bw", "loopback_lat")?;
        let speed = speed(&tag.required("speed")?, 0)?;
        Ok(Cluster {
            cores: cores(tag)?,
            speed,
            duplex: if policy == Policy::Split {
                Duplex::Split
            } else {
                Duplex::Half
            },
            loopback,
            limiter: limiter.filter(|it| *it > 0.0),
            ..Cluster::new(id, cable)
        })
    }
}

fn cores(tag: &mut Tag) -> Result<u32, Problem> {
    let text = tag.optional("core");
    match text.as_deref().unwrap_or("1").trim().parse() {
        Ok(cores) => Ok(cores),
        Err(_) => refuse!("`core` of `{}` is not a number of cores", tag.name),
    }
}

/// Returns the index of a host's power state.
fn state(tag: &mut Tag) -> Result<usize, Problem> {
    let text = tag.optional("pstate");
    let state = text.as_deref().unwrap_or("0").trim();
    match state.strip_suffix(".0").unwrap_or(state).parse() {
        Ok(state) => Ok(state),
        Err(_) => refuse!(
            "`pstate` {state} of `{}` is not a valid state number",
            tag.name
        ),
    }
}

fn speed(list: &str, state: usize) -> Result<f64, Problem> {
    match list.split(',').nth(state) {
        Some(speed) => units::speed(speed),
        None => refuse!("`{list}` has no speed for `pstate` {state}"),
    }
}

fn backbone(tag: &mut Tag) -> Result<Option<Backbone>, Problem> {
    let policy = tag.optional("bb_sharing_policy");
    let wire = wire_of(tag, "bb_bw", "bb_lat")?;
    let sharing = match policy.as_deref().unwrap_or("SHARED") {
        "SHARED" => Sharing::Shared,
        "FATPIPE" => Sharing::Fatpipe,
        other => refuse!("unknown `bb_sharing_policy` `{other}`; use SHARED or FATPIPE"),
    };
    Ok(wire.map(|wire| Backbone { wire, sharing }))
}

/// Returns a link's bandwidth and latency from two attributes; `None` if neither is above 0.
fn wire_of(tag: &mut Tag, bandwidth: &str, latency: &str) -> Result<Option<LinkSpeed>, Problem> {
    let bytes_per_s = tag
        .filled(bandwidth)
        .map(|it| units::bandwidth(&it))
        .transpose()?;
    let latency_s = tag.filled(latency).map(|it| units::time(&it)).transpose()?;
    let wire = LinkSpeed {
        bytes_per_s: bytes_per_s.unwrap_or(0.0),
        latency_s: latency_s.unwrap_or(0.0),
    };
    let is_there = wire.bytes_per_s > 0.0 || wire.latency_s > 0.0;
    Ok(is_there.then_some(wire))
}
