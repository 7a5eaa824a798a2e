//! Tests untrusted models: whatever their texts contain, the result is an error, or a crate that
//! only predicts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use prophet_codegen::diagnostic::render_human;
use prophet_codegen::target::rust::Rust;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check;
use prophet_frontend::program::Program;
use prophet_tests::generated::generated;
use prophet_tests::hostile::{model, places, refuse_foreign_files};
use prophet_tests::listing;
use prophet_tests::programs::{Programs, crate_name};

/// A file that must not exist after any test.
const TRAP: &str = "/tmp/prophet_owned";

fn hostile() -> Vec<String> {
    let command = "std::process::Command::new(\"touch\").arg(\"/tmp/prophet_owned\").status()";
    let mut texts = vec![
        format!("\"; {command}.unwrap(); //"),
        format!("1.0; {command}"),
        format!("{{ {command}; 1 }}"),
        "1\n}\nfn main() { std::fs::remove_dir_all(\"/\"); }\nfn f() {".to_owned(),
        "unsafe { *(0 as *mut u8) = 1 }".to_owned(),
        "system(\"touch /tmp/prophet_owned\")".to_owned(),
        "include_str!(\"/etc/passwd\")".to_owned(),
        "interpolate(\"../../../../etc/passwd\", 1)".to_owned(),
        "\u{202e}reversed\u{2066}".to_owned(),
        "\u{1}\u{1b}[31m\u{7f}\u{85}\u{2028}".to_owned(),
        "x".repeat(10_000),
        "((".repeat(5_000),
        "🚀\u{300}\u{0}".replace('\0', ""),
    ];
    // Names, parts of languages' and templates' syntax, paths, and other short texts.
    texts.extend(include_str!("cases/hostile.txt").lines().map(str::to_owned));
    texts.extend(["\\u{202e}", "\"\n\r\n\t'", "\r", "", " ", "\u{feff}"].map(str::to_owned));
    texts
}

/// Returns the program in a model file if it is accepted. If it isn't, checks that an error says
/// why.
fn accepted(path: &Path) -> Option<Program> {
    let checked = check(path, None).unwrap_or_else(|message| panic!("not read: {message}"));
    if checked.program.is_none() {
        let report = render_human(&checked.source, &checked.diagnostics, false);
        assert!(report.contains("error"), "no reason is given");
        let shown = |c: char| !c.is_control() || c == '\n';
        assert!(
            report.chars().all(shown),
            "control characters in {report:?}"
        );
    }
    checked.program
}

#[test]
fn hostile_texts_stay_texts() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let one = folder.join("one.uml");
    let mut paths = Vec::new();
    for (number, text) in hostile().iter().enumerate() {
        let mut all = BTreeMap::new();
        for (place, _) in places() {
            fs::write(&one, model(&BTreeMap::from([(place, text.as_str())])))
                .expect("a file can be written");
            if let Some(program) = accepted(&one) {
                refuse_foreign_files(&program);
                all.insert(place, text.as_str());
            }
        }
        assert!(all.contains_key("model comment"), "{text:?} in a comment");
        // Equal names collide, which is an error.
        for name in ["parameter", "global", "local", "function", "variable"] {
            all.remove(name);
        }
        let path = folder.join(format!("hostile_{number}.uml"));
        fs::write(&path, model(&all)).expect("a file can be written");
        if accepted(&path).is_some() && number % 8 == 0 {
            paths.push(path);
        }
    }
    assert!(
        paths.len() >= 6,
        "{} of the models are accepted",
        paths.len()
    );
    let programs = Programs::build(&folder, &paths);
    for path in &paths {
        let output = programs.run(path, &[]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {message}", crate_name(path));
    }
    assert!(!Path::new(TRAP).exists());
}

/// Returns the only drawing in a crate's folder. Its name must be plain.
fn drawing_of(crate_folder: &Path) -> String {
    let entries = fs::read_dir(crate_folder.join("drawings")).expect("there are drawings");
    let names: Vec<String> = entries
        .map(|entry| entry.expect("the folder can be listed").file_name())
        .map(|name| name.into_string().expect("names are plain"))
        .collect();
    let [name] = names.as_slice() else {
        panic!("one activity, one drawing: {names:?}");
    };
    let stem = name.strip_suffix(".svg").expect("drawings are SVG");
    assert!(
        stem.chars().all(|c| c.is_alphanumeric() || c == '_'),
        "{name}"
    );
    format!("drawings/{name}")
}

#[test]
fn nothing_is_written_outside_of_the_folder() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let out = folder.path().join("deep/inside/crate");
    let path = folder.path().join("deep/model.uml");
    fs::create_dir_all(folder.path().join("deep/inside")).expect("a folder can be made");
    for text in [
        "../../x",
        "/tmp/prophet_owned",
        "..",
        "src/lib.rs",
        "a/../../../b",
    ] {
        let names = ["model", "class", "activity", "element", "model comment"];
        let texts = names.into_iter().map(|name| (name, text)).collect();
        fs::write(&path, model(&texts)).expect("a file can be written");
        let rules = RuleSet::shipped();
        if let Err(failure) = generated(&rules, &Rust, &path, &out) {
            panic!("{text}: {failure:?}");
        }
        let drawing = drawing_of(&out);
        let written = [
            ".prophet-generated",
            "Cargo.toml",
            "drawings",
            &drawing,
            "src",
            "src/drawings.rs",
            "src/lib.rs",
            "src/lib.rs.map.json",
            "src/main.rs",
        ];
        let mut expected = vec![path.clone(), folder.path().join("deep"), out.clone()];
        expected.push(folder.path().join("deep/inside"));
        expected.extend(written.iter().map(|name| out.join(name)));
        expected.sort();
        assert_eq!(listing(folder.path()), expected, "{text}");
    }
    assert!(!Path::new(TRAP).exists());
}

#[test]
fn entities_are_refused() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let secret = folder.path().join("secret.txt");
    fs::write(&secret, "what nobody may read").expect("a file can be written");
    let bomb: Vec<String> = (1..40)
        .map(|n| format!("<!ENTITY e{n} \"&e{0};&e{0};&e{0};\">", n - 1))
        .collect();
    let types = [
        format!("<!DOCTYPE x [<!ENTITY e0 \"ha\">{}]>", bomb.join("")),
        format!(
            "<!DOCTYPE x [<!ENTITY e39 SYSTEM \"file://{}\">]>",
            secret.display()
        ),
        "<!DOCTYPE x [<!ENTITY e39 SYSTEM \"http://localhost:9/e\">]>".to_owned(),
        "<!DOCTYPE x [<!ENTITY % e SYSTEM \"http://localhost:9/e\"> %e;]>".to_owned(),
        String::new(),
    ];
    let path = folder.path().join("model.uml");
    for kind in types {
        let usual = model(&BTreeMap::new()).replace("name=\"Model\"", "name=\"&e39;\"");
        let text = usual.replacen("?>\n", &format!("?>\n{kind}\n"), 1);
        fs::write(&path, text).expect("a file can be written");
        let checked = check(&path, None).expect("the file can be read");
        assert!(checked.program.is_none(), "{kind} is accepted");
        let report = render_human(&checked.source, &checked.diagnostics, false);
        assert!(report.contains("error"), "{report}");
        assert!(!report.contains("what nobody may read"), "{report}");
    }
}
