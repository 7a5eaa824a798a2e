//! Supported formats.

use std::str::FromStr;

prophet_text::named_enum! {
    /// Format of an exported trace.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TraceFormat {
        /// The JSON of trace events, for Perfetto.
        Perfetto = "perfetto",
        /// The JSON of trace events, for Chrome's `about:tracing`.
        Chrome = "chrome",
        /// Pajé's, for `ViTE` and pajeng.
        Paje = "paje",
        /// A folder in the Open Trace Format 2, for Vampir, Scalasca and Cube.
        Otf2 = "otf2",
        /// Comma-separated values.
        Csv = "csv",
        /// A Parquet file.
        Parquet = "parquet",
        /// Lists of events in XML, in the form of Microsoft's Performance Technology
        /// Infrastructure.
        PtiXml = "pti-xml",
    }
}

impl FromStr for TraceFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::of_name(text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("unknown format `{text}`; choose one of {names}")
        })
    }
}
