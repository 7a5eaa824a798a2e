//! Parses models written as a few lines of text, such as `wrong` and `right` in the built-in rules.
//!
//! ```text
//! int N = 4                          a global variable; `const int` is a parameter, `local int` a
//! double f(int n) = n * 0.1          variable of the activity; a cost function
//! start -> A -> D                    flows; a name that is not declared is an `action+`
//! D -[pid == 0]-> C -> end           a flow with a guard
//! D: decision                        a node; `plain` has no stereotype, `block` has content
//! B (A): flow-final                  a node of the name A
//! A: bsend dest="1" size="8"         a stereotype with tags
//! C: critical {                      content, up to the closing brace
//!   start -> B -> end
//! }
//! S: activity+ calls Sub             a call
//! activity Sub {                     another activity
//! }
//! ```

use std::collections::BTreeSet;
use std::fmt::Write as _;

use prophet_codegen::diagnostic::{Diagnostic, Diagnostics};
use prophet_codegen::model::Model;
use prophet_codegen::source::Source;
use prophet_frontend::program::Program;
use prophet_frontend::resolve::resolve;
use prophet_model::xmi;

use crate::drawing::escape;

/// Reads a model file without tables, and returns the model, the program, and all problems. The
/// model is `None` if there is no activity, and the program is `None` if the model has errors.
pub fn read(source: &Source) -> (Option<Model>, Option<Program>, Vec<Diagnostic>) {
    let mut problems = Diagnostics::new();
    let model = xmi::read(source, None, &mut problems);
    let no_table = |_: &str| Err("there are no tables".into());
    let program = model
        .as_ref()
        .and_then(|model| resolve(model, source, &no_table, &mut problems));
    (model, program, problems.sorted())
}

/// Returns the sketches of a case, each with its values for `$1`, `$2`, …. The values are on the
/// lines after the line `for`, separated by `|`. Without these lines, the case is a single sketch.
pub fn variants(case: &str) -> impl Iterator<Item = (&str, String)> {
    let (sketch, lines) = case.split_once("\nfor\n").unwrap_or((case, "-"));
    lines.lines().map(move |line| {
        let parts = (1..).zip(line.split('|'));
        let sketch = parts.fold(sketch.to_owned(), |sketch, (number, part)| {
            sketch.replace(&format!("${number}"), part.trim())
        });
        (line, sketch)
    })
}

struct Node {
    key: String,
    name: String,
    kind: String,
    stereotype: Option<String>,
    tags: String,
    calls: Option<String>,
    content: Option<Block>,
}

/// The nodes and flows in an activity, or inside a node.
#[derive(Default)]
struct Block {
    nodes: Vec<Node>,
    flows: Vec<(String, String, String)>,
    locals: String,
}

#[derive(Default)]
struct Sketch {
    activities: Vec<(String, Block)>,
    variables: String,
    functions: String,
    stereotypes: String,
    count: usize,
}

/// Returns the XMI file of a sketch.
///
/// # Panics
///
/// Panics if the sketch can't be parsed.
pub fn xmi(sketch: &str) -> String {
    let mut reader = Sketch::default();
    let mut lines = sketch
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let main = reader.block(&mut lines);
    reader.activities.insert(0, ("Main".to_owned(), main));
    reader.write()
}

impl Sketch {
    fn block(&mut self, lines: &mut dyn Iterator<Item = &str>) -> Block {
        let mut block = Block::default();
        while let Some(line) = lines.next() {
            if line == "}" {
                break;
            }
            if let Some(rest) = line.strip_prefix("activity ") {
                let name = rest.trim_end_matches('{').trim().to_owned();
                let content = self.block(lines);
                self.activities.push((name, content));
            } else if let Some(local) = line.strip_prefix("local ") {
                let variable = self.variable(local, false, "variable");
                block.locals.push_str(&variable);
            } else if let Some(constant) = line.strip_prefix("const ") {
                let variable = self.variable(constant, true, "ownedAttribute");
                self.variables.push_str(&variable);
            } else if line.starts_with("int ") || line.starts_with("double ") {
                self.declaration(line);
            } else if line.contains("->") {
                block.chain(line);
            } else {
                let node = self.node(line, lines);
                block.nodes.push(node);
            }
        }
        block.add_undeclared();
        block
    }

    /// Parses `KEY: KIND TAGS`. A brace at the end starts the node's content.
    fn node(&mut self, line: &str, lines: &mut dyn Iterator<Item = &str>) -> Node {
        let (key, rest) = line
            .split_once(':')
            .unwrap_or_else(|| panic!("a node in {line:?}"));
        let (key, name) = match key.trim().split_once(' ') {
            Some((key, name)) => (key, name.trim_matches(['(', ')'])),
            None => (key.trim(), key.trim()),
        };
        let has_content = rest.ends_with('{');
        let rest = rest.trim_end_matches('{').trim();
        let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let (rest, calls) = match rest.split_once("calls ") {
            Some((rest, name)) => (rest, Some(name.trim().to_owned())),
            None => (rest, None),
        };
        let content = has_content.then(|| self.block(lines));
        let plain = match word {
            "initial" => "InitialNode",
            "final" => "ActivityFinalNode",
            "flow-final" => "FlowFinalNode",
            "decision" => "DecisionNode",
            "merge" => "MergeNode",
            "fork" => "ForkNode",
            "join" => "JoinNode",
            "plain" => "OpaqueAction",
            "block" => "StructuredActivityNode",
            "call" => "CallBehaviorAction",
            _ => "",
        };
        let kind = match plain {
            "" if content.is_some() => "StructuredActivityNode",
            "" if calls.is_some() => "CallBehaviorAction",
            "" => "OpaqueAction",
            plain => plain,
        };
        Node {
            key: key.to_owned(),
            name: if name == "_" {
                String::new()
            } else {
                name.to_owned()
            },
            kind: kind.to_owned(),
            stereotype: plain
                .is_empty()
                .then(|| word.trim_end_matches('+').to_owned()),
            tags: rest.replace('&', "&amp;").replace('<', "&lt;"),
            calls,
            content,
        }
    }

    /// Parses `TYPE NAME = VALUE`, or `TYPE NAME(PARAMETERS) = BODY`.
    fn declaration(&mut self, line: &str) {
        let Some((head, body)) = line.split_once(") =") else {
            let variable = self.variable(line, false, "ownedAttribute");
            return self.variables.push_str(&variable);
        };
        let (head, parameters) = head.split_once('(').expect("parameters begin");
        let (kind, name) = head.split_once(' ').expect("a type and a name");
        let id = self.id();
        let mut text =
            format!(r#"<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="{id}" name="{name}">"#);
        for parameter in parameters.split(',').filter(|it| !it.is_empty()) {
            let (kind, name) = parameter.trim().split_once(' ').expect("a type and a name");
            let id = self.id();
            write!(
                text,
                r#"<ownedParameter xmi:id="{id}" name="{name}" type="{kind}"/>"#
            )
            .expect("text can always grow");
        }
        let body = escape(body.trim());
        writeln!(
            text,
            r#"<ownedParameter xmi:id="{id}r" name="r" type="{kind}" direction="return"/><body>{body}</body></ownedBehavior>"#
        )
        .expect("text can always grow");
        self.functions.push_str(&text);
    }

    fn variable(&mut self, line: &str, read_only: bool, role: &str) -> String {
        let id = self.id();
        let (head, value) = match line.split_once(" = ") {
            Some((head, value)) => (head, format!(r#" default="{}""#, escape(value))),
            None => (line, String::new()),
        };
        let (kind, name) = head.trim().split_once(' ').expect("a type and a name");
        let constant = if read_only {
            r#" isReadOnly="true""#
        } else {
            ""
        };
        format!(r#"<{role} xmi:id="{id}" name="{name}" type="{kind}"{constant}{value}/>"#)
    }

    fn id(&mut self) -> String {
        self.count += 1;
        format!("_{}", self.count)
    }

    fn write(mut self) -> String {
        let mut text = String::from(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
  xmlns:prophet="http:///schemas/prophet/1" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML">
<uml:Model xmi:id="_M" name="M">
<packagedElement xmi:type="uml:Class" xmi:id="_P" name="P" classifierBehavior="Main">
"#,
        );
        text.push_str(&self.variables);
        for (name, block) in std::mem::take(&mut self.activities) {
            writeln!(
                text,
                r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="{name}" name="{name}">"#
            )
            .expect("text can always grow");
            self.write_block(&block, &name, &mut text);
            text.push_str("</ownedBehavior>\n");
        }
        text.push_str(&self.functions);
        text.push_str("</packagedElement>\n</uml:Model>\n");
        text.push_str(&self.stereotypes);
        text.push_str("</xmi:XMI>\n");
        text
    }

    fn write_block(&mut self, block: &Block, path: &str, text: &mut String) {
        text.push_str(&block.locals);
        for node in &block.nodes {
            let id = format!("{path}.{}", node.key);
            let calls = node.calls.as_ref();
            let calls = calls.map_or_else(String::new, |it| format!(r#" behavior="{it}""#));
            writeln!(
                text,
                r#"<node xmi:type="uml:{}" xmi:id="{id}" name="{}"{calls}>"#,
                node.kind, node.name
            )
            .expect("text can always grow");
            if let Some(code) = node.tags.strip_prefix("code=\"")
                && node.stereotype.is_none()
            {
                let code = code.trim_end_matches('"');
                writeln!(text, "<body>{code}</body>").expect("text can always grow");
            }
            if let Some(content) = &node.content {
                self.write_block(content, &id, text);
            }
            text.push_str("</node>\n");
            if let Some(stereotype) = &node.stereotype {
                writeln!(
                    self.stereotypes,
                    r#"<prophet:{stereotype} xmi:id="{id}s" base_Action="{id}" {}/>"#,
                    node.tags
                )
                .expect("text can always grow");
            }
        }
        for (source, target, guard) in &block.flows {
            let id = self.id();
            let guard = escape(guard);
            writeln!(
                text,
                r#"<edge xmi:type="uml:ControlFlow" xmi:id="{id}" source="{path}.{source}" target="{path}.{target}" guard="{guard}"/>"#
            )
            .expect("text can always grow");
        }
    }
}

impl Block {
    /// Parses `A -> B -[guard]-> C`.
    fn chain(&mut self, line: &str) {
        let mut rest = line;
        let mut source: Option<String> = None;
        let mut guard = String::new();
        loop {
            let end = rest.find(" -").unwrap_or(rest.len());
            let name = rest[..end].trim().to_owned();
            if let Some(source) = source {
                self.flows
                    .push((source, name.clone(), std::mem::take(&mut guard)));
            }
            source = Some(name);
            rest = rest[end..].trim_start();
            if let Some(inside) = rest.strip_prefix("-[") {
                let (condition, behind) = inside.split_once("]-> ").expect("a guard ends");
                condition.clone_into(&mut guard);
                rest = behind;
            } else if let Some(behind) = rest.strip_prefix("-> ") {
                rest = behind;
            } else {
                assert!(rest.is_empty(), "cannot read {rest:?} in {line:?}");
                return;
            }
        }
    }

    /// Adds nodes that appear only in flows.
    fn add_undeclared(&mut self) {
        let ends: Vec<String> = self
            .flows
            .iter()
            .flat_map(|(source, target, _)| [source.clone(), target.clone()])
            .collect();
        let mut known: BTreeSet<String> = self.nodes.iter().map(|it| it.key.clone()).collect();
        for key in ends {
            if !known.insert(key.clone()) {
                continue;
            }
            let (kind, stereotype) = match key.as_str() {
                "start" => ("InitialNode", None),
                "end" => ("ActivityFinalNode", None),
                _ => ("OpaqueAction", Some("action".to_owned())),
            };
            self.nodes.push(Node {
                name: key.clone(),
                key,
                kind: kind.to_owned(),
                tags: if stereotype.is_some() {
                    r#"time="1""#
                } else {
                    ""
                }
                .to_owned(),
                stereotype,
                calls: None,
                content: None,
            });
        }
    }
}
