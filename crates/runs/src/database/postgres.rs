//! Connects to a PostgreSQL server, for a database shared by a team.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use postgres::config::{Host, SslMode};
use postgres::types::{ToSql, Type};
use postgres::{Client, Config, NoTls, Statement};
use prophet_text::Problem;

use super::security::Security;
use super::{Database, Location, Migration, Row, Value};
use crate::plain::plain;

/// Maximum time to wait for a server to accept a connection.
const PATIENCE: Duration = Duration::from_secs(10);
/// Number of the lock that writers take. Its bytes spell "PROP".
const LOCK: i64 = 0x5052_4f50;

/// Maximum length of a table's name in a message.
const NAME_MAX: usize = 40;

pub(super) struct Postgres {
    client: Client,
    /// Statements that the server has prepared, by text.
    statements: BTreeMap<String, Statement>,
    name: String,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Postgres({})", self.name)
    }
}

impl Postgres {
    pub(super) fn connect(url: &str, location: &Location) -> Result<Self, Problem> {
        let name = location.to_string();
        let wrong = |message: String| Problem::new(format!("{name}: {message}"));
        let (url, security) = Security::take(url).map_err(wrong)?;
        let mut config: Config = url
            .parse()
            .map_err(|error| failure(&name, "it is not a PostgreSQL URL", &error))?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        config.application_name("performance-prophet");
        // A socket is local to this computer and isn't encrypted.
        let is_remote = |host: &Host| matches!(host, Host::Tcp(_));
        let client = if security.encrypts() && config.get_hosts().iter().any(is_remote) {
            if security.requires() {
                config.ssl_mode(SslMode::Require);
            }
            encrypted(&mut config, &security).map_err(wrong)?
        } else {
            config.connect(NoTls)
        };
        let unreachable = |error| failure(&name, "cannot reach the database", &error);
        let client = client.map_err(unreachable)?;
        let mut database = Self {
            client,
            statements: BTreeMap::new(),
            name,
        };
        // The tables have their own schema, because the database can contain other tables.
        database.batch("SET search_path TO prophet; SET client_min_messages TO warning")?;
        Ok(database)
    }

    fn statement(&mut self, sql: &str) -> Result<Statement, Problem> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.client.prepare(sql);
        let statement = prepared.map_err(|error| failure(&self.name, "it refused", &error))?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Database for Postgres {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn is_claimed(&mut self) -> Result<bool, Problem> {
        // `to_regclass` can remember that another program hadn't created the table yet.
        let claimed = "SELECT count(*) FROM pg_catalog.pg_tables \
             WHERE schemaname = 'prophet' AND tablename = 'migration'";
        Ok(self.query(claimed, &[])? == [[Value::Integer(1)]])
    }

    fn claim(&mut self) -> Result<(), Problem> {
        self.batch(
            "CREATE SCHEMA IF NOT EXISTS prophet;
             CREATE TABLE migration (version BIGINT PRIMARY KEY);",
        )
    }

    fn begin(&mut self) -> Result<(), Problem> {
        self.batch(&format!("BEGIN; SELECT pg_advisory_xact_lock({LOCK})"))
    }

    fn commit(&mut self) -> Result<(), Problem> {
        self.batch("COMMIT")
    }

    fn rollback(&mut self) {
        // If the connection was lost, the transaction has already ended.
        let _ = self.batch("ROLLBACK");
    }

    fn batch(&mut self, sql: &str) -> Result<(), Problem> {
        let done = self.client.batch_execute(sql);
        done.map_err(|error| failure(&self.name, "it refused", &error))
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Problem> {
        let statement = self.statement(sql)?;
        let changed = self.client.execute(&statement, &parameters(values));
        changed.map_err(|error| failure(&self.name, "it refused", &error))
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Problem> {
        let statement = self.statement(sql)?;
        let rows = self
            .client
            .query(&statement, &parameters(values))
            .map_err(|error| failure(&self.name, "it refused", &error))?;
        rows.iter()
            .map(|row| (0..row.len()).map(|column| value(row, column)).collect())
            .collect::<Result<_, _>>()
            .map_err(|error| failure(&self.name, "cannot read its answer", &error))
    }

    fn now(&self) -> &'static str {
        "date_trunc('second', now())"
    }

    fn own(&self, migration: &Migration) -> &'static str {
        migration.postgres
    }

    fn check(&mut self, _: &[Migration]) -> Result<(), Problem> {
        let foreign = "SELECT relname::text FROM pg_catalog.pg_class \
             WHERE relnamespace = 'prophet'::regnamespace AND relkind NOT IN ('r', 'i', 't') \
             ORDER BY relname LIMIT 1";
        match self.query(foreign, &[])?.into_iter().flatten().next() {
            None => Ok(()),
            Some(name) => Err(Problem::new(format!(
                "{} is not a repository of Performance Prophet: `{}` is not a table",
                self.name,
                plain(&name.text().unwrap_or_default(), NAME_MAX)
            ))),
        }
    }

    fn column(&self, name: &str) -> String {
        match name {
            "saved_at" => {
                r#"to_char(saved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')"#.to_owned()
            }
            "command" | "parameters" | "result" => format!("{name}::text"),
            _ => name.to_owned(),
        }
    }

    fn parameter(&self, place: usize, name: &str) -> String {
        match name {
            "command" | "parameters" => format!("${place}::text::jsonb"),
            "result" => format!("${place}::text::json"),
            _ => format!("${place}"),
        }
    }
}

/// Connects with encryption.
///
/// # Errors
///
/// Returns an error message if certificates are needed but can't be read.
#[cfg(feature = "tls")]
fn encrypted(
    config: &mut Config,
    security: &Security,
) -> Result<Result<Client, postgres::Error>, String> {
    let encryption = super::tls::config(security)?;
    Ok(config.connect(tokio_postgres_rustls::MakeRustlsConnect::new(encryption)))
}

/// Connects without encryption, because this program was built without TLS.
///
/// # Errors
///
/// Returns an error message if encryption is required. `PostgreSQL`'s own clients fail too in this
/// case when built without TLS.
#[cfg(not(feature = "tls"))]
fn encrypted(
    config: &mut Config,
    security: &Security,
) -> Result<Result<Client, postgres::Error>, String> {
    security.without_tls()?;
    config.ssl_mode(SslMode::Disable);
    Ok(config.connect(NoTls))
}

/// Converts the values to the server's parameters.
fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(parameter).collect()
}

fn parameter(value: &Value) -> &(dyn ToSql + Sync) {
    match value {
        Value::Null => &None::<String>, // Only texts can be missing.
        Value::Integer(value) => value,
        Value::Real(value) => value,
        Value::Text(text) => text,
    }
}

fn value(row: &postgres::Row, column: usize) -> Result<Value, postgres::Error> {
    Ok(match *row.columns()[column].type_() {
        Type::INT8 => row.try_get::<_, Option<i64>>(column)?.map(Value::Integer),
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(column)?.map(Value::Real),
        _ => row.try_get::<_, Option<String>>(column)?.map(Value::Text),
    }
    .unwrap_or(Value::Null))
}

/// Describes a failure reported by the server.
fn failure(name: &str, what: &str, error: &postgres::Error) -> Problem {
    let said = error.as_db_error().map(|error| error.message().to_owned());
    let cause = || error.source().map(ToString::to_string);
    let why = said.or_else(cause).unwrap_or_else(|| error.to_string());
    Problem::new(format!("{name}: {what}: {why}"))
}
