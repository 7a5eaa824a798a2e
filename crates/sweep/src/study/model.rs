//! Reads and checks models for sweeps.

mod subject;

use std::path::Path;

use super::{Subjects, SweepStudy};
use crate::evaluate::{Evaluate, METRICS, Metric, PLAIN_METRICS, Replications, Sweep};
use crate::plan::Plan;
use crate::space::{Axis, Space};
use prophet_frontend::checked::Checked;
use prophet_frontend::rule_flags::RuleFlags;
use prophet_runtime::{Assignment, Configuration, Model};
use prophet_text::{Problem, plain::shell as word, problem};
use subject::Subject;

const OF_FILES: [&str; 6] = ["machine", "mapping", "changes", "noise", "tariff", "config"];
/// Flags whose value consists of a key and a value.
const KEYED: [&str; 4] = ["collective", "model", "noise", "slow-node"];

/// Models of programs, as subjects of sweeps.
#[derive(Debug, Clone, Copy)]
pub struct Models;

impl Subjects for Models {
    fn plan_format(&self) -> &'static str {
        "prophet-sweep-plan-1"
    }

    fn resources(&self) -> &'static [&'static str] {
        &["cpus-per-node", "nodes", "processes", "threads"]
    }

    fn better_if_more(&self) -> &'static [&'static str] {
        &[
            "parallel_efficiency",
            "load_balance",
            "communication_efficiency",
        ]
    }

    fn has_records(&self) -> bool {
        true
    }

    fn read(
        &self,
        plan: &Plan,
        folder: &Path,
        rules: &RuleFlags,
    ) -> Result<Box<dyn SweepStudy>, Problem> {
        // Report invalid points before problems in the model.
        let points = plan.points()?;
        let model = folder.join(&plan.model);
        let subject = Subject::read(&model, plan.main.as_deref(), rules)?;
        let study = ModelStudy::new(&plan.flags, points, subject)?;
        for warning in study.flags.warnings() {
            prophet_text::tell!("warning: {warning}");
        }
        if study.is_drawn_once() {
            prophet_text::tell!(
                "note: each point is one random draw; use `--seeds 30` to get the means"
            );
        }
        Ok(Box::new(study))
    }
}

#[derive(Debug)]
pub(crate) struct ModelStudy {
    subject: Subject,
    space: Space,
    replications: Replications,
    flags: Configuration,
}

impl ModelStudy {
    /// Creates the study of a checked model, if the model can be interpreted.
    pub(crate) fn of(plan: &Plan, checked: &Checked) -> Result<Self, Problem> {
        let subject = Subject::of(checked)
            .map_err(|why| problem!("{why}; only a compiled program can run it"));
        Self::new(&plan.flags, plan.points()?, subject?)
    }

    fn new(
        flags: &[String],
        (space, replications): (Space, Replications),
        subject: Subject,
    ) -> Result<Self, Problem> {
        let flags = Configuration::read(subject.program.model(), flags)?;
        let space = Sweep::rounded(&subject.program, space);
        Ok(Self {
            subject,
            space,
            replications,
            flags,
        })
    }

    /// Returns `true` if each point uses a single draw of the model's random numbers.
    fn is_drawn_once(&self) -> bool {
        let has_seed = self.space.axes().any(|axis| axis.name == "seed");
        self.subject.program.is_random() && !has_seed && !self.replications.are_several()
    }

    fn has_energy(&self) -> bool {
        let mut flags = self.flags.clone();
        let mut has_energy = flags.has_energy();
        for axis in self.space.axes().filter(|axis| axis.name == "machine") {
            for place in 0..axis.count().unwrap_or(0) {
                let name = axis.value(place).to_string();
                let model = self.subject.program.model();
                // A sweep rejects whatever isn't a machine.
                if let Ok(machine) = Assignment::read(model, &axis.name, &name) {
                    flags.assign(&machine);
                    has_energy |= flags.has_energy();
                }
            }
        }
        has_energy
    }
}

impl SweepStudy for ModelStudy {
    fn name(&self) -> &str {
        self.subject.program.model().name
    }

    fn space(&self) -> &Space {
        &self.space
    }

    fn has_seeds(&self) -> bool {
        self.replications.are_several()
    }

    fn metrics(&self) -> &'static [Metric] {
        &METRICS
    }

    fn shown_metrics(&self) -> &'static [Metric] {
        if self.has_energy() {
            &METRICS
        } else {
            &METRICS[..PLAIN_METRICS]
        }
    }

    fn flag(&self, axis: &str) -> Option<String> {
        flag(self.subject.program.model(), axis)
    }

    fn texts(&self) -> Vec<&str> {
        vec![&self.subject.source, &self.subject.tables]
    }

    fn files(&self) -> &[String] {
        &self.subject.files
    }

    fn named_files(&self, plan: &Plan) -> Vec<String> {
        let of_flags = files_of_flags(&plan.flags);
        of_flags.chain(files_of_axes(&self.space)).collect()
    }

    fn sweep(&self) -> Result<Box<dyn Evaluate + '_>, Problem> {
        let (program, flags) = (&self.subject.program, self.flags.clone());
        let sweep = Sweep::new(program, flags, &self.space, self.replications.clone())?;
        Ok(Box::new(sweep))
    }

    fn bounds(&self, flag: &str) -> Result<Box<dyn Evaluate + '_>, Problem> {
        let Some((name, value)) = flag.split_once('=') else {
            let flag = prophet_text::plain::line(flag);
            return Err(problem!(
                "--bound {flag}: expected NAME=VALUE, such as bound=1"
            ));
        };
        if self.space.axes().any(|axis| axis.name == name) {
            let name = prophet_text::plain::line(name);
            return Err(problem!("--bound: `{name}` is also varied"));
        }
        let program = &self.subject.program;
        let mut flags = self.flags.clone();
        flags.assign(&Assignment::read(program.model(), name, value)?);
        let sweep = Sweep::new(program, flags, &self.space, self.replications.clone())?;
        Ok(Box::new(sweep))
    }
}

/// Returns the text before an axis's value among the flags of `run`; `None` if no flag sets the
/// axis.
fn flag(model: &Model, axis: &str) -> Option<String> {
    if let Some((flag, key)) = axis.split_once('.') {
        return match flag {
            "set" => Some(format!("--set {}=", word(key))),
            _ if KEYED.contains(&flag) => Some(format!("--{flag} {}=", word(key))),
            _ => None,
        };
    }
    // Flags take precedence over parameters with the same name.
    if Assignment::is_flag(axis) {
        return Some(format!("--{axis} "));
    }
    let is_of = |name: &str| name == axis || prophet_result::flag_name(name) == axis;
    let parameter = model.parameters.iter().find(|it| it.name == axis);
    let parameter = parameter.or_else(|| model.parameters.iter().find(|it| is_of(it.name)))?;
    Some(format!("--set {}=", word(parameter.name)))
}

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

/// Returns the files that a value names: the value itself, or files with empirical noise.
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

#[cfg(test)]
mod tests {
    use prophet_runtime::{Parameter, Value};

    use super::*;

    #[test]
    fn axes_are_flags_and_parameters() {
        const MODEL: Model = Model::new(
            "Lapw0",
            &[
                Parameter::new("NAT", Value::Int(32)),
                Parameter::new("nodes", Value::Int(1)),
            ],
            1,
        );
        for (axis, before) in [
            ("nodes", Some("--nodes ")),
            ("nat", Some("--set NAT=")),
            ("set.nodes", Some("--set nodes=")),
            ("collective.allreduce", Some("--collective allreduce=")),
            ("network.latency", None),
        ] {
            assert_eq!(flag(&MODEL, axis).as_deref(), before, "{axis}");
        }
    }
}
