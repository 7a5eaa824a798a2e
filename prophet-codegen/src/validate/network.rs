//! The network of this machine, from a ping-pong.

use std::fmt;

use super::program::{Costs, Skeleton};
use super::result::{Failure, Outcome};

/// Hockney's two numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Network {
    /// Seconds that a message without bytes takes.
    pub latency_s: f64,
    /// Bytes a second.
    pub bandwidth: f64,
}

/// The sizes of the messages, and how many round trips are made of each.
const MESSAGES: [(u64, u64); 2] = [(8, 2000), (1 << 20, 200)];
/// How often each is measured; the fastest counts.
const RUNS: u32 = 5;

impl Network {
    /// Measures it with the skeleton of `sample-models/pingpong.uml`, whose parameters are `N` and
    /// `SIZE`; `prediction` is one of that model for two processes.
    ///
    /// # Errors
    ///
    /// If the skeleton fails.
    pub fn measure(skeleton: &Skeleton, prediction: &Outcome) -> Result<Self, Failure> {
        let mut one_way_s = [f64::INFINITY; 2];
        for ((size, turns), best_s) in MESSAGES.into_iter().zip(&mut one_way_s) {
            let mut asked = prediction.clone();
            asked.parameters.insert("SIZE".to_owned(), size.into());
            asked.parameters.insert("N".to_owned(), turns.into());
            for _ in 0..RUNS {
                let run = skeleton.run(&asked, Costs::Sleep, 1.0)?;
                #[expect(clippy::cast_precision_loss, reason = "there are few turns")]
                let messages = 2.0 * turns as f64;
                *best_s = best_s.min(run.time_s / messages);
            }
        }
        let sizes = MESSAGES.map(|(size, _)| size);
        Ok(Self::through(sizes, one_way_s))
    }

    /// The network on which messages of two sizes take so long.
    #[expect(clippy::cast_precision_loss, reason = "the sizes are small")]
    fn through([small, large]: [u64; 2], [small_s, large_s]: [f64; 2]) -> Self {
        // The times of a machine with other work may be in the wrong order.
        let byte_s = ((large_s - small_s) / (large - small) as f64).max(1e-15);
        Self {
            latency_s: (small_s - small as f64 * byte_s).max(0.0),
            bandwidth: 1.0 / byte_s,
        }
    }
}

impl fmt::Display for Network {
    /// As `--network` takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let latency_us = self.latency_s * 1e6;
        let bandwidth = self.bandwidth / 1e9;
        write!(
            f,
            "hockney:latency={latency_us:.3}us,bandwidth={bandwidth:.3}GB/s"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_times_are_a_latency_and_a_bandwidth() {
        let network = Network::through([8, 1_000_008], [1.008e-6, 1001.008e-6]);
        assert!((network.latency_s - 1e-6).abs() < 1e-12, "{network:?}");
        let text = "hockney:latency=1.000us,bandwidth=1.000GB/s";
        assert_eq!(network.to_string(), text);
        let disturbed = Network::through([8, 1 << 20], [2e-6, 1e-6]);
        assert!(disturbed.bandwidth.is_finite() && disturbed.latency_s >= 0.0);
    }
}
