//! Tests the reader. Most tests of whole models are files in `tests/data`: [`golden`] compares the
//! outline of each model and the reported problems with the expected ones.

mod dialects;
mod golden;
mod hostile;
mod marte;
mod mutations;
mod problems;

use std::fmt::Write as _;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::{Code, Diagram, Flow, Guard, Language, Model, NodeKind, Stereotype, Variable};
use crate::source::Source;
use crate::vocabulary::Vocabulary;
use crate::xmi::{Guards, read_as};
use expect_test::expect;
use prophet_testing::assert_cases;

/// Start of the file for a tested model.
const HEAD: &str = "<uml:Model xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\" \
    xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" \
    xmlns:prophet=\"http:///schemas/prophet/1\" name=\"M\">";

/// Returns the outline of a model, and the reported problems.
fn told(source: &Source, main: Option<&str>) -> String {
    let mut diagnostics = Diagnostics::new();
    let model = super::read(source, main, &mut diagnostics);
    let mut text = model.map_or_else(|| "no model\n".to_owned(), |model| outline(&model));
    text.push_str(&reported(source, diagnostics));
    text
}

/// Reads the content of a `uml:Model`, or a whole file if it has a root. Returns the model and its
/// problems.
fn read(xmi: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let source = source(xmi);
    let mut diagnostics = Diagnostics::new();
    let model = super::read(&source, None, &mut diagnostics);
    (model, diagnostics.sorted())
}

fn source(xmi: &str) -> Source {
    let xmi = xmi.trim();
    let is_whole = ["<?xml", "<xmi:", "<uml:", "<XMI", "<!"]
        .iter()
        .any(|root| xmi.starts_with(root));
    let text = if is_whole {
        xmi.to_owned()
    } else {
        format!("{HEAD}\n{xmi}\n</uml:Model>")
    };
    Source::new("model.uml", text)
}

fn reported(source: &Source, diagnostics: Diagnostics) -> String {
    let mut text = String::new();
    let mut line = |label: &str, line: &str| {
        let line = line.replace(['\n', '\r'], " ").replace('\0', "NUL");
        let cut: String = line.chars().take(70).collect();
        let more = if cut.len() < line.len() { "…" } else { "" };
        let _ = writeln!(text, "{label}{cut}{more}");
    };
    for it in diagnostics.sorted() {
        let severity = it.severity.name();
        line(&format!("{severity} {}: ", it.code), &it.message);
        let marked = source.text.get(it.span.range()).unwrap_or_default();
        line("  at ", if marked.is_empty() { "nothing" } else { marked });
        if !it.element.is_empty() {
            line("  in ", &it.element);
        }
        if !it.help.is_empty() {
            line("  help: ", &it.help);
        }
    }
    text
}

fn outline(model: &Model) -> String {
    let main = &model.diagram(model.main).path;
    let mut text = format!("model {} starts at {main}\n", model.name);
    for global in &model.globals {
        let _ = writeln!(text, "global {}", variable(global));
    }
    for function in &model.functions {
        let parameters: Vec<String> = function.parameters.iter().map(variable).collect();
        let result = function.result.as_ref();
        let _ = writeln!(
            text,
            "function {}({}) -> {}: {}{}",
            function.name.value,
            parameters.join(", "),
            result.map_or("?", |it| &it.value),
            code(&function.body),
            comment(function.comment.as_ref())
        );
        for problem in &function.problems {
            let _ = writeln!(text, "  {} {}", problem.code, problem.message);
        }
    }
    for (number, diagram) in model.diagrams.iter().enumerate() {
        let _ = write!(text, "{number} {:?} {}", diagram.name, diagram.path);
        text.push_str(&comment(diagram.comment.as_ref()));
        text.push_str(&stereotype(diagram.stereotype.as_ref()));
        text.push('\n');
        for local in &diagram.locals {
            let _ = writeln!(text, "  local {}", variable(local));
        }
        for &id in &diagram.elements {
            let element = model.element(id);
            let body = element.body.as_ref();
            let _ = writeln!(
                text,
                "  {} {}{}{}{}",
                kind(&element.kind),
                element.path.rsplit("::").next().unwrap_or_default(),
                stereotype(element.stereotype.as_ref()),
                body.map_or_else(String::new, |body| format!(" {{ {} }}", code(body))),
                comment(element.comment.as_ref()),
            );
        }
        for flow in &diagram.flows {
            text.push_str(&arrow(model, diagram, flow));
        }
    }
    text
}

fn arrow(model: &Model, diagram: &Diagram, flow: &Flow) -> String {
    let name = |id| {
        let element = model.element(id);
        assert!(
            diagram.elements.contains(&id),
            "{flow:?} leaves its diagram"
        );
        element.path.rsplit("::").next().unwrap_or_default()
    };
    let guard = match &flow.guard {
        None => String::new(),
        Some(Guard::Else) => " [else]".to_owned(),
        Some(Guard::When(guard)) => format!(" [{}]", code(guard)),
    };
    format!("  {} -> {}{guard}\n", name(flow.source), name(flow.target))
}

fn kind(kind: &NodeKind) -> String {
    let condition = |code: &Option<Code>| code.as_ref().map_or("?".to_owned(), self::code);
    match kind {
        NodeKind::Call(None) => "Call nothing".to_owned(),
        NodeKind::Call(Some(diagram)) => format!("Call {}", diagram.0),
        NodeKind::Structured(diagram) => format!("Structured {}", diagram.0),
        NodeKind::Loop(it) => {
            let part = |id: Option<crate::model::DiagramId>| id.map_or(-1, |id| id.0.cast_signed());
            format!(
                "Loop setup {} test {} while {} body {}{}",
                part(it.setup),
                part(it.test),
                condition(&it.condition),
                it.body.0,
                if it.tested_first { "" } else { " first" },
            )
        }
        NodeKind::Conditional(clauses) => {
            let clauses = clauses.iter();
            let shown =
                clauses.map(|it| format!(" if {} do {}", condition(&it.condition), it.body.0));
            format!("Conditional{}", shown.collect::<String>())
        }
        NodeKind::Unsupported(name) => format!("Unsupported {name}"),
        plain => format!("{plain:?}"),
    }
}

fn variable(it: &Variable) -> String {
    let mut text = format!("{} {}", it.type_name.value, it.name.value);
    if let Some(length) = it.length {
        let _ = write!(text, "[{length}]");
    }
    if it.read_only {
        text.push_str(" const");
    }
    if let Some(default) = &it.default {
        let _ = write!(text, " = {}", code(default));
    }
    text + &comment(it.comment.as_ref())
}

fn code(it: &Code) -> String {
    let language = if it.language == Language::Rust {
        "rust "
    } else {
        ""
    };
    format!("{language}{}", it.text.value)
}

fn stereotype(it: Option<&Stereotype>) -> String {
    let Some(it) = it else {
        return String::new();
    };
    let mut tags = String::new();
    for (tag, text) in &it.tags {
        let _ = write!(tags, " {tag}={}", text.value);
    }
    format!(" «{}{tags}»", it.kind.name())
}

fn comment(it: Option<&String>) -> String {
    it.map_or_else(String::new, |text| format!(" // {text}"))
}

#[test]
fn the_summary_of_a_text_names_plantuml() {
    let source = Source::new("a.puml", "@startuml\nstart\n:Work;\nstop\n@enduml\n");
    let vocabulary = crate::vocabulary::Vocabulary::default();
    let mut problems = Diagnostics::new();
    let (_, summary) = super::read_with_summary(&vocabulary, &source, None, &mut problems);
    assert_eq!(summary.uml, "PlantUML text");
}

fn places(xmi: &str) -> String {
    let model = crate::xmi::read(&source(xmi), None, &mut Diagnostics::new());
    let model = model.expect("there is an activity");
    let places = model.places.iter();
    let places = places.map(|(id, at)| format!("{} {} {}", model.element(*id).name, at.x, at.y));
    places.collect::<Vec<_>>().join(", ")
}

#[test]
fn positions_of_all_tools_are_read() {
    assert_cases("tests/cases/places.txt", |case| places(case.input));
}

const REGION: &str = include_str!("tests/region.txt");

#[test]
fn interruptions_are_left_out_where_that_may_be_assumed() {
    let source = source(REGION);
    let mut diagnostics = Diagnostics::new();
    let own = Vocabulary::NONE;
    let model = read_as(Guards::Words, own, &source, None, &mut diagnostics).expect("it is read");
    assert!(!diagnostics.has_errors());
    let told = model
        .assumed
        .iter()
        .map(|it| (it.text.as_str(), it.gone.len()));
    let text = "the flow from M::Main::Stop to M::Main::B is never taken: its region is not \
                interrupted";
    assert!(told.eq([(text, 2)]), "{:?}", model.assumed);
    expect![[r#"
        model M starts at M::Main
        0 "Main" M::Main
          Initial InitialNode
          Action A
          Action B
          InitialNode -> A
    "#]]
    .assert_eq(&outline(&model));
}

/// Reads nodes that accept these events one after another, and returns the problems with the
/// events.
fn accepted(events: &str) -> String {
    let mut nodes = String::new();
    let mut packaged = String::new();
    for (number, event) in events.lines().enumerate() {
        let _ = writeln!(
            nodes,
            "<node xmi:type=\"uml:AcceptEventAction\" xmi:id=\"a{number}\" name=\"A{number}\">\
             <trigger xmi:type=\"uml:Trigger\" xmi:id=\"t{number}\" event=\"v{number}\"/></node>"
        );
        let (kind, rest) = event.split_once('>').expect("a kind and its content");
        let _ = writeln!(
            packaged,
            "<packagedElement xmi:type=\"uml:{kind} xmi:id=\"v{number}\">{rest}</packagedElement>"
        );
    }
    let (model, problems) = read(&format!(
        "<packagedElement xmi:type=\"uml:Activity\" xmi:id=\"_m\" name=\"Main\">\
         <variable xmi:id=\"x\" name=\"x\"/>{nodes}</packagedElement>\
         <packagedElement xmi:type=\"uml:Signal\" xmi:id=\"s\" name=\"Stop\"/>{packaged}"
    ));
    let mut text = String::new();
    for element in model.expect("there is an activity").elements {
        let _ = write!(text, "{}:", element.name);
        if let Some(stereotype) = &element.stereotype {
            let _ = write!(text, " {}", stereotype.kind.name());
            for (tag, value) in &stereotype.tags {
                let _ = write!(text, " {tag}=`{}`", value.value);
            }
        }
        text.push('\n');
    }
    for problem in problems {
        let message: String = problem.message.chars().take(80).collect();
        let _ = writeln!(text, "{} {message}", problem.code);
    }
    text
}

#[test]
fn events_are_delays_and_waits() {
    assert_cases("tests/cases/triggers.txt", |case| accepted(case.input));
}
