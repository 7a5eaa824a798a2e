//! Tests networks in machine files.

use prophet_testing::assert_says;

use super::*;

const GB: i64 = 1_000_000_000;
const HEAD: &str = "name = \"mine\"\nsource = \"a test\"\n";

/// Two nodes at each end of a row of switches, connected by cables of 1 and 2 GB/s.
const ROW: &str = include_str!("../../tests/machines/row.toml");

#[track_caller]
fn assert_end(outcome: &Outcome, pid: usize, expected_s: f64) {
    let end_s = outcome.processes[pid].end_s;
    let error = (end_s - expected_s).abs();
    assert!(error <= 1e-9 * expected_s, "{end_s}, not {expected_s}");
}

#[test]
fn cables_of_two_speeds_share_as_known() {
    // {l0, l1} 1 GB, {l0} 1 GB, {l1} 1 GB and 2 GB: 2, 2, 1.333333, and 2 s.
    let outcome = run_on(described(4, ROW), async |ctx| match i64::from(ctx.pid()) {
        0 => {
            LATER.execute(ctx, 3, Message::bytes(GB), ByMachine).await?;
            LATER.execute(ctx, 1, Message::bytes(GB), ByMachine).await
        }
        1 => RECV.execute(ctx, 0, Message::any_size(), ByMachine).await,
        2 => {
            LATER.execute(ctx, 3, Message::bytes(GB), ByMachine).await?;
            LATER
                .execute(ctx, 3, Message::bytes(2 * GB), ByMachine)
                .await
        }
        _ => {
            RECV.execute(ctx, 2, Message::any_size(), ByMachine).await?;
            let first_s = ctx.now_s();
            assert!((first_s - 4.0 / 3.0).abs() < 1e-9, "{first_s}");
            RECV.execute(ctx, 2, Message::any_size(), ByMachine).await?;
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        }
    });
    assert_end(&outcome, 1, 2.0);
    assert_end(&outcome, 3, 2.0);
}

#[test]
fn links_change_while_messages_are_on_them() {
    let text = format!(
        "{HEAD}nodes = 2\n[network]\nmodel = \"shared\"\nbandwidth = \"1GB/s\"\nlatency = \"0\"\n\
         [[change]]\nat = \"1s\"\nlink = \"node0.*\"\nbackground = 0.5\n\
         [[change]]\nat = \"2s\"\nlink = \"node0.up\"\nbandwidth = \"2GB/s\"\n"
    );
    let outcome = run_on(described(2, &text), async |ctx| {
        match i64::from(ctx.pid()) {
            // 1 GB in the first second, half a GB in the second, and then 1 GB per second.
            0 => {
                SEND.execute(ctx, 1, Message::bytes(3 * GB), ByMachine)
                    .await
            }
            _ => RECV.execute(ctx, 0, Message::any_size(), ByMachine).await,
        }
    });
    assert_end(&outcome, 1, 3.5);
}

#[test]
fn a_table_says_what_the_flag_says() {
    let text = format!(
        "{HEAD}[network]\nmodel = \"shared\"\ntopology = \"fat-tree\"\nchildren = [4, 4]\n\
         parents = [1, 2]\nlinks = [1, 2]\nbandwidth = \"1GB/s\"\nlatency = \"1us\"\n\
         fairness = \"rtt\"\nbackground = 0.25\n"
    );
    let machine = Machine::parse(&text, "machine.toml").expect("it is a machine");
    assert_eq!(machine.nodes, Some(16));
    let mut system = System::new(16, 1, 16, 1);
    system
        .choose_network(
            "shared:topology=fat-tree,children=4x4,parents=1x2,links=1x2,latency=1us,\
             bandwidth=1GB/s,background=0.25,fairness=rtt",
        )
        .expect("it is a network");
    let of_file = System::on(machine, 16, 1, 16, 1);
    assert_eq!(of_file.machine(), "mine");
    let shown = system.machine();
    assert_says(&shown, &["children=4x4,parents=1x2,links=1x2"]);
}

#[test]
fn wrong_files_are_told_with_their_lines() {
    let route = "[[route]]\nfrom = \"node0\"\nto = \"node3\"\nlinks = [\"n0.up\", \"l1.up\"]\n";
    for (text, expected) in [
        (
            ROW.replace("\"node1\", \"b\"", "\"node1\", \"d\""),
            "machine.toml:23: cable `n1` names `d`, which is neither a host nor a switch",
        ),
        (
            ROW.replace("2GB/s", "0"),
            "machine.toml:16: expected a bandwidth above 0, found `0`",
        ),
        (
            format!("{ROW}{route}"),
            "machine.toml:32: the route from `node0` to `node3` takes the link `l1.up`, which does \
             not start at `a`",
        ),
    ] {
        let error = Machine::parse(&text, "machine.toml").unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

/// Creates a folder with a platform file, and a profile for one of its links.
fn platform(folder: &str, profile: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let profile = format!(r#"bandwidth_file="{profile}""#);
    let text = format!(
        r#"<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="1Gf"/>
    <link id="wire" bandwidth="1GBps" latency="0us" {profile}/>
    <route src="a" dst="b"><link_ctn id="wire"/></route>
  </zone>
</platform>
"#
    );
    let path = folder.join("two hosts.xml");
    std::fs::write(&path, text).expect("a file can be written");
    std::fs::write(folder.join("wire.bw"), "1 5e8\nLOOPAFTER 9\n").expect("it can be written");
    path
}

#[test]
fn platform_files_are_machines_whose_links_change_by_their_profiles() {
    let path = platform("platform", "wire.bw");
    let path = path.to_str().expect("it is text");
    let machine = Machine::read(path).expect("it is a machine");
    assert_eq!(
        (machine.name.as_str(), machine.nodes),
        ("two-hosts", Some(2))
    );
    let outcome = run_on(System::on(machine, 2, 1, 2, 1), async |ctx| {
        match i64::from(ctx.pid()) {
            // 1 GB in the first second, and half a GB in each second after that.
            0 => {
                SEND.execute(ctx, 1, Message::bytes(2 * GB), ByMachine)
                    .await
            }
            _ => RECV.execute(ctx, 0, Message::any_size(), ByMachine).await,
        }
    });
    assert_end(&outcome, 1, 3.0);
}

#[test]
fn profiles_lie_beside_their_platform_files() {
    for outside in ["../wire.bw", "/etc/passwd"] {
        let path = platform("outside", outside);
        let error = Machine::read(path.to_str().expect("it is text"))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("it is not in the folder of the file"),
            "{error}"
        );
        assert!(error.contains("two hosts.xml:7"), "{error}");
    }
}

#[test]
fn a_graph_without_switches_joins_its_nodes() {
    let text = format!(
        "{HEAD}nodes = 2\n[network]\nmodel = \"shared\"\ntopology = \"graph\"\nswitches = []\n\
         latency = \"0s\"\n[[cable]]\nname = \"c\"\nbetween = [\"node0\", \"node1\"]\n\
         bandwidth = \"1GB/s\"\n"
    );
    let outcome = run_on(described(2, &text), async |ctx| {
        match i64::from(ctx.pid()) {
            0 => SEND.execute(ctx, 1, Message::bytes(GB), ByMachine).await,
            _ => RECV.execute(ctx, 0, Message::any_size(), ByMachine).await,
        }
    });
    assert_end(&outcome, 1, 1.0);
    let error = Machine::parse(&text.replace("switches = []", "switches = \"s\""), "m.toml");
    let error = error.expect_err("a text is no list");
    assert_says(&error.message, &["expected `switches` as a list of names"]);
}
