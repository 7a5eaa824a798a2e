//! Costs of runs of several sizes, as functions of the model.

use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::super::node::Act;
use super::{Cost, Writer};

impl Writer<'_> {
    /// The call of a function with the cost of ranks; `None` where there is one size, or no fit.
    pub(super) fn fitted_cost(&mut self, acts: &[(u32, Act)]) -> Option<String> {
        let cost = self.fitted_mean(acts, |act| act.work.seconds)?;
        let name = format!("Cost{}", self.fitted);
        let text = &mut self.lists.text;
        function(text, &name, "double", &cost.comment, &cost.expression);
        Some(format!("{name}()"))
    }

    /// The mean size of messages, as a function of the runs' sizes.
    pub(super) fn mean_size(&mut self, name: &str, acts: &[(u32, Act)]) -> String {
        self.means.push(name.to_owned());
        let Some(size) = self.fitted_mean(acts, |act| act.bytes) else {
            return Self::mean_block(&acts.iter().collect::<Vec<_>>()).to_string();
        };
        let name = format!("Size{}", self.fitted);
        let expression = format!("llround({})", size.expression);
        let comment = "Mean size of messages, which the data of the program decide, in bytes.";
        function(&mut self.lists.text, &name, "long", comment, &expression);
        format!("{name}()")
    }

    /// The fit of the means of what ranks did.
    fn fitted_mean(&mut self, acts: &[(u32, Act)], amount: fn(&Act) -> f64) -> Option<Cost> {
        let learning = self.learning?;
        #[expect(
            clippy::cast_precision_loss,
            reason = "it is a mean, and ranks are few"
        )]
        let mean = |(point, act): &(u32, Act)| {
            let at = self.points.at(*point);
            let run = &self.points.runs()[at.run];
            let place = std::iter::once(f64::from(run.ranks)).chain(run.parameters.iter().copied());
            let stride = self.points.stride.iter().map(|_| at.stride as f64);
            let place: Vec<f64> = place.chain(stride).collect();
            (place, amount(act) / act.times as f64)
        };
        let means: Vec<(Vec<f64>, f64)> = acts.iter().map(mean).collect();
        let names = std::iter::once("NUM_PROCESSES".to_owned());
        let others = self.points.names.iter().chain(&self.points.stride);
        let names: Vec<String> = names.chain(others.cloned()).collect();
        let cost = learning.costs.fitted(&names, &means)?;
        self.fitted += 1;
        Some(cost)
    }
}

/// Writes a function.
fn function(text: &mut String, name: &str, result: &str, comment: &str, expression: &str) {
    let _ = writeln!(
        text,
        "  <function name=\"{name}\" result=\"{result}\">\n    <comment>{}</comment>\n    \
         <body>return {};</body>\n  </function>",
        escaped(comment),
        escaped(expression)
    );
}
