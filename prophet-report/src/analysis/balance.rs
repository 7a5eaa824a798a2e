//! How evenly the processes were loaded, and what that and communication cost.

use super::totals::Split;

/// The efficiencies of a run, each from 0 to 1, and its imbalance.
///
/// The multiplicative model of the POP centre of excellence: parallel efficiency = load balance ×
/// communication efficiency (C. Rosas, J. Giménez, J. Labarta: Scalability prediction for
/// fundamental performance factors, Supercomputing Frontiers and Innovations 1(2), 2014). Its
/// "useful computation" is the time on a CPU here. With several threads, a process counts as
/// many units as it has threads.
///
/// ```
/// use prophet_report::analysis::balance::Efficiency;
/// use prophet_report::analysis::totals::Split;
///
/// let computing = |compute_s| Split { compute_s, ..Split::default() };
/// let efficiency = Efficiency::of(&[computing(6.0), computing(2.0)], 1, 8.0);
/// assert_eq!(efficiency.load_balance, 4.0 / 6.0);
/// assert_eq!(efficiency.communication, 6.0 / 8.0);
/// assert_eq!(efficiency.parallel, 4.0 / 8.0);
/// assert_eq!(efficiency.imbalance, 1.5);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Efficiency {
    /// The mean time on a CPU, of the predicted time.
    pub parallel: f64,
    /// The mean time on a CPU, of the longest.
    pub load_balance: f64,
    /// The longest time on a CPU, of the predicted time.
    pub communication: f64,
    /// The longest time on a CPU over the mean: 1 is even.
    pub imbalance: f64,
    /// The process that computed longest, the lowest pid of several.
    pub busiest: u32,
}

impl Efficiency {
    /// The efficiencies of processes with so many threads each; all 0 where nothing was computed.
    pub fn of(processes: &[Split], threads: u32, predicted_s: f64) -> Self {
        let mut sum_s = 0.0;
        let (mut most_s, mut busiest) = (0.0, 0);
        for (pid, process) in (0..).zip(processes) {
            sum_s += process.compute_s;
            if process.compute_s > most_s {
                (most_s, busiest) = (process.compute_s, pid);
            }
        }
        if most_s <= 0.0 || predicted_s <= 0.0 {
            return Self::default();
        }
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let mean_s = sum_s / processes.len() as f64;
        // The sum is rounded, and a mean is at most the longest.
        let mean_s = mean_s.min(most_s);
        let threads = f64::from(threads.max(1));
        Self {
            parallel: mean_s / threads / predicted_s,
            load_balance: mean_s / most_s,
            communication: most_s / threads / predicted_s,
            imbalance: most_s / mean_s,
            busiest,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn who_computes_nothing_has_no_efficiency() {
        assert_eq!(Efficiency::of(&[], 1, 1.0), Efficiency::default());
        let idle = [Split::default(); 3];
        assert_eq!(Efficiency::of(&idle, 1, 1.0), Efficiency::default());
    }

    proptest! {
        #[test]
        fn the_efficiencies_multiply(
            times in prop::collection::vec(0.0..10.0_f64, 1..40),
            rest_s in 0.1..5.0_f64,
        ) {
            let most_s = times.iter().copied().fold(0.0, f64::max);
            let splits: Vec<Split> = times
                .iter()
                .map(|&compute_s| Split { compute_s, ..Split::default() })
                .collect();
            let found = Efficiency::of(&splits, 1, most_s + rest_s);
            let product = found.load_balance * found.communication;
            prop_assert!((found.parallel - product).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&found.load_balance));
            prop_assert!((0.0..=1.0).contains(&found.communication));
        }
    }
}
