//! Generates files from a model for any target, to download from the page.

use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use http::header::CONTENT_DISPOSITION;
use http::{HeaderValue, StatusCode};
use prophet_codegen::generate::{crate_name, files};
use prophet_codegen::target::rust::Rust;
use prophet_codegen::target::{Files, Input, Target};
use prophet_codegen::vocabulary::Vocabulary;
use prophet_codegen::workspace::Workspace;
use prophet_frontend::checked::Checked;
use prophet_model::diagnostic::{Diagnostics, Severity};
use prophet_text::{Context as _, Problem};
use serde::{Deserialize, Serialize};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

use crate::answer::{Answer, refused, typed};
use crate::predict::scratch;
use crate::shared::Shared;

#[derive(Debug, Serialize)]
pub(crate) struct Offered {
    pub(crate) name: String,
    pub(crate) about: String,
}

/// A download. A single file is sent unchanged. Several files are packed into an archive.
#[derive(Debug)]
pub(crate) struct Download {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Answers with a download, or with the reason why there is none.
pub(crate) fn told(made: Result<Download, Problem>) -> Answer {
    let Download { name, bytes } = match made {
        Ok(download) => download,
        Err(why) => return refused(StatusCode::UNPROCESSABLE_ENTITY, why),
    };
    let mut answer = typed("application/octet-stream", bytes);
    let disposition = format!("attachment; filename=\"{name}\"");
    if let Ok(disposition) = HeaderValue::try_from(disposition) {
        let headers = answer.headers_mut();
        headers.insert(CONTENT_DISPOSITION, disposition);
    }
    answer
}

/// Lists the targets as on the command line. The crate is offered only if the runtime's location is
/// known.
pub(crate) fn offered(workspace: Option<&Workspace>) -> Vec<Offered> {
    let targets = prophet_targets::shipped();
    let has_runtime = workspace.is_some();
    let possible = targets
        .iter()
        .filter(|it| has_runtime || it.name() != Rust.name());
    let offered = possible.map(|it| Offered {
        name: it.name().to_owned(),
        about: it.about().to_owned(),
    });
    offered.collect()
}

pub(crate) fn answer(shared: &Shared, workspace: Option<&Workspace>, body: &[u8]) -> Answer {
    let request: ExportRequest = match serde_json::from_slice(body) {
        Ok(request) => request,
        Err(error) => return refused(StatusCode::BAD_REQUEST, error.to_string()),
    };
    let (checked, path, rules) = {
        let session = shared.session();
        let (path, rules) = (session.path().to_owned(), session.rules().clone());
        (session.checked(), path, rules)
    };
    told(download(
        &checked,
        &path,
        rules.vocabulary(),
        &request.target,
        workspace,
    ))
}

#[derive(Debug, Deserialize)]
struct ExportRequest {
    target: String,
}

/// Generates the files of the target with this name from a checked model.
fn download(
    checked: &Checked,
    path: &Path,
    vocabulary: &Vocabulary,
    target: &str,
    workspace: Option<&Workspace>,
) -> Result<Download, Problem> {
    let targets = prophet_targets::shipped();
    let unknown = || format!("unknown target `{target}`");
    let is_known = offered(workspace).iter().any(|it| it.name == target);
    let found = targets.get(target).filter(|_| is_known);
    let target = found.ok_or_else(unknown)?;
    let files = made(checked, path, vocabulary, target, workspace)?;
    let name = crate_name(path);
    if files.len() == 1
        && let Some((file, listing)) = files.first_key_value()
    {
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_');
        let name = file.chars().map(|it| if plain(it) { it } else { '_' });
        return Ok(Download {
            name: name.collect(),
            bytes: listing.as_bytes().to_vec(),
        });
    }
    let folder = if target.name() == Rust.name() {
        name
    } else {
        format!("{name}-{}", target.name())
    };
    let files = files.iter().map(|(name, text)| (&**name, text.as_bytes()));
    let packed = pack(&folder, files).cannot("pack", "the files");
    Ok(Download {
        bytes: packed?,
        name: format!("{folder}.zip"),
    })
}

fn made(
    checked: &Checked,
    path: &Path,
    vocabulary: &Vocabulary,
    target: &dyn Target,
    workspace: Option<&Workspace>,
) -> Result<Files, Problem> {
    let (Some(model), Some(program)) = (&checked.model, &checked.program) else {
        return Err("the model has problems".into());
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let workspace = workspace.cloned().unwrap_or_else(|| Workspace {
        root: folder.to_owned(),
        runtime: PathBuf::new(),
        target: folder.to_owned(),
        project: folder.to_owned(),
        built: folder.to_owned(),
    });
    let anywhere = scratch();
    let input = Input {
        program,
        model,
        source: &checked.source,
        vocabulary,
        name: &crate_name(path),
        model_file: &workspace.file_name(path),
        main: None,
        // A download can end up anywhere.
        folder: anywhere.parent().unwrap_or(folder),
        workspace: &workspace,
    };
    let mut problems = Diagnostics::new();
    let files = files(target, &input, &mut problems)?;
    files.ok_or_else(|| {
        let errors = { problems.iter() }.filter(|it| it.severity == Severity::Error);
        let texts: Vec<&str> = errors.map(|it| it.message.as_str()).collect();
        texts.join("; ").into()
    })
}

/// Packs files into an archive. The same files always give the same archive.
pub(crate) fn pack<'f>(
    folder: &str,
    files: impl Iterator<Item = (&'f Path, &'f [u8])>,
) -> zip::result::ZipResult<Vec<u8>> {
    let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        let parts = path.iter().map(|it| it.to_string_lossy());
        let name = parts.fold(folder.to_owned(), |name, part| format!("{name}/{part}"));
        archive.start_file(name, options)?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
