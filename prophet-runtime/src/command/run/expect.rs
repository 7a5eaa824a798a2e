//! Compares a result with the expected one.

use prophet_result::{Expectation, Growth, RunResult};
use prophet_text::{Context as _, Problem, plain::line, short_time};

use crate::command::cli::Options;
use crate::command::report::Report;

/// Compares a result with what is expected. Returns a sentence for each number that differs, and
/// one about what grew most since the earlier result.
pub(super) fn check(options: &Options, report: &Report<'_>) -> Result<String, Problem> {
    if options.expected.is_empty() {
        return Ok(String::new());
    }
    let now = report.result();
    let result = now.to_value().context("cannot compare the result")?;
    let mut unmet = Expectation::unmet(&options.expected, &result)?;
    let kept = options.kept.as_ref().filter(|_| !unmet.is_empty());
    if let Some(kept) = kept {
        unmet.push(grown(kept, &now));
    }
    Ok(unmet.join("\n  "))
}

fn grown(kept: &RunResult<'_>, now: &RunResult<'_>) -> String {
    let Some(growth) = Growth::most(kept, now) else {
        return "no element takes longer than in the earlier result".to_owned();
    };
    let Growth {
        name,
        earlier_s,
        now_s,
    } = growth;
    format!(
        "`{}` grew most since the earlier result: from {} to {} per process",
        line(&name),
        short_time(earlier_s),
        short_time(now_s)
    )
}
