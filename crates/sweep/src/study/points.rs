//! Defines the command-line flags that select a sweep's points.

use crate::plan::Plan;

/// Points of a sweep.
#[derive(Debug, clap::Args)]
pub(crate) struct Points {
    /// Vary a flag or parameter: nodes=1,2,4..64. Several, separated by blanks, vary together. Can
    /// be repeated
    #[arg(long, value_name = "NAME=VALUES", allow_hyphen_values = true)]
    pub(crate) vary: Vec<String>,
    /// Take a sample instead of all combinations: sobol:1024, lhs:1000
    #[arg(long, value_name = "SAMPLE")]
    pub(crate) sample: Option<String>,
    /// Predict each point with several seeds: a number, or FIRST..LAST. Rows then have means and
    /// 95% intervals
    #[arg(long, value_name = "SEEDS")]
    pub(crate) seeds: Option<String>,
    /// Stop adding seeds to a point when its interval is this narrow, such as 1%
    #[arg(long, value_name = "SHARE")]
    pub(crate) precision: Option<String>,
    /// Start with this activity if the model leaves it open
    #[arg(long, value_name = "NAME")]
    pub(crate) main: Option<String>,
    /// Flags of all points, as for `run`; `run MODEL -- --help` lists them
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<String>,
}

impl Points {
    pub(crate) fn change(&self, plan: &mut Plan) {
        plan.vary.extend(self.vary.iter().cloned());
        plan.flags.extend(self.flags.iter().cloned());
        let changes = [
            (&self.main, &mut plan.main),
            (&self.sample, &mut plan.sample),
            (&self.seeds, &mut plan.seeds),
            (&self.precision, &mut plan.precision),
        ];
        for (given, planned) in changes {
            if given.is_some() {
                planned.clone_from(given);
            }
        }
    }
}
