//! Models from strangers: whatever their texts say, there is an error, or a crate that does
//! nothing but predict.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use prophet_codegen::diagnostic::render_human;
use prophet_codegen::generate::{Request, check, generate};
use prophet_codegen::output::Mode;
use prophet_codegen::program::Program;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_codegen::workspace::Workspace;
use prophet_tests::drawing::escape;
use prophet_tests::programs::{Programs, crate_name};
use prophet_tests::root;

/// A model with a text of its author at each `[[name=usual text]]`.
const MODEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmi:version="20131001" xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
  xmlns:prophet="http:///schemas/prophet/1" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML">
<uml:Model xmi:id="_Model" name="[[model=Model]]">
<ownedComment xmi:id="_c1"><body>[[model comment=a]]</body></ownedComment>
<packagedElement xmi:type="uml:Class" xmi:id="_Program" name="[[class=Program]]"
  classifierBehavior="_Main">
<ownedAttribute xmi:id="_v1" name="[[global=GV]]" type="_long">
  <ownedComment xmi:id="_c2"><body>[[global comment=a]]</body></ownedComment>
  <defaultValue xmi:type="uml:OpaqueExpression" xmi:id="_v2">
  <language>[[default language=C]]</language><body>[[default=1]]</body></defaultValue>
</ownedAttribute>
<ownedAttribute xmi:id="_v3" name="[[parameter=NP]]" type="_long" isReadOnly="true">
  <ownedComment xmi:id="_c3"><body>[[parameter comment=a]]</body></ownedComment>
  <defaultValue xmi:type="uml:LiteralInteger" xmi:id="_v4" value="[[parameter default=3]]"/>
</ownedAttribute>
<ownedBehavior xmi:type="uml:Activity" xmi:id="_Main" name="[[activity=Main]]">
  <ownedComment xmi:id="_c4"><body>[[activity comment=a]]</body></ownedComment>
  <variable xmi:id="_v5" name="[[local=LV]]" type="_double"/>
  <node xmi:type="uml:InitialNode" xmi:id="_n0" name="[[initial=Start]]"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_n1" name="[[element=A1]]">
    <ownedComment xmi:id="_c5"><body>[[element comment=a]]</body></ownedComment>
    <language>[[language=C]]</language><body>[[body=;]]</body></node>
  <node xmi:type="uml:DecisionNode" xmi:id="_n2" name="[[decision=D]]"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_n3" name="[[sender=S]]"/>
  <node xmi:type="uml:StructuredActivityNode" xmi:id="_n4" name="[[loop=L]]">
    <node xmi:type="uml:OpaqueAction" xmi:id="_n5" name="[[inner=A2]]"/>
  </node>
  <node xmi:type="uml:ActivityFinalNode" xmi:id="_n6" name="[[final=End]]"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e1" source="_n0" target="_n1"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e2" source="_n1" target="_n2"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e3" source="_n2" target="_n3" name="[[edge=e]]">
    <guard xmi:type="uml:OpaqueExpression" xmi:id="_g1"><language>[[guard language=C]]</language>
    <body>[[guard=pid >= 0]]</body></guard></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e4" source="_n2" target="_n4">
    <guard xmi:type="uml:LiteralString" xmi:id="_g2" value="[[guard string=else]]"/></edge>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e5" source="_n3" target="_n6"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e6" source="_n4" target="_n6"/>
</ownedBehavior>
<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="_f1" name="[[function=F]]">
  <ownedComment xmi:id="_c6"><body>[[function comment=a]]</body></ownedComment>
  <ownedParameter xmi:id="_f2" name="[[argument=x]]" type="_double"/>
  <ownedParameter xmi:id="_f3" name="[[result=result]]" type="_double" direction="return"/>
  <language>[[function language=C]]</language><body>[[function body=return 1;]]</body>
</ownedBehavior>
</packagedElement>
<packagedElement xmi:type="uml:PrimitiveType" xmi:id="_long" name="[[type name=long]]"/>
<packagedElement xmi:type="uml:PrimitiveType" xmi:id="_double" name="double"/>
</uml:Model>
<prophet:action xmi:id="_s1" base_Action="_n1" id="[[id=7]]" type="[[type=t]]" cost="[[cost=1]]"
  code="[[code=;]]"/>
<prophet:bsend xmi:id="_s2" base_Action="_n3" dest="[[dest=pid]]" size="[[size=8]]"
  tag="[[tag=0]]"/>
<prophet:loop xmi:id="_s3" base_StructuredActivityNode="_n4" iterations="[[iterations=2]]"
  variable="[[variable=i]]"/>
<prophet:action xmi:id="_s4" base_Action="_n5" time="[[time=0.5]]"/>
</xmi:XMI>
"#;

/// A file that no test may bring into being.
const TRAP: &str = "/tmp/prophet_owned";

/// Names, marks of languages and of templates, places, and what is none of these.
const SHORT: &[&str] = &[
    "*/ fn main(){} /*",
    "#![feature(asm)]",
    "#[no_mangle]",
    "{{ 7*7 }}",
    "{% raw %}",
    "{% include \"/etc/passwd\" %}",
    "`touch /tmp/prophet_owned`",
    "$(touch x)",
    "../../x",
    "/etc/passwd",
    "..",
    ".",
    "fn",
    "self",
    "Self",
    "crate",
    "super",
    "_",
    "async",
    "r#fn",
    "'a",
    "\"",
    "\\",
    "\\u{202e}",
    "\"\n\r\n\t'",
    "\r",
    "*/",
    "/*",
    "//",
    "",
    " ",
    "&amp;",
    "<b>",
    "]]>",
    "-",
    "--",
    "-1",
    "1e999",
    "99999999999999999999",
    "NaN",
    "main",
    "program",
    "Globals",
    "MODEL",
    "ctx",
    "globals",
    "std",
    "prophet_runtime",
    "Ok",
    "Result",
    "Cell",
    "f64",
    "bool",
    "Int",
    "String",
    "é",
    "ﬁ",
    "\u{feff}",
    "C",
    "Rust",
    "Python",
];

/// What strangers may write.
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
    texts.extend(SHORT.iter().map(|text| (*text).to_owned()));
    texts
}

/// The places of [`MODEL`] and their usual texts.
fn places() -> Vec<(&'static str, &'static str)> {
    let parts = MODEL.split("[[").skip(1);
    let places = parts.map(|part| part.split("]]").next().expect("a part is closed"));
    places
        .map(|place| place.split_once('=').expect("a place has its text"))
        .collect()
}

/// The model with some texts of its own.
fn model(texts: &BTreeMap<&str, &str>) -> String {
    places()
        .into_iter()
        .fold(MODEL.to_owned(), |model, (name, usual)| {
            let text = texts.get(name).copied().unwrap_or(usual);
            model.replace(&format!("[[{name}={usual}]]"), &escape(text))
        })
}

/// What the model in a file means, if it is accepted; if not, there is an error that says why.
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

fn flatten(tokens: TokenStream, all: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                all.push("(".to_owned());
                flatten(group.stream(), all);
                all.push(")".to_owned());
            }
            other => all.push(other.to_string()),
        }
    }
}

/// Fails if Rust code does more than a generated crate has to: no paths but those of the runtime,
/// no macros, no attributes but `doc` and `derive`.
fn refuse_foreign_code(text: &str, crate_name: &str) {
    if let Err(error) = syn::parse_file(text) {
        panic!("no Rust ({error}):\n{text}");
    }
    let mut tokens = Vec::new();
    flatten(text.parse().expect("it was parsed"), &mut tokens);
    for (at, token) in tokens.iter().enumerate() {
        let near = |offset: usize| tokens.get(at + offset).map_or("", String::as_str);
        let path = near(1) == ":" && near(2) == ":";
        let inside_path = at > 1 && tokens[at - 1] == ":" && tokens[at - 2] == ":";
        let good = match token.as_str() {
            "unsafe" | "extern" | "mod" | "static" | "macro_rules" => false,
            "#" => {
                let inner = usize::from(near(1) == "!");
                near(1 + inner) == "(" && ["doc", "derive"].contains(&near(2 + inner))
            }
            "std" if path => near(3) == "cell" || near(3) == "process" && near(6) == "ExitCode",
            "prophet_runtime" | "math" => true,
            name if path && !inside_path => {
                name == crate_name || name.starts_with(|first: char| first.is_ascii_uppercase())
            }
            name => {
                let word = name.starts_with(|first: char| first.is_ascii_lowercase());
                let operator = ["if", "return", "while"].contains(&name);
                !(word && !operator && near(1) == "!" && near(2) == "(")
            }
        };
        assert!(good, "{token:?} followed by {:?} in\n{text}", near(1));
    }
}

/// Checks the files of an accepted model, before rustfmt.
fn refuse_foreign_files(program: &Program) {
    let options = CrateOptions {
        name: "model_hostile".to_owned(),
        model_file: "hostile.uml".to_owned(),
        runtime_path: "runtime".to_owned(),
        standalone: true,
    };
    let files = crate_files(program, &options);
    let names: Vec<&str> = files.keys().filter_map(|path| path.to_str()).collect();
    assert_eq!(names, ["Cargo.toml", "src/lib.rs", "src/main.rs"]);
    for (path, text) in &files {
        if path.extension().is_some_and(|extension| extension == "rs") {
            refuse_foreign_code(text, &options.name);
        } else {
            assert!(!text.contains("[build-dependencies]") && !text.contains("build ="));
        }
    }
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
        // Names that collide are an error where all have the same.
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

/// All that is in a folder, in order.
fn listing(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be listed") {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                open.push(path.clone());
            }
            all.push(path);
        }
    }
    all.sort();
    all
}

#[test]
fn nothing_is_written_outside_of_the_folder() {
    let workspace = Workspace::find(&root().join("Cargo.toml")).expect("this is a workspace");
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
        let request = Request {
            model: &path,
            main: None,
            out: Some(&out),
            mode: Mode::Write,
            force: false,
        };
        if let Err(failure) = generate(&request, &workspace) {
            panic!("{text}: {failure:?}");
        }
        let written = ["Cargo.toml", "src", "src/lib.rs", "src/main.rs"];
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
