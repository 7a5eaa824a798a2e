//! Every kind of problem that the tool can report, by the stage that finds it.
//!
//! | codes | stage |
//! |---|---|
//! | `PM00xx` | [`xmi`]: reading the file |
//! | `PM01xx` | [`model`]: what the UML says |
//! | `PM02xx` | [`lang`]: the cost language |
//! | `PM03xx` | [`flow`]: control flow |
//! | `PM04xx` | [`element`]: performance elements and their tags |
//! | `PM05xx` | [`output`]: writing |
//! | `PM06xx` | [`program`]: names, types and calls |
//! | `PM07xx` | [`rules`]: reading rule files |
//! | `PM10xx` | [`target`]: what a target cannot express |
//! | `PM11xx` | [`marte`]: annotations of MARTE |
//!
//! The rules of the checker have codes of their own, in `rules/*.mcl.xml`: `PM08xx` for UML,
//! `PM09xx` for the domain.

/// Declares the rules of a stage, each by its severity, name, code and summary.
macro_rules! catalogue {
    ($($severity:ident $name:ident $code:literal $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub const $name: crate::diagnostic::Rule = super::$severity($code, $summary);
        )*

        /// The rules of this stage, by code.
        pub(super) const RULES: &[&crate::diagnostic::Rule] = &[$(&$name),*];
    };
}
use catalogue;

pub mod element;
pub mod flow;
pub mod lang;
pub mod marte;
pub mod model;
pub mod output;
pub mod program;
pub mod rules;
pub mod target;
pub mod xmi;

use super::{Rule, Severity};

/// Creates a rule whose violation stops the generator.
const fn error(code: &'static str, summary: &'static str) -> Rule {
    Rule {
        code,
        severity: Severity::Error,
        summary,
    }
}

/// Creates a rule whose violation is only reported.
const fn warning(code: &'static str, summary: &'static str) -> Rule {
    Rule {
        code,
        severity: Severity::Warning,
        summary,
    }
}

/// All rules, by code.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [
        xmi::RULES,
        model::RULES,
        lang::RULES,
        flow::RULES,
        element::RULES,
        output::RULES,
        program::RULES,
        rules::RULES,
        target::RULES,
        marte::RULES,
    ]
    .into_iter()
    .flatten()
    .copied()
}
