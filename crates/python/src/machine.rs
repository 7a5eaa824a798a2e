//! Provides machines by name or from a file.

use std::path::PathBuf;

use prophet_runtime::{Machine as Described, System};
use pyo3::prelude::*;

use crate::error::{self, ProphetError};
use crate::html;

/// A machine for which models are predicted: a built-in machine, or one from a machine file.
#[pyclass(frozen, module = "performance_prophet")]
#[derive(Debug)]
pub(crate) struct Machine {
    /// The value for the flag `--machine`.
    named: String,
    described: Described,
}

#[pymethods]
impl Machine {
    /// Reads a machine file, or selects a built-in machine by name.
    #[new]
    #[expect(clippy::needless_pass_by_value, reason = "as Python calls it")]
    fn new(name_or_file: PathBuf) -> PyResult<Self> {
        let named = name_or_file.display().to_string();
        let described = match Described::preset(&named) {
            Some(described) => described,
            None if name_or_file.is_file() => Described::read(&named).map_err(error::of_input)?,
            None => return Err(ProphetError::new_err(Described::unknown(&named))),
        };
        Ok(Self { named, described })
    }

    /// The machine's name as its file states it, or the name of the built-in machine.
    #[getter]
    fn name(&self) -> &str {
        &self.described.name
    }

    /// The number of nodes; `None` if the machine can have any number.
    #[getter]
    fn nodes(&self) -> Option<u32> {
        self.described.nodes
    }

    /// The number of CPUs per node; `None` if nodes can have any number.
    #[getter]
    fn cpus_per_node(&self) -> Option<u32> {
        self.described.cpus_per_node
    }

    /// A description of the machine, as it appears in results.
    #[getter]
    fn description(&self) -> String {
        let nodes = self.described.nodes.unwrap_or(1);
        let cpus = self.described.cpus_per_node.unwrap_or(1);
        System::on(self.described.clone(), nodes, cpus, 1, 1).machine()
    }

    /// Pickles the machine as its name, or as the path of its file.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PathBuf,))> {
        let path = match Described::preset(&self.named) {
            Some(_) => PathBuf::from(&self.named),
            None => std::path::absolute(&self.named)?,
        };
        Ok((py.get_type::<Self>().into_any(), (path,)))
    }

    fn __str__(&self) -> &str {
        &self.named
    }

    fn __repr__(&self) -> String {
        format!("<Machine {}: {}>", self.name(), self.description())
    }

    fn _repr_html_(&self) -> String {
        let any =
            |number: Option<u32>| number.map_or_else(|| "any".to_owned(), |it| it.to_string());
        let head = ["machine", "nodes", "CPUs per node", "description"].map(str::to_owned);
        let row = vec![
            self.name().to_owned(),
            any(self.nodes()),
            any(self.cpus_per_node()),
            self.description(),
        ];
        html::table(&head, &[row], 0)
    }
}

/// Lists the built-in machines.
#[pyfunction]
pub(crate) fn machines() -> Vec<&'static str> {
    Described::presets().collect()
}
