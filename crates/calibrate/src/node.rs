//! Measures the parts of this machine and their bandwidths.
//!
//! | module | is |
//! |---|---|
//! | `parts` | CPUs, caches and memory domains, as the system lists them |
//! | `loops` | loops that move bytes, wait for loads, or compute |
//! | `timing` | bandwidths and times of the loops, on one CPU and on several |
//! | `remote` | access to the memory of other domains |
//! | `levels` | each cache and the memory: effective size, bandwidths, latency |

use prophet_text::Problem;
mod levels;
mod loops;
mod parts;
mod remote;
mod timing;

use std::fmt::Write as _;

use crate::cpu;
use crate::document::{Document, OPERATIONS, operation};
use levels::{Level, MeasuredLevels};
use parts::Parts;
use remote::Access;

/// Measures the caches and memory of this machine, and returns the text of a machine file that
/// describes them. Before each measurement, calls `progress` with a description of it.
///
/// # Errors
///
/// Returns an error if the operating system doesn't list the caches.
pub fn measure(name: &str, progress: &dyn Fn(&str)) -> Result<String, Problem> {
    let parts = Parts::of_system()?;
    let measured = MeasuredLevels::new(&parts, progress);
    let document = Document {
        name: name.to_owned(),
        source: source(&parts, &measured),
        entries: entries(&parts, &measured),
        comment: remote_lines(&parts, &measured),
    };
    Ok(document.toml())
}

fn source(parts: &Parts, measured: &MeasuredLevels) -> Vec<String> {
    let mut lines = vec![
        cpu::processor::sentence(),
        "Bandwidths: a[i] = b[i] + s * c[i] in doubles. Bytes are counted as in STREAM, without \
         the bytes that a store loads. The fastest of several rounds, in CPU time on one CPU."
            .to_owned(),
        "Cache sizes: the largest array whose loop still runs closer to the cache's speed than to \
         the next level's."
            .to_owned(),
        format!("Memory: {} MB in total.", measured.memory_bytes / 1_000_000),
    ];
    let of_system = parts.caches.iter().map(|cache| {
        let (level, size) = (cache.level, cache.bytes / 1024);
        format!("L{level} with {size} KiB")
    });
    let of_system: Vec<String> = of_system.collect();
    lines.push(format!("The system lists: {}.", of_system.join(", ")));
    lines
}

fn entries(parts: &Parts, measured: &MeasuredLevels) -> Vec<String> {
    let rate = |bytes_per_s: f64| format!("{:.2}GB/s", bytes_per_s / 1e9);
    let mut lines = vec![
        format!("cpus-per-node = {}", parts.cpus),
        format!("sockets = {}", parts.sockets),
        format!("numa-domains = {}", parts.domains),
    ];
    let curve = &measured.curve;
    if parts.domains == 1 {
        let rates: Vec<String> = curve
            .iter()
            .map(|it| format!("\"{}\"", rate(*it)))
            .collect();
        lines.push(format!("memory-bandwidth = [{}]", rates.join(", ")));
    } else if let (Some(one), Some(all)) = (curve.first(), curve.last()) {
        let of_domain = all / f64::from(parts.domains);
        lines.push(format!("memory-bandwidth = \"{}\"", rate(of_domain)));
        lines.push(format!("core-bandwidth = \"{}\"", rate(one.min(of_domain))));
        lines.push("saturation = \"queueing\"".to_owned());
    }
    for Level {
        cache, alone, all, ..
    } in &measured.caches
    {
        let mut entry = format!(
            "\n[[cache]]\nlevel = {}\nsize = \"{}KiB\"\ncpus = {}\ncore-bandwidth = \"{}\"",
            cache.level,
            cache.bytes / 1024,
            cache.cpus,
            rate(*alone)
        );
        if let Some(all) = all {
            let _ = write!(entry, "\nbandwidth = \"{}\"", rate(*all));
        }
        lines.push(entry);
    }
    lines.push(OPERATIONS.to_owned());
    lines.extend(operations(measured));
    lines
}

/// Formats lines about access to the memory of other domains.
fn remote_lines(parts: &Parts, measured: &MeasuredLevels) -> Vec<String> {
    if parts.domain_cpus.len() < 2 {
        return vec!["One memory domain: access to another domain was not measured.".to_owned()];
    }
    if measured.accesses.is_empty() {
        let why = "the system does not let threads choose their CPUs";
        return vec![format!(
            "Access to other memory domains was not measured: {why}."
        )];
    }
    let line = |it: &Access| {
        let (rate, wait_ns) = (it.bandwidth / 1e9, 1e9 * it.latency_s);
        format!(
            "{:>4} {:>4} {rate:>8.2} GB/s {wait_ns:>8.1} ns",
            it.from, it.to
        )
    };
    let heading = "from   to    of a CPU   a load".to_owned();
    let lines = measured.accesses.iter().map(line);
    std::iter::once(heading).chain(lines).collect()
}

/// Formats the prices of loads from each level, and of operations that don't depend on each other.
fn operations(measured: &MeasuredLevels) -> Vec<String> {
    let mut prices: Vec<(String, f64, String)> = Vec::new();
    let memory = ("M".to_owned(), measured.latency_s, measured.scattered_s);
    let levels = measured.caches.iter().map(|level| {
        let number = level.cache.level.to_string();
        (number, level.latency_s, level.scattered_s)
    });
    for (level, latency_s, scattered_s) in levels.chain([memory]) {
        let place = match level.as_str() {
            "M" => "memory".to_owned(),
            number => format!("L{number}"),
        };
        let waits = format!("a load from {place} that the next load waits for");
        let scattered = format!("a load from {place} in random order, which waits for nothing");
        prices.push((format!("LOAD{level}"), latency_s, waits));
        prices.push((format!("LINE{level}"), scattered_s, scattered));
    }
    let remote = measured.accesses.iter().filter(|it| it.from != it.to);
    if let Some(latency_s) = remote.map(|it| it.latency_s).reduce(f64::max) {
        let meaning = "a load from the farthest memory domain that the next load waits for";
        prices.push(("LOADR".to_owned(), latency_s, meaning.to_owned()));
    }
    let meaning = "an addition or multiplication of doubles, in vectors".to_owned();
    prices.push(("FLOP".to_owned(), measured.operation_s, meaning));
    let meaning = "how long before the end of an independent sum a sum can start".to_owned();
    prices.push(("AHEAD".to_owned(), measured.ahead_s, meaning));
    let curves = [
        (
            "PAGE",
            &measured.pages,
            "a load from each of 2^@ pages one after another, not waiting",
        ),
        (
            "COLUMN",
            &measured.columns,
            "a store down the columns of a matrix of 2^@ bytes",
        ),
        (
            "STRIDE",
            &measured.strides,
            "the same for a matrix with rows of 2^@ bytes",
        ),
    ];
    for (name, points, meaning) in curves {
        prices.extend(points.iter().map(|(power, time_s)| {
            let power = power.to_string();
            (
                format!("{name}{power}"),
                *time_s,
                meaning.replace('@', &power),
            )
        }));
    }
    let line = |(name, time_s, meaning): (String, f64, String)| {
        let entry = format!("{name} = {:.4}", 1e9 * time_s);
        operation(&entry, &meaning)
    };
    prices.into_iter().map(line).collect()
}
