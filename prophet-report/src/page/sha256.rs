//! SHA-256 (FIPS 180-4), by which the page's policy names its own script and style sheet.

const ROUNDS: usize = 64;

/// The digest of bytes.
pub(super) fn digest(bytes: &[u8]) -> [u8; 32] {
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - bytes.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let length = padded.len();
    padded[length - 8..].copy_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());

    let mut state = fractions::<8>(2);
    let constants = fractions::<ROUNDS>(3);
    for block in padded.chunks_exact(64) {
        compress(&mut state, block, &constants);
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// The first 32 bits of the fractions of the square or cube roots of the first primes.
fn fractions<const COUNT: usize>(root: u32) -> [u32; COUNT] {
    let mut primes = (2u128..).filter(|n| (2..*n).all(|divisor| n % divisor != 0));
    std::array::from_fn(|_| {
        let prime = primes.next().expect("there are infinitely many");
        // The largest integer whose square or cube is at most the prime, 32 bits up.
        let scaled = prime << (32 * root);
        let mut integer = 0u128;
        for bit in (0..36).rev() {
            let larger = integer | 1 << bit;
            if larger.pow(root) <= scaled {
                integer = larger;
            }
        }
        (integer & 0xffff_ffff) as u32
    })
}

#[expect(clippy::many_single_char_names, reason = "the names of the standard")]
fn compress(state: &mut [u32; 8], block: &[u8], constants: &[u32; ROUNDS]) {
    let mut words = [0u32; ROUNDS];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for t in 16..ROUNDS {
        let (a, b) = (words[t - 15], words[t - 2]);
        let small0 = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
        let small1 = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
        words[t] = words[t - 16]
            .wrapping_add(small0)
            .wrapping_add(words[t - 7])
            .wrapping_add(small1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in words.iter().zip(constants) {
        let large1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = e & f ^ !e & g;
        let first = h
            .wrapping_add(large1)
            .wrapping_add(choice)
            .wrapping_add(*constant)
            .wrapping_add(*word);
        let large0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = a & b ^ a & c ^ b & c;
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(large0.wrapping_add(majority)));
    }
    for (sum, value) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.wrapping_add(value);
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn hex(bytes: &[u8]) -> String {
        digest(bytes).iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").unwrap();
            text
        })
    }

    /// The examples of FIPS 180-4 and of NIST's test vectors, and lengths around a block.
    #[test]
    fn digests_are_those_of_the_standard() {
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hex(b""), expected);
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(b"abc"), expected);
        let expected = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(two_blocks), expected);
        let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(hex(&vec![b'a'; 1_000_000]), expected);
    }
}
