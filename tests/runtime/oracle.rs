//! A second implementation of what elements do in simulated time, to compare the runtime with:
//! plain and slow, written from the contract and `docs` alone, without a look at the runtime.
//!
//! [`predict`] simulates a [`Program`] on a [`Machine`], [`measure`] runs it through the runtime;
//! both say when each unit came to the end of each of its operations. [`sample`] makes programs
//! at random, and [`smallest`] takes away what is not needed for two answers to differ.

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

/// Result of a run: the times at which each unit ended each of its operations, and at which the
/// processes ended; or the reason why the run could not continue.
pub(crate) type Answer = Result<Times, Stop>;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Times {
    /// By pid.
    pub(crate) ends_s: Vec<f64>,
    /// By the pid and the numbers in the regions, from the outermost to the innermost. An
    /// iteration of a loop begins with its number.
    pub(crate) units: BTreeMap<Vec<usize>, Vec<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Nobody can go on.
    Deadlock,
    /// A wait for what the process has not begun.
    NoRequest,
    /// A message that is larger than its receive allows.
    Truncated,
    /// The end depends on an open question.
    Open(Open),
}

/// Number of programs of each kind that are tried.
fn few_cases() -> u64 {
    prophet_testing::cases(1000).into()
}

/// Number of programs of each kind that a long run tries, unless `ORACLE_CASES` says otherwise.
const MANY_CASES: u64 = 100_000;
/// Largest number of differences that are shown.
const SHOWN_MAX: usize = 5;

/// True if two answers are equal, to the last bit where costs are even.
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

/// First difference of the runtime from the simulator: the runtime's answer, and the engine.
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

/// The smallest program by a seed on which the two differ, as a text.
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

/// Compares programs by `cases` seeds.
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

/// Random programs are of use only if most of them end, few depend on what is left open, and
/// both engines have their share.
#[test]
fn most_programs_end_and_many_are_for_either_engine() {
    // Of fewer, the shares are not sure.
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
