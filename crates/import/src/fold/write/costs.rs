//! Costs of runs of several sizes, as functions of the model.

use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::super::sequence::Act;
use super::Writer;

impl Writer<'_> {
    /// The call of a function with the cost of ranks; `None` where there is one size, or no fit.
    pub(super) fn fitted_cost(&mut self, acts: &[(u32, Act)]) -> Option<String> {
        let learning = self.learning?;
        #[expect(
            clippy::cast_precision_loss,
            reason = "it is a mean, and ranks are few"
        )]
        let time = |(point, act): &(u32, Act)| {
            let run = &self.points.runs()[self.points.at(*point).run];
            let place = std::iter::once(f64::from(run.ranks)).chain(run.parameters.iter().copied());
            (
                place.collect::<Vec<f64>>(),
                act.work.seconds / act.times as f64,
            )
        };
        let times: Vec<(Vec<f64>, f64)> = acts.iter().map(time).collect();
        let names = std::iter::once("NUM_PROCESSES".to_owned());
        let names: Vec<String> = names.chain(self.points.names.iter().cloned()).collect();
        let cost = learning.costs.fitted(&names, &times)?;
        self.fitted += 1;
        let name = format!("Cost{}", self.fitted);
        let _ = writeln!(
            self.lists.text,
            "  <function name=\"{name}\" result=\"double\">\n    <comment>{}</comment>\n    \
             <body>return {};</body>\n  </function>",
            escaped(&cost.comment),
            escaped(&cost.expression)
        );
        Some(format!("{name}()"))
    }
}
