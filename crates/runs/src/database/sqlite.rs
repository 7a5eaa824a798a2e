//! Opens an SQLite database, which is a single file and doesn't need a server.

use std::path::{Path, PathBuf};
use std::time::Duration;

use prophet_text::Problem;
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, params_from_iter};

use super::{Database, Migration, Row, Value};
use crate::plain::plain;

/// Maximum time to wait while another program is writing.
const PATIENCE: Duration = Duration::from_secs(30);
/// Marks our files. Its bytes spell "PROP". In files of other programs, this number is different or
/// 0.
const APPLICATION: i64 = 0x5052_4f50;

/// Extensions of new repositories.
const ENDINGS: [&str; 4] = ["sqlite", "sqlite3", "db", "db3"];
const NAME_MAX: usize = 40;
const CLAIM: &str = "CREATE TABLE migration (version BIGINT PRIMARY KEY);";

/// Keeps SQLite from running code in a file, because a view can run forever.
fn distrust(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
}

#[derive(Debug)]
pub(super) struct Sqlite {
    connection: Connection,
    path: PathBuf,
}

impl Sqlite {
    pub(super) fn open(path: &Path, create: bool) -> Result<Self, Problem> {
        if !create && !path.exists() {
            return Err(Problem::new(format!(
                "there is no repository {}; create one with `run MODEL --save`",
                path.display()
            )));
        }
        if !path.exists()
            && let Some(better) = prophet_files::better_name(path, &ENDINGS)
        {
            let path = path.display();
            return Err(Problem::new(format!(
                "{path} would be a repository, which is a SQLite file; name it {better}"
            )));
        }
        // SQLite would write a journal next to it first.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            let path = path.display();
            return Err(Problem::new(format!(
                "{path} is not a file: a repository must be a file of its own"
            )));
        }
        // URIs are off, so a path with `?mode=…` is just a path. Reading needs write access too,
        // because it rolls back changes left by a killed program.
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        flags.set(OpenFlags::SQLITE_OPEN_CREATE, create);
        let connection = Connection::open_with_flags(path, flags)
            .and_then(|connection| connection.busy_timeout(PATIENCE).map(|()| connection))
            .and_then(|connection| distrust(&connection).map(|()| connection))
            .map_err(|error| failure(path, &error))?;
        Ok(Self {
            connection,
            path: path.to_owned(),
        })
    }

    /// Lists all objects in the database, such as tables and indices.
    fn objects(connection: &Connection) -> rusqlite::Result<Vec<[String; 4]>> {
        // Ignore tables that SQLite creates itself to plan queries.
        let objects = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema \
             WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\' ORDER BY type DESC, name";
        let mut statement = connection.prepare(objects)?;
        let objects = statement.query_map([], |row| {
            Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
        })?;
        objects.collect()
    }

    /// Returns the error for a table or another object that is unknown or was changed.
    fn changed(&self, kind: &str, name: &str) -> Problem {
        Problem::new(format!(
            "{} is not a repository of Performance Prophet: another program has changed its {} \
             `{}`",
            self.path.display(),
            plain(kind, NAME_MAX),
            plain(name, NAME_MAX)
        ))
    }

    fn pragma(&self, name: &str) -> Result<i64, Problem> {
        self.connection
            .pragma_query_value(None, name, |row| row.get(0))
            .map_err(|error| failure(&self.path, &error))
    }
}

impl Database for Sqlite {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn is_claimed(&mut self) -> Result<bool, Problem> {
        // The order matters, because another program may be creating the repository right now.
        let tables = self.query("SELECT count(*) FROM sqlite_schema", &[])?;
        let application = self.pragma("application_id")?;
        if application == APPLICATION {
            // Even the table of migrations might not be a table.
            let foreign = "SELECT type, name FROM sqlite_schema \
                 WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' \
                 ORDER BY type DESC, name LIMIT 1";
            let foreign: Vec<Value> = self.query(foreign, &[])?.into_iter().flatten().collect();
            let texts = foreign
                .into_iter()
                .filter_map(Value::text)
                .collect::<Vec<_>>();
            return match &texts[..] {
                [kind, name] => Err(self.changed(kind, name)),
                _ => Ok(true),
            };
        }
        if application == 0 && tables == [[Value::Integer(0)]] {
            return Ok(false);
        }
        Err(Problem::new(format!(
            "{} is a database of another program",
            self.path.display()
        )))
    }

    fn claim(&mut self) -> Result<(), Problem> {
        self.batch(&format!("PRAGMA application_id = {APPLICATION}; {CLAIM}"))
    }

    fn begin(&mut self) -> Result<(), Problem> {
        // Start the transaction as a writer: starting as a reader and writing later fails if two
        // programs do so.
        self.batch("BEGIN IMMEDIATE")
    }

    fn commit(&mut self) -> Result<(), Problem> {
        self.batch("COMMIT")
    }

    fn rollback(&mut self) {
        // If the disk is full or the file is damaged, the transaction has already ended.
        let _ = self.batch("ROLLBACK");
    }

    fn batch(&mut self, sql: &str) -> Result<(), Problem> {
        let done = self.connection.execute_batch(sql);
        done.map_err(|error| failure(&self.path, &error))
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Problem> {
        let changed = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params_from_iter(values)))
            .map_err(|error| failure(&self.path, &error))?;
        Ok(u64::try_from(changed).unwrap_or(u64::MAX))
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Problem> {
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

    fn own(&self, migration: &Migration) -> &'static str {
        migration.sqlite
    }

    fn check(&mut self, migrations: &[Migration]) -> Result<(), Problem> {
        let expected = Connection::open_in_memory().and_then(|expected| {
            expected.execute_batch(CLAIM)?;
            for migration in migrations {
                expected.execute_batch(migration.sqlite)?;
            }
            Self::objects(&expected)
        });
        let wrong = |error| failure(&self.path, &error);
        let expected = expected.map_err(wrong)?;
        let found = Self::objects(&self.connection).map_err(wrong)?;
        let missing = expected.iter().find(|object| !found.contains(object));
        let foreign = found.iter().find(|object| !expected.contains(object));
        let Some([kind, name, ..]) = foreign.or(missing) else {
            return Ok(());
        };
        Err(self.changed(kind, name))
    }

    fn column(&self, name: &str) -> String {
        name.to_owned()
    }

    fn parameter(&self, place: usize, _: &str) -> String {
        format!("${place}")
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

/// Describes a failure in terms that users know.
fn failure(path: &Path, error: &rusqlite::Error) -> Problem {
    let path = path.display();
    Problem::new(match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => format!(
            "{path} is not a database of runs: name an SQLite file, or none for runs.sqlite"
        ),
        Some(ErrorCode::DatabaseCorrupt) => format!("{path} is damaged: {error}"),
        Some(ErrorCode::ReadOnly) => format!("cannot write {path}: it is read-only"),
        Some(ErrorCode::DiskFull) => format!("cannot write {path}: the disk is full"),
        Some(ErrorCode::CannotOpen) => {
            format!("cannot open {path}: does its folder exist, and is it writable?")
        }
        Some(ErrorCode::PermissionDenied) => format!("no permission to open {path}"),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => format!(
            "another program has been writing {path} for {} s",
            PATIENCE.as_secs()
        ),
        _ => format!("{path}: {error}"),
    })
}
