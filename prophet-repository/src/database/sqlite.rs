//! SQLite: a database in one file, without a server.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, params_from_iter};

use super::{Database, Row, Value};
use crate::Failure;

/// How long a program waits for another one that writes.
const PATIENCE: Duration = Duration::from_secs(30);
/// Tells our files from those of other programs, which have another number or none: "PROP".
const APPLICATION: i64 = 0x5052_4f50;

/// A connection to a file.
#[derive(Debug)]
pub(super) struct Sqlite {
    connection: Connection,
    path: PathBuf,
}

impl Sqlite {
    pub(super) fn open(path: &Path, create: bool) -> Result<Self, Failure> {
        if !create && !path.exists() {
            return Err(Failure::new(format!(
                "there is no repository {}; `cargo xtask run MODEL --save` makes one",
                path.display()
            )));
        }
        // No URIs: a path with `?mode=…` is a path. Reading needs to write, too: it takes back
        // what a killed program has left.
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        flags.set(OpenFlags::SQLITE_OPEN_CREATE, create);
        let connection = Connection::open_with_flags(path, flags)
            .and_then(|connection| connection.busy_timeout(PATIENCE).map(|()| connection))
            .map_err(|error| failure(path, &error))?;
        Ok(Self {
            connection,
            path: path.to_owned(),
        })
    }

    fn pragma(&self, name: &str) -> Result<i64, Failure> {
        self.connection
            .pragma_query_value(None, name, |row| row.get(0))
            .map_err(|error| failure(&self.path, &error))
    }
}

impl Database for Sqlite {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn is_claimed(&mut self) -> Result<bool, Failure> {
        // In this order: another program may be making the repository just now.
        let tables = self.query("SELECT count(*) FROM sqlite_schema", &[])?;
        let application = self.pragma("application_id")?;
        if application == APPLICATION {
            return Ok(true);
        }
        if application == 0 && tables == [[Value::Integer(0)]] {
            return Ok(false);
        }
        Err(Failure::new(format!(
            "{} is a database of another program",
            self.path.display()
        )))
    }

    fn claim(&mut self) -> Result<(), Failure> {
        self.batch(&format!(
            "PRAGMA application_id = {APPLICATION};
             CREATE TABLE migration (version BIGINT PRIMARY KEY);"
        ))
    }

    fn begin(&mut self) -> Result<(), Failure> {
        // Immediate: to begin as a reader and write later fails where two do so.
        self.batch("BEGIN IMMEDIATE")
    }

    fn commit(&mut self) -> Result<(), Failure> {
        self.batch("COMMIT")
    }

    fn rollback(&mut self) {
        // A full disk or a broken file has ended the transaction already.
        let _ = self.batch("ROLLBACK");
    }

    fn batch(&mut self, sql: &str) -> Result<(), Failure> {
        let done = self.connection.execute_batch(sql);
        done.map_err(|error| failure(&self.path, &error))
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Failure> {
        let changed = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params_from_iter(values)))
            .map_err(|error| failure(&self.path, &error))?;
        Ok(u64::try_from(changed).unwrap_or(u64::MAX))
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Failure> {
        let rows = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| {
                let columns = statement.column_count();
                let row = |row: &rusqlite::Row<'_>| {
                    (0..columns)
                        .map(|column| row.get_ref(column).map(value))
                        .collect()
                };
                let rows = statement.query_map(params_from_iter(values), row)?;
                rows.collect()
            });
        rows.map_err(|error| failure(&self.path, &error))
    }

    fn now(&self) -> &'static str {
        "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(value) => ValueRef::Integer(*value),
            Self::Real(value) => ValueRef::Real(*value),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Integer(value),
        ValueRef::Real(value) => Value::Real(value),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Value::Text(String::from_utf8_lossy(text).into_owned())
        }
    }
}

/// What went wrong, in words of the user's world.
fn failure(path: &Path, error: &rusqlite::Error) -> Failure {
    let path = path.display();
    Failure::new(match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => format!("{path} is no SQLite database"),
        Some(ErrorCode::DatabaseCorrupt) => format!("{path} is damaged: {error}"),
        Some(ErrorCode::ReadOnly) => format!("{path} cannot be written: it is read-only"),
        Some(ErrorCode::DiskFull) => format!("{path} cannot be written: the disk is full"),
        Some(ErrorCode::CannotOpen) => {
            format!("{path} cannot be opened: is its folder there, and may it be written?")
        }
        Some(ErrorCode::PermissionDenied) => format!("{path} may not be opened"),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => format!(
            "another program has been writing {path} for {} s",
            PATIENCE.as_secs()
        ),
        _ => format!("{path}: {error}"),
    })
}
