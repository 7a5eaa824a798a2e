//! Fold of a trace into the file of a model.

use std::path::{Path, PathBuf};

use prophet_files::holds_something;
use prophet_text::{count, counted};

use super::refuse_input;
use crate::{Folded, Form, Trace, fold};

/// Most elements that are named in a message.
const NAMED: usize = 8;

#[derive(Debug, clap::Args)]
pub(super) struct Import {
    /// The trace: a file, a file that lists those of the ranks, or the folder of these
    #[arg(required = true)]
    trace: Option<PathBuf>,
    /// The model to write: FILE.prophet.xml in plain XML, FILE.puml as text, FILE.uml as UML 2
    #[arg(long, required = true, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it is there already
    #[arg(long)]
    force: bool,
}

/// Folds the trace; gives the exit code.
pub(super) fn run(arguments: &Import) -> Result<u8, String> {
    let (Some(path), Some(out)) = (&arguments.trace, &arguments.out) else {
        return Err("a trace and `--out` are required".to_owned());
    };
    let form = Form::of(out)?;
    refuse_input("--out", out, path)?;
    if !arguments.force && holds_something(out) {
        return Err(format!(
            "{} is there already, and may have been changed since; `--force` replaces it",
            out.display()
        ));
    }
    let trace = Trace::open(path).map_err(|it| it.to_string())?;
    let folded = fold(&trace, &name(path))?;
    write(&folded, form, path, out)?;
    eprintln!(
        "wrote {}: {} of {} in {}",
        out.display(),
        counted(folded.events, "event", "events"),
        counted(u64::from(folded.ranks), "rank", "ranks"),
        counted(folded.elements as u64, "element", "elements")
    );
    note(&folded);
    Ok(0)
}

/// Writes the model.
fn write(folded: &Folded, form: Form, trace: &Path, out: &Path) -> Result<(), String> {
    let from = trace.file_name().unwrap_or_default().to_string_lossy();
    let text = form.of_xml(folded.text.clone(), &from).map_err(|why| {
        let other = match form {
            Form::Xml => "",
            Form::Text | Form::Uml => "; --out FILE.prophet.xml may have room for it",
        };
        format!("cannot write {}: {why}{other}", out.display())
    })?;
    form.write(out, text)
}

/// Tells where the model lists ranks.
fn note(folded: &Folded) {
    if !folded.listed.is_empty() {
        let named = folded
            .listed
            .iter()
            .take(NAMED)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        let more = if folded.listed.len() > NAMED {
            ", …"
        } else {
            ""
        };
        eprintln!(
            "note: no formula was found for {} ({named}{more}): there the model lists ranks, and \
             is right for {} only",
            counted(folded.listed.len() as u64, "element", "elements"),
            count(u64::from(folded.ranks))
        );
    }
}

/// A name for the model: that of the file, as a word.
fn name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_word = |it: char| it.is_ascii_alphanumeric();
    let name: String = stem
        .chars()
        .map(|it| if is_word(it) { it } else { '_' })
        .collect();
    if name.starts_with(|it: char| it.is_ascii_alphabetic()) {
        name
    } else {
        format!("Trace_{name}")
    }
}
