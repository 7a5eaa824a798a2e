//! Measures the time between pressing a key and seeing the problem that it causes.
//! `cargo xtask bench lsp` writes the rows into `prophet-runtime/benches/figures.md`.
//!
//! With a word on the command line, only the rows that contain it are measured. Times are CPU times
//! of all threads, because other load on the machine affects them less than wall times.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fmt::Write as _;
use std::{fs, thread};

use lsp_server::{Connection, Message, Notification, Request};
use prophet_frontend::check::RuleSet;
use serde_json::{Value, json};

/// Number of keys per measurement. The median counts.
const KEYS: usize = 21;
/// Number of keys that arrive together, as when the server was busy or a macro pastes text.
const BURST: usize = 20;
const URI: &str = "file:///models/large.puml";

fn main() {
    println!("| work | target | seen | seen / target |");
    println!("|---|---|---|---|");
    for (activities, target_ms) in [(10, None), (50, Some(30.0))] {
        let text = model(activities);
        let lines = text.lines().count();
        let mut editor = Editor::open(&text);
        row(&format!("a key, {lines} lines"), target_ms, || {
            editor.types(&text, 1)
        });
        row(
            &format!("{BURST} keys together, {lines} lines"),
            None,
            || editor.types(&text, BURST),
        );
    }
}

fn row(work: &str, target_ms: Option<f64>, mut type_s: impl FnMut() -> f64) {
    let mut words = std::env::args().skip(1).filter(|it| !it.starts_with("--"));
    if !words.all(|it| work.contains(&it)) {
        return;
    }
    let mut times_ms: Vec<f64> = (0..KEYS).map(|_| 1e3 * type_s()).collect();
    times_ms.sort_by(f64::total_cmp);
    let seen_ms = times_ms[KEYS / 2];
    let target = target_ms.map_or(String::new(), |it| format!("≤ {it} ms"));
    let ratio = target_ms.map_or(String::new(), |it| format!("{:.2}", seen_ms / it));
    println!("| {work} | {target} | {seen_ms:.1} ms | {ratio} |");
}

/// Returns the CPU time of all threads; 0 if the system doesn't report it.
fn cpu_s() -> f64 {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
    let time_s = |thread: fs::DirEntry| {
        let stat = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split_whitespace().next()?.parse::<f64>().ok()
    };
    1e-9 * threads.flatten().filter_map(time_s).sum::<f64>()
}

/// Writes a model with this number of activities, each of 100 lines.
fn model(activities: usize) -> String {
    let mut text = String::from("@startuml\ntitle Main\nlegend\n  model Large\n");
    text += "  parameter int N = 1000\n";
    for number in 0..activities {
        let _ = writeln!(text, "  double F{number}(int n) {{ 2e-9 * n + {number} }}");
    }
    text += "end legend\nstart\n";
    for number in 0..activities {
        let _ = writeln!(text, ":<<activity+>> Part{number};");
    }
    text += "stop\n@enduml\n";
    for number in 0..activities {
        let _ = writeln!(text, "@startuml\ntitle Part{number}\nstart");
        for part in 0..6 {
            let _ = write!(
                text,
                "partition \"<<loop+>> Iterate {part}\\niterations = N\" {{
  :<<action+>> Work {part}
  cost = F{number}(N + {part});
  if (pid > 0) then
    :<<nbsend>> Up {part}
    dest = pid - 1
    size = 8 * N;
  endif
  if (pid < NUM_PROCESSES - 1) then
    :<<brecv>> Below {part}
    source = pid + 1
    size = 8 * N;
  endif
  :<<allreduce>> Sum {part}
  size = 8;
}}
"
            );
        }
        text += "stop\n@enduml\n";
    }
    text
}

/// An editor connected to a server.
struct Editor {
    connection: Connection,
    version: i64,
}

impl Editor {
    fn open(text: &str) -> Self {
        let (connection, other) = Connection::memory();
        thread::spawn(move || prophet_lsp::serve(other, RuleSet::shipped()));
        let editor = Self {
            connection,
            version: 0,
        };
        let begin = json!({ "capabilities": {} });
        let request = Request::new(1.into(), "initialize".to_owned(), begin);
        editor.send(Message::Request(request));
        let answered = editor.connection.receiver.recv();
        answered.expect("the server answers");
        editor.tell("initialized", json!({}));
        let document = json!({ "uri": URI, "languageId": "prophet", "version": 0, "text": text });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
        assert_eq!(editor.problems(0), 0);
        editor
    }

    /// Types keys, and deletes what they typed. Returns the seconds until the last key's problem
    /// arrives.
    fn types(&mut self, text: &str, keys: usize) -> f64 {
        let line = text.lines().position(|it| it.contains("F0(N + 3)"));
        let at = json!({ "line": line.expect("the line"), "character": 9 });
        let begun_s = cpu_s();
        for _ in 0..keys {
            self.change(&json!({ "start": at, "end": at }), "x");
        }
        let problems = self.problems(self.version);
        let seconds = cpu_s() - begun_s;
        assert_eq!(problems, 1);
        let end = json!({ "line": at["line"], "character": 9 + keys });
        self.change(&json!({ "start": at, "end": end }), "");
        assert_eq!(self.problems(self.version), 0);
        seconds
    }

    fn change(&mut self, range: &Value, text: &str) {
        self.version += 1;
        let changed = json!({
            "textDocument": { "uri": URI, "version": self.version },
            "contentChanges": [{ "range": range, "text": text }],
        });
        self.tell("textDocument/didChange", changed);
    }

    fn problems(&self, version: i64) -> usize {
        loop {
            let told = self.connection.receiver.recv().expect("the server tells");
            let Message::Notification(told) = told else {
                continue;
            };
            if told.params["version"] == version {
                return told.params["diagnostics"].as_array().map_or(0, Vec::len);
            }
        }
    }

    fn tell(&self, method: &str, parameters: Value) {
        let it = Notification::new(method.to_owned(), parameters);
        self.send(Message::Notification(it));
    }

    fn send(&self, message: Message) {
        let sent = self.connection.sender.send(message);
        sent.expect("the server listens");
    }
}
