//! Tests that the times of every sample add up: compute + communication + wait + hold = end, in
//! every engine, with and without threads. The result, the trace, the page and exports must agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use prophet_export::{TraceFormat, export};
use prophet_report::analysis::totals::{Split, Totals};
use prophet_report::{Extras, of_trace};
use prophet_runtime::{CpuDiscipline, Engine, Outcome, Simulation, System, Trace};
use prophet_tests::priced::{accelerators, prices};
use prophet_tests::root;
use prophet_tests::samples::{
    contention, fsdp, gpu_stencil, halo, hybrid, kernel6_detailed, master_worker, megatron,
    oversubscribed, pingpong, schedules, stream, summa, sweep3d, wavefront,
};
use prophet_tests::sums::{self, ROUNDING};
use prophet_trace::TraceReader;
use serde_json::json;

macro_rules! run {
    ($sample:ident, $engine:expr, $system:expr, $path:expr) => {{
        let mut system: System = $system;
        system.parameters = $sample::MODEL.defaults();
        system.prices = prices(&$sample::MODEL);
        let mut trace = Trace::new($path);
        let outcome = Simulation::new(&$sample::MODEL, system)
            .with_engine($engine)
            .run_traced($sample::program, &mut trace);
        trace.written().expect("there is room for the trace");
        outcome.unwrap_or_else(|failure| panic!("{failure}"))
    }};
}

fn splits(outcome: &Outcome) -> Vec<Split> {
    let split = |process: &prophet_runtime::ProcessOutcome| Split {
        compute_s: process.compute_s,
        communication_s: process.communication_s,
        wait_s: process.wait_s,
        hold_s: process.hold_s,
    };
    outcome.processes.iter().map(split).collect()
}

fn assert_same(found: &[Split], expected: &[Split], slack_s: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        for (a_s, b_s) in [
            (a.compute_s, b.compute_s),
            (a.communication_s, b.communication_s),
            (a.wait_s, b.wait_s),
            (a.hold_s, b.hold_s),
        ] {
            assert!((a_s - b_s).abs() <= slack_s, "{what}: {a:?} and {b:?}");
        }
    }
}

/// Checks that the rows of a trace, the page and the exported files agree with the outcome.
fn check(outcome: &Outcome, path: &Path, what: &str) {
    let result = json!({
        "predicted_time_s": outcome.predicted_time_s,
        "processes": outcome.processes,
        "elements": outcome.elements,
    });
    sums::check(&result, what);
    let (expected, slack_s) = (splits(outcome), ROUNDING * outcome.predicted_time_s);
    let mut reader = TraceReader::open(path).expect("it is a trace");
    let indices: Vec<u32> = reader
        .results()
        .elements
        .iter()
        .map(|it| it.index)
        .collect();
    let mut totals = Totals::new(outcome.predicted_time_s, expected.len(), &indices);
    let (mut rows, mut all_rows) = (Vec::new(), Vec::new());
    while reader.next_batch(&mut rows).expect("it is whole") {
        for row in &rows {
            totals.add(row);
        }
        all_rows.append(&mut rows);
    }
    assert_same(&totals.processes(), &expected, slack_s, what);
    check_page(&mut reader, outcome, &expected, what);
    // Each line of CSV is exactly one row of the trace.
    let csv = path.with_extension("csv");
    export(path, TraceFormat::Csv, &csv).expect("it is exported");
    let text = fs::read_to_string(&csv).expect("it is there");
    for (line, row) in text.lines().skip(1).zip(&all_rows) {
        let times = format!(",{},{},{},", row.state.name(), row.start_s, row.end_s);
        assert!(line.contains(&times), "{what}: {line} and {times}");
    }
    assert_eq!(text.lines().count(), all_rows.len() + 1, "{what}");
    check_events(path, all_rows.len(), what);
}

/// Checks that the events in XML agree with the rows, have unique names, and that each receive
/// names its send.
fn check_events(path: &Path, rows: usize, what: &str) {
    let file = path.with_extension("xml");
    export(path, TraceFormat::PtiXml, &file).expect("it is exported");
    let text = fs::read_to_string(&file).expect("it is there");
    let values = |key: &'static str| {
        text.split(key)
            .skip(1)
            .filter_map(|it| it.split('"').next())
    };
    let events = text.matches("<event ").count() + text.matches("<execution ").count();
    let names: BTreeSet<&str> = values("<event id=\"").collect();
    let executions: BTreeSet<&str> = values("<execution id=\"").collect();
    assert_eq!(
        (events, names.len() + executions.len()),
        (rows, rows),
        "{what}"
    );
    for related in values(" related=\"") {
        assert!(names.contains(related), "{what}: {related}");
    }
    if let Ok(output) = Command::new("xmllint")
        .args(["--noout", "--nonet", "--schema"])
        .args([&root().join("templates/xml/pti-trace.xsd"), &file])
        .output()
    {
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{what}: {message}");
    }
}

fn check_page(reader: &mut TraceReader, outcome: &Outcome, expected: &[Split], what: &str) {
    let page = of_trace(reader, Extras::default()).expect("it can be read");
    assert_eq!(page.notes, [""; 0], "{what}");
    let columns = &page.processes;
    let parts = columns.compute_s.iter().zip(columns.communication_s.iter());
    let rest = columns.wait_s.iter().zip(columns.hold_s.iter());
    let shown = parts
        .zip(rest)
        .map(|((compute, communication), (wait, hold))| Split {
            compute_s: *compute,
            communication_s: *communication,
            wait_s: *wait,
            hold_s: *hold,
        });
    assert_same(&shown.collect::<Vec<_>>(), expected, 0.0, what);
    let shares = page
        .elements
        .iter()
        .filter(|it| it.count > 0)
        .map(|it| it.share);
    let known = outcome.elements.iter().map(|it| it.share);
    assert_eq!(
        shares.collect::<Vec<_>>(),
        known.collect::<Vec<_>>(),
        "{what}"
    );
    // The time that a process spends in elements is part of its total time.
    for (index, end_s) in columns.end_s.iter().enumerate() {
        let of_process =
            page.totals.offsets[index] as usize..page.totals.offsets[index + 1] as usize;
        for taken_s in &page.totals.taken_s[of_process] {
            assert!(
                *taken_s <= end_s * (1.0 + ROUNDING),
                "{what}: {taken_s} of {end_s}"
            );
        }
    }
    if let Some(balance) = &page.imbalance {
        let most_s = expected.iter().map(|it| it.compute_s).fold(0.0, f64::max);
        assert!((balance.max_compute_s - most_s).abs() <= 0.0, "{what}");
        let efficiency = most_s / outcome.predicted_time_s;
        assert!(
            (balance.communication_efficiency - efficiency).abs() <= ROUNDING,
            "{what}"
        );
        assert!(
            balance.load_balance <= 1.0 && efficiency <= 1.0 + ROUNDING,
            "{what}"
        );
    }
}

/// Checks each sample on several systems, in every engine that supports it.
macro_rules! check_samples {
    ($path:expr; $($sample:ident: $($processes:literal x $threads:literal),+;)+) => {
        $($(
            let (processes, threads) = ($processes, $threads);
            // First each thread has a CPU, then all processes on a node share one.
            for (nodes, cpus) in [(1, processes * threads), (2, 1)] {
                let mut system = System::new(nodes, cpus, processes, threads);
                system.accelerators = accelerators();
                if cpus == 1 {
                    system.discipline = CpuDiscipline::ProcessorSharing;
                }
                let mut engines = vec![Engine::Event];
                if threads == 1 && cpus > 1 {
                    engines.push(Engine::Auto);
                }
                for engine in engines {
                    let what = format!(
                        "{} {nodes} x {cpus}, {processes} x {threads}, {engine}",
                        stringify!($sample)
                    );
                    let outcome = run!($sample, engine, system.clone(), $path);
                    check(&outcome, $path, &what);
                }
            }
        )+)+
    };
}

#[test]
fn the_times_of_all_samples_add_up_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.trace");
    let path = path.as_path();
    check_samples! { path;
        contention: 4 x 1;
        fsdp: 1 x 1;
        gpu_stencil: 4 x 1;
        halo: 4 x 1;
        hybrid: 2 x 1, 4 x 3;
        jacobi2d: 4 x 1;
        kernel6: 3 x 1;
        kernel6_detailed: 2 x 1;
        lapw0: 5 x 1, 4 x 2;
        master_worker: 4 x 1;
        megatron: 2 x 1;
        oversubscribed: 2 x 4;
        pingpong: 2 x 1;
        sample: 4 x 1;
        schedules: 1 x 4, 2 x 3;
        stream: 4 x 1;
        summa: 2 x 1, 4 x 1;
        sweep3d: 4 x 1;
        wavefront: 4 x 1;
    }
}
