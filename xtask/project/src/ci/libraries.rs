//! Checks the licenses, names and sources of third-party libraries against `deny.toml`.
//!
//! `cargo deny check` reads the same file and checks advisories too, but it takes minutes to
//! compile and needs network access.

use std::path::Path;

use prophet_text::Context as _;
use serde::Deserialize;

use crate::Stop;

/// The rules in `deny.toml` that are checked here.
#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Banned>,
}

#[derive(Deserialize)]
struct Banned {
    name: String,
}

/// Checks all libraries that the workspace's crates depend on.
pub(super) fn check(root: &Path) -> Result<(), Stop> {
    eprintln!("ci: libraries: deny.toml");
    let file = root.join("deny.toml");
    let text = std::fs::read_to_string(&file).cannot("read", file.display())?;
    let rules: Rules = toml::from_str(&text).context(file.display())?;
    let arguments = [
        "tree",
        "--locked",
        "--workspace",
        "--all-features",
        "--prefix",
        "none",
        "--no-dedupe",
        "--format",
        "{p}|{l}",
    ];
    let tree = super::cargo_output(&arguments, root)?;
    let problems = problems(&rules, &tree);
    if problems.is_empty() {
        return Ok(());
    }
    Err(Stop::input(problems.join("\n")))
}

/// Returns everything that the rules don't allow, without duplicates.
fn problems(rules: &Rules, tree: &str) -> Vec<String> {
    let mut problems: Vec<String> = Vec::new();
    for (package, license) in tree.lines().filter_map(|line| line.split_once('|')) {
        if package.contains("://") {
            problems.push(format!("{package} does not come from the registry"));
        } else if package.contains("(/") {
            continue; // A crate of the workspace, with its folder.
        }
        let name = package.split(' ').next().unwrap_or(package);
        if rules.bans.deny.iter().any(|it| it.name == name) {
            problems.push(format!("{package} is banned"));
        }
        let is_allowed = |license: &str| rules.licenses.allow.iter().any(|it| it == license);
        if !allows(license, &is_allowed) {
            problems.push(format!(
                "the license of {package} is not allowed: {license}"
            ));
        }
    }
    problems.sort();
    problems.dedup();
    problems
}

/// Returns `true` if an SPDX expression is satisfied by the allowed licenses.
fn allows(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    // Older packages contain `/` instead of `OR`.
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let holds = any(&mut words, is_allowed);
    holds && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut holds = all(words, is_allowed);
    while words.next_if_eq(&"OR").is_some() {
        holds |= all(words, is_allowed);
    }
    holds
}

fn all(words: &mut Words<'_>, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut holds = one(words, is_allowed);
    while words.next_if_eq(&"AND").is_some() {
        holds &= one(words, is_allowed);
    }
    holds
}

fn one(words: &mut Words<'_>, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let holds = any(words, is_allowed);
        return words.next_if_eq(&")").is_some() && holds;
    }
    let Some(name) = words.next() else {
        return false;
    };
    match words.next_if_eq(&"WITH").and_then(|_| words.next()) {
        Some(exception) => is_allowed(&format!("{name} WITH {exception}")),
        None => is_allowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_licenses_are_read() {
        let allowed = |license: &str| ["MIT", "ISC", "A WITH B"].contains(&license);
        for text in [
            "MIT",
            "GPL OR MIT",
            "GPL/MIT",
            "(GPL OR ISC) AND MIT",
            "A WITH B",
        ] {
            assert!(allows(text, &allowed), "{text}");
        }
        for text in [
            "GPL",
            "GPL AND MIT",
            "MIT AND (GPL OR A)",
            "A",
            "",
            "(MIT",
            "MIT ISC",
        ] {
            assert!(!allows(text, &allowed), "{text}");
        }
    }

    #[test]
    fn libraries_that_break_a_rule_are_named_once() {
        let rules: Rules =
            toml::from_str("[licenses]\nallow = [\"MIT\"]\n[bans]\ndeny = [{ name = \"ssl\" }]")
                .expect("it is valid");
        let tree = "ours v0.1.0 (/a/ours)|MIT OR Apache-2.0\nfine v1.0.0|MIT\nbad v1.0.0|GPL\n\
                    bad v1.0.0|GPL\nssl v2.0.0|MIT\ngit v1.0.0 (https://a/b#c)|MIT\n";
        let expected = [
            "git v1.0.0 (https://a/b#c) does not come from the registry",
            "ssl v2.0.0 is banned",
            "the license of bad v1.0.0 is not allowed: GPL",
        ];
        assert_eq!(problems(&rules, tree), expected);
    }
}
