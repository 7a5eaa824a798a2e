//! Writes variables and functions in C syntax.

use std::fmt::Write as _;

use prophet_codegen::model::{Code, CostFunction, Language, Variable};

use super::escape;

/// Returns the lines for a variable in a legend. Its comment comes first.
pub(super) fn variable(role: &str, variable: &Variable) -> Vec<String> {
    let mut lines = comment(variable.comment.as_deref());
    lines.push(format!(
        "{}{role} {}",
        language(variable),
        declared(variable)
    ));
    lines
}

/// Returns the declaration of a variable in a single line. Its comment is at the end.
pub(super) fn in_line(variable: &Variable) -> String {
    let declared = format!("{}local {}", language(variable), declared(variable));
    match &variable.comment {
        None => declared,
        Some(comment) => format!("{declared} // {}", escape::inline(comment)),
    }
}

/// Returns the declaration of a function's argument, with its comment.
fn argument(argument: &Variable) -> String {
    let declared = format!("{}{}", language(argument), declared(argument));
    match &argument.comment {
        None => declared,
        Some(comment) => {
            let comment = escape::without(&escape::inline(comment), "(),*");
            format!("{declared} /* {comment} */")
        }
    }
}

fn declared(variable: &Variable) -> String {
    let type_name = &variable.type_name.value;
    let name = escape::inline(&variable.name.value);
    let mut text = match type_name.as_str() {
        "" => name,
        type_name => format!("{} {name}", escape::inline(type_name)),
    };
    if let Some(length) = variable.length {
        let _ = write!(text, "[{length}]");
    }
    if let Some(Code { text: value, .. }) = &variable.default {
        text.push_str(" = ");
        text.push_str(&escape::inline(&value.value));
    }
    text
}

pub(super) fn function(function: &CostFunction) -> Vec<String> {
    let mut lines = comment(function.comment.as_deref());
    let result = match &function.result {
        Some(result) => format!("{} ", escape::inline(&result.value)),
        None => String::new(),
    };
    let arguments: Vec<String> = function.parameters.iter().map(argument).collect();
    let body = escape::paired(&function.body.text.value, '{', '}');
    let body = escape::lines(&body);
    let head = format!(
        "{}{result}{}({})",
        in_language(function.body.language),
        escape::inline(&function.name.value),
        arguments.join(", ")
    );
    if body.contains('\n') {
        lines.push(format!("{head} {{"));
        lines.extend(body.lines().map(|line| format!("  {line}")));
        lines.push("}".to_owned());
    } else {
        lines.push(format!("{head} {{ {body} }}"));
    }
    lines
}

fn comment(comment: Option<&str>) -> Vec<String> {
    let line = |line: &str| format!("// {}", escape::inline(line)).trim_end().to_owned();
    comment
        .map(|it| it.lines().map(line).collect())
        .unwrap_or_default()
}

fn language(variable: &Variable) -> &'static str {
    let value = variable.default.as_ref();
    value.map_or("", |it| in_language(it.language))
}

fn in_language(language: Language) -> &'static str {
    match language {
        Language::C => "",
        Language::Rust => "Rust ",
    }
}
