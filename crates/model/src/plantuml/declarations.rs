//! Reads the declarations in a legend: variables, parameters and cost functions, in C syntax.

use super::part::FormElement;
use super::problem;
use super::snippet::Snippet;
use super::words::Declaration;
use crate::diagnostic::Diagnostics;
use crate::path::shorten;
use crate::source::{Span, Text};

const EXPECTED: &str = "write lines such as `parameter int N = 4`, `global double x`, `local int \
                        i`, `double F(int n) { return n; }`, `model NAME`, `main NAME`, and \
                        comments after `//`";

/// Reads a legend. Adds local variables to the `activity`, and everything else to the `model`.
pub(super) fn read(
    legend: Snippet<'_>,
    model: &mut FormElement,
    activity: &mut FormElement,
    diagnostics: &mut Diagnostics,
) {
    let mut rest = legend.trim();
    let mut comment: Option<Text> = None;
    while !rest.text.is_empty() {
        let end = rest.text.find('\n').unwrap_or(rest.text.len());
        let line = rest.part(0, end).trim();
        if let Some(text) = line.after("//") {
            append(&mut comment, text);
            rest = rest.from(end).trim();
            continue;
        }
        let mut declared = None;
        let (next, language) = match line.after("Rust ") {
            Some(behind) => (rest.from(behind.at - rest.at), Some(line.part(0, 4))),
            None => (rest, None),
        };
        let line = next.part(0, end - (next.at - rest.at)).trim();
        if let Some((function, behind)) = function(next, legend, diagnostics) {
            declared = Some(function);
            rest = behind;
        } else {
            rest = rest.from(end).trim();
            let (word, text) = line.word();
            match Declaration::of_name(word) {
                Some(Declaration::Model) => model.set("name", text.value()),
                Some(Declaration::Main) => model.set("main", text.value()),
                Some(of) => declared = variable(of.name(), text, diagnostics),
                None if matches!(word, "string" | "String" | "char" | "str") => {
                    let message = format!("unknown type `{word}`");
                    let help = "use `int`, `double` or `bool`, as in `parameter int N = 4`";
                    diagnostics.push(problem(line.span(), message, help));
                }
                None => {
                    let message = format!("`{}` declares nothing", shorten(line.text));
                    diagnostics.push(problem(line.span(), message, EXPECTED));
                }
            }
        }
        let comment = comment.take();
        if let Some(mut declared) = declared {
            if let Some(language) = language {
                declared.set("language", language.value());
            }
            declared
                .children
                .splice(0..0, comment.map(|it| FormElement::leaf("comment", it)));
            let owner = if declared.role == "local" {
                &mut *activity
            } else {
                &mut *model
            };
            owner.children.push(declared);
        }
    }
}

/// Returns `true` if a legend contains a declaration, even a wrong one. Legends that are only
/// remarks have no line that starts like a declaration.
pub(super) fn declares(legend: Snippet<'_>) -> bool {
    let mut lines = legend.pieces('\n');
    lines.any(|line| {
        let line = line.after("Rust ").unwrap_or(line);
        let word = line.text.split_whitespace().next().unwrap_or_default();
        let is_declared = Declaration::of_name(word).is_some();
        is_declared || head(line).is_some()
    })
}

/// Returns the parameters of the function that starts here, and the text after them; `None` if the
/// text isn't `TYPE NAME(…) {`.
fn head(text: Snippet<'_>) -> Option<(Snippet<'_>, Snippet<'_>)> {
    let end = text.text.find(['\n', '(', '=', '{'])?;
    let (arguments, behind) = text.from(end).parenthesis('(', ')')?;
    behind.text.starts_with('{').then_some((arguments, behind))
}

pub(super) fn is_local(line: Snippet<'_>) -> bool {
    line.after("Rust ")
        .unwrap_or(line)
        .text
        .starts_with("local ")
}

/// Reads `local TYPE NAME`.
pub(super) fn local(line: Snippet<'_>, diagnostics: &mut Diagnostics) -> Option<FormElement> {
    let (line, language) = language(line);
    let text = line.after("local ").unwrap_or(line);
    let mut local = variable("local", text, diagnostics)?;
    if let Some(language) = language {
        local.set("language", language);
    }
    Some(local)
}

fn language(line: Snippet<'_>) -> (Snippet<'_>, Option<Text>) {
    match line.after("Rust ") {
        Some(behind) => (behind, Some(line.part(0, 4).value())),
        None => (line, None),
    }
}

fn append(comment: &mut Option<Text>, line: Snippet<'_>) {
    let line = line.value();
    match comment {
        None => *comment = Some(line),
        Some(comment) => {
            comment.value.push('\n');
            comment.value.push_str(&line.value);
            comment.span = Span::new(comment.span.start, line.span.end);
        }
    }
}

/// Reads a variable: `TYPE NAME` or `TYPE NAME[LENGTH]`, with or without `= VALUE`.
pub(super) fn variable(
    role: &'static str,
    text: Snippet<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<FormElement> {
    let (text, comment) = comment(text);
    let (declared, value) = match text.text.find('=') {
        Some(at) => (text.part(0, at).trim(), Some(text.from(at + 1).trim())),
        None => (text, None),
    };
    let mut variable = FormElement::new(role, text.span());
    let mut declared = declared;
    if let Some(rest) = declared.before("]")
        && let Some(at) = rest.text.rfind('[')
    {
        variable.set("length", rest.from(at + 1).trim().value());
        declared = rest.part(0, at).trim();
    }
    let start = declared.text.rfind(char::is_whitespace);
    let start = start.map_or(0, |at| at + 1);
    let name = declared.from(start).trim();
    let type_name = declared.part(0, start).trim();
    if name.text.is_empty() || name.text.contains(|c: char| "(){};,\"".contains(c)) {
        let message = format!("`{}` does not declare a variable", shorten(text.text));
        diagnostics.push(problem(text.span(), message, EXPECTED));
        return None;
    }
    variable.set("name", name.value());
    if !type_name.text.is_empty() {
        variable.set("type", type_name.value());
    }
    if let Some(value) = value {
        let value = value.before(";").unwrap_or(value);
        variable.set("value", value.value());
    }
    let comment = comment.map(|it| FormElement::leaf("comment", it.value()));
    variable.children.extend(comment);
    Some(variable)
}

fn comment(text: Snippet<'_>) -> (Snippet<'_>, Option<Snippet<'_>>) {
    if let Some(inside) = text.before("*/")
        && let Some(at) = inside.text.rfind("/*")
    {
        return (text.part(0, at).trim(), Some(inside.from(at + 2).trim()));
    }
    match text.text.find(" // ") {
        Some(at) => (text.part(0, at).trim(), Some(text.from(at + 4).trim())),
        None => (text, None),
    }
}

/// Reads `TYPE NAME(ARGUMENTS) { BODY }`, and returns it with the text that follows.
fn function<'s>(
    text: Snippet<'s>,
    legend: Snippet<'s>,
    diagnostics: &mut Diagnostics,
) -> Option<(FormElement, Snippet<'s>)> {
    let end = text.text.find(['\n', '(', '=', '{'])?;
    let (arguments, behind) = text.from(end).parenthesis('(', ')')?;
    let (body, rest) = behind.parenthesis('{', '}')?;
    let head = text.part(0, end).trim();
    let mut function = FormElement::new("function", Span::new(head.at, arguments.span().end + 1));
    let start = head.text.rfind(char::is_whitespace);
    let start = start.map_or(0, |at| at + 1);
    function.set("name", head.from(start).trim().value());
    let result = head.part(0, start).trim();
    if !result.text.is_empty() {
        function.set("result", result.value());
    }
    let arguments = arguments.pieces(',').filter(|it| !it.text.is_empty());
    for argument in arguments {
        let (argument, language) = language(argument);
        if let Some(mut argument) = variable("argument", argument, diagnostics) {
            if let Some(language) = language {
                argument.set("language", language);
            }
            function.children.push(argument);
        }
    }
    function
        .children
        .push(FormElement::leaf("body", body.dedented(legend)));
    let rest = rest.after(";").unwrap_or(rest);
    Some((function, rest))
}
