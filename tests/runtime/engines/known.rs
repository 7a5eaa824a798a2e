//! Tests known answers in both engines: the table of `LogGP` times, a wavefront, and a flood.

use prophet_runtime::{ActionPlus, AllReduce, BRecv, BSend, Barrier, Broadcast, ByMachine};
use prophet_runtime::{Message, Network, Outcome, ProcessCtx, ProcessProgram, Stopped, System};

use crate::engines::run_by_both;

const SEND: BSend = BSend::new(0, "Send", 1);
const RECV: BRecv = BRecv::new(1, "Recv", 2);
const SPREAD: Broadcast = Broadcast::new(2, "Spread", 3);
const SUM: AllReduce = AllReduce::new(3, "Sum", 4);
const MEET: Barrier = Barrier::new(4, "Meet", 5);
const WORK: ActionPlus = ActionPlus::new(5, "Work", 6);

/// Runs a program with a node for each process. L = 2 us, o = 1 us, g = 0, and G = 1 ns.
fn run(processes: u32, program: &impl ProcessProgram) -> Outcome {
    let mut system = System::new(processes, 1, processes, 1);
    system.network = Network::LogGp {
        l_s: 2e-6,
        o_s: 1e-6,
        g_s: 0.0,
        gap_per_byte_s: 1e-9,
    };
    run_by_both(&system, program)
}

fn assert_ns(outcome: &Outcome, expected_ns: f64) {
    let predicted_ns = outcome.predicted_time_s * 1e9;
    let error = (predicted_ns - expected_ns).abs() / expected_ns;
    assert!(error < 1e-9, "{predicted_ns} ns, not {expected_ns} ns");
}

#[test]
fn ping_pong() {
    let outcome = run(2, &async |ctx| {
        let other = 1 - ctx.pid().0;
        let message = Message::bytes(8);
        for _ in 0..50_000 {
            if ctx.pid() == 0 {
                SEND.execute(ctx, other, message, ByMachine).await?;
                RECV.execute(ctx, other, message, ByMachine).await?;
            } else {
                RECV.execute(ctx, other, message, ByMachine).await?;
                SEND.execute(ctx, other, message, ByMachine).await?;
            }
        }
        Ok(())
    });
    assert_ns(&outcome, 400_700_000.0);
    assert_eq!(outcome.evaluation.messages, 100_000);
}

#[test]
fn binomial_broadcast() {
    for (processes, expected_ns) in [(8, 12_021.0), (64, 24_042.0), (1024, 40_070.0)] {
        let outcome = run(processes, &async |ctx| {
            SPREAD.execute(ctx, 3, 8, ByMachine).await
        });
        assert_ns(&outcome, expected_ns);
        assert_eq!(outcome.evaluation.messages, u64::from(processes) - 1);
    }
}

#[test]
fn recursive_doubling() {
    for (processes, expected_ns) in [(64, 12_404_200.0), (256, 13_205_600.0)] {
        let outcome = run(processes, &async |ctx| {
            for _ in 0..100 {
                WORK.execute(ctx, 1e-4).await?;
                SUM.execute(ctx, 8, ByMachine).await?;
            }
            Ok(())
        });
        assert_ns(&outcome, expected_ns);
    }
}

#[test]
fn dissemination_barrier() {
    for (processes, expected_ns) in [(64, 24_000.0), (1000, 40_000.0)] {
        let outcome = run(processes, &async |ctx| MEET.execute(ctx, ByMachine).await);
        assert_ns(&outcome, expected_ns);
    }
}

/// A wavefront from alternating corners with uneven work.
async fn wavefront(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    const WIDTH: i64 = 9;
    const HEIGHT: i64 = 6;
    let rank = ctx.pid().0;
    let (x, y) = (rank % WIDTH, rank / WIDTH);
    let at = |x: i64, y: i64| {
        ((0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y)).then_some(y * WIDTH + x)
    };
    for sweep in 0..40 {
        let (dx, dy) = (1 - 2 * (sweep % 2), 1 - 2 * (sweep / 2 % 2));
        for from in [at(x - dx, y), at(x, y - dy)].into_iter().flatten() {
            RECV.execute(ctx, from, Message::bytes(700), ByMachine)
                .await?;
        }
        WORK.execute(ctx, ctx.stream(&WORK).exponential(1e-5))
            .await?;
        for to in [at(x + dx, y), at(x, y + dy)].into_iter().flatten() {
            SEND.execute(ctx, to, Message::bytes(700), ByMachine)
                .await?;
        }
    }
    Ok(())
}

#[test]
fn a_wavefront() {
    let outcome = run(54, &wavefront);
    assert_eq!(outcome.evaluation.messages, 40 * (8 * 6 + 9 * 5));
}

#[test]
fn a_flood_of_messages_waits_for_its_receiver() {
    const MESSAGES: i64 = 100_000;
    let outcome = run(3, &async |ctx| {
        let message = Message::bytes(1);
        for round in 0..MESSAGES {
            match ctx.pid().0 {
                0 => {
                    RECV.execute(ctx, 1, message.tag(round % 5), ByMachine)
                        .await?;
                    WORK.execute(ctx, 1e-6).await?;
                    RECV.execute(ctx, 2, message, ByMachine).await?;
                }
                1 => {
                    SEND.execute(ctx, 0, message.tag(round % 5), ByMachine)
                        .await?;
                }
                _ => SEND.execute(ctx, 0, message, ByMachine).await?,
            }
        }
        Ok(())
    });
    assert_eq!(outcome.elements[1].count, 200_000);
}
