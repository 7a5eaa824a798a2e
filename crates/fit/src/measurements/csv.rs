//! Reads CSV files whose header row names parameters and measured values.

use prophet_text::Problem;

use crate::measurements::collector::{
    Collector, MeasuredRow, content, is_named, listed, number, split,
};
use crate::measurements::criterion;
use crate::measurements::job::Text;
use crate::measurements::series::Choice;
use crate::measurements::template::{self, Call};
use crate::measurements::unit::{has_rate_unit, is_flow, metric};

const REGIONS: &[&str] = &[
    "region",
    "callpath",
    "kernel",
    "function",
    "benchmark",
    "element",
    "name",
    "command",
    "experiment",
    "application",
    "app",
    "case",
    "test",
    "workload",
    "config",
    "configuration",
    "variant",
    "label",
];
/// Columns that number repetitions and are ignored.
const REPETITIONS: &[&str] = &["repetition", "rep", "run", "trial"];
/// Columns that contain how much values vary, which isn't a parameter.
const SPREADS: &[&str] = &["stddev", "std", "sd", "stderr"];
/// Columns with remarks about a row, or with row numbers from pandas.
const REMARKS: &[&str] = &["comment", "comments", "remark", "remarks", "", "unnamed: 0"];
/// Columns that come with the mean or median of the same values.
const BESIDE: &[&str] = &["min", "max"];
const HYPERFINE: &[&str] = &[
    "command", "mean", "stddev", "median", "user", "system", "min", "max",
];
/// Prefix of the columns in which hyperfine stores parameters.
const PARAMETER: &str = "parameter_";
const COLUMNS_MAX: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Region,
    Metric,
    /// A column that doesn't affect the cost.
    Ignored,
    Value,
    Parameter,
}

/// The columns' names and roles.
struct Header<'t> {
    names: Vec<String>,
    roles: Vec<Role>,
    separator: Option<char>,
    line: &'t str,
}

pub(crate) fn add(collector: &mut Collector<'_>, text: &str) -> Result<(), Problem> {
    let mut lines = content(text);
    let Some((first, line)) = lines.next() else {
        return Ok(());
    };
    let header = header(collector, first, line)?;
    if is_hyperfine(&header.names) {
        let mut rows = Vec::new();
        for (number, line) in lines {
            let mut cells = Vec::new();
            split(line, header.separator, &mut cells);
            rows.push((number, cells));
        }
        return hyperfine(collector, &header, first, &rows);
    }
    let mut is_empty = true;
    let mut cells = Vec::new();
    let is_raw = criterion::is_raw(&header.names);
    for (number, line) in lines {
        split(line, header.separator, &mut cells);
        if is_raw {
            criterion::add_raw(collector, number, &cells)?;
        } else {
            row(collector, &header, number, &cells)?;
        }
        is_empty = false;
    }
    if is_empty {
        return Err(collector.told(first, no_rows(&header)));
    }
    Ok(())
}

fn header<'t>(
    collector: &Collector<'_>,
    line: usize,
    text: &'t str,
) -> Result<Header<'t>, Problem> {
    let separator = separator(text);
    let mut names = Vec::new();
    split(text, separator, &mut names);
    if names.iter().any(|name| number(name).is_some()) {
        let why = "the first line has no names; write a header above it, such as `p,n,time_s`";
        return Err(collector.told(line, why));
    }
    if names.len() > COLUMNS_MAX {
        let why = format!(
            "{} columns are too many; keep only the measured ones",
            names.len()
        );
        return Err(collector.told(line, why));
    }
    for (index, name) in names.iter().enumerate() {
        let why = if name.is_empty() && index > 0 {
            format!("column {} has no name", index + 1)
        } else if names[..index].contains(name) {
            format!("duplicate column `{name}`")
        } else {
            continue;
        };
        return Err(collector.told(line, why));
    }
    let Choice {
        parameters,
        ignored,
        by,
        ..
    } = collector.choice();
    let mut named = parameters.iter().chain(ignored).chain(by);
    let missing = named.find(|it| !names.contains(it));
    let is_of_tool = is_hyperfine(&names) || criterion::is_raw(&names);
    if let Some(missing) = missing.filter(|_| !is_of_tool) {
        let why = format!(
            "unknown column `{missing}`; choose one of {}",
            listed(&names)
        );
        return Err(collector.told(line, why));
    }
    let roles = if is_of_tool {
        Vec::new()
    } else {
        roles(collector, line, &names)?
    };
    Ok(Header {
        names,
        roles,
        separator,
        line: text,
    })
}

/// Returns the separator in a file's header; `None` if blanks separate the columns.
fn separator(header: &str) -> Option<char> {
    [';', '\t', ','].into_iter().find(|it| header.contains(*it))
}

fn roles(collector: &Collector<'_>, line: usize, names: &[String]) -> Result<Vec<Role>, Problem> {
    let choice = collector.choice();
    let has_middle = names.iter().any(|it| it == "mean" || it == "median");
    let fixed = |name: &String| {
        let word = name.to_lowercase();
        let word = word.as_str();
        if choice.ignored.contains(name) {
            Some(Role::Ignored)
        } else if choice.parameters.contains(name) {
            Some(Role::Parameter)
        } else if REGIONS.contains(&word) || choice.by.contains(name) {
            Some(Role::Region)
        } else if choice.metric.as_deref() == Some(name) {
            None
        } else if REMARKS.contains(&word)
            || REPETITIONS.contains(&word)
            || SPREADS.contains(&word)
            || has_middle && BESIDE.contains(&word)
        {
            Some(Role::Ignored)
        } else if word == "metric" {
            Some(Role::Metric)
        } else {
            None
        }
    };
    let mut roles: Vec<Option<Role>> = names.iter().map(fixed).collect();
    let has_metrics = roles.contains(&Some(Role::Metric));
    let free: Vec<usize> = (0..names.len()).filter(|it| roles[*it].is_none()).collect();
    // If there is a time, a bandwidth can be a property of the network, which varies.
    let has_time = free.iter().any(|it| metric(&names[*it]).seconds.is_some());
    let is_value = |index: &usize| {
        let name = &names[*index];
        let is_setting = has_time && is_flow(name) && !has_rate_unit(name);
        name.eq_ignore_ascii_case("value")
            || !is_t(name) && !is_setting && metric(name).is_measured()
    };
    let chosen = choice.metric.as_deref().filter(|_| !has_metrics);
    let is_chosen = |index: &usize| chosen.is_some_and(|it| is_named(it, &names[*index]));
    let mut values: Vec<usize> = free.iter().copied().filter(|it| is_value(it)).collect();
    if let Some(chosen) = chosen {
        values.extend(free.iter().copied().find(is_chosen));
        if !free.iter().any(is_chosen) {
            let why = format!("unknown column `{chosen}`; choose one of {}", listed(names));
            return Err(collector.told(line, why));
        }
    } else if values.is_empty() {
        // If there is a time, `t` can be a number of threads.
        values.extend(free.iter().copied().find(|it| is_t(&names[*it])));
    }
    if values.is_empty() && !free.is_empty() {
        let why = format!(
            "no column is recognized as a time: {}; add the unit to the name of the measured \
             column, such as `time_s` (`fit` also accepts `--metric NAME`)",
            listed(names)
        );
        return Err(collector.told(line, why));
    }
    for index in values {
        roles[index] = Some(Role::Value);
    }
    if !roles.contains(&Some(Role::Value)) {
        let why = "no column is left for the measured value";
        return Err(collector.told(line, why));
    }
    let role = |it: Option<Role>| it.unwrap_or(Role::Parameter);
    Ok(roles.into_iter().map(role).collect())
}

/// Adds rows from hyperfine, in which commands contain the parameters.
fn hyperfine(
    collector: &mut Collector<'_>,
    header: &Header<'_>,
    first: usize,
    rows: &[(usize, Vec<String>)],
) -> Result<(), Problem> {
    let known = |cells: &[String]| {
        let columns = header.names.iter().zip(cells);
        let numbers = columns.filter_map(|(name, cell)| {
            let name = name.strip_prefix(PARAMETER)?;
            Some((name.to_owned(), cell.clone(), number(cell)?))
        });
        numbers.collect()
    };
    let mut calls = Vec::new();
    for (line, cells) in rows {
        let (has, needs) = (cells.len(), header.names.len());
        if has != needs {
            return Err(collector.told(*line, other_cells(has, needs)));
        }
        let text = cells[0].clone();
        calls.push(Call {
            text,
            at: known(cells),
        });
    }
    template::restore(&mut calls, Text::Command);
    let chosen = collector.choice().metric.as_deref();
    let index = chosen.and_then(|it| header.names.iter().position(|name| name == it));
    let index = index.unwrap_or(1);
    for ((line, cells), call) in rows.iter().zip(&calls) {
        let at: Vec<(&str, f64)> = call.at.iter().map(|it| (&*it.0, it.2)).collect();
        if at.is_empty() {
            let why = format!(
                "`{}` has no numeric parameter; measure with --parameter-scan",
                cells[0]
            );
            return Err(collector.told(*line, &why));
        }
        let name = &header.names[index];
        let row = MeasuredRow {
            region: &call.text,
            metric: name,
            unit: Some(1.0),
            at: &at,
            value: numeric(collector, *line, name, &cells[index])?,
        };
        collector.add(*line, &row)?;
    }
    if rows.is_empty() {
        return Err(collector.told(first, no_rows(header)));
    }
    Ok(())
}

fn other_cells(has: usize, needs: usize) -> String {
    format!("the row has {has} cells, but the header has {needs}")
}

fn no_rows(header: &Header<'_>) -> String {
    format!(
        "there are no rows of values below the names `{}`",
        header.line
    )
}

fn is_hyperfine(names: &[String]) -> bool {
    names.len() >= HYPERFINE.len() && names.iter().zip(HYPERFINE).all(|(a, b)| a == b)
}

fn is_t(name: &str) -> bool {
    name.eq_ignore_ascii_case("t")
}

fn row(
    collector: &mut Collector<'_>,
    header: &Header<'_>,
    line: usize,
    cells: &[String],
) -> Result<(), Problem> {
    let (has, needs) = (cells.len(), header.names.len());
    if has != needs {
        return Err(collector.told(line, other_cells(has, needs)));
    }
    let columns = || header.roles.iter().zip(header.names.iter().zip(cells));
    let texts = |wanted: Role| {
        let found = columns().filter(move |it| *it.0 == wanted);
        found.map(|it| it.1.1.as_str())
    };
    let region = texts(Role::Region).collect::<Vec<_>>().join("/");
    for (role, (name, cell)) in columns() {
        let is_word = *role == Role::Ignored && !cell.is_empty() && number(cell).is_none();
        if is_word && !collector.choice().ignored.contains(name) {
            let note = format!(
                "the column `{name}` is ignored; to fit each of its words, pass --by {name}"
            );
            collector.note_once(&region, note);
        }
    }
    let chosen = &collector.choice().parameters;
    let mut at = Vec::new();
    for (role, (name, cell)) in columns() {
        let is_wanted = chosen.is_empty() || chosen.contains(name);
        if *role == Role::Parameter && is_wanted {
            at.push((name.as_str(), numeric(collector, line, name, cell)?));
        }
    }
    for (role, (name, cell)) in columns() {
        if *role != Role::Value {
            continue;
        }
        let value = numeric(collector, line, name, cell)?;
        let row = MeasuredRow {
            region: &region,
            metric: texts(Role::Metric).next().unwrap_or(name),
            unit: None,
            at: &at,
            value,
        };
        collector.add(line, &row)?;
    }
    Ok(())
}

/// Returns `true` if a cell contains a date or a time of day, such as `2026-11-30T06:00Z`.
fn is_date(cell: &str) -> bool {
    let is_of_it = |it: char| it.is_ascii_digit() || "-/:.+TZ ".contains(it);
    let marks = cell.matches(['-', '/', ':']).count();
    cell.chars().all(is_of_it) && marks >= 1 && cell.starts_with(|it: char| it.is_ascii_digit())
}

fn numeric(collector: &Collector<'_>, line: usize, name: &str, cell: &str) -> Result<f64, Problem> {
    if let Some(number) = number(cell) {
        return Ok(number);
    }
    let is_with_unit = cell.starts_with(|it: char| it.is_ascii_digit());
    let with_point = cell.replace(',', ".");
    let help = if cell.matches(',').count() == 1 && number(&with_point).is_some() {
        format!("write `{with_point}`, with a decimal point")
    } else if cell.is_empty() || metric(name).is_measured() && !is_with_unit {
        "remove the row".to_owned()
    } else if is_date(cell) && metric(name).is_measured() {
        "write a number of seconds".to_owned()
    } else if is_date(cell) {
        format!("ignore the column with `fit --ignore {name}`")
    } else if is_with_unit {
        "write the unit once, in the header, for example `time_ms`".to_owned()
    } else {
        format!(
            "ignore the column with `fit --ignore {name}`, or fit each of its words separately \
             with `--by {name}`"
        )
    };
    let why = format!("expected a number in column `{name}`, found `{cell}`; {help}");
    Err(collector.told(line, why))
}
