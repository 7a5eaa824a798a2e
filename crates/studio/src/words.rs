//! Lists the words that pages offer: stereotypes from the profile, and flags for predictions from
//! the runtime.

use prophet_edit::Profiles;
use prophet_edit::profile::Stereotype;
use prophet_frontend::resolve::fits;
use prophet_model::model::{DiagramId, LoopNode, NodeKind, StereotypeKind};
use prophet_runtime::Machine;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Words<'p> {
    nodes: Vec<Node>,
    stereotypes: Vec<Word<'p>>,
    flags: Vec<Flag>,
    #[serde(rename = "workflowFlags")]
    workflow_flags: Vec<Flag>,
}

#[derive(Debug, Serialize)]
struct Node {
    kind: &'static str,
    label: &'static str,
}

#[derive(Debug, Serialize)]
struct Word<'p> {
    name: &'p str,
    about: &'p str,
    on: Vec<&'static str>,
    tags: Vec<Tag<'p>>,
}

#[derive(Debug, Serialize)]
struct Tag<'p> {
    name: &'p str,
    about: &'p str,
    kind: &'static str,
    required: bool,
    values: Option<&'static [&'static str]>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Flag {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) default: Option<String>,
    pub(crate) about: String,
    pub(crate) values: Option<Vec<String>>,
    pub(crate) min: Option<u32>,
}

const NODES: [(&str, &str); 10] = [
    ("InitialNode", "Initial"),
    ("ActivityFinalNode", "Final"),
    ("FlowFinalNode", "Flow final"),
    ("DecisionNode", "Decision"),
    ("MergeNode", "Merge"),
    ("ForkNode", "Fork"),
    ("JoinNode", "Join"),
    ("OpaqueAction", "Action"),
    ("CallBehaviorAction", "Call"),
    ("StructuredActivityNode", "Region"),
];

/// UML types that occur in drawings and can have stereotypes.
const KINDS: &[&str] = &[
    "OpaqueAction",
    "CallBehaviorAction",
    "StructuredActivityNode",
    "LoopNode",
    "ConditionalNode",
    "Activity",
];

impl<'p> Words<'p> {
    /// Returns the vocabulary of a page. `machines` are the machine files that the page offers.
    pub(crate) fn new(
        profiles: &'p Profiles,
        machines: &[String],
        workflow_flags: Vec<Flag>,
    ) -> Self {
        let stereotypes = profiles.stereotypes().map(word).collect();
        let mut flags = flags();
        for flag in flags.iter_mut().filter(|it| it.name == MACHINE) {
            let names = Machine::presets().map(str::to_owned);
            flag.kind = "choice";
            flag.default = Machine::presets().next().map(str::to_owned);
            flag.values = Some(names.chain(machines.iter().cloned()).collect());
        }
        Self {
            nodes: NODES.map(|(kind, label)| Node { kind, label }).into(),
            stereotypes,
            flags,
            workflow_flags,
        }
    }
}

fn word(stereotype: &Stereotype) -> Word<'_> {
    let tags = stereotype
        .tags
        .iter()
        .filter(|it| it.name != "type" && it.name != "id");
    Word {
        name: &stereotype.name,
        about: &stereotype.about,
        on: KINDS
            .iter()
            .copied()
            .filter(|kind| stereotype.base(kind).is_some() && fits_kind(&stereotype.name, kind))
            .collect(),
        tags: tags
            .map(|it| tag(&stereotype.name, &it.name, &it.about, &it.type_name))
            .collect(),
    }
}

/// Returns `true` if the checks allow a stereotype on a UML type. The UML profile itself allows
/// more.
fn fits_kind(stereotype: &str, kind: &str) -> bool {
    let node = match kind {
        "OpaqueAction" => NodeKind::Action,
        "CallBehaviorAction" => NodeKind::Call(None),
        "StructuredActivityNode" => NodeKind::Structured(DiagramId(0)),
        "LoopNode" => NodeKind::Loop(LoopNode {
            setup: None,
            test: None,
            condition: None,
            body: DiagramId(0),
            tested_first: false,
        }),
        "ConditionalNode" => NodeKind::Conditional(Vec::new()),
        // The profile defines which stereotypes are for diagrams.
        _ => return true,
    };
    let mut known = StereotypeKind::ALL.iter();
    known
        .find(|it| it.name() == stereotype)
        .is_none_or(|it| fits(*it, &node))
}

fn tag<'p>(stereotype: &str, name: &'p str, about: &'p str, type_name: &str) -> Tag<'p> {
    let values: Option<&[&str]> = match (stereotype, name) {
        ("loop+", "repetition") => Some(&["auto", "off"]),
        ("paralleldo", "schedule") => Some(&["static", "dynamic", "guided"]),
        ("wait", "mode") => Some(&["all", "any"]),
        ("copy", "direction") => Some(&["HostToDevice", "DeviceToHost"]),
        _ => None,
    };
    let kind = match name {
        _ if values.is_some() => "choice",
        "code" => "code",
        "rud" | "variable" | "into" | "request" | "index" | "name" | "inputs" | "outputs"
        | "model" | "program" => "text",
        _ if name.starts_with("status_") => "text",
        _ if type_name == "Real" || type_name == "Integer" => "number",
        _ => "expression",
    };
    let required = matches!(
        (stereotype, name),
        ("loop+" | "paralleldo", "iterations")
            | ("bsend" | "nbsend" | "sendrecv", "dest")
            | ("brecv" | "nbrecv" | "sendrecv", "source")
    );
    Tag {
        name,
        about,
        kind,
        required,
        values,
    }
}

/// Flags that a page can set. They read or write files only with values that [`may_set`] rejects.
const OFFERED: &[&str] = &[
    "nodes",
    "cpus-per-node",
    "processes",
    "threads",
    "seed",
    "machine",
    "network",
    "intranode",
    "collective",
    "mapping",
    "discipline",
    "quantum",
    "wait-policy",
    "sockets",
    "memory-bandwidth",
    "core-bandwidth",
    "bind",
    "engine",
    "repetition",
    "model",
    "noise",
    "slow-node",
];

/// The flag that selects a built-in machine, or a machine file in the studio's folder.
pub(crate) const MACHINE: &str = "machine";

/// Returns the flags for the system and the machine, in the order of the runtime's help.
fn flags() -> Vec<Flag> {
    let command = prophet_runtime::command_line();
    let is_offered = |it: &&clap::Arg| it.get_long().is_some_and(|it| OFFERED.contains(&it));
    let flags = command.get_arguments().filter(is_offered).filter_map(|it| {
        let name = it.get_long()?.to_owned();
        let about = it.get_help().map(ToString::to_string).unwrap_or_default();
        let about = about.replace('\n', " ");
        let is_count = matches!(&*name, "nodes" | "cpus-per-node" | "processes" | "threads");
        let kind = if is_count || name == "seed" {
            "integer"
        } else {
            "text"
        };
        let values = choices(&name).map(|it| it.iter().map(|it| (*it).to_owned()).collect());
        let kind = if values.is_some() { "choice" } else { kind };
        let default = about
            .rsplit_once("[default: ")
            .map(|(_, it)| it.trim_end_matches(']'));
        let is_value = |it: &&str| it.parse::<u64>().is_ok() || kind == "choice";
        let default = default.filter(is_value).map(str::to_owned);
        Some(Flag {
            name,
            kind,
            default,
            about,
            values,
            min: is_count.then_some(1),
        })
    });
    flags.collect()
}

/// Returns the possible values of a flag, if there are only a few.
fn choices(flag: &str) -> Option<&'static [&'static str]> {
    match flag {
        "mapping" => Some(&["block", "cyclic"]),
        "discipline" => Some(&["fcfs", "round-robin", "processor-sharing"]),
        "wait-policy" => Some(&["release", "hold"]),
        "engine" => Some(&["auto", "event", "local"]),
        "repetition" => Some(&["off", "auto"]),
        _ => None,
    }
}

/// Returns `true` if a page can set a flag to this value. Values that name files are rejected.
pub(crate) fn may_set(name: &str, value: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    OFFERED.contains(&name)
        && match name {
            // Machines have names, and noise has formulas. A network can't be read from a file.
            MACHINE => value.chars().all(is_plain),
            "noise" => !value.contains("empirical"),
            _ => choices(name).is_none_or(|it| it.contains(&value)),
        }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_flags_of_the_system_are_offered_and_no_files() {
        let flags = flags();
        let names: Vec<&str> = flags.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names.len(), OFFERED.len(), "{names:?}");
        // Whoever adds a flag decides here whether pages can set it.
        let command = prophet_runtime::command_line();
        let is_ours = |it: &&clap::Arg| matches!(it.get_help_heading(), Some("System" | "Machine"));
        let others = command
            .get_arguments()
            .filter(is_ours)
            .filter_map(clap::Arg::get_long);
        let others: Vec<&str> = others.filter(|it| !OFFERED.contains(it)).collect();
        assert_eq!(
            others,
            ["replications", "changes", "tariff", "date", "jobs", "fold"]
        );
        for name in [
            "trace", "report", "record", "set", "changes", "format", "no-flag",
        ] {
            assert!(!may_set(name, "1"), "{name}");
        }
        assert!(may_set("machine", "default"));
        assert!(!may_set("machine", "../secret.toml"));
        assert!(!may_set("mapping", "/etc/passwd"));
        assert!(may_set("noise", "costs=lognormal:0.05"));
        assert!(!may_set(
            "noise",
            "costs=lognormal:0.05, ranks= empirical :/etc/passwd"
        ));
        assert!(may_set("nodes", "8"));
    }

    #[test]
    fn stereotypes_have_their_tags() {
        let profiles = Profiles::shipped();
        let words = serde_json::to_value(Words::new(&profiles, &["c.toml".to_owned()], Vec::new()))
            .unwrap();
        let find = |name: &str| {
            let words = words["stereotypes"].as_array().unwrap().iter();
            words.clone().find(|it| it["name"] == name).unwrap().clone()
        };
        let send = find("bsend");
        let tags = send["tags"].as_array().unwrap();
        let dest = tags.iter().find(|it| it["name"] == "dest").unwrap();
        assert_eq!(dest["kind"], "expression");
        assert_eq!(dest["required"], true);
        assert_eq!(find("action+")["on"], json!(["OpaqueAction"]));
        assert_eq!(find("critical")["on"][1], "StructuredActivityNode");
        assert_eq!(find("parallel")["on"][0], "StructuredActivityNode");
        let flags = words["flags"].as_array().unwrap();
        let machine = flags.iter().find(|it| it["name"] == "machine").unwrap();
        let values = machine["values"].as_array().unwrap();
        assert_eq!(
            (&values[0], &machine["default"]),
            (&json!("default"), &json!("default"))
        );
        assert!(values.contains(&json!("gescher")) && values.contains(&json!("c.toml")));
    }
}
