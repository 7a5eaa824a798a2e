//! Reads texts as models, and finds out why some can be viewed but not edited.

use std::path::Path;

use prophet_edit::Outline;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_source};
use prophet_model::diagnostic::{Diagnostics, Severity};
use prophet_model::model::Model;
use prophet_model::source::Source;
use prophet_model::xmi::{self, with_files_beside};

pub(crate) fn check(rules: &RuleSet, path: &Path, text: &str) -> Checked {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let source = with_files_beside(Source::new(name, text), path);
    check_source(rules, source, folder(path), None)
}

pub(crate) fn read(rules: &RuleSet, source: &Source) -> Option<Model> {
    let mut unused = Diagnostics::new();
    xmi::read_with(rules.vocabulary(), source, None, &mut unused)
}

pub(crate) fn errors(checked: &Checked) -> impl Iterator<Item = (&str, &str)> {
    let problems = checked.diagnostics.iter();
    let errors = problems.filter(|it| it.severity == Severity::Error);
    errors.map(|it| (&*it.code, &*it.message))
}

pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Returns why a text can't be edited; `None` if it can.
pub(crate) fn reason(text: &str) -> Option<String> {
    let head: String = text.chars().take(4096).collect();
    let is_old = head.contains("xmi.version") || head.contains("omg.org/UML1");
    if is_old {
        return Some("UML 1 files are read-only".to_owned());
    }
    if !head.contains("XMI") && !head.contains("xmi") {
        return Some("only XMI files can be edited; other files are read-only".to_owned());
    }
    // Models can be read even if a tool failed to escape a character, but edits need valid XML.
    match Outline::read(text) {
        Err(why) => Some(format!("{why}; such files are read-only")),
        Ok(outline) if outline.lacks_ids() => {
            Some("files with nodes without ids are read-only".to_owned())
        }
        Ok(_) => None,
    }
}
