//! Predicts iterations that NVIDIA has published for `NeMo` and Megatron Bridge. No price is fitted
//! to them.

use std::fmt::Write as _;

use super::fit::FSDP;
use super::sample::NODE;
use super::{Layout, Sample, calculon, held_out};
use crate::sealed::Sealed;
use crate::{Errors, Places, Row};

/// Published rows for Megatron Bridge (performance-summary-archive.html at docs.nvidia.com) and for
/// `NeMo` (docs/source/performance in its repository), with the model's parameters. The 126 layers
/// of Llama 3.1 405B count as 128, because Megatron divides them as if embedding and logits were
/// layers.
const TABLE: &str = include_str!("nemo.tsv");

const H100: &str = "h100-te";
const B200: &str = "b200";

/// The release with long sequences, which computed attention with `FlashAttention`-2: 322 TFLOP/s
/// on H100 (J. Shah et al., "`FlashAttention`-3", 2024).
const EARLY: &str = "NeMo 24.03";
const EARLY_ATTENTION_S: f64 = 1e9 / 322e12;

/// Parameters of all rows: `FlashAttention`, 8-bit products, single-precision gradients, an
/// optimizer sharded over replicas, and collectives that overlap computing.
const COMMON: [(&str, u32); 4] = [
    ("FLASH", 1),
    ("PRECISION", 8),
    ("GRADIENT_BYTES", 4),
    ("SHARD_OPTIMIZER", 1),
];

struct Published {
    release: &'static str,
    model: &'static str,
    machine: &'static str,
    layout: Layout,
    cells: Vec<(&'static str, &'static str)>,
}

fn text(cells: &[(&'static str, &'static str)], name: &str) -> &'static str {
    cells.iter().find(|it| it.0 == name).expect("a column").1
}

/// The predictions for the published rows.
#[derive(Debug)]
pub struct Nemo {
    pub(crate) rows: Vec<Row>,
    /// The table in `sample-models/megatron.md`. A test compares the two.
    pub table: String,
    /// The range of the measured times, as multiples of the predictions: on H100, and on both.
    pub ranges: [[f64; 2]; 2],
}

/// Predicts all published rows.
///
/// # Errors
///
/// Returns an error with the reason if the model can't be read.
///
/// # Panics
///
/// Panics if the table is malformed.
pub fn nemo(places: &Places) -> Result<Nemo, String> {
    let mut table =
        "| release | model | GPUs | s | t, p, c, v | measured (s) | predicted (s) | error |\n\
                     |---|---|---|---|---|---|---|---|\n"
            .to_owned();
    let mut groups = [
        ("NeMo on H100 and B200", Vec::new()),
        ("NeMo, long sequences", Vec::new()),
    ];
    let model = |machine| Sample::new(places, ("megatron.uml", machine), FSDP);
    let models = [model(H100)?, model(B200)?];
    let all = published();
    let predict = |published: &Published| {
        let model = &models[usize::from(published.machine == B200)];
        let mut prices = model.prices();
        if published.release == EARLY {
            prices[1] = EARLY_ATTENTION_S;
        }
        model.predict(&published.layout, &prices)
    };
    let predicted: Vec<f64> = all.iter().map(predict).collect();
    let sealed = Sealed::new("NeMo", all.len(), |row| {
        let Published { layout, cells, .. } = &all[row];
        let speed: f64 = text(cells, "tokens_per_s_gpu").parse().ok()?;
        let tokens = f64::from(layout.count("BATCH")) * f64::from(layout.count("SEQUENCE"));
        Some(tokens / (speed * f64::from(layout.nodes * layout.gpus)))
    });
    let measured = sealed.open(places, ["known beforehand"], [&predicted])?;
    let ranges = ranges(&all, &predicted, &measured);
    for ((published, predicted_s), measured_s) in all.iter().zip(predicted).zip(measured) {
        let layout = &published.layout;
        let is_early = published.release == EARLY;
        groups[usize::from(is_early)]
            .1
            .push((predicted_s, measured_s));
        let [s, t, c, v] =
            ["SEQUENCE", "TENSOR", "CONTEXT", "INTERLEAVE"].map(|it| layout.count(it));
        writeln!(
            table,
            "| {} | {} | {} {} | {s} | {t}, {}, {c}, {v} | {:.2} | {predicted_s:.2} | {:+.1} % |",
            published.release,
            published.model,
            layout.nodes * layout.gpus,
            published
                .machine
                .split('-')
                .next()
                .unwrap_or_default()
                .to_uppercase(),
            layout.processes,
            measured_s,
            100.0 * (predicted_s / measured_s - 1.0),
        )
        .expect("it is text");
    }
    let row = |(name, times): &(&str, Vec<(f64, f64)>)| Row {
        source: "NVIDIA",
        fitted: "kernel benchmarks",
        ..Row::new(*name, &Errors::new(times.iter().copied()))
    };
    let [first, long] = &groups;
    let mut rows = calculon::beside(row(first), "nemo.tsv", first.1.iter().copied());
    rows.push(row(long));
    Ok(Nemo {
        rows,
        table,
        ranges,
    })
}

/// Returns the ranges of the rows on H100, and of all rows.
fn ranges(all: &[Published], predicted: &[f64], measured: &[f64]) -> [[f64; 2]; 2] {
    [&[H100][..], &[H100, B200]].map(|machines| {
        let rows = all.iter().zip(predicted).zip(measured);
        let rows = rows.filter(|((row, _), _)| machines.contains(&row.machine));
        held_out::range(
            rows.map(|((_, predicted_s), measured_s)| measured_s / predicted_s)
                .collect(),
        )
    })
}

fn published() -> Vec<Published> {
    let mut lines = TABLE.lines().map(|line| line.split('\t'));
    let names: Vec<&str> = lines.next().into_iter().flatten().collect();
    let row = |cells: std::str::Split<'static, char>| {
        let cells: Vec<(&str, &str)> = names.iter().copied().zip(cells).collect();
        let text = |name| text(&cells, name);
        let count = |name| text(name).parse::<u32>().expect("a count");
        let gpus = count("gpus");
        let tensor = count("TENSOR");
        let sizes = cells
            .iter()
            .filter(|it| it.0.chars().all(|c| c.is_uppercase() || c == '_'));
        let sizes = sizes.map(|(name, _)| (*name, count(name)));
        // Llama 3.1 405B with 128 layers needs 182 of 180 GB on B200.
        let (sms, gigabytes) = match text("machine") {
            B200 => (148, 182),
            _ => (132, 80),
        };
        let own = [
            ("SMS", sms),
            ("GPU_GB", gigabytes),
            ("SEQUENCE_PARALLEL", u32::from(tensor > 1)),
            ("OVERLAP", if tensor > 1 { 2 } else { 1 }),
        ];
        Published {
            release: text("release"),
            model: text("model"),
            machine: text("machine"),
            layout: Layout {
                nodes: gpus.div_ceil(NODE),
                gpus: gpus.min(NODE),
                processes: count("processes"),
                parameters: sizes.chain(COMMON).chain(own).collect(),
            },
            cells,
        }
    };
    lines.map(row).collect()
}
