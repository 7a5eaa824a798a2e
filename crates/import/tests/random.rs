//! Folds random traces with nonblocking messages: every trace that can be replayed can be folded,
//! and the model takes as long as the replay.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_source;
use prophet_import::{ImportedTrace, ModelForm, fold};
use prophet_model::source::Source;
use prophet_testing::Random;

use crate::result::{SPEED, predict, replay, replayed_s, time_of};

/// A generated trace, in an order in which no rank waits forever.
struct Made {
    random: Random,
    lines: Vec<Vec<String>>,
    open: Vec<Vec<(usize, usize, usize)>>,
    /// Whether each rank's last action is computing.
    computes: Vec<bool>,
}

impl Made {
    fn add(&mut self, rank: usize, action: &str) {
        self.lines[rank].push(format!("{rank} {action}"));
        self.computes[rank] = false;
        if self.random.has(30) {
            // Folding averages the computing in a loop, so each rank uses a single amount.
            let amount = [100, 250, 400, 700][rank % 4];
            self.lines[rank].push(format!("{rank} compute {amount}"));
            self.computes[rank] = true;
        }
    }

    fn message(&mut self) {
        let ranks = self.lines.len();
        let from = self.random.below(ranks);
        let next = (from + 1) % ranks;
        let any = self.random.below(ranks);
        let to = if self.random.has(50) || any == from {
            next
        } else {
            any
        };
        let tag = self.random.below(3);
        let bytes = *self.random.pick(&[0_u64, 100, 100, 3000, 80_000]);
        if self.random.has(60) {
            self.open[from].push((from, to, tag));
            self.add(from, &format!("isend {to} {tag} {bytes}"));
        } else {
            // A blocking send needs a posted receive.
            self.open[to].push((from, to, tag));
            self.add(to, &format!("irecv {from} {tag} {bytes}"));
            self.add(from, &format!("send {to} {tag} {bytes}"));
            return;
        }
        let size = if self.random.has(20) {
            "-1".to_owned()
        } else {
            bytes.to_string()
        };
        if self.random.has(50) {
            self.open[to].push((from, to, tag));
            self.add(to, &format!("irecv {from} {tag} {size}"));
        } else {
            self.add(to, &format!("recv {from} {tag} {size}"));
        }
    }

    fn wait(&mut self, rank: usize) {
        if self.open[rank].is_empty() {
            // A wait for nothing would merge the computing before and after it.
        } else if self.random.has(25) {
            self.open[rank].clear();
            self.add(rank, "waitall");
        } else {
            let place = self.random.below(self.open[rank].len());
            let (from, to, tag) = self.open[rank].remove(place);
            self.add(rank, &format!("wait {from} {to} {tag}"));
        }
    }

    fn together(&mut self) {
        let ranks = self.lines.len();
        let action = *self
            .random
            .pick(&["barrier", "allreduce 80 0", "bcast 400 0", "exchange"]);
        for rank in 0..ranks {
            let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
            let size = |of: usize| if of.is_multiple_of(2) { 40 } else { 90 };
            let exchange = format!("sendrecv {} {next} {} {before}", size(rank), size(before));
            self.add(
                rank,
                if action == "exchange" {
                    &exchange
                } else {
                    action
                },
            );
        }
    }

    fn block(&mut self) {
        let starts: Vec<usize> = self.lines.iter().map(Vec::len).collect();
        for _ in 0..=self.random.below(10) {
            match self.random.below(10) {
                0..6 => self.message(),
                6..9 => {
                    let rank = self.random.below(self.lines.len());
                    self.wait(rank);
                }
                _ => self.together(),
            }
        }
        // What stays open in one round stays open in all of them, because nothing waits for it
        // before the end.
        self.open.iter_mut().for_each(Vec::clear);
        let rounds = self.random.below(6);
        for (lines, start) in self.lines.iter_mut().zip(starts) {
            let block = lines[start..].to_vec();
            (0..rounds).for_each(|_| lines.extend_from_slice(&block));
        }
    }
}

fn made(seed: u64) -> (usize, String) {
    let mut random = Random(seed);
    let ranks = 2 + random.below(8);
    let lines = (0..ranks)
        .map(|rank| vec![format!("{rank} init")])
        .collect();
    let mut made = Made {
        random,
        lines,
        open: vec![Vec::new(); ranks],
        computes: vec![false; ranks],
    };
    for _ in 0..=made.random.below(3) {
        made.block();
    }
    let mut text = String::new();
    for (rank, lines) in made.lines.iter().enumerate() {
        let mut last = "";
        for line in lines {
            // Consecutive computing is a single block, which would differ from the others.
            if !(line.contains("compute") && last.contains("compute")) {
                let _ = writeln!(text, "{line}");
            }
            last = line;
        }
        let _ = writeln!(text, "{rank} finalize");
    }
    (ranks, text)
}

/// Returns a model's predicted time for this number of ranks, or what is wrong.
fn predicted_s(rules: &RuleSet, name: &str, text: String, ranks: usize) -> Result<f64, String> {
    let flags: &[&str] = if text.contains("FLOPS_PER_S") {
        &SPEED
    } else {
        &[]
    };
    let checked = check_source(rules, Source::new(name, text), Path::new(""), None);
    let result = predict(&checked, ranks, flags)?;
    time_of(&result).ok_or(result)
}

/// Folds these traces, and returns how many of them can be replayed.
fn compare(seeds: std::ops::Range<u64>) -> usize {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("random.ti");
    let rules = RuleSet::shipped();
    let (mut replayed, mut wrong) = (0, Vec::new());
    for seed in seeds {
        let (ranks, text) = made(seed);
        fs::write(&path, &text).expect("it can be written");
        let Some(time_s) = time_of(&String::from_utf8_lossy(&replay(&path, &SPEED).stdout)) else {
            continue;
        };
        replayed += 1;
        let folded = ImportedTrace::open(&path).and_then(|trace| fold(&trace, "Random"));
        let predicted = folded.map_err(String::from);
        let predicted =
            predicted.and_then(|it| predicted_s(&rules, "model.prophet.xml", it.text, ranks));
        match predicted {
            Ok(other) if (other - time_s).abs() <= 1e-9 * time_s.max(1.0) => {}
            other => wrong.push(format!("{seed}: {time_s} {other:?}")),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {replayed}: {wrong:#?}",
        wrong.len()
    );
    replayed
}

#[test]
fn what_is_replayed_is_folded() {
    let cases = prophet_testing::cases(150);
    assert!(compare(0..cases.into()) * 3 > cases as usize * 2);
}

#[test]
#[ignore = "it takes minutes; run it after a change of the folding"]
fn a_thousand_traces_are_folded() {
    assert!(compare(0..1300) >= 1000);
}

/// Compares the folded trace's time in every model format.
fn in_all_forms(text: &str, ranks: usize) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("trace.ti");
    fs::write(&path, text).expect("it can be written");
    let time_s = replayed_s(&path, &SPEED);
    let folded =
        fold(&ImportedTrace::open(&path).expect("it is a trace"), "Trace").expect("it folds");
    for (form, name) in [
        (ModelForm::Xml, "model.prophet.xml"),
        (ModelForm::Text, "model.puml"),
        (ModelForm::Uml, "model.uml"),
    ] {
        let text = form
            .of_xml(folded.text.clone(), "trace.ti")
            .expect("it is read back");
        let predicted_s = predicted_s(&RuleSet::shipped(), name, text, ranks).expect("it runs");
        assert!(
            (predicted_s / time_s - 1.0).abs() < 1e-9,
            "{name}: {predicted_s} {time_s}"
        );
    }
}

#[test]
fn values_of_many_ranks_are_within_the_limits() {
    // Each rank computes for a different time, and the sending ranks follow no pattern.
    let ranks = 150;
    let mut text = String::new();
    for rank in 0..ranks {
        let sends = |rank: usize| rank * rank * 7919 % 13 < 5;
        let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        let _ = writeln!(
            text,
            "{rank} init\n{rank} compute {}",
            1000 + 37 * (rank * 61 % ranks)
        );
        if sends(before) {
            let _ = writeln!(text, "{rank} irecv {before} 0 {}", 100 + before * 71 % 150);
        }
        if sends(rank) {
            let _ = writeln!(text, "{rank} isend {next} 0 {}", 100 + rank * 71 % 150);
        }
        let _ = writeln!(text, "{rank} waitall\n{rank} finalize");
    }
    in_all_forms(&text, ranks);
}

#[test]
fn loops_in_loops_are_within_the_limits() {
    // Two copies of the level below, then another message: nested loops, one for each depth.
    fn level(depth: u32, text: &mut String) {
        if depth > 0 {
            level(depth - 1, text);
            level(depth - 1, text);
        }
        let _ = writeln!(text, "0 send 1 {depth} 8\n1 recv 0 {depth} 8");
    }
    let mut text = "0 init\n1 init\n".to_owned();
    level(9, &mut text);
    text += "0 compute 1\n0 finalize\n1 finalize\n";
    in_all_forms(&text, 2);
}

fn elements(name: &str, text: &str) -> usize {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("it can be written");
    fold(&ImportedTrace::open(&path).expect("it is a trace"), "Trace")
        .expect("it folds")
        .elements
}

#[test]
fn messages_for_which_nothing_waits_are_folded() {
    let (ranks, rounds) = (4, 500);
    let (mut schedule, mut actions) = (format!("num_ranks {ranks}\n"), String::new());
    for rank in 0..ranks {
        let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        let _ = writeln!(schedule, "rank {rank} {{");
        let _ = writeln!(actions, "{rank} init");
        for round in 0..rounds {
            let _ = write!(
                schedule,
                "s{round}: send 100b to {next} tag 1\nr{round}: recv 100b from {before} tag 1\n\
                 c{round}: calc 500\nc{round} requires r{round}\n"
            );
            if round > 0 {
                let _ = writeln!(schedule, "s{round} requires c{}", round - 1);
            }
            // Receives are followed by waits, sends aren't.
            let _ = write!(
                actions,
                "{rank} isend {next} 1 100\n{rank} irecv {before} 1 100\n\
                 {rank} compute 50\n{rank} wait {before} {rank} 1\n"
            );
        }
        schedule += "}\n";
        let _ = writeln!(actions, "{rank} finalize");
    }
    assert_eq!(elements("ring.goal", &schedule), 5);
    assert_eq!(elements("ring.ti", &actions), 5);
}
