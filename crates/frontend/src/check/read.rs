//! Reads the XML of rule files into the [`Language`].
//!
//! The schema of rule files is `rules/mcl.xsd`. A test compares it with `words`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use super::conditions;
use super::declare::Reading;
use super::language::{
    DiagramKind, Language, Rule, RuleSubject, SetId, Tag, TagType, VariableKind,
};
use super::shape::{NODES, Set};
use super::words;
use prophet_model::diagnostic::catalogue::{self, rules};
use prophet_model::diagnostic::{self, Diagnostic, Severity, Span};
use prophet_model::model::StereotypeKind;
use prophet_model::source::{Source, Text};
use prophet_model::xml::{self, Xml};
use prophet_text::similar;

const PLACEHOLDERS: [&str; 9] = [
    "name",
    "path",
    "stereotype",
    "type",
    "where",
    "tag",
    "value",
    "expected",
    "count",
];

/// Adds the content of a rule file to `language`, and returns all problems in the file. `folder` is
/// the folder for relative paths to the crates of custom stereotypes.
pub(super) fn read(
    source: &Source,
    folder: Option<&Path>,
    language: &mut Language,
) -> Vec<Diagnostic> {
    let root = match xml::parse(source, "the rule file") {
        Ok(root) => root,
        Err(problem) => {
            let rule = if problem.is_limit {
                &rules::TOO_LARGE
            } else {
                &rules::NOT_XML
            };
            return vec![Diagnostic::new(rule, problem.span, problem.message)];
        }
    };
    let mut reading = Reading {
        language,
        problems: Vec::new(),
        file: file_name(&source.name),
        codes: BTreeSet::new(),
    };
    reading.file(&root, folder);
    reading.problems
}

fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.unwrap_or_default().to_string_lossy().into_owned()
}

impl Reading<'_> {
    fn file(&mut self, root: &Xml, folder: Option<&Path>) {
        if root.name != "mcl" {
            let message = format!(
                "expected a rule file with the root `<mcl>`, found `<{}>`",
                root.name
            );
            self.report(&rules::UNKNOWN_WORD, root.span, message, "");
            return;
        }
        self.check_words(root);
        for part in &root.children {
            self.check_words(part);
            if part.name == "vocabulary" {
                self.vocabulary(part, folder);
                continue;
            }
            if part.name == "hardware" {
                self.hardware(part, folder);
                continue;
            }
            for item in &part.children {
                match (part.name.as_str(), item.name.as_str()) {
                    ("diagrams", "diagram") => self.diagram(item),
                    ("elements", "element") => self.element(item),
                    ("rules", "rule") => self.rule(item),
                    ("rules", "set") => self.set(item),
                    _ => {}
                }
            }
        }
    }

    /// Reports attributes and children that aren't allowed in an element.
    pub(super) fn check_words(&mut self, xml: &Xml) {
        let Some(word) = words::word_of(&xml.name) else {
            return;
        };
        for attribute in &xml.attributes {
            if !word.attributes.contains(&attribute.name.as_str()) {
                let message = format!("unknown attribute `{}` of `{}`", attribute.name, xml.name);
                let candidates = word.attributes.iter().copied();
                let help = did_you_mean(&attribute.name, candidates);
                self.report(&rules::UNKNOWN_WORD, attribute.value.span, message, &help);
            }
        }
        for child in &xml.children {
            if !word.has_child(&child.name) {
                let message = format!("unknown element `{}` in `{}`", child.name, xml.name);
                let help = did_you_mean(&child.name, word.children());
                self.report(&rules::UNKNOWN_WORD, child.span, message, &help);
            }
        }
    }

    pub(super) fn report(
        &mut self,
        rule: &diagnostic::Rule,
        span: Span,
        message: String,
        help: &str,
    ) {
        let diagnostic = Diagnostic::new(rule, span, message).help(help);
        self.problems.push(diagnostic);
    }

    pub(super) fn required<'x>(&mut self, xml: &'x Xml, name: &str) -> Option<&'x Text> {
        let value = xml.attribute(name);
        if value.is_none() {
            let message = format!("`{}` needs the attribute `{name}`", xml.name);
            self.report(&rules::MISSING_PART, xml.span, message, "");
        }
        value
    }

    /// Reads an attribute that must be one of `choices`, and returns the value that belongs to the
    /// word; `None` if the attribute is missing.
    pub(super) fn choice<T: Copy>(
        &mut self,
        xml: &Xml,
        name: &str,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let text = xml.attribute(name)?;
        let found = choices.iter().find(|(word, _)| *word == text.value.trim());
        if found.is_none() {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            let message = format!("`{}` is not one of {}", text.value, words.join(", "));
            let help = did_you_mean(&text.value, words.into_iter());
            self.report(&rules::BAD_VALUE, text.span, message, &help);
        }
        found.map(|(_, value)| *value)
    }

    pub(super) fn number(&mut self, xml: &Xml, name: &str) -> Option<f64> {
        let text = xml.attribute(name)?;
        let number = text.value.trim().parse::<f64>();
        let number = number.ok().filter(|number| number.is_finite());
        if number.is_none() {
            let message = format!("expected a number, found `{}`", text.value);
            self.report(&rules::BAD_VALUE, text.span, message, "");
        }
        number
    }

    pub(super) fn count(&mut self, xml: &Xml, name: &str) -> Option<usize> {
        let text = xml.attribute(name)?;
        let number = text.value.trim().parse::<usize>();
        if number.is_err() {
            let message = format!("expected a whole number, found `{}`", text.value);
            self.report(&rules::BAD_VALUE, text.span, message, "");
        }
        number.ok()
    }

    /// Reads an attribute that lists declared elements, and returns the set of all of them.
    pub(super) fn elements(&mut self, xml: &Xml, name: &str) -> Option<SetId> {
        let text = xml.attribute(name)?;
        let words: Vec<&str> = text.value.split_whitespace().collect();
        if let [word] = words[..]
            && let Some(&id) = self.language.names.get(word)
        {
            return Some(id);
        }
        let mut union = Set::NONE;
        for word in words {
            match self.language.names.get(word) {
                _ if word == "any" => union = Set::ANY,
                Some(&id) => union.add(&self.language.sets[id]),
                None => {
                    let names = self.language.names.keys().map(String::as_str);
                    let help = did_you_mean(word, names);
                    let message = format!("the element `{word}` has not been declared yet");
                    self.report(&rules::UNDECLARED, text.span, message, &help);
                }
            }
        }
        Some(self.language.number(union))
    }

    pub(super) fn some_elements(&mut self, xml: &Xml, name: &str) -> Option<SetId> {
        self.required(xml, name)?;
        self.elements(xml, name)
    }

    fn diagram(&mut self, xml: &Xml) {
        self.check_words(xml);
        let Some(name) = self.required(xml, "name") else {
            return;
        };
        self.required(xml, "is");
        let kinds = [
            ("any", DiagramKind::Any),
            ("program", DiagramKind::Program),
            ("activity", DiagramKind::Activity),
            ("content", DiagramKind::Content),
        ];
        let Some(kind) = self.choice(xml, "is", &kinds) else {
            return;
        };
        if self
            .language
            .diagrams
            .insert(name.value.clone(), kind)
            .is_some()
        {
            let message = format!("the diagram `{}` already exists", name.value);
            self.report(&rules::DECLARED_TWICE, name.span, message, "");
        }
    }

    fn element(&mut self, xml: &Xml) {
        self.check_words(xml);
        let Some(name) = self.required(xml, "name") else {
            return;
        };
        let set = if xml.attribute("any").is_some() {
            self.elements(xml, "any")
                .map(|id| self.language.sets[id].clone())
        } else {
            self.described(xml)
        };
        let id = self.language.number(set.unwrap_or(Set::NONE));
        let is_taken = name.value == "any" || self.language.names.contains_key(&name.value);
        if is_taken {
            let message = format!("the element `{}` already exists", name.value);
            let help = "element names are shared by all rule files: choose another one";
            self.report(&rules::DECLARED_TWICE, name.span, message, help);
        } else {
            self.language.names.insert(name.value.clone(), id);
        }
        for tag in &xml.children {
            self.check_words(tag);
            if let Some(tag) = self.tag(tag, id) {
                let (set, vocabulary) = (&self.language.sets[id], &self.language.vocabulary);
                let kinds = vocabulary.kinds().filter(|kind| set.has_kind(*kind));
                let declared: Vec<_> = kinds.map(|it| (it.name(), tag.name.clone())).collect();
                self.language.vocabulary.tags.extend(declared);
                self.language.tags.push(tag);
            }
        }
    }

    fn described(&mut self, xml: &Xml) -> Option<Set> {
        let nodes: Vec<(&str, usize)> = NODES.into_iter().zip(0..).collect();
        let names = self.language.vocabulary.kinds().map(StereotypeKind::name);
        let stereotypes: Vec<(&str, usize)> =
            std::iter::once("none").chain(names).zip(0..).collect();
        if xml.attribute("node").is_none() && xml.attribute("stereotype").is_none() {
            let message = "an element needs `node`, `stereotype` or `any`".to_owned();
            self.report(&rules::MISSING_PART, xml.span, message, "");
            return None;
        }
        let nodes = self.list(xml, "node", &nodes)?;
        let stereotypes = self.list(xml, "stereotype", &stereotypes)?;
        Some(Set::new(&nodes, &stereotypes))
    }

    /// Returns the numbers of the words in an attribute. Without the attribute, returns the numbers
    /// of all words.
    fn list(&mut self, xml: &Xml, name: &str, choices: &[(&str, usize)]) -> Option<Vec<usize>> {
        let Some(text) = xml.attribute(name) else {
            return Some(choices.iter().map(|(_, number)| *number).collect());
        };
        let mut numbers = Vec::new();
        for word in text.value.split_whitespace() {
            let Some((_, number)) = choices.iter().find(|(choice, _)| *choice == word) else {
                let message = format!("unknown {name} `{word}`");
                let help = did_you_mean(word, choices.iter().map(|(choice, _)| *choice));
                self.report(&rules::BAD_VALUE, text.span, message, &help);
                return None;
            };
            numbers.push(*number);
        }
        Some(numbers)
    }

    fn tag(&mut self, xml: &Xml, on: SetId) -> Option<Tag> {
        let name = self.required(xml, "name")?.value.clone();
        self.required(xml, "type")?;
        let types = [
            ("integer", 0),
            ("real", 1),
            ("number", 2),
            ("name", 3),
            ("text", 4),
            ("word", 5),
        ];
        let ty = match self.choice(xml, "type", &types)? {
            0 => TagType::Integer,
            1 => TagType::Real,
            2 => TagType::Number,
            3 => TagType::Name,
            4 => TagType::Text,
            _ => {
                let words = &self.required(xml, "one-of")?.value;
                TagType::OneOf(words.split_whitespace().map(str::to_owned).collect())
            }
        };
        let required = self.choice(xml, "required", &[("yes", true), ("no", false)]);
        Some(Tag {
            on,
            file: self.file.clone(),
            name,
            ty,
            required: required.unwrap_or(false),
            min: self.number(xml, "min"),
            max: self.number(xml, "max"),
            or: xml.attribute("or").map(|text| text.value.clone()),
        })
    }

    fn set(&mut self, xml: &Xml) {
        self.check_words(xml);
        let Some(code) = self.required(xml, "code") else {
            return;
        };
        self.required(xml, "severity");
        let severities = [
            ("error", Some(Severity::Error)),
            ("warning", Some(Severity::Warning)),
            ("off", None),
        ];
        let Some(severity) = self.choice(xml, "severity", &severities) else {
            return;
        };
        if let Some(rule) = self.language.rules.get_mut(code.value.trim()) {
            rule.off = severity.is_none();
            rule.severity = severity.unwrap_or(rule.severity);
        } else {
            let message = format!("unknown rule `{}`", code.value);
            let codes = self.language.rules.keys().map(String::as_str);
            let help = did_you_mean(&code.value, codes);
            self.report(&rules::UNDECLARED, code.span, message, &help);
        }
    }

    fn rule(&mut self, xml: &Xml) {
        self.check_words(xml);
        let severities = [("error", Severity::Error), ("warning", Severity::Warning)];
        self.required(xml, "severity");
        let severity = self.choice(xml, "severity", &severities);
        let code = self.code(xml);
        let subject = self.subject(xml);
        let first_only = self.choice(xml, "report", &[("each", false), ("first", true)]);
        let of_programs = self.choice(xml, "for", &[("all", false), ("programs", true)]);
        let summary = self.prose(xml, "summary");
        let message = self.template(xml, "message");
        let help = self.template(xml, "help");
        let when = xml.child("when");
        if when.is_none() {
            let message = "a rule needs `when`, the condition under which it is broken".to_owned();
            self.report(&rules::MISSING_PART, xml.span, message, "");
        }
        let when = when.map(|when| {
            self.check_words(when);
            conditions::read_all(self, when, subject)
        });
        let (Some(code), Some(severity), Some(subject), Some(when)) =
            (code, severity, subject, when)
        else {
            return;
        };
        let sketch = |name| xml.child(name).map(|child| unindent(&child.text));
        let why = xml.child("why").map(|why| words_of(&why.text));
        let rule = Rule {
            code: code.clone(),
            severity,
            off: false,
            file: self.file.clone(),
            summary,
            why: why.unwrap_or_default(),
            message,
            help,
            wrong: sketch("wrong").unwrap_or_default(),
            right: sketch("right").unwrap_or_default(),
            first_only: first_only.unwrap_or(false),
            of_programs: of_programs.unwrap_or(false),
            subject,
            when,
        };
        self.language.rules.insert(code, rule);
    }

    fn code(&mut self, xml: &Xml) -> Option<String> {
        let text = self.required(xml, "code")?;
        let code = text.value.trim();
        let is_letter = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
        let has_form = code.starts_with(|c: char| c.is_ascii_uppercase())
            && code.len() <= 20
            && code.chars().all(is_letter);
        if !has_form {
            let message = format!("`{code}` is not a valid code");
            let help = "use at most 20 capital letters, digits and hyphens, such as HOUSE-01";
            self.report(&rules::BAD_VALUE, text.span, message, help);
            return None;
        }
        if catalogue::all().any(|rule| rule.code == code) {
            let message = format!("`{code}` is the code of a built-in problem");
            let help = "choose another code, such as HOUSE-01";
            self.report(&rules::BAD_VALUE, text.span, message, help);
            return None;
        }
        if !self.codes.insert(code.to_owned()) {
            let message = format!("the rule `{code}` is declared twice in this file");
            self.report(&rules::DECLARED_TWICE, text.span, message, "");
            return None;
        }
        Some(code.to_owned())
    }

    fn subject(&mut self, xml: &Xml) -> Option<RuleSubject> {
        let variables = [
            ("any", VariableKind::Any),
            ("parameter", VariableKind::Parameter),
            ("global", VariableKind::Global),
            ("local", VariableKind::Local),
        ];
        let subjects: Vec<RuleSubject> = [
            self.elements(xml, "element").map(RuleSubject::Element),
            self.elements(xml, "flow").map(RuleSubject::Flow),
            self.elements(xml, "tag").map(RuleSubject::Tag),
            self.diagram_kind(xml, "diagram").map(RuleSubject::Diagram),
            self.choice(xml, "variable", &variables)
                .map(RuleSubject::Variable),
            self.choice(xml, "function", &[("any", RuleSubject::Function)]),
        ]
        .into_iter()
        .flatten()
        .collect();
        let names = ["element", "flow", "tag", "diagram", "variable", "function"];
        let given = names.iter().filter(|name| xml.attribute(name).is_some());
        if given.count() == 1 {
            return subjects.first().copied();
        }
        let message = "a rule needs exactly one of `element`, `flow`, `tag`, `diagram`, \
                       `variable` and `function`";
        self.report(&rules::MISSING_PART, xml.span, message.to_owned(), "");
        None
    }

    pub(super) fn diagram_kind(&mut self, xml: &Xml, name: &str) -> Option<DiagramKind> {
        let text = xml.attribute(name)?;
        let kind = self.language.diagrams.get(text.value.trim()).copied();
        if kind.is_none() {
            let message = format!("the diagram `{}` has not been declared yet", text.value);
            let names = self.language.diagrams.keys().map(String::as_str);
            let help = did_you_mean(&text.value, names);
            self.report(&rules::UNDECLARED, text.span, message, &help);
        }
        kind
    }

    /// Reads the text of a required child, and joins its lines.
    fn prose(&mut self, xml: &Xml, name: &str) -> String {
        let text = xml.child(name).map(|child| words_of(&child.text));
        if text.as_ref().is_none_or(String::is_empty) {
            let message = format!("a rule needs the element `{name}`");
            self.report(&rules::MISSING_PART, xml.span, message, "");
        }
        text.unwrap_or_default()
    }

    /// Reads a required text that can contain placeholders in braces.
    fn template(&mut self, xml: &Xml, name: &str) -> String {
        let text = self.prose(xml, name);
        for part in text.split('{').skip(1) {
            let word = part.split_once('}').map_or(part, |(word, _)| word);
            if !PLACEHOLDERS.contains(&word) {
                let span = xml.child(name).map_or(xml.span, |child| child.span);
                let message = format!("`{{{word}}}` is unknown");
                let help = format!("there are {}", PLACEHOLDERS.join(", "));
                self.report(&rules::BAD_VALUE, span, message, &help);
            }
        }
        text
    }
}

/// Returns a question that suggests a similar word; empty if no word is similar.
pub(super) fn did_you_mean<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Cow<'static, str> {
    match similar(word, candidates) {
        Some(found) => Cow::Owned(format!("did you mean `{found}`?")),
        None => Cow::Borrowed(""),
    }
}

/// Joins the words of a text with single spaces.
fn words_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Removes empty lines at both ends, and the indentation that all lines share.
fn unindent(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let least = lines.iter().map(indent).min().unwrap_or(0);
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.get(least..).unwrap_or(line).trim_end())
        .collect();
    lines.join("\n")
}
