//! Tests that `learn` runs a model at the recorded sizes before writing it.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_testing::assert_says;

use crate::learning::{assert_messages, learned, learned_by, recordings_of, run, traced};
use crate::programs::{compiled, events, folder};

/// Records a program in a folder with these arguments, but with the same parameter.
fn recordings(folder: &Path, name: &str, ranks: &[u32], arguments: &[&str]) -> Vec<PathBuf> {
    recordings_of(&compiled(folder, name), ranks, arguments)
}

/// Returns a recording with a different number of steps, which no parameter states.
fn other_steps(folder: &Path, ranks: u32) -> PathBuf {
    let other = folder.join("other");
    fs::create_dir(&other).expect("there is room");
    recordings(&other, "halo1d", &[ranks], &["4096", "7"]).remove(0)
}

#[test]
fn models_that_are_not_what_was_recorded_are_refused() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let mut all = recordings(folder, "halo1d", &[2, 4], &["4096", "5"]);
    all.push(other_steps(folder, 2));
    let out = folder.join("refused.puml");
    let told = learned_by(folder, &all, &[], &out).expect_err("no number of steps is right");
    assert_says(
        &told,
        &[
            "the model differs from the recordings: with 2 ranks (",
            "), its messages differ: rank 0 sends to 1 with tag 1 5 x 8 B, recorded 7 x 8 B",
            "help: omit that recording, record other sizes, or write the model anyway",
        ],
    );
    assert!(!out.exists());
    let told = learned_by(folder, &all, &["--keep"], &out).expect("it is kept");
    assert_says(
        &told,
        &["note: the model was written anyway: with 2 ranks ("],
    );
    let text = fs::read_to_string(out).expect("the model");
    assert_says(&text, &["its messages differ: rank 0 sends to 1"]);
}

#[test]
fn a_recording_that_contradicts_the_others_is_left_out_and_named() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let mut all = recordings(folder, "halo1d", &[2, 4, 8], &["4096", "5"]);
    all.push(other_steps(folder, 16));
    let (model, told) = learned(folder, &all);
    assert_says(
        &told,
        &[
            "other/halo1d.16) contradicts the other recordings and was ignored; the model is wrong \
             there: ",
        ],
    );
    assert!(!told.contains("no general rule"), "{told}");
    let text = fs::read_to_string(&model).expect("the model");
    assert_says(
        &text,
        &["contradicts the other recordings", "iterations=\"5\""],
    );
}

#[test]
fn a_parameter_with_one_value_is_no_flag() {
    let Some(folder) = folder() else { return };
    let all = recordings(folder.path(), "transpose", &[2, 4, 8], &["256", "6"]);
    let (model, told) = learned(folder.path(), &all);
    let note = "n is 256 in all recordings, so the model has no flag for it";
    assert_says(&told, &[&format!("note: {note}")]);
    let text = fs::read_to_string(model).expect("the model");
    assert_says(&text, &[note, "size=\""]);
    assert!(!text.contains("<parameter name=\"n\""), "{text}");
}

#[test]
fn two_ranks_leave_partners_open() {
    let Some(folder) = folder() else { return };
    let all = recordings(folder.path(), "halo1d", &[1, 2], &["4096", "5"]);
    let (model, told) = learned(folder.path(), &all);
    let note = "with two ranks, each rank has one partner, which may be the next rank on a ring";
    assert_says(&told, &[&format!("note: {note}")]);
    assert_says(fs::read_to_string(model).expect("the model"), &[note]);
}

/// Returns how many messages and bytes each rank sends.
fn sent(trace: &Path) -> Vec<(u64, u64)> {
    let one = |event: &String| {
        let words: Vec<&str> = event.split([' ', 'B']).collect();
        match words.as_slice() {
            ["send" | "isend" | "exchange", _, bytes, ..] => bytes.parse().unwrap_or(0),
            _ => u64::MAX,
        }
    };
    let of_rank = |events: &Vec<String>| {
        let all: Vec<u64> = events.iter().map(one).filter(|it| *it < u64::MAX).collect();
        (all.len() as u64, all.iter().sum())
    };
    events(trace).iter().map(of_rank).collect()
}

/// Tests a master that gives the next task to whoever asks first. No formula describes that, but
/// each send has its receive, with any number of ranks, and the master sends what it would.
#[test]
fn a_master_that_probes_receives_from_any_rank() {
    let Some(folder) = folder() else { return };
    let all = recordings(folder.path(), "dynamic", &[2, 4, 6, 8], &["40", "500"]);
    let (model, told) = learned(folder.path(), &all[..3]);
    assert_says(&told, &["no general rule was found for "]);
    let text = fs::read_to_string(&model).expect("the model");
    assert_says(&text, &["source=\"ANY\"", "activity=\"OtherRanks\""]);
    for ranks in [2, 4, 6, 1, 3, 12, 64] {
        run(&model, ranks, &[]);
    }
    for (ranks, recording) in [2, 4, 6].into_iter().zip(&all) {
        let without_source = |event: &mut String| {
            if event.starts_with("receive") {
                "receive".clone_into(event);
            }
        };
        assert_messages(folder.path(), &model, ranks, recording, without_source);
    }
    let (ours, theirs) = (sent(&traced(folder.path(), &model, 8)), sent(&all[3]));
    assert_eq!(ours[0].0, theirs[0].0);
    assert!(ours[0].1.abs_diff(theirs[0].1) < theirs[0].1 / 10);
    let all = |it: &[(u64, u64)]| it.iter().map(|it| it.0).sum::<u64>();
    assert_eq!(all(&ours), all(&theirs));
}

/// Tests an unstructured mesh, in which no formula describes the partners, at the next size.
#[test]
fn ranks_of_a_mesh_exchange_as_much_as_recorded() {
    let Some(folder) = folder() else { return };
    let all = recordings(folder.path(), "mesh", &[4, 8, 12, 16], &["1000", "10", "2"]);
    let (model, told) = learned(folder.path(), &all[..3]);
    assert_says(&told, &["no general rule was found for "]);
    assert_eq!(sent(&traced(folder.path(), &model, 16)), sent(&all[3]));
    for ranks in [1, 2, 3, 12, 64] {
        run(&model, ranks, &[]);
    }
}

/// Tests that a model, whose formulas only match with the numbers that it was learned from, stops
/// with other numbers.
#[test]
fn numbers_of_ranks_at_which_formulas_contradict_are_refused() {
    let Some(folder) = folder() else { return };
    let all = recordings(folder.path(), "workers", &[2, 4, 8], &["5", "100"]);
    let (model, told) = learned(folder.path(), &all);
    assert_says(
        &told,
        &[
            "note: the formulas contradict each other for 3 ranks (",
            "as with `--ranks powers-of-2`, the model stops with such numbers; if the program \
             supports them, record one",
        ],
    );
    let text = fs::read_to_string(&model).expect("the model");
    assert_says(&text, &["name=\"OnlyPowersOf2\""]);
    for ranks in [2, 16, 64] {
        run(&model, ranks, &[]);
    }
}

#[test]
fn rules_for_ranks_are_shown_or_told() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let trees = recordings(folder, "trees", &[2, 4, 8], &["64", "2"]);
    let (model, _) = learned(folder, &trees);
    let text = fs::read_to_string(&model).expect("the model");
    assert_says(
        &text,
        &[
            "name=\"OnlyPowersOf2\"",
            "needs a power of two as the number of ranks",
        ],
    );
    let halo = recordings(folder, "halo1d", &[2, 4], &["64", "2"]);
    let out = folder.join("told.prophet.xml");
    let told = learned_by(folder, &halo, &["--ranks", "squares"], &out);
    assert_says(
        told.expect_err("2 is no square"),
        &["halo1d.2 has 2 ranks, which contradicts `--ranks squares`: omit the flag"],
    );
    let told = learned_by(folder, &halo, &["--ranks", "odd"], &out);
    let expected = "expected one of powers-of-2, squares, cubes, found `odd`";
    assert_says(told.expect_err("no rule"), &[expected]);
}

/// Programs, the sizes that they allow, and their arguments. Some message sizes depend on data.
const PROGRAMS: [(&str, &[u32], &[&str]); 19] = [
    ("begun", &[1, 2, 4, 8, 16], &["5"]),
    ("blocks", &[1, 2, 4, 8, 16], &["1024", "4"]),
    ("buckets", &[1, 2, 4, 8, 16], &["16384", "4"]),
    ("dynamic", &[2, 4, 8, 16], &["40", "100"]),
    ("gradients", &[1, 2, 4, 8, 16], &["4096", "7"]),
    ("halo1d", &[1, 2, 4, 8, 16], &["4096", "10"]),
    ("halo2d", &[1, 2, 4, 8, 16], &["480", "10"]),
    ("halo2d", &[1, 2, 4, 8, 16], &["480", "10", "torus"]),
    ("halo3d", &[1, 2, 4, 8, 16], &["48", "4"]),
    ("mesh", &[4, 8, 12, 16], &["1000", "10", "2"]),
    ("multigrid", &[1, 2, 4, 8, 16], &["4096", "5"]),
    ("neighbors", &[1, 2, 4, 8, 16], &["16", "4"]),
    ("neighbors", &[1, 2, 4, 8, 16], &["16", "3", "cube"]),
    ("particles", &[1, 2, 4, 8, 16], &["20000", "12"]),
    ("stages", &[4, 9, 16, 25], &["720", "3"]),
    ("transpose", &[1, 2, 4, 8, 16], &["256", "6"]),
    ("trees", &[2, 4, 8, 16], &["1024", "4"]),
    ("wavefront", &[1, 2, 4, 8, 16], &["40", "3"]),
    ("workers", &[1, 2, 4, 8, 16], &["5", "100"]),
];

/// Tests that models from any three or more recordings run at each size that they were learned
/// from. `learn` itself compares the messages.
#[test]
#[ignore = "minutes: cargo test -p prophet-record every_three -- --ignored --nocapture"]
fn models_of_every_three_recordings_run_at_their_sizes() {
    let (mut models, mut listed, mut failed) = (0, 0, Vec::new());
    for (name, sizes, arguments) in PROGRAMS {
        let Some(folder) = folder() else { return };
        let all = recordings(folder.path(), name, sizes, arguments);
        let mut of_program = 0;
        for set in 1_u32..1 << sizes.len() {
            let chosen: Vec<usize> = (0..sizes.len()).filter(|it| set >> it & 1 == 1).collect();
            if chosen.len() < 3 {
                continue;
            }
            let recordings: Vec<PathBuf> = chosen.iter().map(|it| all[*it].clone()).collect();
            let out = folder.path().join("learned.prophet.xml");
            let shown = format!(
                "{name} {arguments:?} {:?}",
                chosen.iter().map(|it| sizes[*it]).collect::<Vec<_>>()
            );
            match learned_by(folder.path(), &recordings, &["--force"], &out) {
                Ok(told) => {
                    models += 1;
                    of_program += usize::from(told.contains("no general rule"));
                    if told.contains("was ignored") {
                        eprintln!(
                            "{shown}: {}",
                            told.lines()
                                .find(|it| it.contains("was ignored"))
                                .unwrap_or_default()
                        );
                    }
                    let most = sizes[*chosen.last().expect("three")];
                    for ranks in chosen.iter().map(|it| sizes[*it]).chain([2 * most]) {
                        run(&out, ranks, &[]);
                    }
                }
                Err(told) => failed.push(format!("{shown}: {told}")),
            }
        }
        listed += of_program;
        eprintln!("{name} {arguments:?}: {of_program} models list ranks");
    }
    eprintln!(
        "{models} models, {listed} list ranks, {} refused",
        failed.len()
    );
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
