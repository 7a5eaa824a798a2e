//! Fits the parameters of a network to ping-pongs.

use prophet_text::{Problem, problem};
use std::ops::RangeInclusive;

use prophet_runtime::{Network, NicClocks};
use prophet_sim::statistics::median;

use super::eager::{self, Eager};
use super::line::{Line, Point};
use super::measured::{BySize, Measured, medians};

/// Maximum number of sizes for determining the parameters. If there are more, some are left out.
const SIZES_MAX: usize = 64;
/// Maximum size, in bytes, of a message whose time is treated as pure overhead.
const SHORT: u64 = 256;

/// A network model that can be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// Hockney's model: a latency and a bandwidth.
    Hockney,
    /// `LogGP`, in which messages keep both ends busy.
    LogGp,
}

/// Sizes of the messages to fit, in bytes.
pub type Sizes = RangeInclusive<u64>;

/// A fitted network, with the measured times of its messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    pub(crate) network: Network,
    pub(crate) eager: Option<Eager>,
    /// Message sizes in bytes, with the measured and the predicted time of each in seconds.
    pub(crate) times: Vec<(u64, f64, f64)>,
    pub(crate) overhead: Option<Overhead>,
}

/// How the overhead for `loggp` was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overhead {
    Sends,
    /// From the time between consecutive messages in a stream.
    Streams,
}

impl Fitted {
    /// Fits a network to messages of these sizes. If `model` is `None`, chooses `loggp` if the
    /// overhead was measured, and `hockney` otherwise.
    ///
    /// # Errors
    ///
    /// Returns an error if the measurements don't determine the parameters; the message says what
    /// to measure.
    pub fn new(measured: &Measured, model: Option<Model>, sizes: &Sizes) -> Result<Self, Problem> {
        let mut points = medians(&measured.one_way_s);
        points.retain(|(bytes, _)| sizes.contains(bytes));
        check(measured, &points)?;
        let points = thinned(&points);
        let line = line(&points)?;
        let overhead = overhead(measured);
        let network = match (model, overhead) {
            (None, None) | (Some(Model::Hockney), _) => hockney(line),
            (None | Some(Model::LogGp), Some((_, overhead_s))) => loggp(line, overhead_s),
            (Some(Model::LogGp), None) => {
                let why = "`loggp` needs the overhead o, which a ping-pong does not show";
                return Err(problem!("{why}; add the output of osu_bw, or use --run"));
            }
        };
        let time = |&(bytes, time_s): &(u64, f64)| (bytes, time_s, one_way_s(&network, bytes));
        Ok(Self {
            network,
            eager: eager::limit(measured, &points),
            times: points.iter().map(time).collect(),
            overhead: overhead.map(|it| it.0).filter(|_| is_loggp(&network)),
        })
    }

    /// Returns the bandwidth in bytes per second.
    pub fn bytes_per_s(&self) -> f64 {
        match self.network {
            Network::Hockney { bytes_per_s, .. } => bytes_per_s,
            Network::LogGp { gap_per_byte_s, .. } => 1.0 / gap_per_byte_s,
        }
    }

    /// Returns how long a message of this size takes to reach a receiver that is already waiting,
    /// in seconds.
    pub fn one_way_s(&self, bytes: u64) -> f64 {
        one_way_s(&self.network, bytes)
    }

    /// Returns the mean relative error of the predicted times.
    #[expect(clippy::cast_precision_loss, reason = "there are few sizes")]
    pub fn mean_error(&self) -> f64 {
        let sum: f64 = self.times.iter().map(|it| error(*it).abs()).sum();
        sum / self.times.len() as f64
    }

    /// Returns the size with the largest relative error, and that error.
    pub(crate) fn worst(&self) -> Option<(u64, f64)> {
        let errors = self.times.iter().map(|it| (it.0, error(*it)));
        errors.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
    }
}

/// Returns the relative error of a prediction. It is positive if the predicted time is too long.
pub(crate) fn error((_, measured_s, predicted_s): (u64, f64, f64)) -> f64 {
    predicted_s / measured_s - 1.0
}

fn check(measured: &Measured, points: &[(u64, f64)]) -> Result<(), Problem> {
    if measured.one_way_s.is_empty() && !measured.interval_s.is_empty() {
        let why = "bandwidths do not show the latency";
        return Err(problem!("{why}; add the output of osu_latency"));
    }
    if points.len() < 2 {
        let number = if points.is_empty() {
            "no size"
        } else {
            "one size"
        };
        let why = "a latency and a bandwidth need messages of at least two sizes";
        return Err(problem!(
            "{number} was measured in that range; {why}, such as 8 and 1048576"
        ));
    }
    Ok(())
}

/// Selects the sizes for determining the parameters, spread over the whole range.
fn thinned(points: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let step = points.len().div_ceil(SIZES_MAX).max(1);
    // The largest size tells the most about the bandwidth.
    let mut kept: Vec<_> = points.iter().rev().step_by(step).copied().collect();
    kept.reverse();
    kept
}

fn line(points: &[(u64, f64)]) -> Result<Line, Problem> {
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
    let real: Vec<Point> = points.iter().map(|it| (it.0 as f64, it.1)).collect();
    let line = Line::through(&real).filter(|line| line.byte_s > 0.0);
    let largest = points.last().map_or(0, |it| it.0);
    line.ok_or_else(|| {
        let why = format!("times do not grow with size (the largest is {largest} bytes)");
        problem!("{why}; measure larger messages, such as 1048576")
    })
}

fn hockney(line: Line) -> Network {
    Network::Hockney {
        latency_s: rounded(line.first_s),
        bytes_per_s: rounded(1.0 / line.byte_s),
    }
}

/// Creates a network in which short messages keep each end busy for `overhead_s`, but not longer
/// than the messages themselves take.
fn loggp(line: Line, overhead_s: f64) -> Network {
    let first_s = line.at(1.0);
    let o_s = rounded(overhead_s.min(first_s / 2.0));
    Network::LogGp {
        l_s: rounded((first_s - 2.0 * o_s).max(0.0)),
        o_s,
        g_s: 0.0,
        gap_per_byte_s: rounded(line.byte_s),
    }
}

const fn is_loggp(network: &Network) -> bool {
    matches!(network, Network::LogGp { .. })
}

/// Returns how long a short message keeps each end busy, in seconds, and how that was found.
fn overhead(measured: &Measured) -> Option<(Overhead, f64)> {
    let of = |values: &BySize, origin| Some((origin, short(values)?));
    let sends = of(&measured.send_s, Overhead::Sends);
    sends.or_else(|| of(&measured.interval_s, Overhead::Streams))
}

/// Returns the median of the values for short messages or, if there are none, for the shortest
/// message.
fn short(values: &BySize) -> Option<f64> {
    let all = medians(values);
    let shortest = all.first()?.0;
    let short = all.iter().filter(|it| it.0 <= SHORT.max(shortest));
    median(&short.map(|it| it.1).collect::<Vec<_>>())
}

/// Rounds to four significant digits, which is more than clocks resolve.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// Returns the simulated time, in seconds, of a single message to a receiver that is already
/// waiting.
pub(crate) fn one_way_s(network: &Network, bytes: u64) -> f64 {
    let (mut sender, mut receiver) = (NicClocks::default(), NicClocks::default());
    let sent = network.send(0.0, bytes, &mut sender);
    network.receive(0.0, sent.arrival_s, bytes, &mut receiver)
}
