//! Writes elements as calls to the runtime: `A1.execute(ctx, cost).await?`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};

use super::expression::{Stream, ident, int_literal};
use super::handler::RustHandler;
use prophet_frontend::lang::ir::{Expression, ExpressionKind};
use prophet_frontend::program::action::{
    Action, Assigned, Collective, Completion, Compute, Delay, Mode, Offload, OffloadCall,
    Operation, Order, Own, Partner, Receive, Send, SendReceive, Synchronization, Told, Wait,
};
use prophet_frontend::program::{Execute, Posted};
use prophet_frontend::resolve::{is_checked_by_element, needs_before_element, needs_with_calls};
use prophet_model::vocabulary::{Pricing, Required, ValueType};

struct Executed {
    name: Ident,
    stream: Stream,
    /// Whether the cost is a call that returns a `Result`, which the element itself checks.
    direct: bool,
    /// Whether the element's result is also the diagram's result.
    last: bool,
}

impl Executed {
    fn end(&self, call: &TokenStream) -> TokenStream {
        awaited(call, self.last)
    }
}

/// Awaits a call. If it is the `last` step of the diagram, its value is the diagram's value.
pub(super) fn awaited(call: &TokenStream, last: bool) -> TokenStream {
    if last {
        quote!(#call.await)
    } else {
        quote!(#call.await?;)
    }
}

impl RustHandler<'_> {
    /// Executes an element. If it is the `last` step of the diagram, its value is the diagram's
    /// value.
    pub(super) fn execute(&mut self, execute: &Execute, last: bool) {
        self.uses.context();
        let action = &execute.action;
        let functions = &self.program.functions;
        let price = action.price();
        let direct = price.is_some_and(|price| is_checked_by_element(price, functions));
        let marked = needs_before_element(action, functions);
        self.mark(execute.element, &marked);
        let element = Executed {
            name: ident(&self.names.elements[execute.element]),
            stream: self.stream_of(execute.element),
            direct,
            last,
        };
        let statement = match action {
            Action::Compute(compute) => self.compute(&element, compute),
            Action::Send(send) => self.send(&element, send),
            Action::Receive(receive) => self.receive(&element, receive),
            Action::SendReceive(both) => self.send_and_receive(&element, both),
            Action::Wait(wait) => self.wait(&element, wait),
            Action::Collective(collective) => self.collective(&element, collective),
            Action::Order(order) => self.order(&element, order),
            Action::Delay(delay) => self.delay(&element, delay),
            Action::Signal(_) => {
                let name = &element.name;
                element.end(&quote!(#name.execute(ctx)))
            }
            Action::Offload(offload) => self.offload(&element, offload),
            Action::Own(own) => self.own(&element, own),
        };
        self.line(&statement.to_string());
    }

    fn compute(&mut self, element: &Executed, compute: &Compute) -> TokenStream {
        let name = &element.name;
        let price = self.price(element, Some(&compute.price));
        let bytes = compute.bytes.as_ref().map(|bytes| {
            let bytes = self.int(element, bytes);
            let working_set = compute.working_set.as_ref().map(|working_set| {
                let working_set = self.int(element, working_set);
                quote!(.within(#working_set))
            });
            quote!(.moving(#bytes) #working_set)
        });
        element.end(&quote!(#name.execute(ctx, #price) #bytes))
    }

    fn delay(&mut self, element: &Executed, delay: &Delay) -> TokenStream {
        let name = &element.name;
        let price = self.price(element, Some(&delay.price));
        element.end(&quote!(#name.execute(ctx, #price)))
    }

    fn send(&mut self, element: &Executed, send: &Send) -> TokenStream {
        let name = &element.name;
        let dest = self.partner(element, &send.dest);
        let of = self.uses.name("Message");
        let size = self.or_zero(element, send.size.as_ref());
        let tag = self.tag(element, send.tag.as_ref());
        let price = self.price(element, send.price.as_ref());
        let value = self.carried(element, send.value.as_ref());
        element.end(&quote!(#name.execute(ctx, #dest, #of::bytes(#size) #tag, #price) #value))
    }

    fn receive(&mut self, element: &Executed, receive: &Receive) -> TokenStream {
        let name = &element.name;
        let source = self.partner(element, &receive.source);
        let message = self.expected(element, receive.limit.as_ref(), receive.tag.as_ref());
        let price = self.price(element, receive.price.as_ref());
        let call = quote!(#name.execute(ctx, #source, #message, #price));
        match receive.completion {
            Completion::Blocking => self.received(element, &call, &receive.results),
            // The results are assigned by a wait.
            Completion::Awaited(_) => element.end(&call),
        }
    }

    fn send_and_receive(&mut self, element: &Executed, both: &SendReceive) -> TokenStream {
        let name = &element.name;
        let dest = self.partner(element, &both.dest);
        let source = self.partner(element, &both.source);
        let message = self.expected(element, both.size.as_ref(), both.tag.as_ref());
        let price = self.price(element, both.price.as_ref());
        let value = self.carried(element, both.value.as_ref());
        let call = quote!(#name.execute(ctx, #dest, #source, #message, #price) #value);
        self.received(element, &call, &both.results)
    }

    /// Awaits a message, and assigns what it tells, such as its size.
    fn received(
        &mut self,
        element: &Executed,
        call: &TokenStream,
        results: &[Assigned],
    ) -> TokenStream {
        if results.is_empty() {
            return element.end(call);
        }
        let assignments = self.assignments(results);
        quote!(let received = #call.received().await?; #assignments)
    }

    fn wait(&mut self, element: &Executed, wait: &Wait) -> TokenStream {
        let name = &element.name;
        let ended = self.ended(wait);
        let Mode::Any { index } = &wait.mode else {
            return match ended {
                None => element.end(&quote!(#name.execute(ctx))),
                Some(arms) => {
                    quote!(for received in #name.execute(ctx).received().await? { #arms })
                }
            };
        };
        let set = index.as_ref().map(|variable| {
            let place = self.write(Stream::None, |writer| writer.place(variable));
            quote!(#place.set)
        });
        let Some(arms) = ended else {
            let any = quote!(#name.any(ctx).await?);
            return set.map_or_else(|| quote!(#any;), |set| quote!(#set(#any);));
        };
        let set = set.map(|set| quote!(#set(received.0);));
        quote! {
            let received = #name.any(ctx).received().await?;
            #set
            if let Some(received) = received.1 { #arms }
        }
    }

    /// Writes the assignments for the receives that a wait may complete, or returns `None` if there
    /// are none.
    fn ended(&mut self, wait: &Wait) -> Option<TokenStream> {
        let posted = self.posted.iter().filter(|it| it.may_end_by(wait));
        let ends: Vec<Posted<'_>> = posted.copied().collect();
        let arms = ends.iter().map(|posted| {
            let name = ident(&self.names.elements[posted.element]);
            let assignments = self.assignments(&posted.receive.results);
            quote!(if received.is_of(&#name) { #assignments })
        });
        let arms: TokenStream = arms.collect();
        (!ends.is_empty()).then_some(arms)
    }

    /// Writes the assignments of values from `received`.
    fn assignments(&mut self, results: &[Assigned]) -> TokenStream {
        let assign = |result: &Assigned| {
            let value = match result.part {
                Told::Real => quote!(received.real(ctx)?),
                Told::Int => quote!(received.int(ctx)?),
                Told::Source => quote!(received.source()),
                Told::Tag => quote!(received.tag()),
                Told::Size => quote!(received.size()),
            };
            let place = self.write(Stream::None, |writer| writer.place(&result.variable));
            quote!(#place.set(#value);)
        };
        results.iter().map(assign).collect()
    }

    fn collective(&mut self, element: &Executed, collective: &Collective) -> TokenStream {
        let name = &element.name;
        let operands = match &collective.operation {
            Operation::Rooted { root, size, .. } => {
                let root = self.or_zero(element, root.as_ref());
                let size = self.or_zero(element, size.as_ref());
                quote!(#root, #size,)
            }
            Operation::Unrooted { size, .. } => {
                let size = self.or_zero(element, size.as_ref());
                quote!(#size,)
            }
            Operation::Barrier => quote!(),
        };
        let comm = collective.comm.as_ref().map(|comm| self.comm(comm));
        let price = self.price(element, collective.price.as_ref());
        element.end(&quote!(#name.execute(ctx, #operands #price) #comm))
    }

    /// Writes an element that synchronizes threads but is drawn as an action. Its cost is its
    /// content.
    fn order(&mut self, element: &Executed, order: &Order) -> TokenStream {
        let name = &element.name;
        let price = order.price.as_ref();
        let price = price.map(|price| self.price(element, Some(price)));
        element.end(&match (order.by, price) {
            (Synchronization::Barrier, None) => quote!(#name.execute(ctx)),
            (Synchronization::Barrier, Some(price)) => quote!(#name.execute_priced(ctx, #price)),
            (Synchronization::Gate(_), None) => quote!(#name.execute(ctx, async { Ok(()) })),
            (Synchronization::Gate(_), Some(price)) => {
                quote!(#name.execute(ctx, #name.compute(ctx, #price)))
            }
        })
    }

    fn offload(&mut self, element: &Executed, offload: &Offload) -> TokenStream {
        let name = &element.name;
        let mut calls = TokenStream::new();
        if offload.call == (OffloadCall::Copy { to_host: true }) {
            calls.extend(quote!(.to_host()));
        }
        for argument in &offload.arguments {
            let Some(value) = &argument.value else {
                continue;
            };
            let tag = ident(argument.tag.name);
            let value = match argument.tag.ty {
                ValueType::Int => self.int(element, value),
                _ => self.write(element.stream.clone(), |writer| writer.value(value)),
            };
            calls.extend(quote!(.#tag(#value)));
        }
        let price = match offload.call {
            OffloadCall::Kernel | OffloadCall::Copy { .. } => {
                let price = self.price(element, offload.price.as_ref());
                quote!(, #price)
            }
            OffloadCall::Event | OffloadCall::Synchronize => quote!(),
        };
        element.end(&quote!(#name.execute(ctx #price) #calls))
    }

    /// Writes an element with a custom stereotype: its tags in order, with optional ones as
    /// `Option`s, and then its cost.
    fn own(&mut self, element: &Executed, own: &Own) -> TokenStream {
        let name = &element.name;
        let mut arguments = vec![quote!(ctx)];
        for argument in &own.arguments {
            let value = argument.value.as_ref();
            let value =
                value.map(|it| self.write(element.stream.clone(), |writer| writer.value(it)));
            arguments.push(match value {
                Some(value) if argument.tag.required == Required::Always => value,
                Some(value) => quote!(Some(#value)),
                None => quote!(None),
            });
        }
        if own.stereotype.pricing != Pricing::Content {
            arguments.push(self.price(element, own.price.as_ref()));
        }
        element.end(&quote!(#name.execute(#(#arguments),*)))
    }

    fn int(&mut self, element: &Executed, value: &Expression) -> TokenStream {
        self.write(element.stream.clone(), |writer| writer.int(value))
    }

    /// Writes an int argument, or 0 if it is omitted.
    fn or_zero(&mut self, element: &Executed, value: Option<&Expression>) -> TokenStream {
        value.map_or_else(|| int_literal(0), |value| self.int(element, value))
    }

    /// Writes a message's partner. If it is a real number, the run checks that it is whole.
    fn partner(&mut self, element: &Executed, partner: &Partner) -> TokenStream {
        match partner {
            Partner::Number(number) => self.int(element, number),
            Partner::Whole(real) => {
                let whole = self.uses.name("whole");
                let real = self.write(element.stream.clone(), |writer| writer.value(real));
                quote!(#whole(#real))
            }
        }
    }

    fn expected(
        &mut self,
        element: &Executed,
        limit: Option<&Expression>,
        tag: Option<&Expression>,
    ) -> TokenStream {
        let of = self.uses.name("Message");
        let mut size = quote!(any_size());
        if let Some(limit) = limit {
            let limit = self.int(element, limit);
            size = quote!(bytes(#limit));
        }
        let tag = self.tag(element, tag);
        quote!(#of::#size #tag)
    }

    fn tag(&mut self, element: &Executed, tag: Option<&Expression>) -> Option<TokenStream> {
        let tag = self.int(element, tag?);
        Some(quote!(.tag(#tag)))
    }

    fn carried(&mut self, element: &Executed, value: Option<&Expression>) -> Option<TokenStream> {
        let value = self.write(element.stream.clone(), |writer| Some(writer.value(value?)))?;
        Some(quote!(.value(#value)))
    }

    /// Writes the expression that chooses a communicator, as a function of the process.
    fn comm(&mut self, comm: &Expression) -> TokenStream {
        let functions = &self.program.functions;
        let needs = needs_with_calls(comm, functions);
        if let ExpressionKind::Call(function, arguments) = &comm.kind
            && arguments.is_empty()
            && needs.system
            && !needs.globals
        {
            let name = ident(&self.names.functions[*function]);
            return quote!(.comm(#name));
        }
        let value = self.write(Stream::None, |writer| match writer.result(comm) {
            Some(result) => result,
            None if needs.fallible => {
                let (fault, value) = (writer.uses.name("Fault"), writer.value(comm));
                quote!(Ok::<_, #fault>(#value))
            }
            None => writer.value(comm),
        });
        if needs.system {
            quote!(.comm(|ctx| #value))
        } else {
            quote!(.comm(|_| #value))
        }
    }

    fn price(&mut self, element: &Executed, price: Option<&Expression>) -> TokenStream {
        let Some(price) = price else {
            return self.uses.name("ByMachine").into_token_stream();
        };
        self.write(element.stream.clone(), |writer| {
            let result = element.direct.then(|| writer.result(price)).flatten();
            result.unwrap_or_else(|| writer.value(price))
        })
    }
}
