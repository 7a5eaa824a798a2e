//! Parses networks with shared links.

use prophet_platform::{Dragonfly, FatTree, Torus};

use super::{Fabric, Fairness, Link, Sharing, Topology, Wiring};
use crate::hardware::{Hardware, HardwareModel, NETWORK, Setting, settings};
use crate::quantity::{ParseError, bytes, bytes_per_second, parse_error, quoted, seconds};

/// Keys of every network with shared links.
const COMMON: [&str; 5] = ["topology", "latency", "bandwidth", "background", "nics"];
/// Keys of the topologies, each with its topology, its meaning and an example value.
const SIZES: [(&str, &str, &str, &str); 8] = [
    (
        "fat-tree",
        "children",
        "the children of a switch at each level",
        "4x4",
    ),
    (
        "fat-tree",
        "parents",
        "the parents of a node or switch at each level",
        "1x2",
    ),
    (
        "fat-tree",
        "links",
        "the parallel links at each level",
        "1x2",
    ),
    (
        "torus",
        "dimensions",
        "the nodes along each dimension",
        "4x4x2",
    ),
    (
        "dragonfly",
        "groups",
        "the groups and the links between two",
        "3x4",
    ),
    (
        "dragonfly",
        "chassis",
        "the chassis of a group and their links",
        "4x3",
    ),
    (
        "dragonfly",
        "routers",
        "the routers of a chassis and their links",
        "5x1",
    ),
    ("dragonfly", "router-nodes", "the nodes of a router", "2"),
];
pub(crate) const TOPOLOGIES: [&str; 4] = ["star", "fat-tree", "torus", "dragonfly"];
/// Default size of a packet, in bytes, as in Ethernet.
const PACKET_BYTES: f64 = 1500.0;

const NICS_MAX: u32 = 64;

const PACKET_BYTES_MAX: u64 = 1 << 30;

struct Pairs<'a> {
    model: &'a str,
    pairs: &'a [(&'a str, &'a str)],
}

impl<'a> Pairs<'a> {
    fn get(&self, key: &str) -> Option<&'a str> {
        let mut pairs = self.pairs.iter();
        pairs
            .find(|(known, _)| *known == key)
            .map(|(_, value)| *value)
    }

    fn need(&self, key: &str, meaning: &str) -> Result<&'a str, ParseError> {
        self.get(key)
            .ok_or_else(|| parse_error!("`{}` needs `{key}=`: {meaning}", self.model))
    }

    fn read<T>(
        &self,
        key: &str,
        default: T,
        read: impl FnOnce(&str) -> Result<T, ParseError>,
    ) -> Result<T, ParseError> {
        let Some(text) = self.get(key) else {
            return Ok(default);
        };
        read(text).map_err(|error| error.of_key(key))
    }

    /// Parses numbers separated by `x`.
    fn sizes(&self, topology: &str, key: &str) -> Result<Vec<u32>, ParseError> {
        let known = SIZES.iter().find(|it| (it.0, it.1) == (topology, key));
        let meaning = known.map(|it| format!("{}, such as `{key}={}`", it.2, it.3));
        let text = self.need(key, &meaning.unwrap_or_default())?;
        let size = |text: &str| text.trim().parse().ok().filter(|size| *size > 0);
        let sizes: Option<Vec<u32>> = text.split('x').map(size).collect();
        sizes.ok_or_else(|| {
            let message = "is not a list of whole numbers above 0, separated by `x`";
            parse_error!("{key}: `{}` {message}, such as 4x4", quoted(text))
        })
    }

    /// Parses two numbers; the second is 1 if it is missing.
    fn pair(&self, topology: &str, key: &str) -> Result<[u32; 2], ParseError> {
        match self.sizes(topology, key)?[..] {
            [number] => Ok([number, 1]),
            [number, links] => Ok([number, links]),
            _ => Err(parse_error!(
                "{key}: expected a number, optionally followed by a number of links, such as 4x2"
            )),
        }
    }
}

/// Returns the keys that a model of shared links understands.
pub fn keys(model: LinkModel) -> impl Iterator<Item = &'static str> {
    let (of_library, own): (&[&str], &[Setting]) = match model {
        LinkModel::Shared => (&["o", "fairness"], &[]),
        LinkModel::Packet => (&["packet", "window"], &[]),
        LinkModel::Own(own) => (&["o"], own.settings),
    };
    let own = own.iter().map(|setting| setting.name);
    let sizes = SIZES.iter().map(|(_, key, ..)| *key);
    { COMMON.iter().chain(of_library) }
        .copied()
        .chain(own)
        .chain(sizes)
}

/// How messages share the links of a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LinkModel {
    Shared,
    Packet,
    Own(&'static HardwareModel),
}

impl LinkModel {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Packet => "packet",
            Self::Own(model) => model.name,
        }
    }

    /// Returns the model with this name; `None` if the name is unknown.
    pub fn of_name(name: &str, hardware: Hardware) -> Option<Self> {
        match name {
            "shared" => Some(Self::Shared),
            "packet" => Some(Self::Packet),
            _ => {
                let own = hardware.of(NETWORK).find(|model| model.name == name);
                own.map(Self::Own)
            }
        }
    }

    fn sharing(self, pairs: &Pairs<'_>) -> Result<Sharing, ParseError> {
        Ok(match self {
            Self::Shared => Sharing::Fluid(pairs.read("fairness", Fairness::MaxMin, fairness)?),
            Self::Packet => Sharing::Packets {
                bytes: pairs.read("packet", PACKET_BYTES, packet)?,
                window: pairs.read("window", None, |text| window(text).map(Some))?,
            },
            Self::Own(model) => {
                let is_own = |key: &str| model.settings.iter().any(|it| it.name == key);
                let own = pairs.pairs.iter().copied().filter(|(key, _)| is_own(key));
                let own: Vec<_> = own.collect();
                Sharing::Own(*model, settings::read(model.name, model.settings, &own)?)
            }
        })
    }
}

impl Fabric {
    /// Returns a network with the same links, simulated by `model` with its default settings.
    ///
    /// # Errors
    ///
    /// Returns an error if one of the model's settings has no default.
    pub fn simulated_by(&self, model: LinkModel) -> Result<Self, ParseError> {
        let is_same = match (&self.sharing, model) {
            (Sharing::Fluid(_), LinkModel::Shared)
            | (Sharing::Packets { .. }, LinkModel::Packet) => true,
            (Sharing::Own(own, _), LinkModel::Own(model)) => own == model,
            _ => false,
        };
        let sharing = if is_same {
            self.sharing.clone()
        } else {
            model.sharing(&Pairs {
                model: model.name(),
                pairs: &[],
            })?
        };
        Ok(Self {
            sharing,
            ..self.clone()
        })
    }
}

pub(crate) fn of_pairs(model: LinkModel, pairs: &[(&str, &str)]) -> Result<Fabric, ParseError> {
    let pairs = Pairs {
        model: model.name(),
        pairs,
    };
    let topology = topology(&pairs)?;
    let bandwidth = pairs.need(
        "bandwidth",
        "the bandwidth of a link, such as `bandwidth=1GB/s`",
    )?;
    let latency = pairs.need("latency", "the latency of a link, such as `latency=1us`")?;
    let link = Link {
        bytes_per_s: bytes_per_second(bandwidth).map_err(|error| error.of_key("bandwidth"))?,
        latency_s: seconds(latency).map_err(|error| error.of_key("latency"))?,
        background: pairs.read("background", 0.0, background)?,
    };
    Ok(Fabric {
        sharing: model.sharing(&pairs)?,
        overhead_s: pairs.read("o", 0.0, seconds)?,
        ..Fabric::on(Wiring::Regular { topology, link })
    })
}

fn topology(pairs: &Pairs<'_>) -> Result<Topology, ParseError> {
    let name = pairs.get("topology").unwrap_or("star").trim();
    if !TOPOLOGIES.contains(&name) {
        let unknown = ParseError::unknown(name, "is not a topology", TOPOLOGIES);
        return Err(unknown.of_key("topology"));
    }
    for (of, key, ..) in SIZES {
        if of != name && pairs.get(key).is_some() {
            return Err(parse_error!(
                "`{key}=` is for the topology {of}, not for {name}"
            ));
        }
    }
    if name != "star" && pairs.get("nics").is_some() {
        return Err(parse_error!(
            "`nics=` is for the topology star, not for {name}: set the links of a node instead"
        ));
    }
    match name {
        "fat-tree" => {
            let levels = |key| pairs.sizes("fat-tree", key);
            let (children, parents) = (levels("children")?, levels("parents")?);
            let cables = levels("links")?;
            if [parents.len(), cables.len()] != [children.len(); 2] {
                let message = "`children=`, `parents=` and `links=` need one number per level";
                return Err(ParseError::new(message));
            }
            Ok(Topology::FatTree(FatTree {
                children,
                parents,
                cables,
            }))
        }
        "torus" => Ok(Topology::Torus(Torus {
            dimensions: pairs.sizes("torus", "dimensions")?,
        })),
        "dragonfly" => {
            let pair = |key| pairs.pair("dragonfly", key);
            let [groups, group_wires] = pair("groups")?;
            let [chassis, chassis_wires] = pair("chassis")?;
            let [routers, router_wires] = pair("routers")?;
            Ok(Topology::Dragonfly(Dragonfly {
                groups,
                group_wires,
                chassis,
                chassis_wires,
                routers,
                router_wires,
                nodes: pair("router-nodes")?[0],
            }))
        }
        _ => Ok(Topology::Star {
            nics: pairs.read("nics", 1, nics)?,
        }),
    }
}

pub(crate) fn nics(text: &str) -> Result<u32, ParseError> {
    let number = text.trim().parse().ok();
    let number = number.filter(|number| (1..=NICS_MAX).contains(number));
    number.ok_or_else(|| {
        let message = format!("is not a number of interfaces from 1 to {NICS_MAX}");
        parse_error!("`{}` {message}", quoted(text))
    })
}

/// Parses the maximum number of packets of a message that are in flight.
fn window(text: &str) -> Result<u64, ParseError> {
    let packets = text.trim().parse().ok();
    let packets = packets.filter(|packets: &u64| *packets > 0);
    packets.ok_or_else(|| {
        let message = "is not a number of packets above 0";
        parse_error!("`{}` {message}", quoted(text))
    })
}

/// Parses the fraction of a link that other traffic takes.
fn background(text: &str) -> Result<f64, ParseError> {
    let fraction = text.trim().parse().ok();
    let fraction = fraction.filter(|fraction: &f64| (0.0..1.0).contains(fraction));
    fraction.ok_or_else(|| {
        let message =
            "is not a fraction from 0 to below 1: other traffic cannot take all of a link";
        parse_error!("`{}` {message}", quoted(text))
    })
}

#[expect(clippy::cast_precision_loss, reason = "packets are below 2^53 bytes")]
fn packet(text: &str) -> Result<f64, ParseError> {
    match bytes(text)? {
        bytes @ 1..=PACKET_BYTES_MAX => Ok(bytes as f64),
        _ => Err(parse_error!(
            "`{}` is not a valid packet size: expected 1 to {PACKET_BYTES_MAX} bytes",
            quoted(text)
        )),
    }
}

fn fairness(text: &str) -> Result<Fairness, ParseError> {
    match text.trim() {
        "max-min" => Ok(Fairness::MaxMin),
        "rtt" => Ok(Fairness::Rtt),
        other => Err(parse_error!(
            "expected `max-min` or `rtt`, found `{}`",
            quoted(other)
        )),
    }
}
