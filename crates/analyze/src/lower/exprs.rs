//! Turns expressions of clang's syntax tree into ours.

use super::Lower;
use crate::program::{Expr, Var, Variable};
use crate::tree::Node;

/// Functions that read a number from a text.
const NUMBERS: [&str; 6] = ["atoi", "atol", "atoll", "atof", "strtol", "strtod"];

impl Lower<'_> {
    pub(super) fn exprs(&mut self, nodes: &[Node]) -> Vec<Expr> {
        nodes.iter().map(|it| self.expr(it)).collect()
    }

    pub(super) fn expr(&mut self, node: &Node) -> Expr {
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
            ("ImplicitValueInitExpr" | "CXXNullPtrLiteralExpr", 0) => Expr::Int(0),
            ("CXXBoolLiteralExpr", _) => Expr::Int(i64::from(node.value == "true")),
            ("CStyleCastExpr" | "CXXStaticCastExpr" | "CXXFunctionalCastExpr", 1) => {
                cast(node, parts.swap_remove(0))
            }
            ("UnaryExprOrTypeTraitExpr", _) => size_of(node).map_or(Expr::Open(parts), Expr::Int),
            ("DeclRefExpr", _) => self.named(node),
            ("MemberExpr", 1) => self.member(node, parts.swap_remove(0)),
            ("ArraySubscriptExpr", 2) => {
                let at = parts.swap_remove(1);
                self.element(parts.swap_remove(0), at)
            }
            ("UnaryOperator", 1) => unary(node, parts.swap_remove(0)),
            ("BinaryOperator", 2) => {
                let other = parts.swap_remove(1);
                binary(node, parts.swap_remove(0), other)
            }
            ("CompoundAssignOperator", 2) => {
                let other = parts.swap_remove(1);
                let of = node.opcode.trim_end_matches('=').to_owned();
                Expr::Assign(of, boxed(parts.swap_remove(0)), boxed(other))
            }
            ("ConditionalOperator", 3) => self.choice(&parts),
            ("LambdaExpr", _) => {
                self.note(
                    node,
                    "a lambda expression is taken to run where it is written",
                );
                Expr::Open(parts)
            }
            ("CallExpr" | "CXXMemberCallExpr", 1..) => self.call(node, parts),
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

    fn element(&self, of: Expr, at: Expr) -> Expr {
        match (of, &at) {
            (Expr::Var(var), Expr::Int(at)) if self.is_words(var) => {
                Expr::Argument(usize::try_from(*at).unwrap_or(0))
            }
            (Expr::Var(var), _) => Expr::At(var, Box::new(at)),
            (of, _) => Expr::Open(vec![of, at]),
        }
    }

    fn choice(&mut self, parts: &[Expr]) -> Expr {
        let [one, then, other] = [0, 1, 2].map(|it| parts[it].clone());
        if let (Expr::Given(word), Expr::Int(_) | Expr::Real(_)) = (&then, &other) {
            self.program.defaults.insert(*word, other);
            return then;
        }
        Expr::Choose(Box::new([one, then, other]))
    }

    fn call(&mut self, node: &Node, mut parts: Vec<Expr>) -> Expr {
        let mut called = parts.remove(0);
        if let [of, ..] = &node.inner[..]
            && node.kind == "CXXMemberCallExpr"
        {
            let name = of.name.trim_start_matches(['-', '>', '.']);
            called = Expr::Named(self.named_function(name));
        }
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
}

fn cast(node: &Node, of: Expr) -> Expr {
    let is_real = matches!(node.of.as_str(), "double" | "float");
    let is_integer = crate::program::is_integer(&node.of);
    match of {
        Expr::Int(_) if is_integer => of,
        _ if is_real || is_integer => {
            let cast = if is_real { "(double)" } else { "(long)" };
            Expr::Unary(cast.to_owned(), Box::new(of))
        }
        _ => of,
    }
}

fn binary(node: &Node, one: Expr, other: Expr) -> Expr {
    match node.opcode.as_str() {
        "=" => Expr::Assign(String::new(), Box::new(one), Box::new(other)),
        "," => Expr::Comma(vec![one, other]),
        of if node.of.contains('*') => match (of, &one) {
            ("+" | "-", Expr::Var(_)) => one,
            _ => Expr::Open(vec![one, other]),
        },
        of => Expr::binary(of, one, other),
    }
}

fn unary(node: &Node, of: Expr) -> Expr {
    match (node.opcode.as_str(), of) {
        ("&", of) => Expr::Address(Box::new(of)),
        ("*", of @ Expr::Var(_)) | ("+" | "__extension__", of) => of,
        ("*", Expr::Address(of)) => *of,
        ("-", Expr::Int(2)) if node.place.is_mpi => Expr::Named("PROC_NULL".to_owned()),
        ("-", Expr::Int(1)) if node.place.is_mpi => Expr::Named("ANY".to_owned()),
        ("-", Expr::Int(value)) => Expr::Int(value.wrapping_neg()),
        ("-", Expr::Real(value)) => Expr::Real(-value),
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
