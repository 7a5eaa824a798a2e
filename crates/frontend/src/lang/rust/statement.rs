//! Translates Rust's statements.

use syn::{Expr, ExprForLoop, ExprIf, Pat, RangeLimits, Stmt};

use super::RustFront;
use super::expression::assigned_operator;
use crate::lang::check::{At, TypedExpression, int, typed};
use crate::lang::constant::constant;
use crate::lang::ir::{BinaryOp, Expression, ExpressionKind, Statement, Type, Variable};
use crate::lang::{needs, reach};
use prophet_model::diagnostic::catalogue::lang as rules;

impl RustFront<'_, '_> {
    /// Translates statements in order. Skips statements with problems. With `tail`, the value at
    /// the end is the function's result.
    pub(super) fn statements(&mut self, nodes: &[Stmt], tail: bool) -> Vec<Statement> {
        let mut statements = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let last = index + 1 == nodes.len();
            match node {
                Stmt::Local(local) => {
                    self.local(local, &mut statements);
                }
                Stmt::Expr(expression, semicolon) => {
                    let tail = tail && last && semicolon.is_none();
                    self.statement(expression, tail, &mut statements);
                }
                Stmt::Item(item) => {
                    let at = self.at(item);
                    let help = "add cost functions to the model";
                    self.checker.not_allowed::<()>(at, "items", help);
                }
                Stmt::Macro(statement) => {
                    let at = self.at(statement);
                    self.checker.not_allowed::<()>(at, "macros", "");
                }
            }
        }
        reach::prune(&mut statements);
        statements
    }

    fn block(&mut self, block: &syn::Block, tail: bool) -> Vec<Statement> {
        self.checker.enter();
        let statements = self.statements(&block.stmts, tail);
        self.checker.leave();
        statements
    }

    fn loop_body(&mut self, block: &syn::Block) -> Vec<Statement> {
        self.checker.loops += 1;
        let body = self.block(block, false);
        self.checker.loops -= 1;
        body
    }

    fn statement(&mut self, node: &Expr, tail: bool, out: &mut Vec<Statement>) -> Option<()> {
        let at = self.at(node);
        let statement = match node {
            Expr::Assign(assign) => {
                let value = self.value(&assign.right);
                self.assignment(&assign.left, None, value)?
            }
            Expr::Binary(binary) if let Some(op) = assigned_operator(binary.op) => {
                let value = self.value(&binary.right);
                self.assignment(&binary.left, Some(op), value)?
            }
            Expr::If(node) => self.if_statement(node, tail)?,
            Expr::While(node) => {
                let condition = self.condition(&node.cond);
                let body = self.loop_body(&node.body);
                repeat(folded(condition?), body)
            }
            Expr::Loop(node) => repeat(always(), self.loop_body(&node.body)),
            Expr::ForLoop(node) => self.for_loop(node)?,
            Expr::Block(node) => {
                let block = self.block(&node.block, tail);
                if block.is_empty() {
                    return Some(());
                }
                Statement::Block(block)
            }
            Expr::Break(jump) => {
                if let Some(value) = &jump.expr {
                    let at = self.at(value);
                    let help = "assign the value to a variable before the `break`";
                    return self.checker.not_allowed(at, "`break` with a value", help);
                }
                self.jump("break", Statement::Break, at)?
            }
            Expr::Continue(_) => self.jump("continue", Statement::Continue, at)?,
            Expr::Return(node) => self.return_statement(node.expr.as_deref(), at)?,
            other => {
                let value = self.value(other)?;
                match (tail, self.checker.result.clone()) {
                    (true, Some(result)) => Statement::Return(self.checker.coerce(value, &result)?),
                    _ => self.checker.evaluate(value)?,
                }
            }
        };
        out.push(statement);
        Some(())
    }

    fn jump(&mut self, word: &str, jump: Statement, at: At) -> Option<Statement> {
        if self.checker.loops > 0 {
            return Some(jump);
        }
        let message = format!("`{word}` is outside a loop");
        self.checker.error(&rules::MISPLACED_JUMP, at, message, "")
    }

    fn return_statement(&mut self, value: Option<&Expr>, at: At) -> Option<Statement> {
        let value = match value {
            Some(value) => Some(self.value(value)?),
            None => None,
        };
        self.checker.give(value, at)
    }

    fn if_statement(&mut self, node: &ExprIf, tail: bool) -> Option<Statement> {
        let condition = self.condition(&node.cond);
        let then = self.block(&node.then_branch, tail);
        let otherwise = match &node.else_branch {
            None => Vec::new(),
            Some((_, otherwise)) => match &**otherwise {
                Expr::Block(block) => self.block(&block.block, tail),
                Expr::If(node) => self.if_statement(node, tail).into_iter().collect(),
                other => {
                    let at = self.at(other);
                    return self.checker.not_allowed(at, "expressions of this kind", "");
                }
            },
        };
        Some(Statement::If {
            condition: condition?,
            then,
            otherwise,
        })
    }

    /// Translates `for name in from..to` to a `while` with a counter. If the end could change
    /// during the loop, the loop uses a copy of it.
    fn for_loop(&mut self, node: &ExprForLoop) -> Option<Statement> {
        let range_at = self.at(&*node.expr);
        let (from, to, inclusive) = match unwrapped(&node.expr) {
            Expr::Range(range) => match (&range.start, &range.end) {
                (Some(from), Some(to)) => {
                    (from, to, matches!(range.limits, RangeLimits::Closed(_)))
                }
                _ => return self.no_range(range_at),
            },
            _ => return self.no_range(range_at),
        };
        let (from, to) = (self.value(from), self.value(to));
        let (from, to) = (from?, to?);
        let from = self.checker.coerce(from, &Type::Int)?;
        let mut to = self.checker.coerce(to, &Type::Int)?;
        let name_at = self.at(&*node.pat);
        let name = match &*node.pat {
            Pat::Wild(_) => self.checker.fresh("turn"),
            pattern => {
                let (name, mutable) = self.plain_name(pattern)?;
                if mutable {
                    let what = "`mut` on a loop variable";
                    return self.checker.not_allowed(name_at, what, "");
                }
                name
            }
        };
        self.checker.enter();
        let mut statements = Vec::new();
        if !is_fixed(&to) {
            let end = self.checker.fresh(&format!("{name}_end"));
            self.checker.declare(&end, range_at, Type::Int, false)?;
            let value = std::mem::replace(&mut to, own(&end));
            statements.push(declare(end, value));
        }
        self.checker.declare(&name, name_at, Type::Int, false)?;
        statements.push(declare(name.clone(), from));
        let body = self.loop_body(&node.body);
        self.checker.leave();
        let counter = own(&name);
        let op = if inclusive {
            BinaryOp::LessEqual
        } else {
            BinaryOp::Less
        };
        let condition = binary(op, counter.clone(), to, Type::Bool);
        let step = vec![Statement::Assign {
            target: Variable::Own(name.clone()),
            index: None,
            value: binary(BinaryOp::Add, counter, int(1), Type::Int),
        }];
        let hides = |statement: &Statement| match statement {
            Statement::Declare { name: declared, .. } => *declared == name,
            _ => false,
        };
        let body = if body.iter().any(hides) {
            vec![Statement::Block(body)]
        } else {
            body
        };
        statements.push(Statement::While {
            condition,
            body_first: false,
            body,
            step,
        });
        Some(Statement::Block(statements))
    }

    fn no_range<T>(&mut self, at: At) -> Option<T> {
        let help = "write `for i in 0..n`";
        self.checker
            .not_allowed(at, "loops over anything but ranges", help)
    }

    fn assignment(
        &mut self,
        place: &Expr,
        op: Option<BinaryOp>,
        value: Option<TypedExpression>,
    ) -> Option<Statement> {
        let at = self.at(place);
        let target = match place {
            Expr::Path(_) => {
                let (name, at) = self.name(place)?;
                self.checker.target(&name, at, None)
            }
            Expr::Index(index) => {
                let (name, name_at) = self.name(&index.expr)?;
                let position = self.index(&index.index)?;
                self.checker.target(&name, name_at, Some(position))
            }
            _ => {
                let message = "this cannot be assigned to";
                let help = "assign to a variable, or to a value of an array";
                self.checker.error(&rules::READ_ONLY, at, message, help)
            }
        };
        let (target, mut value) = (target?, value?);
        if let Some(op) = op {
            if let Some(index) = &target.index
                && needs::has_draw_or_call(index)
            {
                let message = "this index would be evaluated twice";
                let help = "store it in a variable first";
                return self.checker.error(&rules::SIDE_EFFECT, at, message, help);
            }
            let expression = target.value();
            value = TypedExpression {
                at: at.to(value.at),
                expression: self.operation(op, TypedExpression { expression, at }, value)?,
            };
        }
        let value = self.checker.coerce(value, &target.ty)?;
        Some(target.assign(value))
    }
}

/// Returns `true` if no statement can change the expression's value.
fn is_fixed(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Int(_) => true,
        ExpressionKind::Variable(variable) => {
            matches!(variable, Variable::Parameter(_) | Variable::System(_))
        }
        _ => false,
    }
}

fn unwrapped(node: &Expr) -> &Expr {
    match node {
        Expr::Paren(paren) => unwrapped(&paren.expr),
        other => other,
    }
}

fn own(name: &str) -> Expression {
    let variable = Variable::Own(name.to_owned());
    typed(ExpressionKind::Variable(variable), Type::Int)
}

fn binary(op: BinaryOp, left: Expression, right: Expression, ty: Type) -> Expression {
    typed(
        ExpressionKind::Binary(op, Box::new(left), Box::new(right)),
        ty,
    )
}

fn declare(name: String, value: Expression) -> Statement {
    Statement::Declare {
        name,
        ty: Type::Int,
        value: Some(value),
    }
}

fn repeat(condition: Expression, body: Vec<Statement>) -> Statement {
    Statement::While {
        condition,
        body_first: false,
        body,
        step: Vec::new(),
    }
}

fn always() -> Expression {
    typed(ExpressionKind::Bool(true), Type::Bool)
}

/// Replaces a condition with a literal if it is constant.
fn folded(condition: Expression) -> Expression {
    match constant(&condition) {
        Some(value) => typed(ExpressionKind::Bool(value.holds()), Type::Bool),
        None => condition,
    }
}
