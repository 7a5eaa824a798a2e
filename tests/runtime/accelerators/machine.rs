//! Tests accelerators in machine files: both notations, and what is rejected.

use super::*;
use prophet_runtime::{ByMachine, Entry, Machine};
use prophet_testing::assert_says;

const START: &str = "name = \"m\"\nsource = \"a test\"\ncpus-per-node = 4\n\n[[accelerator]]\n";
const LEAST: &str = "name = \"gpu\"\nmemory-bandwidth = \"1TB/s\"\nlink-bandwidth = \"25GB/s\"\n";

fn read(entries: &str) -> Result<Machine, String> {
    Ok(Machine::parse(&format!("{START}{entries}"), "m.toml")?)
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
    assert_says(
        machine.draw().expect("a node is drawn"),
        &["<title>gpu (3)</title>"],
    );
}

/// Two nodes with all accelerators, two with one kind of accelerator, and one without any.
fn of_groups() -> Machine {
    let other = LEAST.replace("gpu", "npu") + "count = 3\nidle = \"1W\"\n";
    let node = |count: u32, more: &str| format!("[[node]]\ncount = {count}\n{more}\n");
    let groups = [
        node(2, ""),
        node(2, "accelerators = \"npu\""),
        node(1, "accelerators = \"none\""),
    ];
    let power = "[power]\nidle = \"0W\"\nall-cpus = \"0W\"\n";
    let text = format!("{LEAST}[[accelerator]]\n{other}{}{power}", groups.concat());
    read(&text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn groups_of_nodes_have_accelerators_of_their_own() {
    let machine = of_groups();
    let picture = machine.draw().expect("a node is drawn");
    for title in ["gpu of nodes 0-1", "npu of nodes 0-3 (2)"] {
        assert_says(&picture, &[&format!("<title>{title}</title>")]);
    }
    let nodes = machine
        .entries()
        .into_iter()
        .find(|(key, _)| *key == "node");
    let texts = [
        "2 nodes with speed 1",
        "2 nodes with speed 1, accelerators npu",
    ];
    let texts = texts
        .into_iter()
        .chain(["1 node with speed 1, no accelerators"]);
    let texts = texts.map(|text| Entry::Text(text.to_owned())).collect();
    assert_eq!(nodes, Some(("node", Entry::List(texts))));
    let xml = machine.to_xml().expect("it has this form");
    let again = Machine::parse_xml(&xml, "m.xml").unwrap_or_else(|error| panic!("{error}\n{xml}"));
    assert!(System::on(again, 5, 4, 5, 1).is_like(&System::on(machine, 5, 4, 5, 1)));
}

#[test]
fn processes_use_the_accelerators_of_their_node() {
    let system = System::on(of_groups(), 5, 4, 5, 1);
    // The bytes of each kernel take a second.
    let kernel = async |ctx: &ProcessCtx<'_>, number: i64| {
        let kernel = KERNEL.execute(ctx, ByMachine).bytes(1_000_000_000_000);
        kernel.device(number).await?;
        WAIT.execute(ctx).device(number).await
    };
    let outcome = run(&system, &async |ctx| match ctx.pid().0 {
        4 => Ok(()),
        pid => kernel(ctx, if pid < 2 { 3 } else { 2 }).await,
    });
    assert_eq!(outcome.predicted_time_s, 1.0);
    let used = outcome.accelerators.iter();
    let used: Vec<_> = used
        .map(|it| (&*it.name, it.devices, it.kernels_s))
        .collect();
    assert_eq!(used, [("npu", 4, 4.0)]);
    // Each of four nodes has three of them, and together they use 1 W.
    assert_eq!(outcome.energy.map(|it| it.accelerators_j), Some(12.0));
    for (pid, number, expected) in [
        (
            2,
            3,
            "device is 3, but the accelerators are numbered 0 to 2",
        ),
        (
            4,
            0,
            "node 4 has no accelerators: place the process on another node with --mapping",
        ),
    ] {
        let failure = Simulation::new(&MODEL, system.clone()).run(async |ctx| {
            if ctx.pid().0 == pid {
                kernel(ctx, number).await
            } else {
                Ok(())
            }
        });
        let failure = failure.expect_err(expected).to_string();
        assert!(failure.starts_with(expected), "{failure}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let at = |line: usize, message: &str| format!("m.toml:{line}: {message}");
    for (entries, expected) in [
        (
            "count = 0",
            at(9, "`count`: the number of accelerators `gpu` is 0"),
        ),
        (
            "count = 2000",
            at(9, "`count`: a node has at most 1024 accelerators"),
        ),
        (
            "copy-engines = 0",
            at(9, "`copy-engines`: 0 is out of range (1 to 16)"),
        ),
        (
            "fp64 = \"0\"",
            at(
                9,
                "`fp64`: expected a rate of operations above 0, found `0`",
            ),
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
                "`queues`: `steam` is not a queue rule (stream, engine); did you mean \
                 `stream`?",
            ),
        ),
        (
            "peer-latency = \"1us\"",
            at(
                9,
                "`peer-latency`: a link to other accelerators needs `peer-bandwidth`",
            ),
        ),
        (
            "[[accelerator]]\nname = \"gpu\"\nmemory-bandwidth = \"1GB/s\"\n\
             link-bandwidth = \"1GB/s\"",
            at(
                10,
                "`name`: there are two accelerators `gpu`: use `count` instead",
            ),
        ),
    ] {
        let error = read(&format!("{LEAST}{entries}\n")).expect_err(entries);
        assert_eq!(error, expected, "{entries}");
    }
    let error = read("name = \"gpu\"\n").expect_err("it lacks keys");
    assert_says(
        &error,
        &["`[[accelerator]]` needs `memory-bandwidth`, such as"],
    );
}
