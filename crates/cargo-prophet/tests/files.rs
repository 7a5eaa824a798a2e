//! Tests that no output replaces a file that the command reads, however the file is named, and that
//! names in a file lead only to files in its own folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use prophet_testing::stderr;

use crate::home::Home;
use crate::installed::columns;

/// A workflow with a task whose cost comes from a model, which reads a table.
const DRAWN: &str = "@startuml\ntitle <<workflow>> W\nstart\n:<<task>> t\n\
    model = tabled.prophet.xml\nprocesses = 2;\nstop\n@enduml\n";
const TABLED: &str = r#"<model xmlns="http:///schemas/prophet/model/1" name="Tabled" main="Main">
  <parameter name="X" type="double" value="1"/>
  <function name="Cost" result="double">
    <body>return interpolate("times.csv", X);</body>
  </function>
  <activity name="Main">
    <initial/>
    <action name="Work" stereotype="action+" cost="Cost()"/>
    <final/>
  </activity>
</model>
"#;
pub(crate) const WORKFLOW: &str = r#"{"name": "two", "schemaVersion": "1.5", "workflow": {
  "specification": {"tasks": [{"name": "t", "id": "a", "parents": [], "children": []}]},
  "execution": {"makespanInSeconds": 2, "executedAt": "2020-01-01T00:00:00Z",
    "tasks": [{"id": "a", "runtimeInSeconds": 2}],
    "machines": [{"nodeName": "m", "cpu": {"coreCount": 4}}]}}}
"#;
const GRID: &str = "name = \"g\"\nsource = \"s\"\n[[site]]\nname = \"c\"\nlog = \"campus.swf\"\n\
    scheduler = \"easy\"\n[[hosts]]\nname = \"n\"\nsite = \"c\"\ncount = 2\ncores = 4\n";
const PLATFORM: &str = r#"<?xml version="1.0"?>
<platform version="4.1"><zone id="z" routing="Full">
  <host id="a" speed="1Gf" speed_file="a.profile"/>
</zone></platform>
"#;
const WHOLE: &str = "@startuml\n!include part.puml\nstop\n@enduml\n";

/// Contents by file name, without the models that are in each folder.
const FILES: &[(&str, &str)] = &[
    (
        "own.mcl.xml",
        "<mcl xmlns=\"http:///schemas/prophet/mcl/1\" name=\"own\"/>",
    ),
    (
        "m.toml",
        include_str!("../../../sample-models/first-model/cluster.toml"),
    ),
    (
        "m.html",
        include_str!("../../../sample-models/first-model/cluster.toml"),
    ),
    ("costs.csv", "n,time_s\n1,1\n2,2\n4,4\n8,8\n"),
    (
        "pings.csv",
        "bytes,seconds\n1,1e-6\n1000,2e-6\n100000,3e-5\n",
    ),
    ("lib.rs", "fn main() {}\n"),
    ("ranks.txt", "rank0.uml\n"),
    ("rank0.uml", "0 init\n0 compute 1e6\n0 finalize\n"),
    (
        "text.puml",
        "@startuml\nstart\n:A <<action+>>\ncost = 1;\nstop\n@enduml\n",
    ),
    ("whole.puml", WHOLE),
    (
        "part.puml",
        "@startuml\nstart\n:<<action+>> A\ncost = 1;\n@enduml\n",
    ),
    ("drawn.puml", DRAWN),
    ("tabled.prophet.xml", TABLED),
    ("times.csv", "0,1\n10,3\n"),
    ("two.json", WORKFLOW),
    ("past.json", WORKFLOW),
    ("meta/notes.txt", "notes\n"),
    ("grid.toml", GRID),
    ("campus.swf", "1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n"),
    ("p.xml", PLATFORM),
    ("a.profile", "0.0 1.0\nPERIODICITY 10\n"),
    ("map.txt", "0\n"),
    ("noise.txt", "1\n2\n"),
    ("a.0.et", "no trace"),
    ("comm_group.json", "{}"),
    ("otf/traces.otf2", "no trace"),
    ("otf/traces/0.evt", "no trace"),
    ("rec/rank-0.calls", "no recording"),
];

fn home() -> Home {
    let home = Home::new();
    for (path, text) in FILES {
        home.write(path, text);
    }
    symlink("sample.uml", home.path("link.json")).expect("there is room");
    symlink("rec/rank-0.calls", home.path("learned.uml")).expect("there is room");
    for made in [
        "run sample.uml --trace t.arrow",
        "run sample.uml --save r.sqlite -- --trace kept.arrow",
        "run two.json -- --hosts 1 --cores 4 --save-schedule plan.json",
    ] {
        let output = home.call(made);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{made:?}: {}",
            stderr(&output)
        );
    }
    home.write("r.sqlite-shm", "");
    home
}

/// Expands a call with `{…,…}` to one call for each word in the braces.
fn each(call: &str) -> Vec<String> {
    let Some((before, rest)) = call.split_once('{') else {
        return vec![call.to_owned()];
    };
    let (words, after) = rest.split_once('}').expect("braces come in pairs");
    let words = words
        .split(',')
        .map(|word| format!("{before}{word}{after}"));
    words.collect()
}

#[test]
fn no_output_replaces_what_a_command_reads() {
    let home = home();
    let mut told = Vec::new();
    // A file that must stay, and commands that would write to it.
    for [path, calls] in include_str!("cases/replacing.txt").lines().map(columns) {
        for call in each(calls) {
            let before = fs::read(home.path(path)).expect("it is there");
            let output = home.without_programs(&call);
            let message = stderr(&output);
            // The name alone tells that no report belongs there.
            let is_page = call.contains("--report ") || call.starts_with("report ");
            let words = ["which this command reads", "is read to generate"];
            let is_told = words.iter().any(|it| message.contains(it))
                || is_page && message.contains("writes a web page");
            if output.status.success() || !is_told {
                told.push(format!("{call:?}: {message}"));
            }
            let after = fs::read(home.path(path)).expect("it is there");
            if before != after {
                told.push(format!("{call:?} has replaced {path}"));
                home.write(path, before);
            }
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn no_output_replaces_the_standard_input() {
    let home = Home::new();
    for (path, text) in FILES {
        home.write(path, text);
    }
    for (path, call) in [
        ("text.puml", "run - --report text.puml"),
        ("text.puml", "run - --trace ./text.puml"),
        ("costs.csv", "fit - --html costs.csv"),
    ] {
        let before = fs::read(home.path(path)).expect("it is there");
        let input = fs::File::open(home.path(path)).expect("it is there");
        let output = home.command(call).stdin(input).output();
        let message = stderr(&output.expect("it starts"));
        assert!(
            message.contains("is the standard input"),
            "{call:?}: {message}"
        );
        assert_eq!(fs::read(home.path(path)).ok(), Some(before), "{call:?}");
    }
}

#[test]
fn lines_that_a_text_includes_need_no_begin_of_their_own() {
    let home = Home::new();
    home.write("whole.puml", WHOLE);
    home.write("part.puml", "start\n:<<action+>> A\ncost = 1;\n");
    let output = home.call("run whole.puml");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(
        table.starts_with("Predicted time  1 s\n"),
        "{}",
        stderr(&output)
    );
}

/// Tests that names in files are looked up only in the file's own folder, and that pipes aren't
/// waited for.
#[test]
fn files_lead_nowhere_else() {
    let home = home();
    home.write("inner/none", "");
    home.write("secret", "0 secret\n");
    symlink("../secret", home.path("inner/link")).expect("there is room");
    let made = Command::new("mkfifo").arg(home.path("inner/pipe")).status();
    assert!(made.expect("it is here").success());
    let hosts = "-- --hosts 1 --cores 4";
    for (file, text, name, call) in [
        (
            "g.toml",
            GRID,
            "campus.swf",
            "run two.json -- --machine inner/g.toml".to_owned(),
        ),
        (
            "p.xml",
            PLATFORM,
            "a.profile",
            "machine inner/p.xml".to_owned(),
        ),
        (
            "w.puml",
            DRAWN,
            "tabled.prophet.xml",
            format!("run inner/w.puml {hosts}"),
        ),
        (
            "m.prophet.xml",
            TABLED,
            "times.csv",
            "check inner/m.prophet.xml".to_owned(),
        ),
        (
            "i.puml",
            WHOLE,
            "part.puml",
            "check inner/i.puml".to_owned(),
        ),
    ] {
        for other in [
            "/etc/passwd",
            "../secret",
            "pipe",
            "link",
            "/dev/zero",
            "nowhere",
        ] {
            home.write(&format!("inner/{file}"), text.replace(name, other));
            let program = env!("CARGO_BIN_EXE_performance-prophet");
            let mut limited = home.command_of("timeout", &format!("20 {program} {call}"));
            let output = limited.output().expect("it is here");
            let message = stderr(&output);
            assert_eq!(
                output.status.code(),
                Some(1),
                "{call} with {other}: {message}"
            );
            let tells = ["0 secret", "root:"].iter().any(|it| message.contains(it));
            assert!(!tells, "{call} with {other}: {message}");
        }
    }
}
