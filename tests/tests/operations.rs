//! Tests costs that consist of operations (`clc` and the tag `rud`), from the model to predictions
//! in all engines and in other targets' programs.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use prophet_codegen::target::Target;
use prophet_crosscheck::{Measured, SimGridResult, run, simgrid};
use prophet_export::{TraceFormat, export};
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check;
use prophet_runtime::Machine;
use prophet_targets::cpp::Cpp;
use prophet_targets::mermaid::Mermaid;
use prophet_targets::mpi_c::MpiC;
use prophet_targets::simgrid::SimGrid;
use prophet_targets::validate::Mpi;
use prophet_targets::xml::Xml;
use prophet_testing::{assert_close, assert_says, has, skip, succeeded};
use prophet_tests::programs::{Programs, crate_of, json};
use prophet_tests::random::Random;
use prophet_tests::{generated::generated, interpreted, root, sketch};
use serde_json::Value;

fn model() -> PathBuf {
    root().join("tests/models/operations/ring.uml")
}

fn machine() -> String {
    let path = root().join("tests/models/operations/priced.toml");
    path.display().to_string()
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn end_s(output: &Output) -> f64 {
    let result: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    result["predicted_time_s"].as_f64().expect("a number")
}

/// Returns how many seconds each process in the ring computes with these prices.
fn ring_s(n: f64, p: f64) -> f64 {
    let (andl, arf1, arf2, cmll, ifbr, inll, lfor) = (0.5, 0.25, 0.125, 1.0, 0.0625, 0.03125, 2.0);
    let count = 2.0 * cmll + (n + 1.0) * andl;
    let branches = p * (arf1 + 3.0 * arf2) + 0.25 * (2.0 * n * inll);
    let block = n * (lfor + cmll + inll + (2.0 * cmll + andl) + ifbr + branches);
    let work = if n % 2.0 == 0.0 {
        n * arf1 + andl
    } else {
        1e-6
    };
    count + block + work
}

/// Returns how many seconds a message of `8 * n` bytes adds.
fn message_s(n: f64) -> f64 {
    1e-6 + 8.0 * n / 1e9
}

#[test]
fn operations_are_priced_by_the_machine_in_all_engines() {
    let programs = Programs::build(&temporary("operations"), &[model()]);
    for engine in ["event", "local"] {
        for (n, p) in [(1000.0, 0.5), (7.0, 0.25)] {
            let (n_flag, p_flag) = (n.to_string(), p.to_string());
            let flags = [
                "--machine",
                &machine(),
                "--engine",
                engine,
                "--format",
                "json",
            ];
            let flags = [&flags[..], &["--n", &n_flag, "--p", &p_flag]].concat();
            // The run is also compared with the interpreter.
            let output = programs.run(&model(), &flags);
            assert_close(end_s(&output), ring_s(n, p) + message_s(n));
        }
    }
    programs.clippy();
}

#[test]
fn the_generated_crate_is_readable() {
    let files = crate_of(&model());
    let library: &str = &files[Path::new("src/lib.rs")];
    for part in [
        ".opcodes(&[ANDL, ARF1, ARF2, CMLL, IFBR, INLL, LFOR])",
        "const ANDL: Opcode = Opcode::new(0, \"ANDL\").used_by(\"action+\", \"Count\", ",
        "ctx.clc(&[(2.0, CMLL), ((globals.n + 1).real(), ANDL)])",
        "fn f_work(ctx: &ProcessCtx<'_>, n: Int) -> f64 {",
        "ctx.clc(&[(n.real(), ARF1), (1.0, ANDL)])",
        "fn f_block(ctx: &ProcessCtx<'_>, globals: &Globals) -> f64 {",
        "BLOCK.execute(ctx, f_block(ctx, globals))",
        "ctx.clc(&[(1.0, LFOR), (1.0, CMLL), (1.0, INLL)])",
        "Message::bytes(8 * globals.n)",
    ] {
        assert!(library.contains(part), "{part}:\n{library}");
    }
}

/// Writes a temporary file of a machine with these operations.
fn machine_of(name: &str, operations: &str) -> String {
    let path = temporary(&format!("{name}.toml"));
    let text = format!("name = \"{name}\"\nsource = \"a test\"\n{operations}");
    fs::write(&path, text).expect("a file can be written");
    path.display().to_string()
}

#[test]
fn an_operation_without_a_price_stops_the_run_before_it_starts() {
    let ran = interpreted::run(&model(), "ring", &["--processes", "2"]);
    assert_eq!((ran.code, &*ran.stdout), (3, ""));
    let head = "error: the machine `default` does not price operations of the model:\n  `ANDL`, \
                which action+ `Count` (id ";
    assert!(ran.stderr.starts_with(head), "{}", ran.stderr);
    let few = "[operations]\nunit = \"us\"\nANDL = 1\nARF1 = 1\nARF2 = 1\nCMLL = 1\n\
               IFBR = 1\nINLL = 1\nLFRO = 1\n";
    let file = machine_of("few", few);
    let ran = interpreted::run(&model(), "ring", &["--machine", &file]);
    let message = ran.stderr.replace(&file, "few.toml");
    let (head, id) = message.split_once("(id ").expect("it names the element");
    assert_eq!(
        head,
        "error: the machine `few` (few.toml) does not price an operation of the model:\n  \
         `LFOR`, which action+ `Block` "
    );
    let tail = id.split_once(") uses").expect("it goes on").1;
    assert_eq!(
        tail,
        "; did you mean `LFRO`?\n  choose another machine with --machine (pti-cluster), or\n  \
         add a price for each to the machine file, such as:\n    [operations]\n    \
         unit = \"us\"\n    LFOR = 0.001\n"
    );
}

#[test]
fn places_of_missing_operations_are_told_by_the_command() {
    let checked = check(&model(), None).expect("it can be read");
    let interpreted = prophet_interpreter::Interpreted::new(&checked, "ring.uml", false);
    let interpreted = interpreted.expect("it can be interpreted");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = interpreted.run_to(["ring".into()], &mut out, &mut err);
    let err = String::from_utf8(err).expect("it is text");
    assert_eq!(code, 3);
    assert!(err.contains("\n  --> ring.uml:"), "{err}");
}

/// Generates a random cost that consists of operations in C. Returns it with its value at the
/// machine's prices.
fn random_cost(random: &mut Random) -> (String, f64) {
    const PRICES: [(&str, f64); 3] = [("A", 0.3e-6), ("B", 1.7e-6), ("C", 0.011e-6)];
    let (mut text, mut sum) = (String::new(), 0.0);
    for number in 0..=random.below(4) {
        let (name, price_s) = *random.pick(&PRICES);
        let comma = if number > 0 { ", " } else { "" };
        let (count, value) = match random.below(4) {
            0 => (String::new(), 1.0),
            1 => ("3*".to_owned(), 3.0),
            2 => ("0.1 * ".to_owned(), 0.1),
            _ => ("(N - 2)*N*".to_owned(), 8.0 * 10.0),
        };
        let _ = write!(text, "{comma}{count}{name}");
        sum += value * price_s;
    }
    (format!("clc(\"{text}\")"), sum)
}

#[test]
fn random_costs_have_the_same_bits_in_the_crate_and_the_interpreter() {
    let operations = "[operations]\nunit = \"us\"\nA = 0.3\nB = 1.7\nC = 0.011\n";
    let file = machine_of("abc", operations);
    let mut random = Random(5);
    let mut sketch = String::from("const int N = 10\nstart");
    let mut nodes = String::new();
    let mut expected = 0.0;
    for number in 0..60 {
        let (cost, value) = random_cost(&mut random);
        let _ = write!(sketch, " -> A{number}");
        let cost = cost.replace('"', "QUOTE");
        let _ = writeln!(nodes, "A{number}: action cost=\"N * {cost}\"");
        expected += 10.0 * value;
    }
    let _ = write!(sketch, " -> end\n{nodes}");
    let path = temporary("random-operations.uml");
    // The sketch escapes the ampersand again.
    let xmi = sketch::xmi(&sketch).replace("QUOTE", "&quot;");
    fs::write(&path, xmi).expect("a file can be written");
    let programs = Programs::build(&temporary("random_operations"), std::slice::from_ref(&path));
    let output = programs.run(&path, &["--machine", &file, "--format", "json"]);
    // Parses numbers with Rust's parser, because serde_json's may differ in the last bit.
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text
        .lines()
        .find_map(|it| it.trim().strip_prefix("\"predicted_time_s\": "));
    let found: f64 = line
        .expect("it is there")
        .trim_end_matches(',')
        .parse()
        .expect("a number");
    assert_eq!(found.to_bits(), expected.to_bits(), "{found} {expected}");
}

fn written(target: &dyn Target, folder: &Path) {
    let made = generated(&RuleSet::shipped(), target, &model(), folder);
    made.unwrap_or_else(|failure| panic!("{failure:?}"));
}

#[test]
fn texts_show_the_operations() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let of = |name: &str| folder.path().join(name);
    written(&Mermaid, &of("mermaid"));
    let text = fs::read_to_string(of("mermaid/main.mmd")).expect("it is written");
    assert_says(&text, &["cost = clc(", "2*CMLL,ANDL"]);
    written(&Xml, &of("xml"));
    let again = check(&of("xml/ring.prophet.xml"), None).expect("it can be read");
    assert!(again.diagnostics.is_empty(), "{:?}", again.diagnostics);
    let first = check(&model(), None)
        .expect("it can be read")
        .program
        .expect("it is right");
    let again = again.program.expect("it is right");
    assert_eq!(again.opcodes, first.opcodes);
    for (again, first) in again.executions().zip(first.executions()) {
        assert_eq!(again.action, first.action);
    }
}

#[test]
fn the_papers_representation_asks_for_each_operation() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    written(&Cpp, folder.path());
    let text = fs::read_to_string(folder.path().join("ring.cpp")).expect("it is written");
    let part =
        "(2 * operation(\"CMLL\") + (N + 1) * operation(\"ANDL\")) /* 2*CMLL,(N + 1)*ANDL */";
    assert!(text.contains(part), "{text}");
    if !has("g++", "--version") {
        return;
    }
    succeeded(
        Command::new("g++")
            .args([
                "-std=c++17",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-c",
                "ring.cpp",
            ])
            .current_dir(folder.path()),
    );
}

#[test]
fn skeletons_ask_their_machine_file() {
    let mpi = match Mpi::find() {
        Ok(mpi) => mpi,
        Err(why) => return skip(why),
    };
    let folder = tempfile::tempdir().expect("a folder can be made");
    written(&MpiC, folder.path());
    mpi.build(folder.path())
        .unwrap_or_else(|failure| panic!("{failure:?}"));
    let run = |flags: &[&str]| {
        Command::new("mpirun")
            .args(mpi.flags(2))
            .arg(folder.path().join("skeleton"))
            .args(["--costs", "sleep", "--scale", "1e-6"])
            .args(flags)
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .output()
            .expect("mpirun can be started")
    };
    let output = run(&["--machine", &machine()]);
    let result = json(&output);
    let measured_s = result["measured_time_s"].as_f64().expect("a number");
    // Sleeping takes a bit longer than requested, and messages also take time.
    let least_s = ring_s(1000.0, 0.5) * 1e-6;
    assert!(
        (least_s..least_s + 5.0).contains(&measured_s),
        "{measured_s} {least_s}"
    );
    let error = |flags: &[&str]| String::from_utf8_lossy(&run(flags).stderr).into_owned();
    let without = error(&[]);
    let expected = "error: the model uses `ANDL`: give --machine FILE, which prices operations";
    assert!(without.contains(expected), "{without}");
    let few = machine_of("two", "[operations]\nunit = \"us\"\nANDL = 1\nARF1 = 2\n");
    let missing = error(&["--machine", &few]);
    let expected = format!("error: the machine file `{few}` does not price `ARF2`, which `Block`");
    assert!(missing.contains(&expected), "{missing}");
    let wrong = machine_of("wrong", "[operations]\nunit = \"us\"\nANDL = \"1\"\n");
    let told = error(&["--machine", &wrong]);
    assert!(told.contains(&format!("error: {wrong}:5: ")), "{told}");
}

#[test]
fn actors_of_simgrid_are_priced_alike() {
    if !simgrid::is_installed() {
        return skip(simgrid::HOW_TO_INSTALL);
    }
    let folder = temporary("simgrid").join("operations");
    written(&SimGrid, &folder);
    let flags = ["-O0", "-Wall", "-Wextra", "-Werror"];
    let program = simgrid::compile(&folder, &flags).unwrap_or_else(|problem| panic!("{problem}"));
    let flags = format!(
        "--nodes 4 --latency 1e-6 --bandwidth 1e9 --machine {}",
        machine()
    );
    let flags = flags.split_whitespace().map(Into::into);
    let flags = flags.chain(["--log=root.thres:error".into()]);
    let measured: Result<Measured<SimGridResult>, _> = run(&program, flags);
    let measured = measured.unwrap_or_else(|failure| panic!("{failure:?}"));
    assert_close(
        measured.result.predicted_time_s,
        ring_s(1000.0, 0.5) + message_s(1000.0),
    );
    let output = Command::new(&program).output().expect("it can be started");
    assert_eq!(output.status.code(), Some(2));
}

/// Valid and invalid descriptions according to the schema. The reader must agree with it.
const DESCRIPTIONS: &str = include_str!("cases/descriptions.txt");

#[test]
fn the_schema_allows_what_the_reader_does() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let has_xmllint = has("xmllint", "--version");
    for line in DESCRIPTIONS.lines() {
        let (word, rud) = line.split_once(' ').expect("a word before each");
        let expected = word == "right";
        let text = sketch::xmi("const int N = 4\nA: action cost=\"RUD\"\nstart -> A -> end\n");
        let escaped = rud.replace('<', "&lt;");
        let text = text.replace("cost=\"RUD\"", &format!("rud=\"{escaped}\""));
        let model = folder.path().join("m.uml");
        fs::write(&model, text).expect("a file can be written");
        let checked = check(&model, None).expect("it can be read");
        assert_eq!(
            checked.program.is_some(),
            expected,
            "{rud}: {:?}",
            checked.diagnostics
        );
        if has_xmllint {
            let file = folder.path().join("rud.xml");
            fs::write(&file, rud).expect("a file can be written");
            let schema = root().join("templates/xml/rud.xsd");
            let mut xmllint = Command::new("xmllint");
            xmllint.args(["--noout", "--schema"]).arg(schema).arg(file);
            let output = xmllint.output().expect("xmllint runs");
            assert_eq!(output.status.success(), expected, "{rud}");
        }
    }
}

/// The paper's example of a computation (ADI). It is unchanged except for added closing tags.
const ADI: &str = r#"<rud device="CPU">
<loop iter="MY_SIZE" type="clc"
  of="LFOR,CMLL,INLL">
  <compute type="clc" of="2*CMLL,ANDL"/>
  <case type="clc" of="IFBR">
  <branch exprob="0.9">
    <compute type="clc" of="ARF1,
      3*ARF2,DFSL,2*TFSL,MFSL,AFSL"/>
  </branch>
  </case>
</loop>
</rud>"#;

/// The paper's example of a message, unchanged.
const MESSAGE: &str = r#"<!-- RUD for MPI send function -->
<rud device="MPIsend">
<src>1</src><!-- Source processor -->
<trg>10</trg><!-- Target processor -->
<len>1024</len><!-- Msg length(bytes) -->
</rud>"#;

/// Interprets a sketch. `RUD` in it is replaced with the tag of this description.
fn run_described(name: &str, sketch: &str, rud: &str, flags: &[&str]) -> interpreted::Ran {
    let escaped = rud
        .replace('<', "&lt;")
        .replace('"', "&quot;")
        .replace('\n', "&#10;");
    let text = sketch::xmi(sketch).replace("type=\"RUD\"", &format!("rud=\"{escaped}\""));
    let text = text.replace("QUOTE", "&quot;");
    let path = temporary(&format!("{name}.uml"));
    fs::write(&path, text).expect("a file can be written");
    interpreted::run(&path, name, &[flags, &["--format", "json"]].concat())
}

#[test]
fn the_papers_example_of_adi_runs_on_the_papers_machine() {
    let sketch = "const int MY_SIZE = 100\nA: action type=\"RUD\"\nstart -> A -> end\n";
    let ran = run_described("adi", sketch, ADI, &["--machine", "pti-cluster"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let machine = Machine::preset("pti-cluster").expect("there is one");
    let sum_s = |operations: &[(f64, &str)]| -> f64 {
        let price_s = |it: &(f64, &str)| it.0 * machine.prices.get(it.1).expect(it.1);
        operations.iter().map(price_s).sum()
    };
    let always = [
        (1.0, "LFOR"),
        (3.0, "CMLL"),
        (1.0, "INLL"),
        (1.0, "ANDL"),
        (1.0, "IFBR"),
    ];
    let mostly = [
        (1.0, "ARF1"),
        (3.0, "ARF2"),
        (1.0, "DFSL"),
        (2.0, "TFSL"),
        (1.0, "MFSL"),
        (1.0, "AFSL"),
    ];
    let result: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    let predicted_s = result["predicted_time_s"].as_f64().expect("a number");
    assert_close(predicted_s, 100.0 * (sum_s(&always) + 0.9 * sum_s(&mostly)));
}

#[test]
fn events_of_the_cpu_tell_the_operations_that_they_use() {
    let sketch = "const int MY_SIZE = 100\nA: action type=\"RUD\"\n\
                  B: action cost=\"clc(QUOTEIADDQUOTE) / 4\"\n\
                  C: action cost=\"Twice(2)\"\nD: action cost=\"1\"\nE: action cost=\"1\"\n\
                  double Twice(int n) = clc(QUOTEn*DILGQUOTE) * 2\n\
                  start -> A -> B -> C -> D -> E -> end\n";
    let folder = tempfile::tempdir().expect("a folder can be made");
    let of = |name: &str| folder.path().join(name).display().to_string();
    let mut lists = Vec::new();
    for engine in ["local", "event"] {
        let (trace, xml) = (of("trace.arrow"), of("trace.xml"));
        let flags = [
            "--machine",
            "pti-cluster",
            "--nodes",
            "1",
            "--engine",
            engine,
            "--trace",
            &trace,
        ];
        let ran = run_described("used", sketch, ADI, &flags);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        export(Path::new(&trace), TraceFormat::PtiXml, Path::new(&xml)).expect("it is a trace");
        if has("xmllint", "--version") {
            let mut xmllint = Command::new("xmllint");
            let schema = root().join("templates/xml/pti-trace.xsd");
            succeeded(xmllint.args(["--noout", "--schema"]).arg(schema).arg(&xml));
        }
        let text = fs::read_to_string(&xml).expect("it is written");
        let (_, events) = text.split_once("<events").expect("it has events");
        let events = events.split("<event ").skip(1).map(|event| {
            let used = event.split("<operation ").skip(1);
            used.map(|it| it.split("/>").next().unwrap_or_default().to_owned())
                .collect()
        });
        lists.push(events.collect::<Vec<Vec<String>>>());
    }
    assert_eq!(lists[0], lists[1]);
    let often = |count: f64| count * 0.9 * 100.0;
    let adi = [
        ("AFSL", often(1.0)),
        ("ANDL", 100.0),
        ("ARF1", often(1.0)),
        ("ARF2", often(3.0)),
        ("CMLL", 300.0),
        ("DFSL", often(1.0)),
        ("IFBR", 100.0),
        ("INLL", 100.0),
        ("LFOR", 100.0),
        ("MFSL", often(1.0)),
        ("TFSL", often(2.0)),
    ];
    let told = |(name, count): &(&str, f64)| format!("name=\"{name}\" count=\"{count:?}\"");
    let expected: [&[(&str, f64)]; 5] = [&adi, &[("IADD", 0.25)], &[("DILG", 4.0)], &[], &[]];
    let expected = expected.map(|list| list.iter().map(told).collect::<Vec<_>>());
    assert_eq!(lists[0], expected);
}

#[test]
fn the_papers_example_of_a_message_runs_where_its_source_comes() {
    let sketch = |guard: &str| {
        format!(
            "S: bsend type=\"RUD\"\nR: brecv source=\"1\" size=\"1024\"\nD: decision\n\
             E: decision\nM: merge\nstart -> D -[{guard}]-> S -> M -> end\n\
             D -[else]-> E -[pid == 10]-> R -> M\nE -[else]-> M\n"
        )
    };
    let flags = ["--nodes", "11"];
    let ran = run_described("message", &sketch("pid == 1"), MESSAGE, &flags);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let result: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    assert_eq!(result["evaluation"]["messages"], 1);
    let ran = run_described("message", &sketch("pid <= 1"), MESSAGE, &flags);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    let told = "the `<src>` of its `rud` names a different process";
    assert!(
        ran.stderr.contains(told) && ran.stderr.contains("process 0"),
        "{}",
        ran.stderr
    );
}

#[test]
fn c_and_rust_read_the_same_prices() {
    let read = Machine::parse(
        &fs::read_to_string(machine()).expect("it is there"),
        "priced.toml",
    );
    let prices: Vec<_> = read
        .expect("it is right")
        .prices
        .iter()
        .map(|it| it.1)
        .collect();
    assert_eq!(prices, [0.5, 0.25, 0.125, 1.0, 0.0625, 0.03125, 2.0]);
}
