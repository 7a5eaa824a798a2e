//! A study: a model with the points at which it is evaluated.

mod points;
mod subject;

use std::path::{Path, PathBuf};

use crate::evaluate::{Replications, Sweep, identity};
use crate::output::Columns;
use crate::plan::Plan;
use crate::space::{Axis, Space};
use prophet_codegen::rule_flags::RuleFlags;
use prophet_runtime::{Assignment, Configuration};

pub(crate) use points::Points;
pub(crate) use subject::Subject;

/// Flags, which axes may vary, whose values may name files.
const OF_FILES: [&str; 5] = ["machine", "mapping", "changes", "noise", "tariff"];

/// A model, and the points at which it is evaluated.
#[derive(Debug)]
pub(crate) struct Study {
    pub(crate) subject: Subject,
    pub(crate) space: Space,
    pub(crate) replications: Replications,
    flags: Configuration,
}

impl Study {
    /// Reads the model of a plan, and the plan's points; `folder` is the plan's folder.
    pub(crate) fn read(plan: &Plan, folder: &Path, rules: &RuleFlags) -> Result<Self, String> {
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

    /// True if points may have an energy or a cost.
    pub(crate) fn has_energy(&self) -> bool {
        let mut flags = self.flags.clone();
        let mut has_energy = flags.has_energy();
        for axis in self.space.axes().filter(|axis| axis.name == "machine") {
            for place in 0..axis.count().unwrap_or(0) {
                let name = axis.value(place).to_string();
                let model = self.subject.program.model();
                // A sweep refuses what is no machine.
                if let Ok(machine) = Assignment::read(model, &axis.name, &name) {
                    flags.assign(&machine);
                    has_energy |= flags.has_energy();
                }
            }
        }
        has_energy
    }

    /// The columns of the rows.
    pub(crate) fn columns(&self) -> Columns {
        Columns::new(&self.space, &self.replications, self.has_energy())
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

    /// The sweep whose predictions a flag makes lower bounds of the study's.
    pub(crate) fn bounds(&self, flag: &str) -> Result<Sweep<'_>, String> {
        let Some((name, value)) = flag.split_once('=') else {
            let flag = prophet_text::plain::line(flag);
            return Err(format!(
                "--bound {flag}: a bound is NAME=VALUE, such as bound=1"
            ));
        };
        if self.space.axes().any(|axis| axis.name == name) {
            let name = prophet_text::plain::line(name);
            return Err(format!("--bound: `{name}` is varied, too"));
        }
        let model = self.subject.program.model();
        let mut flags = self.flags.clone();
        flags.assign(&Assignment::read(model, name, value)?);
        let replications = self.replications.clone();
        Sweep::new(&self.subject.program, flags, &self.space, replications)
    }

    /// All files that the sweep reads, of the model at that path.
    pub(crate) fn inputs(&self, model: &Path, plan: &Plan, rules: &RuleFlags) -> Vec<PathBuf> {
        let beside = self.subject.files.iter();
        let mut inputs: Vec<PathBuf> = beside.map(|file| model.with_file_name(file)).collect();
        inputs.push(model.to_owned());
        let named = self.files_of_arguments(plan, rules);
        inputs.extend(named.into_iter().map(PathBuf::from));
        inputs
    }

    /// Files that rules, flags and axes name.
    pub(crate) fn files_of_arguments(&self, plan: &Plan, rules: &RuleFlags) -> Vec<String> {
        let rules = rules.paths().map(|path| path.display().to_string());
        let of_points = files_of_flags(&plan.flags).chain(files_of_axes(&self.space));
        rules.chain(of_points).collect()
    }

    /// Digest of all that the rows of the sweep depend on, including the `goals` of a search.
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

/// Files that the values of flags name.
fn files_of_flags(flags: &[String]) -> impl Iterator<Item = String> {
    let of_flag = |(at, flag): (usize, &String)| {
        let flag = flag.strip_prefix("--")?;
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, value),
            None => (flag, flags.get(at + 1)?.as_str()),
        };
        OF_FILES.contains(&name).then(|| files_in(value))
    };
    flags.iter().enumerate().filter_map(of_flag).flatten()
}

/// Files that the values of axes name.
fn files_of_axes(space: &Space) -> impl Iterator<Item = String> {
    let names_files = |axis: &&Axis| {
        let flag = axis.name.split('.').next().unwrap_or_default();
        OF_FILES.contains(&flag)
    };
    space.axes().filter(names_files).flat_map(|axis| {
        let values = 0..axis.count().unwrap_or(0);
        values.flat_map(|place| files_in(&axis.value(place).to_string()))
    })
}

/// Files that a value names: the value itself, or the files of its empirical parts of noise.
fn files_in(value: &str) -> Vec<String> {
    let parts = value
        .split(',')
        .filter_map(|part| part.split_once("empirical:"));
    let parts = parts.map(|(_, file)| file.trim());
    let all = [value].into_iter().chain(parts);
    all.filter(|path| Path::new(path).is_file())
        .map(str::to_owned)
        .collect()
}
