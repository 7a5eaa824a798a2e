//! Supported formats.

use std::str::FromStr;

/// Format of an exported trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceFormat {
    /// The JSON of trace events, for Perfetto.
    Perfetto,
    /// The JSON of trace events, for Chrome's `about:tracing`.
    Chrome,
    /// Pajé's, for `ViTE` and pajeng.
    Paje,
    /// A folder in the Open Trace Format 2, for Vampir, Scalasca and Cube.
    Otf2,
    /// Comma-separated values.
    Csv,
    /// A Parquet file.
    Parquet,
    /// Lists of events in XML, in the form of Microsoft's Performance Technology Infrastructure.
    PtiXml,
}

impl TraceFormat {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Perfetto,
        Self::Chrome,
        Self::Paje,
        Self::Otf2,
        Self::Csv,
        Self::Parquet,
        Self::PtiXml,
    ];

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Perfetto => "perfetto",
            Self::Chrome => "chrome",
            Self::Paje => "paje",
            Self::Otf2 => "otf2",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::PtiXml => "pti-xml",
        }
    }
}

impl FromStr for TraceFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let format = Self::ALL.into_iter().find(|format| format.name() == text);
        format.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("there is no format `{text}`, but {names}")
        })
    }
}
