//! Writes Thrift's compact protocol, as far as Parquet's metadata needs it.
//!
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>

const INT32: u8 = 5;
const INT64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A struct. Fields must be added in ascending order of their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    /// Number of the field added last.
    last: u8,
}

impl Struct {
    pub(super) fn new() -> Self {
        Self::default()
    }

    fn field(mut self, number: u8, kind: u8, content: &[u8]) -> Self {
        self.bytes.push(((number - self.last) << 4) | kind);
        self.bytes.extend(content);
        self.last = number;
        self
    }

    pub(super) fn int32(self, number: u8, value: i32) -> Self {
        self.field(number, INT32, &zigzag(i64::from(value)))
    }

    pub(super) fn int64(self, number: u8, value: usize) -> Self {
        self.field(
            number,
            INT64,
            &zigzag(i64::try_from(value).unwrap_or(i64::MAX)),
        )
    }

    pub(super) fn text(self, number: u8, text: &str) -> Self {
        self.field(number, BINARY, &binary(text))
    }

    pub(super) fn structure(self, number: u8, value: &Self) -> Self {
        self.field(number, STRUCT, &value.clone().finish())
    }

    pub(super) fn list(self, number: u8, list: &List) -> Self {
        self.field(number, LIST, &list.finish())
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

/// A list of items of the same type.
#[derive(Debug, Clone)]
pub(super) struct List {
    kind: u8,
    count: usize,
    bytes: Vec<u8>,
}

impl List {
    pub(super) fn new() -> Self {
        Self {
            kind: STRUCT,
            count: 0,
            bytes: Vec::new(),
        }
    }

    fn push_encoded(&mut self, kind: u8, content: &[u8]) {
        self.kind = kind;
        self.count += 1;
        self.bytes.extend(content);
    }

    pub(super) fn push(&mut self, value: &Struct) {
        self.push_encoded(STRUCT, &value.clone().finish());
    }

    pub(super) fn push_int32(&mut self, value: i32) {
        self.push_encoded(INT32, &zigzag(i64::from(value)));
    }

    pub(super) fn push_text(&mut self, text: &str) {
        self.push_encoded(BINARY, &binary(text));
    }

    fn finish(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Ok(count @ ..15) = u8::try_from(self.count) {
            bytes.push((count << 4) | self.kind);
        } else {
            bytes.push(0xf0 | self.kind);
            bytes.extend(varint(self.count as u64));
        }
        bytes.extend(&self.bytes);
        bytes
    }
}

fn binary(text: &str) -> Vec<u8> {
    let mut bytes = varint(text.len() as u64);
    bytes.extend(text.as_bytes());
    bytes
}

fn zigzag(value: i64) -> Vec<u8> {
    varint(((value << 1) ^ (value >> 63)).cast_unsigned())
}

/// Encodes a number in groups of seven bits, lowest first.
pub(super) fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let group = value.to_le_bytes()[0] & 0x7f;
        value >>= 7;
        if value == 0 {
            bytes.push(group);
            return bytes;
        }
        bytes.push(group | 0x80);
    }
}
