//! Describes problems in a model: what they are, where they are, and how to fix them.
//!
//! A stage doesn't stop at its first problem: it reports to [`Diagnostics`] and continues, so that
//! users see all problems in one run.

pub mod catalogue;
mod render;
mod sarif;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::source::Source;
pub use crate::source::Span;

prophet_text::named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Severity {
        /// The problem prevents code from being generated.
        Error = "error",
        /// The model is valid, but perhaps not what its author intended.
        Warning = "warning",
    }
}

/// A kind of problem in the catalogue. The kinds that the checker reports are defined in its rule
/// files.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code: `PM` and four digits, such as `PM0128`.
    pub code: &'static str,
    pub severity: Severity,
    /// One sentence about the problem, for the catalogue in the docs.
    pub summary: &'static str,
}

/// A problem at one place in a model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Kind of the problem: a code from the catalogue or from a rule file.
    pub code: Cow<'static, str>,
    pub severity: Severity,
    /// One terse line that names the elements and values of this case.
    pub message: String,
    /// Path of the element that has the problem, such as `Model::Main::A1`; empty if the problem
    /// doesn't belong to an element.
    pub element: String,
    /// Place in the file.
    pub span: Span,
    /// Advice on what to change; empty if the message says enough.
    pub help: String,
    /// How the first name in `help` fixes the problem, if it does.
    #[serde(skip)]
    pub remedy: Option<Remedy>,
    /// Whether the problem is in a diagram that the chosen program doesn't reach.
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

    /// Turns the problem into a warning, because it is in `diagram`, which the chosen program
    /// doesn't reach.
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

    /// Adds advice on what to change.
    #[must_use]
    pub fn help(mut self, help: impl Into<Advice>) -> Self {
        let advice = help.into();
        self.help = advice.text;
        self.remedy = advice.remedy;
        self
    }

    /// Returns the name that fixes the problem and how it does so; `None` if no name is known.
    pub fn fix(&self) -> Option<(Remedy, &str)> {
        Some((self.remedy?, self.help.split('`').nth(1)?))
    }
}

/// Advice on how to fix a problem.
#[derive(Debug, Default)]
pub struct Advice {
    text: String,
    remedy: Option<Remedy>,
}

/// How a name fixes a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// The name replaces the text where the problem is.
    Text,
    /// The name replaces the name of the XML attribute or element where the problem is.
    Name,
    /// The name becomes the guard of the flow where the problem is.
    Guard,
}

impl Advice {
    /// Asks whether the user meant `name`; `remedy` says how that name fixes the problem.
    #[must_use]
    pub fn did_you_mean(name: &str, remedy: Remedy) -> Self {
        Self::from(format!("did you mean `{name}`?")).mended_by(remedy)
    }

    /// Declares how the first name in the advice fixes the problem.
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

    /// Adds a problem, unless there are already too many to read, so that a hostile model can't
    /// fill the memory with them. The first error is always kept.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        const PROBLEMS_MAX: usize = 10_000;
        let is_error = |it: &Diagnostic| it.severity == Severity::Error;
        let is_full = self.0.len() >= PROBLEMS_MAX;
        if !is_full || (is_error(&diagnostic) && !self.0.last().is_some_and(is_error)) {
            self.0.push(diagnostic);
        }
    }

    /// Returns the number of problems.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Removes and returns the problems after the first `count`, until it is known whether they
    /// matter.
    #[must_use]
    pub fn withdraw(&mut self, count: usize) -> Vec<Diagnostic> {
        self.0.split_off(count.min(self.0.len()))
    }

    /// Iterates over the problems mutably.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.0.iter_mut()
    }

    /// Returns `true` if any problem is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|d| d.severity == Severity::Error)
    }

    /// Iterates over the problems in the order they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter()
    }

    /// Returns `true` if there are no problems.
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
/// If there are many problems of one kind, only the first ones are shown in full. The next ones get
/// one line each, and the remaining ones are only counted, as are problems in diagrams that the
/// program doesn't reach.
pub fn render_human(source: &Source, diagnostics: &[Diagnostic], color: bool) -> String {
    render::human(source, diagnostics, color)
}

/// Renders the problems as a JSON array.
pub fn render_json(source: &Source, diagnostics: &[Diagnostic]) -> String {
    render::json(source, diagnostics)
}

/// Renders the problems as a SARIF 2.1.0 log, for editors and code review; `describe` returns the
/// summary for a code.
pub fn render_sarif(
    source: &Source,
    diagnostics: &[Diagnostic],
    describe: &dyn Fn(&str) -> Option<String>,
) -> String {
    sarif::log(source, diagnostics, describe)
}
