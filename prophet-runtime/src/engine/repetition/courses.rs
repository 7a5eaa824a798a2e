//! Compares the ranks' clocks in two states.

use crate::kernel::local::Influence;

/// Largest difference between the clocks' advances, relative to an advance, that counts as
/// rounding.
const ROUNDING: f64 = 1e-11;
/// Largest difference that counts as rounding, in multiples of the gap between neighboring numbers
/// at the clock's time.
const NEIGHBORS: f64 = 4.0;
/// Largest deviation of all periods together, relative to the time at the end.
const BUDGET: f64 = 1e-10;

/// How the clocks of ranks that wait for each other advance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Course {
    /// Time by which all these clocks have advanced, in simulated seconds.
    pub(super) advance_s: f64,
    /// Largest deviation of a time that counts as rounding; all deviations together stay within the
    /// budget.
    tolerance_s: f64,
}

impl Course {
    /// Returns the common course of these ranks, which is to repeat `times` more times; `None` if
    /// their clocks don't advance alike.
    fn of(ranks: impl Iterator<Item = (f64, f64)> + Clone, times: f64) -> Option<Self> {
        let (mut latest_s, mut advance_s) = (0.0_f64, 0.0_f64);
        for (now_s, then_s) in ranks.clone() {
            latest_s = latest_s.max(now_s);
            advance_s = advance_s.max(now_s - then_s);
        }
        let end_s = latest_s + times * advance_s;
        let rounding_s = ROUNDING * advance_s + NEIGHBORS * f64::EPSILON * latest_s;
        let course = Self {
            advance_s,
            tolerance_s: rounding_s.min(BUDGET * end_s / times.max(1.0)),
        };
        let mut ranks = ranks;
        let fits = end_s.is_finite() && ranks.all(|(now_s, then_s)| course.fits(now_s, then_s));
        fits.then_some(course)
    }

    fn moves(self) -> bool {
        self.advance_s > self.tolerance_s
    }

    /// Returns `true` if a time has moved by as much as the clocks.
    pub(super) fn fits(self, now_s: f64, then_s: f64) -> bool {
        if self.advance_s == 0.0 {
            return now_s.to_bits() == then_s.to_bits();
        }
        (now_s - then_s - self.advance_s).abs() < self.tolerance_s
    }
}

/// Returns the courses of all ranks' clocks from `then` to `now`, which repeat `times` more times.
/// Either all ranks have one course, or each group of ranks has its own if their influence shows
/// that the groups don't wait for each other.
pub(super) fn courses(
    (now, then): (&[f64], &[f64]),
    times: f64,
    influence: Option<&Influence>,
) -> Option<Vec<Course>> {
    let clocks = |rank: u32| (now[rank as usize], then[rank as usize]);
    let ranks = 0..u32::try_from(now.len()).ok()?;
    if let Some(course) = Course::of(ranks.clone().map(clocks), times) {
        return course.moves().then(|| vec![course; now.len()]);
    }
    let influence = influence?;
    let groups = groups(ranks.clone(), influence);
    let mut members = vec![Vec::new(); now.len()];
    for rank in ranks.clone() {
        members[groups[rank as usize] as usize].push(rank);
    }
    let mut of_group = Vec::with_capacity(now.len());
    for members in &members {
        let course = Course::of(members.iter().copied().map(clocks), times)?;
        if !course.moves() && course.advance_s > 0.0 {
            return None;
        }
        of_group.push(course);
    }
    let course = |rank: u32| of_group[groups[rank as usize] as usize];
    // What is early now will be earlier and earlier.
    let stays_early = |(source, rank): &(u32, u32)| {
        let (source, rank) = (course(*source), course(*rank));
        source.advance_s <= rank.advance_s + rank.tolerance_s
    };
    let stay = influence.early.iter().all(stays_early);
    stay.then(|| ranks.map(course).collect())
}

/// Returns the groups of ranks that wait for each other: for each rank, the lowest rank in its
/// group.
fn groups(ranks: std::ops::Range<u32>, influence: &Influence) -> Vec<u32> {
    let mut parents: Vec<u32> = ranks.clone().collect();
    for (one, other) in &influence.bound {
        let (one, other) = (root(&mut parents, *one), root(&mut parents, *other));
        parents[one.max(other) as usize] = one.min(other);
    }
    ranks.map(|rank| root(&mut parents, rank)).collect()
}

/// Returns the root of a rank's tree, and shortens the path to it.
fn root(parents: &mut [u32], mut rank: u32) -> u32 {
    while parents[rank as usize] != rank {
        let above = parents[parents[rank as usize] as usize];
        parents[rank as usize] = above;
        rank = above;
    }
    rank
}
