//! Turns a model's names into C names.

use prophet_map::Map;
use std::collections::BTreeSet;

/// Maximum length of a name in characters. The rest is cut off.
const LONGEST: usize = 60;

/// Words that can't be names in C23 or C++23.
const KEYWORDS: &[&str] = &include!("keywords.in");

/// Names that the headers of C-family targets declare or define, and names that compilers know
/// without any header: functions, types, variables, and macros, sorted. `tests/tests/c_names.rs`
/// compiles models with such names.
const RESERVED: &[&str] = &include!("reserved.in");

const PREFIXES: &[&str] = &[
    "ADJ_", "ATOMIC_", "BC_", "BOOST_", "CLOCK_", "CLONE_", "CPU_", "FD_", "FP_", "HAVE_", "HUGE_",
    "INT16_", "INT32_", "INT64_", "INT8_", "INTMAX_", "INTPTR_", "INT_", "LC_", "MATH_", "MOD_",
    "MPI_", "M_", "OMP_", "PMPI_", "PRIO_", "PROPHET_", "PTHREAD_", "PTRDIFF_", "RLIMIT_",
    "RUSAGE_", "SCHED_", "SEEK_", "SG_", "SIG_", "SIMGRID_", "SIZE_", "SMPI_", "STA_", "UINT",
    "WCHAR_", "WINT_", "XBT_", "boost_", "builtin_", "clock_", "omp_", "prophet_", "pthread_",
    "s4u_", "sched_", "sg_", "simgrid_", "smpi_", "timer_", "xbt_",
];

/// Returns `true` if this is a word of C or C++, or a name in a library.
fn is_reserved(name: &str) -> bool {
    KEYWORDS.contains(&name)
        || name.ends_with("_t")
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || RESERVED.binary_search(&name).is_ok()
}

/// Converts `name` to a C identifier: letters, digits, and single `_`. `instead` replaces an empty
/// name, and is prepended to one that starts with a digit. Names that belong to the language or a
/// library get a trailing `_`.
pub fn identifier(name: &str, instead: &str) -> String {
    let mut identifier = String::new();
    for c in name.chars().take(LONGEST) {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        // Names with `__` or a leading `_` are reserved for compilers.
        if c != '_' || !identifier.is_empty() && !identifier.ends_with('_') {
            identifier.push(c);
        }
    }
    if identifier.is_empty() || identifier.starts_with(|c: char| c.is_ascii_digit()) {
        identifier.insert_str(0, instead);
    }
    if is_reserved(&identifier) {
        identifier.push(if identifier.ends_with('_') { 'x' } else { '_' });
    }
    identifier
}

/// The names taken in a scope.
#[derive(Debug, Clone, Default)]
pub struct Names {
    taken: BTreeSet<String>,
    /// The next free number for each name, because models can have thousands of elements with the
    /// same name.
    next: Map<String, u32>,
}

impl Names {
    /// Creates a scope in which `names` are taken.
    pub fn reserving<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            taken: names.into_iter().map(str::to_owned).collect(),
            next: Map::new(),
        }
    }

    /// Makes `name` unavailable.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Makes a name available again.
    pub fn release(&mut self, name: &str) {
        self.taken.remove(name);
    }

    /// Returns `true` if `name` is taken.
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Takes `name`, or the first free one of `name_2`, `name_3`, and so on.
    pub fn take(&mut self, name: &str) -> String {
        self.take_where(name, |_| true)
    }

    /// Like [`Self::take`], but only takes a name that `is_free` accepts.
    pub fn take_where(&mut self, name: &str, is_free: impl Fn(&str) -> bool) -> String {
        let mut unique = name.to_owned();
        let stem = name.trim_end_matches('_');
        if self.taken.contains(name) || !is_free(name) {
            unique = format!("{stem}_2");
        }
        while !is_free(&unique) || !self.taken.insert(unique.clone()) {
            let number = self.next.get_or_insert(name.to_owned(), 2);
            *number += 1;
            unique = format!("{stem}_{number}");
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
            ("free", "free_"),
            ("printf", "printf_"),
            ("sqrtf", "sqrtf_"),
            ("INT64_MAX", "INT64_MAX_"),
            ("size_t", "size_t_"),
            ("prophet_div", "prophet_div_"),
            ("MPI_", "MPI_x"),
            ("half", "half"),
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
        assert_eq!(names.take("x_"), "x_");
        assert_eq!(names.take("x_"), "x_3");
        names.release("x");
        assert_eq!(names.take("x"), "x");
        assert_eq!(names.take("x"), "x_4");
    }

    #[test]
    fn reserved_names_are_in_order() {
        assert!(RESERVED.is_sorted());
    }
}
