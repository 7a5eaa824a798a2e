//! Steps as statements of an async function.

use proc_macro2::TokenStream;
use quote::quote;

use super::expression::{ident, int_literal, result_of};
use super::function::fragment;
use super::handler::RustHandler;
use super::region::orders_threads;
use crate::lang::ir::{Expression, ExpressionKind, Needs, Type};
use crate::model::StereotypeKind;
use crate::program::{
    Arm, Assigned, Branch, Call, DiagramIndex, Execute, Label, Mode, Repeat, Step, Told,
};
use crate::target::text::plain;
use crate::vocabulary::{OwnStereotype, Pricing, Required};

impl<'p> RustHandler<'p> {
    pub(super) fn open_step(&mut self, step: &'p Step) {
        match step {
            Step::Code(code) => {
                let name = plain(&self.program.elements[code.element].name);
                self.line(&format!("\n// Code associated with {name}."));
                self.mark(code.element, &code.needs);
                let stream = self.stream_of(code.element);
                let text = self.write(stream, |writer| fragment(&code.statements, writer));
                self.line(&text);
            }
            Step::Execute(execute) => self.execute(execute),
            Step::Call(call) => self.call(call),
            Step::Region(region) => self.region(region),
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
                // There is no other state; a flow that ends returns.
                self.line("_ => return Ok(()),\n}\n}");
            }
            Step::Scope(_) | Step::While(_) | Step::Loop(_) | Step::Labeled(..) => self.line("}"),
            _ => {}
        }
    }

    /// Tells the runtime which element is at fault if the next code fails.
    pub(super) fn mark(&mut self, element: usize, needs: &Needs) {
        if needs.fallible || needs.stream {
            let name = ident(&self.names.elements[element]);
            self.line(&quote!(ctx.at(&#name);).to_string());
        }
    }

    /// What draws the random numbers of an element.
    pub(super) fn stream_of(&self, element: usize) -> TokenStream {
        let name = &self.names.elements[element];
        if name.is_empty() {
            return quote!(stream);
        }
        let name = ident(name);
        quote!(ctx.stream(&#name))
    }

    /// Counts a turn of a loop, which stops one that never advances time.
    fn turn(&mut self, element: usize) {
        let name = ident(&self.names.elements[element]);
        self.line(&quote!(ctx.turn(&#name)?;).to_string());
    }

    fn call(&mut self, call: &Call) {
        let tokens = self.call_of(call.diagram);
        let tokens = if call.measured {
            let name = ident(&self.names.elements[call.element]);
            quote!(#name.execute(ctx, #tokens).await?;)
        } else {
            quote!(#tokens.await?;)
        };
        self.line(&tokens.to_string());
    }

    /// The call of a diagram's function, not yet awaited.
    pub(super) fn call_of(&mut self, diagram: DiagramIndex) -> TokenStream {
        let function = ident(&self.names.diagrams[diagram]);
        let mut arguments = vec![quote!(ctx)];
        if self.with_globals[diagram] {
            arguments.push(quote!(globals));
        }
        for outer in &self.program.diagrams[diagram].outer {
            let name = ident(&self.variables.name(&outer.name));
            // Variables of this very function are values; those from outside are references.
            arguments.push(if outer.counter || self.is_reference(&outer.name) {
                quote!(#name)
            } else {
                quote!(&#name)
            });
        }
        quote!(#function(#(#arguments),*))
    }

    /// Whether a variable came into the current diagram from outside.
    fn is_reference(&self, name: &str) -> bool {
        let current = &self.program.diagrams[self.parts.diagrams.len()];
        current.outer.iter().any(|outer| outer.name == name)
    }

    fn execute(&mut self, execute: &Execute) {
        let direct = execute
            .price
            .as_ref()
            .is_some_and(|price| self.is_result(price));
        let marked = self.marked(execute, direct);
        self.mark(execute.element, &marked);
        let name = ident(&self.names.elements[execute.element]);
        let stream = self.stream_of(execute.element);
        if orders_threads(execute.stereotype) {
            let priced = execute.price.is_some();
            let price = priced.then(|| self.price(execute, &stream, direct));
            return self.ordering(execute, price.as_ref());
        }
        if let StereotypeKind::Own(own) = execute.stereotype {
            return self.own(execute, own, &stream, direct);
        }
        let tag = |name: &str| {
            execute
                .arguments
                .iter()
                .find(|argument| argument.tag == name)?
                .value
                .as_ref()
        };
        let mut arguments = vec![quote!(ctx)];
        let message = self.message(execute, &stream);
        for role in ["dest", "source"] {
            let process =
                tag(role).map(|value| self.write(stream.clone(), |writer| writer.process(value)));
            arguments.extend(process);
        }
        let mut int = |value: Option<&Expression>| match value {
            Some(value) => self.write(stream.clone(), |writer| writer.int(value)),
            None => int_literal(0),
        };
        match execute.stereotype {
            StereotypeKind::Broadcast
            | StereotypeKind::Reduce
            | StereotypeKind::Gather
            | StereotypeKind::Scatter => {
                arguments.push(int(tag("root")));
                arguments.push(int(tag("size")));
            }
            StereotypeKind::AllReduce
            | StereotypeKind::AllGather
            | StereotypeKind::AllToAll
            | StereotypeKind::ReduceScatter
            | StereotypeKind::Scan => arguments.push(int(tag("size"))),
            _ => {}
        }
        let comm = tag("comm").map(|comm| self.comm(comm));
        arguments.extend(message);
        if execute.stereotype != StereotypeKind::Wait {
            arguments.push(self.price(execute, &stream, direct));
        }
        let moving = self.moving(execute, &stream);
        let value = tag("value").map(|value| {
            let value = self.write(stream.clone(), |writer| writer.value(value));
            quote!(.value(#value))
        });
        let element = quote!(#name.execute(#(#arguments),*) #comm #moving #value);
        self.awaited(execute, &element);
    }

    /// Awaits an element, and assigns what it tells.
    fn awaited(&mut self, execute: &Execute, element: &TokenStream) {
        let assigns_now = execute.stereotype != StereotypeKind::NbRecv;
        if execute.mode == Mode::Any {
            return self.awaited_any(execute);
        }
        if assigns_now && !execute.results.is_empty() {
            self.line(&quote!(let received = #element.received().await?;).to_string());
            let assignments = self.assignments(&execute.results);
            return self.line(&assignments.to_string());
        }
        match self.ended(execute) {
            None => self.line(&quote!(#element.await?;).to_string()),
            Some(arms) => {
                let all = quote!(for received in #element.received().await? { #arms });
                self.line(&all.to_string());
            }
        }
    }

    /// Awaits any of several requests, and assigns which that was and what it has received.
    fn awaited_any(&mut self, execute: &Execute) {
        let name = ident(&self.names.elements[execute.element]);
        let mut places = execute.results.iter().map(|result| &result.variable);
        let index = places.next().map(|variable| {
            let place = self.write(quote!(), |writer| writer.place(variable));
            quote!(#place.set)
        });
        let Some(arms) = self.ended(execute) else {
            let any = quote!(#name.any(ctx).await?);
            let line = index.map_or_else(|| quote!(#any;), |set| quote!(#set(#any);));
            return self.line(&line.to_string());
        };
        self.line(&quote!(let received = #name.any(ctx).received().await?;).to_string());
        if let Some(set) = index {
            self.line(&quote!(#set(received.0);).to_string());
        }
        self.line(&quote!(if let Some(received) = received.1 { #arms }).to_string());
    }

    /// What is done with each that a wait has `received`, if anything is.
    fn ended(&mut self, execute: &Execute) -> Option<TokenStream> {
        if !self.program.may_assign(execute, &self.posted) {
            return None;
        }
        let posted = self.posted.clone();
        let ends = posted
            .into_iter()
            .filter(|posted| self.program.may_end(execute, posted));
        let arms = ends.map(|posted| {
            let name = ident(&self.names.elements[posted.element]);
            let assignments = self.assignments(&posted.results);
            quote!(if received.is_of(&#name) { #assignments })
        });
        Some(arms.collect())
    }

    /// The assignments of what is `received`.
    fn assignments(&mut self, results: &[Assigned]) -> TokenStream {
        let assign = |result: &Assigned| {
            let value = match (result.part, &result.ty) {
                (Told::Value, Type::Real) => quote!(received.real(ctx)?),
                (Told::Value, _) => quote!(received.int(ctx)?),
                (Told::Source, _) => quote!(received.source()),
                (Told::Tag, _) => quote!(received.tag()),
                (Told::Size, _) => quote!(received.size()),
                // A wait's own, which is assigned where it ends.
                (Told::Index, _) => return quote!(),
            };
            let place = self.write(quote!(), |writer| writer.place(&result.variable));
            quote!(#place.set(#value);)
        };
        results.iter().map(assign).collect()
    }

    /// What the arguments of an element need, and its price where it is no `direct` result.
    fn marked(&self, execute: &Execute, direct: bool) -> Needs {
        // A fault in a communicator is the element's own to report.
        let arguments = execute
            .arguments
            .iter()
            .filter(|argument| argument.tag != "comm")
            .filter_map(|argument| argument.value.as_ref());
        let mut marked = Needs::default();
        for value in arguments.chain(execute.price.iter().filter(|_| !direct)) {
            marked.merge(&crate::resolve::needs_with_calls(
                value,
                &self.program.functions,
            ));
        }
        marked
    }

    /// The execution of an element of the user's own: its tags in their order, those that may be
    /// left out as options, then its price.
    fn own(&mut self, execute: &Execute, own: &OwnStereotype, stream: &TokenStream, direct: bool) {
        let name = ident(&self.names.elements[execute.element]);
        let mut arguments = vec![quote!(ctx)];
        for (tag, argument) in own.tags.iter().zip(&execute.arguments) {
            let value = argument.value.as_ref();
            let value = value.map(|it| self.write(stream.clone(), |writer| writer.value(it)));
            arguments.push(match value {
                Some(value) if tag.required == Required::Always => value,
                Some(value) => quote!(Some(#value)),
                None => quote!(None),
            });
        }
        if own.pricing != Pricing::Content {
            arguments.push(self.price(execute, stream, direct));
        }
        self.line(&quote!(#name.execute(#(#arguments),*).await?;).to_string());
    }

    /// The bytes that an action moves between memory and CPU.
    fn moving(&mut self, execute: &Execute, stream: &TokenStream) -> Option<TokenStream> {
        let argument = execute.arguments.iter();
        let mut argument = argument.filter(|argument| argument.tag == "bytes");
        let value = argument.next()?.value.as_ref()?;
        let bytes = self.write(stream.clone(), |writer| writer.int(value));
        Some(quote!(.moving(#bytes)))
    }

    /// A communicator's expression, as a function of any process.
    fn comm(&mut self, comm: &Expression) -> TokenStream {
        let functions = &self.program.functions;
        let needs = crate::resolve::needs_with_calls(comm, functions);
        if let ExpressionKind::Call(function, arguments) = &comm.kind
            && arguments.is_empty()
            && needs.system
            && !needs.globals
        {
            let name = ident(&self.names.functions[*function]);
            return quote!(.comm(#name));
        }
        // It draws no random numbers.
        let value = self.write(quote!(), |writer| writer.value(comm));
        let value = match result_of(comm, &value) {
            Some(result) => result,
            None if needs.fallible => {
                let fault = self.uses.name("Fault");
                quote!(Ok::<_, #fault>(#value))
            }
            None => value,
        };
        if needs.system {
            quote!(.comm(|ctx| #value))
        } else {
            quote!(.comm(|_| #value))
        }
    }

    /// The size and tag of a message.
    fn message(&mut self, execute: &Execute, stream: &TokenStream) -> Option<TokenStream> {
        use StereotypeKind as S;
        let sends = matches!(execute.stereotype, S::BSend | S::NbSend);
        let receives = matches!(execute.stereotype, S::BRecv | S::NbRecv | S::SendRecv);
        if !sends && !receives {
            return None;
        }
        let of = self.uses.name("Message");
        // A send whose price is its own may leave the size out.
        let mut tokens = if sends {
            quote!(#of::bytes(0))
        } else {
            quote!(#of::any_size())
        };
        for argument in &execute.arguments {
            let Some(value) = &argument.value else {
                continue;
            };
            if !matches!(argument.tag, "size" | "tag") {
                continue;
            }
            let value = self.write(stream.clone(), |writer| writer.int(value));
            match argument.tag {
                "size" => tokens = quote!(#of::bytes(#value)),
                "tag" => tokens = quote!(#tokens.tag(#value)),
                _ => {}
            }
        }
        Some(tokens)
    }

    fn price(&mut self, execute: &Execute, stream: &TokenStream, direct: bool) -> TokenStream {
        match &execute.price {
            None => {
                let machine = self.uses.name("ByMachine");
                quote!(#machine)
            }
            Some(Expression {
                kind: ExpressionKind::Call(function, arguments),
                ..
            }) if direct => {
                self.write(stream.clone(), |writer| writer.call(*function, arguments).0)
            }
            Some(price) => self.write(stream.clone(), |writer| writer.value(price)),
        }
    }

    /// Whether a price is the call of a function that can fail, with arguments that cannot: the
    /// element itself then reports the fault.
    fn is_result(&self, price: &Expression) -> bool {
        let ExpressionKind::Call(function, arguments) = &price.kind else {
            return false;
        };
        let functions = &self.program.functions;
        price.ty == Type::Real
            && functions[*function].needs.fallible
            && arguments
                .iter()
                .all(|argument| !crate::resolve::needs_with_calls(argument, functions).fallible)
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
            let name = ident(&self.names.elements[branch.element]);
            let stuck = quote!(return Err(#name.stuck(ctx)););
            self.line(&format!("}} else {{\n{stuck}"));
        }
        if !self.branches.end() {
            self.line("}");
        }
    }
}

/// `'l0: `, in front of a loop or block.
fn label_prefix(label: Option<Label>) -> String {
    label
        .map(|label| format!("'l{label}: "))
        .unwrap_or_default()
}

/// ` 'l0;`, behind `break` or `continue`.
fn label_suffix(label: Option<Label>) -> String {
    label.map_or_else(|| ";".to_owned(), |label| format!(" 'l{label};"))
}
