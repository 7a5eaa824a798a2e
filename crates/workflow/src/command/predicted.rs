//! Predicts workflows, and returns the results as values for programs that display them themselves.

use std::ffi::OsString;
use std::path::Path;

use prophet_result::RunResult;
use prophet_text::{Context as _, Problem};

use super::cases::{Case, cases};
use super::flags::Arguments;
use super::result::common;
use super::subject::{Drawing, Subject};
use super::uses::{ElementUse, uses};
use super::{output, parted};
use crate::lanes::{LaneHolder, bars};
use crate::wfformat::Instance;
use crate::{TaskId, Workflow, report, usages};

/// A prediction of a workflow.
#[derive(Debug)]
pub struct PredictedWorkflow {
    arguments: Arguments,
    subject: Subject,
    case: Case,
}

/// A period in which one execution of an element occupies cores of a host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stay {
    /// Index of the host.
    pub host: u32,
    /// Index of the first core.
    pub core: u32,
    pub element: i64,
    /// Start and end of the execution, in seconds.
    pub times_s: [f64; 2],
}

/// Predicts the workflow in a file. A drawing has already been checked with its rules. `flags` can
/// contain flags of `run` and parameters of the drawing.
///
/// # Errors
///
/// Returns an error if a flag or the workflow is invalid, or if the workflow can't be predicted.
pub fn predict(
    file: &Path,
    flags: &[OsString],
    drawing: Option<Drawing<'_>>,
) -> Result<PredictedWorkflow, Problem> {
    let words: [OsString; 2] = ["run".into(), file.into()];
    let words = words.into_iter().chain(flags.iter().cloned());
    let (own, others) = parted(words, drawing.is_some());
    let arguments = Arguments::read(None, own, drawing.is_some()).told()?;
    let subject = Subject::read(&arguments, &others, drawing).map_err(first)?;
    let cases = cases(&arguments, &subject).told()?;
    let [case] = <[Case; 1]>::try_from(cases)
        .map_err(|_| "the flags ask for several predictions".to_owned())?;
    Ok(PredictedWorkflow {
        arguments,
        subject,
        case,
    })
}

fn first(mut problems: Vec<Problem>) -> String {
    problems.swap_remove(0).to_string()
}

impl PredictedWorkflow {
    fn instance(&self) -> &Instance {
        self.subject.of(self.case.replication)
    }

    fn workflow(&self) -> &Workflow {
        &self.instance().workflow
    }

    /// Returns the result in the form that all predictions have.
    pub fn result(&self) -> RunResult<'static> {
        common(&self.arguments, &self.subject, &self.case)
    }

    /// Returns the other files that a drawing reads, relative to its folder.
    pub fn files(&self) -> &[String] {
        &self.subject.files
    }

    /// Returns when the last task ends, in seconds.
    pub fn makespan_s(&self) -> f64 {
        self.case.prediction.makespan_s()
    }

    pub fn tasks(&self) -> usize {
        self.workflow().len()
    }

    pub fn hosts(&self) -> usize {
        self.case.machine.len()
    }

    pub fn cores(&self) -> u64 {
        self.case.machine.cores()
    }

    /// Returns the key numbers of the prediction with their names, ready to display.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        output::facts(self.instance(), &self.case)
    }

    /// Returns the share of all cores' time in which tasks occupied them.
    pub fn utilization(&self) -> f64 {
        let (machine, prediction) = (&self.case.machine, &self.case.prediction);
        output::utilization(&self.case, &usages(self.workflow(), machine, prediction))
    }

    /// Returns an HTML page that explains the prediction.
    pub fn page(&self) -> String {
        let case = &self.case;
        let (machine, prediction) = (&case.machine, &case.prediction);
        report::render(
            self.workflow(),
            machine,
            prediction,
            &case.what_ifs,
            self.facts(),
        )
    }

    fn element(&self, task: TaskId) -> i64 {
        let elements = self.subject.elements(self.case.replication);
        elements.get(task.index()).copied().unwrap_or(-1)
    }

    /// Returns how each element's tasks use the machine, sorted by element id.
    pub fn uses(&self) -> Vec<ElementUse> {
        uses(&self.subject, &self.case)
    }

    /// Returns which cores each execution of an element occupies, sorted by start time.
    pub fn stays(&self) -> Vec<Stay> {
        let (machine, prediction) = (&self.case.machine, &self.case.prediction);
        let bars = bars(self.workflow(), machine, prediction);
        let stay = |it: &crate::lanes::Bar| match it.holder {
            LaneHolder::Task(task) => Some(Stay {
                host: it.host.0,
                core: it.core,
                element: self.element(task),
                times_s: [it.start_s, it.end_s],
            }),
            LaneHolder::Job(_) => None,
        };
        let mut stays: Vec<Stay> = bars.iter().filter_map(stay).collect();
        stays.sort_by(|left, right| {
            let starts = left.times_s[0].total_cmp(&right.times_s[0]);
            starts.then((left.host, left.core).cmp(&(right.host, right.core)))
        });
        stays
    }
}

/// Returns the content security policy that servers should send with [`PredictedWorkflow::page`].
pub fn page_policy() -> &'static str {
    report::policy()
}
