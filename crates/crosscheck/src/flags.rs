//! Translates flags of a generated program to flags of the `SimGrid` program. Only plain numbers
//! are supported, and only networks that exist in `SimGrid`.

use prophet_text::{Context as _, Problem, problem};
use std::ffi::OsString;
use std::path::Path;

use prophet_platform::Read;
use prophet_result::{RunResult, SystemSize};
use prophet_runtime::quantity::bytes;
use prophet_runtime::{Machine, Network, Prices, System};

/// The platform that the flags describe, except for what the result contains.
#[derive(Debug, Default)]
pub(crate) struct Platform {
    network: Option<Link>,
    intranode: Option<Link>,
    mapping: Option<String>,
    discipline: Option<String>,
    collectives: Vec<String>,
    /// The machine file. Only its prices of operations matter.
    machine: Option<String>,
    shared: Option<Shared>,
}

/// A `SimGrid` platform file in which messages share links.
#[derive(Debug)]
struct Shared {
    file: String,
    hosts: Vec<String>,
}

impl Shared {
    /// Reads a file, if it is a platform file.
    fn read(file: &str) -> Option<Self> {
        let read = Read::file(Path::new(file)).ok()?;
        let hosts = read.platform.hosts().iter();
        Some(Self {
            file: file.to_owned(),
            hosts: hosts.map(|host| host.name.clone()).collect(),
        })
    }
}

#[derive(Debug, Clone, Copy)]
struct Link {
    latency_s: f64,
    bytes_per_s: f64,
    eager_bytes: Option<u64>,
}

/// What a flag of a generated program means for a comparison.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    /// The result contains the flag's value, or the flag doesn't affect the comparison.
    Told,
    /// The `SimGrid` program has a corresponding flag.
    Translated,
    /// The flag requests a feature that the `SimGrid` program lacks. The text describes it.
    Missing(&'static str),
    /// The comparison itself sets the flag.
    Set,
}

/// Returns what a flag means; `None` if it sets a parameter of the model, because the result
/// contains the parameter's value.
fn meaning(flag: &str) -> Option<Meaning> {
    let meaning = match flag {
        "network" | "intranode" | "mapping" | "discipline" | "collective" | "machine" => {
            Meaning::Translated
        }
        "quantum" => Meaning::Missing("--quantum"),
        "noise" | "slow-node" => Meaning::Missing("noise"),
        "changes" => Meaning::Missing("a machine that changes"),
        "wait-policy" => Meaning::Missing("--wait-policy"),
        "model" => Meaning::Missing("--model"),
        "memory-bandwidth" | "core-bandwidth" | "sockets" => {
            Meaning::Missing("the memory bandwidth")
        }
        "bind" => Meaning::Missing("--bind"),
        "format" => Meaning::Set,
        "nodes" | "cpus-per-node" | "processes" | "threads" | "seed" | "set" | "engine"
        | "all-processes" | "date" | "fold" | "jobs" | "record" | "repetition" | "replications"
        | "report" | "trace" | "tariff" | "trace-filter" | "picture" | "expect" | "kept"
        | "config" | "help" | "version" => Meaning::Told,
        _ => return None,
    };
    Some(meaning)
}

/// Parses the flags that matter. The program itself reports problems with other flags.
pub(crate) fn split(flags: &[OsString]) -> Result<Platform, Problem> {
    let mut platform = Platform::default();
    let mut flags = flags.iter().map(|flag| flag.to_string_lossy());
    while let Some(flag) = flags.next() {
        let Some(flag) = flag.strip_prefix("--") else {
            continue;
        };
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (flag, None),
        };
        match meaning(name) {
            None | Some(Meaning::Told) => {}
            Some(Meaning::Missing(what)) => return Err(not_there(what)),
            Some(Meaning::Set) => return Err(problem!("put --{name} before `--`")),
            Some(Meaning::Translated) => {
                let value = value.or_else(|| flags.next().map(|value| value.to_string()));
                if let Some(value) = value {
                    platform.set(name, value)?;
                }
            }
        }
    }
    Ok(platform)
}

fn not_there(what: &str) -> Problem {
    problem!("{what} cannot be expressed in SimGrid")
}

fn link(text: &str) -> Result<Link, Problem> {
    let is_eager = |part: &&str| part.trim().starts_with("eager=");
    let (model, values) = text.split_once(':').unwrap_or((text, ""));
    if matches!(model.trim(), "shared" | "packet") {
        return Err(not_there("a network with shared links"));
    }
    let eager = values.split(',').find(is_eager);
    let rest: Vec<&str> = values.split(',').filter(|part| !is_eager(part)).collect();
    let network: Network = format!("{model}:{}", rest.join(","))
        .parse()
        .map_err(|error| problem!("invalid value '{text}' for a network: {error}"))?;
    let Network::Hockney {
        latency_s,
        bytes_per_s,
    } = network
    else {
        return Err(problem!(
            "the network {model} cannot be expressed in SimGrid; use hockney"
        ));
    };
    let eager_bytes = eager
        .and_then(|part| part.split_once('='))
        .map(|(_, size)| bytes(size).context("eager"))
        .transpose()?;
    Ok(Link {
        latency_s,
        bytes_per_s,
        eager_bytes,
    })
}

impl Platform {
    fn set(&mut self, flag: &str, value: String) -> Result<(), Problem> {
        match flag {
            "network" => self.network = Some(link(&value)?),
            "intranode" => self.intranode = Some(link(&value)?),
            "mapping" => self.mapping = Some(value),
            "discipline" => self.discipline = Some(value),
            "machine" if only_prices(&value) => self.machine = Some(value),
            "machine" => {
                let problem = || not_there("--machine (use --network and --intranode instead)");
                self.shared = Some(Shared::read(&value).ok_or_else(problem)?);
            }
            _ if value.ends_with("=analytic") || value.contains("=nccl-") => {
                let algorithm = value.split_once('=').map_or("", |(_, algorithm)| algorithm);
                return Err(not_there(&format!("the algorithm {algorithm}")));
            }
            _ => self.collectives.push(value),
        }
        Ok(())
    }

    /// Returns the flags with which the `SimGrid` program reproduces the run with this result.
    pub(crate) fn of_simgrid(&self, result: &RunResult<'_>) -> Result<Vec<OsString>, Problem> {
        let mut flags: Vec<String> = vec!["--log=root.thres:error".to_owned()];
        let mut add = |flag: &str, value: String| flags.extend([flag.to_owned(), value]);
        let system = result.system;
        add("--nodes", system.nodes.to_string());
        add("--cpus-per-node", system.cpus_per_node.to_string());
        add("--processes", system.processes.to_string());
        add("--threads", system.threads.to_string());
        add("--seed", result.seed.to_string());
        for (name, value) in result.parameters.iter() {
            add("--set", format!("{name}={value}"));
        }
        for (prefix, link) in [
            ("--", self.network),
            // Without a network within nodes, the network between nodes is used.
            ("--intranode-", self.intranode.or(self.network)),
        ] {
            let Some(link) = link else { continue };
            add(&format!("{prefix}latency"), link.latency_s.to_string());
            add(&format!("{prefix}bandwidth"), link.bytes_per_s.to_string());
            if let Some(bytes) = link.eager_bytes {
                add(&format!("{prefix}eager"), bytes.to_string());
            }
        }
        // A network between nodes that the flags set replaces the platform file's.
        if let (Some(shared), None) = (&self.shared, &self.network) {
            add("--platform", shared.file.clone());
            add("--hosts", shared.hosts.join(","));
        }
        if let Some(mapping) = &self.mapping {
            add("--mapping", nodes_of(mapping, system)?);
        }
        if let Some(discipline) = &self.discipline {
            add("--discipline", discipline.clone());
        }
        if let Some(machine) = &self.machine {
            add("--machine", machine.clone());
        }
        for collective in &self.collectives {
            add("--collective", collective.clone());
        }
        Ok(flags.into_iter().map(OsString::from).collect())
    }
}

/// Returns `true` if a machine file differs from the default machine only in its size and its
/// operations.
fn only_prices(path: &str) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let Ok(machine) = Machine::parse(&text, path) else {
        return false;
    };
    let mut system = System::on(machine, 2, 1, 4, 1);
    system.prices = Prices::default();
    system.is_like(&System::new(2, 1, 4, 1))
}

fn nodes_of(mapping: &str, system: SystemSize) -> Result<String, Problem> {
    let (processes, nodes) = (u64::from(system.processes), u64::from(system.nodes));
    let list = |node: &dyn Fn(u64) -> u64| {
        let nodes: Vec<String> = (0..processes).map(|pid| node(pid).to_string()).collect();
        nodes.join(",")
    };
    match mapping {
        "block" => Ok(list(&|pid| pid * nodes / processes)),
        "cyclic" => Ok(list(&|pid| pid % nodes)),
        other
            if other
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b',') =>
        {
            Ok(other.to_owned())
        }
        _ => Err("a mapping file is not supported here; pass the list to --mapping".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn flags(text: &str) -> Result<String, String> {
        let given: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        let result = serde_json::from_value(json!({
            "model": "M",
            "predicted_time_s": 1.0,
            "system": {"nodes": 2, "cpus_per_node": 2, "processes": 4, "threads": 1},
            "parameters": {"N": 8, "T": 1e-9, "ok": true},
            "seed": 7
        }));
        let result = result.expect("it is a result");
        let flags = split(&given)?.of_simgrid(&result)?;
        let flags: Vec<_> = flags.iter().map(|it| it.to_string_lossy()).collect();
        Ok(flags.join(" "))
    }

    #[test]
    fn each_flag_of_programs_has_a_meaning() {
        let mut flags = prophet_runtime::system_flags();
        flags.retain(|flag| meaning(flag).is_none());
        assert!(flags.is_empty(), "{flags:?}");
    }

    #[test]
    fn sizes_and_parameters_are_those_of_the_result() {
        let expected = "--log=root.thres:error --nodes 2 --cpus-per-node 2 --processes 4 \
             --threads 1 --seed 7 --set N=8 --set T=1e-9 --set ok=true";
        assert_eq!(flags("--nodes 2 --n 8"), Ok(expected.to_owned()));
    }

    #[test]
    fn networks_become_numbers() {
        let text = flags("--network hockney:latency=2us,eager=1KiB,bandwidth=1GB/s").unwrap();
        let expected = "--latency 0.000002 --bandwidth 1000000000 --eager 1024 \
             --intranode-latency 0.000002 --intranode-bandwidth 1000000000 --intranode-eager 1024";
        assert!(text.ends_with(expected), "{text}");
        let text = flags("--mapping cyclic --collective=allreduce=ring").unwrap();
        let expected = "--mapping 0,1,0,1 --collective allreduce=ring";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn a_platform_file_is_that_of_both() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("p.xml");
        let text = "<platform version='4.1'><zone id='w' routing='Full'>\
                    <host id='b' speed='1Gf'/><host id='a' speed='1Gf'/></zone></platform>";
        std::fs::write(&path, text).expect("a file can be written");
        let path = path.display();
        let text = flags(&format!("--machine {path}")).unwrap();
        let expected = format!("--set ok=true --platform {path} --hosts b,a");
        assert!(text.ends_with(&expected), "{text}");
        let text = flags(&format!(
            "--machine {path} --network hockney:latency=1us,bandwidth=1GB/s"
        ));
        assert!(!text.unwrap().contains("--platform"));
    }

    #[test]
    fn what_simgrid_cannot_do_is_refused() {
        for (text, problem) in [
            (
                "--network loggp:L=1us,o=0,g=0,G=0",
                "the network loggp cannot be expressed in SimGrid; use hockney",
            ),
            (
                "--machine gescher",
                "--machine (use --network and --intranode instead) cannot be expressed in SimGrid",
            ),
            (
                "--collective allreduce=analytic",
                "the algorithm analytic cannot be expressed in SimGrid",
            ),
            (
                "--collective rule=nccl-hopper",
                "the algorithm nccl-hopper cannot be expressed in SimGrid",
            ),
            (
                "--wait-policy hold",
                "--wait-policy cannot be expressed in SimGrid",
            ),
            (
                "--mapping nodes.txt",
                "a mapping file is not supported here; pass the list to --mapping",
            ),
        ] {
            assert_eq!(flags(text), Err(problem.to_owned()));
        }
    }
}
