//! Fold of a trace into the file of a model.

use std::path::{Path, PathBuf};

use prophet_targets::form::{ModelForm, refuse_existing};
use prophet_text::Problem;

use crate::{Folded, ImportedTrace, fold, model_name, trace};

#[derive(Debug, clap::Args)]
pub(super) struct Import {
    /// The trace: a file, a file that lists the ranks' files, or the folder of these files
    #[arg(required = true)]
    trace: Option<PathBuf>,
    /// The model to write: FILE.prophet.xml in plain XML, FILE.puml as text, FILE.uml as UML 2
    #[arg(long, required = true, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it is there already
    #[arg(long)]
    force: bool,
}

/// Folds the trace; returns the exit code.
pub(super) fn run(arguments: &Import) -> Result<u8, Problem> {
    let (Some(path), Some(out)) = (&arguments.trace, &arguments.out) else {
        return Err("a trace and `--out` are required".into());
    };
    let form = ModelForm::of(out)?;
    trace::inputs(path).refuse([("--out", out)])?;
    if !arguments.force {
        refuse_existing(out)?;
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folded = fold(&ImportedTrace::open(path)?, &model_name(&stem, "Trace"))?;
    write(&folded, form, path, out)?;
    prophet_text::tell!("wrote {}: {}", out.display(), folded.sizes());
    if let Some(remark) = folded.remark() {
        prophet_text::tell!("note: {remark}");
    }
    Ok(0)
}

fn write(folded: &Folded, form: ModelForm, trace: &Path, out: &Path) -> Result<(), Problem> {
    let from = trace.file_name().unwrap_or_default().to_string_lossy();
    let text = form.of_xml(folded.text.clone(), &from).map_err(|why| {
        let other = match form {
            ModelForm::Xml => "",
            ModelForm::Text | ModelForm::Uml => "; --out FILE.prophet.xml may have room for it",
        };
        format!("cannot write {}: {why}{other}", out.display())
    })?;
    form.write(out, text)
}
