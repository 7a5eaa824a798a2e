//! Creates candidates whose growth saturates: the reciprocal of the sum of a constant and a falling
//! power, such as 1 / (a + b / p), which is the law of L. Michaelis and M. Menten (1913). Roots of
//! this law, which saturate sooner, are candidates too.

use crate::law::data::Data;
use crate::law::formula::LawForm;
use crate::law::member::Member;
use crate::law::sums::{self, Weighted};
use crate::law::term::Term;

const SATURATING: f64 = 0.1;

/// Exponents of the falling power, and the degree of the root for each.
const FORMS: [(f64, f64); 5] = [
    (-1.0, 1.0),
    (-2.0, 1.0),
    (-0.5, 1.0),
    (-2.0, 2.0),
    (-4.0, 4.0),
];

/// Minimum number of values to show that growth ends. With four, predictions of LULESH and of
/// collectives get worse.
const VALUES: usize = 5;

/// Minimum share of the constant in the largest value. Below it, the measurements don't saturate.
const ENDED: f64 = 0.03;

/// Returns laws in the only parameter that varies; empty if several vary, or if a number has no
/// inverse.
pub(crate) fn members(data: &Data) -> Vec<Member> {
    let varying = (0..data.dimensions()).filter(|&p| data.levels(p).len() > 1);
    let [parameter] = varying.collect::<Vec<usize>>()[..] else {
        return Vec::new();
    };
    if data.len() < VALUES || data.levels(parameter)[0] <= 0.0 {
        return Vec::new();
    }
    let laws = FORMS.map(|(exponent, root)| law(data, parameter, exponent, root));
    laws.concat()
}

fn law(data: &Data, parameter: usize, exponent: f64, root: f64) -> Vec<Member> {
    let Some(inverse) = data.inverse(root) else {
        return Vec::new();
    };
    let constant = Term::constant(data.dimensions());
    let mut falling = constant.clone();
    falling.0[parameter].exponent = exponent;
    let sum =
        [constant.clone(), falling].map(|term| Weighted::new(&inverse, Vec::new(), term, 1.0));
    let sum: Vec<&Weighted> = sum.iter().collect();
    if sums::solve(&sum, &inverse, false).is_none() {
        return Vec::new();
    }
    // The density of logarithms that are spread `root` times as wide.
    let belief = (SATURATING / FORMS.len() as f64).ln() + data.len() as f64 * root.ln();
    let mut members = sums::assessed(&sum, &inverse, false, belief);
    let largest = { data.at.iter() }.max_by(|a, b| a[parameter].total_cmp(&b[parameter]));
    members.retain_mut(|member| {
        let whole = largest.map_or(f64::NAN, |at| member.model.at(at));
        let LawForm::Sum(terms) = &member.model.0 else {
            return false;
        };
        let limits = terms.iter().filter(|(_, term)| *term == constant);
        let limit: f64 = limits.map(|(coefficient, _)| coefficient).sum();
        member.model.0 = LawForm::Over(terms.clone(), root);
        member.variance /= root * root;
        limit >= ENDED * whole
    });
    members
}
