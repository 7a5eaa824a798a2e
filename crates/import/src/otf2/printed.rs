//! Reads the lines that `otf2-print` writes.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use prophet_text::Problem;

/// The program of the OTF2 reference library that prints archives.
const PROGRAM: &str = "otf2-print";
const NEEDS: &str =
    "OTF2's own `otf2-print` reads this format; install it with `apt-get install otf2-tools`";
const LINE_MAX: u64 = 64 << 20;

/// The lines printed by a process. Dropping this value ends the process.
#[derive(Debug)]
pub(super) struct Printed {
    path: PathBuf,
    child: Child,
    out: BufReader<ChildStdout>,
    line: Vec<u8>,
}

impl Printed {
    pub(super) fn definitions(path: &Path) -> Result<Self, Problem> {
        Self::start(path, &["-G".to_owned()])
    }

    /// Returns the events of an archive, or of one of its locations.
    pub(super) fn events(path: &Path, location: Option<u64>) -> Result<Self, Problem> {
        let location = location.map(|it| ["-L".to_owned(), it.to_string()]);
        Self::start(path, location.as_ref().map_or(&[], |it| &it[..]))
    }

    fn start(path: &Path, words: &[String]) -> Result<Self, Problem> {
        let started = Command::new(PROGRAM)
            .args(words)
            .arg("--")
            .arg(path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = started.map_err(|_| Problem::of(path, NEEDS))?;
        let out = child.stdout.take();
        let out = out.ok_or_else(|| Problem::of(path, "otf2-print did not print anything"))?;
        Ok(Self {
            path: path.to_owned(),
            child,
            out: BufReader::with_capacity(1 << 16, out),
            line: Vec::new(),
        })
    }

    /// Returns the next line; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<&str>, Problem> {
        self.line.clear();
        let mut limited = (&mut self.out).take(LINE_MAX + 1);
        let read = limited.read_until(b'\n', &mut self.line);
        match read {
            Err(error) => Err(Problem::of(&self.path, error.to_string())),
            Ok(0) => self.end().map(|()| None),
            Ok(read) if read as u64 > LINE_MAX => {
                Err(Problem::of(&self.path, "a line of otf2-print is too long"))
            }
            // Names can contain any bytes.
            Ok(_) => Ok(Some(std::str::from_utf8(&self.line).unwrap_or_default())),
        }
    }

    fn end(&mut self) -> Result<(), Problem> {
        match self.child.wait() {
            Ok(status) if status.success() => Ok(()),
            _ => Err(Problem::of(
                &self.path,
                "otf2-print cannot read the whole archive: it is cut off or damaged",
            )),
        }
    }
}

impl Drop for Printed {
    fn drop(&mut self) {
        // It has ended, or nobody reads its output.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug)]
pub(super) struct PrintedRecord<'l> {
    pub(super) kind: &'l str,
    pub(super) time: u64,
    attributes: &'l str,
}

/// Returns a line's location and record; `None` if the line isn't a record.
pub(super) fn record(line: &str) -> Option<(u64, PrintedRecord<'_>)> {
    let (kind, rest) = line.split_once(' ')?;
    let (location, rest) = rest.trim_start().split_once(' ')?;
    let rest = rest.trim_start();
    let (time, attributes) = rest.split_once(' ').unwrap_or((rest.trim_end(), ""));
    let record = PrintedRecord {
        kind,
        time: time.trim_end().parse().ok()?,
        attributes,
    };
    Some((location.parse().ok()?, record))
}

impl PrintedRecord<'_> {
    /// Returns the number after the last occurrence of a name. Earlier occurrences may be part of
    /// names in the traced program.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        leading(&self.attributes[self.attributes.rfind(name)? + name.len()..])
    }

    /// Returns the number in angle brackets after a name.
    pub(super) fn reference(&self, name: &str) -> Option<u64> {
        let rest = &self.attributes[self.attributes.find(name)? + name.len()..];
        let end = rest.find(", Tag: ").or_else(|| rest.find(", Root: "));
        let rest = &rest[..end.unwrap_or(rest.len())];
        leading(&rest[rest.rfind('<')? + 1..])
    }

    pub(super) fn word(&self, name: &str) -> &str {
        let at = self.attributes.find(name).map(|it| it + name.len());
        let rest = at.map_or("", |it| &self.attributes[it..]);
        rest.split(',').next().unwrap_or_default().trim()
    }
}

pub(super) fn leading(text: &str) -> Option<u64> {
    let end = text.find(|it: char| !it.is_ascii_digit());
    text[..end.unwrap_or(text.len())].parse().ok()
}
