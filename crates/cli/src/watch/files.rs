//! Watches the files that a prediction depends on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

const EVERY: Duration = Duration::from_millis(50);

/// Maximum number of files next to a model to watch.
const NEIGHBORS_MAX: usize = 1000;

/// Size and modification time of a file; `None` if it doesn't exist.
type State = Option<(u64, SystemTime)>;

/// The state of the files when a prediction started.
#[derive(Debug)]
pub(super) struct Files(Vec<(PathBuf, State)>);

impl Files {
    /// Watches the model, its rule files, and all files named by flags.
    pub(super) fn of(model: &Path, rules: Vec<PathBuf>, flags: &[OsString]) -> Self {
        let named = flags.iter().map(|flag| {
            let text = flag.to_string_lossy();
            PathBuf::from(text.split_once('=').map_or(&*text, |(_, value)| value))
        });
        let named = named.filter(|path| path.is_file());
        let paths = std::iter::once(model.to_owned()).chain(rules).chain(named);
        let mut files = Self(Vec::new());
        paths.for_each(|path| files.add(path));
        files
    }

    pub(super) fn add_beside<'n>(&mut self, model: &Path, names: impl Iterator<Item = &'n String>) {
        for name in names {
            self.add(model.with_file_name(name));
        }
    }

    /// Adds the files next to the model, up to a limit.
    pub(super) fn add_neighbors(&mut self, model: &Path) {
        let folder = model.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        self.add(folder.to_owned());
        let entries = folder.read_dir().into_iter().flatten().flatten();
        for entry in entries.take(NEIGHBORS_MAX) {
            self.add(entry.path());
        }
    }

    fn add(&mut self, path: PathBuf) {
        let state = state(&path);
        self.0.push((path, state));
    }

    /// Waits until a file has changed and then stayed unchanged for a moment, so that its writer
    /// has probably finished.
    #[expect(
        clippy::disallowed_methods,
        reason = "whoever changes the files does so in real time"
    )]
    pub(super) fn wait_for_change(&self) {
        let mut before: Vec<State> = self.0.iter().map(|(_, state)| *state).collect();
        let mut has_changed = false;
        loop {
            thread::sleep(EVERY);
            let now: Vec<State> = self.0.iter().map(|(path, _)| state(path)).collect();
            let changes = now != before;
            if has_changed && !changes {
                return;
            }
            has_changed |= changes;
            before = now;
        }
    }
}

fn state(path: &Path) -> State {
    let metadata = path.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}
