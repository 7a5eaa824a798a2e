//! Implements `check --summary`, which lists the parts of a model file that were read or skipped.

use std::path::Path;
use std::process::ExitCode;

use prophet_codegen::diagnostic::{Diagnostics, render_human};
use prophet_codegen::vocabulary::Vocabulary;
use prophet_model::xmi;

use crate::CommandOutcome;
use crate::format::print;

pub(crate) fn run(
    vocabulary: &Vocabulary,
    model: &Path,
    main: Option<&str>,
    as_json: bool,
) -> CommandOutcome {
    let source = xmi::load(model)?;
    let mut diagnostics = Diagnostics::new();
    let (model, summary) = xmi::read_with_summary(vocabulary, &source, main, &mut diagnostics);
    let text = if as_json {
        summary.to_json()
    } else {
        summary.to_text()
    };
    print(&text)?;
    let is_wrong = model.is_none() || diagnostics.has_errors();
    prophet_text::say_styled(&render_human(&source, &diagnostics.sorted(), false));
    Ok(ExitCode::from(u8::from(is_wrong)))
}
