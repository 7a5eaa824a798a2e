//! Readers of the rows of a sweep: its goals, and its page.

mod page;

use std::path::Path;

use prophet_text::{Problem, problem};

use crate::evaluate::SweepRow;
use crate::goal::{self, Finding, OpenGoals};
pub(crate) use page::Page;

/// Readers of rows, in addition to the file of rows.
#[derive(Debug)]
pub(crate) struct Readers {
    pub(crate) goals: Option<OpenGoals>,
    pub(crate) page: Option<Page>,
    pub(crate) tally: RowTally,
}

/// Rows that were taken, as far as their predictions go.
#[derive(Debug, Default)]
pub(crate) struct RowTally {
    rows: u64,
    failed: u64,
    /// Reason why the first one that failed did.
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

    /// Refuses a sweep in which there is no prediction.
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
    /// Takes a row of a sweep of all points.
    pub(crate) fn take(&mut self, row: &SweepRow) {
        self.tally.count(row);
        if let Some(page) = &mut self.page {
            page.row(row);
        }
        if let Some(goals) = &mut self.goals {
            goals.take(row);
        }
    }

    /// Prints the findings, and writes the page.
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
