//! Compresses buffers with repeated values into LZ4 frames, and decompresses LZ4 frames.
//!
//! Arrow files can store a buffer as an LZ4 frame, which all Arrow readers support. A general
//! compressor takes longer than writing the bytes that it saves. But most columns of a trace
//! consist of long runs of the same value, which are cheap to find, so the compressor here looks
//! only for runs. Compressing one batch of a column takes 4 us if all values are equal (`lz4_flex`:
//! 18 us), less than 1 us for times, in which neither finds a run (300 us), and 50 us for runs of
//! 64 values (33 us). The formats are described in
//! <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md> and `lz4_Frame_format.md`.

/// Start of a frame: the magic number, flags (version 1, independent blocks, no checksums), the
/// maximum block size, and a checksum of these two bytes.
const START: [u8; 7] = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73];
/// Maximum size of a block, as declared by [`START`].
const BLOCK_MAX: usize = 4 << 20;
/// End of a frame: an empty block.
const END: [u8; 4] = [0; 4];
const STORED: u32 = 1 << 31;
/// Length in bytes of the shortest run that is worth a match. The format allows four.
const RUN_MIN: usize = 8;
/// Number of values of a long run that are compared together.
const STRIDE: usize = 16;
/// Number of values to sample before compressing a buffer.
const LOOKS: usize = 128;
/// Number of bytes at the end of a block that can't be part of a match.
const TAIL: usize = 12;
/// Largest length that fits in a token. Larger lengths continue in the following bytes.
const NIBBLE: usize = 15;

/// Compresses `values`, which have `WIDTH` bytes each. If the frame is much shorter than the
/// values, appends it to `out` and returns `true`.
pub(crate) fn compress<const WIDTH: usize>(values: &[u8], out: &mut Vec<u8>) -> bool {
    if values.len() > BLOCK_MAX || values.len() < 2 * TAIL {
        return false;
    }
    if !seems_worth::<WIDTH>(values) {
        return false;
    }
    let start = out.len();
    out.extend(START);
    out.extend([0; 4]);
    put_block::<WIDTH>(values, out);
    let block = out.len() - start - START.len() - 4;
    if block > values.len() / 4 * 3 {
        out.truncate(start);
        return false;
    }
    let place = start + START.len();
    // A block is shorter than the maximum.
    let length = u32::try_from(block).unwrap_or(STORED);
    out[place..place + 4].copy_from_slice(&length.to_le_bytes());
    out.extend(END);
    true
}

/// Returns `true` if most of the sampled values repeat the previous one.
fn seems_worth<const WIDTH: usize>(values: &[u8]) -> bool {
    let (values, _) = values.as_chunks::<WIDTH>();
    let looks = (1..values.len()).step_by(values.len().div_ceil(LOOKS));
    let repeat = looks.clone().filter(|at| values[*at] == values[*at - 1]);
    repeat.count() >= looks.len() - looks.len() / 8
}

fn put_block<const WIDTH: usize>(bytes: &[u8], out: &mut Vec<u8>) {
    let (values, _) = bytes[..bytes.len() - TAIL].as_chunks::<WIDTH>();
    let (mut literals, mut at) = (0, 1);
    while let Some(next) = { values[at - 1..].windows(2) }.position(|pair| pair[0] == pair[1]) {
        at += next;
        let run = run_of(values[at], &values[at..]);
        if run * WIDTH >= RUN_MIN {
            put_literals(&bytes[literals..at * WIDTH], run * WIDTH, out);
            out.extend([WIDTH.to_le_bytes()[0], 0]);
            put_more(run * WIDTH - 4, out);
            literals = (at + run) * WIDTH;
        }
        at += run;
    }
    put_literals(&bytes[literals..], 4, out);
}

/// Counts how many of the first values equal `one`.
#[inline]
fn run_of<const WIDTH: usize>(one: [u8; WIDTH], values: &[[u8; WIDTH]]) -> usize {
    let differs = |value: &[u8; WIDTH]| *value != one;
    let (start, rest) = values.split_at(values.len().min(STRIDE));
    if let Some(run) = start.iter().position(differs) {
        return run;
    }
    // All values of a stride are compared without branches.
    let (strides, _) = rest.as_chunks::<STRIDE>();
    let is_run = |stride: &&[[u8; WIDTH]; STRIDE]| {
        { stride.iter() }.filter(|value| **value == one).count() == STRIDE
    };
    let run = start.len() + strides.iter().take_while(is_run).count() * STRIDE;
    run + { values[run..].iter() }
        .position(differs)
        .unwrap_or(values.len() - run)
}

/// Writes a token for a match of `match_length` bytes, and the literal bytes before the match.
fn put_literals(literals: &[u8], match_length: usize, out: &mut Vec<u8>) {
    let nibble = |length: usize| length.min(NIBBLE).to_le_bytes()[0];
    out.push(nibble(literals.len()) << 4 | nibble(match_length - 4));
    put_more(literals.len(), out);
    out.extend(literals);
}

/// Writes the part of a length that doesn't fit in a token.
fn put_more(length: usize, out: &mut Vec<u8>) {
    if let Some(mut more) = length.checked_sub(NIBBLE) {
        out.resize(out.len() + more / 255, 255);
        more %= 255;
        out.push(more.to_le_bytes()[0]);
    }
}

/// Maximum ratio of a frame's content to its length.
pub(crate) const RATIO_MAX: usize = 255;

/// Decompresses an untrusted frame to `length` bytes; `None` if the frame is invalid.
pub(crate) fn decompress(frame: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut input = Input(frame);
    let [m0, m1, m2, m3, flags, _] = input.array()?;
    // The checksum of the frame's start is ignored.
    if [m0, m1, m2, m3] != START[..4] || flags >> 6 != 1 || flags & 1 != 0 {
        return None;
    }
    let (block_checksums, content_size) = (flags & 0x10 != 0, flags & 8 != 0);
    input.take(if content_size { 9 } else { 1 })?;
    let mut out = Vec::with_capacity(length);
    loop {
        let size = u32::from_le_bytes(input.array()?);
        if size == 0 {
            return (out.len() == length).then_some(out);
        }
        let block = input.take(usize::try_from(size & !STORED).ok()?)?;
        if size & STORED == 0 {
            read_block(block, length, &mut out)?;
        } else if block.len() <= length - out.len() {
            out.extend(block);
        } else {
            return None;
        }
        input.take(if block_checksums { 4 } else { 0 })?;
    }
}

/// Appends the content of a block to `out`, but never more than `length` bytes.
fn read_block(block: &[u8], length: usize, out: &mut Vec<u8>) -> Option<()> {
    let mut input = Input(block);
    loop {
        let [token] = input.array()?;
        let literals = input.length(token >> 4)?;
        let literals = input.take(literals)?;
        if literals.len() > length - out.len() {
            return None;
        }
        out.extend(literals);
        if input.0.is_empty() {
            return Some(());
        }
        let offset = usize::from(u16::from_le_bytes(input.array()?));
        let copied = input.length(token & 0xf)?.checked_add(4)?;
        let from = out.len().checked_sub(offset)?;
        if offset == 0 || copied > length - out.len() {
            return None;
        }
        // The copied range can overlap its copy, so each round repeats everything from `from` to
        // the end.
        let end = out.len() + copied;
        while out.len() < end {
            let part = (out.len() - from).min(end - out.len());
            out.extend_from_within(from..from + part);
        }
    }
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// Reads a length that starts with the `nibble` of a token.
    fn length(&mut self, nibble: u8) -> Option<usize> {
        let mut length = usize::from(nibble);
        if length == NIBBLE {
            loop {
                let [more] = self.array()?;
                length = length.checked_add(usize::from(more))?;
                if more != 255 {
                    break;
                }
            }
        }
        Some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back<const WIDTH: usize>(values: &[u8]) -> Option<usize> {
        let mut frame = vec![1, 2, 3];
        if !compress::<WIDTH>(values, &mut frame) {
            assert_eq!(frame, [1, 2, 3], "nothing is added");
            return None;
        }
        let frame = &frame[3..];
        assert_eq!(decompress(frame, values.len()).as_deref(), Some(values));
        assert_eq!(decompress(frame, values.len() - 1), None);
        assert_eq!(decompress(frame, values.len() + 1), None);
        assert_eq!(decompress(&frame[..frame.len() - 1], values.len()), None);
        Some(frame.len())
    }

    #[test]
    fn runs_become_short_and_come_back() {
        assert!(there_and_back::<8>(&vec![7; 1 << 19]).is_some_and(|length| length < 2200));
        assert!(there_and_back::<1>(&[0; 1 << 13]).is_some_and(|length| length < 80));
        for lengths in [[1, 90, 400], [5, 1, 3000], [271, 270, 269], [64, 29, 30]] {
            let mut values = Vec::new();
            for (value, count) in (0_u32..).zip(lengths.into_iter().cycle().take(40)) {
                values.extend(value.to_le_bytes().repeat(count));
            }
            let length = there_and_back::<4>(&values).unwrap();
            assert!(length * 4 < values.len(), "{length} {}", values.len());
            there_and_back::<8>(&values);
            there_and_back::<1>(&values);
        }
    }

    #[test]
    fn what_does_not_repeat_is_left_as_it_is() {
        let values: Vec<u8> = (0_u32..9999).flat_map(u32::to_le_bytes).collect();
        assert_eq!(there_and_back::<4>(&values), None);
        assert_eq!(there_and_back::<4>(&[]), None);
        assert_eq!(there_and_back::<8>(&[0; 8]), None);
    }

    #[test]
    fn no_bytes_make_it_read_more_than_there_is() {
        let values = [[1; 300], [2; 300], [9; 300]].concat();
        let mut frame = Vec::new();
        assert!(compress::<1>(&values, &mut frame));
        for place in 0..frame.len() {
            for value in 0..=255 {
                let mut frame = frame.clone();
                frame[place] = value;
                if let Some(read) = decompress(&frame, values.len()) {
                    assert_eq!(read.len(), values.len());
                }
            }
            assert_eq!(decompress(&frame[..place], values.len()), None);
        }
    }

    #[test]
    fn matches_that_contain_themselves_and_stored_blocks_are_read() {
        let block = [0x1f, b'a', 1, 0, 5, 0x10, b'b'];
        let mut frame = START.to_vec();
        frame.extend(7_u32.to_le_bytes());
        frame.extend(block);
        frame.extend((STORED | 2).to_le_bytes());
        frame.extend(*b"cd");
        frame.extend(END);
        let expected = [&[b'a'; 25][..], b"bcd"].concat();
        assert_eq!(decompress(&frame, expected.len()), Some(expected));
        let offset = [START.as_slice(), &[4, 0, 0, 0, 0x10, b'a', 2, 0], &END].concat();
        assert_eq!(decompress(&offset, 5), None, "from before the beginning");
    }
}
