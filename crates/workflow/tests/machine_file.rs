//! Tests what machine files can contain, and what is rejected.

use std::fs;
use std::path::Path;

use prophet_testing::assert_cases;
use prophet_workflow::{HostId, HostLink, Policy, QueueWait, SharedStorage, machine_file};

/// A grid with two sites. One of them has other users' jobs.
pub(crate) const GRID: &str = include_str!("data/grid.toml");

pub(crate) const LOG: &str = "; MaxProcs: 8\n1 50 0 100 6 -1 -1 6 120 -1 1 3 1 -1 1 -1 -1 -1\n";

pub(crate) fn grid() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("it can be made");
    fs::write(folder.path().join("grid.toml"), GRID).expect("it can be written");
    fs::write(folder.path().join("campus.swf"), LOG).expect("it can be written");
    folder
}

#[test]
fn all_entries_are_read() {
    let folder = grid();
    let machine = machine_file::read(&folder.path().join("grid.toml")).expect("it is right");
    let [node, gpu] = machine.groups() else {
        panic!("there are two groups")
    };
    assert_eq!((node.count, node.cores, node.memory_bytes), (2, 4, 1 << 34));
    assert_eq!((node.site, gpu.site, gpu.count, gpu.cores), (0, 1, 1, 8));
    assert_eq!((gpu.speed, gpu.operations_per_s), (2.5, 1e12));
    let storage = |read_bytes_per_s, write_bytes_per_s| {
        Some(SharedStorage {
            read_bytes_per_s,
            write_bytes_per_s,
        })
    };
    assert_eq!((node.disk, gpu.disk), (None, storage(5e8, 4e8)));
    assert_eq!(machine.shared, [storage(2e9, 1e9), None]);
    let link = |bytes_per_s, latency_s, is_shared| {
        Some(HostLink {
            bytes_per_s,
            latency_s,
            is_shared,
        })
    };
    assert_eq!(machine.within, link(1.25e9, 20e-6, false));
    assert_eq!(machine.between, link(1.25e8, 30e-3, true));
    assert_eq!(machine.site_names, ["campus", "cloud"]);
    assert_eq!(machine.prices, [0.05, 0.2]);
    assert_eq!(machine.host_name(HostId(1)), "node-2");
    let queue = &machine.queues[0];
    assert_eq!((queue.submit_delay_s, queue.cycle_s), (10.0, 60.0));
    assert_eq!(queue.wait, QueueWait::Exponential { mean_s: 300.0 });
    assert_eq!((queue.policy, queue.jobs.len()), (Policy::Easy, 1));
    assert_eq!((queue.jobs[0].submit_s, queue.jobs[0].cores), (-50.0, 6));
}

#[test]
fn all_distributions_are_read() {
    for (text, expected) in [
        ("90", QueueWait::Seconds(90.0)),
        (
            "uniform:low=1min,high=2min",
            QueueWait::Uniform {
                low_s: 60.0,
                high_s: 120.0,
            },
        ),
        (
            "lognormal:mu=-1.5,sigma=2",
            QueueWait::Lognormal {
                mu: -1.5,
                sigma: 2.0,
            },
        ),
        (
            "weibull:shape=0.5,scale=1h",
            QueueWait::Weibull {
                shape: 0.5,
                scale_s: 3600.0,
            },
        ),
    ] {
        let folder = grid();
        let changed = GRID.replace("exponential:mean=5min", text);
        let path = folder.path().join("grid.toml");
        fs::write(&path, changed).expect("it can be written");
        let machine = machine_file::read(&path).expect("it is right");
        assert_eq!(machine.queues[0].wait, expected);
    }
}

fn said(folder: &Path, from: &str, to: &str) -> String {
    assert!(GRID.contains(from), "{from}");
    let path = folder.join("grid.toml");
    fs::write(&path, GRID.replacen(from, to, 1)).expect("it can be written");
    let problem = machine_file::read(&path).expect_err("it is wrong");
    let file = Path::new(&problem.file).file_name().expect("there is one");
    let problem = problem.clone().in_file(file.to_string_lossy()).to_string();
    let problem = problem.replace(&format!("{}/", folder.display()), "");
    format!("{}\n", problem.lines().next().unwrap_or_default())
}

#[test]
fn what_is_wrong_is_told_with_file_and_line() {
    let folder = grid();
    assert_cases("tests/cases/machine_files.txt", |case| {
        let (from, to) = case.title.split_once(" ->").expect("it is a change");
        said(folder.path(), from, to.trim())
    });
}

#[test]
fn a_log_that_is_wrong_is_told_with_its_line() {
    let folder = grid();
    fs::write(folder.path().join("campus.swf"), "; a\n1 2\n").expect("it can be written");
    let said = said(folder.path(), "made up", "made");
    assert_eq!(
        said,
        "campus.swf:2: expected 18 numbers in a job, found 2\n"
    );
}

#[test]
fn the_file_of_the_docs_is_read() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/workflows.md");
    let page = fs::read_to_string(page).expect("it is there");
    let (_, after) = page.split_once("```toml\n").expect("there is a file");
    let (text, _) = after.split_once("```").expect("it ends");
    let folder = grid();
    let path = folder.path().join("docs.toml");
    fs::write(&path, text).expect("it can be written");
    let machine = machine_file::read(&path).expect("it is right");
    assert_eq!(
        (machine.len(), machine.sites(), machine.cores()),
        (21, 2, 968)
    );
}
