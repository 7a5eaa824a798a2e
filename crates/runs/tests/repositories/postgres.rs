//! Tests repositories on a PostgreSQL server, which each test starts if Debian's package
//! `postgresql` is installed.

use std::path::PathBuf;
use std::process::{Command, Output};

use postgres::{Client, NoTls};
use prophet_testing::{skip, stderr, words};
use tempfile::TempDir;

use crate::common::{add, keeps_what_it_is_given, loses_nothing, printed, refused};
use crate::common::{survives_kills, sweep, text};

/// A server with its own data, reached through a socket in its folder. It is stopped on drop.
pub(crate) struct Server {
    folder: TempDir,
    programs: PathBuf,
}

impl Server {
    /// Starts a server. If PostgreSQL isn't installed, reports that and returns `None`.
    pub(crate) fn start() -> Option<Self> {
        let server = Self::prepare()?;
        server.listen("-c listen_addresses=");
        Some(server)
    }

    /// Prepares a server without starting it.
    pub(crate) fn prepare() -> Option<Self> {
        let Some(programs) = programs() else {
            skip("PostgreSQL is not installed (Debian's package postgresql)");
            return None;
        };
        let folder = tempfile::tempdir().expect("there is room");
        let server = Self { folder, programs };
        if is_root() {
            // The server doesn't run as root.
            let owner = Command::new("chown")
                .arg("postgres")
                .arg(server.folder.path())
                .status();
            assert!(
                owner.is_ok_and(|status| status.success()),
                "there is a user postgres"
            );
        }
        let data = server.data();
        server.run(
            "initdb",
            &format!("-D {data} -A trust -U prophet --no-sync"),
        );
        Some(server)
    }

    pub(crate) fn listen(&self, options: &str) {
        let (data, socket) = (self.data(), self.socket());
        let options = format!("'{options} -c fsync=off -k {socket}'");
        self.run(
            "pg_ctl",
            &format!("-D {data} -w -l {socket}/log -o {options} start"),
        );
    }

    pub(crate) fn socket(&self) -> &str {
        text(self.folder.path())
    }

    pub(crate) fn data(&self) -> String {
        format!("{}/data", self.socket())
    }

    pub(crate) fn database(&self, name: &str) -> String {
        self.run(
            "createdb",
            &format!("-h {} -U prophet {name}", self.socket()),
        );
        self.url(name)
    }

    fn url(&self, name: &str) -> String {
        let host = self.socket().replace('/', "%2F");
        format!("postgresql://prophet@{host}/{name}")
    }

    pub(crate) fn run(&self, program: &str, line: &str) {
        let output = self.output(program, line);
        assert!(output.status.success(), "{program}: {}", stderr(&output));
    }

    fn output(&self, program: &str, line: &str) -> Output {
        let program = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(words(line)).current_dir(self.folder.path());
        command.output().expect("the program can be started")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.output("pg_ctl", &format!("-D {} -m immediate stop", self.data()));
    }
}

/// Returns the folder of the server's programs, which isn't in Debian's path.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut folders: Vec<PathBuf> = versions
        .filter_map(|version| Some(version.ok()?.path().join("bin")))
        .filter(|folder| folder.join("initdb").exists())
        .collect();
    folders.sort();
    folders.pop()
}

fn is_root() -> bool {
    rustix::process::getuid().is_root()
}

#[test]
fn a_server_keeps_what_it_is_given() {
    let Some(server) = Server::start() else {
        return;
    };
    keeps_what_it_is_given(&server.database("a"), &server.database("b"));
}

#[test]
fn programs_that_write_a_database_at_once_lose_nothing() {
    let Some(server) = Server::start() else {
        return;
    };
    loses_nothing(&server.database("runs"));
}

#[test]
fn a_database_survives_kills() {
    let Some(server) = Server::start() else {
        return;
    };
    survives_kills(&server.database("runs"));
}

#[test]
fn files_and_servers_exchange_runs() {
    let Some(server) = Server::start() else {
        return;
    };
    let url = server.database("runs");
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("runs.sqlite");
    let exported = folder.path().join("exported.json");
    printed(&file, &add(&sweep(folder.path(), "M", 3)));
    printed(&file, &format!("export --out {}", text(&exported)));
    printed(&url, &add(&exported));
    let compared = |repository: &str| printed(repository, "compare 1 2 3");
    assert_eq!(compared(&url), compared(text(&file)));
    let shown = |repository: &str| printed(repository, "show 2");
    let behind_its_time = |text: String| text.split_once('\n').map(|(_, rest)| rest.to_owned());
    assert_eq!(
        behind_its_time(shown(&url)),
        behind_its_time(shown(text(&file)))
    );
}

#[test]
fn databases_that_cannot_be_used_are_told() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = sweep(folder.path(), "M", 1);
    let add = add(&file);
    let unreachable = "postgresql://ann:secret@127.0.0.1:1/runs";
    let words = ["postgresql://127.0.0.1:1/runs: cannot reach the database"];
    refused(unreachable, &add, &words);
    refused(unreachable, "list", &words);
    let unknown = "postgresql://127.0.0.1:1/runs?sslmode=allow";
    refused(unknown, &add, &["expected one of disable, prefer, "]);
    refused("postgresql://:x:y/z", &add, &["it is not a PostgreSQL URL"]);

    let Some(server) = Server::start() else {
        return;
    };
    refused(
        server.url("nowhere"),
        &add,
        &["cannot reach the database", "\"nowhere\" does not exist"],
    );
    let url = server.database("runs");
    refused(&url, "list", &["contains no runs yet"]);
    printed(&url, &add);
    let mut client = Client::connect(&url, NoTls).expect("the server answers");
    client
        .batch_execute("INSERT INTO prophet.migration VALUES (99)")
        .expect("it is there");
    refused(
        &url,
        &add,
        &["a newer version of Performance Prophet", "99"],
    );
    refused(
        &url,
        "list",
        &["a newer version of Performance Prophet", "99"],
    );

    let reader = server.database("read");
    let mut client = Client::connect(&reader, NoTls).expect("the server answers");
    let read_only = "ALTER DATABASE read SET default_transaction_read_only = on";
    client.batch_execute(read_only).expect("it may");
    refused(
        &reader,
        &add,
        &["it refused: cannot execute", "in a read-only transaction"],
    );
}

/// Tests that a URL's secrets don't appear in messages.
#[test]
fn passwords_are_not_shown() {
    let output = crate::common::runs("postgresql://ann:secret@127.0.0.1:1/runs", "list");
    let message = stderr(&output);
    assert!(
        message.contains("127.0.0.1") && !message.contains("secret"),
        "{message}"
    );
}

/// Tests that the columns of a version 1 database get the types of their values.
#[test]
fn columns_get_the_types_of_what_they_hold() {
    let Some(server) = Server::start() else {
        return;
    };
    let url = server.database("runs");
    let folder = tempfile::tempdir().expect("there is room");
    let file = sweep(folder.path(), "M", 1);
    let result = std::fs::read_to_string(&file).expect("it is there");
    let mut client = Client::connect(&url, NoTls).expect("the server answers");
    let tables = prophet_runs::schema::MIGRATIONS[0].postgres;
    let old = format!(
        "CREATE SCHEMA prophet; SET search_path TO prophet;
         CREATE TABLE migration (version BIGINT PRIMARY KEY); {tables}
         INSERT INTO migration VALUES (1); UPDATE counter SET next = 2;
         INSERT INTO run VALUES (1, '2026-01-31T12:00:00Z', 'M', NULL, NULL, NULL, '[\"--b\"]',
             NULL, 1, 1, 1, 1, '{{\"a\": 1}}', 'default', '1', 1.5, 0, 'local', 0.5, $result$"
    );
    let old = format!("{old}{}$result$)", result.trim().trim_matches(['[', ']']));
    client.batch_execute(&old).expect("it is SQL");
    let listed = printed(&url, "list --format json");
    assert!(listed.contains("\"2026-01-31T12:00:00Z\""), "{listed}");
    printed(&url, &add(&file));
    let types = client
        .query(
            "SELECT column_name::text, data_type::text FROM information_schema.columns \
             WHERE table_name = 'run' AND data_type NOT IN ('text', 'bigint', 'double precision') \
             ORDER BY column_name",
            &[],
        )
        .expect("it answers");
    let types: Vec<(String, String)> = { types.iter() }
        .map(|row| (row.get(0), row.get(1)))
        .collect();
    let types: Vec<_> = { types.iter() }
        .map(|(name, kind)| (name.as_str(), kind.as_str()))
        .collect();
    let time = "timestamp with time zone";
    assert_eq!(
        types,
        [
            ("command", "jsonb"),
            ("parameters", "jsonb"),
            ("result", "json"),
            ("saved_at", time)
        ]
    );
    let kept = printed(&url, "show 2 --format result");
    assert!(result.contains(kept.trim()), "as it was written: {kept}");

    client
        .batch_execute(
            "ALTER TABLE prophet.run RENAME TO kept; CREATE VIEW prophet.run AS TABLE prophet.kept",
        )
        .expect("its owner may");
    refused(&url, "list", &["`run` is not a table"]);
}
