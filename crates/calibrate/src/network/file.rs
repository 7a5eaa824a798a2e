//! Files of measurements, recognized by their contents.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::measured::Measured;
use super::{imb, osu, table};

/// Size of the largest file that is read, in bytes.
const BYTES_MAX: u64 = 64 << 20;
/// Size of the largest message, in bytes.
const MESSAGE_MAX: u64 = 1 << 40;

/// Reads a file.
pub(crate) fn read(file: &Path) -> Result<Measured, String> {
    let told = |error: std::io::Error| format!("{}: it cannot be read: {error}", file.display());
    let about = std::fs::metadata(file).map_err(told)?;
    if about.is_dir() {
        return Err(format!("{}: it is a folder; name a file", file.display()));
    }
    let mut bytes = Vec::new();
    // A pipe has no size: one byte more than is permitted tells that there is too much.
    let mut reader = File::open(file).map_err(told)?.take(BYTES_MAX + 1);
    reader.read_to_end(&mut bytes).map_err(told)?;
    if bytes.len() as u64 > BYTES_MAX {
        let most = BYTES_MAX >> 20;
        return Err(format!("{}: it has more than {most} MiB", file.display()));
    }
    parse(&file.display().to_string(), &bytes)
}

/// Reads the contents of a file of that name.
pub(crate) fn parse(name: &str, bytes: &[u8]) -> Result<Measured, String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(format!("{name}: it is not text in UTF-8"));
    };
    if imb::is_imb(text) {
        imb::parse(name, text)
    } else if osu::is_osu(text) {
        osu::parse(name, text)
    } else {
        table::parse(name, bytes)
    }
}

/// A line of numbers, the first being the size of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'t> {
    /// Name of the file.
    pub(crate) name: &'t str,
    /// Number of the line, from 1.
    pub(crate) line: usize,
    pub(crate) text: &'t str,
}

impl Row<'_> {
    /// The size, in bytes.
    pub(crate) fn bytes(self) -> Result<u64, String> {
        let word = self.text.split_whitespace().next().unwrap_or_default();
        let bytes = word.parse().ok().filter(|it| *it <= MESSAGE_MAX);
        bytes.ok_or_else(|| {
            let shown = prophet_text::plain::line(word);
            self.told(&format!("`{shown}` is not the size of a message in bytes"))
        })
    }

    /// The number in a column, which is above zero.
    pub(crate) fn positive(self, column: usize) -> Result<f64, String> {
        let Some(word) = self.text.split_whitespace().nth(column) else {
            return Err(self.told(&format!("the line has no column {}", column + 1)));
        };
        let number = word.parse().ok();
        let number = number.filter(|it: &f64| it.is_finite() && *it > 0.0);
        number.ok_or_else(|| {
            let shown = prophet_text::plain::line(word);
            self.told(&format!("`{shown}` is not a number above 0"))
        })
    }

    pub(crate) fn told(self, why: &str) -> String {
        format!("{}:{}: {why}", self.name, self.line)
    }
}

/// Size of a message that a table has as a number.
pub(crate) fn whole(bytes: f64) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "the range is checked"
    )]
    (bytes >= 0.0 && bytes <= MESSAGE_MAX as f64 && bytes.fract() == 0.0).then_some(bytes as u64)
}
