//! Databases of two kinds behind one interface: SQL that both understand, and values.

mod postgres;
mod security;
mod sqlite;
#[cfg(feature = "tls")]
mod tls;

use std::fmt;
use std::path::PathBuf;

use prophet_text::Problem;

/// Location of a repository: a file, or a database of a PostgreSQL server.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A file of SQLite.
    File(PathBuf),
    /// `postgres://…`; it may hold a password, so it is never shown in full.
    Url(String),
}

impl Location {
    /// Interprets a user's text: a URL of PostgreSQL, or else a file.
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
    /// Writes a file's path, or a URL without its user, password and options.
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

/// A step from one version of the tables to the next, for each kind of database.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Statements for SQLite.
    pub sqlite: &'static str,
    /// Statements for PostgreSQL.
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

/// A row, in the order of the query.
pub(crate) type Row = Vec<Value>;

/// A connection to a database.
///
/// Parameters are `$1`, `$2`, … and appear in that order.
pub(crate) trait Database {
    /// Returns the name in messages.
    fn name(&self) -> String;
    /// Returns `true` if the database has the tables of a repository. A failure if it belongs to
    /// another program.
    fn is_claimed(&mut self) -> Result<bool, Problem>;
    /// Turns the database into a repository, with an empty table of migrations.
    fn claim(&mut self) -> Result<(), Problem>;
    /// Begins a transaction that will write; waits until no other one does.
    fn begin(&mut self) -> Result<(), Problem>;
    /// Ends the transaction and makes all of its changes permanent.
    fn commit(&mut self) -> Result<(), Problem>;
    /// Ends the transaction and undoes all of its changes.
    fn rollback(&mut self);
    /// Runs statements without values.
    fn batch(&mut self, sql: &str) -> Result<(), Problem>;
    /// Runs a statement; returns the number of rows that it changed.
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Problem>;
    /// Queries rows.
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Problem>;
    /// Current time in UTC, as an SQL expression.
    fn now(&self) -> &'static str;
    /// Statements for a migration that this kind of database needs.
    fn own(&self, migration: &Migration) -> &'static str;
    /// Refuses a database whose schema differs from the result of these migrations, before anything
    /// in it is used.
    fn check(&mut self, migrations: &[Migration]) -> Result<(), Problem>;
    /// Returns a column of a run as text or number, as an SQL expression.
    fn column(&self, name: &str) -> String;
    /// Returns a parameter for a column of a run, given as text or number, as an SQL expression.
    fn parameter(&self, place: usize, name: &str) -> String;
}

/// Does `work` in one transaction: all of it, or nothing.
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

/// Connects to a database; with `create`, a missing file is created.
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
