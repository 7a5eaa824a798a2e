//! Tests the runtime against a second implementation of what elements do in simulated time. That
//! one is simple and slow. It was written only from the contract and `docs`, without looking at the
//! runtime.
//!
//! [`predict`] simulates a [`Program`] on a [`Machine`], and [`measure`] runs it in the runtime.
//! Both report when each unit ended each of its operations. [`sample`] generates random programs,
//! and [`smallest`] removes everything that two answers don't need to differ.

mod cpus;
mod known;
mod machine;
mod messages;
mod natively;
mod open;
mod program;
mod run;
mod samples;
mod smallest;
mod teams;
mod units;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_runtime::Engine;

use machine::Machine;
use natively::measure;
use open::Open;
use program::Program;
use run::predict;
use samples::{Costs, sample};
use smallest::smallest;

/// The result of a run: when each unit ended each of its operations and when the processes ended,
/// or why the run couldn't continue.
pub(crate) type Answer = Result<Times, Stop>;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Times {
    /// By pid.
    pub(crate) ends_s: Vec<f64>,
    /// By the pid and then the numbers in the regions, outermost first. A loop iteration starts
    /// with its number.
    pub(crate) units: BTreeMap<Vec<usize>, Vec<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    Deadlock,
    /// A wait for an operation that the process hasn't started.
    NoRequest,
    /// A message that is larger than its receive allows.
    Truncated,
    /// The end depends on an open question.
    Open(Open),
}

fn few_cases() -> u64 {
    prophet_testing::cases(1000).into()
}

/// Number of programs of each kind in a long run, unless `ORACLE_CASES` says otherwise.
const MANY_CASES: u64 = 100_000;
const SHOWN_MAX: usize = 5;

/// Returns `true` if two answers are equal. With even costs, they must be equal to the last bit.
fn agree(one: &Answer, other: &Answer, costs: Costs) -> bool {
    let (Ok(one), Ok(other)) = (one, other) else {
        return one == other;
    };
    if costs == Costs::Even {
        return one == other;
    }
    let near = |one: &[f64], other: &[f64]| {
        let pairs = || one.iter().zip(other);
        one.len() == other.len()
            && pairs().all(|(one, other)| (one - other).abs() <= 1e-9 * one.abs().max(1.0))
    };
    let units = || one.units.iter().zip(&other.units);
    near(&one.ends_s, &other.ends_s)
        && one.units.len() == other.units.len()
        && units().all(|(one, other)| one.0 == other.0 && near(one.1, other.1))
}

/// Returns the first difference of the runtime from the simulator: the engine and the runtime's
/// answer.
fn difference(machine: &Machine, program: &Program, costs: Costs) -> Option<(Engine, Answer)> {
    let expected = predict(machine, program);
    if let Err(Stop::Open(_)) = expected {
        return None;
    }
    let engines = [Engine::Event, Engine::Local].into_iter();
    engines
        .filter_map(|engine| Some((engine, measure(machine, program, engine)?)))
        .find(|(_, found)| !agree(&expected, found, costs))
}

/// Returns the smallest program from a seed for which the two differ, as text.
fn explain(seed: u64, costs: Costs) -> Option<String> {
    let (machine, program) = sample(seed, costs);
    let _ = difference(&machine, &program, costs)?;
    let program = smallest(program, |program| {
        difference(&machine, program, costs).is_some()
    });
    let (engine, found) = difference(&machine, &program, costs)?;
    let mut text = format!("seed {seed}, {costs:?} costs, engine {engine}\n{machine:?}\n");
    for (pid, ops) in program.0.iter().enumerate() {
        let _ = writeln!(text, "process {pid}: {ops:?}");
    }
    let expected = predict(&machine, &program);
    Some(format!("{text}expected {expected:?}\nfound    {found:?}\n"))
}

fn compare(costs: Costs, cases: u64) {
    let differences = (0..cases).filter_map(|seed| explain(seed, costs));
    let differences: Vec<String> = differences.take(SHOWN_MAX).collect();
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
}

fn many_cases() -> u64 {
    let cases = std::env::var("ORACLE_CASES");
    cases.map_or(MANY_CASES, |cases| {
        cases.parse().expect("ORACLE_CASES is a number")
    })
}

#[test]
fn programs_of_even_costs_end_as_predicted() {
    compare(Costs::Even, few_cases());
}

#[test]
fn programs_of_odd_costs_end_as_predicted() {
    compare(Costs::Odd, few_cases());
}

#[test]
#[ignore = "takes minutes"]
fn many_programs_of_even_costs_end_as_predicted() {
    compare(Costs::Even, many_cases());
}

#[test]
#[ignore = "takes minutes"]
fn many_programs_of_odd_costs_end_as_predicted() {
    compare(Costs::Odd, many_cases());
}

/// Random programs are only useful if most of them end, few depend on open questions, and many can
/// run in each engine.
#[test]
fn most_programs_end_and_many_are_for_either_engine() {
    // With fewer cases, these fractions are uncertain.
    let cases = 1000;
    for costs in [Costs::Even, Costs::Odd] {
        let (mut ended, mut local) = (0, 0);
        let mut open: BTreeMap<Open, u64> = BTreeMap::new();
        for (machine, program) in (0..cases).map(|seed| sample(seed, costs)) {
            match predict(&machine, &program) {
                Ok(_) => ended += 1,
                Err(Stop::Open(why)) => *open.entry(why).or_default() += 1,
                Err(Stop::Deadlock | Stop::NoRequest | Stop::Truncated) => {}
            }
            local += u64::from(measure(&machine, &program, Engine::Local).is_some());
        }
        let text = format!("of {cases}, {ended} end, {local} are local, open: {open:?}");
        let open: u64 = open.values().sum();
        assert!(ended * 10 > cases * 7, "{text}");
        assert!(open * 4 < cases, "{text}");
        assert!(local * 5 > cases, "{text}");
    }
}
