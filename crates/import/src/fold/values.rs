//! Values that differ between ranks, as expressions of the cost language.

use std::fmt::Write as _;

use super::ranks::{Conditions, Ranks};
use super::relation::Relation;

/// Most groups of ranks of one value each.
const GROUPS: usize = 6;
/// Most ranks that are listed one by one.
const LISTED: usize = 64;

/// Expression, and true if it holds for any number of ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) is_general: bool,
}

impl Expression {
    fn general(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_general: true,
        }
    }
}

/// `pid` and a distance.
fn shifted(base: &str, distance: i64, conditions: &Conditions) -> String {
    let columns = conditions.columns().map(i64::from);
    let (sign, size) = if distance < 0 {
        ("-", -distance)
    } else {
        ("+", distance)
    };
    match columns {
        _ if distance == 0 => base.to_owned(),
        Some(columns) if columns == size && size > 1 => format!("{base} {sign} Columns()"),
        _ => format!("{base} {sign} {size}"),
    }
}

/// The partner of all ranks for which a relation holds.
pub(crate) fn partner(
    relation: Relation,
    values: &[(u32, i64)],
    ranks: u32,
    conditions: &Conditions,
) -> Expression {
    if let Some(fixed) = relation.fixed
        && (values.len() > 1 || relation.offset.is_none())
    {
        return Expression::general(rank(fixed, ranks));
    }
    if let Some(offset) = relation.offset {
        return Expression::general(shifted("pid", offset, conditions));
    }
    if let Some(around) = relation.around {
        let half = i64::from(ranks) / 2;
        let text = if around > half {
            let back = i64::from(ranks) - around;
            let base = shifted("pid + NUM_PROCESSES", -back, conditions);
            format!("({base}) % NUM_PROCESSES")
        } else {
            format!("({}) % NUM_PROCESSES", shifted("pid", around, conditions))
        };
        return Expression::general(text);
    }
    match relation.flipped {
        Some(bits) if bits.count_ones() == 1 => {
            let text = format!("pid / {bits} % 2 == 0 ? pid + {bits} : pid - {bits}");
            Expression::general(text)
        }
        _ => whole(values, ranks, conditions),
    }
}

/// The number of a rank; the last one is named as such.
fn rank(number: i64, ranks: u32) -> String {
    if number > 0 && number == i64::from(ranks) - 1 {
        return "NUM_PROCESSES - 1".to_owned();
    }
    number.to_string()
}

/// Whole numbers of ranks.
pub(crate) fn whole(values: &[(u32, i64)], ranks: u32, conditions: &Conditions) -> Expression {
    let (first, value) = values[0];
    if values.iter().all(|it| it.1 == value) {
        return Expression::general(value.to_string());
    }
    let offset = value - i64::from(first);
    if values.iter().all(|it| it.1 == i64::from(it.0) + offset) {
        return Expression::general(shifted("pid", offset, conditions));
    }
    let same = |one: i64, other: i64| one == other;
    chosen(values, ranks, conditions, same, |it| it.to_string())
}

/// Amounts of ranks: means, where they differ by no more than that share.
pub(crate) fn amounts(
    values: &[(u32, f64)],
    ranks: u32,
    conditions: &Conditions,
    same: f64,
) -> Expression {
    let mean = mean(values);
    let is_near = |one: f64, other: f64| (one - other).abs() <= same * one.abs().max(other.abs());
    if values.iter().all(|it| is_near(it.1, mean)) {
        return Expression::general(number(mean));
    }
    let mut chosen = chosen(values, ranks, conditions, is_near, number);
    if values.len() > LISTED && !chosen.is_general {
        chosen.text = number(mean);
    }
    chosen
}

fn mean(values: &[(u32, f64)]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "there are few ranks")]
    let count = values.len().max(1) as f64;
    values.iter().map(|it| it.1).sum::<f64>() / count
}

/// A real number with seven digits.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.6e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    if digits == "0" {
        return "0".to_owned();
    }
    if exponent == "0" {
        return digits.to_owned();
    }
    format!("{digits}e{exponent}")
}

/// A choice among the values of groups of ranks, or of all ranks one by one.
fn chosen<V: Copy>(
    values: &[(u32, V)],
    ranks: u32,
    conditions: &Conditions,
    is_same: impl Fn(V, V) -> bool,
    show: impl Fn(V) -> String,
) -> Expression {
    let mut groups: Vec<(V, Ranks)> = Vec::new();
    for (rank, value) in values {
        match groups.iter_mut().find(|it| is_same(it.0, *value)) {
            Some((_, set)) => set.insert(*rank),
            None => groups.push((*value, Ranks::of(ranks, |it| it == *rank))),
        }
    }
    groups.sort_by_key(|(_, set)| std::cmp::Reverse(set.iter().count()));
    let all = Ranks::of(ranks, |it| values.iter().any(|(rank, _)| *rank == it));
    let mut is_general = groups.len() <= GROUPS;
    let mut text = String::new();
    let (last, others) = groups
        .split_first()
        .unwrap_or_else(|| unreachable!("there is a value"));
    for (value, set) in others {
        let (condition, is_plain) = conditions
            .guard(set, &all, &[])
            .unwrap_or_else(|| unreachable!("the ranks have several values"));
        is_general &= is_plain;
        let condition = if condition.contains("||") {
            format!("({condition})")
        } else {
            condition
        };
        let _ = write!(text, "{condition} ? {} : ", show(*value));
    }
    text += &show(last.0);
    Expression { text, is_general }
}
