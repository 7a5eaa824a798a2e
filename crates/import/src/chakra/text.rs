//! Reads the nodes in a JSON file, either as Chakra's `jsonizer` writes them or in a
//! `workload_graph`.

use std::path::Path;

use prophet_text::Problem;
use serde_json::{Deserializer, Map, Value};

use super::node::{self, ChakraNode, Type};
use crate::json;

pub(super) fn nodes(path: &Path, text: &str) -> Result<Vec<ChakraNode>, Problem> {
    let mut nodes = Vec::new();
    for value in Deserializer::from_str(text).into_iter::<Value>() {
        let value = value.map_err(|it| json::problem(path, &it))?;
        let all = value.get("workload_graph");
        let all = all.and_then(Value::as_array);
        let messages = all.map_or(std::slice::from_ref(&value), Vec::as_slice);
        for message in messages.iter().filter_map(Value::as_object) {
            let is_node = ["id", "Id", "type", "NodeType"];
            if is_node.iter().any(|it| message.contains_key(*it)) {
                let place = nodes.len() + 1;
                let told = |why| Problem::of(path, format!("node {place} of the file: {why}"));
                nodes.push(node(message).map_err(told)?);
            }
        }
    }
    if nodes.is_empty() {
        return Err(Problem::of(path, "the file does not contain a graph node"));
    }
    Ok(nodes)
}

fn get<'m>(message: &'m Map<String, Value>, names: &[&str]) -> Option<&'m Value> {
    names.iter().find_map(|it| message.get(*it))
}

fn node(message: &Map<String, Value>) -> Result<ChakraNode, String> {
    let mut node = ChakraNode::default();
    let whole = |names: &[&str]| match get(message, names) {
        Some(value) => json::whole(value)
            .ok_or_else(|| format!("expected a whole number of 0 or more, found `{}`", names[0])),
        None => Ok(0),
    };
    node.id = whole(&["id", "Id"])?;
    let kind = get(message, &["type", "NodeType"]);
    let numbered = kind.and_then(json::whole).and_then(Type::numbered);
    let name = kind.and_then(Value::as_str);
    let named = Type::ALL.into_iter().find(|it| name == Some(it.name()));
    let kind = numbered.or(named);
    node.kind = kind.ok_or("expected a type, such as `COMP_NODE`")?;
    let list = |names: &[&str]| -> Result<Vec<u64>, String> {
        let Some(value) = get(message, names) else {
            return Ok(Vec::new());
        };
        let list = value
            .as_array()
            .and_then(|it| it.iter().map(json::whole).collect());
        list.ok_or_else(|| format!("`{}` is not a list of nodes", names[0]))
    };
    node.callers = list(&["ctrlDeps", "ctrl_deps"])?;
    node.after = list(&["dataDeps", "data_deps"])?;
    let micros = get(message, &["durationMicros", "duration_micros", "runtime"]);
    let micros = micros
        .map_or(Some(0.0), json::number)
        .filter(|it| *it >= 0.0);
    node.micros = micros.ok_or("its duration is not a number of 0 or more")?;
    if let Some(values) = message.get("inputs").and_then(|it| it.get("values")) {
        values
            .as_str()
            .unwrap_or_default()
            .clone_into(&mut node.values);
    }
    for (name, value) in message {
        if let Some(value) = attribute(value) {
            node.set(name, value);
        }
    }
    for entry in message
        .get("attr")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let name = entry.get("name").and_then(Value::as_str);
        let values = entry.as_object().into_iter().flatten();
        let value = { values }.find(|(key, _)| key.ends_with("Val") || key.ends_with("List"));
        if let (Some(name), Some((key, value))) = (name, value) {
            // 64-bit numbers are written as strings.
            let number = (!key.starts_with("string"))
                .then(|| json::number(value))
                .flatten();
            let value = number
                .map(node::AttributeValue::Number)
                .or_else(|| attribute(value));
            if let Some(value) = value {
                node.set(name, value);
            }
        }
    }
    Ok(node)
}

fn attribute(value: &Value) -> Option<node::AttributeValue> {
    Some(match value {
        Value::Bool(it) => node::AttributeValue::Number(f64::from(u8::from(*it))),
        Value::Number(it) => node::AttributeValue::Number(it.as_f64()?),
        Value::String(it) => node::AttributeValue::Text(it.clone()),
        Value::Array(all) => {
            node::AttributeValue::Flags(all.iter().filter_map(Value::as_bool).collect())
        }
        Value::Object(list) => attribute(list.get("values")?)?,
        Value::Null => return None,
    })
}
