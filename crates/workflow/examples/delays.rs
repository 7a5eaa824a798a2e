//! Prints the delays of workflow engines: for each recorded execution, the delay at which the
//! predicted makespan equals the recorded one, and for each engine, the 5th and 95th percentiles.
//!
//! `cargo run --release --example delays -- INSTANCE.json …`

#![expect(clippy::print_stdout, reason = "it prints its findings")]

use std::collections::BTreeMap;

use prophet_workflow::schedulers::{AsRecorded, Fcfs};
use prophet_workflow::wfformat::{Document, Instance};
use prophet_workflow::{Scheduler, WorkflowEngine, simulate};

/// The longest delay to try, in seconds.
const LONGEST_S: f64 = 3000.0;
const STEPS: usize = 30;

fn main() {
    let mut engines: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let document = Document::parse(&text).expect("it is a document");
        let instance = document.instance().expect("it is right");
        if let Some((engine, delay_s)) = delay_s(&instance) {
            println!("{path}: {engine}, {delay_s:.1} s");
            engines.entry(engine).or_default().push(delay_s);
        }
    }
    for (engine, mut delays_s) in engines {
        delays_s.sort_by(f64::total_cmp);
        let [low, high] = [0.05, 0.95].map(|share| percentile(&delays_s, share));
        let count = delays_s.len();
        println!("{engine}: {low:.1} s to {high:.1} s, of {count} executions");
    }
}

fn delay_s(instance: &Instance) -> Option<(&'static str, f64)> {
    let recorded = instance.recorded.as_ref()?;
    let mut machine = recorded.machine.clone()?;
    instance.add_engine(&mut machine);
    let engine = machine.queues[0].engine?;
    let mut makespan_s = |delay_s: f64| {
        let delays_s = Some([delay_s; 2]);
        machine.queues[0].engine = Some(WorkflowEngine { delays_s, ..engine });
        let [machine, _] = machine.extremes().expect("it has delays");
        let mut scheduler: Box<dyn Scheduler> = match instance.recorded_hosts() {
            Some(hosts) => Box::new(AsRecorded::new(hosts)),
            None => Box::<Fcfs>::default(),
        };
        let prediction = simulate(&instance.workflow, &machine, &mut *scheduler);
        prediction.expect("it runs").makespan_s()
    };
    let (mut low_s, mut high_s) = (0.0, LONGEST_S);
    if makespan_s(0.0) >= recorded.makespan_s {
        return Some((engine.name, 0.0));
    }
    for _ in 0..STEPS {
        let middle_s = f64::midpoint(low_s, high_s);
        if makespan_s(middle_s) < recorded.makespan_s {
            low_s = middle_s;
        } else {
            high_s = middle_s;
        }
    }
    Some((engine.name, high_s))
}

/// Returns a percentile of sorted values, interpolated between neighbors.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "they are few"
)]
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + place.fract() * (sorted[above] - sorted[below])
}
