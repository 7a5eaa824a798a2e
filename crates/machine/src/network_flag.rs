//! Parses the value of `--network`: a network, and how messages use it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::fabric::{self, Fabric, LinkModel};
use crate::hardware::settings::no_key;
use crate::hardware::{Hardware, NETWORK};
use crate::network::Network;
use crate::protocol::Nic;
use crate::quantity::{
    DOUBTED_BYTES_PER_S, DOUBTED_S, ParseError, among, bytes, bytes_per_second, parse_error,
    quoted, seconds,
};
use prophet_text::similar;

/// A key of a network model: its name, its meaning and an example.
type Key = (&'static str, &'static str, &'static str);

const HOCKNEY: [Key; 2] = [
    ("latency", "the latency", "latency=1us"),
    ("bandwidth", "the bandwidth", "bandwidth=1GB/s"),
];

const LOGGP: [Key; 4] = [
    ("L", "the latency", "L=2us"),
    ("o", "the overhead at each end", "o=1us"),
    ("g", "the gap between messages", "g=0"),
    ("G", "the gap per byte", "G=1ns"),
];

const MODELS: [&str; 4] = ["hockney", "loggp", "shared", "packet"];

/// Returns the keys of a model without shared links, `hockney` or `loggp`.
pub fn keys(model: &str) -> impl Iterator<Item = &'static str> {
    let keys: &[Key] = if model == "loggp" { &LOGGP } else { &HOCKNEY };
    keys.iter().map(|(name, ..)| *name)
}

/// A network as set with `--network` or `--intranode`, and how messages use it.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkFlag {
    /// The network that prices messages; if messages share links, only at the sender and the
    /// receiver.
    pub network: Network,
    /// The links that messages share; `None` if they don't share links.
    pub fabric: Option<Arc<Fabric>>,
    /// The size of the largest message that doesn't wait for its receive, in bytes.
    pub eager_bytes: u64,
    /// Who owns the network interfaces, and the number of interfaces per node; `None` if not
    /// specified.
    pub nic: Option<(Nic, u32)>,
    /// Warnings about values that probably lack a unit, as sentences.
    pub doubts: Vec<String>,
}

impl FromStr for Network {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let flag: NetworkFlag = text.parse()?;
        if flag.eager_bytes < u64::MAX || flag.nic.is_some() {
            let message = "`eager=` and `nic=` describe how the network is used, not the network \
                           itself";
            return Err(ParseError::new(message));
        }
        if flag.fabric.is_some() {
            let message = "messages that share links do not have costs of their own";
            return Err(ParseError::new(message));
        }
        Ok(flag.network)
    }
}

impl fmt::Display for NetworkFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fabric {
            None => self.network.fmt(f)?,
            Some(fabric) => fabric.fmt(f)?,
        }
        if self.eager_bytes < u64::MAX {
            write!(f, ",eager={}B", self.eager_bytes)?;
        }
        match self.nic {
            None | Some((Nic::Rank, _)) => Ok(()),
            Some((Nic::Node, 1)) => f.write_str(",nic=node"),
            Some((Nic::Node, nics)) => write!(f, ",nics={nics}"),
            Some((Nic::Affinity, nics)) => write!(f, ",nic=affinity,nics={nics}"),
        }
    }
}

impl FromStr for NetworkFlag {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::read(text, Hardware::NONE)
    }
}

impl NetworkFlag {
    pub const fn without_options(network: Network) -> Self {
        Self {
            network,
            fabric: None,
            eager_bytes: u64::MAX,
            nic: None,
            doubts: Vec::new(),
        }
    }

    /// Parses a network. `hardware` contains models in addition to the built-in ones.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn read(text: &str, hardware: Hardware) -> Result<Self, ParseError> {
        let (model, values) = text.split_once(':').unwrap_or((text, ""));
        let flag = Self::of_model(model, values, hardware)?;
        Ok(Self {
            doubts: doubts(values),
            ..flag
        })
    }

    fn of_model(model: &str, values: &str, hardware: Hardware) -> Result<Self, ParseError> {
        match model.trim() {
            "hockney" => {
                let ([latency, bandwidth], options) =
                    values_of(("hockney", &["eager"]), values, &HOCKNEY)?;
                let network = Network::Hockney {
                    latency_s: time("latency", latency)?,
                    bytes_per_s: bytes_per_second(bandwidth)
                        .map_err(|error| error.of_key("bandwidth"))?,
                };
                if options.nic.is_some() || options.nics.is_some() {
                    let message = "`hockney` does not have a network interface to share; use \
                                   `loggp` with `nic=`";
                    return Err(ParseError::new(message));
                }
                options.of(network)
            }
            "loggp" => {
                let ([l, o, g, gap_per_byte], options) =
                    values_of(("loggp", &["eager", "nic", "nics"]), values, &LOGGP)?;
                options.of(Network::LogGp {
                    l_s: time("L", l)?,
                    o_s: time("o", o)?,
                    g_s: time("g", g)?,
                    gap_per_byte_s: time("G", gap_per_byte)?,
                })
            }
            other => match LinkModel::of_name(other, hardware) {
                Some(model) => with_links(model, values),
                None => Err(unknown_model(other, hardware)),
            },
        }
    }
}

fn with_links(model: LinkModel, values: &str) -> Result<NetworkFlag, ParseError> {
    let form = Form {
        model: model.name(),
        keys: fabric::keys(model).collect(),
        options: &["eager"],
        example: "topology=star,latency=1us,bandwidth=1GB/s",
    };
    let (pairs, options) = pairs_of(&form, values)?;
    if options.nic.is_some() {
        let name = model.name();
        let message = format!(
            "`nic=` is not supported with `{name}`: the ranks of a node share its links, and \
             `nics=` adds links"
        );
        return Err(ParseError::new(message));
    }
    options.on(fabric::of_pairs(model, &pairs)?)
}

fn unknown_model(name: &str, hardware: Hardware) -> ParseError {
    let own = hardware.of(NETWORK).map(|model| model.name);
    let known = MODELS.into_iter().chain(own);
    let example = "hockney:latency=1us,bandwidth=10GB/s";
    if name.contains('=') {
        let name = quoted(name);
        return parse_error!("`{name}` does not start with a model: write for example `{example}`");
    }
    if let Some(topology) = similar(name, fabric::TOPOLOGIES) {
        return parse_error!(
            "`{}` is a topology, not a network model: write for example \
             `shared:topology={topology},latency=1us,bandwidth=10GB/s`",
            quoted(name)
        );
    }
    let known = among(name, known);
    let example = if known.ends_with(')') {
        format!("; write for example `{example}`")
    } else {
        String::new()
    };
    parse_error!("`{}` is not a network model {known}{example}", quoted(name))
}

fn time(key: &str, text: &str) -> Result<f64, ParseError> {
    seconds(text).map_err(|error| error.of_key(key))
}

/// Options that every network has, in addition to its model's parameters.
#[derive(Debug, Default)]
struct Options<'a> {
    eager: Option<&'a str>,
    nic: Option<&'a str>,
    nics: Option<&'a str>,
}

impl<'a> Options<'a> {
    fn slot(&mut self, key: &str) -> Option<&mut Option<&'a str>> {
        match key {
            "eager" => Some(&mut self.eager),
            "nic" => Some(&mut self.nic),
            "nics" => Some(&mut self.nics),
            _ => None,
        }
    }

    fn of(&self, network: Network) -> Result<NetworkFlag, ParseError> {
        let eager_bytes = self.eager.map_or(Ok(u64::MAX), |text| {
            bytes(text).map_err(|error| error.of_key("eager"))
        })?;
        let nics = self.nics.map(fabric::nics).transpose();
        let nics = nics.map_err(|error| error.of_key("nics"))?;
        let nic = match self.nic.map(str::trim) {
            None => nics.map(|nics| (Nic::Node, nics)),
            Some("rank") if nics.is_some() => {
                let message =
                    "`nics=` needs `nic=node`, which lets the ranks of a node share its interfaces";
                return Err(ParseError::new(message));
            }
            Some("rank") => Some((Nic::Rank, 1)),
            Some("node") => Some((Nic::Node, nics.unwrap_or(1))),
            Some("affinity") => {
                let message = "`nic=affinity` chooses among several interfaces: set `nics=`";
                let nics = nics.ok_or_else(|| ParseError::new(message))?;
                Some((Nic::Affinity, nics))
            }
            Some(other) => {
                let other = quoted(other);
                let message =
                    format!("nic: expected `rank`, `node` or `affinity`, found `{other}`");
                return Err(ParseError::new(message));
            }
        };
        Ok(NetworkFlag {
            eager_bytes,
            nic,
            ..NetworkFlag::without_options(network)
        })
    }

    fn on(&self, fabric: Fabric) -> Result<NetworkFlag, ParseError> {
        let ends = self.of(fabric.ends())?;
        Ok(NetworkFlag {
            fabric: Some(Arc::new(fabric)),
            ..ends
        })
    }
}

type Pair<'a> = (&'a str, &'a str);

/// What a network's text can contain: the keys of its model, its options, and an example.
struct Form<'f> {
    model: &'f str,
    keys: Vec<&'static str>,
    options: &'f [&'static str],
    example: &'f str,
}

/// Splits `key=value,…` into pairs, whose keys must be known and unique, and options.
fn pairs_of<'a>(
    form: &Form<'_>,
    text: &'a str,
) -> Result<(Vec<Pair<'a>>, Options<'a>), ParseError> {
    let Form {
        model,
        keys,
        options: named,
        example,
    } = form;
    let mut options = Options::default();
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    let parts = text.split(',').map(str::trim);
    for part in parts.filter(|part| !part.is_empty()) {
        let Some((key, value)) = part.split_once('=') else {
            return Err(parse_error!(
                "expected `key=value`, found `{}`; write `{model}:{example}`",
                quoted(part)
            ));
        };
        let key = key.trim();
        let is_known = keys.contains(&key);
        // In a network with shared links, the number of interfaces is a property of the star.
        let is_option = key != "nics" || !is_known;
        let is_twice = if let Some(slot) = options.slot(key).filter(|_| is_option) {
            slot.replace(value).is_some()
        } else if is_known {
            let is_twice = pairs.iter().any(|(known, _)| *known == key);
            pairs.push((key, value));
            is_twice
        } else {
            let names: Vec<&str> = keys.iter().chain(*named).copied().collect();
            return Err(no_key(model, key, &names));
        };
        if is_twice {
            return Err(parse_error!("`{key}=` is set twice"));
        }
    }
    Ok((pairs, options))
}

/// Parses the values of `key=value,…`, in the order of the model's keys, and the options. Each key
/// must occur once.
fn values_of<'a, const N: usize>(
    (model, options): (&str, &[&'static str]),
    text: &'a str,
    keys: &[Key; N],
) -> Result<([&'a str; N], Options<'a>), ParseError> {
    let form = Form {
        model,
        keys: keys.iter().map(|(name, ..)| *name).collect(),
        options,
        example: &keys.map(|(_, _, example)| example).join(","),
    };
    let (pairs, options) = pairs_of(&form, text)?;
    let mut values = [""; N];
    for (slot, (key, meaning, example)) in values.iter_mut().zip(keys) {
        let pair = pairs.iter().find(|(known, _)| known == key);
        let (_, value) = pair.ok_or_else(|| {
            let what = format!("`{model}` needs `{key}=`");
            parse_error!("{what}: {meaning}, such as `{example}`")
        })?;
        *slot = value;
    }
    Ok((values, options))
}

/// A time per byte without a unit causes a warning if it is at least this many seconds.
const DOUBTED_PER_BYTE_S: f64 = 1e-6;

/// Returns a warning, as a sentence, for each value in `key=value,…` that has no unit and would be
/// implausible in seconds or bytes per second.
pub fn doubts(values: &str) -> Vec<String> {
    let pairs = values.split(',').filter_map(|pair| pair.split_once('='));
    let doubt = |(key, text): (&str, &str)| {
        let (key, text) = (key.trim(), text.trim());
        let number: f64 = text.parse().ok()?;
        let (is_doubted, unit, example) = match key {
            "latency" | "L" | "o" | "g" => (number >= DOUBTED_S, "s", "us"),
            "G" => (number >= DOUBTED_PER_BYTE_S, "s", "ns"),
            "bandwidth" => (number < DOUBTED_BYTES_PER_S, "B/s", "GB/s"),
            _ => return None,
        };
        let shown = quoted(text);
        is_doubted.then(|| {
            format!(
                "`{key}={shown}` has no unit and means {shown} {unit}: add a unit, such as \
                 `{key}={shown}{example}`, or `{key}={shown}{unit}`"
            )
        })
    };
    pairs.filter_map(doubt).collect()
}
