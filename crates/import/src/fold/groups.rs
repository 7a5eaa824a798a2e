//! Describes groups of ranks that have their own collectives, using values that are equal within a
//! group.

use std::collections::BTreeMap;

use super::node::Act;
use super::points::{FoldPoint, Points};
use super::ranks::Conditions;
use super::values::{Expression, listed};
use crate::event::Group;

const OTHERS: i64 = -1;

/// Returns the value that splits a step's ranks into groups; `None` if all ranks make the call
/// together.
pub(super) fn color(acts: &[(u32, Act)], conditions: &Conditions) -> Option<Expression> {
    let points = conditions.points();
    if points.are_several() {
        return of_sizes(acts, points);
    }
    let ranks = points.most();
    let groups: Option<Vec<(u32, &Group)>> = acts
        .iter()
        .map(|(rank, act)| Some((*rank, act.group()?)))
        .collect();
    let groups: BTreeMap<u32, &Group> = groups?.into_iter().collect();
    let distinct: BTreeMap<u32, &Group> = groups.values().map(|it| (it.number, *it)).collect();
    // Each part has that many ranks.
    let is_parted = |part: &dyn Fn(u32) -> u32, count: u32| {
        distinct.values().all(|group| {
            let own = part(group.first());
            group.members.len() == count as usize && group.members.iter().all(|it| part(*it) == own)
        })
    };
    for size in (2..ranks).filter(|it| ranks.is_multiple_of(*it)) {
        let is_row = is_parted(&|it| it / size, size);
        if is_row || is_parted(&|it| it % size, ranks / size) {
            let sign = if is_row { '/' } else { '%' };
            return Some(if points.columns() == Some(i64::from(size)) {
                Expression::General(format!("pid {sign} Columns()"))
            } else {
                Expression::Special(format!("pid {sign} {size}"))
            });
        }
    }
    Some(listed_of(&groups, points))
}

/// Returns a list of each group's first rank, for all points.
fn listed_of(groups: &BTreeMap<u32, &Group>, points: &Points) -> Expression {
    let value = |point: u32| {
        let own = groups.get(&point);
        own.map_or(OTHERS, |group| i64::from(group.first()))
    };
    let values: Vec<(u32, i64)> = (0..points.count()).map(|it| (it, value(it))).collect();
    listed("long", &values, points, |it| it.to_string())
}

type Width = fn(FoldPoint) -> i64;

/// Returns the value that divides the ranks at several sizes. If correct for all sizes, it is a
/// grid's rows or columns; otherwise, it lists the first ranks of each size's groups.
fn of_sizes(acts: &[(u32, Act)], points: &Points) -> Option<Expression> {
    let groups: Option<Vec<(FoldPoint, &Group)>> = acts
        .iter()
        .map(|(point, act)| Some((points.at(*point), act.group()?)))
        .collect();
    let groups = groups?;
    let widths: [(&str, Width); 2] = [("Columns()", |it| it.columns), ("Rows()", FoldPoint::rows)];
    let count = |group: &Group| i64::try_from(group.members.len()).unwrap_or(i64::MAX);
    for (name, width) in widths {
        let is_row = |(it, group): &(FoldPoint, &Group)| {
            let row = it.pid / width(*it);
            count(group) == width(*it)
                && group
                    .members
                    .iter()
                    .all(|rank| i64::from(*rank) / width(*it) == row)
        };
        let is_column = |(it, group): &(FoldPoint, &Group)| {
            let column = it.pid % width(*it);
            count(group) == it.ranks / width(*it)
                && group
                    .members
                    .iter()
                    .all(|rank| i64::from(*rank) % width(*it) == column)
        };
        if groups.iter().all(is_row) {
            return Some(Expression::General(format!("pid / {name}")));
        }
        if groups.iter().all(is_column) {
            return Some(Expression::General(format!("pid % {name}")));
        }
    }
    let groups: Option<_> = acts.iter().map(|it| Some((it.0, it.1.group()?))).collect();
    Some(listed_of(&groups?, points))
}
