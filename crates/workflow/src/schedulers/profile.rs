//! Tracks how many cores of a host are planned to be free over time.

use crate::HostId;

#[derive(Debug, Clone)]
pub(super) struct Profile {
    /// Times in ascending order, starting at 0, and how many cores are free from then on.
    steps: Vec<(f64, u32)>,
}

impl Profile {
    pub(super) fn new(cores: u32) -> Self {
        Self {
            steps: vec![(0.0, cores)],
        }
    }

    /// Returns the earliest time, at or after `ready_s`, at which `cores` cores are free for
    /// `duration_s` seconds.
    pub(super) fn earliest_s(&self, ready_s: f64, cores: u32, duration_s: f64) -> f64 {
        let first = self.steps.partition_point(|it| it.0 <= ready_s).max(1) - 1;
        let mut start_s = ready_s;
        for (place, &(time_s, free)) in self.steps.iter().enumerate().skip(first) {
            if place > first && time_s >= start_s + duration_s {
                return start_s;
            }
            if free < cores {
                let end_s = self.steps.get(place + 1).map_or(f64::INFINITY, |it| it.0);
                start_s = start_s.max(end_s);
            }
        }
        start_s
    }

    /// Takes cores for some time. The cores must be free.
    pub(super) fn reserve(&mut self, start_s: f64, cores: u32, duration_s: f64) {
        let end_s = start_s + duration_s;
        if end_s <= start_s {
            return;
        }
        let first = self.split(start_s);
        let last = self.split(end_s);
        for step in &mut self.steps[first..last] {
            step.1 = step.1.saturating_sub(cores);
        }
    }

    /// Returns the index of the step that starts at a time. Inserts the step if it is missing.
    fn split(&mut self, time_s: f64) -> usize {
        let place = self.steps.partition_point(|it| it.0 < time_s);
        if self.steps.get(place).is_none_or(|it| it.0 > time_s) {
            let free = self.steps[place.saturating_sub(1)].1;
            self.steps.insert(place, (time_s, free));
        }
        place
    }
}

/// Returns the host on which a task would end earliest, and when it would start and end there.
pub(super) fn first_end(
    hosts: impl Iterator<Item = (HostId, f64, f64)>,
    profiles: &[Profile],
    cores: u32,
) -> Option<(HostId, f64, f64)> {
    let mut best: Option<(HostId, f64, f64)> = None;
    for (host, ready_s, duration_s) in hosts {
        // No gap lets it end before this.
        if best.is_some_and(|it| ready_s + duration_s >= it.2) {
            continue;
        }
        let start_s = profiles[host.index()].earliest_s(ready_s, cores, duration_s);
        let end_s = start_s + duration_s;
        if start_s.is_finite() && best.is_none_or(|it| end_s < it.2) {
            best = Some((host, start_s, end_s));
        }
    }
    best
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "times are whole numbers")]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled() {
        let mut profile = Profile::new(4);
        profile.reserve(0.0, 3, 10.0);
        profile.reserve(20.0, 4, 5.0);
        assert_eq!(profile.earliest_s(0.0, 1, 20.0), 0.0);
        assert_eq!(profile.earliest_s(0.0, 1, 21.0), 25.0);
        assert_eq!(profile.earliest_s(0.0, 2, 10.0), 10.0);
        assert_eq!(profile.earliest_s(12.0, 2, 8.0), 12.0);
        assert_eq!(profile.earliest_s(12.0, 2, 9.0), 25.0);
        assert_eq!(profile.earliest_s(30.0, 4, 9.0), 30.0);
        assert_eq!(profile.earliest_s(0.0, 5, 1.0), f64::INFINITY);
    }
}
