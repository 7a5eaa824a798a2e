//! Tests the targets that draw pictures: the tools for their languages must read the output without
//! errors.

use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_frontend::check::RuleSet;
use prophet_testing::{Browser, has, skip};
use prophet_tests::drawing::Drawing;
use prophet_tests::{generated::generated, models, stem};
use serde_json::Value;

/// Texts that look like syntax in the targets' languages.
const HOSTILE: [&str; 14] = [
    "\"] end",
    "]]>&lt;![CDATA[</svg><script>alert(1)</script>",
    "%%{init: {\"theme\": \"dark\"}}%%",
    "`markdown` **bold** //it// __u__ --s-- ~~w~~",
    "@enduml",
    "!include /etc/passwd",
    "%getenv(\"HOME\") $x",
    "<img:/etc/passwd> <&key> <$sprite> <color:red>",
    "[[http://example.org link]]",
    "a \\n b \\",
    "' comment /' '/",
    "#quot; &quot; #35;",
    "} { | end subgraph x",
    "= 1. - * + «x» <<y>> ; : ~",
];

fn hostile() -> String {
    let mut drawing = Drawing::new("Hostile");
    drawing.node("InitialNode", "Start");
    let mut before = "Start".to_owned();
    for (number, text) in HOSTILE.iter().enumerate() {
        let name = format!("A{number}");
        drawing.action(
            &name,
            &format!("/* {} */", text.replace("*/", "")),
            "action",
            "time=\"1\"",
        );
        drawing.edge(&before, &name, "");
        before = name;
    }
    let mut xmi = drawing.xmi();
    for (number, text) in HOSTILE.iter().enumerate() {
        let usual = format!("name=\"A{number}\"");
        assert!(xmi.contains(&usual));
        let text = prophet_tests::drawing::escape(text);
        xmi = xmi.replace(&usual, &format!("name=\"{text}\""));
    }
    xmi
}

/// Writes the target's files for all models to `folder`. Returns their paths.
fn written(target: &str, folder: &Path) -> Vec<PathBuf> {
    let targets = prophet_targets::shipped();
    let target = targets.get(target).expect("the target is shipped");
    let rules = RuleSet::shipped();
    std::fs::create_dir_all(folder).expect("a folder can be made");
    let stranger = folder.join("hostile.uml");
    std::fs::write(&stranger, hostile()).expect("the folder can be written");
    let mut all = models("sample-models");
    all.extend(models("tests/models/flow"));
    all.extend(models("tests/models/threads"));
    all.extend(models("tests/models/flows"));
    all.push(stranger);
    let mut files = Vec::new();
    for model in &all {
        let parent = model.parent().map_or("", stem);
        let out = folder.join(format!("{parent}-{}", stem(model)));
        let made = generated(&rules, target, model, &out);
        assert!(made.is_ok(), "{}: {made:?}", model.display());
        let entries = std::fs::read_dir(&out).expect("the target wrote a folder");
        let paths = entries.map(|entry| entry.expect("it can be listed").path());
        // The list of written files is a file without an extension.
        files.extend(paths.filter(|path| path.extension().is_some()));
    }
    files.sort();
    assert!(files.len() >= all.len(), "only {} files", files.len());
    files
}

#[test]
fn plantuml_draws_all_models() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let files = written("plantuml", folder.path());
    if !has("plantuml", "-version") {
        return;
    }
    let output = Command::new("plantuml")
        .args(["-tsvg", "-o", "drawn"])
        .args(&files)
        .output()
        .expect("plantuml runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.is_empty(), "{text}");
    let drawn = |file: &&PathBuf| {
        let folder = file.parent().expect("it lies in a folder").join("drawn");
        folder.join(stem(file)).with_extension("svg").is_file()
    };
    assert_eq!(files.iter().filter(drawn).count(), files.len());
}

/// Opens a page with Mermaid in a browser. Reports what is missing.
fn mermaid(folder: &Path) -> Option<Browser> {
    let Some(library) = std::env::var_os("MERMAID_JS") else {
        skip("MERMAID_JS names no mermaid.min.js (.ci/run gets one)");
        return None;
    };
    let library = std::path::absolute(library).expect("it names a file");
    assert!(library.is_file(), "there is no {}", library.display());
    let browser = Browser::start(&folder.join("profile"))?;
    let page = folder.join("page.html");
    let text = format!(
        "<!doctype html><meta charset=\"utf-8\"><script src=\"file://{}\"></script>",
        library.display()
    );
    std::fs::write(&page, text).expect("the folder can be written");
    browser.open(&page);
    browser.run("mermaid.initialize({ startOnLoad: false });");
    Some(browser)
}

#[test]
fn mermaid_draws_all_diagrams() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let files = written("mermaid", &folder.path().join("out"));
    let Some(browser) = mermaid(folder.path()) else {
        return;
    };
    // Returns the error of each drawing, and the number of its nodes.
    let draw = |text: &str| {
        browser.run_async(&format!(
            "mermaid.render('drawn', {}).then(\
                ({{ svg }}) => {{\
                    const page = new DOMParser().parseFromString(svg, 'text/html');\
                    const foreign = page.querySelectorAll('script, img, a, iframe').length;\
                    const nodes = page.querySelectorAll('.node, .cluster').length;\
                    done([foreign > 0 ? 'there is a foreign element' : '', nodes]);\
                }},\
                (error) => done([String(error), 0]));",
            Value::from(text)
        ))
    };
    for file in &files {
        let text = std::fs::read_to_string(file).expect("the file was written");
        let drawn = draw(&text);
        assert_eq!(drawn[0], "", "{}:\n{text}", file.display());
        let is_node = |line: &&str| match line.trim_start() {
            // No text contains an unescaped `>`.
            node if node.starts_with("n_") => !node.contains("-->"),
            group => group.starts_with("subgraph "),
        };
        let nodes = text.lines().filter(is_node).count();
        assert_eq!(drawn[1], nodes, "{}:\n{text}", file.display());
    }
    let wrong = draw("flowchart TD\n    a --> --> b");
    assert!(
        wrong[0]
            .as_str()
            .is_some_and(|it| it.contains("Parse error")),
        "{wrong}"
    );
}
