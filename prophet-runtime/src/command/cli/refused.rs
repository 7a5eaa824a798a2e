//! Rewords clap's errors about flags, and says what to write instead of flags of other tools.

use std::ffi::OsStr;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use prophet_machine::quantity::meant;
use prophet_result::flag_name;

use super::parameters::is_parameter;

/// What other tools call our flags. A name counts for the first of our flags that a program has.
const OTHER_NAMES: [(&[&str], &str); 7] = [
    (
        &["--np", "--nprocs", "--ntasks", "--procs", "--ranks"],
        "--processes",
    ),
    (
        &["--cores", "--cores-per-node", "--cpus", "--ppn"],
        "--cpus-per-node",
    ),
    (&["-c", "--cpus-per-task", "--omp-threads"], "--threads"),
    (&["-N", "--hosts", "--num-nodes"], "--nodes"),
    (&["--tp", "--tensor-parallel"], "--tensor"),
    (&["--cp", "--context-parallel"], "--context"),
    (&["--ep"], "--expert-parallel"),
];

/// What to write instead of flags that have no counterpart.
const ADVICE: [(&[&str], &str); 7] = [
    (
        &["--map-by", "--distribution"],
        "use '--mapping cyclic' to place processes node by node, or '--mapping block' to fill \
         one node after the other",
    ),
    (
        &["-n", "-p"],
        "use '--processes' for the number of processes, or '--nodes' for nodes",
    ),
    (
        &["--ntasks-per-node", "--tasks-per-node"],
        "use '--cpus-per-node' for the CPUs of a node, and '--processes' for all processes",
    ),
    (
        &["--mem", "--memory", "--mem-per-node"],
        "the memory of a node belongs to the machine file: `memory = \"4GB\"`",
    ),
    (
        &["--hostfile", "--machinefile", "--nodelist"],
        "use '--nodes' for the number of nodes, or '--mapping FILE' to place the processes",
    ),
    (
        &["--gpus", "--gpus-per-node", "--gpus-per-task", "--gres"],
        "GPUs belong to the machine: use '--machine', such as '--machine a100', and '--nodes'",
    ),
    (
        &["--pp", "--pipeline", "--pipeline-parallel"],
        "each stage of a pipeline is a process: use '--processes'",
    ),
];

/// Creates the refusal of a command line. `name` is what the program was called as.
pub(super) fn refused(mut error: clap::Error, command: &Command, name: &OsStr) -> clap::Error {
    if !error.use_stderr() {
        return error;
    }
    // The user may have called another program, which calls this one.
    error.remove(ContextKind::Usage);
    let tip = match error.kind() {
        ErrorKind::UnknownArgument => instead(&error, command),
        ErrorKind::InvalidValue => value_instead(&error).or_else(|| meaning(&error, command)),
        _ => None,
    };
    if let Some(text) = no_value(&error) {
        return clap::Error::raw(error.kind(), text);
    }
    // Clap advises to write `-- -n`, which does not work either.
    error.remove(ContextKind::Suggested);
    if let Some((kind, value)) = tip {
        error.remove(ContextKind::SuggestedArg);
        error.insert(kind, value);
    }
    let mut text = error.to_string();
    // Only the program itself, whose name is a path, knows its flags as `--help`.
    if !name.to_string_lossy().contains(['/', '\\']) {
        text = text.replace("try '--help'", "try 'run MODEL -- --help'");
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    clap::Error::raw(error.kind(), text.trim_end())
}

type Tip = (ContextKind, ContextValue);

fn text_at(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns what to write instead of an unknown flag, if clap cannot know it.
fn instead(error: &clap::Error, command: &Command) -> Option<Tip> {
    let unknown = text_at(error, ContextKind::InvalidArg)?;
    let similar = |name: &str| {
        let flag = ContextValue::String(format!("--{}", name.trim_start_matches('-')));
        Some((ContextKind::SuggestedArg, flag))
    };
    let names: Vec<&str> = command.get_arguments().filter_map(Arg::get_long).collect();
    let has = |flag: &str| names.contains(&flag.trim_start_matches('-'));
    let word = unknown.strip_prefix("--").unwrap_or_default();
    if has(&flag_name(word)) {
        return similar(&flag_name(word));
    }
    let other = OTHER_NAMES.iter();
    let mut other = other.filter(|(others, ours)| others.contains(&unknown) && has(ours));
    if let Some((_, ours)) = other.next() {
        return similar(ours);
    }
    if let Some((_, advice)) = ADVICE.iter().find(|(others, _)| others.contains(&unknown)) {
        let advice = ContextValue::StyledStrs(vec![(*advice).into()]);
        return Some((ContextKind::Suggested, advice));
    }
    let parameters = command.get_arguments().filter(|it| is_parameter(it));
    let mut names = parameters.filter_map(Arg::get_long);
    let named = names.find(|name| name.split('-').any(|part| part == word))?;
    similar(named)
}

/// Says that a flag needs a value, with an example for usual flags.
fn no_value(error: &clap::Error) -> Option<String> {
    let value = text_at(error, ContextKind::InvalidValue)?;
    let flag = text_at(error, ContextKind::InvalidArg).filter(|_| value.is_empty())?;
    let (name, kind) = flag.split_once(' ')?;
    let example = match kind {
        "<N>" | "<INTEGER>" => "4",
        "<REAL>" => "1e-6",
        "<TIME>" => "10us",
        "<RATE>" => "10GB/s",
        _ => return Some(format!("'{flag}' needs a value")),
    };
    Some(format!(
        "'{name}' needs a value, such as '{name} {example}'"
    ))
}

/// Returns what the model says about the parameter whose value is wrong.
fn meaning(error: &clap::Error, command: &Command) -> Option<Tip> {
    let flag = text_at(error, ContextKind::InvalidArg)?;
    let mut parameters = command.get_arguments().filter(|it| is_parameter(it));
    let parameter = parameters.find(|it| it.to_string() == flag)?;
    let help = parameter.get_help()?.to_string();
    // The first line has the name and the default.
    let about: Vec<&str> = help.lines().skip(1).map(str::trim).collect();
    let about = ContextValue::StyledStrs(vec![about.join(" ").into()]);
    (!help.lines().nth(1)?.is_empty()).then_some((ContextKind::Suggested, about))
}

/// Returns the value that another tool calls by this name.
fn value_instead(error: &clap::Error) -> Option<Tip> {
    let ContextValue::Strings(known) = error.get(ContextKind::ValidValue)? else {
        return None;
    };
    let value = text_at(error, ContextKind::InvalidValue)?;
    let near = meant(value, known.iter().map(String::as_str))?;
    let near = ContextValue::String(near.to_owned());
    Some((ContextKind::SuggestedValue, near))
}
