//! Provides the same interface to two kinds of databases: values, and SQL that both understand.

mod postgres;
mod security;
mod sqlite;
#[cfg(feature = "tls")]
mod tls;

use std::fmt;
use std::path::PathBuf;

use prophet_text::Problem;

#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    File(PathBuf),
    /// `postgres://…`. URLs may contain passwords, so they are never shown in full.
    Url(String),
}

impl Location {
    /// Interprets what the user typed: a PostgreSQL URL, or otherwise a file path.
    pub fn of(text: &str) -> Self {
        let schemes = ["postgres://", "postgresql://"];
        if schemes.iter().any(|scheme| text.starts_with(scheme)) {
            Self::Url(text.to_owned())
        } else {
            Self::File(PathBuf::from(text))
        }
    }
}

impl fmt::Display for Location {
    /// Writes the path of a file, or a URL without its user, password and options.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Url(url) => {
                let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
                let rest = rest.split_once('?').map_or(rest, |(before, _)| before);
                let rest = rest.rsplit_once('@').map_or(rest, |(_, behind)| behind);
                write!(f, "{scheme}://{rest}")
            }
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self})")
    }
}

/// A step from one version of the tables to the next, for either kind of database.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

impl Migration {
    pub(crate) const fn of_both(sql: &'static str) -> Self {
        Self {
            sqlite: sql,
            postgres: sql,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Value {
    /// Returns a text, or null.
    pub(crate) fn maybe(text: Option<&str>) -> Self {
        text.map_or(Self::Null, |text| Self::Text(text.to_owned()))
    }

    pub(crate) fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn real(&self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A row. Its values are in the order of the query's columns.
pub(crate) type Row = Vec<Value>;

/// A connection to a database.
///
/// Parameters in statements are written as `$1`, `$2`, …, in this order.
pub(crate) trait Database {
    fn name(&self) -> String;
    /// Returns `true` if the database contains a repository's tables. Returns an error if it
    /// belongs to another program.
    fn is_claimed(&mut self) -> Result<bool, Problem>;
    /// Turns the database into a repository, with an empty table of migrations.
    fn claim(&mut self) -> Result<(), Problem>;
    /// Starts a transaction for writing, as soon as no other writer is active.
    fn begin(&mut self) -> Result<(), Problem>;
    fn commit(&mut self) -> Result<(), Problem>;
    /// Ends the transaction, and undoes its changes.
    fn rollback(&mut self);
    /// Runs statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<(), Problem>;
    /// Runs a statement, and returns how many rows it changed.
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Problem>;
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Problem>;
    /// Returns an SQL expression for the current time in UTC.
    fn now(&self) -> &'static str;
    /// Returns the statements of a migration for this kind of database.
    fn own(&self, migration: &Migration) -> &'static str;
    /// Rejects a database unless these migrations would create its schema. Nothing in the database
    /// is used before this check.
    fn check(&mut self, migrations: &[Migration]) -> Result<(), Problem>;
    /// Returns an SQL expression for a column of a run, as text or a number.
    fn column(&self, name: &str) -> String;
    /// Returns an SQL expression for a parameter that sets a column of a run. The parameter is text
    /// or a number.
    fn parameter(&self, place: usize, name: &str) -> String;
}

/// Runs `work` in a transaction, so that all or none of its changes are made.
pub(crate) fn transaction<T>(
    database: &mut dyn Database,
    work: impl FnOnce(&mut dyn Database) -> Result<T, Problem>,
) -> Result<T, Problem> {
    database.begin()?;
    let done = work(database).and_then(|result| database.commit().map(|()| result));
    if done.is_err() {
        database.rollback();
    }
    done
}

/// Connects to a database. If `create` is `true`, a missing file is created.
pub(crate) fn open(location: &Location, create: bool) -> Result<Box<dyn Database>, Problem> {
    Ok(match location {
        Location::File(path) => Box::new(sqlite::Sqlite::open(path, create)?),
        Location::Url(url) => Box::new(postgres::Postgres::connect(url, location)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_told_from_files_and_shown_without_secrets() {
        let shown = |text: &str| Location::of(text).to_string();
        assert_eq!(shown("runs.sqlite"), "runs.sqlite");
        assert_eq!(shown("postgres.sqlite"), "postgres.sqlite");
        let url = "postgresql://ann:p@ss@db.example:5432/runs?password=secret";
        assert_eq!(shown(url), "postgresql://db.example:5432/runs");
        assert_eq!(
            format!("{:?}", Location::of("postgres://a:b@c/d")),
            "Location(postgres://c/d)"
        );
    }
}
