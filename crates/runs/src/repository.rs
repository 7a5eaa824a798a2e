//! Adds, finds and deletes runs in a repository.

use std::fmt;

use prophet_text::Problem;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::database::{self, Database, Location, Row, Value, transaction};
use crate::run::RunRecord;
use crate::schema::{MIGRATIONS, migrate, version};

/// Columns of a [`ListedRun`].
const SUMMARY: [&str; 13] = [
    "id",
    "saved_at",
    "model",
    "nodes",
    "cpus_per_node",
    "processes",
    "threads",
    "parameters",
    "machine",
    "seed",
    "predicted_time_s",
    "partial",
    "command",
];
const KEPT: [&str; 8] = [
    "id",
    "saved_at",
    "model_file",
    "model_hash",
    "crate_hash",
    "command",
    "trace",
    "result",
];
/// Columns for the values that [`values`] returns, in the same order.
const VALUES: [&str; 19] = [
    "id",
    "model",
    "model_file",
    "model_hash",
    "crate_hash",
    "command",
    "trace",
    "nodes",
    "cpus_per_node",
    "processes",
    "threads",
    "parameters",
    "machine",
    "seed",
    "predicted_time_s",
    "partial",
    "engine",
    "wall_s",
    "result",
];

fn select(database: &dyn Database, columns: &[&str]) -> String {
    let columns: Vec<String> = columns.iter().map(|name| database.column(name)).collect();
    format!("SELECT {} FROM run", columns.join(", "))
}

/// Returns the statement that adds a run.
fn insert(database: &dyn Database) -> String {
    let parameter = |(place, name): (usize, &&str)| database.parameter(place, name);
    let parameters: Vec<String> = (1..).zip(&VALUES).map(parameter).collect();
    format!(
        "INSERT INTO run (saved_at, {}) VALUES ({}, {})",
        VALUES.join(", "),
        database.now(),
        parameters.join(", ")
    )
}

pub struct Repository {
    database: Box<dyn Database>,
}

impl fmt::Debug for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Repository({})", self.database.name())
    }
}

/// The properties of a run that a list shows.
#[derive(Debug, Clone, Serialize)]
pub struct ListedRun {
    /// Number of the run in the repository.
    pub id: i64,
    /// When the run was saved, in UTC, such as `2026-01-31T12:00:00Z`.
    pub saved_at: String,
    pub model: String,
    pub nodes: i64,
    pub cpus_per_node: i64,
    pub processes: i64,
    /// Threads per process.
    pub threads: i64,
    /// Values of the model's parameters, as a JSON object.
    pub parameters: Box<RawValue>,
    /// Description of the machine.
    pub machine: String,
    pub seed: u64,
    /// In seconds.
    pub predicted_time_s: f64,
    /// Whether the run was interrupted.
    pub partial: bool,
    /// Flags of the run, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Kept {
    /// Number of the run in the repository.
    pub id: i64,
    /// When the run was saved, in UTC, such as `2026-01-31T12:00:00Z`.
    pub saved_at: String,
    #[serde(flatten)]
    pub run: RunRecord,
}

impl Repository {
    /// Opens a repository to add runs, or creates it if it doesn't exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the database can't be reached or written, belongs to another program, or
    /// was written by a newer version.
    pub fn create(location: &Location) -> Result<Self, Problem> {
        let mut database = database::open(location, true)?;
        migrate(database.as_mut(), MIGRATIONS)?;
        Ok(Self { database })
    }

    /// Opens an existing repository.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Self::create`], or an error if the repository doesn't exist or
    /// is empty.
    pub fn open(location: &Location) -> Result<Self, Problem> {
        let mut database = database::open(location, false)?;
        if version(database.as_mut(), MIGRATIONS)?.is_none() {
            return Err(Problem::new(format!("{location} contains no runs yet")));
        }
        migrate(database.as_mut(), MIGRATIONS)?;
        Ok(Self { database })
    }

    /// Adds runs in one transaction, and returns their numbers.
    ///
    /// # Errors
    ///
    /// Returns an error if the database can't be written. In that case, no run is added.
    pub fn add(&mut self, runs: &[RunRecord]) -> Result<Vec<i64>, Problem> {
        let insert = insert(self.database.as_ref());
        let number = i64::try_from(runs.len()).unwrap_or(i64::MAX);
        transaction(self.database.as_mut(), |database| {
            // There are two statements, because the first one makes other writers wait.
            let count = [Value::Integer(number)];
            database.execute("UPDATE counter SET next = next + $1", &count)?;
            let next = database.query("SELECT next FROM counter", &[])?;
            let next = next.first().and_then(|row| row.first());
            let next = next.and_then(Value::integer);
            let next =
                next.ok_or_else(|| Problem::new("the run counter of the repository is missing"))?;
            let ids: Vec<i64> = (next - number..next).collect();
            for (id, run) in ids.iter().zip(runs) {
                database.execute(&insert, &values(*id, run))?;
            }
            Ok(ids)
        })
    }

    /// Lists all runs, or all runs of one model, in the order in which they were saved.
    ///
    /// # Errors
    ///
    /// Returns an error if the database can't be read.
    pub fn list(&mut self, model: Option<&str>) -> Result<Vec<ListedRun>, Problem> {
        let select = select(self.database.as_ref(), &SUMMARY);
        let rows = match model {
            None => self.database.query(&format!("{select} ORDER BY id"), &[])?,
            Some(model) => self.database.query(
                &format!("{select} WHERE model = $1 ORDER BY id"),
                &[Value::Text(model.to_owned())],
            )?,
        };
        rows.into_iter()
            .map(|row| self.read(row, summary))
            .collect()
    }

    /// Reads the runs with these numbers, in the given order.
    ///
    /// # Errors
    ///
    /// Returns an error if a run doesn't exist, or if the database can't be read.
    pub fn get(&mut self, ids: &[i64]) -> Result<Vec<Kept>, Problem> {
        let select = select(self.database.as_ref(), &KEPT);
        let query = format!("{select} WHERE id = $1");
        let mut runs = Vec::new();
        for id in ids {
            let rows = self.database.query(&query, &[Value::Integer(*id)])?;
            let row = rows.into_iter().next().ok_or_else(|| self.missing(*id))?;
            runs.push(self.read(row, kept)?);
        }
        Ok(runs)
    }

    /// Deletes the runs with these numbers in one transaction.
    ///
    /// # Errors
    ///
    /// Returns an error if a run doesn't exist, or if the database can't be written. In that case,
    /// no run is deleted.
    pub fn delete(&mut self, ids: &[i64]) -> Result<(), Problem> {
        let name = self.database.name();
        transaction(self.database.as_mut(), |database| {
            for id in ids {
                let id = [Value::Integer(*id)];
                if database.execute("DELETE FROM run WHERE id = $1", &id)? == 0 {
                    return Err(missing(&name, id[0].integer().unwrap_or_default()));
                }
            }
            Ok(())
        })
    }

    fn missing(&self, id: i64) -> Problem {
        missing(&self.database.name(), id)
    }

    fn read<T>(&self, row: Row, read: impl FnOnce(Row) -> Option<T>) -> Result<T, Problem> {
        read(row).ok_or_else(|| {
            Problem::new(format!(
                "{} contains a run that cannot be read: another program has changed it",
                self.database.name()
            ))
        })
    }
}

fn missing(repository: &str, id: i64) -> Problem {
    Problem::new(format!(
        "{repository} has no run {id}; list its runs with `runs list`"
    ))
}

/// Returns the values of a run's columns, except the time when the run is saved.
fn values(id: i64, run: &RunRecord) -> [Value; 19] {
    let result = &run.result;
    let system = &result.system;
    let integer = |value: u32| Value::Integer(value.into());
    let command = run
        .command
        .as_ref()
        .map(|command| serde_json::to_string(command).expect("strings are always JSON"));
    let parameters = serde_json::to_string(&result.parameters).expect("values are always JSON");
    [
        Value::Integer(id),
        Value::Text(result.model.clone()),
        Value::maybe(run.model_file.as_deref()),
        Value::maybe(run.model_hash.as_deref()),
        Value::maybe(run.crate_hash.as_deref()),
        Value::maybe(command.as_deref()),
        Value::maybe(run.trace.as_deref()),
        integer(system.nodes),
        integer(system.cpus_per_node),
        integer(system.processes),
        integer(system.threads),
        Value::Text(parameters),
        Value::Text(result.machine.clone()),
        Value::Text(result.seed.to_string()),
        Value::Real(result.predicted_time_s),
        Value::Integer(result.partial.into()),
        Value::Text(result.evaluation.engine.to_string()),
        Value::Real(result.evaluation.wall_s),
        Value::Text(run.text().to_owned()),
    ]
}

fn summary(row: Row) -> Option<ListedRun> {
    let mut values = row.into_iter();
    let mut next = || values.next();
    Some(ListedRun {
        id: next()?.integer()?,
        saved_at: next()?.text()?,
        model: next()?.text()?,
        nodes: next()?.integer()?,
        cpus_per_node: next()?.integer()?,
        processes: next()?.integer()?,
        threads: next()?.integer()?,
        parameters: RawValue::from_string(next()?.text()?).ok()?,
        machine: next()?.text()?,
        seed: next()?.text()?.parse().ok()?,
        predicted_time_s: next()?.real()?,
        partial: next()?.integer()? != 0,
        command: next()?.text().and_then(|it| serde_json::from_str(&it).ok()),
    })
}

fn kept(row: Row) -> Option<Kept> {
    let mut values = row.into_iter();
    let mut next = || values.next();
    let (id, saved_at) = (next()?.integer()?, next()?.text()?);
    let (model_file, model_hash) = (next()?.text(), next()?.text());
    let (crate_hash, command, trace) = (next()?.text(), next()?.text(), next()?.text());
    let command = command.map(|command| serde_json::from_str(&command));
    let mut runs = RunRecord::read_all(&next()?.text()?).ok()?;
    let run = RunRecord {
        model_file,
        model_hash,
        crate_hash,
        command: command.transpose().ok()?,
        trace,
        ..runs.pop()?
    };
    Some(Kept { id, saved_at, run })
}
