//! Creates candidates that are sums of terms. A beam search starts with single terms, adds and
//! drops terms, and exchanges their factors.
//!
//! Each candidate is solved without bounds, and dropped if a coefficient isn't positive. In the
//! best nonnegative solution, that coefficient would be zero, so the candidate without that term
//! has the same solution.

use std::collections::{BTreeMap, BTreeSet};

use crate::law::assess::{Assessed, assess};
use crate::law::data::Data;
use crate::law::formula::{LawForm, rounded};
use crate::law::key::Key;
use crate::law::linear::{Design, Solution, UNKNOWNS};
use crate::law::member::Member;
use crate::law::term::{Factor, Term, factors};
use crate::law::{Model, screen};

/// Maximum number of solved candidates times points.
const WORK: usize = 500_000;

/// Number of candidates for which the exact evidence is computed.
const FINALISTS: usize = 150;

/// Prior beliefs in the shapes of a sum. A single term is mostly a power law, which is a separate
/// candidate. By far the most frequent shape is a constant plus one term. Sums of whole powers get
/// more belief, such as work that is divided among processes plus work that isn't, or n plus n^2.
/// The time of a message consists of a latency, a bandwidth, and a part that grows between them.
const CONSTANT: f64 = 0.15;
const SINGLE: f64 = 0.05;
const PLAIN: f64 = 0.4;
const TWO: f64 = 0.1;
const LONGER: f64 = 0.02;
const LONGEST: f64 = 0.01;
const WHOLE: f64 = 4.0;

/// Beliefs in factors: those that most algorithms have, those with whole or half powers, and all
/// others. The last number is the share of belief that a higher power keeps, because costs rarely
/// grow steeply.
const USUAL: f64 = 1.5;
const COMMON: f64 = 1.0;
const RARE: f64 = 0.5;
const STEEP: f64 = 0.15;

/// Exponents of a message's size in bytes, and of its logarithm.
const MESSAGES: [(f64, i32); 3] = [(0.0, 1), (0.5, 0), (1.0, 0)];

/// Share of a value below which a term is treated as negative, however uncertain its coefficient
/// is.
const NEGATIVE: f64 = -0.01;

/// Returns the most likely sums of terms.
pub(crate) fn members(data: &Data, signed: bool) -> Vec<Member> {
    let mut search = Search::new(data, signed);
    search.run();
    search.members()
}

struct Search<'a> {
    data: &'a Data,
    signed: bool,
    noise: f64,
    factors: Vec<Vec<Factor>>,
    /// Index of each term, by its factor indices plus one; zero means no factor.
    index: BTreeMap<Vec<usize>, usize>,
    terms: Vec<Weighted>,
    seen: BTreeSet<Key>,
    found: Vec<(f64, Key)>,
}

/// A term with its values, divided by the measurements and scaled to a maximum of 1.
pub(crate) struct Weighted {
    factors: Vec<usize>,
    term: Term,
    column: Vec<f64>,
    scale: f64,
    /// Logarithm of the belief in its factors.
    belief: f64,
}

impl<'a> Search<'a> {
    fn new(data: &'a Data, signed: bool) -> Self {
        let mut all: Vec<Vec<Factor>> = (0..data.dimensions())
            .map(|p| factors(&data.levels(p)))
            .collect();
        if let Some(messages) = data.messages {
            all[messages].retain(|it| MESSAGES.contains(&(it.exponent, it.logs)));
        }
        Self {
            data,
            signed,
            noise: data.noise_variance(),
            factors: screen::promising(data, all),
            index: BTreeMap::new(),
            terms: Vec::new(),
            seen: BTreeSet::new(),
            found: Vec::new(),
        }
    }

    fn run(&mut self) {
        let none = vec![0; self.data.dimensions()];
        let constant = self.term(none.clone());
        self.consider(Key::new(&[constant]));
        for parameter in 0..self.factors.len() {
            for factor in 1..=self.factors[parameter].len() {
                let mut single = none.clone();
                single[parameter] = factor;
                let term = self.term(single);
                for key in [&[term][..], &[constant, term]] {
                    self.consider(Key::new(key));
                }
            }
        }
        let dimensions = self
            .factors
            .iter()
            .filter(|factors| !factors.is_empty())
            .count();
        let rounds = if dimensions < 2 { 1 } else { UNKNOWNS };
        for round in 1..=rounds {
            let share = if round == 1 && rounds > 1 { 1 } else { 3 };
            let best = self.best(self.width() / share);
            for key in best {
                self.grow(key);
            }
        }
    }

    /// Returns how many candidates to grow within the limit on the work.
    fn width(&self) -> usize {
        let factors: usize = self.factors.iter().map(Vec::len).sum();
        (WORK / (self.data.len() * factors.max(1) * 3)).clamp(4, 100)
    }

    fn best(&mut self, count: usize) -> Vec<Key> {
        self.found
            .sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.found.iter().take(count).map(|(_, key)| *key).collect()
    }

    /// Considers a candidate's neighbors: with one more term, with one term less, and with a
    /// different factor in a term or in an added copy of it.
    fn grow(&mut self, key: Key) {
        for parameter in 0..self.factors.len() {
            for factor in 1..=self.factors[parameter].len() {
                let mut single = vec![0; self.factors.len()];
                single[parameter] = factor;
                let single = self.term(single);
                self.consider_with(key, single);
            }
        }
        for term in key.terms() {
            self.exchange(key, term);
            self.consider(key.without(term));
        }
    }

    /// Considers candidates in which one factor of a term is exchanged, or to which a copy of the
    /// term with one more factor is added.
    fn exchange(&mut self, key: Key, term: usize) {
        let old = self.terms[term].factors.clone();
        if old.iter().all(|&factor| factor == 0) {
            return;
        }
        for parameter in 0..self.factors.len() {
            for factor in 0..=self.factors[parameter].len() {
                let mut product = old.clone();
                product[parameter] = factor;
                let product = self.term(product);
                self.consider_with(key.without(term), product);
                if old[parameter] == 0 {
                    self.consider_with(key, product);
                }
            }
        }
    }

    fn consider_with(&mut self, key: Key, term: usize) {
        if let Some(key) = key.with(term) {
            self.consider(key);
        }
    }

    /// Returns the index of the term with these factors.
    fn term(&mut self, factors: Vec<usize>) -> usize {
        if let Some(&index) = self.index.get(&factors) {
            return index;
        }
        let mut belief = 1.0;
        let mut term = Term::constant(factors.len());
        for (parameter, &factor) in factors
            .iter()
            .enumerate()
            .filter(|(_, factor)| **factor > 0)
        {
            let all = &self.factors[parameter];
            term.0[parameter] = all[factor - 1];
            belief *= share(term.0[parameter], all);
        }
        let index = self.terms.len();
        self.index.insert(factors.clone(), index);
        let weighted = Weighted::new(self.data, factors, term, belief);
        self.terms.push(weighted);
        index
    }

    fn consider(&mut self, key: Key) {
        if key.len() == 0 || !self.seen.insert(key) {
            return;
        }
        if let Some(solution) = self.solve(key) {
            let count = self.data.len() as f64;
            let variance = solution.squares / count + self.noise + 1e-12;
            let freedom = count - key.len() as f64;
            let score = self.belief(key)
                - 0.5 * freedom * variance.ln()
                - 0.5 * solution.squares / variance;
            self.found.push((score, key));
        }
    }

    fn solve(&self, key: Key) -> Option<Solution> {
        let spare = usize::from(key.len() > 2);
        if key.len() > 1 && key.len() + spare > self.data.len() {
            return None;
        }
        solve(&self.sum(key), self.data, self.signed)
    }

    fn sum(&self, key: Key) -> Vec<&Weighted> {
        key.terms().map(|term| &self.terms[term]).collect()
    }

    /// Returns the logarithm of a candidate's prior belief.
    fn belief(&self, key: Key) -> f64 {
        let terms: f64 = key.terms().map(|term| self.terms[term].belief).sum();
        let has_messages = self.data.messages.is_some();
        let shape = match (key.contains(0), key.len()) {
            (true, 1) => CONSTANT,
            (true, 2) if !has_messages => PLAIN,
            (true, 3) if has_messages => PLAIN,
            (true, 2 | 3) => LONGER,
            (false, 1) => SINGLE,
            (false, 2) => TWO,
            _ => LONGEST,
        };
        let whole = if self.is_whole(key) { WHOLE } else { 1.0 };
        terms + shape.ln() + whole.ln() - STEEP.ln() * self.milder(key)
    }

    /// Returns `true` for two terms with whole powers. Half powers count too if neither term is a
    /// constant.
    fn is_whole(&self, key: Key) -> bool {
        let grain = if key.contains(0) { 1.0 } else { 2.0 };
        let is_whole =
            |factor: &Factor| factor.logs == 0 && (factor.exponent * grain).fract() == 0.0;
        let mut terms = key.terms().map(|it| &self.terms[it].term);
        key.len() == 2 && terms.all(|term| term.0.iter().all(is_whole))
    }

    /// Returns the sum of each parameter's exponents except the steepest, because any milder term
    /// can accompany a steep one.
    fn milder(&self, key: Key) -> f64 {
        let milder = |parameter: usize| {
            let terms = key.terms().map(|it| &self.terms[it].term.0[parameter]);
            let exponents: Vec<f64> = terms.map(|it| it.exponent.abs()).collect();
            exponents.iter().sum::<f64>() - exponents.iter().copied().fold(0.0, f64::max)
        };
        (0..self.data.dimensions()).map(milder).sum()
    }

    fn members(mut self) -> Vec<Member> {
        let best = self.best(FINALISTS);
        let assessed =
            |&key: &Key| assessed(&self.sum(key), self.data, self.signed, self.belief(key));
        best.iter().flat_map(assessed).collect()
    }
}

impl Weighted {
    pub(crate) fn new(data: &Data, factors: Vec<usize>, term: Term, belief: f64) -> Self {
        let values = data.at.iter().zip(&data.size);
        let mut column: Vec<f64> = values.map(|(at, size)| term.at(at) / size).collect();
        let largest = column.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        for value in &mut column {
            *value /= largest;
        }
        Self {
            factors,
            term,
            column,
            scale: 1.0 / largest,
            belief: belief.ln(),
        }
    }
}

/// Solves a sum by relative least squares; `None` if a coefficient isn't positive.
pub(crate) fn solve(sum: &[&Weighted], data: &Data, signed: bool) -> Option<Solution> {
    let least = if signed { f64::NEG_INFINITY } else { NEGATIVE };
    let target = target(data);
    let solution = design(sum, &target).solve_above(least)?;
    let coefficients = &solution.coefficients[..sum.len()];
    let finite = coefficients.iter().all(|c| c.is_finite());
    let positive = coefficients.iter().all(|&c| c > 1e-9);
    let is_constant = sum.len() == 1 && sum[0].term == Term::constant(data.dimensions());
    (finite && (signed || is_constant || positive)).then_some(solution)
}

fn target(data: &Data) -> Vec<f64> {
    let values = data.y.iter().zip(&data.size);
    values.map(|(y, size)| y / size).collect()
}

fn design<'a>(sum: &[&'a Weighted], target: &'a [f64]) -> Design<'a> {
    Design {
        columns: sum.iter().map(|it| it.column.as_slice()).collect(),
        target,
    }
}

/// Assesses a sum with this prior belief (a logarithm), and returns it as members.
pub(crate) fn assessed(sum: &[&Weighted], data: &Data, signed: bool, belief: f64) -> Vec<Member> {
    let has_logarithms = !signed && data.y.iter().all(|&y| y > 0.0);
    let solve = |design: &Design<'_>| {
        let solution = design.solve()?;
        if !has_logarithms {
            return Some(solution);
        }
        design.solve_logarithms(&solution)
    };
    let target = target(data);
    let assessed = assess(&design(sum, &target), data.noise_variance(), solve);
    let allowed = |assessed: &Assessed| signed || assessed.coefficients.iter().all(|&c| c >= 0.0);
    assessed
        .into_iter()
        .filter(allowed)
        .map(|assessed| member(sum, &assessed, belief))
        .collect()
}

fn member(sum: &[&Weighted], assessed: &Assessed, belief: f64) -> Member {
    let mut scales = [1.0; UNKNOWNS];
    let mut terms = Vec::new();
    for (place, weighted) in sum.iter().enumerate() {
        scales[place] = weighted.scale;
        let coefficient = rounded(assessed.coefficients[place] * weighted.scale);
        terms.push((coefficient, weighted.term.clone()));
    }
    Member {
        model: Model(LawForm::Sum(terms)),
        weight: assessed.log_evidence + belief,
        variance: assessed.variance,
        factor: assessed.factor,
        scales,
        powers: Vec::new(),
    }
}

/// Returns the share of belief that a constant keeps if a model's terms are this steep.
pub(crate) fn steepness(model: &Model) -> f64 {
    let LawForm::Sum(terms) = &model.0 else {
        return 1.0;
    };
    let factors = terms.iter().flat_map(|(_, term)| &term.0);
    let powers: f64 = factors.map(|factor| factor.exponent.abs()).sum();
    STEEP.powf(powers)
}

/// Returns a factor's share of the belief in all factors of its parameter.
pub(crate) fn share(factor: Factor, all: &[Factor]) -> f64 {
    let belief = |factor: Factor| {
        let common = (factor.exponent * 2.0).fract() == 0.0 && factor.logs < 2;
        let is_usual = screen::USUAL.contains(&(factor.exponent, factor.logs));
        let simple = match (is_usual, common) {
            (true, _) => USUAL,
            (false, true) => COMMON,
            (false, false) => RARE,
        };
        simple * STEEP.powf(factor.exponent.abs())
    };
    belief(factor) / all.iter().map(|&factor| belief(factor)).sum::<f64>()
}
