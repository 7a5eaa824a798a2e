//! Sends requests to the studio as the page's worker does.

use prophet_web::Studio;
use serde_json::Value;

/// Sends a request. Returns the status, head and body of the answer.
pub(crate) fn ask(studio: &mut Studio, line: &str, body: &[u8]) -> (u64, Value, Vec<u8>) {
    let mut request = format!("{line}\n").into_bytes();
    request.extend(body);
    let answer = studio.answer(&request);
    let end = answer.iter().position(|it| *it == b'\n').unwrap();
    let head: Value = serde_json::from_slice(&answer[..end]).unwrap();
    let status = head["status"].as_u64().unwrap();
    (status, head, answer[end + 1..].to_vec())
}

/// Sends a request. Returns the status and JSON of the answer.
pub(crate) fn json(studio: &mut Studio, line: &str, body: &Value) -> (u64, Value) {
    let (status, _, answer) = ask(studio, line, body.to_string().as_bytes());
    (status, serde_json::from_slice(&answer).unwrap_or_default())
}

pub(crate) fn open(name: &str, text: &str) -> Studio {
    let mut studio = Studio::new();
    let (status, _, body) = ask(&mut studio, &format!("POST open/1/{name}"), text.as_bytes());
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
    studio
}
