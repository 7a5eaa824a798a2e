//! Runs the command `learn`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use prophet_import::{ModelForm, RankRule, model_name, refuse_existing, trace};
use prophet_text::{Context as _, Problem, counted, problem};

use crate::learn;

/// Create one model from recordings with different numbers of ranks
#[derive(Debug, clap::Parser)]
#[command(name = "learn", version)]
pub struct Learn {
    /// Recordings of one program with different numbers of ranks
    #[arg(required = true, value_name = "RECORDING")]
    recordings: Vec<PathBuf>,
    /// The model to write: FILE.uml as UML 2, FILE.puml as text, FILE.prophet.xml in plain XML
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    /// Write the model even if it fails its test at a recorded size
    #[arg(long)]
    keep: bool,
    /// Set the numbers of ranks that the program supports: powers-of-2, squares or cubes
    #[arg(long, value_name = "RULE", value_parser = rule)]
    ranks: Option<RankRule>,
}

fn rule(text: &str) -> Result<RankRule, Problem> {
    let names = RankRule::ALL.map(RankRule::name).join(", ");
    RankRule::of_name(text).ok_or_else(|| problem!("expected one of {names}, found `{text}`"))
}

/// Learns a model, and writes it.
///
/// # Errors
///
/// Returns an error if the recordings can't be read, or give no model, or it can't be written.
pub fn run(arguments: &Learn) -> Result<ExitCode, Problem> {
    let out = &arguments.out;
    let form = ModelForm::of(out)?;
    for recording in &arguments.recordings {
        trace::inputs(recording).refuse([("--out", out)])?;
    }
    if !arguments.force {
        refuse_existing(out)?;
    }
    let told = (arguments.ranks, arguments.keep);
    let learned = learn::learn(&arguments.recordings, (&name(out), out), told)?;
    let sizes: Vec<String> = learned.sizes.iter().map(u32::to_string).collect();
    let from = format!("recordings of {} ranks", sizes.join(", "));
    let text = form.of_xml(learned.folded.text.clone(), &from);
    let text = text.cannot("write", out.display())?;
    form.write(out, text)?;
    prophet_text::tell!(
        "wrote {}: {} of {} ranks in {}",
        out.display(),
        counted(learned.folded.events, "event", "events"),
        sizes.join(", "),
        counted(learned.folded.elements as u64, "element", "elements")
    );
    note(&learned);
    Ok(ExitCode::SUCCESS)
}

fn note(learned: &learn::Learned) {
    for note in &learned.notes {
        prophet_text::tell!("note: {}", prophet_text::plain::line(note));
    }
    let listed = &learned.folded.listed;
    if listed.is_empty() {
        return;
    }
    let named = learned.folded.some_listed("; ");
    prophet_text::tell!(
        "note: no general rule was found for {} ({named}): the model lists what the recorded ranks \
         did there; with other numbers of ranks, every rank behaves like the average rank",
        counted(listed.len() as u64, "element", "elements")
    );
}

fn name(out: &Path) -> String {
    let stem = out.file_name().unwrap_or_default().to_string_lossy();
    let stem = stem.split('.').next().unwrap_or_default();
    model_name(stem, "Learned")
}
