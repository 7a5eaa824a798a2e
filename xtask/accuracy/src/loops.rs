//! Ten loops over working sets in each cache and in memory, predicted from what `calibrate node`
//! and `calibrate cpu` measure here, and from what the source of each loop says.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use prophet_runtime::{ActionPlus, Cache, Machine, Model, Problem, Simulation, System, Value};
use prophet_testing::machine;

use crate::{Errors, Found, Other, Places, Row};

const PROGRAM: &str = include_str!("loops.c");

const LOOP: ActionPlus = ActionPlus::new(0, "Loop", 1);
const MODEL: Model = Model::new("Loop", &[], 1);

/// Bytes of a line of a cache, of a page of memory, of a double, and of a vector of the ABI.
const LINE: u64 = 64;
const PAGE: u64 = 4096;
const DOUBLE: u64 = 8;
const VECTOR: u64 = 16;

/// An element of a loop, as its source says.
#[derive(Debug, Clone, Copy)]
struct Element {
    /// Loads and stores.
    accesses: f64,
    flops: f64,
    /// Additions that wait for the one before.
    chain: Chain,
    /// Bytes that go to and come from the level of the working set.
    bytes: u64,
    /// Access to one line of each of many, or to places in no order.
    scattered: Scattered,
    /// Accesses to neighbors in other rows or planes, and how many of these there are around an
    /// element; vectors of neighbors in a row are not aligned.
    neighbors: Option<(u64, Count)>,
}

/// Sums of an addition for each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chain {
    No,
    /// Sums of n elements, none of which needs another.
    Rows,
    /// Sums that need the one before.
    One,
}

/// Accesses to lines that do not follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scattered {
    No,
    /// Down a column: a line is used again for the next columns, if the lines of one stay there.
    Column,
    /// In no order, over as many bytes of each element.
    Anywhere(u64),
}

/// Number of elements over n.
type Count = fn(u64) -> u64;

/// Names of the loops, with an element of each and the number of elements over n.
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
            scattered: Scattered::Column,
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

/// An element of a sum.
const fn chained(chain: Chain, bytes: u64) -> Element {
    Element {
        chain,
        ..element(2.0, 2.0, bytes)
    }
}

/// An element and its neighbors.
const fn stencil(accesses: f64, flops: f64, beyond: u64, between: Count) -> Element {
    Element {
        neighbors: Some((beyond, between)),
        ..element(accesses, flops, 16)
    }
}

/// Machine here, as it was measured.
struct Here {
    node: Machine,
    /// Seconds of an addition that waits for another.
    chain_s: f64,
}

/// A measured loop.
#[derive(Debug)]
struct Measured {
    name: String,
    level: String,
    working_set: u64,
    n: u64,
    time_s: f64,
}

/// Figures of this case.
///
/// # Errors
///
/// Fails if this machine has no list of its caches, or no C compiler.
pub(crate) fn found(_: &Places) -> Result<Found, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let here = Here::measure(folder.path())?;
    let program = compiled(folder.path())?;
    let measured = here.run(&program)?;
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
        fitted: "nothing: `calibrate node`, `calibrate cpu`",
        naive: Some(Other {
            name: "roofline",
            mean: naive.mean_percent(),
        }),
        ..Row::new("ten loops, working sets in each cache and in memory", &all)
    };
    Ok(Found {
        rows: vec![row],
        details: details(&predictions),
    })
}

/// Table of the errors by level, with the worst loop of each.
fn details(predictions: &[(&Measured, f64)]) -> String {
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
            // Writing to a string cannot fail.
            let _ = writeln!(table, "| {level} | {mean:.0} % | {error:+.0} % | {name} |");
        }
    }
    format!("{table}\n{}\n", machine())
}

/// Program of the loops, compiled as vectors, without calls of the library in their place.
fn compiled(folder: &Path) -> Result<std::path::PathBuf, String> {
    let (source, program) = (folder.join("loops.c"), folder.join("loops"));
    fs::write(&source, PROGRAM).map_err(|error| error.to_string())?;
    let status = Command::new("cc")
        .args(["-O3", "-fno-tree-loop-distribute-patterns", "-o"])
        .args([&program, &source])
        .arg("-lm")
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("there is no C compiler `cc`: {error}"))?;
    if status.success() {
        Ok(program)
    } else {
        Err(format!("cc failed ({status})"))
    }
}

impl Here {
    fn measure(folder: &Path) -> Result<Self, String> {
        let read = |name: &str, text: String| {
            let file = folder.join(name);
            fs::write(&file, text).map_err(|error| Problem::new(error.to_string()))?;
            Machine::read(&file.display().to_string())
        };
        let cpu = read("cpu.toml", prophet_calibrate::cpu::measure("cpu"))?;
        let text = prophet_calibrate::node::measure("node", &|_| ())?;
        Ok(Self {
            node: read("node.toml", text)?,
            chain_s: price(&cpu, "AFDL")?,
        })
    }

    /// Sizes of working sets: in the middle of each cache, and twice the last one; with names.
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

    /// Runs the program over all sizes.
    fn run(&self, program: &Path) -> Result<Vec<Measured>, String> {
        let sizes = self.sizes();
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
            Some(Measured {
                name: name.to_owned(),
                level: level.0.clone(),
                working_set,
                n: n.parse().ok()?,
                time_s: time_s.parse().ok()?,
            })
        };
        let lines = text.lines();
        lines
            .map(|it| line(it).ok_or_else(|| format!("`{it}` is no measured loop")))
            .collect()
    }

    /// Predicted time of a loop: an action with its cost, its bytes and its working set, and then
    /// one for the neighbors that no longer are in the nearest cache: one CPU has the misses of
    /// both, and these add up.
    fn predict(&self, it: &Measured) -> Result<f64, String> {
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

    fn nearest(&self) -> Result<&Cache, String> {
        let caches = &self.node.memory.caches;
        let nearest = caches.first();
        nearest.ok_or_else(|| "`calibrate node` measures caches".to_owned())
    }

    /// Cost of an element in the CPU, and for lines that do not follow each other.
    fn cost_s(&self, element: Element, it: &Measured) -> Result<f64, String> {
        // Of vectors that are not aligned, some are in two lines.
        let halves = element
            .neighbors
            .map_or(0.0, |_| VECTOR as f64 / LINE as f64);
        let accesses = element.accesses * (1.0 + halves);
        let chain_s = match element.chain {
            Chain::No => 0.0,
            Chain::One => self.chain_s,
            Chain::Rows => {
                let row_s = it.n as f64 * self.chain_s;
                of_row_s(row_s, price(&self.node, "AHEAD")?) / it.n as f64
            }
        };
        let parts = [
            DOUBLE as f64 * accesses / self.nearest()?.core_bandwidth,
            element.flops * price(&self.node, "FLOP")?,
            chain_s,
            self.scattered_s(element, it)?,
        ];
        Ok(parts.into_iter().fold(0.0, f64::max))
    }

    /// Time of an access to a line that does not follow the one before; 0 if all do.
    fn scattered_s(&self, element: Element, it: &Measured) -> Result<f64, String> {
        match element.scattered {
            Scattered::No => Ok(0.0),
            Scattered::Column => self.column_s(it),
            Scattered::Anywhere(bytes) => self.anywhere_s(it.n * bytes),
        }
    }

    /// Time of an access down a column. The elements of a line come from where the working set is
    /// once, and then from the nearest cache that has room for the lines of the column; each is in
    /// a page of its own, if rows are as long.
    fn column_s(&self, it: &Measured) -> Result<f64, String> {
        let caches = &self.node.memory.caches;
        let line_s = |bytes| {
            let level = caches.iter().find(|cache| cache.size >= bytes);
            let level = level.map_or("M".to_owned(), |cache| cache.level.to_string());
            price(&self.node, &format!("LINE{level}"))
        };
        let page_s = self.page_s((DOUBLE * it.n * it.n / PAGE).min(it.n))?;
        let again_s = line_s(room_of_column(it.n))?.max(page_s);
        let first_s = line_s(it.working_set)?.max(again_s);
        let part = DOUBLE as f64 / LINE as f64;
        Ok(part * first_s + (1.0 - part) * again_s)
    }

    /// Time of an access to one of as many pages in turn, by the powers of 2 that were measured.
    fn page_s(&self, pages: u64) -> Result<f64, String> {
        let power = (pages.max(1) as f64).log2();
        let at = |power: u32| self.node.prices.get(&format!("PAGE{power}"));
        let measured: Vec<(u32, f64)> = (0..u64::BITS)
            .filter_map(|power| at(power).map(|time_s| (power, time_s)))
            .collect();
        let (Some(&first), Some(&last)) = (measured.first(), measured.last()) else {
            return Err("`calibrate node` measures pages".to_owned());
        };
        let pair = measured
            .windows(2)
            .find(|pair| power < f64::from(pair[1].0));
        Ok(match pair {
            _ if power <= f64::from(first.0) => 0.0,
            Some(pair) => {
                let part = power - f64::from(pair[0].0);
                pair[0].1 + part * (pair[1].1 - pair[0].1)
            }
            None => last.1,
        })
    }

    /// Time of an access to places in no order, of which each cache has its part.
    fn anywhere_s(&self, bytes: u64) -> Result<f64, String> {
        let (mut seconds, mut nearer) = (0.0, 0.0);
        for cache in self.node.memory.caches.iter() {
            let part = (cache.size as f64 / bytes as f64).min(1.0);
            let price_s = price(&self.node, &format!("LINE{}", cache.level))?;
            seconds += (part - nearer) * price_s;
            nearer = part;
        }
        Ok(seconds + (1.0 - nearer) * price(&self.node, "LINEM")?)
    }

    /// Time by the roofline of operations and memory alone.
    fn roofline_s(&self, it: &Measured) -> Result<f64, String> {
        let (element, count) = described(it)?;
        let rate = self.node.memory.core_bandwidth;
        let rate = rate.ok_or("`calibrate node` measures memory")?;
        let flops_s = element.flops * price(&self.node, "FLOP")?;
        Ok(count as f64 * flops_s.max(element.bytes as f64 / rate))
    }
}

/// Time of each of many sums of `row_s`, none of which needs another, in a processor that starts a
/// sum `ahead_s` before the previous one ends.
///
/// It keeps operations until all before them have ended, and as many as a sum adds in `ahead_s`.
/// If these are `whole` sums and a rest, a sum starts when the one `whole + 1` before it has come
/// to the rest, or when the last one before that has ended.
fn of_row_s(row_s: f64, ahead_s: f64) -> f64 {
    let whole = (ahead_s / row_s).floor();
    let rest_s = ahead_s - whole * row_s;
    ((row_s - rest_s) / (whole + 1.0)).max(row_s / (whole + 2.0))
}

/// Room that the lines of a column of an n x n matrix of doubles need in a cache, in bytes.
///
/// The place of a line in its page chooses among the sets of a cache; pages are spread over sets at
/// random. If the lines of a column are at few places of their pages, they compete for few sets.
fn room_of_column(n: u64) -> u64 {
    let stride = DOUBLE * n;
    let places = (PAGE >> stride.trailing_zeros().min(PAGE.trailing_zeros())).min(PAGE / LINE);
    n * LINE * (PAGE / LINE) / places.max(1)
}

/// Geometric mean of two sizes.
fn middle(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    u64::try_from(product.isqrt()).unwrap_or(u64::MAX)
}

/// Element of a measured loop, and the number of its elements.
fn described(it: &Measured) -> Result<(Element, u64), String> {
    let found = LOOPS.iter().find(|(name, ..)| *name == it.name);
    let (_, element, count) = found.ok_or_else(|| format!("no loop `{}` is described", it.name))?;
    Ok((*element, count(it.n)))
}

fn price(machine: &Machine, name: &str) -> Result<f64, String> {
    let price_s = machine.prices.get(name);
    price_s.ok_or_else(|| format!("the machine does not price `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::{of_row_s, room_of_column};

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

    #[test]
    fn lines_of_a_column_compete_for_sets_if_its_stride_divides_pages() {
        // Strides of a multiple of 8 B, of 256 B and of a page.
        for (n, of_all) in [
            (11_585, 1),
            (5_792, 4),
            (8_192, 64),
            (512, 64),
            (140, 1),
            (4, 1),
        ] {
            assert_eq!(room_of_column(n), n * 64 * of_all, "{n}");
        }
    }
}
