//! Problems in a model: their places, kinds and remedies.
//!
//! A stage never stops at its first problem: it reports to [`Diagnostics`] and continues with the
//! rest, so that a user sees everything in one go.

pub mod catalogue;
mod render;
mod sarif;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::source::Source;
pub use crate::source::Span;

prophet_text::named_enum! {
    /// Severity of a problem.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Severity {
        /// The problem prevents generation.
        Error = "error",
        /// The model means something, though perhaps not what its author had in mind.
        Warning = "warning",
    }
}

/// An entry of the catalogue: one kind of problem that a stage finds. Problems that the checker
/// finds are in its rule files.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code, `PM` and four digits.
    pub code: &'static str,
    /// Severity of the problem.
    pub severity: Severity,
    /// One sentence for the catalogue in the docs.
    pub summary: &'static str,
}

/// One problem at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Kind of problem: the code of an entry of the catalogue, or of a rule file.
    pub code: Cow<'static, str>,
    /// Severity of the problem.
    pub severity: Severity,
    /// One terse line, with the names of this case.
    pub message: String,
    /// The element that the problem belongs to, as `Model::Main::A1`; empty if it belongs to no
    /// element.
    pub element: String,
    /// Place in the file.
    pub span: Span,
    /// Advice on the change to make; empty if the message suffices.
    pub help: String,
    /// The change by which the first name in the advice mends the problem, if it does.
    #[serde(skip)]
    pub remedy: Option<Remedy>,
    /// True if the problem is in a diagram that the chosen program does not reach.
    pub is_elsewhere: bool,
}

impl Diagnostic {
    /// Creates a problem of the kind `rule` at `span`.
    pub fn new(rule: &Rule, span: Span, message: impl Into<String>) -> Self {
        Self::of_kind(Cow::Borrowed(rule.code), rule.severity, span, message)
    }

    /// Creates a problem of the kind `code` at `span`.
    pub fn of_kind(
        code: Cow<'static, str>,
        severity: Severity,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            element: String::new(),
            span,
            help: String::new(),
            remedy: None,
            is_elsewhere: false,
        }
    }

    /// Turns the problem into a warning: it is in a diagram that the chosen program does not reach.
    pub fn demote_to_warning(&mut self, diagram: &str) {
        self.severity = Severity::Warning;
        self.is_elsewhere = true;
        let where_it_is = format!(" (in {diagram}, which the program does not reach)");
        self.message.push_str(&where_it_is);
    }

    /// Names the element that the problem belongs to.
    #[must_use]
    pub fn element(mut self, path: impl Into<String>) -> Self {
        self.element = path.into();
        self
    }

    /// Adds advice on the change to make.
    #[must_use]
    pub fn help(mut self, help: impl Into<Advice>) -> Self {
        let advice = help.into();
        self.help = advice.text;
        self.remedy = advice.remedy;
        self
    }

    /// The name that mends the problem, and how it does, if one is known to.
    pub fn fix(&self) -> Option<(Remedy, &str)> {
        Some((self.remedy?, self.help.split('`').nth(1)?))
    }
}

/// Advice on a problem.
#[derive(Debug, Default)]
pub struct Advice {
    text: String,
    remedy: Option<Remedy>,
}

/// Change by which a name mends a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// The name in place of the text at the problem's place.
    Text,
    /// The name as the name of the XML attribute or element at the problem's place.
    Name,
    /// Makes the name the guard of the flow at the problem's place.
    Guard,
}

impl Advice {
    /// Asks whether a name was meant, which mends the problem by that remedy.
    #[must_use]
    pub fn did_you_mean(name: &str, remedy: Remedy) -> Self {
        Self::from(format!("did you mean `{name}`?")).mended_by(remedy)
    }

    /// Says that the first name in the advice mends the problem.
    #[must_use]
    pub const fn mended_by(mut self, remedy: Remedy) -> Self {
        self.remedy = Some(remedy);
        self
    }
}

impl<T: Into<String>> From<T> for Advice {
    fn from(text: T) -> Self {
        let (text, remedy) = (text.into(), None);
        Self { text, remedy }
    }
}

/// The problems found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Creates an empty list of problems.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem, unless there are very many already: nobody reads more, and a hostile model
    /// must not fill the memory with them. The first error is always kept.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        const PROBLEMS_MAX: usize = 10_000;
        let is_error = |it: &Diagnostic| it.severity == Severity::Error;
        let is_full = self.0.len() >= PROBLEMS_MAX;
        if !is_full || (is_error(&diagnostic) && !self.0.last().is_some_and(is_error)) {
            self.0.push(diagnostic);
        }
    }

    /// Number of problems.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Takes back the problems after the first `count`, while it is not known whether they matter.
    #[must_use]
    pub fn withdraw(&mut self, count: usize) -> Vec<Diagnostic> {
        self.0.split_off(count.min(self.0.len()))
    }

    /// Problems found so far, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.0.iter_mut()
    }

    /// True if any of the problems is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|d| d.severity == Severity::Error)
    }

    /// Problems found so far, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter()
    }

    /// True if there is no problem.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sorts the problems by place in the file, then by code, and removes duplicates.
    #[must_use]
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.0
            .sort_by(|a, b| (a.span, &a.code, &a.message).cmp(&(b.span, &b.code, &b.message)));
        self.0.dedup();
        self.0
    }
}

/// Renders the problems as text for people: each with its place and the source line underlined.
///
/// Of many problems of a kind, the first are shown so, some others in a line each, and the rest is
/// counted. Problems that the program does not reach are only counted.
pub fn render_human(source: &Source, diagnostics: &[Diagnostic], color: bool) -> String {
    render::human(source, diagnostics, color)
}

/// Renders the problems as one JSON array.
pub fn render_json(source: &Source, diagnostics: &[Diagnostic]) -> String {
    render::json(source, diagnostics)
}

/// The problems as a log of SARIF 2.1.0, for editors and code review; `describe` gives the summary
/// of a code.
pub fn render_sarif(
    source: &Source,
    diagnostics: &[Diagnostic],
    describe: &dyn Fn(&str) -> Option<String>,
) -> String {
    sarif::log(source, diagnostics, describe)
}
