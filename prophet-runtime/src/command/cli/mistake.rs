//! Defines why flags can be wrong.

use prophet_text::Problem;

/// Why the system can't be built from the flags.
#[derive(Debug)]
pub(super) enum Mistake {
    Flag(String),
    Input(Problem),
    /// The flags ask for the list of machines, which is this text.
    List(String),
}

/// The problem's message is the mistake's message or list.
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
