//! Compares a model's prediction with recordings of the program that it describes.

use prophet_text::Problem;
use std::collections::BTreeMap;
use std::path::Path;

use prophet_import::Recording;
use prophet_record::compare_recording;
use prophet_runtime::RunHandle;
use serde::Deserialize;

use crate::answer::{Answer, told_of};
use crate::dropped::Dropped;
use crate::imported::{in_words, unpacked};
use crate::predict::{interpreted, words};
use crate::shared::Shared;

/// A request to compare the files of a recording with a prediction.
#[derive(Debug, Deserialize)]
struct ValidateRequest {
    #[serde(default)]
    flags: BTreeMap<String, String>,
}

/// Answers with the predicted and the recorded times, in the form that `validate --recording`
/// prints.
pub(crate) fn answer(shared: &Shared, body: &[u8]) -> Answer {
    told_of(Dropped::read(body), |dropped| validated(shared, &dropped))
}

fn validated(shared: &Shared, dropped: &Dropped<'_, ValidateRequest>) -> Result<String, Problem> {
    let (here, _) = unpacked(&dropped.files)?;
    // A recording of a single rank is a single file.
    let first = here.path().join(&dropped.files[0].name);
    let recording = Recording::open(first.parent().unwrap_or(here.path()));
    let recording = recording.map_err(|why| in_words(why, here.path()))?;
    let (checked, _) = shared.program();
    let words = words(&checked, &dropped.request.flags, shared.folder())?;
    let program = checked.program.as_ref().ok_or("the model has problems")?;
    let ran = interpreted(&checked)?.evaluate(words, &RunHandle::default())?;
    if let Some(error) = ran.failed {
        return Err(error.into());
    }
    let outcome = &ran.prediction.outcome;
    let compared = compare_recording((program, outcome), (Path::new("the recording"), &recording))?;
    Ok(compared.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::folder::Folder;
    use crate::language::Language;
    use crate::session::Session;

    const PROGRAM: &str = "#include <mpi.h>\nint main(int n, char **words) {\n\
        MPI_Init(&n, &words); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize();\n}\n";

    /// A model whose processes compute for 2 s.
    const MODEL: &str = "<model xmlns='http:///schemas/prophet/model/1' name='m' main='Main'>\
        <activity name='Main'><action name='A' stereotype='action+' cost='2'/>\
        <action name='B' stereotype='barrier'/><final/></activity></model>";

    fn asked(shared: &Shared, files: &[(String, Vec<u8>)], nodes: &str) -> (u16, Value) {
        let named = files
            .iter()
            .map(|(name, it)| json!({ "name": name, "length": it.len() }));
        let named: Vec<Value> = named.collect();
        let head = json!({ "flags": { "nodes": nodes }, "files": named });
        let mut body = format!("{head}\n").into_bytes();
        body.extend(files.iter().flat_map(|it| &it.1));
        let answer = answer(shared, &body);
        let value = serde_json::from_slice(answer.body()).unwrap();
        (answer.status().as_u16(), value)
    }

    #[test]
    fn a_recording_is_beside_the_prediction() {
        if !prophet_testing::has("mpicc", "--version") {
            return;
        }
        let here = tempfile::tempdir().unwrap();
        fs::write(here.path().join("p.c"), PROGRAM).unwrap();
        let mut compiler = Command::new("mpicc");
        compiler.current_dir(here.path()).args(["p.c", "-o", "p"]);
        assert!(compiler.status().unwrap().success());
        let [out, program] = ["out", "p"].map(|it| here.path().join(it).into_os_string());
        let words = [
            "record",
            "--out",
            "OUT",
            "--",
            "mpirun",
            "--oversubscribe",
            "-n",
            "2",
            "PROGRAM",
        ];
        let words = words.map(|word| match word {
            "OUT" => out.clone(),
            "PROGRAM" => program.clone(),
            _ => word.into(),
        });
        let words = <prophet_record::command::Record as clap::Parser>::parse_from(words);
        prophet_record::command::record(&words).unwrap();
        let entries = fs::read_dir(&out).unwrap().map(|it| it.unwrap().path());
        let files = entries.map(|it| {
            let name = it.file_name().unwrap().to_string_lossy();
            (format!("recording/{name}"), fs::read(&it).unwrap())
        });
        let files: Vec<_> = files.collect();
        let path = here.path().join("m.prophet.xml");
        let session = Session::of(path, MODEL.as_bytes(), None, &Language::shipped()).unwrap();
        let folder = Arc::new(Folder::open(here.path()).unwrap());
        let shared = Shared::new(session, folder);
        let (status, told) = asked(&shared, &files, "2");
        let text = told.as_str().unwrap_or_default();
        assert_eq!(status, 200, "{told}");
        assert!(text.contains("Predicted 2.000 s, recorded "), "{text}");
        let (status, told) = asked(&shared, &files, "3");
        let why = "the recording has 2 ranks, but the prediction has 3 processes: predict for the \
                   same number, for example with `--nodes 2`";
        assert_eq!((status, told["error"].as_str()), (422, Some(why)));
        let (_, told) = asked(&shared, &files[1..], "2");
        assert!(
            told["error"].as_str().unwrap().contains("is missing"),
            "{told}"
        );
    }
}
