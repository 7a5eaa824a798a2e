//! Tests runs in which the own time of an element is changed.

use prophet_runtime::{
    ActionPlus, AllReduce, BRecv, BSend, Barrier, ByMachine, Engine, Message, Model, NBSend,
    Network, Outcome, ProcessCtx, SendRecv, Simulation, System, Wait,
};

use prophet_runtime::ProcessProgram;

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SEND: BSend = BSend::new(1, "Send", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const SUM: AllReduce = AllReduce::new(3, "Sum", 4);
const MEET: Barrier = Barrier::new(4, "Meet", 5);
const SHIFT: SendRecv = SendRecv::new(5, "Shift", 6);
const BEGIN: NBSend = NBSend::new(6, "Begin", 7);
const WAIT: Wait = Wait::new(7, "Wait", 8);
const MODEL: Model = Model::new("WhatIf", &[], 8);

/// Two processes on a network where 1,000 bytes take 2 s. Messages of more than 10 bytes may have
/// to wait for their receives.
fn system(eager: bool) -> System {
    let mut system = System::new(2, 1, 2, 1);
    system.network = Network::Hockney {
        latency_s: 1.0,
        bytes_per_s: 1000.0,
    };
    system.intranode = system.network;
    if !eager {
        system.protocol.eager_bytes = 10;
    }
    system
}

fn run(eager: bool, engine: Engine, scaled: (u32, f64), program: impl ProcessProgram) -> Outcome {
    Simulation::new(&MODEL, system(eager))
        .with_engine(engine)
        .with_scaled(scaled.0, scaled.1)
        .run(program)
        .unwrap()
}

/// Checks the predicted time with unchanged elements, and with each of these elements at half its
/// own time.
fn check(eager: bool, program: impl ProcessProgram + Copy, as_is_s: f64, halved: &[(u32, f64)]) {
    for engine in [Engine::Event, Engine::Local] {
        let time = |scaled| run(eager, engine, scaled, program).predicted_time_s;
        assert_eq!(time((1, 1.0)).to_bits(), as_is_s.to_bits(), "{engine:?}");
        for (element, expected_s) in halved {
            let halved_s = time((*element, 0.5));
            assert!(
                (halved_s - expected_s).abs() < 1e-12,
                "{element} {halved_s} {engine:?}"
            );
        }
    }
}

#[test]
fn costs_are_scaled_and_waits_are_not() {
    let program = async |ctx: &ProcessCtx<'_>| {
        WORK.execute(ctx, 1.0 + ctx.pid().real()).await?;
        MEET.execute(ctx, 0.5).await?;
        SUM.execute(ctx, 8, 1.5).await
    };
    check(
        true,
        program,
        4.0,
        &[(0, 3.0), (4, 3.75), (3, 3.25), (7, 4.0)],
    );
}

#[test]
fn what_messages_take_is_their_sender_s() {
    let program = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            SEND.execute(ctx, 1, Message::bytes(1000), ByMachine).await
        } else {
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        }
    };
    check(true, program, 2.0, &[(1, 1.0), (2, 2.0)]);
}

#[test]
fn large_messages_too_whoever_comes_first() {
    for (sender_s, receiver_s) in [(3.0, 0.0), (0.0, 3.0)] {
        let program = async move |ctx: &ProcessCtx<'_>| {
            if ctx.pid() == 0 {
                ctx.hold(sender_s).await?;
                SEND.execute(ctx, 1, Message::bytes(1000), ByMachine).await
            } else {
                ctx.hold(receiver_s).await?;
                RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
            }
        };
        check(false, program, 5.0, &[(1, 4.0), (2, 5.0)]);
    }
}

#[test]
fn those_of_exchanges_and_collectives_too() {
    let exchange = async |ctx: &ProcessCtx<'_>| {
        let other = 1 - ctx.pid().0;
        SHIFT
            .execute(ctx, other, other, Message::bytes(1000), ByMachine)
            .await
    };
    check(true, exchange, 2.0, &[(5, 1.0)]);
    check(false, exchange, 2.0, &[(5, 1.0)]);
    let sum = async |ctx: &ProcessCtx<'_>| SUM.execute(ctx, 1000, ByMachine).await;
    check(true, sum, 2.0, &[(3, 1.0)]);
}

#[test]
fn requests_keep_the_element_that_began_them() {
    let program = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            BEGIN
                .execute(ctx, 1, Message::bytes(1000), ByMachine)
                .await?;
            WORK.execute(ctx, 0.5).await?;
            WAIT.execute(ctx).await
        } else {
            ctx.hold(1.0).await?;
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        }
    };
    let time = |element, factor| {
        let scaled = (element, factor);
        run(false, Engine::Event, scaled, program).predicted_time_s
    };
    assert!((time(6, 1.0) - 3.0).abs() < 1e-12);
    assert!((time(6, 0.5) - 2.0).abs() < 1e-12);
    assert!((time(7, 0.5) - 3.0).abs() < 1e-12);
}

#[test]
fn bytes_that_are_moved_are_scaled() {
    let mut system = System::new(1, 1, 1, 1);
    system.memory.bandwidth = Some(100.0);
    let program = async |ctx: &ProcessCtx<'_>| WORK.execute(ctx, 0.0).moving(1000).await;
    for (factor, expected_s) in [(1.0, 10.0), (0.5, 5.0)] {
        let simulation = Simulation::new(&MODEL, system.clone()).with_scaled(0, factor);
        let predicted_s = simulation.run(program).unwrap().predicted_time_s;
        assert!((predicted_s - expected_s).abs() < 1e-12, "{predicted_s}");
    }
}
