//! A study: a model with the points at which it is evaluated.

use std::path::{Path, PathBuf};

use prophet_runtime::Configuration;
use prophet_sweep::{Plan, Replications, Space, Sweep, identity};

use crate::command::arguments::Rules;
use crate::subject::Subject;

/// A model, and the points at which it is evaluated.
#[derive(Debug)]
pub(crate) struct Study {
    pub(crate) subject: Subject,
    pub(crate) space: Space,
    pub(crate) replications: Replications,
    flags: Configuration,
}

impl Study {
    /// Reads the model of a plan, and the plan's points; `folder` is that of the plan.
    pub(crate) fn read(plan: &Plan, folder: &Path, rules: &Rules) -> Result<Self, String> {
        let (space, replications) = plan.points()?;
        let model = folder.join(&plan.model);
        let subject = Subject::read(&model, plan.main.as_deref(), rules)?;
        let flags = Configuration::read(subject.program.model(), &plan.flags)?;
        let space = Sweep::rounded(&subject.program, space);
        Ok(Self {
            subject,
            space,
            replications,
            flags,
        })
    }

    /// The sweep of the study.
    pub(crate) fn sweep(&self) -> Result<Sweep<'_>, String> {
        let replications = self.replications.clone();
        Sweep::new(
            &self.subject.program,
            self.flags.clone(),
            &self.space,
            replications,
        )
    }

    /// Digest of all that the rows of the sweep depend on: those of a search on its goals, too.
    pub(crate) fn identity(&self, sweep: &Sweep<'_>, goals: Option<&str>) -> String {
        let model = [self.subject.source.as_str(), self.subject.tables.as_str()];
        let all: Vec<&str> = model.into_iter().chain(goals).collect();
        identity(sweep, &all)
    }
}

/// The plan in a file, and its folder; one of its own for a model.
pub(crate) fn plan(path: &Path) -> Result<(Plan, PathBuf), String> {
    let is_plan = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("toml"));
    if !is_plan {
        let plan = Plan {
            model: path.to_string_lossy().into_owned(),
            ..Plan::default()
        };
        return Ok((plan, PathBuf::new()));
    }
    let shown = path.display();
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| format!("the plan {shown} cannot be read: {error}"))?;
    let plan = Plan::parse(&text).map_err(|problem| format!("the plan {shown}, {problem}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok((plan, folder.to_owned()))
}
