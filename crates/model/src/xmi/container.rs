//! Extracts models from zip archives: MagicDraw's `.mdzip`, ArgoUML's `.zargo`, and any zip archive
//! that contains a single model.
//!
//! Only the model's entry is extracted, into memory. Names in an archive are never used as paths.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::limits::Limits;
use crate::path;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct ArchiveEntry {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Entries in archives of MagicDraw 17.0 and later: the model, and a shared project.
const MAGICDRAW: [&str; 2] = [
    "com.nomagic.magicdraw.uml_model.model",
    "com.nomagic.magicdraw.uml_model.shared_model",
];

/// File extensions of models, the most reliable first. `.xml` is last, because such a file can be
/// anything.
const ENDINGS: [&str; 6] = [".xmi", ".uml", ".mdxml", ".emx", ".uml2", ".xml"];

/// Extracts the model in an archive.
///
/// # Errors
///
/// Returns a message if the archive is damaged, exceeds the limits, or doesn't contain exactly one
/// model.
pub(super) fn unpack(bytes: &[u8], limits: &Limits) -> Result<ArchiveEntry, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| problem(&error))?;
    if archive.len() > limits.entries {
        return Err(format!(
            "it is an archive with more than {} files",
            limits.entries
        ));
    }
    let index = model_of(&archive)?;
    let name = path::printable(&name_of(&archive, index));
    let mut file = archive.by_index(index).map_err(|error| problem(&error))?;
    let limit = limits.bytes as u64;
    let too_large = || {
        let bytes = limits.bytes;
        format!("`{name}` in the archive has more than {bytes} bytes when unpacked")
    };
    if file.size() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // Don't trust the size that the archive states.
    let read = file.by_ref().take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("`{name}` in the archive is damaged: {error}"))?;
    if bytes.len() > limits.bytes {
        return Err(too_large());
    }
    Ok(ArchiveEntry { name, bytes })
}

fn model_of(archive: &ZipArchive<Cursor<&[u8]>>) -> Result<usize, String> {
    for name in MAGICDRAW {
        if let Some(index) = archive.index_for_name(name) {
            return Ok(index);
        }
    }
    for ending in ENDINGS {
        let is_model = |&index: &usize| {
            let name = name_of(archive, index);
            !name.starts_with("__MACOSX") && name.to_ascii_lowercase().ends_with(ending)
        };
        let found: Vec<usize> = (0..archive.len()).filter(is_model).collect();
        match found.as_slice() {
            [] => {}
            &[index] => return Ok(index),
            several => {
                let shown = several.iter().take(8);
                let names = shown.map(|&index| path::printable(&name_of(archive, index)));
                let names: Vec<String> = names.collect();
                let names = names.join("`, `");
                return Err(format!(
                    "it is an archive with several models, `{names}`; unpack the one you mean"
                ));
            }
        }
    }
    Err("it is an archive without a model (a file *.xmi, *.uml, *.mdxml or *.xml)".to_owned())
}

/// Returns the name of an entry; empty if the name isn't valid text.
fn name_of(archive: &ZipArchive<Cursor<&[u8]>>, index: usize) -> String {
    let name = archive.name_for_index(index).and_then(Result::ok);
    name.map(Cow::into_owned).unwrap_or_default()
}

fn problem(error: &ZipError) -> String {
    match error {
        ZipError::UnsupportedArchive(what) if *what == ZipError::PASSWORD_REQUIRED => {
            "the model in the archive is encrypted".to_owned()
        }
        ZipError::UnsupportedArchive(what) => {
            format!("the archive cannot be unpacked ({what}); pack it with deflate")
        }
        _ => "it is a damaged archive; write or copy it again".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_says;

    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            let options = SimpleFileOptions::default();
            writer.start_file(*name, options).expect("a name");
            writer.write_all(bytes).expect("there is memory");
        }
        writer.finish().expect("there is memory").into_inner()
    }

    fn unpacked(entries: &[(&str, &[u8])], limits: &Limits) -> Result<(String, Vec<u8>), String> {
        let bytes = archive(entries);
        assert!(crate::xmi::is_archive(&bytes));
        unpack(&bytes, limits).map(|entry| (entry.name, entry.bytes))
    }

    #[test]
    fn finds_the_model() {
        let limits = Limits::default();
        let found = |entries: &[(&str, &[u8])]| unpacked(entries, &limits).map(|it| it.0);
        let zargo: &[(&str, &[u8])] = &[
            ("a.argo", b"<argo/>"),
            ("a.xmi", b"<XMI/>"),
            ("a.pgml", b"<pgml/>"),
        ];
        assert_eq!(found(zargo), Ok("a.xmi".to_owned()));
        let mdzip: &[(&str, &[u8])] = &[
            ("com.nomagic.ci.metamodel.project", b"<p/>"),
            ("proxy.xml", b"<x/>"),
            (MAGICDRAW[0], b"<m/>"),
            (MAGICDRAW[1], b"<s/>"),
        ];
        assert_eq!(found(mdzip), Ok(MAGICDRAW[0].to_owned()));
        assert_eq!(found(&[("Old.mdxml", b"<m/>")]), Ok("Old.mdxml".to_owned()));
        let several = found(&[("a.xmi", b""), ("b\n.xmi", b"")]).expect_err("there are two");
        assert!(several.contains("`a.xmi`, `b\\n.xmi`"), "{several}");
        assert_says(
            found(&[("readme.txt", b"")]).expect_err("none"),
            &["without"],
        );
        assert!(found(&[]).expect_err("none").contains("without a model"));
    }

    #[test]
    fn refuses_what_grows_too_large() {
        let limits = Limits {
            bytes: 1 << 20,
            entries: 2,
            ..Limits::default()
        };
        let zeros = vec![b' '; 64 << 20];
        let bomb = archive(&[("a.xmi", &zeros)]);
        assert!(bomb.len() < 1 << 20, "{}", bomb.len());
        let error = unpack(&bomb, &limits).expect_err("it is a bomb");
        assert!(error.contains("more than 1048576 bytes"), "{error}");
        let many: &[(&str, &[u8])] = &[("a.xmi", b""), ("b", b""), ("c", b"")];
        let error = unpacked(many, &limits).expect_err("too many");
        assert!(error.contains("more than 2 files"), "{error}");
    }

    #[test]
    fn does_not_believe_the_sizes_that_an_archive_states() {
        let zeros = vec![b' '; 4 << 20];
        let mut bomb = archive(&[("a.xmi", &zeros)]);
        // The size is stated in the entry's own header, and again in the directory at the end.
        let size = (4_u32 << 20).to_le_bytes();
        for at in 0..bomb.len() - 4 {
            if bomb[at..at + 4] == size {
                bomb[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
            }
        }
        let limits = Limits {
            bytes: 1 << 20,
            ..Limits::default()
        };
        let error = unpack(&bomb, &limits).expect_err("it is a bomb");
        assert!(
            error.contains("more than 1048576 bytes") || error.contains("damaged"),
            "{error}"
        );
    }

    #[test]
    fn survives_damage() {
        let whole = archive(&[("a.xmi", b"<XMI><a>text</a></XMI>")]);
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xFF;
            let _ = unpack(&bytes, &Limits::default());
            let _ = unpack(&whole[..at], &Limits::default());
        }
    }
}
