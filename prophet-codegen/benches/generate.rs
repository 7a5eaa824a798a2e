//! How long a large model takes from its text to a formatted crate, against a bare walk over it.
//!
//! `cargo bench -p prophet-codegen` prints a row for 1, 5 and 20 MB: many copies of an activity
//! with two elements, first beside the program, then all called by it. Times are medians of five.

#![expect(clippy::print_stdout, reason = "the table is the result")]

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::generate::format;
use prophet_codegen::program::Program;
use prophet_codegen::resolve::resolve;
use prophet_codegen::source::Source;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_codegen::xmi;

const RUNS: usize = 5;

fn main() {
    println!(
        "model             walk (s)  read (s)  resolve (s)  crate (s)  rustfmt (s)  all / walk"
    );
    for megabytes in [1, 5, 20] {
        row(&model(megabytes, false), &format!("{megabytes} MB"));
        row(&model(megabytes, true), &format!("{megabytes} MB, called"));
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

/// A plain pass over all events of the XML: what no reader can be faster than.
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
    let read_table = |file: &str| prophet_codegen::tables::read(Path::new("."), file);
    resolve(&model, source, &read_table, &mut diagnostics).expect("the model is right")
}

fn files(program: &Program) -> std::collections::BTreeMap<std::path::PathBuf, String> {
    let options = CrateOptions {
        name: "large".to_owned(),
        model_file: "large.uml".to_owned(),
        runtime_path: "prophet-runtime".to_owned(),
        standalone: true,
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

/// A model of about that size; `called` says whether the program calls the copies.
fn model(megabytes: usize, called: bool) -> Source {
    let (mut activities, mut calls, mut stereotypes) =
        (String::new(), String::new(), String::new());
    let mut number = 0;
    while activities.len() + calls.len() + stereotypes.len() < megabytes * 1_000_000 {
        number += 1;
        add_activity(&mut activities, number);
        let _ = writeln!(
            stereotypes,
            r#"  <prophet:action xmi:id="_A{number}_s" base_Action="_A{number}" cost="1.5*({number}+pid)"/>
  <prophet:allreduce xmi:id="_R{number}_s" base_Action="_R{number}" size="8"/>"#
        );
        if called {
            let before = number - 1;
            let _ = writeln!(
                calls,
                r#"      <node xmi:type="uml:CallBehaviorAction" xmi:id="_C{number}" name="Call{number}" behavior="_D{number}"/>
      <edge xmi:type="uml:ControlFlow" xmi:id="_F{number}" source="_C{before}" target="_C{number}"/>"#
            );
        }
    }
    let text = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmlns:prophet="http:///schemas/prophet/1">
  <uml:Model xmi:id="_M" name="Large">
    <packagedElement xmi:type="uml:Class" xmi:id="_P" name="Program" classifierBehavior="_Main">
      <ownedBehavior xmi:type="uml:Activity" xmi:id="_Main" name="Main">
      <node xmi:type="uml:InitialNode" xmi:id="_C0" name="Initial"/>
{calls}      </ownedBehavior>
{activities}    </packagedElement>
  </uml:Model>
{stereotypes}</xmi:XMI>
"#
    );
    Source {
        name: "large.uml".to_owned(),
        text,
    }
}

/// An activity as Papyrus writes it: a block and an allreduce between an initial and a final node.
fn add_activity(text: &mut String, n: usize) {
    let _ = writeln!(
        text,
        r#"      <ownedBehavior xmi:type="uml:Activity" xmi:id="_D{n}" name="Part{n}" node="_I{n} _A{n} _R{n} _E{n}">
        <ownedComment xmi:id="_K{n}" annotatedElement="_D{n}"><body>Part {n} of the program.</body></ownedComment>
        <edge xmi:type="uml:ControlFlow" xmi:id="_I{n}_to_A{n}" target="_A{n}" source="_I{n}"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="_A{n}_to_R{n}" target="_R{n}" source="_A{n}"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="_R{n}_to_E{n}" target="_E{n}" source="_R{n}"/>
        <node xmi:type="uml:InitialNode" xmi:id="_I{n}" name="Initial" outgoing="_I{n}_to_A{n}"/>
        <node xmi:type="uml:OpaqueAction" xmi:id="_A{n}" name="A{n}" incoming="_I{n}_to_A{n}" outgoing="_A{n}_to_R{n}"/>
        <node xmi:type="uml:OpaqueAction" xmi:id="_R{n}" name="R{n}" incoming="_A{n}_to_R{n}" outgoing="_R{n}_to_E{n}"/>
        <node xmi:type="uml:ActivityFinalNode" xmi:id="_E{n}" name="Final" incoming="_R{n}_to_E{n}"/>
      </ownedBehavior>"#
    );
}
