//! Reads the performance logs of `ReFrame` 4: a line of names, then a row for each test that ran,
//! with cells separated by `|`.

use std::rc::Rc;

use prophet_text::Problem;

use crate::measurements::collector::{Collector, content, number};
use crate::measurements::job::{COMPLETED, Job, Text};

/// Column with the result of a test, and the word for success.
const RESULT: &str = "result";
const PASSED: &str = "pass";
/// Columns with names of a test. The first one includes the test's parameters.
const NAMES: &[&str] = &["name", "display_name", "unique_name", "short_name"];
/// Columns that say where and with what a test ran.
const PLACES: &[&str] = &["system", "partition", "environ"];
const SIZES: &[&str] = &[
    "num_tasks",
    "num_tasks_per_node",
    "num_cpus_per_task",
    "num_gpus_per_node",
];
/// Suffixes of the columns for a measured variable.
const VALUE: &str = "_value";
const UNIT: &str = "_unit";

pub(crate) fn is_header(line: &str) -> bool {
    let names: Vec<&str> = line.split('|').collect();
    names.contains(&RESULT) && names.contains(&"job_completion_time")
}

pub(crate) fn add(collector: &mut Collector<'_>, text: &str) -> Result<(), Problem> {
    let mut lines = content(text);
    let Some((first, header)) = lines.next() else {
        return Ok(());
    };
    let names: Vec<&str> = header.split('|').collect();
    let place = |name: &str| names.iter().position(|it| *it == name);
    let variables = names.iter().enumerate().filter_map(|(index, name)| {
        let name = name.strip_suffix(VALUE)?;
        Some((name, index, place(&format!("{name}{UNIT}"))?))
    });
    let variables: Vec<(&str, usize, usize)> = variables.collect();
    if variables.is_empty() {
        let why =
            "the log has no measured variable, such as the columns `time_value` and `time_unit`";
        return Err(collector.told(first, why));
    }
    let file: Rc<str> = collector.file().into();
    for (line, row) in lines {
        let cells: Vec<&str> = row.split('|').collect();
        if cells.len() != names.len() {
            let (has, needs) = (cells.len(), names.len());
            let why = format!("the row has {has} cells, but the header has {needs}");
            return Err(collector.told(line, why));
        }
        let cell = |name: &&str| Some(cells[place(name)?]);
        let passed = cell(&RESULT) == Some(PASSED);
        let mut values = Vec::new();
        for &(name, value, unit) in variables.iter().filter(|_| passed) {
            let text = cells[value];
            let value = number(text).ok_or_else(|| {
                collector.told(
                    line,
                    format!("expected a number in `{name}`, found `{text}`"),
                )
            })?;
            let unit = cells[unit];
            values.push((format!("{name} [{unit}]"), value));
        }
        let test = NAMES.iter().find_map(cell).unwrap_or_default();
        let places = PLACES.iter().filter_map(cell);
        let name: Vec<&str> = std::iter::once(test).chain(places).collect();
        let job = Job {
            file: Rc::clone(&file),
            line,
            id: None,
            name: name.join("/"),
            text: Text::Name,
            is_cut: false,
            state: if passed {
                COMPLETED
            } else {
                cell(&RESULT).unwrap_or_default()
            }
            .to_owned(),
            values,
            sizes: { SIZES.iter() }
                .map(|it| (*it, cell(it).and_then(number)))
                .collect(),
        };
        collector.keep(job)?;
    }
    Ok(())
}
