//! Compares the ranks' clocks between two states.

use crate::kernel::local::Influence;

/// Maximum difference between the advances of clocks that counts as rounding, relative to the
/// advance.
const ROUNDING: f64 = 1e-11;
/// Maximum difference that counts as rounding, as a multiple of the distance between neighboring
/// floating-point numbers at the clock's time.
const NEIGHBORS: f64 = 4.0;
/// Maximum deviation over all periods, relative to the time at the end.
const BUDGET: f64 = 1e-10;

/// How the clocks of ranks that wait for each other have advanced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Course {
    /// How far all of these clocks have advanced, in simulated seconds.
    pub(super) advance_s: f64,
    /// Maximum deviation of a time that counts as rounding, in seconds. All deviations together
    /// must stay within the budget.
    tolerance_s: f64,
}

impl Course {
    /// Returns the course that these ranks have in common, and that will repeat `times` more times.
    /// Returns `None` if their clocks didn't advance alike.
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

    /// Returns `true` if a time has moved as far as the clocks.
    pub(super) fn fits(self, now_s: f64, then_s: f64) -> bool {
        if self.advance_s == 0.0 {
            return now_s.to_bits() == then_s.to_bits();
        }
        (now_s - then_s - self.advance_s).abs() < self.tolerance_s
    }
}

/// Returns the course of each rank's clock from `then` to `now`, which will repeat `times` more
/// times. Either all ranks have the same course, or `influence` shows groups of ranks that don't
/// wait for each other, and each group has its own.
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
    // What arrives early now will arrive earlier and earlier.
    let stays_early = |(source, rank): &(u32, u32)| {
        let (source, rank) = (course(*source), course(*rank));
        source.advance_s <= rank.advance_s + rank.tolerance_s
    };
    let stay = influence.early.iter().all(stays_early);
    stay.then(|| ranks.map(course).collect())
}

/// Returns, for each rank, the lowest rank in its group. Ranks that wait for each other are in the
/// same group.
fn groups(ranks: std::ops::Range<u32>, influence: &Influence) -> Vec<u32> {
    let mut parents: Vec<u32> = ranks.clone().collect();
    for (one, other) in &influence.bound {
        let (one, other) = (root(&mut parents, *one), root(&mut parents, *other));
        parents[one.max(other) as usize] = one.min(other);
    }
    ranks.map(|rank| root(&mut parents, rank)).collect()
}

/// Returns the root of a rank's tree. Shortens the path to it.
fn root(parents: &mut [u32], mut rank: u32) -> u32 {
    while parents[rank as usize] != rank {
        let above = parents[parents[rank as usize] as usize];
        parents[rank as usize] = above;
        rank = above;
    }
    rank
}
