//! Tests that the sample `wavefront` follows the recurrence of `LogGP` and its own closed form.

use prophet_runtime::{Engine, Network, Outcome, Simulation, System, Value};
use prophet_tests::samples::wavefront;

const COLUMNS: i64 = 9;
const ROWS: i64 = 6;
const SWEEPS: i64 = 40;

fn rank(x: i64, y: i64) -> Option<usize> {
    let inside = (0..COLUMNS).contains(&x) && (0..ROWS).contains(&y);
    inside.then(|| usize::try_from(y * COLUMNS + x).expect("it is on the grid"))
}

/// Computes the recurrence of `LogGP` for each sweep and rank, with L = 2 us, o = 1 us, g = 3 us, G
/// = 6 ns and messages of 700 bytes. A rank receives before it sends.
fn recurrence() -> Vec<f64> {
    const L: f64 = 2e-6;
    const O: f64 = 1e-6;
    const G: f64 = 3e-6;
    const BODY: f64 = 699.0 * 6e-9;
    let ranks = usize::try_from(COLUMNS * ROWS).expect("it is small");
    let (mut now, mut sends, mut receives) = (vec![0.0; ranks], vec![0.0; ranks], vec![0.0; ranks]);
    for sweep in 0..SWEEPS {
        let (dx, dy) = (1 - 2 * (sweep % 2), 1 - 2 * (sweep / 2 % 2));
        // When messages of this sweep arrive: from the left or right, and from above or below.
        let mut arrival = vec![[0.0; 2]; ranks];
        let along = |n: i64, step: i64, i: i64| if step > 0 { i } else { n - 1 - i };
        for i in 0..ROWS {
            for j in 0..COLUMNS {
                let (x, y) = (along(COLUMNS, dx, j), along(ROWS, dy, i));
                let Some(me) = rank(x, y) else { continue };
                let mut time: f64 = now[me];
                for (side, from) in [rank(x - dx, y), rank(x, y - dy)].into_iter().enumerate() {
                    if from.is_some() {
                        let start = time.max(arrival[me][side]).max(receives[me]);
                        time = start + O;
                        receives[me] = start + G + BODY;
                    }
                }
                let pid = y * COLUMNS + x;
                let uneven = u32::try_from((pid * 7 + sweep * 3) % 11).expect("below 11");
                time += 1.0e-5 + 1.0e-7 * f64::from(uneven);
                for (side, to) in [rank(x + dx, y), rank(x, y + dy)].into_iter().enumerate() {
                    if let Some(to) = to {
                        let start = time.max(sends[me]);
                        time = start + O;
                        sends[me] = start + G + BODY;
                        arrival[to][side] = start + O + L + BODY;
                    }
                }
                now[me] = time;
            }
        }
    }
    now
}

fn run(system: &System, engine: Engine) -> Outcome {
    let simulation = Simulation::new(&wavefront::MODEL, system.clone()).with_engine(engine);
    let outcome = simulation.run(wavefront::program);
    outcome.unwrap_or_else(|failure| panic!("{failure}"))
}

fn system(processes: u32, sweeps: i64, t_uneven: f64) -> System {
    let mut system = System::new(processes, 1, processes, 1);
    let reals = [1e-5, t_uneven].map(Value::Real);
    system.parameters = [sweeps, 700]
        .map(Value::Int)
        .into_iter()
        .chain(reals)
        .collect();
    system
}

/// Compares all digits, in both engines.
#[test]
fn wavefront_follows_the_recurrence() {
    let mut system = system(54, SWEEPS, 1e-7);
    system.network = Network::LogGp {
        l_s: 2e-6,
        o_s: 1e-6,
        g_s: 3e-6,
        gap_per_byte_s: 6e-9,
    };
    for (engine, chosen) in [(Engine::Auto, "local"), (Engine::Event, "event")] {
        let outcome = run(&system, engine);
        assert_eq!(outcome.evaluation.engine, chosen);
        let ends_s: Vec<f64> = outcome.processes.iter().map(|it| it.end_s).collect();
        assert_eq!(ends_s, recurrence());
    }
}

/// Compares with the formula in `sample-models/wavefront.md`.
#[test]
fn an_even_wavefront_turns_at_its_corners() {
    for (processes, columns, rows) in [(54_u32, 9.0, 6.0), (16, 4.0, 4.0), (7, 7.0, 1.0)] {
        let outcome = run(&system(processes, 40, 0.0), Engine::Local);
        let hop_s = 1e-6 + 700.0 / 10e9;
        let blocks = 2.0 * columns + rows - 1.0;
        let expected = 20.0 * (blocks * 1e-5 + (blocks - 2.0) * hop_s);
        let found = outcome.predicted_time_s;
        let error = (found - expected).abs() / expected;
        assert!(error <= 1e-9, "{processes}: {found} instead of {expected}");
    }
}
