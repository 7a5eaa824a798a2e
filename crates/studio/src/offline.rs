//! Answers a page's requests without a server. The page stores the model's file, and sends all
//! requests here.

use prophet_text::Problem;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use http::StatusCode;
use prophet_runtime::Machine;
use serde::Deserialize;

use crate::answer::{Answer, ok, typed};
use crate::folder::{Folder, is_toml};
use crate::language::Language;
use crate::requests::change;
use crate::session::Session;
use crate::shared::Shared;
use crate::{asked, begin, costs, export, requests};

/// Returns the answer for an address that doesn't exist.
pub use crate::answer::missing;
/// Returns an answer that explains why a request was refused.
pub use crate::answer::refused;

/// A model in a file that the page stores.
#[derive(Debug)]
pub struct Offline(Shared);

/// A message that the page has saved the file.
#[derive(Debug, Deserialize)]
struct Saved {}

impl Offline {
    /// Opens a model from its file name, its content, and the number of changes made so far.
    /// `beside` contains machine files and rule files by name.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes aren't text, or if a file in `beside` is invalid.
    pub fn open(
        name: &str,
        bytes: &[u8],
        revision: u64,
        beside: &BTreeMap<String, String>,
    ) -> Result<Self, Problem> {
        let mut language = Language::shipped();
        let mut machines = BTreeMap::new();
        for (file, text) in beside {
            if is_toml(file.as_ref()) {
                Machine::parse(text, file)?;
                machines.insert(file.clone(), text.clone());
            } else {
                language.add_rules(file, text)?;
            }
        }
        let session = Session::of(PathBuf::from(name), bytes, None, &language)?;
        let folder = Arc::new(Folder::of(machines));
        Ok(Self(Shared::new(session.at(revision), folder)))
    }

    /// Answers a request as the studio's server would. A request without a body doesn't change
    /// anything.
    #[must_use]
    pub fn answer(&self, path: &str, body: Option<&[u8]>) -> Answer {
        let shared = &self.0;
        let Some(body) = body else {
            return match path {
                "api/targets" => ok(&export::offered(None)),
                "api/uml" => text(shared.session().snapshot().as_uml()),
                "api/file" => file(shared),
                _ => requests::shown(shared, path),
            };
        };
        match asked::begin(shared, path, body) {
            Some(Ok((_stop, run))) => return run.answer(shared),
            Some(Err(why)) => return refused(StatusCode::BAD_REQUEST, why),
            None => {}
        }
        match path {
            "api/dropped" => costs::answer(&shared.runs.pages, body),
            "api/export" => export::answer(shared, None, body),
            // The page has written the file, or passed it to the user.
            "api/save" => change(shared, body, |session, _: Saved| {
                session.note_saved();
                Ok(prophet_edit::Keys::new())
            }),
            // There are no files next to the model, and no other programs.
            "api/table" | "api/take-file" => missing(),
            _ => requests::changed(shared, path, body),
        }
    }
}

/// Returns the file as it would be saved now, and the number of changes so far.
fn file(shared: &Shared) -> Answer {
    let session = shared.session();
    let mut file = typed("application/octet-stream", session.file());
    let revision = session.revision().into();
    file.headers_mut().insert("x-revision", revision);
    file
}

/// Returns the samples that a new model can start from.
#[must_use]
pub fn samples() -> Answer {
    ok(&begin::samples())
}

/// Returns the text of a sample or, without one, of an empty model named after `file`.
#[must_use]
pub fn begun(sample: Option<&str>, file: &str) -> Answer {
    text(match sample {
        Some(sample) => begin::sample(sample),
        None => Ok(begin::empty(file.as_ref())),
    })
}

fn text(text: Result<String, Problem>) -> Answer {
    match text {
        Ok(text) => typed("text/plain; charset=utf-8", text.into_bytes()),
        Err(why) => refused(StatusCode::UNPROCESSABLE_ENTITY, why),
    }
}
