//! The command `sweep`, as users call it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Folder with a model.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models");
        for name in ["pingpong.uml", "lapw0.uml", "prophet.profile.uml"] {
            fs::copy(samples.join(name), folder.path().join(name)).expect("it is there");
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs `sweep` with words that have no blanks.
    fn sweep(&self, words: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-sweep"));
        let command = command
            .args(words.split_whitespace())
            .current_dir(self.0.path());
        command.output().expect("the program starts")
    }

    /// Runs `sweep` and gives its rows.
    fn rows(&self, words: &str) -> String {
        let output = self.sweep(words);
        assert!(output.status.success(), "{words}: {}", stderr(&output));
        String::from_utf8(output.stdout).expect("rows are text")
    }

    /// Runs `sweep`, which refuses, and gives the message.
    fn refused(&self, words: &str) -> String {
        let output = self.sweep(words);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{words}: {}",
            stderr(&output)
        );
        assert!(output.stdout.is_empty(), "{words}");
        stderr(&output)
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn rows_are_in_the_order_of_the_points() {
    let home = Home::new();
    let rows = home.rows("lapw0.uml --vary nodes=1,2,4 --vary nat=32,64 -- --cpus-per-node 4");
    let lines: Vec<&str> = rows.lines().collect();
    assert_eq!(
        lines[0],
        "nodes,nat,predicted_time_s,parallel_efficiency,load_balance,communication_efficiency,\
         compute_s,communication_s,wait_s,messages,cpus_per_node,processes,threads,error"
    );
    let starts: Vec<&str> = lines[1..].iter().map(|line| &line[..7]).collect();
    assert_eq!(
        starts,
        [
            "1,32,25", "1,64,49", "2,32,16", "2,64,27", "4,32,13", "4,64,19"
        ]
    );
}

#[test]
fn threads_change_no_byte() {
    let home = Home::new();
    for format in ["csv", "jsonl"] {
        let words = format!(
            "pingpong.uml --vary size=1..50 --vary network.latency=1us,2us --format {format}"
        );
        let one = home.rows(&format!("{words} --jobs 1 -- --nodes 2"));
        let many = home.rows(&format!("{words} --jobs 7 -- --nodes 2"));
        assert_eq!(one.lines().count(), 100 + usize::from(format == "csv"));
        assert_eq!(one, many, "{format}");
    }
}

#[test]
fn variables_of_marte_are_varied_with_a_value_or_without() {
    let home = Home::new();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models/web_server.uml");
    let model = fs::read_to_string(model).expect("it is there");
    fs::write(home.path("server.uml"), &model).expect("there is room");
    let words = "--vary rate=20,50,100 -- --processes 300";
    let given = home.rows(&format!("server.uml {words}"));
    assert_eq!(given.lines().count(), 4, "{given}");
    assert!(!given.contains("has no value"), "{given}");
    let open = model.replace("in$rate=50", "in$rate");
    fs::write(home.path("open.uml"), open).expect("there is room");
    assert_eq!(home.rows(&format!("open.uml {words}")), given);
    let told = home.refused("open.uml --vary hit=0.5,0.9 -- --processes 300");
    let message = "error: the parameter `rate` has no value: give --rate <REAL>";
    assert!(told.contains(message), "{told}");
}

#[test]
fn intervals_of_whole_numbers_are_rounded() {
    let home = Home::new();
    for words in [
        "lapw0.uml --vary nat=32..256:log --sample lhs:20",
        "lapw0.uml --vary nodes=0.6..64.4:log --sample sobol:16 -- --nat 64",
    ] {
        let rows = home.rows(words);
        let first = rows.lines().skip(1).filter_map(|it| it.split(',').next());
        let values: Vec<&str> = first.collect();
        assert!(values.len() >= 16, "{rows}");
        let are_whole = values.iter().all(|it| it.parse::<u64>().is_ok());
        assert!(are_whole, "{values:?}");
    }
}

#[test]
fn a_file_has_the_rows_that_are_printed() {
    let home = Home::new();
    let words = "lapw0.uml --vary nat=1..600";
    let printed = home.rows(&format!("{words} -- --nodes 2"));
    assert_eq!(
        home.rows(&format!("{words} --out rows.csv -- --nodes 2")),
        ""
    );
    assert_eq!(home.read("rows.csv"), printed);
    assert!(!home.path("rows.csv.unfinished").exists());
}

#[test]
fn points_that_fail_are_rows() {
    let home = Home::new();
    let words = "lapw0.uml --vary nodes=8,32,16 --format jsonl -- --machine gescher";
    let output = home.sweep(words);
    let rows = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = rows.lines().collect();
    let error = "--nodes 32: the machine `gescher` has 16 nodes";
    assert_eq!(lines[1], format!("{{\"nodes\":32,\"error\":\"{error}\"}}"));
    for (line, nodes) in [(lines[0], 8), (lines[2], 16)] {
        let start = format!("{{\"nodes\":{nodes},\"predicted_time_s\":");
        assert!(line.starts_with(&start), "{rows}");
    }
    let told = "note: 1 point could not be predicted; the column `error` says why\n";
    assert_eq!(stderr(&output), told);
    assert!(output.status.success());
}

#[test]
fn a_workflow_is_not_swept() {
    let home = Home::new();
    let text = "@startuml\ntitle <<workflow>> W\nstart\n:<<task>> t\ncost = 1;\nstop\n@enduml\n";
    fs::write(home.path("w.puml"), text).expect("there is room");
    let told = "error: w.puml is a workflow: name it on the command line alone, as in \
                `sweep w.puml --vary hosts=1,2 --vary scheduler=fcfs,heft`\n";
    assert_eq!(home.refused("w.puml --vary hosts=1,2"), told);
}

#[test]
fn a_sweep_without_a_prediction_fails() {
    let home = Home::new();
    let words = "lapw0.uml --vary nodes=32,64 -- --machine gescher";
    let error = "error: no point could be predicted; the first: --nodes 32: the machine `gescher` \
                 has 16 nodes\n";
    for out in ["", "--out rows.csv "] {
        let output = home.sweep(&words.replace("--vary", &format!("{out}--vary")));
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).ends_with(error), "{}", stderr(&output));
        let rows = String::from_utf8_lossy(&output.stdout).into_owned();
        let rows = if out.is_empty() {
            rows
        } else {
            home.read("rows.csv")
        };
        assert_eq!(rows.lines().count(), 3, "{rows}");
    }
}

#[test]
fn a_key_that_no_network_has_is_refused_before_the_first_point() {
    let home = Home::new();
    let network = "loggp:L=1us,o=0,g=0,G=1ns";
    let told = home.refused(&format!(
        "pingpong.uml --vary network.latency=1us,2us -- --nodes 2 --network {network}"
    ));
    let error = "error: invalid value '1us' for 'network.latency': `loggp` has no `latency`";
    assert!(told.starts_with(error), "{told}");
    // A network of some points has the key.
    let hockney = "hockney:latency=1us,bandwidth=1GB/s";
    let rows = home.rows(&format!(
        "pingpong.uml --vary network.latency=1us,2us --vary network={network};{hockney} -- \
         --nodes 2"
    ));
    assert_eq!(rows.matches("has no `latency`").count(), 2, "{rows}");
}

#[test]
fn a_plan_repeats_a_sweep() {
    let home = Home::new();
    let words = "--vary size=8,16 --seeds 2..4 -- --nodes 2";
    let rows = home.rows(&format!("pingpong.uml {words}"));
    let plan = home.rows(&format!("pingpong.uml --print-plan {words}"));
    assert_eq!(
        plan,
        "model = \"pingpong.uml\"\nvary = [\"size=8,16\"]\nseeds = \"2..4\"\n\
         flags = [\"--nodes\", \"2\"]\n"
    );
    fs::write(home.path("plan.toml"), &plan).expect("there is room");
    assert_eq!(home.rows("plan.toml"), rows);
    let fewer = home.rows("plan.toml --seeds 2");
    assert!(
        fewer
            .lines()
            .nth(1)
            .is_some_and(|line| line.ends_with(",0,2,")),
        "{fewer}"
    );
}

#[test]
fn an_interrupted_sweep_goes_on() {
    let home = Home::new();
    let words = "lapw0.uml --vary nat=1..1000 --out rows.csv -- --nodes 2";
    home.rows(words);
    let whole = home.read("rows.csv");

    // A file that ends within a line comes from a task that was killed.
    let kept = kept_rows(&home);
    for end in [kept.len() / 2, 10] {
        fs::remove_file(home.path("rows.csv")).expect("it is there");
        fs::write(home.path("rows.csv.unfinished"), &kept[..end]).expect("there is room");
        let output = home.sweep(words);
        if end == 10 {
            let told = "error: rows.csv.unfinished has no rows of a sweep; remove it to start \
                        over, or name another --out\n";
            assert_eq!(stderr(&output), told);
        } else {
            let told = stderr(&output);
            let end = " rows of an interrupted sweep are there already\n";
            assert!(told.starts_with("note: ") && told.ends_with(end), "{told}");
            assert_eq!(home.read("rows.csv"), whole);
        }
    }
}

/// The rows of a sweep that was killed before its output was written.
fn kept_rows(home: &Home) -> Vec<u8> {
    // The output cannot be written: a folder has its name.
    fs::create_dir(home.path("other.csv")).expect("there is room");
    let words = "lapw0.uml --vary nat=1..1000 --out other.csv -- --nodes 2";
    let output = home.sweep(words);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    fs::remove_dir(home.path("other.csv")).expect("it is there");
    fs::read(home.path("other.csv.unfinished")).expect("rows are kept")
}

#[test]
fn kept_rows_of_another_sweep_are_refused() {
    let home = Home::new();
    let kept = kept_rows(&home);
    let put = |bytes: &[u8]| {
        fs::write(home.path("rows.csv.unfinished"), bytes).expect("there is room");
    };
    let other = "error: rows.csv.unfinished has rows of another sweep: of other points, another \
                 model or another version; remove it to start over, or name another --out\n";
    put(&kept);
    let sweep = |change: &str, flags: &str| {
        home.refused(&format!("lapw0.uml {change} --out rows.csv -- {flags}"))
    };
    assert_eq!(sweep("--vary nat=1..1001", "--nodes 2"), other);
    assert_eq!(sweep("--vary nat=1..1000 --seeds 3", "--nodes 2"), other);
    assert_eq!(sweep("--vary nat=1..1000", "--nodes 2 --seed 2"), other);
    let model = home.read("lapw0.uml");
    fs::write(home.path("lapw0.uml"), model + "<!-- changed -->\n").expect("there is room");
    assert_eq!(sweep("--vary nat=1..1000", "--nodes 2"), other);
    assert!(!home.path("rows.csv").exists());

    let home = Home::new();
    let mut changed = kept;
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(home.path("rows.csv.unfinished"), changed).expect("there is room");
    let told = home.refused("lapw0.uml --vary nat=1..1000 --out rows.csv -- --nodes 2");
    let start = "error: rows.csv.unfinished was changed after it was written, in line ";
    assert!(told.starts_with(start), "{told}");
}

#[test]
fn what_is_wrong_is_refused_before_a_point_is_evaluated() {
    let home = Home::new();
    for (words, message) in [
        (
            "lapw0.uml --vary nta=1,2",
            "the model LAPW0 has no parameter `nta`, and no run has such a flag; \
             did you mean `nat`?",
        ),
        (
            "lapw0.uml --vary nat=8..4",
            "`nat=8..4`: the range 8..4 is empty",
        ),
        (
            "lapw0.uml --vary nat=1..1000000 --vary seed=1..1000000",
            "the sweep would have 1000000000000 points, but at most 1000000000 are evaluated; \
             vary less, or take a sample: --sample sobol:4096",
        ),
        (
            "lapw0.uml --vary nat=32,many",
            "invalid value 'many' for 'nat': `many` is not an integer",
        ),
        (
            "lapw0.uml --vary seed=1,2 --seeds 3",
            "`seed` is varied, and points have several seeds: leave out one",
        ),
        (
            "lapw0.uml --vary nat=1 -- --trace x",
            "--trace is of the output of one run",
        ),
        (
            "lapw0.uml --vary nat=1 --out lapw0.uml",
            "--out is lapw0.uml itself",
        ),
        (
            "plan.toml",
            "the plan plan.toml, line 2: unknown field `vari`, expected one of ",
        ),
        ("none.toml", "the plan none.toml cannot be read: "),
        ("none.uml", ""),
    ] {
        fs::write(home.path("plan.toml"), "model = \"lapw0.uml\"\nvari = 1\n").expect("room");
        let told = home.refused(words);
        assert!(
            told.starts_with(&format!("error: {message}")),
            "{words}: {told}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_signal_keeps_what_is_done() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let home = Home::new();
    let sweep = |output: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-sweep"));
        let words = format!("lapw0.uml --vary nat=1..100000000 {output}-- --nodes 2");
        command
            .args(words.split_whitespace())
            .current_dir(home.0.path());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    };
    let interrupt = |child: &std::process::Child| {
        assert!(prophet_testing::send_signal(child.id(), "INT"));
    };
    // Rows on the standard output tell when it has begun.
    let mut child = sweep("");
    let mut rows = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    rows.read_line(&mut line).expect("there are rows");
    interrupt(&child);
    let rest = std::io::copy(&mut rows, &mut std::io::sink()).expect("there are rows");
    assert!(rest > 0);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).ends_with("interrupted\n"),
        "{}",
        stderr(&output)
    );

    let child = sweep("--out rows.csv ");
    let kept = home.path("rows.csv.unfinished");
    while fs::metadata(&kept).map_or(0, |it| it.len()) < 100_000 {
        std::thread::yield_now();
    }
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(
        told.starts_with("interrupted: ") && told.ends_with("the same command goes on\n"),
        "{told}"
    );
    assert!(
        told.contains(" of 100,000,000 rows are kept in rows.csv.unfinished; "),
        "{told}"
    );
    assert!(kept.exists() && !home.path("rows.csv").exists());
}
