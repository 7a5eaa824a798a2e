//! Models how memory bandwidth grows with the number of units that use it.

use std::sync::Arc;

/// How the bandwidth of a memory or shared cache grows with the number of units that use it.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Saturation {
    /// Each unit gets the bandwidth of a single unit, until the total reaches the memory's
    /// bandwidth.
    #[default]
    Roofline,
    /// Units queue, as in a closed network of one server and a delay, solved by exact mean value
    /// analysis (M. Reiser, S. S. Lavenberg: *Mean-Value Analysis of Closed Multichain Queuing
    /// Networks*, J. ACM 27, 1980). The service time follows from the bandwidths of a single CPU
    /// and of all CPUs.
    Queueing,
    /// Measured total bandwidths of 1, 2, … units, in bytes per second. Further units share the
    /// last one.
    Measured(Arc<[f64]>),
}

/// The maximum number of CPUs that [`Saturation::Queueing`] supports.
pub const QUEUE_MAX: u32 = 4096;

/// The bandwidth of each unit in a group, relative to a unit that uses the memory alone.
#[derive(Debug, Clone, PartialEq)]
pub enum Shares {
    /// Up to this number of units, each gets its full bandwidth; if there are more units, they
    /// share the total evenly.
    Servers(f64),
    /// The share that each of 1, 2, … units gets, starting with a share of 1; further units share
    /// the last total evenly.
    Table(Arc<[f64]>),
}

impl Saturation {
    /// The names that a machine file can use.
    pub const NAMES: [&str; 2] = ["roofline", "queueing"];

    /// Returns the law with this name; `None` if the name is unknown.
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "roofline" => Some(Self::Roofline),
            "queueing" => Some(Self::Queueing),
            _ => None,
        }
    }

    /// Returns the name of the law, or `measured` for a measured curve.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Roofline => Self::NAMES[0],
            Self::Queueing => Self::NAMES[1],
            Self::Measured(_) => "measured",
        }
    }

    /// Computes the shares in a group of `cpus` CPUs. A single unit has the bandwidth `alone`, and
    /// all units together have at most `full`, if there is such a limit.
    pub fn shares(&self, alone: f64, full: Option<f64>, cpus: u32) -> Shares {
        let servers = full.map_or(f64::INFINITY, |full| full / alone);
        match self {
            Self::Roofline => Shares::Servers(servers),
            Self::Queueing => Shares::Table(queue(servers, cpus.min(QUEUE_MAX)).into()),
            Self::Measured(curve) => {
                let share = |(rate, units): (&f64, f64)| rate / (units * alone);
                Shares::Table(curve.iter().zip(counted()).map(share).collect())
            }
        }
    }
}

impl Shares {
    /// Returns the largest number of units that don't slow each other down.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a table is far shorter than 2^52"
    )]
    pub fn undisturbed(&self) -> f64 {
        match self {
            Self::Servers(servers) => *servers,
            Self::Table(table) => {
                let is_full = |share: &&f64| share.to_bits() == 1.0_f64.to_bits();
                table.iter().take_while(is_full).count() as f64
            }
        }
    }
}

/// Yields the numbers 1, 2, …
fn counted() -> impl Iterator<Item = f64> {
    (1..=u32::MAX).map(f64::from)
}

/// Computes the shares of 1 to `cpus` customers. `full` is the throughput of all of them together,
/// relative to one customer.
///
/// Throughput falls as the service time grows, so bisection finds the service time at which the
/// last throughput is `full`. Even without queueing, the throughput of n customers is at most n.
fn queue(full: f64, cpus: u32) -> Vec<f64> {
    if full >= f64::from(cpus) {
        return vec![1.0; cpus as usize];
    }
    let (mut least, mut most) = (0.0, 1.0);
    loop {
        let service = f64::midpoint(least, most);
        if service <= least || service >= most {
            return throughputs(most, cpus)
                .zip(counted())
                .map(|(all, units)| all / units)
                .collect();
        }
        let last = throughputs(service, cpus).last().unwrap_or(1.0);
        if last > full {
            least = service;
        } else {
            most = service;
        }
    }
}

/// Computes the throughputs of 1 to `cpus` customers, relative to one customer, by exact mean value
/// analysis. A customer who doesn't queue takes time 1, of which `service` is spent at the server.
fn throughputs(service: f64, cpus: u32) -> impl Iterator<Item = f64> {
    let delay = 1.0 - service;
    let mut waiting = 0.0;
    counted().take(cpus as usize).map(move |units| {
        let response = service * (1.0 + waiting);
        let throughput = if units > 1.0 {
            units / (delay + response)
        } else {
            1.0
        };
        waiting = throughput * response;
        throughput
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(alone: f64, full: f64, cpus: u32) -> Vec<f64> {
        match Saturation::Queueing.shares(alone, Some(full), cpus) {
            Shares::Table(table) => table.to_vec(),
            Shares::Servers(_) => panic!("a queue has a table"),
        }
    }

    #[test]
    fn one_alone_has_its_bandwidth_and_all_have_theirs() {
        for (alone, full, cpus) in [(10.0, 15.0, 2), (12.1e9, 30.6e9, 10), (13.9e9, 86e9, 20)] {
            let table = table(alone, full, cpus);
            assert_eq!(table.len(), cpus as usize);
            assert_eq!(table[0].to_bits(), 1.0_f64.to_bits());
            let all = table[table.len() - 1] * f64::from(cpus) * alone;
            assert!((all / full - 1.0).abs() < 1e-9, "{all} {full}");
            assert!(table.is_sorted_by(|one, two| one >= two), "{table:?}");
        }
    }

    #[test]
    fn three_customers_are_as_by_hand() {
        // With the service time s: R(2) = s (1 + s), X(2) = 2 / (1 + s^2) and R(3) = s (1 + X(2)
        // R(2)).
        let s = 0.4_f64;
        let two = 2.0 / (1.0 + s * s);
        let response = s * (1.0 + two * s * (1.0 + s));
        let three = 3.0 / (1.0 - s + response);
        let found = table(1.0, three, 3);
        assert!((2.0 * found[1] - two).abs() < 1e-9, "{found:?}");
        assert!((3.0 * found[2] - three).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn no_law_gives_more_than_one_alone_has() {
        // All four get more than four times the bandwidth of one unit, because caches take over
        // from memory.
        assert_eq!(table(1.0, 9.0, 4), [1.0; 4]);
        assert_eq!(table(1.0, 1.0, 2), [1.0, 0.5]);
        let measured = Saturation::Measured(vec![2.0, 4.0, 4.5].into());
        let shares = measured.shares(2.0, None, 3);
        assert_eq!(shares, Shares::Table(vec![1.0, 1.0, 0.75].into()));
        assert_eq!(shares.undisturbed().to_bits(), 2.0_f64.to_bits());
    }
}
