//! Tests the command `sweep`, as users call it.

use std::fs;
use std::path::Path;

use prophet_testing::{Home, assert_says, stderr};

/// A model whose time is smallest at X = 2.
const VALLEY: &str = include_str!("valley.prophet.xml");

pub(crate) fn home() -> Home {
    let home = Home::of(env!("CARGO_BIN_EXE_prophet-sweep"));
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models");
    for name in [
        "pingpong.uml",
        "lapw0.uml",
        "megatron.uml",
        "prophet.profile.uml",
    ] {
        home.copy(samples.join(name));
    }
    home.write("valley.prophet.xml", VALLEY);
    home
}

#[test]
fn what_is_wrong_is_refused_and_nothing_is_written() {
    let home = home();
    let model = home.read("lapw0.uml");
    home.assert_transcripts("tests/cases/refused.txt");
    assert_eq!(home.read("lapw0.uml"), model);
    assert_eq!(home.read("rows.csv").lines().count(), 3);
    for name in ["a", "a.csv", "a.plan"] {
        assert!(!home.path(name).exists(), "{name}");
    }
}

#[test]
fn rows_are_in_the_order_of_the_points() {
    let home = home();
    let rows = home.printed("lapw0.uml --vary nodes=1,2,4 --vary nat=32,64 -- --cpus-per-node 4");
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
            "1,32,25", "1,64,50", "2,32,16", "2,64,28", "4,32,13", "4,64,20"
        ]
    );
}

#[test]
fn threads_change_no_byte() {
    let home = home();
    for format in ["csv", "jsonl"] {
        let words = format!(
            "pingpong.uml --vary size=1..50 --vary network.latency=1us,2us --format {format}"
        );
        let one = home.printed(&format!("{words} --jobs 1 -- --nodes 2"));
        let many = home.printed(&format!("{words} --jobs 7 -- --nodes 2"));
        assert_eq!(one.lines().count(), 100 + usize::from(format == "csv"));
        assert_eq!(one, many, "{format}");
    }
}

#[test]
fn variables_of_marte_are_varied_with_a_value_or_without() {
    let home = home();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models/web_server.uml");
    let model = fs::read_to_string(model).expect("it is there");
    home.write("server.uml", &model);
    let words = "--vary rate=20,50,100 -- --processes 300";
    let given = home.printed(&format!("server.uml {words}"));
    assert_eq!(given.lines().count(), 4, "{given}");
    assert!(!given.contains("has no value"), "{given}");
    let open = model.replace("in$rate=50", "in$rate");
    home.write("open.uml", open);
    assert_eq!(home.printed(&format!("open.uml {words}")), given);
    let told = home.refused("open.uml --vary hit=0.5,0.9 -- --processes 300");
    let message = "error: the parameter `rate` has no value: pass --rate <REAL>";
    assert!(told.contains(message), "{told}");
}

#[test]
fn intervals_of_whole_numbers_are_rounded() {
    let home = home();
    for words in [
        "lapw0.uml --vary nat=32..256:log --sample lhs:20",
        "lapw0.uml --vary nodes=0.6..64.4:log --sample sobol:16 -- --nat 64",
    ] {
        let rows = home.printed(words);
        let first = rows.lines().skip(1).filter_map(|it| it.split(',').next());
        let values: Vec<&str> = first.collect();
        assert!(values.len() >= 16, "{rows}");
        let are_whole = values.iter().all(|it| it.parse::<u64>().is_ok());
        assert!(are_whole, "{values:?}");
    }
}

#[test]
fn a_file_has_the_rows_that_are_printed() {
    let home = home();
    let words = "lapw0.uml --vary nat=1..600";
    let printed = home.printed(&format!("{words} -- --nodes 2"));
    assert_eq!(
        home.printed(&format!("{words} --out rows.csv -- --nodes 2")),
        ""
    );
    assert_eq!(home.read("rows.csv"), printed);
    assert!(!home.path("rows.csv.unfinished").exists());
}

#[test]
fn a_key_that_one_network_has_is_varied() {
    let home = home();
    let network = "loggp:L=1us,o=0,g=0,G=1ns";
    // Only the networks of some points have this key.
    let hockney = "hockney:latency=1us,bandwidth=1GB/s";
    let rows = home.printed(&format!(
        "pingpong.uml --vary network.latency=1us,2us --vary network={network};{hockney} -- \
         --nodes 2"
    ));
    assert_eq!(
        rows.matches("does not support `latency`").count(),
        2,
        "{rows}"
    );
}

#[test]
fn a_plan_repeats_a_sweep() {
    let home = home();
    let words = "--vary size=8,16 --seeds 2..4 -- --nodes 2";
    let rows = home.printed(&format!("pingpong.uml {words}"));
    let plan = home.printed(&format!("pingpong.uml --print-plan {words}"));
    assert_eq!(
        plan,
        "model = \"pingpong.uml\"\nvary = [\"size=8,16\"]\nseeds = \"2..4\"\n\
         flags = [\"--nodes\", \"2\"]\n"
    );
    home.write("plan.toml", &plan);
    assert_eq!(home.printed("plan.toml"), rows);
    let fewer = home.printed("plan.toml --seeds 2");
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
    let home = home();
    let words = "lapw0.uml --vary nat=1..1000 --out rows.csv -- --nodes 2";
    home.printed(words);
    let whole = home.read("rows.csv");

    // A file that ends within a line comes from a killed task.
    let kept = kept_rows(&home);
    for end in [kept.len() / 2, 10] {
        fs::remove_file(home.path("rows.csv")).expect("it is there");
        home.write("rows.csv.unfinished", &kept[..end]);
        let output = home.call(words);
        if end == 10 {
            let told = "error: rows.csv.unfinished does not contain rows of a sweep; remove it to \
                        start over, or choose another --out\n";
            assert_eq!(stderr(&output), told);
        } else {
            let told = stderr(&output);
            let end = " rows from an interrupted sweep already exist\n";
            assert!(told.starts_with("note: ") && told.ends_with(end), "{told}");
            assert_eq!(home.read("rows.csv"), whole);
        }
    }
}

/// Returns the rows of a sweep that was killed before it wrote its output.
fn kept_rows(home: &Home) -> Vec<u8> {
    // The output can't be written, because a folder has its name.
    fs::create_dir(home.path("other.csv")).expect("there is room");
    let words = "lapw0.uml --vary nat=1..1000 --out other.csv -- --nodes 2";
    let output = home.call(words);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    fs::remove_dir(home.path("other.csv")).expect("it is there");
    fs::read(home.path("other.csv.unfinished")).expect("rows are kept")
}

#[test]
fn kept_rows_of_another_sweep_are_refused() {
    let home = home();
    let kept = kept_rows(&home);
    let other = "error: rows.csv.unfinished contains rows of another sweep, with other points, \
                 another model or another version; remove it to start over, or choose another \
                 --out\n";
    home.write("rows.csv.unfinished", &kept);
    let sweep = |change: &str, flags: &str| {
        home.refused(&format!("lapw0.uml {change} --out rows.csv -- {flags}"))
    };
    assert_eq!(sweep("--vary nat=1..1001", "--nodes 2"), other);
    assert_eq!(sweep("--vary nat=1..1000 --seeds 3", "--nodes 2"), other);
    assert_eq!(sweep("--vary nat=1..1000", "--nodes 2 --seed 2"), other);
    let model = home.read("lapw0.uml");
    home.write("lapw0.uml", model + "<!-- changed -->\n");
    assert_eq!(sweep("--vary nat=1..1000", "--nodes 2"), other);
    assert!(!home.path("rows.csv").exists());

    let home = self::home();
    let mut changed = kept;
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    home.write("rows.csv.unfinished", changed);
    let told = home.refused("lapw0.uml --vary nat=1..1000 --out rows.csv -- --nodes 2");
    let start = "error: rows.csv.unfinished was changed after it was written, in line ";
    assert!(told.starts_with(start), "{told}");
}

#[cfg(unix)]
#[test]
fn a_signal_keeps_what_is_done() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let home = home();
    let sweep = |output: &str| {
        let mut command = home.command(&format!(
            "lapw0.uml --vary nat=1..100000000 {output}-- --nodes 2"
        ));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    };
    let interrupt = |child: &std::process::Child| {
        assert!(prophet_testing::send_signal(child.id(), "INT"));
    };
    // Rows on standard output show that the sweep has started.
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
        told.starts_with("interrupted: ") && told.ends_with("run the same command to continue\n"),
        "{told}"
    );
    assert_says(
        &told,
        &[" of 100,000,000 rows are kept in rows.csv.unfinished; "],
    );
    assert!(kept.exists() && !home.path("rows.csv").exists());
}
