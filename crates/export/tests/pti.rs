//! Tests traces in PTI's format against its schemas, and links of networks in other formats.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;
use prophet_export::{TraceFormat, TraceSummary, export, export_plain};
use prophet_testing::skip;
use prophet_trace::{
    BATCH_ROWS, ElementTotals, Flow, FlowMetric, Header, Hop, LinkLoad, NetworkLink,
    ProcessOutcome, Record, Results, Role, TraceWriter, TracedNetwork, Traffic, UnitId, UnitState,
};
use serde_json::Value;

/// Text that every format must escape, including what XML can't express.
const HOSTILE: &str = "\"/><event id='e9'>]]>&amp;<!--\u{0}\u{1b}\n\t\u{fffe}é\u{202e}";

fn records() -> Vec<Record> {
    let record = |pid, tid, state, start_s, end_s| Record::new(pid, tid, state, start_s, end_s);
    vec![
        record(1, 1, UnitState::Synchronize, 0.0, 0.0).cause(UnitId { pid: 1, tid: 0 }),
        record(0, 0, UnitState::Compute, 0.0, 1e-7)
            .element(0)
            .began(0.0),
        record(0, 0, UnitState::Send, 1e-7, 0.25)
            .element(1)
            .message(Role::Send, 3, 1, 1024)
            .tag(-7)
            .began(1e-7),
        record(1, 0, UnitState::Wait, 0.0, 0.5)
            .element(1)
            .message(Role::Receive, 3, 0, 1024),
        record(1, 0, UnitState::Receive, 0.5, 0.75)
            .element(1)
            .message(Role::Receive, 3, 0, 1024)
            .tag(-7)
            .began(0.0),
        record(0, 0, UnitState::Collective, 0.25, 1.0)
            .element(2)
            .message(Role::Send, 4, 2, 8),
        record(0, 0, UnitState::Content, 0.25, 1.0)
            .element(2)
            .partner(0)
            .bytes(8)
            .comm(0)
            .began(0.25),
        record(2, 0, UnitState::Hold, 0.0, 1.0),
        record(2, 0, UnitState::Send, 1.0, 1.5)
            .element(1)
            .begun_message(9),
    ]
}

fn traffic() -> Traffic {
    Traffic {
        hops: vec![Hop { route: 0, link: 0 }],
        flows: vec![Flow {
            sender: 0,
            message: 3,
            receiver: 1,
            route: 0,
            bytes: 1024,
            start_s: 1e-7,
            end_s: 0.5,
        }],
        loads: vec![LinkLoad {
            time_s: 0.25,
            link: 0,
            flows: 1,
            bytes_per_s: 4096.0,
            capacity_bytes_per_s: 5e9,
            bandwidth_bytes_per_s: 1e10,
        }],
        metrics: vec![FlowMetric {
            sender: 0,
            message: 3,
            name: 0,
            value: -0.5,
        }],
        ..Traffic::default()
    }
}

fn link(name: &str) -> NetworkLink {
    NetworkLink {
        name: name.to_owned(),
        number: 17,
        bytes_per_s: 1e10,
        latency_s: 1e-6,
        background: 0.5,
        is_fatpipe: false,
    }
}

/// Writes a trace in which all names are `name`.
fn trace(folder: &Path, name: &str, records: &[Record]) -> PathBuf {
    trace_of(folder, name, (records, &traffic(), &[link(name)]))
}

fn trace_of(
    folder: &Path,
    name: &str,
    (records, traffic, links): (&[Record], &Traffic, &[NetworkLink]),
) -> PathBuf {
    let path = folder.join("trace.arrow");
    let mut header = Header {
        model: name.to_owned(),
        machine: name.to_owned(),
        version: "0".to_owned(),
        filter: Some(name.to_owned()),
        ..Header::default()
    };
    header.system = serde_json::json!({"nodes": 2});
    header.parameters.insert(name.to_owned(), 1.5.into());
    for (key, value) in [
        ("network", "shared:topology=star"),
        ("intranode", "hockney:"),
    ] {
        header.settings.insert(key.to_owned(), value.into());
    }
    let mut writer = TraceWriter::new(fs::File::create(&path).unwrap(), header).unwrap();
    writer.write(records).unwrap();
    writer.write_traffic(traffic).unwrap();
    let process = |(pid, nid)| ProcessOutcome {
        pid,
        nid,
        end_s: 1.0,
        compute_s: 0.0,
        communication_s: 0.0,
        wait_s: 0.0,
        hold_s: 0.0,
    };
    let results = Results {
        predicted_time_s: 1.5,
        complete: true,
        elements: vec![ElementTotals {
            index: 0,
            name: name.to_owned(),
            id: -1,
            kind: name.to_owned(),
            count: 1,
            total_s: 1e-7,
            mean_s: 1e-7,
            max_s: 1e-7,
            share: 0.0,
        }],
        processes: [(0, 0), (1, 1), (2, 0)].map(process).to_vec(),
        network: Some(TracedNetwork {
            packet_bytes: None,
            picture: None,
            links: links.to_vec(),
            metrics: vec![name.to_owned()],
            routes: 1,
        }),
        operations: Vec::new(),
    };
    writer.finish(results).unwrap();
    path
}

fn schema(folder: &Path) -> PathBuf {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates/xml");
    let import = |namespace: &str, name: &str| {
        let place = schemas.join(name);
        format!(
            "<xs:import {namespace} schemaLocation=\"{}\"/>\n",
            place.display()
        )
    };
    let text = format!(
        "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" targetNamespace=\"urn:both\">\n\
         {}{}</xs:schema>\n",
        import("", "pti-trace.xsd"),
        import(
            "namespace=\"urn:performance-prophet:network\"",
            "pti-network.xsd"
        )
    );
    let path = folder.join("both.xsd");
    fs::write(&path, text).unwrap();
    path
}

/// Returns what `xmllint` reports about a file; empty if the file follows the schemas. If `xmllint`
/// isn't installed, reports that and returns `None`.
fn complaints(folder: &Path, file: &Path) -> Option<String> {
    let mut command = Command::new("xmllint");
    command.args(["--noout", "--nonet", "--schema"]);
    let Ok(output) = command.args([&schema(folder), file]).output() else {
        skip("xmllint is not installed");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(text).map(|text| {
        if output.status.success() {
            String::new()
        } else {
            text
        }
    })
}

#[test]
fn a_trace_has_lists_of_events_by_process() {
    let folder = tempfile::tempdir().unwrap();
    let from = trace(folder.path(), "A & B", &records());
    let to = folder.path().join("trace.xml");
    export(&from, TraceFormat::PtiXml, &to).unwrap();
    let text = fs::read_to_string(&to).unwrap();
    expect_file!["golden/a_trace_has_lists_of_events_by_process.txt"].assert_eq(&text);
    assert!(complaints(folder.path(), &to).is_none_or(|text| text.is_empty()));

    export_plain(&from, TraceFormat::PtiXml, &to).unwrap();
    let (events, _) = text.split_once("  <network:network").unwrap();
    let plain = events.replace(" xmlns:network=\"urn:performance-prophet:network\"", "");
    assert_eq!(
        fs::read_to_string(&to).unwrap(),
        format!("{plain}</trace>\n")
    );
}

#[test]
fn names_of_strangers_stay_names() {
    let folder = tempfile::tempdir().unwrap();
    let from = trace(folder.path(), HOSTILE, &records());
    let to = folder.path().join("trace.xml");
    export(&from, TraceFormat::PtiXml, &to).unwrap();
    let Some(found) = complaints(folder.path(), &to) else {
        return;
    };
    assert_eq!(found, "");
    let name = Command::new("xmllint")
        .args(["--xpath", "string(/trace/@model)"])
        .arg(&to)
        .output();
    let name = String::from_utf8(name.unwrap().stdout).unwrap();
    let expected = HOSTILE.replace(['\u{0}', '\u{1b}', '\u{fffe}'], "\u{fffd}");
    assert_eq!(name.trim_end_matches('\n'), expected);
}

#[test]
fn the_schemas_refuse_what_they_should() {
    let folder = tempfile::tempdir().unwrap();
    let from = trace(folder.path(), "A", &records());
    let to = folder.path().join("trace.xml");
    export(&from, TraceFormat::PtiXml, &to).unwrap();
    let text = fs::read_to_string(&to).unwrap();
    for (from, with, said) in [
        ("duration=\"1e-7\"", "duration=\"-1\"", "'-1'"),
        ("activity=\"send\"", "activity=\"rest\"", "'rest'"),
        ("related=\"m0-3\"", "related=\"0 3\"", "'0 3'"),
        ("bandwidth=\"10000000000.0\"", "bandwidth=\"INF\"", "'INF'"),
        ("<network:hop ", "<network:jump ", "jump"),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(&to, text.replacen(from, with, 1)).unwrap();
        let found = complaints(folder.path(), &to);
        assert!(found.is_none_or(|text| text.contains(said)), "{from}");
    }
}

#[test]
fn a_process_has_a_list_for_each_batch() {
    let folder = tempfile::tempdir().unwrap();
    let record = |number: u32| {
        let start_s = f64::from(number);
        Record::new(number % 2, 0, UnitState::Compute, start_s, start_s + 1.0)
    };
    let count = u32::try_from(BATCH_ROWS).unwrap() + 10;
    let records: Vec<Record> = (0..count).map(record).collect();
    let from = trace(folder.path(), "A", &records);
    let to = folder.path().join("trace.xml");
    export(&from, TraceFormat::PtiXml, &to).unwrap();
    let text = fs::read_to_string(&to).unwrap();
    assert_eq!(text.matches("<events process=\"1\">").count(), 2);
    assert_eq!(text.matches("<event ").count(), records.len());
    let ids = text
        .split("<event id=\"e")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap());
    let ids: std::collections::BTreeSet<u32> = ids.map(|id| id.parse().unwrap()).collect();
    assert!(ids.into_iter().eq(0..count));
}

#[test]
fn loads_of_links_are_counters() {
    let folder = tempfile::tempdir().unwrap();
    let from = trace(folder.path(), HOSTILE, &records());
    let to = folder.path().join("trace.json");
    let counters = || {
        let json: Value = serde_json::from_slice(&fs::read(&to).unwrap()).unwrap();
        let mut events = json["traceEvents"].as_array().unwrap().clone();
        events.retain(|event| event["ph"] == "C");
        events
    };
    export(&from, TraceFormat::Perfetto, &to).unwrap();
    let expected = serde_json::json!({
        "ph": "C", "name": HOSTILE, "id": 0, "pid": 3, "ts": 250_000.0,
        "args": {"bytes/s": 4096.0},
    });
    assert_eq!(counters(), [expected]);
    export_plain(&from, TraceFormat::Perfetto, &to).unwrap();
    assert_eq!(counters(), [] as [Value; 0]);
}

#[test]
fn a_summary_lists_the_busiest_links() {
    let folder = tempfile::tempdir().unwrap();
    let mut traffic = traffic();
    let load = |time_s, link, bytes_per_s| LinkLoad {
        time_s,
        link,
        bytes_per_s,
        ..traffic.loads[0]
    };
    // Of 1.5 s at 10 GB/s, half at full speed and a third at half speed.
    traffic.loads = vec![
        load(0.0, 0, 5e9),
        load(0.5, 0, 0.0),
        load(0.5, 1, 1e10),
        load(1.25, 1, 0.0),
    ];
    let links = ["up", "down"].map(link);
    let from = trace_of(folder.path(), "A", (&records(), &traffic, &links));
    let summary = TraceSummary::read(&from).unwrap();
    let text = summary.to_string();
    let (_, links) = text.split_once("\nLink").unwrap();
    expect_file!["golden/a_summary_lists_the_busiest_links.txt"].assert_eq(links);
    assert_eq!(summary.json()["links"][0]["bytes"], 7.5e9);
}

/// Reads the tables of flows, loads, routes and metrics as in `docs/traces.md`.
#[test]
fn pyarrow_reads_flows_loads_and_routes() {
    let folder = tempfile::tempdir().unwrap();
    let from = trace(folder.path(), HOSTILE, &records());
    let program = r#"
import sys, json, pyarrow as pa
run = pa.ipc.open_file(pa.memory_map(sys.argv[1])).read_all()
about = json.loads(run.schema.metadata[b"prophet"])
file = pa.memory_map(sys.argv[1]).read_buffer()
for name in ["flows", "loads", "routes", "metrics"]:
    place = about["tables"][name]
    table = pa.ipc.open_stream(file.slice(place["offset"], place["bytes"])).read_all()
    table.validate(full=True)
    print(json.dumps(table.to_pylist()))
"#;
    let mut python = Command::new("python3");
    let output = python.args(["-c", program]).arg(&from).output();
    let output = output.ok().filter(|output| output.status.success());
    let Some(output) = output else {
        let pyarrow = Command::new("python3")
            .args(["-c", "import pyarrow"])
            .output();
        assert!(
            !pyarrow.is_ok_and(|it| it.status.success()),
            "it cannot read them"
        );
        skip("python3 has no pyarrow");
        return;
    };
    expect_file!["golden/pyarrow_reads_flows_loads_and_routes.txt"]
        .assert_eq(&String::from_utf8_lossy(&output.stdout));
}
