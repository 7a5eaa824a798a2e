//! Reads machines in XML, the format of PTI's hardware model configurations.
//!
//! E. Papaefstathiou: Design of a Performance Technology Infrastructure, MSR-TR-2000-99, 2000. XML
//! files can express the same as TOML files: they are converted to TOML, which is then parsed and
//! checked. Messages refer to the lines of the XML file.

mod tree;
mod write;

use super::network::CONTENTION;
use crate::hardware::settings::no_key;
use tree::{Element, Problem};
pub(super) use write::write;

/// A machine converted to TOML, with the XML line of each TOML line.
#[derive(Debug, Default)]
pub(super) struct Turned {
    pub(super) toml: String,
    pub(super) lines: Vec<usize>,
    /// What was assumed because PTI's files leave it open, with the lines.
    pub(super) assumed: Vec<Problem>,
}

/// Source of a machine's numbers if the XML doesn't name one; PTI's files lack that attribute.
const NO_SOURCE: &str = "not named";

/// Defaults for a network that uses PTI's model: the Myrinet of the paper.
const MYRINET: [(&str, &str, &str); 3] = [
    ("topology", "star", ""),
    ("bandwidth", "1.28Gbit/s", "1.28 Gbit/s per link"),
    (
        "latency",
        "100ns",
        "100 ns per link, as for a switch with 8 ports",
    ),
];

/// Elements of a `computer`.
const COMPUTER: [&str; 20] = [
    "cpus",
    "sockets",
    "numa-domains",
    "memory",
    "memory-bandwidth",
    "core-bandwidth",
    "saturation",
    "overlap",
    "bind",
    "cache",
    "node",
    "accelerator",
    "discipline",
    "quantum",
    "wait-policy",
    "collectives",
    "mapping",
    "cpu_clc",
    "power",
    "accuracy",
];

impl Turned {
    fn line(&mut self, line: usize, text: &str) {
        self.toml.push_str(text);
        self.toml.push('\n');
        self.lines.push(line);
    }

    fn entry(&mut self, line: usize, key: &str, value: &str) {
        self.line(line, &format!("{} = {value}", quoted_key(key)));
    }

    fn attributes(&mut self, of: &Element) {
        for (key, value) in &of.attributes {
            let value = match key.as_str() {
                "name" | "source" => text_of(value),
                _ => number_or_text(value),
            };
            self.entry(of.line, key, &value);
        }
    }

    /// Writes an element that contains only text as an entry, always in quotes.
    fn text(&mut self, key: &str, of: &Element) -> Result<(), Problem> {
        self.entry(of.line, key, &text_of(of.text_alone()?));
        Ok(())
    }

    /// Writes an element that contains only a number as an entry.
    fn number(&mut self, key: &str, of: &Element) -> Result<(), Problem> {
        self.entry(of.line, key, &number_or_text(of.text_alone()?));
        Ok(())
    }
}

pub(super) fn turn(text: &str) -> Result<Turned, Problem> {
    let system = tree::parse(text)?;
    if system.name != "system" {
        let message = format!(
            "expected a `system`, or a SimGrid `platform`, found `{}`",
            system.name
        );
        return Err((system.line, message));
    }
    let mut turned = Turned::default();
    turned.attributes(&system);
    if system.attribute("source").is_none() {
        turned.entry(system.line, "source", &text_of(NO_SOURCE));
    }
    let (mut computer, mut tables) = (None, Turned::default());
    for part in &system.children {
        match part.name.as_str() {
            "computer" => {
                if computer.replace(part).is_some() {
                    let message = "describe all computers of a machine with one `computer` and a \
                                   `count`; add a `node` to it for nodes with other speeds";
                    return Err((part.line, message.to_owned()));
                }
                turn_computer(part, &mut turned, &mut tables)?;
            }
            "intranode" => {
                let flag = flag(part)?;
                turned.entry(part.line, "intranode", &text_of(&flag));
            }
            "network" => turn_network(part, &mut tables)?,
            "device" => turn_device(part, &mut tables)?,
            "connect" => turn_connect(part, &mut tables)?,
            "cable" | "link" | "route" | "change" => {
                tables.line(part.line, &format!("[[{}]]", part.name));
                turn_part(part, &mut tables)?;
            }
            other => {
                let message = format!(
                    "`system` does not support `{other}` (it supports computer, intranode, \
                     network, device, connect, cable, link, route, change)"
                );
                return Err((part.line, message));
            }
        }
    }
    turned.toml.push_str(&tables.toml);
    turned.lines.extend(tables.lines);
    turned.assumed = tables.assumed;
    Ok(turned)
}

/// Converts the description of the nodes; the costs of operations become a separate table.
fn turn_computer(part: &Element, top: &mut Turned, tables: &mut Turned) -> Result<(), Problem> {
    for (key, value) in &part.attributes {
        match key.as_str() {
            "name" => top.entry(part.line, "computer", &text_of(value)),
            "count" => top.entry(part.line, "nodes", &number_or_text(value)),
            _ => {
                let message =
                    format!("`computer` does not support `{key}` (it supports name, count)");
                return Err((part.line, message));
            }
        }
    }
    for child in &part.children {
        match child.name.as_str() {
            "cpus" => top.number("cpus-per-node", child)?,
            "sockets" | "numa-domains" => top.number(&child.name, child)?,
            "memory-bandwidth" if child.text_alone()?.contains(',') => {
                let text = child.text_alone()?.trim();
                let rates = text.strip_suffix(',').unwrap_or(text).split(',');
                let rates: Vec<String> = rates.map(|rate| text_of(rate.trim())).collect();
                top.entry(child.line, &child.name, &format!("[{}]", rates.join(", ")));
            }
            "power" | "accuracy" => {
                tables.line(child.line, &format!("[{}]", child.name));
                turn_part(child, tables)?;
            }
            "cache" | "node" | "accelerator" => {
                tables.line(child.line, &format!("[[{}]]", child.name));
                turn_part(child, tables)?;
            }
            "mapping" => {
                let text = child.text_alone()?;
                let value = if text.contains(',') {
                    format!("[{text}]")
                } else {
                    text_of(text)
                };
                top.entry(child.line, "mapping", &value);
            }
            "cpu_clc" => {
                tables.line(child.line, "[operations]");
                for (key, value) in &child.attributes {
                    tables.entry(child.line, key, &text_of(value));
                }
                if child.attribute("unit").is_none() {
                    tables.entry(child.line, "unit", &text_of("us"));
                    let message =
                        "the operations have no unit: microseconds are assumed, as in PTI";
                    tables.assumed.push((child.line, message.to_owned()));
                }
                for operation in &child.children {
                    tables.number(&operation.name, operation)?;
                }
            }
            name if COMPUTER.contains(&name) => top.text(name, child)?,
            name => return Err((child.line, no_key("computer", name, &COMPUTER).to_string())),
        }
    }
    Ok(())
}

fn model(part: &Element) -> Result<&Element, Problem> {
    if let [model] = &part.children[..] {
        return Ok(model);
    }
    let message = format!(
        "a `{}` needs one element that names its model and contains its parameters, such as \
         `<shared topology=\"star\" …/>`",
        part.name
    );
    Err((part.line, message))
}

/// Converts the network to a table, which keeps the network's name.
fn turn_network(part: &Element, tables: &mut Turned) -> Result<(), Problem> {
    turn_model(part, "[network]", tables)?;
    if let Some(name) = part.attribute("name") {
        tables.entry(part.line, "name", &text_of(name));
    }
    let model = model(part)?;
    let is_told = |key: &str| {
        model.attribute(key).is_some() || model.children.iter().any(|child| child.name == key)
    };
    // Other topologies have other links, and can name each of them.
    let missing = MYRINET
        .iter()
        .filter(|it| !is_told("topology") && !is_told(it.0));
    for (key, value, told) in missing.filter(|_| model.name == CONTENTION) {
        tables.entry(model.line, key, &text_of(value));
        if !told.is_empty() {
            let message = format!("missing `{key}` of `ccmod`: PTI's Myrinet is assumed, {told}");
            tables.assumed.push((model.line, message));
        }
    }
    Ok(())
}

fn turn_device(part: &Element, tables: &mut Turned) -> Result<(), Problem> {
    turn_model(part, "[[device]]", tables)?;
    match &part.attributes[..] {
        [(key, name)] if key == "name" => {
            tables.entry(part.line, key, &text_of(name));
            Ok(())
        }
        _ => Err((part.line, "a `device` only has a `name`".to_owned())),
    }
}

/// Converts an element with a model to a table called `title`.
fn turn_model(part: &Element, title: &str, tables: &mut Turned) -> Result<(), Problem> {
    let model = model(part)?;
    tables.line(part.line, title);
    tables.entry(model.line, "model", &text_of(&model.name));
    for (key, value) in &model.attributes {
        if ["switches", "hosts"].contains(&key.as_str()) {
            tables.entry(model.line, key, &list(value));
        } else {
            tables.entry(model.line, key, &number_or_text(value));
        }
    }
    { model.children.iter() }.try_for_each(|child| tables.number(&child.name, child))
}

/// Writes a network in the flag's notation.
fn flag(part: &Element) -> Result<String, Problem> {
    let model = model(part)?;
    let mut pairs = Vec::new();
    for (key, value) in &model.attributes {
        pairs.push(format!("{key}={value}"));
    }
    for child in &model.children {
        pairs.push(format!("{}={}", child.name, child.text_alone()?));
    }
    Ok(format!("{}:{}", model.name, pairs.join(",")))
}

/// Converts a connection between a node and a port of the network to a table.
fn turn_connect(part: &Element, tables: &mut Turned) -> Result<(), Problem> {
    tables.line(part.line, "[[connect]]");
    for child in &part.children {
        let number = match child.name.as_str() {
            "computer" => "node",
            "network" => "port",
            other => {
                let message =
                    format!("`connect` does not support `{other}` (it supports computer, network)");
                return Err((child.line, message));
            }
        };
        for (key, value) in &child.attributes {
            match key.as_str() {
                "name" => tables.entry(child.line, &child.name, &text_of(value)),
                key if key == number => tables.entry(child.line, key, &number_or_text(value)),
                _ => {
                    let name = &child.name;
                    let message = format!(
                        "`{name}` does not support `{key}` here (it supports name, {number})"
                    );
                    return Err((child.line, message));
                }
            }
        }
    }
    Ok(())
}

/// Converts a cable, link, route, change, cache, group of nodes, accelerator or power to a table.
fn turn_part(part: &Element, tables: &mut Turned) -> Result<(), Problem> {
    const LISTS: [&str; 2] = ["between", "links"];
    const TRUTHS: [&str; 3] = ["half-duplex", "fatpipe", "both-ways"];
    const NUMBERS: [&str; 10] = [
        "background",
        "speed",
        "at_s",
        "level",
        "cpus",
        "count",
        "copy-engines",
        "low",
        "high",
        "nodes",
    ];
    for (key, value) in &part.attributes {
        let value = match key.as_str() {
            key if LISTS.contains(&key) => list(value),
            key if TRUTHS.contains(&key) && ["true", "false"].contains(&value.as_str()) => {
                value.clone()
            }
            key if NUMBERS.contains(&key) => number_or_text(value),
            _ => text_of(value),
        };
        tables.entry(part.line, key, &value);
    }
    match part.children.first() {
        None => Ok(()),
        Some(child) => Err((child.line, format!("a `{}` cannot have content", part.name))),
    }
}

/// Converts names separated by spaces to a list.
fn list(text: &str) -> String {
    let names: Vec<String> = text.split_whitespace().map(text_of).collect();
    format!("[{}]", names.join(", "))
}

fn number_or_text(text: &str) -> String {
    let text = text.trim();
    let is_number =
        text.parse::<i64>().is_ok() || (is_decimal(text) && text.parse::<f64>().is_ok());
    let has_zeros = text.trim_start_matches(['-', '+']).len() > 1
        && text.trim_start_matches(['-', '+']).starts_with('0')
        && !text.contains('.');
    if is_number && !has_zeros {
        text.to_owned()
    } else {
        text_of(text)
    }
}

/// Returns `true` if the text is a number with a decimal point, an exponent, or both.
fn is_decimal(text: &str) -> bool {
    fn are_digits(text: &str) -> bool {
        let text = text.strip_prefix('-').unwrap_or(text);
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    }
    let (mantissa, exponent) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let is_mantissa = match mantissa.split_once('.') {
        Some((whole, rest)) => are_digits(whole) && are_digits(rest) && !rest.starts_with('-'),
        None => exponent.is_some() && are_digits(mantissa),
    };
    is_mantissa && exponent.is_none_or(are_digits)
}

/// Quotes a text for TOML, where JSON's escapes are also valid.
pub(super) fn text_of(text: &str) -> String {
    serde_json::Value::from(text)
        .to_string()
        .replace('\u{7f}', "\\u007f")
}

fn quoted_key(key: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !key.is_empty() && key.bytes().all(is_bare) {
        key.to_owned()
    } else {
        text_of(key)
    }
}
