//! Provides a model in which hostile text can replace every text, and checks that the model's crate
//! does nothing unwanted.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_frontend::program::Program;

use crate::drawing::escape;

/// A model. Each `[[name=usual text]]` is replaced with an untrusted text.
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

/// Returns the texts in the model that can be replaced: the name of each place, and its usual text.
///
/// # Panics
///
/// Never panics, because the model is well-formed.
pub fn places() -> Vec<(&'static str, &'static str)> {
    let parts = MODEL.split("[[").skip(1);
    let places = parts.map(|part| part.split("]]").next().expect("a part is closed"));
    places
        .map(|place| place.split_once('=').expect("a place has its text"))
        .collect()
}

/// Returns the model with these texts replaced, by the name of the place.
pub fn model(texts: &BTreeMap<&str, &str>) -> String {
    let mut model = String::new();
    let mut parts = MODEL.split("[[");
    model += parts.next().unwrap_or_default();
    for (part, (name, usual)) in parts.zip(places()) {
        let (_, rest) = part.split_once("]]").unwrap_or_default();
        model += &escape(texts.get(name).copied().unwrap_or(usual));
        model += rest;
    }
    model
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

/// Panics if Rust code contains anything that generated code doesn't need: paths outside of the
/// runtime, macros other than `concat`, or attributes other than `doc` and `derive`.
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
                // Generated code joins long texts from several literals.
                let macro_call = near(1) == "!" && near(2) == "(" && name != "concat";
                !(word && !operator && macro_call)
            }
        };
        assert!(good, "{token:?} followed by {:?} in\n{text}", near(1));
    }
}

/// Checks the generated files of a model before rustfmt runs.
///
/// # Panics
///
/// Panics if there are files that don't belong in a crate, or if the code does more than a
/// prediction needs.
pub fn refuse_foreign_files(program: &Program) {
    let options = CrateOptions {
        name: "model_hostile".to_owned(),
        model_file: "hostile.uml".to_owned(),
        runtime_path: "runtime".to_owned(),
        standalone: true,
        ..CrateOptions::default()
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
