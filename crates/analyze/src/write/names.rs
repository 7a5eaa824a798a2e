//! Variables, parameters and expressions as text in the cost language.

use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::Writer;
use crate::facts::{Origin, without_steps};
use crate::program::{Expr, Stmt, Var, What};
use crate::tree::Place;

impl Writer<'_, '_> {
    /// Returns what a variable is called in the model.
    pub(super) fn name_of(&mut self, var: Var) -> String {
        let var = self.facts.plain(var);
        if let Some(known) = self.names.get(&var) {
            return known.clone();
        }
        let variable = &self.facts.program.variables[var];
        let name = if let Some(known) = self.constant(var) {
            known
        } else {
            let is_used = self.used.contains(&super::key(&variable.name));
            let long = format!("{}_{}", variable.function, variable.name);
            let own = if is_used && !variable.function.is_empty() {
                &long
            } else {
                &variable.name
            };
            let name = self.unused(own);
            let of = if variable.is_integer() {
                "long"
            } else {
                "double"
            };
            self.globals.insert(name.clone(), (of, variable.length));
            name
        };
        self.names.insert(var, name.clone());
        name
    }

    /// Returns what a variable always equals: the rank, the number of ranks, or a parameter.
    pub(super) fn constant(&self, var: Var) -> Option<String> {
        let var = self.facts.plain(var);
        let program = self.facts.program;
        let words = program
            .functions
            .get("main")
            .and_then(|it| it.parameters.first());
        if words == Some(&var) {
            return Some("argc".to_owned());
        }
        let origins = self.facts.origins.get(&var)?;
        let [first, others @ ..] = &origins[..] else {
            return None;
        };
        if !others.iter().all(|it| it == first) || program.variables[var].length > 0 {
            return None;
        }
        match first {
            Origin::Rank => Some("pid".to_owned()),
            Origin::Size => Some("NUM_PROCESSES".to_owned()),
            Origin::Value(Expr::Given(word)) => self.given.get(word).cloned(),
            _ => None,
        }
    }

    /// Returns an expression as text; `None` if the cost language can't express it.
    pub(super) fn shown(&mut self, of: &Expr) -> Option<String> {
        let of = without_steps(of);
        if !self.facts.can(&of) {
            return None;
        }
        let mut vars = of.all().into_iter().filter_map(|it| match it {
            Expr::Var(var) | Expr::At(var, _) => Some(self.facts.plain(*var)),
            _ => None,
        });
        let is_there = |it: Var| self.facts.relevant.contains(&it) || self.constant(it).is_some();
        vars.all(is_there).then(|| self.text_of(&of, 0))
    }

    fn text_of(&mut self, of: &Expr, level: u8) -> String {
        match of {
            Expr::Int(value) if *value < 0 => format!("({value})"),
            Expr::Int(value) => value.to_string(),
            Expr::Real(value) => format!("{value:?}"),
            Expr::Var(var) => {
                let name = self.name_of(*var);
                self.declare_words(&name);
                name
            }
            Expr::At(var, at) => {
                let name = self.name_of(*var);
                format!("{name}[{}]", self.text_of(at, 0))
            }
            Expr::Given(word) => self
                .given
                .get(word)
                .cloned()
                .unwrap_or_else(|| "1".to_owned()),
            Expr::Named(name) => name.clone(),
            Expr::Unary(operator, of) => format!("{operator}{}", self.text_of(of, 20)),
            Expr::Binary(operator, one, other) => {
                let own = precedence(operator);
                let one = self.text_of(one, own);
                let other = self.text_of(other, own + 1);
                let text = format!("{one} {operator} {other}");
                if own < level {
                    format!("({text})")
                } else {
                    text
                }
            }
            Expr::Choose(of) => {
                let [one, then, other] = [0, 1, 2].map(|it| self.text_of(&of[it], 1));
                format!("({one} ? {then} : {other})")
            }
            Expr::Call(name, arguments) => {
                let name = self.called(name);
                let all: Vec<String> = arguments.iter().map(|it| self.text_of(it, 0)).collect();
                format!("{name}({})", all.join(", "))
            }
            _ => "0".to_owned(),
        }
    }

    fn declare_words(&mut self, name: &str) {
        if name == "argc" && !self.parameters.contains_key(name) {
            let parameter = super::Parameter {
                of: "long",
                value: "1".to_owned(),
                comment: "Number of words of the command line.".to_owned(),
            };
            self.parameters.insert(name.to_owned(), parameter);
        }
    }

    /// Returns the name of a function in the model, and adds it if it is one of the program's.
    fn called(&mut self, name: &str) -> String {
        let Some(function) = self.facts.program.functions.get(name) else {
            return if name.ends_with("abs") && name != "fabs" {
                "abs"
            } else {
                name
            }
            .to_owned();
        };
        if self.functions.contains_key(name) {
            return name.to_owned();
        }
        self.functions.insert(name.to_owned(), String::new());
        let of = |var: Var| {
            let var = &self.facts.program.variables[var];
            if var.is_integer() { "long" } else { "double" }
        };
        let mut text = format!(
            "  <function name=\"{name}\" result=\"{}\">\n",
            of(function.result)
        );
        for parameter in &function.parameters {
            let own = self.facts.program.variables[*parameter].name.clone();
            let of = of(*parameter);
            self.names.insert(*parameter, own.clone());
            let _ = writeln!(text, "    <argument name=\"{own}\" type=\"{of}\"/>");
        }
        let mut body = String::new();
        for (var, variable) in self.facts.program.variables.iter().enumerate() {
            let is_local = variable.function == name && var != function.result;
            if is_local && !variable.is_parameter {
                self.names.insert(var, variable.name.clone());
                let of = if variable.is_integer() {
                    "long"
                } else {
                    "double"
                };
                let _ = write!(body, "{of} {} = 0; ", variable.name);
            }
        }
        self.pure(&function.body, &mut body);
        let _ = write!(text, "    <body>{}</body>\n  </function>\n", escaped(&body));
        self.functions.insert(name.to_owned(), text);
        name.to_owned()
    }

    /// Writes a statement of a function that only computes a result.
    fn pure(&mut self, stmt: &Stmt, text: &mut String) {
        match &stmt.what {
            What::Block(of) => of.iter().for_each(|it| self.pure(it, text)),
            What::If(of, then, other) => {
                let _ = write!(text, "if ({}) {{ ", self.text_of(of, 0));
                self.pure(then, text);
                *text += "} else { ";
                self.pure(other, text);
                *text += "} ";
            }
            What::Loop(of) => {
                of.init.iter().for_each(|it| self.pure(it, text));
                let condition = of.condition.clone().unwrap_or(Expr::Int(1));
                let condition = self.text_of(&condition, 0);
                let mut step = String::new();
                of.step.iter().for_each(|it| self.pure(it, &mut step));
                let step = step.trim_end().trim_end_matches(';');
                let _ = write!(text, "for (; {condition}; {step}) {{ ");
                self.pure(&of.body, text);
                *text += "} ";
            }
            What::Return(Some(of)) => {
                let _ = write!(text, "return {}; ", self.text_of(of, 0));
            }
            What::Break => *text += "break; ",
            What::Continue => *text += "continue; ",
            What::Do(Expr::Assign(operator, to, of)) => {
                let (to, of) = (self.text_of(to, 0), self.text_of(&without_steps(of), 0));
                let _ = write!(text, "{to} {operator}= {of}; ");
            }
            What::Do(Expr::Step(_, by, to)) => {
                let _ = write!(text, "{} += {by}; ", self.text_of(to, 0));
            }
            _ => {}
        }
    }

    /// Returns an expression as text, or a parameter in its place.
    pub(super) fn shown_or(&mut self, of: &Expr, at: Place, kind: &str, value: &str) -> String {
        if *of == Expr::Named("ANY".to_owned()) && ["source", "tag"].contains(&kind) {
            return "ANY".to_owned();
        }
        let shown = self.shown(of);
        let told = format!("the source doesn't tell {kind}");
        shown.unwrap_or_else(|| {
            if value == "PROC_NULL" {
                self.note(at, &format!("{told}; the message was left open"));
                return value.to_owned();
            }
            self.open(at, kind, value, &told)
        })
    }
}

pub(super) fn precedence(operator: &str) -> u8 {
    match operator {
        "*" | "/" | "%" => 12,
        "+" | "-" => 11,
        "<<" | ">>" => 10,
        "<" | "<=" | ">" | ">=" => 9,
        "==" | "!=" => 8,
        // Bitwise operators always get brackets around their operands.
        "&" | "^" | "|" => 7,
        "&&" => 4,
        _ => 3,
    }
}
