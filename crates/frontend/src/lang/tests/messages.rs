//! Tests messages, the text that they point at, and their help texts.

use super::{As, read};
use prophet_model::model::Language;

/// Checks a table. Each line `kind> code` (`⏎` for a line break) is followed by the expected
/// reports.
fn check(language: Language, table: &str) {
    let mut actual = String::new();
    for line in table.lines() {
        let Some((kind, text)) = line.split_once('>') else {
            continue;
        };
        let read_as = match kind {
            "value" => As::Real,
            "fragment" => As::Fragment,
            "body" => As::Body,
            _ => continue,
        };
        let text = text.trim_start();
        let (_, messages) = read(&text.replace('⏎', "\n"), language, read_as);
        actual.push_str(line);
        actual.push('\n');
        for message in messages {
            let message = message.replace("; ", "\n        ");
            actual.push_str("    ");
            actual.push_str(&message);
            actual.push('\n');
        }
    }
    assert!(actual == table, "the table should be:\n{actual}");
}

#[test]
fn problems_of_c_are_told() {
    for table in [
        include_str!("messages/c_syntax.txt"),
        include_str!("messages/c_refuses_what_is_foreign.txt"),
        include_str!("messages/c_names_and_types.txt"),
        include_str!("messages/c_statements.txt"),
        include_str!("messages/operations_c.txt"),
    ] {
        check(Language::C, table);
    }
}

#[test]
fn problems_of_rust_are_told() {
    for table in [
        include_str!("messages/rust_syntax_and_foreign_forms.txt"),
        include_str!("messages/rust_names_and_types.txt"),
        include_str!("messages/operations_rust.txt"),
    ] {
        check(Language::Rust, table);
    }
}
