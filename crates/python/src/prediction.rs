//! A prediction: how long a program runs.

use std::sync::Arc;

use prophet_interpreter::Interpreted;
use prophet_runtime::Ran;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::error::ProphetError;
use crate::html;
use crate::table::{Column, Table};

/// Number of elements that a notebook shows.
const SHOWN: usize = 10;

/// A prediction: how long the program runs, and where its time goes.
#[pyclass(frozen, module = "performance_prophet")]
pub(crate) struct Prediction {
    program: Arc<Interpreted>,
    ran: Ran,
}

impl Prediction {
    pub(crate) fn new(program: Arc<Interpreted>, ran: Ran) -> Self {
        Self { program, ran }
    }

    fn size(&self) -> String {
        let system = &self.ran.prediction.system;
        let counted = |count: u32, one, more| prophet_text::counted(u64::from(count), one, more);
        format!(
            "{} on {} of {}",
            counted(system.processes, "process", "processes"),
            counted(system.nodes, "node", "nodes"),
            counted(system.cpus_per_node, "CPU", "CPUs")
        )
    }
}

#[pymethods]
impl Prediction {
    /// Predicted time in seconds: the largest end time of a process.
    #[getter]
    fn time_s(&self) -> f64 {
        self.ran.prediction.outcome.predicted_time_s
    }

    /// Name of the model.
    #[getter]
    fn model(&self) -> &'static str {
        self.program.model().name
    }

    /// The machine in words.
    #[getter]
    fn machine(&self) -> String {
        self.ran.prediction.system.machine()
    }

    /// Number of processes.
    #[getter]
    fn processes(&self) -> u32 {
        self.ran.prediction.system.processes
    }

    /// Number of messages that were sent.
    #[getter]
    fn messages(&self) -> u64 {
        self.ran.prediction.outcome.evaluation.messages
    }

    /// Warnings and notes, each on a line; mostly empty.
    #[getter]
    fn notes(&self) -> &str {
        &self.ran.notes
    }

    /// The elements that were executed, with counts and times.
    fn elements(&self) -> PyResult<Table> {
        let elements = &self.ran.prediction.outcome.elements;
        let real = |of: fn(&prophet_runtime::ElementOutcome) -> f64| {
            Column::Real(elements.iter().map(of).collect())
        };
        let text = |of: fn(&prophet_runtime::ElementOutcome) -> String| {
            Column::Text(elements.iter().map(|it| Some(of(it))).collect())
        };
        let counts = Column::Count(elements.iter().map(|it| it.count).collect());
        Table::of(vec![
            ("name", text(|it| it.name.clone())),
            ("type", text(|it| it.kind.to_string())),
            ("count", counts),
            ("total_s", real(|it| it.total_s)),
            ("mean_s", real(|it| it.mean_s)),
            ("max_s", real(|it| it.max_s)),
            ("share", real(|it| it.share)),
        ])
    }

    /// The processes, with where their time went.
    fn process_times(&self) -> PyResult<Table> {
        let processes: Vec<_> = self.ran.prediction.outcome.each_process().collect();
        let real = |of: fn(&prophet_runtime::ProcessOutcome) -> f64| {
            Column::Real(processes.iter().map(of).collect())
        };
        let whole = |of: fn(&prophet_runtime::ProcessOutcome) -> u32| {
            Column::Count(processes.iter().map(|it| u64::from(of(it))).collect())
        };
        Table::of(vec![
            ("pid", whole(|it| it.pid)),
            ("node", whole(|it| it.nid)),
            ("end_s", real(|it| it.end_s)),
            ("compute_s", real(|it| it.compute_s)),
            ("communication_s", real(|it| it.communication_s)),
            ("wait_s", real(|it| it.wait_s)),
            ("hold_s", real(|it| it.hold_s)),
        ])
    }

    /// The result in JSON, as `run --format json` prints it.
    fn to_json(&self) -> PyResult<String> {
        let result = self.ran.prediction.result(self.program.model());
        serde_json::to_string(&result).map_err(|error| ProphetError::new_err(error.to_string()))
    }

    /// The result as a dictionary with the keys of the JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = PyModule::import(py, "json")?;
        json.call_method1("loads", (self.to_json()?,))
    }

    fn __float__(&self) -> f64 {
        self.time_s()
    }

    fn __repr__(&self) -> String {
        let time = prophet_text::time(self.time_s());
        format!("<Prediction {time}: {}, {}>", self.model(), self.size())
    }

    fn _repr_html_(&self) -> String {
        let mut elements: Vec<_> = self.ran.prediction.outcome.elements.iter().collect();
        elements.sort_by(|a, b| b.total_s.total_cmp(&a.total_s));
        let head = ["element", "type", "count", "total", "mean", "share"].map(str::to_owned);
        let row = |it: &&prophet_runtime::ElementOutcome| {
            vec![
                it.name.clone(),
                it.kind.to_string(),
                prophet_text::count(it.count),
                prophet_text::time(it.total_s),
                prophet_text::time(it.mean_s),
                prophet_text::percent(it.share),
            ]
        };
        let rows: Vec<_> = elements.iter().take(SHOWN).map(row).collect();
        let more = elements.len() - rows.len();
        format!(
            "<p><strong>{}</strong> {}: {}, {}</p>{}",
            prophet_text::markup::escaped(self.model()),
            prophet_text::time(self.time_s()),
            self.size(),
            prophet_text::markup::escaped(&self.machine()),
            html::table(&head, &rows, more)
        )
    }
}
