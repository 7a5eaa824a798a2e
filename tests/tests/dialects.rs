//! Tests a small model, written by hand as each tool writes it (`tests/models/dialects`). All
//! versions must be the same program, whatever a file's encoding or packing.

use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::{Severity, render_human};
use prophet_codegen::target::Files;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_frontend::checked::{Checked, check};
use prophet_frontend::program::Program;
use prophet_tests::root;
use zip::write::SimpleFileOptions;

/// Model files, and the codes of the warnings that each of them causes.
const DIALECTS: [(&str, &[&str]); 7] = [
    ("papyrus.uml", &[]),
    ("enterprise-architect.xmi", &["PM0110"]),
    ("magicdraw.mdxml", &["PM0110"]),
    ("visual-paradigm.xmi", &[]),
    ("staruml.xmi", &[]),
    ("rsm.emx", &["PM0110"]),
    ("argouml.xmi", &[]),
];

fn file(name: &str) -> PathBuf {
    root().join("tests/models/dialects").join(name)
}

fn read(path: &Path) -> Checked {
    check(path, None).unwrap_or_else(|problem| panic!("{problem}"))
}

fn program(path: &Path) -> Program {
    let checked = read(path);
    let problems = render_human(&checked.source, &checked.diagnostics, false);
    checked
        .program
        .unwrap_or_else(|| panic!("{}:\n{problems}", path.display()))
}

/// Returns a program's crate in a form for comparison. Omits what tools write differently: the
/// model's name, the names of types (`int` or `Integer`), and places, which replace missing ids.
fn crate_of(mut program: Program) -> Files {
    program.name = String::from("Small");
    for global in &mut program.globals {
        global.declared_type = format!("{:?}", global.ty);
    }
    for element in &mut program.elements {
        if element.stereotype.is_none() {
            element.id = 0;
        }
    }
    let options = CrateOptions {
        name: "small".to_owned(),
        model_file: "small.uml".to_owned(),
        runtime_path: "../prophet-runtime".to_owned(),
        standalone: false,
        ..CrateOptions::default()
    };
    crate_files(&program, &options)
}

#[test]
fn all_dialects_are_the_same_program() {
    let expected = crate_of(program(&file("papyrus.uml")));
    // The generated files aren't formatted yet.
    let text: String = expected
        .values()
        .flat_map(|it| it.split_whitespace())
        .collect();
    for part in [
        "121.0/globals.p",
        "SA2.execute(ctx,8",
        "p.set(3.5)",
        "gv.get()==1",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    for (name, _) in DIALECTS {
        let files = crate_of(program(&file(name)));
        for (path, expected) in &expected {
            assert_eq!(&files[path], expected, "{} of {name}", path.display());
        }
    }
}

#[test]
fn each_dialect_gets_the_warnings_that_it_should() {
    for (name, codes) in DIALECTS {
        let checked = read(&file(name));
        let found: Vec<&str> = checked
            .diagnostics
            .iter()
            .map(|it| it.code.as_ref())
            .collect();
        assert_eq!(found, codes, "{name}");
        let is_warning =
            |it: &prophet_codegen::diagnostic::Diagnostic| it.severity == Severity::Warning;
        assert!(checked.diagnostics.iter().all(is_warning), "{name}");
    }
}

#[test]
fn every_file_is_of_a_dialect_that_is_tested() {
    let folder = std::fs::read_dir(file("")).expect("the folder is there");
    let names = folder.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|it| it.to_string_lossy().into_owned()).collect();
    let mut tested: Vec<&str> = DIALECTS.iter().map(|(name, _)| *name).collect();
    names.sort();
    tested.sort_unstable();
    assert_eq!(names, tested);
}

/// Returns Papyrus's file with a letter that has a different code in UTF-8 than in other encodings.
fn accented(encoding: &str) -> String {
    let text = std::fs::read_to_string(file("papyrus.uml")).expect("the file is there");
    let text = text.replace("name=\"Program\"", "name=\"Modèle\"");
    text.replace("encoding=\"UTF-8\"", &format!("encoding=\"{encoding}\""))
}

fn utf_16(text: &str, bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

fn latin_1(text: &str) -> Vec<u8> {
    let letters = text.chars().map(u32::from);
    letters
        .map(|letter| u8::try_from(letter).expect("it is in Latin-1"))
        .collect()
}

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        let options = SimpleFileOptions::default();
        writer.start_file(*name, options).expect("it is a name");
        writer.write_all(bytes).expect("there is memory");
    }
    writer.finish().expect("there is memory").into_inner()
}

/// Writes a file, and checks that its program is the same as the program of Papyrus's file.
fn check_same(name: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("the folder can be written");
    let files = crate_of(program(&path));
    for (path, expected) in crate_of(program(&file("papyrus.uml"))) {
        assert_eq!(files[&path], expected, "{} of {name}", path.display());
    }
}

#[test]
fn encodings_change_nothing() {
    let utf_8 = accented("UTF-8");
    let utf_16_text = accented("UTF-16");
    let marked = |text: &str| format!("\u{feff}{text}");
    check_same("plain.uml", utf_8.as_bytes());
    check_same("mark.uml", marked(&utf_8).as_bytes());
    check_same("crlf.uml", utf_8.replace('\n', "\r\n").as_bytes());
    check_same(
        "little.uml",
        &utf_16(&marked(&utf_16_text), u16::to_le_bytes),
    );
    check_same("big.uml", &utf_16(&marked(&utf_16_text), u16::to_be_bytes));
    check_same("unmarked.uml", &utf_16(&utf_16_text, u16::to_le_bytes));
    check_same("windows.uml", &latin_1(&accented("windows-1252")));
    check_same("latin.uml", &latin_1(&accented("ISO-8859-1")));
}

#[test]
fn archives_change_nothing() {
    let bytes = |name| std::fs::read(file(name)).expect("the file is there");
    let (magicdraw, argouml) = (bytes("magicdraw.mdxml"), bytes("argouml.xmi"));
    let model = "com.nomagic.magicdraw.uml_model.model";
    let project = "com.nomagic.ci.metamodel.project";
    let since_17 = zipped(&[(project, b"<project/>"), (model, &magicdraw)]);
    check_same("small.mdzip", &since_17);
    check_same("small.xml.zip", &zipped(&[("small.mdxml", &magicdraw)]));
    let diagrams: &[(&str, &[u8])] = &[
        ("small.argo", b"<argo/>"),
        ("small.xmi", &argouml),
        ("small_Main.pgml", b"<pgml/>"),
    ];
    check_same("small.zargo", &zipped(diagrams));
}

#[test]
fn argouml_may_wrap_its_file() {
    let text = std::fs::read_to_string(file("argouml.xmi")).expect("the file is there");
    let (head, content) = text.split_once("<XMI ").expect("it is XMI");
    let wrapped = format!("{head}<uml version=\"5\"><argo/><XMI {content}</uml>");
    check_same("small.uml", wrapped.as_bytes());
}
