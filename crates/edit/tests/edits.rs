//! Tests what edits add, what they don't change, and that they can be undone.

use prophet_testing::assert_says;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_edit::{Document, Edit, Outline, Spots};
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_source};
use prophet_model::source::Source;
use serde_json::{Value, json};

const EMPTY: &str = include_str!("data/empty.uml");

fn check(text: &str) -> Checked {
    let (name, text) = ("m.uml".to_owned(), text.to_owned());
    check_source(
        &RuleSet::shipped(),
        Source::new(name, text),
        Path::new(""),
        None,
    )
}

fn problems(text: &str) -> Vec<String> {
    check(text)
        .diagnostics
        .into_iter()
        .map(|it| it.message)
        .collect()
}

/// Parses edits in the format that a page sends.
fn edits(json: Value) -> Vec<Edit> {
    serde_json::from_value(json).expect("these are edits")
}

/// Adds a node to the main activity. Its name is the key for later edits.
fn node(kind: &str, name: &str, stereotype: Option<&str>) -> Value {
    json!({"do": "add-node", "diagram": "_main", "kind": kind, "name": name, "key": name,
        "stereotype": stereotype, "x": 10, "y": 20, "width": 90, "height": 40})
}

fn flow(source: &str, target: &str, guard: Option<&str>) -> Value {
    json!({"do": "add-flow", "diagram": "_main", "source": source, "target": target,
        "guard": guard})
}

fn tag(element: &str, tag: &str, value: Option<&str>) -> Value {
    json!({"do": "tag", "element": element, "tag": tag, "value": value})
}

fn rename(element: &str, name: &str) -> Value {
    json!({"do": "rename", "element": element, "name": name})
}

/// Adds a variable, a function, and a decision between two paths.
fn program() -> Vec<Edit> {
    edits(json!([
        {"do": "variable", "name": "N", "type": "Integer", "readOnly": true, "default": "4"},
        {"do": "function", "name": "Time", "parameters": [{"name": "n", "type": "Integer"}],
            "result": "Real", "body": "return n < 2 ? 0.5 : 0.25 * n;"},
        node("InitialNode", "Start", None),
        node("OpaqueAction", "A1", Some("action+")),
        node("DecisionNode", "Which", None),
        node("OpaqueAction", "A2", Some("action+")),
        node("MergeNode", "Joined", None),
        node("ActivityFinalNode", "End", None),
        tag("$A1", "cost", Some("Time(N)")),
        tag("$A2", "time", Some("2.0")),
        {"do": "body", "element": "$A1", "text": ""},
        flow("$Start", "$A1", None),
        flow("$A1", "$Which", None),
        flow("$Which", "$A2", Some("N > 3 && pid == 0")),
        flow("$Which", "$Joined", Some("else")),
        flow("$A2", "$Joined", None),
        flow("$Joined", "$End", None),
    ]))
}

/// Draws the program in an empty model. Returns the ids of its nodes.
fn drawn() -> (Document, BTreeMap<String, String>) {
    let mut document = Document::new(EMPTY.to_owned());
    let keys = document
        .apply("Draw", &program())
        .expect("all edits are sound");
    (document, keys)
}

#[test]
fn a_program_is_drawn_from_nothing() {
    let (mut document, _) = drawn();
    assert_eq!(problems(document.text()), [""; 0], "{}", document.text());
    let drawn = document.text().to_owned();
    assert!(document.undo());
    assert_eq!(document.text(), EMPTY);
    assert!(document.redo());
    assert_eq!(document.text(), drawn);
    assert!(!document.redo());
}

/// Draws nodes in a row. The edits are grouped by kind, as for a model that is converted from
/// another format.
fn row(count: usize) -> Vec<Edit> {
    let name = |it: usize| format!("N{it}");
    let nodes = (0..count).map(|it| node("OpaqueAction", &name(it), Some("action+")));
    let tags = (0..count).map(|it| tag(&format!("_N{it}"), "cost", Some("1")));
    let flows = (1..count).map(|it| flow(&format!("_N{}", it - 1), &format!("_N{it}"), None));
    edits(nodes.chain(tags).chain(flows).collect())
}

#[test]
fn edits_that_are_made_together_give_what_each_gives_alone() {
    let edits = row(20);
    let mut together = Document::new(EMPTY.to_owned());
    together.apply("Draw", &edits).expect("they can be made");
    let mut alone = Document::new(EMPTY.to_owned());
    for edit in &edits {
        let edit = std::slice::from_ref(edit);
        alone.apply("Draw", edit).expect("it can be made");
    }
    let mut lines = together.text().lines().zip(alone.text().lines());
    assert_eq!(lines.find(|(one, other)| one != other), None);
    assert_eq!(together.text().len(), alone.text().len());
    assert!(together.undo());
    assert_eq!(together.text(), EMPTY);
}

/// Each edit used to parse the text again, which took hours.
#[test]
fn many_edits_read_the_text_a_few_times() {
    let mut document = Document::new(EMPTY.to_owned());
    let keys = document
        .apply("Draw", &row(4000))
        .expect("they can be made");
    assert_eq!(keys.len(), 4000);
    assert_eq!(document.text().matches("<edge ").count(), 3999);
}

#[test]
fn nodes_are_drawn_where_they_are_moved() {
    let (mut document, keys) = drawn();
    let moved = |node: &str, x: f64| {
        let element = &keys[node];
        json!({"do": "move", "element": element, "x": x, "y": 7.125, "width": 30, "height": 20})
    };
    let drawn = document.text().to_owned();
    document
        .apply("Move", &edits(json!([moved("A1", 3.0), moved("A2", -4.5)])))
        .expect("they are there");
    let outline = Outline::read(document.text()).expect("it is XML");
    assert_eq!(outline.bounds(&keys["A1"]), Some([3.0, 7.13, 30.0, 20.0]));
    assert_eq!(outline.bounds(&keys["A2"]), Some([-4.5, 7.13, 30.0, 20.0]));
    assert_eq!(outline.bounds(&keys["End"]), Some([10.0, 20.0, 90.0, 40.0]));
    // The model reader finds the drawings too.
    let places = check(document.text()).model.expect("it is sound").places;
    assert_eq!(places.into_iter().count(), 6);
    document.undo();
    assert_eq!(document.text(), drawn);
    let far = document
        .apply("Move", &edits(json!([moved("A1", 1e9)])))
        .expect_err("it is too far away");
    assert_eq!(
        far.to_string(),
        "a drawing must be within a million units of the origin and have a size"
    );
}

#[test]
fn flows_are_drawn_along_points() {
    let (mut document, _) = drawn();
    let flow = "_A1_to_Which";
    let mut draw = |points: &[[f64; 2]]| {
        let (flow, points) = (flow.to_owned(), points.to_vec());
        document
            .apply("Bend", &[Edit::Points { flow, points }])
            .expect("it is there");
        let outline = Outline::read(document.text()).expect("it is XML");
        outline.points("_A1_to_Which").to_vec()
    };
    let bent = [[1.0, 2.0], [3.5, 2.0], [3.5, -4.0]];
    assert_eq!(draw(&bent), bent);
    assert_eq!(draw(&bent[..2]), bent[..2]);
    assert_eq!(draw(&[]), [[0.0; 2]; 0]);
    assert!(!document.text().contains("UMLEdge"));
}

#[test]
fn a_text_is_replaced_as_one_change() {
    let mut document = Document::new(EMPTY.to_owned());
    for new in [
        EMPTY.replace("Main", "Mäin"),
        String::new(),
        EMPTY.repeat(2),
        "x".to_owned(),
    ] {
        document.replace("Replace", &new);
        assert_eq!(document.text(), new);
    }
    while document.undo() {}
    assert_eq!(document.text(), EMPTY);
    document.replace("Nothing", EMPTY);
    assert_eq!(document.undo_label(), None);
}

#[test]
fn places_have_owners() {
    let (document, _) = drawn();
    let text = document.text();
    let spots = Spots::read(text).expect("it is XML");
    let at = |what: &str| spots.at(text.find(what).expect("it is there") + what.len() - 1);
    let cost = at("cost=\"Time");
    assert_eq!(
        (&*cost.owners[0], cost.property.as_deref()),
        ("_A1", Some("cost"))
    );
    assert_eq!(&text[cost.value], "Time(N)");
    let guard = at("N &gt; 3");
    assert_eq!(guard.owners[1], "_Which_to_A2");
    assert_eq!(&text[guard.value], "N &gt; 3 &amp;&amp; pid == 0");
    let outline = Outline::read(text).expect("it is XML");
    assert_eq!(outline.kind("_Which"), Some("DecisionNode"));
}

#[test]
fn the_framework_of_eclipse_loads_what_was_drawn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let check = root.join("../shared/emf/check.sh");
    if !check.exists() {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let model = folder.path().join("m.uml");
    let (document, _) = drawn();
    std::fs::write(&model, document.text()).expect("there is room");
    let profile = folder.path().join("prophet.profile.uml");
    let shipped = root.join("sample-models/prophet.profile.uml");
    std::fs::copy(shipped, &profile).expect("there is room");
    let loaded = Command::new(check)
        .args([profile, model])
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&loaded.stdout);
    // The exit code is 77 if the framework or a JDK is missing.
    assert!(matches!(loaded.status.code(), Some(0 | 77)), "{said}");
}

#[test]
fn what_is_removed_takes_along_what_speaks_of_it() {
    let (mut document, keys) = drawn();
    let gone = &keys["A2"];
    let remove = edits(json!([{"do": "remove", "elements": [gone]}]));
    document.apply("Remove A2", &remove).expect("it is there");
    assert!(
        !document.text().contains(&format!("\"{gone}\"")),
        "{}",
        document.text()
    );
    assert!(!document.text().contains("_A2_"), "{}", document.text());
    assert!(!document.text().contains("=\"\""), "{}", document.text());
}

#[test]
fn a_refused_edit_changes_nothing() {
    let mut document = Document::new(EMPTY.to_owned());
    let mut drawing = program();
    drawing.extend(edits(json!([tag("$A3", "cost", Some("1"))])));
    let refused = document
        .apply("Draw", &drawing)
        .expect_err("there is no A3");
    assert_eq!(refused.to_string(), "no earlier edit added `$A3`");
    assert_eq!(document.text(), EMPTY);
    let remove = |element: &str| json!({"do": "remove", "elements": [element]});
    let refusals = [
        (
            tag("_main", "cost", None),
            "the element has no stereotype, or has it in a form that",
        ),
        (remove("_model"), "cannot remove the model itself"),
        (remove("_none"), "the model has no element `_none`"),
        (
            node("Robot", "R", None),
            "cannot add a node of type `Robot`",
        ),
        (
            node("InitialNode", "I", Some("bsend")),
            "`bsend` cannot be applied to a InitialNode",
        ),
        (
            node("OpaqueAction", "A", Some("send")),
            "the profile has no stereotype `send`",
        ),
    ];
    for (edit, why) in refusals {
        let refused = document.apply("Try", &edits(json!([edit]))).expect_err(why);
        assert!(refused.to_string().starts_with(why), "{refused}");
        assert_eq!(document.text(), EMPTY);
    }
}

#[test]
fn another_stereotype_keeps_the_tags_that_it_has_too() {
    let mut document = Document::new(EMPTY.to_owned());
    let edits = edits(json!([
        node("OpaqueAction", "A", Some("action+")),
        tag("$A", "cost", Some("1")),
        {"do": "stereotype", "element": "$A", "name": "barrier"},
    ]));
    document
        .apply("Add", &edits)
        .expect("a barrier may have a cost");
    let line = document.text().lines().find(|it| it.contains(":barrier"));
    let line = line.expect("the stereotype is applied").trim();
    assert_eq!(
        line,
        "<prophet:barrier xmi:id=\"_A_barrier\" base_Action=\"_A\" cost=\"1\"/>"
    );
}

#[test]
fn hostile_texts_stay_texts() {
    let hostile = "\"/><x y='&amp;]]>\u{1}\n--><!--";
    let mut document = Document::new(EMPTY.to_owned());
    let mut drawing = program();
    let comment = |element: &str| json!({"do": "comment", "element": element, "text": hostile});
    drawing.extend(edits(json!([
        tag("$A1", "code", Some(hostile)),
        rename("$A2", hostile),
        {"do": "body", "element": "$A2", "text": hostile},
        comment("$A2"),
    ])));
    document
        .apply("Draw", &drawing)
        .expect("all edits are sound");
    let before = document.text().matches('<').count();
    let again = edits(json!([comment("_program")]));
    document.apply("Comment", &again).expect("it is sound");
    assert_eq!(document.text().matches('<').count(), before + 4);
    assert!(document.text().contains("\u{fffd}"));
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_model = |it: &PathBuf| {
        it.extension()
            .is_some_and(|it| ["uml", "xmi", "xml"].iter().any(|known| it == *known))
    };
    let mut models: Vec<_> = entries.map(|it| it.path()).filter(is_model).collect();
    models.sort();
    models
}

/// Renames some elements of a model, and checks that nothing else changes.
fn rename_some(path: &Path) -> usize {
    let Ok(text) = std::fs::read_to_string(path) else {
        return 0;
    };
    let mut renamed = 0;
    for (at, _) in text.match_indices("xmi:id=\"").step_by(7).take(10) {
        let rest = &text[at + "xmi:id=\"".len()..];
        let id = rest.split('"').next().unwrap_or_default().to_owned();
        let mut document = Document::new(text.clone());
        let edits = edits(json!([rename(&id, "A New Name")]));
        document.apply("Rename", &edits).expect("it is there");
        let new = document.text().to_owned();
        let same = text
            .bytes()
            .zip(new.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let back = text
            .bytes()
            .rev()
            .zip(new.bytes().rev())
            .take_while(|(a, b)| a == b)
            .count();
        let (end, new_end) = (text.len() - back.min(text.len() - same), new.len() - back);
        let (old, new) = (&text[same..end], &new[same.min(new_end)..new_end]);
        assert!(
            !old.contains(['<', '=', '"']),
            "{}: {id}: {old}",
            path.display()
        );
        assert!(!new.contains('<'), "{}: {id}: {new}", path.display());
        document.undo();
        assert_eq!(document.text(), text);
        renamed += 1;
    }
    renamed
}

#[test]
fn a_new_name_is_all_that_changes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let samples = models(&root.join("sample-models"));
    assert!(samples.len() > 10);
    // Also tries files of other tools, if they are next to the checkout.
    let others = models(&root.join("../shared/real-models"));
    for path in samples.iter().chain(&others) {
        assert!(rename_some(path) > 0, "{}", path.display());
    }
}

/// Renames the main activity during a visit to its field.
fn visit(document: &mut Document, visit: &str, name: &str) {
    let edits = edits(json!([rename("_main", name)]));
    let renamed = document.apply_in_visit(&format!("Rename to {name}"), &edits, visit);
    renamed.expect("it is there");
}

#[test]
fn edits_of_one_visit_are_one_step() {
    let mut document = Document::new(EMPTY.to_owned());
    for name in ["S", "So", "Sol", "Solve"] {
        visit(&mut document, "1", name);
    }
    let solve = document.text().to_owned();
    visit(&mut document, "2", "Again");
    assert!(document.undo());
    assert_eq!(document.text(), solve);
    assert!(document.undo());
    assert_eq!(document.text(), EMPTY);
    assert!(!document.undo());
    assert!(document.redo());
    assert_eq!(document.text(), solve);
    // Edits aren't merged into a visit after undo or save.
    visit(&mut document, "1", "Solver");
    document.end_visit();
    visit(&mut document, "1", "Solve");
    document.undo();
    assert!(document.text().contains("\"Solver\""));
    document.undo();
    assert_eq!(document.text(), solve);
}

#[test]
fn a_visit_that_ends_where_it_began_is_no_step() {
    let mut document = Document::new(EMPTY.to_owned());
    for name in ["Mai", "Main"] {
        visit(&mut document, "1", name);
    }
    assert_eq!(document.undo_label(), None);
    visit(&mut document, "1", "Other");
    document.undo();
    assert_eq!(document.text(), EMPTY);
}

#[test]
fn a_part_of_a_value_is_replaced() {
    let text = EMPTY.replace(
        "name=\"Main\"/>",
        "name=\"a &lt; b\"><x>c &amp; d</x></ownedBehavior>",
    );
    let mut document = Document::new(text.clone());
    let place = |of: &str| {
        let start = text.find(of).unwrap();
        start..start + of.len()
    };
    document
        .put("Put", place("b\"").start..place("b\"").start + 1, "\"<c")
        .unwrap();
    assert_says(document.text(), &["name=\"a &lt; &quot;&lt;c\""]);
    document.undo();
    document.put("Put", place("c &amp; d"), "e > f").unwrap();
    assert_says(document.text(), &["<x>e &gt; f</x>"]);
    document.undo();
    assert_eq!(document.text(), text);
    let end = text.len();
    for wrong in [place("<x>"), 0..5, 10..end, end..end + 5] {
        let refused = document.put("Put", wrong, "x").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "there is no value or text at that place"
        );
    }
}

#[test]
fn names_of_attributes_and_elements_are_put_right() {
    let text = "<a xmlns:p='urn:p'>\n  <p:b c='1' d = \"2\">x<p:e/></p:b>\n</a>\n";
    let mut document = Document::new(text.to_owned());
    let mut renamed = |of: &str, name: &str| {
        let at = text.find(of).unwrap();
        document.rename_at("Write", at, name)?;
        let now = document.text().to_owned();
        document.undo();
        assert_eq!(document.text(), text);
        Ok::<_, prophet_text::Problem>(now)
    };
    for (place, name, before, after) in [
        ("2\"", "f", "d = \"2\"", "f = \"2\""),
        ("<p:e", "g", "<p:e/>", "<p:g/>"),
        ("x<", "h", "<p:b c", "<p:h c"),
    ] {
        let expected = text.replace(before, after).replace(
            "</p:b>",
            match name {
                "h" => "</p:h>",
                _ => "</p:b>",
            },
        );
        assert_eq!(renamed(place, name).unwrap(), expected);
    }
    for (place, name, why) in [
        ("2\"", "c", "`c` already exists"),
        ("2\"", "a b", "`a b` is not a valid XML name"),
        ("2\"", "a\u{2026}", "`a\u{2026}` is not a valid XML name"),
    ] {
        assert_eq!(renamed(place, name).unwrap_err().to_string(), why);
    }
    let behind = document.rename_at("Write", text.len(), "x").unwrap_err();
    assert_eq!(behind.to_string(), "there is no element at that place");
}
