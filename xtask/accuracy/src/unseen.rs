//! Checks sets of measurements that nobody looked at when the priors of `fit` were chosen: counts
//! how many measurements at larger scales are within the predicted intervals.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_fit::law::{Options, Samples, fit};
use prophet_fit::measurements::Point;

use crate::Places;
use crate::sealed::Sealed;

/// Minimum number of fitted scales.
const FEWEST: usize = 4;

type UnseenColumns<'t> = BTreeMap<&'t str, &'t str>;

/// A quantity's rows by scale.
type Series<'t> = BTreeMap<u64, UnseenColumns<'t>>;

/// A set of series over a parameter.
#[derive(Debug)]
struct UnseenSet {
    name: &'static str,
    file: &'static str,
    /// The columns that distinguish series.
    keys: &'static [&'static str],
    scale: &'static str,
    /// Returns `true` for the rows that count.
    has: fn(&UnseenColumns<'_>) -> bool,
    /// Returns a row's measured value.
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
        has: |row| {
            let is_size = ["8", "1024", "65536", "1048576"].contains(&row["bytes"]);
            is_size && row["benchmark"] != "PingPong"
        },
        value: |row| number(row["t_avg_us"]),
        near: |scales| scales.len().saturating_sub(2),
        far: "two largest",
    },
    UnseenSet {
        name: "IMB over bytes",
        file: "mpi/imb.csv",
        keys: &["system", "mpi", "benchmark", "ranks", "nodes"],
        scale: "bytes",
        has: |_| true,
        value: |row| number(row["t_avg_us"]),
        near: |scales| up_to(scales, 16),
        far: "over 1/16",
    },
    UnseenSet {
        name: "memory time per byte over cores",
        file: "node/bandwidth.csv",
        keys: &["machine", "level", "threads_per_core", "kernel"],
        scale: "cores",
        has: |_| true,
        value: |row| number(row["bytes_per_s"]).map(|it| 1e9 / it),
        near: |scales| up_to(scales, 2),
        far: "over 1/2",
    },
    UnseenSet {
        name: "MPT training over GPUs",
        file: "llm/llm_foundry_h100.csv",
        keys: &["Model", "SeqLen (T)", "Precision"],
        scale: "# GPUs",
        has: |_| true,
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
        let more = set.held(places, set.far, &series, set.near)?;
        let one = set.held(places, "largest", &series, |scales| scales.len() - 1)?;
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
    fn series<'t>(&self, text: &'t str) -> Vec<Series<'t>> {
        let mut lines = text.lines().map(|it| it.split(','));
        let names: Vec<&str> = lines.next().into_iter().flatten().collect();
        let mut all: BTreeMap<Vec<&str>, Series<'t>> = BTreeMap::new();
        for line in lines {
            let row: UnseenColumns<'_> = names.iter().copied().zip(line).collect();
            let scale = row[self.scale].parse().ok().filter(|it| *it > 0);
            if let Some(scale) = scale.filter(|_| (self.has)(&row)) {
                let key = self.keys.iter().map(|it| row[it]).collect();
                all.entry(key).or_default().insert(scale, row);
            }
        }
        all.into_values().collect()
    }

    /// Returns how many points after the first `fitted` scales of each series are in the interval,
    /// and the total number of such points.
    fn held(
        &self,
        places: &Places,
        left_out: &str,
        all: &[Series<'_>],
        fitted: impl Fn(&[u64]) -> usize,
    ) -> Result<(usize, usize), String> {
        let mut rows = Vec::new();
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for series in all {
            let scales: Vec<u64> = series.keys().copied().collect();
            let fitted = fitted(&scales);
            if fitted < FEWEST {
                continue;
            }
            let small = series.iter().take(fitted).map(|(scale, row)| Point {
                at: vec![*scale as f64],
                values: (self.value)(row).into_iter().collect(),
            });
            let samples = Samples {
                parameters: vec![self.scale.to_owned()],
                points: small.collect(),
            };
            let fit = fit(&samples, &Options::default()).expect("a fit");
            for (scale, row) in series.iter().skip(fitted) {
                let (low, high) = fit.interval(0.9, &[*scale as f64]);
                lows.push(low);
                highs.push(high);
                rows.push(row);
            }
        }
        let name = format!("{}, without {left_out}", self.name);
        let sealed = Sealed::new(&name, rows.len(), |row| (self.value)(rows[row]));
        let measured = sealed.open(places, ["low", "high"], [&lows, &highs])?;
        let held = |row: &usize| (lows[*row]..=highs[*row]).contains(&measured[*row]);
        Ok(((0..measured.len()).filter(held).count(), measured.len()))
    }
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
