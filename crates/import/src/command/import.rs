//! Fold of a trace into the file of a model.

use std::path::{Path, PathBuf};

use prophet_files::is_same_file;
use prophet_text::{count, counted};

use crate::{Trace, fold};

/// Most elements that are named in a message.
const NAMED: usize = 8;

#[derive(Debug, clap::Args)]
pub(super) struct Import {
    /// The trace: a file, a file that lists those of the ranks, or the folder of these
    #[arg(required = true)]
    trace: Option<PathBuf>,
    /// The model to write, in the plain XML form
    #[arg(long, required = true, value_name = "FILE.prophet.xml")]
    out: Option<PathBuf>,
}

/// Folds the trace; gives the exit code.
pub(super) fn run(arguments: &Import) -> Result<u8, String> {
    let (Some(path), Some(out)) = (&arguments.trace, &arguments.out) else {
        return Err("a trace and `--out` are required".to_owned());
    };
    if out.extension().is_none_or(|it| it != "xml") {
        let out = out.display();
        return Err(format!(
            "{out} is no name of a model in XML, such as model.prophet.xml"
        ));
    }
    if is_same_file(path, out) {
        return Err(format!("--out is {} itself", path.display()));
    }
    let trace = Trace::open(path).map_err(|it| it.to_string())?;
    let folded = fold(&trace, &name(path))?;
    let written = prophet_files::write(out, folded.text.as_bytes());
    written.map_err(|error| format!("cannot write {}: {error}", out.display()))?;
    eprintln!(
        "wrote {}: {} of {} in {}",
        out.display(),
        counted(folded.events, "event", "events"),
        counted(u64::from(folded.ranks), "rank", "ranks"),
        counted(folded.elements as u64, "element", "elements")
    );
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
    Ok(0)
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
