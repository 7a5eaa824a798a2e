//! The pages of a column.

use std::collections::BTreeMap;

use super::thrift::{Struct, varint};

pub(super) const PLAIN: i32 = 0;
pub(super) const RLE: i32 = 3;
pub(super) const RLE_DICTIONARY: i32 = 8;
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;

/// The values of a column, some of which may be missing.
pub(super) enum Values<'a> {
    Int32(Vec<Option<i32>>),
    Int64(Vec<Option<i64>>),
    Double(Vec<Option<f64>>),
    Text(Vec<Option<&'a str>>),
}

/// The pages of a column: a dictionary if it has one, and the data.
pub(super) struct Chunk {
    pub(super) bytes: Vec<u8>,
    /// Where the data begin.
    pub(super) data: usize,
}

impl Chunk {
    pub(super) fn new(values: &Values<'_>, nullable: bool) -> Self {
        let mut bytes = Vec::new();
        let (there, content, encoding) = match values {
            Values::Int32(values) => plain(values, i32::to_le_bytes),
            Values::Int64(values) => plain(values, i64::to_le_bytes),
            Values::Double(values) => plain(values, f64::to_le_bytes),
            Values::Text(values) => {
                let (texts, places) = dictionary(values);
                put_dictionary(&texts, &mut bytes);
                let there = values.iter().map(Option::is_some).collect();
                (there, encode_places(&places, texts.len()), RLE_DICTIONARY)
            }
        };
        let data = bytes.len();
        let rows = there.len();
        let mut page = Vec::new();
        if nullable {
            let levels = encode_levels(&there);
            page.extend(length(levels.len()));
            page.extend(levels);
        }
        page.extend(content);
        let header = Struct::new()
            .int32(1, int32(rows))
            .int32(2, encoding)
            .int32(3, RLE)
            .int32(4, RLE);
        let header = page_header(DATA_PAGE, page.len()).structure(5, &header);
        bytes.extend(header.finish());
        bytes.extend(page);
        Self { bytes, data }
    }
}

fn page_header(kind: i32, size: usize) -> Struct {
    let size = int32(size);
    Struct::new().int32(1, kind).int32(2, size).int32(3, size)
}

/// Which values are there, and those one after the other.
fn plain<T: Copy, const N: usize>(
    values: &[Option<T>],
    bytes: impl Fn(T) -> [u8; N],
) -> (Vec<bool>, Vec<u8>, i32) {
    let there = values.iter().map(Option::is_some).collect();
    let content = values.iter().flatten().flat_map(|value| bytes(*value));
    (there, content.collect(), PLAIN)
}

/// The different texts, and the place there of each text that is there.
fn dictionary<'a>(values: &[Option<&'a str>]) -> (Vec<&'a str>, Vec<u32>) {
    let mut known: BTreeMap<&str, u32> = BTreeMap::new();
    let mut texts = Vec::new();
    let places = values.iter().flatten().map(|text| {
        *known.entry(text).or_insert_with(|| {
            texts.push(*text);
            u32::try_from(texts.len() - 1).unwrap_or(u32::MAX)
        })
    });
    let places = places.collect();
    (texts, places)
}

fn put_dictionary(texts: &[&str], bytes: &mut Vec<u8>) {
    let mut page = Vec::new();
    for text in texts {
        page.extend(length(text.len()));
        page.extend(text.as_bytes());
    }
    let header = Struct::new().int32(1, int32(texts.len())).int32(2, PLAIN);
    let header = page_header(DICTIONARY_PAGE, page.len()).structure(7, &header);
    bytes.extend(header.finish());
    bytes.extend(page);
}

/// Places in a dictionary: the bits of each, then runs of equal ones.
fn encode_places(places: &[u32], texts: usize) -> Vec<u8> {
    let last = texts.saturating_sub(1);
    let bits = (usize::BITS - last.leading_zeros()).max(1);
    let mut bytes = vec![u8::try_from(bits).unwrap_or(32)];
    put_runs(
        places,
        usize::try_from(bits.div_ceil(8)).unwrap_or(4),
        &mut bytes,
    );
    bytes
}

/// Whether values are there, as runs.
fn encode_levels(there: &[bool]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let levels: Vec<u32> = there.iter().map(|there| u32::from(*there)).collect();
    put_runs(&levels, 1, &mut bytes);
    bytes
}

/// Runs of equal numbers: twice the length, then the number in `width` bytes.
fn put_runs(numbers: &[u32], width: usize, bytes: &mut Vec<u8>) {
    for run in numbers.chunk_by(|one, next| one == next) {
        bytes.extend(varint((run.len() as u64) << 1));
        bytes.extend(&run[0].to_le_bytes()[..width]);
    }
}

fn length(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes).unwrap_or(u32::MAX).to_le_bytes()
}

/// A batch is far smaller.
fn int32(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
