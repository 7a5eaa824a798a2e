//! Tests the extension's archive.

use super::*;

#[test]
fn an_archive_has_what_the_extension_needs_and_no_more() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/lsp/vscode");
    if !folder.join("dist/extension.js").exists() {
        return prophet_testing::skip("npm has not built the extension");
    }
    let bytes = packed(&folder).expect("it can be packed");
    assert_eq!(bytes, packed(&folder).expect("it can be packed"));
    let archive = zip::ZipArchive::new(Cursor::new(&bytes)).expect("it is an archive");
    let names = archive.file_names().map(|it| it.expect("it is UTF-8"));
    let mut names: Vec<String> = names.map(Into::into).collect();
    names.sort_unstable();
    let expected = [
        "[Content_Types].xml",
        "extension.vsixmanifest",
        "extension/LICENSE.txt",
        "extension/README.md",
        "extension/dist/extension.js",
        "extension/dist/licenses.md",
        "extension/language-configuration.json",
        "extension/package.json",
        "extension/syntaxes/plantuml.tmLanguage.json",
        "extension/syntaxes/rules.tmLanguage.json",
    ];
    assert_eq!(names, expected);
    let package = fs::read(folder.join("package.json")).expect("the manifest");
    let package: Value = serde_json::from_slice(&package).expect("it is JSON");
    assert_eq!(package["version"], super::super::VERSION);
    let manifest = described(&package);
    assert!(manifest.contains(r#"Id="performance-prophet" Version=""#));
    assert!(manifest.contains(r#"Value="^1."#), "{manifest}");
    // All paths in the manifest are in the archive.
    let text = package["contributes"].to_string();
    for (_, name) in FILES.iter().filter(|(_, it)| it.contains(".tmLanguage")) {
        assert!(text.contains(name), "{name}");
    }
}
