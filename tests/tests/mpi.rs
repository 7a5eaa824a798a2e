//! The models of `tests/models/mpi` end when `EXPECTED.md` says, by both engines; and the known
//! answers of `LogGP` come out of generated models.

use std::path::{Path, PathBuf};
use std::process::Output;

use prophet_tests::expected::rows;
use prophet_tests::programs::Programs;
use prophet_tests::{models, root};
use serde_json::Value;

fn model(name: &str) -> PathBuf {
    root()
        .join("tests/models/mpi")
        .join(name)
        .with_extension("uml")
}

fn result(output: &Output) -> Value {
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    serde_json::from_slice(&output.stdout).expect("the result is JSON")
}

/// The end times in a result, to the last digit, which `serde_json` rounds.
fn end_times(output: &Output) -> Vec<f64> {
    let text = String::from_utf8_lossy(&output.stdout);
    let fields = text.split("\"end_s\":").skip(1);
    fields
        .map(|field| {
            let number = field.split([',', '}']).next().unwrap_or_default();
            number.trim().parse().expect("a number")
        })
        .collect()
}

/// Runs a model by the engine that `auto` chooses, which is to be that one, and by events, which
/// is to give the same.
fn run(programs: &Programs, path: &Path, flags: &str, engine: &str) -> Vec<f64> {
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let by = |choice: &str| {
        let more = ["--format", "json", "--engine", choice];
        programs.run(path, &[&flags[..], &more].concat())
    };
    let (auto, event) = (by("auto"), by("event"));
    let times = end_times(&auto);
    assert_eq!(times, end_times(&event));
    let (chosen, event) = (result(&auto), result(&event));
    let name = chosen["evaluation"]["engine"].as_str();
    assert_eq!(name, Some(engine), "{} {flags:?}", path.display());
    assert_eq!(chosen["processes"], event["processes"]);
    assert_eq!(chosen["elements"], event["elements"]);
    times
}

#[test]
fn messages_end_when_they_should() {
    let all = models("tests/models/mpi");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpi");
    let programs = Programs::build(&target, &all);
    let rows = rows("# What the models in `mpi/` predict");
    for path in &all {
        let named = |row: &Vec<String>| model(&row[0]) == *path;
        assert!(
            rows.iter().any(named) || *path == model("wavefront"),
            "{} has a row",
            path.display()
        );
    }
    for row in &rows {
        let flags = row[1]
            .replace("slow", "loggp:L=4s,o=1s,g=2s,G=0.5s")
            .replace("plain", "hockney:latency=1s,bandwidth=8B/s");
        let times = run(&programs, &model(&row[0]), &flags, &row[2]);
        let expected: Vec<f64> = row[3]
            .split(',')
            .map(|time| time.trim().parse().expect("a time"))
            .collect();
        assert_eq!(times.len(), expected.len(), "{row:?}");
        for (time, expected) in times.iter().zip(&expected) {
            let error = (time - expected).abs();
            assert!(error <= 1e-9 * expected, "{row:?}: {times:?}");
        }
    }
    wavefront(&programs);
    let lints = programs.clippy();
    assert!(
        lints.status.success(),
        "{}",
        String::from_utf8_lossy(&lints.stderr)
    );
}

const WIDTH: i64 = 9;
const HEIGHT: i64 = 6;
const SWEEPS: i64 = 40;

/// The rank at a place of the grid.
fn rank(x: i64, y: i64) -> Option<usize> {
    let inside = (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y);
    inside.then(|| usize::try_from(y * WIDTH + x).expect("it is on the grid"))
}

/// The recurrence of `LogGP` over the sweeps, rank by rank: L = 2 us, o = 1 us, g = 3 us, G = 6 ns,
/// messages of 700 bytes. A rank's receives come first, then its sends.
fn recurrence() -> Vec<f64> {
    const L: f64 = 2e-6;
    const O: f64 = 1e-6;
    const G: f64 = 3e-6;
    const BODY: f64 = 699.0 * 6e-9;
    let ranks = usize::try_from(WIDTH * HEIGHT).expect("it is small");
    let (mut now, mut sends, mut receives) = (vec![0.0; ranks], vec![0.0; ranks], vec![0.0; ranks]);
    for sweep in 0..SWEEPS {
        let (dx, dy) = (1 - 2 * (sweep % 2), 1 - 2 * (sweep / 2 % 2));
        // When the message of this sweep comes from the left or right, and from above or below.
        let mut arrival = vec![[0.0; 2]; ranks];
        let along = |n: i64, step: i64, i: i64| if step > 0 { i } else { n - 1 - i };
        for i in 0..HEIGHT {
            for j in 0..WIDTH {
                let (x, y) = (along(WIDTH, dx, j), along(HEIGHT, dy, i));
                let Some(me) = rank(x, y) else { continue };
                let mut time: f64 = now[me];
                for (side, from) in [rank(x - dx, y), rank(x, y - dy)].into_iter().enumerate() {
                    if from.is_some() {
                        let start = time.max(arrival[me][side]).max(receives[me]);
                        time = start + O;
                        receives[me] = start + G + BODY;
                    }
                }
                let pid = y * WIDTH + x;
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

/// The drawn wavefront follows the recurrence to the last digit.
fn wavefront(programs: &Programs) {
    let flags = "--nodes 54 --network loggp:L=2us,o=1us,g=3us,G=6ns";
    let times = run(programs, &model("wavefront"), flags, "local");
    assert_eq!(times, recurrence());
}
