//! Tests where generated files are written: they must harm neither the project nor the crate of
//! another model.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use prophet_codegen::generate::{GenerateFailure, Generated, Request, generate};
use prophet_codegen::output::OutputError;
use prophet_codegen::target::Target;
use prophet_codegen::target::rust::Rust;
use prophet_codegen::target::svg::Svg;
use prophet_codegen::workspace::Workspace;
use prophet_frontend::check::RuleSet;
use prophet_testing::{cargo, succeeded};
use prophet_tests::root;

/// Options of a request.
#[derive(Debug, Clone, Copy, Default)]
struct How<'a> {
    out: Option<&'a Path>,
    to_run: bool,
    force: bool,
}

const TO_RUN: How<'_> = How {
    out: None,
    to_run: true,
    force: false,
};

/// A workspace like the project's, with samples and an empty runtime.
struct Project {
    folder: tempfile::TempDir,
    elsewhere: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self {
            folder: tempfile::tempdir().expect("there is room"),
            elsewhere: tempfile::tempdir().expect("there is room"),
        };
        let manifest = "[workspace]\nresolver = \"3\"\nmembers = [\"prophet-runtime\", \
                        \"generated/*\"]\n";
        project.file("Cargo.toml", manifest);
        let runtime = "[package]\nname = \"prophet-runtime\"\nedition = \"2024\"\n";
        project.file("prophet-runtime/Cargo.toml", runtime);
        project.file("prophet-runtime/src/lib.rs", "");
        let ignored = fs::read_to_string(root().join(".gitignore")).expect("it is there");
        project.file(".gitignore", &ignored);
        project.file("sample-models/sample.uml", &sample());
        project.write("sample-models/sample.uml", &[&Rust]);
        assert!(project.git(&["init", "--quiet"]).status.success());
        project.file("Cargo.lock", "");
        fs::remove_file(project.root().join("Cargo.lock")).expect("it is there");
        project.check();
        let mail = ["-c", "user.name=a", "-c", "user.email=a@b"];
        assert!(project.git(&["add", "."]).status.success());
        let commit = ["commit", "--quiet", "-m", "All"];
        assert!(project.git(&[&mail[..], &commit].concat()).status.success());
        project
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("it is there")
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
        fs::write(path, text).expect("there is room");
    }

    /// Writes a model to another folder.
    fn stranger(&self, path: &str, text: &str) -> PathBuf {
        let path = self.elsewhere.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
        fs::write(&path, text).expect("there is room");
        path
    }

    fn workspace(&self) -> Workspace {
        Workspace {
            root: self.root(),
            runtime: self.root().join("prophet-runtime"),
            target: self.root().join("target"),
            project: self.root(),
            built: self.root().join("target/prophet/crates"),
        }
    }

    fn generate(
        &self,
        model: &Path,
        targets: &[&dyn Target],
        how: How<'_>,
    ) -> Result<Generated, GenerateFailure> {
        let rules = RuleSet::shipped();
        let request = Request {
            targets,
            out: how.out,
            to_run: how.to_run,
            force: how.force,
            ..Request::new(model, &rules)
        };
        generate(&request, &self.workspace())
    }

    /// Generates files in the default folder. Returns the last target's folder.
    fn write(&self, model: &str, targets: &[&dyn Target]) -> PathBuf {
        let generated = self.generate(&self.root().join(model), targets, How::default());
        let generated = generated.unwrap_or_else(|failure| panic!("{failure:?}"));
        generated.written.last().expect("a target").folder.clone()
    }

    fn git(&self, arguments: &[&str]) -> Output {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(self.root());
        git.output().expect("there is git")
    }

    fn status(&self) -> String {
        let output = self.git(&["status", "--porcelain"]);
        String::from_utf8(output.stdout).expect("it is text")
    }

    /// Fails unless cargo can read the workspace.
    fn check(&self) {
        succeeded(
            cargo()
                .args(["metadata", "--offline", "--format-version", "1"])
                .current_dir(self.root()),
        );
    }
}

fn sample() -> String {
    fs::read_to_string(root().join("sample-models/sample.uml")).expect("the sample is there")
}

/// Returns the other model that an error message names.
fn other_model(result: Result<Generated, GenerateFailure>) -> String {
    match result {
        Err(GenerateFailure::Output(OutputError::OtherModel { model, .. })) => model,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_crate_lies_outside_of_the_members() {
    let project = Project::new();
    project.file("models/drawn.uml", &sample());
    let folder = project.write("models/drawn.uml", &[&Svg]);
    assert_eq!(folder, project.root().join("output/drawn/svg"));
    project.check();
    // The same applies to a crate: when it is removed, files that git ignores would remain.
    let folder = project.write("models/drawn.uml", &[&Rust, &Svg]);
    assert_eq!(folder, project.root().join("output/drawn/svg"));
    project.check();
    assert!(project.git(&["clean", "-fdq"]).status.success());
    let crates = project.root().join("output/drawn/rust");
    assert!(crates.join("Cargo.toml").exists());
    assert!(!project.root().join("generated/drawn").exists());
    project.check();
    assert_eq!(project.status(), "");
}

#[test]
fn what_is_run_changes_nothing_that_is_checked_in() {
    let project = Project::new();
    let mut folders = Vec::new();
    for number in 0..10 {
        // Two models have the sample's name, and one of them is identical to it.
        let path = match number {
            0 | 1 => format!("{number}/sample.uml"),
            _ => format!("{number}/model.uml"),
        };
        let text = sample().replace("return 212;", &format!("return {};", 212 + number));
        let model = project.stranger(&path, &text);
        let generated = project.generate(&model, &[&Rust], TO_RUN);
        let generated = generated.unwrap_or_else(|failure| panic!("{failure:?}"));
        let folder = generated.written[0].folder.clone();
        assert_eq!(folder, project.workspace().built.join(&generated.name));
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("it is there");
        assert!(manifest.contains(&format!("name = \"{}\"\n", generated.name)));
        assert!(manifest.contains("\n[workspace] #"), "{manifest}");
        assert!(!manifest.contains(&project.root().display().to_string()));
        folders.push(folder);
    }
    assert_eq!(project.status(), "");
    project.check();
    folders.sort();
    folders.dedup();
    assert_eq!(folders.len(), 10, "each has its own");
    // The same model gives the same crate.
    let again = project.stranger(
        "7/model.uml",
        &sample().replace("return 212;", "return 219;"),
    );
    let generated = project.generate(&again, &[&Rust], TO_RUN);
    let generated = generated.unwrap_or_else(|failure| panic!("{failure:?}"));
    assert!(generated.written[0].report.is_fresh());
    // A sample runs in its crate's folder.
    let sample = project.root().join("sample-models/sample.uml");
    let generated = project.generate(&sample, &[&Rust], TO_RUN);
    let generated = generated.unwrap_or_else(|failure| panic!("{failure:?}"));
    assert_eq!(generated.name, "sample");
    assert!(generated.written[0].report.is_fresh());
}

#[test]
fn the_crate_of_another_model_is_never_overwritten() {
    let project = Project::new();
    let text = sample().replace("return 212;", "return 213;");
    let stranger = project.stranger("sample.uml", &text);
    let member = project.root().join("generated/sample");
    let to_member = How {
        out: Some(&member),
        ..How::default()
    };
    let refused = project.generate(&stranger, &[&Rust], to_member);
    let Err(GenerateFailure::Output(problem)) = &refused else {
        panic!("{refused:?}");
    };
    let message = problem.to_string();
    for word in [
        "generated/sample has files of another model, sample-models/sample.uml;",
        "`gen --out DIR`",
        "`--force`",
    ] {
        assert!(message.contains(word), "{message}");
    }
    assert_eq!(problem.rule().code, "PM0508");
    assert_eq!(project.status(), "");
    // Models in other folders are distinguished by their paths. File headers contain these paths,
    // so that files can be generated again.
    let (first, second) = ("one/farm.uml", "two/farm.uml");
    let (first, second) = (
        project.stranger(first, &sample()),
        project.stranger(second, &text),
    );
    project
        .generate(&first, &[&Rust], How::default())
        .expect("there is none yet");
    fs::write(&first, sample().replace("return 212;", "return 214;")).expect("it is ours");
    project
        .generate(&first, &[&Rust], How::default())
        .expect("it is its own");
    let other = other_model(project.generate(&second, &[&Rust], How::default()));
    assert!(
        other.starts_with("../") && other.ends_with("/one/farm.uml"),
        "{other}"
    );
    let force = How {
        force: true,
        ..How::default()
    };
    project
        .generate(&second, &[&Rust], force)
        .expect("the user wants it");
    let other = other_model(project.generate(&first, &[&Rust], How::default()));
    assert!(other.ends_with("/two/farm.uml"), "{other}");
    // A user's folder can contain both a crate and pictures of the same model.
    let out = project.elsewhere.path().join("out");
    let to_out = How {
        out: Some(&out),
        ..How::default()
    };
    let sample = project.root().join("sample-models/sample.uml");
    for target in [&Svg as &dyn Target, &Rust] {
        project
            .generate(&sample, &[target], to_out)
            .expect("a folder");
    }
    let refused = project.generate(&second, &[&Svg], to_out);
    assert_eq!(other_model(refused), "sample-models/sample.uml");
    let refused = project.generate(&second, &[&Rust], to_out);
    assert_eq!(other_model(refused), "sample-models/sample.uml");
}
