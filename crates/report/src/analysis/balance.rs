//! Computes how well the load is balanced, and what imbalance and communication cost.

use prophet_result::Efficiency;

/// The efficiencies of a run, and the times that they are computed from.
///
/// They follow the multiplicative model of the POP Centre of Excellence: parallel efficiency = load
/// balance × communication efficiency (C. Rosas, J. Giménez, J. Labarta: Scalability prediction for
/// fundamental performance factors, Supercomputing Frontiers and Innovations 1(2), 2014). Here, the
/// model's "useful computation" is CPU time; while a process has several threads, it is the mean of
/// theirs.
///
/// ```
/// use prophet_report::analysis::balance::Balance;
///
/// let balance = Balance::of([6.0, 2.0], 8.0).expect("something is computed");
/// assert_eq!(balance.efficiency.load_balance, 4.0 / 6.0);
/// assert_eq!(balance.efficiency.communication, 6.0 / 8.0);
/// assert_eq!(balance.efficiency.parallel, 4.0 / 8.0);
/// assert_eq!((balance.mean_s, balance.most_s), (4.0, 6.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Balance {
    pub efficiency: Efficiency,
    /// Mean CPU time of the processes, in seconds.
    pub mean_s: f64,
    /// Longest CPU time of a process, in seconds.
    pub most_s: f64,
    /// The process with the longest CPU time, or the first of them.
    pub busiest: u32,
}

impl Balance {
    /// Computes the balance of a run that took `predicted_s` seconds. `computed_s` contains the
    /// computing time of each process in seconds, by pid. Returns `None` if no process computed.
    pub fn of(computed_s: impl IntoIterator<Item = f64>, predicted_s: f64) -> Option<Self> {
        let (mut sum_s, mut processes) = (0.0, 0.0);
        let (mut most_s, mut busiest) = (0.0, 0);
        for (pid, compute_s) in (0..).zip(computed_s) {
            sum_s += compute_s;
            processes += 1.0;
            if compute_s > most_s {
                (most_s, busiest) = (compute_s, pid);
            }
        }
        if most_s <= 0.0 || predicted_s <= 0.0 {
            return None;
        }
        // The sum is rounded, but the mean can't exceed the longest time.
        let mean_s = most_s.min(sum_s / processes);
        // The computing times of a process's threads are rounded too.
        let of_predicted = |seconds: f64| (seconds / predicted_s).min(1.0);
        Some(Self {
            efficiency: Efficiency {
                parallel: of_predicted(mean_s),
                load_balance: mean_s / most_s,
                communication: of_predicted(most_s),
            },
            mean_s,
            most_s,
            busiest,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn who_computes_nothing_has_no_efficiency() {
        assert_eq!(Balance::of([], 1.0), None);
        assert_eq!(Balance::of([0.0; 3], 1.0), None);
        assert_eq!(Balance::of([1.0], 0.0), None);
    }

    proptest! {
        #[test]
        fn the_efficiencies_multiply(
            times in prop::collection::vec(0.0..10.0_f64, 1..40),
            rest_s in 0.1..5.0_f64,
        ) {
            let most_s = times.iter().copied().fold(0.0, f64::max);
            let found = Balance::of(times, most_s + rest_s);
            prop_assume!(found.is_some());
            let found = found.unwrap().efficiency;
            let product = found.load_balance * found.communication;
            prop_assert!((found.parallel - product).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&found.load_balance));
            prop_assert!((0.0..=1.0).contains(&found.communication));
        }
    }
}
