//! Shares the state of an open model between requests.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prophet_frontend::checked::Checked;
use tokio::sync::watch;

use crate::folder::Folder;
use crate::runs::Runs;
use crate::session::Session;

/// The state that all requests about a model share.
#[derive(Debug)]
pub(crate) struct Shared {
    session: Mutex<Session>,
    /// The studio's folder, which contains the machine files that a run can use.
    folder: Arc<Folder>,
    pub(crate) runs: Runs,
    revision: watch::Sender<u64>,
}

pub(crate) type Program = (Arc<Checked>, u64);

impl Shared {
    pub(crate) fn new(session: Session, folder: Arc<Folder>) -> Self {
        let (revision, _) = watch::channel(session.revision());
        Self {
            session: Mutex::new(session),
            folder,
            runs: Runs::default(),
            revision,
        }
    }

    pub(crate) fn session(&self) -> MutexGuard<'_, Session> {
        // After a panic, the document is as it was before or after a change.
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn program(&self) -> Program {
        let session = self.session();
        (session.checked(), session.revision())
    }

    pub(crate) fn revisions(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }

    pub(crate) fn tell(&self, revision: u64) {
        self.revision
            .send_if_modified(|told| std::mem::replace(told, revision) != revision);
    }
}
