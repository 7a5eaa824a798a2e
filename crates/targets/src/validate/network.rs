//! Measures this machine's network with a ping-pong program.

use std::fmt;
use std::time::Duration;

use prophet_result::RunResult;

use super::program::{CompiledSkeleton, Costs, Manner};
use super::result::{Measurement, ValidateFailure};

/// A network's measured parameters for `loggp`. The gap between messages (g) is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Network {
    /// Latency in seconds (L).
    pub latency_s: f64,
    /// How long a message occupies its sender, and later its receiver, in seconds (o).
    pub overhead_s: f64,
    /// Time for each byte after the first, in seconds (G).
    pub byte_s: f64,
}

/// Sizes of messages in bytes, each with the number of round trips.
const MESSAGES: [(u64, u64); 2] = [(8, 2000), (1 << 20, 200)];
/// Number of runs for each size. The fastest run counts.
const RUNS: u32 = 5;

#[derive(Debug, Clone, Copy)]
struct Message {
    bytes: u64,
    /// Time from the start of the send to the end of the receive, in seconds.
    one_way_s: f64,
    send_s: f64,
}

impl Network {
    /// Measures the network with the skeleton of `sample-models/pingpong.uml`, which has the
    /// parameters `N` and `SIZE`. `prediction` must be a prediction for this model with two
    /// processes.
    ///
    /// # Errors
    ///
    /// Returns an error if the skeleton fails, or if a run takes longer than `timeout`.
    pub fn measure(
        skeleton: &CompiledSkeleton,
        prediction: &RunResult<'_>,
        timeout: Duration,
    ) -> Result<Self, ValidateFailure> {
        let manner = Manner {
            costs: Costs::Sleep,
            scale: 1.0,
            timeout,
        };
        let [small, large] = MESSAGES.map(|(bytes, turns)| {
            let mut asked = prediction.clone();
            asked.parameters.insert("SIZE", bytes.into());
            asked.parameters.insert("N", turns.into());
            let mut fastest: Option<Message> = None;
            for _ in 0..RUNS {
                let run = skeleton.run(&asked, None, manner)?;
                let one = message(&run, bytes, turns);
                if fastest.is_none_or(|it| one.one_way_s < it.one_way_s) {
                    fastest = Some(one);
                }
            }
            fastest.ok_or_else(|| ValidateFailure::new(1, "nothing was run"))
        });
        Ok(Self::through(small?, large?))
    }

    /// Computes a network from the times of messages of two sizes.
    #[expect(clippy::cast_precision_loss, reason = "the sizes are small")]
    fn through(small: Message, large: Message) -> Self {
        let longer_s = large.one_way_s - small.one_way_s;
        // On a busy machine, the smaller message may take longer.
        let byte_s = (longer_s / (large.bytes - small.bytes) as f64).max(1e-15);
        let first_s = (small.one_way_s - (small.bytes - 1) as f64 * byte_s).max(0.0);
        let overhead_s = small.send_s.min(first_s / 2.0);
        Self {
            latency_s: first_s - 2.0 * overhead_s,
            overhead_s,
            byte_s,
        }
    }
}

/// Returns the average times of a message in a run of `turns` round trips.
#[expect(clippy::cast_precision_loss, reason = "there are few turns")]
fn message(run: &Measurement, bytes: u64, turns: u64) -> Message {
    let messages = 2.0 * turns as f64;
    let sends = run.elements.iter().filter(|it| it.kind == "bsend");
    Message {
        bytes,
        one_way_s: run.measured_time_s / messages,
        send_s: sends.map(|it| it.total_s).sum::<f64>() / messages,
    }
}

impl fmt::Display for Network {
    /// Formats the network as a value for `--network`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [latency, overhead, byte] =
            [self.latency_s, self.overhead_s, self.byte_s].map(|it| it * 1e9);
        write!(
            f,
            "loggp:L={latency:.0}ns,o={overhead:.0}ns,g=0,G={byte:.4}ns"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: u64, one_way_s: f64, send_s: f64) -> Message {
        Message {
            bytes,
            one_way_s,
            send_s,
        }
    }

    #[test]
    fn two_messages_are_a_network() {
        let small = message(8, 1.007e-6, 0.2e-6);
        let network = Network::through(small, message(1_000_008, 1001.007e-6, 9e-6));
        assert_eq!(network.to_string(), "loggp:L=600ns,o=200ns,g=0,G=1.0000ns");
    }

    #[test]
    fn a_disturbed_measurement_still_is_a_network() {
        let network = Network::through(message(8, 2e-6, 5e-6), message(1 << 20, 1e-6, 0.0));
        let text = network.to_string();
        assert_eq!(text, "loggp:L=0ns,o=1000ns,g=0,G=0.0000ns");
    }
}
