//! Checks a model with rules from files.
//!
//! A rule file (XML; `docs/rules.md`, schema `rules/mcl.xsd`) declares sets of elements and states
//! when each rule is broken. `language` represents the content of a rule file, and `evaluate` tests
//! the conditions. Conditions use `facts` about the model, which are computed on demand: the
//! nesting of elements (`nesting`), their order of execution (`order`), elements that only some
//! processes execute (`branches`), loops that no flow leaves (`cycles`), variables that the code
//! reads and assigns (`code`, `dependence`, `guards`), values of its expressions (`numbers`), and
//! possible partners of messages (`messages`).
//!
//! Two files are built in: `uml.mcl.xml` for activity diagrams in general and `hpc.mcl.xml` for
//! parallel programs. Users can add files, replace the rule with a given code, and switch rules
//! off.

mod branches;
mod chains;
mod code;
mod conditions;
mod cycles;
mod declare;
mod dependence;
mod dominators;
mod evaluate;
mod facts;
pub(crate) mod graph;
mod guards;
mod language;
mod messages;
mod nesting;
mod numbers;
mod order;
mod read;
mod report;
mod shape;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use crate::assume::STEP_S;
use language::Language;
use prophet_model::diagnostic::{Diagnostic, Diagnostics, Severity, catalogue, render_human};
use prophet_model::model::{ElementId, Model};
use prophet_model::source::Source;
use prophet_model::vocabulary::Vocabulary;
use prophet_model::xmi;
use prophet_text::{Problem, similar};

pub use language::Rule;

/// Names and texts of the built-in rule files.
pub const SHIPPED: [(&str, &str); 2] = [
    ("uml.mcl.xml", include_str!("../rules/uml.mcl.xml")),
    ("hpc.mcl.xml", include_str!("../rules/hpc.mcl.xml")),
];

/// The schema of rule files, in XSD 1.0.
pub const SCHEMA: &str = include_str!("../rules/mcl.xsd");

/// A set of rules to check models with. Rules can be switched off.
///
/// # Examples
///
/// ```
/// use prophet_frontend::check::RuleSet;
///
/// let mut rules = RuleSet::shipped();
/// rules.switch_off("PM0308").expect("there is such a warning");
/// assert!(rules.switch_off("PM9999").is_err());
/// ```
#[derive(Debug, Clone)]
pub struct RuleSet {
    language: Language,
    off: BTreeSet<String>,
    /// Seconds per assumed step; `None` if nothing may be assumed.
    assumed_step_s: Option<f64>,
}

impl RuleSet {
    /// Creates a set without rules.
    pub fn empty() -> Self {
        Self {
            language: Language::default(),
            off: BTreeSet::new(),
            assumed_step_s: None,
        }
    }

    /// Returns the built-in rules, which are parsed only once.
    ///
    /// # Panics
    ///
    /// Never panics, because tests read the same files.
    pub fn shipped() -> Self {
        static SHIPPED_RULES: LazyLock<RuleSet> = LazyLock::new(read_shipped);
        SHIPPED_RULES.clone()
    }

    /// Adds the rules in a file. A rule replaces an earlier rule with the same code.
    ///
    /// Returns all problems in the file. If there are any, don't use the rules.
    pub fn add(&mut self, source: &Source) -> Vec<Diagnostic> {
        self.add_from(source, None)
    }

    fn add_from(&mut self, source: &Source, folder: Option<&Path>) -> Vec<Diagnostic> {
        let mut problems = Diagnostics::new();
        for problem in read::read(source, folder, &mut self.language) {
            problems.push(problem);
        }
        problems.sorted()
    }

    /// Adds the rules in the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns a problem that says where the file is wrong, or that it can't be read.
    pub fn add_file(&mut self, path: &Path) -> Result<(), Problem> {
        self.add_source(&xmi::load(path)?)
    }

    /// Adds the rules in a file that has already been read.
    ///
    /// # Errors
    ///
    /// Returns a problem that says where the file is wrong.
    pub fn add_source(&mut self, source: &Source) -> Result<(), Problem> {
        let problems = self.add(source);
        usable(source, &problems)
    }

    /// Adds the stereotypes and rules of the file at `path`.
    ///
    /// The file names a crate with a type for each stereotype. Generated programs compile and run
    /// that crate, so treat the file like code: use it only if you trust it.
    ///
    /// # Errors
    ///
    /// Returns a problem that says where the file is wrong, or that it can't be read.
    pub fn add_vocabulary(&mut self, path: &Path) -> Result<(), Problem> {
        let source = xmi::load(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let problems = self.add_from(&source, Some(folder));
        usable(&source, &problems)?;
        self.language.vocabulary.files.push(path.to_owned());
        Ok(())
    }

    /// Lets checks assume what a drawing leaves open. Actions without a cost become steps that take
    /// [`STEP_S`] seconds.
    pub fn assume(&mut self) {
        self.assume_steps(STEP_S);
    }

    /// Like [`Self::assume`], but steps take `step_s` seconds. With 0, actions without a cost don't
    /// become steps.
    pub fn assume_steps(&mut self, step_s: f64) {
        self.assumed_step_s = Some(step_s);
    }

    /// Returns `true` if assumptions are enabled.
    pub fn assumes(&self) -> bool {
        self.assumed_step_s.is_some()
    }

    /// Returns the time of an assumed step in seconds; `None` if assumptions are disabled.
    pub fn assumed_step_s(&self) -> Option<f64> {
        self.assumed_step_s
    }

    /// Returns the vocabulary, which contains the custom stereotypes.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.language.vocabulary
    }

    /// Switches off the rule with this code, or the warning of another stage.
    ///
    /// # Errors
    ///
    /// Returns a problem if the code is unknown, or if it is an error that prevents generation.
    pub fn switch_off(&mut self, code: &str) -> Result<(), Problem> {
        let stage = catalogue::all().find(|rule| rule.code == code);
        match stage.map(|rule| rule.severity) {
            _ if self.language.rules.contains_key(code) => {}
            Some(Severity::Warning) => {}
            Some(Severity::Error) => {
                return Err(Problem::new(format!(
                    "{code} cannot be switched off: nothing can be generated from a model with \
                     this error"
                )));
            }
            None => {
                let rules = self.language.rules.keys().map(String::as_str);
                let all = rules.chain(catalogue::all().map(|rule| rule.code));
                // Other digits are another code, not a misspelled one.
                let is_near = |it: &String| it.len() != code.len() || it.eq_ignore_ascii_case(code);
                let hint = match similar(code, all).filter(is_near) {
                    Some(near) => format!("did you mean {near}?"),
                    None => "list all codes with `check --explain all`".to_owned(),
                };
                return Err(Problem::new(format!("unknown rule {code}; {hint}")));
            }
        }
        self.off.insert(code.to_owned());
        Ok(())
    }

    /// Returns `true` if problems with this code are reported.
    pub fn is_on(&self, code: &str) -> bool {
        !self.off.contains(code)
    }

    /// Iterates over the rules, ordered by code.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.language.rules.values()
    }

    /// Returns the one-sentence summary of a code; `None` if the code is unknown.
    pub fn summary(&self, code: &str) -> Option<String> {
        let stage = catalogue::all().find(|rule| rule.code == code);
        let rule = self.language.rules.get(code);
        rule.map(|rule| rule.summary.clone())
            .or_else(|| stage.map(|rule| rule.summary.to_owned()))
    }
}

fn read_shipped() -> RuleSet {
    let mut rules = RuleSet::empty();
    for (name, text) in SHIPPED {
        let source = Source::new(name, text);
        let problems = rules.add(&source);
        assert!(
            problems.is_empty(),
            "{}",
            render_human(&source, &problems, false)
        );
    }
    // The profile already checks these tags where they apply.
    rules.language.vocabulary.tags.clear();
    rules
}

/// Returns the problems of a rule file as a single problem, if there are any.
fn usable(source: &Source, problems: &[Diagnostic]) -> Result<(), Problem> {
    if problems.is_empty() {
        return Ok(());
    }
    if !source
        .text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
    {
        let name = &source.name;
        return Err(prophet_text::problem!(
            "{name} is not a rule file: rules are XML, such as the example in docs/rules.md"
        ));
    }
    let text = render_human(source, problems, false);
    let message = format!("{} cannot be used\n{text}", source.name);
    Err(Problem::new(message))
}

/// Returns the loops that no flow leaves, each with its elements in file order.
pub(crate) fn endless_loops(model: &Model) -> Vec<Vec<ElementId>> {
    cycles::endless_loops(&graph::ModelGraph::new(model), &|_| true)
}

/// Checks a model with the rules, and adds the findings to `diagnostics`.
///
/// Pass the diagnostics of earlier stages too: rules don't report an error again at the same place,
/// and after an error, rules that conclude something from an absence are skipped.
pub fn check(model: &Model, source: &Source, rules: &RuleSet, diagnostics: &mut Diagnostics) {
    report::report(model, source, rules, diagnostics);
}
