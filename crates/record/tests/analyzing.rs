//! Compares models that `analyze` makes from source code with recordings of the same programs.

use std::path::Path;

use prophet_analyze::command::{Arguments, run as analyze};
use prophet_testing::skip;

use prophet_codegen::diagnostic::Severity;
use prophet_frontend::checked::check;
use prophet_interpreter::Interpreted;

use crate::learning::{DRAWN, DRAWN_FACTOR};
use crate::programs::{events, folder, recording, source};

/// Programs, the arguments that they are recorded with, and the parameters that these bind.
const PROGRAMS: [(&str, &[&str], &[&str]); 17] = [
    ("begun", &["3"], &["argument1=3"]),
    ("blocks", &["4096", "3"], &["unknowns=4096", "steps=3"]),
    ("dynamic", &["40", "500"], &["tasks=40", "numbers=500"]),
    ("gradients", &["4096", "3"], &["unknowns=4096", "steps=3"]),
    ("halo1d", &["4096", "3"], &["cells=4096", "steps=3"]),
    ("halo2d", &["480", "6"], &["cells=480", "steps=6"]),
    ("halo3d", &["48", "3"], &["cells=48", "steps=3"]),
    ("multigrid", &["4096", "2"], &["cells=4096", "cycles=2"]),
    ("neighbors", &["16", "3"], &["cells=16", "steps=3"]),
    ("particles", &["2000", "2"], &["particles=2000", "steps=2"]),
    ("stages", &["240", "2"], &["cells=240", "steps=2"]),
    ("threads", &[], &[]),
    ("transpose", &["256", "2"], &["n=256", "steps=2"]),
    ("trees", &["1024", "2"], &["numbers=1024", "steps=2"]),
    ("wavefront", &["50", "3"], &["cells=50", "blocks=3"]),
    ("workers", &["3", "500"], &["rounds=3", "numbers=500"]),
    ("buckets", &["4096", "2"], &["numbers=4096", "steps=2"]),
];

/// Programs whose messages depend on data, or on which rank is first.
const OTHERS: [&str; 3] = ["buckets", "dynamic", "particles"];

pub(crate) fn analyzed(folder: &Path, name: &str, flags: &[&str]) -> std::path::PathBuf {
    let model = folder.join(format!("{name}.prophet.xml"));
    let file = source(&format!("{name}.c"));
    let [file, out] = [&file, &model].map(|it| it.to_str().expect("a name").to_owned());
    let words = ["analyze", &file, "--out", &out].map(str::to_owned);
    let line = <Arguments as clap::Parser>::parse_from(
        words
            .into_iter()
            .chain(flags.iter().map(|it| (*it).to_owned())),
    );
    analyze(&line).expect("it can be analyzed");
    model
}

/// Runs a model, and writes a trace.
fn run(model: &Path, ranks: u32, trace: &Path) -> Result<(), String> {
    let checked = check(model, None).expect("it is a model");
    let mut errors = checked.diagnostics.iter();
    let error = errors.find(|it| it.severity == Severity::Error);
    assert!(error.is_none(), "{error:?}");
    let program = Interpreted::new(&checked, "model", false).expect("it can be interpreted");
    let ranks = ranks.to_string();
    let trace = trace.to_str().expect("a name");
    let network = "hockney:latency=1us,bandwidth=1GB/s";
    let words = [
        "model",
        "--nodes",
        &ranks,
        "--network",
        network,
        "--trace",
        trace,
    ];
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = program.run_to(words.map(Into::into).to_vec(), &mut out, &mut err);
    let told = String::from_utf8_lossy(&err).into_owned();
    if code == 0 { Ok(()) } else { Err(told) }
}

/// Returns a rank's sends in order, its receives sorted, and its collectives in order.
fn ordered(events: &[String]) -> [Vec<String>; 3] {
    let mut all = [const { Vec::new() }; 3];
    for event in events {
        let words: Vec<&str> = event.split(' ').collect();
        match words.as_slice() {
            ["send" | "isend", to, bytes] => all[0].push(format!("{to} {bytes}")),
            ["receive" | "irecv", from, ..] => all[1].push((*from).to_owned()),
            ["exchange", to, bytes, from, ..] => {
                all[0].push(format!("{to} {bytes}"));
                all[1].push((*from).to_owned());
            }
            ["wait" | "waitall"] => {}
            _ => all[2].push(event.clone()),
        }
    }
    // Our traces have receives in the order in which they end.
    all[1].sort();
    all
}

/// Returns the first difference between a model's messages and a recording.
fn difference(
    folder: &Path,
    (name, ranks): (&str, u32),
    arguments: &[&str],
    set: &[&str],
) -> Option<String> {
    let (recording, output) = recording(folder, name, ranks, arguments);
    assert!(output.status.success(), "{output:?}");
    let flags: Vec<&str> = set.iter().flat_map(|it| ["--set", it]).collect();
    let model = analyzed(folder, name, &flags);
    if let Some((_, drawn)) = DRAWN.iter().find(|it| it.0 == name) {
        let text = std::fs::read_to_string(&model).expect("the model");
        let kinds = ["action", "block", "call", "decision", "loop"];
        let count = |kind: &str| text.matches(&format!("<{kind} name=")).count();
        let elements: usize = kinds.into_iter().map(count).sum();
        assert!(
            elements <= DRAWN_FACTOR * drawn,
            "{name}: {elements}, drawn {drawn}"
        );
    }
    let trace = folder.join(format!("{name}.arrow"));
    if let Err(told) = run(&model, ranks, &trace) {
        return Some(told);
    }
    let (predicted, recorded) = (events(&trace), events(&recording));
    let mut pairs = predicted.iter().zip(&recorded).enumerate();
    assert_eq!(predicted.len(), recorded.len());
    pairs.find_map(|(rank, (predicted, recorded))| {
        let [predicted, recorded] = [predicted, recorded].map(|it| ordered(it));
        let mut kinds = predicted.iter().zip(&recorded);
        let differs = kinds.find(|(one, other)| one != other)?;
        let (one, other) = differs;
        let at = one.iter().zip(other).position(|(one, other)| one != other);
        let at = at.unwrap_or(one.len().min(other.len()));
        let (one, other) = (one.get(at), other.get(at));
        Some(format!(
            "{name}: rank {rank}, call {at}: {one:?}, recorded {other:?}"
        ))
    })
}

fn assert_exact(ranks: u32) {
    let Some(folder) = folder() else { return };
    if prophet_analyze::clang().is_err() {
        return skip(format_args!("there is no clang"));
    }
    let mut found = Vec::new();
    for (name, arguments, set) in PROGRAMS {
        let difference = difference(folder.path(), (name, ranks), arguments, set);
        if difference.is_some() != OTHERS.contains(&name) {
            found.push(format!("{name}: {difference:?}"));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn messages_from_source_are_exact() {
    assert_exact(16);
}

#[test]
#[ignore = "minutes: cargo test -p prophet-record --test all of_many_ranks -- --ignored"]
fn messages_from_source_of_many_ranks_are_exact() {
    assert_exact(64);
}
