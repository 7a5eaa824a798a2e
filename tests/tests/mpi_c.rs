//! Tests the skeletons in C with MPI and OpenMP: they must compile without warnings, and execute
//! the same elements as the simulation. Skipped if MPI is missing.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use prophet_frontend::check::RuleSet;
use prophet_runtime::{Model, Simulation, system_flags};
use prophet_targets::mpi_c::{FLAGS, MpiC};
use prophet_targets::validate::{Costs, Manner, Mpi};
use prophet_testing::{assert_says, has, skip, stderr, words};
use prophet_tests::built::xtask;
use prophet_tests::executed::{Executed, by_process, leaves, program_of, simulated};
use prophet_tests::programs::json;
use prophet_tests::samples::{
    contention, fsdp, gpu_stencil, halo, hybrid, kernel6_detailed, master_worker, megatron,
    oversubscribed, pingpong, schedules, stream, summa, sweep3d, wavefront,
};
use prophet_tests::{
    generated::{generated, refusal},
    models, priced, root, stem,
};
use serde_json::Value;

const WARNINGS: &str = "CFLAGS=-std=c11 -O1 -Wall -Wextra -Werror";

fn write(model: &Path, folder: &Path) {
    if let Err(failure) = generated(&RuleSet::shipped(), &MpiC, model, folder) {
        panic!("{}: {failure:?}", model.display());
    }
}

fn make(folder: &Path) {
    let output = Command::new("make")
        .args(["-s", WARNINGS, "-C"])
        .arg(folder)
        .output()
        .expect("make can be started");
    let errors = stderr(&output);
    assert!(output.status.success(), "{}: {errors}", folder.display());
}

#[test]
fn skeletons_compile_without_warnings() {
    if !has("mpicc", "--version") || !has("make", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut support: Option<PathBuf> = None;
    for models_folder in [
        "sample-models",
        "tests/models/flow",
        "tests/models/machine",
        "tests/models/mpi",
        "tests/models/threads",
    ] {
        for model in models(models_folder) {
            if stem(&model) == "wait-all" {
                continue;
            }
            let parent = model.parent().map_or("", stem);
            let out = folder.path().join(format!("{parent}-{}", stem(&model)));
            write(&model, &out);
            // All skeletons have identical support code, so it is only compiled once.
            if let Some(support) = &support {
                for entry in fs::read_dir(support).expect("the folder is there") {
                    let path = entry.expect("it can be listed").path();
                    let name = path.file_name().expect("it has a name");
                    let is_support = name.to_string_lossy().starts_with("prophet_");
                    if is_support && path.extension().is_some_and(|it| it == "o") {
                        fs::copy(&path, out.join(name)).expect("it can be copied");
                    }
                }
            }
            make(&out);
            support.get_or_insert(out);
        }
    }
}

#[test]
fn a_posted_receive_without_a_size_is_refused() {
    let model = root().join("tests/models/mpi/wait-all.uml");
    let problem = &refusal(&RuleSet::shipped(), &MpiC, &model)[0];
    assert_eq!(problem.code, "PM1001");
    let expected = "WaitAll::Program::Main::First has no size, but MPI_Irecv needs a buffer size";
    assert_eq!(problem.message, expected);
}

/// Returns the programs that compile and run MPI programs. Reports missing ones.
fn mpi() -> Option<Mpi> {
    let found = Mpi::find();
    found.map_err(skip).ok()
}

fn has_mpi() -> bool {
    mpi().is_some()
}

/// Variables that allow root to start MPI programs. Tests run as root in containers.
const AS_ROOT: [(&str, &str); 2] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
];

/// Runs the skeleton in a folder. It sleeps a millionth of each cost.
fn run(folder: &Path, processes: u32, flags: &[&str]) -> Output {
    let mpi = Mpi::find().expect("MPI was there");
    Command::new("mpirun")
        .envs(AS_ROOT)
        .args(mpi.flags(processes))
        .arg(folder.join("skeleton"))
        .args(["--costs=sleep", "--scale=1e-6"])
        .args(flags)
        .output()
        .expect("mpirun can be started")
}

/// Number of executions of elements, by name and id.
type Counts = BTreeMap<(String, i64), u64>;

/// Runs a model's skeleton. Returns its counts, and the order in which each unit executes elements.
fn measured(model: &Path, of: &Model, processes: u32, threads: u32) -> (Counts, Executed) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    write(model, folder.path());
    make(folder.path());
    let trace = folder.path().join("trace");
    let mut flags = priced::machine_flags(of, folder.path());
    flags.push(format!("--threads={threads}"));
    flags.push(format!("--cpus-per-node={}", processes * threads));
    flags.push(format!("--trace={}", trace.display()));
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let output = run(folder.path(), processes, &flags);
    let result = json(&output);
    assert_eq!(result["system"]["processes"], processes);
    let elements = result["elements"].as_array().expect("it has elements");
    let count = |it: &Value| it["count"].as_u64().expect("an element has a count");
    let key = |it: &Value| {
        let name = it["name"].as_str().expect("an element has a name");
        (name.to_owned(), it["id"].as_i64().expect("it has an id"))
    };
    let counts = elements.iter().map(|it| (key(it), count(it))).collect();
    (counts, traced(&trace, processes))
}

/// Returns the executed elements from the traces of all processes.
fn traced(trace: &Path, processes: u32) -> Executed {
    let mut executed = Executed::new();
    for pid in 0..processes {
        let path = trace.with_extension(pid.to_string());
        let text = fs::read_to_string(path).expect("each process writes a trace");
        for line in text.lines() {
            let (tid, element) = line.split_once(' ').expect("a tid and an element");
            let (id, name) = element.split_once(' ').expect("an id and a name");
            assert!(id.parse::<i64>().is_ok(), "{line}");
            let unit = (i64::from(pid), tid.parse().expect("a tid"));
            executed.entry(unit).or_default().push(name.to_owned());
        }
    }
    executed
}

/// Compares counts and orders of execution between samples' simulations and skeletons.
macro_rules! compare {
    ($($sample:ident: $processes:literal, $threads:literal;)*) => {$({
        let name = stringify!($sample);
        let sizes = [1, $processes * $threads, $processes, $threads];
        let system = priced::system(&$sample::MODEL, sizes);
        let outcome = Simulation::new(&$sample::MODEL, system)
            .run($sample::program)
            .unwrap_or_else(|failure| panic!("{failure}"));
        let elements = outcome.elements.iter();
        let predicted: Counts = elements
            .map(|it| ((it.name.clone(), it.id), it.count))
            .collect();
        let model = root().join(format!("sample-models/{name}.uml"));
        let (counts, order) = measured(&model, &$sample::MODEL, $processes, $threads);
        assert_eq!(predicted, counts, "{name}");

        let predicted = simulated(&$sample::MODEL, $sample::program, sizes);
        let program = program_of(&model);
        let (predicted, order) = (leaves(predicted, &program), leaves(order, &program));
        assert!(!predicted.is_empty(), "{name} executes nothing");
        // In some schedules, the distribution of iterations to threads depends on timing.
        if name == "schedules" {
            assert_eq!(by_process(order), by_process(predicted), "{name}");
        } else {
            assert_eq!(order, predicted, "{name}");
        }
    })*
        let mut samples = vec![$(stringify!($sample)),*];
        samples.sort_unstable();
        let all = models("sample-models");
        assert_eq!(samples, all.iter().map(|it| stem(it)).collect::<Vec<_>>());
    };
}

#[test]
fn skeletons_execute_what_the_simulation_executes_in_its_order() {
    if !has_mpi() {
        return;
    }
    compare! {
        contention: 1, 3;
        fsdp: 1, 1;
        gpu_stencil: 3, 1;
        halo: 3, 1;
        hybrid: 2, 2;
        jacobi2d: 4, 1;
        kernel6: 1, 1;
        kernel6_detailed: 1, 1;
        lapw0: 4, 1;
        // The order is only known with a single worker.
        master_worker: 2, 1;
        // Stages send to each other at the same time. MPI doesn't buffer messages of this size.
        megatron: 1, 1;
        oversubscribed: 4, 1;
        pingpong: 2, 1;
        sample: 2, 1;
        schedules: 1, 4;
        stream: 2, 1;
        summa: 4, 1;
        sweep3d: 4, 1;
        wavefront: 4, 1;
    }
}

/// Writes, compiles and runs a model's skeleton. Returns how many times each element is executed.
fn counts(model: &Path, processes: u32, flags: &[&str]) -> Vec<(String, Value)> {
    let out = tempfile::tempdir().expect("a folder can be made");
    write(model, out.path());
    make(out.path());
    let result = json(&run(out.path(), processes, flags));
    let elements = result["elements"].as_array().expect("it has elements");
    let name = |it: &Value| {
        it["name"]
            .as_str()
            .expect("an element has a name")
            .to_owned()
    };
    elements
        .iter()
        .map(|it| (name(it), it["count"].clone()))
        .collect()
}

/// Checks the number of tasks and the sum of all results. The worker that does a task depends on
/// timing.
#[test]
fn a_real_master_hands_out_each_task_once() {
    if !has_mpi() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let model = root().join("sample-models/master_worker.uml");
    let text = fs::read_to_string(model).expect("it is there");
    // The program aborts unless all tasks have returned their results.
    let check = "int missing = 1; if (sum == TASKS * (TASKS - 1) * 0.25) { missing = 0; } \
                 order = 1 / (1 - missing * (stopped == NUM_PROCESSES - 2));";
    let text = text.replace(
        "sum = sum + result;",
        &format!("sum = sum + result; {check}"),
    );
    let model = folder.path().join("checked.uml");
    fs::write(&model, text).expect("it can be written");
    let counts = counts(&model, 5, &["--tasks=50"]);
    for (name, count) in [("HandOut", 50), ("Compute", 50), ("TellToStop", 4)] {
        let found = counts.iter().find(|it| it.0 == name);
        assert_eq!(found.map(|it| &it.1), Some(&Value::from(count)), "{name}");
    }
}

/// Checks that each of two requests ends exactly once, and that none remains. Their order depends
/// on timing.
#[test]
fn a_real_wait_for_any_ends_once_with_each() {
    if !has_mpi() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let model = root().join("tests/models/mpi/first-of-several.uml");
    let text = fs::read_to_string(model).expect("it is there");
    // The program aborts unless the indices are 0 and 1 in any order, and then -1.
    let third = "_UseThird_action\" base_Action=\"_UseThird\"";
    let check = "code=\"which = 1 / (which == -1 &amp;&amp; sum == 11);\"";
    let add = "code=\"sum = sum + 1 + 9 * which;\"";
    let text = ["First", "Second"].iter().fold(text, |text, it| {
        let action = format!("base_Action=\"_Use{it}\"");
        text.replace(&action, &format!("{action} {add}"))
    });
    let sum = "<ownedAttribute xmi:id=\"_sum\" name=\"sum\">";
    let (before, rest) = text.split_once("<ownedBehavior").expect("it has one");
    let (_, attribute) = before.split_once("name=\"which\">").expect("it has one");
    let text = format!("{before}{sum}{attribute}<ownedBehavior{rest}");
    let text = text.replace(third, &format!("{third} {check}"));
    let text = text.replace("cost=\"100.0 * (2 + which)\"", "cost=\"0.1\"");
    let model = folder.path().join("checked.uml");
    fs::write(&model, text).expect("it can be written");
    counts(&model, 3, &[]);
}

/// Checks that the program ends with the same number of executions, because no process waits for a
/// neighbor beyond the grid's border.
#[test]
fn a_real_grid_has_no_neighbors_at_its_borders() {
    if !has_mpi() {
        return;
    }
    let counts = counts(&root().join("tests/models/mpi/grid.uml"), 4, &[]);
    assert_eq!(counts.len(), 7);
    assert!(counts.iter().all(|it| it.1 == 4), "{counts:?}");
}

/// Checks that a parameter has a flag either in both programs or in none.
#[test]
fn skeletons_take_the_flags_of_the_simulation() {
    let mut expected = system_flags();
    expected.extend(["costs", "scale"].map(str::to_owned));
    assert_eq!(FLAGS, Vec::from_iter(expected));
}

#[test]
fn what_cannot_go_on_ends_with_the_element() {
    if !has_mpi() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (model, words) in [
        ("division-by-zero", "integer division by zero"),
        (
            "endless-function",
            "a loop did not end after 100 million steps",
        ),
        ("negative-cost", "negative cost: -1 s"),
        ("negative-iterations-late", "iterations is negative: -1"),
        ("no-such-process", "but the processes are numbered 0 to 0"),
        ("no-true-branch", "no guard holds"),
        ("zero-chunk-late", "a chunk has one iteration at least"),
        ("zero-threads-late", "a team has one thread at least"),
    ] {
        let out = folder.path().join(model);
        let path = root().join(format!("tests/models/wrong/{model}.uml"));
        write(&path, &out);
        make(&out);
        // A single process doesn't need `mpirun`. Some versions of `mpirun` hang if a process
        // aborts.
        let output = Command::new(out.join("skeleton")).envs(AS_ROOT).output();
        let output = output.expect("it can be started");
        let errors = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{model}: {errors}");
        assert!(errors.contains(words), "{model}: {errors}");
        assert!(
            errors.contains("(id "),
            "{model} names no element: {errors}"
        );
    }
}

#[test]
fn a_wrong_command_line_is_told() {
    if !has_mpi() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let model = root().join("sample-models/pingpong.uml");
    write(&model, folder.path());
    make(folder.path());
    for (flag, words) in [
        ("--nn=3", "there is no such flag: `--nn=3`"),
        ("--size=big", "no such value: `big`"),
        ("--set=NONE=1", "the model has no such parameter: `NONE=1`"),
        (
            "--processes=7",
            "mpirun did not start so many processes: `7`",
        ),
        ("--costs=free", "costs pass by spin or sleep: `free`"),
    ] {
        let output = run(folder.path(), 2, &[flag]);
        let errors = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{flag}: {errors}");
        assert!(errors.contains(words), "{flag}: {errors}");
        assert!(output.stdout.is_empty(), "{flag}");
    }
}

fn validate_command(model: &str, flags: &[impl AsRef<OsStr>]) -> Output {
    let mut command = xtask(&root());
    command.args(["validate", model]).args(flags).envs(AS_ROOT);
    // The prediction is interpreted and doesn't need Rust.
    command.env("RUSTFMT", "/nowhere/rustfmt");
    command.output().expect("cargo can be started")
}

#[test]
fn validate_shows_prediction_and_run() {
    if !has_mpi() {
        return;
    }
    let two = ["--", "--processes", "2", "--cpus-per-node", "2"];
    for (model, scale, elements) in [
        ("pingpong", "1", 4),
        ("jacobi2d", "1", 8),
        ("sample", "1e-4", 5),
    ] {
        let model = format!("sample-models/{model}.uml");
        let mut flags = vec!["--costs", "sleep", "--format", "json", "--scale", scale];
        flags.extend(two);
        let output = validate_command(&model, &flags);
        let result = json(&output);
        for key in ["predicted_time_s", "measured_time_s"] {
            assert!(result[key].as_f64().is_some_and(|it| it > 0.0), "{result}");
        }
        let rows = result["elements"].as_array().expect("it has elements");
        assert_eq!(rows.len(), elements, "{result}");
        for row in rows {
            assert_eq!(row["predicted_count"], row["measured_count"], "{row}");
            assert!(
                row["measured_s"].as_f64().is_some_and(|it| it > 0.0),
                "{row}"
            );
        }
        assert_eq!(result["processes"].as_array().map(Vec::len), Some(2));
    }
    let table = validate_command("sample-models/pingpong.uml", &two);
    let text = String::from_utf8_lossy(&table.stdout);
    assert_says(&text, &["Predicted", "measured", "ReceivePong", "Error"]);
    let wrong = validate_command("sample-models/pingpong.uml", &["--", "--no-such-flag"]);
    assert_eq!(wrong.status.code(), Some(2));
    // Programs that are only compiled for a run are stored in the cache.
    let here = std::fs::read_dir(root()).expect("the project's folder");
    let names = here.map(|it| it.expect("a name").file_name());
    let is_made = |name: &OsString| name.to_string_lossy().starts_with("pingpong");
    assert_eq!(names.filter(is_made).collect::<Vec<_>>(), [""; 0]);
}

/// Two processes send to each other before they receive. The simulated network accepts both
/// messages, but MPI doesn't.
#[test]
fn a_deadlock_of_the_real_program_is_ended() {
    let Some(mpi) = mpi() else {
        return;
    };
    // In this run, `mpirun` only gets the variables of this process.
    let mut first = Command::new("mpirun");
    let started = first.args(mpi.flags(1)).arg("true").output();
    if !started.is_ok_and(|it| it.status.success()) {
        skip("mpirun starts nothing here, as for root without OMPI_ALLOW_RUN_AS_ROOT");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let model = folder.path().join("unsafe.uml");
    let sketch = r#"start -> S -> R -> end
        S: bsend dest="1 - pid" size="100000000"
        R: brecv source="1 - pid""#;
    fs::write(&model, prophet_tests::sketch::xmi(sketch)).expect("it can be written");
    let out = folder.path().join("out");
    write(&model, &out);
    let skeleton = mpi.build(&out).expect("it compiles");
    let predicted = r#"{"model": "unsafe", "predicted_time_s": 0, "seed": 1,
        "system": {"nodes": 1, "cpus_per_node": 2, "processes": 2, "threads": 1}}"#;
    let predicted = serde_json::from_str(predicted).expect("it is a result");
    let manner = Manner {
        costs: Costs::Sleep,
        scale: 1.0,
        timeout: Duration::from_secs(3),
    };
    let failure = skeleton
        .run(&predicted, None, manner)
        .expect_err("it hangs");
    assert_eq!(failure.code, 3);
    let words = "the program did not end within 3 s: it hangs, for example in a deadlock";
    assert!(failure.message.starts_with(words), "{}", failure.message);
    assert_none_runs(folder.path());
}

/// Asserts that no process from `folder` is still running. Only works on Linux.
fn assert_none_runs(folder: &Path) {
    let folder = folder.to_str().expect("it has a plain name").as_bytes();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let found = command.windows(folder.len()).any(|it| it == folder);
        assert!(!found, "{}", String::from_utf8_lossy(&command));
    }
}

#[test]
fn validate_ends_what_takes_too_long() {
    if !has_mpi() {
        return;
    }
    // The skeleton would sleep for 194 s.
    let flags = words("--timeout 2 --costs sleep -- --processes 2");
    let output = validate_command("sample-models/sample.uml", &flags);
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    let words = "error: the program did not end within 2 s: it hangs, for example in a deadlock, \
                 or --timeout is too short";
    assert!(errors.contains(words), "{errors}");
    assert!(output.stdout.is_empty());
    let wrong = validate_command("sample-models/sample.uml", &["--timeout", "0"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn validate_says_what_is_missing() {
    let output = xtask(&root())
        .args(["validate", "sample-models/sample.uml"])
        .env("PATH", "/nonexistent")
        .output()
        .expect("the command can be started");
    assert_eq!(output.status.code(), Some(0));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("skipped: make is not installed"),
        "{message}"
    );
    assert!(output.stdout.is_empty());
}
