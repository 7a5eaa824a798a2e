//! Runs clang, which reads the source, and `mpicc`, which knows where MPI's headers are.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use prophet_text::{Problem, problem};

use crate::tree::{self, Tree};

/// Names of clang, the preferred first.
pub const NAMES: [&str; 10] = [
    "clang", "clang-22", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16",
    "clang-15", "clang-14",
];

/// Returns the name of the installed clang.
///
/// # Errors
///
/// Returns an error if there is none.
pub fn installed() -> Result<&'static str, Problem> {
    let starts = |name: &&&str| {
        let mut command = Command::new(name);
        command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|it| it.success())
    };
    let found = NAMES.iter().find(starts);
    found.copied().ok_or_else(|| {
        let help = "install clang 14 or newer, such as with `apt-get install clang`";
        Problem::with_help("`analyze` needs clang, which is not installed", help)
    })
}

/// Returns the flags for MPI's headers.
fn mpi_flags(mpicc: &OsString) -> Option<Vec<String>> {
    let ask = |flag: &str| {
        let output = Command::new(mpicc)
            .arg(flag)
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then_some(text)
    };
    let text = ask("--showme:compile").or_else(|| ask("-show"))?;
    let is_flag = |it: &&str| it.starts_with("-I") || it.starts_with("-D");
    Some(
        text.split_whitespace()
            .filter(is_flag)
            .map(str::to_owned)
            .collect(),
    )
}

/// A file, and how it is compiled.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) file: PathBuf,
    folder: Option<PathBuf>,
    flags: Vec<OsString>,
}

impl SourceFile {
    /// Returns where a file is that clang names.
    pub(crate) fn path(&self, file: impl AsRef<Path>) -> PathBuf {
        let folder = self.folder.as_ref();
        folder.map_or_else(|| file.as_ref().to_owned(), |it| it.join(&file))
    }
}

/// Maximum size of a list of files, in bytes.
const LIST_MAX: u64 = 64 << 20;

/// An entry of `compile_commands.json`.
#[derive(serde::Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// Returns files that are all compiled with the same flags.
pub(crate) fn given(files: &[PathBuf], flags: &[OsString]) -> Vec<SourceFile> {
    let one = |file: &PathBuf| SourceFile {
        file: file.clone(),
        folder: None,
        flags: flags.to_vec(),
    };
    files.iter().map(one).collect()
}

/// Returns the files in a list of build tools.
pub(crate) fn listed(list: &Path, more: &[OsString]) -> Result<Vec<SourceFile>, Problem> {
    let bytes = prophet_files::read(list, LIST_MAX);
    let bytes = bytes.map_err(|why| Problem::unread(list, why))?;
    let entries: Vec<Entry> =
        serde_json::from_slice(&bytes).map_err(|why| Problem::of(list, why.to_string()))?;
    let one = |it: Entry| {
        let words = if it.arguments.is_empty() {
            shlex::split(&it.command).ok_or_else(|| {
                let command = prophet_text::plain::line(&it.command);
                Problem::of(list, format!("a quote is not closed in `{command}`"))
            })?
        } else {
            it.arguments
        };
        let flags = kept(&words).into_iter().map(OsString::from);
        Ok(SourceFile {
            flags: flags.chain(more.iter().cloned()).collect(),
            folder: Some(it.directory),
            file: it.file,
        })
    };
    entries.into_iter().map(one).collect()
}

/// Returns the flags of a command that change what the source means.
fn kept(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if ["-I", "-D", "-U", "-isystem", "-include"].contains(&word.as_str()) {
            kept.push(word.clone());
            kept.extend(words.next().cloned());
        } else if ["-I", "-D", "-U", "-std="]
            .iter()
            .any(|it| word.starts_with(it))
        {
            kept.push(word.clone());
        }
    }
    kept
}

/// Returns whether a file is the user's.
pub(crate) fn is_own(file: &str) -> bool {
    !file.is_empty()
        && !file.ends_with("mpi.h")
        && !file.starts_with("/usr/")
        && !file.contains("/lib/clang/")
}

/// Returns the syntax tree of a file.
pub(crate) fn tree(clang: &str, mpicc: &OsString, source: &SourceFile) -> Result<Tree, Problem> {
    let SourceFile {
        file,
        folder,
        flags,
    } = source;
    let path = source.path(file);
    std::fs::File::open(&path).map_err(|it| Problem::unread(&path, prophet_text::reason(it)))?;
    let mpi = mpi_flags(mpicc);
    let mut command = Command::new(clang);
    command.current_dir(folder.as_deref().unwrap_or(Path::new(".")));
    command.args([
        "-fsyntax-only",
        "-fopenmp",
        "-w",
        "-Xclang",
        "-ast-dump=json",
    ]);
    command.args(mpi.iter().flatten()).args(flags);
    // A list can contain a file whose name looks like a flag.
    if file.as_os_str().as_encoded_bytes().starts_with(b"-") {
        command.arg(Path::new(".").join(file));
    } else {
        command.arg(file);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let started = command.spawn();
    let mut child = started.map_err(|error| problem!("cannot start {clang}: {error}"))?;
    let (Some(output), Some(mut errors)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(problem!("cannot read what {clang} writes"));
    };
    let told = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = errors.read_to_string(&mut text);
        text
    });
    let tree = tree::read(output, &is_own);
    let status = child
        .wait()
        .map_err(|error| problem!("cannot wait for {clang}: {error}"))?;
    let told = told.join().unwrap_or_default();
    // Without a message, clang only ended because its tree was not read to its end.
    if !(status.success() || tree.is_err() && told.trim().is_empty()) {
        let help = if mpi.is_none() && told.contains("mpi.h") {
            "install MPI with its `mpicc`, or pass the folder of mpi.h after `--`, such as \
             `-- -I/opt/mpi/include`"
        } else if told.contains("omp.h") {
            "install the headers of clang's OpenMP (Debian: libomp-dev), or pass `-- -fno-openmp`"
        } else {
            "pass the flags that the file is compiled with after `--`, such as `-- -Iinclude -DN=4`"
        };
        let message = format!(
            "clang cannot compile {}:\n{}",
            file.display(),
            told.trim_end()
        );
        return Err(Problem::with_help(message, help));
    }
    tree
}
