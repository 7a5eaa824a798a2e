use prophet_testing::{assert_cases, assert_says};

use super::*;
use crate::command::cli::tests::parse_with;
use crate::command::cli::{Options, Refusal};
use crate::language::model::Model;

/// The parameters of the sample `megatron` that a file can set, and one that it can't.
const MEGATRON: Model = Model::new(
    "Megatron",
    &[
        Parameter::new("HIDDEN", Value::Int(1600)),
        Parameter::new("LAYERS", Value::Int(48)),
        Parameter::new("HEADS", Value::Int(25)),
        Parameter::new("KV_HEADS", Value::Int(0)),
        Parameter::new("FEED_FORWARD", Value::Int(0)),
        Parameter::new("GATED", Value::Int(0)),
        Parameter::new("SEQUENCE", Value::Int(1024)),
        Parameter::new("VOCABULARY", Value::Int(50_304)),
        Parameter::new("TIED", Value::Bool(true)),
        Parameter::new("EXPERTS", Value::Int(1)),
        Parameter::new("TOP_K", Value::Int(1)),
    ],
    0,
);

/// A training model without the parameters of Llama.
const FSDP: Model = Model::new(
    "Fsdp",
    &[
        Parameter::new("HIDDEN", Value::Real(2048.0)),
        Parameter::new("LAYERS", Value::Int(24)),
        Parameter::new("HEADS", Value::Int(16)),
        Parameter::new("VOCABULARY", Value::Int(50_368)),
    ],
    0,
);

/// Returns the values and warnings from a command line, or its error. In both texts, the file is
/// called `FILE`.
fn told(line: &str, file: &str) -> String {
    let (model, flags) = line.split_once(' ').unwrap_or((line, ""));
    let model = if model == "fsdp" { &FSDP } else { &MEGATRON };
    let flags = flags.replace("FILE", file);
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let told = match parse_with(model, &flags) {
        Ok(Options {
            system, warnings, ..
        }) => {
            let all = model.parameters.iter().zip(&system.parameters);
            let all: Vec<String> = all
                .map(|(it, value)| format!("{}={value}", it.name))
                .collect();
            let warnings = warnings.iter().map(|it| format!("\nwarning: {it}"));
            format!("{}{}", all.join(" "), warnings.collect::<String>())
        }
        Err(Refusal::Usage(error)) => format!("usage: {error}"),
        Err(Refusal::Input(problem)) => problem.to_string(),
        Err(Refusal::Answer(text)) => text,
    };
    format!("{}\n", told.trim_end().replace(file, "FILE"))
}

#[test]
fn configs_are_parameters_or_mistakes() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("config.json");
    let file = path.to_str().expect("it is text");
    assert_cases("tests/cases/config.txt", |case| {
        let answer = |line: &str| {
            let is_file = line.starts_with(['{', '[']);
            if is_file {
                std::fs::write(&path, line).expect("a file can be written");
            }
            let flags = if is_file {
                "megatron --config FILE"
            } else {
                line
            };
            format!("$ {line}\n{}", told(flags, file))
        };
        case.input.lines().map(answer).collect::<Vec<_>>().concat()
    });
}

#[test]
fn built_in_models_are_sound() {
    for name in built_in::names() {
        assert!(Published::named(name).is_ok(), "{name}");
    }
}

/// No file can make a size overflow, or a message span several lines.
#[test]
fn hostile_files_are_harmless() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("config.json");
    let name = path.to_str().expect("it is text");
    let deep = "[".repeat(100_000);
    let long = format!("{{\"model_type\": \"{}\\n\"}}", "x".repeat(1_000_000));
    for (text, what) in [
        (deep.as_str(), "recursion limit"),
        (long.as_str(), "unknown model_type"),
        ("\u{0}", "this is not JSON"),
        ("{", "the file is cut off"),
        ("", "it is empty"),
    ] {
        std::fs::write(&path, text).expect("a file can be written");
        let Err(Mistake::Input(problem)) = Published::named(name) else {
            panic!("{what}")
        };
        let message = problem.to_string();
        assert_says(&message, &["config.json", what]);
        assert!(message.len() < 1000, "{message}");
    }
    let missing = told("megatron --config no/such/config.json", "FILE");
    assert_says(&missing, &["cannot read no/such/config.json: "]);
    std::fs::write(&path, vec![b' '; 5 << 20]).expect("a file can be written");
    assert!(matches!(Published::named(name), Err(Mistake::Input(_))));
}
