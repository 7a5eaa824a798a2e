//! Tests the choice of an engine, and the messages about it.

use std::borrow::Cow;

use prophet_runtime::{ActionPlus, BRecv, BSend, ByMachine, Engine, Event, Facility, LoopPlus};
use prophet_runtime::{Mailbox, Message, Outcome, ProcessCtx, ProcessProgram, Stopped, System};

use crate::engines::run_by;

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SEND: BSend = BSend::new(1, "Send", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const LOOP: LoopPlus = LoopPlus::new(3, "Loop", 4);

fn system() -> System {
    System::new(2, 2, 4, 1)
}

fn chosen(system: &System, program: impl ProcessProgram) -> (&'static str, Option<String>) {
    let outcome: Outcome = run_by(Engine::Auto, system, program).expect("the program ends");
    let Cow::Borrowed(engine) = outcome.evaluation.engine else {
        panic!("engines have constant names");
    };
    (engine, outcome.evaluation.why_not_local)
}

fn refusal(system: &System, program: impl ProcessProgram) -> String {
    let run = run_by(Engine::Local, system, program);
    run.expect_err("the local engine cannot").to_string()
}

async fn work(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    WORK.execute(ctx, 1.0).await
}

#[test]
fn a_program_that_only_communicates_is_run_locally() {
    assert_eq!(chosen(&system(), work), ("local", None));
}

#[test]
fn the_system_may_be_for_the_event_engine() {
    let contended = System::new(1, 2, 4, 1);
    let why = "node 0 has 4 processes on 2 CPUs";
    assert_eq!(chosen(&contended, work), ("event", Some(why.to_owned())));
    assert_eq!(
        refusal(&contended, work),
        format!("the local engine cannot run this: {why}")
    );
    let threads = System::new(2, 2, 2, 3);
    let why = "a process has 3 threads";
    assert_eq!(chosen(&threads, work), ("event", Some(why.to_owned())));
    assert_eq!(
        refusal(&threads, work),
        format!("the local engine cannot run this: {why}")
    );
}

#[test]
fn a_program_that_captures_something_is_run_by_events() {
    let seconds = 1.0;
    let (engine, why) = chosen(&system(), async |ctx: &ProcessCtx<'_>| {
        WORK.execute(ctx, seconds).await
    });
    let expected = "processes may share the values that the program captures";
    assert_eq!((engine, why.as_deref()), ("event", Some(expected)));
}

#[test]
fn what_has_to_be_ordered_is_noticed() {
    let why = Some("the program uses facilities, mailboxes or events".to_owned());
    let facility = async |ctx: &ProcessCtx<'_>| {
        let own = Facility::new("own", 1);
        own.use_for(ctx, 1.0).await
    };
    assert_eq!(chosen(&system(), facility), ("event", why.clone()));
    let event = async |ctx: &ProcessCtx<'_>| {
        let own = Event::new("own");
        ctx.hold(1.0).await?;
        own.set(ctx);
        own.wait(ctx).await
    };
    assert_eq!(chosen(&system(), event), ("event", why.clone()));
    let mailbox = async |ctx: &ProcessCtx<'_>| {
        let own = Mailbox::new("own");
        own.send(ctx, 1);
        own.receive(ctx).await.map(|_| ())
    };
    assert_eq!(chosen(&system(), mailbox), ("event", why));

    let shared = Facility::new("shared", 1);
    let refused = refusal(&system(), async |ctx: &ProcessCtx<'_>| {
        shared.use_for(ctx, 1.0).await
    });
    let expected = "the local engine cannot run this: \
                    the program uses facilities, mailboxes or events";
    assert_eq!(refused, expected);
}

#[test]
fn a_wait_that_is_given_up_is_noticed() {
    let (engine, why) = chosen(&system(), async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            crate::engines::poll_once(RECV.execute(ctx, 1, Message::any_size(), ByMachine)).await;
        }
        ctx.hold(1.0).await
    });
    let expected = "the program uses canceled waits";
    assert_eq!((engine, why.as_deref()), ("event", Some(expected)));
}

#[test]
fn failures_are_those_of_the_event_engine() {
    let deadlock = async |ctx: &ProcessCtx<'_>| {
        WORK.execute(ctx, 2.0).await?;
        if ctx.pid() == 0 {
            SEND.execute(ctx, 1, Message::bytes(1), ByMachine).await?;
        }
        let source = (ctx.pid() + 1) & 3;
        RECV.execute(ctx, source, Message::any_size(), ByMachine)
            .await
    };
    let truncated = async |ctx: &ProcessCtx<'_>| {
        let other = 1 ^ ctx.pid();
        SEND.execute(ctx, other, Message::bytes(9), ByMachine)
            .await?;
        RECV.execute(ctx, other, Message::bytes(8), ByMachine).await
    };
    let endless = async |ctx: &ProcessCtx<'_>| {
        // One process never ends, but the failure of another one ends the run anyway.
        while ctx.pid() == 3 {
            ctx.turn(&LOOP)?;
            ctx.hold(1e-9).await?;
        }
        WORK.execute(ctx, -1.0).await
    };
    let turning = async |ctx: &ProcessCtx<'_>| {
        loop {
            ctx.turn(&LOOP)?;
        }
    };
    let overflow = async |ctx: &ProcessCtx<'_>| {
        WORK.execute(ctx, f64::MAX).await?;
        WORK.execute(ctx, f64::MAX).await
    };
    macro_rules! same {
        ($($program:ident)*) => {$(
            let event = run_by(Engine::Event, &system(), $program).unwrap_err();
            for engine in [Engine::Auto, Engine::Local] {
                let failure = run_by(engine, &system(), $program).unwrap_err();
                assert_eq!(failure, event, "{}", stringify!($program));
            }
        )*};
    }
    same!(deadlock truncated endless turning overflow);
}
