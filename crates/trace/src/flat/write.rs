//! Encodes `FlatBuffers`.

/// An object that other objects refer to by its position in the bytes.
#[derive(Debug, Clone)]
pub(crate) enum Object {
    Table(Vec<(u16, Field)>),
    Text(String),
    Tables(Vec<Object>),
    Structs(usize, Vec<u8>),
}

#[derive(Debug, Clone)]
pub(crate) enum Field {
    U8(u8),
    I16(i16),
    I32(i32),
    I64(i64),
    Child(Object),
}

impl Object {
    pub(crate) fn table(fields: impl IntoIterator<Item = (u16, Field)>) -> Self {
        Self::Table(fields.into_iter().collect())
    }

    /// Creates a list of structs, each of which consists of `N` eight-byte numbers.
    pub(crate) fn structs<const N: usize>(structs: &[[i64; N]]) -> Self {
        let bytes = structs.as_flattened().iter();
        let bytes = bytes.flat_map(|number| number.to_le_bytes()).collect();
        Self::Structs(structs.len(), bytes)
    }
}

impl Field {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Child(Object::Text(text.into()))
    }

    const fn width(&self) -> usize {
        match self {
            Self::U8(_) => 1,
            Self::I16(_) => 2,
            Self::I32(_) | Self::Child(_) => 4,
            Self::I64(_) => 8,
        }
    }
}

pub(crate) fn serialize(root: &Object) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    let place = put(&mut bytes, root);
    refer(&mut bytes, 0, place);
    pad(&mut bytes, 8, 0);
    bytes
}

fn put(bytes: &mut Vec<u8>, object: &Object) -> usize {
    match object {
        Object::Table(fields) => put_table(bytes, fields),
        Object::Text(text) => {
            pad(bytes, 4, 0);
            let place = bytes.len();
            put_length(bytes, text.len());
            bytes.extend(text.as_bytes());
            bytes.push(0);
            place
        }
        Object::Tables(tables) => {
            pad(bytes, 4, 0);
            let place = bytes.len();
            put_length(bytes, tables.len());
            let first = bytes.len();
            bytes.resize(first + 4 * tables.len(), 0);
            for (number, table) in tables.iter().enumerate() {
                let target = put(bytes, table);
                refer(bytes, first + 4 * number, target);
            }
            place
        }
        Object::Structs(count, content) => {
            // The structs directly follow their length, at a multiple of eight.
            pad(bytes, 8, 4);
            let place = bytes.len();
            put_length(bytes, *count);
            bytes.extend(content);
            place
        }
    }
}

/// Writes a table: the positions of its fields, then the fields from the widest to the narrowest,
/// and then the objects that they refer to.
fn put_table(bytes: &mut Vec<u8>, fields: &[(u16, Field)]) -> usize {
    let slots = fields.iter().map(|(slot, _)| slot + 1).max().unwrap_or(0);
    let mut order: Vec<&(u16, Field)> = fields.iter().collect();
    order.sort_by_key(|(_, field)| std::cmp::Reverse(field.width()));
    let mut offsets = vec![0_u16; usize::from(slots)];
    let mut length = 4;
    for (slot, field) in &order {
        offsets[usize::from(*slot)] = length;
        length += u16_of(field.width());
    }

    pad(bytes, 2, 0);
    let head = bytes.len();
    bytes.extend((4 + 2 * slots).to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
    pad(bytes, 8, 4);
    let place = bytes.len();
    put_length(bytes, place - head);
    for (_, field) in &order {
        match field {
            Field::U8(value) => bytes.push(*value),
            Field::I16(value) => bytes.extend(value.to_le_bytes()),
            Field::I32(value) => bytes.extend(value.to_le_bytes()),
            Field::I64(value) => bytes.extend(value.to_le_bytes()),
            Field::Child(_) => bytes.extend([0; 4]),
        }
    }
    for (slot, field) in &order {
        if let Field::Child(child) = field {
            let target = put(bytes, child);
            refer(
                bytes,
                place + usize::from(offsets[usize::from(*slot)]),
                target,
            );
        }
    }
    place
}

/// Makes the four bytes at `place` refer to the later position `target`.
fn refer(bytes: &mut [u8], place: usize, target: usize) {
    bytes[place..place + 4].copy_from_slice(&u32_of(target - place).to_le_bytes());
}

fn put_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.extend(u32_of(length).to_le_bytes());
}

/// Adds padding until the length is `rest` more than a multiple of `width`.
fn pad(bytes: &mut Vec<u8>, width: usize, rest: usize) {
    while bytes.len() % width != rest {
        bytes.push(0);
    }
}

/// Converts a length. Metadata is far below 4 GiB. If it isn't, the reader rejects it.
fn u32_of(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn u16_of(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
