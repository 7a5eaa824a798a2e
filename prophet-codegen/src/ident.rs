//! Turns a model's names into Rust names.

use prophet_map::Map;
use std::collections::BTreeSet;

/// Maximum length of a name in characters. Words beyond it are dropped.
const LONGEST: usize = 60;

/// Words that can't be names in the 2024 edition, including those that are only allowed as raw
/// identifiers.
const KEYWORDS: &[&str] = &[
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The names that are taken in a namespace.
#[derive(Debug, Clone, Default)]
pub struct Namespace {
    taken: BTreeSet<String>,
    /// The next number to try for each name, because models can repeat a name thousands of times.
    next: Map<String, u32>,
}

impl Namespace {
    /// Creates a namespace in which `names` are already taken.
    pub fn reserving<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let taken = names.into_iter().map(str::to_owned).collect();
        Self {
            taken,
            next: Map::new(),
        }
    }

    /// Returns `true` if `name` is taken.
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Takes `name`, or the first free one of `name_2`, `name_3`, and so on. Returns the name that
    /// it took.
    pub fn take(&mut self, name: &str) -> String {
        let keyword = KEYWORDS.contains(&name);
        let mut unique = if keyword {
            format!("{name}_")
        } else {
            name.to_owned()
        };
        while !self.taken.insert(unique.clone()) {
            let number = self.next.get_or_insert(name.to_owned(), 1);
            *number += 1;
            unique = format!("{name}_{number}");
        }
        unique
    }
}

/// Converts `name` to the name of a function or variable: `CalcMPM` becomes `calc_mpm`. If the
/// result would be empty or start with a digit, `instead` is prepended.
pub fn snake_case(name: &str, instead: &str) -> String {
    words(name, instead).join("_")
}

/// Converts `name` to the name of a constant: `CalcMPM` becomes `CALC_MPM`. If the result would be
/// empty or start with a digit, `instead` is prepended.
pub fn constant_case(name: &str, instead: &str) -> String {
    snake_case(name, instead).to_ascii_uppercase()
}

/// Converts the file name of a model, without its extension, to a crate name that cargo and all
/// file systems accept.
pub fn crate_name(stem: &str) -> String {
    const TAKEN: &[&str] = &[
        "alloc",
        "core",
        "proc_macro",
        "std",
        "test",
        "xtask",
        "aux",
        "con",
        "nul",
        "prn",
        "build",
        "deps",
        "examples",
        "incremental",
    ];
    let lower = stem.to_ascii_lowercase();
    let mut name = words(&lower, "model").join("_");
    // Names of this project's crates, which a model's crate must not take.
    let is_ours = name.starts_with("prophet_");
    if is_ours || TAKEN.contains(&name.as_str()) || KEYWORDS.contains(&name.as_str()) {
        name.push_str("_model");
    }
    name
}

/// Splits a name into lowercase words. If there are none, or the first starts with a digit,
/// `instead` becomes the first word.
fn words(name: &str, instead: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().take(4 * LONGEST).collect();
    let mut words: Vec<String> = Vec::new();
    let mut inside = false;
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_ascii_alphanumeric() {
            inside = false;
            continue;
        }
        let before = at.checked_sub(1).map(|at| chars[at]);
        let behind = chars.get(at + 1);
        // Both `DefVTOT` and `VTOTDef` are two words.
        let begins = c.is_ascii_uppercase()
            && (before.is_some_and(|b| b.is_ascii_lowercase())
                || before.is_some_and(|b| b.is_ascii_uppercase())
                    && behind.is_some_and(char::is_ascii_lowercase));
        if !inside || begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
        inside = true;
    }
    let mut length = 0;
    words.retain(|word| {
        length += word.len() + 1;
        length <= LONGEST
    });
    if words
        .first()
        .is_none_or(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    {
        words.insert(0, instead.to_owned());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases() {
        let cases = [
            ("A1", "a1"),
            ("CalcMPM", "calc_mpm"),
            ("Calculate Multipolmoments", "calculate_multipolmoments"),
            ("Define_Total_Potential_VTOT", "define_total_potential_vtot"),
            ("VTOTDef", "vtot_def"),
            ("2nd step", "element_2nd_step"),
            ("../../x", "x"),
            ("🚀", "element"),
            ("", "element"),
        ];
        for (name, expected) in cases {
            assert_eq!(snake_case(name, "element"), expected, "{name}");
        }
    }

    #[test]
    fn a_taken_name_gets_a_number_and_a_keyword_an_underscore() {
        let mut names = Namespace::default();
        let taken: Vec<String> = ["x", "x", "x", "type", "type"]
            .into_iter()
            .map(|n| names.take(n))
            .collect();
        assert_eq!(taken, ["x", "x_2", "x_3", "type_", "type_2"]);
    }

    #[test]
    fn a_long_name_is_cut() {
        assert!(snake_case(&"Ab".repeat(10_000), "element").len() <= LONGEST);
        assert_eq!(snake_case(&"a".repeat(10_000), "element"), "element");
    }

    #[test]
    fn crates_keep_out_of_the_way_of_others() {
        assert_eq!(crate_name("lapw0"), "lapw0");
        assert_eq!(crate_name("Jacobi 2D"), "jacobi_2d");
        assert_eq!(crate_name("std"), "std_model");
        assert_eq!(crate_name("../.."), "model");
        assert_eq!(crate_name("xtask"), "xtask_model");
        assert_eq!(crate_name("prophet_trace"), "prophet_trace_model");
        assert_eq!(crate_name("Prophet Report"), "prophet_report_model");
    }
}
