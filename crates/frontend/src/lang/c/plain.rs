//! Parses simple expressions: names, decimal numbers, calls, parentheses and operators on values.
//! Most code in models is that simple, and the full C parser is slow.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Constant, Expression, Float,
    FloatBase, FloatFormat, FloatSuffix, Identifier, Integer, IntegerBase, IntegerSize,
    IntegerSuffix, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};

use crate::lang::token::{Token, TokenKind};

/// Words of C that can't be names, except for words that start with `_`.
const KEYWORDS: [&str; 34] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while",
];

/// Parses tokens with the same result as the C parser; `None` if they are invalid, or not a simple
/// expression.
///
/// Recursion is safe here, because the screening has limited the nesting.
pub(super) fn expression(tokens: &[Token<'_>]) -> Option<Node<Expression>> {
    let mut reader = Reader { tokens, next: 0 };
    let value = reader.operation(0)?;
    (reader.next == tokens.len()).then_some(value)
}

struct Reader<'t, 'a> {
    tokens: &'t [Token<'a>],
    next: usize,
}

impl<'t, 'a> Reader<'t, 'a> {
    fn peek(&self) -> Option<&'t Token<'a>> {
        self.tokens.get(self.next)
    }

    fn take(&mut self) -> Option<&'t Token<'a>> {
        self.next += 1;
        self.tokens.get(self.next - 1)
    }

    fn has(&mut self, mark: &str) -> bool {
        let is_next = self.peek().is_some_and(|it| it.is_mark(mark));
        self.next += usize::from(is_next);
        is_next
    }

    fn operation(&mut self, least: u8) -> Option<Node<Expression>> {
        let mut left = self.operand()?;
        while let Some(mark) = self.peek()
            && let Some((operator, tightness)) = operator(mark)
            && tightness >= least
        {
            self.next += 1;
            let right = self.operation(tightness + 1)?;
            let span = Span::span(left.span.start, right.span.end);
            let operation = BinaryOperatorExpression {
                operator: Node::new(operator, span_of(mark)),
                lhs: Box::new(left),
                rhs: Box::new(right),
            };
            let operation = Expression::BinaryOperator(Box::new(Node::new(operation, span)));
            left = Node::new(operation, span);
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<Node<Expression>> {
        let token = self.take()?;
        let span = span_of(token);
        match (token.kind, token.text) {
            (TokenKind::Number, text) => {
                let constant = Node::new(constant(text)?, span);
                Some(Node::new(Expression::Constant(Box::new(constant)), span))
            }
            (TokenKind::Word, text) if !text.starts_with('_') && !KEYWORDS.contains(&text) => {
                let name = text.to_owned();
                let name = Node::new(Identifier { name }, span);
                let name = Node::new(Expression::Identifier(Box::new(name)), span);
                if self.has("(") {
                    return self.call(name);
                }
                Some(name)
            }
            (TokenKind::Mark, "(") => {
                let inner = self.operation(0)?;
                let closed = self.take().filter(|it| it.is_mark(")"))?;
                Some(Node::new(inner.node, Span::span(token.start, closed.end())))
            }
            (TokenKind::Mark, "-") => self.unary(UnaryOperator::Minus, span),
            (TokenKind::Mark, "!") => self.unary(UnaryOperator::Negate, span),
            _ => None,
        }
    }

    fn unary(&mut self, operator: UnaryOperator, at: Span) -> Option<Node<Expression>> {
        let operand = self.operand()?;
        let span = Span::span(at.start, operand.span.end);
        let unary = UnaryOperatorExpression {
            operator: Node::new(operator, at),
            operand: Box::new(operand),
        };
        let unary = Expression::UnaryOperator(Box::new(Node::new(unary, span)));
        Some(Node::new(unary, span))
    }

    fn call(&mut self, callee: Node<Expression>) -> Option<Node<Expression>> {
        let mut arguments = Vec::new();
        while !self.has(")") {
            if !arguments.is_empty() && !self.has(",") {
                return None;
            }
            arguments.push(self.operation(0)?);
        }
        let end = self.tokens[self.next - 1].end();
        let span = Span::span(callee.span.start, end);
        let call = CallExpression {
            callee: Box::new(callee),
            arguments,
        };
        let call = Expression::Call(Box::new(Node::new(call, span)));
        Some(Node::new(call, span))
    }
}

fn span_of(token: &Token<'_>) -> Span {
    Span::span(token.start, token.end())
}

/// Parses a decimal number without a suffix.
fn constant(text: &str) -> Option<Constant> {
    if text.bytes().all(|c| c.is_ascii_digit()) {
        let is_octal = text.starts_with('0') && text.len() > 1;
        let integer = Integer {
            base: IntegerBase::Decimal,
            number: text.into(),
            suffix: IntegerSuffix {
                size: IntegerSize::Int,
                unsigned: false,
                imaginary: false,
            },
        };
        return (!is_octal).then_some(Constant::Integer(integer));
    }
    let is_part = |c| matches!(c, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    if !text.bytes().all(is_part) || text.parse::<f64>().is_err() {
        return None;
    }
    Some(Constant::Float(Float {
        base: FloatBase::Decimal,
        number: text.into(),
        suffix: FloatSuffix {
            format: FloatFormat::Double,
            imaginary: false,
        },
    }))
}

fn operator(token: &Token<'_>) -> Option<(BinaryOperator, u8)> {
    if token.kind != TokenKind::Mark {
        return None;
    }
    Some(match token.text {
        "||" => (BinaryOperator::LogicalOr, 1),
        "&&" => (BinaryOperator::LogicalAnd, 2),
        "|" => (BinaryOperator::BitwiseOr, 3),
        "^" => (BinaryOperator::BitwiseXor, 4),
        "&" => (BinaryOperator::BitwiseAnd, 5),
        "==" => (BinaryOperator::Equals, 6),
        "!=" => (BinaryOperator::NotEquals, 6),
        "<" => (BinaryOperator::Less, 7),
        ">" => (BinaryOperator::Greater, 7),
        "<=" => (BinaryOperator::LessOrEqual, 7),
        ">=" => (BinaryOperator::GreaterOrEqual, 7),
        "<<" => (BinaryOperator::ShiftLeft, 8),
        ">>" => (BinaryOperator::ShiftRight, 8),
        "+" => (BinaryOperator::Plus, 9),
        "-" => (BinaryOperator::Minus, 9),
        "*" => (BinaryOperator::Multiply, 10),
        "/" => (BinaryOperator::Divide, 10),
        "%" => (BinaryOperator::Modulo, 10),
        _ => return None,
    })
}
