//! Implements the `new` command, which writes a first model, a sample, or a crate, with all the
//! files needed to predict and edit it.
//!
//! | module | is |
//! |---|---|
//! | `crates` | crates of stereotypes and hardware models to begin with |

mod crates;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use prophet_files::Stage;

use crate::format::print;
use crate::{CommandOutcome, Door, Stop};
use crates::Example;
use prophet_samples::{SAMPLES, Sample};
use prophet_text::{Problem, did_you_mean, problem};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what"))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct Arguments {
    /// Name of the model and its folder [default: the name of the sample]
    #[arg(value_parser = name, required_unless_present_any = ["sample", "list"])]
    name: Option<String>,
    /// Write the model as text, for an editor, instead of UML
    #[arg(long, group = "what")]
    text: bool,
    /// Write a sample model instead of the first model; `--list` shows them
    #[arg(long, value_name = "SAMPLE", group = "what", value_parser = find_sample)]
    sample: Option<&'static Sample>,
    /// Write a crate with a custom stereotype, and a model that uses it
    #[arg(long, group = "what")]
    vocabulary: bool,
    /// Write a crate with custom hardware models, and a model that uses them
    #[arg(long, group = "what")]
    hardware: bool,
    /// List the sample models
    #[arg(long, group = "what", conflicts_with = "name")]
    list: bool,
}

pub(crate) const MODEL: &str = prophet_samples::first_model::MODEL;
const NAME: &str = "\"FirstModel\"";
const TEXT: &str = prophet_samples::first_model::TEXT;
const TEXT_NAME: &str = "model FirstModel";
const MACHINE: &str = prophet_samples::first_model::MACHINE;
/// The profile. UML tools expect it next to the model.
const PROFILE: &str = prophet_samples::PROFILE;
const PROFILE_NAME: &str = "prophet.profile.uml";

const FLAGS: &str = "--nodes 4 --processes 4 --threads 8";

/// Parses a name that must be valid for files, UML models and crates.
fn name(text: &str) -> Result<String, Problem> {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    if text.starts_with(|it: char| it.is_ascii_alphabetic()) && text.chars().all(is_word) {
        return Ok(text.to_owned());
    }
    if text.contains(['/', '\\']) {
        return Err("expected a name, not a path: the folder is created in the current one".into());
    }
    Err("a name must start with a letter, and contain only letters, digits, `_` and `-`".into())
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    if arguments.list {
        print(&listed_samples())?;
        return Ok(ExitCode::SUCCESS);
    }
    let sample = arguments.sample;
    let name = arguments.name.as_deref().or(sample.map(|it| it.name));
    let name = name.unwrap_or_default();
    let folder = Path::new(name);
    let example = match (arguments.vocabulary, arguments.hardware) {
        (true, _) => Some(crates::VOCABULARY),
        (_, true) => Some(crates::HARDWARE),
        _ => None,
    };
    let new = match (sample, &example) {
        (Some(sample), _) => New::sample(name, sample),
        (None, Some(example)) => New::of_example(door, name, example)?,
        (None, None) => New::first(name, arguments.text),
    };
    write(folder, &new.files).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Stop::input(format!(
            "{name} already exists; choose another name, or remove it"
        )),
        _ => Stop::input(format!("cannot write {name}: {error}")),
    })?;
    for line in new.told {
        prophet_text::tell!("wrote {name}/{line}");
    }
    prophet_text::tell!("next: {} run {}", door.program(), new.command);
    Ok(ExitCode::SUCCESS)
}

#[derive(Debug)]
struct New {
    /// Contents by path within the folder.
    files: Vec<(PathBuf, String)>,
    told: Vec<String>,
    command: String,
}

impl New {
    fn first(name: &str, is_text: bool) -> Self {
        let (ending, model) = if is_text {
            let own = format!("model {name}");
            ("puml", TEXT.replacen(TEXT_NAME, &own, 1))
        } else {
            let own = format!("\"{name}\"");
            ("uml", MODEL.replacen(NAME, &own, 1))
        };
        let tool = if is_text { "an editor" } else { "a UML tool" };
        let mut files = vec![(PathBuf::from(format!("{name}.{ending}")), model)];
        let mut told = vec![format!(
            "{name}.{ending}: a solver with MPI and OpenMP, which you can edit in {tool}"
        )];
        if !is_text {
            files.push((PROFILE_NAME.into(), PROFILE.to_owned()));
            told.push(format!("{PROFILE_NAME}: the stereotypes of its blocks"));
        }
        files.push(("cluster.toml".into(), MACHINE.to_owned()));
        told.push("cluster.toml: a machine to predict for".to_owned());
        let command = format!("{name}/{name}.{ending} -- --machine {name}/cluster.toml {FLAGS}");
        Self {
            files,
            told,
            command,
        }
    }

    fn sample(name: &str, sample: &Sample) -> Self {
        let model = format!("{}.uml", sample.name);
        let mut files = vec![
            (PathBuf::from(&model), sample.text.to_owned()),
            (PROFILE_NAME.into(), PROFILE.to_owned()),
        ];
        let mut told = vec![
            format!("{model}: {}", sample.about),
            format!("{PROFILE_NAME}: the stereotypes of its blocks"),
        ];
        if let Some(page) = sample.page {
            let path = format!("{}.md", sample.name);
            told.push(format!("{path}: a page about the model"));
            files.push((path.into(), page.to_owned()));
        }
        Self {
            files,
            told,
            command: format!("{name}/{model} -- {}", sample.flags),
        }
    }

    fn of_example(door: &dyn Door, name: &str, example: &Example) -> Result<Self, Stop> {
        let mut files = example.files(name, Path::new(name), &door.workspace()?);
        files.push((PROFILE_NAME.into(), PROFILE.to_owned()));
        let (model, vocabulary) = (example.model, example.vocabulary);
        let flags = example.flags.replace("DIR", name);
        Ok(Self {
            files,
            told: vec![
                format!("Cargo.toml, src: {}", example.about()),
                format!("{vocabulary}: pass it to --vocabulary"),
                format!("{model}: a model that uses it"),
            ],
            command: format!("{name}/{model} --vocabulary {name}/{vocabulary} -- {flags}"),
        })
    }
}

/// Writes a new folder, either completely or not at all.
fn write(folder: &Path, files: &[(PathBuf, String)]) -> io::Result<()> {
    fs::create_dir(folder)?;
    let written = fill(folder, files);
    if written.is_err() {
        // The original error is more helpful than one from here.
        let _ = fs::remove_dir_all(folder);
    }
    written
}

fn fill(folder: &Path, files: &[(PathBuf, String)]) -> io::Result<()> {
    let mut stage = Stage::within(folder)?;
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        stage.add(path, text.as_bytes())?;
    }
    stage.commit().map_err(|(_, error)| error)
}

fn find_sample(name: &str) -> Result<&'static Sample, Problem> {
    prophet_samples::find(name).ok_or_else(|| {
        let names: Vec<&str> = SAMPLES.iter().map(|it| it.name).collect();
        let longer = names
            .iter()
            .find(|it| !name.is_empty() && it.starts_with(name));
        let near = match longer {
            Some(longer) => format!("; did you mean `{longer}`?"),
            None => did_you_mean(name, names.iter().copied()),
        };
        if near.is_empty() {
            return problem!("unknown sample; choose one of {}", names.join(", "));
        }
        problem!("unknown sample{near} `new --list` describes all samples")
    })
}

fn listed_samples() -> String {
    let lines = SAMPLES.iter();
    let lines = lines.map(|it| format!("{:<17} {}\n", it.name, it.about));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        for good in ["heat", "Heat-2", "h_"] {
            assert_eq!(name(good), Ok(good.to_owned()));
        }
        for bad in ["", "2d", "-h", "a/b", "..", "a b", "é", "a\"b"] {
            assert!(name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_model_gets_its_name() {
        let folder = tempfile::tempdir().expect("there is room");
        let folder = folder.path().join("heat");
        write(&folder, &New::first("heat", false).files).expect("it can be written");
        let model = fs::read_to_string(folder.join("heat.uml")).expect("it was written");
        assert!(model.contains("<uml:Model xmi:id=\"_Model\" name=\"heat\">"));
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 3);
    }

    #[test]
    fn a_sample_has_its_page_and_its_command() {
        let sample = find_sample("lapw0").expect("it is there");
        let new = New::sample("mine", sample);
        let paths: Vec<_> = new.files.iter().map(|it| it.0.as_path()).collect();
        assert_eq!(
            paths,
            ["lapw0.uml", "prophet.profile.uml", "lapw0.md"].map(Path::new)
        );
        assert_eq!(
            new.command,
            "mine/lapw0.uml -- --nodes 8 --cpus-per-node 4 --nat 32"
        );
    }

    #[test]
    fn a_folder_that_is_there_stays() {
        let folder = tempfile::tempdir().expect("there is room");
        let error = write(folder.path(), &[]).expect_err("it is there");
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert!(folder.path().exists());
    }

    #[test]
    fn a_name_that_is_none_gets_those_that_are() {
        assert!(find_sample("nothing").is_err_and(|it| it.message.contains("lapw0")));
    }
}
