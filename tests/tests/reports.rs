//! Tests all outputs of a run: they must agree with each other, and an output that can't be written
//! must cause a clear error.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use prophet_report::analysis::totals::Totals;
use prophet_runtime::Engine;
use prophet_testing::{assert_near, skip};
use prophet_tests::built::built;
use prophet_tests::programs::json;
use prophet_tests::sums::{self, CATEGORIES};
use prophet_text::time;
use prophet_trace::TraceReader;
use serde_json::Value;

const EXPLAINED: &str = env!("CARGO_BIN_EXE_explained");

fn run(flags: &[&str]) -> Output {
    let output = Command::new(EXPLAINED).args(flags).output();
    output.expect("the program was built")
}

fn printed(flags: &[&str]) -> String {
    let output = run(flags);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*err), (Some(0), ""), "{flags:?}");
    String::from_utf8(output.stdout).expect("it prints text")
}

fn data_of(page: &Path) -> Value {
    let html = std::fs::read_to_string(page).expect("it is there");
    let (_, rest) = html.split_once("id=\"data\">").expect("it has data");
    let (json, _) = rest.split_once("</script>").expect("they end");
    serde_json::from_str(json).expect("they are JSON")
}

/// Returns the bytes of a column in a page. `number` is the type of its numbers.
fn bytes_of(value: &Value, number: &str) -> Vec<u8> {
    let text = value[number].as_str();
    let digits = text.expect("a column of them").bytes().filter_map(|byte| {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        })
    });
    let digits: Vec<u8> = digits.collect();
    let bytes = digits.chunks(4).flat_map(|digits| {
        let bits = digits
            .iter()
            .fold(0_u32, |bits, digit| bits << 6 | u32::from(*digit));
        let bits = bits << (6 * (4 - digits.len()));
        bits.to_be_bytes()[1..digits.len()].to_vec()
    });
    bytes.collect()
}

/// Returns a column of 64-bit numbers in a page.
fn column(value: &Value) -> Vec<f64> {
    let bytes = bytes_of(value, "f64");
    let (numbers, rest) = bytes.as_chunks();
    assert!(rest.is_empty());
    numbers
        .iter()
        .map(|bytes| f64::from_le_bytes(*bytes))
        .collect()
}

/// Returns the utilization of one kind of device in a page, in device seconds: the sum over all
/// times and devices.
fn used_s(data: &Value, title: &str) -> f64 {
    let series = data["utilization"].as_array().expect("a list");
    let series = series.iter().find(|series| series["title"] == title);
    let series = series.expect("it is shown");
    let bytes = bytes_of(&series["values"], "f32");
    let values = bytes
        .as_chunks()
        .0
        .iter()
        .map(|bytes| f64::from(f32::from_le_bytes(*bytes)));
    values.sum::<f64>() * series["step_s"].as_f64().expect("a time")
}

fn close(a: f64, b: f64, scale: f64, what: &str) {
    assert!((a - b).abs() <= 1e-12 * scale, "{what}: {a} and {b}");
}

/// Times of elements by id and of processes by pid: computing, communicating, waiting, holding.
#[derive(Debug, PartialEq)]
struct Told {
    predicted_s: f64,
    elements: BTreeMap<i64, (u64, f64)>,
    processes: Vec<[f64; 4]>,
}

fn of_result(result: &Value) -> Told {
    let list = |name: &str| result[name].as_array().expect("a list");
    let number = |value: &Value| value.as_f64().expect("a number");
    let element = |element: &Value| {
        let count = element["count"].as_u64().expect("a count");
        let id = element["id"].as_i64().expect("an id");
        (id, (count, number(&element["total_s"])))
    };
    let process = |process: &Value| CATEGORIES.map(|name| number(&process[name]));
    Told {
        predicted_s: number(&result["predicted_time_s"]),
        elements: list("elements").iter().map(element).collect(),
        processes: list("processes").iter().map(process).collect(),
    }
}

/// Returns the times in a trace's metadata, and checks that they agree with its rows.
fn of_trace(path: &Path) -> Told {
    let mut reader = TraceReader::open(path).expect("it is a trace");
    let results = reader.results().clone();
    let elements = results.elements.iter().filter(|element| element.count > 0);
    let told = Told {
        predicted_s: results.predicted_time_s,
        elements: elements.map(|it| (it.id, (it.count, it.total_s))).collect(),
        processes: { results.processes.iter() }
            .map(|it| [it.compute_s, it.communication_s, it.wait_s, it.hold_s])
            .collect(),
    };
    let mut elements = BTreeMap::<i64, (u64, f64)>::new();
    let indices: Vec<u32> = results.elements.iter().map(|it| it.index).collect();
    let mut totals = Totals::new(told.predicted_s, told.processes.len(), &indices);
    let mut rows = Vec::new();
    while reader.next_batch(&mut rows).expect("it is whole") {
        for row in &rows {
            let named = |index| results.elements.iter().find(|it| it.index == index);
            if let Some(began_s) = row.began_s()
                && let Some(element) = row.element_index().and_then(named)
            {
                let sum = elements.entry(element.id).or_default();
                sum.0 += 1;
                sum.1 += row.end_s - began_s;
            }
            totals.add(row);
        }
    }
    let processes = totals.processes().into_iter();
    let processes = processes.map(|it| [it.compute_s, it.communication_s, it.wait_s, it.hold_s]);
    let processes = processes.collect();
    agree(
        &told,
        &Told {
            predicted_s: told.predicted_s,
            elements,
            processes,
        },
        "rows",
    );
    told
}

/// Returns the times in a page, and checks that its parts agree.
fn of_page(data: &Value) -> Told {
    let number = |value: &Value| value.as_f64().expect("a number");
    let list = data["elements"].as_array().expect("a list");
    let id = |element: &Value| element["id"].as_str().and_then(|id| id.parse().ok());
    let ids: Vec<i64> = list.iter().map(|it| id(it).expect("an id")).collect();
    let counted = list.iter().map(|element| {
        let count = element["count"].as_u64().expect("a count");
        (count, number(&element["total_s"]))
    });
    let all = ids.iter().copied().zip(counted);
    let parts = CATEGORIES.map(|name| column(&data["processes"][name]));
    let processes = (0..parts[0].len()).map(|index| [0, 1, 2, 3].map(|part| parts[part][index]));
    let told = Told {
        predicted_s: number(&data["run"]["predicted_time_s"]),
        elements: all.filter(|(_, (count, _))| *count > 0).collect(),
        processes: processes.collect(),
    };
    // The sum of a process's times in all elements is its total time.
    let sum = |name: &str| column(&data["totals"][name]).iter().sum::<f64>();
    let all_s: f64 = told.elements.values().map(|(_, total_s)| total_s).sum();
    close(sum("total_s"), all_s, all_s, "elements of processes");
    for (part, name) in CATEGORIES.into_iter().enumerate() {
        let all_s: f64 = told.processes.iter().map(|split| split[part]).sum();
        close(sum(name), all_s, all_s.max(1.0), name);
    }
    // The same applies to the parts of the critical path, and to the CPUs' utilization.
    let path = data["critical_path"]["parts"].as_array().expect("a path");
    let path_s: f64 = path.iter().map(|part| number(&part["total_s"])).sum();
    close(path_s, told.predicted_s, told.predicted_s, "critical path");
    let ends = column(&data["critical_path"]["end_s"]);
    assert_eq!(
        ends.last().map(|end| end.to_bits()),
        Some(told.predicted_s.to_bits())
    );
    told
}

fn agree(one: &Told, other: &Told, what: &str) {
    assert_eq!(
        one.predicted_s.to_bits(),
        other.predicted_s.to_bits(),
        "{what}"
    );
    assert_eq!(one.elements.len(), other.elements.len(), "{what}");
    for ((id, a), (other_id, b)) in one.elements.iter().zip(&other.elements) {
        assert_eq!((id, a.0), (other_id, b.0), "{what}");
        close(a.1, b.1, a.1, what);
    }
    assert_eq!(one.processes.len(), other.processes.len(), "{what}");
    for (a, b) in one
        .processes
        .iter()
        .flatten()
        .zip(other.processes.iter().flatten())
    {
        close(*a, *b, one.predicted_s, what);
    }
}

/// Checks that the table has a row with the same times for each element and process.
fn check_table(table: &str, result: &Value, told: &Told) {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = table.lines().map(words).collect();
    let has = |row: &str| {
        let found = rows
            .iter()
            .filter(|line| format!("{line} ").starts_with(row));
        assert_eq!(found.count(), 1, "{row} is not in\n{table}");
    };
    for element in result["elements"].as_array().expect("a list") {
        let (count, total_s) = told.elements[&element["id"].as_i64().expect("an id")];
        let text = |name: &str| element[name].as_str().expect("a text").to_owned();
        has(&format!(
            "{} {} {count} {} ",
            text("name"),
            text("type"),
            time(total_s)
        ));
    }
    for (process, [compute_s, communication_s, wait_s, hold_s]) in result["processes"]
        .as_array()
        .expect("a list")
        .iter()
        .zip(&told.processes)
    {
        let times = [
            process["end_s"].as_f64().expect("a time"),
            *compute_s,
            *communication_s,
        ];
        let [end, compute, communication] = times.map(time);
        let (pid, wait, hold) = (&process["pid"], time(*wait_s), time(*hold_s));
        // A table with a column of holding times has no column of nodes.
        has(&if *hold_s > 0.0 {
            format!("{pid} {end} {compute} {communication} {wait} {hold} ")
        } else {
            let nid = &process["nid"];
            format!("{pid} {nid} {end} {compute} {communication} {wait} ")
        });
    }
    let shown = format!(
        "Predicted time {} ",
        prophet_text::short_time(told.predicted_s)
    );
    has(&shown);
}

/// Returns the times of a repository's runs, as written by `runs export`. `runs add` reads them
/// again.
fn exported(runs: &Path) -> Told {
    let output = Command::new(built("performance-prophet"))
        .arg("runs")
        .arg("--repository")
        .arg(runs)
        .arg("export")
        .output()
        .expect("it can be started");
    let runs = json(&output);
    assert_eq!(runs.as_array().map(Vec::len), Some(1));
    of_result(&runs[0]["result"])
}

/// Checks that a repository stores and exports the times in the result.
fn of_repository(result: &str, folder: &Path, told: &Told) {
    use prophet_runs::{Location, Repository, RunRecord};
    let location = Location::of(&folder.join("runs.sqlite").to_string_lossy());
    let mut repository = Repository::create(&location).expect("it is made");
    let runs = RunRecord::read_all(result).expect("it is a result");
    let ids = repository.add(&runs).expect("it is added");
    let kept = repository.get(&ids).expect("it is there");
    let text: Value = serde_json::from_str(kept[0].run.text()).expect("it is JSON");
    assert_eq!(&of_result(&text), told);
    assert_eq!(&exported(&folder.join("runs.sqlite")), told);
    let kept = &kept[0].run.result;
    assert_eq!(kept.predicted_time_s.to_bits(), told.predicted_s.to_bits());
    assert_eq!(kept.elements.len(), told.elements.len());
    for element in kept.elements.iter() {
        let (count, total_s) = told.elements[&element.id];
        assert_eq!(
            (element.count, element.total_s.to_bits()),
            (count, total_s.to_bits())
        );
    }
}

#[test]
fn totals_agree_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let (trace, page) = (folder.path().join("a.trace"), folder.path().join("a.html"));
    let (trace_flag, page_flag) = (trace.to_str().unwrap(), page.to_str().unwrap());
    for (threads, engine, hold) in [
        ("1", Engine::Local, "0"),
        ("1", Engine::Event, "0"),
        ("3", Engine::Event, "0"),
        ("1", Engine::Local, "0.25"),
        ("3", Engine::Event, "0.25"),
    ] {
        let name = engine.to_string();
        let system = ["--nodes", "2", "--cpus-per-node", "6", "--processes", "4"];
        let flags = [
            &system[..],
            &["--threads", threads, "--engine", &name, "--hold", hold],
        ]
        .concat();
        let table = printed(&flags);
        let json = [&flags[..], &["--format", "json"]].concat();
        let result =
            printed(&[&json[..], &["--trace", trace_flag, "--report", page_flag]].concat());
        let parsed = serde_json::from_str(&result).expect("it is JSON");
        sums::check(&parsed, &name);
        let told = of_result(&parsed);
        assert!(told.elements.len() >= 4 && told.processes.len() == 4);
        check_table(&table, &parsed, &told);
        agree(&told, &of_trace(&trace), "trace");
        let data = data_of(&page);
        agree(&told, &of_page(&data), "page");
        // Each node has six CPUs.
        let computes = |id: &i64| [11, 15].contains(id);
        let elements = told.elements.iter().filter(|(id, _)| computes(id));
        let computed_s: f64 = elements.map(|(_, (_, total_s))| total_s).sum();
        let used_s = 6.0 * used_s(&data, "CPUs");
        assert_near(used_s, computed_s, 1e-6);
        let runs = folder.path().join(format!("{name}{threads}{hold}"));
        std::fs::create_dir(&runs).expect("a folder");
        of_repository(&result, &runs, &told);
        // A report that is made without a trace file contains the same data.
        std::fs::remove_file(&page).expect("it is there");
        printed(&[&json[..], &["--report", page_flag]].concat());
        let again = data_of(&page);
        assert_eq!(again["critical_path"], data["critical_path"]);
        assert_eq!(again["what_if"], data["what_if"]);
        let files = std::fs::read_dir(folder.path())
            .expect("a folder")
            .flatten();
        let files = files.filter(|file| file.path().is_file()).count();
        assert_eq!(files, 2, "nothing is left over");
    }
}

/// Messages of 1 MB in a ring, and the messages of a collective. With `LogGP`, each message
/// occupies an interface for g + (m - 1) G. With Hockney's model, it occupies a link for its size
/// divided by the bandwidth.
#[test]
fn links_are_busy_for_as_long_as_messages_take_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("a.html");
    let system = [
        "--nodes",
        "4",
        "--processes",
        "4",
        "--collective",
        "allreduce=recursive-doubling",
    ];
    // In each of 20 steps, each of four processes sends one large and two small messages.
    let messages = 20.0 * 4.0;
    for (network, expected_s) in [
        ("hockney:latency=1ms,bandwidth=1GB/s", 1e-3 + 2.0 * 8e-9),
        (
            "loggp:L=1ms,o=1us,g=2us,G=1ns",
            2e-6 + 999_999e-9 + 2.0 * (2e-6 + 7e-9),
        ),
        (
            "loggp:L=1ms,o=1us,g=2us,G=1ns,nic=node",
            2e-6 + 999_999e-9 + 2.0 * (2e-6 + 7e-9),
        ),
    ] {
        let flags = ["--network", network, "--report", page.to_str().unwrap()];
        printed(&[&system[..], &flags].concat());
        let data = data_of(&page);
        for side in ["Links out", "Links in"] {
            let share = used_s(&data, side) / messages / expected_s;
            // The last message can occupy the link until after the run.
            assert!(
                (0.9999..1.000_001).contains(&share),
                "{network}, {side}: {share}"
            );
        }
    }
    printed(&["--processes", "4", "--report", page.to_str().unwrap()]);
    let data = data_of(&page);
    let titles = data["utilization"]
        .as_array()
        .unwrap()
        .iter()
        .map(|series| &series["title"]);
    let expected = ["CPUs", "Messages on their way"];
    assert_eq!(
        titles.collect::<Vec<_>>(),
        expected,
        "one node has no links"
    );
}

/// Compares the what-if results of a report with the bounds in the trace: no element's gain exceeds
/// its bound.
#[test]
fn what_is_tried_keeps_to_the_bounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let (trace, page) = (folder.path().join("a.trace"), folder.path().join("a.html"));
    let paths = [
        "--trace",
        trace.to_str().unwrap(),
        "--report",
        page.to_str().unwrap(),
    ];
    printed(
        &[
            &["--nodes", "4", "--processes", "4", "--threads", "3"],
            &paths[..],
        ]
        .concat(),
    );
    let mut reader = TraceReader::open(&trace).expect("it is a trace");
    let bounds = prophet_report::of_trace(&mut reader, prophet_report::Extras::default());
    let bounds = bounds
        .expect("it is whole")
        .what_if
        .expect("it has bounds")
        .elements;
    assert_eq!(bounds.len(), 6);
    let data = data_of(&page);
    for bound in &bounds {
        let rows = data["what_if"]["elements"]
            .as_array()
            .expect("a list")
            .iter();
        let mut tried = rows.filter(|row| row["element"] == bound.element);
        let tried = tried.next().expect("every element is tried");
        assert_eq!((bound.exact, &tried["exact"]), (false, &Value::Bool(true)));
        let gain_s = tried["gain_s"].as_f64().expect("a time");
        assert!(
            (-1e-12..=bound.gain_s + 1e-9).contains(&gain_s),
            "{tried}, {bound:?}"
        );
    }
}

#[test]
fn faster_elements_are_tried() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("a.html");
    let system = ["--nodes", "4", "--processes", "4"];
    printed(&[&system[..], &["--report", page.to_str().unwrap()]].concat());
    let data = data_of(&page);
    let what_if = &data["what_if"];
    assert!(
        what_if["method"].as_str().unwrap().starts_with("Exact: "),
        "{what_if}"
    );
    let work = &what_if["elements"][0];
    let index = usize::try_from(work["element"].as_u64().unwrap()).unwrap();
    assert_eq!(data["elements"][index]["name"], "Work");
    // The slowest process computes 20 times 0.04 s, and a tenth of it is gained.
    let gain_s = work["gain_s"].as_f64().unwrap();
    assert!((gain_s - 0.08).abs() < 1e-9, "{gain_s}");
}

/// Runs the program with an output file that can't be written. Returns the message.
fn refused(flags: &[&str]) -> String {
    let output = run(flags);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(
        out.starts_with("Predicted time  "),
        "the prediction is printed: {out}"
    );
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Flags with a path, and the files that they write.
const FILES: [(&str, &str); 2] = [("--report", "report"), ("--trace", "trace")];

#[test]
fn a_file_that_cannot_be_written_is_an_error_after_the_prediction() {
    for (flag, what) in FILES {
        // Even root can't write to this file.
        let path = "/proc/a.html";
        let message = refused(&[flag, path]);
        let start = format!("error: cannot write the {what} `{path}`: ");
        assert!(message.starts_with(&start), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn a_missing_folder_is_an_error_before_the_prediction() {
    for (flag, _) in FILES {
        let output = run(&[flag, "/no/such/folder/a.html"]);
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let words = "there is no folder `/no/such/folder`; create it first";
        assert!(message.contains(words), "{message}");
    }
}

/// A separate disk. Only users who may mount disks get one.
struct Disk(tempfile::TempDir);

impl Disk {
    fn with(options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(folder.path())
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(folder));
        }
        skip("no disk can be mounted here");
        None
    }

    /// Checks that a run can't write a file to the disk and leaves nothing there. Returns the
    /// message.
    fn refuses(&self, flags: &[&str], (flag, what): (&str, &str)) -> String {
        let path = self.0.path().join("a.html");
        let path = path.to_str().expect("it is text");
        let message = refused(&[flags, &[flag, path]].concat());
        let start = format!("error: cannot write the {what} `{path}");
        assert!(message.starts_with(&start), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        let left = std::fs::read_dir(self.0.path()).expect("a folder").count();
        assert_eq!(left, 0, "nothing is left over");
        message
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_is_an_error_after_the_prediction() {
    // The disk becomes full at the start, at the end, or in between, because rows are written in
    // batches of 65,536.
    let few = ["--nodes", "1"];
    let many = ["--nodes", "400", "--processes", "400"];
    for (size, flags) in [("4k", &few[..]), ("8k", &few), ("3m", &many)] {
        let Some(disk) = Disk::with(&format!("size={size}")) else {
            return;
        };
        for file in FILES {
            let message = disk.refuses(flags, file);
            assert!(message.contains("No space left on device"), "{message}");
        }
    }
}

#[test]
fn a_folder_that_is_read_only_is_an_error_after_the_prediction() {
    let Some(disk) = Disk::with("ro") else { return };
    for file in FILES {
        let message = disk.refuses(&[], file);
        assert!(message.contains("Read-only file system"), "{message}");
    }
}
