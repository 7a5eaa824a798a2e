//! Selects the points that a page shows.

use std::collections::BTreeMap;

use super::data::{Measure, Parameter, Table};
use crate::evaluate::SweepRow;
use crate::space::AxisValue;

/// Maximum number of values on a page. A page with this many values takes about 20 MB and opens
/// within seconds.
pub const CELLS_MAX: u64 = 1 << 21;

/// Maximum number of different failures on a page.
const FAILURES_MAX: usize = 1000;
const OTHER_FAILURE: &str = "another error: the page only distinguishes 1000 of them";

/// The points of a sweep, or as many of them as a page has room for.
///
/// If a sweep has more than [`CELLS_MAX`] values, only some of its points are kept, including the
/// best one for each measure. A pseudorandom function of the index selects them: a page must not
/// depend on the order of evaluation, and every n-th point would often have the same value of a
/// parameter.
#[derive(Debug)]
pub struct PageRows {
    /// Rows are kept if their [`mixed`] index is at most this.
    kept_max: u64,
    points: u64,
    failed: u64,
    parameters: Vec<(Parameter, Values)>,
    measures: Vec<Measure>,
    kept: Vec<PageRow>,
    best: Vec<Option<PageRow>>,
    failures: BTreeMap<String, u32>,
}

/// A parameter's distinct values, with a number for each, and their unit.
#[derive(Debug, Clone, Default)]
struct Values {
    places: BTreeMap<String, u32>,
    listed: Vec<(String, Option<f64>)>,
    unit: Option<String>,
    is_numeric: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct PageRow {
    index: u64,
    places: Vec<u32>,
    means: Vec<f64>,
    half_widths: Vec<f64>,
    seeds: u32,
    failure: u32,
}

impl PageRows {
    /// Starts a table for a sweep with this number of points.
    pub fn new(points: u64, parameters: Vec<Parameter>, measures: Vec<Measure>) -> Self {
        let columns = parameters.len() + 2 * measures.len() + 1;
        let room = CELLS_MAX / u64::try_from(columns).unwrap_or(u64::MAX);
        let numeric = Values {
            is_numeric: true,
            ..Values::default()
        };
        let kept_max = match u64::MAX.checked_div(points) {
            Some(each) if points > room => each.saturating_mul(room),
            _ => u64::MAX,
        };
        Self {
            kept_max,
            points: 0,
            failed: 0,
            best: vec![None; measures.len()],
            parameters: parameters
                .into_iter()
                .map(|parameter| (parameter, numeric.clone()))
                .collect(),
            measures,
            kept: Vec::new(),
            failures: BTreeMap::new(),
        }
    }

    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|(it, _)| it.name.as_str())
    }

    /// Takes a row and its means, in the order of the measures. A point that failed has no means.
    /// Pass each point only once.
    ///
    /// # Panics
    ///
    /// Panics if the number of values differs from the number of parameters, or the number of means
    /// from the number of measures.
    pub fn push(&mut self, row: &SweepRow, means: &[f64]) {
        self.points += 1;
        self.failed += u64::from(row.found.is_err());
        let is_kept = mixed(row.index) <= self.kept_max;
        let records = self.records(row, means);
        if !is_kept && records.is_empty() {
            return;
        }
        let row = self.row(row, means);
        for measure in records {
            self.best[measure] = Some(row.clone());
        }
        if is_kept {
            self.kept.push(row);
        }
    }

    /// Keeps a row even if there isn't room for all rows. Also pass the row to [`Self::push`].
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`Self::push`].
    pub fn keep(&mut self, row: &SweepRow, means: &[f64]) {
        let row = self.row(row, means);
        self.kept.push(row);
    }

    /// Returns the measures in which a point beats all earlier points.
    fn records(&self, row: &SweepRow, means: &[f64]) -> Vec<usize> {
        if row.found.is_err() {
            return Vec::new();
        }
        assert_eq!(means.len(), self.measures.len(), "a mean each");
        let is_better = |measure: &usize| {
            let mean = means[*measure];
            let sign = if self.measures[*measure].more_is_better {
                -1.0
            } else {
                1.0
            };
            let best = self.best[*measure].as_ref();
            !mean.is_nan()
                && best.is_none_or(|best| {
                    let ahead = sign * mean - sign * best.means[*measure];
                    ahead < 0.0 || ahead == 0.0 && row.index < best.index
                })
        };
        (0..self.measures.len()).filter(is_better).collect()
    }

    fn row(&mut self, row: &SweepRow, means: &[f64]) -> PageRow {
        assert_eq!(row.values.len(), self.parameters.len(), "a value each");
        let places = self.parameters.iter_mut().zip(&row.values);
        let places = places.map(|((_, known), value)| known.place(value));
        let places = places.collect();
        let (half_width_s, seeds, failure) = match &row.found {
            Ok(found) => (found.half_width_s, found.seeds, 0),
            Err(reason) => (f64::NAN, 0, self.failure(reason)),
        };
        let column = |values: &[f64]| {
            let known = values.iter().copied().chain(std::iter::repeat(f64::NAN));
            known.take(self.measures.len()).collect()
        };
        PageRow {
            index: row.index,
            places,
            means: column(means),
            // The interval is known only for the predicted time, which is the first measure.
            half_widths: column(&[half_width_s]),
            seeds: u32::try_from(seeds).unwrap_or(u32::MAX),
            failure,
        }
    }

    fn failure(&mut self, reason: &str) -> u32 {
        let full = self.failures.len() >= FAILURES_MAX && !self.failures.contains_key(reason);
        let reason = if full { OTHER_FAILURE } else { reason };
        let next = u32::try_from(self.failures.len() + 1).expect("there are few");
        *self.failures.entry(reason.to_owned()).or_insert(next)
    }

    pub fn finish(mut self) -> Table {
        self.kept.extend(self.best.drain(..).flatten());
        self.kept.sort_by_key(|row| row.index);
        self.kept.dedup_by_key(|row| row.index);
        let rows = &self.kept;
        let parameters = self.parameters.into_iter().enumerate();
        let parameters = parameters.map(|(at, (parameter, values))| {
            let places = rows.iter().map(|row| row.places[at]);
            values.finish(parameter, places)
        });
        let measures = self.measures.into_iter().enumerate();
        let measures = measures.map(|(at, measure)| {
            let halves = rows.iter().map(|row| row.half_widths[at]);
            let has_halves = halves.clone().any(|half| !half.is_nan());
            Measure {
                mean: rows.iter().map(|row| row.means[at]).collect(),
                half_width: halves.filter(|_| has_halves).collect(),
                ..measure
            }
        });
        let mut failures: Vec<(u32, String)> = self
            .failures
            .into_iter()
            .map(|(reason, place)| (place, reason))
            .collect();
        failures.sort_unstable();
        #[expect(
            clippy::cast_precision_loss,
            reason = "sweeps have fewer than 2^53 points"
        )]
        let index = rows.iter().map(|row| row.index as f64).collect();
        Table {
            points: self.points,
            failed: self.failed,
            parameters: parameters.collect(),
            measures: measures.collect(),
            index,
            seeds: rows.iter().map(|row| row.seeds).collect(),
            failure: rows.iter().map(|row| row.failure).collect(),
            failures: failures.into_iter().map(|(_, reason)| reason).collect(),
        }
    }
}

impl Values {
    fn place(&mut self, value: &AxisValue) -> u32 {
        let text = value.to_string();
        if let Some(place) = self.places.get(&text) {
            return *place;
        }
        let unit = self.unit.get_or_insert_with(|| value.unit().to_owned());
        self.is_numeric &= value.number().is_some() && unit == value.unit();
        let place = u32::try_from(self.listed.len()).expect("a page has fewer rows");
        self.places.insert(text.clone(), place);
        self.listed.push((text, value.number()));
        place
    }

    /// Completes a parameter. `places` are the numbers of the rows' values.
    fn finish(
        mut self,
        parameter: Parameter,
        places: impl Iterator<Item = u32> + Clone,
    ) -> Parameter {
        let mut used = vec![false; self.listed.len()];
        for place in places.clone() {
            used[place as usize] = true;
        }
        let mut order: Vec<usize> = (0..used.len()).filter(|&place| used[place]).collect();
        if self.is_numeric {
            let number = |place: &usize| self.listed[*place].1.unwrap_or(f64::NAN);
            order.sort_by(|one, other| number(one).total_cmp(&number(other)));
        }
        let mut new_places = vec![0; used.len()];
        for (new, &old) in (0..).zip(&order) {
            new_places[old] = new;
        }
        let values = order
            .iter()
            .map(|&place| std::mem::take(&mut self.listed[place].0));
        Parameter {
            values: values.collect(),
            place: places.map(|place| new_places[place as usize]).collect(),
            unit: self.unit.filter(|_| self.is_numeric).unwrap_or_default(),
            is_numeric: self.is_numeric,
            ..parameter
        }
    }
}

/// Returns a number that looks random, and is different for each index (Steele, Lea and Flood, Fast
/// Splittable Pseudorandom Number Generators, 2014).
fn mixed(index: u64) -> u64 {
    let number = index.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
