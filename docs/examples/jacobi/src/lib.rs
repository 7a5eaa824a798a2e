//! Predicts Jacobi's method on a grid of cells. Written by hand, as the twin of
//! `sample-models/jacobi2d.uml`.

use prophet_runtime::{
    ActionPlus, AllReduce, BRecv, ByMachine, Int, LoopPlus, Message, Model, NBSend, Parameter,
    ProcessCtx, Repeat, Stopped, Value,
};

/// Description of the workload: its name, what a user can set, the number of its elements.
pub const MODEL: Model = Model::new(
    "JacobiByHand",
    &[
        Parameter::new("N", Value::Int(1024)),
        Parameter::new("ITERATIONS", Value::Int(100)),
        Parameter::new("T_CELL", Value::Real(2e-9)),
    ],
    11,
);

// The arguments are an element's index, name and id.
const ITERATE: LoopPlus = LoopPlus::new(0, "Iterate", 1);
const UPDATE: ActionPlus = ActionPlus::new(1, "Update", 2);
const RESIDUAL: AllReduce = AllReduce::new(2, "Residual", 3);
static SIDES: [Side; 4] = [
    Side::new(
        1,
        NBSend::new(3, "SendWest", 4),
        BRecv::new(7, "ReceiveWest", 8),
    ),
    Side::new(
        2,
        NBSend::new(4, "SendEast", 5),
        BRecv::new(8, "ReceiveEast", 9),
    ),
    Side::new(
        3,
        NBSend::new(5, "SendNorth", 6),
        BRecv::new(9, "ReceiveNorth", 10),
    ),
    Side::new(
        4,
        NBSend::new(6, "SendSouth", 7),
        BRecv::new(10, "ReceiveSouth", 11),
    ),
];

/// A side of a block. Its number is the tag of messages that are sent across it.
struct Side {
    number: i64,
    send: NBSend,
    receive: BRecv,
}

impl Side {
    const fn new(number: i64, send: NBSend, receive: BRecv) -> Self {
        Self {
            number,
            send,
            receive,
        }
    }

    /// Returns the number of the neighbor's side at the same edge: its east is at this block's
    /// west.
    fn opposite(&self) -> i64 {
        ((self.number - 1) ^ 1) + 1
    }
}

/// Runs one process of the workload.
///
/// # Errors
///
/// Returns [`Stopped`] if the run can't continue; the simulation knows the reason.
pub async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let block = Block::of(ctx);
    let mut iterations = Repeat::new(&ITERATE, ctx.int_parameter(1));
    while iterations.next(ctx, &[]).await? {
        for (side, edge) in block.edges() {
            let message = Message::bytes(edge.bytes).tag(side.number);
            let send = side.send.execute(ctx, edge.neighbor, message, ByMachine);
            send.await?;
        }
        for (side, edge) in block.edges() {
            let message = Message::bytes(edge.bytes).tag(side.opposite());
            let receive = side.receive.execute(ctx, edge.neighbor, message, ByMachine);
            receive.await?;
        }
        UPDATE.execute(ctx, block.update_s).await?;
        RESIDUAL.execute(ctx, 8, ByMachine).await?;
    }
    Ok(())
}

/// The cells of one process.
struct Block {
    /// Edges in the west, east, north and south; `None` at the border of the grid.
    edges: [Option<Edge>; 4],
    /// Time to compute all cells once, in seconds.
    update_s: f64,
}

/// An edge of a block.
#[derive(Clone, Copy)]
struct Edge {
    neighbor: i64,
    bytes: i64,
}

impl Block {
    /// Returns the block of this process. The grid is divided into blocks that are nearly square.
    fn of(ctx: &ProcessCtx<'_>) -> Self {
        let (pid, processes) = (ctx.pid().0, ctx.num_processes().0);
        let across = columns_of(processes);
        let down = processes / across;
        let (x, y) = (pid % across, pid / across);
        let cells = ctx.int_parameter(0).0;
        let (columns, rows) = (share(cells, across, x), share(cells, down, y));
        let edge = |exists: bool, neighbor, cells| {
            let bytes = 8 * cells;
            exists.then_some(Edge { neighbor, bytes })
        };
        Self {
            edges: [
                edge(x > 0, pid - 1, rows),
                edge(x < across - 1, pid + 1, rows),
                edge(y > 0, pid - across, columns),
                edge(y < down - 1, pid + across, columns),
            ],
            update_s: Int(rows * columns).real() * ctx.real_parameter(2),
        }
    }

    /// Iterates over the edges that exist, with their sides.
    fn edges(&self) -> impl Iterator<Item = (&'static Side, Edge)> {
        let edges = SIDES.iter().zip(self.edges);
        edges.filter_map(|(side, edge)| Some((side, edge?)))
    }
}

/// Returns the largest divisor that isn't greater than the square root.
fn columns_of(processes: i64) -> i64 {
    let divisors = (1..=processes).take_while(|it| it * it <= processes);
    let columns = divisors.filter(|it| processes % it == 0).last();
    columns.unwrap_or(1)
}

/// Returns how many cells a part gets. If they can't be divided evenly, the first parts get one
/// more.
fn share(cells: i64, parts: i64, index: i64) -> i64 {
    cells / parts + i64::from(index < cells % parts)
}
