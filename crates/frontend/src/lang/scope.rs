//! Defines the names that a piece of code can use.

use crate::index::{FunctionIndex, TableIndex};
use std::collections::BTreeMap;

use super::ir::{Signature, System, Type, Variable};
use super::screen::MAX_BYTES;
use super::token::{Token, TokenKind, tokens};
use prophet_model::model::Language;

/// The names in scope. System-defined names, C functions and random variates are always available,
/// unless a name here shadows them.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Variables by name.
    pub variables: BTreeMap<String, Binding>,
    /// Cost functions by name, each as its index in the program and its signature.
    pub functions: BTreeMap<String, (FunctionIndex, Signature)>,
    /// Tables for `interpolate` by file name, including tables that can't be read. Each has its
    /// index in the program, and the number of values that a lookup takes; `None` if the table
    /// can't be read.
    pub tables: BTreeMap<String, (TableIndex, Option<usize>)>,
    /// Whether the code is the source or tag of a receive, where `ANY` is allowed.
    pub takes_any: bool,
}

impl Scope {
    /// Iterates over the system-defined names that are available in this scope.
    pub(super) fn system(&self) -> impl Iterator<Item = System> {
        let here = |system: &System| *system != System::Any || self.takes_any;
        System::ALL.into_iter().filter(here)
    }
}

/// What the name of a variable refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The variable.
    pub variable: Variable,
    /// Type of the variable.
    pub ty: Type,
    /// Whether the code can assign to the variable.
    pub writable: bool,
}

/// Returns the type that a name stands for, in any supported language: `double`, `Real`, `EDouble`
/// or `f64`; `int`, `long`, `Integer`, `EInt` or `i64`; `bool`, `Boolean` or `EBoolean`.
pub fn type_by_name(name: &str) -> Option<Type> {
    let words: Vec<&str> = name.split_ascii_whitespace().collect();
    let whole = words.join(" ");
    Some(match whole.as_str() {
        "double" | "float" | "long double" | "Real" | "real" | "Double" | "Float" | "EDouble"
        | "EFloat" | "EDoubleObject" | "EFloatObject" | "EBigDecimal" | "f64" | "f32" => Type::Real,
        "bool" | "_Bool" | "boolean" | "Boolean" | "EBoolean" | "EBooleanObject" => Type::Bool,
        "Integer" | "integer" | "Int" | "Long" | "Short" | "UnlimitedNatural" | "EInt"
        | "ELong" | "EShort" | "EIntegerObject" | "ELongObject" | "EShortObject"
        | "EBigInteger" | "i64" | "i32" | "i16" | "u64" | "u32" | "u16" | "usize" | "isize" => {
            Type::Int
        }
        _ => {
            let integer = |word: &&str| {
                matches!(*word, "int" | "long" | "short" | "signed" | "unsigned") || is_sized(word)
            };
            if words.is_empty() || words.len() > 4 || !words.iter().all(integer) {
                return None;
            }
            Type::Int
        }
    })
}

/// Returns `true` for C's integer types with a name for their size or use, such as `int32_t`.
pub(super) fn is_sized(word: &str) -> bool {
    matches!(
        word,
        "int8_t"
            | "int16_t"
            | "int32_t"
            | "int64_t"
            | "uint8_t"
            | "uint16_t"
            | "uint32_t"
            | "uint64_t"
            | "size_t"
            | "ssize_t"
            | "ptrdiff_t"
    )
}

/// Lists the files in all `interpolate("…", …)` calls of a piece of code, so that the tables can be
/// read before the code is checked.
pub fn table_names(text: &str) -> Vec<String> {
    if !text.contains("interpolate") || text.len() > MAX_BYTES {
        return Vec::new();
    }
    let mut names: Vec<String> = Vec::new();
    let tokens = tokens(text, Language::C).list;
    for window in tokens.windows(3) {
        if let [function, bracket, file] = window
            && function.text == "interpolate"
            && bracket.is_mark("(")
            && let Some(name) = plain_string(file)
            && !names.iter().any(|n| n == name)
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// Returns the text of a string; `None` if it contains escapes.
pub(super) fn plain_string<'a>(string: &Token<'a>) -> Option<&'a str> {
    let inner = string.text.strip_prefix('"')?.strip_suffix('"')?;
    (string.kind == TokenKind::String && !inner.contains('\\')).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_many_names() {
        for (name, ty) in [
            ("double", Some(Type::Real)),
            ("Real", Some(Type::Real)),
            ("EDouble", Some(Type::Real)),
            ("f64", Some(Type::Real)),
            ("int", Some(Type::Int)),
            ("unsigned  long int", Some(Type::Int)),
            ("size_t", Some(Type::Int)),
            ("EInt", Some(Type::Int)),
            ("UnlimitedNatural", Some(Type::Int)),
            ("bool", Some(Type::Bool)),
            ("Boolean", Some(Type::Bool)),
            ("String", None),
            ("int*", None),
            ("", None),
        ] {
            assert_eq!(type_by_name(name), ty, "{name}");
        }
    }

    #[test]
    fn tables_are_found_without_a_parser() {
        let text = r#"interpolate("a.csv", 1) /* interpolate("no.csv", 1) */
            + interpolate ( "größe.csv", interpolate("a.csv", 2)) + interpolate(x) + f("b.csv", 3)
            + interpolate("back\\slash.csv", 1)"#;
        assert_eq!(table_names(text), ["a.csv", "größe.csv"]);
        assert!(table_names("interpolate(\"open").is_empty());
    }
}
