//! Writes steps as statements of an async function.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::execute::awaited;
use super::expression::{Stream, ident, int_literal, text_literal};
use super::function::fragment;
use super::handler::RustHandler;
use crate::text::plain;
use prophet_frontend::lang::ir::{Expression, ExpressionKind, Needs};
use prophet_frontend::program::{
    Arm, Branch, Call, DiagramIndex, ElementIndex, Label, Repeat, Repetition, Step,
};

impl<'p> RustHandler<'p> {
    /// Starts a step. If it is the `last` step of the diagram, its value is the diagram's value.
    pub(super) fn open_step(&mut self, step: &'p Step, last: bool) {
        match step {
            Step::Code(code) => {
                let name = plain(&self.program.elements[code.element].name);
                self.line(&format!("\n// Code associated with {name}."));
                self.mark(code.element, &code.needs);
                let stream = self.stream_of(code.element);
                let text = self.write(stream, |writer| fragment(&code.statements, writer));
                self.line(&text);
            }
            Step::Execute(execute) => self.execute(execute, last),
            Step::Call(call) => self.call(call, last),
            Step::Region(region) => self.region(region, last),
            Step::Pass(pass) => self.pass(pass, last),
            Step::Scope(scope) => {
                if !scope.locals.is_empty() {
                    self.line("{");
                    self.locals(&scope.locals);
                }
            }
            Step::Branch(branch) => self.open_branch(branch),
            Step::Repeat(repeat) => self.open_repeat(repeat),
            Step::While(one) => {
                let label = label_prefix(one.label);
                let stream = self.stream_of(one.element);
                let condition = self.write(stream, |writer| writer.value(&one.condition));
                if one.needs.fallible || one.needs.stream {
                    self.line(&format!("{label}loop {{"));
                    self.mark(one.element, &one.needs);
                    self.line(&format!("if !({condition}) {{ break; }}"));
                } else {
                    self.line(&format!("{label}while {condition} {{"));
                }
                self.turn(one.element);
            }
            Step::Loop(one) => {
                self.line(&format!("{}loop {{", label_prefix(one.label)));
                self.turn(one.element);
            }
            Step::Labeled(label, _) => self.line(&format!("{}{{", label_prefix(Some(*label)))),
            Step::Break(label) => self.line(&format!("break{}", label_suffix(*label))),
            Step::Continue(label) => self.line(&format!("continue{}", label_suffix(*label))),
            Step::Return => self.line("return Ok(());"),
            Step::Dispatch(dispatch) => {
                let (label, entry) = (dispatch.label, dispatch.entry);
                self.line(&format!("let mut state_{label} = {entry};"));
                self.line(&format!("{}loop {{", label_prefix(Some(label))));
                self.turn(dispatch.element);
                self.line(&format!("match state_{label} {{"));
            }
            Step::Goto(label, state) => {
                self.line(&format!("state_{label} = {state};"));
                self.line(&format!("continue{}", label_suffix(Some(*label))));
            }
        }
    }

    fn open_repeat(&mut self, repeat: &Repeat) {
        self.mark(repeat.element, &repeat.needs);
        let stream = self.stream_of(repeat.element);
        let count = self.write(stream, |writer| writer.int(&repeat.iterations));
        if matches!(repeat.repetition, Repetition::MayRepeat { .. }) {
            return self.open_repeating(repeat, &count);
        }
        let variable = match &repeat.variable {
            Some(name) => {
                self.counters.insert(name.clone());
                self.variables.name(name)
            }
            None => "_".to_owned(),
        };
        let iterations = self.uses.name("iterations");
        self.line(&format!(
            "for {variable} in {} {{",
            quote!(#iterations(#count))
        ));
        self.turn(repeat.element);
    }

    /// Starts a loop that can be cut short if its iterations repeat earlier ones.
    fn open_repeating(&mut self, repeat: &Repeat, count: &TokenStream) {
        let Repetition::MayRepeat {
            least,
            variables,
            periods,
        } = &repeat.repetition
        else {
            return;
        };
        let of = self.uses.name("Repeat");
        let name = ident(&self.names.elements[repeat.element]);
        let least = (*least > 0).then(|| {
            let least = int_literal(*least);
            quote!(.at_least(#least))
        });
        let periods: Vec<TokenStream> = periods.iter().map(|it| self.period(it)).collect();
        let made = quote!(let mut repeat = #of::new(&#name, #count) #least #(#periods)*;);
        self.line(&made.to_string());
        let values = variables.iter().map(|variable| {
            let value = self.write(Stream::None, |writer| writer.variable(variable));
            quote!(#value.into())
        });
        let values: Vec<TokenStream> = values.collect();
        let ctx = self.uses.context();
        let head = quote!(while repeat.next(#ctx, &[#(#values),*]).await?);
        self.line(&format!("{head} {{"));
        if let Some(name) = &repeat.variable {
            self.counters.insert(name.clone());
            let name = self.variables.name(name);
            self.line(&format!("let {name} = repeat.number();"));
        }
    }

    /// Writes the period of the iteration number, after which all its remainders repeat.
    fn period(&mut self, factors: &[Expression]) -> TokenStream {
        if let [
            Expression {
                kind: ExpressionKind::Int(value),
                ..
            },
        ] = factors
        {
            let value = int_literal(*value);
            return quote!(.modulo(#value));
        }
        let factors = factors.iter();
        let factors: Vec<TokenStream> = factors
            .map(|factor| self.write(Stream::None, |writer| writer.value(factor)))
            .collect();
        quote!(.modulo_product(|| Ok([#(#factors),*])))
    }

    pub(super) fn close_step(&mut self, step: &'p Step) {
        match step {
            Step::Scope(scope) if scope.locals.is_empty() => {}
            Step::Branch(branch) => self.close_branch(branch),
            Step::Repeat(repeat) => {
                if let Some(name) = &repeat.variable {
                    self.counters.remove(name);
                }
                self.line("}");
            }
            Step::Dispatch(_) => {
                // There are no other states, and a flow that ends returns.
                self.line("_ => return Ok(()),\n}\n}");
            }
            Step::Scope(_) | Step::While(_) | Step::Loop(_) | Step::Labeled(..) => self.line("}"),
            Step::Code(_)
            | Step::Execute(_)
            | Step::Call(_)
            | Step::Region(_)
            | Step::Pass(_)
            | Step::Break(_)
            | Step::Continue(_)
            | Step::Return
            | Step::Goto(..) => {}
        }
    }

    pub(super) fn mark(&mut self, element: ElementIndex, needs: &Needs) {
        if needs.fallible || needs.stream {
            let name = ident(&self.names.elements[element]);
            let ctx = self.uses.context();
            self.line(&quote!(#ctx.at(&#name);).to_string());
        }
    }

    pub(super) fn stream_of(&self, element: ElementIndex) -> Stream {
        match self.names.elements[element].as_str() {
            "" => Stream::None,
            name => Stream::Of(ident(name)),
        }
    }

    /// Counts a loop iteration, so that loops that never advance time are stopped.
    fn turn(&mut self, element: ElementIndex) {
        let name = ident(&self.names.elements[element]);
        let ctx = self.uses.context();
        self.line(&quote!(#ctx.turn(&#name)?;).to_string());
    }

    fn call(&mut self, call: &Call, last: bool) {
        let mut tokens = self.call_of(call.diagram);
        if call.measured {
            let name = ident(&self.names.elements[call.element]);
            tokens = quote!(#name.execute(ctx, #tokens));
        }
        self.line(&awaited(&tokens, last).to_string());
    }

    /// Writes a call of a diagram's function, without the await.
    pub(super) fn call_of(&mut self, diagram: DiagramIndex) -> TokenStream {
        let function = ident(&self.names.diagrams[diagram]);
        let mut arguments = vec![self.uses.context().into_token_stream()];
        if self.with_globals[diagram] {
            arguments.push(quote!(globals));
        }
        for outer in &self.program.diagrams[diagram].outer {
            let name = ident(&self.variables.name(&outer.name));
            // The function's own variables are values, and outer ones are references.
            arguments.push(if outer.counter || self.is_reference(&outer.name) {
                quote!(#name)
            } else {
                quote!(&#name)
            });
        }
        quote!(#function(#(#arguments),*))
    }

    /// Returns `true` if this variable comes from outside the current diagram.
    fn is_reference(&self, name: &str) -> bool {
        let current = &self.program.diagrams[self.diagram];
        current.outer.iter().any(|outer| outer.name == name)
    }

    fn open_branch(&mut self, branch: &Branch) {
        if !self.branches.begin(branch) {
            self.mark(branch.element, &branch.needs);
        }
    }

    pub(super) fn open_arm(&mut self, arm: &'p Arm) {
        let Some((element, is_else)) = self.branches.arm() else {
            return;
        };
        let word = if is_else { "} else if" } else { "if" };
        let stream = self.stream_of(element);
        let guard = self.write(stream, |writer| writer.value(&arm.guard));
        self.line(&format!("{word} {guard} {{"));
    }

    pub(super) fn open_otherwise(&mut self, steps: &'p [Step]) {
        if self.branches.otherwise(steps) {
            self.line("} else {");
        }
    }

    fn close_branch(&mut self, branch: &Branch) {
        if branch.otherwise.is_none() {
            let stuck = self.stuck(branch);
            self.line(&format!("}} else {{\nreturn Err({stuck});"));
        }
        if !self.branches.end() {
            self.line("}");
        }
    }

    /// Writes the failure of a branch whose guards all turned out false.
    fn stuck(&mut self, branch: &Branch) -> TokenStream {
        let name = ident(&self.names.elements[branch.element]);
        let ctx = self.uses.context();
        let comment = self.program.elements[branch.element].comment.as_deref();
        let compared = branch.compared();
        if comment.is_none() && compared.is_none() {
            return quote!(#name.stuck(#ctx));
        }
        let comment = comment.unwrap_or_default();
        let compared = match compared {
            None => quote!(None),
            Some((left, operator, right)) => {
                let (left, right) = self.write(Stream::None, |writer| {
                    (writer.value(&left), writer.value(&right))
                });
                quote!(Some((#left, #operator, #right)))
            }
        };
        let comment = text_literal(comment);
        quote!(#name.unmet(#ctx, #compared, #comment))
    }
}

/// Returns the prefix of a labeled loop or block, such as `'l0: `.
fn label_prefix(label: Option<Label>) -> String {
    label
        .map(|label| format!("'l{label}: "))
        .unwrap_or_default()
}

/// Returns what follows `break` or `continue`, such as ` 'l0;`.
fn label_suffix(label: Option<Label>) -> String {
    label.map_or_else(|| ";".to_owned(), |label| format!(" 'l{label};"))
}
