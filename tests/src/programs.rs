//! Compiles the generated programs of many test models together.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by};

use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_codegen::target::{Files, format};
use prophet_testing::{succeeded, words};
use serde_json::Value;

use crate::{built, interpreted, root, stem};

/// Locked while crates are compiled, because all tests share one build folder.
static COMPILING: Mutex<()> = Mutex::new(());

/// The compiled programs of several models.
#[derive(Debug)]
pub struct Programs {
    folder: PathBuf,
    /// Folder with the programs. Each is named after its crate.
    built: PathBuf,
    /// Rules for checking the models.
    rules: RuleSet,
}

impl Programs {
    /// Generates the crates of `models` in `folder`, and compiles them.
    ///
    /// # Panics
    ///
    /// Panics if a model has errors or its crate doesn't compile, with a message that includes the
    /// tools' output.
    pub fn build(folder: &Path, models: &[PathBuf]) -> Self {
        Self::build_by(RuleSet::empty(), folder, models)
    }

    /// Generates and compiles crates as [`Self::build`] does, but checks the models with other
    /// rules.
    ///
    /// In the gate, cargo compiles each crate with its own manifest. Elsewhere, one program
    /// contains all of them, because compiling it takes a sixth of the time.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`Self::build`].
    pub fn build_by(rules: RuleSet, folder: &Path, models: &[PathBuf]) -> Self {
        #[cfg(unix)]
        if !prophet_testing::in_gate() {
            return Self::together_by(rules, folder, models, models.len());
        }
        let folder = folder.to_owned();
        for model in models {
            write_crate(&rules, &folder, model);
        }
        let members: Vec<String> = models.iter().map(|model| crate_name(model)).collect();
        let built = compile_crates(&folder, &members);
        Self {
            folder,
            built,
            rules,
        }
    }

    /// Generates and compiles crates as [`Self::build`] does, for a very large number of
    /// models. Each program contains `size` models, and its name selects the model to run.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`Self::build`].
    #[cfg(unix)]
    pub fn together(folder: &Path, models: &[PathBuf], size: usize) -> Self {
        Self::together_by(RuleSet::empty(), folder, models, size)
    }

    #[cfg(unix)]
    fn together_by(rules: RuleSet, folder: &Path, models: &[PathBuf], size: usize) -> Self {
        let built = folder.join("programs");
        fs::create_dir_all(&built).expect("a folder can be made");
        for (number, group) in models.chunks(size).enumerate() {
            let name = format!("group_{number}");
            let program = built.join(&name);
            let sources = write_group(&rules, &folder.join(&name), group);
            compile_group(&sources, &program);
            for model in group {
                let link = built.join(crate_name(model));
                let _ = fs::remove_file(&link);
                std::os::unix::fs::symlink(&program, link).expect("there is room");
            }
        }
        Self {
            folder: folder.to_owned(),
            built,
            rules,
        }
    }

    /// In the gate, runs clippy on the crates, as configured in their own manifests, and denies
    /// warnings. Elsewhere, does nothing, because clippy would check the runtime once more. The
    /// crates contain no tests.
    ///
    /// # Panics
    ///
    /// Panics if there are warnings, with a message that includes all of them.
    #[track_caller]
    pub fn clippy(&self) {
        if !prophet_testing::in_gate() {
            return;
        }
        let flags = "clippy --offline --workspace -- -D warnings";
        succeeded(&mut cargo(flags, &self.folder));
    }

    pub fn path(&self, model: &Path) -> PathBuf {
        self.built.join(crate_name(model))
    }

    /// Runs a model's program, which must behave like the interpreted model.
    ///
    /// # Panics
    ///
    /// Panics if the program can't be started, or behaves differently from the interpreter.
    pub fn run(&self, model: &Path, flags: &[&str]) -> Output {
        let output = Command::new(self.path(model))
            .args(flags)
            .output()
            .expect("the program was built");
        interpreted::compare(&self.rules, model, &crate_name(model), flags, &output);
        output
    }
}

/// Returns the name of a test model's crate. The prefix `model_` distinguishes it from the
/// project's own crates.
pub fn crate_name(model: &Path) -> String {
    format!("model_{}", stem(model).replace('-', "_"))
}

/// Returns the files of a model's crate, even if the model violates the checker's rules, because
/// some tests need programs that fail or never end.
///
/// # Panics
///
/// Panics if the model has errors.
pub fn crate_of(model: &Path) -> Files {
    let files = unformatted(&RuleSet::empty(), model);
    format(files).expect("generated code can be formatted")
}

fn unformatted(rules: &RuleSet, model: &Path) -> Files {
    let checked: Checked = check_by(rules, model, None).expect("the model can be read");
    let Some(program) = &checked.program else {
        panic!("{} has errors: {:#?}", model.display(), checked.diagnostics);
    };
    let runtime = root().join("prophet-runtime");
    let options = CrateOptions {
        name: crate_name(model),
        model_file: format!("{}.uml", stem(model)),
        runtime_path: runtime.display().to_string(),
        standalone: false,
        ..CrateOptions::default()
    };
    crate_files(program, &options)
}

fn write_crate(rules: &RuleSet, workspace: &Path, model: &Path) {
    let folder = workspace.join(crate_name(model));
    let files = format(unformatted(rules, model)).expect("generated code can be formatted");
    for (path, text) in files {
        write(&folder.join(path), &text);
    }
}

/// Compiles crates in `folder` as a workspace. Returns the folder with their programs.
fn compile_crates(folder: &Path, members: &[String]) -> PathBuf {
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
    write(&folder.join("Cargo.toml"), &manifest);
    // Uses the same versions as the project instead of the newest ones.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("there is a lock file");
    // Another test may compile a model with the same name in the same build folder. This link keeps
    // the program if the other test replaces it.
    let built = folder.join("programs");
    fs::create_dir_all(&built).expect("a folder can be made");
    let _alone = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
    for name in members {
        renew(folder, name);
    }
    succeeded(&mut cargo("build --offline --workspace", folder));
    for name in members {
        let link = built.join(name);
        let _ = fs::remove_file(&link);
        let program = target().join("debug").join(name);
        fs::hard_link(program, link).expect("each member is a program");
    }
    built
}

/// Writes the sources of one program that contains all these models. Returns the paths; the last
/// one is the main file.
#[cfg(unix)]
fn write_group(rules: &RuleSet, folder: &Path, models: &[PathBuf]) -> Vec<PathBuf> {
    let (mut modules, mut arms) = (String::new(), String::new());
    let mut sources = Vec::new();
    for model in models {
        let module = crate_name(model);
        for (path, text) in unformatted(rules, model) {
            let Ok(name) = path.strip_prefix("src") else {
                continue;
            };
            let name = if name == Path::new("lib.rs") {
                Path::new("mod.rs")
            } else {
                name
            };
            sources.push(folder.join(&module).join(name));
            write(&sources[sources.len() - 1], &text);
        }
        let _ = writeln!(modules, "mod {module};");
        let _ = writeln!(
            arms,
            "        Some(\"{module}\") => \
             prophet_runtime::main(&{module}::MODEL, {module}::program),"
        );
    }
    let main = format!(
        "{modules}\nfn main() -> std::process::ExitCode {{\n    \
         let name = std::env::args().next().unwrap_or_default();\n    \
         match std::path::Path::new(&name).file_name().and_then(|name| name.to_str()) {{\n\
         {arms}        _ => std::process::ExitCode::from(101),\n    }}\n}}\n"
    );
    sources.push(folder.join("main.rs"));
    write(&sources[sources.len() - 1], &main);
    sources
}

/// Compiles a program unless it is newer than its sources. Links the runtime that is compiled for
/// the project's programs.
#[cfg(unix)]
fn compile_group(sources: &[PathBuf], program: &Path) {
    let runtime = built::runtime();
    let written = |path: &Path| fs::metadata(path).and_then(|it| it.modified()).ok();
    let newest = { sources.iter().map(PathBuf::as_path).chain([runtime]) }.map(written);
    if written(program) > newest.max().flatten() {
        return;
    }
    let libraries = runtime.parent().expect("it is in a folder");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .args(["--edition=2024", "-Awarnings", "-Cstrip=symbols"])
        .arg(format!("--extern=prophet_runtime={}", runtime.display()))
        .arg(format!("-Ldependency={}", libraries.display()))
        .arg(format!("-Ldependency={}", libraries.join("deps").display()))
        .arg("-o")
        .arg(program)
        .arg(&sources[sources.len() - 1]);
    succeeded(&mut rustc);
}

/// Writes a file if its content changes. Cargo would recompile a crate with newer files.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("the path has a folder"))
        .expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

/// Writes the sources of a crate again if the last crate with this name was in another folder.
/// Otherwise, cargo would take both crates for the same one, and not compile this one.
fn renew(folder: &Path, name: &str) {
    let owner = target().join("owners").join(name);
    let own = folder.display().to_string();
    if fs::read_to_string(&owner).is_ok_and(|it| it == own) {
        return;
    }
    let sources = fs::read_dir(folder.join(name).join("src")).expect("the crate is written");
    for source in sources {
        let path = source.expect("it can be listed").path();
        if path.is_dir() {
            continue;
        }
        let text = fs::read(&path).expect("it can be read");
        fs::write(&path, text).expect("it can be written");
    }
    write(&owner, &own);
}

/// Returns the build folder that all tests share, so that the runtime is compiled only once. It is
/// in cargo's target folder, where this test program is in `debug/deps`.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("a path");
    let cargos = program.ancestors().nth(3).expect("cargo's folder");
    cargos.join("tmp/target")
}

/// Returns the JSON that a successful program printed.
///
/// # Panics
///
/// Panics if the program failed, or printed something other than JSON.
#[track_caller]
pub fn json(output: &Output) -> Value {
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

/// Returns a command that runs cargo on a generated crate, with the words in `line` as arguments
/// and the build folder that all tests share.
pub fn cargo(line: &str, folder: &Path) -> Command {
    let mut command = prophet_testing::cargo();
    command
        .args(words(line))
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target())
        // With debug information, hundreds of programs would fill a small disk.
        .envs([
            ("CARGO_INCREMENTAL", "0"),
            ("CARGO_PROFILE_DEV_DEBUG", "false"),
            ("CARGO_PROFILE_DEV_STRIP", "symbols"),
        ]);
    command
}
