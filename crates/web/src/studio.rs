//! Answers requests from a page.

use std::collections::BTreeMap;

use http::StatusCode;
use prophet_studio::Answer;
use prophet_studio::offline::{Offline, begun, missing, refused, samples};
use serde_json::{Map, Value, json};

/// Maximum size of a request in bytes. The program accepts models of the same size.
const REQUEST_MAX: usize = 64 << 20;

/// A worker's studio: the open model, and the files next to it.
#[derive(Debug, Default)]
pub struct Studio {
    model: Option<Offline>,
    beside: BTreeMap<String, String>,
}

impl Studio {
    #[must_use]
    pub const fn new() -> Self {
        Self {
            model: None,
            beside: BTreeMap::new(),
        }
    }

    pub fn answer(&mut self, request: &[u8]) -> Vec<u8> {
        let end = request.iter().position(|it| *it == b'\n');
        let (line, body) = request.split_at(end.unwrap_or(request.len()));
        let line = String::from_utf8_lossy(line);
        let body = body.get(1..).unwrap_or_default();
        packed(if request.len() > REQUEST_MAX {
            refused(
                StatusCode::PAYLOAD_TOO_LARGE,
                "a model can have at most 64 MB here",
            )
        } else if let Some(path) = line.strip_prefix("POST ") {
            self.posted(path, body)
        } else if let Some(path) = line.strip_prefix("GET ") {
            self.shown(path)
        } else {
            missing()
        })
    }

    fn posted(&mut self, path: &str, body: &[u8]) -> Answer {
        if let Some(name) = path.strip_prefix("beside/") {
            let text = String::from_utf8_lossy(body).into_owned();
            self.beside.insert(decoded(name), text);
            return Answer::default();
        }
        let Some(file) = path.strip_prefix("open/") else {
            return self.of_model(path, Some(body));
        };
        let (revision, name) = file.split_once('/').unwrap_or((file, ""));
        let revision = revision.parse().unwrap_or(1);
        match Offline::open(&decoded(name), body, revision, &self.beside) {
            Ok(model) => {
                self.model = Some(model);
                self.of_model("api/state", None)
            }
            Err(why) => refused(StatusCode::UNPROCESSABLE_ENTITY, &why),
        }
    }

    fn shown(&self, path: &str) -> Answer {
        match path.split_once('/') {
            None if path == "samples" => samples(),
            Some(("sample", name)) => begun(Some(&decoded(name)), ""),
            Some(("empty", file)) => begun(None, &decoded(file)),
            _ => self.of_model(path, None),
        }
    }

    fn of_model(&self, path: &str, body: Option<&[u8]>) -> Answer {
        match &self.model {
            Some(model) => model.answer(path, body),
            None => missing(),
        }
    }
}

fn decoded(part: &str) -> String {
    let bytes = prophet_text::percent_decoded(part).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn packed(answer: Answer) -> Vec<u8> {
    let headers = answer.headers().iter();
    let headers = headers.map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes());
        (name.to_string(), Value::from(value))
    });
    let headers: Map<_, _> = headers.collect();
    let head = json!({ "status": answer.status().as_u16(), "headers": headers });
    let mut bytes = head.to_string().into_bytes();
    bytes.push(b'\n');
    bytes.extend(answer.into_body());
    bytes
}
