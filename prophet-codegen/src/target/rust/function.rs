//! Writes cost functions and code fragments as Rust.

use std::cell::Cell;
use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Lifetime;

use super::expression::{Stream, Uses, Writer, ident};
use super::names::RustNames;
use prophet_frontend::lang::constant::{Constant, constant};
use prophet_frontend::lang::ir::{
    BinaryOp, Expression, ExpressionKind as Kind, Statement, Type, Variable,
};
use prophet_frontend::lang::needs::assigns;
use prophet_frontend::lang::walk;
use prophet_frontend::program::{Function, FunctionIndex, Functions};

struct StatementStyle {
    /// Whether `return` must return a `Result`.
    fallible: bool,
    /// The variables of the code that it reads.
    read: BTreeSet<String>,
    /// Number of labeled loops around the current statement.
    labeled: Cell<usize>,
}

struct LoopLabels {
    repeat: Lifetime,
    turn: Lifetime,
}

impl LoopLabels {
    /// Creates labels that contain the nesting depth, because rustc warns about labels that shadow
    /// others.
    fn new(depth: usize) -> Self {
        let number = if depth == 0 {
            String::new()
        } else {
            (depth + 1).to_string()
        };
        let label = |name: &str| Lifetime::new(&format!("'{name}{number}"), Span::call_site());
        Self {
            repeat: label("repeat"),
            turn: label("turn"),
        }
    }
}

/// Writes a cost function as a Rust function, formatted.
pub(super) fn function(
    index: FunctionIndex,
    functions: &Functions,
    names: &RustNames,
    uses: &Uses,
) -> String {
    let function = &functions[index];
    let mut variables = names.variables();
    let mut writer = Writer {
        names,
        functions,
        uses,
        variables: &mut variables,
        stream: Stream::Argument,
        counters: &BTreeSet::new(),
    };
    let style = StatementStyle {
        fallible: function.needs.fallible,
        read: variables_read(&function.body),
        labeled: Cell::new(0),
    };
    let arguments = parameters(function, &mut writer, &style);
    let result = ty(&function.signature.result, uses);
    let result = if style.fallible {
        let fault = uses.name("Fault");
        quote!(Result<#result, #fault>)
    } else {
        result
    };
    let counted = walk::has_loop(&function.body).then(|| {
        let steps = uses.name("Steps");
        quote!(let mut steps = #steps::default();)
    });
    let mut body = writer.block(&function.body, &style, true);
    if style.fallible {
        let (of, named) = (uses.name("in_function"), &function.signature.name);
        body = quote!(#of(#named, || { #counted #body }));
    } else {
        body = quote!(#counted #body);
    }
    let name = ident(&names.functions[index]);
    let tokens = quote! { fn #name(#(#arguments),*) -> #result { #body } };
    lay_out(&tokens)
}

fn parameters(
    function: &Function,
    writer: &mut Writer<'_>,
    style: &StatementStyle,
) -> Vec<TokenStream> {
    let mut all = Vec::new();
    if function.needs.system {
        let ctx = writer.uses.name("ProcessCtx");
        all.push(quote!(ctx: &#ctx<'_>));
    }
    if function.needs.globals {
        all.push(quote!(globals: &Globals));
    }
    if function.needs.stream {
        let stream = writer.uses.name("Stream");
        all.push(quote!(stream: #stream<'_>));
    }
    for (name, of) in &function.signature.arguments {
        let of = ty(of, writer.uses);
        let variable = writer.own(name, style);
        let mutable = assigns(&function.body, name).then(|| quote!(mut));
        all.push(quote!(#mutable #variable: #of));
    }
    all
}

pub(super) fn ty(ty: &Type, uses: &Uses) -> TokenStream {
    match ty {
        Type::Int => {
            let int = uses.name("Int");
            quote!(#int)
        }
        Type::Real => quote!(f64),
        Type::Bool => quote!(bool),
        Type::Array(of, length) => {
            let array = uses.name("Array");
            let of = self::ty(of, uses);
            let length = proc_macro2::Literal::usize_unsuffixed(*length);
            quote!(#array<#of, #length>)
        }
    }
}

/// Returns the value of the variable `name` before the model assigns any.
pub(super) fn zero(ty: &Type, name: &str, uses: &Uses) -> TokenStream {
    match ty {
        Type::Int => {
            let int = uses.name("Int");
            quote!(#int(0))
        }
        Type::Real => quote!(0.0),
        Type::Bool => quote!(false),
        Type::Array(..) => {
            let array = uses.name("Array");
            quote!(#array::named(#name))
        }
    }
}

/// Writes the statements of a code fragment as text for rustfmt.
pub(super) fn fragment(statements: &[Statement], writer: &mut Writer<'_>) -> String {
    let style = StatementStyle {
        fallible: true,
        read: variables_read(statements),
        labeled: Cell::new(0),
    };
    let counted = walk::has_loop(statements).then(|| {
        let steps = writer.uses.name("Steps");
        quote!(let mut steps = #steps::default();)
    });
    let body = writer.block(statements, &style, false);
    let declares = statements
        .iter()
        .any(|s| matches!(s, Statement::Declare { .. }));
    if declares || counted.is_some() {
        quote!({ #counted #body }).to_string()
    } else {
        body.to_string()
    }
}

/// Formats `tokens` with prettyplease, and so checks that they are valid Rust.
fn lay_out(tokens: &TokenStream) -> String {
    match syn::parse2(tokens.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(error) => panic!("generated code is no Rust ({error}): {tokens}"),
    }
}

impl Writer<'_> {
    /// Writes statements. With `tail`, the last one returns the function's result.
    fn block(
        &mut self,
        statements: &[Statement],
        style: &StatementStyle,
        tail: bool,
    ) -> TokenStream {
        let mut all = TokenStream::new();
        let ends = statements.iter().position(|s| {
            matches!(
                s,
                Statement::Return(_) | Statement::Break | Statement::Continue
            )
        });
        // Code after a jump is unreachable, and rustc warns about it.
        let reached = &statements[..ends.map_or(statements.len(), |at| at + 1)];
        for (at, statement) in reached.iter().enumerate() {
            let last = tail && at + 1 == reached.len();
            all.extend(self.statement(statement, &reached[at + 1..], style, last));
        }
        all
    }

    /// Writes a statement. `behind` contains the statements that follow it in its block.
    fn statement(
        &mut self,
        statement: &Statement,
        behind: &[Statement],
        style: &StatementStyle,
        tail: bool,
    ) -> TokenStream {
        match statement {
            Statement::Declare { name, ty, value } => {
                self.declare(name, ty, value.as_ref(), behind, style)
            }
            Statement::Assign {
                target,
                index,
                value,
            } => self.assign(target, index.as_ref(), value, style),
            Statement::Evaluate(value) => {
                let value = self.value(value);
                quote!(let _ = #value;)
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise, style, tail),
            Statement::While {
                condition,
                body_first,
                body,
                step,
            } => self.repeat(condition, *body_first, body, step, style),
            Statement::Break => quote!(break;),
            Statement::Continue => quote!(continue;),
            Statement::Return(value) => self.give(value, style, tail),
            Statement::Block(inside) => {
                let inside = self.block(inside, style, tail);
                quote!({ #inside })
            }
        }
    }

    /// Returns the name of one of the code's variables, marked as unused if nothing reads it.
    fn own(&mut self, name: &str, style: &StatementStyle) -> proc_macro2::Ident {
        let rust = self.variables.name(name);
        if style.read.contains(name) {
            ident(&rust)
        } else {
            ident(&format!("_{rust}"))
        }
    }

    fn declare(
        &mut self,
        name: &str,
        of: &Type,
        value: Option<&Expression>,
        behind: &[Statement],
        style: &StatementStyle,
    ) -> TokenStream {
        let value = value.map_or_else(|| zero(of, name, self.uses), |value| self.value(value));
        let variable = self.own(name, style);
        if let Type::Array(..) = of {
            let of = ty(of, self.uses);
            return quote!(let #variable: #of = #value;);
        }
        let mutable = assigns(behind, name).then(|| quote!(mut));
        quote!(let #mutable #variable = #value;)
    }

    fn assign(
        &mut self,
        target: &Variable,
        index: Option<&Expression>,
        value: &Expression,
        style: &StatementStyle,
    ) -> TokenStream {
        if let Some(index) = index {
            let place = self.place(target);
            let (index, value) = (self.int(index), self.value(value));
            return quote!(#place.set(#index, #value)?;);
        }
        if let Variable::Own(name) = target {
            let place = self.own(name, style);
            if let Kind::Binary(op, left, right) = &value.kind {
                let same = matches!(&left.kind, Kind::Variable(v) if v == target);
                if let Some(symbol) = assigning(*op, &value.ty).filter(|_| same) {
                    let right = self.int(right);
                    return quote!(#place #symbol #right;);
                }
            }
            let value = self.value(value);
            return quote!(#place = #value;);
        }
        let place = self.place(target);
        let value = self.value(value);
        quote!(#place.set(#value);)
    }

    fn branch(
        &mut self,
        condition: &Expression,
        then: &[Statement],
        otherwise: &[Statement],
        style: &StatementStyle,
        tail: bool,
    ) -> TokenStream {
        // A branch without an else can't return the result, because something follows it.
        let tail = tail && !otherwise.is_empty();
        let condition = self.value(condition);
        let then = self.block(then, style, tail);
        if otherwise.is_empty() {
            return quote!(if #condition { #then });
        }
        let chained = matches!(otherwise, [Statement::If { .. }]);
        let otherwise = self.block(otherwise, style, tail);
        if chained {
            quote!(if #condition { #then } else #otherwise)
        } else {
            quote!(if #condition { #then } else { #otherwise })
        }
    }

    fn repeat(
        &mut self,
        condition: &Expression,
        body_first: bool,
        body: &[Statement],
        step: &[Statement],
        style: &StatementStyle,
    ) -> TokenStream {
        let always = constant(condition) == Some(Constant::Bool(true));
        let test = self.value(condition);
        // `continue` must jump to the step or test at the end of the body.
        let skips = jumps(body, &Statement::Continue);
        let skips = skips && (body_first && !always || !step.is_empty());
        let mut label = None;
        let inside = if skips {
            let depth = style.labeled.get();
            let labels = LoopLabels::new(depth);
            style.labeled.set(depth + 1);
            let inside = self.turn(body, style, &labels);
            style.labeled.set(depth);
            let LoopLabels { repeat, turn } = labels;
            label = jumps(body, &Statement::Break).then(|| quote!(#repeat:));
            quote!(#turn: { #inside })
        } else {
            self.block(body, style, false)
        };
        let step = self.block(step, style, false);
        let body = quote!(steps.count()?; #inside #step);
        if always {
            quote!(#label loop { #body })
        } else if body_first {
            quote!(#label loop { #body if !(#test) { break; } })
        } else {
            quote!(#label while #test { #body })
        }
    }

    fn turn(
        &mut self,
        body: &[Statement],
        style: &StatementStyle,
        labels: &LoopLabels,
    ) -> TokenStream {
        let mut all = TokenStream::new();
        for (at, statement) in body.iter().enumerate() {
            let tokens = match statement {
                Statement::Continue => {
                    let turn = &labels.turn;
                    quote!(break #turn;)
                }
                Statement::Break => {
                    let repeat = &labels.repeat;
                    quote!(break #repeat;)
                }
                Statement::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let condition = self.value(condition);
                    let then = self.turn(then, style, labels);
                    let otherwise = self.turn(otherwise, style, labels);
                    if otherwise.is_empty() {
                        quote!(if #condition { #then })
                    } else {
                        quote!(if #condition { #then } else { #otherwise })
                    }
                }
                Statement::Block(inside) => {
                    let inside = self.turn(inside, style, labels);
                    quote!({ #inside })
                }
                other => self.statement(other, &body[at + 1..], style, false),
            };
            all.extend(tokens);
            if matches!(
                statement,
                Statement::Continue | Statement::Break | Statement::Return(_)
            ) {
                break;
            }
        }
        all
    }

    fn give(&mut self, value: &Expression, style: &StatementStyle, tail: bool) -> TokenStream {
        let value = if style.fallible {
            // `Ok(f()?)` can be written as `f()`.
            self.result(value).unwrap_or_else(|| {
                let given = self.value(value);
                quote!(Ok(#given))
            })
        } else {
            self.value(value)
        };
        if tail { value } else { quote!(return #value;) }
    }
}

/// Returns the compound assignment operator for `op`, if Rust has one that can't fail.
fn assigning(op: BinaryOp, ty: &Type) -> Option<TokenStream> {
    Some(match op {
        BinaryOp::Add => quote!(+=),
        BinaryOp::Subtract => quote!(-=),
        BinaryOp::Multiply => quote!(*=),
        BinaryOp::Divide if *ty == Type::Real => quote!(/=),
        _ => return None,
    })
}

fn variables_read(statements: &[Statement]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    walk::statements(statements, &mut |variable, access| {
        if let (Variable::Own(name), walk::Access::Read) = (variable, access) {
            names.insert(name.clone());
        }
    });
    names
}

/// Returns `true` if `statements` contain a `continue` or `break` for the enclosing loop.
fn jumps(statements: &[Statement], jump: &Statement) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::If {
            then, otherwise, ..
        } => jumps(then, jump) || jumps(otherwise, jump),
        Statement::Block(inside) => jumps(inside, jump),
        other => other == jump,
    })
}
