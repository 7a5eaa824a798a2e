//! Predicts ten loops, with working sets in each cache and in memory, from what `calibrate node`
//! and `calibrate cpu` measure here and from the loops' source code.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use prophet_fit::law::{Knees, Options, Samples, fit};
use prophet_fit::measurements::Point;
use prophet_runtime::{ActionPlus, Model, Simulation, System, Value};
use prophet_testing::machine;

use crate::here::{DOUBLE, Here, LINE};
use crate::{Errors, Found, Other, Places, Row};

const PROGRAM: &str = include_str!("loops.c");

const LOOP: ActionPlus = ActionPlus::new(0, "Loop", 1);
const MODEL: Model = Model::new("Loop", &[], 1);

/// Working sets to fit costs to, as powers of 2.
const KNEES: std::ops::RangeInclusive<u32> = 12..=28;
/// Bytes of a vector in the ABI.
const VECTOR: u64 = 16;

/// An element of a loop, as described by its source.
#[derive(Debug, Clone, Copy)]
struct Element {
    accesses: f64,
    flops: f64,
    /// Additions that wait for the previous one.
    chain: Chain,
    /// Bytes moved to and from the level that contains the working set.
    bytes: u64,
    /// Accesses to one line in each of many, or to random places.
    scattered: Scattered,
    /// Accesses to neighbors in other rows or planes, and how many neighbors are around an element.
    /// Vectors of neighbors in a row are unaligned.
    neighbors: Option<(u64, Count)>,
}

/// Sums with one addition per element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chain {
    No,
    /// Independent sums of n elements.
    Rows,
    /// Sums that need the previous one.
    One,
}

/// Accesses to lines that aren't consecutive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scattered {
    No,
    /// Loads down a column. A line is reused for the next columns if the lines of one column stay
    /// in the cache.
    Column,
    /// Stores down a column.
    Turned,
    /// Random places, in an array with this many bytes per element.
    Anywhere(u64),
}

/// The number of elements as a function of n.
type Count = fn(u64) -> u64;

/// Names of the loops, with an element of each and the number of elements as a function of n.
const LOOPS: [(&str, Element, Count); 10] = [
    ("copy", element(2.0, 0.0, 16), |n| n),
    ("triad", element(3.0, 2.0, 24), |n| n),
    ("dot", chained(Chain::Rows, 16), |n| n),
    ("stencil-1d", stencil(4.0, 3.0, 0, |_| 0), |n| n - 2),
    ("stencil-2d", stencil(6.0, 5.0, 2, |n| 3 * n), |n| {
        (n - 2).pow(2)
    }),
    ("stencil-3d", stencil(8.0, 7.0, 2, |n| 3 * n * n), |n| {
        (n - 2).pow(3)
    }),
    (
        "transpose",
        Element {
            scattered: Scattered::Turned,
            ..element(2.0, 0.0, 16)
        },
        |n| n * n,
    ),
    (
        "livermore-6",
        Element {
            scattered: Scattered::Column,
            ..chained(Chain::One, 8)
        },
        |n| n * (n - 1) / 2,
    ),
    ("matrix-vector", chained(Chain::Rows, 8), |n| n * n),
    (
        "gather",
        Element {
            scattered: Scattered::Anywhere(8),
            ..element(3.0, 0.0, 20)
        },
        |n| n,
    ),
];

const fn element(accesses: f64, flops: f64, bytes: u64) -> Element {
    Element {
        accesses,
        flops,
        chain: Chain::No,
        bytes,
        scattered: Scattered::No,
        neighbors: None,
    }
}

const fn chained(chain: Chain, bytes: u64) -> Element {
    Element {
        chain,
        ..element(2.0, 2.0, bytes)
    }
}

const fn stencil(accesses: f64, flops: f64, beyond: u64, between: Count) -> Element {
    Element {
        neighbors: Some((beyond, between)),
        ..element(accesses, flops, 16)
    }
}

#[derive(Debug)]
struct MeasuredLoop {
    name: String,
    level: String,
    working_set: u64,
    n: u64,
    time_s: f64,
}

/// Computes the figures of this case.
///
/// # Errors
///
/// Returns an error if this machine doesn't list its caches, or has no C compiler.
pub(crate) fn found(_: &Places) -> Result<Found, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let here = Here::measure(folder.path())?;
    let program = compiled(folder.path())?;
    let measured = run(&program, &here.sizes())?;
    let (mut all, mut naive) = (Errors::default(), Errors::default());
    let mut predictions = Vec::new();
    for it in &measured {
        let predicted_s = here.predict(it)?;
        all.extend([(predicted_s, it.time_s)]);
        naive.extend([(here.roofline_s(it)?, it.time_s)]);
        predictions.push((it, predicted_s));
    }
    let row = Row {
        source: "this machine",
        fitted: "nothing (`calibrate node`, `calibrate cpu`)",
        naive: Some(Other {
            name: "roofline",
            mean: naive.mean_percent(),
        }),
        ..Row::new("ten loops, working sets in each cache and in memory", &all)
    };
    let caches: Vec<f64> = here
        .node
        .memory
        .caches
        .iter()
        .map(|it| it.size as f64)
        .collect();
    let powers = KNEES.map(|power| (String::new(), 1 << power));
    let [with, without] = left_out(&run(&program, &powers.collect::<Vec<_>>())?, &caches)?;
    let by_fit = Row {
        source: "this machine",
        fitted: "the other sizes (`fit --machine`)",
        naive: Some(Other {
            name: "`fit` without caches",
            mean: without.mean_percent(),
        }),
        ..Row::new(
            "ten loops, each size of 8 KiB to 128 MiB from the others",
            &with,
        )
    };
    Ok(Found {
        rows: vec![row, by_fit],
        details: details(&predictions),
    })
}

/// Tabulates the errors by level, with the worst loop for each.
fn details(predictions: &[(&MeasuredLoop, f64)]) -> String {
    let mut levels: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
    for (it, predicted_s) in predictions {
        let error = 100.0 * (predicted_s / it.time_s - 1.0);
        levels.entry(&it.level).or_default().push((&it.name, error));
    }
    let mut table =
        "| working set in | mean error | worst | loop |\n|---|---|---|---|\n".to_owned();
    for (level, errors) in levels {
        let mean = errors.iter().map(|it| it.1.abs()).sum::<f64>() / errors.len() as f64;
        let worst = errors
            .iter()
            .max_by(|one, two| one.1.abs().total_cmp(&two.1.abs()));
        if let Some((name, error)) = worst {
            let _ = writeln!(table, "| {level} | {mean:.0} % | {error:+.0} % | {name} |");
        }
    }
    format!("{table}\n{}\n", machine())
}

/// Compiles the loops' program with vectors, without replacing loops by library calls.
fn compiled(folder: &Path) -> Result<std::path::PathBuf, String> {
    let (source, program) = (folder.join("loops.c"), folder.join("loops"));
    fs::write(&source, PROGRAM).map_err(|error| error.to_string())?;
    let status = Command::new("cc")
        .args(["-O3", "-fno-tree-loop-distribute-patterns", "-o"])
        .args([&program, &source])
        .arg("-lm")
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("the C compiler `cc` is not installed: {error}"))?;
    if status.success() {
        Ok(program)
    } else {
        Err(format!("cc failed ({status})"))
    }
}

impl Here {
    /// Returns the sizes of working sets, with names: in the middle of each cache, and twice the
    /// last one.
    fn sizes(&self) -> Vec<(String, u64)> {
        let mut sizes = Vec::new();
        let mut nearer = None;
        for cache in self.node.memory.caches.iter() {
            let middle = nearer.map_or(cache.size / 2, |nearer| middle(nearer, cache.size));
            sizes.push((format!("L{}", cache.level), middle));
            nearer = Some(cache.size);
        }
        let last = nearer.unwrap_or(0);
        sizes.push(("memory".to_owned(), (4 * last).clamp(1 << 29, 1 << 30)));
        sizes
    }

    /// Predicts a loop's time. An action has its cost, its bytes and its working set; a second
    /// action has the neighbors that are no longer in the nearest cache. One CPU has the misses of
    /// both, so their times add up.
    fn predict(&self, it: &MeasuredLoop) -> Result<f64, String> {
        let (element, count) = described(it)?;
        let cost_s = count as f64 * self.cost_s(element, it)?;
        let (beyond, between) = element.neighbors.map_or((0, 0), |(beyond, between)| {
            (DOUBLE * beyond, DOUBLE * between(it.n))
        });
        let is_near = between <= self.nearest()?.size;
        let moved = count * element.bytes;
        let again = if is_near { 0 } else { count * beyond };
        let mut system = System::on(self.node.clone(), 1, 1, 1, 1);
        let bytes = [moved, it.working_set, again, between];
        let bytes = bytes.map(|it| Value::Int(i64::try_from(it).unwrap_or(i64::MAX)));
        system.parameters = vec![Value::Real(cost_s)];
        system.parameters.extend(bytes);
        let run = Simulation::new(&MODEL, system).run(async |ctx| {
            let moving = LOOP.execute(ctx, ctx.real_parameter(0));
            let moving = moving.moving(ctx.int_parameter(1));
            moving.within(ctx.int_parameter(2)).await?;
            let again = LOOP.execute(ctx, 0.0).moving(ctx.int_parameter(3));
            again.within(ctx.int_parameter(4)).await
        });
        run.map(|outcome| outcome.predicted_time_s)
            .map_err(|failure| failure.to_string())
    }

    /// Returns an element's cost in the CPU, and for lines that aren't consecutive.
    fn cost_s(&self, element: Element, it: &MeasuredLoop) -> Result<f64, String> {
        // Some unaligned vectors span two lines.
        let halves = element
            .neighbors
            .map_or(0.0, |_| VECTOR as f64 / LINE as f64);
        let accesses = element.accesses * (1.0 + halves);
        let chain_s = match element.chain {
            Chain::No => 0.0,
            Chain::One => self.chain_s,
            Chain::Rows => {
                let row_s = it.n as f64 * self.chain_s;
                of_row_s(row_s, self.price("AHEAD")?) / it.n as f64
            }
        };
        let parts = [
            DOUBLE as f64 * accesses / self.nearest()?.core_bandwidth,
            element.flops * self.price("FLOP")?,
            chain_s,
            self.scattered_s(element, it)?,
        ];
        Ok(parts.into_iter().fold(0.0, f64::max))
    }

    /// Returns the time to access a line that doesn't follow the previous one; 0 if all lines do.
    fn scattered_s(&self, element: Element, it: &MeasuredLoop) -> Result<f64, String> {
        match element.scattered {
            Scattered::No => Ok(0.0),
            Scattered::Column => self.column_s(it.n, it.working_set),
            Scattered::Turned => self.turned_s(it.n, it.n, DOUBLE * it.n * it.n),
            Scattered::Anywhere(bytes) => self.anywhere_s(it.n * bytes),
        }
    }

    /// Predicts the time with a roofline of only operations and memory.
    fn roofline_s(&self, it: &MeasuredLoop) -> Result<f64, String> {
        let (element, count) = described(it)?;
        let rate = self.node.memory.core_bandwidth;
        let rate = rate.ok_or("`calibrate node` measures memory")?;
        let flops_s = element.flops * self.price("FLOP")?;
        Ok(count as f64 * flops_s.max(element.bytes as f64 / rate))
    }
}

/// Runs the program for all sizes.
fn run(program: &Path, sizes: &[(String, u64)]) -> Result<Vec<MeasuredLoop>, String> {
    let output = Command::new(program)
        .args(sizes.iter().map(|it| it.1.to_string()))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start the loops: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |line: &str| {
        let columns: Vec<&str> = line.split(',').collect();
        let [name, bytes, n, time_s] = columns[..] else {
            return None;
        };
        let working_set = bytes.parse().ok()?;
        let level = sizes.iter().find(|it| it.1 == working_set)?;
        Some(MeasuredLoop {
            name: name.to_owned(),
            level: level.0.clone(),
            working_set,
            n: n.parse().ok()?,
            time_s: time_s.parse().ok()?,
        })
    };
    let lines = text.lines();
    lines
        .map(|it| line(it).ok_or_else(|| format!("`{it}` is not a measured loop")))
        .collect()
}

/// Returns the errors of predictions for each size between the smallest and the largest, with costs
/// fitted to all other sizes: with the caches as knees, and without.
fn left_out(measured: &[MeasuredLoop], caches: &[f64]) -> Result<[Errors; 2], String> {
    let mut loops: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for it in measured {
        loops
            .entry(&it.name)
            .or_default()
            .push((it.working_set as f64, it.time_s));
    }
    let mut errors = [Errors::default(), Errors::default()];
    for points in loops.values() {
        for out in 1..points.len().saturating_sub(1) {
            let others = points.iter().enumerate().filter(|it| it.0 != out);
            let point = |(_, &(at, time_s)): (usize, &(f64, f64))| Point {
                at: vec![at],
                values: vec![time_s],
            };
            let samples = Samples {
                parameters: vec!["working_set".to_owned()],
                points: others.map(point).collect(),
            };
            let knees = Knees {
                parameter: 0,
                sizes: caches.to_vec(),
            };
            for (errors, knees) in errors.iter_mut().zip([Some(knees), None]) {
                let options = Options {
                    knees,
                    ..Options::default()
                };
                let fitted = fit(&samples, &options).map_err(|why| why.to_string())?;
                errors.extend([(fitted.model.at(&[points[out].0]), points[out].1)]);
            }
        }
    }
    Ok(errors)
}

/// Returns the time per sum for many independent sums of `row_s` each, in a processor that starts a
/// sum `ahead_s` before the previous one ends.
///
/// The processor keeps operations until all earlier ones have ended, and can keep as many as a sum
/// adds in `ahead_s`. If these are `whole` sums and a rest, a sum starts when the one `whole + 1`
/// before it has reached the rest, or when the last sum before that one has ended.
fn of_row_s(row_s: f64, ahead_s: f64) -> f64 {
    let whole = (ahead_s / row_s).floor();
    let rest_s = ahead_s - whole * row_s;
    ((row_s - rest_s) / (whole + 1.0)).max(row_s / (whole + 2.0))
}

fn middle(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    u64::try_from(product.isqrt()).unwrap_or(u64::MAX)
}

/// Returns the element of a measured loop, and the number of elements.
fn described(it: &MeasuredLoop) -> Result<(Element, u64), String> {
    let found = LOOPS.iter().find(|(name, ..)| *name == it.name);
    let (_, element, count) =
        found.ok_or_else(|| format!("the loop `{}` is not described", it.name))?;
    Ok((*element, count(it.n)))
}

#[cfg(test)]
mod tests {
    use super::of_row_s;

    #[test]
    fn sums_overlap_as_far_as_a_processor_looks_ahead() {
        for (ahead_s, time_s) in [
            (0.0, 12.0),
            (3.0, 9.0),
            (6.0, 6.0),
            (9.0, 6.0),
            (12.0, 6.0),
            (14.0, 5.0),
            (18.0, 4.0),
        ] {
            let row_s = of_row_s(12.0, ahead_s);
            assert!((row_s - time_s).abs() < 1e-12, "{ahead_s}: {row_s}");
        }
    }
}
