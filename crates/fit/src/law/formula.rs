//! Represents cost models, which can be evaluated or written as expressions in the cost language.

use std::fmt::Write as _;

use crate::law::term::{Factor, Term};

/// A model of a cost, as a function of its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Model(pub(crate) LawForm);

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LawForm {
    /// A sum of terms with coefficients: the performance model normal form.
    Sum(Vec<(f64, Term)>),
    /// The inverse of such a sum, to the power of 1 over this degree. It describes saturating
    /// growth.
    Over(Vec<(f64, Term)>, f64),
    /// A product of powers of all parameters. It can change at a value of one parameter.
    Power(Power),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Power {
    pub(crate) coefficient: f64,
    pub(crate) exponents: Vec<f64>,
    pub(crate) change: Option<PowerChange>,
}

/// A change in a power law above some value of a parameter, for example because of a cache or a
/// protocol.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PowerChange {
    pub(crate) parameter: usize,
    pub(crate) above: f64,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Factor by which the cost jumps.
    Step(f64),
    /// Exponent above the change minus the exponent below.
    Bend(f64),
}

/// Largest exponent of a cost that is divided among processes.
const DIVIDED: f64 = -0.5;

impl Model {
    /// Evaluates the model; `at` contains one number per parameter.
    pub fn at(&self, at: &[f64]) -> f64 {
        match &self.0 {
            LawForm::Sum(terms) => sum(terms, at),
            LawForm::Over(terms, root) => sum(terms, at).powf(-1.0 / root),
            LawForm::Power(power) => power.at(at),
        }
    }

    /// Returns `true` if the cost falls without limit as some parameter grows, at least as fast as
    /// one over its square root, like work that is divided among processes.
    pub(crate) fn is_divided(&self) -> bool {
        match &self.0 {
            LawForm::Sum(terms) => {
                let falls = |p: usize| terms.iter().all(|(_, term)| term.0[p].exponent <= DIVIDED);
                (0..terms.first().map_or(0, |it| it.1.0.len())).any(falls)
            }
            LawForm::Over(..) => false,
            LawForm::Power(power) => {
                power.change.is_none() && power.exponents.iter().any(|it| *it <= DIVIDED)
            }
        }
    }

    /// Returns `true` if the cost includes a time per byte of messages. `messages` is the index of
    /// the parameter for their size.
    pub(crate) fn has_bandwidth(&self, messages: usize) -> bool {
        let is_linear = |factor: Factor| factor.exponent == 1.0 && factor.logs == 0;
        matches!(&self.0, LawForm::Sum(terms) if terms.iter().any(|it| is_linear(it.1.0[messages])))
    }

    /// Returns the model as an expression in the cost language, which is also valid C. `names`
    /// lists the parameters.
    pub fn expression(&self, names: &[String]) -> String {
        let mut text = String::new();
        match &self.0 {
            LawForm::Sum(terms) => write_sum(terms, names, &mut text),
            LawForm::Over(terms, root) => {
                text.push_str("pow(");
                write_sum(terms, names, &mut text);
                let _ = write!(text, ", {:?})", -1.0 / root);
            }
            LawForm::Power(power) => power.write(names, &mut text),
        }
        text
    }
}

pub(crate) fn sum(terms: &[(f64, Term)], at: &[f64]) -> f64 {
    let values = terms.iter().map(|(factor, term)| factor * term.at(at));
    values.sum()
}

fn write_sum(terms: &[(f64, Term)], names: &[String], text: &mut String) {
    if terms.is_empty() {
        text.push_str("0.0");
    }
    for (index, (coefficient, term)) in terms.iter().enumerate() {
        let (sign, shown) = match (index, *coefficient < 0.0) {
            (0, _) => ("", *coefficient),
            (_, true) => (" - ", -coefficient),
            (_, false) => (" + ", *coefficient),
        };
        let _ = write!(text, "{sign}{shown:?}");
        term.write(names, text);
    }
}

impl Power {
    fn at(&self, at: &[f64]) -> f64 {
        let powers = self
            .exponents
            .iter()
            .zip(at)
            .filter(|(exponent, _)| **exponent != 0.0);
        let value: f64 = self.coefficient * powers.map(|(e, p)| p.powf(*e)).product::<f64>();
        match self.change {
            Some(change) if at[change.parameter] > change.above => {
                value * change.factor(at[change.parameter])
            }
            _ => value,
        }
    }

    fn write(&self, names: &[String], text: &mut String) {
        let _ = write!(text, "{:?}", self.coefficient);
        for (exponent, name) in self.exponents.iter().zip(names) {
            if *exponent != 0.0 {
                let _ = write!(text, " * pow({name}, {exponent:?})");
            }
        }
        if let Some(PowerChange {
            parameter,
            above,
            kind,
        }) = self.change
        {
            let name = &names[parameter];
            let _ = match kind {
                Kind::Step(factor) => write!(text, " * ({name} > {above:?} ? {factor:?} : 1.0)"),
                Kind::Bend(exponent) => {
                    write!(
                        text,
                        " * pow(fmax({name}, {above:?}) / {above:?}, {exponent:?})"
                    )
                }
            };
        }
    }
}

impl PowerChange {
    fn factor(self, p: f64) -> f64 {
        match self.kind {
            Kind::Step(factor) => factor,
            Kind::Bend(exponent) => (p.max(self.above) / self.above).powf(exponent),
        }
    }
}

/// Rounds a number to the seven significant digits used in expressions.
pub(crate) fn rounded(number: f64) -> f64 {
    format!("{number:.6e}").parse().unwrap_or(number)
}
