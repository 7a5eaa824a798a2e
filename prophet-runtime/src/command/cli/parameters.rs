//! Builds a program's command line: the flags that all programs have, a flag for each parameter of
//! the model, and `--set`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::{Display, Write};

use clap::{Arg, ArgAction, ArgMatches, Command};
use prophet_machine::quantity::quoted;
use prophet_machine::value::Value;
use prophet_result::flag_name;
use prophet_text::{columns, did_you_mean};

use super::fixed::{output_arguments, size_arguments};
use super::flag::invalid;
use super::machine;
use crate::language::model::{Model, Parameter};

/// Heading of the flags of parameters.
const HEADING: &str = "Parameters of the model";

/// Width of the help on a parameter, in columns.
const HELP_WIDTH: usize = 48;

pub(super) fn command(model: &Model, flags: &ParameterFlags) -> Command {
    let mut command = Command::new(model.name)
        .about(format!(
            "Predicts the run time of the program that the model {} describes",
            model.name
        ))
        .version(env!("CARGO_PKG_VERSION"))
        .args(size_arguments())
        .args(machine::arguments(model.hardware))
        .args(flags.arguments(model))
        .args(output_arguments());
    if let Some(help) = flags.help_of_taken(model) {
        command = command.after_help(help);
    }
    command
}

/// Returns the command line with only those flags that don't depend on the model.
pub fn command_line() -> Command {
    command(&Model::new("", &[], 0), &ParameterFlags::default())
}

/// Returns the names of the flags that all programs have. A parameter with such a name has no flag
/// of its own. Users set it with `--set`.
pub fn system_flags() -> BTreeSet<String> {
    let mut command = command_line();
    // Clap adds its own flags only here.
    command.build();
    let names = command.get_arguments().filter_map(Arg::get_long);
    names.map(str::to_owned).collect()
}

/// Returns a warning for each flag on the command line that belongs to the command itself but is
/// named like a parameter. Such a flag doesn't set the parameter.
pub fn taken_flags<'a>(
    parameters: impl IntoIterator<Item = &'a str>,
    is_own: impl Fn(&str) -> bool,
    words: &[OsString],
) -> Vec<String> {
    let words: Vec<_> = words.iter().map(|it| it.to_string_lossy()).collect();
    let warning = |name: &str| {
        let flag = flag_name(name);
        let is_set = |it: &str| {
            let set = it.trim_start_matches("--set=");
            set.strip_prefix(name).is_some_and(|it| it.starts_with('='))
        };
        if !is_own(&flag) || words.iter().any(|it| is_set(it)) {
            return None;
        }
        let value = |at: usize| {
            let given = words[at].strip_prefix("--")?.strip_prefix(&*flag)?;
            match given.strip_prefix('=') {
                Some(value) => Some(value),
                None if given.is_empty() => Some(words.get(at + 1).map_or("", |it| it)),
                None => None,
            }
        };
        let value = (0..words.len()).find_map(value)?;
        let is_value = !value.is_empty() && !value.starts_with("--");
        let value = quoted(if is_value { value } else { "VALUE" });
        let name = quoted(name);
        Some(format!(
            "`--{flag}` is a flag of the command, so the parameter {name} keeps its value; use \
             `--set {name}={value}` to set it"
        ))
    };
    parameters.into_iter().filter_map(warning).collect()
}

/// The flags of a model's parameters, by index. If a parameter's name is already taken, it has no
/// flag.
#[derive(Default)]
pub(super) struct ParameterFlags {
    flags: Vec<Option<String>>,
}

impl ParameterFlags {
    pub(super) fn new(model: &Model) -> Self {
        let flags = flags(model.parameters);
        Self { flags }
    }

    /// Returns warnings about flags that are named like parameters.
    pub(super) fn warnings(&self, model: &Model, words: &[OsString]) -> Vec<String> {
        let taken = self.flags.iter().zip(model.parameters);
        let taken: Vec<&str> = { taken.filter(|(flag, _)| flag.is_none()) }
            .map(|(_, it)| it.name)
            .collect();
        if taken.is_empty() {
            return Vec::new();
        }
        let own = system_flags();
        taken_flags(taken, |it| own.contains(it), words)
    }

    /// Returns an argument for each parameter's flag, and for `--set` and `--config`.
    pub(super) fn arguments(&self, model: &Model) -> Vec<Arg> {
        let set = Arg::new("set")
            .long("set")
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .help_heading(HEADING)
            .help("Set a parameter by its name in the model");
        let config = Arg::new("config")
            .long("config")
            .value_name("FILE|NAME")
            .help_heading(HEADING)
            .help(
                "Take a language model's sizes from its\n\
                 config.json or a name such as llama-3-8b",
            );
        let flags = self.flags.iter().zip(model.parameters).enumerate();
        flags
            .filter_map(|(index, (flag, parameter))| {
                let default = parameter.default;
                let argument = Arg::new(id(index))
                    .long(flag.clone()?)
                    .value_name(default.type_name())
                    .allow_negative_numbers(true)
                    .value_parser(move |text: &str| default.parse(text))
                    .help_heading(HEADING)
                    .help(help(parameter));
                Some(match default {
                    Value::Bool(_) => argument.num_args(0..=1).default_missing_value("true"),
                    _ => argument,
                })
            })
            .chain([config, set])
            .collect()
    }

    /// Returns the help on parameters without a flag of their own, if there are any.
    pub(super) fn help_of_taken(&self, model: &Model) -> Option<String> {
        let mut help = String::new();
        for (flag, parameter) in self.flags.iter().zip(model.parameters) {
            if flag.is_none() {
                let (name, kind) = (parameter.name, parameter.default.type_name());
                let fallback = fallback(parameter);
                // Writing to a string can't fail.
                let _ = write!(help, "\n  --set {name}=<{kind}>  [{fallback}]");
                for line in wrapped(parameter.about, HELP_WIDTH) {
                    let _ = write!(help, "\n          {line}");
                }
            }
        }
        let heading = "Parameters whose names are taken by other flags:";
        (!help.is_empty()).then(|| format!("{heading}{help}"))
    }

    /// Returns the parameters' values by index, with `None` for those that no flag sets.
    pub(super) fn given(
        &self,
        model: &Model,
        matches: &ArgMatches,
    ) -> Result<Vec<Option<Value>>, String> {
        let mut values: Vec<Option<Value>> = self
            .flags
            .iter()
            .enumerate()
            .map(|(index, flag)| {
                flag.as_ref()
                    .and_then(|_| matches.get_one::<Value>(&id(index)).copied())
            })
            .collect();
        for assignment in matches.get_many::<String>("set").into_iter().flatten() {
            let (index, value) = assigned(model, assignment)?;
            if values
                .get_mut(index)
                .and_then(|slot| slot.replace(value))
                .is_some()
            {
                let name = assignment.split('=').next().unwrap_or(assignment);
                return Err(format!("the parameter `{}` is set twice", quoted(name)));
            }
        }
        Ok(values)
    }
}

/// Returns `true` if the flag belongs to the model, not to all programs.
pub(super) fn is_parameter(argument: &Arg) -> bool {
    argument.get_help_heading() == Some(HEADING)
}

/// Returns the flags of parameters by index, with `None` for names that are taken.
fn flags(parameters: &[Parameter]) -> Vec<Option<String>> {
    let mut taken = system_flags();
    taken.insert(String::new());
    let flags = parameters.iter().map(|parameter| {
        let flag = flag_name(parameter.name);
        taken.insert(flag.clone()).then_some(flag)
    });
    flags.collect()
}

/// Completes the values from flags with the model's defaults.
///
/// # Errors
///
/// Returns a message about a parameter that has no value.
pub(super) fn complete(
    parameters: &[Parameter],
    given: &[Option<Value>],
) -> Result<Vec<Value>, String> {
    let all = parameters.iter().zip(given);
    let value = |(parameter, given): (&Parameter, &Option<Value>)| {
        let has_default = !parameter.is_required;
        given.or_else(|| has_default.then_some(parameter.default))
    };
    let values: Vec<Option<Value>> = all.map(value).collect();
    let missing = values.iter().position(Option::is_none);
    missing.map_or(Ok(()), |index| Err(without_value(parameters, index)))?;
    Ok(values.into_iter().flatten().collect())
}

/// Returns the message about a parameter without a value, which names the flag to set it with.
fn without_value(parameters: &[Parameter], index: usize) -> String {
    let Parameter { name, default, .. } = parameters[index];
    let (name, kind) = (quoted(name), default.type_name());
    let flag = match &flags(parameters)[index] {
        Some(flag) => format!("--{flag} <{kind}>"),
        None => format!("--set {name}=<{kind}>"),
    };
    format!("the parameter `{name}` has no value: pass {flag}")
}

fn help(parameter: &Parameter) -> String {
    let mut lines = vec![format!("{} [{}]", parameter.name, fallback(parameter))];
    lines.extend(wrapped(parameter.about, HELP_WIDTH));
    lines.join("\n")
}

/// Wraps a text at `width` columns. Longer words aren't broken.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn fallback(parameter: &Parameter) -> String {
    if parameter.is_required {
        return "required".to_owned();
    }
    format!("default: {}", parameter.default)
}

/// Parses `NAME=VALUE` into the parameter's index and its value.
fn assigned(model: &Model, assignment: &str) -> Result<(usize, Value), String> {
    let invalid = |problem: &dyn Display| invalid("--set", assignment, problem);
    let (name, text) = assignment
        .split_once('=')
        .ok_or_else(|| invalid(&"expected NAME=VALUE"))?;
    let found = model
        .parameters
        .iter()
        .enumerate()
        .find(|(_, known)| known.name == name);
    let Some((index, parameter)) = found else {
        let names: Vec<&str> = model.parameters.iter().map(|known| known.name).collect();
        let known = match names.as_slice() {
            [] => "; it has no parameters".to_owned(),
            names => format!(
                " ({}){}",
                listed(names),
                did_you_mean(name, names.iter().copied())
            ),
        };
        let name = quoted(name);
        return Err(invalid(&format_args!(
            "the model has no parameter `{name}`{known}"
        )));
    };
    let value = parameter
        .default
        .parse(text)
        .map_err(|error| invalid(&error))?;
    Ok((index, value))
}

fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 10;
    let mut list = names
        .iter()
        .take(SHOWN)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > SHOWN {
        list.push_str(", …");
    }
    list
}

/// Returns the id of a parameter's argument. It contains a blank, so it can't clash with a flag.
fn id(index: usize) -> String {
    format!("parameter {index}")
}
