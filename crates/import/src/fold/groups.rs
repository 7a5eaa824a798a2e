//! Groups of ranks that call collectives of their own, as values that are equal within a group.

use std::collections::BTreeMap;

use super::ranks::Conditions;
use super::sequence::Act;
use super::values::Expression;
use crate::event::Group;

/// Value of all ranks that do not call.
const OTHERS: i64 = -1;

/// The value by which the ranks of a step are parted; nothing where all ranks call together.
pub(super) fn color(
    acts: &[(u32, Act)],
    ranks: u32,
    conditions: &Conditions,
) -> Option<Expression> {
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
            return Some(if conditions.columns() == Some(size) {
                Expression::General(format!("pid {sign} Columns()"))
            } else {
                Expression::Special(format!("pid {sign} {size}"))
            });
        }
    }
    let value = |rank: u32| {
        let own = groups.get(&rank);
        own.map_or(OTHERS, |group| i64::from(group.first()))
    };
    let values = (0..ranks).map(|rank| (rank, value(rank).to_string()));
    Some(Expression::Listed("long", values.collect()))
}
