//! Copies a model to a new file in the folder.

use http::StatusCode;
use serde::Deserialize;

use crate::answer::{Answer, refused};
use crate::chooser;
use crate::shared::Shared;
use crate::studio::Studio;

/// Writes the model to a new file in the folder, and answers with its address.
pub(crate) fn save_as(studio: &Studio, shared: &Shared, body: &[u8]) -> Answer {
    let request: SaveAs = match serde_json::from_slice(body) {
        Ok(request) => request,
        Err(error) => return refused(StatusCode::BAD_REQUEST, error.to_string()),
    };
    let written = studio.models.folder.free(&request.name).and_then(|path| {
        // Drawing takes a while. Meanwhile, users can view and edit the model.
        let snapshot = shared.session().snapshot();
        let text = snapshot.as_uml()?;
        chooser::write(&studio.models, &path, &text)
    });
    chooser::created(&studio.gate.root(), written)
}

#[derive(Debug, Deserialize)]
struct SaveAs {
    name: String,
}
