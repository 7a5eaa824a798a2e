//! Reads clang's syntax tree from JSON, one top-level declaration after the other.
//!
//! Clang writes a place's file and line only if they differ from the place before it, so all places
//! are read, in their order. Declarations in system headers are dropped immediately.

use std::fmt;
use std::io::Read;

use prophet_text::{Problem, problem};
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

/// Nodes can be nested this deep. Functions that call themselves for nested nodes rely on it.
const DEPTH_MAX: usize = 256;

/// A place in the source: an index of a file, and a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) file: usize,
    pub(crate) line: u64,
    /// Whether a macro of `mpi.h` is used there.
    pub(crate) is_mpi: bool,
}

/// A node of the syntax tree. Empty texts stand for keys that the node doesn't have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    pub(crate) kind: String,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) of: String,
    pub(crate) value: String,
    pub(crate) opcode: String,
    pub(crate) argument: String,
    pub(crate) storage: String,
    pub(crate) is_postfix: bool,
    pub(crate) has_init: bool,
    pub(crate) has_var: bool,
    pub(crate) referenced: Option<Box<Node>>,
    pub(crate) place: Place,
    pub(crate) inner: Vec<Node>,
}

/// The declarations of a file, and the files that places name.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) declarations: Vec<Node>,
    pub(crate) files: Vec<String>,
}

/// Reads the tree that clang writes. `is_own` says whether a file is the user's.
pub(crate) fn read(json: impl Read, is_own: &dyn Fn(&str) -> bool) -> Result<Tree, Problem> {
    let mut state = State {
        files: vec![String::new()],
        at: Place::default(),
        is_own,
        kept: Vec::new(),
    };
    let mut reader = serde_json::Deserializer::from_reader(std::io::BufReader::new(json));
    reader.disable_recursion_limit();
    let seed = NodeSeed {
        state: &mut state,
        depth: 0,
    };
    let unread = |error| problem!("cannot read clang's syntax tree: {error}");
    seed.deserialize(&mut reader).map_err(unread)?;
    Ok(Tree {
        declarations: state.kept,
        files: state.files,
    })
}

struct State<'s> {
    files: Vec<String>,
    at: Place,
    is_own: &'s dyn Fn(&str) -> bool,
    kept: Vec<Node>,
}

impl State<'_> {
    fn enter(&mut self, file: &str) {
        let known = self.files.iter().rposition(|it| it == file);
        self.at.file = known.unwrap_or_else(|| {
            self.files.push(file.to_owned());
            self.files.len() - 1
        });
    }

    fn keep(&mut self, node: Node) {
        let is_own = (self.is_own)(&self.files[node.place.file]);
        if is_own && node.kind.ends_with("Decl") {
            self.kept.push(node);
        }
    }
}

struct NodeSeed<'s, 'o> {
    state: &'s mut State<'o>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_, '_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Node, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_, '_> {
    type Value = Node;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a node")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        if self.depth > DEPTH_MAX {
            let line = self.state.at.line;
            let told = format!("the code at line {line} is nested deeper than {DEPTH_MAX} levels");
            return Err(A::Error::custom(told));
        }
        let mut node = Node::default();
        let state = self.state;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "kind" => node.kind = map.next_value()?,
                "id" => node.id = map.next_value()?,
                "name" => node.name = map.next_value()?,
                "opcode" => node.opcode = map.next_value()?,
                "storageClass" => node.storage = map.next_value()?,
                "isPostfix" => node.is_postfix = map.next_value()?,
                "hasInit" => node.has_init = map.next_value()?,
                "hasVar" => node.has_var = map.next_value()?,
                "value" => node.value = text(map.next_value()?),
                "type" => node.of = map.next_value::<Type>()?.name(),
                "argType" => node.argument = map.next_value::<Type>()?.name(),
                "loc" => {
                    node.place = map.next_value_seed(PlaceSeed { state })?;
                }
                "range" => {
                    let place = map.next_value_seed(PlaceSeed { state })?;
                    if !node.kind.ends_with("Decl") {
                        node.place = place;
                    }
                }
                "referencedDecl" => {
                    let depth = self.depth + 1;
                    let referenced = map.next_value_seed(NodeSeed { state, depth })?;
                    node.referenced = Some(Box::new(referenced));
                }
                "inner" => {
                    let list = ListSeed {
                        state,
                        depth: self.depth + 1,
                    };
                    node.inner = map.next_value_seed(list)?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(node)
    }
}

fn text(value: serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Type {
    #[serde(default)]
    qual_type: String,
    desugared_qual_type: Option<String>,
}

impl Type {
    /// Returns the type as the source names it if it is one of MPI's, else without aliases.
    fn name(self) -> String {
        match self.desugared_qual_type {
            Some(plain) if !self.qual_type.contains("MPI_") => plain,
            _ => self.qual_type,
        }
    }
}

struct ListSeed<'s, 'o> {
    state: &'s mut State<'o>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for ListSeed<'_, '_> {
    type Value = Vec<Node>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Vec<Node>, D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ListSeed<'_, '_> {
    type Value = Vec<Node>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Node>, A::Error> {
        let (state, depth) = (self.state, self.depth);
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element_seed(NodeSeed { state, depth })? {
            if depth == 1 {
                state.keep(node);
            } else {
                nodes.push(node);
            }
        }
        Ok(nodes)
    }
}

/// Reads a place, or the begin of a range. A macro's place is where it is used.
struct PlaceSeed<'s, 'o> {
    state: &'s mut State<'o>,
}

impl<'de> DeserializeSeed<'de> for PlaceSeed<'_, '_> {
    type Value = Place;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Place, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for PlaceSeed<'_, '_> {
    type Value = Place;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a place")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Place, A::Error> {
        let state = self.state;
        let mut place = None;
        let mut is_mpi = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "file" => {
                    let file: String = map.next_value()?;
                    state.enter(&file);
                }
                "line" => state.at.line = map.next_value()?,
                "end" => {
                    map.next_value_seed(PlaceSeed { state })?;
                }
                "spellingLoc" => {
                    let spelled = map.next_value_seed(PlaceSeed { state })?;
                    is_mpi = state.files[spelled.file].ends_with("mpi.h");
                }
                "expansionLoc" | "begin" => {
                    place = Some(map.next_value_seed(PlaceSeed { state })?);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let mut place = place.unwrap_or(state.at);
        place.is_mpi |= is_mpi;
        Ok(place)
    }
}
