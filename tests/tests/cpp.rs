//! Tests the papers' C++ representation: it equals the papers' listings, compiles, and does the
//! same as our program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_codegen::target::{Files, Input, Target};
use prophet_codegen::vocabulary::Vocabulary;
use prophet_codegen::workspace::Workspace;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_targets::cpp::Cpp;
use prophet_testing::{assert_says, has};
use prophet_tests::executed::{Executed, by_process, leaves, program_of, simulated, together};
use prophet_tests::samples::{
    contention, halo, hybrid, kernel6_detailed, master_worker, megatron, oversubscribed, pingpong,
    schedules, stream, summa, sweep3d, wavefront,
};
use prophet_tests::{
    generated::workspace, models, root, samples_without_accelerators, shared, stem,
};

fn files(model: &Path, workspace: &Workspace) -> Option<Files> {
    let checked = check_by(&RuleSet::empty(), model, None).expect("the model can be read");
    let input = Input {
        program: checked.program.as_ref()?,
        model: checked.model.as_ref()?,
        source: &checked.source,
        vocabulary: Vocabulary::NONE,
        name: "model",
        model_file: "model.uml",
        main: None,
        folder: Path::new(""),
        workspace,
    };
    Some(Cpp.files(&input))
}

/// Returns the text of a sample model's listing after its `#include`.
fn listing(sample: &str) -> String {
    let model = root().join("sample-models").join(sample);
    let files = files(&model, &workspace()).expect("it has no errors");
    let text = &files[Path::new("model.cpp")];
    let (_, listing) = text
        .split_once("#include \"prophet.h\"\n")
        .expect("it includes that");
    listing.to_owned()
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            rest[1..].find('"').expect("strings end") + 2
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            let pairs = ["==", "!=", "<=", ">=", "&&", "||", "++", "--", "::"];
            let pair = pairs.iter().any(|pair| rest.starts_with(pair));
            if pair { 2 } else { first.len_utf8() }
        };
        tokens.push(rest[..length].trim_end());
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Returns a listing from the papers if the file exists.
fn figure(name: &str) -> Option<String> {
    let path = shared().map(|folder| folder.join(name))?;
    std::fs::read_to_string(path).ok()
}

#[test]
fn the_sample_is_the_listing_of_the_paper() {
    let Some(figure) = figure("figure-4.2.cpp") else {
        eprintln!("skipped: ../shared/figure-4.2.cpp is not here");
        return;
    };
    let listing = listing("sample.uml");
    let (expected, actual) = (tokens(&figure), tokens(&listing));
    let difference = expected.iter().zip(&actual).position(|(a, b)| a != b);
    assert_eq!(difference.map(|at| (expected[at], actual[at])), None);
    assert_eq!(expected.len(), actual.len());
}

/// Normalizes a program for comparison: its tokens without indices of mailboxes, parentheses that C
/// doesn't need, empty `else` branches, the comment by the papers' editors, and the diagram's name.
fn form(text: &str) -> Vec<String> {
    let mut form: Vec<String> = Vec::new();
    let mut open = Vec::new();
    let mut in_mailbox = false;
    for token in tokens(text) {
        let called = form.last().is_some_and(|last| {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            last.chars().all(word)
        });
        match token {
            "]" => in_mailbox = false,
            _ if in_mailbox => continue,
            "[" => in_mailbox = true,
            "(" => {
                open.push(called);
                if !called {
                    continue;
                }
            }
            ")" if !open.pop().expect("it was opened") => continue,
            comment if comment.starts_with("// The end of program()") => continue,
            comment if comment.starts_with("// End of diagram") => {
                form.push("// End of diagram".to_owned());
                continue;
            }
            _ => {}
        }
        form.push(token.to_owned());
        if form.ends_with(&["else", "{", "}"].map(str::to_owned)) {
            form.truncate(form.len() - 3);
        }
    }
    form
}

#[test]
fn the_end_of_lapw0_has_the_form_of_the_paper() {
    let Some(figure) = figure("figure-5.4.cpp") else {
        eprintln!("skipped: ../shared/figure-5.4.cpp is not here");
        return;
    };
    let listing = listing("lapw0.uml");
    let begin = listing.find("    ETOTAL.execute(").expect("it is executed");
    assert_eq!(form(&listing[begin..]), form(&figure));
    assert_says(
        &listing,
        &["p[pid - 1], bufferComm)", "p[pid + 1], bufferComm, "],
    );
}

/// Writes each model's files into a separate folder, and compiles them.
fn compile(models: &[PathBuf], folder: &Path) {
    let workspace = workspace();
    let mut failed = BTreeMap::new();
    for model in models {
        let Some(files) = files(model, &workspace) else {
            panic!("{} has errors", model.display());
        };
        let folder = folder.join(stem(model));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        for (path, text) in files {
            std::fs::write(folder.join(path), text).expect("a file can be written");
        }
        let output = Command::new("g++")
            .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
            .arg(folder.join("model.cpp"))
            .output()
            .expect("g++ runs");
        if !output.status.success() {
            failed.insert(stem(model).to_owned(), output.stderr);
        }
    }
    for (model, errors) in &failed {
        eprintln!("{model}:\n{}", String::from_utf8_lossy(errors));
    }
    assert!(failed.is_empty(), "{} models", failed.len());
}

#[test]
fn all_models_compile_without_a_warning() {
    if !has("g++", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    compile(&samples_without_accelerators(), folder.path());
    for models_of in [
        "tests/models/flow",
        "tests/models/mpi",
        "tests/models/threads",
    ] {
        compile(&models(models_of), folder.path());
    }
}

/// Size of the system for samples: nodes, CPUs per node, processes, threads.
const SYSTEM: [u32; 4] = [1, 4, 4, 2];

/// Runs a model's C++ representation. Returns the elements that it executes according to its
/// output.
fn theirs(model: &Path, folder: &Path) -> Executed {
    let folder = folder.join(stem(model));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    for (path, text) in files(model, &workspace()).expect("it has no errors") {
        std::fs::write(folder.join(path), text).expect("a file can be written");
    }
    let program = folder.join("program");
    let output = Command::new("g++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(&folder)
        .arg(root().join("tests/cpp/runtime.cpp"))
        .arg(folder.join("model.cpp"))
        .arg("-o")
        .arg(&program)
        .output()
        .expect("g++ runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let output = Command::new(program)
        .args(SYSTEM.map(|it| it.to_string()))
        .output()
        .expect("it was compiled");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", model.display());
    let mut executed = Executed::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut words = line.splitn(3, ' ');
        let mut number = || words.next()?.parse().ok();
        let unit = number().zip(number()).expect("a pid and a tid");
        let name = words.next().expect("a name").to_owned();
        executed.entry(unit).or_default().push(name);
    }
    executed
}

#[test]
fn all_samples_execute_in_our_order() {
    if !has("g++", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut samples: BTreeSet<String> = samples_without_accelerators()
        .iter()
        .map(|model| stem(model).to_owned())
        .collect();
    macro_rules! same {
        ($($sample:ident),*) => {$(
            let name = stringify!($sample);
            assert!(samples.remove(name), "there is no sample {name}");
            let model = root().join(format!("sample-models/{name}.uml"));
            let program = program_of(&model);
            let expected = simulated(&$sample::MODEL, $sample::program, SYSTEM);
            let actual = leaves(theirs(&model, folder.path()), &program);
            let expected = leaves(expected, &program);
            assert!(!expected.is_empty(), "{name} executes nothing");
            // In some schedules, the distribution of iterations to threads depends on timing.
            if name == "schedules" {
                assert_eq!(by_process(actual), by_process(expected), "{name}");
            } else if name == "master_worker" {
                // The distribution of tasks to workers depends on timing, too.
                assert_eq!(together(actual), together(expected), "{name}");
            } else {
                assert_eq!(actual, expected, "{name}");
            }
        )*};
    }
    same!(
        contention,
        halo,
        hybrid,
        jacobi2d,
        kernel6,
        kernel6_detailed,
        lapw0,
        master_worker,
        megatron,
        oversubscribed,
        pingpong,
        sample,
        schedules,
        stream,
        summa,
        sweep3d,
        wavefront
    );
    assert!(samples.is_empty(), "nobody runs {samples:?}");
}
