//! Runs the studio as a separate process, which can be killed.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::client::Studio;

/// A studio that runs until this value is dropped.
pub(crate) struct Program {
    child: Child,
    /// What the studio was started with, to start it again.
    model: PathBuf,
    unsaved: PathBuf,
    pub(crate) studio: Studio,
}

impl Program {
    /// Starts a studio with a model. Unsaved text is stored below `unsaved`. No file can exceed
    /// `blocks` blocks of 512 bytes, as on a full disk.
    pub(crate) fn start(
        folder: tempfile::TempDir,
        model: &Path,
        unsaved: &Path,
        blocks: Option<u32>,
    ) -> Self {
        let (child, address) = started(model, "0", unsaved, blocks);
        let studio = Studio::served(folder, &address);
        Self {
            child,
            model: model.to_owned(),
            unsaved: unsaved.to_owned(),
            studio,
        }
    }

    /// Starts the studio again on the same port after it was killed, and returns the new address.
    pub(crate) fn again(&mut self) -> String {
        self.again_on(&self.model.clone())
    }

    /// Starts the studio again on the same port, with another model.
    pub(crate) fn again_on(&mut self, model: &Path) -> String {
        let port = self.studio.host.rsplit(':').next().unwrap_or_default();
        let (child, address) = started(model, port, &self.unsaved, None);
        self.child = child;
        address.trim_end().to_owned()
    }

    /// Kills the program as in a crash.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Returns the process's peak memory in bytes, if the system reports it.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.status("VmHWM:")
    }

    /// Returns the process's current memory in bytes, if the system reports it.
    pub(crate) fn memory_now(&self) -> Option<u64> {
        self.status("VmRSS:")
    }

    fn status(&self, name: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|it| it.starts_with(name))?;
        let kilobytes = line.split_whitespace().nth(1)?;
        Some(kilobytes.parse::<u64>().ok()? << 10)
    }
}

/// Starts the program, and returns the address that it prints.
fn started(model: &Path, port: &str, unsaved: &Path, blocks: Option<u32>) -> (Child, String) {
    let program = env!("CARGO_BIN_EXE_prophet-studio");
    let limit = blocks.map_or(String::new(), |it| {
        format!("trap '' XFSZ; ulimit -f {it}; ")
    });
    let mut child = Command::new("sh")
        .args(["-c", &format!("{limit}exec \"$0\" \"$@\""), program])
        .arg(model)
        .args(
            { Some(port).into_iter() }
                .filter(|it| *it != "0")
                .flat_map(|it| ["--port", it]),
        )
        .env("UNSAVED", unsaved)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let out = child.stdout.take().unwrap();
    BufReader::new(out).read_line(&mut address).unwrap();
    (child, address)
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have been killed already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
