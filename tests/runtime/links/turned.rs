//! Tests platform files that are converted to the library's own notations.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// A backbone, a fat tree, a cable with two directions, and a link that limits each message
/// separately.
const PLATFORM: &str = include_str!("machines/platform.xml");

fn platform_file(name: &str, text: &str, profile: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::write(folder.join("cable.bw"), profile).expect("it can be written");
    let path = folder.join("platform.xml");
    fs::write(&path, text).expect("it can be written");
    path
}

fn machine(name: &str, text: &str, profile: &str) -> Machine {
    let path = platform_file(name, text, profile);
    Machine::read(path.to_str().expect("it is text")).expect("it is a machine")
}

/// Returns when processes end that all send each other a message at the same time.
fn exchanged(machine: Machine) -> Vec<f64> {
    let nodes = machine.nodes.expect("it has nodes");
    let outcome = run_on(System::on(machine, nodes, 1, nodes, 1), async |ctx| {
        let (pid, count) = (ctx.pid(), ctx.num_processes());
        for step in 1..i64::from(count) {
            let to = (i64::from(pid) + step) % i64::from(count);
            let bytes = 1000 * (step + 10 * i64::from(pid));
            LATER
                .execute(ctx, to, Message::bytes(bytes), ByMachine)
                .await?;
        }
        for step in 1..i64::from(count) {
            let from = (i64::from(pid) + step) % i64::from(count);
            RECV.execute(ctx, from, Message::any_size(), ByMachine)
                .await?;
        }
        Ok(())
    });
    ends(&outcome)
}

#[test]
fn platform_files_are_turned_into_toml_and_xml() {
    let machine = machine("turned", PLATFORM, "0.0005 5e7\n0.002 2e8\n");
    let toml = machine.to_toml().expect("TOML says all of it").into_owned();
    let again = Machine::parse(&toml, "turned.toml").expect(&toml);
    let xml = machine.to_xml().expect("XML says all of it");
    let and_again = Machine::parse_xml(&xml, "turned.xml").expect(&xml);
    let expected = exchanged(machine);
    assert_eq!(expected.len(), 7);
    for turned in [again, and_again] {
        // Hosts keep their names if these are words.
        assert!(toml.contains("\"one-host\""), "{toml}");
        let ends = exchanged(turned);
        for (end, expected) in ends.iter().zip(&expected) {
            assert!(
                (end - expected).abs() < 1e-12 * expected,
                "{ends:?} {expected:?}"
            );
        }
    }
}

#[test]
fn what_toml_does_not_say_is_told() {
    let refusal = |name: &str, text: &str, profile: &str| {
        machine(name, text, profile)
            .to_toml()
            .expect_err("it cannot be said")
    };
    assert_eq!(
        refusal("repeats", PLATFORM, "1 5e7\nLOOPAFTER 9\n"),
        "the profile of the link `cable_UP` repeats, which TOML cannot express"
    );
    let many = PLATFORM.replace("radical=\"0-1\"", "radical=\"0-999\"");
    assert_eq!(
        refusal("many", &many, "1 5e7\n"),
        "its routes need more than 1048576 bytes, the size limit of a machine file"
    );
}

#[test]
fn wrong_links_and_routes_are_told_with_their_lines() {
    let machine = |parts: &str| {
        let text = format!(
            "name = \"m\"\nsource = \"a test\"\nnodes = 2\n[network]\nmodel = \"shared\"\n\
             topology = \"routes\"\nlatency = \"1us\"\n{parts}"
        );
        String::from(Machine::parse(&text, "m.toml").expect_err("it is wrong"))
    };
    let link = "[[link]]\nname = \"x\"\nbandwidth = \"1GB/s\"\n";
    let route = "[[route]]\nfrom = \"node0\"\nto = \"node1\"\nlinks = [\"x\"]\n";
    let cases = [
        (
            "[[link]]\nname = \"x\"\n".to_owned(),
            "m.toml:8: the link `x` needs `bandwidth`",
        ),
        (
            format!("{link}{link}"),
            "m.toml:11: two links are named `x`: choose different names",
        ),
        (
            route.to_owned(),
            "m.toml:8: the route from `node0` to `node1` names the link `x`, which does not exist",
        ),
        (
            format!("{link}{route}{route}"),
            "m.toml:15: the route from `node0` to `node1` exists twice",
        ),
        (
            format!("hosts = [\"a\"]\n{link}"),
            "m.toml:8: `hosts` lists 1 nodes, but the machine has 2",
        ),
        (
            "[[cable]]\nname = \"x\"\nbetween = [\"node0\", \"node1\"]\n".to_owned(),
            "m.toml:8: a cable needs `topology = \"graph\"` in `[network]`",
        ),
    ];
    for (parts, expected) in cases {
        assert_eq!(machine(&parts), expected);
    }
}
