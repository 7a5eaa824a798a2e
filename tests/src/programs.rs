//! Compiles the generated programs of test models together.

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

use crate::{interpreted, root, stem};

/// Held while crates are compiled, because all tests share one folder of programs.
static COMPILING: Mutex<()> = Mutex::new(());

/// The programs of some models.
#[derive(Debug)]
pub struct Programs {
    folder: PathBuf,
    /// Folder of the programs, named after their crates.
    built: PathBuf,
    rules: RuleSet,
}

impl Programs {
    /// Generates the crates of `models` into one workspace in `folder`, and compiles it.
    ///
    /// # Panics
    ///
    /// Panics with the tools' messages if a model has errors, or if its crate doesn't compile.
    pub fn build(folder: &Path, models: &[PathBuf]) -> Self {
        Self::build_by(RuleSet::empty(), folder, models)
    }

    /// Builds like [`Self::build`], for models that are checked by other rules.
    ///
    /// # Panics
    ///
    /// Panics like [`Self::build`].
    pub fn build_by(rules: RuleSet, folder: &Path, models: &[PathBuf]) -> Self {
        let folder = folder.to_owned();
        for model in models {
            write_crate(&rules, &folder, model);
        }
        let members: Vec<String> = models.iter().map(|model| crate_name(model)).collect();
        let compiled = Self::compile(folder, &members);
        Self { rules, ..compiled }
    }

    /// Builds like [`Self::build`], for very many models: `size` of them become one program, which
    /// behaves like the model that it is called as.
    ///
    /// # Panics
    ///
    /// Panics like [`Self::build`].
    #[cfg(unix)]
    pub fn together(folder: &Path, models: &[PathBuf], size: usize) -> Self {
        let groups = models.chunks(size).enumerate();
        let groups: Vec<_> = groups
            .map(|(n, group)| (format!("{}_{n}", stem(folder)), group))
            .collect();
        for (name, group) in &groups {
            write_group(&folder.join(name), name, group);
        }
        let members: Vec<String> = groups.iter().map(|(name, _)| name.clone()).collect();
        let compiled = Self::compile(folder.to_owned(), &members);
        let links = compiled.built.clone();
        for (name, group) in &groups {
            for model in *group {
                let link = links.join(crate_name(model));
                let _ = fs::remove_file(&link);
                let program = compiled.built.join(name);
                std::os::unix::fs::symlink(program, link).expect("there is room");
            }
        }
        compiled
    }

    fn compile(folder: PathBuf, members: &[String]) -> Self {
        let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
        write(&folder.join("Cargo.toml"), &manifest);
        // The project's versions, not the newest.
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))
            .expect("there is a lock file");
        // Other tests compile models with the same names in the same target folder, so the results
        // are linked from here before they can be replaced.
        let built = folder.join("programs");
        fs::create_dir_all(&built).expect("a folder can be made");
        let alone = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
        for name in members {
            renew(&folder, name);
        }
        succeeded(&mut cargo("build --offline --workspace", &folder));
        for name in members {
            let link = built.join(name);
            let _ = fs::remove_file(&link);
            let program = target().join("debug").join(name);
            fs::hard_link(program, link).expect("each member is a program");
        }
        drop(alone);
        Self {
            built,
            folder,
            rules: RuleSet::empty(),
        }
    }

    /// Runs clippy as the crates' own manifests say, with warnings denied. This happens only in the
    /// gate, because it checks the runtime once more. The crates have no tests.
    ///
    /// # Panics
    ///
    /// Panics with all warnings if there are any.
    #[track_caller]
    pub fn clippy(&self) {
        if !prophet_testing::in_gate() {
            return;
        }
        let flags = "clippy --offline --workspace -- -D warnings";
        succeeded(&mut cargo(flags, &self.folder));
    }

    /// Returns the path of a model's program.
    pub fn path(&self, model: &Path) -> PathBuf {
        self.built.join(crate_name(model))
    }

    /// Runs a model's program, which must do the same as interpreting the model.
    ///
    /// # Panics
    ///
    /// Panics if it can't be started, or differs from the interpreter.
    pub fn run(&self, model: &Path, flags: &[&str]) -> Output {
        let output = Command::new(self.path(model))
            .args(flags)
            .output()
            .expect("the program was built");
        interpreted::compare(&self.rules, model, &crate_name(model), flags, &output);
        output
    }
}

/// Returns the name of a test model's crate; `model_` distinguishes it from the project's own
/// crates.
pub fn crate_name(model: &Path) -> String {
    format!("model_{}", stem(model).replace('-', "_"))
}

/// Returns the files of a model's crate, even if the checker's rules reject the model, because
/// tests draw programs that never end or that fail.
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

/// Writes a crate with a program that contains the programs of all these models.
#[cfg(unix)]
fn write_group(folder: &Path, name: &str, models: &[PathBuf]) {
    let (mut modules, mut arms) = (String::new(), String::new());
    for model in models {
        let module = crate_name(model);
        for (path, text) in unformatted(&RuleSet::empty(), model) {
            if path.ends_with("src/lib.rs") {
                write(&folder.join("src").join(&module).join("mod.rs"), &text);
            }
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
    write(&folder.join("src/main.rs"), &main);
    let runtime = root().join("prophet-runtime");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n\
         [dependencies]\nprophet-runtime = {{ path = \"{}\" }}\n",
        runtime.display()
    );
    write(&folder.join("Cargo.toml"), &manifest);
}

/// Writes a file only if it changes, because cargo recompiles newer files.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("the path has a folder"))
        .expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

/// Touches a crate's sources if another folder's crate with the same name was compiled last. Cargo
/// takes both for the same crate, and would consider it compiled.
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

/// Returns the folder in which programs are compiled. All tests share it, so that the runtime is
/// compiled once. It is next to the folder of this test program, `debug/deps`.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("a path");
    let cargos = program.ancestors().nth(3).expect("cargo's folder");
    cargos.join("tmp/target")
}

/// Returns the JSON printed by a program that succeeded.
///
/// # Panics
///
/// Panics if it failed, or printed something else.
#[track_caller]
pub fn json(output: &Output) -> Value {
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

/// Returns a call of cargo on a generated crate, with the folder of compiled programs that all
/// tests share.
pub fn cargo(line: &str, folder: &Path) -> Command {
    let mut command = prophet_testing::cargo();
    command
        .args(words(line))
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target())
        // Hundreds of programs with debug information would fill a small disk.
        .envs([
            ("CARGO_INCREMENTAL", "0"),
            ("CARGO_PROFILE_DEV_DEBUG", "false"),
            ("CARGO_PROFILE_DEV_STRIP", "symbols"),
        ]);
    command
}
