//! Tests repeated iterations: which loops can repeat, and that the results are the same as in
//! full runs.

use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::lang::ir::{Expression, ExpressionKind};
use prophet_frontend::program::{Repetition, Step};
use prophet_model::source::Source;
use prophet_runtime::{Engine, Model, Outcome, ProcessCtx, Simulation, Stopped, System, Value};
use prophet_tests::priced::prices;
use prophet_tests::programs::{Programs, crate_name};
use prophet_tests::samples::{halo, master_worker, pingpong, summa, sweep3d, wavefront};
use prophet_tests::{interpreted, sketch};

/// Returns how each loop repeats, after its name. Returns the problems if the sketch has errors.
fn loops(sketch: &str) -> Vec<String> {
    let source = Source::new("t.uml", sketch::xmi(sketch));
    let (_, program, problems) = sketch::read(&source);
    let Some(program) = program else {
        let problems = problems.into_iter();
        return problems
            .map(|it| format!("{} ({})", it.message, it.help))
            .collect();
    };
    let loops = program.steps().filter_map(|step| match step {
        Step::Repeat(repeat) => Some(repeat),
        _ => None,
    });
    let told = loops.map(|repeat| {
        let name = &program.elements[repeat.element].name;
        match &repeat.repetition {
            Repetition::Off => format!("{name}: off"),
            Repetition::Differs(why) => format!("{name}: {why}"),
            Repetition::MayRepeat {
                least,
                variables,
                periods,
            } => format!("{name}: {least} {}{}", variables.len(), shown(periods)),
        }
    });
    told.collect()
}

/// Formats the periods of expressions that depend on a loop's variable. Literals are shown, and
/// other factors only by kind.
fn shown(periods: &[Vec<Expression>]) -> String {
    let factor = |factor: &Expression| match &factor.kind {
        ExpressionKind::Int(value) => value.to_string(),
        ExpressionKind::Variable(_) => "variable".to_owned(),
        _ => "value".to_owned(),
    };
    let period = |factors: &Vec<Expression>| {
        let factors: Vec<String> = factors.iter().map(factor).collect();
        format!(" {}", factors.join("*"))
    };
    periods.iter().map(period).collect()
}

#[test]
fn the_content_of_a_loop_tells_whether_it_may_repeat() {
    prophet_testing::assert_cases("tests/cases/repetition.txt", |case| {
        let told = |(variant, sketch): (&str, String)| {
            format!("{variant}\n  {}\n", loops(&sketch).join("; "))
        };
        sketch::variants(case.input).map(told).collect()
    });
}

fn run<P>(model: &Model, program: P, system: &System, repetition: bool) -> Outcome
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let simulation = Simulation::new(model, system.clone()).with_engine(Engine::Auto);
    let outcome = simulation.with_repetition(repetition).run(program);
    outcome.unwrap_or_else(|failure| panic!("{failure}"))
}

fn assert_close(full: f64, fast: f64, what: &str) {
    let most = 1e-9 * full.abs();
    assert!((full - fast).abs() <= most, "{what}: {full} and {fast}");
}

/// Tests that a sample's result is the same with repetition. Returns the number of iterations that
/// were computed.
fn compare<P>(model: &Model, program: P, processes: u32, parameters: &[(&str, i64)]) -> u64
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> + Copy,
{
    let mut system = System::new(processes, 1, processes, 1);
    system.parameters = model.defaults();
    system.prices = prices(model);
    for (name, value) in parameters {
        let place = model.parameters.iter().position(|it| it.name == *name);
        system.parameters[place.expect("there is such a parameter")] = Value::Int(*value);
    }
    let full = run(model, program, &system, false);
    let fast = run(model, program, &system, true);
    assert_close(full.predicted_time_s, fast.predicted_time_s, model.name);
    for (full, fast) in full.processes.iter().zip(&fast.processes) {
        assert_close(full.end_s, fast.end_s, "an end");
        assert_close(full.compute_s, fast.compute_s, "computing");
    }
    // Because of rounding, an element that takes no time can get some.
    let least_s = 1e-9 * f64::from(system.processes) * full.predicted_time_s;
    let rounding_s = f64::EPSILON * full.predicted_time_s;
    assert_eq!(full.elements.len(), fast.elements.len());
    for (full, fast) in full.elements.iter().zip(&fast.elements) {
        assert_eq!((&full.name, full.count), (&fast.name, fast.count));
        // Each time is the difference of two rounded clocks.
        let count = u32::try_from(full.count).expect("it is small");
        let most_s = 1e-9 * full.total_s + rounding_s * f64::from(count);
        if full.total_s > least_s {
            let apart_s = (full.total_s - fast.total_s).abs();
            assert!(apart_s <= most_s, "{}: {full:?} and {fast:?}", full.name);
        }
    }
    assert_eq!(full.evaluation.messages, fast.evaluation.messages);
    let repetition = fast.evaluation.repetition.expect("it was asked for");
    repetition.computed.iter().map(|it| it.iterations).sum()
}

#[test]
fn samples_give_the_same_with_repetition() {
    let jacobi = |iterations| {
        let iterations = [("ITERATIONS", iterations)];
        compare(&jacobi2d::MODEL, jacobi2d::program, 36, &iterations)
    };
    assert!(jacobi(1_000) > 900);
    let halo = |iterations, overlap| {
        let parameters = [("ITERATIONS", iterations), ("OVERLAP", overlap)];
        compare(&halo::MODEL, halo::program, 9, &parameters)
    };
    assert!(halo(1_000, 0) > 900 && halo(1_000, 1) > 900);
    assert!(compare(&pingpong::MODEL, pingpong::program, 2, &[("N", 1_000)]) > 900);
    let sweep = [("ITERATIONS", 100), ("KT", 20)];
    assert!(compare(&sweep3d::MODEL, sweep3d::program, 6, &sweep) > 80);
    // Iterations depend on remainders of the loop's variable.
    let wavefront = |sweeps| {
        let parameters = [("SWEEPS", sweeps)];
        compare(&wavefront::MODEL, wavefront::program, 16, &parameters)
    };
    assert!(wavefront(1_000) > 400);
    assert_eq!(wavefront(40), 0);
    let summa = |size| compare(&summa::MODEL, summa::program, 8, &[("N", size)]);
    assert!(summa(64_000) > 900);
    // Tasks go to whichever worker asks first.
    assert_eq!(
        compare(&master_worker::MODEL, master_worker::program, 4, &[]),
        0
    );
}

#[test]
#[ignore = "the full runs take minutes"]
fn jacobi2d_gives_the_same_on_1024_processes() {
    for iterations in [1_000, 10_000] {
        let iterations = [("ITERATIONS", iterations)];
        let computed = compare(&jacobi2d::MODEL, jacobi2d::program, 1024, &iterations);
        assert!(computed > 900);
    }
}

/// Iterations depend on variables of all types, in the class and in the diagram; on remainders of
/// the iteration's number, through functions; and on an expression that can't be evaluated, but
/// never is.
const VARIABLES: &str = include_str!("cases/variables.sketch");

#[test]
fn compiled_programs_compute_what_interpreted_ones_do() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("variables.uml");
    std::fs::write(&path, sketch::xmi(VARIABLES)).expect("a file can be written");
    let programs = Programs::build(&folder.join("repetition"), std::slice::from_ref(&path));
    let layout = ["--nodes", "4", "--format", "json"];
    let mut ends = Vec::new();
    for repetition in ["off", "auto"] {
        let flags = [&layout[..], &["--repetition", repetition]].concat();
        let output = programs.run(&path, &flags);
        let rules = RuleSet::empty();
        interpreted::compare(&rules, &path, &crate_name(&path), &flags, &output);
        let result: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("the result is JSON");
        ends.push(result["predicted_time_s"].as_f64().expect("a number"));
        let told = &result["evaluation"]["repetition"];
        if repetition == "auto" {
            for (place, name, period, iterations) in [(0, "L", 3, 978), (1, "M", 12, 972)] {
                let expected = serde_json::json!(
                    {"loop": name, "period": period, "iterations": iterations}
                );
                assert_eq!(told["computed"][place], expected);
            }
            let why = "its iterations depend on the loop variable in too many ways";
            assert_eq!(told["simulated"][0]["why"], why);
        } else {
            assert!(told.is_null(), "{told}");
        }
    }
    assert_close(ends[0], ends[1], "predicted");
}
