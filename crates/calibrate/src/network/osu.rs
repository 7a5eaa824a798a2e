//! Parses the output of the OSU micro-benchmarks `osu_latency` and `osu_bw`.

use prophet_text::{Problem, problem};

use super::measured::Measured;
use super::row::{Row, starts_with_digit};

/// The content of the second column in a benchmark's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SecondColumn {
    /// A one-way time in microseconds.
    Latency,
    /// Megabytes (millions of bytes) per second.
    Bandwidth,
}

pub(crate) fn is_osu(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("# OSU "))
}

pub(crate) fn parse(name: &str, text: &str) -> Result<Measured, Problem> {
    let mut measured = Measured::default();
    let mut column = None;
    let mut is_empty = true;
    for (index, text) in text.lines().enumerate() {
        let line = index + 1;
        let row = Row { name, line, text };
        if let Some(title) = text.strip_prefix("# OSU ") {
            column = Some(benchmark(row, title)?);
            measured.origins.push(format!("{name}, OSU {title}"));
        } else if let (Some(column), true) = (column, starts_with_digit(text)) {
            add(&mut measured, column, row)?;
            is_empty = false;
        }
    }
    if is_empty {
        return Err(problem!("{name}: it has no lines with a size and a value"));
    }
    Ok(measured)
}

fn benchmark(row: Row<'_>, title: &str) -> Result<SecondColumn, Problem> {
    if title.contains("Multi") {
        return Err(row.told("several pairs share the network; run osu_latency or osu_bw"));
    }
    // The name can follow the library: `MPI`, `MPI-CUDA`.
    let (library, test) = title.split_once(' ').unwrap_or_default();
    let is_of = |name: &str| library.starts_with("MPI") && test.starts_with(name);
    if is_of("Latency Test") {
        Ok(SecondColumn::Latency)
    } else if is_of("Bandwidth Test") {
        Ok(SecondColumn::Bandwidth)
    } else {
        let shown = prophet_text::plain::line(title);
        let why = format!("`OSU {shown}` is not a ping-pong; run osu_latency or osu_bw");
        Err(row.told(why))
    }
}

fn add(measured: &mut Measured, column: SecondColumn, row: Row<'_>) -> Result<(), Problem> {
    let (bytes, value) = (row.bytes()?, row.positive(1)?);
    match column {
        SecondColumn::Latency => measured
            .one_way_s
            .entry(bytes)
            .or_default()
            .push(value * 1e-6),
        #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
        SecondColumn::Bandwidth => {
            let interval_s = bytes as f64 / (value * 1e6);
            if interval_s > 0.0 {
                measured
                    .interval_s
                    .entry(bytes)
                    .or_default()
                    .push(interval_s);
            }
        }
    }
    Ok(())
}
