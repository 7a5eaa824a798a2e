//! Power laws as candidates, fitted in logarithms: whole ones and ones that change at a value.

use crate::Model;
use crate::data::Data;
use crate::evidence::Evidence;
use crate::linear::{Cholesky, Design, UNKNOWNS};
use crate::member::Member;
use crate::model::{Change, Form, Kind, Power, rounded};

/// Belief in a power law before any measurement, and in one that changes.
const WHOLE: f64 = 0.15;
const CHANGED: f64 = 0.15;

/// Power laws of all parameters that vary; none where a number has no logarithm.
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
    let laws = Laws::new(data, varying);
    let mut members: Vec<Member> = laws.fit(None, WHOLE).into_iter().collect();
    let changes = laws.changes();
    let belief = CHANGED / changes.len().max(1) as f64;
    members.extend(
        changes
            .into_iter()
            .filter_map(|change| laws.fit(Some(change), belief)),
    );
    members
}

struct Laws<'a> {
    data: &'a Data,
    varying: Vec<usize>,
    /// Logarithms of the parameters over their centers.
    columns: Vec<Vec<f64>>,
    centers: Vec<f64>,
    target: Vec<f64>,
    center: f64,
}

impl<'a> Laws<'a> {
    fn new(data: &'a Data, varying: Vec<usize>) -> Self {
        let (mut columns, mut centers) = (Vec::new(), Vec::new());
        for &parameter in &varying {
            let logs: Vec<f64> = data.at.iter().map(|at| at[parameter].ln()).collect();
            let mean = mean(&logs);
            columns.push(logs.iter().map(|log| log - mean).collect());
            centers.push(mean.exp());
        }
        let logs: Vec<f64> = data.y.iter().map(|y| y.ln()).collect();
        let center = mean(&logs);
        let target = logs.iter().map(|log| log - center).collect();
        Self {
            data,
            varying,
            columns,
            centers,
            target,
            center,
        }
    }

    /// Changes between any two neighboring values of a parameter.
    fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        if self.varying.len() + 1 >= UNKNOWNS {
            return changes;
        }
        for &parameter in &self.varying {
            let levels = self.data.levels(parameter);
            if levels.len() < 4 {
                continue;
            }
            for index in 1..levels.len() - 1 {
                let above = levels[index];
                changes.push(Change {
                    parameter,
                    above,
                    kind: Kind::Bend(0.0),
                });
                if index + 1 < levels.len() {
                    changes.push(Change {
                        parameter,
                        above,
                        kind: Kind::Step(1.0),
                    });
                }
            }
        }
        changes
    }

    fn fit(&self, change: Option<Change>, belief: f64) -> Option<Member> {
        let count = self.data.len();
        let ones = vec![1.0; count];
        let mut columns: Vec<&[f64]> = vec![&ones];
        columns.extend(self.columns.iter().map(Vec::as_slice));
        let changed = change.map(|change| self.change_column(change));
        columns.extend(changed.as_deref());
        if columns.len() >= count {
            return None;
        }
        let solution = Design {
            columns,
            target: &self.target,
        }
        .solve()?;
        let evidence = Evidence::new(&solution, count, self.data.noise_variance());
        Some(Member {
            model: self.model(&solution.coefficients, change),
            weight: evidence.log + belief.ln(),
            variance: evidence.variance,
            factor: Cholesky::new(&solution.gram, solution.unknowns)?,
            scales: self.scales(),
        })
    }

    fn change_column(&self, change: Change) -> Vec<f64> {
        let values = self.data.at.iter().map(|at| at[change.parameter]);
        match change.kind {
            Kind::Step(_) => values
                .map(|p| f64::from(u8::from(p > change.above)))
                .collect(),
            Kind::Bend(_) => values
                .map(|p| (p.max(change.above) / change.above).ln())
                .collect(),
        }
    }

    fn model(&self, coefficients: &[f64; UNKNOWNS], change: Option<Change>) -> Model {
        let mut log = self.center + coefficients[0];
        let mut exponents = vec![0.0; self.data.dimensions()];
        for (index, &parameter) in self.varying.iter().enumerate() {
            let exponent = rounded(coefficients[index + 1]);
            exponents[parameter] = exponent;
            log -= exponent * self.centers[index].ln();
        }
        let last = coefficients[self.varying.len() + 1..]
            .first()
            .copied()
            .unwrap_or(0.0);
        let change = change.map(|change| Change {
            kind: match change.kind {
                Kind::Step(_) => Kind::Step(rounded(last.exp())),
                Kind::Bend(_) => Kind::Bend(rounded(last)),
            },
            ..change
        });
        Model(Form::Power(Power {
            coefficient: rounded(log.exp()),
            exponents,
            change,
        }))
    }

    fn scales(&self) -> [f64; UNKNOWNS] {
        let mut scales = [1.0; UNKNOWNS];
        scales[1..=self.centers.len()].copy_from_slice(&self.centers);
        scales
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
