//! Checks sets of measurements that nobody looked at when the priors of `fit` were chosen: counts
//! how many measurements at larger scales are within the predicted intervals.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_fit::law::{Options, Samples, fit};
use prophet_fit::measurements::Point;

use crate::Places;

/// Minimum number of fitted scales.
const FEWEST: usize = 4;

/// A quantity's values by scale.
type Series = BTreeMap<u64, f64>;

type UnseenColumns<'t> = BTreeMap<&'t str, &'t str>;

/// A set of series over a parameter.
#[derive(Debug)]
struct UnseenSet {
    name: &'static str,
    file: &'static str,
    /// The columns that distinguish series.
    keys: &'static [&'static str],
    scale: &'static str,
    /// Returns a row's value; `None` to skip the row.
    value: fn(&UnseenColumns<'_>) -> Option<f64>,
    /// Number of fitted scales if the largest scales are far away.
    near: fn(&[u64]) -> usize,
    far: &'static str,
}

const SETS: [UnseenSet; 4] = [
    UnseenSet {
        name: "IMB collectives over ranks, four sizes",
        file: "mpi/imb.csv",
        keys: &["system", "mpi", "benchmark", "bytes"],
        scale: "ranks",
        value: |row| {
            let is_size = ["8", "1024", "65536", "1048576"].contains(&row["bytes"]);
            let is_one = is_size && row["benchmark"] != "PingPong";
            is_one.then(|| number(row["t_avg_us"])).flatten()
        },
        near: |scales| scales.len().saturating_sub(2),
        far: "two largest",
    },
    UnseenSet {
        name: "IMB over bytes",
        file: "mpi/imb.csv",
        keys: &["system", "mpi", "benchmark", "ranks", "nodes"],
        scale: "bytes",
        value: |row| number(row["t_avg_us"]),
        near: |scales| up_to(scales, 16),
        far: "over 1/16",
    },
    UnseenSet {
        name: "memory time per byte over cores",
        file: "node/bandwidth.csv",
        keys: &["machine", "level", "threads_per_core", "kernel"],
        scale: "cores",
        value: |row| number(row["bytes_per_s"]).map(|it| 1e9 / it),
        near: |scales| up_to(scales, 2),
        far: "over 1/2",
    },
    UnseenSet {
        name: "MPT training over GPUs",
        file: "llm/llm_foundry_h100.csv",
        keys: &["Model", "SeqLen (T)", "Precision"],
        scale: "# GPUs",
        value: |row| number(row["Throughput (T/s)"]).map(|it| 1e3 / it),
        near: |scales| scales.len().saturating_sub(2),
        far: "two largest",
    },
];

/// Tabulates how many points the intervals contain.
///
/// # Errors
///
/// Returns an error if a file is missing.
pub(crate) fn table(places: &Places) -> Result<String, String> {
    let mut table =
        "| unseen measurements | largest scale left out: in the interval | more left out \
                     | in the interval |\n|---|---|---|---|\n"
            .to_owned();
    let mut sums = [(0, 0); 2];
    for set in &SETS {
        let text = places.measurements(set.file)?;
        let series = set.series(&text);
        let one = held(set.scale, &series, |scales| scales.len() - 1);
        let more = held(set.scale, &series, set.near);
        for (sum, found) in sums.iter_mut().zip([one, more]) {
            *sum = (sum.0 + found.0, sum.1 + found.1);
        }
        let (name, far) = (set.name, set.far);
        let _ = writeln!(
            table,
            "| {name} | {} | {far} | {} |",
            shown(one),
            shown(more)
        );
    }
    let _ = writeln!(table, "| all | {} | | {} |", shown(sums[0]), shown(sums[1]));
    Ok(table)
}

fn shown((held, points): (usize, usize)) -> String {
    let share = 100.0 * held as f64 / points as f64;
    format!("{held} of {points} ({share:.0} %)")
}

impl UnseenSet {
    fn series(&self, text: &str) -> Vec<Series> {
        let mut lines = text.lines().map(|it| it.split(','));
        let names: Vec<&str> = lines.next().into_iter().flatten().collect();
        let mut all: BTreeMap<Vec<&str>, Series> = BTreeMap::new();
        for line in lines {
            let row: UnseenColumns<'_> = names.iter().copied().zip(line).collect();
            let scale = row[self.scale].parse().ok().filter(|it| *it > 0);
            if let Some((scale, value)) = scale.zip((self.value)(&row)) {
                let key = self.keys.iter().map(|it| row[it]).collect();
                all.entry(key).or_default().insert(scale, value);
            }
        }
        all.into_values().collect()
    }
}

/// Returns how many points after the first `fitted` scales of each series are in the interval, and
/// the total number of such points.
fn held(scale: &str, all: &[Series], fitted: impl Fn(&[u64]) -> usize) -> (usize, usize) {
    let (mut held, mut points) = (0, 0);
    for series in all {
        let scales: Vec<u64> = series.keys().copied().collect();
        let fitted = fitted(&scales);
        if fitted < FEWEST {
            continue;
        }
        let small = series.iter().take(fitted).map(|(scale, value)| Point {
            at: vec![*scale as f64],
            values: vec![*value],
        });
        let samples = Samples {
            parameters: vec![scale.to_owned()],
            points: small.collect(),
        };
        let fit = fit(&samples, &Options::default()).expect("a fit");
        for (scale, value) in series.iter().skip(fitted) {
            let (low, high) = fit.interval(0.9, &[*scale as f64]);
            held += usize::from((low..=high).contains(value));
            points += 1;
        }
    }
    (held, points)
}

/// Returns the number of scales that are at most a share of the largest.
fn up_to(scales: &[u64], share: u64) -> usize {
    let largest = scales.last().copied().unwrap_or_default();
    scales.iter().filter(|it| **it * share <= largest).count()
}

/// Parses a positive value.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|it| *it > 0.0)
}
