//! Copies of a model: new files in the folder, and downloads of the model in other forms.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;

use crate::answer::{on_thread, refused};
use crate::export::Download;
use crate::shared::Shared;
use crate::studio::Studio;
use crate::{chooser, export};

/// Writes the model to a new file of the folder; answers with its address.
pub(crate) async fn save_as(studio: &Arc<Studio>, shared: &Arc<Shared>, body: &Bytes) -> Response {
    let request: SaveAs = match serde_json::from_slice(body) {
        Ok(request) => request,
        Err(error) => return refused(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    let shared = Arc::clone(shared);
    on_thread(studio, move |studio| {
        let written = studio.models.folder.free(&request.name).and_then(|path| {
            // Drawing takes a while, in which the model is shown and edited.
            let snapshot = shared.session().snapshot();
            let text = snapshot.as_uml()?;
            chooser::write(&studio.models, &path, &text)
        });
        chooser::created(&studio.gate.root(), written)
    })
    .await
}

/// Answers with the files of a target.
pub(crate) async fn exported(studio: &Arc<Studio>, shared: &Arc<Shared>, body: &Bytes) -> Response {
    let request: ExportRequest = match serde_json::from_slice(body) {
        Ok(request) => request,
        Err(error) => return refused(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    let shared = Arc::clone(shared);
    on_thread(studio, move |studio| {
        let (checked, path, rules) = {
            let session = shared.session();
            let (path, rules) = (session.path().to_owned(), session.rules().clone());
            (session.checked(), path, rules)
        };
        let (vocabulary, workspace) = (rules.vocabulary(), studio.workspace.as_ref());
        match export::download(&checked, &path, vocabulary, &request.target, workspace) {
            Ok(Download { name, bytes }) => {
                let disposition = format!("attachment; filename=\"{name}\"");
                let kind = (CONTENT_TYPE, "application/octet-stream".to_owned());
                ([kind, (CONTENT_DISPOSITION, disposition)], bytes).into_response()
            }
            Err(why) => refused(StatusCode::UNPROCESSABLE_ENTITY, &why),
        }
    })
    .await
}

/// Request for the files of a target.
#[derive(Debug, Deserialize)]
struct ExportRequest {
    target: String,
}

/// Request to write the model to a new file.
#[derive(Debug, Deserialize)]
struct SaveAs {
    name: String,
}
