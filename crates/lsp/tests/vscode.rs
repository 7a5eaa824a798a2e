//! Tests the VS Code extension: its manifest, its grammar, and how its bundle behaves.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use prophet_model::plantuml::words::{STYLES, declarations, statements};
use prophet_testing::{has, skip};
use serde_json::Value;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/vscode"))
}

fn read(name: &str) -> String {
    let path = folder().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(name: &str) -> Value {
    serde_json::from_str(&read(name)).expect("it is JSON")
}

/// Runs a test script. It needs what npm installs and builds.
fn node(script: &str, arguments: &[&str], input: &str) -> Option<Value> {
    if !has("node", "--version") {
        return None;
    }
    if !folder().join("dist/extension.js").exists() {
        skip("npm has not built the extension");
        return None;
    }
    let mut command = Command::new("node");
    let command = command.arg(folder().join("test").join(script));
    let command = command.args(arguments).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut to = child.stdin.take().expect("a pipe");
    to.write_all(input.as_bytes()).expect("it reads");
    drop(to);
    let ran = child.wait_with_output().expect("it ends");
    assert!(ran.status.success(), "{}", ran.status);
    Some(serde_json::from_slice(&ran.stdout).expect("it prints JSON"))
}

fn texts(values: &Value) -> Vec<&str> {
    let values = values.as_array().into_iter().flatten();
    values.filter_map(Value::as_str).collect()
}

#[test]
fn the_manifest_names_what_is_there() {
    let package = json("package.json");
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    let contributes = &package["contributes"];
    let grammars = contributes["grammars"].as_array().expect("a list");
    for grammar in grammars {
        let file = json(grammar["path"].as_str().expect("a path"));
        assert_eq!(file["scopeName"], grammar["scopeName"]);
        let languages = contributes["languages"].as_array().expect("a list");
        assert!(languages.iter().any(|it| it["id"] == grammar["language"]));
    }
    for language in contributes["languages"].as_array().expect("a list") {
        if let Some(file) = language["configuration"].as_str() {
            json(file);
        }
    }
    // The sources register every command in the manifest.
    let sources = read("src/extension.ts");
    let commands = contributes["commands"].as_array().expect("a list");
    assert_eq!(sources.matches("    command('").count(), commands.len());
    for command in commands {
        let name = command["command"].as_str().expect("a name");
        let name = name.strip_prefix("performanceProphet.").expect("a prefix");
        assert!(sources.contains(&format!("command('{name}'")), "{name}");
    }
    let settings = contributes["configuration"]["properties"].as_object();
    for name in settings.expect("settings").keys() {
        let name = name
            .strip_prefix("performanceProphet.")
            .expect("our settings");
        assert!(sources.contains(&format!(">('{name}')")), "{name}");
    }
}

#[test]
fn an_untrusted_workspace_names_no_program() {
    let package = json("package.json");
    let trust = &package["capabilities"]["untrustedWorkspaces"];
    assert_eq!(trust["supported"], "limited");
    let restricted = texts(&trust["restrictedConfigurations"]);
    for name in ["performanceProphet.program", "performanceProphet.arguments"] {
        assert!(restricted.contains(&name), "{name}");
    }
}

#[test]
fn the_grammar_knows_all_words_of_the_text_form() {
    const KEYWORD: &str = "keyword.control.plantuml";
    let mut words: Vec<(String, &str)> = Vec::new();
    // A block can continue on the following lines.
    let ends = |word: &str| match word {
        "legend" | "note" => format!("\nend {word}"),
        "backward" => " :x;".to_owned(),
        _ => String::new(),
    };
    words.extend(statements().map(|it| (it, KEYWORD)));
    words.extend(STYLES.map(|it| (it.to_owned(), "keyword.other.style.plantuml")));
    let mut input = String::new();
    for (word, _) in &words {
        let _ = writeln!(input, "{word}{}", ends(word));
    }
    input += "legend\n";
    let declared = declarations().map(|it| (it.to_owned(), "keyword.other.declaration.plantuml"));
    for (word, scope) in declared {
        let _ = writeln!(input, "  {word} int N");
        words.push((word, scope));
    }
    input += "end legend\n:<<action+>> Work\ncost = 2e-3 * N;\n";
    let Some(lines) = node("grammar.cjs", &[], &input) else {
        return;
    };
    let lines: Vec<Vec<(String, String)>> = serde_json::from_value(lines).expect("lines of parts");
    let lines: Vec<_> = lines.iter().filter_map(|it| it.first()).collect();
    for (word, scope) in words {
        let found = lines.iter().find(|(text, _)| *text == word);
        assert_eq!(found.map(|it| it.1.as_str()), Some(scope), "{word}");
    }
    let tag = (
        "cost".to_owned(),
        "variable.other.property.plantuml".to_owned(),
    );
    assert!(lines.contains(&&tag), "{lines:?}");
}

#[test]
fn the_bundle_shows_problems_predictions_and_diagrams() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "@startuml\ntitle Main\nstart\n:<<action+>> Work\ncost = 2.0;\nstop\n@enduml\n";
    let model = folder.path().join("model.puml");
    let model = model.to_str().expect("UTF-8");
    let server = env!("CARGO_BIN_EXE_prophet-lsp");
    fs::write(model, text).expect("it can be written");
    let Some(seen) = node("session.cjs", &[server, model], "") else {
        return;
    };
    assert_eq!(seen["errors"], Value::Array(Vec::new()));
    assert_eq!(seen["problems"][0], Value::Array(Vec::new()));
    let lens = &seen["lenses"][0]["command"];
    assert_eq!(lens["title"], "predicted: 2.000 s on 1 process");
    assert_eq!(lens["command"], "performanceProphet.predict");
    let task = &seen["tasks"][0];
    assert_eq!(texts(&task["args"]), ["check", model]);
    // The page with diagrams doesn't run or load anything.
    let page = &seen["pages"][0];
    assert_eq!(page["options"]["enableScripts"], false);
    let html = page["html"].as_str().expect("a page");
    let policy = "content=\"default-src 'none'; img-src data:; style-src 'nonce-";
    assert!(html.contains(policy), "{html}");
    let picture = r#"<img alt="Main" src="data:image/svg+xml;base64,"#;
    assert!(
        html.contains(picture) && !html.contains("<script"),
        "{html}"
    );

    fs::write(model, text.replace("2.0", "M")).expect("it can be written");
    let seen = node("session.cjs", &[server, model], "").expect("it ran before");
    let message = seen["problems"][0][0]["message"].as_str().unwrap_or("");
    assert!(message.contains("`M`"), "{seen}");

    let seen = node("session.cjs", &["/nowhere/server", model], "").expect("it ran before");
    let errors = texts(&seen["errors"]).join("\n");
    let help = "Set performanceProphet.program to its path.";
    assert!(
        errors.contains("Cannot start") && errors.contains(help),
        "{errors}"
    );
}
