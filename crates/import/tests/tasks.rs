//! Tests traces of overlapping tasks that the program replays: Chakra graphs and `PyTorch` traces.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use prophet_testing::{Home, assert_says};
use serde_json::Value;
use tempfile::TempDir;

use crate::result;

const HOCKNEY: [&str; 2] = ["--network", "hockney:latency=1ms,bandwidth=1MB/s"];
/// `HOCKNEY` with an algorithm that takes a single message between two ranks.
const DOUBLING: [&str; 4] = [
    HOCKNEY[0],
    HOCKNEY[1],
    "--collective",
    "allreduce=recursive-doubling",
];

fn folder() -> TempDir {
    tempfile::tempdir().expect("there is room")
}

fn call(words: &[&str], trace: &Path, flags: &[&str]) -> String {
    let output = result::program(words, trace, flags);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text + &String::from_utf8_lossy(&output.stderr)
}

fn time_s(trace: &Path, flags: &[&str]) -> f64 {
    let flags = [&["--", "--format", "json"], flags].concat();
    let text = call(&["replay"], trace, &flags);
    result::time_of(&text).unwrap_or_else(|| panic!("{text}"))
}

/// Fails unless a replay reports this text.
#[track_caller]
fn assert_told(trace: &Path, text: &str) {
    let told = call(&["replay"], trace, &[]);
    assert!(told.contains(text), "{told}");
}

#[track_caller]
fn assert_close(found: f64, expected: f64) {
    let difference = (found / expected - 1.0).abs();
    assert!(difference < 1e-9, "{found} is not {expected}");
}

// Chakra, in its protobuf encoding.

const COMPUTE: u64 = 4;
const SEND: u64 = 5;
const RECEIVE: u64 = 6;
const COLLECTIVE: u64 = 7;

/// A node of a graph: number, type, microseconds, nodes before it, attributes.
#[derive(Debug, Clone, Default)]
struct Node {
    id: u64,
    kind: u64,
    micros: u64,
    after: Vec<u64>,
    numbers: Vec<(&'static str, u64)>,
    group: &'static str,
}

impl Node {
    fn new(id: u64, kind: u64, micros: u64, after: &[u64]) -> Self {
        Self {
            id,
            kind,
            micros,
            after: after.to_vec(),
            ..Self::default()
        }
    }

    fn with(mut self, name: &'static str, value: u64) -> Self {
        self.numbers.push((name, value));
        self
    }
}

fn number(mut value: u64, into: &mut Vec<u8>) {
    while value >= 0x80 {
        into.push(u8::try_from(value & 0x7f).expect("it is small") | 0x80);
        value >>= 7;
    }
    into.push(u8::try_from(value).expect("it is small"));
}

fn field(place: u64, value: Result<u64, &[u8]>, into: &mut Vec<u8>) {
    number(place << 3 | if value.is_ok() { 0 } else { 2 }, into);
    match value {
        Ok(value) => number(value, into),
        Err(bytes) => {
            number(bytes.len() as u64, into);
            into.extend(bytes);
        }
    }
}

fn binary(nodes: &[Node]) -> Vec<u8> {
    let mut head = Vec::new();
    field(1, Err(b"0.0.4"), &mut head);
    let mut file = Vec::new();
    number(head.len() as u64, &mut file);
    file.extend(head);
    for node in nodes {
        let mut message = Vec::new();
        field(1, Ok(node.id), &mut message);
        field(2, Err(b"node"), &mut message);
        field(3, Ok(node.kind), &mut message);
        let mut packed = Vec::new();
        for id in &node.after {
            number(*id, &mut packed);
        }
        field(5, Err(&packed), &mut message);
        field(7, Ok(node.micros), &mut message);
        for (name, value) in &node.numbers {
            let mut attribute = Vec::new();
            field(1, Err(name.as_bytes()), &mut attribute);
            let place = if *name == "is_cpu_op" { 27 } else { 9 };
            field(place, Ok(*value), &mut attribute);
            field(10, Err(&attribute), &mut message);
        }
        if !node.group.is_empty() {
            let mut attribute = Vec::new();
            field(1, Err(b"pg_name"), &mut attribute);
            field(29, Err(node.group.as_bytes()), &mut attribute);
            field(10, Err(&attribute), &mut message);
        }
        number(message.len() as u64, &mut file);
        file.extend(message);
    }
    file
}

/// Returns the nodes as JSON, as Chakra's tool prints them.
fn printed(nodes: &[Node]) -> String {
    let names = [
        "COMP_NODE",
        "COMM_SEND_NODE",
        "COMM_RECV_NODE",
        "COMM_COLL_NODE",
    ];
    let mut text = r#"{"version": "0.0.4"}"#.to_owned();
    for node in nodes {
        let name = names[usize::try_from(node.kind - 4).expect("it is small")];
        let after: Vec<String> = node.after.iter().map(|it| format!("\"{it}\"")).collect();
        let attributes = node.numbers.iter().map(|(name, value)| match *name {
            "is_cpu_op" => format!(r#"{{"name": "{name}", "boolVal": {}}}"#, *value == 1),
            _ => format!(r#"{{"name": "{name}", "int64Val": "{value}"}}"#),
        });
        let attributes: Vec<String> = attributes.collect();
        let _ = write!(
            text,
            r#"{{"id": "{}", "name": "node", "type": "{name}", "dataDeps": [{}],
               "durationMicros": "{}", "attr": [{}]}}"#,
            node.id,
            after.join(", "),
            node.micros,
            attributes.join(", ")
        );
    }
    text
}

fn graphs_s(ranks: &[Vec<Node>], flags: &[&str]) -> f64 {
    let folder = folder();
    for (rank, nodes) in ranks.iter().enumerate() {
        let write = |name: String, bytes: &[u8]| fs::write(folder.path().join(name), bytes);
        write(format!("a.{rank}.et"), &binary(nodes)).expect("it can be written");
        write(format!("b.{rank}.json"), printed(nodes).as_bytes()).expect("it can be written");
    }
    let found = time_s(&folder.path().join("a.0.et"), flags);
    assert_close(time_s(&folder.path().join("b.0.json"), flags), found);
    found
}

fn all_reduce(id: u64, micros: u64, after: &[u64], bytes: u64) -> Node {
    let node = Node::new(id, COLLECTIVE, micros, after);
    node.with("comm_type", 0).with("comm_size", bytes)
}

#[test]
fn a_ring_has_its_closed_form() {
    let flags = [&HOCKNEY[..], &["--collective", "allreduce=ring"]].concat();
    for (ranks, count) in [(2, 2.0), (3, 3.0), (8, 8.0)] {
        let bytes = 24_000;
        let all = vec![vec![all_reduce(0, 0, &[], bytes)]; ranks];
        let expected = 2.0 * (count - 1.0) * (1e-3 + 24_000.0 / count / 1e6);
        assert_close(graphs_s(&all, &flags), expected);
        // The same ring, with sends and receives of the parts.
        let ranks = ranks as u64;
        let parts = (0..ranks).map(|rank| {
            let steps = (0..2 * (ranks - 1)).flat_map(|step| {
                let before: &[u64] = if step == 0 { &[] } else { &[2 * step - 1] };
                let send = Node::new(2 * step, SEND, 0, before);
                let receive = Node::new(2 * step + 1, RECEIVE, 0, before);
                let (next, last) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
                [
                    send.with("comm_dst", next).with("comm_size", bytes / ranks),
                    receive
                        .with("comm_src", last)
                        .with("comm_size", bytes / ranks),
                ]
            });
            steps.collect()
        });
        assert_close(graphs_s(&parts.collect::<Vec<_>>(), &HOCKNEY), expected);
    }
}

#[test]
fn units_overlap_and_nodes_take_turns() {
    // Two kernels take turns on the GPU, alongside a CPU and a collective.
    let nodes = |last: u64| {
        vec![
            Node::new(0, COMPUTE, 3_000, &[]),
            Node::new(1, COMPUTE, 4_000, &[]),
            Node::new(2, COMPUTE, 5_000, &[]).with("is_cpu_op", 1),
            all_reduce(3, 0, &[0], 2_000),
            Node::new(4, COMPUTE, last, &[2, 3]),
        ]
    };
    // Each of two ranks sends and receives 2,000 bytes, starting at 3 ms.
    let found = graphs_s(&[nodes(1_000), nodes(2_000)], &DOUBLING);
    // The GPU is free at 7 ms; the collective ends at 6 ms.
    assert_close(found, 9e-3);
    let faster = [&DOUBLING[..], &["--gpu-speed", "2"]].concat();
    // The collective starts at 1.5 ms; the CPU ends last, at 5 ms.
    assert_close(graphs_s(&[nodes(1_000), nodes(2_000)], &faster), 6e-3);
    let faster = [&faster[..], &["--cpu-speed", "5"]].concat();
    assert_close(graphs_s(&[nodes(1_000), nodes(2_000)], &faster), 5.5e-3);
}

#[test]
fn recorded_collectives_take_the_time_after_the_last_rank() {
    let nodes = |before: u64, took: u64| {
        vec![
            Node::new(0, COMPUTE, before, &[]),
            all_reduce(1, took, &[0], 8),
        ]
    };
    let ranks = [nodes(1_000, 7_000), nodes(6_000, 2_000)];
    assert_close(graphs_s(&ranks, &["--network-speed", "1"]), 8e-3);
    assert_close(graphs_s(&ranks, &["--network-speed", "2"]), 7e-3);
}

#[test]
fn groups_have_collectives_of_their_own() {
    let folder = folder();
    for rank in 0..4 {
        let group = if rank < 2 { "1" } else { "2" };
        let compute = Node::new(0, COMPUTE, 1_000 * (rank / 2 + 1), &[]);
        let mut call = all_reduce(1, 0, &[0], 1_000);
        call.group = group;
        let file = folder.path().join(format!("a.{rank}.et"));
        fs::write(file, binary(&[compute, call])).expect("it can be written");
    }
    let path = folder.path().join("a.0.et");
    assert_told(&path, "unknown group `1`: list its ranks");
    let groups = folder.path().join("comm_group.json");
    fs::write(groups, r#"{"1": [0, 1], "2": [2, 3]}"#).expect("it can be written");
    assert_close(time_s(&path, &DOUBLING), 4e-3);
}

#[test]
fn a_file_that_is_cut_off_is_told_with_its_byte() {
    let folder = folder();
    let path = folder.path().join("a.0.et");
    let bytes = binary(&[all_reduce(0, 0, &[], 8)]);
    fs::write(&path, &bytes[..bytes.len() - 3]).expect("it can be written");
    assert_told(&path, "a.0.et: byte 9: the file is cut off");
    fs::write(&path, b"").expect("it can be written");
    assert_told(&path, "it is empty; record it again");
}

#[test]
fn a_graph_without_overlap_is_folded() {
    let folder = folder();
    for rank in 0..4_u64 {
        let nodes = (0..10).map(|step| {
            let before: Vec<u64> = (step > 0).then(|| step - 1).into_iter().collect();
            match step % 2 {
                0 => Node::new(step, COMPUTE, 500, &before),
                _ => all_reduce(step, 0, &before, 64),
            }
        });
        let file = folder.path().join(format!("a.{rank}.et"));
        fs::write(file, binary(&nodes.collect::<Vec<_>>())).expect("it can be written");
    }
    let model = folder.path().join("model.puml");
    let out = ["--out", model.to_str().expect("text")];
    call(&[], &folder.path().join("a.0.et"), &out);
    let text = fs::read_to_string(&model).expect("it is written");
    assert_says(&text, &["iterations = 5", "cost = 5e-4"]);
}

#[test]
fn callers_come_first_unless_they_wait_for_what_they_call() {
    let folder = folder();
    let path = folder.path().join("a.0.json");
    let node = |id: u64, before: &str| {
        format!(
            r#"{{"Id": {id}, "NodeType": 4, "runtime": 1000, "is_cpu_op": {}{before}}}"#,
            id == 1
        )
    };
    let of = |nodes: [String; 2]| {
        let text = format!(r#"{{"workload_graph": [{}]}}"#, nodes.join(", "));
        fs::write(&path, text).expect("it can be written");
        time_s(&path, &[])
    };
    let called = node(2, r#", "ctrlDeps": [1, 9]"#);
    assert_close(of([node(1, ""), called.clone()]), 2e-3);
    assert_close(of([node(1, ""), node(2, "")]), 1e-3);
    assert_close(of([node(1, r#", "data_deps": [2]"#), called]), 2e-3);
}

// PyTorch's profiler.

/// A rank's trace under construction. Times are in microseconds.
struct Profile(Vec<String>);

impl Profile {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn event(&mut self, cat: &str, name: &str, (from, to): (u64, u64), arguments: &str) {
        self.0.push(format!(
            r#"{{"ph": "X", "cat": "{cat}", "name": "{name}", "pid": 1, "tid": 1,
                "ts": {from}.5, "dur": {}, "args": {{{arguments}}}}}"#,
            to - from
        ));
    }

    fn host(&mut self, name: &str, times: (u64, u64), correlation: u64) {
        let arguments = format!(r#""correlation": {correlation}"#);
        self.event("cuda_runtime", name, times, &arguments);
    }

    fn kernel(&mut self, stream: u64, times: (u64, u64), correlation: u64) {
        let arguments = format!(r#""stream": {stream}, "correlation": {correlation}"#);
        self.event("kernel", "gemm", times, &arguments);
    }

    fn all_reduce(&mut self, times: (u64, u64), correlation: u64, ranks: &str) {
        let arguments = format!(
            r#""stream": 20, "correlation": {correlation}, "Collective name": "allreduce",
               "In msg nelems": 500, "dtype": "Float", "Process Group Name": "0",
               "Process Group Ranks": "{ranks}""#
        );
        self.event(
            "kernel",
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
            times,
            &arguments,
        );
    }

    fn text(&self, rank: u32) -> String {
        format!(
            r#"{{"schemaVersion": 1, "distributedInfo": {{"rank": {rank}, "world_size": 2}},
                "traceEvents": [{}]}}"#,
            self.0.join(",\n")
        )
    }
}

/// Returns a rank that computes, and reduces the result during further computing.
fn step(first: u64, reduced: u64) -> Profile {
    let mut profile = Profile::new();
    let end = first + 1_000;
    let reduced = (first, first + reduced);
    profile.host("cudaLaunchKernel", (0, 10), 1);
    profile.kernel(7, (100, first), 1);
    profile.host("cudaEventRecord", (12, 13), 2);
    profile.host("cudaStreamWaitEvent", (14, 15), 3);
    profile.host("cudaLaunchKernelExC", (20, 30), 4);
    profile.all_reduce(reduced, 4, "[0, 1]");
    profile.host("cudaLaunchKernel", (40, 50), 5);
    profile.kernel(7, (first, end), 5);
    let last = end.max(reduced.1);
    profile.host("cudaDeviceSynchronize", (60, last + 40), 6);
    profile
}

fn profiles() -> TempDir {
    let folder = folder();
    for (rank, profile) in [(3, step(1_100, 5_000)), (5, step(2_100, 4_000))] {
        let text = profile.text(rank).replace("[0, 1]", "[3, 5]");
        let file = folder.path().join(format!("host_{rank}.pt.trace.json"));
        fs::write(file, text).expect("it can be written");
    }
    folder
}

#[test]
fn a_profile_takes_its_recorded_time() {
    let folder = profiles();
    let recorded = ["--network-speed", "1"];
    // The last rank reduces from 2,100 us to 6,100 us, and ends 40 us later.
    assert_close(time_s(folder.path(), &recorded), 6_140e-6);
    // With a single rank, nothing is known about the other ranks.
    let alone = folder.path().join("host_3.pt.trace.json");
    assert_close(time_s(&alone, &[]), 6_140e-6);
    let note = "note: recorded times are used for 1 NCCL kernel, because ";
    assert_told(&alone, note);
}

#[test]
fn a_profile_is_predicted_on_other_machines() {
    let folder = profiles();
    // 500 floats on two ranks: 1 ms and 2 ms, starting at 2,100 us.
    assert_close(time_s(folder.path(), &DOUBLING), 5_140e-6);
    // The last rank's first kernel starts at 100 us as before, and takes half the time.
    let faster = [&DOUBLING[..], &["--gpu-speed", "2"]].concat();
    assert_close(time_s(folder.path(), &faster), 4_140e-6);
    let recorded = ["--network-speed", "4", "--gpu-speed", "2"];
    // It reduces from 1,100 us to 2,100 us, and computes until 1,600 us.
    assert_close(time_s(folder.path(), &recorded), 2_140e-6);
}

/// Returns the time of two ranks that each launch an NCCL kernel with these arguments.
fn called_s(kernels: [&str; 2]) -> f64 {
    let folder = folder();
    for (rank, arguments) in (0..).zip(kernels) {
        let mut profile = Profile::new();
        profile.host("cudaLaunchKernel", (0, 10), 1);
        let arguments = format!(r#""stream": 9, "correlation": 1, "dtype": "Float", {arguments}"#);
        profile.event("kernel", "ncclDevKernel_SendRecv", (100, 900), &arguments);
        let file = folder.path().join(format!("{rank}.pt.trace.json"));
        fs::write(file, profile.text(rank)).expect("it can be written");
    }
    time_s(folder.path(), &HOCKNEY)
}

#[test]
fn parts_of_all_to_all_and_messages_have_their_sizes() {
    let of = |sent: &str, received: &str, parts: [&str; 2]| {
        format!(
            r#""Collective name": "all_to_allv", "Process Group Ranks": "[0, 1]",
               "In msg nelems": {sent}, "Out msg nelems": {received},
               "In split size": "{}", "Out split size": "{}""#,
            parts[0], parts[1]
        )
    };
    let first = of("500", "300", ["[100, 400]", "[100, 200]"]);
    let second = of("300", "500", ["[200, 100]", "[400, 100]"]);
    // The larger message has 1,600 bytes and starts at 100 us.
    assert_close(called_s([&first, &second]), 100e-6 + 2.6e-3);
    let send = r#""Collective name": "send", "Dst Rank": 1, "In msg nelems": 250"#;
    let receive = r#""Collective name": "recv", "Src Rank": 0, "Out msg nelems": 250"#;
    assert_close(called_s([send, receive]), 100e-6 + 2e-3);
}

#[test]
fn threads_wait_for_each_other() {
    let mut profile = Profile::new();
    profile.event("cpu_op", "forward", (0, 100), "");
    profile.event("cpu_op", "optimizer", (1_000, 1_100), "");
    profile.event("cpu_op", "backward", (120, 980), "");
    let last = profile.0.pop().expect("an event");
    profile.0.push(last.replace(r#""tid": 1"#, r#""tid": 2"#));
    let folder = folder();
    let path = folder.path().join("a.json");
    fs::write(&path, profile.text(0)).expect("it can be written");
    assert_close(time_s(&path, &[]), 1_100e-6);
    // All of the time is computing, which a faster CPU shortens; nothing is a wait.
    assert_close(time_s(&path, &["--cpu-speed", "2"]), 550e-6);
}

/// Returns the time from the first start to the last end of all work in a profile, in seconds.
/// Threads that only poll are left out.
fn span_s(path: &Path) -> Option<f64> {
    let bytes = fs::read(path).ok()?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let read = flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut text);
        read.ok()?;
    } else {
        text = String::from_utf8(bytes).ok()?;
    }
    let value: Value = serde_json::from_str(&text).ok()?;
    let word = |event: &Value, name: &str| event[name].as_str().unwrap_or_default().to_owned();
    let is = |event: &&Value, all: &[&str]| all.contains(&&*word(event, "cat"));
    let is_host = |it: &&Value| is(it, &["cpu_op", "cuda_runtime", "cuda_driver", "Runtime"]);
    let devices = [
        "kernel",
        "gpu_memcpy",
        "gpu_memset",
        "Kernel",
        "Memcpy",
        "Memset",
    ];
    let all = value["traceEvents"].as_array()?.iter();
    let all = all.filter(|it| it["ph"] == "X" && (is_host(it) || is(it, &devices)));
    let of_device = all.clone().filter(|it| is(it, &devices));
    let launched: BTreeSet<String> = of_device
        .map(|it| it["args"]["correlation"].to_string())
        .collect();
    let thread = |it: &Value| format!("{} {}", it["pid"], it["tid"]);
    let works = all.clone().filter(is_host).filter(|it| {
        let launches = launched.contains(&it["args"]["correlation"].to_string());
        is(it, &["cpu_op"]) || launches || word(it, "name").contains("Synchronize")
    });
    let works: BTreeSet<String> = works.map(thread).collect();
    let kept = all.filter(|it| !is_host(it) || works.contains(&thread(it)));
    #[expect(clippy::cast_possible_truncation, reason = "times are below 2^53")]
    let ns = |it: &Value| {
        let micros = it.as_f64().unwrap_or(0.0);
        micros.trunc() as i64 * 1000 + (micros.fract() * 1e3).round() as i64
    };
    let first = kept.clone().map(|it| ns(&it["ts"])).min()?;
    let last = kept.map(|it| ns(&it["ts"]) + ns(&it["dur"])).max()?;
    #[expect(clippy::cast_precision_loss, reason = "times are below 2^53")]
    Some((last - first) as f64 * 1e-9)
}

#[test]
#[ignore = "PROFILES is the folder of real profiles, such as HolisticTraceAnalysis/tests/data"]
fn real_profiles_take_their_recorded_times() {
    let mut folders = vec![PathBuf::from(
        std::env::var_os("PROFILES").expect("PROFILES"),
    )];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(expected) = span_s(&path) {
                let found = time_s(&path, &[]);
                let difference = (found / expected - 1.0).abs();
                assert!(difference < 1e-12, "{}: {found} {expected}", path.display());
                count += 1;
            }
        }
    }
    eprintln!("{count} profiles take their recorded times");
    assert!(count > 0, "no profile is there");
}

#[test]
fn wrong_traces_of_tasks_are_refused_with_their_place() {
    let home = Home::of(env!("CARGO_BIN_EXE_prophet-import"));
    home.assert_transcripts("tests/cases/tasks.txt");
}
