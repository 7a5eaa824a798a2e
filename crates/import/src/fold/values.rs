//! Writes values that differ between ranks as expressions in the cost language.

use std::fmt::Write as _;

use prophet_sim::statistics::mean;

use super::formula::formula;
use super::points::{Points, SIDES};
use super::ranks::{Condition, Conditions, RankSet};
use super::relation::{Places, Relation, Ring, Sized};
use super::sums::sum;

/// Maximum number of groups of ranks with the same value.
const GROUPS: usize = 6;
/// Maximum number of ranks whose amounts are listed one by one.
const LISTED: usize = 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    /// An expression that is valid for any number of ranks.
    General(String),
    /// An expression that is valid only for the trace's ranks.
    Special(String),
    /// Values by run, with their type in the cost language.
    Listed(&'static str, Vec<ListedRun>),
}

/// The values of a run's ranks, in order, and the condition that selects the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedRun {
    pub(crate) condition: String,
    pub(crate) values: Vec<(u32, String)>,
}

impl Expression {
    fn general(text: impl Into<String>) -> Self {
        Self::General(text.into())
    }
}

fn shifted(base: &str, distance: i64, conditions: &Conditions) -> String {
    let columns = conditions.points().columns();
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

/// Returns an expression for the partner of all ranks that have a relation.
pub(crate) fn partner(
    relation: &Relation,
    values: &[(u32, i64)],
    conditions: &Conditions,
) -> Expression {
    let ranks = conditions.points().most();
    if let Some(fixed) = relation.fixed
        && (values.len() > 1 || relation.offset.is_none())
    {
        let are_several = conditions.points().are_several();
        let ranks = if are_several { 0 } else { ranks };
        return Expression::general(rank(fixed, ranks));
    }
    if let Some(offset) = relation.offset {
        return Expression::general(shifted("pid", offset, conditions));
    }
    let is_cube = conditions.points().order.is_some();
    let sized = |it: Sized| sized(&it, relation.around, is_cube);
    if let Some(text) = relation.sized.and_then(sized) {
        return Expression::general(text);
    }
    if let Some(around) = relation.around {
        let (half, around) = (i64::from(ranks) / 2, around.count);
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
        _ => whole(values, conditions),
    }
}

/// Returns an expression for the partner at several sizes, if a relation that depends on the size
/// applies.
fn sized(relation: &Sized, around: Option<Places>, is_cube: bool) -> Option<String> {
    let (ahead, back) = nearer(around, relation.back);
    if let Some(ahead) = ahead {
        return Some(format!("(pid + {}) % NUM_PROCESSES", ahead.count));
    }
    if let Some(back) = back {
        let base = behind("pid", back, "NUM_PROCESSES");
        return Some(format!("({base}) % NUM_PROCESSES"));
    }
    let places = if is_cube {
        [in_cube, in_grid]
    } else {
        [in_grid, in_cube]
    };
    if let Some(text) = places.iter().find_map(|it| it(relation)) {
        return Some(text);
    }
    if relation.is_transposed {
        return Some("Transposed()".to_owned());
    }
    if let Some(last) = relation.last {
        return Some(format!("NUM_PROCESSES - {last}"));
    }
    let names = [("Columns()", "Rows()"), ("Rows()", "Columns()")];
    for (rings, (width, height)) in relation.torus.into_iter().zip(names) {
        if let Some([rows, columns]) = rings {
            let (row, column) = (format!("pid / {width}"), format!("pid % {width}"));
            let (row, column) = (turned(&row, rows, height), turned(&column, columns, width));
            return Some(format!("{row} * {width} + {column}"));
        }
    }
    for (rings, [fast, middle, slow]) in relation.rings.into_iter().zip(SIDES) {
        if let Some([columns, rows, planes]) = rings {
            let column = turned(&format!("pid % {fast}"), columns, fast);
            let row = turned(&format!("pid / {fast} % {middle}"), rows, middle);
            let plane = turned(&format!("pid / ({fast} * {middle})"), planes, slow);
            return Some(format!("({plane} * {middle} + {row}) * {fast} + {column}"));
        }
    }
    None
}

fn in_grid(relation: &Sized) -> Option<String> {
    let mut apart = relation.grid.iter().zip(["Columns()", "Rows()"]);
    apart.find_map(|(apart, width)| {
        let (rows, columns) = (*apart)?;
        let text = moved("pid".to_owned(), rows, Some(width));
        Some(moved(text, columns, None))
    })
}

fn in_cube(relation: &Sized) -> Option<String> {
    let mut apart = relation.cube.iter().zip(SIDES);
    apart.find_map(|(apart, [fast, middle, _])| {
        let [columns, rows, planes] = (*apart)?;
        let plane = format!("{fast} * {middle}");
        let text = moved("pid".to_owned(), planes, Some(&plane));
        Some(moved(moved(text, rows, Some(fast)), columns, None))
    })
}

/// Returns a text plus a multiple of `width`, or of 1 without a width.
fn moved(text: String, by: i32, width: Option<&str>) -> String {
    let sign = if by < 0 { '-' } else { '+' };
    match (by.abs(), width) {
        (0, _) => text,
        (size, None) => format!("{text} {sign} {size}"),
        (1, Some(width)) => format!("{text} {sign} {width}"),
        (size, Some(width)) => format!("{text} {sign} {size} * {width}"),
    }
}

/// Returns the position that is some places forward or backward on a ring of this size.
fn turned(place: &str, ring: Ring, size: &str) -> String {
    match nearer(ring.ahead, ring.back) {
        (Some(it), _) | (_, Some(it)) if it.count == 0 => format!("({place})"),
        (Some(ahead), _) => format!("(({place} + {}) % {size})", ahead.count),
        (None, Some(back)) => format!("(({}) % {size})", behind(place, back, size)),
        (None, None) => format!("({place})"),
    }
}

/// Returns the shorter of the ways around a ring that fit. For example, one place backward is 7
/// forward on a ring of 8, 3 on a ring of 4 and 1 on a ring of 2, so that 7 forward fits all three.
fn nearer(ahead: Option<Places>, back: Option<Places>) -> (Option<Places>, Option<Places>) {
    match (ahead, back) {
        (Some(one), Some(other)) if one.count > other.count => (None, back),
        (Some(_), Some(_)) => (ahead, None),
        _ => (ahead, back),
    }
}

/// Returns the position that is some places backward, before it is wrapped around the ring. The
/// ring can be smaller than the number of places.
fn behind(place: &str, back: Places, size: &str) -> String {
    match back.count {
        count @ ..=1 => format!("{place} + {size} - {count}"),
        count => format!("{place} + {count} * {size} - {count}"),
    }
}

/// Returns a rank's number, or a name for the last rank.
fn rank(number: i64, ranks: u32) -> String {
    if number > 0 && number == i64::from(ranks) - 1 {
        return "NUM_PROCESSES - 1".to_owned();
    }
    number.to_string()
}

/// Returns an expression for the ranks' integers.
pub(crate) fn whole(values: &[(u32, i64)], conditions: &Conditions) -> Expression {
    if conditions.points().are_several() {
        return of_sizes(values, conditions);
    }
    let (first, value) = values[0];
    if values.iter().all(|it| it.1 == value) {
        return Expression::general(value.to_string());
    }
    let offset = value - i64::from(first);
    if values.iter().all(|it| it.1 == i64::from(it.0) + offset) {
        return Expression::general(shifted("pid", offset, conditions));
    }
    let same = |one: i64, other: i64| one == other;
    let choice = chosen(values, conditions, same, |it| it.to_string());
    choice.unwrap_or_else(|| listed("long", values, conditions.points(), |it| it.to_string()))
}

/// Returns an expression for integers at several sizes: a formula, two formulas with a condition
/// that selects one, a sum of terms, or a list for each size.
fn of_sizes(values: &[(u32, i64)], conditions: &Conditions) -> Expression {
    let points = conditions.points();
    if let Some(text) = formula(values, points) {
        return Expression::general(text);
    }
    for (condition, holds) in conditions.plainest() {
        let (inside, outside): (Vec<_>, Vec<_>) = values.iter().partition(|it| holds.has(it.0));
        let both = formula(&inside, points).zip(formula(&outside, points));
        if let Some((inside, outside)) = both {
            return Expression::general(format!("{condition} ? {inside} : {outside}"));
        }
    }
    if let Some(text) = sum(values, points) {
        return Expression::general(text);
    }
    listed("long", values, points, |it| it.to_string())
}

/// Returns an expression for the ranks' amounts, which is the mean if they differ by at most the
/// share `same`.
pub(crate) fn amounts(values: &[(u32, f64)], conditions: &Conditions, same: f64) -> Expression {
    let mean = mean(values.iter().map(|it| it.1));
    let is_near = |one: f64, other: f64| (one - other).abs() <= same * one.abs().max(other.abs());
    if values.iter().all(|it| is_near(it.1, mean)) {
        return Expression::general(number(mean));
    }
    let choice = chosen(values, conditions, is_near, number);
    choice.unwrap_or_else(|| {
        if values.len() > LISTED {
            return Expression::Special(number(mean));
        }
        listed("double", values, conditions.points(), number)
    })
}

/// Lists the values of all ranks, for each run that can be told apart.
pub(crate) fn listed<V: Copy>(
    of: &'static str,
    values: &[(u32, V)],
    points: &Points,
    show: impl Fn(V) -> String,
) -> Expression {
    let one = |(run, condition): (usize, String)| {
        let own = values.iter().map(|it| (points.at(it.0), show(it.1)));
        let own = own.filter(|it| it.0.run == run);
        let mut values: Vec<(u32, String)> = own
            .map(|(it, value)| (u32::try_from(it.pid).unwrap_or(0), value))
            .collect();
        values.sort();
        (!values.is_empty()).then_some(ListedRun { condition, values })
    };
    Expression::Listed(of, points.distinct().into_iter().filter_map(one).collect())
}

/// Formats a real number with seven digits.
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

/// Returns a choice among the values of a few groups of ranks; `None` if there are too many groups.
fn chosen<V: Copy>(
    values: &[(u32, V)],
    conditions: &Conditions,
    is_same: impl Fn(V, V) -> bool,
    show: impl Fn(V) -> String,
) -> Option<Expression> {
    let count = conditions.points().count();
    let mut groups: Vec<(V, RankSet)> = Vec::new();
    for (rank, value) in values {
        match groups.iter_mut().find(|it| is_same(it.0, *value)) {
            Some((_, set)) => set.insert(*rank),
            None => groups.push((*value, RankSet::of(count, |it| it == *rank))),
        }
        if groups.len() > GROUPS {
            return None;
        }
    }
    groups.sort_by_key(|(_, set)| std::cmp::Reverse(set.iter().count()));
    let (last, others) = groups.split_first()?;
    let mut all = last.1.without_any();
    for (rank, _) in values {
        all.insert(*rank);
    }
    let mut is_general = true;
    let mut text = String::new();
    for (value, set) in others {
        let condition = match conditions.guard(set, &all, &[])? {
            Condition::General(condition) => condition,
            Condition::Listed(condition) => {
                is_general = false;
                condition
            }
            Condition::Long => return None,
        };
        let condition = if condition.contains("||") {
            format!("({condition})")
        } else {
            condition
        };
        let _ = write!(text, "{condition} ? {} : ", show(*value));
    }
    text += &show(last.0);
    Some(if is_general {
        Expression::General(text)
    } else {
        Expression::Special(text)
    })
}
