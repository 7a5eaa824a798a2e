//! Represents a prediction of how long a program runs.

use std::borrow::Cow;
use std::sync::Arc;

use prophet_interpreter::Interpreted;
use prophet_result::{RunResult, SystemSize};
use prophet_runtime::{ElementOutcome, ProcessOutcome, Ran};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::error::ProphetError;
use crate::html;
use crate::table::{Column, Table};

const SHOWN: usize = 10;

/// A prediction: how long the program runs, and where its time goes.
#[pyclass(frozen, module = "performance_prophet")]
pub(crate) struct Prediction {
    found: Found,
    notes: String,
}

/// The result of a run in this process, or a result pickled in another process.
enum Found {
    Here(Arc<Interpreted>, Box<prophet_runtime::Prediction>),
    Pickled(Box<RunResult<'static>>),
}

impl Prediction {
    pub(crate) fn new(program: Arc<Interpreted>, ran: Ran) -> Self {
        Self {
            found: Found::Here(program, Box::new(ran.prediction)),
            notes: ran.notes,
        }
    }

    fn size(&self) -> String {
        let system = self.system();
        let counted = |count: u32, one, more| prophet_text::counted(u64::from(count), one, more);
        format!(
            "{} on {} of {}",
            counted(system.processes, "process", "processes"),
            counted(system.nodes, "node", "nodes"),
            counted(system.cpus_per_node, "CPU", "CPUs")
        )
    }

    fn system(&self) -> SystemSize {
        match &self.found {
            Found::Here(_, it) => SystemSize {
                nodes: it.system.nodes,
                cpus_per_node: it.system.cpus_per_node,
                processes: it.system.processes,
                threads: it.system.threads,
            },
            Found::Pickled(it) => it.system,
        }
    }

    fn ran_elements(&self) -> &[ElementOutcome] {
        match &self.found {
            Found::Here(_, it) => &it.outcome.elements,
            Found::Pickled(it) => &it.elements,
        }
    }

    /// Returns the processes. A pickled result contains them only if there are few.
    fn ran_processes(&self) -> PyResult<Cow<'_, [ProcessOutcome]>> {
        match &self.found {
            Found::Here(_, it) => Ok(it.outcome.each_process().collect()),
            Found::Pickled(it) if it.processes.is_empty() => Err(ProphetError::new_err(
                "the prediction was pickled without its processes' times, which are too many: call \
                 process_times() in the program that made it",
            )),
            Found::Pickled(it) => Ok(Cow::Borrowed(&it.processes)),
        }
    }
}

#[pymethods]
impl Prediction {
    /// Restores a prediction from [`Self::__reduce__`] in another process.
    #[staticmethod]
    #[pyo3(name = "_again")]
    #[expect(clippy::needless_pass_by_value, reason = "as Python calls it")]
    fn again(json: String, notes: String) -> PyResult<Self> {
        let result = RunResult::from_json(json.as_bytes());
        let result = result.map_err(|why| ProphetError::new_err(why.to_string()))?;
        let found = Found::Pickled(Box::new(result));
        Ok(Self { found, notes })
    }

    /// Pickles the result as JSON.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, &str))> {
        let again = py.get_type::<Self>().getattr("_again")?;
        Ok((again, (self.to_json()?, &self.notes)))
    }

    /// The predicted time in seconds: when the last process ends, or the mean of this over several
    /// seeds.
    #[getter]
    fn time_s(&self) -> f64 {
        match &self.found {
            Found::Here(_, it) => it.outcome.mean_s(),
            Found::Pickled(it) => it.predicted_time_s,
        }
    }

    /// The name of the model.
    #[getter]
    fn model(&self) -> &str {
        match &self.found {
            Found::Here(program, _) => program.model().name,
            Found::Pickled(it) => &it.model,
        }
    }

    /// A description of the machine.
    #[getter]
    fn machine(&self) -> String {
        match &self.found {
            Found::Here(_, it) => it.system.machine(),
            Found::Pickled(it) => it.machine.clone(),
        }
    }

    /// The number of processes.
    #[getter]
    fn processes(&self) -> u32 {
        self.system().processes
    }

    /// The number of messages sent.
    #[getter]
    fn messages(&self) -> u64 {
        match &self.found {
            Found::Here(_, it) => it.outcome.evaluation.messages,
            Found::Pickled(it) => it.evaluation.messages,
        }
    }

    /// Warnings and notes, one per line; usually empty.
    #[getter]
    fn notes(&self) -> &str {
        &self.notes
    }

    /// The elements that were executed, with their counts and times.
    fn elements(&self) -> PyResult<Table> {
        let elements = self.ran_elements();
        let real = |of: fn(&ElementOutcome) -> f64| Column::Real(elements.iter().map(of).collect());
        let text = |of: fn(&ElementOutcome) -> String| {
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

    /// The processes, with how each spends its time.
    fn process_times(&self) -> PyResult<Table> {
        let processes = self.ran_processes()?;
        let real =
            |of: fn(&ProcessOutcome) -> f64| Column::Real(processes.iter().map(of).collect());
        let whole = |of: fn(&ProcessOutcome) -> u32| {
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

    /// The result as JSON, as `run --format json` prints it.
    fn to_json(&self) -> PyResult<String> {
        let json = match &self.found {
            Found::Here(program, it) => it.result(program.model()).to_json(),
            Found::Pickled(it) => it.to_json(),
        };
        json.map_err(|error| ProphetError::new_err(error.to_string()))
    }

    /// The result as a dictionary that has the same keys as the JSON.
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
        let mut elements: Vec<_> = self.ran_elements().iter().collect();
        elements.sort_by(|a, b| b.total_s.total_cmp(&a.total_s));
        let head = ["element", "type", "count", "total", "mean", "share"].map(str::to_owned);
        let row = |it: &&ElementOutcome| {
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
