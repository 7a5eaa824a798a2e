//! Tracks which models of a folder are open.

use prophet_text::Problem;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::begin;
use crate::folder::Folder;
use crate::language::Language;
use crate::session::Session;
use crate::shared::Shared;

/// The models in a folder, and which of them are open.
#[derive(Debug)]
pub(crate) struct Models {
    pub(crate) folder: Arc<Folder>,
    first: Option<Arc<Shared>>,
    unsaved: Option<PathBuf>,
    language: Language,
    open: Mutex<BTreeMap<PathBuf, Arc<Shared>>>,
}

impl Models {
    /// Opens a folder of models, or a model and its folder. Creates the model if it doesn't exist.
    pub(crate) fn of(
        path: &Path,
        unsaved: Option<&Path>,
        language: Language,
    ) -> Result<Self, Problem> {
        let is_folder = path.is_dir();
        if !is_folder && path.symlink_metadata().is_err() {
            begin::begin(path)?;
        }
        let folder = if is_folder {
            Folder::open(path)?
        } else {
            let cannot = |error| format!("cannot read {}: {error}", path.display());
            let path = path.canonicalize().map_err(cannot)?;
            Folder::open(path.parent().unwrap_or(Path::new("")))?
        };
        let mut models = Self {
            folder: Arc::new(folder),
            first: None,
            unsaved: unsaved.map(Path::to_owned),
            language,
            open: Mutex::default(),
        };
        if !is_folder {
            models.first = Some(models.open(path)?);
        }
        Ok(models)
    }

    pub(crate) const fn first(&self) -> Option<&Arc<Shared>> {
        self.first.as_ref()
    }

    pub(crate) fn get(&self, name: &str) -> Result<Arc<Shared>, Problem> {
        self.open(&self.folder.file(name)?)
    }

    pub(crate) const fn language(&self) -> &Language {
        &self.language
    }

    pub(crate) fn all(&self) -> Vec<Arc<Shared>> {
        self.known().values().cloned().collect()
    }

    fn open(&self, path: &Path) -> Result<Arc<Shared>, Problem> {
        let cannot = |error| format!("cannot read {}: {error}", path.display());
        let path = path.canonicalize().map_err(cannot)?;
        if let Some(known) = self.known().get(&path) {
            return Ok(Arc::clone(known));
        }
        // Requests for other models are answered while a large model is read.
        let session = Session::open(&path, self.unsaved.as_deref(), &self.language)?;
        let new = Arc::new(Shared::new(session, Arc::clone(&self.folder)));
        Ok(Arc::clone(self.known().entry(path).or_insert(new)))
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Arc<Shared>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
