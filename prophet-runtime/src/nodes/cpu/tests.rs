//! Tests units that start and end on nodes.

use std::task::Poll;

use prophet_machine::system::System;

use crate::kernel::{Activity, Kernel, Ledger, Program, Spending as _};
use crate::language::Stopped;
use crate::nodes::Nodes;

/// Two nodes with two CPUs each. Units 0 and 1 are processes on node 0. The other units join it as
/// threads.
fn system() -> System {
    let mut system = System::new(2, 2, 4, 1);
    system.mapping = vec![0, 0, 1, 1];
    system
}

/// Nodes whose units request CPUs, without any program.
struct Asked<'a>(&'a Nodes<'a>);

impl Program for Asked<'_> {
    fn is_busy(&self) -> bool {
        self.0.cpus.is_busy()
    }

    fn poll(&mut self, _: u32) -> Option<Poll<Result<(), Stopped>>> {
        None
    }

    fn end(&mut self, _: u32) {}

    fn some_wait(&self) -> bool {
        false
    }

    fn waiting(&self) -> Vec<u32> {
        Vec::new()
    }
}

fn ask(run: &Nodes<'_>, unit: u32, cost_s: f64) {
    let generation = run.register(unit).unwrap();
    run.cpus.ask(run, 0, (unit, generation), cost_s).unwrap();
}

/// Ends the wait of the next due unit, and passes its CPU to the next one.
fn end_next(run: &Nodes<'_>) -> u32 {
    let (unit, state) = run.next_due(&Asked(run)).expect("somebody computes");
    assert!(state.granted(state.generation()));
    run.cpus.release(run, 0, unit);
    run.cpus.dispatch(run);
    unit
}

fn computing(run: &Nodes<'_>) -> Vec<u32> {
    (0..4).filter(|unit| run.has_timer(*unit)).collect()
}

fn begun(run: &Nodes<'_>) {
    while run.take_ready().is_some() {}
    run.take_busy();
}

#[test]
fn who_comes_with_a_team_queues_with_those_that_ask_at_that_instant() {
    let system = system();
    let ledger = Ledger::new(system.processes, 0);
    let run = Nodes::new(Kernel::new(&system, &ledger), None);
    begun(&run);
    ask(&run, 2, 1.0);
    ask(&run, 1, 2.0);
    assert_eq!(computing(&run), [1, 2]);
    run.cpus.add_units(&run, 0, 1);
    ask(&run, 0, 3.0);
    assert_eq!(computing(&run), [] as [u32; 0]);
    assert_eq!(run.cpus.wanted(), 0);
    run.cpus.dispatch(&run);
    assert_eq!(computing(&run), [0, 1]);
    assert_eq!(run.cpus.wanted(), 3);

    assert_eq!(end_next(&run), 1);
    assert_eq!(computing(&run), [0, 2]);
    assert_eq!(
        run.unit(2).spent_s(Activity::Wait).to_bits(),
        2.0_f64.to_bits()
    );
}

#[test]
fn who_computes_already_goes_on_when_a_team_comes_and_none_queues_when_it_has_gone() {
    let system = system();
    let ledger = Ledger::new(system.processes, 0);
    let run = Nodes::new(Kernel::new(&system, &ledger), None);
    begun(&run);
    ask(&run, 0, 1.0);
    ask(&run, 1, 2.0);
    assert_eq!(end_next(&run), 0);
    run.cpus.add_units(&run, 0, 2);
    assert!(run.cpus.contended(0));
    ask(&run, 3, 5.0);
    ask(&run, 2, 5.0);
    run.cpus.dispatch(&run);
    assert_eq!(computing(&run), [1, 2]);

    assert_eq!(end_next(&run), 1);
    assert_eq!((end_next(&run), end_next(&run)), (2, 3));
    run.cpus.remove_units(0, 2);
    assert!(!run.cpus.contended(0));
    ask(&run, 0, 1.0);
    ask(&run, 1, 1.0);
    assert_eq!(computing(&run), [0, 1]);
}
