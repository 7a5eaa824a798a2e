//! Measures how long predictions take on this machine, for LAPW0 as in the papers' tables, and for
//! an iteration of Megatron-LM on 3,072 GPUs.

use std::fmt::Write as _;

use prophet_runtime::{Outcome, ProcessCtx, Simulation};
use prophet_sim::statistics::median;
use prophet_testing::{Stopwatch, machine};
use prophet_text::{count, short_time};

use crate::lapw0::{MEASURED, MeasuredIteration};
use crate::training::{self, Iteration};
use crate::{Found, Places, interpreted_sample};

/// Turns per measurement; the median counts.
const TURNS: usize = 15;

/// The largest layout of D. Narayanan et al. (2021): 10^12 parameters on 3,072 GPUs.
const LARGEST: &str = "\
hidden\tlayers\theads\tseq\tglobal_batch\tmicrobatch\ttp\tpp\tinterleave\trecompute\ttp_comm\tgpus
25600\t128\t160\t2048\t3072\t1\t8\t64\t1\tfull\tall_reduce\t3072
";

pub(crate) fn found(places: &Places) -> Result<Found, String> {
    Ok(Found {
        details: [lapw0(places)?, megatron(places)?, machine()].join("\n"),
        ..Found::default()
    })
}

/// Evaluates the larger rows of LAPW0. A run takes microseconds, so a hundred are timed together.
fn lapw0(places: &Places) -> Result<String, String> {
    const RUNS: u32 = 100;
    const ATOMS: u32 = 64;
    let model = interpreted_sample(places, "lapw0.uml")?;
    let mut text = "\
| NAT | P | Tm | Te, interpreted | Tm/Te | Te, native | Tm/Te | Te in 2008 | Tm/Te |
|---|---|---|---|---|---|---|---|---|
"
    .to_owned();
    for row in MEASURED.iter().filter(|row| row.atoms == ATOMS) {
        let interpreted = Simulation::new(model.model(), row.system()).interpreted();
        let native = Simulation::new(&lapw0::MODEL, row.system());
        let interpreted_s = median_s(RUNS, || {
            done(interpreted.run(async |ctx: &ProcessCtx<'_>| model.run(ctx).await));
        });
        let native_s = median_s(RUNS, || {
            done(native.run(lapw0::program));
        });
        text += &line(row, &[interpreted_s, native_s]);
    }
    Ok(text)
}

/// Writes a row's measured time, and its ratio to each evaluation time. The published ratio is
/// copied as printed.
fn line(row: &MeasuredIteration, evaluations_s: &[f64]) -> String {
    let mut line = format!(
        "| {} | {} | {} s |",
        row.atoms,
        4 * row.nodes,
        row.measured_s
    );
    for evaluation_s in evaluations_s {
        let ratio = thousands(row.measured_s / evaluation_s);
        let evaluation = short_time(rounded(*evaluation_s));
        write!(line, " {evaluation} | {ratio} |").expect("it is text");
    }
    let published = short_time(row.published_evaluation_s);
    line + &format!(" {published} | {} |\n", whole(row.published_ratio))
}

fn megatron(places: &Places) -> Result<String, String> {
    let model = training::megatron(places)?;
    let rows = Iteration::all(LARGEST);
    let system = model.system(&rows[0].layout(), &model.prices());
    let outcome = model.run(system.clone());
    let evaluation_s = median_s(1, || {
        model.run(system.clone());
    });
    Ok(format!(
        "| iteration | predicted | messages | Te, interpreted |\n|---|---|---|---|\n\
         | 10^12 parameters, 3,072 GPUs | {} | {} | {} |\n",
        short_time(rounded(outcome.predicted_time_s)),
        count(outcome.evaluation.messages),
        short_time(rounded(evaluation_s)),
    ))
}

fn done(result: Result<Outcome, prophet_runtime::Failure>) {
    if let Err(failure) = result {
        panic!("a sample runs: {failure}");
    }
}

/// Returns a run's median CPU time over several turns of `runs` runs.
fn median_s(runs: u32, mut run: impl FnMut()) -> f64 {
    let times_s: Vec<f64> = (0..TURNS)
        .map(|_| {
            let watch = Stopwatch::start();
            (0..runs).for_each(|_| run());
            watch.seconds() / f64::from(runs)
        })
        .collect();
    median(&times_s).unwrap_or_default()
}

/// Formats a number with two significant digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.1e}").parse().unwrap_or(number)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a ratio of times is positive and far below 2^64"
)]
fn whole(number: f64) -> String {
    count(number.round() as u64)
}

fn thousands(ratio: f64) -> String {
    whole(rounded(ratio))
}
