//! Messages on links that they share, against what is known.

mod files;
mod hostile;
mod hosts;
mod known;
mod protocol;
mod refusals;
mod repeated;
mod traffic;
mod turned;
mod xml;

use prophet_runtime::{ActionPlus, BRecv, BSend, ByMachine, Machine, Message, Model, NBSend};
use prophet_runtime::{Outcome, ProcessCtx, ProcessProgram, Simulation, Stopped, System, Wait};

use crate::ends;

const MODEL: Model = Model::new("Links", &[], 16);
const SEND: BSend = BSend::new(0, "Send", 1);
const LATER: NBSend = NBSend::new(1, "Later", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);
const WAIT: Wait = Wait::new(5, "Wait", 6);

/// Processes on a node each, on a network.
fn apart(processes: u32, network: &str) -> System {
    let mut system = System::new(processes, 1, processes, 1);
    system.choose_network(network).expect("it is a network");
    system
}

fn run_on(system: System, program: impl ProcessProgram) -> Outcome {
    let simulation = Simulation::new(&MODEL, system);
    simulation.run(program).expect("the program ends")
}

/// A message: its start, its sender, its receiver and its size.
type Sent = (f64, u32, u32, i64);

/// Sends messages, each of which a process of its own receives immediately; returns the times of
/// arrival.
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

/// Processes on a node each, on the machine that a text describes.
fn described(processes: u32, text: &str) -> System {
    let machine = Machine::parse(text, "machine.toml").expect("it is a machine");
    System::on(machine, processes, 1, processes, 1)
}
