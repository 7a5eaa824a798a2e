//! Answers to requests of a page.

use std::sync::Arc;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use serde_json::json;

/// Answer where the studio is wrong.
pub(crate) const OURS: &str = "an error in the studio: please report it";

/// Computes an answer where it keeps nobody waiting.
pub(crate) async fn on_thread<S: Send + Sync + 'static>(
    shared: &Arc<S>,
    answer: impl FnOnce(&S) -> Response + Send + 'static,
) -> Response {
    let shared = Arc::clone(shared);
    let answered = tokio::task::spawn_blocking(move || answer(&shared)).await;
    answered.unwrap_or_else(|_| refused(StatusCode::INTERNAL_SERVER_ERROR, OURS))
}

/// Answers with a value.
pub(crate) fn ok(value: &impl Serialize) -> Response {
    Json(value).into_response()
}

/// Answers with the reason why nothing was done.
pub(crate) fn refused(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}
