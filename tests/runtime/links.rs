//! Tests messages on shared links against known results.

mod files;
mod hostile;
mod hosts;
mod known;
mod protocol;
mod repeated;
mod traffic;
mod turned;
mod xml;

use prophet_runtime::{ActionPlus, BRecv, BSend, ByMachine, Machine, Message, Model, NBSend};
use prophet_runtime::{Outcome, ProcessCtx, ProcessProgram, Simulation, Stopped, System, Wait};
use prophet_testing::{assert_cases, assert_says};

use crate::ends;

const MODEL: Model = Model::new("Links", &[], 16);
const SEND: BSend = BSend::new(0, "Send", 1);
const LATER: NBSend = NBSend::new(1, "Later", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);
const WAIT: Wait = Wait::new(5, "Wait", 6);

/// Processes on a network, each on a node of its own.
fn apart(processes: u32, network: &str) -> System {
    let mut system = System::new(processes, 1, processes, 1);
    system.choose_network(network).expect("it is a network");
    system
}

fn run_on(system: System, program: impl ProcessProgram) -> Outcome {
    let simulation = Simulation::new(&MODEL, system);
    simulation.run(program).expect("the program ends")
}

/// A message: its start, its sender, its receiver, and its size.
type Sent = (f64, u32, u32, i64);

/// Sends messages. Each is received immediately, by a process of its own. Returns when they arrive.
fn arrivals(network: &str, processes: u32, messages: &'static [Sent]) -> Vec<f64> {
    let outcome = run_on(apart(processes, network), async |ctx| {
        let mine = |(_, from, to, _): &Sent| [*from, *to].map(|end| i64::from(end) == ctx.pid());
        for &(start_s, _, to, bytes) in messages.iter().filter(|sent| mine(sent)[0]) {
            WORK.execute(ctx, start_s - ctx.now_s()).await?;
            SEND.execute(ctx, i64::from(to), Message::bytes(bytes), ByMachine)
                .await?;
        }
        for &(_, from, _, _) in messages.iter().filter(|sent| mine(sent)[1]) {
            RECV.execute(ctx, i64::from(from), Message::any_size(), ByMachine)
                .await?;
        }
        Ok(())
    });
    ends(&outcome)
}

/// Processes on the machine in `text`, each on a node of its own.
fn described(processes: u32, text: &str) -> System {
    let machine = Machine::parse(text, "machine.toml").expect("it is a machine");
    System::on(machine, processes, 1, processes, 1)
}

#[test]
fn wrong_words_are_told() {
    assert_cases("links/networks.txt", |case| {
        let mut system = System::new(2, 1, 2, 1);
        system.choose_network(case.input).unwrap_err().to_string()
    });
}

#[test]
fn what_does_not_fit_the_system_is_told_before_the_run() {
    let told = |system: System| {
        let simulation = Simulation::new(&MODEL, system);
        let failure = simulation.run(async |_| Ok(())).unwrap_err();
        failure.to_string()
    };
    let torus = "shared:topology=torus,dimensions=2x2,latency=1us,bandwidth=1GB/s";
    let message = told(apart(5, torus));
    assert_says(&message, &["the network has 4 nodes, but the run uses 5"]);
    let large = "shared:topology=torus,dimensions=100000x10000,latency=1us,bandwidth=1GB/s";
    let message = told(apart(2, large));
    assert_says(&message, &["1000000000 hosts; the limit is"]);
    for (choice, formula) in [
        ("barrier=analytic", "barrier=analytic"),
        ("rule=nccl-hopper", "allgather=nccl-hopper"),
    ] {
        let mut system = apart(2, torus);
        system.algorithms.choose(choice).expect("it is one");
        let problem = "a formula cannot account for shared links: choose an algorithm other than";
        let message = told(system);
        assert_says(&message, &[&format!("{problem} {formula}")]);
    }
}
