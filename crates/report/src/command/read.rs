//! Reads traces and results.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use crate::page::{self, Data};
use crate::{Extras, of_trace};
use prophet_files::{Inputs, expect};
use prophet_result::RunResult;
use prophet_text::{Context as _, FileKind, Problem};
use prophet_trace::{ReadError, TraceReader};

use super::result::{Kept, evaluation, is_draw, is_told_by, kept, of_result, of_run};

const RESULT_MAX: u64 = 1 << 30;
const ARROW: &[u8] = b"ARROW1";

/// Reads the data of one or more pages from a file, with a name for each. The file is a trace, a
/// JSON result, or an export of runs. The traces of exported runs are added to `inputs`.
///
/// # Errors
///
/// Returns an error with the file's name if the file can't be read or isn't any of these.
pub(crate) fn read(path: &Path, inputs: &mut Inputs) -> Result<Vec<(String, Data)>, Problem> {
    expect(
        path,
        &[FileKind::Recorded, FileKind::Outcome, FileKind::Json],
    )?;
    let mut file = prophet_files::open(path)?;
    pages(path, &mut file, inputs).context(format_args!("`{}`", path.display()))
}

/// Returns the pages in a file. Errors don't contain the file's name.
fn pages(
    path: &Path,
    file: &mut File,
    inputs: &mut Inputs,
) -> Result<Vec<(String, Data)>, Problem> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let mut start = Vec::new();
    let head = ARROW.len() as u64;
    let read = Read::by_ref(file).take(head).read_to_end(&mut start);
    let read = read.and_then(|_| file.rewind());
    read.told()?;
    // A file with only this start is a truncated trace.
    if start == ARROW {
        let reader = TraceReader::open(path);
        let data = reader.and_then(|mut reader| of_trace(&mut reader, Extras::default()));
        return Ok(vec![(name, data.told()?)]);
    }
    let mut text = String::new();
    match file.take(RESULT_MAX).read_to_string(&mut text) {
        Ok(_) if text.starts_with('[') => {
            let kept = kept(&text)?;
            inputs.extend(kept.iter().filter_map(|it| it.trace.as_deref()));
            kept.into_iter().map(of_kept).collect()
        }
        Ok(_) => Ok(vec![(name, of_result(&text)?)]),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err("this is neither a trace nor a JSON result".into())
        }
        Err(error) => Err(error).told(),
    }
}

/// Builds the page of a saved run. Uses the run's trace if it still exists.
fn of_kept(kept: Kept) -> Result<(String, Data), Problem> {
    let name = format!("run {}", kept.id);
    let Some(trace) = &kept.trace else {
        return Ok((name, of_run(kept.result)?));
    };
    match of_its_trace(Path::new(trace), &kept.result) {
        Ok(data) => Ok((name, data)),
        Err(why) => {
            let mut data = of_run(kept.result)?;
            data.notes
                .insert(0, format!("The trace of {name}, `{trace}`, {why}"));
            Ok((name, data))
        }
    }
}

/// Reads the trace of a run. If that isn't possible, returns the reason as the end of a sentence.
fn of_its_trace(path: &Path, run: &RunResult<'_>) -> Result<Data, &'static str> {
    // Untrusted results can name a pipe, which would block.
    if path.exists() && !path.is_file() {
        return Err("is not a regular file.");
    }
    let mut reader = match TraceReader::open(path) {
        Ok(reader) => reader,
        Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
            return Err("no longer exists: it was moved or deleted.");
        }
        Err(ReadError::Truncated) => return Err("is cut off."),
        Err(_) => return Err("can no longer be read."),
    };
    if !is_told_by(run, reader.header(), reader.results()) {
        return Err("now belongs to another run.");
    }
    let extras = Extras {
        evaluation: evaluation(run),
        is_random: is_draw(run),
        energy: page::energy_facts(run.energy.as_ref(), run.cost.as_ref()),
        ..Extras::default()
    };
    of_trace(&mut reader, extras).map_err(|_| "is damaged.")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use prophet_trace::{Header, Record, Results, TraceWriter, UnitState};

    use super::*;

    fn refused(name: &str, content: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let message = read(&path, &mut Inputs::default()).unwrap_err().to_string();
        message.replace(folder.path().to_str().unwrap(), "…")
    }

    #[test]
    fn what_is_no_trace_and_no_result_is_refused() {
        let empty = refused("some.file", b"");
        let expected = "cannot read …/some.file: it is empty; record it again, or write a trace \
                        with `run MODEL --trace run.arrow`";
        assert_eq!(empty, expected);
        for (content, expected) in [
            (&b"ARROW1\0\0"[..], "the trace is cut off"),
            (b"\x80\xfe", "neither a trace nor a JSON result"),
            (
                b"{\"model\": 1}",
                "neither a trace nor a JSON result: expected text in quotes, found 1",
            ),
        ] {
            let message = refused("some.file", content);
            assert!(message.starts_with("`…/some.file`: "), "{message}");
            assert!(message.contains(expected), "{message}");
        }
        let message = read(Path::new("no/such"), &mut Inputs::default())
            .unwrap_err()
            .to_string();
        assert!(message.starts_with("cannot read no/such: "), "{message}");
    }

    fn exported(trace: &Path, predicted_s: f64) -> String {
        let result = serde_json::json!({
            "model": "Pi", "predicted_time_s": predicted_s, "seed": 0,
            "system": {"nodes": 1, "cpus_per_node": 1, "processes": 1, "threads": 1},
        });
        serde_json::json!([{ "id": 3, "trace": trace, "result": result }]).to_string()
    }

    fn write_trace(path: &Path) {
        let header = Header {
            model: "Pi".to_owned(),
            ..Header::default()
        };
        let mut writer = TraceWriter::new(fs::File::create(path).unwrap(), header).unwrap();
        let row = Record::new(0, 0, UnitState::Compute, 0.0, 1.5);
        writer.write(&[row]).unwrap();
        let results = Results {
            predicted_time_s: 1.5,
            complete: true,
            ..Results::default()
        };
        writer.finish(results).unwrap();
    }

    #[test]
    fn a_kept_run_is_told_by_its_trace_if_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let (trace, file) = (folder.path().join("a.arrow"), folder.path().join("3"));
        let told = |predicted_s| {
            fs::write(&file, exported(&trace, predicted_s)).unwrap();
            let (name, data) = read(&file, &mut Inputs::default()).unwrap().remove(0);
            assert_eq!(name, "run 3");
            (data.critical_path.is_some(), data.notes.into_iter().next())
        };
        let why = |(is_whole, note): (bool, Option<String>)| {
            assert!(!is_whole);
            let note = note.unwrap().replace(trace.to_str().unwrap(), "…");
            note.replace("The trace of run 3, `…`, ", "")
        };
        assert_eq!(why(told(1.5)), "no longer exists: it was moved or deleted.");
        write_trace(&trace);
        assert_eq!(told(1.5), (true, None));
        assert_eq!(why(told(1.75)), "now belongs to another run.");
        let length = fs::metadata(&trace).unwrap().len();
        let cut = fs::File::options().write(true).open(&trace).unwrap();
        cut.set_len(length - 10).unwrap();
        assert_eq!(why(told(1.5)), "is cut off.");
        fs::write(&trace, "something else").unwrap();
        assert_eq!(why(told(1.5)), "can no longer be read.");
    }
}
