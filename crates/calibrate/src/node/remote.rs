//! Measures access to the memory of other domains, with threads that are bound to a CPU.

use std::thread;

use super::loops::{Chase, Triad};
use super::timing::{bandwidth_of, latency_of};

/// Maximum number of pairs of domains to measure. Without it, many domains would take minutes.
const PAIRS_MAX: usize = 16;

/// Access by the CPUs of a domain to the memory of a domain, which can be the same one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Access {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) bandwidth: f64,
    /// Time of a load on which the next one depends, in seconds.
    pub(crate) latency_s: f64,
}

/// Measures the access from every domain to every domain, or only from the first ones if there are
/// many. `domains` contains the CPUs of each domain. `measure` gets the CPU that accesses memory
/// and a CPU of the memory's domain. It returns a bandwidth and a latency, or `None` if the system
/// doesn't let threads choose their CPU.
pub(crate) fn accesses(
    domains: &[Vec<usize>],
    measure: &mut dyn FnMut(usize, usize) -> Option<(f64, f64)>,
) -> Vec<Access> {
    let firsts = domains.iter().map(|cpus| cpus.first().copied()).enumerate();
    let firsts: Vec<(usize, usize)> = firsts.filter_map(|(at, cpu)| Some((at, cpu?))).collect();
    if firsts.len() < 2 {
        return Vec::new();
    }
    let from = firsts.iter().take((PAIRS_MAX / firsts.len()).max(1));
    let pairs = from.flat_map(|from| firsts.iter().map(move |to| (*from, *to)));
    let mut access = |((from, cpu), (to, memory))| {
        let (bandwidth, latency_s) = measure(cpu, memory)?;
        Some(Access {
            from,
            to,
            bandwidth,
            latency_s,
        })
    };
    pairs.map_while(&mut access).collect()
}

/// Measures the bandwidth and latency with which a thread on `cpu` accesses `bytes` bytes. Before
/// that, a thread on the CPU `memory` writes to them, so that Linux places them in that CPU's
/// domain.
pub(crate) fn measured(cpu: usize, memory: usize, bytes: u64) -> Option<(f64, f64)> {
    let measure = || {
        stay_on(memory)?;
        let (mut triad, mut chase) = (Triad::new(bytes), Chase::new(bytes));
        stay_on(cpu)?;
        Some((bandwidth_of(&mut triad), latency_of(&mut chase)))
    };
    thread::scope(|scope| scope.spawn(measure).join().ok().flatten())
}

/// Binds this thread to a CPU; `None` if the system doesn't allow that.
#[cfg(target_os = "linux")]
fn stay_on(cpu: usize) -> Option<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let mut cpus = CpuSet::new();
    (cpu < CpuSet::MAX_CPU).then(|| cpus.set(cpu))?;
    sched_setaffinity(None, &cpus).ok()
}

#[cfg(not(target_os = "linux"))]
fn stay_on(_: usize) -> Option<()> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pairs of domains that are measured, with made-up latencies in ns.
    fn pairs(domains: &[Vec<usize>]) -> Vec<(usize, usize, f64)> {
        let domain = |cpu| domains.iter().position(|it| it.contains(&cpu));
        let found = accesses(domains, &mut |cpu, memory| {
            let is_near = domain(cpu) == domain(memory);
            Some(if is_near {
                (20e9, 90e-9)
            } else {
                (8e9, 150e-9)
            })
        });
        let pair = |it: &Access| (it.from, it.to, it.latency_s * 1e9);
        found.iter().map(pair).collect()
    }

    #[test]
    fn each_domain_is_measured_from_each() {
        let two = [vec![0, 2], vec![1, 3]];
        let expected = [(0, 0, 90.0), (0, 1, 150.0), (1, 0, 150.0), (1, 1, 90.0)];
        assert_eq!(pairs(&two), expected);
        assert_eq!(pairs(&two[..1]), [], "there is no other domain");
        let of_gpu = [vec![0], vec![], vec![5]];
        let from: Vec<_> = pairs(&of_gpu).iter().map(|it| (it.0, it.1)).collect();
        assert_eq!(
            from,
            [(0, 0), (0, 2), (2, 0), (2, 2)],
            "memory without CPUs"
        );
        let many: Vec<Vec<usize>> = (0..8).map(|cpu| vec![cpu]).collect();
        assert_eq!(pairs(&many).len(), PAIRS_MAX);
        assert_eq!(accesses(&two, &mut |_, _| None), []);
    }

    #[test]
    fn a_thread_stays_where_it_is_told_to() {
        if cfg!(target_os = "linux") {
            let (bandwidth, latency_s) = measured(0, 0, 1 << 16).expect("there is a first CPU");
            assert!(
                bandwidth > 1e6 && latency_s < 1e-3,
                "{bandwidth} {latency_s}"
            );
        }
        assert_eq!(measured(usize::MAX, 0, 1 << 16), None);
    }
}
