//! Tests that workflows are written as Pegasus files and can be read back.

use prophet_testing::assert_says;
use std::collections::BTreeSet;
use std::path::Path;

use prophet_workflow::formats::{Form, NamedText, Reading, read, write};
use prophet_workflow::wfformat::Document;
use prophet_workflow::{FileId, TaskId, Workflow};

use crate::command::{assert_has, home, said};
use crate::formats::data;
use crate::wfformat::{SMALL, instances};

const FORMS: [(Form, &str); 2] = [(Form::Dax, "w.dax"), (Form::Pegasus, "w.yml")];

/// Returns everything that Pegasus can express, with names instead of numbers.
fn shape(document: &Document) -> Vec<String> {
    let workflow: Workflow = document.instance().expect("it is right").workflow;
    let files = |files: &mut dyn Iterator<Item = FileId>| -> BTreeSet<String> {
        files
            .map(|it| format!("{}: {}", workflow.file_name(it), workflow.size_bytes(it)))
            .collect()
    };
    let tasks = |tasks: &mut dyn Iterator<Item = TaskId>| -> BTreeSet<String> {
        tasks.map(|it| workflow.task_name(it).to_owned()).collect()
    };
    let kinds = document
        .workflow
        .specification
        .tasks
        .iter()
        .map(|it| &it.name);
    let task = |(id, kind): (TaskId, &String)| {
        let [inputs, outputs] = [
            files(&mut workflow.inputs(id)),
            files(&mut workflow.outputs(id)),
        ];
        let (name, parents) = (workflow.task_name(id), tasks(&mut workflow.parents(id)));
        format!(
            "{name} {kind} {:?} {parents:?} {inputs:?} {outputs:?}",
            workflow.task(id)
        )
    };
    let tasks = workflow.ids().zip(kinds).map(task);
    tasks.chain([document.name.clone()]).collect()
}

#[track_caller]
fn assert_round_trip(document: &Document) {
    for (form, name) in FORMS {
        let (text, _) = write(document, form).expect("it can be written");
        let file = NamedText { name, text: &text };
        let (again, notes) =
            read(file, &[], Reading::default()).unwrap_or_else(|it| panic!("{it:?}"));
        assert_eq!(notes, [""; 0]);
        assert_eq!(shape(&again), shape(document), "{form:?}");
        assert_eq!(write(&again, form).expect("it can be written").0, text);
    }
}

#[test]
fn what_is_written_is_read_again() {
    let document = |text: &str| Document::parse(text).expect("it is a document");
    let hostile = SMALL
        .replace(r#""b""#, r#""b <\"&'#: {[\n\u0085é}""#)
        .replace(r#""f""#, r#""- ~ %{""#)
        .replace(r#""name": "two""#, r#""name": "null""#);
    let text = data("diamond.yml");
    let diamond = NamedText {
        name: "diamond.yml",
        text: &text,
    };
    assert_round_trip(
        &read(diamond, &[], Reading::default())
            .expect("it is right")
            .0,
    );
    for (_, text) in instances() {
        assert_round_trip(&document(&text));
    }
    let hostile = document(&hostile);
    let refused = write(&hostile, Form::Dax).expect_err("XML has no such character");
    assert_says(
        refused.to_string(),
        &["XML cannot contain the character '\\n'"],
    );
    let (text, _) = write(&hostile, Form::Pegasus).expect("it can be written");
    let file = NamedText {
        name: "w.yml",
        text: &text,
    };
    let (again, _) = read(file, &[], Reading::default()).unwrap_or_else(|it| panic!("{it:?}"));
    assert_eq!(shape(&again), shape(&hostile));
}

#[test]
fn the_name_of_a_file_tells_its_form() {
    for (name, form) in [
        ("a.dax", Form::Dax),
        ("a.XML", Form::Dax),
        ("a.yaml", Form::Pegasus),
        ("a.json", Form::WfFormat),
        ("a", Form::WfFormat),
    ] {
        assert_eq!(Form::of(Path::new(name)), form, "{name}");
    }
}

#[test]
fn the_command_tells_what_pegasus_has_no_place_for() {
    let home = home();
    let recorded = home.json("two.json --format json");
    for name in ["w.dax", "w.yml"] {
        let text = said(&home, &format!("two.json --out {name}"));
        assert_has(
            &text,
            "note: omitted, because Pegasus does not support it: machines, makespanInSeconds, \
                 ours, runtimeSystem, startInSeconds, y, z\n",
        );
        let plain = "--hosts 1 --cores 4 --without-engine";
        let again = home.json(&format!("{name} {plain} --format json"));
        let makespan = |it: &serde_json::Value| it["prediction"]["makespan_s"].clone();
        assert_eq!(makespan(&again), makespan(&recorded));
    }
}
