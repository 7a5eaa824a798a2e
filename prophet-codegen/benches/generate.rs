//! Measures the time from the text of a large model to its formatted crate, compared with a plain
//! walk over the text.
//!
//! `cargo bench -p prophet-codegen` prints a row for each of 1, 5, and 20 MB: many copies of an
//! activity with two elements. In the first rows, the program doesn't call them; in the others, it
//! calls them all. Times are medians of five.

#![expect(clippy::print_stdout, reason = "the table is the result")]

mod large;

use std::path::Path;
use std::time::Instant;

use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::source::Source;
use prophet_codegen::target::Files;
use prophet_codegen::target::format;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_frontend::program::Program;
use prophet_frontend::resolve::resolve;
use prophet_model::xmi;

const RUNS: usize = 5;

fn main() {
    println!(
        "model             walk (s)  read (s)  resolve (s)  crate (s)  rustfmt (s)  all / walk"
    );
    for megabytes in [1, 5, 20] {
        row(&large::model(megabytes, false), &format!("{megabytes} MB"));
        row(
            &large::model(megabytes, true),
            &format!("{megabytes} MB, called"),
        );
    }
}

fn row(source: &Source, name: &str) {
    let walk = median(|| walk(&source.text));
    let read = median(|| xmi::read(source, None, &mut Diagnostics::new()));
    let both = median(|| program(source));
    let program = program(source);
    let crate_s = median(|| files(&program));
    let formatted = median(|| format(files(&program)).map(|files| files.len()));
    let all = both + formatted;
    println!(
        "{name:<16}  {walk:>8.3}  {read:>8.3}  {:>11.3}  {crate_s:>9.3}  {:>11.3}  {:>10.1}",
        both - read,
        formatted - crate_s,
        all / walk,
    );
}

/// Walks over all events of the XML. No reader can be faster.
fn walk(text: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut events = 0;
    while let Ok(event) = reader.read_event() {
        if matches!(event, quick_xml::events::Event::Eof) {
            break;
        }
        events += 1;
    }
    events
}

fn program(source: &Source) -> Program {
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(source, None, &mut diagnostics).expect("the model has activities");
    let read_table = |file: &str| prophet_frontend::tables::read(Path::new("."), file);
    resolve(&model, source, &read_table, &mut diagnostics).expect("the model is right")
}

fn files(program: &Program) -> Files {
    let options = CrateOptions {
        name: "large".to_owned(),
        model_file: "large.uml".to_owned(),
        runtime_path: "prophet-runtime".to_owned(),
        standalone: true,
        ..CrateOptions::default()
    };
    crate_files(program, &options)
}

#[expect(clippy::disallowed_methods, reason = "a bench measures")]
fn median<T>(mut run: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(run());
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}
