//! Checks whether a program is started by a dynamic loader, which can load the recorder too.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Number of bytes at the start of a file in which to look for its table of segments.
const BEGIN: u64 = 1 << 12;
const LOADER: u32 = 3;

/// Returns the first word of a command, if it is a program that doesn't use a loader.
pub(crate) fn without_loader(words: &[std::ffi::OsString]) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = words.iter().filter_map(|word| {
        let path = Path::new(word);
        if path.components().count() > 1 {
            return Some(path.to_owned());
        }
        let mut places = std::env::split_paths(&paths).map(|it| it.join(path));
        places.find(|it| it.is_file())
    });
    let mut programs = found.filter(|it| it.is_file());
    programs.find(|it| begin(it).is_some_and(|it| is_without_loader(&it)))
}

fn begin(path: &Path) -> Option<Vec<u8>> {
    let mut begin = Vec::new();
    let file = File::open(path).ok()?;
    file.take(BEGIN).read_to_end(&mut begin).ok()?;
    Some(begin)
}

/// Returns `true` if a file that starts with these bytes is a 64-bit program in this machine's byte
/// order that doesn't use a loader (System V ABI, chapters 4 and 5).
fn is_without_loader(begin: &[u8]) -> bool {
    let number = |at: usize, bytes: usize| -> Option<u64> {
        let field = begin.get(at..at + bytes)?;
        let shifted = (0_u32..).zip(field);
        Some(
            shifted
                .map(|(place, byte)| u64::from(*byte) << (8 * place))
                .sum(),
        )
    };
    let has_loader = || {
        let (start, size, count) = (number(0x20, 8)?, number(0x36, 2)?, number(0x38, 2)?);
        let mut types = (0..count).map(|it| {
            let at = usize::try_from(start.checked_add(it * size)?).ok()?;
            number(at, 4)
        });
        Some(types.any(|it| it.is_none_or(|it| it == u64::from(LOADER))))
    };
    begin.starts_with(b"\x7fELF\x02\x01") && has_loader() == Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(types: &[u32]) -> Vec<u8> {
        let mut bytes = vec![0; 0x40];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[0x20] = 0x40;
        bytes[0x36] = 0x38;
        bytes[0x38] = u8::try_from(types.len()).expect("few");
        for of in types {
            let mut segment = vec![0; 0x38];
            segment[..4].copy_from_slice(&of.to_le_bytes());
            bytes.extend(segment);
        }
        bytes
    }

    #[test]
    fn a_program_without_a_loader_is_known() {
        assert!(is_without_loader(&program(&[1, 1, 2])));
        assert!(!is_without_loader(&program(&[6, 3, 1])));
        assert!(!is_without_loader(b"#!/bin/sh\n"));
        for length in 0..program(&[1, 3]).len() {
            assert!(!is_without_loader(&program(&[1, 3])[..length]), "{length}");
        }
    }
}
