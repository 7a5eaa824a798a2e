//! Lists hardware models.

use std::fmt::Write as _;

use crate::fabric::{self, LinkModel};
use crate::hardware::{Hardware, NETWORK};
use crate::network_flag;

/// A row of the list: device, model, parameters, resources, work.
type Row = [String; 5];

const TITLES: [&str; 5] = ["Device", "Model", "Resource data", "Parameters", "Work"];

/// Width of the column of parameters, in characters.
const WIDTH: usize = 44;

/// Lists the hardware models of a program in a table: for each model, its device, name, resources
/// and parameters, and what it costs to evaluate a message or a cost.
///
/// ```
/// use prophet_runtime::{Hardware, list_models};
///
/// let list = list_models(Hardware::NONE);
/// assert!(list.contains("network  hockney  bytes"));
/// ```
pub fn list(hardware: Hardware) -> String {
    let mut rows = of_library();
    rows.extend(hardware.iter().map(|model| {
        let resources = match model.device {
            NETWORK => "bytes".to_owned(),
            _ => joined(model.resources.iter().map(|it| it.name)),
        };
        let parameters = joined(model.settings.iter().map(|it| it.name));
        [
            model.device.to_owned(),
            model.name.to_owned(),
            resources,
            match model.device {
                NETWORK => joined(["parameters of links", &parameters].into_iter()),
                _ => parameters,
            },
            model.work.to_owned(),
        ]
    }));
    table(rows)
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(", ")
}

fn of_library() -> Vec<Row> {
    let keys = |model| joined(fabric::keys(model));
    let row = |row: [&str; 5]| row.map(str::to_owned);
    vec![
        row(["CPU", "fixed", "seconds", "", "one addition"]),
        row([
            "CPU",
            "clc",
            "operations",
            "[operations]",
            "one multiplication per operation",
        ]),
        row([
            "memory",
            "shared",
            "bytes",
            "memory-bandwidth, core-bandwidth",
            "the rates of the units of a socket",
        ]),
        row([
            NETWORK,
            "hockney",
            "bytes",
            &joined(network_flag::keys("hockney")),
            "one multiplication",
        ]),
        row([
            NETWORK,
            "loggp",
            "bytes",
            &joined(network_flag::keys("loggp")),
            "a few operations",
        ]),
        row([
            NETWORK,
            "shared",
            "bytes",
            &keys(LinkModel::Shared),
            "the rates of all flows on its links, twice",
        ]),
        row([
            NETWORK,
            "packet",
            "bytes",
            &keys(LinkModel::Packet),
            "two events per packet and link",
        ]),
    ]
}

/// Aligns rows in columns, and wraps long lists of parameters.
fn table(rows: Vec<Row>) -> String {
    let titles = TITLES.map(str::to_owned);
    let rows: Vec<Row> = std::iter::once(titles).chain(rows).collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0) + 2
    };
    let [device, model, resources] = [0, 1, 2].map(width);
    let mut text = String::new();
    for row in &rows {
        let lines = lines(&row[3]);
        let first = lines.first().map_or("", String::as_str);
        let line = format!(
            "{:device$}{:model$}{:resources$}{first:WIDTH$}  {}",
            row[0], row[1], row[2], row[4]
        );
        // Writing to a string can't fail.
        let _ = writeln!(text, "{}", line.trim_end());
        for line in lines.iter().skip(1) {
            let indent = device + model + resources;
            let _ = writeln!(text, "{:indent$}{line}", "");
        }
    }
    text
}

fn lines(list: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in list.split_inclusive(", ") {
        match lines.last_mut() {
            Some(line) if line.len() + word.trim_end().len() <= WIDTH => line.push_str(word),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
        .iter()
        .map(|line| line.trim_end().to_owned())
        .collect()
}
