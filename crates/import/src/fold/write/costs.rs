//! Writes costs as functions in the model, based on runs of several sizes.

use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::super::node::Act;
use super::super::parted::{Times, parted, sides};
use super::{FittedCost, Writer};

/// Maximum number of conditions on the path to a cost.
const PARTS: u32 = 2;

impl Writer<'_> {
    /// Returns a call of a function that computes the ranks' cost; `None` if there is only one size
    /// or nothing fits.
    pub(super) fn fitted_cost(&mut self, acts: &[(u32, Act)]) -> Option<String> {
        let cost = self.fitted_mean(acts, |act| act.work.seconds)?;
        let name = format!("Cost{}", self.fitted);
        let text = &mut self.lists.text;
        function(text, &name, "double", &cost.comment, &cost.expression);
        Some(format!("{name}()"))
    }

    /// Returns the mean message size as an expression of the runs' sizes.
    pub(super) fn mean_size(&mut self, name: &str, acts: &[(u32, Act)]) -> String {
        self.means.push(name.to_owned());
        let Some(size) = self.fitted_mean(acts, |act| act.bytes) else {
            return Self::mean_block(&acts.iter().collect::<Vec<_>>()).to_string();
        };
        let name = format!("Size{}", self.fitted);
        let expression = format!("llround({})", size.expression);
        let comment = "Mean message size in bytes; the actual sizes depend on the program's data.";
        function(&mut self.lists.text, &name, "long", comment, &expression);
        format!("{name}()")
    }

    /// Fits the mean of an amount over the ranks.
    fn fitted_mean(&mut self, acts: &[(u32, Act)], amount: fn(&Act) -> f64) -> Option<FittedCost> {
        #[expect(clippy::cast_precision_loss, reason = "it is a mean")]
        let mean = |act: &Act| amount(act) / act.times as f64;
        let means: Vec<(u32, f64)> = acts.iter().map(|it| (it.0, mean(&it.1))).collect();
        let cost = self.parts(&means, PARTS)?;
        self.fitted += 1;
        for note in &cost.notes {
            *self.notes.entry(note.clone()).or_default() += 1;
        }
        Some(cost)
    }

    /// Fits means. If a condition splits the ranks, each of the two sides gets a fit of its own.
    fn parts(&self, means: &Times, conditions: u32) -> Option<FittedCost> {
        let costs = self.learning?.costs;
        let (names, at) = (self.of_fits(), |means: &Times| self.places(means));
        let misses = |means: &Times| costs.misses(&names, &at(means));
        let found = (conditions > 0).then(|| parted(means, &self.conditions, &misses));
        let Some((condition, holds)) = found.flatten() else {
            return costs.fitted(&names, &at(means));
        };
        let (inside, outside) = sides(means, holds);
        let inside = self.parts(&inside, conditions - 1)?;
        let outside = self.parts(&outside, conditions - 1)?;
        Some(FittedCost {
            expression: format!(
                "{condition} ? ({}) : ({})",
                inside.expression, outside.expression
            ),
            comment: format!(
                "If {condition}: {} Else: {}",
                inside.comment, outside.comment
            ),
            notes: [inside.notes, outside.notes].concat(),
        })
    }

    fn of_fits(&self) -> Vec<String> {
        let names = std::iter::once("NUM_PROCESSES".to_owned());
        let others = self.points.names.iter().chain(&self.points.stride);
        names.chain(others.cloned()).collect()
    }

    /// Returns the means, each with the values of the variables on which the cost depends.
    fn places(&self, means: &Times) -> Vec<(Vec<f64>, f64)> {
        let place = |(point, mean): &(u32, f64)| {
            let at = self.points.at(*point);
            let run = &self.points.runs()[at.run];
            let place = std::iter::once(f64::from(run.ranks)).chain(run.parameters.iter().copied());
            #[expect(
                clippy::cast_precision_loss,
                reason = "it is below the number of ranks"
            )]
            let stride = self.points.stride.iter().map(|_| at.stride as f64);
            (place.chain(stride).collect(), *mean)
        };
        means.iter().map(place).collect()
    }
}

fn function(text: &mut String, name: &str, result: &str, comment: &str, expression: &str) {
    let _ = writeln!(
        text,
        "  <function name=\"{name}\" result=\"{result}\">\n    <comment>{}</comment>\n    \
         <body>return {};</body>\n  </function>",
        escaped(comment),
        escaped(expression)
    );
}
