//! Tests that an element's share of the critical path bounds what a faster element can gain.

use prophet_report::analysis::path::{Activity, CriticalPath};
use prophet_runtime::{
    ANY, ActionPlus, BRecv, BSend, ByMachine, Engine, Message, NBRecv, NBSend, Network, Outcome,
    ProcessCtx, SendRecv, Simulation, System, Wait,
};
use prophet_trace::{Role, UnitId, UnitState};
use proptest::prelude::*;

use crate::engines::MODEL;
use crate::engines::random::{Op, op, perform_all, system, unlimited};
use crate::traced::{self, Traced, check};
use prophet_runtime::ProcessProgram;

fn path_of(outcome: &Outcome, traced: &Traced) -> CriticalPath {
    let end_s = outcome.predicted_time_s;
    let mut processes = outcome.processes.iter();
    let last = processes.find(|process| process.end_s >= end_s);
    let unit = UnitId {
        pid: last.expect("one ends last").pid,
        tid: 0,
    };
    let Ok(path) = CriticalPath::find(&mut &*traced.records, unit, end_s);
    path
}

/// Returns an element's share of a path, in seconds.
fn share_s(path: &CriticalPath, element: u32) -> f64 {
    let parts = path.parts.iter();
    let own = parts.filter(|part| part.element == Some(element));
    own.map(|part| part.seconds).sum()
}

/// Returns the senders that each process receives from, with the message, in order.
fn received(traced: &Traced) -> Vec<(u32, Option<(u32, u32)>)> {
    let records = traced.records.iter();
    let received = records.filter(|record| record.role() == Some(Role::Receive));
    let mut received: Vec<_> = received.map(|it| (it.pid, it.sender())).collect();
    received.sort_by_key(|(pid, _)| *pid);
    received
}

/// Runs a program with each of its elements at fractions of the element's own time. As long as
/// messages are received in the same order, no run may gain more than its bound.
fn check_bounds(system: &System, program: &impl ProcessProgram) {
    let (run, traced) = traced::run(&MODEL, Engine::Event, system, program);
    let outcome = run.expect("the program ends");
    check(&traced, &outcome);
    let path = path_of(&outcome, &traced);
    for element in &traced.results.elements {
        let share_s = share_s(&path, element.index);
        for factor in [0.0, 0.5, 0.9] {
            let simulation = Simulation::new(&MODEL, system.clone())
                .with_engine(Engine::Event)
                .with_scaled(element.index, factor);
            let scaled = simulation.run(program).expect("the program ends");
            let gain_s = outcome.predicted_time_s - scaled.predicted_time_s;
            let bound_s = (1.0 - factor) * share_s;
            assert!(
                gain_s <= bound_s + 1e-12 * outcome.predicted_time_s
                    || received(&traced) != received(&traced::of(&simulation, program).1),
                "{} at {factor}: {gain_s} s, and at most {bound_s} s was said: {:#?}",
                element.name,
                path.parts
            );
        }
    }
}

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SEND: BSend = BSend::new(2, "Send", 3);
const LATER: NBSend = NBSend::new(3, "Later", 4);
const RECV: BRecv = BRecv::new(4, "Recv", 5);
const POST: NBRecv = NBRecv::new(9, "Post", 10);
const END: Wait = Wait::new(10, "End", 11);
const SWAP: SendRecv = SendRecv::new(11, "Swap", 12);

/// A network on which a byte takes a microsecond and messages of more than 1,000 bytes wait for
/// their receives.
fn slow(processes: u32) -> System {
    let mut system = System::new(processes, 1, processes, 1);
    system.network = Network::LogGp {
        l_s: 1.0,
        o_s: 0.5,
        g_s: 0.0,
        gap_per_byte_s: 1e-6,
    };
    system.intranode = system.network;
    system.protocol.eager_bytes = 1000;
    system
}

/// Checks the bounds of a program with two processes, and the parts of its critical path.
fn check_path(program: &impl ProcessProgram, expected: &[(u32, Activity, f64)]) {
    let system = slow(2);
    check_bounds(&system, program);
    let (run, traced) = traced::run(&MODEL, Engine::Event, &system, program);
    let path = path_of(&run.expect("the program ends"), &traced);
    let rounded = |seconds: f64| (seconds * 1e4).round() / 1e4;
    let parts = path.parts.iter();
    let parts = parts.map(|part| {
        let element = part.element.expect("all is of an element");
        (element, part.activity, rounded(part.seconds))
    });
    assert_eq!(parts.collect::<Vec<_>>(), expected);
}

/// Returns the system with network interfaces that are never busy. At a busy interface, messages
/// wait for each other, and the critical path doesn't show for which.
fn without_gaps(mut system: System) -> System {
    for network in [&mut system.network, &mut system.intranode] {
        if let Network::LogGp {
            g_s,
            gap_per_byte_s,
            ..
        } = network
        {
            (*g_s, *gap_per_byte_s) = (0.0, 0.0);
        }
    }
    system
}

/// A message that takes 2.5 s on this network.
fn large() -> Message {
    Message::bytes(1_000_001)
}

const COMPUTES: Activity = Activity::State(UnitState::Compute);
const RECEIVES: Activity = Activity::State(UnitState::Receive);

#[test]
fn a_message_that_nobody_waits_with_travels_from_its_receive_on() {
    let sender = async |ctx: &ProcessCtx<'_>| {
        LATER.execute(ctx, 1, large(), ByMachine).await?;
        END.execute(ctx).await
    };
    let blocking = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            return sender(ctx).await;
        }
        WORK.execute(ctx, 10.0).await?;
        RECV.execute(ctx, 0, large(), ByMachine).await
    };
    let expected = [
        (0, COMPUTES, 10.0),
        (3, Activity::Transfer, 2.5),
        (4, RECEIVES, 0.5),
    ];
    check_path(&blocking, &expected);
    let posted = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            return sender(ctx).await;
        }
        WORK.execute(ctx, 10.0).await?;
        POST.execute(ctx, 0, large(), ByMachine).await?;
        WORK.execute(ctx, 1.0).await?;
        END.execute(ctx).await
    };
    let expected = [
        (0, COMPUTES, 10.0),
        (3, Activity::Transfer, 2.5),
        (9, RECEIVES, 0.5),
    ];
    check_path(&posted, &expected);
}

#[test]
fn a_wait_for_a_send_is_the_message_s() {
    let late = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            LATER.execute(ctx, 1, large(), ByMachine).await?;
            WORK.execute(ctx, 11.0).await?;
            END.execute(ctx).await?;
            return WORK.execute(ctx, 3.0).await;
        }
        WORK.execute(ctx, 10.0).await?;
        POST.execute(ctx, 0, large(), ByMachine).await
    };
    let expected = [(0, COMPUTES, 13.0), (3, Activity::Transfer, 2.5)];
    check_path(&late, &expected);
    let early = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            WORK.execute(ctx, 10.0).await?;
            LATER.execute(ctx, 1, large(), ByMachine).await?;
            WORK.execute(ctx, 1.0).await?;
            return END.execute(ctx).await;
        }
        POST.execute(ctx, 0, large(), ByMachine).await
    };
    let expected = [(0, COMPUTES, 10.0), (3, Activity::Transfer, 2.5)];
    check_path(&early, &expected);
}

#[test]
fn prices_of_what_is_begun_are_of_the_element_that_begins_it() {
    let sends = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            LATER.execute(ctx, 1, large(), 4.0).await?;
            WORK.execute(ctx, 1.0).await?;
            return END.execute(ctx).await;
        }
        POST.execute(ctx, 0, large(), 0.0).await
    };
    check_path(&sends, &[(3, Activity::Transfer, 4.0)]);
    let receives = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            return SEND.execute(ctx, 1, large(), 2.0).await;
        }
        POST.execute(ctx, 0, large(), 4.0).await?;
        END.execute(ctx).await
    };
    let expected = [(2, Activity::Transfer, 2.0), (9, RECEIVES, 4.0)];
    check_path(&receives, &expected);
}

#[test]
fn an_exchange_begins_when_the_later_one_comes() {
    let exchange = async |ctx: &ProcessCtx<'_>| {
        let other = 1 - ctx.pid().0;
        WORK.execute(ctx, 5.0 * ctx.pid().real()).await?;
        SWAP.execute(ctx, other, other, large(), ByMachine).await
    };
    let expected = [
        (0, COMPUTES, 5.0),
        (11, Activity::State(UnitState::Send), 2.5),
        (11, RECEIVES, 0.5),
    ];
    check_path(&exchange, &expected);
}

#[test]
fn whoever_receives_from_anybody_lets_a_message_travel_when_that_is_posted() {
    let program = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            WORK.execute(ctx, 9.5).await?;
            return LATER.execute(ctx, 1, large(), ByMachine).await;
        }
        // The envelope is in transit.
        WORK.execute(ctx, 10.0).await?;
        POST.execute(ctx, ANY, large(), ByMachine).await?;
        WORK.execute(ctx, 0.25).await?;
        WORK.execute(ctx, 0.25).await?;
        END.execute(ctx).await
    };
    let expected = [
        (0, COMPUTES, 10.0),
        (3, Activity::Transfer, 2.5),
        (9, RECEIVES, 0.5),
    ];
    check_path(&program, &expected);
}

#[test]
fn nothing_bounds_a_gain_from_messages_that_change_places() {
    let program = async |ctx: &ProcessCtx<'_>| match ctx.pid().0 {
        0 => SEND.execute(ctx, 2, Message::bytes(1), 2.0).await,
        1 => LATER.execute(ctx, 2, Message::bytes(1), 2.0).await,
        _ => {
            POST.execute(ctx, 1, Message::bytes(1), 4.0).await?;
            POST.execute(ctx, 0, Message::bytes(1), 4.0).await?;
            END.execute(ctx).await
        }
    };
    check_bounds(&slow(3), &program);
}

fn check_random(mut system: System, ops: Vec<Op>, eager_bytes: u32) {
    system.protocol.eager_bytes = u64::from(eager_bytes);
    system.protocol.intranode_eager_bytes = u64::from(eager_bytes);
    let ops = unlimited(ops, system.processes);
    check_bounds(&system, &async |ctx: &ProcessCtx<'_>| {
        perform_all(ctx, &ops).await
    });
}

fn eager_bytes() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0_u32), 0..20_000_u32]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(32)))]

    #[test]
    fn no_faster_element_gains_more_than_its_bound(
        system in system().prop_map(without_gaps),
        ops in prop::collection::vec(op(), 0..80),
        eager_bytes in eager_bytes(),
    ) {
        check_random(system, ops, eager_bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    #[ignore = "takes minutes"]
    fn no_faster_element_gains_more_than_its_bound_in_many_programs(
        system in system().prop_map(without_gaps),
        ops in prop::collection::vec(op(), 0..80),
        eager_bytes in eager_bytes(),
    ) {
        check_random(system, ops, eager_bytes);
    }
}
