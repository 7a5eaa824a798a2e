//! Parses YAML or JSON documents into trees of limited size and depth that record line numbers.
//!
//! Aliases share the tree of their anchor, but each use counts toward the size.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use prophet_text::Problem;
use saphyr_parser::{Event, Parser, ScalarStyle};

use super::NamedText;
use crate::quoted;

/// Maximum number of nodes in a document. Every use of an alias counts.
const NODES_MAX: usize = 4_000_000;
const DEPTH_MAX: usize = 64;

/// A value, and the number of its first line.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Value,
    /// Number of nodes in the value, including itself.
    pub(super) size: usize,
    /// Number of levels below the value.
    height: usize,
}

#[derive(Debug)]
pub(super) enum Value {
    Null,
    Scalar(String),
    List(Vec<Rc<Node>>),
    Map(Vec<(String, Rc<Node>)>),
}

impl Node {
    /// Returns the value of a key; `None` if it is missing or null, or if the node isn't a map.
    pub(super) fn get(&self, key: &str) -> Option<&Rc<Node>> {
        let Value::Map(entries) = &self.value else {
            return None;
        };
        let found = entries.iter().find(|it| it.0 == key)?;
        (!matches!(found.1.value, Value::Null)).then_some(&found.1)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// Returns a list's items; empty if the node isn't a list.
    pub(super) fn items(&self) -> &[Rc<Node>] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns a map's entries; empty if the node isn't a map.
    pub(super) fn entries(&self) -> &[(String, Rc<Node>)] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }
}

struct Open {
    line: usize,
    anchor: usize,
    size: usize,
    height: usize,
    items: Vec<Rc<Node>>,
    map: Option<OpenMap>,
}

#[derive(Default)]
struct OpenMap {
    entries: Vec<(String, Rc<Node>)>,
    keys: BTreeSet<String>,
    /// The key that still needs its value.
    key: Option<String>,
}

struct Builder<'a> {
    file: NamedText<'a>,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Rc<Node>>,
    nodes: usize,
    done: Option<Rc<Node>>,
}

pub(super) fn read(file: NamedText<'_>) -> Result<Rc<Node>, Problem> {
    let text = file.text.trim_start_matches('\u{feff}');
    let mut builder = Builder {
        file,
        open: Vec::new(),
        anchors: BTreeMap::new(),
        nodes: 0,
        done: None,
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let what = prophet_text::plain::line(error.info());
            let what = format!("the file is not valid YAML: {what}");
            file.at(
                error.marker().line(),
                Problem::with_help(what, "Correct the line."),
            )
        })?;
        builder.take(event, span.start.line())?;
        if builder.done.is_some() {
            break;
        }
    }
    builder.done.ok_or_else(|| {
        let help = "Choose a file with a YAML document.";
        Problem::with_help("the file is empty", help)
    })
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, line: usize) -> Result<(), Problem> {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let value = scalar(text, style);
                self.add(node(line, value, 1, 0), anchor, 1)
            }
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor).cloned() else {
                    let what = "an alias refers to a value that contains it";
                    return Err(self.wrong(what, "Write out the value.", line));
                };
                let count = node.size;
                self.add(node, 0, count)
            }
            Event::SequenceStart(anchor, _) => self.begin(line, anchor, false),
            Event::MappingStart(anchor, _) => self.begin(line, anchor, true),
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            _ => Ok(()),
        }
    }

    fn wrong(&self, what: impl Into<String>, help: &str, line: usize) -> Problem {
        self.file.at(line, Problem::with_help(what, help))
    }

    fn begin(&mut self, line: usize, anchor: usize, is_map: bool) -> Result<(), Problem> {
        if self.open.len() >= DEPTH_MAX {
            return Err(self.too_deep(line));
        }
        self.open.push(Open {
            line,
            anchor,
            size: 1,
            height: 0,
            items: Vec::new(),
            map: is_map.then(OpenMap::default),
        });
        Ok(())
    }

    fn too_deep(&self, line: usize) -> Problem {
        let what = format!("values are nested more than {DEPTH_MAX} deep");
        self.wrong(what, "Use fewer levels of nesting.", line)
    }

    fn end(&mut self) -> Result<(), Problem> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let value = match open.map {
            Some(map) => Value::Map(map.entries),
            None => Value::List(open.items),
        };
        self.add(
            node(open.line, value, open.size, open.height),
            open.anchor,
            1,
        )
    }

    /// Adds a node to the open list or map. It counts as `count` nodes.
    fn add(&mut self, node: Rc<Node>, anchor: usize, count: usize) -> Result<(), Problem> {
        self.nodes = self.nodes.saturating_add(count);
        let line = node.line;
        if self.nodes > NODES_MAX {
            let what = format!("the file has more than {NODES_MAX} values, including its aliases");
            return Err(self.wrong(what, "Split the workflow, or use fewer aliases.", line));
        }
        if self.open.len() + node.height > DEPTH_MAX {
            return Err(self.too_deep(line));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, Rc::clone(&node));
        }
        let Some(open) = self.open.last_mut() else {
            self.done = Some(node);
            return Ok(());
        };
        open.size = open.size.saturating_add(node.size);
        open.height = open.height.max(node.height + 1);
        let Some(map) = &mut open.map else {
            open.items.push(node);
            return Ok(());
        };
        if let Some(key) = map.key.take() {
            map.entries.push((key, node));
            return Ok(());
        }
        let name = match &node.value {
            Value::Scalar(text) => text.clone(),
            Value::Null => String::new(),
            _ => {
                let what = "a key is a list or a map";
                return Err(self.wrong(what, "Use a text as the key.", line));
            }
        };
        if !map.keys.insert(name.clone()) {
            let what = format!("duplicate key {}", quoted(&name));
            return Err(self.wrong(what, "Choose a different key for each entry.", line));
        }
        map.key = Some(name);
        Ok(())
    }
}

fn node(line: usize, value: Value, size: usize, height: usize) -> Rc<Node> {
    Rc::new(Node {
        line,
        value,
        size,
        height,
    })
}

fn scalar(text: Cow<'_, str>, style: ScalarStyle) -> Value {
    let is_null = matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
    if style == ScalarStyle::Plain && is_null {
        Value::Null
    } else {
        Value::Scalar(text.into_owned())
    }
}
