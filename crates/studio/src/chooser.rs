//! Answers requests about the folder: lists its models and creates new ones.

use prophet_text::{Problem, problem};
use std::fmt::Write as _;
use std::path::Path;

use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, ok, refused};
use crate::begin;
use crate::models::Models;

pub(crate) const PAGE: &str = "models.html";
/// The part of an address before the name of a model.
pub(crate) const MODEL: &str = "m/";
pub(crate) const LIST: &str = "models/";

#[derive(Debug, Deserialize)]
struct New {
    name: String,
    /// The sample to start from; `None` for an empty model.
    sample: Option<String>,
}

/// Answers requests from the page of a folder. `root` is the studio's address.
pub(crate) fn answer(models: &Models, root: &str, path: &str, body: Option<&[u8]>) -> Answer {
    match (path, body) {
        ("api/models", None) => {
            let names = models.folder.models().into_iter();
            let list = names.map(|name| json!({ "address": address(root, &name), "name": name }));
            let list: Vec<_> = list.collect();
            ok(&json!({ "models": list, "samples": begin::samples() }))
        }
        ("api/new", Some(body)) => match serde_json::from_slice(body) {
            Ok(new) => created(root, new_model(models, &new)),
            Err(error) => refused(StatusCode::BAD_REQUEST, error.to_string()),
        },
        _ => refused(StatusCode::NOT_FOUND, "unknown address"),
    }
}

/// Answers with the address of a new model, or with the reason why it wasn't created.
pub(crate) fn created(root: &str, name: Result<String, Problem>) -> Answer {
    match name {
        Ok(name) => ok(&json!({ "address": address(root, &name) })),
        Err(why) => refused(StatusCode::UNPROCESSABLE_ENTITY, why),
    }
}

fn new_model(models: &Models, new: &New) -> Result<String, Problem> {
    let path = models.folder.free(&new.name)?;
    let text = match &new.sample {
        Some(sample) => begin::sample(sample)?,
        None => begin::empty(&path),
    };
    write(models, &path, &text)
}

/// Writes a new model, and returns its name within the folder.
pub(crate) fn write(models: &Models, path: &Path, text: &str) -> Result<String, Problem> {
    begin::write(path, text)?;
    let name = models.folder.name(path);
    name.ok_or_else(|| problem!("{} is outside the folder", path.display()))
}

pub(crate) fn address(root: &str, name: &str) -> String {
    let mut address = format!("{root}{MODEL}");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address.push('/');
    address
}

/// Splits an address without its prefix into the name of a model and the rest of the path.
pub(crate) fn model_of(path: &str) -> Option<(String, &str)> {
    let (name, rest) = path.split_once('/')?;
    let bytes = prophet_text::percent_decoded(name).ok()?;
    Some((String::from_utf8(bytes).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_models_are_read_back() {
        for name in ["a.uml", "inner/ä b.uml", "100%.uml", "../x"] {
            let address = address("/token/", name);
            let path = address.strip_prefix("/token/m/").unwrap();
            assert_eq!(path.matches('/').count(), 1, "{path}");
            let path = format!("{path}api/state");
            assert_eq!(model_of(&path), Some((name.to_owned(), "api/state")));
        }
        assert_eq!(model_of("a.uml"), None);
        assert_eq!(model_of("%zz/"), None);
        assert_eq!(model_of("%f/"), None);
        assert_eq!(model_of("%ff/"), None);
    }
}
