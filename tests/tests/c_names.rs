//! Tests names from C, its libraries and our own support code in every place where a model can
//! contain a name: what the C and C++ targets generate must compile without warnings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use prophet_codegen::model::Model;
use prophet_codegen::source::Source;
use prophet_codegen::target::{Input, Target};
use prophet_codegen::vocabulary::Vocabulary;
use prophet_frontend::program::Program;
use prophet_targets::cpp::Cpp;
use prophet_targets::mpi_c::MpiC;
use prophet_targets::simgrid::SimGrid;
use prophet_testing::{has, skip};
use prophet_tests::{generated::workspace, root, sketch};

/// Names that the targets for C avoid.
const RESERVED: &[&str] = &include!("../../prophet-codegen/src/target/c/reserved.in");

/// Names that generated code uses, names that are almost the same, and keywords of a language.
const OTHERS: &str = "i_ i x_2 x turn iterations part class int while typeof INT8_MAX free \
    malloc printf exit abort index time y0 NAN EOF errno int64_t MPI_Send MPI_COMM_WORLD \
    omp_get_num_threads prophet_div end_1 fn self A_t argc model unit element_1 NUM long \
    Element lambda";

/// Returns all identifiers in a folder of templates.
fn words_of_templates(folder: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("templates").join(folder)).expect("it is there") {
        let text = std::fs::read_to_string(entry.expect("it can be listed").path());
        let text = text.expect("it is a text");
        let all = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.extend(all.map(str::to_owned));
    }
    words
}

/// Returns lists of names to try with a target. No two names in a list differ only by case or
/// underscores, because models don't allow that.
fn names(folders: &[&str]) -> Vec<Vec<String>> {
    let mut all: BTreeSet<String> = folders
        .iter()
        .flat_map(|it| words_of_templates(it))
        .collect();
    // Trying all of them would take minutes.
    let some = RESERVED.iter().step_by(9);
    all.extend(some.copied().chain(OTHERS.split(' ')).map(str::to_owned));
    all.retain(|name| {
        let sketch = format!(
            "int {name} = 1\ndouble f(int {name}) = {name} + 1\nstart -> A -> end\n\
             A: action cost=\"f({name})\" code=\"{name} = {name} + 1;\"\n"
        );
        // The sketch's diagram is already called `Main`.
        name != "Main"
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && read(&sketch).is_ok()
    });
    let mut lists: Vec<Vec<String>> = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for name in all {
        let number = seen
            .entry(name.replace('_', "").to_lowercase())
            .or_default();
        if lists.len() == *number {
            lists.push(Vec::new());
        }
        lists[*number].push(name);
        *number += 1;
    }
    lists
}

fn read(sketch: &str) -> Result<(Source, Model, Program), Vec<String>> {
    let source = Source::new("names.uml", sketch::xmi(sketch));
    let (model, program, problems) = sketch::read(&source);
    let problems = problems.into_iter().map(|it| it.message).take(9);
    let read = model
        .zip(program)
        .map(|(model, program)| (source, model, program));
    read.ok_or_else(|| problems.collect())
}

/// Writes a model in which each name belongs to a diagram, an element, a global variable, a
/// function, a request and a lock.
fn of_the_file(names: &[String]) -> String {
    let mut text = String::new();
    let mut chain = "start".to_owned();
    for (number, name) in names.iter().enumerate() {
        let _ = write!(
            text,
            "int {name} = 1\ndouble {name}(int n) = n + 1\nactivity {name} {{\n\
             start -> A -> end\nA ({name}): action cost=\"{name}({name})\"\n}}\n\
             C{number}: call calls {name}\n\
             E{number} ({name}): action cost=\"{name}\" code=\"{name} = {name} + 1;\"\n\
             R{number} ({name}): nbsend dest=\"0\" size=\"8\" request=\"{name}\"\n\
             L{number} ({name}): critical name=\"{name}\" {{\nstart -> A -> end\n}}\n"
        );
        let _ = write!(
            chain,
            " -> C{number} -> E{number} -> R{number} -> L{number}"
        );
    }
    format!("{text}{chain} -> end\n")
}

/// Writes a model in which each name belongs to a local variable, the variables of a loop and a
/// parallel loop, and a function's parameter.
fn of_blocks(names: &[String]) -> String {
    let mut text = String::new();
    let mut chain = "start".to_owned();
    for (number, name) in names.iter().enumerate() {
        let _ = write!(
            text,
            "double F{number}(int {name}) = {name} + 1\n\
             activity Local{number} {{\nlocal int {name} = 2\nstart -> A -> end\n\
             A: action cost=\"F{number}({name})\" code=\"{name} = {name} + 1;\"\n}}\n\
             activity Loops{number} {{\nstart -> L -> P -> end\n\
             L ({name}): loop iterations=\"1 + pid\" variable=\"{name}\" {{\nstart -> A -> end\n\
             A: action cost=\"{name} + 1\"\n}}\n\
             P: paralleldo iterations=\"3\" variable=\"{name}\" {{\nstart -> A -> end\n\
             A: action cost=\"{name} + 1\"\n}}\n}}\n\
             C{number}: call calls Local{number}\nD{number}: call calls Loops{number}\n"
        );
        let _ = write!(chain, " -> C{number} -> D{number}");
    }
    format!("{text}{chain} -> end\n")
}

fn of_parameters(names: &[String]) -> String {
    let mut text = String::new();
    let mut chain = "start".to_owned();
    for (number, name) in names.iter().enumerate() {
        let _ = writeln!(
            text,
            "const int {name} = 1\nA{number}: action cost=\"{name}\""
        );
        let _ = write!(chain, " -> A{number}");
    }
    format!("{text}{chain} -> end\n")
}

/// Generates code from models with all names, and compiles it. Fails if the compiler warns.
fn compile(target: &dyn Target, folders: &[&str], compiler: &[&str], file: &str) {
    let workspace = workspace();
    let mut failed = Vec::new();
    for (number, names) in names(folders).iter().enumerate() {
        let forms = [of_the_file, of_blocks, of_parameters];
        for (form, sketch) in forms.iter().map(|form| form(names)).enumerate() {
            let (source, model, program) = read(&sketch).expect("the model has no errors");
            let input = Input {
                program: &program,
                model: &model,
                source: &source,
                vocabulary: Vocabulary::NONE,
                name: "model",
                model_file: "model.uml",
                main: None,
                folder: Path::new(""),
                workspace: &workspace,
            };
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
                .join("c-names")
                .join(format!("{}-{number}-{form}", target.name()));
            std::fs::create_dir_all(&folder).expect("a folder can be made");
            for (path, text) in target.files(&input) {
                std::fs::write(folder.join(path), text).expect("a file can be written");
            }
            let output = Command::new(compiler[0])
                .args(&compiler[1..])
                .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
                .arg(folder.join(file))
                .output()
                .expect("the compiler runs");
            if !output.status.success() {
                let errors = String::from_utf8_lossy(&output.stderr);
                let errors: String = errors.lines().take(60).collect::<Vec<_>>().join("\n");
                failed.push(format!("{}:\n{errors}", folder.display()));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn any_names_compile_as_the_papers_cpp() {
    if has("g++", "--version") {
        compile(&Cpp, &["cpp"], &["g++", "-std=c++17"], "model.cpp");
    }
}

#[test]
fn any_names_compile_as_c_with_mpi() {
    if has("gcc", "--version") {
        compile(
            &MpiC,
            &["c", "mpi-c"],
            &["gcc", "-std=c11", "-fopenmp"],
            "main.c",
        );
    }
}

#[test]
fn any_names_compile_with_simgrid() {
    if prophet_crosscheck::simgrid::is_installed() {
        let compiler = ["g++", "-std=c++17", "-O0"];
        // The support code is in its own namespace.
        compile(&SimGrid, &[], &compiler, "program.cpp");
    } else {
        skip(format_args!("there is no SimGrid"));
    }
}
