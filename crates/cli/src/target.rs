//! Selects targets: built-in ones by name, or targets in users' crates.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use prophet_codegen::target::{Target, Targets};
use prophet_targets::outside::Outside;

use crate::{Door, Stop};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    Shipped(String),
    Crate(PathBuf),
}

/// Parses a [`Choice`]: the name of a target, or otherwise a path.
#[derive(Debug, Clone)]
pub(crate) struct Choices(PossibleValuesParser);

impl Choices {
    /// Returns the built-in targets, and what each of them writes.
    pub(crate) fn shipped() -> Self {
        let value =
            |it: &dyn Target| PossibleValue::new(it.name().to_owned()).help(it.about().to_owned());
        let known = prophet_targets::shipped();
        Self(known.iter().map(value).collect::<Vec<_>>().into())
    }
}

impl TypedValueParser for Choices {
    type Value = Choice;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Choice, clap::Error> {
        let folder = Path::new(value);
        let has_separator = value.to_string_lossy().contains(std::path::is_separator);
        match self.0.parse_ref(command, argument, value) {
            Ok(name) => Ok(Choice::Shipped(name)),
            Err(_) if has_separator || folder.is_dir() => Ok(Choice::Crate(folder.to_owned())),
            Err(error) => Err(error),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// Returns the built-in targets, and those in the chosen crates.
pub(crate) fn known(door: &dyn Door, choices: &[Choice], model: &Path) -> Result<Targets, Stop> {
    let mut known = prophet_targets::shipped();
    for choice in choices {
        if let Choice::Crate(folder) = choice {
            let target = Outside::open(folder, model, &door.workspace()?)?;
            known.add(Box::new(target));
        }
    }
    Ok(known)
}

pub(crate) fn chosen<'t>(known: &'t Targets, choices: &[Choice]) -> Vec<&'t dyn Target> {
    let mut targets: Vec<&dyn Target> = Vec::new();
    let find = |choice: &Choice| match choice {
        Choice::Shipped(name) => known.get(name),
        Choice::Crate(folder) => known.iter().find(|it| Path::new(it.flag()) == folder),
    };
    for target in choices.iter().filter_map(find) {
        if !targets.iter().any(|chosen| chosen.name() == target.name()) {
            targets.push(target);
        }
    }
    targets
}
