//! Rules by which a drawing is checked, as the command `run` passes them on.

use std::path::PathBuf;

use prophet_codegen::assume::step_s;
use prophet_codegen::check::RuleSet;

use crate::Problem;

/// Rules of a drawing.
#[derive(Debug, clap::Args)]
pub(super) struct Rules {
    /// A file of rules to add to those that are shipped
    #[arg(long = "rules", value_name = "FILE", hide = true, requires = "drawn")]
    files: Vec<PathBuf>,
    /// A file of stereotypes of your own
    #[arg(long, value_name = "FILE", hide = true, requires = "drawn")]
    vocabulary: Vec<PathBuf>,
    /// A rule or warning to switch off, by its code
    #[arg(long, value_name = "CODE", hide = true, requires = "drawn")]
    off: Vec<String>,
    /// Assume what the drawing leaves open
    #[arg(long, hide = true, requires = "drawn")]
    assume: bool,
    /// Time that `--assume` gives each action without a cost
    #[arg(long, value_name = "SECONDS", hide = true, requires = "assume")]
    assume_cost: Option<String>,
}

impl Rules {
    /// The rules that are shipped, with the changes of the command line.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or an unknown code.
    pub(super) fn read(&self) -> Result<RuleSet, Problem> {
        let changed = self.changed();
        changed.map_err(|why| Problem::new(why, "Correct the flags of rules."))
    }

    fn changed(&self) -> Result<RuleSet, String> {
        let mut rules = RuleSet::shipped();
        for file in &self.vocabulary {
            rules.add_vocabulary(file)?;
        }
        for file in &self.files {
            rules.add_file(file)?;
        }
        for code in &self.off {
            rules.switch_off(code)?;
        }
        if self.assume {
            rules.assume();
        }
        if let Some(seconds) = &self.assume_cost {
            rules.assume_steps(step_s(seconds)?);
        }
        Ok(rules)
    }
}
