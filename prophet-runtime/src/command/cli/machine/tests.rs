use prophet_machine::machine::Machine;
use prophet_machine::network::Network;
use prophet_machine::policy::CpuDiscipline;
use prophet_machine::system::System;

use crate::command::cli::Refusal;
use crate::command::cli::tests::{EMPTY, options, parse_with};

#[test]
fn a_file_is_a_machine_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let file = path.to_str().unwrap();
    let text = "name = \"mine\"\nsource = \"measured\"\nnodes = 2\ncpus-per-node = 2\n\
                network = \"loggp:L=2us,o=1us,g=0,G=1ns\"\nmapping = \"0,1,0,1\"\n\
                discipline = \"round-robin\"\nquantum = \"20ms\"\n";
    std::fs::write(&path, text).unwrap();
    let system = options(&format!("--machine {file}")).system;
    assert_eq!((system.processes, system.machine()), (4, "mine".to_owned()));
    assert_eq!(system.mapping, [0, 1, 0, 1]);
    let loggp: Network = "loggp:L=2us,o=1us,g=0,G=1ns".parse().unwrap();
    assert_eq!((system.network, system.intranode), (loggp, loggp));
    // The quantum comes from the machine file.
    let system = options(&format!("--machine {file} --mapping block")).system;
    assert_eq!(system.machine(), "mine --mapping block");
    let turns = CpuDiscipline::RoundRobin { quantum_s: 0.02 };
    assert_eq!(system.discipline, turns);

    let refusal = parse_with(&EMPTY, &["--machine", file, "--processes", "3"]);
    let Err(Refusal::Usage(error)) = refusal else {
        panic!("{refusal:?}")
    };
    let message = "machine `mine`: the mapping has 4 entries for 3 processes; pass --mapping";
    assert!(error.to_string().contains(message), "{error}");

    std::fs::write(&path, "nodes = 2\n").unwrap();
    let refusal = parse_with(&EMPTY, &["--machine", file]);
    let Err(Refusal::Input(message)) = refusal else {
        panic!("{refusal:?}")
    };
    let expected = "missing key `name`: name the machine, such as `name = \"cluster\"`";
    assert_eq!(message, &*format!("{file}:1: {expected}"));
}

#[test]
fn flags_mend_what_does_not_go_together_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let file = path.to_str().unwrap();
    let text = "name = \"mine\"\nsource = \"x\"\nmemory-bandwidth = \"1GB/s\"\n\
                discipline = \"round-robin\"\nquantum = \"1ms\"\n";
    std::fs::write(&path, text).unwrap();
    let Err(Refusal::Input(message)) = parse_with(&EMPTY, &["--machine", file]) else {
        panic!("that machine is not there")
    };
    let problem =
        "a memory bandwidth is not supported with the discipline round-robin yet; use fcfs";
    assert_eq!(message, &*format!("{file}:4: {problem}"));
    let system = options(&format!("--machine {file} --discipline fcfs")).system;
    assert_eq!(system.discipline, CpuDiscipline::Fcfs);

    // If a flag causes a problem, the message is about the flag.
    let flags = ["--machine", file, "--discipline", "processor-sharing"];
    let Err(Refusal::Usage(error)) = parse_with(&EMPTY, &flags) else {
        panic!("that machine is not there")
    };
    let problem = "a memory bandwidth is not supported with the discipline processor-sharing yet";
    assert!(error.to_string().contains(problem), "{error}");
}

#[test]
fn machines_are_listed() {
    for flags in [["--machine", "list"].as_slice(), &["--machine"]] {
        let Err(Refusal::Answer(text)) = parse_with(&EMPTY, flags) else {
            panic!("{flags:?} lists no machines")
        };
        assert_eq!(text, Machine::list());
    }
}

#[test]
fn the_default_machine_has_any_size() {
    let mut system = options("--machine default --nodes 5").system;
    system.parameters.clear();
    assert_eq!(system, System::new(5, 1, 5, 1));
}
