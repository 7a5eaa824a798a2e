//! Sets of ranks, and the conditions that tell them from others.

/// Set of ranks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ranks(Vec<u64>);

impl Ranks {
    /// The set of the ranks below `count` that fit.
    pub(crate) fn of(count: u32, fits: impl Fn(u32) -> bool) -> Self {
        let mut words = vec![0; count.div_ceil(64) as usize];
        for rank in (0..count).filter(|it| fits(*it)) {
            words[(rank / 64) as usize] |= 1 << (rank % 64);
        }
        Self(words)
    }

    /// A set of the same size without any rank.
    pub(crate) fn without_any(&self) -> Self {
        Self(vec![0; self.0.len()])
    }

    /// Adds a rank.
    pub(crate) fn insert(&mut self, rank: u32) {
        self.0[(rank / 64) as usize] |= 1 << (rank % 64);
    }

    /// True if the set has that rank.
    pub(crate) fn has(&self, rank: u32) -> bool {
        self.0[(rank / 64) as usize] >> (rank % 64) & 1 == 1
    }

    /// The ranks, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        let count = u32::try_from(self.0.len() * 64).unwrap_or(u32::MAX);
        (0..count).filter(|it| self.has(*it))
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

/// Conditions on `pid`, each with the ranks for which it holds, the plainest first.
#[derive(Debug)]
pub(crate) struct Conditions {
    ranks: u32,
    /// Columns of the grid that is nearly square.
    columns: u32,
    plain: Vec<(String, Ranks)>,
    /// Number of the first of `plain` of which two can hold together.
    pairable: usize,
}

/// Condition on `pid`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// This holds for any number of ranks.
    General(String),
    /// This lists ranks.
    Listed(String),
    /// This would list more ranks than a piece of code has room for.
    Long,
}

/// Most ranges of ranks that a condition lists.
const RANGES: usize = 8;
/// Most ranks for which conditions of every number are tried.
const TRIED: u32 = 1024;

impl Conditions {
    pub(crate) fn new(ranks: u32) -> Self {
        let mut conditions = Self {
            ranks,
            columns: columns(ranks),
            plain: Vec::new(),
            pairable: 0,
        };
        conditions.ends();
        conditions.grid();
        conditions.periods();
        conditions.pairable = conditions.plain.len();
        conditions.numbers();
        conditions
    }

    /// Columns of the grid that is nearly square, if it has several rows.
    pub(crate) fn columns(&self) -> Option<u32> {
        (self.columns > 1 && self.columns < self.ranks).then_some(self.columns)
    }

    fn add(&mut self, text: impl Into<String>, fits: impl Fn(u32) -> bool) {
        let set = Ranks::of(self.ranks, fits);
        self.plain.push((text.into(), set));
    }

    fn ends(&mut self) {
        let last = self.ranks - 1;
        self.add("pid > 0", |it| it > 0);
        self.add("pid == 0", |it| it == 0);
        self.add("pid < NUM_PROCESSES - 1", |it| it < last);
        self.add("pid == NUM_PROCESSES - 1", |it| it == last);
    }

    fn grid(&mut self) {
        let Some(columns) = self.columns() else {
            return;
        };
        let ranks = self.ranks;
        self.add("pid % Columns() > 0", |it| it % columns > 0);
        self.add("pid % Columns() == 0", |it| it % columns == 0);
        self.add("pid % Columns() < Columns() - 1", |it| {
            it % columns < columns - 1
        });
        self.add("pid % Columns() == Columns() - 1", |it| {
            it % columns == columns - 1
        });
        self.add("pid >= Columns()", |it| it >= columns);
        self.add("pid < Columns()", |it| it < columns);
        self.add("pid < NUM_PROCESSES - Columns()", |it| it < ranks - columns);
        self.add("pid >= NUM_PROCESSES - Columns()", |it| {
            it >= ranks - columns
        });
    }

    fn periods(&mut self) {
        let ranks = self.ranks;
        let periods = (2..=ranks.min(TRIED) / 2)
            .filter(|it| it.is_power_of_two() || ranks.is_multiple_of(*it));
        for period in periods {
            for rest in 0..period.min(32) {
                self.add(format!("pid % {period} == {rest}"), |it| {
                    it % period == rest
                });
            }
            self.add(format!("pid % {period} > 0"), |it| it % period > 0);
            let last = period - 1;
            self.add(format!("pid % {period} < {last}"), |it| it % period < last);
            self.add(format!("pid / {period} % 2 == 0"), |it| {
                it / period % 2 == 0
            });
            self.add(format!("pid / {period} % 2 == 1"), |it| {
                it / period % 2 == 1
            });
        }
    }

    fn numbers(&mut self) {
        for number in 1..self.ranks.min(TRIED) {
            self.add(format!("pid < {number}"), |it| it < number);
            self.add(format!("pid >= {number}"), |it| it >= number);
            self.add(format!("pid == {number}"), |it| it == number);
            self.add(format!("pid != {number}"), |it| it != number);
        }
    }

    /// A condition that holds for `set` and for no other rank of `all`; nothing if they are the
    /// same.
    pub(crate) fn guard(&self, set: &Ranks, all: &Ranks, hints: &[i64]) -> Option<Condition> {
        if set == all {
            return None;
        }
        for hint in hints {
            let (text, fits) = self.partner(*hint);
            if Ranks::of(self.ranks, fits).and(all) == *set {
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
        Some(listed(set))
    }

    /// The condition that a rank has a partner at a distance.
    fn partner(&self, distance: i64) -> (String, impl Fn(u32) -> bool + use<>) {
        let size = distance.unsigned_abs();
        let named = match self.columns() {
            Some(columns) if size == u64::from(columns) => "Columns()".to_owned(),
            _ => size.to_string(),
        };
        let text = match distance {
            -1 => "pid > 0".to_owned(),
            ..0 => format!("pid >= {named}"),
            0.. => format!("pid < NUM_PROCESSES - {named}"),
        };
        let ranks = i64::from(self.ranks);
        let fits = move |rank: u32| (0..ranks).contains(&(i64::from(rank) + distance));
        (text, fits)
    }
}

/// A condition that lists ranks, as ranges.
fn listed(set: &Ranks) -> Condition {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for rank in set.iter() {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == rank => *last = rank,
            _ => ranges.push((rank, rank)),
        }
        if ranges.len() > RANGES {
            return Condition::Long;
        }
    }
    let one = |(first, last): &(u32, u32)| {
        if first == last {
            format!("pid == {first}")
        } else {
            format!("(pid >= {first} && pid <= {last})")
        }
    };
    Condition::Listed(ranges.iter().map(one).collect::<Vec<_>>().join(" || "))
}

/// Columns of the grid of processes that is nearly square.
fn columns(ranks: u32) -> u32 {
    let divisors = (1..=ranks).take_while(|it| it * it <= ranks);
    let rows = divisors
        .filter(|it| ranks.is_multiple_of(*it))
        .last()
        .unwrap_or(1);
    ranks / rows
}
