//! Measures each cache and the memory: effective size, bandwidths and latency.

use super::loops::{MatrixColumn, Turned};
use super::parts::{Cache, Parts};
use super::remote::{self, Access, accesses};
use super::timing::{
    ahead_s, bandwidth, latency_s, operation_s, page_s, scattered_s, shared_bandwidth, turned_s,
};

/// Minimum and maximum amount of memory to measure, in bytes.
const MEMORY: [u64; 2] = [64 << 20, 2 << 30];
/// Ratio of the measured memory to the last cache. It is so large that the cache can contain little
/// of the memory.
const BEYOND: u64 = 4;
/// Numbers of pages to measure, as powers of 2: from a few pages to more than a processor's TLB
/// covers.
const PAGES: std::ops::RangeInclusive<u32> = 6..=15;

/// Size of the smallest matrix whose columns are written, as a power of 2 in bytes.
const TURNED: u32 = 13;
/// Lengths of rows to measure, as powers of 2 in bytes: from a cache line to four pages.
const ROWS: std::ops::RangeInclusive<u32> = 6..=14;

/// Share of a level's bandwidth above which the next level counts as the same one.
const SAME: f64 = 0.9;

#[derive(Debug, Clone)]
pub(crate) struct MeasuredLevels {
    pub(crate) caches: Vec<Level>,
    /// Memory bandwidths with 1, 2, … CPUs, in bytes per second.
    pub(crate) curve: Vec<f64>,
    /// Times of a load from memory, in seconds: if the next load depends on it, and if loads are
    /// independent and in random order.
    pub(crate) latency_s: f64,
    pub(crate) scattered_s: f64,
    pub(crate) operation_s: f64,
    /// How long before the end of a sum the next one starts, in seconds.
    pub(crate) ahead_s: f64,
    /// Times in seconds, by powers of 2: of a load from one of this many pages, of a store down the
    /// columns of a matrix with this many bytes, and of such a store with this many bytes per row.
    pub(crate) pages: Vec<(u32, f64)>,
    pub(crate) columns: Vec<(u32, f64)>,
    pub(crate) strides: Vec<(u32, f64)>,
    /// Accesses to the memory of other domains; empty if there are none.
    pub(crate) accesses: Vec<Access>,
    pub(crate) memory_bytes: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Level {
    /// The cache, with its effective size.
    pub(crate) cache: Cache,
    /// Bandwidth of a single CPU, in bytes per second.
    pub(crate) alone: f64,
    /// Bandwidth of all CPUs that share the cache, in bytes per second.
    pub(crate) all: Option<f64>,
    pub(crate) latency_s: f64,
    pub(crate) scattered_s: f64,
}

impl MeasuredLevels {
    pub(crate) fn new(parts: &Parts, progress: &dyn Fn(&str)) -> Self {
        progress("operations");
        let (operation_s, ahead_s) = (operation_s(), ahead_s());
        let last = parts.caches.last().map_or(0, |cache| cache.bytes);
        let free = parts.free_bytes.unwrap_or(u64::MAX) / 2;
        let memory_bytes = last
            .saturating_mul(BEYOND)
            .clamp(MEMORY[0], MEMORY[1])
            .min(free);
        let counts = counts(parts.cpus);
        let curve = counts.iter().map(|&cpus| {
            progress(&format!("memory on {cpus} of {} CPUs", parts.cpus));
            shared_bandwidth(memory_bytes / u64::from(cpus), cpus)
        });
        let curve: Vec<f64> = curve.collect();
        let latency_s = latency_s(memory_bytes);
        progress("pages");
        let pages = PAGES.map(|power| (power, 1_usize << power));
        let pages = pages.take_while(|(_, pages)| MatrixColumn::bytes(*pages) as u64 <= free);
        let pages = pages.map(|(power, pages)| (power, page_s(pages))).collect();
        let accesses = accesses(&parts.domain_cpus, &mut |cpu, memory| {
            progress(&format!("CPU {cpu} with the memory of CPU {memory}"));
            remote::measured(cpu, memory, memory_bytes)
        });
        progress("columns");
        let most = memory_bytes.max(1).ilog2();
        let columns = (TURNED..=most).map(|it| (it, turned_s(Turned::square(it))));
        let strides = ROWS.map(|it| (it, turned_s(Turned::with_rows_of(it))));
        let (columns, strides) = (columns.collect(), strides.collect());
        let mut next = curve.first().copied().unwrap_or(f64::MAX);
        let mut caches = Vec::new();
        for (place, cache) in parts.caches.iter().enumerate().rev() {
            progress(&format!("L{}", cache.level));
            let nearer = place.checked_sub(1).and_then(|it| parts.caches.get(it));
            let level = Level::measure(*cache, nearer, next);
            next = level.alone;
            caches.push(level);
        }
        caches.reverse();
        Self {
            caches: nested(caches),
            curve: filled(&counts, &curve, parts.cpus),
            latency_s,
            scattered_s: scattered_s(memory_bytes),
            operation_s,
            ahead_s,
            pages,
            columns,
            strides,
            accesses,
            memory_bytes,
        }
    }
}

impl Level {
    /// Measures a cache. `next` is the bandwidth of a single CPU with larger data.
    fn measure(cache: Cache, nearer: Option<&Cache>, next: f64) -> Self {
        let middle = middle(cache.bytes, nearer.map(|it| it.bytes));
        let alone = bandwidth(middle).max(next);
        let all = (cache.cpus > 1).then(|| {
            let of_one = middle / u64::from(cache.cpus);
            let of_one = of_one.max(nearer.map_or(0, |it| 2 * it.bytes).min(middle));
            shared_bandwidth(of_one, cache.cpus).max(alone)
        });
        let bytes = effective(cache.bytes, middle, (alone, next), bandwidth);
        Self {
            cache: Cache { bytes, ..cache },
            alone,
            all,
            latency_s: latency_s(middle),
            scattered_s: scattered_s(middle),
        }
    }
}

/// Returns a size that fits in a cache but not in the nearer one: the geometric mean of their
/// sizes. For the nearest cache, it is half of the cache's size.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are positive and far below 2^53"
)]
fn middle(bytes: u64, nearer: Option<u64>) -> u64 {
    match nearer {
        None => bytes / 2,
        Some(nearer) => (nearer as f64 * bytes as f64).sqrt() as u64,
    }
}

/// Returns the largest size at which the bandwidth is closer to the cache's than to the next
/// level's, but at most the size that the system reports.
fn effective(
    bytes: u64,
    middle: u64,
    (alone, next): (f64, f64),
    mut bandwidth: impl FnMut(u64) -> f64,
) -> u64 {
    if next >= SAME * alone {
        return bytes;
    }
    let threshold = (alone * next).sqrt();
    let steps = std::iter::successors(Some(bytes), |size| Some(size / 4 * 3));
    let mut steps = steps.take_while(|size| *size > middle);
    steps
        .find(|size| bandwidth(*size) >= threshold)
        .unwrap_or(middle)
}

/// Makes each cache at least as large as those nearer to the CPU.
fn nested(mut caches: Vec<Level>) -> Vec<Level> {
    let mut least = 0;
    for level in &mut caches {
        level.cache.bytes = level.cache.bytes.max(least);
        least = level.cache.bytes;
    }
    caches
}

/// Returns the numbers of CPUs to measure: all numbers up to 4, then powers of 2, and the number of
/// all CPUs.
fn counts(cpus: u32) -> Vec<u32> {
    let powers = std::iter::successors(Some(4_u32), |count| count.checked_mul(2));
    let mut counts: Vec<u32> = (1..4).chain(powers.take_while(|it| *it < cpus)).collect();
    counts.retain(|count| *count < cpus);
    counts.push(cpus);
    counts
}

/// Returns the bandwidth for each number of CPUs, interpolated linearly between measured ones.
fn filled(counts: &[u32], curve: &[f64], cpus: u32) -> Vec<f64> {
    let at = |count: u32| {
        let place = counts.partition_point(|it| *it < count);
        let (Some(&above), Some(&rate)) = (counts.get(place), curve.get(place)) else {
            return curve.last().copied().unwrap_or(0.0);
        };
        let before = place.checked_sub(1);
        let Some((&below, &from)) = before.and_then(|it| counts.get(it).zip(curve.get(it))) else {
            return rate;
        };
        let part = f64::from(count - below) / f64::from(above - below);
        from + part * (rate - from)
    };
    (1..=cpus).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_ends_where_its_bandwidth_does() {
        // The bandwidth is 10 up to 600 bytes, then 1.
        let bandwidth = |size| if size <= 600 { 10.0 } else { 1.0 };
        assert_eq!(effective(1000, 100, (10.0, 1.0), bandwidth), 561);
        assert_eq!(effective(1000, 700, (10.0, 1.0), bandwidth), 700);
        assert_eq!(effective(1000, 100, (10.0, 9.5), bandwidth), 1000);
        assert_eq!(
            (middle(1 << 15, None), middle(1 << 20, Some(1 << 10))),
            (1 << 14, 1 << 15)
        );
    }

    #[test]
    fn a_curve_has_a_bandwidth_for_each_number_of_cpus() {
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(2), [1, 2]);
        assert_eq!(counts(12), [1, 2, 3, 4, 8, 12]);
        let curve = [10.0, 20.0, 30.0, 40.0, 60.0, 60.0];
        let all = filled(&counts(12), &curve, 12);
        assert_eq!(all[..8], [10.0, 20.0, 30.0, 40.0, 45.0, 50.0, 55.0, 60.0]);
        assert_eq!((all.len(), all[11]), (12, 60.0));
    }
}
