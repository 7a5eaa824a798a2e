//! Predicts iterations that no price was fitted to: prices are fitted to every third row of
//! published tables, and the remaining rows are predicted.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::fit::{A100_40_GB, FSDP, ONE_NODE, V100, VTRAIN};
use super::sample::NODE;
use super::{Known, Layout, Prices, Sample, calculon, fit, nemo};
use crate::sealed::Sealed;
use crate::{Errors, Found, Other, Places, Row};

/// Rows with a number divisible by this, counting from 0, are fitted.
const EVERY: usize = 3;

/// The prices of predictions.
const WAYS: [&str; 3] = [
    "known beforehand",
    "fitted to a third",
    "operations at one speed",
];

type HeldOutColumns<'t> = BTreeMap<&'t str, &'t str>;

struct HeldOutSet {
    name: &'static str,
    source: &'static str,
    file: &'static str,
    model: (&'static str, &'static str),
    known: Known,
    /// Mean error in percent that the authors report for their own predictions of all rows.
    published: Option<f64>,
    /// Makes a row's layout; `None` if something is missing.
    layout: fn(&HeldOutColumns<'_>) -> Option<Layout>,
    /// Reads a row's measured seconds.
    measured: fn(&HeldOutColumns<'_>) -> Option<f64>,
}

const SETS: [HeldOutSet; 5] = [
    HeldOutSet {
        name: "Megatron-LM on A100",
        source: "vTrain",
        file: "llm/vtrain_multi.csv",
        model: ("megatron.uml", "a100"),
        known: VTRAIN,
        published: Some(14.73),
        layout: vtrain,
        measured: milliseconds,
    },
    HeldOutSet {
        name: "FSDP on H100",
        source: "llm-foundry",
        file: "llm/llm_foundry_h100.csv",
        model: ("fsdp.uml", "h100"),
        known: FSDP,
        published: None,
        layout: foundry,
        measured: of_tokens,
    },
    HeldOutSet {
        name: "Megatron-LM on one node of A100",
        source: "vTrain",
        file: "llm/vtrain_single.csv",
        model: ("megatron.uml", "a100"),
        known: ONE_NODE,
        published: Some(8.37),
        layout: vtrain_node,
        measured: milliseconds,
    },
    HeldOutSet {
        name: "FSDP on A100 with 40 GB",
        source: "llm-foundry",
        file: "llm/llm_foundry_a100_40gb.csv",
        model: ("fsdp.uml", "a100-40gb-pytorch"),
        known: A100_40_GB,
        published: None,
        layout: foundry,
        measured: of_tokens,
    },
    HeldOutSet {
        name: "Megatron-LM on V100",
        source: "BigScience",
        file: "llm/bigscience_v100.csv",
        model: ("megatron.uml", "v100"),
        known: V100,
        published: None,
        layout: big_science,
        measured: seconds,
    },
];

#[derive(Debug, Clone, Copy)]
struct HeldOutPrediction {
    predicted_s: f64,
    measured_s: f64,
}

impl HeldOutPrediction {
    fn pair(&self) -> (f64, f64) {
        (self.predicted_s, self.measured_s)
    }

    fn residual(&self) -> f64 {
        (self.measured_s / self.predicted_s).ln()
    }
}

/// The predictions for all sets of measurements.
#[derive(Debug)]
pub struct HeldOut {
    rows: Vec<Row>,
    /// The table in `sample-models/fsdp.md`. A test compares the two.
    pub table: String,
    /// The prices that were fitted to a third of each set: machine, operation, and time in seconds.
    pub prices: Vec<(&'static str, &'static str, f64)>,
    /// Measured over predicted times of rows that the machine's prices weren't fitted to. Only the
    /// launches of `a100` were fitted, to a third of the rows on one node.
    ratios: BTreeMap<&'static str, Vec<f64>>,
}

pub(crate) fn found(places: &Places) -> Result<Found, String> {
    Ok(Found {
        rows: [held_out(places)?.rows, nemo(places)?.rows].concat(),
        ..Found::default()
    })
}

/// Fits prices to a third of each set, and predicts the remaining rows.
///
/// # Errors
///
/// Returns an error if the measurements or the models can't be read.
pub fn held_out(places: &Places) -> Result<HeldOut, String> {
    let mut all = HeldOut {
        rows: Vec::new(),
        table: "| iterations | prices | predicted | mean error | bias | worst \
                | in the range of 90 % |\n|---|---|---|---|---|---|---|\n"
            .to_owned(),
        prices: Vec::new(),
        ratios: BTreeMap::new(),
    };
    for set in &SETS {
        let (prices, [known, refitted, naive]) = set.predicted(places)?;
        let named = set.known.prices.iter().zip(&prices);
        let named = named.map(|(price, price_s)| (set.model.1, price.operation, *price_s));
        all.prices.extend(named);
        let (near, held) = split(refitted);
        let (_, naive) = split(naive);
        // Except for launches, the prices of `a100` aren't fitted to any of these rows.
        let unseen = if set.model.1 == "a100" { &known } else { &held };
        let ratios = unseen.iter().map(|it| it.measured_s / it.predicted_s);
        all.ratios.entry(set.model.1).or_default().extend(ratios);
        let share = within(&near, &held);
        for (what, predicted, range) in [
            (WAYS[0], &known, String::new()),
            (WAYS[1], &held, format!("{share:.0} %")),
            (WAYS[2], &naive, String::new()),
        ] {
            all.table += &line(set.name, what, predicted, &range);
        }
        all.table += &set.calculon(&known);
        let row = |what: &str, fitted, predicted: &[HeldOutPrediction], naive| Row {
            source: set.source,
            fitted,
            naive,
            ..Row::new(format!("{}, {what}", set.name), &errors(predicted))
        };
        let naive = Other {
            name: WAYS[2],
            mean: errors(&naive).mean_percent(),
        };
        let third = match prices.len() {
            3 => "every third row (3 prices)",
            4 => "every third row (4 prices)",
            _ => "every third row (5 prices)",
        };
        let held_out = format!("held out ({share:.0} % in the 90 % range)");
        let beforehand = "kernel benchmarks, not blind";
        let published = set.published.map(|mean| Other {
            name: set.source,
            mean,
        });
        let all_rows = Row {
            published: published.into_iter().collect(),
            ..row("all", beforehand, &known, None)
        };
        let pairs = known.iter().map(HeldOutPrediction::pair);
        all.rows.extend(calculon::beside(all_rows, set.file, pairs));
        all.rows.push(row(&held_out, third, &held, Some(naive)));
    }
    Ok(all)
}

impl HeldOut {
    /// Returns, for each machine, two multiples of the predicted time, in hundredths; 90% of
    /// measured times lie between them. Another row would be between them in that share of cases.
    pub fn ranges(&self) -> impl Iterator<Item = (&'static str, f64, f64)> {
        self.ratios.iter().map(|(machine, ratios)| {
            let [low, high] = range(ratios.clone());
            (*machine, low, high)
        })
    }
}

/// Returns the range that contains 90% of these ratios of measured to predicted times.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a share of a small number of rows"
)]
pub(super) fn range(mut ratios: Vec<f64>) -> [f64; 2] {
    ratios.sort_by(f64::total_cmp);
    let places = ratios.len() as f64 + 1.0;
    let first = (0.05 * places).floor().max(1.0) as usize;
    let last = (0.95 * places).ceil().min(places - 1.0) as usize;
    let [from, to] = [first, last].map(|it| ratios[it - 1]);
    [(from * 1e2).floor() / 1e2, (to * 1e2).ceil() / 1e2]
}

fn line(name: &str, what: &str, predicted: &[HeldOutPrediction], range: &str) -> String {
    let errors = errors(predicted);
    let signed = predicted
        .iter()
        .map(|it| it.predicted_s / it.measured_s - 1.0);
    let bias = 100.0 * signed.sum::<f64>() / predicted.len() as f64;
    let mut line = format!("| {name} | {what} | {} ", errors.count());
    let (mean, worst) = (errors.mean_percent(), errors.worst_percent());
    writeln!(
        line,
        "| {mean:.1} % | {bias:+.1} % | {worst:.1} % | {range} |"
    )
    .expect("it is text");
    line
}

impl HeldOutSet {
    /// Writes the line with Calculon's predictions, and how many of them are closer than ours.
    fn calculon(&self, known: &[HeldOutPrediction]) -> String {
        let rows = known.iter().zip(calculon::predicted(self.file));
        let rows = rows.filter_map(|(ours, predicted_s)| {
            let predicted_s = predicted_s?;
            let measured_s = ours.measured_s;
            let other = HeldOutPrediction {
                predicted_s,
                measured_s,
            };
            Some((other.residual().abs() < ours.residual().abs(), other))
        });
        let (nearer, others): (Vec<bool>, Vec<_>) = rows.unzip();
        if others.is_empty() {
            return String::new();
        }
        let nearer = nearer.iter().filter(|it| **it).count();
        let what = format!("Calculon, nearer in {nearer}");
        line(self.name, &what, &others, "")
    }

    /// Fits the prices to every third row, and predicts all rows in each of [`WAYS`] before their
    /// times are read.
    fn predicted(&self, places: &Places) -> Result<(Prices, [Vec<HeldOutPrediction>; 3]), String> {
        let text = places.measurements(self.file)?;
        let columns = columns(&text);
        let layouts = self.layouts(&columns)?;
        let read = |row: usize| (self.measured)(&columns[row]);
        let sealed = Sealed::new(self.name, layouts.len(), read);
        let model = Sample::new(places, self.model, self.known)?;
        let thirds = (0..layouts.len()).step_by(EVERY);
        let fitted: Vec<Layout> = thirds.clone().map(|row| layouts[row].clone()).collect();
        let fitted_s = sealed.learn(thirds)?;
        let prices = fit(&model, &fitted, &fitted_s);
        let known = predicted(&model, &layouts, &self.known.prices_s());
        let refitted = predicted(&model, &layouts, &prices);
        let naive = at_one_speed(&fitted, &fitted_s, &layouts);
        let ways = [&known[..], &refitted, &naive];
        let measured_s = sealed.open(places, WAYS, ways)?;
        Ok((prices, ways.map(|it| compared(it, &measured_s))))
    }

    fn layouts(&self, columns: &[HeldOutColumns<'_>]) -> Result<Vec<Layout>, String> {
        let layouts: Option<Vec<_>> = columns.iter().map(self.layout).collect();
        let layouts =
            layouts.ok_or_else(|| format!("{} has a row in another format", self.file))?;
        let has_third = layouts.len() > EVERY * 4;
        has_third
            .then_some(layouts)
            .ok_or_else(|| format!("{} is too short", self.file))
    }
}

fn columns(text: &str) -> Vec<HeldOutColumns<'_>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().map(|it| it.split(','));
    let names: Vec<&str> = lines.next().into_iter().flatten().collect();
    let columns = lines.map(|cells| names.iter().copied().zip(cells).collect());
    columns.collect()
}

/// Splits rows into the ones that prices are fitted to, and the remaining ones.
fn split<T>(rows: Vec<T>) -> (Vec<T>, Vec<T>) {
    let numbered = rows.into_iter().enumerate();
    let (fitted, others): (Vec<_>, Vec<_>) = numbered.partition(|(index, _)| index % EVERY == 0);
    let rows = |of: Vec<(usize, T)>| of.into_iter().map(|it| it.1).collect();
    (rows(fitted), rows(others))
}

fn predicted(model: &Sample, rows: &[Layout], prices: &[f64]) -> Vec<f64> {
    rows.iter().map(|row| model.predict(row, prices)).collect()
}

fn compared(predicted_s: &[f64], measured_s: &[f64]) -> Vec<HeldOutPrediction> {
    let pairs = predicted_s.iter().zip(measured_s);
    let pairs = pairs.map(|(predicted_s, measured_s)| HeldOutPrediction {
        predicted_s: *predicted_s,
        measured_s: *measured_s,
    });
    pairs.collect()
}

fn errors(rows: &[HeldOutPrediction]) -> Errors {
    Errors::new(rows.iter().map(HeldOutPrediction::pair))
}

/// Returns the percentage of rows in the 90% range that follows from the fitted rows' residuals:
/// another row would be within the k-th smallest of n residuals in k of n + 1 cases.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a small number of rows"
)]
fn within(fitted: &[HeldOutPrediction], rows: &[HeldOutPrediction]) -> f64 {
    let sizes = fitted.iter().map(|it| it.residual().abs());
    let mut sizes: Vec<f64> = sizes.collect();
    sizes.sort_by(f64::total_cmp);
    let place = (0.9 * (sizes.len() as f64 + 1.0)).ceil() as usize;
    let most = sizes.get(place - 1).copied().unwrap_or(f64::INFINITY);
    let within = rows.iter().filter(|it| it.residual().abs() <= most);
    100.0 * within.count() as f64 / rows.len() as f64
}

/// Predicts from the model's operations at a single GPU speed, the mean over the fitted rows.
fn at_one_speed(fitted: &[Layout], fitted_s: &[f64], rows: &[Layout]) -> Vec<f64> {
    let speeds = fitted.iter().zip(fitted_s);
    let speeds = speeds.map(|(row, measured_s)| (row.operations() / measured_s).ln());
    let speed = (speeds.sum::<f64>() / fitted.len() as f64).exp();
    rows.iter().map(|row| row.operations() / speed).collect()
}

fn milliseconds(row: &HeldOutColumns<'_>) -> Option<f64> {
    Some(number(row, "iteration time (ms)")? / 1e3)
}

fn of_tokens(row: &HeldOutColumns<'_>) -> Option<f64> {
    Some(number(row, "GlobalBatchSize (T)")? / number(row, "Throughput (T/s)")?)
}

fn seconds(row: &HeldOutColumns<'_>) -> Option<f64> {
    number(row, "iteration_time_s")
}

fn number(row: &HeldOutColumns<'_>, name: &str) -> Option<f64> {
    row.get(name)?.parse().ok()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "columns of counts have small numbers"
)]
fn count(row: &HeldOutColumns<'_>, name: &str) -> Option<u32> {
    Some(number(row, name)? as u32)
}

/// Makes a row's layout. The tables don't give the precision of gradients. On the fitted rows,
/// single precision (Megatron-LM's choice with bf16) is 5.6% off, and half precision 6.2%.
fn vtrain(row: &HeldOutColumns<'_>) -> Option<Layout> {
    megatron(row, 4)
}

/// Makes a single-node row's layout. Half precision is 6.4% off, and `NVLink` reaches the known
/// share; single precision is 6.9% off.
fn vtrain_node(row: &HeldOutColumns<'_>) -> Option<Layout> {
    megatron(row, 2)
}

fn megatron(row: &HeldOutColumns<'_>, gradient_bytes: u32) -> Option<Layout> {
    let gpus = count(row, "# GPUs")?;
    Some(Layout {
        nodes: gpus.div_ceil(NODE),
        gpus: gpus.min(NODE),
        processes: count(row, "pipeline parallelism")?,
        parameters: vec![
            ("HIDDEN", count(row, "hidden size")?),
            ("LAYERS", count(row, "# layers")?),
            ("HEADS", count(row, "attention heads")?),
            ("SEQUENCE", count(row, "sequence length")?),
            ("VOCABULARY", 51_200),
            ("BATCH", count(row, "global batch")?),
            ("MICRO_BATCH", count(row, "micro batch")?),
            ("TENSOR", count(row, "tensor parallelism")?),
            ("RECOMPUTE", 2),
            ("GRADIENT_BYTES", gradient_bytes),
        ],
    })
}

/// Returns the hidden size, layers and heads of an MPT model (llm-foundry, scripts/train/yamls).
fn mpt(name: &str) -> Option<[u32; 3]> {
    Some(match name {
        "125m" => [768, 12, 12],
        "350m" => [1024, 24, 16],
        "760m" => [1536, 24, 12],
        "1b" => [2048, 24, 16],
        "3b" => [2560, 32, 20],
        "7b" => [4096, 32, 32],
        "13b" => [5120, 40, 40],
        "30b" => [7168, 48, 56],
        "70b" => [8192, 80, 64],
        _ => return None,
    })
}

fn foundry(row: &HeldOutColumns<'_>) -> Option<Layout> {
    let [hidden, layers, heads] = mpt(row.get("Model")?)?;
    let is = |name: &str, value: &str| Some(u32::from(*row.get(name)? == value));
    let gpus = count(row, "# GPUs")?;
    Some(Layout {
        nodes: gpus / NODE,
        gpus: NODE,
        processes: 1,
        parameters: vec![
            ("HIDDEN", hidden),
            ("LAYERS", layers),
            ("HEADS", heads),
            ("SEQUENCE", count(row, "SeqLen (T)")?),
            ("MICRO_BATCH", count(row, "MicroBatchSize")?),
            ("ACCUMULATION", count(row, "GradAccum")?),
            ("FULL_SHARD", is("Sharding Strategy", "FULL_SHARD")?),
            ("RECOMPUTE", is("Activation Checkpointing", "True")?),
            ("PRECISION", 16 - 8 * is("Precision", "amp_fp8")?),
            ("REDUCE_BYTES", 4 - 2 * is("MP Mode", "PURE")?),
            ("SMS", 132 - 24 * is("GPU", "a100_40gb")?),
        ],
    })
}

fn big_science(row: &HeldOutColumns<'_>) -> Option<Layout> {
    Some(Layout {
        nodes: count(row, "nodes")?,
        gpus: count(row, "gpus_per_node")?,
        processes: count(row, "pipeline")?,
        parameters: vec![
            ("HIDDEN", count(row, "hidden")?),
            ("LAYERS", count(row, "layers")?),
            ("HEADS", count(row, "heads")?),
            ("SEQUENCE", count(row, "sequence")?),
            ("VOCABULARY", count(row, "vocabulary")?),
            ("BATCH", count(row, "batch")?),
            ("MICRO_BATCH", count(row, "micro_batch")?),
            ("TENSOR", count(row, "tensor")?),
            ("RECOMPUTE", count(row, "recompute")?),
            ("SMS", 80),
        ],
    })
}

impl Layout {
    fn parameter(&self, name: &str) -> f64 {
        self.count(name).into()
    }

    /// Returns a GPU's operations: six for each weight and token, and the products in the
    /// attention; recomputation doesn't count.
    fn operations(&self) -> f64 {
        let [hidden, layers, sequence] =
            ["HIDDEN", "LAYERS", "SEQUENCE"].map(|it| self.parameter(it));
        let gpus = f64::from(self.nodes * self.gpus);
        let batch = self.parameter("BATCH") / gpus;
        let own = self.parameter("MICRO_BATCH") * self.parameter("ACCUMULATION");
        let tokens = sequence * if batch > 0.0 { batch } else { own };
        let weights = layers * 12.0 * hidden * hidden + 51_200.0 * hidden;
        tokens * (6.0 * weights + 12.0 * layers * hidden * sequence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_what_residuals_of_fitted_rows_say() {
        let rows = |errors: &[f64]| -> Vec<HeldOutPrediction> {
            let row = |error: &f64| HeldOutPrediction {
                predicted_s: 1.0,
                measured_s: 1.0 + error,
            };
            errors.iter().map(row).collect()
        };
        let fitted: Vec<f64> = (1..=19).map(|it| 0.001 * f64::from(it)).collect();
        // Of 19 residuals, the 18th bounds 90%.
        let held = rows(&[0.0, 0.0179, -0.017, 0.0181]);
        let fitted = rows(&fitted);
        assert!((within(&fitted, &held) - 75.0).abs() < 1e-9);
    }

    #[test]
    fn every_third_row_is_fitted() {
        let text = "Model,# GPUs,SeqLen (T),MicroBatchSize,GradAccum,GlobalBatchSize (T),\
                    Throughput (T/s),Sharding Strategy,Activation Checkpointing,Precision,\
                    GPU,MP Mode\n"
            .to_owned()
            + &"7b,16,2048,6,1,196608,1e5,FULL_SHARD,True,amp_fp8,h100,DEFAULT\n".repeat(13);
        let columns = columns(&text);
        let layouts = SETS[1].layouts(&columns).expect("it is long enough");
        let (fitted, others) = split(layouts.clone());
        assert_eq!((fitted.len(), others.len()), (5, 8));
        let [precision, layers] = ["PRECISION", "LAYERS"].map(|it| layouts[0].parameter(it));
        assert_eq!((layouts[0].nodes, precision, layers), (2, 8.0, 32.0));
        let problem = SETS[1].layouts(&[]).expect_err("it has no rows");
        assert_eq!(problem, "llm/llm_foundry_h100.csv is too short");
        let problem = SETS[1].layouts(&super::columns("Model\n9b\n"));
        let problem = problem.expect_err("it is unknown");
        assert_eq!(
            problem,
            "llm/llm_foundry_h100.csv has a row in another format"
        );
    }
}
