//! Compares the predictions of folded traces with the traces themselves.

use prophet_testing::assert_says;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prophet_frontend::checked::check;

use crate::result::{self, SPEED, predict, program, replayed_s};

fn time_of(text: &str) -> f64 {
    result::time_of(text).unwrap_or_else(|| panic!("{text}"))
}

struct Folded {
    model: String,
    said: String,
}

impl Folded {
    /// Folds a trace, and compares the model with the trace at its own number of ranks.
    fn of(name: &str, text: &str, ranks: usize) -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join(name);
        fs::write(&path, text).expect("it can be written");
        Self::of_file(&path, ranks)
    }

    fn of_file(path: &Path, ranks: usize) -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let out = folder.path().join("model.prophet.xml");
        let made = program(&[], path, &["--out", out.to_str().expect("it is text")]);
        let said = String::from_utf8_lossy(&made.stderr).into_owned();
        assert!(made.status.success(), "{said}");
        let model = fs::read_to_string(&out).expect("it was written");
        let folded = Self { model, said };
        let replayed_s = replayed_s(path, &SPEED);
        let predicted_s = folded.predicted_s(ranks);
        let difference = (predicted_s / replayed_s - 1.0).abs();
        let model = &folded.model;
        assert!(difference < 0.001, "{predicted_s} {replayed_s} {model}");
        folded
    }

    fn predicted_s(&self, ranks: usize) -> f64 {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("model.prophet.xml");
        fs::write(&path, &self.model).expect("it can be written");
        let checked = check(&path, None).expect("it is a model");
        // A traced program can contain chains of blocking messages, which a rule warns about.
        let mut problems = checked.diagnostics.iter();
        let is_known = problems.all(|it| it.code == "PM0945");
        assert!(is_known, "{:?} {}", checked.diagnostics, self.model);
        let has_speed = self.model.contains("FLOPS_PER_S");
        let flags: &[&str] = if has_speed { &SPEED } else { &[] };
        let result = predict(&checked, ranks, flags);
        time_of(&result.unwrap_or_else(|it| panic!("{it} {}", self.model)))
    }

    /// Fails unless each element has a formula.
    #[track_caller]
    fn assert_is_complete(&self) {
        assert!(!self.said.contains("note:"), "{} {}", self.said, self.model);
    }

    #[track_caller]
    fn assert_has(&self, text: &str) {
        assert!(self.model.contains(text), "{}", self.model);
    }

    /// Fails unless the relative difference between two models' predictions for this number of
    /// ranks is less than `share`.
    #[track_caller]
    fn assert_scales(&self, large: &Self, ranks: usize, share: f64) {
        let difference = self.predicted_s(ranks) / large.predicted_s(ranks) - 1.0;
        assert!(difference.abs() < share, "{difference} {}", self.model);
    }

    fn elements(&self) -> usize {
        self.model.matches("stereotype=").count()
    }
}

/// Returns a trace where each rank has the actions that `actions` returns.
fn trace(ranks: u32, actions: impl Fn(u32) -> Vec<String>) -> String {
    let mut text = String::new();
    for rank in 0..ranks {
        let _ = writeln!(text, "{rank} init");
        for action in actions(rank) {
            let _ = writeln!(text, "{rank} {action}");
        }
        let _ = writeln!(text, "{rank} finalize");
    }
    text
}

/// Returns a trace where neighbors on a grid repeatedly exchange edges and compute.
fn stencil(columns: u32, rows: u32, iterations: u32) -> String {
    trace(columns * rows, |rank| {
        let (x, y) = (rank % columns, rank / columns);
        let neighbors = [
            (x > 0).then(|| rank - 1),
            (x + 1 < columns).then_some(rank + 1),
            (y > 0).then(|| rank - columns),
            (y + 1 < rows).then_some(rank + columns),
        ];
        let mut actions = Vec::new();
        for turn in 0..iterations {
            let tags = (1..).zip(neighbors);
            for (tag, peer) in tags.filter_map(|(tag, peer)| Some((tag, peer?))) {
                actions.push(format!("isend {peer} {tag} 8000"));
            }
            for (tag, peer) in [2, 1, 4, 3].into_iter().zip(neighbors) {
                actions.extend(peer.map(|peer| format!("recv {peer} {tag} 8000")));
            }
            actions.push("waitall".to_owned());
            actions.push(format!("compute {}", 1000 + turn % 2));
            actions.push("allreduce 8 0".to_owned());
        }
        actions
    })
}

#[test]
fn stencils_scale() {
    let folded = Folded::of("stencil.ti", &stencil(4, 4, 50), 16);
    assert_eq!(folded.elements(), 12, "{}", folded.model);
    assert!(folded.said.contains("in 12 elements"), "{}", folded.said);
    folded.assert_is_complete();
    let large = Folded::of("stencil.ti", &stencil(8, 8, 50), 64);
    folded.assert_scales(&large, 64, 0.001);
}

#[test]
fn rings_and_butterflies_are_formulas() {
    let ring = |ranks: u32| {
        trace(ranks, |rank| {
            let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
            let round = format!("isend {next} 0 100/recv {before} 0 100/waitall/compute 500");
            let rounds = (0..20).flat_map(|_| round.split('/').map(str::to_owned));
            rounds.collect()
        })
    };
    let folded = Folded::of("ring.ti", &ring(16), 16);
    folded.assert_has("dest=\"(pid + 1) % NUM_PROCESSES\"");
    folded.assert_is_complete();
    let large = Folded::of("ring.ti", &ring(64), 64);
    assert!((folded.predicted_s(64) - large.predicted_s(64)).abs() < 1e-9);
    let butterfly = trace(8, |rank| {
        let with = |bit: u32| format!("sendrecv 10 {0} 10 {0}", rank ^ bit);
        [1, 2, 4].map(with).to_vec()
    });
    let folded = Folded::of("butterfly.ti", &butterfly, 8);
    assert_eq!(folded.elements(), 3, "{}", folded.model);
    let chain = trace(8, |rank| {
        let to = (rank < 7).then(|| format!("send {} 0 10", rank + 1));
        let from = (rank > 0).then(|| format!("recv {} 0 10", rank - 1));
        let turn: Vec<String> = from.into_iter().chain(to).collect();
        vec![turn; 9].concat()
    });
    assert_eq!(Folded::of("chain.ti", &chain, 8).elements(), 3);
}

#[test]
fn all_other_ranks_are_one_loop() {
    // The root receives a result from every other rank, and sends it the next task.
    let farm = |ranks: u32| {
        trace(ranks, |rank| {
            let mut actions = Vec::new();
            for _ in 0..5 {
                if rank == 0 {
                    for other in 1..ranks {
                        actions.push(format!("recv {other} 1 800"));
                        actions.push("compute 20".to_owned());
                        actions.push(format!("isend {other} 2 80"));
                    }
                    actions.push("waitall".to_owned());
                } else {
                    actions.push("compute 3000".to_owned());
                    actions.push("send 0 1 800".to_owned());
                    actions.push("recv 0 2 80".to_owned());
                }
            }
            actions
        })
    };
    let folded = Folded::of("farm.ti", &farm(16), 16);
    assert_eq!(folded.elements(), 10, "{}", folded.model);
    folded.assert_is_complete();
    let large = Folded::of("farm.ti", &farm(64), 64);
    folded.assert_scales(&large, 64, 0.001);
    // Every rank sends to all ranks, starting with the next one.
    let all = |ranks: u32| {
        trace(ranks, |rank| {
            let others = 1..ranks;
            let exchange = |turn: u32| {
                let (to, from) = ((rank + turn) % ranks, (rank + ranks - turn) % ranks);
                format!("sendrecv 100 {to} 100 {from}")
            };
            others.map(exchange).collect()
        })
    };
    let folded = Folded::of("all.ti", &all(8), 8);
    assert_eq!(folded.elements(), 2, "{}", folded.model);
    let large = Folded::of("all.ti", &all(16), 16);
    assert!((folded.predicted_s(16) - large.predicted_s(16)).abs() < 1e-9);
}

#[test]
fn requests_keep_their_waits() {
    let text = trace(2, |rank| {
        let other = 1 - rank;
        let (mine, theirs) = (format!("{rank} {other} 0"), format!("{other} {rank} 0"));
        let mut actions = Vec::new();
        for _ in 0..10 {
            actions.push(format!("irecv {other} 0 100"));
            actions.push(format!("isend {other} 0 100"));
            actions.push("compute 300".to_owned());
            actions.push(format!("wait {theirs}"));
            actions.push("compute 200".to_owned());
            actions.push(format!("wait {mine}"));
        }
        actions
    });
    let folded = Folded::of("pair.ti", &text, 2);
    assert_eq!(folded.elements(), 7, "{}", folded.model);
}

#[test]
fn what_has_no_formula_is_told() {
    let text = trace(16, |rank| {
        vec![format!("compute {}", 1000 + rank * rank * 97 % 800)]
    });
    let folded = Folded::of("uneven.ti", &text, 16);
    assert_says(
        &folded.said,
        &["note: no formula was found for 1 element (Compute1)"],
    );
}

#[test]
fn schedules_become_models() {
    let mut text = "num_ranks 8\n".to_owned();
    for rank in 0..8 {
        let _ = writeln!(text, "rank {rank} {{\nc: calc 1000000");
        if rank > 0 {
            let _ = writeln!(text, "r: recv 500b from {} tag 1\nc requires r", rank - 1);
        }
        if rank < 7 {
            let _ = writeln!(text, "s: send 500b to {} tag 1\ns requires c", rank + 1);
        }
        text += "}\n";
    }
    let folded = Folded::of("pipeline.goal", &text, 8);
    folded.assert_has("guard=\"pid &gt; 0\"");
}

/// Runs a sample model with this number of processes, and writes a trace to `trace`. Returns the
/// predicted time and the number of elements.
fn sample(name: &str, ranks: usize, flags: &[&str], trace: Option<&Path>) -> (f64, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models");
    let model = folder.join(name).with_extension("uml");
    let checked = check(&model, None).expect("it is a model");
    let mut words = flags.to_vec();
    if let Some(trace) = trace {
        words.extend(["--trace", trace.to_str().expect("it is text")]);
    }
    let time_s = time_of(&predict(&checked, ranks, &words).expect("it runs"));
    let text = fs::read_to_string(&model).expect("it is there");
    (time_s, text.matches("<prophet:").count())
}

/// Traces a sample with 16 processes, folds the trace, and compares the predictions: they must
/// agree within 1 % at 16 processes and, if the sample `scales`, within 3 % at 64. The folded model
/// can have at most `times` as many elements as the sample.
fn compare_sample(name: &str, flags: &[&str], scales: bool, times: usize) {
    let folder = tempfile::tempdir().expect("there is room");
    let trace = folder.path().join("run.arrow");
    let (time_s, elements) = sample(name, 16, flags, Some(&trace));
    let folded = Folded::of_file(&trace, 16);
    let (made, model) = (folded.elements(), &folded.model);
    let close = |ranks: usize, time_s: f64, share: f64| {
        let difference = folded.predicted_s(ranks) / time_s - 1.0;
        assert!(difference.abs() < share, "{name}: {difference} {model}");
    };
    close(16, time_s, 0.01);
    assert!(
        made <= times * elements,
        "{name}: {made} of {elements} {model}"
    );
    if scales {
        close(64, sample(name, 64, flags, None).0, 0.03);
        folded.assert_is_complete();
    }
}

#[test]
fn samples_are_found_again_in_their_traces() {
    compare_sample("pingpong", &[], true, 3);
    compare_sample("halo", &[], true, 3);
    // The four directions of its sweeps become four iterations of a loop, without a variable.
    compare_sample("wavefront", &["--t-uneven", "0"], true, 4);
    // Costs depend on the number of processes, which a single trace doesn't reveal.
    compare_sample("jacobi2d", &["--iterations", "20"], false, 3);
    compare_sample("lapw0", &[], false, 3);
    compare_sample("kernel6", &[], false, 3);
}

/// Returns a model's result, without the cost of the evaluation and without element ids, which only
/// UML models have.
fn result_of(path: &Path, ranks: usize) -> String {
    let checked = check(path, None).expect("it is a model");
    let problems = &checked.diagnostics;
    assert!(problems.is_empty(), "{problems:?}");
    let text = predict(&checked, ranks, &[]).expect("it runs");
    let (before, rest) = text.split_once("\"evaluation\": {").expect("it is there");
    let (_, after) = rest.split_once('}').expect("it ends");
    let lines = before.lines().chain(after.lines());
    let lines: Vec<&str> = lines.filter(|it| !it.contains("\"id\":")).collect();
    lines.join("\n")
}

#[test]
fn all_forms_predict_the_same_bytes() {
    let folder = tempfile::tempdir().expect("there is room");
    let (halo, wavefront) = (folder.path().join("a.arrow"), folder.path().join("b.arrow"));
    sample("halo", 16, &[], Some(&halo));
    sample("wavefront", 16, &["--t-uneven", "0"], Some(&wavefront));
    let uneven = folder.path().join("uneven.ti");
    let text = trace(16, |rank| {
        let work = format!("compute {}", 1000 + rank * rank * 97 % 800);
        vec![work, "allreduce 8 0".to_owned()]
    });
    fs::write(&uneven, text).expect("it can be written");
    for path in [halo, wavefront, uneven] {
        let results = ["model.prophet.xml", "model.puml", "model.uml"].map(|name| {
            let out = folder.path().join(name);
            let words = ["--force", "--out", out.to_str().expect("it is text")];
            let made = program(&[], &path, &words);
            assert!(made.status.success(), "{made:?}");
            result_of(&out, 16)
        });
        for other in &results[1..] {
            let mut pairs = other.lines().zip(results[0].lines());
            assert_eq!(pairs.find(|(one, other)| one != other), None);
            assert_eq!(other.len(), results[0].len());
        }
    }
    let profile = folder.path().join("prophet.profile.uml");
    assert!(profile.is_file(), "tools look for the profile");
}

#[test]
fn wrong_traces_of_runs_are_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("run.arrow");
    let refusal = || {
        let out = folder.path().join("model.xml");
        let output = program(&[], &path, &["--out", out.to_str().expect("it is text")]);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    sample("halo", 4, &["--trace-filter", "pid=0"], Some(&path));
    assert!(refusal().contains("the trace is filtered; write it without `--trace-filter`"));
    sample("summa", 4, &[], Some(&path));
    assert!(refusal().contains("broadcast among some of the processes is not supported yet"));
    let whole = fs::read(&path).expect("it was written");
    fs::write(&path, &whole[..whole.len() / 2]).expect("it can be written");
    assert!(refusal().contains("the trace is cut off: its end is missing"));
}

#[test]
fn wrong_names_of_models_are_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("a.ti");
    fs::write(&path, "0 init\n0 finalize\n").expect("it can be written");
    let said = |out: &str| {
        let output = program(&[], &path, &["--out", out]);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let message =
        "error: model.txt is not the name of a model: end it with .prophet.xml, .puml or .uml\n";
    assert_eq!(said("model.txt"), message);
    assert!(said("/nowhere/model.xml").contains("error: cannot write /nowhere/model.xml"));
}
