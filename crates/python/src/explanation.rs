//! Explains where the time of a run goes.

use std::path::PathBuf;

use prophet_report::page::{self, Data, Imbalance, PathPart, SegmentState};
use pyo3::prelude::*;

use crate::error;
use crate::table::{Column, Table};

/// Explains a run: the critical path, gains from faster elements, and the load balance.
#[pyclass(frozen, module = "performance_prophet")]
#[derive(Debug)]
pub(crate) struct Explanation(Data);

impl Explanation {
    pub(crate) fn new(data: Data) -> Self {
        Self(data)
    }

    fn balance(&self, of: impl Fn(&Imbalance) -> f64) -> Option<f64> {
        self.0.imbalance.as_ref().map(of)
    }

    /// Returns the names of the elements with these numbers.
    fn names(&self, numbers: impl Iterator<Item = u32>) -> Column {
        let name = |number: u32| self.0.elements.get(number as usize);
        Column::Text(numbers.map(|it| Some(name(it)?.name.clone())).collect())
    }
}

#[pymethods]
impl Explanation {
    /// The predicted time, in seconds.
    #[getter]
    fn time_s(&self) -> f64 {
        self.0.run.predicted_time_s
    }

    /// The parts of the critical path, longest first: elements, states, numbers of segments, times,
    /// and shares of the predicted time.
    fn critical_path(&self) -> PyResult<Table> {
        let parts = self.0.critical_path.iter().flat_map(|it| &it.parts);
        let parts: Vec<_> = parts.collect();
        let state = |it: &&PathPart| Some(SegmentState::name_of(it.state).to_owned());
        let states = Column::Text(parts.iter().map(state).collect());
        let counts = Column::Count(parts.iter().map(|it| it.count).collect());
        let times: Vec<f64> = parts.iter().map(|it| it.total_s).collect();
        let shares = times.iter().map(|it| it / self.time_s()).collect();
        Table::of(vec![
            ("element", self.names(parts.iter().map(|it| it.element))),
            ("state", states),
            ("count", counts),
            ("time_s", Column::Real(times)),
            ("share", Column::Real(shares)),
        ])
    }

    /// How much each element would gain if its own time were 10% shorter, largest gain first. If
    /// `exact` is 1, the program was run again to find the gain; otherwise, the gain is an upper
    /// bound.
    fn what_if(&self) -> PyResult<Table> {
        let rows = self.0.what_if.iter().flat_map(|it| &it.elements);
        let rows: Vec<_> = rows.collect();
        let times = rows.iter().map(|it| it.predicted_time_s).collect();
        let gains = rows.iter().map(|it| it.gain_s).collect();
        let exact = rows.iter().map(|it| u64::from(it.exact)).collect();
        Table::of(vec![
            ("element", self.names(rows.iter().map(|it| it.element))),
            ("predicted_time_s", Column::Real(times)),
            ("gain_s", Column::Real(gains)),
            ("exact", Column::Count(exact)),
        ])
    }

    /// The processes' mean computing time divided by the longest computing time; 1 means that the
    /// load is even. `None` if nothing was computed.
    #[getter]
    fn load_balance(&self) -> Option<f64> {
        self.balance(|it| it.load_balance)
    }

    /// The longest computing time of any process, divided by the predicted time. `None` if nothing
    /// was computed.
    #[getter]
    fn communication_efficiency(&self) -> Option<f64> {
        self.balance(|it| it.communication_efficiency)
    }

    /// The processes' mean computing time divided by the predicted time; `None` if nothing was
    /// computed.
    #[getter]
    fn parallel_efficiency(&self) -> Option<f64> {
        self.balance(|it| it.parallel_efficiency)
    }

    /// The report as an HTML page that works offline, with diagrams, times and the critical path.
    #[getter]
    fn html(&self) -> String {
        page::render(&self.0)
    }

    /// Writes the HTML report to a file.
    #[expect(clippy::needless_pass_by_value, reason = "as Python calls it")]
    fn save(&self, path: PathBuf) -> PyResult<()> {
        page::write_page(&path, &self.0).map_err(error::refused)
    }

    fn __repr__(&self) -> String {
        let time = prophet_text::time(self.time_s());
        format!("<Explanation of {time}: {}>", self.0.run.model)
    }

    fn _repr_html_(&self) -> String {
        let page = prophet_text::markup::escaped(&page::render(&self.0));
        format!(
            "<iframe srcdoc=\"{page}\" sandbox=\"allow-scripts allow-downloads\" \
             style=\"width: 100%; height: 40em; border: 0\"></iframe>"
        )
    }
}
