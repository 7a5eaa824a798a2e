//! Checks that collectives of `SimGrid` traces take as long as with SMPI 3.32: against saved times,
//! and against SMPI itself if it is installed.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use prophet_testing::skip;

use crate::replay::{replay, time_of};

const RANKS: [usize; 2] = [7, 16];
const BYTES: [usize; 2] = [5_000, 700_000];

/// Times of collectives in microseconds, on a star of full-duplex links with 1 GB/s and 10 us each:
/// for 5,000 and for 700,000 bytes on 7 ranks, then on 16 ranks. NaN means that SMPI fails with an
/// error (`alltoall`), or that sends of 64 KiB block (`bcast`).
const ROWS: &[(&str, [f64; 4])] = &[
    ("allreduce", [115.0, f64::NAN, 225.0, f64::NAN]),
    ("reducescatter", [280.0, 33_640.0, 1_315.0, 178_540.0]),
    ("scan", [50.0, 4_220.0, 95.0, 10_520.0]),
    ("bcast", [65.0, f64::NAN, 130.0, f64::NAN]),
    ("reduce", [50.0, 4_220.0, 95.0, 10_520.0]),
    ("gather", [50.0, 4_220.0, 95.0, 10_520.0]),
    ("scatter", [50.0, 4_220.0, 95.0, 10_520.0]),
    ("allgather", [50.0, 4_220.0, 95.0, 10_520.0]),
    ("alltoall", [50.0, f64::NAN, 95.0, 10_520.0]),
    ("barrier", [40.0, 40.0, 40.0, 40.0]),
    ("allgatherv", [110.0, 12_620.0, 245.0, 31_520.0]),
    ("gatherv", [80.0, 8_420.0, 170.0, 21_020.0]),
    ("scatterv", [80.0, 8_420.0, 170.0, 21_020.0]),
    ("alltoallv", [110.0, 12_620.0, 245.0, 31_520.0]),
];

fn platform(ranks: usize) -> String {
    let mut hosts = String::new();
    let mut routes = String::new();
    for from in 0..ranks {
        write!(
            hosts,
            "<host id=\"h{from}\" speed=\"1Gf\"/><link id=\"l{from}\" bandwidth=\"1e9Bps\" \
             latency=\"1e-5s\" sharing_policy=\"SPLITDUPLEX\"/>"
        )
        .expect("it is text");
        for to in (0..ranks).filter(|to| *to != from) {
            write!(
                routes,
                "<route src=\"h{from}\" dst=\"h{to}\" symmetrical=\"NO\">\
                 <link_ctn id=\"l{from}\" direction=\"UP\"/>\
                 <link_ctn id=\"l{to}\" direction=\"DOWN\"/></route>"
            )
            .expect("it is text");
        }
    }
    format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \
         \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\
         <zone id=\"w\" routing=\"Full\">{hosts}{routes}</zone></platform>\n"
    )
}

/// Returns a trace in which all ranks call a collective once.
fn trace(collective: &str, ranks: usize, bytes: usize) -> String {
    let size = |rank: usize| bytes * (rank % 3 + 1);
    let list = |size: &dyn Fn(usize) -> usize| {
        let words: Vec<String> = (0..ranks).map(|rank| size(rank).to_string()).collect();
        words.join(" ")
    };
    let (even, uneven) = (list(&|_| bytes), list(&size));
    let mut text = String::new();
    for rank in 0..ranks {
        let own = size(rank);
        let arguments = match collective {
            "barrier" => String::new(),
            "allreduce" | "scan" | "bcast" => format!("{bytes} 0"),
            "reduce" => format!("{bytes} 0 0"),
            "reducescatter" => format!("{even} 0"),
            "gather" | "scatter" => format!("{bytes} {bytes} 0"),
            "alltoall" | "allgather" => format!("{bytes} {bytes}"),
            "allgatherv" => format!("{own} {uneven}"),
            "alltoallv" => {
                let sum = bytes * ranks;
                format!("{sum} {uneven} {sum} {}", list(&|_| own))
            }
            "gatherv" => format!("{own} {uneven} 0"),
            "scatterv" => format!("{uneven} {own} 0"),
            other => panic!("{other} has no arguments here"),
        };
        writeln!(
            text,
            "{rank} init\n{rank} {collective} {arguments}\n{rank} finalize"
        )
        .expect("it is text");
    }
    text
}

/// Calls `check` with each collective, its files, the number of ranks and the saved time.
fn each(check: impl Fn(&str, (&Path, &Path), usize, f64)) {
    for (collective, smpi_us) in ROWS {
        let cases = RANKS
            .iter()
            .flat_map(|ranks| BYTES.map(|bytes| (*ranks, bytes)));
        for ((ranks, bytes), expected_us) in cases.zip(smpi_us).filter(|it| !it.1.is_nan()) {
            let folder = tempfile::tempdir().expect("there is room");
            let [trace_file, machine] = ["a.ti", "star.xml"].map(|name| folder.path().join(name));
            fs::write(&trace_file, trace(collective, ranks, bytes)).expect("it can be written");
            fs::write(&machine, platform(ranks)).expect("it can be written");
            let case = format!("{collective} of {bytes} bytes on {ranks} ranks");
            check(&case, (&trace_file, &machine), ranks, 1e-6 * expected_us);
        }
    }
}

#[track_caller]
fn assert_near(case: &str, found_s: f64, expected_s: f64) {
    let error = (found_s - expected_s).abs() / expected_s;
    assert!(error < 1e-6, "{case}: {found_s} s, not {expected_s} s");
}

#[test]
fn collectives_take_the_time_of_smpi() {
    each(|case, (trace, machine), _, expected_s| {
        let machine = machine.to_str().expect("it is text");
        let found = replay(trace, &["--machine", machine, "--format", "json"]);
        assert_near(case, time_of(&found), expected_s);
    });
}

#[test]
fn smpi_takes_the_times_that_are_noted() {
    if Command::new("smpirun").arg("-version").output().is_err() {
        skip("there is no smpirun; install libsimgrid-dev (Debian 12 has SimGrid 3.32)");
        return;
    }
    each(|case, (trace, machine), ranks, expected_s| {
        let [list, hosts] = ["list", "hosts"].map(|name| trace.with_extension(name));
        fs::write(&list, format!("{}\n", trace.display())).expect("it can be written");
        let names: Vec<_> = (0..ranks).map(|rank| format!("h{rank}\n")).collect();
        fs::write(&hosts, names.concat()).expect("it can be written");
        let mut command = Command::new("smpirun");
        command.args(["-no-privatize", "-np", &ranks.to_string(), "-platform"]);
        command
            .arg(machine)
            .arg("-hostfile")
            .arg(hosts)
            .arg("-replay")
            .arg(list);
        let output = command.args(FLAGS).output().expect("it runs");
        let told = String::from_utf8_lossy(&output.stderr);
        let time = told.split("Simulation time ").nth(1);
        let time = time.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        let found_s: f64 = time.unwrap_or_else(|| panic!("{case}: {output:?}"));
        assert_near(case, found_s, expected_s);
    });
}

/// Flags for the network described above, without corrections for TCP or time at the ends.
const FLAGS: [&str; 12] = [
    "--cfg=network/model:CM02",
    "--cfg=network/TCP-gamma:0",
    "--cfg=network/crosstraffic:0",
    "--cfg=network/weight-S:0",
    "--cfg=network/optim:Full",
    "--cfg=surf/precision:1e-13",
    "--cfg=smpi/os:0:0:0",
    "--cfg=smpi/or:0:0:0",
    "--cfg=smpi/ois:0:0:0",
    "--cfg=smpi/test:0",
    "--log=replay.thres:error",
    "--log=smpi_replay.thres:info",
];
