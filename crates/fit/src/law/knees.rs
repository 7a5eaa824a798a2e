//! Creates candidates whose cost depends on the memory level: one term for the whole working set
//! and, for each cache considered, the same term for the part of the working set that doesn't fit
//! in it.

use crate::law::data::Data;
use crate::law::linear::UNKNOWNS;
use crate::law::member::Member;
use crate::law::series::Knees;
use crate::law::sums::{self, Weighted, share};
use crate::law::term::{Beyond, Factor, Missing, Term, factors};

/// Prior belief that costs differ by cache level, if the machine has caches.
const LEVELS: f64 = 0.2;

const TERMS: usize = 100;

/// Returns sums for each choice of caches. A cache can be chosen if only some of the measured
/// working sets fit in it.
pub(crate) fn members(data: &Data, signed: bool, knees: &Knees) -> Vec<Member> {
    let levels = data.levels(knees.parameter);
    let divides = |size: &&f64| levels[0] <= **size && **size < levels[levels.len() - 1];
    let sizes: Vec<f64> = knees.sizes.iter().filter(divides).copied().collect();
    let terms = terms(data);
    let choices = choices(&sizes);
    let mut members = Vec::new();
    for (term, belief) in &terms {
        for choice in choices.iter().filter(|it| it.len() + 2 < data.len()) {
            let mut sum = vec![Weighted::new(data, Vec::new(), term.clone(), 1.0)];
            for beyond in choice {
                let mut term = term.clone();
                term.0[knees.parameter].beyond = Some(*beyond);
                sum.push(Weighted::new(data, Vec::new(), term, 1.0));
            }
            let sum: Vec<&Weighted> = sum.iter().collect();
            if sums::solve(&sum, data, signed).is_some() {
                let belief = LEVELS * belief / choices.len() as f64;
                members.extend(sums::assessed(&sum, data, signed, belief.ln()));
            }
        }
    }
    members
}

/// Returns choices of caches, each with the part of a larger working set that doesn't fit in the
/// cache.
fn choices(sizes: &[f64]) -> Vec<Vec<Beyond>> {
    let mut choices = Vec::new();
    for missing in [Missing::All, Missing::Share] {
        for subset in 1..1_usize << sizes.len().min(usize::BITS as usize / 2) {
            let chosen = (0..sizes.len()).filter(|bit| subset >> bit & 1 == 1);
            let chosen = chosen.map(|bit| Beyond {
                size: sizes[bit],
                missing,
            });
            choices.push(chosen.collect::<Vec<_>>());
        }
    }
    choices.retain(|it| it.len() < UNKNOWNS);
    choices
}

/// Returns products of whole and half powers of the parameters, with the belief in each; empty if
/// there are too many.
fn terms(data: &Data) -> Vec<(Term, f64)> {
    let mut terms = vec![(Term::constant(data.dimensions()), 1.0)];
    for parameter in 0..data.dimensions() {
        let mut all = factors(&data.levels(parameter));
        all.retain(|it| it.logs == 0 && (it.exponent * 2.0).fract() == 0.0);
        all.push(Factor::NONE);
        let with = |(term, belief): &(Term, f64)| {
            let (term, belief) = (term.clone(), *belief);
            let all = &all;
            all.iter().map(move |&factor| {
                let mut term = term.clone();
                term.0[parameter] = factor;
                (term, belief * share(factor, all))
            })
        };
        terms = terms.iter().flat_map(with).collect();
        if terms.len() > TERMS {
            return Vec::new();
        }
    }
    terms
}
