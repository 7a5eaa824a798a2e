//! Predicts matrix transpositions from what `calibrate` measures here, and compares them with an
//! MPI program that is measured on this machine with 1, 2 and 4 processes on two CPUs.

use prophet_calibrate::network::{Fitted, measure};
use prophet_runtime::{
    ActionPlus, ByMachine, Message, Model, Network, ProcessCtx, SendRecv, Simulation, Stopped,
    System, Value,
};
use prophet_testing::machine;

use crate::here::{DOUBLE, Here};
use crate::measured::{error_table, noise};
use crate::mpi_program::{MpiProgram, TIMEOUT};
use crate::{Errors, Found, Other, Places, Row};

const PROGRAM: &str = include_str!("transpose.c");

const PROCESSES: [u32; 3] = [1, 2, 4];
const CPUS: u32 = 2;
/// Rows of the matrices, in the middle of L2, of L3, and in memory. In each pair, one number is a
/// power of 2.
const SIZES: [u32; 6] = [200, 256, 500, 512, 2000, 2048];
/// Sizes in bytes of the messages to fit the network to.
const MESSAGES: std::ops::RangeInclusive<u64> = 16 << 10..=4 << 20;

const TRANSPOSE: ActionPlus = ActionPlus::new(0, "Transpose", 1);
const PACK: ActionPlus = ActionPlus::new(1, "Pack", 2);
const EXCHANGE: SendRecv = SendRecv::new(2, "Exchange", 3);
const TAKE: ActionPlus = ActionPlus::new(3, "Take", 4);
const PLACE: ActionPlus = ActionPlus::new(4, "Place", 5);
const MODEL: Model = Model::new("Transposition", &[], 5);

/// Costs of a process's blocks in seconds, and their bytes.
#[derive(Debug, Clone, Copy)]
struct Block {
    own_s: f64,
    packed_s: f64,
    taken_s: f64,
    placed_s: f64,
    moved: i64,
    working_set: i64,
}

pub(crate) fn found(_: &Places) -> Result<Found, String> {
    let program = MpiProgram::compile("transpose", PROGRAM)?;
    let here = Here::measure(program.folder())?;
    let network = Fitted::new(&measure(None, TIMEOUT)?, None, &MESSAGES)?;
    let (mut points, mut naive, mut noises) = (Vec::new(), Errors::default(), 0.0);
    for processes in PROCESSES {
        let run = || program.times(&SIZES.map(|it| it.to_string()), processes);
        let runs = [run()?, run()?];
        noises += noise(&runs, &SIZES)?;
        for (n, measured_s) in runs[0].and(&runs[1]).of(&SIZES)? {
            let predicted_s = predict(&here, &network, processes, n)?;
            points.push((n, measured_s, predicted_s));
            naive.extend([(roofline_s(&here, n)?, measured_s)]);
        }
    }
    let errors = Errors::new(points.iter().map(|it| (it.2, it.1)));
    let row = Row {
        source: "this machine",
        fitted: "nothing (`calibrate node`, `calibrate network`)",
        naive: Some(Other {
            name: "roofline",
            mean: naive.mean_percent(),
        }),
        ..Row::new("transposition, 1, 2 and 4 processes on 2 CPUs", &errors)
    };
    Ok(Found {
        rows: vec![row],
        details: error_table(
            &["N", "P=1", "P=2", "P=4"],
            &points,
            noises / PROCESSES.len() as f64,
        ) + &format!("{}\n", machine()),
    })
}

/// Predicts the time from the memory bandwidth only.
fn roofline_s(here: &Here, n: u32) -> Result<f64, String> {
    let rate = here.node.memory.bandwidth;
    let rate = rate.ok_or("`calibrate node` measures memory")?;
    Ok(2.0 * DOUBLE as f64 * f64::from(n).powi(2) / rate)
}

fn predict(here: &Here, network: &Fitted, processes: u32, n: u32) -> Result<f64, String> {
    const TURNS: i64 = 4;
    let block = block(here, network, processes, n)?;
    let mut system = System::on(here.node.clone(), 1, CPUS, processes, 1);
    let latency = Network::Hockney {
        latency_s: network.one_way_s(0),
        bytes_per_s: network.bytes_per_s(),
    };
    (system.network, system.intranode) = (latency, latency);
    system.parameters = vec![Value::Int(TURNS)];
    let run = Simulation::new(&MODEL, system).run(async |ctx| {
        for _ in 0..TURNS {
            turn(ctx, &block).await?;
        }
        Ok(())
    });
    run.map(|outcome| outcome.predicted_time_s / TURNS as f64)
        .map_err(|failure| failure.to_string())
}

/// Computes the costs of a block with n / P rows and columns. Two of a process's arrays have its
/// rows, and two have a block; all processes write as many bytes before one is written again.
fn block(here: &Here, network: &Fitted, processes: u32, n: u32) -> Result<Block, String> {
    let (rows, n) = (u64::from(n / processes), u64::from(n));
    let cells = rows * rows;
    let bytes = DOUBLE * cells;
    let written = DOUBLE * n * n;
    let working_set = 2 * (DOUBLE * rows * n + bytes);
    let whole = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
    Ok(Block {
        own_s: cells as f64 * here.turned_s(rows, n, written)?,
        packed_s: cells as f64 * here.turned_s(rows, rows, written)?,
        taken_s: bytes as f64 / network.bytes_per_s(),
        placed_s: 2.0 * bytes as f64 / here.nearest()?.core_bandwidth,
        moved: whole(2 * bytes),
        working_set: whole(working_set),
    })
}

/// Runs a transposition. The process that receives a message copies it, as MPI does within a node.
async fn turn(ctx: &ProcessCtx<'_>, block: &Block) -> Result<(), Stopped> {
    let moving = |action: &'static ActionPlus, cost_s| {
        let moving = action.execute(ctx, cost_s).moving(block.moved);
        moving.within(block.working_set)
    };
    moving(&TRANSPOSE, block.own_s).await?;
    let (pid, processes) = (ctx.pid(), ctx.num_processes().0);
    for step in 1..processes {
        moving(&PACK, block.packed_s).await?;
        let (to, from) = (
            (pid + step) % processes,
            (pid + (processes - step)) % processes,
        );
        EXCHANGE
            .execute(ctx, to, from, Message::bytes(0), ByMachine)
            .await?;
        moving(&TAKE, block.taken_s).await?;
        moving(&PLACE, block.placed_s).await?;
    }
    Ok(())
}
