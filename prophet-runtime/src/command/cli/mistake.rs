//! Reasons why flags give no system.

/// Reason why there is no system.
#[derive(Debug)]
pub(super) enum Problem {
    /// A flag is wrong.
    Flag(String),
    /// A file is wrong.
    Input(String),
    /// The list of machines is requested.
    List(String),
}

impl Problem {
    /// The message, or the list.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Flag(text) | Self::Input(text) | Self::List(text) => text,
        }
    }
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self::Flag(message)
    }
}
