//! Points on their way to a page.

use std::collections::BTreeMap;

use super::data::{Measure, Parameter, Table};

/// Number of values that a page holds: a page of this size has about 20 MB and opens in seconds.
pub const CELLS_MAX: u64 = 1 << 21;

/// Number of different reasons of failures that a page tells apart.
const FAILURES_MAX: usize = 1000;
const OTHER_FAILURE: &str = "another failure: the page tells 1000 of them apart";

/// Value of a parameter at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value<'a> {
    /// The value as in a command line.
    pub text: &'a str,
    /// Number in it, if it is one, with or without a unit.
    pub number: Option<f64>,
    /// The unit behind the number.
    pub unit: &'a str,
}

/// Results at a point, in the order of the measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found<'a> {
    /// Means over the seeds; not a number where there is none.
    pub means: &'a [f64],
    /// Half widths of their intervals at 95 %, as far as they are known: fewer, or not a number.
    pub half_widths: &'a [f64],
    /// Number of seeds.
    pub seeds: u32,
}

/// Points of a sweep, as far as a page has room for them.
///
/// Of a sweep with more than [`CELLS_MAX`] values, a part of the points is kept, together with the
/// best one of each measure. A point is in that part by its index alone, so a page does not depend
/// on the order in which points are found; and the part is random, since one point of each so many
/// would often be the same value of a parameter.
#[derive(Debug)]
pub struct Rows {
    /// The largest mixed index that is kept.
    kept_max: u64,
    points: u64,
    failed: u64,
    parameters: Vec<(Parameter, Values)>,
    measures: Vec<Measure>,
    kept: Vec<Row>,
    /// By measure, the best point so far.
    best: Vec<Option<Row>>,
    failures: BTreeMap<String, u32>,
}

/// Different values of a parameter, with what is known of each.
#[derive(Debug, Clone, Default)]
struct Values {
    places: BTreeMap<String, u32>,
    listed: Vec<(String, Option<f64>)>,
    unit: Option<String>,
    is_numeric: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Row {
    index: u64,
    places: Vec<u32>,
    means: Vec<f64>,
    half_widths: Vec<f64>,
    seeds: u32,
    failure: u32,
}

impl Rows {
    /// Begins a table of so many points.
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

    /// Names of the parameters.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|(it, _)| it.name.as_str())
    }

    /// Takes a point, with its results or the reason why there are none. Points come once each.
    ///
    /// # Panics
    ///
    /// If there are not as many values as parameters, or means as measures.
    pub fn push(&mut self, index: u64, values: &[Value], found: &Result<Found, String>) {
        assert_eq!(values.len(), self.parameters.len(), "a value each");
        self.points += 1;
        self.failed += u64::from(found.is_err());
        let is_kept = mixed(index) <= self.kept_max;
        let records = self.records(index, found);
        if !is_kept && records.is_empty() {
            return;
        }
        let row = self.row(index, values, found);
        for measure in records {
            self.best[measure] = Some(row.clone());
        }
        if is_kept {
            self.kept.push(row);
        }
    }

    /// Keeps a point that [`Self::push`] takes or has taken, whether there is room for all or not.
    ///
    /// # Panics
    ///
    /// As [`Self::push`].
    pub fn keep(&mut self, index: u64, values: &[Value], found: &Result<Found, String>) {
        assert_eq!(values.len(), self.parameters.len(), "a value each");
        let row = self.row(index, values, found);
        self.kept.push(row);
    }

    /// Measures in which a point is better than all that came before.
    fn records(&self, index: u64, found: &Result<Found, String>) -> Vec<usize> {
        let Ok(found) = found else {
            return Vec::new();
        };
        assert_eq!(found.means.len(), self.measures.len(), "a mean each");
        let is_better = |measure: &usize| {
            let mean = found.means[*measure];
            let sign = if self.measures[*measure].more_is_better {
                -1.0
            } else {
                1.0
            };
            let best = self.best[*measure].as_ref();
            !mean.is_nan()
                && best.is_none_or(|best| {
                    let ahead = sign * mean - sign * best.means[*measure];
                    ahead < 0.0 || ahead == 0.0 && index < best.index
                })
        };
        (0..self.measures.len()).filter(is_better).collect()
    }

    fn row(&mut self, index: u64, values: &[Value], found: &Result<Found, String>) -> Row {
        let places = self.parameters.iter_mut().zip(values);
        let places = places
            .map(|((_, known), value)| known.place(value))
            .collect();
        let nothing = Found {
            means: &[],
            half_widths: &[],
            seeds: 0,
        };
        let (found, failure) = match found {
            Ok(found) => (found, 0),
            Err(reason) => (&nothing, self.failure(reason)),
        };
        let column = |values: &[f64]| {
            let known = values.iter().copied().chain(std::iter::repeat(f64::NAN));
            known.take(self.measures.len()).collect()
        };
        Row {
            index,
            places,
            means: column(found.means),
            half_widths: column(found.half_widths),
            seeds: found.seeds,
            failure,
        }
    }

    fn failure(&mut self, reason: &str) -> u32 {
        let full = self.failures.len() >= FAILURES_MAX && !self.failures.contains_key(reason);
        let reason = if full { OTHER_FAILURE } else { reason };
        let next = u32::try_from(self.failures.len() + 1).expect("there are few");
        *self.failures.entry(reason.to_owned()).or_insert(next)
    }

    /// Ends the table.
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
    fn place(&mut self, value: &Value) -> u32 {
        if let Some(place) = self.places.get(value.text) {
            return *place;
        }
        let unit = self.unit.get_or_insert_with(|| value.unit.to_owned());
        self.is_numeric &= value.number.is_some() && unit == value.unit;
        let place = u32::try_from(self.listed.len()).expect("a page has fewer rows");
        self.places.insert(value.text.to_owned(), place);
        self.listed.push((value.text.to_owned(), value.number));
        place
    }

    /// Completes a parameter with the values that the rows at these places have.
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

/// A number that looks random and is another one for each index (Steele, Lea and Flood, Fast
/// Splittable Pseudorandom Number Generators, 2014).
fn mixed(index: u64) -> u64 {
    let number = index.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
