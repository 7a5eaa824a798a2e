//! Checks the accuracy of predictions in cases that others have measured and published, or that are
//! measured on this machine, and compares them with baselines. `cargo xtask accuracy` writes the
//! results into `docs/accuracy.md`.
//!
//! | module | contents |
//! |---|---|
//! | `case` | the list of cases, and what each gives |
//! | `table` | rows of the table, as text |
//! | `pages` | the page that shows them; rows of cases that cannot be had stay |
//! | `errors`, `least_squares` | errors, small fits, power laws |
//! | `models` | sample models, interpreted |
//! | `measured` | times that programs print on this machine |
//! | `mpi_program` | a program with MPI that prints times of itself |
//! | `here` | this machine as `calibrate` measures it |
//! | `kernel6`, `stencil`, `loops`, `transpose` | programs that are compiled and measured here |
//! | `sealed` | measured columns, which are read when their rows are predicted |
//! | `unseen` | intervals of sets that were not known when the priors of `fit` were chosen |
//! | `lapw0`, `sets`, `laws`, `training`, `evaluation`, `workflows` | one case each |
//! | `bandwidth`, `nccl` | one case each |

#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

mod bandwidth;
mod case;
mod errors;
mod evaluation;
mod here;
mod kernel6;
pub mod lapw0;
mod laws;
mod least_squares;
mod loops;
mod measured;
mod models;
mod mpi_program;
mod nccl;
mod pages;
mod sealed;
pub mod sets;
mod stencil;
mod table;
pub mod training;
mod transpose;
mod unseen;
mod workflows;

use std::path::{Path, PathBuf};

pub use case::{AccuracyCase, CASES, Found, Kind};
pub use errors::Errors;
pub use models::interpreted_sample;
pub use pages::Pages;
pub use table::{Other, Row};

/// The folders that cases read files from.
#[derive(Debug, Clone)]
pub struct Places {
    /// Root folder of the project.
    pub root: PathBuf,
}

impl Places {
    /// Returns the path of a sample model, or of a file next to it.
    pub fn sample(&self, name: &str) -> PathBuf {
        self.root.join("sample-models").join(name)
    }

    /// Reads a file from the folder of measurements next to the project.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the file can't be read.
    pub fn measurements(&self, name: &str) -> Result<String, String> {
        let file = Path::new("../shared/measurements").join(name);
        std::fs::read_to_string(self.root.join(&file))
            .map_err(|error| format!("cannot read {}: {error}", file.display()))
    }
}
