//! A study: a subject with the points at which it is predicted.

mod model;
mod points;

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use crate::evaluate::{Evaluate, Metric, identity};
use crate::output::Columns;
use crate::plan::Plan;
use crate::space::Space;
use prophet_files::Inputs;
use prophet_frontend::rule_flags::RuleFlags;
use prophet_text::{FileKind, Problem, problem};

pub(crate) use model::ModelStudy;
pub use model::Models;
pub(crate) use points::Points;

/// A kind of subjects, such as models: reads them, and says how their results are shown.
pub trait Subjects: Debug + Sync {
    /// Mark of plans for clusters, with the version of their form.
    fn plan_format(&self) -> &'static str;

    /// Axes over which speed-up makes sense.
    fn resources(&self) -> &'static [&'static str];

    /// Results of which more is better.
    fn better_if_more(&self) -> &'static [&'static str];

    /// True if whole results can be kept.
    fn has_records(&self) -> bool;

    /// Reads the subject of a plan, and the plan's points; `folder` is the plan's folder.
    ///
    /// # Errors
    ///
    /// The reason why the subject or its points cannot be read.
    fn read(
        &self,
        plan: &Plan,
        folder: &Path,
        rules: &RuleFlags,
    ) -> Result<Box<dyn SweepStudy>, Problem>;
}

/// A subject, and the points at which it is predicted.
pub trait SweepStudy: Debug {
    /// Name of the subject, for people.
    fn name(&self) -> &str;

    /// The points.
    fn space(&self) -> &Space;

    /// True if points have several seeds.
    fn has_seeds(&self) -> bool;

    /// The results of predictions, the time first.
    fn metrics(&self) -> &'static [Metric];

    /// The first of these results, which have columns: as many as a point may have.
    fn shown_metrics(&self) -> &'static [Metric] {
        self.metrics()
    }

    /// Text before the value of an axis among the flags of `run`; `None` if no flag says it.
    fn flag(&self, axis: &str) -> Option<String>;

    /// Texts that predictions depend on.
    fn texts(&self) -> Vec<&str>;

    /// Paths of the subject's other files, from the folder of its file.
    fn files(&self) -> &[String];

    /// Files that flags and axes name.
    fn named_files(&self, plan: &Plan) -> Vec<String>;

    /// The sweep.
    ///
    /// # Errors
    ///
    /// A message about an axis or a flag.
    fn sweep(&self) -> Result<Box<dyn Evaluate + '_>, Problem>;

    /// The sweep whose predictions a flag makes lower bounds of the study's.
    ///
    /// # Errors
    ///
    /// A message about the flag, or about subjects without bounds.
    fn bounds(&self, flag: &str) -> Result<Box<dyn Evaluate + '_>, Problem>;
}

impl dyn SweepStudy + '_ {
    pub(crate) fn columns(&self) -> Columns {
        Columns::of(self.space(), self.shown_metrics(), self.has_seeds())
    }

    /// All files that the sweep reads, of the subject at that path.
    pub(crate) fn inputs(&self, file: &Path, plan: &Plan, rules: &RuleFlags) -> Inputs {
        let beside = self.files().iter().map(|it| file.with_file_name(it));
        let named = self.files_of_arguments(plan, rules);
        let named = named.into_iter().map(PathBuf::from);
        beside.chain([file.to_owned()]).chain(named).collect()
    }

    /// Files that rules, flags and axes name.
    pub(crate) fn files_of_arguments(&self, plan: &Plan, rules: &RuleFlags) -> Vec<String> {
        let rules = rules.paths().map(|path| path.display().to_string());
        rules.chain(self.named_files(plan)).collect()
    }

    /// Digest of all that the rows of the sweep depend on, including the `goals` of a search.
    pub(crate) fn identity(&self, sweep: &dyn Evaluate, goals: Option<&str>) -> String {
        let all: Vec<&str> = self.texts().into_iter().chain(goals).collect();
        identity(sweep, &all)
    }
}

/// The plan in a file, and its folder; one of its own for another file.
pub(crate) fn plan(path: &Path) -> Result<(Plan, PathBuf), Problem> {
    let is_toml = { path.extension() }.is_some_and(|it| it.eq_ignore_ascii_case("toml"));
    let format = prophet_files::format_of(path);
    if !is_toml || format.is_some_and(|it| it.kind == FileKind::Machine) {
        let plan = Plan {
            model: path.to_string_lossy().into_owned(),
            ..Plan::default()
        };
        return Ok((plan, PathBuf::new()));
    }
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|why| Problem::unread(path, why))?;
    let plan = Plan::parse(&text).map_err(|problem| problem!("the plan {shown}, {problem}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok((plan, folder.to_owned()))
}
