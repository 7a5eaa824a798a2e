//! Formats of rows.

use std::path::Path;

use clap::ValueEnum;

/// Format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Comma-separated values, with a heading
    Csv,
    /// JSON Lines, an object for each row
    Jsonl,
    /// Parquet, for data frames
    Parquet,
}

impl Format {
    /// The format of a file by its name.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        match ending.as_str() {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}
