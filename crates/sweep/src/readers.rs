//! Passes a sweep's rows to its goals and its page.

mod page;

use std::path::Path;

use prophet_text::{Problem, problem};

use crate::evaluate::SweepRow;
use crate::goal::{self, Finding, OpenGoals};
pub(crate) use page::Page;

#[derive(Debug)]
pub(crate) struct Readers {
    pub(crate) goals: Option<OpenGoals>,
    pub(crate) page: Option<Page>,
    pub(crate) tally: RowTally,
}

/// The numbers of rows with and without predictions.
#[derive(Debug, Default)]
pub(crate) struct RowTally {
    rows: u64,
    failed: u64,
    /// Why the first row without a prediction has none.
    why: Option<String>,
}

impl RowTally {
    pub(crate) fn count(&mut self, row: &SweepRow) {
        self.rows += 1;
        if let Err(why) = &row.found {
            self.failed += 1;
            self.why.get_or_insert_with(|| why.clone());
        }
    }

    /// Returns an error if no row has a prediction.
    pub(crate) fn check(self) -> Result<(), Problem> {
        match self.why {
            Some(why) if self.failed == self.rows => Err(problem!(
                "no point could be predicted; the first error: {why}"
            )),
            _ => Ok(()),
        }
    }
}

impl Readers {
    pub(crate) fn take(&mut self, row: &SweepRow) {
        self.tally.count(row);
        if let Some(page) = &mut self.page {
            page.row(row);
        }
        if let Some(goals) = &mut self.goals {
            goals.take(row);
        }
    }

    pub(crate) fn finish(self, json: bool, report: Option<&Path>) -> Result<(), Problem> {
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for finding in self.goals.into_iter().flat_map(OpenGoals::into_findings) {
            match finding {
                Ok(finding) => found.push(finding),
                Err(problem) => problems.push(problem),
            }
        }
        if !found.is_empty() {
            print(&found, json)?;
        }
        if let (Some(mut page), Some(path)) = (self.page, report) {
            for finding in &found {
                page.finding(finding);
            }
            for problem in &problems {
                page.note(problem);
            }
            page.write(path)?;
        }
        if problems.is_empty() {
            return self.tally.check();
        }
        Err(problems.join("\nerror: ").into())
    }
}

pub(crate) fn print(findings: &[Finding], json: bool) -> Result<(), Problem> {
    let text = if json {
        goal::json(findings)
    } else {
        let texts: Vec<&str> = findings.iter().map(|it| it.text.as_str()).collect();
        texts.join("\n")
    };
    prophet_text::print(&text)
}
