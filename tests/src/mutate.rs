//! Inputs that are nearly right: files with bytes and pieces changed, moved and mixed.

use crate::random::Random;

/// Pieces that mean something to a reader of ours.
const PIECES: &[&[u8]] = &[
    b"<",
    b">",
    b"/>",
    b"</",
    b"\"",
    b"&",
    b"&lt;",
    b"&#x0;",
    b"<![CDATA[",
    b"]]>",
    b"<!--",
    b"-->",
    b"<?",
    b"<!DOCTYPE x [",
    b"xmi:id=",
    b"xmi:type=",
    b"href=",
    b"source=",
    b"target=",
    b"name=",
    b"<node ",
    b"<edge ",
    b"<guard ",
    b"<body>",
    b"<group ",
    b"\xff\xfe",
    b"\0",
    b"\xc3",
    b"\r\n",
    b"if",
    b"else",
    b"while (1)",
    b"for (;;)",
    b"return",
    b"(",
    b")",
    b"{",
    b"}",
    b"[",
    b"]",
    b";",
    b"?",
    b":",
    b"/",
    b"%",
    b"<<",
    b"-1",
    b"0",
    b"0x",
    b"1e999",
    b"9223372036854775807",
    b".",
    b"pid",
    b"x",
    b"n",
    b"v[n]",
    b"f(x)",
    b"\"a\"",
    b"'a'",
    b"//",
    b"/*",
    b"*/",
    b"#",
    b"\\",
    b"!",
    b"let mut",
    b"as f64",
    b"as i64",
    b"uniform(",
    b"interpolate(",
    b"clc(\"2*A\")",
];

/// One of `files` with a few changes, of at most `most` bytes.
pub fn mutate(random: &mut Random, files: &[Vec<u8>], most: usize) -> Vec<u8> {
    let mut bytes = random.pick(files).clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(40)).min(bytes.len());
        match random.below(7) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece: &[u8] = random.pick::<&[u8]>(PIECES);
                insert(&mut bytes, at, piece);
            }
            2 => {
                let copied = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                insert(&mut bytes, to, &copied);
            }
            3 => {
                let other = random.pick(files);
                let from = random.below(other.len() + 1);
                let until = (from + random.below(200)).min(other.len());
                insert(&mut bytes, at, &other[from..until]);
            }
            4 => bytes.truncate(at),
            5 => {
                let piece = random.pick(PIECES);
                bytes.splice(at..end, piece.iter().copied());
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
    bytes.truncate(most);
    bytes
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}
