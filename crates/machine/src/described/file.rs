//! Reads machine files.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use prophet_text::{Problem, line_at, toml_mistake};
use toml::Spanned;

use super::operations;
use super::words::{Placed as _, SpannedProblem, count, law, memory_size, value, word};
use super::written::{Entries, Layout, Rates};
use super::{Machine, accelerator, accuracy, cache, device, group, network, power, xml};
use crate::accelerator::Accelerator;
use crate::binding::Binding;
use crate::change::entry::Entry;
use crate::change::{Change, Listed, Setting};
use crate::fabric::Fabric;
use crate::hardware::Hardware;
use crate::mapping::Mapping;
use crate::memory::{Memory, Overlap};
use crate::network_flag::NetworkFlag;
use crate::parts::Parts;
use crate::policy::{CpuDiscipline, WaitPolicy};
use crate::quantity::{ParseError, likely_rate, likely_seconds, one_line, quoted};
use crate::rule::Rule;
use crate::saturation::Saturation;
use crate::system::System;

pub(super) const BYTES_MAX: u64 = 1 << 20;

pub(super) fn text(path: &str) -> Result<String, Problem> {
    let mut text = String::new();
    let file = File::open(path).and_then(|file| file.take(BYTES_MAX).read_to_string(&mut text));
    match file {
        Ok(length) if length as u64 == BYTES_MAX => Err(Problem::new(format!(
            "the machine file `{}` is longer than {BYTES_MAX} bytes",
            one_line(path)
        ))),
        Ok(_) => Ok(text),
        Err(why) => Err(Problem::unread(Path::new(path), why)),
    }
}

pub(super) fn parse(text: &str, path: &str, hardware: Hardware) -> Result<Machine, Problem> {
    parse_lines(text, path, hardware, |line| line)
}

pub(super) fn parse_xml(text: &str, path: &str, hardware: Hardware) -> Result<Machine, Problem> {
    let turned = xml::turn(text)
        .map_err(|(line, message)| Problem::at(Path::new(path), line as u64, message))?;
    let last = turned.lines.last().copied().unwrap_or(1);
    let line = |line: usize| turned.lines.get(line - 1).copied().unwrap_or(last);
    let mut machine = parse_lines(&turned.toml, path, hardware, line).map_err(|mut problem| {
        // These keys have other names in XML.
        for (key, of_xml) in [
            ("`nodes`: ", "`count`: "),
            ("`cpus-per-node`: ", "`cpus`: "),
        ] {
            if let Some(rest) = problem.message.strip_prefix(key) {
                problem.message = format!("{of_xml}{rest}");
            }
        }
        problem
    })?;
    let assumed = turned.assumed.into_iter();
    let assumed = assumed.map(|(line, text)| Problem::at(Path::new(path), line as u64, text));
    machine.warnings.extend(assumed);
    Ok(machine)
}

/// Parses a machine in TOML; `line` maps its lines to lines of the user's file.
fn parse_lines(
    text: &str,
    path: &str,
    hardware: Hardware,
    line: impl Fn(usize) -> usize,
) -> Result<Machine, Problem> {
    let placed = |(span, message): SpannedProblem| {
        let start = span.map_or(0, |span| place_of_key(text, &span, &message));
        let before = text.get(..start).unwrap_or_default();
        let line = line(before.matches('\n').count() + 1);
        Problem::at(Path::new(path), line as u64, message.trim_end())
    };
    let told = |(span, message): SpannedProblem| {
        let message = with_key(text, span.as_ref(), message);
        placed((span, message))
    };
    let entries: Entries = toml::from_str(text).map_err(|error| {
        let message = plain(text, error.span(), error.message());
        told((error.span(), message))
    })?;
    let mut machine = machine(&entries, hardware).map_err(told)?;
    check_changes(&entries, &machine).map_err(told)?;
    // Every contradiction involves the discipline, so it is reported there.
    let span = entries.discipline.as_ref().map(Spanned::span);
    machine.contradiction = contradiction(&machine).map(|message| placed((span, message)));
    let networks = [
        (
            entries.network.as_ref().map(Spanned::span),
            &machine.network,
        ),
        (
            entries.intranode.as_ref().map(Spanned::span),
            &machine.intranode,
        ),
    ];
    let doubts = networks.into_iter().flat_map(|(span, flag)| {
        let doubts = flag.iter().flat_map(|flag| flag.doubts.clone());
        doubts.map(move |doubt| (span.clone(), doubt))
    });
    machine.warnings = doubts.map(told).collect();
    text.clone_into(&mut machine.toml);
    Ok(machine)
}

/// Finds the key that starts a message about a table, such as `latency: …`. Returns the start of
/// the line with that key, or of the table if no line has it.
fn place_of_key(text: &str, span: &Range<usize>, message: &str) -> usize {
    let is_key = |it: char| it.is_ascii_alphanumeric() || it == '-';
    let key = message.trim_start_matches('`');
    let key = &key[..key.find(|it| !is_key(it)).unwrap_or(key.len())];
    let table = text.get(span.start..).unwrap_or_default();
    if key.is_empty() || !table.starts_with('[') {
        return span.start;
    }
    let mut start = span.start;
    for (number, line) in table.split_inclusive('\n').enumerate() {
        let is_next = line.trim_start().starts_with('[');
        if number > 0 && is_next {
            break;
        }
        let named = line.split_once('=').map(|(name, _)| name.trim());
        if named.is_some_and(|name| name.trim_matches('"') == key) {
            return start;
        }
        start += line.len();
    }
    span.start
}

/// Prefixes a message about a value with the value's key.
fn with_key(text: &str, span: Option<&Range<usize>>, message: String) -> String {
    let before = text.get(..span.map_or(0, |span| span.start));
    let line = before.unwrap_or_default().lines().next_back();
    let key = line.and_then(|line| line.trim_end().strip_suffix('='));
    let key = key.and_then(|keys| keys.rsplit(['{', ',']).next());
    match key.map(str::trim) {
        Some(key) if !message.contains(&format!("`{key}`")) => format!("`{key}`: {message}"),
        _ => message,
    }
}

/// Rewords, for users, serde's message about a value of the wrong type.
fn plain(text: &str, span: Option<Range<usize>>, message: &str) -> String {
    if message.starts_with("unknown field `nics`") {
        return "`nics` belongs to the network: move it to `[network]`".to_owned();
    }
    match message {
        "missing field `name`" => {
            "missing key `name`: name the machine, such as `name = \"cluster\"`"
        }
        "missing field `source`" => {
            "missing key `source`: say where the numbers come from, such as \
             `source = \"data sheet\"`"
        }
        _ => return with_example(text, span, message),
    }
    .to_owned()
}

/// Examples of values, for keys that are missing or lack a unit.
const EXAMPLES: [(&str, &str); 19] = [
    ("all-cpus", "\"400W\""),
    ("bandwidth", "\"10GB/s\""),
    ("busy", "\"700W\""),
    ("core-bandwidth", "\"20GB/s\""),
    ("count", "4"),
    ("cpus", "8"),
    ("high", "1.2"),
    ("idle", "\"100W\""),
    ("latency", "\"1us\""),
    ("level", "1"),
    ("link-bandwidth", "\"50GB/s\""),
    ("low", "0.9"),
    ("memory", "\"64GB\""),
    ("memory-bandwidth", "\"200GB/s\""),
    ("network-idle", "\"10W\""),
    ("one-cpu", "\"150W\""),
    ("peer-bandwidth", "\"400GB/s\""),
    ("quantum", "\"10ms\""),
    ("size", "\"32KiB\""),
];

fn example(key: &str) -> Option<&'static str> {
    let (_, example) = EXAMPLES.iter().find(|(known, _)| *known == key)?;
    Some(example)
}

/// Rewords serde's message like [`toml_mistake`], with an example of a right value.
fn with_example(text: &str, span: Option<Range<usize>>, message: &str) -> String {
    let told = toml_mistake(text, span.clone(), message);
    let place = span.unwrap_or_default();
    let line = line_at(text, place.start).1.trim();
    let missing = message.strip_prefix("missing field ");
    if let Some(value) = missing.and_then(|key| example(key.trim_matches('`'))) {
        let key = missing.unwrap_or_default().trim_matches('`');
        return format!("`{line}` needs `{key}`, such as `{key} = {value}`");
    }
    if told == "expected a list, found a table" && line.starts_with('[') {
        return format!("write `[{line}]` with two brackets, because there can be several");
    }
    if message.starts_with("unknown field") && line.starts_with('[') && !line.starts_with("[[") {
        let help = "keys such as `name` and `nodes` are at the top of the file";
        return if told.contains("did you mean") {
            told
        } else {
            format!("unknown table `{line}`; delete this line if it is a heading: {help}")
        };
    }
    let number = text
        .get(place)
        .filter(|it| it.parse::<f64>().is_ok_and(f64::is_finite));
    let unit = line.split('=').next().and_then(|key| example(key.trim()));
    let unit = unit.map(|it| it.trim_matches(|it: char| it == '"' || it.is_ascii_digit()));
    match (number, unit) {
        (Some(number), Some(unit)) if !unit.is_empty() && !unit.starts_with('.') => {
            format!("`{number}` needs a unit: write `\"{number}{unit}\"`")
        }
        _ => told,
    }
}

/// Describes what makes it impossible to simulate the machine, if anything does.
fn contradiction(machine: &Machine) -> Option<String> {
    let cpus = machine.cpus_per_node.unwrap_or(machine.memory.domains());
    System::on(machine.clone(), 1, cpus, 1, 1).contradiction()
}

fn machine(entries: &Entries, hardware: Hardware) -> Result<Machine, SpannedProblem> {
    let name = entries.name.get_ref();
    if name.is_empty() || name.chars().any(char::is_whitespace) {
        let word = name.split_whitespace().collect::<Vec<_>>().join("-");
        let word = if word.is_empty() { "cluster" } else { &word };
        let message = format!("expected one word as the name of the machine, such as `{word}`");
        return Err(message).at(&entries.name);
    }
    if entries.source.get_ref().trim().is_empty() {
        return Err("say where the numbers come from").at(&entries.source);
    }
    let changes = changes(entries)?;
    let is_of_link = |change: &Change| matches!(change.setting, Setting::Link(..));
    let (of_links, of_others): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_of_link);
    let network = network::read(entries, hardware, of_links)?;
    let fabric = network.as_ref().and_then(|it| it.fabric.as_deref());
    let wired = fabric.and_then(Fabric::nodes);
    let wired = wired.or(network::connected_nodes(entries)?);
    let nodes = count(entries.nodes.as_ref())?.or(wired);
    let power = power::read(entries.power.as_ref())?;
    let accelerators = accelerators(entries)?;
    let of_all = (power.map(|it| it.node), &*accelerators);
    let (groups, grouped) = group::read(&entries.groups, nodes, of_all)?;
    Ok(Machine {
        profiles: Vec::new(),
        name: name.clone(),
        source: entries.source.get_ref().trim().to_owned(),
        nodes: nodes.or(grouped),
        cpus_per_node: count(entries.cpus_per_node.as_ref())?,
        memory: memory(entries)?,
        accelerators,
        power,
        accuracy: accuracy::read(entries.accuracy.as_ref())?,
        discipline: discipline(entries)?,
        wait_policy: word(
            entries.wait_policy.as_ref(),
            "wait policy",
            WaitPolicy::NAMES,
            WaitPolicy::of_name,
        )?,
        collectives: value(entries.collectives.as_ref(), Rule::read)?.unwrap_or_default(),
        network,
        intranode: value(entries.intranode.as_ref(), within_a_node)?,
        mapping: mapping(entries.mapping.as_ref())?,
        binding: binding(entries)?,
        groups,
        devices: device::read(&entries.devices, hardware)?,
        prices: operations::prices(entries.operations.as_ref())?,
        changes: Listed {
            entries: of_others.into(),
            ..Listed::default()
        },
        file: None,
        contradiction: None,
        warnings: Vec::new(),
        toml: String::new(),
    })
}

/// Reads the accelerators of a node. Their energy is only counted if the node's energy is.
fn accelerators(entries: &Entries) -> Result<Arc<[Accelerator]>, SpannedProblem> {
    let all = accelerator::read(&entries.accelerators)?;
    match accelerator::with_power(&entries.accelerators) {
        Some(span) if entries.power.is_none() => Err((Some(span), power::NO_TABLE.to_owned())),
        _ => Ok(all),
    }
}

fn changes(entries: &Entries) -> Result<Vec<Change>, SpannedProblem> {
    let read = |entry: &Spanned<Entry>| entry.get_ref().change().at(entry);
    entries.changes.iter().map(read).collect()
}

/// Checks that the machine has the parts that its changes name, if its size is known.
fn check_changes(entries: &Entries, machine: &Machine) -> Result<(), SpannedProblem> {
    if entries.changes.is_empty() {
        return Ok(());
    }
    let fabric = machine
        .network
        .as_ref()
        .and_then(|flag| flag.fabric.as_ref());
    let nodes = machine.nodes.unwrap_or(1);
    let platform = fabric.map(|fabric| fabric.platform(nodes));
    let parts = Parts {
        platform: platform
            .transpose()
            .map_err(|problem| (None, problem.into()))?,
        all_nodes: nodes,
        operations: machine.prices.iter().map(|it| it.0.to_owned()).collect(),
        ..Parts::default()
    };
    for (entry, change) in entries.changes.iter().zip(changes(entries)?) {
        let has_size = match change.setting {
            Setting::Link(..) => machine.nodes.is_some() || fabric.is_none(),
            Setting::Node(..) => machine.nodes.is_some(),
            Setting::Operation(..) => true,
        };
        let checked = has_size.then(|| parts.check(&change));
        checked.unwrap_or(Ok(())).at(entry)?;
    }
    Ok(())
}

fn memory(entries: &Entries) -> Result<Memory, SpannedProblem> {
    let cpus = count(entries.cpus_per_node.as_ref())?;
    let sockets = count(entries.sockets.as_ref())?.unwrap_or(1);
    if let (Some(written), Some(cpus)) = (&entries.sockets, cpus)
        && !cpus.is_multiple_of(sockets)
    {
        let message = format!("{cpus} CPUs cannot be divided evenly among {sockets} sockets");
        return Err(message).at(written);
    }
    let core_bandwidth = value(entries.core_bandwidth.as_ref(), likely_rate)?;
    let (bandwidth, curve) = rates(entries.memory_bandwidth.as_ref())?;
    Ok(Memory {
        sockets,
        domains: domains(entries, sockets, cpus)?,
        size: memory_size(entries.memory.as_ref())?,
        bandwidth,
        core_bandwidth: match &curve {
            Some(curve) if core_bandwidth.is_none() => curve.first().copied(),
            _ => core_bandwidth,
        },
        saturation: saturation(entries, curve)?,
        overlap: word(
            entries.overlap.as_ref(),
            "rule for overlap",
            Overlap::ALL.map(Overlap::name),
            |name| Overlap::ALL.into_iter().find(|it| it.name() == name),
        )?,
        caches: cache::read(&entries.caches, cpus.map(|cpus| cpus / sockets))?,
    })
}

/// Reads the number of memory domains per node; all sockets must have the same number of domains,
/// and all domains the same number of CPUs.
fn domains(
    entries: &Entries,
    sockets: u32,
    cpus: Option<u32>,
) -> Result<Option<u32>, SpannedProblem> {
    let (Some(domains), Some(entry)) =
        (count(entries.numa_domains.as_ref())?, &entries.numa_domains)
    else {
        return Ok(None);
    };
    let problem = |message: String| Err(message).at(entry);
    if !domains.is_multiple_of(sockets) {
        return problem(format!(
            "{domains} memory domains cannot be divided evenly among {sockets} sockets"
        ));
    }
    match cpus.filter(|cpus| !cpus.is_multiple_of(domains)) {
        Some(cpus) => problem(format!(
            "{cpus} CPUs cannot be divided evenly among {domains} memory domains"
        )),
        None => Ok(Some(domains)),
    }
}

/// Reads the bandwidth of a domain's CPUs together, and the curve that leads up to it.
fn rates(
    entry: Option<&Spanned<Rates>>,
) -> Result<(Option<f64>, Option<Vec<f64>>), SpannedProblem> {
    let Some(entry) = entry else {
        return Ok((None, None));
    };
    let rate = |text: &String| likely_rate(text).at(entry);
    match entry.get_ref() {
        Rates::All(text) => Ok((Some(rate(text)?), None)),
        Rates::Curve(texts) => {
            let curve: Vec<f64> = texts.iter().map(rate).collect::<Result<_, _>>()?;
            let all = *curve.last().ok_or("the list is empty").at(entry)?;
            Ok((Some(all), Some(curve)))
        }
    }
}

/// Reads how the memory saturates; a curve takes precedence.
fn saturation(entries: &Entries, curve: Option<Vec<f64>>) -> Result<Saturation, SpannedProblem> {
    let entry = entries.saturation.as_ref();
    let law_span = entry.map(Spanned::span);
    let problem = |span, message: &str| Err((span, message.to_owned()));
    if let Some(curve) = curve {
        if entry.is_some() {
            let message = "`saturation` does not apply to a list of bandwidths: remove it";
            return problem(law_span, message);
        }
        if let Some(core) = &entries.core_bandwidth {
            let message = "the list of bandwidths starts with the bandwidth of one CPU: remove \
                           `core-bandwidth`";
            return problem(Some(core.span()), message);
        }
        return Ok(Saturation::Measured(curve.into()));
    }
    let found = entry.map(|entry| law(entry.get_ref()));
    match found.transpose() {
        Ok(Some(Saturation::Queueing))
            if entries.memory_bandwidth.is_none() || entries.core_bandwidth.is_none() =>
        {
            problem(
                law_span,
                "queueing needs `memory-bandwidth` and `core-bandwidth`",
            )
        }
        Ok(law) => Ok(law.unwrap_or_default()),
        Err(message) => problem(law_span, &message.to_string()),
    }
}

fn discipline(entries: &Entries) -> Result<CpuDiscipline, SpannedProblem> {
    let quantum_s = value(entries.quantum.as_ref(), likely_seconds)?;
    let discipline = word(
        entries.discipline.as_ref(),
        "discipline",
        CpuDiscipline::NAMES,
        |name| {
            let quantum_s = quantum_s.unwrap_or(CpuDiscipline::DEFAULT_QUANTUM_S);
            CpuDiscipline::of_name(name, quantum_s)
        },
    )?;
    match (&entries.quantum, discipline) {
        (Some(quantum), CpuDiscipline::Fcfs | CpuDiscipline::ProcessorSharing) => {
            Err("a quantum needs discipline = \"round-robin\"").at(quantum)
        }
        _ => Ok(discipline),
    }
}

fn within_a_node(text: &str) -> Result<NetworkFlag, ParseError> {
    let flag: NetworkFlag = text.parse()?;
    if flag.nic.is_some() {
        let message = "`nic=` applies to messages between nodes: use it in `network`";
        return Err(ParseError::new(message));
    }
    Ok(flag)
}

/// Reads how units are bound to the CPUs of a node.
fn binding(entries: &Entries) -> Result<Binding, SpannedProblem> {
    let binding = value(entries.bind.as_ref(), Binding::read)?.unwrap_or_default();
    let cpus = count(entries.cpus_per_node.as_ref())?;
    match cpus.and_then(|cpus| binding.contradiction(cpus, 0)) {
        Some(problem) => Err((entries.bind.as_ref().map(Spanned::span), problem)),
        None => Ok(binding),
    }
}

/// Reads the placement of the processes, which can't be in another file.
fn mapping(entry: Option<&Spanned<Layout>>) -> Result<Mapping, SpannedProblem> {
    let Some(entry) = entry else {
        return Ok(Mapping::Block);
    };
    let text = match entry.get_ref() {
        Layout::Nodes(nodes) => return Ok(Mapping::List(nodes.clone())),
        Layout::Text(text) => text,
    };
    match Mapping::parse(text) {
        Ok(Mapping::File(_)) => {
            let text = quoted(text);
            let message = format!(
                "`{text}` is not a mapping: write \"block\", \"cyclic\" (round-robin) or a list of \
                 nodes such as [0, 0, 1]; pass a file with --mapping"
            );
            Err(message).at(entry)
        }
        mapping => mapping.at(entry),
    }
}
