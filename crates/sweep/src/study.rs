//! Represents a study: a subject, such as a model, and the points to predict.

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

/// A kind of subject that can be swept, such as models. It reads subjects, and defines how to show
/// their results.
pub trait Subjects: Debug + Sync {
    /// Returns the first word of plans for clusters. It includes the version of the format.
    fn plan_format(&self) -> &'static str;

    /// Returns the axes for which a speedup makes sense.
    fn resources(&self) -> &'static [&'static str];

    /// Returns the results for which larger values are better.
    fn better_if_more(&self) -> &'static [&'static str];

    /// Returns `true` if full results can be stored.
    fn has_records(&self) -> bool;

    /// Reads the subject and the points of a plan in `folder`.
    ///
    /// # Errors
    ///
    /// Returns an error if the subject or its points can't be read.
    fn read(
        &self,
        plan: &Plan,
        folder: &Path,
        rules: &RuleFlags,
    ) -> Result<Box<dyn SweepStudy>, Problem>;
}

/// A subject, such as a model, and the points to predict for it.
pub trait SweepStudy: Debug {
    fn name(&self) -> &str;

    fn space(&self) -> &Space;

    fn has_seeds(&self) -> bool;

    /// Returns the results that predictions have, the time first.
    fn metrics(&self) -> &'static [Metric];

    /// Returns the results that have columns: the first ones of [`Self::metrics`], as many as a
    /// point can have.
    fn shown_metrics(&self) -> &'static [Metric] {
        self.metrics()
    }

    /// Returns the text before an axis's value among the flags of `run`; `None` if no flag sets the
    /// axis.
    fn flag(&self, axis: &str) -> Option<String>;

    fn texts(&self) -> Vec<&str>;

    /// Returns the paths of the subject's other files, relative to the folder of the subject's own
    /// file.
    fn files(&self) -> &[String];

    fn named_files(&self, plan: &Plan) -> Vec<String>;

    /// Returns the sweep.
    ///
    /// # Errors
    ///
    /// Returns an error if an axis or a flag is invalid.
    fn sweep(&self) -> Result<Box<dyn Evaluate + '_>, Problem>;

    /// Returns the sweep with a flag that turns predictions into lower bounds.
    ///
    /// # Errors
    ///
    /// Returns an error if the flag is invalid, or if the subject has no lower bounds.
    fn bounds(&self, flag: &str) -> Result<Box<dyn Evaluate + '_>, Problem>;
}

impl dyn SweepStudy + '_ {
    pub(crate) fn columns(&self) -> Columns {
        Columns::of(self.space(), self.shown_metrics(), self.has_seeds())
    }

    /// Returns all files that the sweep reads for the subject at `file`.
    pub(crate) fn inputs(&self, file: &Path, plan: &Plan, rules: &RuleFlags) -> Inputs {
        let beside = self.files().iter().map(|it| file.with_file_name(it));
        let named = self.files_of_arguments(plan, rules);
        let named = named.into_iter().map(PathBuf::from);
        beside.chain([file.to_owned()]).chain(named).collect()
    }

    pub(crate) fn files_of_arguments(&self, plan: &Plan, rules: &RuleFlags) -> Vec<String> {
        let rules = rules.paths().map(|path| path.display().to_string());
        rules.chain(self.named_files(plan)).collect()
    }

    /// Returns a digest of everything that the sweep's rows depend on, including the goals of a
    /// search.
    pub(crate) fn identity(&self, sweep: &dyn Evaluate, goals: Option<&str>) -> String {
        let all: Vec<&str> = self.texts().into_iter().chain(goals).collect();
        identity(sweep, &all)
    }
}

/// Reads the plan in a file, and returns it with the file's folder. If the file isn't a plan,
/// creates a plan for it.
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
