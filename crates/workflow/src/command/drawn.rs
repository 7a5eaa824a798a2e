//! Predicts drawn workflows, and returns the results as values for programs that display them
//! themselves.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;
use prophet_text::{Context as _, Problem};

use super::cases::{Case, cases};
use super::flags::Arguments;
use super::subject::Subject;
use super::{output, parted};
use crate::lanes::{LaneHolder, bars};
use crate::wfformat::Instance;
use crate::{DrawnWorkflow, TaskId, Workflow, critical_path, report, usages};

/// A prediction of a drawn workflow.
#[derive(Debug)]
pub struct DrawnPrediction {
    subject: Subject,
    case: Case,
    elements: Vec<i64>,
}

/// How an element's tasks use the machine.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementUse {
    pub element: i64,
    /// Name of the element's first task.
    pub name: String,
    pub tasks: u64,
    /// Sum of the tasks' run times, in seconds.
    pub total_s: f64,
    /// Longest run time of any of the tasks, in seconds.
    pub max_s: f64,
    /// Core seconds of the tasks, as a share of the core seconds of all tasks.
    pub share: f64,
    /// How much of the critical path these tasks take, in seconds.
    pub critical_s: f64,
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

/// Predicts a drawn workflow that has already been checked with `rules`. `flags` can contain flags
/// of `run` and parameters of the model.
///
/// # Errors
///
/// Returns an error if a flag or the drawing is invalid, or if the workflow can't be predicted.
pub fn predict(
    checked: &Checked,
    file: &Path,
    rules: &RuleSet,
    flags: &[OsString],
) -> Result<DrawnPrediction, Problem> {
    let words: [OsString; 2] = ["run".into(), file.into()];
    let (own, others) = parted(words.into_iter().chain(flags.iter().cloned()), true);
    let arguments = Arguments::read(None, own, true).told()?;
    let mut drawing = DrawnWorkflow::new(checked, file, rules).map_err(first)?;
    let subject = Subject::unrolled(&mut drawing, &arguments, &others).map_err(first)?;
    let cases = cases(&arguments, &subject).told()?;
    let [case] = <[Case; 1]>::try_from(cases)
        .map_err(|_| "the flags ask for several predictions".to_owned())?;
    Ok(DrawnPrediction {
        subject,
        case,
        elements: drawing.elements().to_vec(),
    })
}

fn first(mut problems: Vec<Problem>) -> String {
    problems.swap_remove(0).to_string()
}

impl DrawnPrediction {
    fn instance(&self) -> &Instance {
        self.subject.of(self.case.replication)
    }

    fn workflow(&self) -> &Workflow {
        &self.instance().workflow
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
        self.elements.get(task.index()).copied().unwrap_or(-1)
    }

    /// Returns how each element's tasks use the machine, sorted by element id.
    pub fn uses(&self) -> Vec<ElementUse> {
        let (workflow, prediction) = (self.workflow(), &self.case.prediction);
        let mut uses: BTreeMap<i64, ElementUse> = BTreeMap::new();
        let mut all_s = 0.0;
        for task in workflow.ids() {
            let element = self.element(task);
            let run = prediction.run(task);
            let seconds = run.end_s - run.start_s;
            let held_s = seconds * f64::from(workflow.task(task).cores);
            all_s += held_s;
            let of = uses.entry(element).or_insert_with(|| ElementUse {
                element,
                name: workflow.task_name(task).to_owned(),
                tasks: 0,
                total_s: 0.0,
                max_s: 0.0,
                share: 0.0,
                critical_s: 0.0,
            });
            of.tasks += 1;
            of.total_s += seconds;
            of.max_s = of.max_s.max(seconds);
            of.share += held_s;
        }
        for step in critical_path(workflow, prediction) {
            let run = prediction.run(step.task);
            if let Some(of) = uses.get_mut(&self.element(step.task)) {
                of.critical_s += run.end_s - run.start_s;
            }
        }
        for of in uses.values_mut() {
            of.share = if all_s > 0.0 { of.share / all_s } else { 0.0 };
        }
        uses.into_values().collect()
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

/// Returns the content security policy that servers should send with [`DrawnPrediction::page`].
pub fn page_policy() -> &'static str {
    report::policy()
}
