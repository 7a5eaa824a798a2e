//! Runs the programs with the runtime's elements, as a generated program would.

use std::cell::RefCell;
use std::pin::Pin;

use prophet_runtime::{
    ANY, ActionPlus, Atomic, BRecv, BSend, ByMachine, Cause, CpuDiscipline, Critical, Engine, Fork,
    Int, Master, Message, Model, NBRecv, NBSend, OmpBarrier, Parallel, ParallelDo,
    ParallelSections, ProcessCtx, Schedule, SendRecv, Simulation, Single, Stopped, System, Threads,
    Wait, WaitPolicy,
};

use super::machine::{self, Discipline, Formula, Machine};
use super::program::{self, Loop, Mode, Op, Phase, Program, Receive, Send};
use crate::oracle::{Answer, Stop, Times};

const MODEL: Model = Model::new("Oracle", &[], 17);
const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SEND: BSend = BSend::new(1, "Send", 2);
const LATER: NBSend = NBSend::new(2, "Later", 3);
const RECEIVE: BRecv = BRecv::new(3, "Receive", 4);
const POST: NBRecv = NBRecv::new(4, "Post", 5);
const SWAP: SendRecv = SendRecv::new(5, "Swap", 6);
const WAIT: Wait = Wait::new(6, "Wait", 7);
const TEAM: Parallel = Parallel::new(7, "Team", 8);
const LOOP: ParallelDo = ParallelDo::new(8, "Loop", 9);
const PARTS: ParallelSections = ParallelSections::new(9, "Parts", 10);
const FORK: Fork = Fork::new(10, "Fork", 11);
const ONCE: Single = Single::new(11, "Once", 12);
const FIRST: Master = Master::new(12, "First", 13);
const MEET: OmpBarrier = OmpBarrier::new(13, "Meet", 14);
const UPDATE: Critical = Critical::new(14, "Update", 15);
const COUNTS: [Atomic; 2] = [Atomic::new(15, "One", 16), Atomic::new(16, "Other", 17)];

/// The names of all requests in programs.
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

type Running<'a> = Pin<Box<dyn Future<Output = Result<(), Stopped>> + 'a>>;

/// Returns the runtime's answer for a program in an engine, or `None` if that engine can't run it.
pub(crate) fn measure(machine: &Machine, program: &Program, engine: Engine) -> Option<Answer> {
    let notes = RefCell::new(Times::default());
    let system = system(machine, program.0.len());
    let simulation = Simulation::new(&MODEL, system).with_engine(engine);
    let outcome = simulation.run(async |ctx| run_process(ctx, program, &notes).await);
    let answer = match outcome {
        Ok(outcome) => Ok(Times {
            ends_s: crate::ends(&outcome),
            ..notes.into_inner()
        }),
        Err(failure) => match &*failure.cause {
            Cause::Deadlock(_) => Err(Stop::Deadlock),
            Cause::NoRequest { .. } => Err(Stop::NoRequest),
            Cause::Truncated { .. } => Err(Stop::Truncated),
            Cause::System(_) if engine == Engine::Local => return None,
            _ => panic!("{failure}"),
        },
    };
    Some(answer)
}

async fn run_process(
    ctx: &ProcessCtx<'_>,
    program: &Program,
    notes: &RefCell<Times>,
) -> Result<(), Stopped> {
    let pid = index(ctx.pid());
    let unit = Unit {
        path: vec![pid],
        notes,
    };
    unit.all(ctx, &program.0[pid]).await
}

fn system(machine: &Machine, processes: usize) -> System {
    let small = |number: usize| u32::try_from(number).expect("few");
    let (nodes, cpus) = (small(machine.nodes), small(machine.cpus_per_node));
    let mut system = System::new(nodes, cpus, small(processes), 1);
    system.mapping = machine.mapping.iter().copied().map(small).collect();
    system.network = network(&machine.network);
    system.intranode = network(&machine.intranode);
    system.discipline = match machine.discipline {
        Discipline::Fcfs => CpuDiscipline::Fcfs,
        Discipline::RoundRobin(quantum_s) => CpuDiscipline::RoundRobin { quantum_s },
        Discipline::Sharing => CpuDiscipline::ProcessorSharing,
    };
    if machine.holds {
        system.wait_policy = WaitPolicy::Hold;
    }
    let protocol = &mut system.protocol;
    for (limit, network) in [
        (&mut protocol.eager_bytes, &machine.network),
        (&mut protocol.intranode_eager_bytes, &machine.intranode),
    ] {
        if let Some(bytes) = network.eager_bytes {
            *limit = u64::from(bytes);
        }
    }
    protocol.nic = match machine.nic {
        machine::Nic::Rank => prophet_runtime::Nic::Rank,
        machine::Nic::Node => prophet_runtime::Nic::Node,
    };
    system
}

fn network(network: &machine::Network) -> prophet_runtime::Network {
    match network.formula {
        Formula::Hockney {
            latency_s,
            bytes_per_s,
        } => prophet_runtime::Network::Hockney {
            latency_s,
            bytes_per_s,
        },
        Formula::LogGp {
            l_s,
            o_s,
            g_s,
            gap_per_byte_s,
        } => prophet_runtime::Network::LogGp {
            l_s,
            o_s,
            g_s,
            gap_per_byte_s,
        },
    }
}

fn index(number: Int) -> usize {
    usize::try_from(number.0).expect("it is not a negative number")
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).expect("it is small")
}

fn team_of(threads: usize) -> Threads {
    Threads::Of(Int(whole(threads)))
}

fn schedule(shared: &Loop) -> Schedule {
    let chunk = shared.chunk.map(|chunk| Int(whole(chunk)));
    match shared.schedule {
        program::Schedule::Static => Schedule::Static(chunk),
        program::Schedule::Dynamic => Schedule::Dynamic(chunk),
        program::Schedule::Guided => Schedule::Guided(chunk),
    }
}

/// Selects the element with a request's name, if there is one.
macro_rules! named {
    ($element:ident, $name:expr) => {
        match $name {
            Some(index) => $element.request(u32::try_from(index).expect("few"), NAMES[index]),
            None => $element,
        }
    };
}

/// Executes an element with its own price, or with the machine's.
macro_rules! execute {
    ($element:expr, ($($argument:expr),*), $cost_s:expr) => {
        match $cost_s {
            Some(cost_s) => $element.execute($($argument,)* cost_s).await,
            None => $element.execute($($argument,)* ByMachine).await,
        }
    };
}

/// A unit that executes operations, and where it records the times.
#[derive(Clone)]
struct Unit<'n> {
    path: Vec<usize>,
    notes: &'n RefCell<Times>,
}

impl Unit<'_> {
    fn note(&self, value: f64) {
        let mut notes = self.notes.borrow_mut();
        notes
            .units
            .entry(self.path.clone())
            .or_default()
            .push(value);
    }

    /// Returns the unit that runs as this thread of a region.
    fn thread(&self, ctx: &ProcessCtx<'_>) -> Self {
        let mut thread = self.clone();
        thread.path.push(index(ctx.tid()));
        thread
    }

    fn all<'a>(&'a self, ctx: &'a ProcessCtx<'_>, ops: &'a [Op]) -> Running<'a> {
        Box::pin(async move {
            for op in ops {
                self.perform(ctx, op).await?;
                self.note(ctx.now_s());
            }
            Ok(())
        })
    }

    async fn perform(&self, ctx: &ProcessCtx<'_>, op: &Op) -> Result<(), Stopped> {
        match op {
            Op::Compute(cost_s) => WORK.execute(ctx, *cost_s).await,
            Op::Send(send) => Self::send(ctx, send).await,
            Op::Receive(receive) => Self::receive(ctx, receive).await,
            Op::Exchange(send, source) => {
                let (dest, message) = (whole(send.dest), message(send));
                execute!(SWAP, (ctx, dest, whole(*source), message), send.cost_s)
            }
            Op::Wait(name) => named!(WAIT, *name).execute(ctx).await,
            Op::Team(threads, phases) => {
                let body = async |ctx: &ProcessCtx<'_>| self.thread(ctx).pass(ctx, phases).await;
                TEAM.execute(ctx, team_of(*threads), body).await
            }
            Op::Loop(threads, shared) => self.share(ctx, Some(*threads), shared).await,
            Op::Sections(threads, sections) => self.divide(ctx, Some(*threads), sections).await,
            Op::Fork(branches) => {
                let count = u32::try_from(branches.len()).expect("few");
                let body = async |ctx: &ProcessCtx<'_>, branch: u32| {
                    self.thread(ctx).all(ctx, &branches[branch as usize]).await
                };
                FORK.execute(ctx, count, body).await
            }
            Op::Critical(lock, content) => {
                let element = match lock {
                    0 => UPDATE,
                    lock => UPDATE.named(u32::try_from(*lock).expect("few")),
                };
                element.execute(ctx, self.all(ctx, content)).await
            }
            Op::Atomic(element, cost_s) => {
                let element = COUNTS[*element];
                let content = async {
                    element.compute(ctx, *cost_s).await?;
                    self.note(ctx.now_s());
                    Ok(())
                };
                element.execute(ctx, content).await
            }
        }
    }

    async fn send(ctx: &ProcessCtx<'_>, send: &Send) -> Result<(), Stopped> {
        let (dest, message) = (whole(send.dest), message(send));
        match send.mode {
            Mode::Blocking => execute!(SEND, (ctx, dest, message), send.cost_s),
            Mode::Begun(name) => {
                execute!(named!(LATER, name), (ctx, dest, message), send.cost_s)
            }
        }
    }

    async fn receive(ctx: &ProcessCtx<'_>, receive: &Receive) -> Result<(), Stopped> {
        let limit = receive.bytes_max;
        let message = limit.map_or(Message::any_size(), |most| Message::bytes(i64::from(most)));
        let message = message.tag(whole(receive.tag));
        match (receive.mode, receive.source.map(whole)) {
            (Mode::Blocking, Some(source)) => {
                execute!(RECEIVE, (ctx, source, message), receive.cost_s)
            }
            (Mode::Blocking, None) => execute!(RECEIVE, (ctx, ANY, message), receive.cost_s),
            (Mode::Begun(name), Some(source)) => {
                execute!(named!(POST, name), (ctx, source, message), receive.cost_s)
            }
            (Mode::Begun(name), None) => {
                execute!(named!(POST, name), (ctx, ANY, message), receive.cost_s)
            }
        }
    }

    /// Executes the phases of its team.
    async fn pass(&self, ctx: &ProcessCtx<'_>, phases: &[Phase]) -> Result<(), Stopped> {
        for phase in phases {
            match phase {
                Phase::Each(lists) => {
                    if let Some(ops) = lists.get(index(ctx.tid())) {
                        self.all(ctx, ops).await?;
                    }
                }
                Phase::Loop(shared) => self.share(ctx, None, shared).await?,
                Phase::Sections(sections) => self.divide(ctx, None, sections).await?,
                Phase::Single(ops) => ONCE.execute(ctx, self.all(ctx, ops)).await?,
                Phase::Master(ops) => FIRST.execute(ctx, self.all(ctx, ops)).await?,
                Phase::Barrier(cost_s) => {
                    MEET.execute(ctx).await?;
                    self.note(ctx.now_s());
                    if let Some(cost_s) = cost_s {
                        WORK.execute(ctx, *cost_s).await?;
                        self.note(ctx.now_s());
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the unit that runs iterations: this one, or a thread of the loop's own team.
    fn runs(&self, ctx: &ProcessCtx<'_>, threads: Option<usize>) -> Self {
        if threads.is_some() {
            self.thread(ctx)
        } else {
            self.clone()
        }
    }

    async fn share(
        &self,
        ctx: &ProcessCtx<'_>,
        threads: Option<usize>,
        shared: &Loop,
    ) -> Result<(), Stopped> {
        let count = whole(shared.iterations.len());
        let body = async |ctx: &ProcessCtx<'_>, number: Int| {
            let unit = self.runs(ctx, threads);
            unit.note(number.real());
            unit.all(ctx, &shared.iterations[index(number)]).await
        };
        let team = threads.map_or(Threads::Default, team_of);
        LOOP.execute(ctx, team, count, schedule(shared), body).await
    }

    async fn divide(
        &self,
        ctx: &ProcessCtx<'_>,
        threads: Option<usize>,
        sections: &[Vec<Op>],
    ) -> Result<(), Stopped> {
        let count = u32::try_from(sections.len()).expect("few");
        let body = async |ctx: &ProcessCtx<'_>, section: u32| {
            let unit = self.runs(ctx, threads);
            unit.note(f64::from(section));
            unit.all(ctx, &sections[section as usize]).await
        };
        let team = threads.map_or(Threads::Default, team_of);
        PARTS.execute(ctx, team, count, body).await
    }
}

fn message(send: &Send) -> Message {
    Message::bytes(i64::from(send.bytes)).tag(whole(send.tag))
}
