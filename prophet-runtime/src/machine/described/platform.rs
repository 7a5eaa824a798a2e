//! Machines in the platform files of `SimGrid`.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use prophet_platform::{Change, Platform, Read, Target};

use super::Machine;
use crate::language::quantity::one_line;
use crate::machine::change::Listed;
use crate::machine::fabric::{Fabric, Fairness, Sharing, Wiring};
use crate::machine::mapping::Mapping;
use crate::machine::memory::Memory;
use crate::machine::network::NetworkFlag;
use crate::machine::policy::{CpuDiscipline, WaitPolicy};
use crate::machine::prices::Prices;
use crate::machine::system::System;

/// Bytes of a file among which its first element begins.
const START: u64 = 1 << 16;

/// True if a file in XML is a platform file: its first element is a `platform`.
pub(super) fn is_platform(path: &str) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    let start = String::from_utf8_lossy(&start);
    let named = |part: &&str| part.starts_with(char::is_alphabetic);
    let first = start.split('<').skip(1).find(named);
    read.is_ok() && first.is_some_and(|first| first.starts_with("platform"))
}

/// Reads the machine of a platform file. Messages share its links with the weights that `SimGrid`
/// gives them.
pub(super) fn read(path: &str) -> Result<Machine, String> {
    let read = Read::file(Path::new(path)).map_err(|problem| problem.to_string())?;
    let hosts = u32::try_from(read.platform.hosts().len()).unwrap_or(u32::MAX);
    if hosts == 0 || hosts > System::UNITS_MAX {
        let path = one_line(path);
        return Err(format!(
            "{path}: a machine with {hosts} hosts cannot run a program"
        ));
    }
    let mut warnings: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
    let is_of_host = |change: &Change| matches!(change.target, Target::Host(_));
    let (of_hosts, of_links): (Vec<_>, Vec<_>) = read.changes.into_iter().partition(is_of_host);
    let fabric = Fabric {
        sharing: Sharing::Fluid(Fairness::Rtt),
        changes: profile(of_links),
        ..Fabric::on(Wiring::Described(Arc::new(read.platform)))
    };
    let cores = cores(&fabric, path, &mut warnings);
    Ok(Machine {
        name: name(path),
        source: format!("the platform file {}", one_line(path)),
        nodes: Some(hosts),
        cpus_per_node: Some(cores),
        memory: Memory::default(),
        discipline: CpuDiscipline::default(),
        wait_policy: WaitPolicy::default(),
        network: Some(NetworkFlag {
            network: fabric.ends(),
            fabric: Some(Arc::new(fabric)),
            eager_bytes: u64::MAX,
            nic: None,
        }),
        intranode: None,
        mapping: Mapping::Block,
        devices: Vec::new(),
        prices: Prices::default(),
        changes: profile(of_hosts),
        file: Some(path.to_owned()),
        contradiction: None,
        warnings,
        toml: String::new(),
    })
}

fn profile(changes: Vec<Change>) -> Listed {
    Listed {
        profile: changes.into(),
        ..Listed::default()
    }
}

/// Number of CPUs that each host has at least.
fn cores(fabric: &Fabric, path: &str, warnings: &mut Vec<String>) -> u32 {
    let Wiring::Described(platform) = &fabric.wiring else {
        return 1;
    };
    let cores = |platform: &Platform| platform.hosts().iter().map(|host| host.cores).min();
    let least = cores(platform).unwrap_or(1).max(1);
    if let Some(host) = platform.hosts().iter().find(|host| host.cores > least) {
        warnings.push(format!(
            "{}: each node has {least} of its cores, as all nodes have equally many; `{}` has {}",
            one_line(path),
            one_line(&host.name),
            host.cores
        ));
    }
    least
}

/// Name of a machine, which is a word.
fn name(path: &str) -> String {
    let stem = Path::new(path).file_stem().unwrap_or_default();
    let stem = one_line(&stem.to_string_lossy());
    let word: String = { stem.chars() }
        .map(|letter| if letter.is_whitespace() { '-' } else { letter })
        .collect();
    if word.is_empty() {
        "platform".to_owned()
    } else {
        word
    }
}
