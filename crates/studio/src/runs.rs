//! Tracks a model's runs, by kind of run.

use serde_json::json;

use crate::answer::{Answer, ok};
use crate::predict::Running;
use crate::report::Reports;

#[derive(Debug, Default)]
pub(crate) struct Runs {
    pub(crate) predictions: Running,
    pub(crate) reports: Running,
    pub(crate) traces: Running,
    pub(crate) variables: Running,
    #[cfg(feature = "server")]
    pub(crate) sweeps: Running,
    #[cfg(feature = "server")]
    pub(crate) files: Running,
    #[cfg(feature = "server")]
    pub(crate) kept: Running,
    pub(crate) pages: Reports,
}

impl Runs {
    /// Answers requests about runs, such as `api/progress/PAGE` and `api/report/NUMBER`.
    pub(crate) fn shown(&self, path: &str) -> Option<Answer> {
        if let Some(number) = path.strip_prefix("api/report/") {
            return Some(self.pages.answer(number));
        }
        let page = path.strip_prefix("api/progress/")?.parse().ok()?;
        Some(ok(&json!({
            "prediction": self.predictions.progress(page),
            "report": self.reports.progress(page),
            "animation": self.traces.progress(page),
        })))
    }
}
