//! LZ4 blocks, as in Parquet's codec `LZ4_RAW`.
//!
//! The trace's own frames only shorten runs of one value; this compressor finds any repetition.
//! <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md>

/// Number of bits of the hash of bytes seen.
const HASH_BITS: u32 = 14;
/// Length of the shortest match, in bytes.
const MATCH_MIN: usize = 4;
/// Minimum distance of the start of the last match from the end, in bytes.
const MATCH_LAST: usize = 12;
/// Number of bytes at the end that are not part of a match.
const TAIL: usize = 5;
/// Maximum distance back to a match.
const FAR: usize = u16::MAX as usize;
/// Largest length in a token; longer ones continue in further bytes.
const NIBBLE: usize = 15;

/// Compresses bytes to a block.
pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 2);
    // Position of the last four bytes with each hash, from 1.
    let mut seen = vec![0_usize; 1 << HASH_BITS];
    let (mut literals, mut at) = (0, 0);
    while at + MATCH_LAST <= bytes.len() {
        let slot = hash(bytes, at);
        let before = std::mem::replace(&mut seen[slot], at + 1);
        let found = before.checked_sub(1).filter(|from| {
            at - from <= FAR && bytes[*from..from + MATCH_MIN] == bytes[at..at + MATCH_MIN]
        });
        let Some(from) = found else {
            // Without repetitions, ever fewer places are examined.
            at += 1 + ((at - literals) >> 6);
            continue;
        };
        let rest = bytes[at..bytes.len() - TAIL].iter();
        let same = rest.zip(&bytes[from..]).take_while(|(a, b)| a == b);
        let length = same.count();
        put(&bytes[literals..at], Some((at - from, length)), &mut out);
        at += length;
        literals = at;
    }
    put(&bytes[literals..], None, &mut out);
    out
}

#[inline]
fn hash(bytes: &[u8], at: usize) -> usize {
    let mut four = [0; MATCH_MIN];
    four.copy_from_slice(&bytes[at..at + MATCH_MIN]);
    (u32::from_le_bytes(four).wrapping_mul(2_654_435_761) >> (u32::BITS - HASH_BITS)) as usize
}

/// Writes literal bytes, and then the length of a repetition and its distance back.
fn put(literals: &[u8], repeated: Option<(usize, usize)>, out: &mut Vec<u8>) {
    let nibble = |length: usize| length.min(NIBBLE).to_le_bytes()[0];
    let more = repeated.map_or(0, |(_, length)| length - MATCH_MIN);
    out.push(nibble(literals.len()) << 4 | nibble(more));
    put_more(literals.len(), out);
    out.extend(literals);
    if let Some((offset, _)) = repeated {
        out.extend(&offset.to_le_bytes()[..2]);
        put_more(more, out);
    }
}

/// Writes the part of a length that a token does not hold.
fn put_more(length: usize, out: &mut Vec<u8>) {
    if let Some(more) = length.checked_sub(NIBBLE) {
        out.resize(out.len() + more / 255, 255);
        out.push((more % 255).to_le_bytes()[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decompresses a block, by the format's description.
    fn decompress(mut block: &[u8]) -> Vec<u8> {
        fn take<'a>(block: &mut &'a [u8], count: usize) -> &'a [u8] {
            let (taken, rest) = block.split_at(count);
            *block = rest;
            taken
        }
        fn length(block: &mut &[u8], nibble: u8) -> usize {
            let mut length = usize::from(nibble);
            let mut more = if nibble == 15 { 255 } else { 0 };
            while more == 255 {
                more = take(block, 1)[0];
                length += usize::from(more);
            }
            length
        }
        let mut out = Vec::new();
        loop {
            let token = take(&mut block, 1)[0];
            let literals = length(&mut block, token >> 4);
            out.extend(take(&mut block, literals));
            if block.is_empty() {
                return out;
            }
            let offset = take(&mut block, 2);
            let offset = usize::from(offset[0]) | usize::from(offset[1]) << 8;
            for _ in 0..length(&mut block, token & 15) + 4 {
                out.push(out[out.len() - offset]);
            }
        }
    }

    #[test]
    fn blocks_come_back() {
        let mut random = 1_u32;
        let mut next = |end: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) % end
        };
        for (count, values) in [
            (0, 1),
            (4, 1),
            (13, 1),
            (300, 1),
            (99_999, 3),
            (70_000, 256),
        ] {
            let bytes: Vec<u8> = (0..count).map(|_| next(values).to_le_bytes()[0]).collect();
            let block = compress(&bytes);
            assert!(decompress(&block) == bytes, "{count} of {values}");
            assert!(block.len() <= count + count / 250 + 16);
        }
        let far = [vec![7; 100], vec![1; 70_000], vec![7; 100]].concat();
        assert!(decompress(&compress(&far)) == far && compress(&far).len() < 400);
    }
}
