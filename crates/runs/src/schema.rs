//! Defines the tables and their history, in SQL that both SQLite and PostgreSQL understand.
//!
//! Released migrations never change. New ones are added at the end.

use prophet_text::Problem;

use crate::database::{Database, Value, transaction};

pub use crate::database::Migration;

/// The migrations from an empty database to the current tables. A database's version is the number
/// of migrations that were applied to it.
pub const MIGRATIONS: &[Migration] = &[
    Migration::of_both(TABLES),
    Migration {
        // SQLite doesn't have types for these.
        sqlite: "",
        postgres: "
    ALTER TABLE run
        ALTER COLUMN saved_at TYPE TIMESTAMPTZ USING saved_at::timestamptz,
        ALTER COLUMN command TYPE JSONB USING command::jsonb,
        ALTER COLUMN parameters TYPE JSONB USING parameters::jsonb,
        ALTER COLUMN result TYPE JSON USING result::json;  -- not JSONB: kept as it was written
",
    },
];

const TABLES: &str = "
    -- One row: the next number that a run gets. Writers queue for it.
    CREATE TABLE counter (next BIGINT NOT NULL);
    INSERT INTO counter VALUES (1);

    CREATE TABLE run (
        id BIGINT PRIMARY KEY,
        saved_at TEXT NOT NULL,              -- UTC, as 2026-01-31T12:00:00Z
        model TEXT NOT NULL,                 -- the model's name
        model_file TEXT,                     -- its file, as the user named it
        model_hash TEXT,                     -- SHA-256 of that file
        crate_hash TEXT,                     -- SHA-256 of the generated crate
        command TEXT,                        -- the program's flags, a JSON array
        trace TEXT,                          -- where the run's trace is
        nodes BIGINT NOT NULL,
        cpus_per_node BIGINT NOT NULL,
        processes BIGINT NOT NULL,
        threads BIGINT NOT NULL,
        parameters TEXT NOT NULL,            -- a JSON object
        machine TEXT NOT NULL,
        seed TEXT NOT NULL,                  -- 64 bits without a sign are no BIGINT
        predicted_time_s DOUBLE PRECISION NOT NULL,
        partial BIGINT NOT NULL,             -- 1 if the run was interrupted
        engine TEXT NOT NULL,
        wall_s DOUBLE PRECISION NOT NULL,    -- how long the evaluation took
        result TEXT NOT NULL                 -- all of the result, as the program wrote it (JSON)
    );
    CREATE INDEX run_by_model ON run (model, id);
";

/// Updates a database to the latest version, or only checks it if it is already up to date.
///
/// # Errors
///
/// Returns an error if the database has a newer version than this program knows, or if it can't be
/// written.
pub(crate) fn migrate(
    database: &mut dyn Database,
    migrations: &[Migration],
) -> Result<(), Problem> {
    if version(database, migrations)? == Some(migrations.len()) {
        return Ok(());
    }
    transaction(database, |database| migrate_within(database, migrations))
}

fn migrate_within(database: &mut dyn Database, migrations: &[Migration]) -> Result<(), Problem> {
    // Another program may have been faster.
    let known = version(database, migrations)?;
    if known.is_none() {
        database.claim()?;
    }
    let from = known.unwrap_or(0);
    let Some(missing) = migrations.get(from..) else {
        return Err(Problem::new(format!(
            "{} contains runs from a newer version of Performance Prophet (schema {from}, \
             supported up to {}); use that version",
            database.name(),
            migrations.len()
        )));
    };
    for (migration, number) in missing.iter().zip(from + 1..) {
        let sql = database.own(migration);
        database.batch(sql)?;
        let number = i64::try_from(number).expect("there are few migrations");
        database.execute(
            "INSERT INTO migration VALUES ($1)",
            &[Value::Integer(number)],
        )?;
    }
    Ok(())
}

/// Returns how many migrations were applied to a database; `None` if it is new.
///
/// # Errors
///
/// Returns an error if the database isn't a repository, or if it differs from what these migrations
/// create.
pub(crate) fn version(
    database: &mut dyn Database,
    migrations: &[Migration],
) -> Result<Option<usize>, Problem> {
    if !database.is_claimed()? {
        return Ok(None);
    }
    let rows = database.query("SELECT max(version) FROM migration", &[])?;
    let version = rows.first().and_then(|row| row.first());
    let version = version.and_then(Value::integer).unwrap_or(0);
    let version = usize::try_from(version).unwrap_or(usize::MAX);
    if let Some(seen) = migrations.get(..version) {
        database.check(seen)?;
    }
    Ok(Some(version))
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_says;

    use super::*;
    use crate::database::{Location, open};
    use crate::repository::Repository;
    use crate::run::RunRecord;

    const RESULT: &str = r#"{"model": "M", "parameters": {}, "machine": "default", "seed": 1,
        "system": {"nodes": 1, "cpus_per_node": 1, "processes": 1, "threads": 1},
        "predicted_time_s": 1, "evaluation": {"engine": "local", "wall_s": 0}, "elements": []}"#;

    #[test]
    fn migrations_keep_what_is_there() {
        let folder = tempfile::tempdir().expect("there is room");
        let location = Location::File(folder.path().join("runs.sqlite"));
        let runs = RunRecord::read_all(RESULT).expect("it is a result");
        let mut repository = Repository::create(&location).expect("it can be made");
        repository.add(&runs).expect("it can be written");

        let mut database = open(&location, false).expect("it is there");
        let note = Migration::of_both("ALTER TABLE run ADD COLUMN note TEXT");
        let mut newer: Vec<Migration> = MIGRATIONS.to_vec();
        newer.push(note);
        newer.push(Migration::of_both("THIS IS NO SQL"));
        let before = Some(MIGRATIONS.len());
        migrate(database.as_mut(), &newer).expect_err("the last one is wrong");
        assert_eq!(
            version(database.as_mut(), &newer),
            Ok(before),
            "all of it or nothing"
        );
        newer.pop();
        for _ in 0..2 {
            migrate(database.as_mut(), &newer).expect("it can be migrated");
            let now = version(database.as_mut(), &newer);
            assert_eq!(now, Ok(Some(newer.len())));
        }
        let rows = database.query("SELECT model, note FROM run", &[]);
        let row = vec![Value::Text("M".to_owned()), Value::Null];
        assert_eq!(rows, Ok(vec![row]));

        let failure = Repository::open(&location).expect_err("it is newer than we are");
        let message = failure.to_string();
        assert_says(&message, &["a newer version of Performance Prophet"]);
    }
}
