//! Compiles the crate of a model, and runs it.

use prophet_text::Problem;
#[cfg(not(feature = "whole"))]
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Child;

use prophet_codegen::build::{self, Artifacts};
use prophet_codegen::generate::crate_name;
#[cfg(feature = "whole")]
use prophet_codegen::generate::{Request, generate_checked};
#[cfg(feature = "whole")]
use prophet_codegen::workspace::Workspace;
use prophet_frontend::program::TableRows;

use super::{Arguments, Subject};
use crate::cache::Key;
use crate::tool::become_program;
use crate::{CommandOutcome, Door};
#[cfg(feature = "whole")]
use crate::{Stop, cache, gen_cmd, toolchain::explained};

#[cfg(feature = "whole")]
fn request<'a>(door: &'a dyn Door, subject: Subject<'a>) -> Request<'a> {
    let arguments = subject.arguments;
    Request {
        main: arguments.main.as_deref(),
        to_run: true,
        force: arguments.force,
        program: door.program(),
        ..Request::new(&arguments.model, subject.rules)
    }
}

#[cfg(feature = "whole")]
pub(super) fn compile(door: &dyn Door, subject: Subject<'_>) -> Result<PathBuf, Stop> {
    let workspace = door.workspace()?;
    hold(door, &workspace);
    let checked = subject.checked.clone();
    let generated = gen_cmd::write_checked(door, &request(door, subject), checked);
    let generated = generated.map_err(|stop| Stop {
        message: explained(stop.message),
        ..stop
    })?;
    let folder = &generated.written[0].folder;
    let program = build::generated(folder, &workspace);
    let program = program.map_err(|problem| Stop::input(explained(problem.into())))?;
    remember(door, key(subject), &program);
    Ok(program)
}

#[cfg(feature = "whole")]
/// Protects the cache until the program runs. If the cache is too large, trims it first.
fn hold(door: &dyn Door, workspace: &Workspace) {
    if let Ok(cache) = door.cache() {
        cache.trim(&workspace.target, cache::LIMIT);
        cache.hold();
    }
}

/// Turns this process into the compiled program, whose output is the same as the interpreter's.
pub(super) fn become_it(arguments: &Arguments, program: &Path) -> CommandOutcome {
    let name = crate_name(&arguments.model);
    become_program(program, name.as_ref(), &arguments.flags)
}

pub(super) fn remember(door: &dyn Door, key: Option<Key>, program: &Path) {
    if let (Ok(cache), Some(key)) = (door.cache(), key) {
        cache.remember(key, program);
    }
}

#[cfg(feature = "whole")]
/// Returns the folder of the model's crate, which is generated if possible.
pub(super) fn folder(door: &dyn Door, subject: Subject<'_>) -> Option<PathBuf> {
    let (request, workspace) = (request(door, subject), door.workspace().ok()?);
    let generated = generate_checked(&request, subject.checked.clone(), &workspace);
    Some(generated.ok()?.written.swap_remove(0).folder)
}

#[cfg(feature = "whole")]
/// Starts compiling the model's crate, without showing messages.
pub(super) fn begin(door: &dyn Door, subject: Subject<'_>) -> Result<(Child, Artifacts), Problem> {
    let workspace = door.workspace().map_err(|stop| stop.message)?;
    hold(door, &workspace);
    let checked = subject.checked.clone();
    let generated = generate_checked(&request(door, subject), checked, &workspace);
    let generated = generated.map_err(|_| "its crate cannot be written".to_owned())?;
    build::generated_quietly(&generated.written[0].folder, &workspace)
}

/// Starts compiling the full program, which then compiles the model's crate.
#[cfg(not(feature = "whole"))]
pub(super) fn begin(door: &dyn Door, subject: Subject<'_>) -> Result<(Child, Artifacts), Problem> {
    let arguments = subject.arguments;
    let mut words: Vec<OsString> = vec!["run".into(), "--compile-only".into()];
    words.push((&arguments.model).into());
    if let Some(main) = &arguments.main {
        words.extend(["--main".into(), main.into()]);
    }
    words.extend(arguments.rules.again());
    let whole = door.whole(Some(words));
    build::quietly(&mut whole.ok_or("this program cannot compile")?)
}

/// Returns the model's compiled program, if it is in the cache.
pub(super) fn at_hand(door: &dyn Door, subject: Subject<'_>) -> Option<PathBuf> {
    door.cache().ok()?.program(key(subject)?)
}

/// Returns a key for everything that the program is built from. Returns `None` if that includes the
/// user's crates, because only cargo knows whether they have changed.
pub(super) fn key(subject: Subject<'_>) -> Option<Key> {
    let Subject {
        arguments, checked, ..
    } = subject;
    if !arguments.rules.vocabulary.is_empty() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    arguments.model.canonicalize().ok()?.hash(&mut hasher);
    arguments.main.hash(&mut hasher);
    checked.source.text.hash(&mut hasher);
    for file in &checked.source.files {
        (&file.path, file.start).hash(&mut hasher);
    }
    let assumed = checked.program.as_ref().map(|it| &it.assumptions);
    assumed.hash(&mut hasher);
    for table in checked
        .program
        .iter()
        .flat_map(|program| program.tables.iter())
    {
        let hash = |points: &[(f64, f64)], hasher: &mut DefaultHasher| {
            for (x, y) in points {
                [x.to_bits(), y.to_bits()].hash(hasher);
            }
        };
        match &table.rows {
            TableRows::Points(points) => hash(points, &mut hasher),
            TableRows::Lines(lines) => {
                for (x, points) in lines {
                    x.to_bits().hash(&mut hasher);
                    hash(points, &mut hasher);
                }
            }
        }
    }
    Key::of(hasher.finish())
}
