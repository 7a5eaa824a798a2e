//! Implements the `machine` command.

use std::path::Path;
use std::process::ExitCode;

use clap::ValueEnum;
use prophet_runtime::{Entry, Hardware, Machine, NameOrFile, list_models};
use prophet_text::{Context as _, plain};
use serde_json::Value;

use crate::format::Format;
use crate::format::print;
use crate::{CommandOutcome, Stop};

const SCHEMA: &str = prophet_templates::xml::MACHINE;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine name or file: TOML, XML, or a `SimGrid` platform file
    #[arg(
        value_name = "FILE|NAME",
        required_unless_present_any = ["models", "schema"],
        value_parser = NameOrFile,
        hide_possible_values = true,
    )]
    machine: Option<String>,
    /// Convert the machine: toml, xml, svg
    #[arg(long, value_enum, hide_possible_values = true)]
    to: Option<Form>,
    /// Format of the description: human, json
    #[arg(
        long,
        value_enum,
        default_value_t = Format::Human,
        conflicts_with = "to",
        hide_possible_values = true,
    )]
    format: Format,
    /// List the hardware models
    #[arg(long, conflicts_with_all = ["machine", "to", "schema"])]
    models: bool,
    /// Print the schema of XML machines
    #[arg(long, conflicts_with_all = ["machine", "to"])]
    schema: bool,
}

/// Form of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Toml,
    Xml,
    Svg,
}

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    let Some(name) = &arguments.machine else {
        let text = if arguments.models {
            list_models(Hardware::NONE)
        } else {
            SCHEMA.to_owned()
        };
        print(text.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let machine = found(name)?;
    for warning in machine.warnings() {
        prophet_text::tell!("warning: {warning}");
    }
    let shown = plain::line(name);
    let text = match arguments.to {
        None if arguments.format == Format::Json => plain::json(&format!("{:#}", json(&machine))),
        None => summary(&machine),
        Some(Form::Toml) => plain::json(&machine.to_toml().context(&shown)?),
        Some(Form::Xml) => machine.to_xml().context(&shown)?,
        Some(Form::Svg) => machine.draw().context(&shown)?,
    };
    print(text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Finds a machine by name, or reads it from its file.
fn found(name: &str) -> Result<Machine, Stop> {
    if let Some(machine) = Machine::preset(name) {
        return Ok(machine);
    }
    if Path::new(name).exists() {
        return Machine::read(name).map_err(Stop::input);
    }
    Err(Stop::input(Machine::unknown(&plain::line(name))))
}

/// Describes a machine, with a line for each entry, or for each item of a list.
fn summary(machine: &Machine) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for (key, entry) in machine.entries() {
        let mut label = key.to_owned();
        for line in shown(key, &entry) {
            lines.push((std::mem::take(&mut label), plain::line(&line)));
        }
    }
    let width = lines.iter().map(|it| it.0.len()).max().unwrap_or(0);
    let text = |(label, line): &(String, String)| format!("{label:<width$}  {line}");
    lines.iter().map(text).collect::<Vec<_>>().join("\n")
}

fn shown(key: &str, entry: &Entry) -> Vec<String> {
    match entry {
        Entry::Missing => {
            let what = match key {
                "nodes" | "cpus-per-node" => "any",
                "memory" | "memory-bandwidth" | "core-bandwidth" => "no limit",
                "network" => "the network of the machine `default`",
                "intranode" => {
                    "the same as network, or the intranode network of the machine `default`"
                }
                _ => return Vec::new(),
            };
            vec![what.to_owned()]
        }
        Entry::Text(text) => text.trim().lines().map(str::to_owned).collect(),
        Entry::Count(number) => vec![number.to_string()],
        Entry::Quantity(_, text) => vec![text.clone()],
        Entry::List(items) if items.iter().all(|it| matches!(it, Entry::Count(_))) => {
            let numbers: Vec<String> = items.iter().flat_map(|it| shown("", it)).collect();
            let none = numbers.is_empty();
            let line = numbers.join(", ");
            (!none).then_some(line).into_iter().collect()
        }
        Entry::List(items) => items.iter().flat_map(|it| shown("", it)).collect(),
        Entry::Prices(prices) => {
            let price = |(name, _, text): &(String, f64, String)| format!("{name} = {text}");
            prices.iter().map(price).collect()
        }
    }
}

/// Converts a machine to JSON. Quantities are in bytes per second and in seconds.
fn json(machine: &Machine) -> Value {
    fn value(entry: &Entry) -> Value {
        match entry {
            Entry::Missing => Value::Null,
            Entry::Text(text) => text.as_str().into(),
            Entry::Count(number) => (*number).into(),
            Entry::Quantity(number, _) => (*number).into(),
            Entry::List(items) => items.iter().map(value).collect(),
            Entry::Prices(prices) => {
                let prices = prices.iter();
                prices.map(|it| (it.0.clone(), Value::from(it.1))).collect()
            }
        }
    }
    let entries = machine.entries();
    let pairs = entries
        .iter()
        .map(|(key, it)| ((*key).to_owned(), value(it)));
    pairs.collect()
}
