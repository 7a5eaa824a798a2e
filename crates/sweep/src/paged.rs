//! Runs sweeps of a loaded model, and renders a page for each.

use prophet_frontend::checked::Checked;
use prophet_runtime::RunHandle;
use prophet_text::{Problem, problem};

use crate::evaluate::threads;
use crate::goal::OpenGoals;
use crate::plan::Plan;
use crate::readers::{Page, RowTally};
use crate::study::{ModelStudy, Models, SweepStudy as _};

/// Maximum number of points in a sweep that a user of a page has to wait for.
pub const POINTS_MAX: u32 = 10_000;

/// The page of a sweep, and what its goals found.
#[derive(Debug)]
pub struct Paged {
    /// The HTML page. Send it with [`crate::page::policy`], which allows its scripts.
    pub page: String,
    pub points: u64,
}

impl Paged {
    /// Evaluates a plan on all cores. The page shows `command` as the command that predicts a
    /// point. Returns `None` if the handle stopped the evaluation.
    ///
    /// # Errors
    ///
    /// Returns an error if the plan is invalid, if the model must be compiled, if there are more
    /// than [`POINTS_MAX`] points, or if no point has a prediction.
    pub fn of(
        checked: &Checked,
        plan: &Plan,
        command: &str,
        handle: &RunHandle,
    ) -> Result<Option<Self>, Problem> {
        let study = ModelStudy::of(plan, checked)?;
        let space = study.space();
        let points = space.points();
        if points > u64::from(POINTS_MAX) || space.interval().is_some() {
            return Err(problem!(
                "this sweep supports at most {} points, and no intervals: use `{command}` instead",
                prophet_text::count(u64::from(POINTS_MAX))
            ));
        }
        // Goals use all points, so that the page is complete.
        let mut goals = OpenGoals::read(&plan.find, space, study.metrics(), true)?;
        let mut page = Page::new(
            (command, &plan.model),
            plan,
            (&Models, &study),
            goals.as_ref(),
        );
        let mut tally = RowTally::default();
        let sweep = study.sweep()?;
        sweep.evaluate(0..points, threads(None), handle, |row| {
            tally.count(&row);
            page.row(&row);
            if let Some(goals) = &mut goals {
                goals.take(&row);
            }
        });
        if handle.is_stopped() {
            return Ok(None);
        }
        tally.check()?;
        for finding in goals.into_iter().flat_map(OpenGoals::into_findings) {
            match finding {
                Ok(finding) => page.finding(&finding),
                Err(why) => page.note(&why),
            }
        }
        Ok(Some(Self {
            page: page.render(),
            points,
        }))
    }
}
