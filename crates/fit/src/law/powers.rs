//! Creates power-law candidates, which are fitted to logarithms. Some of them change at a certain
//! value of the parameter.

use prophet_sim::statistics::mean;

use crate::law::Model;
use crate::law::assess::{Assessed, assess};
use crate::law::data::{Data, spread};
use crate::law::formula::{Kind, LawForm, Power, PowerChange, rounded};
use crate::law::linear::{Design, UNKNOWNS};
use crate::law::member::Member;

/// Prior belief in power laws, without and with a change.
const WHOLE: f64 = 0.2;
const CHANGED: f64 = 0.2;

/// Maximum number of values of a parameter at which to try a change.
const CHANGES: usize = 12;

/// Likely difference between two exponents, relative to the likely size of an exponent.
const BEND: f64 = 0.5;

/// Returns power laws in subsets of the varying parameters; empty if a number has no logarithm.
pub(crate) fn members(data: &Data) -> Vec<Member> {
    let varying: Vec<usize> = (0..data.dimensions())
        .filter(|&p| data.levels(p).len() > 1)
        .collect();
    let positive = data.y.iter().all(|&y| y > 0.0)
        && data
            .at
            .iter()
            .all(|at| varying.iter().all(|&p| at[p] > 0.0));
    if !positive || varying.is_empty() || varying.len() >= UNKNOWNS {
        return Vec::new();
    }
    let changes = changes(data, &varying);
    let subsets = 1 << varying.len();
    let mut members = Vec::new();
    for subset in 0..subsets {
        let chosen = varying
            .iter()
            .enumerate()
            .filter(|(bit, _)| subset >> bit & 1 == 1);
        let law = Law::new(data, chosen.map(|(_, &parameter)| parameter).collect());
        if subset > 0 {
            members.extend(law.members(None, WHOLE / f64::from(subsets - 1)));
        }
        let belief = CHANGED / f64::from(subsets) / changes.len().max(1) as f64;
        for &change in &changes {
            members.extend(law.members(Some(change), belief));
        }
    }
    members
}

/// Returns a change at each value of a parameter except its smallest and largest.
fn changes(data: &Data, varying: &[usize]) -> Vec<PowerChange> {
    let mut changes = Vec::new();
    for &parameter in varying {
        let levels = data.levels(parameter);
        if levels.len() < 4 {
            continue;
        }
        for above in spread(&levels[1..levels.len() - 1], CHANGES) {
            changes.push(PowerChange {
                parameter,
                above,
                kind: Kind::Bend(0.0),
            });
            changes.push(PowerChange {
                parameter,
                above,
                kind: Kind::Step(1.0),
            });
        }
    }
    changes
}

/// A power law in chosen parameters.
struct Law<'a> {
    data: &'a Data,
    chosen: Vec<usize>,
    /// Logarithms of the parameters, relative to their centers.
    columns: Vec<Vec<f64>>,
    centers: Vec<f64>,
    target: Vec<f64>,
    center: f64,
}

impl<'a> Law<'a> {
    fn new(data: &'a Data, chosen: Vec<usize>) -> Self {
        let (mut columns, mut centers) = (Vec::new(), Vec::new());
        for &parameter in &chosen {
            let logs: Vec<f64> = data.at.iter().map(|at| at[parameter].ln()).collect();
            let mean = mean(logs.iter().copied());
            columns.push(logs.iter().map(|log| log - mean).collect());
            centers.push(mean.exp());
        }
        let logs: Vec<f64> = data.y.iter().map(|y| y.ln()).collect();
        let center = mean(logs.iter().copied());
        let target = logs.iter().map(|log| log - center).collect();
        Self {
            data,
            chosen,
            columns,
            centers,
            target,
            center,
        }
    }

    fn members(&self, change: Option<PowerChange>, belief: f64) -> Vec<Member> {
        let count = self.data.len();
        let ones = vec![1.0; count];
        let mut columns: Vec<&[f64]> = vec![&ones];
        columns.extend(self.columns.iter().map(Vec::as_slice));
        let changed = change.map(|change| self.change_column(change));
        columns.extend(changed.as_deref());
        if columns.len() > count || columns.len() > UNKNOWNS {
            return Vec::new();
        }
        let design = Design {
            columns,
            target: &self.target,
        };
        let assessed = assess(
            &design,
            self.data.noise_variance(),
            |design: &Design<'_>| design.solve(),
        );
        assessed
            .into_iter()
            .map(|assessed| self.member(&assessed, change, belief))
            .collect()
    }

    fn member(&self, assessed: &Assessed, change: Option<PowerChange>, belief: f64) -> Member {
        let mut scales = [1.0; UNKNOWNS];
        scales[1..=self.centers.len()].copy_from_slice(&self.centers);
        Member {
            model: self.model(&assessed.coefficients, change),
            weight: assessed.log_evidence + belief.ln(),
            variance: assessed.variance,
            factor: assessed.factor,
            scales,
            powers: self.chosen.clone(),
        }
    }

    fn change_column(&self, change: PowerChange) -> Vec<f64> {
        self.data.at.iter().map(|at| change.column(at)).collect()
    }

    fn model(&self, coefficients: &[f64; UNKNOWNS], change: Option<PowerChange>) -> Model {
        let mut log = self.center + coefficients[0];
        let mut exponents = vec![0.0; self.data.dimensions()];
        for (index, &parameter) in self.chosen.iter().enumerate() {
            let exponent = rounded(coefficients[index + 1]);
            exponents[parameter] = exponent;
            log -= exponent * self.centers[index].ln();
        }
        let last = coefficients[self.chosen.len() + 1..]
            .first()
            .copied()
            .unwrap_or(0.0);
        let change = change.map(|change| PowerChange {
            kind: match change.kind {
                Kind::Step(_) => Kind::Step(rounded(last.exp())),
                Kind::Bend(_) => Kind::Bend(rounded(last * BEND)),
            },
            ..change
        });
        Model(LawForm::Power(Power {
            coefficient: rounded(log.exp()),
            exponents,
            change,
        }))
    }
}

impl PowerChange {
    /// Returns how the coefficient of the change affects the logarithm of the value at a place.
    pub(crate) fn column(self, at: &[f64]) -> f64 {
        let p = at[self.parameter];
        match self.kind {
            Kind::Step(_) => f64::from(u8::from(p > self.above)),
            Kind::Bend(_) => (p.max(self.above) / self.above).ln() * BEND,
        }
    }
}
