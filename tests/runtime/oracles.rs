//! Tests known answers: the sample model from the paper, and a wavefront. The table of `LogGP`
//! times is in `engines/known.rs`.
#![expect(clippy::float_cmp, reason = "times are exact sums")]

use std::cell::Cell;

use prophet_runtime::{
    ActionPlus, ActivityPlus, AllReduce, BRecv, BSend, ByMachine, Message, Model,
};
use prophet_runtime::{
    Network, NicClocks, Outcome, ProcessCtx, ProcessProgram, Simulation, Stopped, System,
};
use prophet_testing::assert_near;

use crate::ends;

const MODEL: Model = Model::new("Known", &[], 8);

fn run(processes: u32, network: Network, program: impl ProcessProgram) -> Outcome {
    let mut system = System::new(processes, 1, processes, 1);
    system.network = network;
    Simulation::new(&MODEL, system)
        .run(program)
        .expect("the program ends")
}

const A1: ActionPlus = ActionPlus::new(0, "A1", 351_571_381);
const A2: ActionPlus = ActionPlus::new(1, "A2", 1_177_289_997);
const A4: ActionPlus = ActionPlus::new(2, "A4", 1_239_919_776);
const SA: ActivityPlus = ActivityPlus::new(3, "SA", 77);
const SA1: ActionPlus = ActionPlus::new(4, "SA1", 1_863_688_672);
const SA2: AllReduce = AllReduce::new(5, "SA2", 1_031_993_818);

#[derive(Debug, Default)]
struct Globals {
    gv: Cell<i64>,
    p: Cell<f64>,
}

async fn sample(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let globals = Globals::default();
    globals.gv.set(1);
    globals.p.set(314.0 / 100.0);
    A1.execute(ctx, 121.0 / globals.p.get()).await?;
    if globals.gv.get() == 1 {
        SA.execute(ctx, sa(ctx)).await?;
    } else if globals.gv.get() == 0 {
        A2.execute(ctx, 212.0).await?;
    }
    A4.execute(ctx, 314.0 / 100.0 + 2.71 * globals.p.get())
        .await
}

async fn sa(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    SA1.execute(ctx, 112.0).await?;
    let fsa2 = f64::from(32 / (u8::try_from(ctx.pid().0).expect("few") + 1));
    SA2.execute(ctx, 8, fsa2).await
}

#[test]
fn the_sample_model_ends_when_the_paper_says() {
    let simulation = Simulation::new(&MODEL, System::new(1, 4, 4, 1));
    let outcome = simulation.run(sample).expect("the sample ends");
    let ends = ends(&outcome);
    // The table is exact to 1e-9. Sums in the order of the program are equal to the last digit.
    let table = [
        194.184_431_847_133_76,
        178.184_431_847_133_76,
        172.184_431_847_133_76,
        170.184_431_847_133_76,
    ];
    for ((end_s, expected_s), fsa2) in ends.iter().zip(table).zip([32.0, 16.0, 10.0, 8.0]) {
        assert_near(*end_s, expected_s, 1e-9);
        let p = 314.0 / 100.0;
        assert_eq!(*end_s, 121.0 / p + 112.0 + fsa2 + (p + 2.71 * p));
    }
    assert_eq!(outcome.predicted_time_s, ends[0]);
    let elements: Vec<_> = outcome
        .elements
        .iter()
        .map(|element| (&*element.name, &*element.kind, element.count))
        .collect();
    assert_eq!(
        elements,
        [
            ("A1", "action+", 4),
            ("A4", "action+", 4),
            ("SA", "activity+", 4),
            ("SA1", "action+", 4),
            ("SA2", "allreduce", 4)
        ]
    );
    assert_eq!(outcome.elements[4].total_s, 66.0);
    assert_eq!(
        (outcome.elements[2].max_s, outcome.elements[2].mean_s),
        (144.0, 128.5)
    );
    for process in &outcome.processes {
        let parts = process.compute_s + process.communication_s + process.wait_s;
        assert!((parts - process.end_s).abs() < 1e-9);
    }
}

const SEND: BSend = BSend::new(0, "Send", 1);
const RECV: BRecv = BRecv::new(1, "Recv", 2);
const WORK: ActionPlus = ActionPlus::new(5, "Work", 6);

/// Returns how long a rank of the wavefront computes in a sweep, in seconds. The times vary.
fn work_s(rank: i64, sweep: i64) -> f64 {
    let steps = u8::try_from((rank * 7 + sweep * 13) % 11).expect("below 11");
    3e-6 + f64::from(steps) * 1.7e-7
}

const WIDTH: i64 = 7;
const HEIGHT: i64 = 5;
const SWEEPS: i64 = 12;
const BYTES: u64 = 700;

/// Returns the neighbors of a rank in a sweep, in x and y: first those to receive from, and then
/// those to send to.
fn neighbors(rank: i64, sweep: i64) -> [Option<i64>; 4] {
    let (x, y) = (rank % WIDTH, rank / WIDTH);
    let corner = sweep % 4;
    let (dx, dy) = (
        if corner % 2 == 0 { 1 } else { -1 },
        if corner < 2 { 1 } else { -1 },
    );
    let at = |x: i64, y: i64| {
        ((0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y)).then_some(y * WIDTH + x)
    };
    [at(x - dx, y), at(x, y - dy), at(x + dx, y), at(x, y + dy)]
}

async fn wavefront(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let rank = ctx.pid().0;
    for sweep in 0..SWEEPS {
        let [from_x, from_y, to_x, to_y] = neighbors(rank, sweep);
        for from in [from_x, from_y].into_iter().flatten() {
            RECV.execute(ctx, from, Message::any_size(), ByMachine)
                .await?;
        }
        WORK.execute(ctx, work_s(rank, sweep)).await?;
        for to in [to_x, to_y].into_iter().flatten() {
            let bytes = i64::try_from(BYTES).expect("small");
            SEND.execute(ctx, to, Message::bytes(bytes), ByMachine)
                .await?;
        }
    }
    Ok(())
}

/// Computes the recurrence in the specification, rank by rank. Each rank waits only for those
/// before it.
#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "ranks are small"
)]
fn wavefront_ends() -> Vec<f64> {
    let (l, o, g, gap) = (2.3e-6, 1.1e-6, 0.7e-6, 1.3e-9);
    let body = f64::from(BYTES as u32 - 1) * gap;
    let ranks = WIDTH * HEIGHT;
    let mut now = vec![0.0_f64; ranks as usize];
    let mut clocks = vec![NicClocks::default(); ranks as usize];
    let mut arrivals = vec![[0.0; 2]; ranks as usize];
    for sweep in 0..SWEEPS {
        let mut order: Vec<i64> = (0..ranks).collect();
        // From the corner where the sweep starts.
        let corner = order
            .iter()
            .copied()
            .find(|rank| neighbors(*rank, sweep)[..2] == [None, None])
            .expect("there is a corner");
        let distance = |rank: i64| {
            (rank % WIDTH - corner % WIDTH).abs() + (rank / WIDTH - corner / WIDTH).abs()
        };
        order.sort_by_key(|rank| distance(*rank));
        for rank in order {
            let me = rank as usize;
            let neighbors = neighbors(rank, sweep);
            for axis in 0..2 {
                if neighbors[axis].is_some() {
                    let start = now[me].max(arrivals[me][axis]).max(clocks[me].recv_free_s);
                    now[me] = start + o;
                    clocks[me].recv_free_s = start + g + body;
                }
            }
            now[me] += work_s(rank, sweep);
            for axis in 0..2 {
                if let Some(to) = neighbors[2 + axis] {
                    let start = now[me].max(clocks[me].send_free_s);
                    now[me] = start + o;
                    clocks[me].send_free_s = start + g + body;
                    arrivals[to as usize][axis] = ((start + o) + l) + body;
                }
            }
        }
    }
    now
}

#[test]
fn a_wavefront_ends_as_its_recurrence_to_the_last_digit() {
    let network = Network::LogGp {
        l_s: 2.3e-6,
        o_s: 1.1e-6,
        g_s: 0.7e-6,
        gap_per_byte_s: 1.3e-9,
    };
    let processes = u32::try_from(WIDTH * HEIGHT).expect("small");
    let outcome = run(processes, network, wavefront);
    let bits = |ends: Vec<f64>| ends.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(ends(&outcome)), bits(wavefront_ends()));
}
