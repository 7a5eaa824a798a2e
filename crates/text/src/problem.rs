//! Describes problems with inputs for users: what is wrong, where, and what to do.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

use crate::plain;
use crate::similar::similar;

/// A problem with an input: in a file, on a line, or in a named part.
///
/// Displaying it escapes hidden characters. If the problem is in a file, the message is a single
/// line.
///
/// ```
/// use prophet_text::Problem;
///
/// let problem = Problem::at("ring.goal".as_ref(), 3, "`a\nb` is no rank");
/// assert_eq!(problem.to_string(), r"ring.goal:3: `a\nb` is no rank");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// Name of the file; empty if it is clear from the context.
    pub file: String,
    /// Number of the line, counted from 1; 0 for the whole file.
    pub line: u64,
    /// The part of the input with the problem, as the input's author would call it; empty for the
    /// whole input.
    pub part: String,
    /// What to do about the problem, as an imperative; empty if the message already says it.
    pub help: String,
    /// Whether the message contains the file's name, so that the name isn't written before it.
    names_file: bool,
}

impl Problem {
    /// Creates a problem with the whole input. The message should say what to do about it.
    pub fn new(message: impl Into<String>) -> Self {
        Self::with_help(message, "")
    }

    /// Creates a problem with the whole input. `help` says what to do about it.
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            file: String::new(),
            line: 0,
            part: String::new(),
            help: help.into(),
            names_file: false,
        }
    }

    /// Creates a problem for a file that can't be read, with the same wording as in all commands.
    ///
    /// ```
    /// let problem = prophet_text::Problem::unread("m.toml".as_ref(), "permission denied");
    /// assert_eq!(problem.in_file("m.toml"), "cannot read m.toml: permission denied");
    /// ```
    pub fn unread(file: &Path, why: impl fmt::Display) -> Self {
        let mut why = reason(why);
        if file.is_dir() && !why.contains("folder") {
            "it is a folder".clone_into(&mut why);
        }
        let near = if why == MISSING {
            beside(file)
        } else {
            String::new()
        };
        let file = plain::line(&file.display().to_string());
        let message = format!("cannot read {file}: {why}{near}");
        Self {
            file,
            names_file: true,
            ..Self::new(message)
        }
    }

    /// Creates a problem with a file.
    pub fn of(file: &Path, message: impl Into<String>) -> Self {
        Self::new(plain::line(&message.into())).in_file(file.display().to_string())
    }

    /// Creates a problem on a line of a file.
    pub fn at(file: &Path, line: u64, message: impl Into<String>) -> Self {
        Self::of(file, message).on_line(line)
    }

    /// Sets the file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        if !self.names_file {
            self.file = file.into();
        }
        self
    }

    /// Sets the file, unless it is already set.
    #[must_use]
    pub fn or_in_file(self, file: impl Into<String>) -> Self {
        if self.file.is_empty() {
            self.in_file(file)
        } else {
            self
        }
    }

    /// Sets the line.
    #[must_use]
    pub fn on_line(mut self, line: u64) -> Self {
        self.line = line;
        self
    }

    /// Sets the part of the input with the problem.
    #[must_use]
    pub fn in_part(mut self, part: impl Into<String>) -> Self {
        self.part = part.into();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.as_str(), self.line) {
            _ if self.names_file => {}
            ("", 0) => {}
            ("", line) => write!(f, "line {line}: ")?,
            (file, 0) => write!(f, "{}: ", plain::line(file))?,
            (file, line) => write!(f, "{}:{line}: ", plain::line(file))?,
        }
        if !self.part.is_empty() {
            write!(f, "{}: ", plain::line(&self.part))?;
        }
        f.write_str(&plain::lines(&self.message))?;
        match self.help.as_str() {
            "" => Ok(()),
            help => write!(f, "\nhelp: {}", plain::lines(help)),
        }
    }
}

impl std::error::Error for Problem {}

impl From<Problem> for String {
    fn from(problem: Problem) -> Self {
        problem.to_string()
    }
}

/// Creates a problem from the error text of a helper function.
impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for Problem {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl PartialEq<&str> for Problem {
    fn eq(&self, text: &&str) -> bool {
        let shown = self.to_string();
        shown == *text
    }
}

/// Creates a [`Problem`] with a formatted message.
///
/// ```
/// let problem = prophet_text::problem!("`{}` is no rank", "a");
/// assert_eq!(problem, "`a` is no rank");
/// ```
#[macro_export]
macro_rules! problem {
    ($($text:tt)*) => {
        $crate::Problem::new(::std::format!($($text)*))
    };
}

/// Parses a whole number within a range, for flags.
///
/// ```
/// use prophet_text::whole_number;
///
/// assert_eq!(whole_number::<u16>("80", 1..=65_535).unwrap(), 80);
/// let wrong = whole_number::<u32>("0", 1..=u64::MAX).unwrap_err();
/// assert_eq!(wrong, "expected a whole number of at least 1");
/// assert_eq!(whole_number::<u8>("x", 0..=9).unwrap_err(), "expected a whole number from 0 to 9");
/// ```
///
/// # Errors
///
/// Returns an error if the text isn't such a number.
pub fn whole_number<T: TryFrom<u64>>(text: &str, range: RangeInclusive<u64>) -> Result<T, Problem> {
    let (least, most) = (range.start(), range.end());
    let number = text.parse().ok().filter(|it| range.contains(it));
    number.and_then(|it| T::try_from(it).ok()).ok_or_else(|| {
        if *most < u64::from(u32::MAX) {
            problem!("expected a whole number from {least} to {most}")
        } else {
            problem!("expected a whole number of at least {least}")
        }
    })
}

const MISSING: &str = "there is no such file";

/// Suggests a file in the same folder that has a similar name.
fn beside(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
    let entries = entries.into_iter().flatten().flatten();
    let mut names: Vec<String> = { entries.filter_map(|it| it.file_name().into_string().ok()) }
        .take(FILES_MAX)
        .collect();
    names.sort_unstable();
    let near = similar(&name, names.iter().map(String::as_str));
    near.map_or_else(String::new, |near| {
        let near = file.with_file_name(near).display().to_string();
        format!("; did you mean `{}`?", plain::line(&near))
    })
}

/// Maximum number of files in a folder to compare with the name of a missing file.
const FILES_MAX: usize = 1_000;

/// Returns the text of an error without the operating system's number for it.
///
/// ```
/// let missing = "No such file or directory (os error 2)";
/// assert_eq!(prophet_text::reason(missing), "there is no such file");
/// let utf16 = "stream did not contain valid UTF-8";
/// assert_eq!(prophet_text::reason(utf16), "it is not UTF-8 text; save it as UTF-8");
/// assert_eq!(prophet_text::reason("Permission denied (os error 13): x"), "Permission denied: x");
/// ```
pub fn reason(error: impl fmt::Display) -> String {
    let text = error.to_string();
    if text == "stream did not contain valid UTF-8" {
        return "it is not UTF-8 text; save it as UTF-8".to_owned();
    }
    let Some((before, behind)) = text.split_once(" (os error ") else {
        return text;
    };
    let before = before.replace("No such file or directory", MISSING);
    let before = before.replace("Is a directory", "it is a folder");
    let behind = behind.split_once(')').map_or("", |(_, behind)| behind);
    format!("{before}{behind}")
}

/// Converts errors of any type to problems. Texts are formatted only if there is an error.
///
/// ```
/// use prophet_text::Context as _;
///
/// let number = "x".parse::<u32>().context("--nodes");
/// assert_eq!(number.unwrap_err(), "--nodes: invalid digit found in string");
/// let written: Result<(), _> = Err("no space").cannot("write", "the rows");
/// assert_eq!(written.unwrap_err(), "cannot write the rows: no space");
/// ```
#[expect(clippy::missing_errors_doc, reason = "errors alone are changed")]
pub trait Context<T> {
    /// Converts the error to a problem with the same text.
    fn told(self) -> Result<T, Problem>;

    /// Converts the error to a problem, and says what failed before the text of the error.
    fn context(self, of: impl fmt::Display) -> Result<T, Problem>;

    /// Converts the error to a problem that starts with "cannot", the act and its object.
    fn cannot(self, act: &str, object: impl fmt::Display) -> Result<T, Problem>;
}

impl<T, E: fmt::Display> Context<T> for Result<T, E> {
    fn told(self) -> Result<T, Problem> {
        self.map_err(|error| Problem::new(reason(error)))
    }

    fn context(self, of: impl fmt::Display) -> Result<T, Problem> {
        self.map_err(|error| problem!("{of}: {}", reason(error)))
    }

    fn cannot(self, act: &str, object: impl fmt::Display) -> Result<T, Problem> {
        self.map_err(|error| problem!("cannot {act} {object}: {}", reason(error)))
    }
}
