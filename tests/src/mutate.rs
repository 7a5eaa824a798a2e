//! Generates nearly correct inputs: files with bytes and pieces changed, moved and mixed.

use crate::random::Random;

/// Texts that mean something to one of our readers, separated by `~`.
const PIECES: &[u8] = b"\
    <~>~/>~</~\"~&~&lt;~&#x0;~<![CDATA[~]]>~<!--~-->~<?~<!DOCTYPE x [~xmi:id=~xmi:type=~\
    href=~source=~target=~name=~<node ~<edge ~<guard ~<body>~<group ~\xff\xfe~\0~\xc3~\r\n~\
    if~else~while (1)~for (;;)~return~(~)~{~}~[~]~;~?~:~/~%~<<~-1~0~0x~1e999~\
    9223372036854775807~.~pid~x~n~v[n]~f(x)~\"a\"~'a'~//~/*~*/~#~\\~!~let mut~as f64~as i64~\
    uniform(~interpolate(~clc(\"2*A\")";

/// Returns a random one of `files` with a few changes, at most `most` bytes long.
pub fn mutate(random: &mut Random, files: &[Vec<u8>], most: usize) -> Vec<u8> {
    let pieces: Vec<&[u8]> = PIECES.split(|it| *it == b'~').collect();
    let mut bytes = random.pick(files).clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(40)).min(bytes.len());
        match random.below(7) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = random.pick(&pieces);
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
                let piece = random.pick(&pieces);
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
