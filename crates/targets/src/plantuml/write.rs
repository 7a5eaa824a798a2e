//! Writes the model as text, one statement after another.

use prophet_codegen::model::{
    Code, Diagram, DiagramId, Element, ElementId, Guard, Language, LoopNode, Model, NodeKind,
    Stereotype,
};
use prophet_codegen::output::MARKER;
use prophet_codegen::vocabulary;
use prophet_model::path;
use prophet_model::plantuml::{ARM_LANGUAGE, ONLY_ELSE};
use prophet_model::xmi::structured::clause_name;
use prophet_model::xml_form::attribute_of;

use super::lines::LineWriter;
use super::{declarations, escape, jumps};
use crate::xml::role::is_usual_path;
use crate::xml::sequence::{Arm, Item, Stop, sequence};

pub(super) fn write(model: &Model, model_file: &str) -> String {
    let mut writer = LineWriter::new(model);
    writer.model(&model_file.replace(['\n', '\r'], " "));
    writer.text
}

pub(super) fn depth(model: &Model) -> usize {
    let mut writer = LineWriter::new(model);
    writer.model("");
    writer.deepest
}

impl<'m> LineWriter<'m> {
    fn model(&mut self, model_file: &str) {
        let main = self.model.main;
        let others = self.keys.keys().copied().filter(|id| *id != main);
        let others: Vec<DiagramId> = others.collect();
        // Writes activities in the order of the model's file.
        let ids: Vec<DiagramId> = self.keys.keys().copied().collect();
        for id in ids {
            let begin = self.text.is_empty();
            if !begin {
                self.text.push('\n');
            }
            self.line("@startuml");
            if begin {
                self.line(&format!("' {MARKER} from {model_file}."));
            }
            self.activity(id, begin, !others.is_empty());
            self.line("@enduml");
        }
    }

    /// Writes an activity. The first activity also contains the declarations of the program.
    fn activity(&mut self, id: DiagramId, has_program: bool, names_main: bool) {
        let diagram = self.model.diagram(id);
        let key = self.keys[&id].clone();
        if key != diagram.name {
            self.carry("key", &key);
        }
        let shown = match diagram.name.as_str() {
            "" => "Activity",
            name => name,
        };
        if diagram.path != path::join(&path::join("", &self.model.name), shown) {
            self.carry("path", &diagram.path);
        }
        let label = header(&diagram.name, diagram.stereotype.as_ref());
        if label.len() == 1 {
            self.line(&format!("title {}", label[0]));
        } else {
            self.block("title", &label, "end title");
        }
        let mut legend = Vec::new();
        if has_program {
            legend = self.program(names_main);
        }
        for local in &diagram.locals {
            legend.extend(declarations::variable("local", local));
        }
        if !legend.is_empty() {
            self.block("legend", &legend, "end legend");
        }
        if let Some(comment) = &diagram.comment {
            self.note("floating note left", None, comment);
        }
        self.content(diagram);
    }

    fn program(&self, names_main: bool) -> Vec<String> {
        let mut lines = vec![format!("model {}", escape::inline(&self.model.name))];
        if names_main {
            let main = &self.keys[&self.model.main];
            lines.push(format!("main {}", escape::inline(main)));
        }
        for variable in &self.model.globals {
            let role = if variable.read_only {
                "parameter"
            } else {
                "global"
            };
            lines.extend(declarations::variable(role, variable));
        }
        for function in &self.model.functions {
            lines.extend(declarations::function(function));
        }
        lines
    }

    fn content(&mut self, diagram: &'m Diagram) {
        match sequence(self.model, diagram) {
            Some(items) => self.sequence(&items),
            None => jumps::write(self, diagram),
        }
    }

    fn sequence(&mut self, items: &[Item<'m>]) {
        for item in items {
            match item {
                Item::Node(stop) => self.node(stop.node),
                Item::Split(id, arms, meet) => self.split(*id, arms, *meet),
            }
        }
    }

    fn split(&mut self, id: ElementId, arms: &[Arm<'m>], meet: Option<Stop<'m>>) {
        if arms.is_empty() {
            return self.node(id);
        }
        let decides = self.model.element(id).kind == NodeKind::Decision;
        let meet = meet.map(|meet| self.model.element(meet.node).name.as_str());
        if let Some(name) = meet.filter(|name| !name.trim().is_empty()) {
            let kind = if decides { "merge" } else { "join" };
            self.carry(kind, name);
        }
        let element = self.model.element(id);
        if decides {
            let guards: Vec<&Guard> = arms
                .iter()
                .filter_map(|it| it.flow.guard.as_ref())
                .collect();
            self.otherwise(&guards);
            self.carried(element);
            self.arms("if", arms);
            self.line("endif");
        } else {
            self.carried(element);
            self.line("fork");
            for (number, arm) in arms.iter().enumerate() {
                if number > 0 {
                    self.line("fork again");
                }
                self.inside(|writer| writer.sequence(&arm.items));
            }
            self.line("end fork");
        }
    }

    /// Writes a comment if a decision has no `else`.
    pub(super) fn otherwise(&mut self, guards: &[&Guard]) {
        if !guards.contains(&&Guard::Else) {
            self.carry("otherwise", "none");
        }
    }

    fn arms(&mut self, first: &str, arms: &[Arm<'m>]) {
        let mut word = first;
        let is_else = |arm: &&Arm<'_>| arm.flow.guard == Some(Guard::Else);
        let (last, whens): (Vec<_>, Vec<_>) = arms.iter().partition(is_else);
        for arm in whens {
            if let Some(guard) = &arm.flow.guard {
                self.arm(word, guard);
            }
            self.inside(|writer| writer.sequence(&arm.items));
            word = "elseif";
        }
        for arm in last {
            if word == first {
                self.carry("otherwise", ONLY_ELSE);
                self.line("if () then");
            }
            self.line("else");
            self.inside(|writer| writer.sequence(&arm.items));
        }
    }

    pub(super) fn arm(&mut self, word: &str, guard: &Guard) {
        match guard {
            Guard::Else => self.line("else"),
            Guard::When(code) => {
                self.language_of_arm(code);
                let condition = Self::condition(Some(code));
                self.line(&format!("{word} {condition} then"));
            }
        }
    }

    fn language_of_arm(&mut self, code: &Code) {
        if code.language == Language::Rust {
            self.carry(ARM_LANGUAGE, "Rust");
        }
    }

    fn condition(code: Option<&Code>) -> String {
        let text = code.map(|it| it.text.value.as_str()).unwrap_or_default();
        format!("({})", escape::inline(&escape::paired(text, '(', ')')))
    }

    pub(super) fn node(&mut self, id: ElementId) {
        let element = self.model.element(id);
        match &element.kind {
            NodeKind::Initial => self.simple(element, "start"),
            NodeKind::ActivityFinal => self.simple(element, "stop"),
            NodeKind::FlowFinal => self.simple(element, "end"),
            NodeKind::Action | NodeKind::Call(_) | NodeKind::Unsupported(_) => self.action(element),
            NodeKind::Structured(content) => self.partition(element, *content),
            NodeKind::Loop(node) => self.loop_node(element, node),
            NodeKind::Conditional(_) => self.conditional(element),
            // Flows neither split nor meet at this node.
            NodeKind::Decision => self.control(element, "decision"),
            NodeKind::Merge => self.control(element, "merge"),
            NodeKind::Fork => self.control(element, "fork"),
            NodeKind::Join => self.control(element, "join"),
        }
    }

    fn simple(&mut self, element: &'m Element, word: &str) {
        self.carried(element);
        self.line(word);
    }

    fn control(&mut self, element: &'m Element, role: &str) {
        self.carry("role", role);
        self.action(element);
    }

    fn action(&mut self, element: &'m Element) {
        let mut label = header(&element.name, element.stereotype.as_ref());
        let stereotype = element.stereotype.as_ref().map(|it| it.kind.name());
        match &element.kind {
            NodeKind::Call(called) => {
                let key = called.map(|id| self.keys[&id].clone()).unwrap_or_default();
                if key != element.name || stereotype != Some("activity+") {
                    label.push(format!("activity = {}", escape::inline(&key)));
                }
            }
            NodeKind::Unsupported(kind) => {
                self.carry("role", "other");
                self.carry("kind", kind);
            }
            _ if stereotype == Some("activity+") => self.carry("role", "action"),
            _ => {}
        }
        self.path(element);
        let broken = label
            .split_last()
            .map(|(_, before)| before)
            .unwrap_or_default();
        let separator = if broken.iter().any(|it| escape::ends_label(it)) {
            "\\n".to_owned()
        } else {
            format!("\n{}", self.indent())
        };
        self.line(&format!(":{};", label.join(&separator)));
        if let Some(Code { language, text }) = &element.body {
            let first = match language {
                Language::C => "code",
                Language::Rust => "code Rust",
            };
            self.note("note right", Some(first), &text.value);
        }
        if let Some(comment) = &element.comment {
            self.note("note right", None, comment);
        }
    }

    /// Writes the path of an element, unless it follows from its name.
    fn path(&mut self, element: &Element) {
        if !is_usual_path(self.model, element) {
            self.carry("path", &element.path);
        }
    }

    fn partition(&mut self, element: &'m Element, content: DiagramId) {
        let diagram = self.model.diagram(content);
        let mut label = header(&element.name, element.stereotype.as_ref());
        self.path(element);
        label.extend(diagram.locals.iter().map(declarations::in_line));
        if let Some(comment) = &element.comment {
            self.carry("comment", comment);
        }
        self.begin_partition(&label);
        self.inside(|writer| writer.content(diagram));
        self.line("}");
    }

    fn begin_partition(&mut self, label: &[String]) {
        let label = label.join("\\n").replace('"', "<U+0022>");
        self.line(&format!("partition \"{label}\" {{"));
    }

    fn loop_node(&mut self, element: &'m Element, node: &'m LoopNode) {
        self.carried(element);
        let condition = Self::condition(node.condition.as_ref());
        if let Some(code) = &node.condition
            && code.language == Language::Rust
        {
            self.carry("language", "Rust");
        }
        let begin = if node.tested_first {
            format!("while {condition}")
        } else {
            "repeat".to_owned()
        };
        self.line(&begin);
        self.inside(|writer| {
            for (role, part) in [("setup", node.setup), ("test", node.test)] {
                let Some(part) = part else { continue };
                writer.carry("role", role);
                let diagram = writer.model.diagram(part);
                let mut label = header(&diagram.name, None);
                label.extend(diagram.locals.iter().map(declarations::in_line));
                writer.begin_partition(&label);
                writer.inside(|writer| writer.content(diagram));
                writer.line("}");
            }
            writer.part(node.body, &element.name);
        });
        if node.tested_first {
            self.line("endwhile");
        } else {
            self.line(&format!("repeat while {condition}"));
        }
    }

    fn conditional(&mut self, element: &'m Element) {
        let NodeKind::Conditional(clauses) = &element.kind else {
            return;
        };
        if clauses.is_empty() {
            return self.control(element, "choose");
        }
        self.carry("role", "choose");
        self.carried(element);
        for (number, clause) in (1..).zip(clauses) {
            let word = if number == 1 { "if" } else { "elseif" };
            if let Some(code) = &clause.condition {
                self.language_of_arm(code);
            }
            let condition = Self::condition(clause.condition.as_ref());
            self.line(&format!("{word} {condition} then"));
            let usual = clause_name(&element.name, number);
            self.inside(|writer| writer.part(clause.body, &usual));
        }
        self.line("endif");
    }

    /// Writes the content of a part. Its name is written only if it differs from `usual`.
    fn part(&mut self, part: DiagramId, usual: &str) {
        let diagram = self.model.diagram(part);
        if diagram.name != usual {
            self.carry("part", &diagram.name);
        }
        for local in &diagram.locals {
            self.line(&format!("'@ {}", declarations::in_line(local)));
        }
        self.content(diagram);
    }

    /// Writes the properties of a node that a drawing can't show.
    pub(super) fn carried(&mut self, element: &'m Element) {
        if !element.name.is_empty() {
            self.carry("name", &element.name);
        }
        self.path(element);
        if let Some(stereotype) = &element.stereotype {
            self.carry("stereotype", stereotype.kind.name());
            for (tag, value) in tags(stereotype) {
                self.carry(tag, &value);
            }
        }
        if let Some(comment) = &element.comment {
            self.carry("comment", comment);
        }
    }

    /// Writes a note. It starts with a keyword that says what it contains, unless it is a plain
    /// comment.
    fn note(&mut self, begin: &str, first: Option<&str>, text: &str) {
        let mut text = escape::lines(text);
        let word = text.split_whitespace().next().unwrap_or_default();
        if first.is_none() && matches!(word, "code" | "program") {
            text = text.replacen(&word[..1], &format!("<U+{:04X}>", word.as_bytes()[0]), 1);
        }
        let lines: Vec<String> = first.map(str::to_owned).into_iter().chain([text]).collect();
        self.block(begin, &lines, "end note");
    }

    /// Writes lines between the first and the last line of a statement.
    fn block(&mut self, begin: &str, lines: &[String], end: &str) {
        self.line(begin);
        self.inside(|writer| {
            for line in lines.iter().flat_map(|it| it.lines()) {
                writer.line(line);
            }
        });
        self.line(end);
    }
}

/// Returns the lines of a label: the stereotype and the name, followed by the tags.
fn header(name: &str, stereotype: Option<&Stereotype>) -> Vec<String> {
    let name = escape::inline(name);
    let Some(stereotype) = stereotype else {
        return vec![if name.is_empty() {
            "<<>>".to_owned()
        } else {
            name
        }];
    };
    let first = format!("<<{}>> {name}", stereotype.kind.name());
    let mut lines = vec![first.trim_end().to_owned()];
    let tags = tags(stereotype);
    lines.extend(tags.map(|(tag, value)| format!("{tag} = {}", escape::inline(&value))));
    lines
}

/// Returns the tags with their values, in the order of the vocabulary.
fn tags(stereotype: &Stereotype) -> impl Iterator<Item = (&'static str, String)> {
    vocabulary::tags(stereotype.kind).filter_map(|tag| {
        let value = stereotype.tags.get(tag)?;
        Some((attribute_of(tag), value.value.clone()))
    })
}
