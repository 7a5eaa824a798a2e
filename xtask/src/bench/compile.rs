//! How long the compiler takes over a large generated program.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::time::Instant;

use prophet_codegen::build;
use prophet_codegen::generate::{Request, generate};
use prophet_codegen::output::Mode;
use prophet_codegen::workspace::Workspace;

use crate::Stop;
use crate::check::show_failure;

/// The row's first column.
pub(super) const WORK: &str = "a generated program of 3,000 elements in one diagram, compiled";
const ELEMENTS: u32 = 3000;
const TARGET_S: f64 = 20.0;

/// Generates such a program, compiles it again after a change, and tells how long that took.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
pub(super) fn row(workspace: &Workspace) -> Result<String, Stop> {
    let folder = std::env::temp_dir().join(format!("prophet-bench-{}", std::process::id()));
    let failed = |error: std::io::Error| Stop::input(format!("cannot write a model: {error}"));
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let model = folder.join("long.uml");
    std::fs::write(&model, model_text()).map_err(failed)?;
    let out = folder.join("long");
    let request = Request {
        model: &model,
        main: None,
        out: Some(&out),
        mode: Mode::Write,
        force: false,
    };
    generate(&request, workspace).map_err(|failure| show_failure(&failure))?;
    // Once with all that it depends on, and once as the user's loop has it.
    build::release(&out).map_err(Stop::input)?;
    let mut code = OpenOptions::new()
        .append(true)
        .open(out.join("src/lib.rs"))
        .map_err(failed)?;
    code.write_all(b"\n// Changed.\n").map_err(failed)?;
    drop(code);
    let start = Instant::now();
    build::release(&out).map_err(Stop::input)?;
    let seconds = start.elapsed().as_secs_f64();
    std::fs::remove_dir_all(&folder).map_err(failed)?;
    let verdict = if seconds <= TARGET_S { "yes" } else { "no" };
    Ok(format!(
        "| {WORK} | ≤ {TARGET_S} s | {seconds:.1} s | {verdict} |\n"
    ))
}

/// A model of that many actions in a row.
fn model_text() -> String {
    let (mut nodes, mut edges, mut stereotypes) = (String::new(), String::new(), String::new());
    for number in 0..=ELEMENTS {
        let from = if number == 0 {
            "_Initial".to_owned()
        } else {
            format!("_A{number}")
        };
        let to = if number == ELEMENTS {
            "_Final".to_owned()
        } else {
            format!("_A{}", number + 1)
        };
        // Writing to a string does not fail.
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
