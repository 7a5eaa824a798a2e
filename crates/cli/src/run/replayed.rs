//! Replay of a trace, which `run` takes in place of a model.

use std::ffi::OsString;
use std::path::Path;

use super::{Arguments, Evaluate};
use crate::tool::Tool;
use crate::{Door, Outcome, Stop};

/// Ends of the names of traces; those of models differ.
const EXTENSIONS: [&str; 6] = ["arrow", "goal", "otf2", "ti", "trace", "txt"];

/// True if a path is that of a trace: by its name, or a folder of a file for each rank, without a
/// model.
pub(crate) fn is_trace(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| EXTENSIONS.contains(&it))
        || (path.is_dir() && prophet_model::xmi::models_in(path).is_empty())
}

/// Replays the trace.
pub(super) fn replay(door: &dyn Door, arguments: &Arguments) -> Outcome {
    if arguments.evaluate == Evaluate::Native {
        return Err(Stop::input("a trace is replayed, not compiled"));
    }
    if arguments.save.is_some() {
        return Err(Stop::input(
            "results of traces are not kept; `-- --record FILE` writes them to a file",
        ));
    }
    let mut words: Vec<OsString> = vec!["replay".into(), arguments.model.clone().into()];
    words.push("--".into());
    words.extend(arguments.flags.iter().cloned());
    Tool::Import.finish(door, &words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_known_by_their_names() {
        for trace in ["a.goal", "b.ti", "c.txt", "d.otf2", "src"] {
            assert!(is_trace(Path::new(trace)), "{trace}");
        }
        // A folder with models is none.
        for model in ["a.uml", "b.prophet.xml", "c.puml", "goal", "first-model"] {
            assert!(!is_trace(Path::new(model)), "{model}");
        }
    }
}
