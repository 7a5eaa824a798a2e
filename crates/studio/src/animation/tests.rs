use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_source;
use prophet_model::source::Source;
use serde_json::{Value as Json, json};

use super::*;

const SAMPLE: &str = include_str!("../../../../sample-models/sample.uml");
const HYBRID: &str = include_str!("../../../../sample-models/hybrid.uml");
const PINGPONG: &str = include_str!("../../../../sample-models/pingpong.uml");

fn checked(text: &str) -> Checked {
    let source = Source::new("model.uml", text);
    check_source(&RuleSet::shipped(), source, Path::new(""), None)
}

fn here() -> Folder {
    Folder::open(Path::new("src/animation")).unwrap()
}

fn animated(checked: &Checked, flags: &Json) -> Json {
    let request = serde_json::from_value(json!({ "flags": flags })).unwrap();
    let animation = trace(checked, &request, &here(), &RunHandle::default()).unwrap();
    serde_json::to_value(animation).unwrap()
}

fn number(value: &Json) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// Returns the rows of a thread: element, state, start, end, number.
fn rows(
    checked: &Checked,
    animation: &Json,
    unit: (u32, u32),
) -> Vec<(String, String, f64, f64, u64)> {
    let name = |element: &Json| {
        let Ok(place) = usize::try_from(element.as_i64().unwrap()) else {
            return String::new();
        };
        let id = animation["elements"][place].as_i64().unwrap();
        let program = checked.program.as_ref().unwrap();
        let element = program.elements.iter().find(|it| it.id == id);
        element.unwrap().name.clone()
    };
    let column = |name: &str| animation[name].as_array().unwrap().clone();
    let (pid, tid) = (column("pid"), column("tid"));
    let of_unit = (0..pid.len()).filter(|row| pid[*row] == unit.0 && tid[*row] == unit.1);
    let row = |row: usize| {
        let state = number(&animation["state"][row]);
        (
            name(&animation["element"][row]),
            animation["states"][state].as_str().unwrap().to_owned(),
            animation["start"][row].as_f64().unwrap(),
            animation["end"][row].as_f64().unwrap(),
            animation["number"][row].as_u64().unwrap(),
        )
    };
    of_unit.map(row).collect()
}

/// Returns the values of a process's variables at a moment, by name.
fn values(checked: &Checked, flags: &Json, process: u32, number: u64) -> BTreeMap<String, String> {
    let request = json!({ "revision": 1, "flags": flags, "process": process, "number": number });
    let request = serde_json::from_value(request).unwrap();
    let seen = variables(checked, 1, &request, &here(), &RunHandle::default()).unwrap();
    let seen = seen.into_iter().map(|it| (it.name, it.values.join(" ")));
    seen.collect()
}

#[test]
fn a_process_is_where_the_model_says_at_each_time() {
    let checked = checked(SAMPLE);
    let flags = json!({ "cpus-per-node": "4", "processes": "4" });
    let animation = animated(&checked, &flags);
    // This is 3.14, which clippy would mistake for pi.
    let p = 157.0 / 50.0;
    let a1_s = 121.0 / p;
    let sa1_s = a1_s + 112.0;
    let sa2_s = sa1_s + 16.0;
    let end_s = sa2_s + (p + 2.71 * p);
    let expected = [
        ("A1", "compute", 0.0, a1_s, 0),
        ("Decision", "pass", a1_s, a1_s, 1),
        ("SA", "pass", a1_s, a1_s, 2),
        ("SA1", "compute", a1_s, sa1_s, 3),
        ("SA2", "collective", sa1_s, sa2_s, 4),
        ("A4", "compute", sa2_s, end_s, 5),
        ("", "ended", end_s, end_s, 0),
    ];
    let expected = expected.map(|(element, state, start_s, end_s, number)| {
        (element.to_owned(), state.to_owned(), start_s, end_s, number)
    });
    assert_eq!(rows(&checked, &animation, (1, 0)), expected);
    assert_eq!(animation["leftOut"], 0);
    assert_eq!(animation["failure"], Json::Null);
    let starts = animation["start"].as_array().unwrap();
    assert!(starts.is_sorted_by(|a, b| a.as_f64() <= b.as_f64()));
    assert_eq!(starts.len(), 4 * expected.len());
}

#[test]
fn variables_are_those_of_the_moment() {
    let checked = checked(SAMPLE);
    let flags = json!({ "nodes": "2", "NO": "1" });
    assert!(words(&checked, &serde_json::from_value(flags).unwrap(), &here()).is_err());
    let flags = json!({ "nodes": "2" });
    // When the time of A1 begins, its code has already run.
    let at_a1 = values(&checked, &flags, 1, 0);
    assert_eq!(at_a1["GV"], "1");
    assert_eq!(at_a1["P"], "3.14");
    let request = json!({ "revision": 1, "process": 1, "number": 100 });
    let request = serde_json::from_value(request).unwrap();
    let why = |revision| {
        variables(&checked, revision, &request, &here(), &RunHandle::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(why(1), "process 1 does not reach moment 100");
    assert_eq!(why(2), "the model has changed since the animation was made");
}

#[test]
fn the_variables_of_a_loop_are_those_of_its_iteration() {
    let cost = "cost=\"(row + 1) * T_CELL\"";
    let checked = checked(&HYBRID.replace("cost=\"N * T_CELL\"", cost));
    let flags = json!({
        "nodes": "2",
        "processes": "2",
        "threads": "2",
        "cpus-per-node": "2",
        "N": "4",
        "ITERATIONS": "2",
    });
    let animation = animated(&checked, &flags);
    let (of_first, of_second) = (
        rows(&checked, &animation, (0, 0)),
        rows(&checked, &animation, (0, 1)),
    );
    // Two rows of the grid, one for each thread.
    let is_row = |row: &&(String, String, f64, f64, u64)| row.0 == "Row";
    let row = of_first.iter().find(is_row).unwrap();
    assert_eq!(values(&checked, &flags, 0, row.4)["row"], "0");
    assert_eq!(values(&checked, &flags, 0, row.4)["N"], "4");
    let other = of_second.iter().find(is_row).unwrap();
    assert_eq!(values(&checked, &flags, 0, other.4)["row"], "1");
    // A thread starts and ends in its region.
    assert_eq!(
        (of_second[0].0.as_str(), &*of_second[0].1),
        ("Sweep", "synchronize")
    );
    let ends = of_second.iter().filter(|row| row.1 == "ended").count();
    assert_eq!(ends, 2, "{of_second:?}");
}

#[test]
fn a_run_that_cannot_go_on_shows_where_everybody_is() {
    // No process sends to process 1.
    let stuck = PINGPONG
        .replace("prophet:bsend", "prophet:brecv")
        .replace("dest=", "source=");
    let checked = checked(&stuck);
    let flags = json!({ "nodes": "2" });
    let animation = animated(&checked, &flags);
    let failure = animation["failure"].as_str().unwrap();
    assert!(failure.contains("wait"), "{failure}");
    for pid in 0..2 {
        let rows = rows(&checked, &animation, (pid, 0));
        let last = rows.last().unwrap();
        assert_eq!(last.1, "pass", "{rows:?}");
    }
}

#[test]
fn a_long_run_is_animated_up_to_a_time() {
    let checked = checked(HYBRID);
    let flags = json!({ "flags": { "nodes": "4", "ITERATIONS": "200" } });
    let request = serde_json::from_value(flags).unwrap();
    let animation =
        trace_at_most(6000, &checked, &request, &here(), &RunHandle::default()).unwrap();
    let animation = serde_json::to_value(animation).unwrap();
    let rows = animation["pid"].as_array().unwrap().len();
    assert!(rows > 1000 && rows < 20_000, "{rows}");
    let left_out = number(&animation["leftOut"]);
    assert!(left_out > 1000, "{left_out}");
    let until_s = animation["untilS"].as_f64().unwrap();
    let end_s = animation["endS"].as_f64().unwrap();
    assert!(until_s > 0.0 && until_s < end_s);
    let starts = animation["start"].as_array().unwrap();
    assert!(starts.last().unwrap().as_f64().unwrap() <= until_s);
    assert!(
        !animation["state"]
            .as_array()
            .unwrap()
            .contains(&json!(ENDED_STATE))
    );
}

const ENDED_STATE: u8 = 9;

#[test]
fn what_is_not_a_run_is_refused() {
    let broken = checked(&SAMPLE.replace("FA1()", "Nothing()"));
    let request = |flags: Json| serde_json::from_value(json!({ "flags": flags })).unwrap();
    let why = |checked: &Checked, flags| {
        trace(checked, &request(flags), &here(), &RunHandle::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(why(&broken, json!({})), "the model has problems");
    let sample = checked(SAMPLE);
    assert_eq!(
        why(&sample, json!({ "trace": "/tmp/x" })),
        "`trace` cannot be set to `/tmp/x` here"
    );
    assert!(why(&sample, json!({ "nodes": "0" })).contains("whole number from 1"));
}

#[test]
fn an_animation_is_of_the_run_that_is_predicted() {
    let flags = json!({ "nodes": "4", "cpus-per-node": "2" });
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-models");
    let mut animated_models = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_model = path.extension().is_some_and(|it| it == "uml");
        if !is_model || path.ends_with("prophet.profile.uml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let checked = checked(&text);
        let of_run = serde_json::from_value(flags.clone()).unwrap();
        let Ok(predicted) =
            crate::predict::predict(&checked, &of_run, &here(), &RunHandle::default())
        else {
            continue;
        };
        let animation = animated(&checked, &flags);
        assert_eq!(animation["endS"], predicted["predicted_time_s"], "{path:?}");
        animated_models += 1;
        // The last moment of each process can be inspected.
        for pid in 0..2 {
            let rows = rows(&checked, &animation, (pid, 0));
            let last = rows.iter().rfind(|it| it.1 != "ended").unwrap();
            values(&checked, &flags, pid, last.4);
        }
    }
    assert!(animated_models > 10, "{animated_models}");
}
