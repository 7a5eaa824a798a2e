//! Explains why flags don't yield a system.

use prophet_text::Problem;

/// Why the system can't be built.
#[derive(Debug)]
pub(super) enum Mistake {
    Flag(String),
    Input(Problem),
    /// The user asked for the list of machines.
    List(String),
}

/// Keeps the message, or the list.
impl From<Mistake> for Problem {
    fn from(mistake: Mistake) -> Self {
        match mistake {
            Mistake::Flag(text) | Mistake::List(text) => text.into(),
            Mistake::Input(problem) => problem,
        }
    }
}

impl From<String> for Mistake {
    fn from(message: String) -> Self {
        Self::Flag(message)
    }
}
