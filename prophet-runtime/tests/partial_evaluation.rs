//! Checks partial evaluation: the memory of a run must not grow with simulated time.

use prophet_runtime::{
    ANY, ActionPlus, AllReduce, BRecv, BSend, ByMachine, Engine, Facility, Int, Mailbox, Message,
    Model, NBRecv, NBSend, Parallel, ProcessCtx, Simulation, Stopped, System, Threads, Wait,
    iterations,
};
use prophet_testing::skip;

const MODEL: Model = Model::new("Partial", &[], 9);
const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SEND: BSend = BSend::new(1, "Send", 2);
const LATER: NBSend = NBSend::new(2, "Later", 3);
const RECV: BRecv = BRecv::new(3, "Receive", 4);
const POST: NBRecv = NBRecv::new(4, "Post", 5);
const WAIT: Wait = Wait::new(5, "Wait", 6);
const SUM: AllReduce = AllReduce::new(6, "Sum", 7);
const TEAM: Parallel = Parallel::new(7, "Team", 8);
const DRAW: ActionPlus = ActionPlus::new(8, "Draw", 9);

const PROCESSES: u32 = 8;
/// How many times as long the longer run is.
const TIMES: i64 = 100;

/// Returns the peak of resident memory so far in bytes, or `None` if the system doesn't report it.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = { status.lines() }.find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// Exchanges messages with both neighbors through requests, and then computes a sum over all
/// processes.
async fn halo(ctx: &ProcessCtx<'_>, turns: i64) -> Result<(), Stopped> {
    let (pid, last) = (ctx.pid(), ctx.num_processes() - 1);
    for _ in iterations(turns) {
        for other in [pid - 1, pid + 1] {
            if (Int(0)..=last).contains(&other) {
                let message = || Message::bytes(1000);
                POST.execute(ctx, other, message(), ByMachine).await?;
                LATER.execute(ctx, other, message(), ByMachine).await?;
            }
        }
        DRAW.execute(ctx, ctx.stream(&DRAW).exponential(1e-5)?)
            .await?;
        WAIT.execute(ctx).await?;
        SUM.execute(ctx, 8, ByMachine).await?;
    }
    Ok(())
}

/// A pipeline whose first process never waits for the others.
async fn pipeline(ctx: &ProcessCtx<'_>, turns: i64) -> Result<(), Stopped> {
    let (pid, last) = (ctx.pid(), ctx.num_processes() - 1);
    for _ in iterations(turns) {
        if pid > 0 {
            RECV.execute(ctx, pid - 1, Message::bytes(100), ByMachine)
                .await?;
        }
        WORK.execute(ctx, 1e-6).await?;
        if pid < last {
            SEND.execute(ctx, pid + 1, Message::bytes(100), ByMachine)
                .await?;
        }
    }
    Ok(())
}

/// A master that serves any worker, with values in the messages.
async fn master(ctx: &ProcessCtx<'_>, turns: i64) -> Result<(), Stopped> {
    if ctx.pid() == 0 {
        for _ in iterations(turns * (i64::from(PROCESSES) - 1)) {
            let asked = RECV
                .execute(ctx, ANY, Message::any_size(), ByMachine)
                .received()
                .await?;
            let answer = Message::bytes(8);
            let sent = SEND.execute(ctx, asked.source(), answer, ByMachine);
            sent.value(asked.int(ctx)? + 1).await?;
        }
        return Ok(());
    }
    for turn in iterations(turns) {
        SEND.execute(ctx, 0, Message::bytes(8), ByMachine)
            .value(turn)
            .await?;
        let answer = RECV
            .execute(ctx, 0, Message::bytes(8), ByMachine)
            .received()
            .await?;
        assert_eq!(answer.int(ctx)?, turn + 1);
        DRAW.execute(ctx, ctx.stream(&DRAW).uniform(1e-6, 2e-6)?)
            .await?;
    }
    Ok(())
}

async fn teams(ctx: &ProcessCtx<'_>, turns: i64) -> Result<(), Stopped> {
    for _ in iterations(turns) {
        let work = async |ctx: &ProcessCtx<'_>| WORK.execute(ctx, 1e-6).await;
        TEAM.execute(ctx, Threads::Default, work).await?;
    }
    Ok(())
}

/// Returns the peak memory after a run of `turns` turns. An earlier run may have reached that peak.
fn peak_of(
    engine: Engine,
    system: &System,
    turns: i64,
    program: &impl AsyncFn(&ProcessCtx<'_>, i64) -> Result<(), Stopped>,
) -> Option<u64> {
    let simulation = Simulation::new(&MODEL, system.clone()).with_engine(engine);
    let outcome = simulation.run(async |ctx| program(ctx, turns).await);
    assert!(outcome.is_ok(), "{outcome:?}");
    peak_bytes()
}

/// Checks that a run takes at most a tenth more memory than one with a hundredth of the turns.
fn check(
    name: &str,
    (engine, system): (Engine, &System),
    turns: i64,
    program: &impl AsyncFn(&ProcessCtx<'_>, i64) -> Result<(), Stopped>,
) {
    let short = peak_of(engine, system, turns / TIMES, program);
    let long = peak_of(engine, system, turns, program);
    let (Some(short), Some(long)) = (short, long) else {
        skip("this system does not tell how much memory is resident");
        return;
    };
    assert!(
        long <= short + short / 10,
        "{name} {engine}: {short} bytes, then {long}"
    );
}

/// Checks runs of each kind that make `turns` turns.
fn check_all(turns: i64) {
    let apart = System::new(PROCESSES, 1, PROCESSES, 1);
    for engine in [Engine::Local, Engine::Event] {
        check("halo", (engine, &apart), turns, &halo);
        check("pipeline", (engine, &apart), turns, &pipeline);
    }
    check("master", (Engine::Event, &apart), turns, &master);
    check(
        "teams",
        (Engine::Event, &System::new(1, 4, 1, 4)),
        turns,
        &teams,
    );
    let (desk, orders) = (Facility::new("desk", 2), Mailbox::new("orders"));
    let customers = async |ctx: &ProcessCtx<'_>, turns: i64| {
        for turn in iterations(turns) {
            if ctx.pid() == 0 {
                for _ in 1..PROCESSES {
                    orders.receive(ctx).await?;
                }
            } else {
                desk.use_for(ctx, 1e-6).await?;
                orders.send(ctx, turn.0);
            }
        }
        Ok(())
    };
    check("customers", (Engine::Event, &apart), turns, &customers);
}

#[test]
fn memory_does_not_grow_with_simulated_time() {
    check_all(2_000);
}

#[test]
#[ignore = "it takes minutes: some 10^8 events of each kind"]
fn memory_does_not_grow_with_a_hundred_million_events() {
    check_all(4_000_000);
}
