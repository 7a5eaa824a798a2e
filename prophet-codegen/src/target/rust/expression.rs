//! Writes the cost language's expressions as Rust tokens.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};

use super::names::{RustNames, Variables};
use prophet_frontend::lang::ir::{
    BinaryOp, Expression, ExpressionKind as Kind, System, Type, UnaryOp, Usage, Variable,
};
use prophet_frontend::program::{FunctionIndex, Functions, UsesFactor};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RustPrecedence {
    /// `if … else …`, which needs parentheses as an operand.
    Open,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Prefix,
    /// Calls, names and literals.
    Tight,
}

pub(super) struct Writer<'w> {
    pub(super) names: &'w RustNames,
    pub(super) functions: &'w Functions,
    pub(super) uses: &'w Uses,
    pub(super) variables: &'w mut Variables,
    pub(super) stream: Stream,
    /// Loop counters, which are values rather than references.
    pub(super) counters: &'w BTreeSet<String>,
}

#[derive(Debug, Clone)]
pub(super) enum Stream {
    /// The code draws no random numbers.
    None,
    /// The argument that a cost function receives.
    Argument,
    /// The stream of an element, by the name of its constant.
    Of(Ident),
}

/// The names that the generated code uses: runtime names in the whole crate, and `ctx` in the
/// current function.
#[derive(Debug, Default)]
pub(super) struct Uses {
    names: RefCell<BTreeSet<&'static str>>,
    context: Cell<bool>,
}

impl Uses {
    /// Returns `name`, and records that the crate needs it.
    pub(super) fn name(&self, name: &'static str) -> Ident {
        self.names.borrow_mut().insert(name);
        Ident::new(name, Span::call_site())
    }

    /// Returns all recorded names, sorted as in a `use` list.
    pub(super) fn all(&self) -> Vec<&'static str> {
        self.names.borrow().iter().copied().collect()
    }

    /// Returns `ctx`, and records that the current function uses it.
    pub(super) fn context(&self) -> Ident {
        self.context.set(true);
        ident("ctx")
    }

    /// Returns `true` if the current function has used `ctx`, and starts the next function.
    pub(super) fn take_context(&self) -> bool {
        self.context.take()
    }
}

pub(super) fn ident(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

impl Writer<'_> {
    pub(super) fn value(&mut self, expression: &Expression) -> TokenStream {
        self.write(expression).0
    }

    /// Writes an int as an argument of a runtime function that accepts anything convertible to one,
    /// so literals need no type.
    pub(super) fn int(&mut self, expression: &Expression) -> TokenStream {
        bare(expression).unwrap_or_else(|| self.value(expression))
    }

    /// Writes an expression as an operand that must bind at least this tightly.
    fn operand(&mut self, expression: &Expression, least: RustPrecedence) -> TokenStream {
        let (tokens, binding) = self.write(expression);
        if binding < least {
            quote!((#tokens))
        } else {
            tokens
        }
    }

    fn write(&mut self, expression: &Expression) -> (TokenStream, RustPrecedence) {
        if let Some(result) = self.result(expression) {
            return (quote!(#result?), RustPrecedence::Tight);
        }
        let tight = match &expression.kind {
            Kind::Int(_) => self.literal(expression),
            Kind::Unary(UnaryOp::Negate, _) if literal(expression).is_some() => {
                self.literal(expression)
            }
            Kind::Real(text) => return (real_literal(text), RustPrecedence::Tight),
            Kind::Bool(value) => quote!(#value),
            Kind::Variable(variable) => self.variable(variable),
            Kind::Cast(inside) => return self.cast(inside, &expression.ty),
            Kind::Unary(op, inside) => {
                let inside = self.operand(inside, RustPrecedence::Prefix);
                let tokens = match op {
                    // Two signs look like C's `--`, so rustc warns about them.
                    UnaryOp::Negate if begins_with_sign(&inside) => quote!(-(#inside)),
                    UnaryOp::Negate => quote!(-#inside),
                    UnaryOp::Not | UnaryOp::Complement => quote!(!#inside),
                };
                return (tokens, RustPrecedence::Prefix);
            }
            Kind::Binary(op, left, right) => {
                match UsesFactor::of(*op, [left, right], self.functions) {
                    Some(factor) => self.scaled(factor, left, right),
                    None => return self.binary(*op, left, right),
                }
            }
            Kind::If(condition, then, otherwise) => {
                let condition = self.value(condition);
                let then = self.value(then);
                let otherwise = self.value(otherwise);
                let tokens = quote!(if #condition { #then } else { #otherwise });
                return (tokens, RustPrecedence::Open);
            }
            Kind::Call(function, arguments) => self.call(*function, arguments),
            Kind::Builtin(builtin, arguments) => {
                let math = self.uses.name("math");
                let name = ident(builtin.name());
                let arguments = arguments.iter().map(|argument| self.value(argument));
                let arguments: Vec<_> = arguments.collect();
                quote!(#math::#name(#(#arguments),*))
            }
            Kind::Index(..) | Kind::Draw(..) | Kind::Neighbor(..) => {
                unreachable!("what can fail gives a result")
            }
            Kind::Clc(usages) => {
                let ctx = self.uses.context();
                let usages: Vec<TokenStream> = usages.iter().map(|it| self.usage(it)).collect();
                quote!(#ctx.clc(&[#(#usages),*]))
            }
            Kind::Rud(device, usages) => {
                let ctx = self.uses.context();
                let device = ident(&self.names.devices[&device.with(usages)]);
                let counts: Vec<_> = usages.iter().map(|it| self.value(&it.count)).collect();
                quote!(#ctx.rud(&#device, &[#(#counts),*]))
            }
            Kind::Interpolate(table, curve, at) => {
                let ctx = self.uses.context();
                let (table, curve) = (ident(&self.names.tables[*table]), ident(curve.name()));
                let at: Vec<_> = at.iter().map(|it| self.value(it)).collect();
                quote!(#ctx.interpolate(#table.#curve(#(#at),*)))
            }
        };
        (tight, RustPrecedence::Tight)
    }

    /// Writes a product with, or a quotient of, a cost whose operations a trace counts.
    fn scaled(&mut self, factor: UsesFactor, left: &Expression, right: &Expression) -> TokenStream {
        let ctx = self.uses.context();
        let (left, right) = (self.value(left), self.value(right));
        match factor {
            UsesFactor::Left => quote!(#ctx.times(#ctx.uses(), #left, #right)),
            UsesFactor::Right => quote!(#ctx.repeated(#ctx.uses(), #left, #right)),
            UsesFactor::Divisor => quote!(#ctx.over(#ctx.uses(), #left, #right)),
        }
    }

    fn usage(&mut self, usage: &Usage) -> TokenStream {
        let count = self.value(&usage.count);
        let opcode = ident(&self.names.opcodes[&usage.opcode]);
        quote!((#count, #opcode))
    }

    /// If an expression can fail, writes it as the `Result` that it returns.
    pub(super) fn result(&mut self, expression: &Expression) -> Option<TokenStream> {
        Some(match &expression.kind {
            Kind::Index(array, index) => {
                let array = self.place(array);
                let index = self.int(index);
                quote!(#array.get(#index))
            }
            Kind::Call(function, arguments) if self.functions[*function].needs.fallible => {
                self.call(*function, arguments)
            }
            Kind::Draw(variate, arguments) => {
                let name = ident(variate.name());
                let arguments: Vec<_> = arguments.iter().map(|it| self.value(it)).collect();
                let stream = self.stream();
                quote!(#stream.#name(#(#arguments),*))
            }
            Kind::Neighbor(of, arguments) => {
                let name = self.uses.name(of.name());
                let [process, sizes @ .., periodic] = &arguments[..] else {
                    unreachable!("the arguments have been counted");
                };
                let process = self.int(process);
                let sizes: Vec<_> = sizes.iter().map(|it| self.value(it)).collect();
                let periodic = self.value(periodic);
                quote!(#name(#process, &[#(#sizes),*], #periodic))
            }
            Kind::Binary(op, left, right) => {
                let name = checked(*op, left, right)?;
                let name = self.uses.name(name);
                let (left, right) = (self.int(left), self.int(right));
                quote!(#name(#left, #right))
            }
            Kind::Int(_)
            | Kind::Real(_)
            | Kind::Bool(_)
            | Kind::Variable(_)
            | Kind::Cast(_)
            | Kind::Unary(..)
            | Kind::If(..)
            | Kind::Call(..)
            | Kind::Builtin(..)
            | Kind::Clc(_)
            | Kind::Rud(..)
            | Kind::Interpolate(..) => return None,
        })
    }

    /// Writes a call, without the `?` that a fallible function needs.
    fn call(&mut self, index: FunctionIndex, arguments: &[Expression]) -> TokenStream {
        let needs = &self.functions[index].needs;
        let name = ident(&self.names.functions[index]);
        let mut all = Vec::new();
        if needs.system {
            all.push(self.uses.context().into_token_stream());
        }
        if needs.globals {
            all.push(quote!(globals));
        }
        if needs.stream {
            all.push(self.stream());
        }
        all.extend(arguments.iter().map(|argument| self.value(argument)));
        quote!(#name(#(#all),*))
    }

    fn stream(&self) -> TokenStream {
        match &self.stream {
            Stream::None => unreachable!("nothing draws random numbers there"),
            Stream::Argument => quote!(stream),
            Stream::Of(element) => {
                let ctx = self.uses.context();
                quote!(#ctx.stream(&#element))
            }
        }
    }

    fn literal(&self, expression: &Expression) -> TokenStream {
        let int = self.uses.name("Int");
        let value = int_literal(literal(expression).unwrap_or_default());
        quote!(#int(#value))
    }

    fn cast(&mut self, inside: &Expression, to: &Type) -> (TokenStream, RustPrecedence) {
        let tokens = match (&inside.ty, to) {
            (Type::Int, Type::Real) => {
                if let Some(value) = literal(inside) {
                    return (real_literal(&format!("{value}.0")), RustPrecedence::Prefix);
                }
                let inside = self.operand(inside, RustPrecedence::Tight);
                quote!(#inside.real())
            }
            (Type::Real, Type::Int) => {
                let int = self.uses.name("Int");
                let inside = self.value(inside);
                quote!(#int::truncate(#inside))
            }
            (Type::Bool, Type::Int) => {
                let int = self.uses.name("Int");
                let inside = self.value(inside);
                quote!(#int::from(#inside))
            }
            (Type::Bool, Type::Real) => {
                let int = self.uses.name("Int");
                let inside = self.value(inside);
                quote!(#int::from(#inside).real())
            }
            (Type::Int, Type::Bool) => {
                let inside = self.operand(inside, RustPrecedence::BitOr);
                return (quote!(#inside != 0), RustPrecedence::Compare);
            }
            (Type::Real, Type::Bool) => {
                let inside = self.operand(inside, RustPrecedence::BitOr);
                return (quote!(#inside != 0.0), RustPrecedence::Compare);
            }
            (Type::Int, Type::Int)
            | (Type::Real, Type::Real)
            | (Type::Bool, Type::Bool)
            | (Type::Array(..), _)
            | (_, Type::Array(..)) => return self.write(inside),
        };
        (tokens, RustPrecedence::Tight)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expression,
        right: &Expression,
    ) -> (TokenStream, RustPrecedence) {
        let (symbol, binding) = symbol(op);
        // Comparisons can't be chained. All other operators associate to the left.
        let left_least = if binding == RustPrecedence::Compare {
            RustPrecedence::BitOr
        } else {
            binding
        };
        let right_least = tighter(binding);
        // Next to an int, a literal needs no type, unless both are literals.
        let left_bare = bare(left).filter(|_| bare(right).is_none());
        let left = left_bare.unwrap_or_else(|| self.operand(left, left_least));
        let right = match bare(right) {
            Some(right) => right,
            None => self.operand(right, right_least),
        };
        (quote!(#left #symbol #right), binding)
    }

    pub(super) fn variable(&mut self, variable: &Variable) -> TokenStream {
        let place = self.place(variable);
        match variable {
            Variable::Global(_) => quote!(#place.get()),
            Variable::Local(name) if !self.counters.contains(name) => quote!(#place.get()),
            Variable::Local(_)
            | Variable::Own(_)
            | Variable::Parameter(_)
            | Variable::System(_) => place,
        }
    }

    /// Writes the place expression for a variable.
    pub(super) fn place(&mut self, variable: &Variable) -> TokenStream {
        match variable {
            Variable::Global(index) => {
                let field = ident(&self.names.globals[*index]);
                quote!(globals.#field)
            }
            Variable::Parameter(index) => {
                let field = ident(&self.names.parameters[*index]);
                quote!(globals.#field)
            }
            Variable::Local(name) | Variable::Own(name) => {
                let name = ident(&self.variables.name(name));
                quote!(#name)
            }
            Variable::System(system @ (System::Any | System::ProcNull)) => {
                let constant = self.uses.name(system.name());
                quote!(#constant)
            }
            Variable::System(system) => {
                let ctx = self.uses.context();
                let name = ident(&system.name().to_ascii_lowercase());
                quote!(#ctx.#name())
            }
        }
    }
}

/// Returns the runtime function that replaces an int operator which can fail.
fn checked(op: BinaryOp, left: &Expression, right: &Expression) -> Option<&'static str> {
    if left.ty != Type::Int || right.is_nonzero_literal() {
        return None;
    }
    match op {
        BinaryOp::Divide => Some("div"),
        BinaryOp::Remainder => Some("rem"),
        _ => None,
    }
}

fn literal(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        Kind::Int(value) => Some(*value),
        Kind::Unary(UnaryOp::Negate, inside) => literal(inside).map(i64::wrapping_neg),
        _ => None,
    }
}

/// Writes an int literal without its type.
fn bare(expression: &Expression) -> Option<TokenStream> {
    literal(expression).map(int_literal)
}

/// Writes a text as a literal, or as several if rustfmt couldn't break it.
pub(super) fn text_literal(text: &str) -> TokenStream {
    const COLUMNS: usize = 64;
    let mut parts = vec![String::new()];
    for word in text.split_inclusive(' ') {
        match parts.last_mut() {
            Some(part) if part.is_empty() || part.len() + word.len() <= COLUMNS => *part += word,
            _ => parts.push(word.to_owned()),
        }
    }
    if let [part] = &parts[..] {
        quote!(#part)
    } else {
        quote!(concat!(#(#parts),*))
    }
}

/// Writes an int with groups of digits, as is usual in Rust.
pub(super) fn int_literal(value: i64) -> TokenStream {
    let digits = value.unsigned_abs().to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && digits.len() > 4 && (digits.len() - at).is_multiple_of(3) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    let literal: Literal = grouped
        .parse()
        .unwrap_or_else(|_| Literal::i64_unsuffixed(value));
    if value < 0 {
        quote!(-#literal)
    } else {
        quote!(#literal)
    }
}

/// Writes a real number with the digits that the author wrote.
pub(super) fn real_literal(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|_| {
        let value: f64 = text.parse().unwrap_or(f64::NAN);
        let literal = Literal::f64_unsuffixed(value);
        quote!(#literal)
    })
}

fn begins_with_sign(tokens: &TokenStream) -> bool {
    let first = tokens.clone().into_iter().next();
    matches!(first, Some(TokenTree::Punct(mark)) if mark.as_char() == '-')
}

fn tighter(binding: RustPrecedence) -> RustPrecedence {
    match binding {
        RustPrecedence::Open | RustPrecedence::Or => RustPrecedence::And,
        RustPrecedence::And => RustPrecedence::Compare,
        RustPrecedence::Compare => RustPrecedence::BitOr,
        RustPrecedence::BitOr => RustPrecedence::BitXor,
        RustPrecedence::BitXor => RustPrecedence::BitAnd,
        RustPrecedence::BitAnd => RustPrecedence::Shift,
        RustPrecedence::Shift => RustPrecedence::Sum,
        RustPrecedence::Sum => RustPrecedence::Product,
        RustPrecedence::Product | RustPrecedence::Prefix | RustPrecedence::Tight => {
            RustPrecedence::Prefix
        }
    }
}

fn symbol(op: BinaryOp) -> (TokenStream, RustPrecedence) {
    match op {
        BinaryOp::Add => (quote!(+), RustPrecedence::Sum),
        BinaryOp::Subtract => (quote!(-), RustPrecedence::Sum),
        BinaryOp::Multiply => (quote!(*), RustPrecedence::Product),
        BinaryOp::Divide => (quote!(/), RustPrecedence::Product),
        BinaryOp::Remainder => (quote!(%), RustPrecedence::Product),
        BinaryOp::ShiftLeft => (quote!(<<), RustPrecedence::Shift),
        BinaryOp::ShiftRight => (quote!(>>), RustPrecedence::Shift),
        BinaryOp::BitAnd => (quote!(&), RustPrecedence::BitAnd),
        BinaryOp::BitOr => (quote!(|), RustPrecedence::BitOr),
        BinaryOp::BitXor => (quote!(^), RustPrecedence::BitXor),
        BinaryOp::Equal => (quote!(==), RustPrecedence::Compare),
        BinaryOp::NotEqual => (quote!(!=), RustPrecedence::Compare),
        BinaryOp::Less => (quote!(<), RustPrecedence::Compare),
        BinaryOp::LessEqual => (quote!(<=), RustPrecedence::Compare),
        BinaryOp::Greater => (quote!(>), RustPrecedence::Compare),
        BinaryOp::GreaterEqual => (quote!(>=), RustPrecedence::Compare),
        BinaryOp::And => (quote!(&&), RustPrecedence::And),
        BinaryOp::Or => (quote!(||), RustPrecedence::Or),
    }
}
