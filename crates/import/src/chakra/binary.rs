//! Reads the nodes in a protobuf file, which contains a message with the version, followed by a
//! message for each node.

use super::node::{AttributeValue, ChakraNode, Type};
use super::wire::{self, Wire, Wrong};

pub(super) fn nodes(bytes: &[u8]) -> Result<Vec<ChakraNode>, Wrong> {
    let mut file = Wire::new(bytes);
    let mut nodes = Vec::new();
    let Some(mut head) = file.message()? else {
        return Err(file.wrong("the file is empty"));
    };
    while head.field()?.is_some() {}
    while let Some(message) = file.message()? {
        nodes.push(node(message)?);
    }
    Ok(nodes)
}

#[expect(clippy::cast_precision_loss, reason = "times are below 2^53")]
fn node(mut message: Wire<'_>) -> Result<ChakraNode, Wrong> {
    let mut node = ChakraNode::default();
    let start = message;
    while let Some((field, value)) = message.field()? {
        match (field, value) {
            (1, wire::FieldValue::Number(it)) => node.id = it,
            (3, wire::FieldValue::Number(it)) => {
                let kind = Type::numbered(it);
                node.kind = kind.ok_or_else(|| start.wrong("the type of the node is unknown"))?;
            }
            (4, value) => value.numbers(&mut node.callers)?,
            (5, value) => value.numbers(&mut node.after)?,
            (7, wire::FieldValue::Number(it)) => node.micros = it as f64,
            (8, wire::FieldValue::Bytes(mut inputs)) => {
                while let Some((field, value)) = inputs.field()? {
                    if let (1, wire::FieldValue::Bytes(values)) = (field, value) {
                        node.values = values.text()?;
                    }
                }
            }
            (10, wire::FieldValue::Bytes(it)) => {
                if let (name, Some(value)) = attribute(it)? {
                    node.set(&name, value);
                }
            }
            _ => {}
        }
    }
    Ok(node)
}

/// Returns an attribute's name, and its value if it can matter.
#[expect(clippy::cast_precision_loss, reason = "sizes are below 2^53")]
fn attribute(mut message: Wire<'_>) -> Result<(String, Option<AttributeValue>), Wrong> {
    let (mut name, mut found) = (String::new(), None);
    while let Some((field, value)) = message.field()? {
        match (field, value) {
            (1, wire::FieldValue::Bytes(it)) => name = it.text()?,
            (15 | 17, wire::FieldValue::Number(it)) => {
                let half = (it >> 1).cast_signed();
                found = Some(AttributeValue::Number(
                    (half ^ -(it & 1).cast_signed()) as f64,
                ));
            }
            (7 | 9, wire::FieldValue::Number(it)) => {
                found = Some(AttributeValue::Number(it.cast_signed() as f64));
            }
            (11 | 13 | 27, wire::FieldValue::Number(it)) => {
                found = Some(AttributeValue::Number(it as f64));
            }
            (3, wire::FieldValue::Wide(it)) => {
                found = Some(AttributeValue::Number(f64::from_le_bytes(it)));
            }
            (23 | 25, wire::FieldValue::Wide(it)) => {
                found = Some(AttributeValue::Number(u64::from_le_bytes(it) as f64));
            }
            (5, wire::FieldValue::Short(it)) => {
                found = Some(AttributeValue::Number(f64::from(f32::from_le_bytes(it))));
            }
            (19 | 21, wire::FieldValue::Short(it)) => {
                found = Some(AttributeValue::Number(f64::from(u32::from_le_bytes(it))));
            }
            (29, wire::FieldValue::Bytes(it)) => found = Some(AttributeValue::Text(it.text()?)),
            (28, wire::FieldValue::Bytes(mut list)) => {
                let mut flags = Vec::new();
                while let Some((_, value)) = list.field()? {
                    value.numbers(&mut flags)?;
                }
                found = Some(AttributeValue::Flags(
                    flags.into_iter().map(|it| it != 0).collect(),
                ));
            }
            _ => {}
        }
    }
    Ok((name, found))
}
