//! Tests the command as users call it.

use std::fs;
use std::path::Path;

use expect_test::expect;
use prophet_testing::{Home, assert_cases, stderr, transcript};

use crate::machine_file::{GRID, LOG};
use crate::wfformat::SMALL;

pub(crate) fn command() -> Home {
    Home::of(env!("CARGO_BIN_EXE_prophet-workflow"))
}

/// Returns a folder with a machine file and a small instance, `two.json`, whose tasks need no
/// memory.
pub(crate) fn home() -> Home {
    let home = command();
    home.write("grid.toml", GRID);
    home.write("campus.swf", LOG);
    home.write("two.json", SMALL);
    home
}

/// Returns what a call prints, errors last.
pub(crate) fn said(home: &Home, words: &str) -> String {
    let output = home.call(words);
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).expect("it is text")
}

#[track_caller]
pub(crate) fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "{text}");
}

fn check(file: &str, folder: &Path) {
    assert_cases(file, |case| {
        transcript(env!("CARGO_BIN_EXE_prophet-workflow"), folder, case.input)
    });
}

#[test]
fn a_small_workflow_is_predicted_or_refused() {
    let home = home();
    home.write("fixed.toml", GRID.replace("exponential:mean=5min", "60s"));
    home.write("pegasus.json", SMALL.replace("Makeflow", "Pegasus"));
    let version = r#"Nextflow", "version": "23.04.1"#;
    home.write("nextflow.json", SMALL.replace("Makeflow", version));
    check("tests/cases/commands.txt", &home.path(""));
    home.assert_transcripts("tests/cases/refused.txt");
}

/// A trace with Nextflow's default columns, and its DAG.
const DEFAULT_TRACE: &str = "\
task_id\tname\tstatus\tsubmit\tduration\trealtime\t%cpu\n\
1\tALIGN (s1)\tCOMPLETED\t2026-01-21 10:00:00.000\t11s\t10s\t790.0%\n\
2\tALIGN (s2)\tCOMPLETED\t2026-01-21 10:00:11.000\t21s\t20s\t786.0%\n\
3\tCOUNT\tCOMPLETED\t2026-01-21 10:00:32.000\t31s\t30s\t103.0%\n";
const DEFAULT_DAG: &str = "digraph \"dag\" {\np1 [label=\"ALIGN\"];\np2 [label=\"COUNT\"];\n\
                           p1 -> p2;\n}\n";
const JOBS: &str = r#"digraph snakemake_dag {
    0[label = "all", style="rounded"];
    1[label = "align\nsample: a", style="rounded"];
    2[label = "align\nsample: b", style="rounded,dashed"];
    3[label = "merge", style="rounded"];
    3 -> 0
    1 -> 3
    2 -> 3
}
"#;
const SAME_OUTPUT: &str = r#"<adag name="w">
  <job id="A" name="diff" runtime="2"><uses file="fit.txt" link="output" size="10"/></job>
  <job id="B" name="diff" runtime="3"><uses file="fit.txt" link="output" size="10"/></job>
  <job id="C" name="concat" runtime="5"><uses file="fit.txt" link="input" size="10"/></job>
  <job id="D" name="again" runtime="1">
    <uses file="fit.txt" link="input"/><uses file="fit.txt" link="output"/>
  </job>
  <child ref="C"><parent ref="A"/><parent ref="B"/></child>
  <child ref="D"><parent ref="C"/></child>
</adag>
"#;

#[test]
fn what_engines_leave_open_is_told() {
    let home = home();
    home.write("fixed.toml", GRID.replace("exponential:mean=5min", "60s"));
    home.write("default.txt", DEFAULT_TRACE);
    home.write("default.dot", DEFAULT_DAG);
    home.write("bare.txt", DEFAULT_TRACE.replace("%cpu", "load"));
    home.write("some.txt", DEFAULT_TRACE.replace("790.0%", "-"));
    home.write("load.txt", DEFAULT_TRACE.replace("790.0%", "much"));
    home.write(
        "cached.txt",
        DEFAULT_TRACE.replacen("COMPLETED", "CACHED", 1),
    );
    home.write("jobs.dot", JOBS);
    home.write(
        "done.dot",
        JOBS.replace("\"rounded\"", "\"rounded,dashed\""),
    );
    let heading = "s\th:m:s\tmax_rss\tmean_load\n";
    home.write("align.tsv", format!("{heading}600\t0:10:00\t100\t100\n"));
    home.write("merge.tsv", format!("{heading}120\t0:02:00\t100\t200\n"));
    home.write("same.dax", SAME_OUTPUT);
    let machine = "name = \"mine\"\nsource = \"made up\"\nnodes = 2\ncpus-per-node = 4\n\
                   memory = \"1GB\"\nnetwork = \"hockney:latency=1s,bandwidth=1kB/s\"\n";
    home.write("gescher.toml", machine);
    let groups = "\n[[node]]\ncount = 1\nspeed = 2\n\n[[node]]\ncount = 3\n";
    home.write(
        "speeds.toml",
        machine.replace("nodes = 2", "nodes = 4") + groups,
    );
    home.write("wrong.toml", machine.replace("nodes = 2", "nodes = 0"));
    check("tests/cases/engines.txt", &home.path(""));
}

#[test]
fn files_of_other_tools_are_compared_on_machines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    check("tests/cases/data.txt", &folder);
}

#[test]
fn storage_and_a_queue_take_time() {
    let result = home().json(
        "two.json --read-bandwidth 500 --write-bandwidth 1000 --submit-delay 1 --format json",
    );
    // 1 s in the queue, 2 s of work, and 1 s to write; then 1 s, 1005 bytes at 500 per second, and
    // 3 s.
    assert_eq!(
        result["prediction"]["makespan_s"],
        1.0 + 2.0 + 1.0 + 1.0 + 2.01 + 3.0
    );
    assert_eq!(result["prediction"]["moved_bytes"], 2005.0);
    assert_eq!(result["runs"][1]["start_s"], 5.0);
    assert_eq!(result["critical_path"][1]["waited_for"], "parent");
}

#[test]
fn a_prediction_is_written_as_an_instance() {
    let home = home();
    home.printed("two.json --speed 2 --out out.json");
    let result = home.json("out.json --format json");
    assert_eq!(result["recorded_makespan_s"], 2.5);
    assert_eq!(result["prediction"]["makespan_s"], 2.5);
    home.refused("two.json --out ./two.json");
    assert_eq!(home.read("two.json"), SMALL);
}

#[test]
fn a_file_that_ends_too_early_is_told_with_its_line() {
    let home = home();
    home.write("two.json", &SMALL[..700]);
    let message = home.refused("two.json");
    assert!(message.starts_with("error: two.json: line "), "{message}");
}

#[test]
fn a_workflow_is_converted() {
    let home = command();
    home.copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/diamond.dax"));
    home.printed("diamond.dax --hosts 2 --cores 4 --without-engine --out out.json");
    let result = home.json("out.json --without-engine --format json");
    assert_eq!(result["prediction"]["makespan_s"], 55.5);
    assert_eq!(result["recorded_makespan_s"], 55.5);
}

#[test]
fn costs_come_from_executions() {
    let home = command();
    let write = |name: &str, tasks: &[(u64, f64)]| home.write(name, crate::costs::execution(tasks));
    write(
        "a.json",
        &[(1_000_000, 3.0), (2_000_000, 5.0), (4_000_000, 9.0)],
    );
    write("b.json", &[(8_000_000, 17.0), (16_000_000, 33.0)]);
    write("c.json", &[(3_000_000, 0.0)]);
    let words = "c.json --costs-from a.json,b.json --hosts 1 --cores 1";
    let output = home.call(words);
    let text = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
    expect![[r#"
        merge: 7.0 s (2 tasks)
        sort: 1.0 + 2e-6 * bytes s (5 tasks)
        workflow sorts: 2 tasks, 1 file; scheduler fcfs
        makespan      14 s
        recorded      9 s (predicted +55.6%)
        core hours    0.004
        bytes moved   0
        utilization   100.0%

        host  cores  tasks  busy  utilization
        host      1      2  14 s       100.0%

        critical path   host  start   end  waited for
        sort_ID0000000  host    0 s   7 s  submission
        merge           host    7 s  14 s  parent
    "#]]
    .assert_eq(&text);
    write("b.json", &[(8_000_000, -17.0)]);
    expect![[r#"
        error: b.json: record of workflow.specification.tasks[0], runtimeInSeconds: the time is -17.0 s
        help: Use a time of 0 s or more.
    "#]].assert_eq(&home.refused(words));
}

#[test]
fn short_runs_convert_times_to_another_machine() {
    let home = command();
    let write = |name: &str, tasks: &[(u64, f64)]| home.write(name, crate::costs::execution(tasks));
    write("there.json", &[(1_000_000, 3.0), (2_000_000, 5.0)]);
    // `sort` takes 3 and 1.8 times as long here, and `merge` 7 s on both machines.
    write("here.json", &[(2_000_000, 9.0), (1_004_000, 9.0)]);
    write("c.json", &[(3_000_000, 4.0)]);
    let words = "c.json --short-runs there.json,here.json --hosts 1 --cores 1";
    let output = home.call(words);
    let text = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
    expect![[r#"
        merge: 1.000 times as long (1 pair, 1.000 to 1.000)
        sort: 2.250 times as long (2 pairs, 1.800 to 3.000)
        workflow sorts: 2 tasks, 1 file; scheduler fcfs
        makespan      16 s
        core hours    0.004
        bytes moved   0
        utilization   100.0%

        host  cores  tasks  busy  utilization
        host      1      2  16 s       100.0%

        critical path   host  start   end  waited for
        sort_ID0000000  host    0 s   9 s  submission
        merge           host    9 s  16 s  parent
    "#]]
    .assert_eq(&text);
    let renamed = home.read("c.json").replace("merge", "join");
    home.write("c.json", renamed);
    let output = home.call(&format!("{words} --format csv"));
    let text = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
    expect![[r#"
        merge: 1.000 times as long (1 pair, 1.000 to 1.000)
        sort: 2.250 times as long (2 pairs, 1.800 to 3.000)
        note: not in the short runs: 1 task of join; 1.667 times as long, like all tasks together
        scheduler,hosts,cores,replications,makespan_s,makespan_half_width_s,error_percent,core_hours,cost,moved_bytes,utilization,failed_replications
        fcfs,1,1,1,20.666666666666668,,,0.005740740740740741,0.0,0.0,1.0,0
    "#]].assert_eq(&text);
    let told = home.refused("c.json --short-runs there.json");
    assert_has(
        &told,
        "expected two executions after `--short-runs`, found 1 file",
    );
    let refused = |name: &str, tasks: &[(u64, f64)], why: &str| {
        write(name, tasks);
        assert_has(&home.refused(words), &format!("error: {name}: {why}"));
    };
    let sizes = "the inputs of `sort` have other sizes than in the first short run\nhelp: Run the";
    refused("here.json", &[(1_000_000, 9.0), (2_100_000, 9.0)], sizes);
    let fewer = "1 task of `sort`, but 2 tasks in the first short run\n";
    refused("here.json", &[(1_000_000, 9.0)], fewer);
    let negative = "record of workflow.specification.tasks[0], runtimeInSeconds: the time is -9";
    refused("there.json", &[(1_000_000, -9.0)], negative);
}

#[test]
fn too_large_a_file_is_refused_unread() {
    let home = command();
    let file = fs::File::create(home.path("a.dax")).expect("it can be made");
    file.set_len(100 << 20).expect("it can be as large");
    expect![[r#"
        error: a.dax: the file has 100 MB; the limit is 64 MB
        help: Split the workflow, or remove the output of tasks.
    "#]]
    .assert_eq(&home.refused("a.dax"));
}
