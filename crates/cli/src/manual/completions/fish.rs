//! Writes the completions for fish that `clap_complete` lacks: for flags of the model's program,
//! because fish doesn't complete flags after `--`, and for values without a flag.

use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::{Arg, Command};

use super::PROGRAM;

const CHOOSE: &str = include_str!("../shells/choose.fish");

pub(super) fn completions(commands: &Command, program: &Command) -> String {
    let mut script = CHOOSE.to_owned();
    for argument in program.get_arguments() {
        let Some(flag) = argument.get_long() else {
            continue;
        };
        let help = argument.get_help().map_or(String::new(), quoted);
        let condition = "__fish_performance_prophet_of_program";
        put(&mut script, condition, &format!("--{flag} -d {help}"));
        if let Some(values) = values(argument) {
            put(&mut script, &format!("'{condition} {flag}'"), &values);
        }
    }
    for command in commands.get_subcommands() {
        for values in command.get_positionals().filter_map(values) {
            let name = command.get_name();
            let condition = format!("'__fish_performance_prophet_using_subcommand {name}'");
            put(&mut script, &condition, &values);
        }
    }
    script
}

/// Makes fish suggest words, but not files, where a condition holds.
fn put(script: &mut String, condition: &str, words: &str) {
    let _ = writeln!(script, "complete -c {PROGRAM} -n {condition} -f -a {words}");
}

/// Returns the possible values of an argument; `None` if there is no fixed list.
fn values(argument: &Arg) -> Option<String> {
    let values = argument.get_possible_values();
    let values = values.iter().filter(|value| !value.is_hide_set());
    let values: Vec<&str> = values.map(clap::builder::PossibleValue::get_name).collect();
    (!values.is_empty()).then(|| format!("'{}'", values.join(" ")))
}

/// Quotes a text as a single word for fish, on one line.
fn quoted(text: &StyledStr) -> String {
    let line = text.to_string().replace('\n', " ");
    format!("'{}'", line.replace('\\', "\\\\").replace('\'', "\\'"))
}
