//! Measures the rows for the engine `local`. Each message is charged with `LogGP`.

use prophet_runtime::{
    ActionPlus, AllReduce, BRecv, BSend, ByMachine, Engine, Message, Model, Network, Outcome,
    ProcessCtx, Simulation, Stopped, System,
};

use crate::event::{LOOP, against_the_loop};
use crate::measure::{Bench, Row, Stopwatch, median, peak_bytes, reset_peak, resident_bytes};

pub(crate) const MODEL: Model = Model::new("Bench", &[], 4);
const SEND: BSend = BSend::new(0, "Send", 1);
const RECV: BRecv = BRecv::new(1, "Recv", 2);
const WORK: ActionPlus = ActionPlus::new(2, "Work", 3);
const SUM: AllReduce = AllReduce::new(3, "Sum", 4);

pub(crate) const LOGGP: Network = Network::LogGp {
    l_s: 2e-6,
    o_s: 1e-6,
    g_s: 0.0,
    gap_per_byte_s: 1e-9,
};

pub(crate) fn rows() -> Vec<Bench> {
    let one_token = |work, program: fn() -> Outcome| {
        Bench::new(work, move |work| {
            Row::ratio(work, LOOP, 2.5, against_the_loop(|| timed(program).0))
        })
    };
    vec![
        one_token("local: ping-pong, one token", || token(2, 1_000_000)),
        one_token("local: a ring of 10,000, one token", || token(10_000, 100)),
        Bench::new("local: wavefront, 32 × 32 ranks, 800 sweeps", |work| {
            rate(work, wavefront)
        }),
        Bench::new("local: allreduce, 4,096 ranks × 100", |work| {
            rate(work, || allreduce(4096, 100))
        }),
        Bench::new("local: one allreduce over 1,048,576 ranks", |work| {
            seconds(work, || allreduce(1 << 20, 1))
        }),
        Bench::new("local: the same, memory", memory),
    ]
}

/// Number of runs. Results are medians.
const RUNS: usize = 5;

/// Returns the time per message and the total time, in seconds.
fn timed(program: impl Fn() -> Outcome) -> (f64, f64) {
    let watch = Stopwatch::start();
    let messages = program().evaluation.messages;
    let seconds = watch.seconds();
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let messages = messages as f64;
    (seconds / messages, seconds)
}

/// Creates a row with a target of 25 million messages per second.
fn rate(work: &str, program: impl Fn() -> Outcome) -> Row {
    const TARGET: f64 = 25.0;
    let millions = 1e-6 / median((0..RUNS).map(|_| timed(&program).0));
    let seen = format!("{millions:.1} M messages/s");
    Row::new(work, "≥ 25 M messages/s", seen, millions >= TARGET)
}

/// Creates a row with a target of 2 seconds.
fn seconds(work: &str, program: impl Fn() -> Outcome) -> Row {
    const TARGET_S: f64 = 2.0;
    let seconds = median((0..RUNS).map(|_| timed(&program).1));
    Row::new(
        work,
        "≤ 2.0 s",
        format!("{seconds:.2} s"),
        seconds <= TARGET_S,
    )
}

/// Measures how many bytes a rank takes.
fn memory(work: &str) -> Row {
    const RANKS: u32 = 1 << 20;
    let before_bytes = resident_bytes();
    reset_peak();
    allreduce(RANKS, 1);
    let bytes = peak_bytes().saturating_sub(before_bytes) / u64::from(RANKS);
    Row::new(
        work,
        "≤ 700 bytes a rank",
        format!("{bytes} bytes"),
        bytes <= 700,
    )
}

fn run<P>(processes: u32, program: P) -> Outcome
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    simulation(processes)
        .run(program)
        .expect("the program ends")
}

/// Creates a simulation with a node for each process.
pub(crate) fn simulation(processes: u32) -> Simulation<'static> {
    let mut system = System::new(processes, 1, processes, 1);
    system.network = LOGGP;
    system.intranode = LOGGP;
    Simulation::new(&MODEL, system).with_engine(Engine::Local)
}

fn token(processes: u32, rounds: u32) -> Outcome {
    run(processes, async |ctx| {
        let (pid, last) = (ctx.pid().0, ctx.num_processes().0 - 1);
        let to = if pid == last { 0 } else { pid + 1 };
        let from = if pid == 0 { last } else { pid - 1 };
        for round in 0..rounds {
            if pid > 0 || round > 0 {
                RECV.execute(ctx, from, Message::any_size(), ByMachine)
                    .await?;
            }
            SEND.execute(ctx, to, Message::bytes(8), ByMachine).await?;
        }
        Ok(())
    })
}

fn wavefront() -> Outcome {
    run(1024, async |ctx| sweeps::<32>(ctx, 800).await)
}

/// Sweeps over a square of processes from each corner in turn.
pub(crate) async fn sweeps<const WIDTH: i64>(
    ctx: &ProcessCtx<'_>,
    sweeps: i64,
) -> Result<(), Stopped> {
    let (x, y) = (ctx.pid().0 % WIDTH, ctx.pid().0 / WIDTH);
    let at = |x: i64, y: i64| {
        ((0..WIDTH).contains(&x) && (0..WIDTH).contains(&y)).then_some(y * WIDTH + x)
    };
    for sweep in 0..sweeps {
        let dx = if sweep % 2 == 0 { 1 } else { -1 };
        let dy = if sweep % 4 < 2 { 1 } else { -1 };
        if let Some(from) = at(x - dx, y) {
            RECV.execute(ctx, from, Message::bytes(700), ByMachine)
                .await?;
        }
        if let Some(from) = at(x, y - dy) {
            RECV.execute(ctx, from, Message::bytes(700), ByMachine)
                .await?;
        }
        WORK.execute(ctx, 3e-6).await?;
        if let Some(to) = at(x + dx, y) {
            SEND.execute(ctx, to, Message::bytes(700), ByMachine)
                .await?;
        }
        if let Some(to) = at(x, y + dy) {
            SEND.execute(ctx, to, Message::bytes(700), ByMachine)
                .await?;
        }
    }
    Ok(())
}

fn allreduce(processes: u32, rounds: u32) -> Outcome {
    run(processes, async |ctx| sums(ctx, rounds).await)
}

pub(crate) async fn sums(ctx: &ProcessCtx<'_>, rounds: u32) -> Result<(), Stopped> {
    for _ in 0..rounds {
        SUM.execute(ctx, 8, ByMachine).await?;
    }
    Ok(())
}

/// Iterates on a torus of processes. Each of them exchanges messages with its four neighbors.
pub(crate) async fn halos(ctx: &ProcessCtx<'_>, width: i64, rounds: i64) -> Result<(), Stopped> {
    let height = ctx.num_processes().0 / width;
    let (x, y) = (ctx.pid().0 % width, ctx.pid().0 / width);
    let at = |dx: i64, dy: i64| {
        let (x, y) = ((x + dx + width) % width, (y + dy + height) % height);
        y * width + x
    };
    for _ in 0..rounds {
        WORK.execute(ctx, 3e-6).await?;
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            SEND.execute(ctx, at(dx, dy), Message::bytes(700), ByMachine)
                .await?;
        }
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            RECV.execute(ctx, at(dx, dy), Message::bytes(700), ByMachine)
                .await?;
        }
    }
    Ok(())
}
