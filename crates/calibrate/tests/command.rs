//! The command as users call it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use prophet_runtime::{Machine, Simulation, System, Value};

const OSU: &str = "\
# OSU MPI Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
0                       1.00
8                       1.01
1024                    1.20
65536                  14.10
1048576               211.00

# OSU MPI Bandwidth Test v7.4
# Size      Bandwidth (MB/s)
8                      32.00
1048576              5000.00
";

const IMB: &str = "\
#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         2.00         0.00
         1024         1000         3.02       338.58
      1048576           40      1050.58       998.09

#---------------------------------------------------
# Benchmarking PingPing
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000        99.00         0.00

# All processes entering MPI_Finalize
";

#[test]
fn a_node_is_measured_and_is_a_machine() {
    let files = Files::new();
    let file = files.path("node.toml");
    let output = calibrate(&[
        "node",
        "--name",
        "here",
        "--out",
        &file.display().to_string(),
    ]);
    let progress = String::from_utf8_lossy(&output.stderr);
    if progress.contains("lists no caches") {
        prophet_testing::skip("this system lists no caches, as in a container without /sys");
        return;
    }
    assert!(output.status.success(), "{progress}");
    assert!(progress.contains("measuring memory on 1 of "), "{progress}");
    assert!(progress.contains("measuring L1\n"), "{progress}");
    let machine = Machine::read(&file.display().to_string()).expect("a machine");
    assert_eq!(machine.name, "here");
    let caches = &machine.memory.caches;
    assert!(!caches.is_empty() && machine.memory.core_bandwidth.is_some());
    // What is nearer is faster, and waits less, however busy this machine is.
    let speeds: Vec<f64> = caches.iter().map(|cache| cache.core_bandwidth).collect();
    assert!(speeds.is_sorted_by(|near, far| near >= far), "{speeds:?}");
    let price = |name: &str| machine.prices.get(name).expect(name);
    assert!(price("LOAD1") < price("LOADM") && price("FLOP") < price("LOAD1"));
}

fn calibrate(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_prophet-calibrate");
    let output = Command::new(program).args(arguments).output();
    output.expect("the program can be started")
}

/// Files of one test, in a folder that goes with it.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder can be made"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn add(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).expect("a file can be written");
        path.display().to_string()
    }

    /// The machine that a command writes.
    #[track_caller]
    fn machine(&self, arguments: &[&str]) -> (Machine, String) {
        let out = self.path("machine.toml").display().to_string();
        let output = calibrate(&[arguments, &["--force", "--out", &out]].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        assert_eq!(told, format!("wrote {out}\n"));
        assert!(output.stdout.is_empty());
        let text = fs::read_to_string(&out).expect("it was written");
        (Machine::read(&out).expect("it is a machine"), text)
    }
}

#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let output = calibrate(arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).expect("it is text")
}

/// Time of a message one way in the sample of a ping-pong, in seconds.
fn one_way_s(machine: &Machine, bytes: u32) -> f64 {
    let turns = 100;
    let mut system = System::on(machine.clone(), 2, 1, 2, 1);
    system.parameters = [turns, bytes].map(|it| Value::Int(it.into())).to_vec();
    let simulation = Simulation::new(&pingpong::MODEL, system);
    let outcome = simulation.run(pingpong::program).expect("it runs");
    outcome.predicted_time_s / f64::from(2 * turns)
}

#[track_caller]
fn assert_near(found: f64, expected: f64, most: f64) {
    let error = (found / expected - 1.0).abs();
    assert!(error <= most, "{found} instead of {expected}");
}

#[test]
fn the_predicted_ping_pong_is_the_one_that_was_measured() {
    let files = Files::new();
    let (machine, text) = files.machine(&["network", &files.add("imb.txt", IMB)]);
    assert!(
        text.contains("network = \"hockney:latency=2us,bandwidth=1GB/s\""),
        "{text}"
    );
    assert!(
        text.contains("PingPong of Intel's MPI benchmarks"),
        "{text}"
    );
    for (bytes, us) in [(0, 2.0), (1024, 3.02), (1 << 20, 1050.58)] {
        assert_near(one_way_s(&machine, bytes), us * 1e-6, 0.01);
    }
}

#[test]
fn a_stream_tells_the_overhead() {
    let files = Files::new();
    let (machine, text) = files.machine(&["network", &files.add("osu.txt", OSU)]);
    // A message of 8 bytes each 0.25 us.
    assert!(
        text.contains("loggp:L=") && text.contains(",o=250ns,"),
        "{text}"
    );
    for (bytes, us) in [(8, 1.01), (1024, 1.2), (65536, 14.1), (1 << 20, 211.0)] {
        assert_near(one_way_s(&machine, bytes), us * 1e-6, 0.02);
    }
    let latency = OSU.split("\n\n").next().expect("it is the first part");
    let (_, text) = files.machine(&["network", &files.add("latency.txt", latency)]);
    assert!(text.contains("network = \"hockney:latency=1us,"), "{text}");
}

#[test]
fn a_table_tells_the_overhead_and_the_eager_limit() {
    let files = Files::new();
    let rows = "size,time_us,send_us,held_us\n8,1.008,0.2,0\n1024,2.024,0.2,0\n\
                8192,9.192,8,3000\n65536,66.536,60,3000\n";
    let (machine, text) = files.machine(&["network", &files.add("t.csv", rows)]);
    let network = "loggp:L=601ns,o=200ns,g=0s,G=1ns,eager=1024";
    assert!(text.contains(network), "{text}");
    assert!(
        text.contains("Senders of 8192 bytes were seen to wait, senders of 1024 bytes were not.")
    );
    for (bytes, us) in [(8, 1.008), (1024, 2.024), (8192, 9.192), (65536, 66.536)] {
        assert_near(one_way_s(&machine, bytes), us * 1e-6, 0.002);
    }
    let table = files.path("t.csv").display().to_string();
    let (_, text) = files.machine(&["network", &table, "--model", "hockney", "--to", "2KiB"]);
    assert!(
        text.contains("network = \"hockney:latency=1us,bandwidth=1GB/s,eager=1024\""),
        "{text}"
    );
    assert!(text.contains("2 sizes"), "{text}");
}

#[test]
fn without_a_file_the_machine_is_printed() {
    let files = Files::new();
    let output = calibrate(&["network", &files.add("imb.txt", IMB), "--name", "here"]);
    let text = String::from_utf8(output.stdout).expect("it is text");
    assert!(
        text.starts_with("name = \"here\"\nsource = \"\"\"\n"),
        "{text}"
    );
    assert!(text.contains("\n# 1048576  1.051 ms"), "{text}");
}

/// Checks that each text is refused, with a reason.
#[track_caller]
fn assert_refused(cases: &[(&str, &str)]) {
    let files = Files::new();
    for (text, why) in cases {
        let told = refused(&["network", &files.add("m.txt", text)]);
        assert!(
            told.starts_with("error: ") && told.contains(why),
            "{why} in {told}"
        );
    }
}

#[test]
fn tables_that_tell_no_network_are_refused() {
    assert_refused(&[
        ("", "it has no rows"),
        ("size,time_us\n", "have no row"),
        (
            "size,time_us\n8,1\n",
            "one size was measured in that range; a latency and a bandwidth",
        ),
        (
            "size,time_us\n8,1\n16,0\n",
            "`time_us` of 16 bytes is 0 s; a time is above 0",
        ),
        (
            "size,time_us\n8,1\n16,-2\n",
            "`time_us` of 16 bytes is -0.000002 s; a time is above 0",
        ),
        ("size,time_us\n8,1\n16,NaN\n", "m.txt:3: `time_us` is NaN"),
        ("size,time_us\n8,1\n16,fast\n", "m.txt:3: `fast`"),
        (
            "size,time_us\n8.5,1\n16,2\n",
            "8.5 is not the size of a message in bytes",
        ),
        (
            "size,time_us\n8,1\n16,1\n32,1\n",
            "times do not grow with sizes",
        ),
        (
            "size,speed\n8,1\n16,2\n",
            "no column is known to be a time: `size`, `speed`; write the unit",
        ),
        (
            "size,p,time_us\n8,1,1\n16,1,2\n",
            "one column, the size of a message",
        ),
    ]);
}

#[test]
fn benchmarks_that_tell_no_network_are_refused() {
    let bandwidth = &OSU[OSU.find("# OSU MPI Bandwidth").expect("it has one")..];
    let title = "# OSU MPI Latency Test v7\n";
    assert_refused(&[
        (
            bandwidth,
            "bandwidths alone do not tell the latency; give the output of osu_latency",
        ),
        (
            "# OSU MPI Allreduce Latency Test v7\n8 1\n",
            "is not a ping-pong",
        ),
        (
            "# OSU MPI Multi Latency Test v7\n8 1\n",
            "several pairs share the network",
        ),
        (title, "it has no line of a size and a value"),
        (
            &format!("{title}8 fast\n"),
            "m.txt:2: `fast` is not a number above 0",
        ),
        (&format!("{title}8\n"), "m.txt:2: the line has no column 2"),
        (
            &format!("{title}99999999999999 1\n"),
            "is not the size of a message in bytes",
        ),
        (
            "# Benchmarking Bcast\n#bytes t[usec]\n8 1\n",
            "no table of the benchmark PingPong",
        ),
        (
            "# Benchmarking PingPong\n#bytes us\n8 1\n",
            "m.txt:2: no column is `t[usec]`",
        ),
    ]);
}

#[test]
fn choices_that_leave_too_little_are_refused() {
    let files = Files::new();
    let latency = OSU.split("\n\n").next().expect("it is the first part");
    let told = refused(&["network", &files.add("l.txt", latency), "--model", "loggp"]);
    assert!(
        told.contains("needs the overhead o, which a ping-pong does not tell"),
        "{told}"
    );
    let told = refused(&["network", &files.add("l.txt", latency), "--from", "1GiB"]);
    assert!(
        told.contains("no size was measured in that range"),
        "{told}"
    );
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    let files = Files::new();
    let told = refused(&["network", "nowhere.txt"]);
    assert!(told.contains("nowhere.txt: it cannot be read"), "{told}");
    let folder = files.0.path().display().to_string();
    assert!(refused(&["network", &folder]).contains("it is a folder; name a file"));
    let binary = files.path("b").display().to_string();
    fs::write(&binary, [0xff, 0xfe, 0x00]).expect("a file can be written");
    assert!(refused(&["network", &binary]).contains("it is not text in UTF-8"));
    let imb = files.add("imb.txt", IMB);
    let told = refused(&["network", &imb, "--out", &imb]);
    assert!(told.contains("imb.txt itself, which is read"), "{told}");
    let told = refused(&["network", &imb, "--out", "/nowhere/m.toml"]);
    assert!(told.contains("cannot write /nowhere/m.toml"), "{told}");
}

#[test]
fn wrong_command_lines_are_told() {
    for (arguments, why) in [
        (&["network"][..], "<FILE>"),
        (&["network", "a", "--run"], "cannot be used with"),
        (&["network", "a", "--csv", "b"], "cannot be used with"),
        (&["network", "a", "--from", "many"], "--from"),
        (
            &["cpu", "--name", "two words"],
            "the name of a machine is a word",
        ),
    ] {
        let output = calibrate(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn a_machine_without_mpi_says_so() {
    let program = env!("CARGO_BIN_EXE_prophet-calibrate");
    let output = Command::new(program)
        .args(["network", "--run"])
        .env("PATH", "")
        .output()
        .expect("the program can be started");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("there is no make; install MPI"), "{told}");
}

#[test]
fn operations_are_priced() {
    let files = Files::new();
    let (_, text) = files.machine(&["cpu"]);
    let price = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{name} = ")));
        let line = line.unwrap_or_else(|| panic!("{name} in {text}"));
        let number = line.split_whitespace().nth(2).expect("it has a price");
        number.parse::<f64>().expect("it is a number")
    };
    // The compiler has left out none of the loops.
    for name in [
        "AILL", "AFSL", "AFDG", "MFDL", "DFDL", "TFDG", "ARD1", "ARF4",
    ] {
        assert!(price(name) > 0.0, "{name} in {text}");
    }
}
