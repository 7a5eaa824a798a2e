//! Encodes the pages of a column in as few bytes as possible.

use super::thrift::{Struct, varint};

pub(super) const PLAIN: i32 = 0;
pub(super) const RLE: i32 = 3;
pub(super) const RLE_DICTIONARY: i32 = 8;
pub(super) const BYTE_STREAM_SPLIT: i32 = 9;
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;
/// Codecs: uncompressed, and LZ4 blocks.
const UNCOMPRESSED: i32 = 0;
const LZ4_RAW: i32 = 7;
/// Number of values that are packed together. Each takes as many bits as the largest of them.
const GROUP: usize = 8;

/// The values of a column; some can be missing.
#[derive(Debug, Clone)]
pub enum ColumnValues<'a> {
    /// The bits of each number, and the size of a number in bytes.
    Numbers(Vec<Option<u64>>, usize),
    Reals(Vec<Option<u64>>),
    Text(Vec<Option<&'a str>>),
}

impl ColumnValues<'_> {
    /// Returns the number of values, including missing ones.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Numbers(values, _) | Self::Reals(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }
}

/// The pages of a column: a dictionary page, if there is a dictionary, and the data pages.
pub(super) struct Chunk {
    pub(super) bytes: Vec<u8>,
    pub(super) data: usize,
    pub(super) codec: i32,
    /// Uncompressed size in bytes.
    pub(super) plain_bytes: usize,
}

impl Chunk {
    pub(super) fn new(values: &ColumnValues<'_>, nullable: bool) -> Self {
        let (there, contents) = match values {
            ColumnValues::Numbers(values, width) => numbers(values, *width, false),
            ColumnValues::Reals(values) => numbers(values, 8, true),
            ColumnValues::Text(values) => texts(values),
        };
        let pages = contents
            .into_iter()
            .map(|content| content.pages(&there, nullable));
        let chunks = pages.flat_map(|pages| [pages.chunk(LZ4_RAW), pages.chunk(UNCOMPRESSED)]);
        // If several are equally short, use the first.
        let shortest = chunks.min_by_key(|chunk| chunk.bytes.len());
        shortest.unwrap_or_else(|| Pages::default().chunk(UNCOMPRESSED))
    }
}

/// The values that are present, in one encoding.
struct Content {
    /// The encoded values of the dictionary, and how many there are; `None` without a dictionary.
    dictionary: Option<(Vec<u8>, usize)>,
    encoding: i32,
    values: Vec<u8>,
}

impl Content {
    fn pages(self, there: &[bool], nullable: bool) -> Pages {
        let mut data = Vec::new();
        if nullable {
            let levels = encode_levels(there);
            data.extend(length(levels.len()));
            data.extend(levels);
        }
        data.extend(self.values);
        Pages {
            dictionary: self.dictionary,
            encoding: self.encoding,
            rows: there.len(),
            data,
        }
    }
}

#[derive(Default)]
struct Pages {
    dictionary: Option<(Vec<u8>, usize)>,
    encoding: i32,
    rows: usize,
    data: Vec<u8>,
}

impl Pages {
    fn chunk(&self, codec: i32) -> Chunk {
        let mut chunk = Chunk {
            bytes: Vec::new(),
            data: 0,
            codec,
            plain_bytes: 0,
        };
        if let Some((values, count)) = &self.dictionary {
            let header = Struct::new().int32(1, int32(*count)).int32(2, PLAIN);
            chunk.put(DICTIONARY_PAGE, values, (7, &header));
        }
        chunk.data = chunk.bytes.len();
        let header = Struct::new()
            .int32(1, int32(self.rows))
            .int32(2, self.encoding)
            .int32(3, RLE)
            .int32(4, RLE);
        chunk.put(DATA_PAGE, &self.data, (5, &header));
        chunk
    }
}

impl Chunk {
    fn put(&mut self, kind: i32, page: &[u8], (field, header): (u8, &Struct)) {
        let compressed = (self.codec == LZ4_RAW).then(|| lz4_flex::block::compress(page));
        let content = compressed.as_deref().unwrap_or(page);
        let header = Struct::new()
            .int32(1, kind)
            .int32(2, int32(page.len()))
            .int32(3, int32(content.len()))
            .structure(field, header)
            .finish();
        self.plain_bytes += header.len() + page.len();
        self.bytes.extend(header);
        self.bytes.extend(content);
    }
}

/// Returns which numbers are present, and their possible encodings.
fn numbers(values: &[Option<u64>], width: usize, is_real: bool) -> (Vec<bool>, Vec<Content>) {
    let there = values.iter().map(Option::is_some).collect();
    let values: Vec<u64> = values.iter().flatten().copied().collect();
    let bytes = |values: &[u64]| -> Vec<u8> {
        let bytes = values.iter().map(|value| value.to_le_bytes());
        bytes
            .flat_map(|bytes| bytes.into_iter().take(width))
            .collect()
    };
    let mut different = values.clone();
    different.sort_unstable();
    different.dedup();
    if different.len() <= values.len() / 2 {
        // The dictionary contains all values.
        let place = |value| different.binary_search(value).unwrap_or_default();
        let places: Vec<u32> = values.iter().map(|value| u32_of(place(value))).collect();
        let content = Content {
            dictionary: Some((bytes(&different), different.len())),
            encoding: RLE_DICTIONARY,
            values: encode_places(&places, different.len()),
        };
        return (there, vec![content]);
    }
    let content = |encoding, values| Content {
        dictionary: None,
        encoding,
        values,
    };
    let mut contents = vec![content(PLAIN, bytes(&values))];
    if is_real {
        // Write the first bytes of all values, then the second ones, and so on, so that slowly
        // changing bytes are adjacent.
        let byte = |place: usize| values.iter().map(move |value| value.to_le_bytes()[place]);
        let split = (0..width).flat_map(byte).collect();
        contents.push(content(BYTE_STREAM_SPLIT, split));
    }
    (there, contents)
}

/// Returns which texts are present, and their encodings.
fn texts(values: &[Option<&str>]) -> (Vec<bool>, Vec<Content>) {
    let there = values.iter().map(Option::is_some).collect();
    let mut different: Vec<&str> = values.iter().flatten().copied().collect();
    different.sort_unstable();
    different.dedup();
    let mut bytes = Vec::new();
    for text in &different {
        bytes.extend(length(text.len()));
        bytes.extend(text.as_bytes());
    }
    let place = |text: &&str| u32_of(different.binary_search(text).unwrap_or_default());
    let places: Vec<u32> = values.iter().flatten().map(place).collect();
    let content = Content {
        encoding: RLE_DICTIONARY,
        values: encode_places(&places, different.len()),
        dictionary: Some((bytes, different.len())),
    };
    (there, vec![content])
}

/// Encodes indices into a dictionary: first the number of bits per index, then the indices.
fn encode_places(places: &[u32], different: usize) -> Vec<u8> {
    let last = different.saturating_sub(1);
    let bits = (usize::BITS - last.leading_zeros()).max(1);
    let mut bytes = vec![bits.to_le_bytes()[0]];
    put_numbers(places, bits, &mut bytes);
    bytes
}

/// Encodes which values are present.
fn encode_levels(there: &[bool]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let levels: Vec<u32> = there.iter().map(|there| u32::from(*there)).collect();
    put_numbers(&levels, 1, &mut bytes);
    bytes
}

/// Encodes numbers of `bits` bits. Long runs of equal numbers are stored as run lengths, and the
/// numbers in between are packed.
fn put_numbers(numbers: &[u32], bits: u32, bytes: &mut Vec<u8>) {
    let mut rest = numbers;
    while !rest.is_empty() {
        let packed = packed_before_run(rest);
        if packed > 0 {
            put_packed(&rest[..packed], bits, bytes);
            rest = &rest[packed..];
            continue;
        }
        let run = run_length(rest);
        bytes.extend(varint((run as u64) << 1));
        bytes.extend(&rest[0].to_le_bytes()[..bits.div_ceil(8) as usize]);
        rest = &rest[run..];
    }
}

fn run_length(numbers: &[u32]) -> usize {
    let same = numbers.iter().take_while(|number| **number == numbers[0]);
    same.count()
}

/// Returns the number of values before the next long run, as a multiple of [`GROUP`], or the number
/// of all values if there is no long run.
fn packed_before_run(numbers: &[u32]) -> usize {
    let mut at = 0;
    while at < numbers.len() {
        let run = run_length(&numbers[at..]);
        // Fill up the last group from the run.
        let start = at.next_multiple_of(GROUP);
        if at + run >= start + GROUP {
            return start;
        }
        at += run;
    }
    numbers.len()
}

/// Packs numbers in groups. The last group is filled up with zeros.
fn put_packed(numbers: &[u32], bits: u32, bytes: &mut Vec<u8>) {
    let groups = numbers.len().div_ceil(GROUP);
    bytes.extend(varint((groups as u64) << 1 | 1));
    let (mut held, mut count) = (0_u64, 0);
    let zeros = std::iter::repeat_n(&0, groups * GROUP - numbers.len());
    for number in numbers.iter().chain(zeros) {
        held |= u64::from(*number) << count;
        count += bits;
        while count >= 8 {
            bytes.push(held.to_le_bytes()[0]);
            held >>= 8;
            count -= 8;
        }
    }
}

fn length(bytes: usize) -> [u8; 4] {
    u32_of(bytes).to_le_bytes()
}

/// Converts a number in a batch, which is far below the limit of the type.
fn u32_of(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn int32(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
