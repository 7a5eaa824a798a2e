use prophet_testing::{assert_says, assert_starts};

use super::*;
use crate::command::cli::Model;
use crate::language::model::Parameter;

const MODEL: Model = Model::new(
    "Lapw0",
    &[
        Parameter::new("NAT", Value::Int(32)),
        Parameter::new("PNAT_MAX", Value::Real(0.5)),
        Parameter::new("nodes", Value::Int(7)),
    ],
    12,
);

fn assigned(flags: &[&str], assignments: &[(&str, &str)]) -> System {
    let mut configuration = Configuration::read(&MODEL, flags).unwrap();
    for (name, text) in assignments {
        configuration.assign(&Assignment::read(&MODEL, name, text).unwrap());
    }
    configuration.system().unwrap()
}

#[test]
fn an_assignment_is_what_its_flag_is() {
    let network = "loggp:L=2us,o=1us,g=0,G=1ns";
    for (name, text) in [
        ("machine", "gescher"),
        ("nodes", "3"),
        ("cpus-per-node", "4"),
        ("processes", "5"),
        ("threads", "2"),
        ("seed", "7"),
        ("network", network),
        ("intranode", network),
        ("mapping", "cyclic"),
        ("discipline", "processor-sharing"),
        ("wait-policy", "hold"),
        ("memory-bandwidth", "100GB/s"),
        ("core-bandwidth", "10GB/s"),
        ("engine", "event"),
        ("repetition", "auto"),
    ] {
        let flag = format!("--{name}");
        let by_flag = Configuration::read(&MODEL, &[flag.as_str(), text]).unwrap();
        let mut configuration = Configuration::read(&MODEL, &[] as &[&str]).unwrap();
        configuration.assign(&Assignment::read(&MODEL, name, text).unwrap());
        assert_eq!(configuration.system(), by_flag.system(), "{name}");
        assert_eq!(configuration.method(), by_flag.method(), "{name}");
    }
    let by_flag = assigned(&["--collective", "allreduce=ring"], &[]);
    assert_eq!(assigned(&[], &[("collective.allreduce", "ring")]), by_flag);
    let flags = [
        "--nodes",
        "8",
        "--noise",
        "costs=lognormal:0.05",
        "--slow-node",
        "0..3=1.5",
    ];
    let assignments = [
        ("nodes", "8"),
        ("noise.costs", "lognormal:0.05"),
        ("slow-node.0..3", "1.5"),
    ];
    assert_eq!(assigned(&[], &assignments), assigned(&flags, &[]));
}

#[test]
fn assignments_win_over_flags() {
    let system = assigned(
        &["--nodes", "2", "--nat", "8", "--seed", "3"],
        &[
            ("nodes", "4"),
            ("nat", "16"),
            ("pnat-max", "0.25"),
            ("set.nodes", "9"),
        ],
    );
    assert_eq!((system.nodes, system.seed), (4, 3));
    let values = [Value::Int(16), Value::Real(0.25), Value::Int(9)];
    assert_eq!(system.parameters, values);
}

#[test]
fn keys_of_networks_are_assigned_alone() {
    let network = "loggp:L=2us,o=1us,g=0,G=1ns,eager=64KiB,nic=node";
    let system = assigned(
        &[
            "--network",
            network,
            "--intranode",
            "hockney:latency=1us,bandwidth=1GB/s",
        ],
        &[
            ("network.L", "5us"),
            ("network.eager", "1KiB"),
            ("intranode.latency", "0.1us"),
        ],
    );
    assert_eq!(
        system.machine(),
        "--network loggp:L=5us,o=1us,g=0s,G=1ns,eager=1024B,nic=node \
         --intranode hockney:latency=100ns,bandwidth=1GB/s"
    );
    let links = "shared:topology=star,latency=1us,bandwidth=1GB/s";
    let system = assigned(&["--network", links], &[("network.bandwidth", "2GB/s")]);
    assert_says(
        system.machine(),
        &["shared:topology=star,latency=1us,bandwidth=2GB/s"],
    );
}

#[test]
fn wrong_assignments_are_refused() {
    prophet_testing::assert_cases("tests/cases/assignments.txt", |case| {
        let told = |line: &str| {
            let (name, text) = line.split_once('=').expect("an assignment");
            let told = Assignment::read(&MODEL, name, text).expect_err(line);
            format!("{line}\n  {}\n", told.to_string().replace('\n', "\n  "))
        };
        case.input.lines().map(told).collect()
    });
    let mut configuration = Configuration::read(&MODEL, &[] as &[&str]).unwrap();
    configuration.assign(&Assignment::read(&MODEL, "network.latncy", "1us").unwrap());
    assert_eq!(
        configuration.system().unwrap_err(),
        "invalid value '1us' for 'network.latncy': `hockney` does not support `latncy` \
         (it supports latency, bandwidth, eager); did you mean `latency`?"
    );
}

#[test]
fn flags_of_one_output_are_refused() {
    let told = Configuration::read(&MODEL, &["--trace", "x.arrow"]).unwrap_err();
    assert_eq!(told, "--trace is only supported for a single run");
    let told = Configuration::read(&MODEL, &["--nods", "2"]).unwrap_err();
    assert_starts(&told.to_string(), "unexpected argument '--nods' found");
}

#[test]
fn names_of_flags_in_other_tools_lead_to_ours() {
    for (theirs, ours) in [
        ("--np", "--processes"),
        ("--ranks=8", "--processes"),
        ("--ppn", "--cpus-per-node"),
        ("--cpus-per-task", "--threads"),
        ("--num-nodes", "--nodes"),
    ] {
        let told = Configuration::read(&MODEL, &[theirs, "2"]).unwrap_err();
        let tip = format!("tip: a similar argument exists: '{ours}'");
        assert!(told.to_string().contains(&tip), "{told}");
    }
}
