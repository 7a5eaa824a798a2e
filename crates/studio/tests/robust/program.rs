//! The studio as a process of its own, which can be killed.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::client::Studio;

/// A studio that runs until the value is dropped.
pub(crate) struct Program {
    child: Child,
    /// Describes what it was started on, for another start.
    model: PathBuf,
    unsaved: PathBuf,
    pub(crate) studio: Studio,
}

impl Program {
    /// Starts a studio of a model, which keeps what is not saved below `unsaved`. No file gets
    /// larger than `blocks` of 512 bytes, as on a disk that is full.
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

    /// Starts it once more at its port, after it was killed; gives the new address.
    pub(crate) fn again(&mut self) -> String {
        self.again_on(&self.model.clone())
    }

    /// Starts it once more at its port, on another model.
    pub(crate) fn again_on(&mut self, model: &Path) -> String {
        let port = self.studio.host.rsplit(':').next().unwrap_or_default();
        let (child, address) = started(model, port, &self.unsaved, None);
        self.child = child;
        address.trim_end().to_owned()
    }

    /// Ends the program immediately, as a crash does; returns the folder.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The most memory that it ever had, in bytes, where the system tells.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.status("VmHWM:")
    }

    /// The memory that it has now, in bytes, where the system tells.
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

/// Starts the program; gives the address that it prints.
fn started(model: &Path, port: &str, unsaved: &Path, blocks: Option<u32>) -> (Child, String) {
    let program = env!("CARGO_BIN_EXE_prophet-studio");
    let limit = blocks.map_or(String::new(), |it| {
        format!("trap '' XFSZ; ulimit -f {it}; ")
    });
    let mut child = Command::new("sh")
        .args(["-c", &format!("{limit}exec \"$0\" \"$@\""), program])
        .args([model.as_os_str(), port.as_ref(), unsaved.as_os_str()])
        .arg("")
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
        // It may have been killed before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
