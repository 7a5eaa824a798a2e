//! Repetition of iterations: which loops may repeat, and that their results equal full runs'.

use std::path::Path;

use prophet_codegen::check::RuleSet;
use prophet_codegen::lang::ir::{Expression, ExpressionKind};
use prophet_codegen::program::{Program, Repetition, Step};
use prophet_codegen::resolve::resolve;
use prophet_model::diagnostic::Diagnostics;
use prophet_model::source::Source;
use prophet_model::xmi;
use prophet_runtime::{Engine, Model, Outcome, ProcessCtx, Simulation, Stopped, System, Value};
use prophet_tests::priced::prices;
use prophet_tests::programs::{Programs, crate_name};
use prophet_tests::{interpreted, sketch};

/// The program that a sketch means, or its problems.
fn read(sketch: &str) -> Result<Program, String> {
    let source = Source::new("t.uml", sketch::xmi(sketch));
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(&source, None, &mut diagnostics).expect("there is an activity");
    let no_table = |_: &str| Err(String::from("there are no tables"));
    let program = resolve(&model, &source, &no_table, &mut diagnostics);
    let problems = diagnostics.sorted().into_iter();
    let problems = problems.map(|it| format!("{} {}", it.message, it.help));
    program.ok_or_else(|| problems.collect())
}

/// The repetition of each loop, by name.
fn loops(sketch: &str) -> Vec<String> {
    let program = read(sketch).expect("it means something");
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

/// Periods of what depends on a loop's variable: literals, and the factors of others.
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

/// A loop with such tags around an element of those lines.
fn around(tags: &str, content: &str) -> String {
    format!("int I\nint J\nstart -> L -> end\nL: loop+ iterations=\"9\" {tags} {{\n{content}\n}}\n")
}

#[test]
fn the_content_of_a_loop_tells_whether_it_may_repeat() {
    for (tags, element, expected) in [
        ("", "A: action+ cost=\"2\"", "L: 0 0"),
        ("", "A: action+ cost=\"2\" code=\"I = 3; J = I;\"", "L: 0 2"),
        ("variable=\"k\"", "A: action+ cost=\"2\"", "L: 0 0"),
        (
            "variable=\"k\"",
            "A: action+ cost=\"k\"",
            "L: its iterations depend on its variable k",
        ),
        (
            "",
            "A: action+ cost=\"uniform(1, 2)\"",
            "L: it draws random numbers",
        ),
        (
            "",
            "A: brecv source=\"ANY\" size=\"8\"",
            "L: it receives from any process, or messages of any tag",
        ),
        ("", "A: brecv source=\"0\" size=\"8\" into=\"I\"", "L: 0 1"),
        ("repetition=\"off\"", "A: action+ cost=\"2\"", "L: off"),
        ("repetition=\"Auto\"", "A: action+ cost=\"2\"", "L: 0 0"),
        ("repetition=\"25\"", "A: action+ cost=\"2\"", "L: 25 0"),
    ] {
        let content = format!("start -> A -> end\n{element}");
        assert_eq!(
            loops(&around(tags, &content)),
            [expected],
            "{tags} {element}"
        );
    }
}

#[test]
fn remainders_of_the_variable_have_periods() {
    for (cost, expected) in [
        ("k % 4", " 4"),
        ("k / 2 % 3", " 6"),
        ("k % 4 + (k + 1) % 6 * 0.5", " 12"),
        ("(pid * 7 + k * 3) % 11", " 11"),
        ("(k % 2 + k) / 3 % 5", " 30"),
        ("k % 2 == 0 ? 1.5 : 2", " 2"),
        ("(k % 2 == 0 ? k : k + 4) % 3", " 6"),
        ("sqrt(k % 5)", " 5"),
        ("F(k % NUM_PROCESSES)", " variable"),
        ("k % G() % 7", " value"),
        ("k / NUM_PROCESSES % N", " variable*variable"),
        ("(k + pid) % N + k % 3", " 3 variable"),
    ] {
        assert_eq!(course(cost), format!("L: 0 1{expected}"), "{cost}");
    }
    for cost in [
        "k",
        "F(k)",
        "k % 4 + k",
        "k / 4",
        "(0.5 * k)",
        "k < 3 ? 1 : 2",
        "(k < 3 ? k : 2) % 2",
        // Remainders of numbers that may be negative or overflow differ from arithmetic.
        "(k - 3) % 4",
        "(k + N) % 4",
        "k / G() % 4",
        "k * k % 4",
        "-k % 4",
        "100 / (k + 1) % 7",
        "100 % (k + 1)",
        // The divisor changes, or is not known in front of the loop.
        "k % J",
        "k % H()",
        "k % (1 + k % 3)",
        "k % m",
        "min(k, 4) % 3",
        "(k & 3)",
    ] {
        let depends = "L: its iterations depend on its variable k";
        assert_eq!(course(cost), depends, "{cost}");
    }
}

/// The repetition of a loop with the variable k, around an action of this cost, in an activity
/// that is called, and in a loop with the variable m.
fn course(cost: &str) -> String {
    let content = format!(
        "start -> M -> end\nM: loop+ iterations=\"1 + k % 1\" variable=\"m\" {{\n\
         start -> A -> end\nA: action+ cost=\"{cost}\" code=\"J = m;\"\n}}"
    );
    let functions = "const int N = 3\ndouble F(int x) = x * 0.5\nint G() = N + 1\n\
                     int H() = G() + J\n";
    let sketch = format!("{functions}{}", around("variable=\"k\"", &content));
    loops(&sketch)[0].clone()
}

#[test]
fn the_outermost_loop_that_may_repeat_is_the_one() {
    let inner = "start -> M -> end\nM: loop+ iterations=\"4\" variable=\"m\" {\n\
                 start -> A -> end\nA: action+ cost=\"COST\"\n}";
    let sketch = |tags, cost| around(tags, &inner.replace("COST", cost));
    assert_eq!(loops(&sketch("", "2")), ["L: 0 0", "M: off"]);
    let differs = "M: its iterations depend on its variable m";
    assert_eq!(loops(&sketch("", "m")), ["L: 0 0", "M: off"]);
    let depends = "L: its iterations depend on its variable k";
    let sketched = sketch("variable=\"k\"", "k");
    assert_eq!(loops(&sketched), [depends, "M: 0 0"]);
    let sketched = sketch("variable=\"k\"", "k + m");
    assert_eq!(loops(&sketched), [depends, differs]);
    assert_eq!(
        loops(&sketch("repetition=\"off\"", "2")),
        ["L: off", "M: 0 0"]
    );
}

#[test]
fn an_unknown_repetition_is_an_error_with_a_guess() {
    let content = "start -> A -> end\nA: action+ cost=\"2\"";
    for (value, guess) in [("atuo", true), ("-1", false), ("sometimes", false)] {
        let tags = format!("repetition=\"{value}\"");
        let problems = read(&around(&tags, content)).expect_err("it is wrong");
        assert!(
            problems.contains(&format!("there is no repetition {value:?}")),
            "{problems}"
        );
        assert_eq!(
            problems.contains("did you mean `auto`?"),
            guess,
            "{problems}"
        );
    }
}

/// Runs a sample by its crate.
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

/// Tests that a sample gives the same with repetition; the number of iterations computed.
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
    // Rounding may give a time to an element that takes none.
    let least_s = 1e-9 * f64::from(system.processes) * full.predicted_time_s;
    let rounding_s = f64::EPSILON * full.predicted_time_s;
    assert_eq!(full.elements.len(), fast.elements.len());
    for (full, fast) in full.elements.iter().zip(&fast.elements) {
        assert_eq!((&full.name, full.count), (&fast.name, fast.count));
        // Each execution is a difference of two clocks, which are rounded.
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
    // Their iterations depend on remainders of the loop's variable.
    let wavefront = |sweeps| {
        let parameters = [("SWEEPS", sweeps)];
        compare(&wavefront::MODEL, wavefront::program, 16, &parameters)
    };
    assert!(wavefront(1_000) > 400);
    assert_eq!(wavefront(40), 0);
    let summa = |size| compare(&summa::MODEL, summa::program, 8, &[("N", size)]);
    assert!(summa(64_000) > 900);
    // Whoever comes first is served first.
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

/// Iterations that depend on variables of all types, in the class and in the diagram; on remainders
/// of their number by functions; on one that is never calculated, and cannot be.
const VARIABLES: &str = "int TURN
double COST = 0.5
local int phase = 1
local bool up
int PARTS() = 12 / NUM_PROCESSES
int NOTHING() = 1 / (NUM_PROCESSES - 4)
start -> L -> M -> Z -> end
M: loop+ iterations=\"1000\" variable=\"k\" {
  start -> B -> T -> end
  B: action+ cost=\"0.5 + (k / NUM_PROCESSES + pid) % PARTS()\"
  T: allreduce size=\"8\"
}
Z: loop+ iterations=\"9\" variable=\"z\" {
  start -> C -> end
  C: action+ cost=\"pid < 0 ? z % NOTHING() : 0.5\"
}
L: loop+ iterations=\"1000\" repetition=\"20\" {
  start -> A -> S -> end
  A: action+ cost=\"COST + phase\" code=\"TURN = (TURN + 1) % 3; \
     phase = TURN * 2; up = TURN > 0; COST = up ? 0.25 : 0.75;\"
  S: allreduce size=\"8\"
}
";

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
            let why = "its iterations depend on its variable in too many ways";
            assert_eq!(told["simulated"][0]["why"], why);
        } else {
            assert!(told.is_null(), "{told}");
        }
    }
    assert_close(ends[0], ends[1], "predicted");
}
