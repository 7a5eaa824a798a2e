//! Statements with messages, branches and loops as elements.

use std::fmt::Write as _;

use prophet_text::Problem;
use prophet_text::markup::escaped;

use super::{Writer, always_jumps, may_jump};
use crate::facts::without_steps;
use crate::program::{Expr, Loop, Stmt, What};

/// Branches and loops are nested as deep as this, with two levels for each branch.
const LEVELS_MAX: usize = 120;

impl Writer<'_, '_> {
    /// Writes statements as the content of an arm or a block.
    pub(super) fn arm(&mut self, stmts: &[&Stmt]) -> Result<(), Problem> {
        self.list(stmts)?;
        self.flush();
        Ok(())
    }

    fn list(&mut self, stmts: &[&Stmt]) -> Result<(), Problem> {
        let mut flat: Vec<&Stmt> = Vec::new();
        let mut open: Vec<&Stmt> = stmts.iter().rev().copied().collect();
        while let Some(stmt) = open.pop() {
            match &stmt.what {
                What::Block(of) => open.extend(of.iter().rev()),
                _ => flat.push(stmt),
            }
        }
        for (at, stmt) in flat.iter().enumerate() {
            let jumps = may_jump(stmt);
            if !self.facts.acts(stmt) && !jumps && !matches!(stmt.what, What::Open(_)) {
                self.quiet(stmt);
                continue;
            }
            let rest = &flat[at + 1..];
            if let What::If(of, then, other) = &stmt.what
                && jumps
                && !rest.is_empty()
            {
                return self.parted(stmt, of, [then, other], rest);
            }
            self.stmt(stmt)?;
            if always_jumps(stmt) {
                return Ok(());
            }
            if jumps && !rest.is_empty() {
                return self.unless_left(stmt, rest);
            }
        }
        Ok(())
    }

    /// Writes a branch that may leave, and what follows it where it doesn't.
    fn parted(
        &mut self,
        stmt: &Stmt,
        of: &Expr,
        [then, other]: [&Stmt; 2],
        rest: &[&Stmt],
    ) -> Result<(), Problem> {
        let mut arms = [vec![then], vec![other]];
        if always_jumps(then) && !may_jump(other) {
            arms[1].extend(rest);
        } else if always_jumps(other) && !may_jump(then) {
            arms[0].extend(rest);
        } else {
            self.decision(stmt, of, &arms)?;
            return self.unless_left(stmt, rest);
        }
        self.decision(stmt, of, &arms)
    }

    /// Writes what follows a statement that may leave the loop or function.
    fn unless_left(&mut self, stmt: &Stmt, rest: &[&Stmt]) -> Result<(), Problem> {
        let Some(Some(flag)) = self.loops.last().cloned() else {
            self.note(stmt.place, "what follows this jump was left open");
            return Ok(());
        };
        self.flush();
        let name = self.node("Unless left");
        self.when(&name, &format!("{flag} == 0"), &[rest.to_vec(), Vec::new()])
    }

    fn decision(&mut self, stmt: &Stmt, of: &Expr, arms: &[Vec<&Stmt>; 2]) -> Result<(), Problem> {
        self.flush();
        self.at = stmt.place;
        let guard = self.condition(of, stmt.place);
        let mut after = String::new();
        self.after(of, stmt.place, &mut after);
        if !after.is_empty() {
            self.note(
                stmt.place,
                "a condition changes variables; the change comes after it here",
            );
        }
        let name = self.node("If");
        self.when(&name, &guard, arms)?;
        self.pending += &after;
        Ok(())
    }

    fn when(&mut self, name: &str, guard: &str, arms: &[Vec<&Stmt>; 2]) -> Result<(), Problem> {
        if self.depth > LEVELS_MAX {
            let told = "branches are nested too deep; what follows was left open";
            self.note(self.at, told);
            return Ok(());
        }
        let comment = self.comment();
        self.line(&format!("<decision name=\"{name}\">{comment}"));
        self.depth += 1;
        self.line(&format!("<when guard=\"{}\">", escaped(guard)));
        self.depth += 1;
        self.arm(&arms[0])?;
        self.depth -= 1;
        self.line("</when>");
        self.line("<otherwise>");
        self.depth += 1;
        self.arm(&arms[1])?;
        self.depth -= 1;
        self.line("</otherwise>");
        self.depth -= 1;
        self.line("</decision>");
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Problem> {
        match &stmt.what {
            What::Block(_) => self.list(&[stmt]),
            What::If(of, then, other) => self.decision(stmt, of, &[vec![&**then], vec![&**other]]),
            What::Loop(_) => self.repeated(stmt),
            What::Do(of) => self.acted(of, stmt),
            What::Return(of) => {
                if let Some(of) = of {
                    let result = self.facts.program.functions[&self.function].result;
                    let set = Expr::Assign(
                        String::new(),
                        Box::new(Expr::Var(result)),
                        Box::new(of.clone()),
                    );
                    self.acted(&set, stmt)?;
                }
                for flag in self.loops.clone().into_iter().flatten() {
                    let _ = write!(self.pending, "{flag} = 3; ");
                }
                Ok(())
            }
            What::Break | What::Continue => {
                let value = if matches!(stmt.what, What::Break) {
                    2
                } else {
                    1
                };
                if let Some(Some(flag)) = self.loops.last() {
                    let _ = write!(self.pending, "{flag} = {value}; ");
                }
                Ok(())
            }
            What::Open(told) => {
                self.note(stmt.place, &format!("{told} was left open"));
                Ok(())
            }
            What::Parallel(kind, clauses, body) => self.region(kind, clauses, body, stmt),
        }
    }

    /// Opens a loop or function, with a flag if something inside leaves it from further in.
    pub(super) fn open_loop(&mut self, body: &Stmt, is_loop: bool) -> Option<String> {
        let leaves = body.all().into_iter().any(|it| match &it.what {
            What::Break | What::Return(_) => is_loop,
            What::If(_, then, other) => {
                let [one, two] = [&**then, &**other];
                let is_clean = |one: &Stmt, two: &Stmt| always_jumps(one) && !may_jump(two);
                let jumps = may_jump(one) || may_jump(two);
                jumps && !is_clean(one, two) && !is_clean(two, one)
            }
            What::Loop(of) => of
                .body
                .all()
                .iter()
                .any(|it| matches!(it.what, What::Return(_))),
            _ => false,
        });
        let nested = body.parts().into_iter().any(|it| {
            matches!(&it.what, What::If(_, then, other)
                if [then, other].into_iter().any(|it| it.all().iter().skip(1)
                    .any(|it| matches!(it.what, What::If(..)) && may_jump(it))))
        });
        let flag = (leaves || nested).then(|| {
            self.jumps += 1;
            let name = self.unused(&format!("left{}", self.jumps));
            self.globals.insert(name.clone(), ("long", 0));
            name
        });
        if let Some(flag) = &flag {
            let _ = write!(self.pending, "{flag} = 0; ");
        }
        self.loops.push(flag.clone());
        flag
    }

    fn repeated(&mut self, stmt: &Stmt) -> Result<(), Problem> {
        let What::Loop(of) = &stmt.what else {
            return Ok(());
        };
        of.init.iter().for_each(|it| self.quiet(it));
        let affine = self.affine(stmt);
        let condition = of
            .condition
            .clone()
            .unwrap_or(Expr::Named("true".to_owned()));
        let condition = if of.condition.is_none() {
            Some("true".to_owned())
        } else {
            self.shown(&condition)
                .filter(|_| without_steps(&condition) == condition)
        };
        let number = affine.as_ref().and_then(|it| self.shown(&it.number));
        // Set before the loop, whose condition names it.
        let flag = self.open_loop(&of.body, true);
        self.flush();
        self.at = stmt.place;
        let (begin, end) = self.heading(stmt, of, (&flag, number, condition));
        self.line(&begin);
        self.depth += 1;
        if let Some(flag) = &flag {
            let _ = write!(self.pending, "{flag} = 0; ");
        }
        let before = self.text.len();
        self.list(&[&of.body])?;
        of.step.iter().for_each(|it| self.quiet(it));
        self.end_body(before);
        self.depth -= 1;
        self.line(end);
        self.loops.pop();
        Ok(())
    }

    /// Ends the flow in a block whose text begins at `before`. A block can't be empty.
    fn end_body(&mut self, before: usize) {
        self.flush();
        if self.text[before..].trim().is_empty() {
            let name = self.node("Nothing");
            self.line(&format!("<action name=\"{name}\"/>"));
        } else {
            self.line("<flow-final/>");
        }
    }

    /// Returns the begin and the end of a loop: with its number of iterations, or its condition.
    fn heading(
        &mut self,
        stmt: &Stmt,
        of: &Loop,
        (flag, number, condition): (&Option<String>, Option<String>, Option<String>),
    ) -> (String, &'static str) {
        let comment = self.comment();
        let name = self.node("Loop");
        match (flag, number, condition) {
            (None, Some(number), _) => {
                let number = escaped(&number);
                let begin = format!(
                    "<block name=\"{name}\" stereotype=\"loop+\" iterations=\"{number}\">{comment}"
                );
                (begin, "</block>")
            }
            (_, _, Some(condition)) => {
                let condition = match &flag {
                    Some(flag) => format!("({condition}) && {flag} < 2"),
                    None => condition,
                };
                let tested = if of.is_tested_last { "last" } else { "first" };
                let begin = format!(
                    "<loop name=\"{name}\" condition=\"{}\" tested=\"{tested}\">{comment}<body>",
                    escaped(&condition)
                );
                (begin, "</body></loop>")
            }
            (flag, _, None) => {
                if flag.is_some() {
                    self.note(stmt.place, "the loop may be left earlier than modeled");
                }
                let turns = self.turns(stmt, None);
                let begin = format!(
                    "<block name=\"{name}\" stereotype=\"loop+\" iterations=\"{turns}\">{comment}"
                );
                (begin, "</block>")
            }
        }
    }

    /// Writes an expression with calls that become elements.
    fn acted(&mut self, of: &Expr, stmt: &Stmt) -> Result<(), Problem> {
        let mut calls: Vec<&Expr> = of
            .all()
            .into_iter()
            .filter(|it| self.facts.is_acting(it))
            .collect();
        calls.reverse();
        if !calls.is_empty() {
            self.flush();
        }
        for call in calls {
            let Expr::Call(name, arguments) = call else {
                continue;
            };
            self.at = stmt.place;
            if !self.facts.program.functions.contains_key(name) {
                self.mpi(name, arguments, stmt.place);
            } else if self.facts.recursive.contains(name) {
                self.note(
                    stmt.place,
                    &format!("{name} calls itself; the call was left open"),
                );
            } else {
                self.arguments(name, arguments, stmt.place);
                self.flush();
                self.activity(name)?;
                self.at = stmt.place;
                let (node, comment) = (self.node(name), self.comment());
                self.line(&format!(
                    "<call name=\"{node}\" activity=\"{name}\" stereotype=\"activity+\">\
                     {comment}</call>"
                ));
            }
        }
        let rest = self.without_calls(of);
        let quiet = Stmt {
            what: What::Do(rest),
            place: stmt.place,
        };
        self.quiet(&quiet);
        Ok(())
    }

    /// Returns an expression with results in place of calls that became elements.
    fn without_calls(&self, of: &Expr) -> Expr {
        let inner = |it: &Expr| Box::new(self.without_calls(it));
        match of {
            Expr::Call(name, _) if self.facts.is_acting(of) => {
                match self.facts.program.functions.get(name) {
                    Some(function) => Expr::Var(function.result),
                    None => Expr::Int(0),
                }
            }
            Expr::Assign(operator, to, value) => {
                Expr::Assign(operator.clone(), to.clone(), inner(value))
            }
            Expr::Binary(operator, one, other) => {
                Expr::Binary(operator.clone(), inner(one), inner(other))
            }
            Expr::Unary(operator, of) => Expr::Unary(operator.clone(), inner(of)),
            Expr::Comma(of) => Expr::Comma(of.iter().map(|it| self.without_calls(it)).collect()),
            _ => of.clone(),
        }
    }

    /// Returns the tags of a loop that threads share.
    fn shared(&mut self, body: &Stmt, schedule: &str) -> Vec<(&'static str, String)> {
        let turns = self.affine(body).map(|it| it.number);
        let mut tags = vec![("iterations", self.turns(body, turns.as_ref()))];
        let mut words = schedule.split(',').map(str::trim);
        let name = words.next().unwrap_or_default();
        if ["static", "dynamic", "guided"].contains(&name) {
            tags.push(("schedule", name.to_owned()));
        }
        tags.extend(words.next().and_then(number).map(|it| ("chunk", it)));
        tags
    }

    /// Writes a directive of OpenMP.
    fn region(
        &mut self,
        kind: &str,
        clauses: &[(String, String)],
        body: &Stmt,
        stmt: &Stmt,
    ) -> Result<(), Problem> {
        self.flush();
        self.at = stmt.place;
        let clause = |name: &str| {
            let found = clauses.iter().find(|it| it.0 == name);
            found.map(|it| it.1.clone())
        };
        let threads = clause("num_threads").and_then(|it| number(&it));
        let mut tags: Vec<(&str, String)> = threads.map(|it| ("threads", it)).into_iter().collect();
        let mut inner = body;
        let stereotype = match kind {
            "ParallelFor" | "ParallelForSimd" if !self.facts.acts(body) => "parallel",
            "ParallelFor" | "ParallelForSimd" => {
                tags.extend(self.shared(body, &clause("schedule").unwrap_or_default()));
                if let What::Loop(of) = &body.what {
                    inner = &of.body;
                }
                "paralleldo"
            }
            "Parallel" => "parallel",
            "Critical" => "critical",
            "Single" => "single",
            "Master" => "master",
            "Barrier" => {
                let name = self.node("Barrier");
                self.action(&name, "ompbarrier", &[]);
                return Ok(());
            }
            "Simd" => return self.list(&[body]),
            other => {
                self.note(
                    stmt.place,
                    &format!("`omp {other}` was left open; its code runs once"),
                );
                return self.list(&[body]);
            }
        };
        let (name, comment) = (self.node(kind), self.comment());
        let tags: Vec<String> = tags
            .iter()
            .map(|(tag, value)| format!(" {tag}=\"{}\"", escaped(value)))
            .collect();
        self.line(&format!(
            "<block name=\"{name}\" stereotype=\"{stereotype}\"{}>{comment}",
            tags.concat()
        ));
        self.depth += 1;
        let before = self.text.len();
        if kind.starts_with("ParallelFor") && !self.facts.acts(body) {
            self.shared_work(inner);
        } else {
            self.list(&[inner])?;
        }
        self.end_body(before);
        self.depth -= 1;
        self.line("</block>");
        Ok(())
    }
}

fn number(of: &str) -> Option<String> {
    of.parse::<u32>().is_ok().then(|| of.to_owned())
}
