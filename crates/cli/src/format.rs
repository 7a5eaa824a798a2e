//! The formats in which a command prints what it finds.

/// Output for people, or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    Human,
    Json,
}

impl Format {
    /// Name on command lines.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
        }
    }
}
