//! Command `new`: a first model, and what it needs to be predicted and drawn on.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

use prophet_files::Stage;

use crate::{Door, Outcome, Stop};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the model, and of the folder to make for it
    #[arg(value_parser = name)]
    name: String,
    /// Write it as text, for an editor, in place of UML
    #[arg(long)]
    text: bool,
}

/// The first model, a hybrid of MPI and OpenMP, and the name that it has there.
pub(crate) const MODEL: &str = include_str!("../first-model/model.uml");
const NAME: &str = "\"FirstModel\"";
/// First model as text, the same one.
const TEXT: &str = include_str!("../first-model/model.puml");
const TEXT_NAME: &str = "model FirstModel";
/// A machine to predict for.
const MACHINE: &str = include_str!("../first-model/cluster.toml");
/// The profile, which UML tools look for beside the model.
const PROFILE: &str = include_str!("../../../sample-models/prophet.profile.uml");

/// Flags of the prediction that is proposed.
const FLAGS: &str = "--nodes 4 --processes 4 --threads 8";

/// Reads a name that a file, a UML model and a crate can have.
fn name(text: &str) -> Result<String, String> {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    if text.starts_with(|it: char| it.is_ascii_alphabetic()) && text.chars().all(is_word) {
        return Ok(text.to_owned());
    }
    Err("a name begins with a letter, and has only letters, digits, `_` and `-`".to_owned())
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> Outcome {
    let name = &arguments.name;
    let folder = Path::new(name);
    write(folder, name, arguments.text).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Stop::input(format!(
            "{name} is there already; choose another name, or remove it"
        )),
        _ => Stop::input(format!("cannot write {name}: {error}")),
    })?;
    let program = door.program();
    let ending = if arguments.text {
        eprintln!("wrote {name}/{name}.puml: a solver with MPI and OpenMP, to change in an editor");
        "puml"
    } else {
        eprintln!(
            "wrote {name}/{name}.uml: a solver with MPI and OpenMP, to change in a UML tool\n\
             wrote {name}/prophet.profile.uml: the stereotypes of its blocks"
        );
        "uml"
    };
    eprintln!(
        "wrote {name}/cluster.toml: a machine to predict for\n\
         next: {program} run {name}/{name}.{ending} -- --machine {name}/cluster.toml {FLAGS}"
    );
    Ok(ExitCode::SUCCESS)
}

/// Writes the folder, which is not there yet: all of it or nothing.
fn write(folder: &Path, name: &str, is_text: bool) -> io::Result<()> {
    fs::create_dir(folder)?;
    let written = fill(folder, name, is_text);
    if written.is_err() {
        // The reason of the failure says more than this one.
        let _ = fs::remove_dir_all(folder);
    }
    written
}

fn fill(folder: &Path, name: &str, is_text: bool) -> io::Result<()> {
    let mut stage = Stage::within(folder)?;
    if is_text {
        let model = TEXT.replacen(TEXT_NAME, &format!("model {name}"), 1);
        stage.add(folder.join(format!("{name}.puml")), model.as_bytes())?;
    } else {
        let model = MODEL.replacen(NAME, &format!("\"{name}\""), 1);
        stage.add(folder.join(format!("{name}.uml")), model.as_bytes())?;
        stage.add(folder.join("prophet.profile.uml"), PROFILE.as_bytes())?;
    }
    stage.add(folder.join("cluster.toml"), MACHINE.as_bytes())?;
    stage.commit().map_err(|(_, error)| error)
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
        write(&folder, "heat", false).expect("it can be written");
        let model = fs::read_to_string(folder.join("heat.uml")).expect("it was written");
        assert!(model.contains("<uml:Model xmi:id=\"_Model\" name=\"heat\">"));
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 3);
    }

    #[test]
    fn a_folder_that_is_there_stays() {
        let folder = tempfile::tempdir().expect("there is room");
        let error = write(folder.path(), "heat", false).expect_err("it is there");
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert!(folder.path().exists());
    }
}
