//! C names for the names of a model.

use crate::map::Map;
use std::collections::BTreeSet;

/// How long a name may become; the rest is cut off.
const LONGEST: usize = 60;

/// Words that cannot be names in C23 or C++23.
const KEYWORDS: &[&str] = &[
    "_",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// `name` as C can have it: letters, digits and single `_`; `instead` stands before a digit, or
/// where nothing is left. A keyword gets a `_` behind it.
pub fn identifier(name: &str, instead: &str) -> String {
    let mut identifier = String::new();
    for c in name.chars().take(LONGEST) {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        // Names with `__`, or with `_` in front, belong to the compiler.
        if c != '_' || !identifier.is_empty() && !identifier.ends_with('_') {
            identifier.push(c);
        }
    }
    if identifier.is_empty() || identifier.starts_with(|c: char| c.is_ascii_digit()) {
        identifier.insert_str(0, instead);
    }
    if KEYWORDS.contains(&identifier.as_str()) {
        identifier.push('_');
    }
    identifier
}

/// Names that are taken in one scope.
#[derive(Debug, Clone, Default)]
pub struct Names {
    taken: BTreeSet<String>,
    /// The number that the next of a name may get: models have thousands of the same.
    next: Map<String, u32>,
}

impl Names {
    /// A scope in which `names` are taken.
    pub fn reserving<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            taken: names.into_iter().map(str::to_owned).collect(),
            next: Map::new(),
        }
    }

    /// Keeps `name` from being taken.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Lets a name be taken again.
    pub fn release(&mut self, name: &str) {
        self.taken.remove(name);
    }

    /// Whether `name` is taken.
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Takes `name`, or the first of `name_2`, `name_3`, … that is free.
    pub fn take(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        if self.taken.contains(name) {
            unique = format!("{name}_2");
        }
        while !self.taken.insert(unique.clone()) {
            let number = self.next.get_or_insert(name.to_owned(), 2);
            *number += 1;
            unique = format!("{name}_{number}");
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_cs_own() {
        for (name, expected) in [
            ("GV", "GV"),
            ("Receive I2", "Receive_I2"),
            ("_x__y", "x_y"),
            ("class", "class_"),
            ("2nd step", "x2nd_step"),
            ("🚀", "x"),
            ("", "x"),
        ] {
            assert_eq!(identifier(name, "x"), expected, "{name}");
        }
        assert!(identifier(&"a".repeat(1000), "x").len() <= LONGEST);
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let mut names = Names::reserving(["pid"]);
        let taken: Vec<String> = ["x", "x", "A1", "A1", "pid"]
            .into_iter()
            .map(|name| names.take(name))
            .collect();
        assert_eq!(taken, ["x", "x_2", "A1", "A1_2", "pid_2"]);
        names.release("x");
        assert_eq!(names.take("x"), "x");
        assert_eq!(names.take("x"), "x_3");
    }
}
