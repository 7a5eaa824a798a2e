//! Predicts iterations on a grid with the sample `jacobi2d`, and compares them with MPI programs
//! that are measured on this machine with 1, 2 and 4 processes on two CPUs.

use prophet_calibrate::network::{Fitted, measure};
use prophet_interpreter::Interpreted;
use prophet_runtime::{Network, ProcessCtx, Simulation, System, Value};
use prophet_testing::machine;

use crate::least_squares::{least_squares, power_law};
use crate::measured::{Times, error_table, noise};
use crate::mpi_program::{MpiProgram, TIMEOUT};
use crate::{Errors, Found, Other, Places, Row, interpreted_sample};

const PROGRAM: &str = include_str!("stencil.c");

/// Methods: the program's argument, and the name in the table.
const METHODS: [(&str, &str); 2] = [("gauss-seidel", "block Gauss-Seidel"), ("jacobi", "Jacobi")];
const PROCESSES: [u32; 3] = [1, 2, 4];
/// Number of CPUs that the program binds its processes to, if the machine has them.
const CPUS: usize = 2;
/// Rows of the grids to fit costs to, and of the grids to predict.
const SMALL: [u32; 5] = [64, 96, 128, 192, 256];
const LARGE: [u32; 3] = [512, 768, 1024];
const MESSAGE_MAX: u64 = 8 << 10;

/// The model's costs in addition to the network's bandwidth, fitted to small grids.
#[derive(Debug, Clone, Copy)]
struct Costs {
    cell_s: f64,
    /// Latency of a message, including the context switch if processes share a CPU.
    latency_s: f64,
}

struct Model {
    code: Interpreted,
    bytes_per_s: f64,
    cpus: u32,
}

pub(crate) fn found(places: &Places) -> Result<Found, String> {
    let program = MpiProgram::compile("stencil", PROGRAM)?;
    let model = Model {
        code: interpreted_sample(places, "jacobi2d.uml")?,
        bytes_per_s: bytes_per_s()?,
        cpus: cpus(),
    };
    let mut found = Found::default();
    for (method, name) in METHODS {
        let measured = measured(&program, method)?;
        let (row, details) = compared(&model, name, &measured)?;
        found.rows.push(row);
        found.details += &details;
    }
    found.details += &machine();
    found.details.push('\n');
    Ok(found)
}

/// Measures the bandwidth between two processes with `calibrate network --run`.
fn bytes_per_s() -> Result<f64, String> {
    let fitted = Fitted::new(&measure(None, TIMEOUT)?, None, &(1..=MESSAGE_MAX))?;
    Ok(fitted.bytes_per_s())
}

fn cpus() -> u32 {
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(cpus.min(CPUS)).unwrap_or(1)
}

/// Runs a method twice for each number of processes, one run after the other.
fn measured(program: &MpiProgram, method: &str) -> Result<Vec<[Times; 2]>, String> {
    let sizes = SMALL.iter().chain(&LARGE).map(u32::to_string);
    let arguments: Vec<String> = std::iter::once(method.to_owned()).chain(sizes).collect();
    let run = |processes: u32| program.times(&arguments, processes);
    let firsts: Result<Vec<Times>, String> = PROCESSES.map(run).into_iter().collect();
    let seconds: Result<Vec<Times>, String> = PROCESSES.map(run).into_iter().collect();
    Ok(firsts?.into_iter().zip(seconds?).map(Into::into).collect())
}

/// Compares predictions for the large grids with the measured times.
fn compared(model: &Model, name: &str, runs: &[[Times; 2]]) -> Result<(Row, String), String> {
    let (mut points, mut by_law, mut noises) = (Vec::new(), Errors::default(), 0.0);
    for (&processes, runs) in PROCESSES.iter().zip(runs) {
        let times = runs[0].and(&runs[1]);
        let small = times.of(&SMALL)?;
        let costs = model.costs(processes, &small)?;
        for (n, measured_s) in times.of(&LARGE)? {
            points.push((n, measured_s, model.predict(processes, n, costs)?));
            by_law.extend([(law(&small, n), measured_s)]);
        }
        noises += noise(runs, &LARGE)?;
    }
    let errors = Errors::new(points.iter().map(|it| (it.2, it.1)));
    let row = Row {
        source: "this machine",
        fitted: "N = 64 to 256, for each number of processes (a cell's cost and a latency)",
        naive: Some(Other {
            name: "power law",
            mean: by_law.mean_percent(),
        }),
        ..Row::new(format!("{name}, 1, 2 and 4 processes on 2 CPUs"), &errors)
    };
    let heads = [&format!("{name}, N"), "P=1", "P=2", "P=4"];
    Ok((
        row,
        error_table(&heads, &points, noises / runs.len() as f64),
    ))
}

/// Predicts with a power law in the number of rows, for one number of processes.
fn law(small: &[(u32, f64)], n: u32) -> f64 {
    let place = |n: u32| [std::f64::consts::E, n.into()];
    power_law(small.iter().map(|it| (place(it.0), it.1)), place(n))
}

impl Model {
    /// Fits costs to small grids with the least squared relative errors. A run's time is the sum of
    /// its cells, latencies and bytes; the model says how many of each.
    fn costs(&self, processes: u32, small: &[(u32, f64)]) -> Result<Costs, String> {
        const UNIT_S: f64 = 1e-9;
        let run = |n, cell_s, latency_s| self.predict(processes, n, Costs { cell_s, latency_s });
        let mut equations = Vec::new();
        for &(n, measured_s) in small {
            let bytes_s = run(n, 0.0, 0.0)?;
            let of = |time_s: f64| (time_s - bytes_s) / UNIT_S / measured_s;
            let (cells, latencies) = (of(run(n, UNIT_S, 0.0)?), of(run(n, 0.0, UNIT_S)?));
            equations.push(([cells, latencies], 1.0 - bytes_s / measured_s));
        }
        let both = least_squares(equations.iter().copied());
        if both.iter().all(|it| *it >= 0.0 && it.is_finite()) {
            let [cell_s, latency_s] = both;
            return Ok(Costs { cell_s, latency_s });
        }
        // Without messages, or if they are too fast to measure, only the cells count.
        let alone = equations
            .into_iter()
            .map(|(factors, value)| ([factors[0]], value));
        let [cell_s] = least_squares(alone);
        let latency_s = 0.0;
        Ok(Costs { cell_s, latency_s })
    }

    /// Predicts the seconds of an iteration.
    fn predict(&self, processes: u32, n: u32, costs: Costs) -> Result<f64, String> {
        const ITERATIONS: u32 = 10;
        let mut system = System::new(1, self.cpus, processes, 1);
        let network = Network::Hockney {
            latency_s: costs.latency_s,
            bytes_per_s: self.bytes_per_s,
        };
        (system.network, system.intranode) = (network, network);
        let [n, iterations] = [n, ITERATIONS].map(|it| Value::Int(it.into()));
        system.parameters = vec![n, iterations, Value::Real(costs.cell_s)];
        let simulation = Simulation::new(self.code.model(), system).interpreted();
        let outcome = simulation.run(async |ctx: &ProcessCtx<'_>| self.code.run(ctx).await);
        let outcome = outcome.map_err(|failure| failure.to_string())?;
        Ok(outcome.predicted_time_s / f64::from(ITERATIONS))
    }
}
