//! Answers requests that read or change one model.

use http::StatusCode;
use prophet_edit::{Edit, Keys};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::answer::{Answer, missing, ok, refused, typed};
use crate::costs;
use crate::dropped::Dropped;
#[cfg(feature = "server")]
use crate::kept;
use crate::session::{Refusal, Session};
use crate::shared::Shared;
use crate::words::Words;
use crate::{convert, machines, workflow};

/// Answers a request that doesn't change anything.
pub(crate) fn shown(shared: &Shared, path: &str) -> Answer {
    match path {
        "api/state" => ok(&shared.session().state()),
        "api/vocabulary" => {
            let machines = shared.folder().machines();
            ok(&Words::new(
                shared.session().profiles(),
                &machines,
                workflow::flags(),
            ))
        }
        "api/text" => {
            let text = convert::in_utf8(shared.session().text());
            typed("text/plain; charset=utf-8", text.into_bytes())
        }
        _ => shared.runs.shown(path).unwrap_or_else(missing),
    }
}

pub(crate) fn changed(shared: &Shared, path: &str, bytes: &[u8]) -> Answer {
    match path {
        "api/fit-into" => match Dropped::read(bytes) {
            Ok(Dropped { request, files }) => {
                changed_by(shared, |session| costs::insert(session, &request, &files))
            }
            Err(why) => refused(StatusCode::BAD_REQUEST, why),
        },
        "api/edit" => change(shared, bytes, |session, ask: EditRequest| {
            session.edit(ask.revision, &ask.label, ask.edits, ask.visit.as_deref())
        }),
        "api/fix" => change(shared, bytes, |it, ask: FixRequest| {
            done(it.fix(ask.revision, ask.problem))
        }),
        "api/undo" => change(shared, bytes, |it, ask: Ask| done(it.undo(ask.revision))),
        "api/redo" => change(shared, bytes, |it, ask: Ask| done(it.redo(ask.revision))),
        "api/save" => change(shared, bytes, |it, ask: Ask| {
            done(it.save(ask.revision, ask.over))
        }),
        "api/take-file" => change(shared, bytes, |it, ask: Ask| {
            done(it.take_file(ask.revision))
        }),
        "api/table" => change(shared, bytes, |it, ask: TableRequest| {
            done(it.write_table(ask.revision, &ask.name, &ask.text, ask.visit.as_deref()))
        }),
        _ => beside(shared, path, bytes).unwrap_or_else(missing),
    }
}

/// Answers a request about machines or saved runs; `None` for other requests.
fn beside(shared: &Shared, path: &str, bytes: &[u8]) -> Option<Answer> {
    let folder = shared.folder();
    let answer = machines::answer(folder, path, bytes);
    #[cfg(feature = "server")]
    let answer = answer.or_else(|| kept::answer(folder, path, bytes));
    answer
}

#[derive(Debug, Deserialize)]
struct EditRequest {
    revision: u64,
    label: String,
    edits: Vec<Edit>,
    /// The visit to a form field in which the edits were made.
    visit: Option<String>,
}

#[derive(Debug, Deserialize)]
struct TableRequest {
    revision: u64,
    name: String,
    text: String,
    visit: Option<String>,
}

/// A request for a change that needs only the revision.
#[derive(Debug, Deserialize)]
struct Ask {
    revision: u64,
    /// Whether to overwrite changes by other programs.
    #[serde(default)]
    over: bool,
}

/// A request to fix the problem with this number in the state.
#[derive(Debug, Deserialize)]
struct FixRequest {
    revision: u64,
    problem: usize,
}

fn done(result: Result<(), Refusal>) -> Result<Keys, Refusal> {
    result.map(|()| Keys::new())
}

/// Changes the session, and answers with its new state.
pub(crate) fn change<R: DeserializeOwned>(
    shared: &Shared,
    body: &[u8],
    change: impl FnOnce(&mut Session, R) -> Result<Keys, Refusal>,
) -> Answer {
    match serde_json::from_slice(body) {
        Ok(request) => changed_by(shared, |session| change(session, request)),
        Err(error) => refused(StatusCode::BAD_REQUEST, error.to_string()),
    }
}

fn changed_by(
    shared: &Shared,
    change: impl FnOnce(&mut Session) -> Result<Keys, Refusal>,
) -> Answer {
    let mut session = shared.session();
    let changed = change(&mut session);
    shared.tell(session.revision());
    match changed {
        Ok(keys) => ok(&json!({ "keys": keys, "state": session.state() })),
        Err(Refusal::Conflict(why)) => refused(StatusCode::CONFLICT, why),
        Err(Refusal::Wrong(why)) => refused(StatusCode::UNPROCESSABLE_ENTITY, why),
    }
}
