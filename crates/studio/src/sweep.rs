//! Sweeps a model over values of flags and parameters, and shows the predictions on a page.

use prophet_text::{Problem, problem};
use std::collections::BTreeMap;

use prophet_frontend::checked::Checked;
use prophet_runtime::{Assignment, RunHandle};
use prophet_sweep::{Axis, Goals, PAGED_POINTS_MAX, Paged, Plan, page};
use serde::{Deserialize, Serialize};

use crate::folder::Folder;
use crate::predict::words;
use crate::report::Reports;
use crate::words::may_set;

/// The equivalent command, to be shown on the page and in messages.
const COMMAND: &str = "performance-prophet sweep";

/// A request for a sweep. Its texts have the form of the command's flags.
#[derive(Debug, Deserialize)]
pub(crate) struct SweepRequest {
    #[serde(default)]
    flags: BTreeMap<String, String>,
    vary: Vec<String>,
    minimize: Option<String>,
    pareto: Option<String>,
    #[serde(default)]
    subject_to: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Swept {
    /// Address of the page, relative to the model's address.
    address: String,
    points: u64,
}

impl SweepRequest {
    pub(crate) fn sweep(
        &self,
        checked: &Checked,
        file: &str,
        folder: &Folder,
        pages: &Reports,
        handle: &RunHandle,
    ) -> Result<Swept, Problem> {
        if crate::workflow::is_workflow(checked) {
            return Err(problem!(
                "sweep a workflow with the command: `{COMMAND} {file} --vary hosts=1,2`"
            ));
        }
        let plan = self.plan(checked, file, folder)?;
        let (space, _) = plan.points()?;
        if let Some(why) = space.axes().find_map(|axis| refusal(checked, axis)) {
            return Err(why.into());
        }
        let swept = Paged::of(checked, &plan, COMMAND, handle)?;
        let swept = swept.ok_or("the sweep was stopped")?;
        Ok(Swept {
            address: pages.keep(page::policy(), swept.page),
            points: swept.points,
        })
    }

    fn plan(&self, checked: &Checked, file: &str, folder: &Folder) -> Result<Plan, Problem> {
        let words = words(checked, &self.flags, folder)?.into_iter().skip(1);
        let flags = words.map(|it| it.into_string().map_err(|it| it.display().to_string()));
        let flags = flags.collect::<Result<_, _>>();
        let find = Goals {
            minimize: self.minimize.clone(),
            pareto: self.pareto.clone(),
            subject_to: self.subject_to.clone(),
            ..Goals::default()
        };
        Ok(Plan {
            model: file.to_owned(),
            vary: self.vary.clone(),
            flags: flags.map_err(|path| problem!("{path} is not text"))?,
            find,
            ..Plan::default()
        })
    }
}

/// Returns why a page must not vary an axis; `None` if it may. Values of such an axis could name
/// files.
fn refusal(checked: &Checked, axis: &Axis) -> Option<String> {
    let mut parameters = checked.program.iter().flat_map(|it| &it.parameters);
    // Flags take precedence over parameters with the same name.
    if !Assignment::is_flag(&axis.name) && parameters.any(|it| it.name == axis.name) {
        return None;
    }
    let (flag, is_key) = match axis.name.split_once('.') {
        Some((flag, _)) => (flag, true),
        None => (axis.name.as_str(), false),
    };
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_.%".contains(it);
    let count = axis.count().unwrap_or(0).min(PAGED_POINTS_MAX.into());
    let mut values = (0..count).map(|at| axis.value(at).to_string());
    let refused = values.find(|value| {
        if is_key {
            !may_set(flag, "") || !value.chars().all(is_plain)
        } else {
            !may_set(flag, value)
        }
    })?;
    Some(format!("`{}` cannot be set to `{refused}` here", axis.name))
}
