//! Creates answers to requests, independently of a server.

use std::fmt::Display;

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Response, StatusCode};
use prophet_text::{Context as _, Problem};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

pub type Answer = Response<Vec<u8>>;

/// The answer if the studio itself is at fault.
pub(crate) const OURS: &str = "an error in the studio: please report it";

pub(crate) fn ok(value: &impl Serialize) -> Answer {
    match serde_json::to_vec(value) {
        Ok(json) => typed("application/json", json),
        Err(_) => refused(StatusCode::INTERNAL_SERVER_ERROR, OURS),
    }
}

pub(crate) fn typed(media_type: &'static str, body: Vec<u8>) -> Answer {
    let mut answer = Answer::new(body);
    let media_type = HeaderValue::from_static(media_type);
    answer.headers_mut().insert(CONTENT_TYPE, media_type);
    answer
}

/// Returns an answer that explains why a request was refused.
#[must_use]
pub fn refused(status: StatusCode, why: impl Display) -> Answer {
    let mut answer = ok(&json!({ "error": why.to_string() }));
    *answer.status_mut() = status;
    answer
}

/// Parses a JSON request, and answers with a value, or with the reason why there is none.
pub(crate) fn told<R: DeserializeOwned, T: Serialize>(
    body: &[u8],
    answer: impl FnOnce(R) -> Result<T, Problem>,
) -> Answer {
    let request = serde_json::from_slice(body);
    told_of(request.told(), answer)
}

/// Answers a parsed request as [`told`] does.
pub(crate) fn told_of<R, T: Serialize>(
    request: Result<R, Problem>,
    answer: impl FnOnce(R) -> Result<T, Problem>,
) -> Answer {
    let request = match request {
        Ok(request) => request,
        Err(why) => return refused(StatusCode::BAD_REQUEST, why),
    };
    match answer(request) {
        Ok(value) => ok(&value),
        Err(why) => refused(StatusCode::UNPROCESSABLE_ENTITY, why),
    }
}

/// Returns the answer for an address that doesn't exist.
#[must_use]
pub fn missing() -> Answer {
    let mut answer = Answer::default();
    *answer.status_mut() = StatusCode::NOT_FOUND;
    answer
}
