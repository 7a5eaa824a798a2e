//! Says in plain words what a command line lacks.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command};

use crate::flags::apart;

/// Begins of what a command line can lack, and what to write. Everything else is explained by its
/// help.
const ADVICE: [(&str, &str); 10] = [
    (
        "<--to",
        "say what to do with the trace, such as `--summary`, or `--to perfetto --out run.json`",
    ),
    (
        "<--list",
        "say what to do with the cache: `--list` or `--clear`",
    ),
    ("--to", "name a format, such as `--to perfetto`"),
    ("--out", "name the file to write, such as `--out FILE`"),
    (
        "--assume",
        "--fix and --assume-cost need it; add `--assume`",
    ),
    ("--free", "name a parameter to fit, such as `--free T_CELL`"),
    (
        "--runs",
        "name the file of measured runs, such as `--runs times.csv`",
    ),
    (
        "<MODEL>",
        "name a model; `new heat` creates a first one, heat/heat.uml",
    ),
    ("<SIMULATOR>", "write `compare simgrid MODEL`"),
    (
        "<RUN>",
        "name a run by its number, such as 1; `runs list` shows all",
    ),
];

/// Parses a command line, of which the first word is the name of the program. If it is wrong, the
/// program ends with a message.
pub fn parsed(command: &Command, words: Vec<OsString>) -> ArgMatches {
    let words = apart(command, words);
    let mut command = command.clone();
    let found = command.try_get_matches_from_mut(&words);
    found.unwrap_or_else(|error| {
        command.build();
        reworded(error, &command, &words).exit()
    })
}

fn reworded(mut error: clap::Error, command: &Command, words: &[OsString]) -> clap::Error {
    let mut own = command;
    for word in words.iter().skip(1) {
        own = own.find_subcommand(word).unwrap_or(own);
    }
    if error.kind() == ErrorKind::UnknownArgument {
        // Clap advises to write `-- --flag`, which rarely helps.
        error.remove(ContextKind::Suggested);
        return error;
    }
    let strings = |kind| match error.get(kind) {
        Some(ContextValue::Strings(found)) => found.as_slice(),
        Some(ContextValue::String(found)) => std::slice::from_ref(found),
        _ => &[],
    };
    let names = strings(ContextKind::InvalidArg);
    let lines: Vec<String> = match error.kind() {
        ErrorKind::MissingRequiredArgument => names.iter().map(|it| lacking(it, own)).collect(),
        ErrorKind::InvalidValue => {
            let given = strings(ContextKind::InvalidValue).join(" ");
            let known = strings(ContextKind::ValidValue).first();
            match (names, known) {
                ([name], _) if given.is_empty() => vec![format!("'{name}' needs a value")],
                ([name], Some(known)) if name.starts_with('<') && Path::new(&given).exists() => {
                    let (own, given) = (own.get_name(), prophet_text::plain::line(&given));
                    vec![format!(
                        "expected {name}, found `{given}`: write `{own} {known} {given}`"
                    )]
                }
                _ => return error,
            }
        }
        _ => return error,
    };
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => format!("{usage}\n\n"),
        _ => String::new(),
    };
    let lines = lines.join("\n  ");
    let text = format!("{lines}\n\n{usage}For more information, try '--help'.\n");
    clap::Error::raw(error.kind(), text)
}

/// Says what is missing, and what to write.
fn lacking(name: &str, command: &Command) -> String {
    let advice = ADVICE.iter().find(|(start, _)| name.starts_with(start));
    let arguments = || command.get_arguments();
    // The usage of an error has `<NAME>` for `[NAME]`.
    let bare = |name: &str| name.trim_matches(['<', '>', '[', ']', '.']).to_owned();
    let help = || { arguments().find(|it| bare(&it.to_string()) == bare(name)) }?.get_help();
    let advice = match advice {
        Some((_, advice)) => (*advice).to_owned(),
        None => help().map(ToString::to_string).unwrap_or_default(),
    };
    format!("missing {name}: {advice}")
}

#[cfg(test)]
mod tests {
    use clap::Subcommand as _;

    use super::*;

    #[test]
    fn what_is_missing_is_named_with_what_to_write() {
        for (words, expected) in [
            ("check", "missing <MODEL>: name a model; `new heat` creates"),
            (
                "check m.puml --fix",
                "missing --assume: --fix and --assume-cost need it",
            ),
            #[cfg(feature = "whole")]
            ("fit m.puml --runs t.csv", "--free T_CELL"),
            #[cfg(feature = "whole")]
            ("fit", "missing <FILE>...: Files of measurements"),
            #[cfg(feature = "whole")]
            ("import", "such as `--out FILE`\n  missing <TRACE>: "),
            #[cfg(feature = "whole")]
            (
                "compare Cargo.toml",
                "found `Cargo.toml`: write `compare simgrid Cargo.toml`",
            ),
        ] {
            let mut command = crate::Command::augment_subcommands(Command::new("p"));
            let words: Vec<_> = format!("p {words}")
                .split(' ')
                .map(OsString::from)
                .collect();
            let error = command.try_get_matches_from_mut(&words);
            command.build();
            let text = reworded(error.expect_err("it is wrong"), &command, &words).to_string();
            assert!(text.contains(expected), "{text}");
            let has_usage = text.contains("\n\nUsage: p ");
            assert_eq!(has_usage, text.contains("missing"), "{text}");
        }
    }
}
