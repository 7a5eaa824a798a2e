//! Defines fuzz targets. Each accepts any bytes, and panics if the tool has a bug.
//!
//! `tests/fuzz` runs them with libFuzzer, and `tests/tests/fuzz.rs` runs them with its own
//! mutations.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::{Diagnostics, Span, render_human};
use prophet_codegen::model::{Code, Language};
use prophet_codegen::source::{Source, Text};
use prophet_fit::measurements::Choice;
use prophet_frontend::check::{RuleSet, check};
use prophet_frontend::index::{FunctionIndex, GlobalIndex, ListPlace as _};
use prophet_frontend::lang::ir::{Signature, Type, Variable};
use prophet_frontend::lang::scope::{Binding, Scope};
use prophet_frontend::lang::{self, CodePlace};
use prophet_frontend::program::Program;
use prophet_frontend::resolve::resolve;
use prophet_model::xmi;
use prophet_platform::{Read, Route};
use prophet_runtime::{ActionPlus, BRecv, BSend, ByMachine, Machine, Message, Model, Network};
use prophet_runtime::{Opcode, Simulation, System};
use prophet_targets::{plantuml, xml};
use prophet_text::Problem;
use prophet_trace::{ReadError, TraceReader as Trace};
use prophet_workflow::formats;
use prophet_workflow::wfformat::Document;

use crate::hostile::{model, places, refuse_foreign_files};
use crate::sketch;

/// A part of the tool that reads untrusted input.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name of the target, and of its corpus in `tests/fuzz/corpus`.
    pub name: &'static str,
    pub run: fn(&[u8]),
}

macro_rules! targets {
    ($($name:literal: $run:ident,)*) => {
        pub const TARGETS: &[Target] = &[$(Target { name: $name, run: $run }),*];
    };
}

targets! {
    "xmi": xmi,
    "uml14": uml14,
    "structured": structured,
    "plantuml": plantuml_text,
    "cost": cost,
    "gen": gen_model,
    "texts": texts,
    "rules": rules,
    "machine": machine,
    "machine-xml": machine_xml,
    "changes": changes,
    "rud": rud,
    "platform": platform,
    "measurements": measurements,
    "trace": trace,
    "import": import,
    "workflow": workflow,
}

/// Folders with models to start from.
const MODELS: &str = include_str!("../fuzz/models.txt");

/// # Panics
///
/// Panics if there is no target with this name.
pub fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|target| target.name == name);
    *found.unwrap_or_else(|| panic!("there is no target {name}"))
}

impl Target {
    /// Returns the files that fuzzing starts from, sorted: the target's corpus and, if it contains
    /// models, all models of the project.
    ///
    /// # Panics
    ///
    /// Panics if a folder can't be read.
    pub fn corpus(&self) -> Vec<PathBuf> {
        let mut all = files(&Path::new("tests/fuzz/corpus").join(self.name));
        let is_model = |path: &PathBuf| path.extension().is_some_and(|name| name == "uml");
        if all.iter().any(is_model) {
            for folder in MODELS.lines() {
                all.extend(files(Path::new(folder)));
            }
        }
        all
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let folder = crate::root().join(folder);
    let entries = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn xmi(bytes: &[u8]) {
    let Ok(source) = xmi::decode("fuzz.uml", bytes.to_vec()) else {
        return;
    };
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(&source, None, &mut diagnostics);
    let problems = diagnostics.sorted();
    assert!(
        model.is_some() || !problems.is_empty(),
        "no model and no reason"
    );
    render_human(&source, &problems, false);
}

/// Reads UML 1.x. Inputs without any of its elements aren't worth keeping.
fn uml14(bytes: &[u8]) {
    if bytes.windows(4).any(|name| name == b"UML:") {
        xmi(bytes);
    }
}

/// Reads a model as text. If it has no errors, writing and reading it again must not change it.
fn plantuml_text(bytes: &[u8]) {
    let Ok(source) = xmi::decode("fuzz.puml", bytes.to_vec()) else {
        return;
    };
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(&source, None, &mut diagnostics);
    if let Some(model) = model.filter(|_| !diagnostics.has_errors()) {
        let text = plantuml::text(&xml::in_sequence(&model), "fuzz");
        let again = Source::new(source.name.clone(), text);
        let mut diagnostics = Diagnostics::new();
        let again = xmi::read(&again, None, &mut diagnostics);
        let elements = again.map(|it| it.elements.len());
        assert_eq!(
            elements,
            Some(model.elements.len()),
            "another model is read"
        );
    }
    generate(&source);
}

/// Reads a model in our own XML format. Writing and reading it again must not change it.
fn structured(bytes: &[u8]) {
    let Ok(source) = xmi::decode("fuzz.prophet.xml", bytes.to_vec()) else {
        return;
    };
    if !source.text.contains("prophet/model/1") {
        return;
    }
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(&source, None, &mut diagnostics);
    if let Some(model) = model.filter(|_| !diagnostics.has_errors()) {
        let text = xml::text(&model, "fuzz");
        let again = Source {
            text: text.clone(),
            ..source.clone()
        };
        let mut diagnostics = Diagnostics::new();
        let again = xmi::read(&again, None, &mut diagnostics);
        if let Some(again) = again.filter(|_| !diagnostics.has_errors()) {
            assert_eq!(xml::text(&again, "fuzz"), text, "another model is read");
        }
    }
    generate(&source);
}

fn gen_model(bytes: &[u8]) {
    if let Ok(source) = xmi::decode("fuzz.uml", bytes.to_vec()) {
        generate(&source);
    }
}

/// Generates the crate of a valid model that contains texts from the input.
///
/// Each line of the input is a text. Its first byte selects the place in the model.
fn texts(bytes: &[u8]) {
    let places = places();
    let mut texts = BTreeMap::new();
    let input = String::from_utf8_lossy(bytes);
    for line in input.split('\n') {
        let Some(first) = line.chars().next() else {
            continue;
        };
        let (place, _) = places[first as usize % places.len()];
        texts.insert(place, &line[first.len_utf8()..]);
    }
    generate(&Source::new("fuzz.uml", model(&texts)));
}

/// Checks the generated crate, if the model is accepted.
fn generate(source: &Source) -> Option<Program> {
    let mut diagnostics = Diagnostics::new();
    let no_table = |_: &str| Err("there are no tables".into());
    let program = xmi::read(source, None, &mut diagnostics).and_then(|model| {
        let program = resolve(&model, source, &no_table, &mut diagnostics);
        check(&model, source, &RuleSet::shipped(), &mut diagnostics);
        program
    });
    let refused = diagnostics.has_errors();
    render_human(source, &diagnostics.sorted(), false);
    assert!(program.is_some() || refused, "no program and no reason");
    let program = program.filter(|_| !refused)?;
    refuse_foreign_files(&program);
    Some(program)
}

/// Reads rule files, and checks a model with the rules.
fn rules(bytes: &[u8]) {
    let file = source(bytes);
    let mut rules = RuleSet::empty();
    let problems = rules.add(&file);
    render_human(&file, &problems, false);
    let model = source(sketch::xmi(SKETCH).as_bytes());
    let mut diagnostics = Diagnostics::new();
    let read = xmi::read(&model, None, &mut diagnostics).expect("the model can be read");
    check(&read, &model, &rules, &mut diagnostics);
    render_human(&model, &diagnostics.sorted(), false);
}

/// Reads a `SimGrid` platform, and looks up routes. The first bytes of the input also serve as the
/// platform's profiles.
fn platform(bytes: &[u8]) {
    let profile = bytes.iter().take(64).copied().collect::<Vec<u8>>();
    let Ok(read) = Read::text("fuzz.xml", bytes, |_| Ok(profile.clone())) else {
        return;
    };
    let hosts = 0..u32::try_from(read.platform.hosts().len().min(16)).expect("it is small");
    let mut route = Route::default();
    for from in hosts.clone() {
        for to in hosts.clone() {
            let found = read.platform.route(from, to, &mut route);
            if found.is_ok() {
                let links = read.platform.links();
                assert!(route.links.iter().all(|it| (*it as usize) < links.len()));
                assert!(route.latency_s >= 0.0, "a latency is below 0");
            }
        }
    }
}

/// Reads measurements, and fits a model to them.
fn measurements(bytes: &[u8]) {
    let Ok(series) = prophet_fit::measurements::parse("fuzz", bytes, &Choice::default()) else {
        return;
    };
    for series in series {
        assert!(!series.points.is_empty(), "a series has no point");
        for point in series.points {
            assert_eq!(point.at.len(), series.parameters.len());
            assert!(!point.values.is_empty(), "a point has no value");
            let mut numbers = point.at.iter().chain(&point.values);
            assert!(numbers.all(|it| it.is_finite()), "a number is not finite");
        }
    }
}

/// Reads other tools' traces. All three ranks have the same text. If a trace can be folded, the
/// result must be a model.
fn import(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    // The extension shows that a file is in Protobuf format.
    let text = std::str::from_utf8(bytes).ok();
    let ending = if text.is_some() { "txt" } else { "et" };
    for rank in 0..3 {
        // Each rank's calls contain its own number.
        let own = text.map(|it| it.replace("5,0,3", &format!("5,{rank},3")));
        let own = own.map_or_else(|| bytes.to_vec(), String::into_bytes);
        let file = folder.path().join(format!("{rank}.{ending}"));
        std::fs::write(file, own).expect("it can be written");
    }
    let told = |why: Problem| assert!(!why.message.is_empty(), "no reason is given");
    let first = folder.path().join(format!("0.{ending}"));
    let trace = match prophet_import::ImportedTrace::open(&first) {
        Ok(trace) => trace,
        Err(problem) => return told(problem),
    };
    match prophet_import::fold(&trace, "fuzz") {
        Ok(folded) => {
            let text = prophet_import::ModelForm::Text.of_xml(folded.text, "fuzz");
            text.expect("what is folded is a model");
        }
        Err(why) => told(why),
    }
}

/// Reads a workflow. The input contains the file and the files that complete it, separated by lines
/// of equals signs. Writing and reading the workflow again must not change it.
fn workflow(bytes: &[u8]) {
    let input = String::from_utf8_lossy(bytes);
    let texts: Vec<&str> = input.split("=====\n").collect();
    let names = ["a.sort.tsv", "bWFw", "c"].into_iter().cycle();
    let file = |(name, text)| formats::NamedText { name, text };
    let files: Vec<_> = names.zip(texts).map(file).collect();
    let told = |problems: &[Problem]| {
        assert!(!problems.is_empty(), "no reason is given");
        assert!(problems.iter().all(|it| !it.help.is_empty()));
    };
    let document = match formats::read(files[0], &files[1..], formats::Reading::default()) {
        Ok((document, _)) => document,
        Err(problems) => return told(&problems),
    };
    let text = document.text().expect("it can be written");
    let again = Document::parse(&text).expect("it is WfFormat");
    assert_eq!(again, document, "another workflow is read");
    if let Err(problems) = document.instance() {
        told(&problems);
    }
}

/// Reads all rows of all tables in a trace.
fn trace(bytes: &[u8]) {
    let told = |error: ReadError| assert!(!error.to_string().is_empty(), "no reason is given");
    let mut reader = match Trace::new(Cursor::new(bytes.to_vec())) {
        Ok(reader) => reader,
        Err(error) => return told(error),
    };
    let mut records = Vec::new();
    while reader.next_batch(&mut records).unwrap_or_else(|error| {
        told(error);
        false
    }) {}
    let network = reader.results().network.clone().unwrap_or_default();
    let routes = reader.routes().unwrap_or_default();
    let mut flows = Vec::new();
    let mut rows = reader.flows();
    while rows.next_batch(&mut flows).unwrap_or_default() {
        assert!(
            flows
                .iter()
                .all(|flow| flow.route < network.routes && flow.start_s <= flow.end_s)
        );
    }
    let mut loads = Vec::new();
    let mut rows = reader.loads();
    while rows.next_batch(&mut loads).unwrap_or_default() {
        assert!(
            loads
                .iter()
                .all(|load| (load.link as usize) < network.links.len())
        );
    }
    let mut links = routes.into_iter().flatten();
    assert!(links.all(|link| (link as usize) < network.links.len()));
}

/// Parses descriptions of resource usage. A description that contains `MPI` is one of a message,
/// and any other one of a block.
fn rud(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let element = if text.contains("MPI") {
        "A: bsend tag=\"RUD\""
    } else {
        "A: action+ cost=\"RUD\""
    };
    let model = sketch::xmi(&format!("const int N = 4\n{element}\nstart -> A -> end\n"));
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    let escaped = escaped.replace('"', "&quot;").replace('\n', "&#10;");
    let tag = format!("rud=\"{escaped}\"");
    let model = model.replace("cost=\"RUD\"", &tag);
    generate(&source(model.replace("tag=\"RUD\"", &tag).as_bytes()));
}

/// Reads machine files, and networks as on the command line.
fn machine(bytes: &[u8]) {
    let source = source(bytes);
    match Machine::parse(&source.text, &source.name) {
        Ok(machine) => turn(&machine),
        Err(problem) => assert!(!problem.message.is_empty(), "no reason is given"),
    }
    for line in source.text.lines() {
        // Parses each line as a network; errors are fine.
        let _ = line.parse::<Network>();
    }
}

fn machine_xml(bytes: &[u8]) {
    let source = source(bytes);
    match Machine::parse_xml(&source.text, &source.name) {
        Ok(machine) => turn(&machine),
        Err(problem) => assert!(!problem.message.is_empty(), "no reason is given"),
    }
}

/// Converts a machine to each format and back.
fn turn(machine: &Machine) {
    let toml = machine.to_toml().expect("it is no platform");
    let xml = machine.to_xml().expect("it is no platform");
    let of_xml = Machine::parse_xml(&xml, "fuzz.xml");
    for turned in [Machine::parse(&toml, "fuzz.toml"), of_xml] {
        let turned = turned.unwrap_or_else(|error| panic!("{error}\n{xml}"));
        assert_eq!(turned.name, machine.name);
        assert_eq!(turned.source, machine.source);
        assert_eq!(
            (turned.nodes, turned.cpus_per_node),
            (machine.nodes, machine.cpus_per_node)
        );
        assert_eq!(turned.memory, machine.memory);
        let entry = |of: &Machine, key: &str| of.entries().into_iter().find(|it| it.0 == key);
        assert!(
            ["bind", "node"]
                .into_iter()
                .all(|it| entry(&turned, it) == entry(machine, it))
        );
        assert_eq!(turned.prices, machine.prices);
        assert_eq!(turned.network(), machine.network());
    }
    // Some machines can't be drawn; they only give a message.
    let _ = machine.draw();
}

/// A machine whose parts are changed by [`changes`].
const CHANGING: &str = r#"
    name = "changing"
    source = "made up"
    nodes = 2
    cpus-per-node = 1
    [network]
    model = "shared"
    latency = "0"
    bandwidth = "1GB/s"
    [operations]
    unit = "s"
    IADD = 1
"#;

/// Changes a machine during the run of a program that executes blocks and sends a message.
fn changes(bytes: &[u8]) {
    const IADD: Opcode = Opcode::new(0, "IADD");
    const MODEL: Model = Model::new("Changes", &[], 3).opcodes(&[IADD]);
    const BLOCK: ActionPlus = ActionPlus::new(0, "Block", 1);
    const SEND: BSend = BSend::new(1, "Send", 2);
    const RECEIVE: BRecv = BRecv::new(2, "Receive", 3);
    let machine = Machine::parse(CHANGING, "changing.toml").expect("it is a machine");
    let mut system = System::on(machine, 2, 1, 3, 1);
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    std::fs::write(file.path(), bytes).expect("it can be written");
    let path = file.path().to_str().expect("it is text");
    system.follow_changes(path).expect("it is there");
    let run = Simulation::new(&MODEL, system).run(async |ctx| {
        BLOCK.execute(ctx, 0.3).await?;
        match i64::from(ctx.pid()) {
            0 => {
                SEND.execute(ctx, 2, Message::bytes(1_000_000_000), ByMachine)
                    .await?;
            }
            2 => {
                RECEIVE
                    .execute(ctx, 0, Message::any_size(), ByMachine)
                    .await?;
            }
            _ => {}
        }
        BLOCK.execute(ctx, ctx.clc(&[(2.0, IADD)])).await
    });
    match run {
        Ok(outcome) => assert!(outcome.predicted_time_s.is_finite(), "it ends"),
        Err(failure) => assert!(!failure.to_string().is_empty(), "no reason is given"),
    }
}

/// A model with elements of all kinds.
const SKETCH: &str = r#"
    int I
    double f(int n) = n * 0.1
    start -> D -[pid == 0]-> S -> M -> L -> F -> A -> J -> end
    D: decision
    D -[I > 3]-> R -> M
    M: merge
    S: bsend dest="pid + 1" size="8"
    R: brecv source="ANY"
    L: loop+ iterations="3" variable="k" {
      start -> C -> end
      C: critical name="c" {
        start -> B -> end
        B: barrier
      }
    }
    F: fork
    F -> T -> J
    T: plain code="I = I + 1;"
    J: join
"#;

/// Compiles code in the cost language. The first byte selects the target language, and whether the
/// rest is an expression, a fragment or the body of a function.
fn cost(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let source = source(rest);
    let code = Code {
        language: if first & 1 == 0 {
            Language::C
        } else {
            Language::Rust
        },
        text: Text::new(source.text.clone(), Span::new(0, source.text.len())),
    };
    let scope = scope();
    let place = CodePlace {
        source: &source,
        element: "Fuzz::A1",
    };
    let mut diagnostics = Diagnostics::new();
    let accepted = match first >> 1 & 3 {
        0 => lang::expression(&code, &Type::Real, &scope, place, &mut diagnostics).is_some(),
        1 => lang::expression(&code, &Type::Bool, &scope, place, &mut diagnostics).is_some(),
        2 => lang::fragment(&code, &scope, place, &mut diagnostics).is_some(),
        _ => {
            let signature = function(&[("a", Type::Real), ("k", Type::Int)]);
            lang::function_body(&code, &signature, &scope, place, &mut diagnostics).is_some()
        }
    };
    assert!(accepted || diagnostics.has_errors(), "no reason is given");
    render_human(&source, &diagnostics.sorted(), false);
}

/// Returns a scope with some names of each kind.
fn scope() -> Scope {
    let mut scope = Scope::default();
    let types = [
        ("x", Type::Real),
        ("n", Type::Int),
        ("b", Type::Bool),
        ("v", Type::Array(Box::new(Type::Real), 8)),
        ("w", Type::Array(Box::new(Type::Int), 4)),
    ];
    for (number, (name, ty)) in types.into_iter().enumerate() {
        let variable = Variable::Global(GlobalIndex::new(number));
        let binding = Binding {
            variable,
            ty,
            writable: name != "b",
        };
        scope.variables.insert(name.to_owned(), binding);
    }
    let called = function(&[("x", Type::Real)]);
    scope
        .functions
        .insert("f".to_owned(), (FunctionIndex::new(0), called));
    scope
}

fn function(arguments: &[(&str, Type)]) -> Signature {
    let arguments = arguments.iter();
    Signature {
        name: "f".to_owned(),
        arguments: arguments
            .map(|(name, ty)| ((*name).to_owned(), ty.clone()))
            .collect(),
        result: Type::Real,
    }
}

fn source(bytes: &[u8]) -> Source {
    Source::new("fuzz.uml", String::from_utf8_lossy(bytes))
}
