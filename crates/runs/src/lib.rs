//! Stores runs: predictions, together with their models and machines.
//!
//! A [`Repository`] is a database: an SQLite file, or a database on a PostgreSQL server that a team
//! shares. Both have the same tables, created by the same [migrations](schema). Runs are added in
//! transactions: either all runs of a sweep are stored or none, even if other programs write at the
//! same time, or if a program is killed.
//!
//! ```
//! use prophet_runs::{Location, Repository, RunRecord};
//!
//! let result = r#"{"model": "Sample",
//!     "system": {"nodes": 1, "cpus_per_node": 1, "processes": 1, "threads": 1},
//!     "parameters": {}, "machine": "default", "seed": 1, "predicted_time_s": 0.5,
//!     "evaluation": {"engine": "local", "wall_s": 0.001, "cpu_s": 0.001, "events": 1,
//!                    "messages": 0, "peak_memory_bytes": 0},
//!     "elements": []}"#;
//! let folder = tempfile::tempdir()?;
//! let location = Location::of(&folder.path().join("runs.sqlite").to_string_lossy());
//! let mut repository = Repository::create(&location)?;
//! let ids = repository.add(&RunRecord::read_all(result)?)?;
//! let kept = repository.get(&ids)?;
//! assert_eq!(kept[0].run.result.predicted_time_s, 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules form layers: each imports only from its own layer and from layers above it in this
//! table.
//!
//! | module | is |
//! |---|---|
//! | `plain` | untrusted texts |
//! | `hash` | hashes of models and crates, to identify a run's inputs |
//! | `run` | a run to keep: a result and its origin |
//! | `database` | SQLite and PostgreSQL behind one interface: SQL for both, transactions |
//! | `schema` | the tables, as migrations that never change once released |
//! | `repository` | adding, listing, finding and deleting runs |
//! | `compare` | comparing runs |
//! | `render` | runs and comparisons as text |
//! | `command` | the command `runs`; its `keep` runs a program and saves the result |

pub mod command;
pub mod compare;
mod database;
pub mod hash;
mod plain;
pub mod render;
mod repository;
mod run;
pub mod schema;

pub use database::Location;
pub use repository::{Kept, ListedRun, Repository};
pub use run::RunRecord;
