//! Measures times that only generated programs have: to compile and to evaluate them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use prophet_codegen::generate::{Request, generate};
use prophet_codegen::workspace::Workspace;
use prophet_files::Folder;
use prophet_frontend::check::RuleSet;
use prophet_targets::build;

use super::{median, result_of, verdict};
use crate::Stop;
use prophet_cli::show_failure;

/// A row. Its first column is given, and a function measures the others.
type Row = (&'static str, fn(&Workspace, &Path) -> Result<String, Stop>);

const ROWS: [Row; 2] = [
    (
        "a generated program, 32 processes of 100 elements, evaluated",
        evaluated,
    ),
    (
        "a generated program of 3,000 elements in one diagram, compiled",
        compiled,
    ),
];

/// Returns the rows whose first column contains `only`.
pub(super) fn rows(workspace: &Workspace, only: Option<&str>) -> Result<String, Stop> {
    let mut rows = String::new();
    for (work, measure) in ROWS {
        if only.is_none_or(|only| work.contains(only)) {
            let folder = Folder::temporary("prophet-bench").map_err(failed)?;
            let measured = measure(workspace, folder.path())?;
            let _ = writeln!(rows, "| {work} | {measured} |");
        }
    }
    Ok(rows)
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` gives")]
fn failed(error: std::io::Error) -> Stop {
    Stop::input(format!("cannot write a model: {error}"))
}

/// Generates the crate of a model that has this number of actions.
fn generated(workspace: &Workspace, folder: &Path, elements: u32) -> Result<PathBuf, Stop> {
    let model = folder.join("long.uml");
    std::fs::write(&model, model_text(elements)).map_err(failed)?;
    let out = folder.join("long");
    let rules = RuleSet::shipped();
    let request = Request {
        out: Some(&out),
        ..Request::new(&model, &rules)
    };
    generate(&request, workspace).map_err(|failure| show_failure(&failure))?;
    Ok(out)
}

/// Measures how long it takes to recompile a large program after a change.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn compiled(workspace: &Workspace, folder: &Path) -> Result<String, Stop> {
    const TARGET_S: f64 = 20.0;
    let out = generated(workspace, folder, 3000)?;
    // Compiles all dependencies first, so that the time is the same as after a user's edit.
    build::release(&out)?;
    let mut code = OpenOptions::new()
        .append(true)
        .open(out.join("src/lib.rs"))
        .map_err(failed)?;
    code.write_all(b"\n// Changed.\n").map_err(failed)?;
    drop(code);
    let start = Instant::now();
    build::release(&out)?;
    let seconds = start.elapsed().as_secs_f64();
    let verdict = verdict(seconds <= TARGET_S);
    Ok(format!("≤ {TARGET_S} s | {seconds:.1} s | {verdict}"))
}

/// Evaluates a program of the size of LAPW0. Each run is a separate process, as for users.
fn evaluated(workspace: &Workspace, folder: &Path) -> Result<String, Stop> {
    const RUNS: usize = 51;
    const TARGET_S: f64 = 100e-6;
    let out = generated(workspace, folder, 100)?;
    let program = build::release(&out)?;
    let mut engine = Cow::Borrowed("");
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let output = Command::new(&program)
            .args(["--nodes", "8", "--cpus-per-node", "4", "--format", "json"])
            .output();
        let result = result_of(output)?;
        times.push(result.evaluation.cpu_s);
        engine = result.evaluation.engine;
    }
    let seconds = median(&mut times);
    let verdict = verdict(seconds <= TARGET_S);
    let seen = format!("{:.0} us of CPU, {engine} engine", seconds * 1e6);
    Ok(format!("≤ 100 us of CPU | {seen} | {verdict}"))
}

fn model_text(elements: u32) -> String {
    let (mut nodes, mut edges, mut stereotypes) = (String::new(), String::new(), String::new());
    for number in 0..=elements {
        let from = if number == 0 {
            "_Initial".to_owned()
        } else {
            format!("_A{number}")
        };
        let to = if number == elements {
            "_Final".to_owned()
        } else {
            format!("_A{}", number + 1)
        };
        let _ = write!(
            edges,
            r#"<edge xmi:type="uml:ControlFlow" xmi:id="_E{number}" source="{from}" target="{to}"/>"#
        );
        if number > 0 {
            let _ = write!(
                nodes,
                r#"<node xmi:type="uml:OpaqueAction" xmi:id="_A{number}" name="A{number}"/>"#
            );
            let _ = write!(
                stereotypes,
                r#"<prophet:action xmi:id="_S{number}" base_Action="_A{number}" time="{number}.5"/>"#
            );
        }
    }
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmi:version="20131001" xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
  xmlns:prophet="http:///schemas/prophet/1" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML">
<uml:Model xmi:id="_Model" name="Long">
<packagedElement xmi:type="uml:Class" xmi:id="_Class" name="Program" classifierBehavior="_Main">
<ownedBehavior xmi:type="uml:Activity" xmi:id="_Main" name="Main">
<node xmi:type="uml:InitialNode" xmi:id="_Initial" name="Initial"/>{nodes}
<node xmi:type="uml:ActivityFinalNode" xmi:id="_Final" name="Final"/>{edges}
</ownedBehavior></packagedElement></uml:Model>{stereotypes}</xmi:XMI>
"#
    )
}
