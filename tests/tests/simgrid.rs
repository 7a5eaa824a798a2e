//! Tests that `SimGrid` predicts the same as this project, for the sample models and for models
//! with known end times. They run as programs of its actors.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use prophet_crosscheck::{Measured, SimGridResult, run, simgrid};
use prophet_frontend::check::RuleSet;
use prophet_platform::Read;
use prophet_runtime::{Machine, Model, ProcessCtx, Simulation, Stopped, System};
use prophet_targets::simgrid::SimGrid;
use prophet_testing::skip;
use prophet_tests::samples::{
    contention, halo, hybrid, kernel6_detailed, master_worker, megatron, oversubscribed, pingpong,
    schedules, stream, summa, sweep3d, wavefront,
};
use prophet_tests::{
    generated::{generated, refusal},
    priced, root, stem,
};

/// Returns `true` if the tests can run, or reports that they can't.
pub(crate) fn is_there() -> bool {
    let there = simgrid::is_installed();
    if !there {
        skip(format_args!(
            "there is no SimGrid; {}",
            simgrid::HOW_TO_INSTALL
        ));
    }
    there
}

/// Compiles a model's program. Fails if the compiler warns.
fn program(model: &Path) -> PathBuf {
    // Several tests use the same program.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("simgrid");
    let folder = folder.join(stem(model));
    let made = generated(&RuleSet::empty(), &SimGrid, model, &folder);
    made.unwrap_or_else(|failure| panic!("{failure:?}"));
    let flags = ["-O0", "-Wall", "-Wextra", "-Werror"];
    simgrid::compile(&folder, &flags).unwrap_or_else(|problem| panic!("{problem}"))
}

fn ends_s(program: &Path, flags: &str) -> Vec<f64> {
    let flags = flags.split_whitespace().map(OsString::from);
    let flags = flags.chain(["--log=root.thres:error".into()]);
    let measured: Result<Measured<SimGridResult>, _> = run(program, flags);
    let measured = measured.unwrap_or_else(|failure| panic!("{failure:?}"));
    let processes = measured.result.processes.iter();
    processes.map(|it| it.end_s).collect()
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        let apart = (found - expected).abs();
        assert!(
            apart <= 1e-6 * expected.abs(),
            "{what}: {found} instead of {expected}"
        );
    }
}

/// Runs a sample in both simulators. `sizes` contains the numbers of nodes, CPUs per node,
/// processes and threads.
fn compare<P>(name: &str, model: &Model, run: P, sizes: [u32; 4])
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let [nodes, cpus, processes, threads] = sizes;
    let system = priced::system(model, sizes);
    let outcome = Simulation::new(model, system).run(run);
    let outcome = outcome.unwrap_or_else(|failure| panic!("{failure}"));
    let expected: Vec<f64> = outcome.processes.iter().map(|it| it.end_s).collect();
    let program = program(&root().join(format!("sample-models/{name}.uml")));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let machine = priced::machine_flags(model, folder.path()).join(" ");
    let flags = format!(
        "--nodes {nodes} --cpus-per-node {cpus} --processes {processes} --threads {threads} \
         {machine}"
    );
    assert_close(&ends_s(&program, &flags), &expected, name);
}

macro_rules! compare {
    ($($sample:ident: $sizes:expr;)*) => {
        $(compare(stringify!($sample), &$sample::MODEL, $sample::program, $sizes);)*
    };
}

#[test]
fn samples_end_as_in_the_simulation() {
    if !is_there() {
        return;
    }
    compare! {
        contention: [1, 4, 1, 4];
        halo: [4, 1, 4, 1];
        hybrid: [2, 2, 4, 4];
        jacobi2d: [3, 2, 12, 1];
        kernel6: [1, 1, 1, 1];
        kernel6_detailed: [1, 1, 1, 1];
        lapw0: [4, 4, 16, 1];
        master_worker: [8, 1, 8, 1];
        megatron: [4, 1, 4, 1];
        oversubscribed: [1, 4, 16, 1];
        pingpong: [2, 1, 2, 1];
        sample: [1, 4, 4, 1];
        schedules: [1, 4, 1, 4];
        stream: [1, 8, 8, 1];
        summa: [16, 1, 16, 1];
        sweep3d: [6, 1, 6, 1];
        wavefront: [12, 1, 12, 1];
    }
}

/// Runs a sample in both simulators, on a platform with shared links and one node per process.
fn compare_shared<P>(name: &str, model: &Model, run: P, platform: &Path)
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let shown = platform.display().to_string();
    let machine = Machine::read(&shown).unwrap_or_else(|problem| panic!("{problem}"));
    let hosts = Read::file(platform).expect("it is right").platform;
    let hosts: Vec<&str> = hosts.hosts().iter().map(|it| it.name.as_str()).collect();
    let count = u32::try_from(hosts.len()).expect("they are few");
    let mut system = System::on(machine, count, 1, count, 1);
    system.parameters = model.defaults();
    system.prices = priced::prices(model);
    let outcome = Simulation::new(model, system).run(run);
    let outcome = outcome.unwrap_or_else(|failure| panic!("{failure}"));
    let expected: Vec<f64> = outcome.processes.iter().map(|it| it.end_s).collect();
    let program = program(&root().join(format!("sample-models/{name}.uml")));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let prices = priced::machine_flags(model, folder.path()).join(" ");
    // The default precision isn't enough for short messages.
    let flags = format!(
        "--nodes {count} --platform {shown} --hosts {} {prices} --cfg=network/optim:Full \
         --cfg=surf/precision:1e-13 --cfg=maxmin/precision:1e-7",
        hosts.join(",")
    );
    assert_close(
        &ends_s(&program, &flags),
        &expected,
        &format!("{name} on {shown}"),
    );
}

macro_rules! compare_shared {
    ($platform:expr; $($sample:ident)*) => {
        $(compare_shared(stringify!($sample), &$sample::MODEL, $sample::program, $platform);)*
    };
}

#[test]
fn samples_share_links_as_in_the_simulation() {
    if !is_there() {
        return;
    }
    // These platforms have 12 to 16 hosts and shared links. In the chain, distances between hosts
    // differ, and names aren't in the order of the hosts.
    for platform in ["backbone", "fat-tree", "torus", "chain"] {
        let platform = root().join(format!("tests/models/platforms/{platform}.xml"));
        compare_shared! { &platform; halo jacobi2d master_worker summa sweep3d wavefront }
    }
}

#[test]
fn messages_threads_and_flows_end_when_they_should() {
    const PLAIN: &str = "--latency 1 --bandwidth 8 --intranode-latency 1 --intranode-bandwidth 8";
    if !is_there() {
        return;
    }
    // These are the cases in tests/models/EXPECTED.md.
    let cases: [(&str, String, &[f64]); 7] = [
        (
            "mpi/first-of-several",
            "--nodes 3".to_owned(),
            &[117.5, 7.0, 4.0],
        ),
        (
            "mpi/first-come",
            format!("--nodes 4 {PLAIN}"),
            &[11.125, 9.0, 8.0, 7.0],
        ),
        (
            "mpi/grid",
            format!("--nodes 4 {PLAIN}"),
            &[4.0, 6.0, 2.0, 4.0],
        ),
        (
            "mpi/rendezvous",
            format!("--nodes 2 {PLAIN} --eager 8"),
            &[8.0, 8.0],
        ),
        (
            "mpi/wait-all",
            "--nodes 4".to_owned(),
            &[3.75, 3.0, 2.0, 2.0],
        ),
        (
            "threads/barrier-priced",
            "--threads 4 --cpus-per-node 2 --processes 1".to_owned(),
            &[7.0],
        ),
        (
            "flow/irreducible",
            "--cpus-per-node 2 --processes 2".to_owned(),
            &[12.0, 21.0],
        ),
    ];
    for (model, flags, expected) in cases {
        let path = root().join(format!("tests/models/{model}.uml"));
        assert_close(&ends_s(&program(&path), &flags), expected, model);
    }
}

#[test]
fn a_receive_that_no_actor_could_do_is_refused() {
    let model = root().join("tests/models/mpi/first-come.uml");
    let text = std::fs::read_to_string(model).expect("it is there");
    let folder = tempfile::tempdir().expect("there is room");
    let model = folder.path().join("first.uml");
    let text = text.replace("<prophet:brecv", "<prophet:nbrecv");
    std::fs::write(&model, text).expect("it can be written");
    assert_eq!(
        refused(&model),
        "the target simgrid does not support `nbrecv` from any sender (ANY) \
         (use a `brecv`, or name the source)"
    );
}

#[test]
fn what_a_wait_for_any_leaves_disturbs_no_other_wait() {
    if !is_there() {
        return;
    }
    // The second request ends at 2 s, while process 0 is still waiting for a message that takes 5
    // s.
    let text = prophet_tests::sketch::xmi(
        "start -> D\n\
         D: decision\n\
         D -[pid == 0]-> A -> B -> F -> R -> W -> end\n\
         D -[pid == 1]-> C1 -> S1 -> C2 -> S2 -> end\n\
         D -[pid == 2]-> C3 -> S3 -> end\n\
         A: nbrecv source=\"1\" request=\"a\" cost=\"0\"\n\
         B: nbrecv source=\"2\" request=\"b\" cost=\"0\"\n\
         F: wait request=\"a, b\" mode=\"any\"\n\
         R: brecv source=\"1\" tag=\"5\" cost=\"0\"\n\
         W: wait\n\
         C1: action+ cost=\"1\"\n\
         S1: bsend dest=\"0\" size=\"8\" cost=\"0\"\n\
         C2: action+ cost=\"4\"\n\
         S2: bsend dest=\"0\" size=\"8\" tag=\"5\" cost=\"0\"\n\
         C3: action+ cost=\"2\"\n\
         S3: bsend dest=\"0\" size=\"8\" cost=\"0\"\n",
    );
    // Generated files belong to whichever model has this path.
    let model = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left-over.uml");
    std::fs::write(&model, text).expect("it can be written");
    assert_close(
        &ends_s(&program(&model), "--nodes 3"),
        &[5.0, 5.0, 2.0],
        "left-over",
    );
}

/// Returns the reason why a model is rejected, and the advice.
fn refused(model: &Path) -> String {
    let problems = refusal(&RuleSet::empty(), &SimGrid, model);
    let problem = problems.iter().find(|it| it.code == "PM1001");
    let problem = problem.unwrap_or_else(|| panic!("{problems:?}"));
    format!("{} ({})", problem.message, problem.help)
}

#[test]
fn a_partner_that_is_no_whole_number_stops_the_run() {
    if !is_there() {
        return;
    }
    let text =
        prophet_tests::sketch::xmi("start -> S -> end\nS: bsend dest=\"pid + 0.5\" size=\"8\"\n");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("half-a-process.uml");
    std::fs::write(&path, text).expect("a file can be written");
    let output = std::process::Command::new(program(&path))
        .args(["--processes", "2"])
        .output()
        .expect("it can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{errors}");
    assert!(errors.contains("dest"), "{errors}");
}
