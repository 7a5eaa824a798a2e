//! Makes random edits at random places in all kinds of models. Each edit must change only its own
//! place, and undoing all of them must restore every byte.

use std::collections::BTreeSet;
use std::path::Path;

use prophet_edit::{Document, Edit};
use prophet_testing::{hard_models, models_in};
use roxmltree::Node;
use serde_json::{Value, json};

/// Number of edits in each model with an awkward format.
const EDITS: usize = 40;
/// Number of edits in each file from a tool.
const FILE_EDITS: usize = 8;
/// Size from which a file counts as large and gets only one edit, in bytes.
const LARGE: usize = 100_000;

struct Random(prophet_testing::Random);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0.below(end.max(1))
    }

    fn of(&mut self, values: &[String]) -> String {
        values
            .get(self.below(values.len()))
            .cloned()
            .unwrap_or_default()
    }

    fn one<'a>(&mut self, values: &[&'a str]) -> &'a str {
        values[self.below(values.len())]
    }

    fn number(&mut self) -> f64 {
        f64::from(u16::try_from(self.below(20_000)).unwrap_or(0)) / 8.0 - 500.0
    }

    fn text(&mut self) -> String {
        let texts = [
            "x",
            "",
            "N > 3 && pid < 2",
            "\"'<&>]]>",
            "two\nlines\r\n\tand\ta tab",
            "-->",
            "計算 \u{1f980}",
            "<script>alert(1)</script>",
            "\u{1}\u{202e}",
            "&#x41;&amp;",
            "  spaces  ",
            "else",
            "?> <!--",
        ];
        self.one(&texts).to_owned()
    }

    fn maybe(&mut self) -> Option<String> {
        let text = self.text();
        (self.below(4) > 0).then_some(text)
    }
}

/// Ids in a model, by kind of element.
struct Ids {
    all: Vec<String>,
    diagrams: Vec<String>,
    nodes: Vec<String>,
    flows: Vec<String>,
    variables: Vec<String>,
    functions: Vec<String>,
}

fn id<'a>(element: Node<'a, '_>) -> Option<&'a str> {
    let mut attributes = element.attributes();
    let is_id = |it: &roxmltree::Attribute<'_, '_>| {
        it.name() == "id" && it.namespace().is_some_and(|uri| uri.contains("XMI"))
    };
    attributes.find(is_id).map(|it| it.value())
}

impl Ids {
    fn of(text: &str) -> Self {
        let xml = roxmltree::Document::parse(text).expect("it is XML");
        let named = |is_meant: &dyn Fn(&str, &str) -> bool| -> Vec<String> {
            let elements = xml.descendants().filter(Node::is_element);
            let meant = elements.filter(|it| {
                let kind = it
                    .attributes()
                    .find(|it| it.name() == "type" && it.namespace().is_some());
                is_meant(it.tag_name().name(), kind.map_or("", |it| it.value()))
            });
            meant.filter_map(id).map(str::to_owned).collect()
        };
        Self {
            all: named(&|_, _| true),
            diagrams: named(&|_, kind| {
                kind.ends_with(":Activity") || kind.ends_with(":StructuredActivityNode")
            }),
            nodes: named(&|name, _| matches!(name, "node" | "structuredNode" | "ownedNode")),
            flows: named(&|name, _| name == "edge"),
            variables: named(&|name, _| matches!(name, "ownedAttribute" | "variable")),
            functions: named(&|_, kind| kind.ends_with(":OpaqueBehavior")),
        }
    }

    /// Creates a random edit in the format that a page sends. Some can't be made.
    fn edit(&self, random: &mut Random) -> Value {
        let element = random.of(&self.all);
        let node = random.of(&self.nodes);
        let (text, maybe) = (random.text(), random.maybe());
        match random.below(16) {
            0 => json!({"do": "rename", "element": element, "name": text}),
            1 => {
                let tag = random.one(&["cost", "time", "id", "size", "dest"]);
                json!({"do": "tag", "element": node, "tag": tag, "value": maybe})
            }
            2 => {
                let names = ["action+", "barrier", "allreduce", "activity+", "loop+"];
                let name = (random.below(4) > 0).then(|| random.one(&names));
                json!({"do": "stereotype", "element": node, "name": name})
            }
            3 => {
                let is_node = random.below(2) > 0;
                let element = if is_node {
                    node
                } else {
                    random.of(&self.functions)
                };
                json!({"do": "body", "element": element, "text": maybe})
            }
            4 => json!({"do": "guard", "flow": random.of(&self.flows), "text": maybe}),
            5 => json!({"do": "comment", "element": element, "text": maybe}),
            6 => self.new_node(random),
            7 => {
                let (diagram, target) = (random.of(&self.diagrams), random.of(&self.nodes));
                json!({"do": "add-flow", "diagram": diagram, "source": node, "target": target,
                    "guard": maybe})
            }
            8 => {
                let (flow, target) = (random.of(&self.flows), random.of(&self.nodes));
                json!({"do": "reconnect", "flow": flow, "source": node, "target": target})
            }
            _ => self.larger_edit(random, node),
        }
    }

    /// Creates a random edit of what is drawn, called or declared.
    fn larger_edit(&self, random: &mut Random, node: String) -> Value {
        match random.below(7) {
            0 => {
                let is_node = random.below(2) > 0;
                let element = if is_node {
                    node
                } else {
                    random.of(&self.flows)
                };
                json!({"do": "remove", "elements": [element]})
            }
            1 => {
                let (x, y) = (random.number(), random.number());
                json!({"do": "move", "element": node, "x": x, "y": y, "width": 40, "height": 20.5})
            }
            2 => {
                let count = random.below(5);
                let flow = random.of(&self.flows);
                let points = (0..count).map(|_| [random.number(), random.number()]);
                json!({"do": "points", "flow": flow, "points": points.collect::<Vec<_>>()})
            }
            3 => json!({"do": "add-activity", "name": random.text()}),
            4 => {
                let diagram = (random.below(3) > 0).then(|| random.of(&self.diagrams));
                json!({"do": "calls", "element": node, "diagram": diagram})
            }
            5 => self.variable(random),
            _ => self.function(random),
        }
    }

    fn new_node(&self, random: &mut Random) -> Value {
        let kinds = [
            "OpaqueAction",
            "DecisionNode",
            "StructuredActivityNode",
            "ActivityFinalNode",
        ];
        let kind = random.below(kinds.len());
        let stereotype = (kind == 0 && random.below(2) > 0).then_some("action+");
        let (diagram, name) = (random.of(&self.diagrams), random.text());
        let (x, y) = (random.number(), random.number());
        json!({"do": "add-node", "diagram": diagram, "kind": kinds[kind], "name": name,
            "stereotype": stereotype, "x": x, "y": y, "width": 100, "height": 50})
    }

    fn some(random: &mut Random, ids: &[String]) -> Option<String> {
        let id = (random.below(2) > 0).then(|| random.of(ids));
        id.filter(|it| !it.is_empty())
    }

    fn variable(&self, random: &mut Random) -> Value {
        let id = Self::some(random, &self.variables);
        let owner = Self::some(random, &self.diagrams);
        let (name, types) = (random.text(), ["Integer", "Real", "Boolean", "double"]);
        let (type_name, read_only) = (random.one(&types), random.below(2) > 0);
        let length = (random.below(3) == 0).then_some(7);
        json!({"do": "variable", "id": id, "owner": owner, "name": name, "type": type_name,
            "readOnly": read_only, "length": length, "default": random.maybe()})
    }

    fn function(&self, random: &mut Random) -> Value {
        let id = Self::some(random, &self.functions);
        let name = random.text();
        let parameters = (0..random.below(3))
            .map(|_| json!({"name": random.text(), "type": "Real"}))
            .collect::<Vec<_>>();
        let (result, body) = (random.maybe(), random.text());
        json!({"do": "function", "id": id, "name": name, "parameters": parameters,
            "result": result, "body": body})
    }
}

fn spoken_of(edit: &Value) -> BTreeSet<String> {
    let named = ["element", "source", "target", "flow", "id"].map(|it| edit[it].as_str());
    let removed = edit["elements"].as_array().into_iter().flatten();
    let diagram = edit["diagram"]
        .as_str()
        .filter(|_| edit["do"] == "add-node");
    let ids = { named.into_iter().flatten() }.chain(removed.filter_map(Value::as_str));
    ids.chain(diagram).map(str::to_owned).collect()
}

fn start_tag<'t>(text: &'t str, element: Node<'_, '_>) -> &'t str {
    let rest = &text[element.range()];
    let mut quote = None;
    let close = rest.find(|it: char| {
        match quote {
            None if it == '>' => return true,
            None if it == '"' || it == '\'' => quote = Some(it),
            Some(open) if open == it => quote = None,
            _ => {}
        }
        false
    });
    &rest[..close.unwrap_or(rest.len())]
}

fn speaks_of(element: Node<'_, '_>, ids: &BTreeSet<String>) -> bool {
    let mut values = element.attributes().map(|it| it.value());
    values.any(|it| ids.contains(it) || it.split_whitespace().any(|it| ids.contains(it)))
}

struct Touched {
    /// Added or removed elements.
    whole: BTreeSet<String>,
    /// Elements with properties that can differ.
    spoken_of: BTreeSet<String>,
    /// Elements with start tags that can differ.
    tags: BTreeSet<String>,
}

/// Returns a text without white space, and without everything that an edit may have changed.
fn others<'t>(text: &'t str, touched: &Touched) -> Vec<&'t str> {
    let xml = roxmltree::Document::parse(text).expect("it is XML");
    let mut others = Vec::new();
    // The first application of a profile can add a namespace, and a root around the model.
    let roots = [xml.root_element(), model(&xml)];
    for it in xml.descendants().skip(1) {
        let owners = || it.ancestors().filter(Node::is_element);
        if owners().any(|owner| is_part(owner, touched)) || roots.contains(&it) {
            continue;
        }
        if !it.is_element() {
            others.push(text[it.range()].trim());
        } else if !id(it).is_some_and(|it| touched.tags.contains(it)) {
            others.push(start_tag(text, it).trim_end_matches(['/', ' ', '\t', '\r', '\n']));
        }
    }
    others.retain(|it| !it.is_empty());
    others
}

fn model<'a, 't>(xml: &'a roxmltree::Document<'t>) -> Node<'a, 't> {
    let mut elements = xml.descendants();
    let model = elements.find(|it| it.tag_name().name() == "Model");
    model.unwrap_or(xml.root_element())
}

/// Returns `true` for parts of a touched element that are added and removed with it: properties,
/// drawings and stereotype applications.
fn is_part(element: Node<'_, '_>, touched: &Touched) -> bool {
    let is_in =
        |it: Node<'_, '_>, ids: &BTreeSet<String>| id(it).is_some_and(|it| ids.contains(it));
    let name = element.tag_name().name();
    let is_drawing =
        name == "Extension" && element.attribute("extender") == Some("Performance Prophet");
    let properties = "name body language guard ownedComment behavior type upperValue lowerValue \
                      defaultValue ownedParameter";
    let is_property = properties.split(' ').any(|it| it == name)
        && element
            .parent()
            .is_some_and(|it| is_in(it, &touched.spoken_of));
    let mut attributes = element.attributes();
    let applies = attributes
        .any(|it| it.name().starts_with("base_") && touched.spoken_of.contains(it.value()));
    is_drawing || is_property || applies || is_in(element, &touched.whole)
}

/// Adds elements that were added or removed together, because they refer to each other.
fn along(text: &str, mut ids: BTreeSet<String>, changed: &BTreeSet<String>) -> BTreeSet<String> {
    let xml = roxmltree::Document::parse(text).expect("it is XML");
    loop {
        let before = ids.len();
        for it in xml.descendants().filter(Node::is_element) {
            let follows = || {
                let refers = it.children().any(|it| speaks_of(it, &ids));
                refers || it.ancestors().any(|it| speaks_of(it, &ids))
            };
            if let Some(own) = id(it).filter(|own| changed.contains(*own) && follows()) {
                ids.insert(own.to_owned());
            }
        }
        if ids.len() == before {
            return ids;
        }
    }
}

fn speakers(text: &str, ids: &BTreeSet<String>) -> BTreeSet<String> {
    let xml = roxmltree::Document::parse(text).expect("it is XML");
    let elements = xml
        .descendants()
        .filter(|it| it.is_element() && speaks_of(*it, ids));
    elements.filter_map(id).map(str::to_owned).collect()
}

fn ids_of(text: &str) -> BTreeSet<String> {
    Ids::of(text).all.into_iter().collect()
}

/// Makes an edit, and checks that everything it doesn't mention stays the same.
fn make(document: &mut Document, edit: &Value, what: &str) -> bool {
    let before = document.text().to_owned();
    let read: Edit = serde_json::from_value(edit.clone()).expect("it is an edit");
    if let Err(refused) = document.apply("Edit", &[read]) {
        assert!(document.text() == before, "{what}: {edit}: {refused}");
        return false;
    }
    let after = document.text().to_owned();
    let (old, new) = (ids_of(&before), ids_of(&after));
    let gone: BTreeSet<String> = old.difference(&new).cloned().collect();
    let come: BTreeSet<String> = new.difference(&old).cloned().collect();
    let spoken_of = spoken_of(edit);
    let follows = along(&before, spoken_of.clone(), &gone);
    assert!(gone.is_subset(&follows), "{what}: {edit}: {gone:?}");
    let whole: BTreeSet<String> = gone.union(&come).cloned().collect();
    let ids = whole.union(&spoken_of).cloned().collect();
    let mut tags = speakers(&before, &ids);
    tags.extend(speakers(&after, &ids));
    let touched = Touched {
        whole,
        spoken_of,
        tags,
    };
    let (left, right) = (others(&before, &touched), others(&after, &touched));
    let first = left
        .iter()
        .zip(&right)
        .position(|(one, other)| one != other);
    let at = first.unwrap_or(left.len().min(right.len()));
    assert_eq!(left.get(at), right.get(at), "{what}: {edit}");
    if before != after {
        document.undo();
        assert!(document.text() == before, "{what}: {edit}");
        document.redo();
        assert!(document.text() == after, "{what}: {edit}");
    }
    true
}

/// Makes random edits one after another, and then undoes all of them. Returns how many could be
/// made.
fn edited(name: &str, text: &str, edits: usize) -> usize {
    let mut random = Random(prophet_testing::Random(7));
    let mut document = Document::new(text.to_owned());
    let mut made = 0;
    for number in 0..edits {
        let edit = Ids::of(document.text()).edit(&mut random);
        let what = format!("{name}, edit {number}");
        made += usize::from(make(&mut document, &edit, &what));
    }
    while document.undo() {}
    assert!(document.text() == text, "{name}");
    made
}

#[test]
fn edits_of_models_in_all_forms_change_their_places_alone() {
    let mut made = 0;
    for (form, bytes) in hard_models() {
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        let text = text.trim_start_matches('\u{feff}');
        made += edited(form, text, EDITS);
    }
    assert!(made > 500, "{made}");
}

#[test]
fn edits_of_files_of_all_tools_change_their_places_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        "sample-models",
        "tests/models",
        "../shared/real-models",
        "../shared/oracle-models",
    ];
    let mut made = 0;
    for path in folders.iter().flat_map(|it| models_in(&root.join(it))) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let text = text.trim_start_matches('\u{feff}');
        // UML 1 files have different attributes, and can't be edited.
        let is_edited = !text.contains("xmi.version") && roxmltree::Document::parse(text).is_ok();
        if is_edited && !text.is_empty() {
            let edits = if text.len() > LARGE { 1 } else { FILE_EDITS };
            made += edited(&path.display().to_string(), text, edits);
        }
    }
    assert!(made > 500, "{made}");
}
