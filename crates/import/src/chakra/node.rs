//! Represents a node of a graph, and its attributes.

use std::collections::BTreeMap;

use crate::json;

prophet_text::named_enum! {
    /// Type of a node. Numbering starts at 0.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) enum Type {
        #[default]
        Invalid = "INVALID_NODE",
        Metadata = "METADATA_NODE",
        Load = "MEM_LOAD_NODE",
        Store = "MEM_STORE_NODE",
        Compute = "COMP_NODE",
        Send = "COMM_SEND_NODE",
        Receive = "COMM_RECV_NODE",
        Collective = "COMM_COLL_NODE",
    }
}

#[derive(Debug, Default)]
pub(super) struct ChakraNode {
    pub(super) id: u64,
    pub(super) kind: Type,
    pub(super) after: Vec<u64>,
    /// Further nodes to wait for. A node is ignored if it is missing, or if it waits for this one
    /// on any rank.
    pub(super) callers: Vec<u64>,
    pub(super) micros: f64,
    pub(super) is_cpu: bool,
    pub(super) operations: f64,
    /// Bytes moved in memory.
    pub(super) tensor: u64,
    pub(super) comm: Comm,
    /// Input values. In a metadata node, they name groups.
    pub(super) values: String,
}

#[derive(Debug, Default)]
pub(super) struct Comm {
    pub(super) kind: Option<u64>,
    pub(super) bytes: Option<u64>,
    pub(super) source: Option<u64>,
    pub(super) target: Option<u64>,
    pub(super) tag: u64,
    pub(super) group: String,
    /// Whether the call uses only some of the network's dimensions.
    pub(super) has_dimensions: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum AttributeValue {
    Number(f64),
    Text(String),
    Flags(Vec<bool>),
}

impl Type {
    pub(super) fn numbered(number: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

impl ChakraNode {
    /// Sets an attribute. Attributes that don't affect costs are ignored.
    pub(super) fn set(&mut self, name: &str, value: AttributeValue) {
        let comm = &mut self.comm;
        match (name, value) {
            ("is_cpu_op", AttributeValue::Number(it)) => self.is_cpu = it != 0.0,
            ("num_ops", AttributeValue::Number(it)) => self.operations = it.max(0.0),
            ("tensor_size", AttributeValue::Number(it)) => self.tensor = whole(it).unwrap_or(0),
            ("comm_type", AttributeValue::Number(it)) => comm.kind = whole(it),
            ("comm_size", AttributeValue::Number(it)) => comm.bytes = whole(it),
            ("comm_src", AttributeValue::Number(it)) => comm.source = whole(it),
            ("comm_dst", AttributeValue::Number(it)) => comm.target = whole(it),
            ("comm_tag", AttributeValue::Number(it)) => comm.tag = whole(it).unwrap_or(0),
            ("pg_name", AttributeValue::Text(it)) => comm.group = it,
            ("involved_dim", AttributeValue::Flags(all)) => {
                comm.has_dimensions = all.iter().any(|it| !it);
            }
            _ => {}
        }
    }

    pub(super) fn groups(&self) -> BTreeMap<String, Vec<u32>> {
        let mut groups = BTreeMap::new();
        if self.kind != Type::Metadata {
            return groups;
        }
        // The value is a list with one string, as Python writes it.
        let start = self.values.find("[{");
        let end = self.values.rfind("}]");
        let list = start
            .zip(end)
            .and_then(|(start, end)| self.values.get(start..end + 2));
        let list = list.map(|it| it.replace("\\\"", "\""));
        let value = list.and_then(|it| serde_json::from_str::<serde_json::Value>(&it).ok());
        for group in value.iter().filter_map(|it| it.as_array()).flatten() {
            let name = group.get("pg_name").and_then(|it| it.as_str());
            let ranks = group.get("ranks").and_then(json::ranks);
            if let (Some(name), Some(ranks)) = (name, ranks) {
                groups.insert(name.to_owned(), ranks);
            }
        }
        groups
    }
}

/// Returns `number` if it is a nonnegative integer below 2^53.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked"
)]
fn whole(number: f64) -> Option<u64> {
    ((0.0..9e15).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}
