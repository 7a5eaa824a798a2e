//! Writes machines as XML.

use std::fmt::Write;

use toml::{Table, Value};

use super::NO_SOURCE;

/// TOML's top-level keys that belong in the element `computer`.
const OF_COMPUTER: [&str; 13] = [
    "sockets",
    "numa-domains",
    "memory",
    "memory-bandwidth",
    "core-bandwidth",
    "saturation",
    "overlap",
    "bind",
    "discipline",
    "quantum",
    "wait-policy",
    "collectives",
    "mapping",
];

/// Writes a machine as XML. Its TOML has already been read without an error.
pub(in super::super) fn write(table: &Table) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<system");
    attribute(&mut xml, "name", table.get("name"));
    let source = table.get("source");
    attribute(
        &mut xml,
        "source",
        source.filter(|it| it.as_str() != Some(NO_SOURCE)),
    );
    xml.push_str(">\n");
    write_computer(&mut xml, table);
    if let Some(Value::String(text)) = table.get("intranode") {
        write_model(&mut xml, "intranode", &table_of(text));
    }
    match table.get("network") {
        Some(Value::String(text)) => write_model(&mut xml, "network", &table_of(text)),
        Some(Value::Table(network)) => write_model(&mut xml, "network", network),
        _ => {}
    }
    for device in parts(table, "device").filter_map(Value::as_table) {
        write_model(&mut xml, "device", device);
    }
    for part in parts(table, "connect").filter_map(Value::as_table) {
        xml.push_str("  <connect>");
        for (name, number) in [("computer", "node"), ("network", "port")] {
            let _ = write!(xml, "<{name}");
            attribute(&mut xml, "name", part.get(name));
            attribute(&mut xml, number, part.get(number));
            xml.push_str("/>");
        }
        xml.push_str("</connect>\n");
    }
    for name in ["cable", "link", "route", "change"] {
        for part in parts(table, name) {
            let _ = write!(xml, "  <{name}");
            for (key, value) in part.as_table().into_iter().flatten() {
                attribute(&mut xml, key, Some(value));
            }
            xml.push_str("/>\n");
        }
    }
    xml.push_str("</system>\n");
    xml
}

fn parts<'t>(table: &'t Table, name: &str) -> impl Iterator<Item = &'t Value> {
    let parts = table.get(name).and_then(Value::as_array);
    parts.into_iter().flatten()
}

// Writing to a string can't fail.
fn write_computer(xml: &mut String, table: &Table) {
    xml.push_str("  <computer");
    attribute(xml, "name", table.get("computer"));
    if let Some(nodes) = table.get("nodes") {
        attribute(xml, "count", Some(nodes));
    }
    xml.push_str(">\n");
    let cpus = table.get("cpus-per-node").map(|value| ("cpus", value));
    let others = OF_COMPUTER
        .iter()
        .filter_map(|key| Some((*key, table.get(*key)?)));
    for (key, value) in cpus.into_iter().chain(others) {
        let text = match value {
            // The comma distinguishes a list of one value from a text.
            Value::Array(list) if key == "memory-bandwidth" => joined(list, ", ") + ",",
            Value::Array(list) => joined(list, ", "),
            value => plain(value),
        };
        let _ = writeln!(
            xml,
            "    <{key}>{}</{key}>",
            prophet_text::markup::escaped(&text)
        );
    }
    for name in ["power", "accuracy", "cache", "node", "accelerator"] {
        let one = table.get(name).filter(|part| part.is_table());
        for part in one.into_iter().chain(parts(table, name)) {
            let _ = write!(xml, "    <{name}");
            for (key, value) in part.as_table().into_iter().flatten() {
                attribute(xml, key, Some(value));
            }
            xml.push_str("/>\n");
        }
    }
    if let Some(Value::Table(operations)) = table.get("operations") {
        xml.push_str("    <cpu_clc");
        attribute(xml, "unit", operations.get("unit"));
        xml.push_str(">\n");
        for (name, cost) in operations.iter().filter(|(name, _)| *name != "unit") {
            let _ = writeln!(xml, "      <{name}>{}</{name}>", plain(cost));
        }
        xml.push_str("    </cpu_clc>\n");
    }
    xml.push_str("  </computer>\n");
}

/// Writes a part with a model as an element that has the model's parameters as attributes.
fn write_model(xml: &mut String, element: &str, of: &Table) {
    let model = of.get("model").map(plain).unwrap_or_default();
    let _ = write!(xml, "  <{element}");
    attribute(xml, "name", of.get("name"));
    let _ = write!(xml, ">\n    <{model}");
    for (key, value) in of
        .iter()
        .filter(|(key, _)| !["model", "name"].contains(&key.as_str()))
    {
        attribute(xml, key, Some(value));
    }
    let _ = write!(xml, "/>\n  </{element}>\n");
}

/// Parses a network in the flag's notation into a table.
fn table_of(text: &str) -> Table {
    let (model, values) = text.split_once(':').unwrap_or((text, ""));
    let mut table = Table::new();
    table.insert("model".to_owned(), Value::String(model.trim().to_owned()));
    for (key, value) in values.split(',').filter_map(|pair| pair.split_once('=')) {
        table.insert(
            key.trim().to_owned(),
            Value::String(value.trim().to_owned()),
        );
    }
    table
}

fn attribute(xml: &mut String, key: &str, value: Option<&Value>) {
    if let Some(value) = value {
        let text = match value {
            Value::Array(list) if list.iter().all(Value::is_integer) => joined(list, "x"),
            Value::Array(list) => joined(list, " "),
            value => plain(value),
        };
        let _ = write!(xml, " {key}=\"{}\"", prophet_text::markup::escaped(&text));
    }
}

fn joined(list: &[Value], separator: &str) -> String {
    let parts: Vec<String> = list.iter().map(plain).collect();
    parts.join(separator)
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Integer(number) => number.to_string(),
        // Large numbers get an exponent.
        Value::Float(number) => format!("{number:?}"),
        Value::Boolean(truth) => truth.to_string(),
        Value::Array(list) => joined(list, " "),
        Value::Table(_) | Value::Datetime(_) => String::new(),
    }
}
