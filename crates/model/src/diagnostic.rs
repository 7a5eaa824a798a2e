//! Describes problems in a model: what they are, where they are, and how to fix them.
//!
//! A stage adds each problem to [`Diagnostics`] and continues, so that users see all problems in
//! one run.

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
        /// The model is valid, but may not mean what its author intended.
        Warning = "warning",
    }
}

/// A kind of problem. The catalogue lists all kinds except those that the checker reports, which
/// rule files define.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The code that identifies the kind, such as `PM0128`. It never changes.
    pub code: &'static str,
    pub severity: Severity,
    /// One sentence about the problem, for the docs.
    pub summary: &'static str,
}

/// A problem at one place in a model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Kind of problem: a code from the catalogue or from a rule file.
    pub code: Cow<'static, str>,
    pub severity: Severity,
    /// One short line that names the elements and values involved.
    pub message: String,
    /// Path of the element with the problem, such as `Model::Main::A1`; empty if no single element
    /// has it.
    pub element: String,
    /// Place in the file.
    pub span: Span,
    /// What to change; empty if the message says enough.
    pub help: String,
    /// How the first name in `help` fixes the problem; `None` if it doesn't.
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

    /// Turns the problem into a warning that says it is in `diagram`, which the chosen program
    /// doesn't reach.
    pub fn demote_to_warning(&mut self, diagram: &str) {
        self.severity = Severity::Warning;
        self.is_elsewhere = true;
        let where_it_is = format!(" (in {diagram}, which the program does not reach)");
        self.message.push_str(&where_it_is);
    }

    /// Sets the path of the element with the problem.
    #[must_use]
    pub fn element(mut self, path: impl Into<String>) -> Self {
        self.element = path.into();
        self
    }

    /// Sets the advice on what to change.
    #[must_use]
    pub fn help(mut self, help: impl Into<Advice>) -> Self {
        let advice = help.into();
        self.help = advice.text;
        self.remedy = advice.remedy;
        self
    }

    /// Returns the name that fixes the problem, and how; `None` if no name is known.
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
    /// The name replaces the name of the XML attribute or element with the problem.
    Name,
    /// The name becomes the guard of the flow with the problem.
    Guard,
}

impl Advice {
    /// Asks whether the user meant `name`. `remedy` says how this name fixes the problem.
    #[must_use]
    pub fn did_you_mean(name: &str, remedy: Remedy) -> Self {
        Self::from(format!("did you mean `{name}`?")).mended_by(remedy)
    }

    /// Says how the first name in the advice fixes the problem.
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

/// The problems found so far, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem. After 10,000 problems, further ones are ignored so that a hostile model
    /// can't fill the memory. The first error is always kept.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        const PROBLEMS_MAX: usize = 10_000;
        let is_error = |it: &Diagnostic| it.severity == Severity::Error;
        let is_full = self.0.len() >= PROBLEMS_MAX;
        if !is_full || (is_error(&diagnostic) && !self.0.last().is_some_and(is_error)) {
            self.0.push(diagnostic);
        }
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Removes all problems after the first `count` and returns them, so that the caller can decide
    /// whether they matter.
    #[must_use]
    pub fn withdraw(&mut self, count: usize) -> Vec<Diagnostic> {
        self.0.split_off(count.min(self.0.len()))
    }

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

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sorts the problems by place and then by code, and removes duplicates.
    #[must_use]
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.0
            .sort_by(|a, b| (a.span, &a.code, &a.message).cmp(&(b.span, &b.code, &b.message)));
        self.0.dedup();
        self.0
    }
}

/// Renders the problems for people: each with its place, and with the text underlined in its source
/// line.
///
/// Only the first few problems of a kind are shown in full. Some more get one line each, and the
/// others are only counted. Problems in diagrams that the program doesn't reach get at most one
/// line each.
pub fn render_human(source: &Source, diagnostics: &[Diagnostic], color: bool) -> String {
    render::human(source, diagnostics, color)
}

pub fn render_json(source: &Source, diagnostics: &[Diagnostic]) -> String {
    render::json(source, diagnostics)
}

/// Renders the problems as a SARIF 2.1.0 log, for editors and code review. `describe` returns the
/// summary of a code.
pub fn render_sarif(
    source: &Source,
    diagnostics: &[Diagnostic],
    describe: &dyn Fn(&str) -> Option<String>,
) -> String {
    sarif::log(source, diagnostics, describe)
}
