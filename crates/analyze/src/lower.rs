//! Turns clang's syntax tree into a [`Program`].
//!
//! | module | is |
//! |---|---|
//! | `exprs` | expressions |

mod exprs;

use std::collections::BTreeMap;

use crate::pragma;
use crate::program::{Expr, Function, Loop, Program, Stmt, Var, Variable, What};
use crate::tree::{Node, Place, Tree};

/// Adds the declarations of a file to a program. `sources` gets the text of a file's line.
pub(crate) fn add(program: &mut Program, tree: &Tree, line: &dyn Fn(&str, u64) -> String) {
    let first = program.files.len();
    program.files.extend(tree.files.iter().cloned());
    let mut lower = Lower {
        program,
        line,
        first,
        names: BTreeMap::new(),
        constants: BTreeMap::new(),
        members: BTreeMap::new(),
        function: String::new(),
        statics: BTreeMap::new(),
    };
    for node in &tree.declarations {
        lower.name_static(node);
    }
    for node in &tree.declarations {
        lower.declaration(node);
    }
}

/// Statements of a switch, whose cases become nested branches.
const CASES_MAX: usize = 500;

struct Lower<'p> {
    program: &'p mut Program,
    line: &'p dyn Fn(&str, u64) -> String,
    first: usize,
    names: BTreeMap<String, Var>,
    constants: BTreeMap<String, i64>,
    members: BTreeMap<(Var, String), Var>,
    function: String,
    /// Other names of static functions, whose names other files have, too.
    statics: BTreeMap<String, String>,
}

impl Lower<'_> {
    fn place(&self, node: &Node) -> Place {
        Place {
            file: node.place.file + self.first,
            ..node.place
        }
    }

    fn declaration(&mut self, node: &Node) {
        match node.kind.as_str() {
            "EnumDecl" => self.constants_of(node),
            "VarDecl" => self.global(node),
            "FunctionDecl" | "CXXMethodDecl" | "CXXConstructorDecl" => self.function(node),
            "NamespaceDecl" | "LinkageSpecDecl" | "CXXRecordDecl" => {
                let file = |it: &Node| self.program.files[self.place(it).file].clone();
                let is_own = |it: &&Node| crate::compiler::is_own(&file(it));
                let own: Vec<&Node> = node.inner.iter().filter(is_own).collect();
                for node in own {
                    self.declaration(node);
                }
            }
            // The template itself comes before what it is used for.
            "FunctionTemplateDecl" => node.inner.iter().rev().take(1).for_each(|it| {
                self.declaration(it);
            }),
            _ => {}
        }
    }

    fn note(&mut self, node: &Node, told: &str) {
        let note = format!("{}: {told}", self.program.place(self.place(node)));
        if !self.program.notes.contains(&note) {
            self.program.notes.push(note);
        }
    }

    fn constants_of(&mut self, node: &Node) {
        let mut next = 0;
        for constant in node.inner.iter().filter(|it| it.kind == "EnumConstantDecl") {
            let given = initial(constant).map(|it| self.expr(it));
            if let Some(Expr::Int(value)) = given {
                next = value;
            }
            self.constants.insert(constant.id.clone(), next);
            next += 1;
        }
    }

    fn variable(&mut self, node: &Node) -> Var {
        let variables = &mut self.program.variables;
        let is_global = self.function.is_empty();
        if is_global && node.storage != "static" {
            let same = |it: &Variable| it.name == node.name && it.function.is_empty();
            if let Some(known) = variables.iter().position(same) {
                self.names.insert(node.id.clone(), known);
                return known;
            }
        }
        let length = node
            .of
            .split_once('[')
            .and_then(|(_, it)| it.strip_suffix(']'));
        variables.push(Variable {
            name: node.name.clone(),
            of: node.of.clone(),
            function: self.function.clone(),
            length: length.and_then(|it| it.parse().ok()).unwrap_or(0),
            is_parameter: node.kind == "ParmVarDecl",
            ..Variable::default()
        });
        let var = variables.len() - 1;
        self.names.insert(node.id.clone(), var);
        var
    }

    fn global(&mut self, node: &Node) {
        let var = self.variable(node);
        let initial = initial(node);
        let initial = initial.map(|it| self.expr(it));
        if initial.is_some() {
            self.program.variables[var].initial = initial;
        }
    }

    /// Finds another name for a static function if another file has one of this name.
    fn name_static(&mut self, node: &Node) {
        let is_defined = node.inner.iter().any(|it| it.kind == "CompoundStmt");
        let place = self.place(node);
        if node.kind != "FunctionDecl" || node.storage != "static" || !is_defined {
            return;
        }
        let mut name = node.name.clone();
        let mut number = 1;
        while let Some(known) = self.program.functions.get(&name) {
            if self.program.place(known.place) == self.program.place(place) {
                break;
            }
            number += 1;
            name = format!("{}{number}", node.name);
        }
        self.statics.insert(node.name.clone(), name);
    }

    fn named_function(&self, name: &str) -> String {
        self.statics
            .get(name)
            .map_or(name, String::as_str)
            .to_owned()
    }

    fn function(&mut self, node: &Node) {
        let Some(body) = node.inner.iter().find(|it| it.kind == "CompoundStmt") else {
            return;
        };
        let place = self.place(node);
        let name = self.named_function(&node.name);
        if let Some(known) = self.program.functions.get(&name) {
            let [one, other] = [known.place, place].map(|it| self.program.place(it));
            // A function in a header is the same in all files.
            if one != other {
                let told = format!("{name} is defined in {one}, too; only that was read");
                self.note(node, &told);
            }
            return;
        }
        self.function.clone_from(&name);
        let declared = node.inner.iter().filter(|it| it.kind == "ParmVarDecl");
        let parameters: Vec<Var> = declared.map(|it| self.variable(it)).collect();
        let mut result = node.clone();
        result.inner.clear();
        result.id.clear();
        result.name = format!("{name}_result");
        let of = node.of.split('(').next().unwrap_or_default();
        of.trim().clone_into(&mut result.of);
        let result = self.variable(&result);
        let body = self.stmt(body);
        let function = Function {
            parameters,
            result,
            body,
            place,
        };
        self.program.functions.insert(name, function);
        self.function.clear();
    }

    fn stmt(&mut self, node: &Node) -> Stmt {
        let place = self.place(node);
        let made = |what| Stmt { what, place };
        made(match node.kind.as_str() {
            "CompoundStmt" => What::Block(node.inner.iter().map(|it| self.stmt(it)).collect()),
            "DeclStmt" => {
                let declared = node.inner.iter().filter(|it| it.kind == "VarDecl");
                let all = declared.flat_map(|it| self.declared(it, place)).collect();
                What::Block(all)
            }
            "IfStmt" => {
                let parts: Vec<&Node> = node.inner.iter().collect();
                let nothing = || made(What::Block(Vec::new()));
                let condition = parts.first().map_or(Expr::Int(0), |it| self.expr(it));
                let then = parts.get(1).map_or_else(nothing, |it| self.stmt(it));
                let other = parts.get(2).map_or_else(nothing, |it| self.stmt(it));
                What::If(condition, Box::new(then), Box::new(other))
            }
            "ForStmt" | "WhileStmt" | "DoStmt" => match self.repeated(node) {
                // `do … while (0)`, as in macros, isn't a loop.
                What::Loop(of) if of.is_once() => What::Block(vec![of.body]),
                other => other,
            },
            "CXXForRangeStmt" => What::Loop(Box::new(Loop {
                init: Vec::new(),
                condition: Some(Expr::Open(Vec::new())),
                step: Vec::new(),
                body: self.stmt(node.inner.last().unwrap_or(node)),
                is_tested_last: false,
            })),
            "CXXTryStmt" => {
                What::Block(node.inner.iter().take(1).map(|it| self.stmt(it)).collect())
            }
            "ReturnStmt" => What::Return(node.inner.first().map(|it| self.expr(it))),
            "BreakStmt" => What::Break,
            "ContinueStmt" => What::Continue,
            "NullStmt" | "" => What::Block(Vec::new()),
            "SwitchStmt" => self.switch(node),
            "GotoStmt" | "LabelStmt" | "IndirectGotoStmt" | "GCCAsmStmt" | "CaseStmt"
            | "DefaultStmt" => What::Open(format!("a {}", node.kind)),
            kind if kind.starts_with("OMP") => self.directive(node),
            _ => What::Do(self.expr(node)),
        })
    }

    fn declared(&mut self, node: &Node, place: Place) -> Vec<Stmt> {
        if node.storage == "static" || node.storage == "extern" {
            self.global(node);
            return Vec::new();
        }
        let var = self.variable(node);
        let initial = initial(node);
        let Some(initial) = initial.map(|it| self.expr(it)) else {
            return Vec::new();
        };
        let set = |target: Expr, value: Expr| Stmt {
            what: What::Do(Expr::Assign(
                String::new(),
                Box::new(target),
                Box::new(value),
            )),
            place,
        };
        if let Expr::List(values) = initial {
            let length = self.program.variables[var].length;
            let all = (0..length.min(64)).map(|at| {
                let value = values.get(at).cloned().unwrap_or(Expr::Int(0));
                let at = Expr::Int(i64::try_from(at).unwrap_or(0));
                set(Expr::At(var, Box::new(at)), value)
            });
            return all.collect();
        }
        vec![set(Expr::Var(var), initial)]
    }

    fn repeated(&mut self, node: &Node) -> What {
        let parts: Vec<&Node> = node.inner.iter().collect();
        let empty = Stmt {
            what: What::Block(Vec::new()),
            place: self.place(node),
        };
        let is_for = node.kind == "ForStmt";
        let is_tested_last = node.kind == "DoStmt";
        let (init, condition, step, body) = match (is_for, is_tested_last, &parts[..]) {
            (true, _, [init, _, condition, step, body]) => {
                (Some(*init), Some(*condition), Some(*step), Some(*body))
            }
            (_, true, [body, condition]) | (_, false, [.., condition, body]) => {
                (None, Some(*condition), None, Some(*body))
            }
            _ => (None, None, None, None),
        };
        let is_there = |it: &&Node| !it.kind.is_empty();
        let init: Vec<Stmt> = init
            .filter(is_there)
            .map(|it| self.stmt(it))
            .into_iter()
            .collect();
        let condition = condition.filter(is_there).map(|it| self.expr(it));
        let step: Vec<Stmt> = step
            .filter(is_there)
            .map(|it| self.stmt(it))
            .into_iter()
            .collect();
        What::Loop(Box::new(Loop {
            init,
            condition,
            step,
            body: body.map_or(empty, |it| self.stmt(it)),
            is_tested_last,
        }))
    }

    /// Turns a switch whose cases end with a break into conditions.
    fn switch(&mut self, node: &Node) -> What {
        let open = || What::Open("a switch whose cases don't end with a break".to_owned());
        let [.., on, body] = &node.inner[..] else {
            return open();
        };
        if body.inner.len() > CASES_MAX {
            return What::Open(format!("a switch with more than {CASES_MAX} statements"));
        }
        let on = self.expr(on);
        let mut cases: Vec<(Option<Expr>, Vec<Stmt>, bool)> = Vec::new();
        for part in &body.inner {
            let mut part = part;
            let mut values: Vec<Option<Expr>> = Vec::new();
            while part.kind == "CaseStmt" || part.kind == "DefaultStmt" {
                let value = (part.kind == "CaseStmt").then(|| self.expr(&part.inner[0]));
                values.push(value);
                let Some(last) = part.inner.last() else {
                    return open();
                };
                part = last;
            }
            if !values.is_empty() {
                if cases.last().is_some_and(|it| !it.2) {
                    return open();
                }
                let equal = |it: Expr| Expr::binary("==", on.clone(), it);
                let either =
                    |one: Option<Expr>, other: Option<Expr>| Some(Expr::binary("||", one?, other?));
                let conditions = values.into_iter().map(|it| it.map(equal));
                cases.push((conditions.reduce(either).flatten(), Vec::new(), false));
            }
            let Some(case) = cases.last_mut() else {
                return open();
            };
            let stmt = self.stmt(part);
            let is_return = matches!(stmt.what, What::Return(_));
            case.2 |= is_return || matches!(stmt.what, What::Break);
            if !matches!(stmt.what, What::Break) {
                case.1.push(stmt);
            }
        }
        let place = self.place(node);
        let block = |of| {
            Box::new(Stmt {
                what: What::Block(of),
                place,
            })
        };
        cases.sort_by_key(|it| it.0.is_none());
        let mut rest = What::Block(Vec::new());
        for (condition, body, _) in cases.into_iter().rev() {
            rest = match condition {
                None => What::Block(body),
                Some(it) => What::If(it, block(body), Box::new(Stmt { what: rest, place })),
            };
        }
        rest
    }

    fn directive(&mut self, node: &Node) -> What {
        let place = self.place(node);
        let file = self.program.files[place.file].clone();
        let clauses = pragma::clauses(&(self.line)(&file, place.line));
        let mut body = node.inner.iter().rev().find(|it| {
            it.kind == "CapturedStmt" || it.kind.ends_with("Stmt") || it.kind.starts_with("OMP")
        });
        while let Some(inner) = body.filter(|it| it.kind.starts_with("Captured")) {
            body = inner.inner.first();
        }
        let nothing = Stmt {
            what: What::Block(Vec::new()),
            place,
        };
        let body = body.map_or(nothing, |it| self.stmt(it));
        let kind = node
            .kind
            .trim_start_matches("OMP")
            .trim_end_matches("Directive");
        What::Parallel(kind.to_owned(), clauses, Box::new(body))
    }
}

/// Returns the expression that a variable is declared with.
fn initial(node: &Node) -> Option<&Node> {
    let is_aside = |it: &Node| it.kind.ends_with("Attr") || it.kind.ends_with("Comment");
    node.inner.iter().find(|it| !is_aside(it))
}
