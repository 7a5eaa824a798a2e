//! Refusals of outputs that cannot be written.

use prophet_text::{Problem, problem};

use super::Format;

/// Refuses `--json` where nothing is to be found, and `--format` where no rows are written.
pub(crate) fn check_words(
    has_goals: bool,
    json: bool,
    format: Option<Format>,
) -> Result<(), Problem> {
    if has_goals && format.is_some() {
        return Err("--format is the format of rows in a file: give --out FILE, too".into());
    }
    if json && !has_goals {
        return Err(problem!(
            "--json prints what --minimize, --pareto or --sensitivity finds, and none of \
                    them is given; --format jsonl is for rows"
        ));
    }
    Ok(())
}
