//! Tests sessions between an editor and the server.

use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use prophet_frontend::check::RuleSet;
use serde_json::{Value, json};

const TEXT: &str = "@startuml
legend
  model Ring
  // Size of the problem.
  parameter int N = 1000
  double Time(int n) { 2e-3 * n }
end legend
start
:<<action+>> Compute
cost = Time(N);
:<<allreduce>> N sums
size = 8 * N;
stop
@enduml
";

/// An editor connected to a server.
struct Editor {
    connection: Connection,
    server: Option<JoinHandle<Result<(), prophet_text::Problem>>>,
    last: i32,
    version: u64,
    problems: Vec<Value>,
}

impl Editor {
    fn open(uri: &str, text: &str) -> Self {
        let (connection, other) = Connection::memory();
        let server = thread::spawn(move || prophet_lsp::serve(other, RuleSet::shipped()));
        let mut editor = Self {
            connection,
            server: Some(server),
            last: 0,
            version: 0,
            problems: Vec::new(),
        };
        let answer = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        let document = json!({ "uri": uri, "languageId": "prophet", "version": 1, "text": text });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
        editor.wait();
        editor
    }

    fn tell(&self, method: &str, parameters: Value) {
        let notification = Notification::new(method.to_owned(), parameters);
        let sent = self
            .connection
            .sender
            .send(Message::Notification(notification));
        sent.expect("the server listens");
    }

    fn wait(&mut self) {
        let Ok(Message::Notification(told)) = self.connection.receiver.recv() else {
            panic!("problems are told");
        };
        assert_eq!(told.method, "textDocument/publishDiagnostics");
        self.version = told.params["version"].as_u64().unwrap_or(0);
        self.problems = told.params["diagnostics"]
            .as_array()
            .cloned()
            .expect("a list");
    }

    /// Sends a request, and returns the result or the error message.
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let id = RequestId::from(self.last);
        let request = Request::new(id.clone(), method.to_owned(), parameters);
        let sent = self.connection.sender.send(Message::Request(request));
        sent.expect("the server listens");
        let Ok(Message::Response(response)) = self.connection.receiver.recv() else {
            panic!("the server answers");
        };
        assert_eq!(response.id, id);
        let text = serde_json::to_value(&response).expect("it is JSON");
        match text.get("error") {
            Some(error) => error["message"].clone(),
            None => text["result"].clone(),
        }
    }

    fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        let asked = json!({ "textDocument": { "uri": uri }, "position": position });
        self.ask(&format!("textDocument/{method}"), asked)
    }

    /// Returns the prediction shown above a text.
    fn prediction(&mut self, uri: &str) -> String {
        let lens = self.ask("textDocument/codeLens", document(uri));
        let title = lens[0]["command"]["title"].as_str();
        title.unwrap_or_default().to_owned()
    }

    fn message(&self) -> &str {
        self.problems[0]["message"].as_str().expect("a text")
    }

    fn change(&mut self, uri: &str, text: &str) {
        let changed = json!({
            "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }],
        });
        self.tell("textDocument/didChange", changed);
        self.wait();
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("it runs");
        let ended = server.join().expect("it does not panic");
        assert_eq!(ended, Ok(()));
    }
}

fn document(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri } })
}

#[track_caller]
fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

const URI: &str = "file:///models/ring.puml";

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({
        "start": { "line": line, "character": from }, "end": { "line": line, "character": to },
    })
}

#[test]
fn problems_are_told_as_one_types() {
    let mut editor = Editor::open(URI, TEXT);
    assert_eq!(editor.problems, Vec::<Value>::new());
    editor.change(URI, &TEXT.replace("Time(N)", "Tiem(N)"));
    let [problem] = editor.problems.as_slice() else {
        panic!("{:?}", editor.problems);
    };
    assert_eq!(problem["range"], range(9, 7, 11), "{problem}");
    assert_eq!(problem["severity"], 1);
    assert_has(editor.message(), &["Tiem", "`Time`"]);
    editor.change(URI, TEXT);
    assert_eq!(editor.problems, Vec::<Value>::new());
}

#[test]
fn changes_are_applied_in_their_order() {
    let mut editor = Editor::open(URI, TEXT);
    let change = |editor: &mut Editor, version: u32, changes: Value| {
        let document = json!({ "uri": URI, "version": version });
        let changed = json!({ "textDocument": document, "contentChanges": changes });
        editor.tell("textDocument/didChange", changed);
    };
    let two = json!([
        { "range": range(9, 7, 11), "text": "T" }, { "range": range(9, 8, 8), "text": "iem" },
    ]);
    change(&mut editor, 2, two);
    editor.wait();
    assert_eq!(editor.problems[0]["range"], range(9, 7, 11));
    // Of several messages in quick succession, the last one counts. An extra line moves the others.
    let back = json!([{ "range": range(9, 7, 11), "text": "Time" }]);
    change(&mut editor, 3, back);
    let line = json!([{ "range": range(0, 0, 0), "text": "' \u{1f600}\n" }]);
    change(&mut editor, 4, line);
    let letter = json!([{ "range": range(0, 2, 4), "text": "ü" }]);
    change(&mut editor, 5, letter);
    while editor.version != 5 {
        editor.wait();
    }
    assert_eq!(editor.problems, Vec::<Value>::new());
    let found = editor.at("definition", URI, 10, 9);
    assert_eq!(found, json!([{ "uri": URI, "range": range(6, 9, 13) }]));
}

#[test]
fn diagrams_are_pictures() {
    let mut editor = Editor::open(URI, TEXT);
    let drawn = editor.ask("prophet/diagrams", document(URI));
    assert_eq!(drawn[0]["title"], "Main");
    let picture = drawn[0]["svg"].as_str().expect("a picture");
    assert!(picture.starts_with("<svg") && picture.contains("Compute"));
    editor.change(URI, &TEXT.replace("Time(N)", "Tiem(N)"));
    let drawn = editor.ask("prophet/diagrams", document(URI));
    assert_eq!(drawn, Value::Null);
}

#[test]
fn names_lead_to_their_declarations_and_uses() {
    let mut editor = Editor::open(URI, TEXT);
    let found = editor.at("definition", URI, 9, 9);
    assert_eq!(found, json!([{ "uri": URI, "range": range(5, 9, 13) }]));
    // A word in an element's name isn't a use of the parameter.
    let found = editor.at("references", URI, 9, 12);
    let ranges: Vec<&Value> = { found.as_array().expect("a list").iter() }
        .map(|it| &it["range"])
        .collect();
    assert_eq!(
        ranges,
        [&range(4, 16, 17), &range(9, 12, 13), &range(11, 11, 12)]
    );
    assert_eq!(editor.at("definition", URI, 7, 1), Value::Null);
}

#[test]
fn names_are_renamed_where_nothing_else_changes() {
    let mut editor = Editor::open(URI, TEXT);
    let asked = |new: &str| {
        json!({
            "textDocument": { "uri": URI }, "position": { "line": 4, "character": 16 },
            "newName": new,
        })
    };
    let edits = editor.ask("textDocument/rename", asked("SIZE"));
    let edits = edits["changes"][URI].as_array().cloned().expect("edits");
    assert_eq!(edits.len(), 3);
    assert!(edits.iter().all(|it| it["newText"] == "SIZE"));
    assert_eq!(editor.at("prepareRename", URI, 4, 16), range(4, 16, 17));
    let refused = editor.ask("textDocument/rename", asked("2n"));
    assert_eq!(refused, "`2n` is not a valid name in the cost language");
    let refused = editor.ask("textDocument/rename", asked("Time"));
    assert_eq!(refused, "`Time` is already declared");
}

#[test]
fn meanings_are_shown_where_the_pointer_rests() {
    let mut editor = Editor::open(URI, TEXT);
    let shown = |editor: &mut Editor, line, character| {
        let found = editor.at("hover", URI, line, character);
        found["contents"]["value"].as_str().unwrap_or("").to_owned()
    };
    let parameter = shown(&mut editor, 11, 11);
    let texts = ["parameter int N = 1000", "Size of the problem."];
    assert_has(&parameter, &texts);
    assert_has(&shown(&mut editor, 9, 8), &["double Time(int n)"]);
    assert_has(&shown(&mut editor, 8, 5), &["**action+**", "`cost`"]);
    assert!(shown(&mut editor, 9, 1).starts_with("`cost` ("));
    assert_has(&shown(&mut editor, 8, 15), &["**Compute**: 100"]);
}

#[test]
fn words_are_completed_by_where_they_stand() {
    let mut editor = Editor::open(URI, TEXT);
    let labels = |editor: &mut Editor, line, character| -> Vec<String> {
        let found = editor.at("completion", URI, line, character);
        let items = found.as_array().cloned().unwrap_or_default();
        let label = |it: &Value| it["label"].as_str().expect("a label").to_owned();
        items.iter().map(label).collect()
    };
    for (line, character, words) in [
        (8, 3, &["action+", "allreduce"][..]),
        (11, 0, &["size"]),
        (9, 7, &["N", "Time", "NUM_PROCESSES", "sqrt"]),
        (7, 0, &["start"]),
    ] {
        let labels = labels(&mut editor, line, character);
        for word in words {
            assert!(labels.iter().any(|it| it == word), "{word}: {labels:?}");
        }
        assert!(
            line != 11 || labels.iter().all(|it| it != "N"),
            "{labels:?}"
        );
    }
}

#[test]
fn the_prediction_stands_above_the_text() {
    let mut editor = Editor::open(URI, TEXT);
    assert_eq!(editor.prediction(URI), "predicted: 2.000 s on 1 process");
    editor.change(URI, &TEXT.replace("2e-3", "4e-3"));
    assert_eq!(editor.prediction(URI), "predicted: 4.000 s on 1 process");
    // Long runs aren't predicted while the user types.
    let endless = "start\npartition \"<<loop+>> A\\niterations = 1000000000 + uid\" {\n\
                   :<<action+>> B\ncost = 1e-3 * (1 + uid);\n}\nstop";
    editor.change(URI, &format!("@startuml\ntitle Main\n{endless}\n@enduml\n"));
    editor.prediction(URI);
}

#[test]
fn rule_files_and_machine_files_are_checked() {
    let editor = Editor::open("file:///a/house.mcl.xml", "<mcl>\n  <wrong/>\n</mcl>\n");
    assert!(!editor.problems.is_empty());
    drop(editor);
    let uri = "file:///a/cluster.toml";
    let mut editor = Editor::open(uri, "name = \"c\"\nnodes = 4\n");
    let before = editor.problems.clone();
    editor.change(uri, "name = \"c\"\nnodes = \"four\"\n");
    assert_ne!(editor.problems, before);
    let problems = &editor.problems;
    assert_eq!(problems[0]["range"]["start"]["line"], 1, "{problems:?}");
    assert!(!editor.message().contains("cluster.toml"), "{problems:?}");
}

#[test]
fn models_in_xml_are_checked_and_predicted() {
    let model = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../sample-models/lapw0.uml"
    ));
    let text = std::fs::read_to_string(&model).expect("the sample");
    let uri = format!("file://{}", model.display());
    let mut editor = Editor::open(&uri, &text);
    assert_eq!(editor.problems, Vec::<Value>::new());
    let title = editor.prediction(&uri);
    assert!(title.starts_with("predicted: ") && title.ends_with(" on 1 process"));
    let place = |it: (u32, &str)| Some((it.0, it.1.find("name=\"NAT\"")?));
    let (line, column) = (0..).zip(text.lines()).find_map(place).expect("its name");
    let column = u32::try_from(column + "name=\"".len()).expect("it is small");
    let uses = editor.at("references", &uri, line, column);
    assert!(uses.as_array().is_some_and(|it| it.len() > 1), "{uses}");
}

#[test]
fn what_is_unknown_is_refused_and_nothing_ends_the_server() {
    let mut editor = Editor::open(URI, TEXT);
    let answer = editor.ask("textDocument/foldingRange", document(URI));
    assert_eq!(answer, "unknown method textDocument/foldingRange");
    assert_eq!(editor.at("hover", "file:///other.puml", 0, 0), Value::Null);
    let far = editor.at("hover", URI, 4_000_000_000, 4_000_000_000);
    assert_eq!(far, Value::Null);
    for end in (0..TEXT.len()).step_by(5) {
        editor.change(URI, &TEXT[..end]);
        editor.at("hover", URI, 9, 5);
        editor.at("completion", URI, 9, 5);
    }
    editor.tell("textDocument/didClose", document(URI));
    editor.wait();
    assert_eq!(editor.problems, Vec::<Value>::new());
}
