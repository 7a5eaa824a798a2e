//! Turns clang's syntax tree into a [`Program`].

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
                own.into_iter().for_each(|it| self.declaration(it));
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
        result.of = node
            .of
            .split('(')
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned();
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
            (_, true, [body, condition]) => (None, Some(*condition), None, Some(*body)),
            (_, false, [.., condition, body]) => (None, Some(*condition), None, Some(*body)),
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

    fn exprs(&mut self, nodes: &[Node]) -> Vec<Expr> {
        nodes.iter().map(|it| self.expr(it)).collect()
    }

    fn expr(&mut self, node: &Node) -> Expr {
        let mut parts = self.exprs(&node.inner);
        let boxed = |it: Expr| Box::new(it);
        match (node.kind.as_str(), parts.len()) {
            ("IntegerLiteral" | "CharacterLiteral", _) => {
                node.value.parse().map_or(Expr::Open(parts), Expr::Int)
            }
            ("FloatingLiteral", _) => node.value.parse().map_or(Expr::Open(parts), Expr::Real),
            ("StringLiteral", _) => Expr::Text(node.value.trim_matches('"').to_owned()),
            (
                "ConstantExpr"
                | "ParenExpr"
                | "ImplicitCastExpr"
                | "ImplicitValueInitExpr"
                | "ExprWithCleanups"
                | "MaterializeTemporaryExpr"
                | "CXXReinterpretCastExpr"
                | "CXXConstCastExpr"
                | "CXXDefaultArgExpr"
                | "SubstNonTypeTemplateParmExpr",
                1,
            ) => parts.swap_remove(0),
            ("ImplicitValueInitExpr", 0) => Expr::Int(0),
            ("CXXBoolLiteralExpr", _) => Expr::Int(i64::from(node.value == "true")),
            ("CXXNullPtrLiteralExpr", _) => Expr::Int(0),
            ("CStyleCastExpr" | "CXXStaticCastExpr" | "CXXFunctionalCastExpr", 1) => {
                let of = parts.swap_remove(0);
                let is_real = matches!(node.of.as_str(), "double" | "float");
                let is_integer = crate::program::is_integer(&node.of);
                match of {
                    Expr::Int(_) if is_integer => of,
                    _ if is_real || is_integer => {
                        let cast = if is_real { "(double)" } else { "(long)" };
                        Expr::Unary(cast.to_owned(), boxed(of))
                    }
                    _ => of,
                }
            }
            ("UnaryExprOrTypeTraitExpr", _) => size_of(node).map_or(Expr::Open(parts), Expr::Int),
            ("DeclRefExpr", _) => self.named(node),
            ("MemberExpr", 1) => self.member(node, parts.swap_remove(0)),
            ("ArraySubscriptExpr", 2) => {
                let at = parts.swap_remove(1);
                match (&parts[0], &at) {
                    (Expr::Var(var), Expr::Int(at)) if self.is_words(*var) => {
                        Expr::Argument(usize::try_from(*at).unwrap_or(0))
                    }
                    (Expr::Var(var), _) => Expr::At(*var, boxed(at)),
                    _ => Expr::Open(vec![parts.swap_remove(0), at]),
                }
            }
            ("UnaryOperator", 1) => unary(node, parts.swap_remove(0)),
            ("BinaryOperator", 2) => {
                let other = parts.swap_remove(1);
                let one = parts.swap_remove(0);
                match node.opcode.as_str() {
                    "=" => Expr::Assign(String::new(), boxed(one), boxed(other)),
                    "," => Expr::Comma(vec![one, other]),
                    of if node.of.contains('*') => match (of, &one) {
                        ("+" | "-", Expr::Var(_)) => one,
                        _ => Expr::Open(vec![one, other]),
                    },
                    of => Expr::binary(of, one, other),
                }
            }
            ("CompoundAssignOperator", 2) => {
                let other = parts.swap_remove(1);
                let of = node.opcode.trim_end_matches('=').to_owned();
                Expr::Assign(of, boxed(parts.swap_remove(0)), boxed(other))
            }
            ("ConditionalOperator", 3) => {
                let [one, then, other] = [0, 1, 2].map(|it| parts[it].clone());
                if let (Expr::Given(word), Expr::Int(_) | Expr::Real(_)) = (&then, &other) {
                    self.program.defaults.insert(*word, other);
                    return then;
                }
                Expr::Choose(Box::new([one, then, other]))
            }
            ("LambdaExpr", _) => {
                self.note(
                    node,
                    "a lambda expression is taken to run where it is written",
                );
                Expr::Open(parts)
            }
            ("CallExpr" | "CXXMemberCallExpr", 1..) => {
                let mut called = parts.remove(0);
                if let [of, ..] = &node.inner[..]
                    && node.kind == "CXXMemberCallExpr"
                {
                    let name = of.name.trim_start_matches(['-', '>', '.']);
                    called = Expr::Named(self.named_function(name));
                }
                const NUMBERS: [&str; 6] = ["atoi", "atol", "atoll", "atof", "strtol", "strtod"];
                match called {
                    Expr::Named(name) if NUMBERS.contains(&&*name) => match parts.first() {
                        Some(Expr::Argument(word)) => Expr::Given(*word),
                        _ => Expr::Open(parts),
                    },
                    Expr::Named(name) => {
                        if name.ends_with("longjmp") {
                            self.note(node, "longjmp was left open");
                        }
                        Expr::Call(name, parts)
                    }
                    other => {
                        self.note(node, "a call through a pointer was left open");
                        parts.push(other);
                        Expr::Open(parts)
                    }
                }
            }
            ("InitListExpr", _) => {
                parts.retain(|it| !matches!(it, Expr::Open(of) if of.is_empty()));
                Expr::List(parts)
            }
            _ => Expr::Open(parts),
        }
    }

    /// Returns whether a variable is the list of words that `main` gets.
    fn is_words(&self, var: Var) -> bool {
        let var = &self.program.variables[var];
        var.is_parameter && var.function == "main" && var.of.starts_with("char")
    }

    fn named(&mut self, node: &Node) -> Expr {
        let Some(of) = &node.referenced else {
            return Expr::Open(Vec::new());
        };
        if let Some(value) = self.constants.get(&of.id) {
            return Expr::Int(*value);
        }
        let var = self.names.get(&of.id).copied();
        var.map_or_else(|| Expr::Named(self.named_function(&of.name)), Expr::Var)
    }

    fn member(&mut self, node: &Node, of: Expr) -> Expr {
        let Expr::Var(var) = of else {
            return Expr::Open(vec![of]);
        };
        let name = node.name.trim_start_matches(['-', '>', '.']).to_owned();
        let key = (var, name.clone());
        if let Some(known) = self.members.get(&key) {
            return Expr::Var(*known);
        }
        let owner = &self.program.variables[var];
        let length = node
            .of
            .split_once('[')
            .and_then(|(_, it)| it.strip_suffix(']'));
        let member = Variable {
            name: format!("{}_{name}", owner.name),
            of: node.of.clone(),
            function: owner.function.clone(),
            length: length.and_then(|it| it.parse().ok()).unwrap_or(0),
            member: Some(key.clone()),
            ..Variable::default()
        };
        self.program.variables.push(member);
        let made = self.program.variables.len() - 1;
        self.members.insert(key, made);
        Expr::Var(made)
    }
}

/// Returns the expression that a variable is declared with.
fn initial(node: &Node) -> Option<&Node> {
    let is_aside = |it: &Node| it.kind.ends_with("Attr") || it.kind.ends_with("Comment");
    node.inner.iter().find(|it| !is_aside(it))
}

fn unary(node: &Node, of: Expr) -> Expr {
    match (node.opcode.as_str(), of) {
        ("&", of) => Expr::Address(Box::new(of)),
        ("*", of @ Expr::Var(_)) => of,
        ("*", Expr::Address(of)) => *of,
        ("-", Expr::Int(2)) if node.place.is_mpi => Expr::Named("PROC_NULL".to_owned()),
        ("-", Expr::Int(1)) if node.place.is_mpi => Expr::Named("ANY".to_owned()),
        ("-", Expr::Int(value)) => Expr::Int(value.wrapping_neg()),
        ("-", Expr::Real(value)) => Expr::Real(-value),
        ("+" | "__extension__", of) => of,
        ("++", of) => Expr::Step(node.is_postfix, 1, Box::new(of)),
        ("--", of) => Expr::Step(node.is_postfix, -1, Box::new(of)),
        (operator @ ("-" | "!" | "~"), of) => Expr::Unary(operator.to_owned(), Box::new(of)),
        (_, of) => Expr::Open(vec![of]),
    }
}

fn size_of(node: &Node) -> Option<i64> {
    let of = if node.argument.is_empty() {
        node.inner.first()?.of.as_str()
    } else {
        node.argument.as_str()
    };
    let (of, count) = match of.split_once('[') {
        Some((of, rest)) => (of.trim(), rest.strip_suffix(']')?.parse().ok()?),
        None => (of, 1),
    };
    let size = match of {
        _ if of.ends_with('*') => 8,
        "char" | "signed char" | "unsigned char" | "_Bool" => 1,
        "short" | "unsigned short" => 2,
        "int" | "unsigned int" | "unsigned" | "float" => 4,
        "long" | "unsigned long" | "long long" | "unsigned long long" | "double" => 8,
        "long double" => 16,
        _ => return None,
    };
    Some(size * count)
}
