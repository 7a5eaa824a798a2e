//! Translates C's statements.

use lang_c::ast::{
    BinaryOperator, BlockItem, Expression as CExpression, ForInitializer, ForStatement,
    Statement as CStatement, UnaryOperator,
};
use lang_c::span::Node;

use super::CFront;
use super::expression::{Assignment, assignment_operator};
use crate::lang::check::{At, TypedExpression, cast, int, typed};
use crate::lang::constant::constant;
use crate::lang::ir::{BinaryOp, Expression, ExpressionKind, Statement, Type};
use crate::lang::{needs, reach};
use prophet_model::diagnostic::catalogue::lang as rules;

impl CFront<'_, '_> {
    /// Translates statements in order. Skips statements with problems.
    pub(super) fn statements(&mut self, items: &[Node<BlockItem>]) -> Vec<Statement> {
        let mut statements = Vec::new();
        for item in items {
            match &item.node {
                BlockItem::Declaration(declaration) => {
                    statements.extend(self.declaration(declaration).unwrap_or_default());
                }
                BlockItem::Statement(statement) => {
                    self.statement(statement, &mut statements);
                }
                BlockItem::StaticAssert(node) => {
                    let at = self.at(&node.span);
                    self.checker.not_allowed::<()>(at, "`_Static_assert`", "");
                }
            }
        }
        reach::prune(&mut statements);
        statements
    }

    fn statement(&mut self, node: &Node<CStatement>, out: &mut Vec<Statement>) -> Option<()> {
        let at = self.at(&node.span);
        let statement = match &node.node {
            CStatement::Compound(items) => {
                let block = self.block(items);
                if block.is_empty() {
                    return Some(());
                }
                Statement::Block(block)
            }
            CStatement::Expression(None) => return Some(()),
            CStatement::Expression(Some(expression)) => return self.effect(expression, out),
            CStatement::If(node) => {
                let condition = self.condition(&node.node.condition);
                let then = self.nested(&node.node.then_statement);
                let otherwise = match &node.node.else_statement {
                    Some(statement) => self.nested(statement),
                    None => Vec::new(),
                };
                Statement::If {
                    condition: condition?,
                    then,
                    otherwise,
                }
            }
            CStatement::While(node) => {
                let condition = self.condition(&node.node.expression);
                let body = self.loop_body(&node.node.statement);
                repeat(condition?, false, body, Vec::new())
            }
            CStatement::DoWhile(node) => {
                let body = self.loop_body(&node.node.statement);
                let condition = self.condition(&node.node.expression);
                repeat(condition?, true, body, Vec::new())
            }
            CStatement::For(node) => return self.for_loop(&node.node, out),
            CStatement::Break | CStatement::Continue if self.checker.loops == 0 => {
                let word = self.checker.text_at(at).trim_end_matches([';', ' ']);
                let message = format!("`{word}` is outside a loop");
                return self.checker.error(&rules::MISPLACED_JUMP, at, message, "");
            }
            CStatement::Break => Statement::Break,
            CStatement::Continue => Statement::Continue,
            CStatement::Return(value) => self.return_statement(value.as_deref(), at)?,
            CStatement::Labeled(_) | CStatement::Goto(_) => {
                return self
                    .checker
                    .not_allowed(at, "labels or `goto`", "write a loop");
            }
            CStatement::Switch(_) => {
                let help = "write `if … else if …`";
                return self.checker.not_allowed(at, "`switch`", help);
            }
            CStatement::Asm(_) => return self.checker.not_allowed(at, "assembler", ""),
        };
        out.push(statement);
        Some(())
    }

    fn return_statement(&mut self, value: Option<&Node<CExpression>>, at: At) -> Option<Statement> {
        let value = match value {
            Some(value) => Some(self.expression(value)?),
            None => None,
        };
        self.checker.give(value, at)
    }

    /// Translates the items of `{ … }`.
    fn block(&mut self, items: &[Node<BlockItem>]) -> Vec<Statement> {
        self.checker.enter();
        let statements = self.statements(items);
        self.checker.leave();
        statements
    }

    /// Translates a nested statement, with or without braces, to a list of statements.
    fn nested(&mut self, node: &Node<CStatement>) -> Vec<Statement> {
        if let CStatement::Compound(items) = &node.node {
            return self.block(items);
        }
        self.checker.enter();
        let mut statements = Vec::new();
        self.statement(node, &mut statements);
        self.checker.leave();
        statements
    }

    fn loop_body(&mut self, node: &Node<CStatement>) -> Vec<Statement> {
        self.checker.loops += 1;
        let body = self.nested(node);
        self.checker.loops -= 1;
        body
    }

    /// Translates a condition. It can be any scalar, and holds unless it is zero. A constant
    /// condition becomes a literal.
    fn condition(&mut self, node: &Node<CExpression>) -> Option<Expression> {
        let condition = self.expression(node)?.expression;
        Some(match constant(&condition) {
            Some(value) => always(value.holds()),
            None => cast(condition, &Type::Bool),
        })
    }

    fn for_loop(&mut self, node: &ForStatement, out: &mut Vec<Statement>) -> Option<()> {
        self.checker.enter();
        let mut statements = Vec::new();
        match &node.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::Expression(expression) => self.effects(expression, &mut statements),
            ForInitializer::Declaration(declaration) => {
                statements.extend(self.declaration(declaration).unwrap_or_default());
            }
            ForInitializer::StaticAssert(node) => {
                let at = self.at(&node.span);
                self.checker.not_allowed::<()>(at, "`_Static_assert`", "");
            }
        }
        let condition = match &node.condition {
            Some(condition) => self.condition(condition),
            None => Some(always(true)),
        };
        let mut step = Vec::new();
        if let Some(expression) = &node.step {
            self.effects(expression, &mut step);
        }
        let body = self.loop_body(&node.statement);
        self.checker.leave();
        let repeat = repeat(condition?, false, body, step);
        if statements.is_empty() {
            out.push(repeat);
        } else {
            statements.push(repeat);
            out.push(Statement::Block(statements));
        }
        Some(())
    }

    /// Translates the assignments in a clause of `for`, separated by commas.
    fn effects(&mut self, node: &Node<CExpression>, out: &mut Vec<Statement>) {
        match &node.node {
            CExpression::Comma(expressions) => {
                for expression in expressions.iter() {
                    self.effect(expression, out);
                }
            }
            _ => {
                self.effect(node, out);
            }
        }
    }

    /// Translates an expression used as a statement: an assignment, `++`, `--`, or an unused value.
    fn effect(&mut self, node: &Node<CExpression>, out: &mut Vec<Statement>) -> Option<()> {
        let statement = match changed(&node.node) {
            Some((place, op, Some(value))) => {
                let value = self.expression(value);
                self.assignment(place, op, value)?
            }
            Some((place, op, None)) => {
                let at = self.at(&node.span);
                let expression = int(1);
                self.assignment(place, op, Some(TypedExpression { expression, at }))?
            }
            None => {
                let value = self.expression(node)?;
                self.checker.evaluate(value)?
            }
        };
        out.push(statement);
        Some(())
    }

    /// Translates `place = value` or `place op= value`.
    fn assignment(
        &mut self,
        place: &Node<CExpression>,
        op: Assignment,
        value: Option<TypedExpression>,
    ) -> Option<Statement> {
        let at = self.at(&place.span);
        let target = match &place.node {
            CExpression::Identifier(name) => {
                let name = name.node.name.clone();
                self.checker.target(&name, at, None)
            }
            CExpression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                let (name, name_at) = self.array_name(&binary.node.lhs)?;
                let index = self.expression(&binary.node.rhs)?;
                self.checker.target(&name, name_at, Some(index))
            }
            _ => {
                let message = "this cannot be assigned to";
                let help = "assign to a variable, or to a value of an array";
                self.checker.error(&rules::READ_ONLY, at, message, help)
            }
        };
        let (target, value) = (target?, value?);
        let value = match op {
            Assignment::Plain => value,
            Assignment::Compound(op) => {
                let expression = target.value();
                if let Some(index) = &target.index
                    && needs::has_draw_or_call(index)
                {
                    let message = "this index would be evaluated twice";
                    let help = "store it in a variable first";
                    return self.checker.error(&rules::SIDE_EFFECT, at, message, help);
                }
                let value_at = value.at;
                let expression = self.operation(op, TypedExpression { expression, at }, value)?;
                TypedExpression {
                    expression,
                    at: at.to(value_at),
                }
            }
        };
        let value = self.checker.coerce(value, &target.ty)?;
        Some(target.assign(value))
    }
}

/// Builds a loop. The body becomes a block if it declares a name that `step` mentions.
fn repeat(
    condition: Expression,
    body_first: bool,
    body: Vec<Statement>,
    step: Vec<Statement>,
) -> Statement {
    let hides = body.iter().any(|statement| match statement {
        Statement::Declare { name, .. } => needs::mentions(&step, name),
        _ => false,
    });
    Statement::While {
        condition,
        body_first,
        body: if hides {
            vec![Statement::Block(body)]
        } else {
            body
        },
        step,
    }
}

fn always(value: bool) -> Expression {
    typed(ExpressionKind::Bool(value), Type::Bool)
}

/// What is changed, the kind of assignment, and the value; `None` means 1.
type CAssignment<'n> = (
    &'n Node<CExpression>,
    Assignment,
    Option<&'n Node<CExpression>>,
);

/// Returns the change that an expression makes, if it is an assignment, `++` or `--`.
fn changed(expression: &CExpression) -> Option<CAssignment<'_>> {
    match expression {
        CExpression::BinaryOperator(binary) => {
            let op = assignment_operator(&binary.node.operator.node)?;
            Some((&binary.node.lhs, op, Some(&binary.node.rhs)))
        }
        CExpression::UnaryOperator(unary) => {
            let op = match unary.node.operator.node {
                UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => BinaryOp::Add,
                UnaryOperator::PostDecrement | UnaryOperator::PreDecrement => BinaryOp::Subtract,
                _ => return None,
            };
            Some((&unary.node.operand, Assignment::Compound(op), None))
        }
        _ => None,
    }
}

/// Returns `true` if an expression is a statement that changes a variable.
pub(super) fn is_change(expression: &CExpression) -> bool {
    changed(expression).is_some()
}
