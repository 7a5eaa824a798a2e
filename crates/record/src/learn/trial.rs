//! Tries out a model at the recorded sizes before it is written: the model must run, and its
//! messages are compared with the recorded ones.

use std::ffi::OsString;
use std::path::Path;

use prophet_codegen::diagnostic::Severity;
use prophet_codegen::source::Source;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_source;
use prophet_import::CallCounts;
use prophet_interpreter::Interpreted;
use prophet_runtime::{RunHandle, Trace};
use prophet_text::{Context as _, Problem};

/// Maximum number of calls to compare one by one. Longer runs are only checked for reaching their
/// end.
const COMPARED: u64 = 4 << 20;

/// What a model does at a recorded size.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Trial {
    /// The model sends the recorded messages. Its computing takes this many times as long as in the
    /// recording.
    Same(f64),
    Differs(String),
    Fails(String),
}

#[derive(Debug, Default)]
pub(super) struct Size {
    pub(super) ranks: u32,
    pub(super) parameters: Vec<(String, f64)>,
    pub(super) counts: CallCounts,
}

pub(super) struct Tried(Result<Interpreted, String>);

impl Tried {
    /// Reads the model in a text.
    pub(super) fn of(text: &str) -> Self {
        let source = Source::new("model.prophet.xml", text.to_owned());
        let checked = check_source(&RuleSet::shipped(), source, Path::new(""), None);
        let mut errors = checked.diagnostics.iter();
        let error = errors.find(|it| it.severity == Severity::Error);
        Self(match error {
            Some(first) => Err(format!("{} {}", first.code, first.message)),
            None => Interpreted::new(&checked, "model", false).map_err(|it| it.to_string()),
        })
    }

    /// Returns why the model doesn't run at a size that wasn't recorded; `None` if it runs.
    pub(super) fn fails(&self, size: &Size, path: &Path) -> Option<String> {
        let model = self.0.as_ref().map_err(Clone::clone);
        let ran = model.and_then(|it| ran(it, size, path, false).map_err(Into::into));
        ran.err().map(|why: String| why.trim_end().to_owned())
    }

    /// Runs the model at a size. Traces are written next to the file at `path`.
    pub(super) fn at(&self, size: &Size, path: &Path) -> Trial {
        let counts = self.0.as_ref().map_err(Clone::clone);
        let is_few = size.counts.calls() <= COMPARED;
        match counts.and_then(|it| ran(it, size, path, is_few).map_err(Into::into)) {
            Ok(None) => Trial::Same(1.0),
            Ok(Some(counts)) => match counts.differences(&size.counts) {
                Some(differences) => Trial::Differs(differences),
                None if size.counts.computing_s > 0.0 => {
                    Trial::Same(counts.computing_s / size.counts.computing_s)
                }
                None => Trial::Same(1.0),
            },
            Err(why) => Trial::Fails(why.trim_end().to_owned()),
        }
    }
}

/// Returns the calls in a run; `None` if they aren't compared.
fn ran(
    model: &Interpreted,
    size: &Size,
    path: &Path,
    is_compared: bool,
) -> Result<Option<CallCounts>, Problem> {
    let has = |name: &str| model.model().parameters.iter().any(|it| it.name == name);
    let own = size.parameters.iter().filter(|it| has(&it.0));
    let words = own.flat_map(|(name, value)| ["--set".to_owned(), format!("{name}={value}")]);
    let first = ["learn", "--nodes"].map(str::to_owned);
    let words = first
        .into_iter()
        .chain([size.ranks.to_string()])
        .chain(words);
    let words: Vec<OsString> = words.map(Into::into).collect();
    let handle = RunHandle::default();
    if !is_compared {
        let ran = model.evaluate(words, &handle);
        return ran.map(|_| None).map_err(|it| it.message.into());
    }
    let mut trace = Trace::scratch(path);
    model.observe(words, Some(&mut trace), &handle)?;
    trace.written().told()?;
    CallCounts::of_run(trace.read().told()?).map(Some)
}
