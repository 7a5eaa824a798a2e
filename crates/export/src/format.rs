//! Lists the formats that traces can be exported to.

use std::str::FromStr;

prophet_text::named_enum! {
    /// A format that traces can be exported to.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TraceFormat {
        /// Trace event JSON, for Perfetto.
        Perfetto = "perfetto",
        /// Trace event JSON, for Chrome's `about:tracing`.
        Chrome = "chrome",
        /// Pajé's format, for `ViTE` and pajeng.
        Paje = "paje",
        /// An Open Trace Format 2 folder, for Vampir, Scalasca and Cube.
        Otf2 = "otf2",
        Csv = "csv",
        Parquet = "parquet",
        /// XML with lists of events, the format of Microsoft's Performance Technology
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
