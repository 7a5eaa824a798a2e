//! Tests that the sample `sweep3d` sends the same messages as the benchmark, takes the time that
//! the formula for wavefronts gives, and predicts what its page shows.

use std::collections::BTreeMap;

use expect_test::expect_file;
use prophet_runtime::{Engine, Machine, Network, Outcome, Simulation, System, Trace, Value};
use prophet_testing::assert_near;
use prophet_tests::root;
use prophet_tests::samples::sweep3d;
use prophet_trace::{Role, TraceReader};

/// Input of the benchmark: cells, the numbers of angles and planes in a block, and the grid of
/// processes.
#[derive(Debug, Clone, Copy)]
struct Input {
    cells: [u32; 3],
    mmi: u32,
    mk: u32,
    grid: [u32; 2],
}

impl Input {
    const ITERATIONS: u32 = 12;
    const ANGLES: u32 = 6;

    /// The benchmark's original input for a cube with `edge` cells along each edge.
    fn cube(edge: u32, grid: [u32; 2]) -> Self {
        Self {
            cells: [edge; 3],
            mmi: 3,
            mk: 10,
            grid,
        }
    }

    /// Returns the system for this input: a part of the machine with a process for each place in
    /// the grid.
    fn on(self, machine: Machine) -> System {
        let processes = self.grid[0] * self.grid[1];
        let mut system = System::on(machine, processes, 1, processes, 1);
        let [it, jt, kt] = self.cells;
        let (mmi, mk, columns) = (self.mmi, self.mk, self.grid[0]);
        let all = [it, jt, kt, Self::ANGLES, mmi, mk, columns, Self::ITERATIONS];
        system.parameters = all.map(|it| Value::Int(it.into())).to_vec();
        system
    }

    fn blocks(self) -> u32 {
        Self::ANGLES / self.mmi * self.cells[2].div_ceil(self.mk)
    }

    /// Returns the numbers of steps in an iteration: blocks in all octants, and steps of the waves
    /// across the grid of processes in both directions.
    fn steps(self) -> [u32; 3] {
        let [columns, rows] = self.grid;
        [8 * self.blocks(), 2 * (columns - 1), 4 * (rows - 1)]
    }
}

/// Input of the trace from 2009.
const REAL: Input = Input {
    cells: [150; 3],
    mmi: 6,
    mk: 10,
    grid: [2, 2],
};

fn pti_cluster() -> Machine {
    Machine::preset("pti-cluster").expect("there is one of that name")
}

fn run(system: System, engine: Engine) -> Outcome {
    let simulation = Simulation::new(&sweep3d::MODEL, system).with_engine(engine);
    let outcome = simulation.run(sweep3d::program);
    outcome.unwrap_or_else(|failure| panic!("{failure}"))
}

fn count(outcome: &Outcome, name: &str) -> u64 {
    let element = outcome.elements.iter().find(|it| it.name == name);
    element.expect("it is executed").count
}

/// Returns how many messages of each size each process sends. The keys are pid and bytes.
fn sent(system: System) -> BTreeMap<(u32, u64), u64> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("trace.arrow");
    let mut trace = Trace::new(&path);
    let simulation = Simulation::new(&sweep3d::MODEL, system);
    let outcome = simulation.run_traced(sweep3d::program, &mut trace);
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    trace.written().expect("there is room for the trace");
    let mut reader = TraceReader::open(&path).expect("it is a trace");
    let (mut sent, mut rows) = (BTreeMap::new(), Vec::new());
    while reader.next_batch(&mut rows).expect("it is whole") {
        // Only messages of collectives have no tag.
        let sends = rows.iter().filter(|row| row.role() == Some(Role::Send));
        for row in sends.filter(|row| row.message_tag().is_some()) {
            let bytes = row.size_bytes().expect("a message has a size");
            *sent.entry((row.pid, bytes)).or_default() += 1;
        }
        rows.clear();
    }
    sent
}

#[test]
fn each_process_sends_what_the_real_trace_says() {
    let expected = (0..4).map(|pid| ((pid, 36_000), 1_440));
    assert_eq!(sent(REAL.on(pti_cluster())), expected.collect());
}

/// Compares with numbers in the outputs that are distributed with the benchmark.
#[test]
fn messages_and_blocks_are_those_of_the_benchmark() {
    let cube = |edge, mmi, mk| Input {
        cells: [edge; 3],
        mmi,
        mk,
        grid: [2, 3],
    };
    for (input, blocks, messages) in [(cube(50, 3, 10), 10, 560), (cube(150, 2, 30), 15, 840)] {
        let outcome = run(input.on(pti_cluster()), Engine::Auto);
        let iterations = u64::from(Input::ITERATIONS);
        let sends = count(&outcome, "ToI") + count(&outcome, "ToJ");
        assert_eq!(sends, iterations * messages);
        assert_eq!(
            count(&outcome, "FromI") + count(&outcome, "FromJ"),
            iterations * messages
        );
        assert_eq!(count(&outcome, "Work"), 6 * iterations * 8 * blocks);
    }
}

/// A machine on which only blocks take time: one second per element of an array with one index. A
/// cell has 15 of these at each angle.
fn slow() -> Machine {
    let mut machine = pti_cluster();
    for opcode in sweep3d::MODEL.opcodes {
        machine.prices.set(opcode.name, 0.0);
    }
    machine.prices.set("ARD1", 1.0);
    machine
}

/// A. Hoisie, O. Lubeck, H. Wasserman: Performance and Scalability Analysis of Teraflop-Scale
/// Parallel Architectures Using Multidimensional Wavefront Applications (2000). The formula
/// consists of the blocks of all octants, and the steps of the waves across the grid.
#[test]
fn the_pipeline_takes_the_time_of_its_formula() {
    let (latency_s, bytes_per_s) = (0.5, 1e4);
    for (cells, grid) in [
        ([48, 48, 50], [4, 4]),
        ([48, 48, 40], [2, 3]),
        ([48, 48, 50], [6, 2]),
        ([48, 48, 50], [1, 4]),
        ([48, 48, 50], [1, 1]),
    ] {
        let input = Input {
            cells,
            ..Input::cube(0, grid)
        };
        let mut system = input.on(slow());
        system.network = Network::Hockney {
            latency_s,
            bytes_per_s,
        };
        for choice in ["allreduce=analytic", "barrier=analytic"] {
            system.algorithms.choose(choice).expect("it fits");
        }
        let processes = f64::from(system.processes);
        let found = run(system, Engine::Auto).predicted_time_s;
        let lines = [cells[0] / grid[0], cells[1] / grid[1]].map(f64::from);
        let face = f64::from(input.mmi * input.mk);
        let work_s = 15.0 * face * lines[0] * lines[1];
        let [along_i_s, along_j_s] =
            [lines[1], lines[0]].map(|line| latency_s + 8.0 * face * line / bytes_per_s);
        let [blocks, hops_i, hops_j] = input.steps().map(f64::from);
        let sweep_s = (blocks + hops_i + hops_j) * work_s + hops_i * along_i_s + hops_j * along_j_s;
        // Each iteration ends with two allreduces with recursive doubling, and the run ends with a
        // barrier.
        let pairs = processes.log2().floor();
        let odd = f64::from(u8::from(processes.log2() > pairs));
        let reduce_s = (pairs + 2.0 * odd) * (2.0 * latency_s + 12.0 / bytes_per_s);
        let expected = 12.0 * (sweep_s + reduce_s) + (pairs + odd) * latency_s;
        assert_near(found, expected, 1e-9);
    }
}

/// Compares with the share of steps in which a process works, as the benchmark prints it.
#[test]
fn the_pipeline_is_as_efficient_as_the_benchmark_says() {
    for (input, percent) in [
        (Input::cube(50, [2, 3]), 88.89),
        (
            Input {
                mmi: 2,
                mk: 30,
                ..Input::cube(150, [2, 3])
            },
            92.31,
        ),
    ] {
        // The cells can be divided equally among all processes.
        let cells = [48, 48, input.cells[2]];
        let mut system = Input { cells, ..input }.on(slow());
        system.network = Network::Hockney {
            latency_s: 0.0,
            bytes_per_s: f64::MAX,
        };
        let outcome = run(system, Engine::Auto);
        let busy_s = outcome.processes[0].compute_s;
        let found = 100.0 * busy_s / outcome.predicted_time_s;
        assert!(
            (found - percent).abs() <= 0.005,
            "{found} and not {percent}"
        );
    }
}

/// With `LogGP`, each block of a process inside the grid includes the cost of four messages.
#[test]
fn the_formula_is_near_with_overheads() {
    for (edge, grid) in [(50, [4, 4]), (200, [4, 4]), (150, [2, 2])] {
        let input = Input::cube(edge, grid);
        let machine = pti_cluster();
        let Network::LogGp { o_s, .. } = input.on(machine.clone()).network else {
            panic!("it is LogGP");
        };
        let outcome = run(input.on(machine), Engine::Auto);
        let element = |name| outcome.elements.iter().find(|it| it.name == name);
        let of = |name| element(name).expect("it is executed").max_s;
        let [blocks, hops_i, hops_j] = input.steps().map(f64::from);
        let steps_s = (blocks + hops_i + hops_j) * (of("Work") + 4.0 * o_s);
        let expected = 12.0 * (steps_s + of("Source") + of("Change"));
        assert_near(outcome.predicted_time_s, expected, 0.02);
    }
}

fn page() -> String {
    let page = root().join("sample-models/sweep3d.md");
    std::fs::read_to_string(page).expect("there is a page")
}

/// Returns the numbers in a row of a table, except in its first cell.
fn numbers(row: &str) -> Vec<f64> {
    let cells = row.trim_matches('|').split('|').skip(1);
    cells.filter_map(|it| it.trim().parse().ok()).collect()
}

#[test]
fn the_page_shows_the_predictions() {
    let page = page();
    let grids = [[1, 1], [1, 2], [2, 2], [2, 4], [4, 4]];
    for edge in [50, 100, 150, 200] {
        let head = format!("| {edge}³ ");
        let row = page.lines().find(|line| line.starts_with(&head));
        let shown = numbers(row.expect("the table has a row for it"));
        let predicted = grids.map(|grid| {
            let outcome = run(Input::cube(edge, grid).on(pti_cluster()), Engine::Auto);
            (10.0 * outcome.predicted_time_s).round() / 10.0
        });
        assert_eq!(shown, predicted, "{edge}³");
    }
}

#[test]
fn the_page_draws_its_machine() {
    let page = page();
    let (_, file) = page
        .split_once("<!-- file myrinet.toml -->")
        .expect("it has the file");
    let text = file
        .split("```")
        .nth(1)
        .and_then(|it| it.strip_prefix("toml\n"));
    let machine = Machine::parse(text.expect("it is TOML"), "myrinet.toml").expect("it is right");
    assert_eq!(machine.prices.iter().count(), sweep3d::MODEL.opcodes.len());
    for (name, price_s) in machine.prices.iter() {
        assert_eq!(pti_cluster().prices.get(name), Some(price_s), "{name}");
    }
    let picture = machine.draw().expect("it has links");
    expect_file!["../../sample-models/sweep3d-network.svg"].assert_eq(&picture);
}
