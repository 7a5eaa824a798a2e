//! Statements without messages: their code and their costs.

use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::{Costs, PRICE_S, Writer};
use crate::counts::{Counter, Values, add};
use crate::facts::loops::{Iterations, iterations};
use crate::facts::{Origin, object, without_steps};
use crate::program::{Expr, Stmt, What};
use crate::tree::Place;

/// Costs are as deep and as long as this.
const DEPTH_MAX: usize = 16;
const LENGTH_MAX: usize = 2000;

impl Writer<'_, '_> {
    /// Takes a statement without messages: its code, and its cost if it has loops or calls.
    pub(super) fn quiet(&mut self, stmt: &Stmt) {
        let mut code = String::new();
        self.code(stmt, &mut code);
        let has_work = stmt.all().iter().any(|it| matches!(it.what, What::Loop(_)))
            || stmt.expressions().into_iter().any(|it| {
                matches!(it, Expr::Call(name, _) if self.facts.program.functions.contains_key(name))
            });
        if has_work {
            self.flush_code();
            self.at = stmt.place;
            let facts = self.facts;
            let mut opened: Vec<(Place, String)> = Vec::new();
            let mut open = |it: &Stmt| {
                let parameter = self.open(
                    it.place,
                    "iterations",
                    "1",
                    "the source doesn't tell how often the loop repeats",
                );
                opened.push((it.place, parameter.clone()));
                Expr::Named(format!("={parameter}"))
            };
            let counted = Counter::new(facts, &mut open).stmt(stmt, &Values::new());
            for (kind, number) in counted {
                add(&mut self.cost, kind, number);
            }
        }
        if !code.is_empty() {
            self.flush_cost();
            if self.pending.is_empty() {
                self.at = stmt.place;
            }
            self.pending += &code;
        }
    }

    /// Takes a loop without messages that a team of threads shares evenly.
    pub(super) fn shared_work(&mut self, stmt: &Stmt) {
        self.quiet(stmt);
        self.flush_code();
        for number in self.cost.values_mut() {
            let threads = Expr::Named("=NUM_THREADS".to_owned());
            *number = Expr::binary("/", number.clone(), threads);
        }
    }

    /// Writes the elements for the code and costs taken so far.
    pub(super) fn flush(&mut self) {
        self.flush_code();
        self.flush_cost();
    }

    pub(super) fn flush_code(&mut self) {
        let code = std::mem::take(&mut self.pending);
        if !code.is_empty() {
            let (name, comment) = (self.node("Set"), self.comment());
            let code = escaped(code.trim_end());
            self.line(&format!(
                "<action name=\"{name}\">{comment}<code>{code}</code></action>"
            ));
        }
    }

    pub(super) fn flush_cost(&mut self) {
        let counts = std::mem::take(&mut self.cost);
        let mut parts: Vec<String> = Vec::new();
        for (kind, number) in counts {
            let number = number.summed();
            if number == Expr::Int(0) {
                continue;
            }
            let number = self.cost_text(&number);
            if self.costs == Costs::Operations {
                parts.push(format!("({number})*{kind}"));
            } else {
                parts.push(number);
            }
        }
        if parts.is_empty() {
            return;
        }
        let kind = format!("Compute {}", self.function);
        let name = self.node(&kind);
        let cost = if self.costs == Costs::Operations {
            format!("clc(\"{}\")", parts.join(","))
        } else {
            let price = self.price_of(&name);
            format!("{price} * ({})", parts.join(" + "))
        };
        self.action(&name, "action+", &[("cost", cost)]);
    }

    /// Returns the parameter with the seconds that an operation of an element takes.
    fn price_of(&mut self, element: &str) -> String {
        let (name, comment) = if self.costs == Costs::Each {
            let name = self.unused(&format!("seconds_per_operation_line{}", self.at.line));
            self.prices.insert(element.to_owned(), name.clone());
            let place = self.facts.program.place(self.at);
            let comment = format!("{place}: seconds that an operation takes, as recorded.");
            (name, comment)
        } else {
            let comment = "Seconds that an operation takes.".to_owned();
            ("SECONDS_PER_OPERATION".to_owned(), comment)
        };
        let parameter = super::Parameter {
            of: "double",
            value: format!("{PRICE_S:?}"),
            comment,
        };
        self.parameters.insert(name.clone(), parameter);
        name
    }

    /// Returns a number of operations as text, at least 0, or a parameter for what is too long.
    fn cost_text(&mut self, of: &Expr) -> String {
        let (text, depth) = self.counted(of, 0);
        let is_open = of.all().iter().any(|it| matches!(it, Expr::Open(_)));
        if is_open || depth > DEPTH_MAX || text.len() > LENGTH_MAX {
            let told = "the number of operations is too long an expression";
            return self.open(self.at, "operations", "1000", told);
        }
        let is_minus = |it: &&Expr| matches!(it, Expr::Binary(by, ..) if by == "-");
        if of.all().iter().any(is_minus) {
            format!("fmax(0, {text})")
        } else {
            text
        }
    }

    /// Returns a number of operations as text, and how deep its brackets are nested.
    fn counted(&mut self, of: &Expr, level: u8) -> (String, usize) {
        match of {
            Expr::Named(name) => (name.trim_start_matches('=').to_owned(), 0),
            Expr::Binary(by, one, other) if matches!(by.as_str(), "+" | "-" | "*" | "/") => {
                let own = super::names::precedence(by);
                let (one, first) = self.counted(one, own);
                let (other, second) = self.counted(other, own + 1);
                let depth = first.max(second);
                let text = format!("{one} {by} {other}");
                if own < level {
                    (format!("({text})"), depth + 1)
                } else {
                    (text, depth)
                }
            }
            Expr::Choose(of) => {
                let [one, then, other] = [0, 1, 2].map(|it| self.counted(&of[it], 4));
                let depth = 1 + one.1.max(then.1).max(other.1);
                (format!("({} ? {} : {})", one.0, then.0, other.0), depth)
            }
            _ => (self.shown(of).unwrap_or_else(|| "0".to_owned()), 1),
        }
    }

    /// Adds the code that a statement has in the model: what it assigns to relevant variables.
    pub(super) fn code(&mut self, stmt: &Stmt, code: &mut String) {
        match &stmt.what {
            What::Block(of) => of.iter().for_each(|it| self.code(it, code)),
            What::Do(of) => self.assigned(of, stmt.place, code),
            What::If(of, then, other) => {
                let [mut one, mut two] = [String::new(), String::new()];
                self.code(then, &mut one);
                self.code(other, &mut two);
                if one.is_empty() && two.is_empty() {
                    return self.after(of, stmt.place, code);
                }
                let of = &self.as_root([then, other], of);
                let of_text = self.condition(of, stmt.place);
                let _ = write!(code, "if ({of_text}) {{ {one}}} ");
                if !two.is_empty() {
                    let _ = write!(code, "else {{ {two}}} ");
                }
                self.after(of, stmt.place, code);
            }
            What::Loop(of) => {
                let [mut init, mut body, mut step] = [String::new(), String::new(), String::new()];
                of.init.iter().for_each(|it| self.code(it, &mut init));
                self.code(&of.body, &mut body);
                of.step.iter().for_each(|it| self.code(it, &mut step));
                *code += &init;
                if body.is_empty() && step.is_empty() {
                    return;
                }
                let condition = of.condition.clone().unwrap_or(Expr::Int(1));
                let step = step.trim_end().replace("; ", ", ");
                let step = step.trim_end_matches(';');
                if let Some(condition) = self.shown(&condition) {
                    if of.is_tested_last {
                        let _ = write!(code, "do {{ {body}}} while ({condition}); ");
                    } else {
                        let _ = write!(code, "for (; {condition}; {step}) {{ {body}}} ");
                    }
                } else {
                    let count = self.turns(stmt, None);
                    let turn = self.unused("turn");
                    let _ = write!(
                        code,
                        "for (long {turn} = 0; {turn} < {count}; {turn}++) {{ {body}{step}; }} "
                    );
                }
            }
            What::Break => *code += "break; ",
            What::Continue => *code += "continue; ",
            _ => {}
        }
        if code.trim() == "break;" || code.trim() == "continue;" {
            code.clear();
        }
    }

    /// Returns the condition of a branch as the root sees it, if the branch only sets what the root
    /// then sends to all ranks.
    fn as_root(&self, arms: [&Stmt; 2], of: &Expr) -> Expr {
        let set = arms.into_iter().flat_map(Stmt::expressions);
        let set = set.flat_map(|it| self.facts.set_by(it));
        let set: Vec<_> = set
            .filter(|it| self.facts.relevant.contains(&it.0))
            .collect();
        let roots: Option<Vec<i64>> = set.iter().map(|it| self.facts.root_of(it.0)).collect();
        let Some([root, others @ ..]) = roots.as_deref() else {
            return of.clone();
        };
        if others.iter().any(|it| it != root) {
            return of.clone();
        }
        let vars = of.all().into_iter().filter_map(|it| match it {
            Expr::Var(var) if self.constant(*var).as_deref() == Some("pid") => Some(*var),
            _ => None,
        });
        let values: Values = vars.map(|it| (it, Expr::Int(*root))).collect();
        crate::counts::replaced(of, &values)
    }

    /// Returns the number of iterations of a loop as text, or a parameter for it.
    pub(super) fn turns(&mut self, stmt: &Stmt, number: Option<&Expr>) -> String {
        let shown = number.and_then(|it| self.shown(it));
        let told = "the source doesn't tell how often the loop repeats";
        shown.unwrap_or_else(|| self.open(stmt.place, "iterations", "1", told))
    }

    /// Returns a condition as text, or a parameter for it.
    pub(super) fn condition(&mut self, of: &Expr, place: Place) -> String {
        if let Some(shown) = self.shown(of) {
            return shown;
        }
        let told = "the source doesn't tell whether this is true";
        let parameter = self.open(place, "is_true", "0", told);
        format!("{parameter} != 0")
    }

    /// Adds the assignments in an expression whose value is used elsewhere.
    pub(super) fn after(&mut self, of: &Expr, place: Place, code: &mut String) {
        for part in of.all() {
            if matches!(part, Expr::Step(..) | Expr::Assign(..)) {
                self.assigned(part, place, code);
            }
        }
    }

    pub(super) fn assigned(&mut self, of: &Expr, place: Place, code: &mut String) {
        match of {
            Expr::Comma(of) => of.iter().for_each(|it| self.assigned(it, place, code)),
            Expr::Assign(operator, to, value) => {
                // Assignments inside come first, those of `x++` after.
                let mut value = &**value;
                if let Expr::Assign(_, inner, _) = value {
                    self.assigned(value, place, code);
                    value = inner;
                }
                self.set(operator, to, value, place, code);
                if !matches!(value, Expr::Assign(..)) {
                    self.after(value, place, code);
                }
                if let Expr::At(_, at) = &**to {
                    self.after(at, place, code);
                }
            }
            Expr::Step(_, by, to) => self.set("+", to, &Expr::Int(*by), place, code),
            Expr::Call(name, arguments) => self.call_code(name, arguments, place, code),
            other => {
                for part in other.parts() {
                    self.assigned(part, place, code);
                }
            }
        }
    }

    fn set(&mut self, operator: &str, to: &Expr, value: &Expr, place: Place, code: &mut String) {
        let (Expr::Var(var) | Expr::At(var, _)) = to else {
            return;
        };
        let var = self.facts.plain(*var);
        if !self.facts.relevant.contains(&var) || self.constant(var).is_some() {
            return;
        }
        let kind = self.facts.program.variables[var].name.clone();
        let Some(to) = self.shown(to) else {
            return self.note(place, &format!("{kind} can't be followed from here"));
        };
        let value = if *value == Expr::Named("ANY".to_owned()) {
            self.open(
                place,
                &kind,
                "0",
                "any rank or tag can't be a variable here",
            )
        } else {
            self.shown_or(value, place, &kind, "0")
        };
        let _ = write!(code, "{to} {operator}= {value}; ");
    }

    /// Sets the parameters of a function before it is called.
    pub(super) fn arguments(&mut self, name: &str, arguments: &[Expr], place: Place) {
        let function = &self.facts.program.functions[name];
        let mut code = String::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if self.facts.plain(*parameter) == *parameter {
                self.set("", &Expr::Var(*parameter), argument, place, &mut code);
            }
            self.after(argument, place, &mut code);
        }
        if !code.is_empty() {
            self.flush_cost();
            self.pending += &code;
        }
    }

    fn call_code(&mut self, name: &str, arguments: &[Expr], place: Place, code: &mut String) {
        match name {
            "MPI_Comm_rank" | "MPI_Comm_size" => self.rank_or_size(name, arguments, place, code),
            "MPI_Dims_create" | "MPI_Cart_create" | "MPI_Cart_shift" | "MPI_Cart_coords" => {
                self.grid_call(name, arguments, place, code);
            }
            "MPI_Cart_rank" | "MPI_Get_count" => {
                if let Some(var) = arguments.get(2).and_then(object)
                    && self.facts.relevant.contains(&self.facts.plain(var))
                {
                    let kind = self.name_of(var);
                    let text = self.open(place, &kind, "0", "this call can't be followed");
                    self.set_text(&Expr::Var(var), &text, code);
                }
            }
            _ => {
                let known = self.facts.program.functions.contains_key(name);
                for (var, origin) in self
                    .facts
                    .set_by(&Expr::Call(name.to_owned(), arguments.to_vec()))
                {
                    let plain = self.facts.plain(var);
                    let is_used = self.facts.relevant.contains(&plain) && !known;
                    if origin == Origin::Unknown && is_used && self.constant(plain).is_none() {
                        let kind = self.name_of(plain);
                        let told = format!("{name} sets {kind}");
                        let text = self.open(place, &kind, "1", &told);
                        self.set_text(&Expr::Var(var), &text, code);
                    }
                }
                for argument in arguments {
                    self.after(argument, place, code);
                }
            }
        }
    }

    /// Sets a variable, if it is relevant, to an expression of the model.
    pub(super) fn set_text(&mut self, to: &Expr, text: &str, code: &mut String) {
        let (Expr::Var(var) | Expr::At(var, _)) = to else {
            return;
        };
        let var = self.facts.plain(*var);
        if self.facts.relevant.contains(&var)
            && self.constant(var).is_none()
            && let Some(to) = self.shown(to)
        {
            let _ = write!(code, "{to} = {text}; ");
        }
    }

    /// Returns the loop's iterations, if its body can't change them.
    pub(super) fn affine<'s>(&self, stmt: &'s Stmt) -> Option<Iterations<'s>> {
        let What::Loop(of) = &stmt.what else {
            return None;
        };
        let found = iterations(self.facts, of)?;
        self.facts
            .can(&without_steps(&found.number))
            .then_some(found)
    }
}
