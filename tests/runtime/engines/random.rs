//! Generates random programs that use everything the local engine supports.

use std::cell::RefCell;

use prophet_runtime::{
    ActionPlus, ActivityPlus, BRecv, BSend, ByMachine, Engine, Failure, Int, Machine, Message,
    NBRecv,
};
use prophet_runtime::{NBSend, Network, Nic, Outcome, ProcessCtx, SendRecv, Stopped, System, Wait};
use proptest::prelude::*;

use crate::engines::collectives::{Call, algorithms, call, join};
use crate::engines::{MODEL, essence, run_by};
use crate::traced::{self, Traced};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const DRAW: ActionPlus = ActionPlus::new(1, "Draw", 2);
const SEND: BSend = BSend::new(2, "Send", 3);
const LATER: NBSend = NBSend::new(3, "Later", 4);
const RECV: BRecv = BRecv::new(4, "Recv", 5);
const PART: ActivityPlus = ActivityPlus::new(8, "Part", 9);
const POST: NBRecv = NBRecv::new(9, "Post", 10);
const END: Wait = Wait::new(10, "End", 11);
const SWAP: SendRecv = SendRecv::new(11, "Swap", 12);

const NAMES: [&str; 3] = ["a", "b", "c"];
/// The tag of exchanges. Their sizes are the eager limits.
const SWAP_TAG: i64 = 9;

/// Something that one process, two processes, or all processes do. Process numbers are modulo the
/// number of processes.
#[derive(Debug, Clone)]
pub(crate) enum Op {
    Work {
        pid: u32,
        cost_s: f64,
    },
    Draw {
        pid: u32,
        mean_s: f64,
    },
    Hold {
        pid: u32,
        cost_s: f64,
    },
    Send(Send),
    Swap {
        pids: [u32; 2],
        bytes: u32,
        cost_s: Option<f64>,
    },
    Join(Call),
}

#[derive(Debug, Clone)]
pub(crate) struct Send {
    from: u32,
    to: u32,
    tag: i64,
    bytes: u32,
    sender: Side,
    receiver: Side,
    sender_s: Option<f64>,
    receiver_s: Option<f64>,
    /// Number of operations until it is received, and until a started operation is waited for.
    delay: usize,
}

/// How a side of a message takes part.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Side {
    Blocking,
    /// Starts under a request's name or without one, and says whether there is a wait by name.
    Begun(Option<u32>, Waited),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Waited {
    Never,
    ByName,
    WithAll,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Task<'a> {
    Begin(&'a Op),
    Receive(&'a Send),
    /// A wait for the request with this name, or for all requests.
    Wait(Option<u32>),
}

fn cost() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => Just(0.0),
        1 => Just(1e-6),
        1 => Just(1e-30),
        3 => 0.0..1e-5_f64,
        1 => 0.0..10.0_f64,
    ]
}

fn message() -> impl Strategy<Value = Send> {
    let ends = (0..64_u32, 0..64_u32, 0..3_i64);
    let prices = (prop::option::of(cost()), prop::option::of(cost()));
    let rest = (0..20_000_u32, side(), side(), 0..12_usize);
    (ends, prices, rest).prop_map(|(ends, prices, rest)| Send {
        from: ends.0,
        to: ends.1,
        tag: ends.2,
        sender_s: prices.0,
        receiver_s: prices.1,
        bytes: rest.0,
        sender: rest.1,
        receiver: rest.2,
        delay: rest.3,
    })
}

fn side() -> impl Strategy<Value = Side> {
    let waited = prop_oneof![
        1 => Just(Waited::Never),
        2 => Just(Waited::ByName),
        2 => Just(Waited::WithAll),
    ];
    prop_oneof![
        1 => Just(Side::Blocking),
        1 => (prop::option::of(0..3_u32), waited)
            .prop_map(|(name, waited)| Side::Begun(name, waited)),
    ]
}

pub(crate) fn op() -> impl Strategy<Value = Op> {
    let price = || prop::option::of(cost());
    prop_oneof![
        8 => (0..64_u32, cost()).prop_map(|(pid, cost_s)| Op::Work { pid, cost_s }),
        6 => (0..64_u32, 1e-7..1e-4_f64).prop_map(|(pid, mean_s)| Op::Draw { pid, mean_s }),
        4 => (0..64_u32, cost()).prop_map(|(pid, cost_s)| Op::Hold { pid, cost_s }),
        40 => message().prop_map(Op::Send),
        4 => ([0..64_u32, 0..64_u32], 0..20_000_u32, price())
            .prop_map(|(pids, bytes, cost_s)| Op::Swap { pids, bytes, cost_s }),
        4 => call(price()).prop_map(Op::Join),
    ]
}

fn network() -> impl Strategy<Value = Network> {
    let time = || prop_oneof![Just(0.0), 0.0..1e-5_f64];
    prop_oneof![
        (time(), 1e8..1e10_f64).prop_map(|(latency_s, bytes_per_s)| Network::Hockney {
            latency_s,
            bytes_per_s
        }),
        (time(), time(), time(), 0.0..1e-8_f64).prop_map(|(l_s, o_s, g_s, gap_per_byte_s)| {
            Network::LogGp {
                l_s,
                o_s,
                g_s,
                gap_per_byte_s,
            }
        }),
    ]
}

/// Generates the power of a machine's nodes, or none.
fn power() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just(""),
        Just("[power]\nidle = \"100W\"\nall-cpus = \"180W\"\nnetwork = \"2nJ/B\"\n"),
        Just("[power]\nidle = \"100W\"\none-cpu = \"140W\"\nall-cpus = \"180W\"\n"),
    ]
}

/// Generates a system of up to 64 processes, with a CPU for each.
pub(crate) fn system() -> impl Strategy<Value = System> {
    let sizes = (1..=64_u32, 1..=8_u32, any::<bool>(), 0..1000_u64);
    let networks = (network(), network(), algorithms());
    (sizes, networks, power()).prop_map(|((processes, cpus, cyclic, seed), networks, power)| {
        let (network, within, algorithms) = networks;
        let nodes = processes.div_ceil(cpus);
        let machine = format!("name = \"m\"\nsource = \"a test\"\n{power}");
        let machine = Machine::parse(&machine, "m.toml").expect("it is a machine");
        let mut system = System::on(machine, nodes, cpus, processes, 1);
        if cyclic {
            system.mapping = (0..processes).map(|pid| pid % nodes).collect();
        }
        (system.network, system.intranode, system.seed) = (network, within, seed);
        system.algorithms = algorithms;
        system
    })
}

/// Adapts the operations to a system in which messages of more than `eager_bytes` wait for their
/// receives. In the local engine, only blocking sends can wait.
fn with_rendezvous(mut ops: Vec<Op>, processes: u32, eager_bytes: u32) -> Vec<Op> {
    for op in &mut ops {
        if let Op::Send(send) = op
            && let Side::Begun(..) = send.sender
        {
            send.bytes = send.bytes.min(eager_bytes);
        }
    }
    unlimited(ops, processes)
}

/// Adapts the operations so that they don't deadlock in a system in which any message may wait for
/// its receive.
pub(crate) fn unlimited(mut ops: Vec<Op>, processes: u32) -> Vec<Op> {
    for op in &mut ops {
        let Op::Send(send) = op else { continue };
        if let Side::Blocking = send.receiver {
            send.delay = 0;
            if send.from % processes == send.to % processes {
                send.receiver = Side::Begun(None, Waited::WithAll);
            }
        }
    }
    ops
}

/// Returns what process `pid` of `processes` does, in order. No order of messages can deadlock,
/// because all processes send in the order of `ops` and receive in that order or later.
pub(crate) fn tasks(ops: &[Op], pid: u32, processes: u32) -> Vec<Task<'_>> {
    let me = |other: &u32| other % processes == pid;
    let mut placed: Vec<(usize, Task<'_>)> = Vec::new();
    for (place, op) in ops.iter().enumerate() {
        match op {
            Op::Work { pid, .. } | Op::Draw { pid, .. } | Op::Hold { pid, .. } if !me(pid) => {}
            Op::Swap { pids, .. } if !pids.iter().any(me) => {}
            Op::Send(send) => {
                let begun = |side| matches!(side, Side::Begun(..));
                // Receives that are started come before the send.
                if me(&send.to) && begun(send.receiver) {
                    placed.push((place, Task::Receive(send)));
                }
                if me(&send.from) {
                    placed.push((place, Task::Begin(op)));
                    placed.extend(wait_for(send.sender).map(|wait| (place + send.delay, wait)));
                }
                if me(&send.to) {
                    let wait = wait_for(send.receiver);
                    let end = (!begun(send.receiver)).then_some(Task::Receive(send));
                    placed.extend(wait.or(end).map(|end| (place + send.delay, end)));
                }
            }
            _ => placed.push((place, Task::Begin(op))),
        }
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, task)| task).collect()
}

/// Returns the wait for what a side has started.
fn wait_for(side: Side) -> Option<Task<'static>> {
    match side {
        Side::Blocking | Side::Begun(_, Waited::Never) => None,
        Side::Begun(name, Waited::ByName) => Some(Task::Wait(name)),
        Side::Begun(_, Waited::WithAll) => Some(Task::Wait(None)),
    }
}

/// Selects the element with a request's name, if there is one.
macro_rules! named {
    ($element:ident, $name:expr) => {
        match $name {
            Some(index) => $element.request(index, NAMES[index as usize]),
            None => $element,
        }
    };
}

/// Executes an element with its own price, or with the machine's.
macro_rules! execute {
    ($element:ident($($argument:expr),*), $cost_s:expr) => {
        match $cost_s {
            Some(cost_s) => $element.execute($($argument,)* cost_s).await,
            None => $element.execute($($argument,)* ByMachine).await,
        }
    };
}

pub(crate) async fn perform(ctx: &ProcessCtx<'_>, task: Task<'_>) -> Result<(), Stopped> {
    let processes = ctx.num_processes().0;
    let number = |pid: u32| i64::from(pid) % processes;
    match task {
        Task::Begin(Op::Work { cost_s, .. }) => WORK.execute(ctx, *cost_s).await,
        Task::Begin(Op::Draw { mean_s, .. }) => {
            PART.execute(ctx, async {
                DRAW.execute(ctx, ctx.stream(&DRAW).exponential(*mean_s))
                    .await?;
                WORK.execute(ctx, ctx.stream(&WORK).uniform(0.0, *mean_s))
                    .await
            })
            .await
        }
        Task::Begin(Op::Hold { cost_s, .. }) => ctx.hold(*cost_s).await,
        Task::Begin(Op::Send(send)) => {
            let message = Message::bytes(i64::from(send.bytes)).tag(send.tag);
            let dest = number(send.to);
            match send.sender {
                Side::Blocking => execute!(SEND(ctx, dest, message), send.sender_s),
                Side::Begun(name, _) => {
                    let element = named!(LATER, name);
                    execute!(element(ctx, dest, message), send.sender_s)
                }
            }
        }
        Task::Wait(name) => named!(END, name).execute(ctx).await,
        Task::Begin(Op::Swap {
            pids,
            bytes,
            cost_s,
        }) => {
            let [one, other] = pids.map(number);
            let partner = if ctx.pid() == one { other } else { one };
            let message = Message::bytes(i64::from(*bytes)).tag(SWAP_TAG);
            execute!(
                SWAP(ctx, partner, partner, message),
                cost_s.map(|cost_s| cost_s * ctx.pid().real())
            )
        }
        Task::Receive(send) => {
            let message = Message::any_size().tag(send.tag);
            let source = number(send.from);
            match send.receiver {
                Side::Blocking => execute!(RECV(ctx, source, message), send.receiver_s),
                Side::Begun(name, _) => {
                    let element = named!(POST, name);
                    execute!(element(ctx, source, message), send.receiver_s)
                }
            }
        }
        Task::Begin(Op::Join(call)) => join(ctx, call).await,
    }
}

/// Returns the result of a run, and when each process reached its operations, to the last bit.
fn observe(engine: Engine, system: &System, ops: &[Op]) -> (String, Vec<Vec<u64>>) {
    let times = RefCell::new(vec![Vec::new(); system.processes as usize]);
    let run = run_by(engine, system, async |ctx: &ProcessCtx<'_>| {
        let pid = u32::try_from(ctx.pid().0).expect("a pid");
        for task in tasks(ops, pid, system.processes) {
            perform(ctx, task).await?;
            times.borrow_mut()[pid as usize].push(ctx.now_s().to_bits());
        }
        Ok(())
    });
    let outcome = run.expect("the program ends");
    assert_eq!(outcome.evaluation.engine, engine.to_string());
    (essence(outcome), times.into_inner())
}

/// Returns the result and the trace of a run.
pub(crate) fn observe_traced(engine: Engine, system: &System, ops: &[Op]) -> (Outcome, Traced) {
    let (run, traced) = run_traced(engine, system, ops);
    let outcome = run.expect("the program ends");
    assert_eq!(outcome.evaluation.engine, engine.to_string());
    (outcome, traced)
}

pub(crate) fn run_traced(
    engine: Engine,
    system: &System,
    ops: &[Op],
) -> (Result<Outcome, Failure>, Traced) {
    traced::run(&MODEL, engine, system, async |ctx: &ProcessCtx<'_>| {
        perform_all(ctx, ops).await
    })
}

pub(crate) async fn perform_all(ctx: &ProcessCtx<'_>, ops: &[Op]) -> Result<(), Stopped> {
    let number = |number: Int| u32::try_from(number.0).expect("a number of processes");
    for task in tasks(ops, number(ctx.pid()), number(ctx.num_processes())) {
        perform(ctx, task).await?;
    }
    Ok(())
}

pub(crate) async fn wait_for_all(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    END.execute(ctx).await
}

fn agree(system: &System, ops: &[Op]) -> Result<(), TestCaseError> {
    let event = observe(Engine::Event, system, ops);
    let local = observe(Engine::Local, system, ops);
    prop_assert_eq!(event, local);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(64)))]

    #[test]
    fn engines_agree_on_random_programs(
        system in system(),
        ops in prop::collection::vec(op(), 0..300),
    ) {
        agree(&system, &ops)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(64)))]

    #[test]
    fn engines_agree_when_sends_wait_for_their_receives(
        system in system(),
        ops in prop::collection::vec(op(), 0..300),
        eager_bytes in prop_oneof![Just(0_u32), 0..20_000_u32],
    ) {
        let (system, ops) = waiting(system, ops, eager_bytes);
        agree(&system, &ops)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(64)))]

    /// If each process has a network interface of its own, it doesn't matter whether interfaces
    /// belong to nodes or to processes.
    #[test]
    fn a_node_of_one_process_has_a_network_interface_of_its_own(
        mut system in system(),
        ops in prop::collection::vec(op(), 0..300),
    ) {
        (system.nodes, system.mapping) = (system.processes, (0..system.processes).collect());
        // Messages from a process to itself use no shared interface.
        system.intranode = Network::DEFAULT_INTRANODE;
        let own = observe(Engine::Event, &system, &ops);
        system.protocol.nic = Nic::Node;
        prop_assert_eq!(observe(Engine::Event, &system, &ops), own);
    }
}

/// Returns the system with an eager limit, and the operations adapted to it.
pub(crate) fn waiting(mut system: System, ops: Vec<Op>, eager_bytes: u32) -> (System, Vec<Op>) {
    system.protocol.eager_bytes = u64::from(eager_bytes);
    system.protocol.intranode_eager_bytes = u64::from(eager_bytes);
    let ops = with_rendezvous(ops, system.processes, eager_bytes);
    (system, ops)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    #[ignore = "takes minutes"]
    fn engines_agree_on_many_programs_whose_sends_wait(
        system in system(),
        ops in prop::collection::vec(op(), 0..500),
        eager_bytes in prop_oneof![Just(0_u32), 0..20_000_u32],
    ) {
        let (system, ops) = waiting(system, ops, eager_bytes);
        agree(&system, &ops)?;
    }

    #[test]
    #[ignore = "takes minutes"]
    fn engines_agree_on_many_random_programs(
        system in system(),
        ops in prop::collection::vec(op(), 0..1500),
    ) {
        agree(&system, &ops)?;
    }
}
