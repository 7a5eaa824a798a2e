//! Reads tables of times, with a row for each task or task type.

use prophet_text::Problem;

use super::NamedText;
use super::found::Found;
use super::table::Table;
use crate::quoted;

/// The time of a task, or of all tasks of a type.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Time {
    pub(super) task: String,
    pub(super) seconds: f64,
    /// Number of elements in each array that the task returns.
    pub(super) elements: Option<usize>,
}

/// Reads a table with the columns `task`, `seconds` and optionally `elements`.
pub(super) fn read(file: NamedText<'_>) -> Result<Vec<Time>, Problem> {
    let table = Table::read(file)?;
    let [task, seconds] = [table.required("task")?, table.required("seconds")?];
    let elements = table.column("elements");
    let mut times: Vec<Time> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for row in 0..table.rows.len() {
        let name = table.rows[row].1[task];
        if !seen.insert(name) {
            let what = format!("duplicate task {}", quoted(name));
            let problem = Problem::with_help(what, "Keep one line for each task.");
            return Err(table.at(row, problem));
        }
        let elements = match elements {
            Some(column) if !table.rows[row].1[column].is_empty() => {
                Some(whole(&table, row, column)?)
            }
            _ => None,
        };
        times.push(Time {
            task: name.to_owned(),
            seconds: table.number(row, seconds)?,
            elements,
        });
    }
    Ok(times)
}

fn whole(table: &Table<'_>, row: usize, column: usize) -> Result<usize, Problem> {
    table.rows[row].1[column].parse().map_err(|_| {
        let what = format!(
            "expected a whole number of elements, found {}",
            quoted(table.rows[row].1[column])
        );
        table.at(row, Problem::with_help(what, "Correct the number."))
    })
}

/// Sets the times of tasks, by id or otherwise by type.
pub(super) fn apply(times: &[Time], found: &mut Found) {
    let by_name: std::collections::BTreeMap<_, _> =
        times.iter().map(|it| (&*it.task, it.seconds)).collect();
    for task in &mut found.tasks {
        let time = by_name.get(&*task.id).or_else(|| by_name.get(&*task.kind));
        if let Some(seconds) = time {
            task.seconds = Some(*seconds);
        }
    }
}
