//! Generates random models in our own XML format, and describes models without the positions of
//! their parts in the file.

use std::fmt::Write as _;

use prophet_codegen::model::Model;

use crate::random::Random;

/// Generates a syntactically correct model in our own XML format. Its costs and names can be
/// meaningless.
pub fn random(seed: u64, shape: Shape) -> String {
    let mut maker = Maker {
        shape,
        random: Random(seed),
        text: String::new(),
        count: 0,
        goes_on: true,
    };
    maker.model();
    maker.text
}

/// The structure of a random model's diagrams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Sequences, and graphs that may be meaningless.
    Any,
    /// Only sequences. Only the last arm can be an `else`.
    Sequences,
}

struct Maker {
    shape: Shape,
    random: Random,
    text: String,
    count: usize,
    /// `false` if the last decision or fork ended the flow.
    goes_on: bool,
}

/// Texts that contain all characters that XML must escape.
const TEXTS: &[&str] = &[
    "x &lt; 1 &amp;&amp; y &gt; 2",
    "&quot;a&quot;",
    "1 +&#10;&#9;2",
    "  x",
    "é ü 🚀",
    "GV",
    "a--b",
    "a&#13;b",
];

impl Maker {
    fn model(&mut self) {
        self.text
            .push_str("<model xmlns=\"http:///schemas/prophet/model/1\" name=\"M\" main=\"D0\">\n");
        for role in ["parameter", "global"] {
            self.variables(role);
        }
        if self.chance(2) {
            let body = self.a_text();
            let result = if self.chance(2) {
                " result=\"double\""
            } else {
                ""
            };
            let language = self.language();
            let _ = write!(self.text, "<function name=\"F\"{result}{language}>");
            self.comment();
            self.variables("argument");
            let _ = writeln!(self.text, "<body>{body} .</body></function>");
        }
        let count = 1 + self.random.below(3);
        for number in 0..count {
            let stereotype = if self.chance(4) {
                " stereotype=\"activity+\" id=\"7\""
            } else {
                ""
            };
            let key = format!("D{number}");
            let name = if self.chance(3) { "Same" } else { &key };
            let key = if name == key {
                String::new()
            } else {
                format!(" key=\"{key}\"")
            };
            let path = if self.chance(4) {
                " path=\"M::Class::X\""
            } else {
                ""
            };
            let _ = write!(
                self.text,
                "<activity name=\"{name}\"{key}{path}{stereotype}"
            );
            self.content("activity", count, 3);
        }
        self.text.push_str("</model>\n");
    }

    fn chance(&mut self, one_of: usize) -> bool {
        self.random.below(one_of) == 0
    }

    fn a_text(&mut self) -> &'static str {
        let text: &&'static str = self.random.pick(TEXTS);
        text
    }

    fn language(&mut self) -> &'static str {
        if self.chance(3) {
            " language=\"Rust\""
        } else {
            ""
        }
    }

    fn comment(&mut self) {
        if self.chance(3) {
            let text = self.a_text().trim();
            let _ = write!(self.text, "<comment>{text}.</comment>");
        }
    }

    fn variables(&mut self, role: &str) {
        for number in 0..self.random.below(3) {
            let value = self.a_text();
            let mut attributes = String::new();
            if self.chance(2) {
                attributes.push_str(" type=\"double\"");
            }
            if self.chance(3) {
                attributes.push_str(" length=\"4\"");
            }
            if self.chance(2) {
                let language = self.language();
                let _ = write!(attributes, " value=\"{value}\"{language}");
            }
            let _ = write!(self.text, "<{role} name=\"v{number}\"{attributes}>");
            self.comment();
            let _ = writeln!(self.text, "</{role}>");
        }
    }

    /// Writes the nodes of an element that contains a diagram.
    fn content(&mut self, role: &str, activities: usize, depth: usize) {
        let listed = self.chance(3) && self.shape == Shape::Any;
        self.text.push_str(if listed {
            " flows=\"listed\">\n"
        } else {
            ">\n"
        });
        if matches!(role, "activity" | "block") {
            self.comment();
        }
        self.variables("local");
        let count = self.random.below(4);
        if listed {
            let keys: Vec<String> = (0..count)
                .map(|_| self.node(activities, depth, true))
                .collect();
            for _ in 0..self.random.below(6) {
                self.flow(&keys);
            }
        } else {
            self.sequence(count, activities, depth);
        }
        let _ = writeln!(self.text, "</{role}>");
        self.goes_on = true;
    }

    fn flow(&mut self, keys: &[String]) {
        if keys.is_empty() {
            return;
        }
        let (from, to) = (
            self.random.pick(keys).clone(),
            self.random.pick(keys).clone(),
        );
        let guard = match self.random.below(4) {
            0 => " else=\"true\"".to_owned(),
            1 => format!(" guard=\"{}\"{}", self.a_text(), self.language()),
            _ => String::new(),
        };
        let _ = writeln!(self.text, "<flow from=\"{from}\" to=\"{to}\"{guard}/>");
    }

    /// Writes a sequence of nodes. Returns `true` if the flow continues after the last one.
    fn sequence(&mut self, count: usize, activities: usize, depth: usize) -> bool {
        for _ in 0..count {
            self.goes_on = true;
            self.node(activities, depth, false);
            if !self.goes_on {
                return false;
            }
        }
        let ends = self.chance(4);
        if ends {
            self.text.push_str("<final name=\"Final\"/>\n");
        }
        !ends
    }

    /// Writes a node. Returns its key.
    fn node(&mut self, activities: usize, depth: usize, listed: bool) -> String {
        self.count += 1;
        let key = format!("k{}", self.count);
        let deep = depth > 0;
        let role = *self.random.pick(match (listed, deep) {
            (true, false) => &[
                "action", "initial", "final", "decision", "merge", "join", "call",
            ],
            (true, true) => &[
                "action",
                "fork",
                "flow-final",
                "merge",
                "block",
                "loop",
                "choose",
            ],
            (false, false) => &["action", "call", "initial", "other"][..],
            (false, true) => &["action", "decision", "fork", "block", "loop", "choose"],
        });
        let _ = write!(self.text, "<{role}");
        match self.random.below(3) {
            0 => {}
            1 => self.text.push_str(" name=\"Same\""),
            _ => {
                let _ = write!(self.text, " name=\"N{key}\"");
            }
        }
        let _ = write!(self.text, " key=\"{key}\"");
        if self.chance(8) {
            let path = self.a_text();
            let _ = write!(self.text, " path=\"M::{path}\"");
        }
        if role == "action" && self.chance(2) {
            let (cost, id) = (self.a_text(), self.count);
            let _ = write!(
                self.text,
                " stereotype=\"action+\" cost=\"{cost}\" id=\"{id}\""
            );
        }
        if role == "block" && self.chance(2) {
            self.text
                .push_str(" stereotype=\"critical\" lock=\"the lock\"");
        }
        self.inside(role, activities, depth, listed);
        key
    }

    fn inside(&mut self, role: &str, activities: usize, depth: usize, listed: bool) {
        let deeper = depth.saturating_sub(1);
        match role {
            "block" => return self.content(role, activities, deeper),
            "call" => {
                let activity = self.random.below(activities);
                let _ = writeln!(self.text, " activity=\"D{activity}\"/>");
                return;
            }
            "loop" => {
                let tested = if self.chance(2) {
                    " tested=\"last\""
                } else {
                    ""
                };
                let condition = self.a_text();
                let _ = writeln!(self.text, " condition=\"{condition}\"{tested}>");
                self.comment();
                for part in ["setup", "test", "body"] {
                    if self.chance(2) {
                        let name = if self.chance(3) { " name=\"P\"" } else { "" };
                        let _ = write!(self.text, "<{part}{name}");
                        self.content(part, activities, deeper);
                    }
                }
            }
            "choose" => {
                self.text.push_str(">\n");
                self.comment();
                for _ in 0..self.random.below(3) {
                    let condition = self.a_text();
                    let _ = write!(self.text, "<case condition=\"{condition}\"");
                    self.content("case", activities, deeper);
                }
            }
            "decision" | "fork" if !listed => self.split(role, activities, deeper),
            "action" => {
                self.text.push_str(">\n");
                self.comment();
                if self.chance(2) {
                    let (language, code) = (self.language(), self.a_text());
                    let _ = writeln!(self.text, "<code{language}>{code}</code>");
                }
            }
            _ => {
                self.text.push('>');
                self.comment();
            }
        }
        let _ = writeln!(self.text, "</{role}>");
    }

    /// Writes a decision or fork, and what its flows lead to.
    fn split(&mut self, role: &str, activities: usize, depth: usize) {
        let meet = if role == "decision" { "merge" } else { "join" };
        let meet = if self.chance(2) {
            format!(" {meet}=\"Meet\"")
        } else {
            String::new()
        };
        let _ = writeln!(self.text, "{meet}>");
        self.comment();
        let count = self.random.below(4);
        let mut goes_on = count == 0;
        for number in 1..=count {
            let may_be_else = self.shape == Shape::Any || number == count;
            let arm = match (role, self.chance(4) && may_be_else) {
                ("decision", true) => "otherwise",
                ("decision", false) => "when",
                _ => "branch",
            };
            let _ = write!(self.text, "<{arm}");
            if arm == "when" {
                let (guard, language) = (self.a_text(), self.language());
                let _ = write!(self.text, " guard=\"{guard}\"{language}");
            }
            self.text.push_str(">\n");
            let count = self.random.below(3);
            goes_on |= self.sequence(count, activities, depth);
            let _ = writeln!(self.text, "</{arm}>");
        }
        self.goes_on = goes_on;
    }
}

/// Describes a model without the positions of its parts in the file.
pub fn outline(model: &Model) -> String {
    let text = format!("{model:#?}");
    let mut outline = String::new();
    // The line that ends the skipped place.
    let mut end: Option<String> = None;
    for line in text.lines() {
        if let Some(last) = &end {
            if line == last {
                end = None;
            }
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        match line.trim_start() {
            "span: Span {" => end = Some(format!("{indent}}},")),
            "origins: [" => end = Some(format!("{indent}],")),
            "origins: []," => {}
            _ => {
                outline.push_str(line);
                outline.push('\n');
            }
        }
    }
    outline
}
