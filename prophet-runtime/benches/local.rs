//! The local engine beside a bare event loop: `cargo bench -p prophet-runtime --bench local`.
//!
//! Each row is timed in turns with the loop, and the median of the ratios is shown. Words after
//! `--` choose rows by parts of their names.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use prophet_runtime::{ActionPlus, AllReduce, BRecv, BSend, ByMachine, Engine, Generator, Message};
use prophet_runtime::{Model, Network, Outcome, ProcessCtx, Simulation, Stopped, System};

const MODEL: Model = Model::new("Bench", &[], 4);
const SEND: BSend = BSend::new(0, "Send", 1);
const RECV: BRecv = BRecv::new(1, "Recv", 2);
const WORK: ActionPlus = ActionPlus::new(2, "Work", 3);
const SUM: AllReduce = AllReduce::new(3, "Sum", 4);

const LOGGP: Network = Network::LogGp {
    l_s: 2e-6,
    o_s: 1e-6,
    g_s: 0.0,
    gap_per_byte_s: 1e-9,
};

/// A program to time.
struct Row {
    name: &'static str,
    /// Runs of it and of the loop, in turns.
    pairs: usize,
    run: fn(Engine) -> Outcome,
}

const ROWS: [Row; 5] = [
    Row {
        name: "ping-pong",
        pairs: 5,
        run: ping_pong,
    },
    Row {
        name: "ring of 10,000",
        pairs: 5,
        run: ring,
    },
    Row {
        name: "wavefront 32 x 32 x 800",
        pairs: 5,
        run: wavefront,
    },
    Row {
        name: "allreduce 4,096 x 100",
        pairs: 3,
        run: allreduce_4096,
    },
    Row {
        name: "allreduce 1,048,576",
        pairs: 3,
        run: allreduce_1m,
    },
];

#[expect(clippy::print_stdout, reason = "the table is the result")]
fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let event = words.iter().any(|word| word == "event");
    words.retain(|word| word != "event" && !word.starts_with("--"));
    println!("row                        engine  M messages/s  s       x the loop  bytes/rank");
    for row in ROWS {
        let named = |word: &String| row.name.contains(word.as_str());
        if !words.is_empty() && !words.iter().any(named) {
            continue;
        }
        println!("{}", measure(&row, Engine::Local));
        if event {
            println!("{}", measure(&row, Engine::Event));
        }
    }
}

fn measure(row: &Row, engine: Engine) -> String {
    let (mut ratios, mut times) = (Vec::new(), Vec::new());
    let (mut messages, mut processes) = (0, 0);
    for _ in 0..row.pairs {
        let loop_rate = rate_of_loop();
        let (outcome, seconds) = timed(|| (row.run)(engine));
        messages = outcome.evaluation.messages;
        processes = outcome.processes.len() as u64;
        times.push(seconds);
        ratios.push(real(messages) / seconds / loop_rate);
    }
    let seconds = median(&mut times);
    // The peak is that of all rows so far: it tells something of the largest.
    let bytes = if processes > 100_000 {
        (peak_memory_bytes() / processes).to_string()
    } else {
        String::new()
    };
    format!(
        "{:<26} {engine:<7} {:<13.1} {seconds:<7.3} {:<11.2} {bytes}",
        row.name,
        real(messages) / seconds / 1e6,
        median(&mut ratios),
    )
}

fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn real(count: u64) -> f64 {
    count as f64
}

/// The seconds of CPU that some work takes, which other programs disturb less than they do the
/// elapsed time.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start_s = cpu_s();
    let result = work();
    (result, cpu_s() - start_s)
}

fn cpu_s() -> f64 {
    // The kernel brings the number up to date when it schedules.
    std::thread::yield_now();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split_whitespace().next();
    nanoseconds.map_or(0.0, |word| word.parse().unwrap_or(0.0)) * 1e-9
}

/// Events per second of a bare heap with 1,000 processes and exponential times.
fn rate_of_loop() -> f64 {
    const EVENTS: u64 = 1_000_000;
    let mut generator = Generator::new(1, 0, 0);
    let mut exponential = || generator.exponential(1.0).expect("a good mean");
    let mut heap: BinaryHeap<Reverse<(u64, u64)>> = (0..1000)
        .map(|process| Reverse((exponential().to_bits(), process)))
        .collect();
    let mut work = || {
        for _ in 0..EVENTS {
            if let Some(Reverse((time, process))) = heap.pop() {
                let next = f64::from_bits(time) + exponential();
                heap.push(Reverse((next.to_bits(), process)));
            }
        }
        heap.len()
    };
    black_box(work());
    let (_, seconds) = timed(|| black_box(work()));
    real(EVENTS) / seconds
}

fn run<P>(processes: u32, engine: Engine, program: P) -> Outcome
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let mut system = System::new(processes, 1, processes, 1);
    system.network = LOGGP;
    system.intranode = LOGGP;
    Simulation::new(&MODEL, system)
        .with_engine(engine)
        .run(program)
        .expect("the program ends")
}

fn ping_pong(engine: Engine) -> Outcome {
    token(2, 2_000_000, engine)
}

fn ring(engine: Engine) -> Outcome {
    token(10_000, 200, engine)
}

/// One message goes round.
fn token(processes: u32, rounds: u32, engine: Engine) -> Outcome {
    run(processes, engine, async |ctx| {
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

const WIDTH: i64 = 32;
const SWEEPS: i64 = 800;

fn wavefront(engine: Engine) -> Outcome {
    run(1024, engine, async |ctx| {
        let (x, y) = (ctx.pid().0 % WIDTH, ctx.pid().0 / WIDTH);
        let at = |x: i64, y: i64| {
            ((0..WIDTH).contains(&x) && (0..WIDTH).contains(&y)).then_some(y * WIDTH + x)
        };
        for sweep in 0..SWEEPS {
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
    })
}

fn allreduce_4096(engine: Engine) -> Outcome {
    allreduce(4096, 100, engine)
}

fn allreduce_1m(engine: Engine) -> Outcome {
    allreduce(1 << 20, 1, engine)
}

fn allreduce(processes: u32, rounds: u32, engine: Engine) -> Outcome {
    run(processes, engine, async |ctx| {
        for _ in 0..rounds {
            SUM.execute(ctx, 8, ByMachine).await?;
        }
        Ok(())
    })
}
