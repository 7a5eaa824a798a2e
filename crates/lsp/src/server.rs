//! Handles requests and notifications.

use prophet_text::{Context as _, Problem, problem};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use prophet_codegen::target::drawing::Drawing;
use prophet_codegen::target::svg::pictures;
use prophet_edit::Profiles;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;
use prophet_runtime::Prediction;
use serde_json::{Value, json};

use crate::document::{Document, Kind};
use crate::meaning::meaning;
use crate::names::{Names, is_name};
use crate::position::{Positions, word_at};
use crate::prediction;
use crate::problems::problems;
use crate::words::completions;

/// How long to wait for further messages before checking, because it is useless to check a text
/// that has already changed again.
const PAUSE: Duration = Duration::from_millis(1);

#[derive(Debug)]
struct Open {
    document: Document,
    version: Value,
    /// Whether the editor has received the problems in this version.
    is_told: bool,
    rules: Rc<RuleSet>,
    /// The problems and, if the text is a model, the checked model. Computed on first use.
    analysis: OnceCell<(Vec<Value>, Option<Checked>)>,
    /// Computed on first use.
    names: OnceCell<Names>,
    /// Computed on first use.
    predicted: OnceCell<Option<Prediction>>,
}

impl Open {
    fn new(document: Document, version: Value, rules: &Rc<RuleSet>) -> Self {
        Self {
            document,
            version,
            is_told: false,
            rules: Rc::clone(rules),
            analysis: OnceCell::new(),
            names: OnceCell::new(),
            predicted: OnceCell::new(),
        }
    }

    fn analysis(&self) -> &(Vec<Value>, Option<Checked>) {
        let analyze = || problems(&self.document, &self.rules);
        self.analysis.get_or_init(analyze)
    }

    fn checked(&self) -> Option<&Checked> {
        self.analysis().1.as_ref()
    }

    fn names(&self) -> &Names {
        let names = || self.checked().map(|it| Names::of(it, &self.rules));
        self.names.get_or_init(|| names().unwrap_or_default())
    }

    fn predicted(&self) -> Option<&Prediction> {
        let predict = || self.checked().and_then(prediction::predict);
        self.predicted.get_or_init(predict).as_ref()
    }
}

struct Server {
    connection: Connection,
    rules: Rc<RuleSet>,
    profiles: Profiles,
    open: BTreeMap<String, Open>,
}

/// Serves an editor until it closes the connection.
///
/// # Errors
///
/// Returns an error if the editor violates the protocol, or if the connection is lost.
pub fn serve(connection: Connection, rules: RuleSet) -> Result<(), Problem> {
    let capabilities = json!({
        // 2: send changes only, not whole texts.
        "textDocumentSync": { "openClose": true, "change": 2 },
        "completionProvider": { "triggerCharacters": ["<", "="] },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "codeLensProvider": {},
    });
    let begun = connection.initialize(capabilities);
    if matches!(&begun, Err(error) if error.channel_is_disconnected()) {
        // The editor was closed before it said hello.
        return Ok(());
    }
    begun.told()?;
    let mut server = Server {
        connection,
        rules: Rc::new(rules),
        profiles: Profiles::shipped(),
        open: BTreeMap::new(),
    };
    server.run()
}

impl Server {
    fn run(&mut self) -> Result<(), Problem> {
        while let Some(message) = self.next()? {
            match message {
                Message::Request(request) => {
                    let ended = self.connection.handle_shutdown(&request);
                    if ended.told()? {
                        return Ok(());
                    }
                    self.tell()?;
                    let response = self.answer(request);
                    self.send(Message::Response(response))?;
                }
                Message::Notification(notification) => self.note(&notification)?,
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    /// Returns the next message. If none arrives soon, checks texts while waiting.
    fn next(&mut self) -> Result<Option<Message>, Problem> {
        match self.connection.receiver.recv_timeout(PAUSE) {
            Err(error) if error.is_timeout() => {
                self.tell()?;
                Ok(self.connection.receiver.recv().ok())
            }
            next => Ok(next.ok()),
        }
    }

    fn send(&self, message: Message) -> Result<(), Problem> {
        let sent = self.connection.sender.send(message);
        sent.map_err(|_| "the editor has exited".into())
    }

    /// Stores a text that was opened or changed.
    fn note(&mut self, notification: &Notification) -> Result<(), Problem> {
        let parameters = &notification.params;
        let it = &parameters["textDocument"];
        let Some(uri) = it["uri"].as_str() else {
            return Ok(());
        };
        let text = match notification.method.as_str() {
            "textDocument/didOpen" => it["text"].as_str().unwrap_or_default().to_owned(),
            "textDocument/didChange" => {
                let Some(open) = self.open.remove(uri) else {
                    return Ok(());
                };
                let changes = parameters["contentChanges"].as_array();
                let mut text = open.document.text;
                for change in changes.into_iter().flatten() {
                    apply(change, &mut text);
                }
                text
            }
            "textDocument/didClose" => {
                self.open.remove(uri);
                return self.publish(uri, &Value::Null, &[]);
            }
            _ => return Ok(()),
        };
        let document = Document {
            uri: uri.to_owned(),
            text,
        };
        let open = Open::new(document, it["version"].clone(), &self.rules);
        self.open.insert(uri.to_owned(), open);
        Ok(())
    }

    fn tell(&mut self) -> Result<(), Problem> {
        for (uri, open) in self.open.iter().filter(|(_, it)| !it.is_told) {
            self.publish(uri, &open.version, &open.analysis().0)?;
        }
        for open in self.open.values_mut() {
            open.is_told = true;
        }
        Ok(())
    }

    fn publish(&self, uri: &str, version: &Value, problems: &[Value]) -> Result<(), Problem> {
        let mut parameters = json!({ "uri": uri, "diagnostics": problems });
        if !version.is_null() {
            parameters["version"] = version.clone();
        }
        let method = "textDocument/publishDiagnostics".to_owned();
        self.send(Message::Notification(Notification::new(method, parameters)))
    }

    fn answer(&self, request: Request) -> Response {
        let uri = request.params["textDocument"]["uri"].as_str().unwrap_or("");
        let Some(open) = self.open.get(uri) else {
            return Response::new_ok(request.id, Value::Null);
        };
        let is_model = open.document.kind() == Some(Kind::Model);
        let asked = &request.params;
        let found = match request.method.as_str() {
            _ if !is_model => Ok(Value::Null),
            "textDocument/completion" => Ok(complete(open, &self.profiles, asked)),
            "textDocument/hover" => Ok(hover(open, &self.profiles, asked)),
            "textDocument/definition" => Ok(definition(open, asked)),
            "textDocument/references" => Ok(references(open, asked)),
            "textDocument/prepareRename" => Ok(renamed(open, asked)),
            "textDocument/rename" => rename(open, &self.rules, asked),
            "textDocument/codeLens" => Ok(lenses(open)),
            "prophet/diagrams" => Ok(open.checked().map_or(Value::Null, diagrams)),
            _ => {
                let code = ErrorCode::MethodNotFound as i32;
                let message = format!("unknown method {}", request.method);
                return Response::new_err(request.id, code, message);
            }
        };
        match found {
            Ok(found) => Response::new_ok(request.id, found),
            Err(why) => Response::new_err(request.id, ErrorCode::InvalidParams as i32, why.into()),
        }
    }
}

/// Applies a change to a range of a text, or to the whole text.
fn apply(change: &Value, text: &mut String) {
    let new = change["text"].as_str().unwrap_or_default();
    let Some(range) = change.get("range").filter(|it| !it.is_null()) else {
        new.clone_into(text);
        return;
    };
    let positions = Positions::new(text);
    let start = positions.offset(&range["start"]);
    let end = positions.offset(&range["end"]).max(start);
    text.replace_range(start..end, new);
}

fn offset(open: &Open, asked: &Value) -> usize {
    Positions::new(&open.document.text).offset(&asked["position"])
}

fn name<'o>(open: &'o Open, asked: &Value) -> Option<&'o str> {
    let text = &open.document.text;
    let name = &text[word_at(text, offset(open, asked))];
    open.names().named(name).next().map(|_| name)
}

fn complete(open: &Open, profiles: &Profiles, asked: &Value) -> Value {
    let text = &open.document.text;
    if !prophet_model::plantuml::is_text(text) {
        return Value::Null;
    }
    completions(text, offset(open, asked), open.names(), profiles).into()
}

fn hover(open: &Open, profiles: &Profiles, asked: &Value) -> Value {
    let at = offset(open, asked);
    let model = open.checked().and_then(|it| it.model.as_ref());
    let ran = model.zip(open.predicted());
    let text = &open.document.text;
    let found = meaning(text, at, open.names(), profiles, ran);
    found.map_or(Value::Null, |(shown, range)| {
        let range = Positions::new(text).range(range);
        json!({ "contents": { "kind": "markdown", "value": shown }, "range": range })
    })
}

fn locations(open: &Open, places: Vec<std::ops::Range<usize>>) -> Value {
    let positions = Positions::new(&open.document.text);
    let location = |it| json!({ "uri": open.document.uri, "range": positions.range(it) });
    places.into_iter().map(location).collect()
}

fn definition(open: &Open, asked: &Value) -> Value {
    let Some(name) = name(open, asked) else {
        return Value::Null;
    };
    let places = open.names().named(name).map(|it| it.place.clone());
    locations(open, places.collect())
}

fn references(open: &Open, asked: &Value) -> Value {
    let Some(name) = name(open, asked) else {
        return Value::Null;
    };
    locations(open, open.names().places(&open.document.text, name))
}

/// Returns the range of the name to rename; null if it can't be renamed.
fn renamed(open: &Open, asked: &Value) -> Value {
    let text = &open.document.text;
    match name(open, asked) {
        Some(_) => Positions::new(text).range(word_at(text, offset(open, asked))),
        None => Value::Null,
    }
}

/// Renames a declared name everywhere, unless that would change the model's problems.
fn rename(open: &Open, rules: &RuleSet, asked: &Value) -> Result<Value, Problem> {
    let text = &open.document.text;
    let name = name(open, asked).ok_or("nothing with that name is declared")?;
    let new = asked["newName"].as_str().unwrap_or("");
    if !is_name(new) {
        return Err(problem!("`{new}` is not a valid name in the cost language"));
    }
    if open.names().named(name).count() > 1 {
        return Err(problem!("`{name}` is declared in several places"));
    }
    if open.names().named(new).next().is_some() {
        return Err(problem!("`{new}` is already declared"));
    }
    let places = open.names().places(text, name);
    let mut changed = text.clone();
    for place in places.iter().rev() {
        changed.replace_range(place.clone(), new);
    }
    let document = Document {
        uri: open.document.uri.clone(),
        text: changed,
    };
    if open.analysis().0.len() != problems(&document, rules).0.len() {
        return Err(problem!("`{new}` would mean something else here"));
    }
    let positions = Positions::new(text);
    let edits: Vec<Value> = { places.into_iter() }
        .map(|it| json!({ "range": positions.range(it), "newText": new }))
        .collect();
    Ok(json!({ "changes": { &open.document.uri: edits } }))
}

fn lenses(open: &Open) -> Value {
    let Some(prediction) = open.predicted() else {
        return Value::Null;
    };
    let title = prediction::line(prediction);
    let range = Positions::new(&open.document.text).range(0..0);
    json!([{ "range": range, "command": { "title": title, "command": "" } }])
}

/// Returns the title and picture of each activity, the main one first. Returns `null` if the model
/// has errors.
fn diagrams(checked: &Checked) -> Value {
    let Some((model, program)) = checked.model.as_ref().zip(checked.program.as_ref()) else {
        return Value::Null;
    };
    let pictures = pictures(&Drawing::new(model, program)).into_iter();
    pictures
        .map(|it| json!({ "title": it.title, "svg": it.svg }))
        .collect()
}
