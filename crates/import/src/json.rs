//! Reads JSON files, compressed or not, and the values in them.

use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use prophet_text::{BEGIN_BYTES, FileFormat, Problem, file_format};
use serde_json::Value;

/// Maximum size of a file, and of its decompressed text, in bytes.
pub(crate) const BYTES_MAX: u64 = 512 << 20;
/// First bytes of a compressed file.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Detects the format of a file, which may be compressed.
pub(crate) fn format(path: &Path) -> Option<&'static FileFormat> {
    let begin = prophet_files::begin(path);
    if !begin.starts_with(&GZIP) {
        return prophet_files::format_of(path);
    }
    let mut text = Vec::new();
    // Only the start of the file is available, so decompression fails at its end.
    let _ = GzDecoder::new(Cursor::new(begin))
        .take(BEGIN_BYTES)
        .read_to_end(&mut text);
    file_format("", &text)
}

/// Returns the files that contain ranks' tasks: those with Chakra's extension or, if there are
/// none, all files if all of them are JSON.
pub(crate) fn of_ranks(files: &[PathBuf]) -> Vec<PathBuf> {
    let with = |ending: &str| -> Vec<PathBuf> {
        let is = |it: &&PathBuf| has_ending(it, ending) && !is_of_groups(it);
        files.iter().filter(is).cloned().collect()
    };
    let et = with("et");
    if !et.is_empty() {
        return et;
    }
    let json = [with("json"), with("gz")].concat();
    let groups = files.iter().filter(|it| is_of_groups(it)).count();
    // Other traces can contain a single JSON file.
    if json.len() + groups == files.len() {
        json
    } else {
        Vec::new()
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|it| it == ending)
}

/// Returns `true` for the file in which ASTRA-sim expects groups of ranks.
pub(crate) fn is_of_groups(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("comm_group") && name.ends_with(".json")
}

pub(crate) fn text(path: &Path) -> Result<String, Problem> {
    let wrong = |why: String| Problem::of(path, why);
    let mut bytes = prophet_files::load(path, BYTES_MAX)?;
    if bytes.starts_with(&GZIP) {
        let mut text = Vec::new();
        let packed = GzDecoder::new(Cursor::new(bytes));
        let read = packed.take(BYTES_MAX + 1).read_to_end(&mut text);
        read.map_err(|it| wrong(format!("cannot decompress it: {it}")))?;
        if text.len() as u64 > BYTES_MAX {
            return Err(wrong(format!(
                "it has more than {BYTES_MAX} bytes when decompressed"
            )));
        }
        bytes = text;
    }
    String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8 text".to_owned()))
}

/// Returns an error that says where a file isn't valid JSON.
pub(crate) fn problem(path: &Path, error: &serde_json::Error) -> Problem {
    let why = prophet_text::json_mistake(error);
    Problem::at(path, error.line() as u64, format!("invalid JSON: {why}"))
}

/// Returns a number, which may be written as a string.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(it) => it.as_f64(),
        Value::String(it) => it.trim().parse().ok(),
        _ => None,
    }
    .filter(|it| it.is_finite())
}

/// Returns a nonnegative integer, which may be written as a string.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Number(it) => it.as_u64(),
        Value::String(it) => it.trim().parse().ok(),
        _ => None,
    }
}

/// Returns the ranks in a list, which may be written as a string.
pub(crate) fn ranks(value: &Value) -> Option<Vec<u32>> {
    let one = |it: &Value| u32::try_from(whole(it)?).ok();
    match value {
        Value::Array(all) => all.iter().map(one).collect(),
        Value::String(text) => {
            let list = text.trim().strip_prefix('[')?.strip_suffix(']')?;
            let parts = list.split(',').map(str::trim).filter(|it| !it.is_empty());
            parts.map(|it| it.parse().ok()).collect()
        }
        _ => None,
    }
}
