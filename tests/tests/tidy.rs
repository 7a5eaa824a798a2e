//! Tests the rules in CONTRIBUTING.md that rustfmt and clippy don't check.

use std::path::{Path, PathBuf};

use prophet_testing::assert_says;
use prophet_tests::project::{files, has_extension, read};
use prophet_tests::root;

const LONGEST_LINE: usize = 100;
const LONGEST_FILE: usize = 800;
const LONGEST_FUNCTION: usize = 70;

/// Returns `true` if a path is a Rust file that isn't generated.
fn written(path: &Path) -> bool {
    has_extension(path, "rs") && !path.starts_with("generated")
}

/// Returns `true` if a path is a Rust file that isn't generated, a script of the reports, or part
/// of the studio's page.
fn laid_out(path: &Path) -> bool {
    let is_script = ["js", "ts", "tsx"].iter().any(|it| has_extension(path, it));
    written(path) || is_script
}

fn refuse(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn code_fits_the_page() {
    let mut problems = Vec::new();
    for path in files().iter().filter(|path| laid_out(path)) {
        let text = read(path);
        let length = text.lines().count();
        if length > LONGEST_FILE {
            problems.push(format!("{}: {length} lines", path.display()));
        }
        // Lines in `expect!` are as long as the expected output, and lines of XML are as long as
        // tools write them.
        let mut expected = false;
        let mut table = false;
        for (number, line) in text.lines().enumerate() {
            expected |= line.contains("expect![[r");
            table = (table || line == "#[rustfmt::skip]") && line != "}";
            let exempt = expected
                || table
                || ["https://", "xmi:", "<prophet:"]
                    .iter()
                    .any(|word| line.contains(word));
            if line.chars().count() > LONGEST_LINE && !exempt {
                problems.push(format!("{}:{}: a long line", path.display(), number + 1));
            }
            expected &= !line.contains("]]");
        }
    }
    refuse(&problems);
}

#[test]
fn functions_do_one_job() {
    let mut problems = Vec::new();
    for path in files().iter().filter(|path| written(path)) {
        // rustfmt writes the last brace of a function in the same column as `fn`.
        let mut open: Option<(usize, usize)> = None;
        for (number, line) in read(path).lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let head = line.trim_start();
            let begins = [
                "fn ",
                "pub fn ",
                "async fn ",
                "pub async fn ",
                "const fn ",
                "pub const fn ",
            ]
            .iter()
            .any(|start| head.starts_with(start))
                || head.starts_with("pub(") && head.contains(" fn ");
            match open {
                // Traits contain declarations without a body.
                None if begins && !head.ends_with(';') => open = Some((number, indent)),
                Some((start, column)) if head == "}" && indent == column => {
                    let length = number - start + 1;
                    if length > LONGEST_FUNCTION {
                        let place = format!("{}:{}", path.display(), start + 1);
                        problems.push(format!("{place}: a function of {length} lines"));
                    }
                    open = None;
                }
                Some((start, _)) if number == start + 1 && head.is_empty() => open = None,
                _ => {}
            }
        }
    }
    refuse(&problems);
}

#[test]
fn nothing_is_left_open() {
    // These words are split so that the test doesn't find them in its own file.
    let words = [
        ["TO", "DO"],
        ["FIX", "ME"],
        ["todo", "!("],
        ["unimplemented", "!("],
        ["dbg", "!("],
        // Markers of merge conflicts.
        ["<<<<", "<<< "],
        [">>>>", ">>> "],
    ];
    let mut problems = Vec::new();
    for path in files() {
        let text_file = ["rs", "md", "tera", "toml"]
            .iter()
            .any(|end| has_extension(&path, end));
        if !text_file || path.starts_with("generated") {
            continue;
        }
        for (number, line) in read(&path).lines().enumerate() {
            if words.iter().any(|word| line.contains(&word.concat())) {
                problems.push(format!(
                    "{}:{}: {}",
                    path.display(),
                    number + 1,
                    line.trim()
                ));
            }
        }
    }
    refuse(&problems);
}

#[test]
fn nothing_names_this_machine() {
    let root = root().display().to_string();
    let home = std::env::var("HOME").unwrap_or_default();
    let mut problems = Vec::new();
    for path in files() {
        let Ok(text) = std::fs::read_to_string(in_project(&path)) else {
            continue;
        };
        for place in [&root, &home] {
            if place.len() > 5 && text.contains(place.as_str()) {
                problems.push(format!("{} has the path {place} in it", path.display()));
            }
        }
    }
    refuse(&problems);
}

fn in_project(path: &Path) -> PathBuf {
    root().join(path)
}

/// Returns the text on a line of documentation.
fn doc_text(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line
        .strip_prefix("///")
        .or_else(|| line.strip_prefix("//!"))?;
    Some(text.trim_start())
}

#[test]
fn commands_in_the_documents_exist() {
    const COMMANDS: &[&str] = &[
        "gen",
        "check",
        "run",
        "runs",
        "report",
        "trace",
        "where",
        "validate",
        "machine",
        "studio",
        "compare",
        "bench",
        "fuzz",
        "ci",
        "book",
        "cache",
        "dist",
        "new",
        "doctor",
        "completions",
        "man",
        "watch",
        "fit",
        "import",
        "sweep",
        "lsp",
        "accuracy",
        "calibrate",
        "record",
        "learn",
        "analyze",
        "page",
    ];
    let mut problems = Vec::new();
    for path in files().iter().filter(|path| has_extension(path, "md")) {
        for (number, line) in read(path).lines().enumerate() {
            let called = ["cargo xtask ", "performance-prophet "].map(|it| line.split(it).skip(1));
            for rest in called.into_iter().flatten() {
                let word: String = rest
                    .chars()
                    .take_while(char::is_ascii_alphanumeric)
                    .collect();
                if word.starts_with(char::is_alphabetic) && !COMMANDS.contains(&&*word) {
                    problems.push(format!("{}:{}: {word}", path.display(), number + 1));
                }
            }
        }
    }
    refuse(&problems);
}

/// The standard library's macros panic if a stream is full or closed. The product prints either
/// with `prophet_text` or with a writer that returns errors.
#[test]
fn nothing_is_printed_by_a_way_that_can_panic() {
    /// Files that write large results to standard output, or check what it is connected to.
    const WRITERS: &[&str] = &[
        "crates/files/src/place.rs",
        "crates/lsp/src/streams.rs",
        "crates/runs/src/command.rs",
        "crates/sweep/src/cluster/merge.rs",
        "crates/sweep/src/command/rows.rs",
        "crates/text/src/ending.rs",
        "prophet-runtime/src/command/cli/refused.rs",
        "prophet-runtime/src/command/run.rs",
        "prophet-runtime/src/command/run/interrupt.rs",
    ];
    let is_product = |path: &&PathBuf| {
        let mut parts = path.iter();
        let is_crate = parts.any(|part| part == "crates" || part == "prophet-runtime")
            || path.starts_with("prophet-codegen");
        let is_source = path.iter().any(|part| part == "src") && !path.ends_with("tests.rs");
        written(path) && is_crate && is_source && !path.starts_with("crates/testing")
    };
    let macros = ["println!(", "eprintln!(", "print!(", "eprint!("];
    let mut problems = Vec::new();
    for path in files().iter().filter(is_product) {
        let is_writer = WRITERS.iter().any(|it| path == Path::new(it));
        let text = read(path);
        let product = text
            .split("\n#[cfg(test)]\nmod tests")
            .next()
            .unwrap_or_default();
        for (number, line) in product.lines().enumerate() {
            let code = line.trim_start();
            let word = |it: &&str| {
                code.find(*it).is_some_and(|at| {
                    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                })
            };
            let streams = ["stdout()", "stderr()"].iter().any(|it| code.contains(it));
            let writes = streams && !code.contains("is_terminal()") && !code.contains("fn ");
            if !code.starts_with("//") && (macros.iter().any(word) || writes && !is_writer) {
                problems.push(format!("{}:{}: {code}", path.display(), number + 1));
            }
        }
    }
    refuse(&problems);
}

/// Programs must work in whichever checkout they are called for, not only in the one where they
/// were compiled. Tests and examples always run where they are compiled.
#[test]
fn no_program_has_the_path_of_its_checkout() {
    let mut problems = Vec::new();
    for path in files().into_iter().filter(|path| has_extension(path, "rs")) {
        let text = read(&path);
        let is_test = path
            .iter()
            .any(|part| part == "tests" || part == "tests.rs" || part == "testing");
        if !is_test && !path.starts_with("docs") && text.contains("env!(\"CARGO_MANIFEST_DIR\")") {
            problems.push(path.display().to_string());
        }
    }
    refuse(&problems);
}

#[test]
fn generated_crates_are_members() {
    let manifest = read(Path::new("Cargo.toml"));
    assert_says(&manifest, &["\"generated/*\""]);
}

#[test]
fn each_file_of_tests_is_in_its_program() {
    let mut problems = Vec::new();
    let files = files();
    let programs = files.iter().filter(|path| path.ends_with("tests/all.rs"));
    for program in programs {
        let folder = program.parent().expect("it lies in a folder");
        let manifest = folder.parent().expect("tests lie in a package");
        let manifest = read(&manifest.join("Cargo.toml"));
        let modules = read(program);
        for path in files.iter().filter(|path| path.parent() == Some(folder)) {
            let name = path
                .file_stem()
                .expect("a file has a name")
                .to_string_lossy();
            let is_module = modules.contains(&format!("mod {name};\n"));
            let is_program = manifest.contains(&format!("name = \"{name}\"\n"));
            if written(path) && !is_module && !is_program {
                problems.push(format!("{}: no `mod` in all.rs", path.display()));
            }
        }
    }
    refuse(&problems);
}

/// Returns the section of a manifest about the crate target that contains a Rust file.
fn section<'t>(manifest: &'t str, path: &Path) -> &'t str {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (kind, mark) = if path.ends_with("src/main.rs") {
        ("[bin]]", "path = \"src/main.rs\"".to_owned())
    } else if path.iter().any(|part| part == "bin") {
        ("[bin]]", format!("name = \"{name}\""))
    } else {
        ("lib]", String::new())
    };
    let mut sections = manifest.split("\n[");
    let found = sections.find(|it| it.starts_with(kind) && it.contains(&mark));
    found.unwrap_or_default()
}

/// Returns `true` if documentation contains an example that rustdoc runs.
fn has_example(code: &str) -> bool {
    let fences = code
        .lines()
        .filter_map(|line| doc_text(line)?.strip_prefix("```"));
    let rust = ["", "rust", "no_run", "should_panic", "compile_fail"];
    // Every second fence is the end of a block.
    fences.step_by(2).any(|kind| rust.contains(&kind))
}

/// It takes seconds to link a test program, so targets without tests don't have one. Generated
/// crates are omitted in the gate.
#[test]
fn what_is_not_tested_has_no_tests() {
    let mut problems = Vec::new();
    let files = files();
    for manifest in files.iter().filter(|path| path.ends_with("Cargo.toml")) {
        let folder = manifest.parent().expect("it lies in a folder");
        let (sources, library) = (folder.join("src"), folder.join("lib.rs"));
        let is_generated = manifest.starts_with("generated");
        let manifest = read(manifest);
        let of_crate = |path: &&PathBuf| path.starts_with(&sources) || **path == library;
        for path in files
            .iter()
            .filter(of_crate)
            .filter(|path| has_extension(path, "rs"))
        {
            let section = section(&manifest, path);
            let leaves_out = |what: &str| is_generated || section.contains(what);
            let code = read(path);
            let has_test = code.contains("#[test]") && leaves_out("\ntest = false");
            if has_test || has_example(&code) && leaves_out("\ndoctest = false") {
                problems.push(path.display().to_string());
            }
        }
    }
    refuse(&problems);
}

/// Returns a library's modules, except its tests.
fn declared(text: &str) -> Vec<&str> {
    let mut modules = Vec::new();
    let mut is_test = false;
    for line in text.lines() {
        let public = line.strip_prefix("pub").unwrap_or(line);
        let plain = public
            .strip_prefix("(crate)")
            .unwrap_or(public)
            .trim_start();
        let module = plain
            .strip_prefix("mod ")
            .filter(|_| !line.starts_with(' '));
        if let Some(name) = module.and_then(|it| it.strip_suffix(';')) {
            if !is_test && name != "tests" {
                modules.push(name);
            }
            is_test = false;
        } else if !line.starts_with("#[") || line.starts_with("#[cfg(test)]") {
            is_test = line.starts_with("#[cfg(test)]");
        }
    }
    modules
}

#[test]
fn libraries_list_their_modules() {
    let mut problems = Vec::new();
    let mut libraries = 0;
    let files = files();
    let folders = ["crates", "prophet-codegen", "prophet-runtime"];
    let of_product = |path: &&PathBuf| folders.iter().any(|folder| path.starts_with(folder));
    let libraries_only = files.iter().filter(of_product);
    for path in libraries_only.filter(|path| path.ends_with("src/lib.rs")) {
        let text = read(path);
        let modules = declared(&text);
        if modules.len() < 2 {
            continue;
        }
        libraries += 1;
        let rows = text.lines().filter(|line| line.starts_with("//! | "));
        let rows = rows.collect::<Vec<_>>().join("\n");
        for module in modules {
            let names = [format!("`{module}`"), format!("`{module}()`")];
            if !names.iter().any(|name| rows.contains(name)) {
                problems.push(format!("{}: no row for {module}", path.display()));
            }
        }
    }
    refuse(&problems);
    assert!(libraries > 25, "{libraries} libraries");
}

/// Unoptimized, `calibrate` would measure itself instead of the machine.
#[test]
fn every_profile_optimizes_what_measures_the_machine() {
    let manifest = read(Path::new("Cargo.toml"));
    let lines = manifest.lines().filter(|it| it.contains("opt-level"));
    let levels: Vec<&str> = lines
        .filter(|it| it.contains("prophet-calibrate"))
        .collect();
    assert_eq!(levels.len(), 3, "dev, release and dist: {levels:?}");
    let is_optimized = |it: &&str| it.contains("opt-level = 2");
    assert!(levels.iter().all(is_optimized), "{levels:?}");
}
