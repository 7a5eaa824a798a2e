//! Parses the `PingPong` output of the Intel MPI Benchmarks.

use prophet_text::{Problem, problem};

use super::measured::Measured;
use super::row::{Row, starts_with_digit};

/// Start of a line with the name of a benchmark.
const TITLE: &str = "# Benchmarking ";

pub(crate) fn is_imb(text: &str) -> bool {
    text.lines().any(|line| line.starts_with(TITLE))
}

pub(crate) fn parse(name: &str, text: &str) -> Result<Measured, Problem> {
    let mut measured = Measured::default();
    let mut is_counted = false;
    // A table starts after its header, and ends with an empty line or a comment.
    let mut time: Option<usize> = None;
    for (index, text) in text.lines().enumerate() {
        let line = index + 1;
        let row = Row { name, line, text };
        if let Some(title) = text.strip_prefix(TITLE) {
            is_counted = title.trim() == "PingPong";
            time = None;
        } else if text.trim_start().starts_with("#bytes") {
            time = Some(header(row)?);
        } else if let (true, Some(time), true) = (is_counted, time, starts_with_digit(text)) {
            let (bytes, us) = (row.bytes()?, row.positive(time)?);
            measured.one_way_s.entry(bytes).or_default().push(us * 1e-6);
        }
    }
    if measured.one_way_s.is_empty() {
        let why = "it has no table of the PingPong benchmark; run `IMB-MPI1 PingPong`";
        return Err(problem!("{name}: {why}"));
    }
    measured.origins = vec![format!("{name}, PingPong from Intel MPI Benchmarks")];
    Ok(measured)
}

fn header(row: Row<'_>) -> Result<usize, Problem> {
    let mut columns = row.text.split_whitespace();
    let found = columns.position(|it| it == "t[usec]" || it == "t_avg[usec]");
    found.ok_or_else(|| row.told("missing column `t[usec]`"))
}
