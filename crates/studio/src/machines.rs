//! Edits machine files in place, as text or value by value, and draws the machines.

use prophet_text::{Problem, problem};
use std::collections::BTreeSet;

use prophet_edit::values::{Field, fields, quoted, replaced, set};
use prophet_runtime::{Entry, Machine};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::{Answer, told};
use crate::folder::Folder;

const TEXT_MAX: usize = 1 << 20;

/// A request to show a machine. It contains the machine's name or its text.
#[derive(Debug, Deserialize)]
struct Shown {
    name: String,
    text: Option<String>,
    change: Option<Change>,
}

/// A change to a value. It names the value's place, or a key that the text lacks.
#[derive(Debug, Deserialize)]
struct Change {
    range: Option<[usize; 2]>,
    key: String,
    value: String,
}

#[derive(Debug, Deserialize)]
struct Save {
    name: String,
    text: String,
    #[serde(default)]
    over: bool,
}

#[derive(Debug, Serialize)]
struct MachineView {
    text: String,
    fields: Vec<FieldView>,
    /// Keys that the text lacks, with the machine's default values.
    missing: Vec<(&'static str, String)>,
    pictures: Vec<Picture>,
    problem: Option<String>,
}

#[derive(Debug, Serialize)]
struct FieldView {
    table: String,
    key: String,
    value: String,
    range: [usize; 2],
    problem: Option<String>,
}

#[derive(Debug, Serialize)]
struct Picture {
    title: &'static str,
    svg: String,
}

/// Answers requests about machines; `None` for other addresses.
pub(crate) fn answer(folder: &Folder, path: &str, body: &[u8]) -> Option<Answer> {
    Some(match path {
        "api/machine" => told(body, |ask: Shown| show(folder, ask)),
        "api/save-machine" => told(body, |ask: Save| {
            folder.save_machine(&ask.name, &ask.text, ask.over)?;
            Ok(json!({ "name": ask.name }))
        }),
        _ => return None,
    })
}

fn show(folder: &Folder, ask: Shown) -> Result<MachineView, Problem> {
    let text = match ask.text {
        Some(text) => text,
        None => text_of(folder, &ask.name)?,
    };
    let text = match ask.change {
        Some(change) => changed(&text, &change)?,
        None => text,
    };
    if text.len() > TEXT_MAX {
        return Err(problem!(
            "a machine can have at most {} KB here",
            TEXT_MAX >> 10
        ));
    }
    Ok(MachineView::of(&ask.name, text))
}

/// Returns the text of a built-in machine, or of a machine file in the folder.
fn text_of(folder: &Folder, name: &str) -> Result<String, Problem> {
    let Some(machine) = Machine::preset(name) else {
        return folder.machine_text(name, TEXT_MAX);
    };
    machine.to_toml().map(std::borrow::Cow::into_owned)
}

fn changed(text: &str, Change { range, key, value }: &Change) -> Result<String, Problem> {
    match range {
        Some([start, end]) => replaced(text, &(*start..*end), value),
        None if value.trim().is_empty() => Ok(text.to_owned()),
        None if value.parse::<f64>().is_ok() => set(text, None, key, value),
        None => set(text, None, key, &quoted(value)),
    }
}

impl MachineView {
    fn of(name: &str, text: String) -> Self {
        let machine = Machine::parse(&text, name);
        // The page already shows the file's name.
        let problem = machine.as_ref().err().cloned().map(|it| it.in_file(""));
        let all = fields(&text).unwrap_or_default();
        let line = problem.as_ref().map_or(0, |it| it.line);
        let view = |field: Field| FieldView {
            range: [field.range.start, field.range.end],
            problem: { problem.iter() }
                .find(|_| text[..field.range.start].matches('\n').count() as u64 + 1 == line)
                .map(ToString::to_string),
            table: field.table,
            key: field.key,
            value: field.value,
        };
        let known: BTreeSet<String> = { all.iter() }
            .map(|it| {
                if it.table.is_empty() {
                    &it.key
                } else {
                    &it.table
                }
            })
            .cloned()
            .collect();
        let machine = machine.ok();
        let missing = machine.iter().flat_map(Machine::entries);
        let missing = missing.filter(|(key, _)| !known.contains(*key));
        Self {
            fields: all.into_iter().map(view).collect(),
            missing: missing
                .filter_map(|(key, it)| Some((key, plain(it)?)))
                .collect(),
            pictures: machine.as_ref().map(pictures).unwrap_or_default(),
            problem: problem.map(String::from),
            text,
        }
    }
}

/// Returns an entry as text, if a form field can contain it.
fn plain(entry: Entry) -> Option<String> {
    match entry {
        Entry::Missing => Some(String::new()),
        Entry::Text(text) | Entry::Quantity(_, text) => Some(text),
        Entry::Count(count) => Some(count.to_string()),
        Entry::List(_) | Entry::Prices(_) => None,
    }
}

fn pictures(machine: &Machine) -> Vec<Picture> {
    let links = machine.draw_links().and_then(Result::ok);
    let links = links.map(|svg| Picture {
        title: "Nodes and links",
        svg,
    });
    let node = machine.draw_node();
    let node = node.map(|svg| Picture {
        title: "A node",
        svg,
    });
    links.into_iter().chain(node).collect()
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_says;

    use serde_json::Value;

    use super::*;

    fn ask(folder: &Folder, path: &str, body: &Value) -> (u16, Value) {
        let answer = answer(folder, path, body.to_string().as_bytes()).unwrap();
        let value = serde_json::from_slice(answer.body()).unwrap();
        (answer.status().as_u16(), value)
    }

    #[test]
    fn a_preset_is_changed_and_saved_as_a_file() {
        let here = tempfile::tempdir().unwrap();
        let folder = Folder::open(here.path()).unwrap();
        let (_, shown) = ask(&folder, "api/machine", &json!({ "name": "gescher" }));
        let nodes = |it: &Value| {
            let fields = it["fields"].as_array().unwrap().iter();
            fields
                .clone()
                .find(|it| it["key"] == "nodes")
                .unwrap()
                .clone()
        };
        assert_eq!(nodes(&shown)["value"], "16");
        assert_eq!(shown["problem"], Value::Null);
        assert_says(shown["pictures"][0]["svg"].as_str().unwrap(), &["<svg"]);
        let set = |text: &Value, value: &str| {
            let range = &nodes(&shown)["range"];
            let change = json!({ "range": range, "key": "nodes", "value": value });
            json!({ "name": "gescher", "text": text, "change": change })
        };
        let (_, wrong) = ask(&folder, "api/machine", &set(&shown["text"], "0"));
        let why = nodes(&wrong)["problem"].as_str().unwrap().to_owned();
        assert!(why.contains("a whole number from 1"), "{why}");
        let (_, right) = ask(&folder, "api/machine", &set(&shown["text"], "8"));
        assert_eq!(right["problem"], Value::Null);
        let (_, cleared) = ask(&folder, "api/machine", &set(&shown["text"], ""));
        let missing = cleared["missing"].as_array().unwrap();
        assert!(missing.iter().any(|it| it[0] == "nodes"), "{missing:?}");
        assert_eq!(cleared["problem"], Value::Null);
        let save = |over: bool| json!({ "name": "ours.toml", "text": right["text"], "over": over });
        assert_eq!(ask(&folder, "api/save-machine", &save(false)).0, 200);
        let (status, twice) = ask(&folder, "api/save-machine", &save(false));
        assert_eq!(
            (status, twice["error"].as_str()),
            (422, Some("ours.toml already exists"))
        );
        assert_eq!(ask(&folder, "api/save-machine", &save(true)).0, 200);
        assert_eq!(folder.machines(), ["ours.toml"]);
        let (_, again) = ask(&folder, "api/machine", &json!({ "name": "ours.toml" }));
        assert_eq!(nodes(&again)["value"], "8");
    }

    #[test]
    fn nothing_but_machines_is_written_or_shown() {
        let here = tempfile::tempdir().unwrap();
        let folder = Folder::open(here.path()).unwrap();
        std::fs::write(here.path().join("Cargo.toml"), "[package]\n").unwrap();
        let save = |name: &str, text: &str| {
            let body = json!({ "name": name, "text": text, "over": true });
            ask(&folder, "api/save-machine", &body).1["error"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let machine = "name = \"m\"\nsource = \"s\"\n";
        assert_eq!(
            save("../m.toml", machine),
            "../m.toml is outside the folder"
        );
        assert_eq!(
            save("m.uml", machine),
            "the name of a machine file must end in .toml"
        );
        assert_eq!(
            save("Cargo.toml", machine),
            "Cargo.toml is not a machine file"
        );
        assert!(save("m.toml", "name = 1").starts_with("m.toml:1: "));
        let (status, shown) = ask(&folder, "api/machine", &json!({ "name": "Cargo.toml" }));
        assert_eq!(
            (status, shown["error"].as_str()),
            (422, Some("Cargo.toml is not a machine file"))
        );
    }
}
