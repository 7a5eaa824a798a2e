//! Counts the operations of code without messages.

use std::collections::BTreeMap;

use crate::facts::loops::iterations;
use crate::facts::{Facts, without_steps};
use crate::program::{Expr, Loop, Stmt, Var, What};

/// Numbers of operations by kind, as expressions.
pub(crate) type Counts = BTreeMap<&'static str, Expr>;

/// Values that are known in place of variables.
pub(crate) type Values = BTreeMap<Var, Expr>;

/// Calls deeper than this are not counted.
const DEPTH_MAX: usize = 24;

pub(crate) struct Counter<'c, 'p> {
    pub(crate) facts: &'c Facts<'p>,
    /// Returns a parameter for iterations that the source doesn't tell.
    pub(crate) open: &'c mut dyn FnMut(&Stmt) -> Expr,
    depth: usize,
}

/// Numbers with more parts than this are left open, because they could be as deep.
const PARTS_MAX: usize = 1000;

pub(crate) fn add(counts: &mut Counts, kind: &'static str, number: Expr) {
    let before = counts.remove(kind).unwrap_or(Expr::Int(0));
    let is_long = before.all().len() + number.all().len() > PARTS_MAX;
    let sum = if is_long {
        Expr::Open(Vec::new())
    } else {
        Expr::binary("+", before, number)
    };
    counts.insert(kind, sum);
}

fn add_all(counts: &mut Counts, others: Counts, times: &Expr) {
    for (kind, number) in others {
        add(counts, kind, Expr::binary("*", times.clone(), number));
    }
}

impl<'c, 'p> Counter<'c, 'p> {
    pub(crate) fn new(facts: &'c Facts<'p>, open: &'c mut dyn FnMut(&Stmt) -> Expr) -> Self {
        Self {
            facts,
            open,
            depth: 0,
        }
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt, values: &Values) -> Counts {
        let mut counts = Counts::new();
        match &stmt.what {
            What::Block(of) => {
                let mut values = values.clone();
                for stmt in of {
                    add_all(&mut counts, self.stmt(stmt, &values), &Expr::Int(1));
                    self.learn(stmt, &mut values);
                }
            }
            What::If(of, then, other) => {
                self.expr(of, values, &mut counts);
                let [then, other] = [then, other].map(|it| self.stmt(it, values));
                let condition = self.known(of, values);
                for (counted, is_then) in [(then, true), (other, false)] {
                    for (kind, number) in counted {
                        let share = match &condition {
                            Some(of) if is_then => {
                                Expr::Choose(Box::new([of.clone(), number, Expr::Int(0)]))
                            }
                            Some(of) => Expr::Choose(Box::new([of.clone(), Expr::Int(0), number])),
                            None => Expr::binary("*", Expr::Real(0.5), number),
                        };
                        add(&mut counts, kind, share);
                    }
                }
            }
            What::Loop(of) => self.repeated(stmt, of, values, &mut counts),
            What::Do(of) | What::Return(Some(of)) => self.expr(of, values, &mut counts),
            What::Parallel(_, _, of) => counts = self.stmt(of, values),
            _ => {}
        }
        counts
    }

    /// Learns what a statement assigns to a variable that isn't part of the model.
    fn learn(&self, stmt: &Stmt, values: &mut Values) {
        let block = [stmt];
        let stmts: Vec<&Stmt> = match &stmt.what {
            What::Block(of) => of.iter().collect(),
            _ => block.to_vec(),
        };
        for stmt in stmts {
            if let What::Do(Expr::Assign(operator, to, of)) = &stmt.what
                && let (Expr::Var(var), true) = (&**to, operator.is_empty())
                && let Some(of) = self.known(of, values)
                && self.facts.origins.get(var).is_some_and(|it| it.len() == 1)
            {
                values.insert(*var, of);
            }
        }
    }

    fn repeated(&mut self, stmt: &Stmt, of: &Loop, values: &Values, counts: &mut Counts) {
        let mut values = values.clone();
        for stmt in &of.init {
            self.learn(stmt, &mut values);
        }
        let found = iterations(self.facts, of);
        let turns = found
            .as_ref()
            .and_then(|it| self.known(&it.number, &values));
        let turns = turns.unwrap_or_else(|| (self.open)(stmt));
        if let Some(found) = &found
            && let Some(begin) = self.known(&found.begin, &values)
        {
            // The mean: exact for what depends on the variable linearly.
            let last = Expr::binary("-", turns.clone(), Expr::Int(1));
            let way = Expr::binary("*", last, Expr::Int(found.by));
            let way = Expr::binary("/", way, Expr::Real(2.0));
            values.insert(found.var, Expr::binary("+", begin, way));
        }
        let mut each = self.stmt(&of.body, &values);
        if let Some(condition) = &of.condition {
            self.expr(condition, &values, &mut each);
        }
        for step in &of.step {
            add_all(&mut each, self.stmt(step, &values), &Expr::Int(1));
        }
        add(&mut each, "LFOR", Expr::Int(1));
        add_all(counts, each, &turns);
    }

    fn expr(&mut self, of: &Expr, values: &Values, counts: &mut Counts) {
        for part in of.all() {
            let is_real = |it: &Expr| self.is_real(it);
            match part {
                Expr::Binary(operator, one, other) => {
                    let is_real = is_real(one) || is_real(other);
                    let kind = match (operator.as_str(), is_real) {
                        ("*", true) => "MFDL",
                        ("/", true) => "DFDL",
                        ("*", false) => "MILL",
                        ("/" | "%", false) => "DILL",
                        (_, true) => "AFDL",
                        (_, false) => "AILL",
                    };
                    add(counts, kind, Expr::Int(1));
                }
                Expr::Assign(operator, to, _) if !operator.is_empty() => {
                    add(
                        counts,
                        if is_real(to) { "AFDL" } else { "AILL" },
                        Expr::Int(1),
                    );
                }
                Expr::Step(..) => add(counts, "AILL", Expr::Int(1)),
                Expr::At(var, _) => {
                    let of = &self.facts.program.variables[*var];
                    add(
                        counts,
                        if of.is_integer() { "ARL1" } else { "ARD1" },
                        Expr::Int(1),
                    );
                }
                Expr::Call(name, arguments) => self.called(name, arguments, values, counts),
                _ => {}
            }
        }
    }

    fn is_real(&self, of: &Expr) -> bool {
        of.all().into_iter().any(|it| match it {
            Expr::Real(_) => true,
            Expr::Var(var) | Expr::At(var, _) => {
                let of = &self.facts.program.variables[*var];
                of.is_number() && !of.is_integer()
            }
            _ => false,
        })
    }

    fn called(&mut self, name: &str, arguments: &[Expr], values: &Values, counts: &mut Counts) {
        let Some(function) = self.facts.program.functions.get(name) else {
            return;
        };
        if self.facts.recursive.contains(name) || self.depth > DEPTH_MAX {
            return;
        }
        let mut inner = Values::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if let Some(value) = self.known(argument, values) {
                inner.insert(*parameter, value);
            }
        }
        self.depth += 1;
        let body = self.stmt(&function.body, &inner);
        self.depth -= 1;
        add_all(counts, body, &Expr::Int(1));
    }

    /// Returns an expression with the known values, if the model can express it.
    pub(crate) fn known(&self, of: &Expr, values: &Values) -> Option<Expr> {
        let of = replaced(&without_steps(of), values);
        let parts = of.all();
        // The mean of a loop's variable isn't an integer.
        let is_real = |it: &Expr| it.all().iter().any(|it| matches!(it, Expr::Real(_)));
        let needs_integer = |it: &&Expr| match it {
            Expr::Binary(by, one, other) => {
                matches!(by.as_str(), "%" | "<<" | ">>" | "&" | "|" | "^")
                    && (is_real(one) || is_real(other))
            }
            Expr::At(_, at) => is_real(at),
            _ => false,
        };
        let is_long = parts.len() > 48;
        if is_long || parts.iter().any(needs_integer) || !self.facts.is_known(&of) {
            return None;
        }
        let is_there = parts.iter().all(|it| match it {
            Expr::Var(var) | Expr::At(var, _) => {
                self.facts.relevant.contains(&self.facts.plain(*var))
            }
            Expr::Call(..) => false,
            _ => true,
        });
        is_there.then_some(of)
    }
}

pub(crate) fn replaced(of: &Expr, values: &Values) -> Expr {
    match of {
        Expr::Var(var) => values.get(var).unwrap_or(of).clone(),
        Expr::At(var, at) => Expr::At(*var, Box::new(replaced(at, values))),
        Expr::Unary(operator, of) => Expr::Unary(operator.clone(), Box::new(replaced(of, values))),
        Expr::Binary(operator, one, other) => {
            Expr::binary(operator, replaced(one, values), replaced(other, values))
        }
        Expr::Choose(of) => Expr::Choose(Box::new([0, 1, 2].map(|it| replaced(&of[it], values)))),
        _ => of.clone(),
    }
}
