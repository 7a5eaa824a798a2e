//! Implements the Python module of Performance Prophet.
//!
//! Users import the package `performance_prophet`, which has stubs in `performance_prophet/*.pyi`.
//! The crates of the commands do all the work, without holding Python's interpreter lock.
//!
//! Modules form layers: each imports only from those above it in this table.
//!
//! | module | is |
//! |---|---|
//! | `error` | the exceptions, and problems of a model |
//! | `html` | text and tables for notebooks |
//! | `flags` | keyword arguments as the flags of a run |
//! | `waiting` | work without Python's lock, which Ctrl-C ends |
//! | `table` | tables by the Arrow `PyCapsule` interface |
//! | `machine` | machines by name or file |
//! | `prediction` | a prediction: how long a program runs |
//! | `explanation` | where the time of a run goes: tables and the report |
//! | `fitting` | cost functions from measurements |
//! | `model` | a model: read, checked, predicted, swept, traced |

mod error;
mod explanation;
mod fitting;
mod flags;
mod html;
mod machine;
mod model;
mod prediction;
mod table;
mod waiting;

use pyo3::prelude::*;

/// The native part of the package `performance_prophet`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ProphetError", py.get_type::<error::ProphetError>())?;
    module.add("ModelError", py.get_type::<error::ModelError>())?;
    module.add("RunError", py.get_type::<error::RunError>())?;
    module.add_class::<error::Problem>()?;
    module.add_class::<machine::Machine>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<prediction::Prediction>()?;
    module.add_class::<explanation::Explanation>()?;
    module.add_class::<fitting::Fit>()?;
    module.add_class::<model::Model>()?;
    module.add_function(wrap_pyfunction!(model::stereotypes, module)?)?;
    module.add_function(wrap_pyfunction!(fitting::fit_files, module)?)?;
    module.add_function(wrap_pyfunction!(fitting::fit_columns, module)?)?;
    module.add_function(wrap_pyfunction!(machine::machines, module)?)?;
    Ok(())
}
