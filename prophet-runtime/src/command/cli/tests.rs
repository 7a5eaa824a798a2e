use expect_test::expect_file;
use prophet_machine::value::Value;
use prophet_testing::{assert_cases, assert_says, assert_starts};

use super::*;
use crate::language::model::Parameter;

pub(super) const EMPTY: Model = Model::new("SampleModel", &[], 7);

const MODEL: Model = Model::new(
    "Lapw0",
    &[
        Parameter::new("NAT", Value::Int(32)),
        Parameter::new("PNAT_MAX", Value::Real(0.5)),
        Parameter::new("checked", Value::Bool(false)),
        Parameter::new("Nodes", Value::Int(7)),
        Parameter::new("nat", Value::Int(1)),
        Parameter::new("__", Value::Int(2)),
    ],
    12,
);

pub(super) fn parse_with(model: &Model, flags: &[&str]) -> Result<Options, Refusal> {
    let arguments = std::iter::once("sample").chain(flags.iter().copied());
    parse(model, &mut arguments.map(OsString::from))
}

/// Parses a command line. Values can't contain blanks.
pub(super) fn options(flags: &str) -> Options {
    let flags: Vec<&str> = flags.split_whitespace().collect();
    parse_with(&MODEL, &flags).unwrap_or_else(|refusal| panic!("{flags:?}: {refusal:?}"))
}

/// Returns the message about an invalid command line, without the usage that follows it.
fn usage_error_of(model: &Model, flags: &[&str]) -> String {
    match parse_with(model, flags) {
        Err(Refusal::Usage(error)) => {
            assert!(error.use_stderr(), "{flags:?}");
            assert_eq!(error.exit_code(), 2, "{flags:?}");
            let text = error.to_string();
            let message = text.split("\n\nUsage:").next().unwrap_or(&text);
            message
                .split("\n\nFor more")
                .next()
                .unwrap_or(message)
                .to_owned()
        }
        other => panic!("{flags:?}: {other:?}"),
    }
}

fn usage_error(flags: &str) -> String {
    usage_error_of(&MODEL, &flags.split_whitespace().collect::<Vec<_>>())
}

/// Wraps the long lines of a message, as in the golden texts of this file.
fn folded(message: &str) -> String {
    let mut folded = String::new();
    let mut columns = 0;
    for word in message.split(' ') {
        if columns > 0 && columns + word.len() > 80 {
            folded.push_str("\n   ");
            columns = 4;
        }
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
        columns = match word.rsplit_once('\n') {
            Some((_, last)) => last.len(),
            None => columns + 1 + word.len(),
        };
    }
    folded
}

#[test]
fn what_is_wrong_is_told() {
    assert_cases("tests/cases/flags.txt", |case| {
        let told = |line| format!("$ {line}\n{}\n", folded(&usage_error(line)));
        case.input.lines().map(told).collect::<Vec<_>>().concat()
    });
}

#[test]
fn the_command_is_sound() {
    for model in [EMPTY, MODEL] {
        command(&model, &ParameterFlags::new(&model)).debug_assert();
    }
}

#[test]
fn without_flags_it_is_one_process_on_the_default_machine() {
    let options = options("");
    assert_eq!(
        options.system,
        System {
            parameters: MODEL.defaults(),
            ..System::default()
        }
    );
    assert_eq!(options.format, Format::Table);
    assert!(!options.all_processes);
}

fn described(flags: &str) -> String {
    let Options {
        system,
        format,
        all_processes,
        ..
    } = options(flags);
    let networks = [false, true].map(|within| system.network_value(within));
    let System {
        nodes,
        cpus_per_node,
        processes,
        threads,
        seed,
        mapping,
        memory,
        discipline,
        wait_policy,
        parameters,
        ..
    } = &system;
    let shown = &mapping[..mapping.len().min(16)];
    let values: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    format!(
        "$ {flags}\n\
         {}\n\
         {nodes} x {cpus_per_node} CPUs, {processes} x {threads} units on {shown:?}, seed {seed}\n\
         {}\n\
         {discipline:?}, {wait_policy:?}, {} sockets, {:?}, {:?} B/s\n\
         {}\n\
         {format:?}{}\n",
        system.machine(),
        networks.join(" "),
        memory.sockets,
        memory.bandwidth,
        memory.core_bandwidth,
        values.join(" "),
        if all_processes {
            " of all processes"
        } else {
            ""
        },
    )
}

#[test]
fn flags_describe_a_system() {
    assert_cases("tests/cases/options.txt", |case| {
        case.input
            .lines()
            .map(described)
            .collect::<Vec<_>>()
            .concat()
    });
}

#[test]
fn what_is_the_default_anyway_can_be_said() {
    let flags = "--machine default --discipline fcfs --wait-policy release --engine auto \
        --collective allreduce=auto --collective broadcast=auto \
        --collective barrier=auto --mapping block --format table";
    assert_eq!(options(flags), options(""));
    assert_eq!(
        options("--collective barrier=auto --collective allreduce=auto"),
        options("")
    );
}

#[test]
fn a_mapping_may_be_in_a_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "1\n0\n").unwrap();
    let path = file.path().to_str().unwrap();
    let system = parse_with(&EMPTY, &["--nodes", "2", "--mapping", path])
        .unwrap()
        .system;
    assert_eq!(system.mapping, [1, 0]);
}

#[test]
fn a_broken_mapping_file_is_no_usage_error() {
    let refusal = parse_with(&EMPTY, &["--mapping", "no/such/file"]);
    let Err(Refusal::Input(message)) = refusal else {
        panic!("{refusal:?}")
    };
    assert_starts(&message.to_string(), "cannot read no/such/file: ");
}

#[test]
fn a_wrong_line_of_changes_is_told_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("changes.jsonl");
    let lines = "{\"at_s\": 1, \"node\": \"node0\", \"speed\": 1}\n\
                 {\"at_s\": 2, \"node\": \"node7\", \"speed\": 1}\n";
    std::fs::write(&path, lines).expect("a file can be written");
    let flags = ["--changes", path.to_str().expect("it is text")];
    let Err(Refusal::Input(problem)) = parse_with(&EMPTY, &flags) else {
        panic!("the line is wrong")
    };
    let message = problem.to_string();
    let (_, told) = message
        .split_once("changes.jsonl:")
        .expect("the file is named");
    assert_eq!(
        told,
        "2: a change at 2 s names the node `node7`, but the machine has `node0` alone"
    );
}

#[test]
fn required_parameters_are_asked_for() {
    const ASKING: Model = Model::new(
        "Asking",
        &[
            Parameter::required("Demand_S", Value::Real(0.0)),
            Parameter::required("nodes", Value::Int(0)),
        ],
        0,
    );
    assert_eq!(
        usage_error_of(&ASKING, &["--set", "nodes=2"]),
        "error: the parameter `Demand_S` has no value: pass --demand-s <REAL>"
    );
    assert_eq!(
        usage_error_of(&ASKING, &["--demand-s", "0.5"]),
        "error: the parameter `nodes` has no value: pass --set nodes=<INTEGER>"
    );
    let given = parse_with(&ASKING, &["--demand-s", "0.5", "--set", "nodes=2"]);
    let values = given.expect("all are given").system.parameters;
    assert_eq!(values, [Value::Real(0.5), Value::Int(2)]);
    let help = command(&ASKING, &ParameterFlags::new(&ASKING)).render_long_help();
    assert!(help.to_string().contains("Demand_S [required]"), "{help}");
    let mut configuration = Configuration::read(&ASKING, &["--set", "nodes=2"]).expect("it waits");
    assert!(configuration.check_parameters().is_err() && configuration.system().is_err());
    let demand = super::configuration::Assignment::read(&ASKING, "Demand_S", "2")
        .expect("it is a parameter");
    configuration.assign(&demand);
    assert_eq!(configuration.check_parameters(), Ok(()));
}

#[test]
fn wrong_parameters_are_refused() {
    assert_eq!(
        usage_error_of(&EMPTY, &["--set", "NAT=4"]),
        "error: invalid value 'NAT=4' for '--set': the model has no parameter `NAT`; it has no \
         parameters"
    );
}

#[test]
fn the_times_of_noise_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("times");
    std::fs::write(&path, "1\n2\n").unwrap();
    let path = path.display();
    let (noise, record) = (format!("costs=empirical:{path}"), path.to_string());
    let error = usage_error_of(&MODEL, &["--noise", &noise, "--record", &record]);
    assert_says(
        &error,
        &["`--record` would replace ", "which this command reads"],
    );
}

#[test]
fn help_shows_all_flags() {
    let Err(Refusal::Usage(help)) = parse_with(&MODEL, &["--help"]) else {
        panic!("no help")
    };
    assert_eq!((help.use_stderr(), help.exit_code()), (false, 0));
    expect_file!["help.txt"].assert_eq(&help.to_string());
}

#[test]
fn help_fits_eighty_columns() {
    let Err(Refusal::Usage(help)) = parse_with(&MODEL, &["--help"]) else {
        panic!("no help")
    };
    for line in help.to_string().lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn version_is_shown() {
    let Err(Refusal::Usage(version)) = parse_with(&MODEL, &["--version"]) else {
        panic!()
    };
    assert_eq!((version.use_stderr(), version.exit_code()), (false, 0));
    assert_eq!(
        version.to_string(),
        format!("Lapw0 {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_unicode_are_refused() {
    use std::os::unix::ffi::OsStringExt;

    let arguments = [
        "sample".into(),
        "--set".into(),
        OsString::from_vec(vec![0xff, b'=', b'1']),
    ];
    let Err(Refusal::Usage(error)) = parse(&MODEL, &mut arguments.into_iter()) else {
        panic!("taken")
    };
    assert_eq!(error.exit_code(), 2);
}

/// Names come from models that aren't trusted, so none of them may break the command line.
#[test]
fn hostile_parameter_names_are_harmless() {
    const HOSTILE: Model = Model::new(
        "",
        &[
            Parameter::new("", Value::Int(0)),
            Parameter::new("--help", Value::Int(1)),
            Parameter::new("a=b c", Value::Int(2)),
            Parameter::new("größe", Value::Int(3)),
            Parameter::new("🚀", Value::Int(4)),
            Parameter::new("a\nb", Value::Int(5)),
            Parameter::new("İ", Value::Int(6)),
        ],
        0,
    );
    command(&HOSTILE, &ParameterFlags::new(&HOSTILE)).debug_assert();
    let flags = [
        "--a-b-c",
        "20",
        "--größe",
        "30",
        "--set",
        "🚀=40",
        "--set",
        "=5",
    ];
    let values = parse_with(&HOSTILE, &flags).unwrap().system.parameters;
    assert_eq!(values, [5, 1, 20, 30, 40, 5, 6].map(Value::Int));
}
