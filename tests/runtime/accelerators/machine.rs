//! Accelerators in machine files: both forms, and what is refused.

use prophet_runtime::{Accelerator, DeviceLink, Machine, Queues};

const START: &str = "name = \"m\"\nsource = \"a test\"\ncpus-per-node = 4\n\n[[accelerator]]\n";
const LEAST: &str = "name = \"gpu\"\nmemory-bandwidth = \"1TB/s\"\nlink-bandwidth = \"25GB/s\"\n";

fn read(entries: &str) -> Result<Machine, String> {
    Machine::parse(&format!("{START}{entries}"), "m.toml")
}

#[test]
fn all_keys_are_read_in_both_forms() {
    let more = "count = 4\nlaunch = \"5us\"\nfp64 = \"9.7TFLOP/s\"\nint8 = \"624TOP/s\"\n\
                memory = \"40GB\"\ncopy-engines = 1\nqueues = \"engine\"\nlink-latency = \"2us\"\n\
                peer-bandwidth = \"300GB/s\"\n";
    let machine = read(&format!("{LEAST}{more}")).unwrap_or_else(|error| panic!("{error}"));
    let link = DeviceLink {
        latency_s: 2e-6,
        bandwidth: 25e9,
    };
    let expected = Accelerator {
        count: 4,
        launch_s: 5e-6,
        peaks: [Some(9.7e12), None, None, Some(624e12)],
        memory: Some(40_000_000_000),
        copy_engines: 1,
        queues: Queues::Engine,
        peer: Some(DeviceLink {
            latency_s: 0.0,
            bandwidth: 300e9,
        }),
        ..Accelerator::new("gpu", 1e12, link)
    };
    assert_eq!(*machine.accelerators, [expected]);
    let xml = machine.to_xml().expect("it has this form");
    let again = Machine::parse_xml(&xml, "m.xml").unwrap_or_else(|error| panic!("{error}\n{xml}"));
    assert_eq!(again.accelerators, machine.accelerators);
    assert!(
        machine
            .draw()
            .expect("a node is drawn")
            .contains("<title>gpu (3)</title>")
    );
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let at = |line: usize, message: &str| format!("m.toml:{line}: {message}");
    for (entries, expected) in [
        (
            "count = 0",
            at(9, "`count`: there are no accelerators `gpu`"),
        ),
        (
            "count = 2000",
            at(9, "`count`: a node has at most 1024 accelerators"),
        ),
        (
            "copy-engines = 0",
            at(9, "`copy-engines`: 0 is not from 1 to 16"),
        ),
        (
            "fp64 = \"0\"",
            at(9, "`fp64`: `0`: a rate of operations is above 0"),
        ),
        (
            "fp32 = \"10TB/s\"",
            at(
                9,
                "`fp32`: `10TB/s`: `TB/s` is not a unit of rate of operations; use GFLOP/s, \
                 TFLOP/s or TOP/s",
            ),
        ),
        (
            "queues = \"steam\"",
            at(
                9,
                "`steam` is not a rule of queues (stream, engine); did you mean `stream`?",
            ),
        ),
        (
            "peer-latency = \"1us\"",
            at(9, "`peer-latency`: a link to others needs `peer-bandwidth`"),
        ),
        (
            "[[accelerator]]\nname = \"gpu\"\nmemory-bandwidth = \"1\"\nlink-bandwidth = \"1\"",
            at(
                10,
                "`name`: there are two accelerators `gpu`: give a `count`",
            ),
        ),
    ] {
        let error = read(&format!("{LEAST}{entries}\n")).expect_err(entries);
        assert_eq!(error, expected, "{entries}");
    }
    let error = read("name = \"gpu\"\n").expect_err("it lacks keys");
    assert!(
        error.contains("missing field `memory-bandwidth`"),
        "{error}"
    );
}
