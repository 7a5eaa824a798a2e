//! Tests that interpreted samples have the same outcomes and traces as their crates, to the last
//! bit.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use prophet_runtime::{
    Engine, Model, Network, Outcome, ProcessCtx, Simulation, Stopped, System, Trace,
};
use prophet_testing::in_gate;
use prophet_tests::priced::{accelerators, machine_flags, prices};
use prophet_tests::programs::Programs;
use prophet_tests::{models, root, samples, stem};

fn interpreted(name: &str) -> Interpreted {
    let path = root()
        .join("sample-models")
        .join(name)
        .with_extension("uml");
    let checked = check_by(&RuleSet::shipped(), &path, None).expect("the sample can be read");
    let file = format!("sample-models/{name}.uml");
    Interpreted::new(&checked, &file, true).expect("the sample can be interpreted")
}

/// Returns systems for the samples: with one CPU for all processes, with a CPU for each, with
/// several threads, with a network, and with noise.
fn systems() -> Vec<System> {
    let mut slow = System::new(4, 2, 8, 1);
    slow.network = Network::Hockney {
        latency_s: 1e-5,
        bytes_per_s: 1e8,
    };
    let mut noisy = slow.clone();
    let noise = "costs=lognormal:0.1,messages=lognormal:0.2,ranks=lognormal:0.1";
    noisy.noise.choose(noise).expect("it is noise");
    noisy.noise.slow_down("3=1.5").expect("it is a node");
    vec![
        System::new(1, 1, 2, 1),
        System::new(2, 4, 4, 2),
        System::new(4, 4, 16, 1),
        slow,
        noisy,
    ]
}

/// Returns the outcome of a run without details of its evaluation.
fn settled(run: Result<Outcome, prophet_runtime::Failure>) -> Result<Outcome, String> {
    let mut outcome = run.map_err(|failure| failure.to_string())?;
    outcome.evaluation.evaluated = "".into();
    Ok(outcome)
}

/// Like [`settled`], and omits whatever depends on the number of threads.
fn threadless(run: Result<Outcome, prophet_runtime::Failure>) -> Result<Outcome, String> {
    let mut outcome = settled(run)?;
    let evaluation = &mut outcome.evaluation;
    (evaluation.threads, evaluation.why_one_thread) = (1, None);
    evaluation.events = 0;
    Ok(outcome)
}

/// Compares a crate with the interpreted model. Both run on one thread and on several.
fn compare_threads<P, Q>(natively: &Simulation<'_>, program: P, ours: &Simulation<'_>, code: Q)
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> + Copy + Sync,
    Q: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> + Copy + Sync,
{
    let one = threadless(natively.run(program));
    for threads in [1, 2, 3, 5, 8].into_iter().filter_map(NonZero::new) {
        let native = natively.run_on(threads, program);
        assert_eq!(threadless(native), one, "{threads} threads: {natively:?}");
        let interpreted = ours.run_on(threads, code);
        assert_eq!(threadless(interpreted), one, "{threads} threads: {ours:?}");
    }
}

/// Compares a crate with the interpreted model: their outcomes or failures, and their traces.
fn compare<P>(name: &str, model: &Model, program: P, seen: &mut Vec<String>)
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> + Copy + Sync,
{
    let interpreted = interpreted(name);
    let ours = interpreted.model();
    assert_eq!(ours.name, model.name);
    assert_eq!(ours.parameters, model.parameters, "parameters of {name}");
    assert_eq!(ours.elements, model.elements, "elements of {name}");
    assert_eq!(ours.drawings, model.drawings, "drawings of {name}");
    assert_eq!(ours.waits_for_any, model.waits_for_any);
    assert_eq!(ours.simulated, model.simulated, "loops of {name}");
    let code = async |ctx: &ProcessCtx<'_>| interpreted.run(ctx).await;
    let folder = tempfile::tempdir().expect("there is room");
    for mut system in systems() {
        system.prices = prices(model);
        system.accelerators = accelerators();
        for engine in [Engine::Event, Engine::Auto] {
            let native = Simulation::new(model, system.clone()).with_engine(engine);
            let simulation = Simulation::new(ours, system.clone()).with_engine(engine);
            let simulation = simulation.interpreted();
            let (theirs, ran) = (settled(native.run(program)), settled(simulation.run(code)));
            assert_eq!(ran, theirs, "{name} with {engine:?} on {system:?}");
            compare_threads(&native, program, &simulation, code);
            let (native, simulation) = (
                native.with_repetition(true),
                simulation.with_repetition(true),
            );
            let (theirs, ran) = (settled(native.run(program)), settled(simulation.run(code)));
            assert_eq!(
                ran, theirs,
                "{name} with {engine:?} and repetition on {system:?}"
            );
            let path = |kind: &str| folder.path().join(kind);
            let (mut their_trace, mut trace) =
                (Trace::new(path("native")), Trace::new(path("interpreted")));
            let theirs = settled(native.run_traced(program, &mut their_trace));
            let traced = settled(simulation.run_traced(code, &mut trace));
            assert_eq!(traced, theirs, "{name}, traced");
            if theirs.is_ok() {
                assert_eq!(
                    std::fs::read(path("interpreted")).expect("there is a trace"),
                    std::fs::read(path("native")).expect("there is a trace"),
                    "the trace of {name} with {engine:?} on {system:?}"
                );
            }
        }
    }
    seen.push(name.to_owned());
}

#[test]
fn samples_are_what_their_crates_are() {
    let mut seen = Vec::new();
    macro_rules! samples {
        ($($name:ident)*) => {
            $(compare(stringify!($name), &$name::MODEL, $name::program, &mut seen);)*
        };
    }
    samples! {
        jacobi2d kernel6 lapw0 sample
    }
    seen.extend(samples::NAMES.iter().map(|name| (*name).to_owned()));
    seen.sort();
    let all = models("sample-models");
    let all: Vec<&str> = all.iter().map(|path| stem(Path::new(path))).collect();
    assert_eq!(seen, all, "each sample is compared");
}

/// Tests the samples whose crates aren't checked in. Only the gate compiles them.
#[test]
fn other_samples_are_what_their_crates_are() {
    if !in_gate() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("samples");
    let paths = models("sample-models").into_iter();
    let paths = paths.filter(|path| samples::NAMES.contains(&stem(path)));
    let paths: Vec<PathBuf> = paths.collect();
    let programs = Programs::build(&folder, &paths);
    for path in &paths {
        let code = interpreted(stem(path));
        let flags = machine_flags(code.model(), &folder);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        for more in [
            "--nodes=4 --cpus-per-node=2",
            "--nodes=2 --cpus-per-node=4 --threads=2 --engine=event",
            "--nodes=4 --cpus-per-node=4 --jobs=3 --network=hockney:latency=10us,bandwidth=1GB/s",
        ] {
            let more: Vec<&str> = more.split(' ').collect();
            programs.run(path, &[&["--format=json"], &more[..], &flags].concat());
        }
    }
    programs.clippy();
}
