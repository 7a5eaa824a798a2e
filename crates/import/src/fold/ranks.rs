//! Represents sets of ranks, and the conditions that select them.

use super::points::{FoldPoint, GRID, Points, SIDES};

/// A set of ranks, stored as a bit set of points.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RankSet(Vec<u64>);

impl RankSet {
    /// Returns the set of those points below `count` that fit.
    pub(crate) fn of(count: u32, fits: impl Fn(u32) -> bool) -> Self {
        let mut words = vec![0; count.div_ceil(64) as usize];
        for rank in (0..count).filter(|it| fits(*it)) {
            words[(rank / 64) as usize] |= 1 << (rank % 64);
        }
        Self(words)
    }

    /// Returns an empty set that can hold the same ranks.
    pub(crate) fn without_any(&self) -> Self {
        Self(vec![0; self.0.len()])
    }

    pub(crate) fn insert(&mut self, rank: u32) {
        self.0[(rank / 64) as usize] |= 1 << (rank % 64);
    }

    pub(crate) fn has(&self, rank: u32) -> bool {
        self.0[(rank / 64) as usize] >> (rank % 64) & 1 == 1
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        let count = u32::try_from(self.0.len() * 64).unwrap_or(u32::MAX);
        (0..count).filter(|it| self.has(*it))
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(it, other)| *it |= other);
    }

    /// Returns `true` if the sets have a rank in common.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .any(|(it, other)| it & other != 0)
    }

    fn and(&self, other: &Self) -> Self {
        Self(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(it, other)| it & other)
                .collect(),
        )
    }
}

/// Conditions on `pid`, simplest first, each with the ranks that meet it.
#[derive(Debug)]
pub(crate) struct Conditions {
    points: Points,
    plain: Vec<(String, RankSet)>,
    /// Index in `plain` of the first condition that can be combined with another one.
    pairable: usize,
    /// Index in `plain` of the first condition about ends and positions in grids.
    placed: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A condition that is valid for any number of ranks.
    General(String),
    Listed(String),
    /// A condition that would list more ranks than a piece of code can contain.
    Long,
}

const RANGES: usize = 8;
const TOGETHER: usize = 3;
/// Maximum number of ranks for which every number is tried in conditions.
const TRIED: u32 = 1024;

impl Conditions {
    pub(crate) fn new(points: &Points) -> Self {
        let mut conditions = Self {
            points: points.clone(),
            plain: Vec::new(),
            pairable: 0,
            placed: 0,
        };
        conditions.ends();
        // If ranks form a cube, its planes aren't rows of a grid.
        if points.order.is_some() {
            conditions.cube();
        }
        if points.are_several() {
            conditions.grid("Columns()", |it| it.columns);
            conditions.grid("Rows()", FoldPoint::rows);
        } else if points.columns().is_some() {
            conditions.grid("Columns()", |it| it.columns);
        }
        if points.are_several() {
            if points.order.is_none() {
                conditions.cube();
            }
            conditions.add("NUM_PROCESSES > 1", |it| it.ranks > 1);
        }
        if let Some(stride) = &points.stride {
            conditions.levels(stride);
        }
        if points.are_several() {
            conditions.both_ends();
        }
        conditions.placed = conditions.plain.len();
        conditions.periods();
        conditions.pairable = conditions.plain.len();
        conditions.numbers();
        conditions
    }

    pub(crate) fn points(&self) -> &Points {
        &self.points
    }

    /// Returns the conditions that are plain enough for a choice between two values, with the ranks
    /// that meet them.
    pub(crate) fn plainest(&self) -> &[(String, RankSet)] {
        &self.plain[..self.pairable]
    }

    fn add(&mut self, text: impl Into<String>, fits: impl Fn(FoldPoint) -> bool) {
        let set = RankSet::of(self.points.count(), |it| fits(self.points.at(it)));
        self.plain.push((text.into(), set));
    }

    fn ends(&mut self) {
        self.add("pid > 0", |it| it.pid > 0);
        self.add("pid == 0", |it| it.pid == 0);
        self.add("pid < NUM_PROCESSES - 1", |it| it.pid < it.ranks - 1);
        self.add("pid == NUM_PROCESSES - 1", |it| it.pid == it.ranks - 1);
    }

    /// Adds conditions on the position in a grid whose rows have `width` ranks.
    fn grid(&mut self, name: &str, width: impl Fn(FoldPoint) -> i64) {
        self.border(&format!("pid % {name}"), name, |it| {
            (it.pid % width(it), width(it))
        });
        self.add(format!("pid >= {name}"), |it| it.pid >= width(it));
        self.add(format!("pid < {name}"), |it| it.pid < width(it));
        self.add(format!("pid < NUM_PROCESSES - {name}"), |it| {
            it.pid < it.ranks - width(it)
        });
        self.add(format!("pid >= NUM_PROCESSES - {name}"), |it| {
            it.pid >= it.ranks - width(it)
        });
    }

    /// Adds conditions on the position in a cube, for both orders of its sides.
    fn cube(&mut self) {
        for (order, [fast, middle, _]) in SIDES.into_iter().enumerate() {
            let sides = move |it: FoldPoint| it.sides()[order];
            self.border(&format!("pid % {fast}"), fast, move |it| {
                let [fast, ..] = sides(it);
                (it.pid % fast, fast)
            });
            self.border(&format!("pid / {fast} % {middle}"), middle, move |it| {
                let [fast, middle, _] = sides(it);
                (it.pid / fast % middle, middle)
            });
            let (plane, size) = (format!("{fast} * {middle}"), move |it: FoldPoint| {
                let [fast, middle, _] = sides(it);
                fast * middle
            });
            self.add(format!("pid >= {plane}"), |it| it.pid >= size(it));
            self.add(format!("pid < {plane}"), |it| it.pid < size(it));
            let behind = format!("NUM_PROCESSES - {plane}");
            let is_before = move |it: FoldPoint| it.pid < it.ranks - size(it);
            self.add(format!("pid < {behind}"), is_before);
            self.add(format!("pid >= {behind}"), |it| !is_before(it));
        }
    }

    /// Adds conditions on whether a position is at the border of a side with this size.
    fn border(&mut self, place: &str, size: &str, of: impl Fn(FoldPoint) -> (i64, i64)) {
        self.add(format!("{place} > 0"), |it| of(it).0 > 0);
        self.add(format!("{place} == 0"), |it| of(it).0 == 0);
        let is_last = |it: FoldPoint| of(it).0 == of(it).1 - 1;
        self.add(format!("{place} < {size} - 1"), |it| !is_last(it));
        self.add(format!("{place} == {size} - 1"), is_last);
    }

    /// Adds conditions on whether a position is at either border of a grid.
    fn both_ends(&mut self) {
        for (place, size, of) in GRID {
            self.add(format!("({place} == 0 || {place} == {size} - 1)"), |it| {
                let (place, size) = of(it);
                place == 0 || place == size - 1
            });
        }
    }

    fn levels(&mut self, stride: &str) {
        let rest = |it: FoldPoint| it.pid % (2 * it.stride);
        self.add(format!("pid % {stride} == 0"), |it| it.pid % it.stride == 0);
        self.add(format!("pid % (2 * {stride}) == 0"), |it| rest(it) == 0);
        self.add(format!("pid % (2 * {stride}) == {stride}"), |it| {
            rest(it) == it.stride
        });
        self.add(format!("pid / {stride} % 2 == 0"), |it| {
            rest(it) < it.stride
        });
        self.add(format!("pid / {stride} % 2 == 1"), |it| {
            rest(it) >= it.stride
        });
        self.add(format!("pid >= {stride}"), |it| it.pid >= it.stride);
        self.add(format!("pid < {stride}"), |it| it.pid < it.stride);
        self.add(format!("pid < 2 * {stride}"), |it| it.pid < 2 * it.stride);
        self.add(format!("pid + {stride} < NUM_PROCESSES"), |it| {
            it.pid + it.stride < it.ranks
        });
        self.add(format!("pid + 2 * {stride} < NUM_PROCESSES"), |it| {
            it.pid + 2 * it.stride < it.ranks
        });
        self.add(format!("2 * {stride} < NUM_PROCESSES"), |it| {
            2 * it.stride < it.ranks
        });
        self.add(format!("{stride} > 1"), |it| it.stride > 1);
    }

    fn periods(&mut self) {
        let ranks = self.points.most();
        let periods = (2..=ranks.min(TRIED) / 2)
            .filter(|it| it.is_power_of_two() || ranks.is_multiple_of(*it));
        for period in periods {
            let number = i64::from(period);
            for rest in 0..number.min(32) {
                self.add(format!("pid % {period} == {rest}"), |it| {
                    it.pid % number == rest
                });
            }
            self.add(format!("pid % {period} > 0"), |it| it.pid % number > 0);
            let last = number - 1;
            self.add(format!("pid % {period} < {last}"), |it| {
                it.pid % number < last
            });
            self.add(format!("pid / {period} % 2 == 0"), |it| {
                it.pid / number % 2 == 0
            });
            self.add(format!("pid / {period} % 2 == 1"), |it| {
                it.pid / number % 2 == 1
            });
        }
    }

    fn numbers(&mut self) {
        for number in 1..i64::from(self.points.most().min(TRIED)) {
            self.add(format!("pid < {number}"), |it| it.pid < number);
            self.add(format!("pid >= {number}"), |it| it.pid >= number);
            self.add(format!("pid == {number}"), |it| it.pid == number);
            self.add(format!("pid != {number}"), |it| it.pid != number);
        }
    }

    /// Returns a condition that selects `set` from `all`; `None` if the two are equal.
    pub(crate) fn guard(&self, set: &RankSet, all: &RankSet, hints: &[i64]) -> Option<Condition> {
        if set == all {
            return None;
        }
        for hint in hints {
            let (text, fits) = self.partner(*hint);
            if RankSet::of(self.points.count(), |it| fits(self.points.at(it))).and(all) == *set {
                return Some(Condition::General(text));
            }
        }
        for (text, holds) in &self.plain {
            if holds.and(all) == *set {
                return Some(Condition::General(text.clone()));
            }
        }
        for (number, (text, holds)) in self.plain[..self.pairable].iter().enumerate() {
            let holds = holds.and(all);
            for (other, more) in &self.plain[..number] {
                if holds.and(more) == *set {
                    return Some(Condition::General(format!("{other} && {text}")));
                }
            }
        }
        if let Some(text) = self.together(set, all) {
            return Some(Condition::General(text));
        }
        Some(
            self.of_sizes(set, all)
                .unwrap_or_else(|| self.listed(set, all)),
        )
    }

    /// Returns a combination of conditions about ends and grid positions that selects `set`, such
    /// as having a neighbor along each of three sides. Repeatedly adds the condition that leaves
    /// the fewest ranks.
    fn together(&self, set: &RankSet, all: &RankSet) -> Option<String> {
        let placed = &self.plain[..self.placed];
        let around: Vec<_> = placed.iter().filter(|it| it.1.and(set) == *set).collect();
        let mut left = all.clone();
        let mut texts: Vec<&str> = Vec::new();
        while left != *set && texts.len() < TOGETHER {
            let (text, holds) = around
                .iter()
                .min_by_key(|it| it.1.and(&left).iter().count())?;
            left = left.and(holds);
            texts.push(text);
        }
        (left == *set).then(|| texts.join(" && "))
    }

    /// Returns a condition of the form "more ranks than run X had". It is right for the recorded
    /// runs, but the program's actual limit may differ.
    fn of_sizes(&self, set: &RankSet, all: &RankSet) -> Option<Condition> {
        let holds = |ranks: i64| {
            let more = |it: u32| self.points.at(it).ranks > ranks;
            RankSet::of(self.points.count(), more).and(all) == *set
        };
        let mut sizes = self.points.runs().iter().map(|it| i64::from(it.ranks));
        let limit = sizes.find(|it| holds(*it))?;
        Some(Condition::Listed(format!("NUM_PROCESSES > {limit}")))
    }

    /// Returns the condition that a rank has a partner at this distance.
    fn partner(&self, distance: i64) -> (String, impl Fn(FoldPoint) -> bool + use<>) {
        let size = distance.abs();
        let named = match self.points.columns() {
            Some(columns) if size == columns => "Columns()".to_owned(),
            _ => size.to_string(),
        };
        let text = match distance {
            -1 => "pid > 0".to_owned(),
            ..0 => format!("pid >= {named}"),
            0.. => format!("pid < NUM_PROCESSES - {named}"),
        };
        let fits = move |it: FoldPoint| (0..it.ranks).contains(&(it.pid + distance));
        (text, fits)
    }

    /// Returns a condition that lists the ranks of each run as ranges of numbers.
    fn listed(&self, set: &RankSet, all: &RankSet) -> Condition {
        let (mut runs, mut count) = (Vec::new(), 0);
        for (run, condition) in self.points.distinct() {
            let of = |set: &RankSet| -> Vec<i64> {
                let own = set.iter().map(|it| self.points.at(it));
                own.filter(|it| it.run == run).map(|it| it.pid).collect()
            };
            let (own, all) = (of(set), of(all));
            if own.is_empty() {
                continue;
            }
            let ranks = if own == all { Vec::new() } else { ranges(&own) };
            count += ranks.len().max(1);
            if count > RANGES {
                return Condition::Long;
            }
            let ranks = ranks.join(" || ");
            runs.push(match (self.points.are_several(), ranks.is_empty()) {
                (false, _) => ranks,
                (true, true) => condition,
                (true, false) if ranks.contains("||") => format!("{condition} && ({ranks})"),
                (true, false) => format!("{condition} && {ranks}"),
            });
        }
        Condition::Listed(match &runs[..] {
            [run] => run.clone(),
            runs => format!("({})", runs.join(") || (")),
        })
    }
}

fn ranges(ranks: &[i64]) -> Vec<String> {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for rank in ranks {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *rank => *last = *rank,
            _ => ranges.push((*rank, *rank)),
        }
    }
    let one = |(first, last): &(i64, i64)| {
        if first == last {
            format!("pid == {first}")
        } else {
            format!("(pid >= {first} && pid <= {last})")
        }
    };
    ranges.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::points::Run;

    #[test]
    fn conditions_along_three_sides_hold_together() {
        let parameters = Vec::new();
        let runs = [8, 12, 27].map(|ranks| Run {
            ranks,
            parameters: parameters.clone(),
        });
        let mut points = Points::of(runs.to_vec(), Vec::new());
        points.order = Some(0);
        let all = RankSet::of(points.count(), |_| true);
        // Ranks with a neighbor ahead along the first side, and behind along the other sides.
        let has_neighbor = |rank: u32| {
            let point = points.at(rank);
            let [fast, middle, _] = point.sides()[0];
            let place = [point.pid % fast, point.pid / fast % middle];
            place[0] < fast - 1 && place[1] > 0 && point.pid >= fast * middle
        };
        let set = RankSet::of(points.count(), has_neighbor);
        let guard = Conditions::new(&points).guard(&set, &all, &[]);
        let expected = "pid % Width() < Width() - 1 && pid / Width() % Height() > 0 \
                        && pid >= Width() * Height()";
        assert_eq!(guard, Some(Condition::General(expected.to_owned())));
    }
}
