//! Represents fitted candidates, with the data needed to compute how uncertain their predictions
//! are.

use crate::law::Model;
use crate::law::data::{Data, median};
use crate::law::formula::{LawForm, Power, sum};
use crate::law::linear::{Cholesky, UNKNOWNS};
use crate::law::term::Term;

#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) model: Model,
    /// Share of the belief; its logarithm until all members are known.
    pub(crate) weight: f64,
    /// The most likely variance of a relative error.
    pub(crate) variance: f64,
    /// Cholesky factor of the products of columns, which are proportional to the precision of the
    /// coefficients.
    pub(crate) factor: Cholesky,
    pub(crate) scales: [f64; UNKNOWNS],
    /// The parameters that the power law depends on.
    pub(crate) powers: Vec<usize>,
}

impl Member {
    /// Returns a member that predicts the median of the values, for numbers too large or too small
    /// to compute with.
    pub(crate) fn constant(data: &Data) -> Self {
        let value = median(&data.y);
        Self {
            model: Model(LawForm::Sum(vec![(
                value,
                Term::constant(data.dimensions()),
            )])),
            weight: 0.0,
            variance: 1.0,
            factor: Cholesky::UNIT,
            scales: [1.0; UNKNOWNS],
            powers: Vec::new(),
        }
    }

    /// Returns how the coefficients affect the logarithm of the value at a place. The inner product
    /// of two such effects is the covariance of the values at these places.
    pub(crate) fn effect(&self, at: &[f64]) -> [f64; UNKNOWNS] {
        let row = match &self.model.0 {
            LawForm::Sum(terms) => self.sum_row(terms, at),
            LawForm::Over(terms, root) => self.sum_row(terms, at).map(|it| it / root),
            LawForm::Power(power) => self.power_row(power, at),
        };
        self.factor
            .forward(&row)
            .map(|effect| effect * self.variance.sqrt())
    }

    fn sum_row(&self, terms: &[(f64, Term)], at: &[f64]) -> [f64; UNKNOWNS] {
        let value = sum(terms, at).abs().max(f64::MIN_POSITIVE);
        let mut row = [0.0; UNKNOWNS];
        for (index, (_, term)) in terms.iter().enumerate() {
            row[index] = term.at(at) * self.scales[index] / value;
        }
        row
    }

    fn power_row(&self, power: &Power, at: &[f64]) -> [f64; UNKNOWNS] {
        let mut row = [0.0; UNKNOWNS];
        row[0] = 1.0;
        for (index, &parameter) in self.powers.iter().enumerate() {
            row[index + 1] = (at[parameter] / self.scales[index + 1]).ln();
        }
        if let Some(change) = power.change {
            row[self.powers.len() + 1] = change.column(at);
        }
        row
    }
}
