//! Writes regions as calls to the runtime, with their content as closures.

use proc_macro2::TokenStream;
use quote::quote;

use super::execute::awaited;
use super::expression::{Stream, ident};
use super::handler::RustHandler;
use crate::split::MOST_AWAITS;
use prophet_frontend::program::{
    Construct, DiagramIndex, Iterations, Pass, Region, Schedule, Team,
};

impl RustHandler<'_> {
    /// Executes a region. If it is the `last` step of the diagram, its value is the diagram's
    /// value.
    pub(super) fn region(&mut self, region: &Region, last: bool) {
        self.uses.context();
        self.mark(region.element, &region.needs);
        let name = ident(&self.names.elements[region.element]);
        let stream = self.stream_of(region.element);
        let tokens = match &region.construct {
            Construct::Parallel(team) => {
                let threads = self.threads(team, &stream);
                let body = self.content(&region.parts);
                quote!(#name.execute(ctx, #threads, async |ctx| #body.await))
            }
            Construct::ParallelDo(team, shared) => {
                let threads = self.threads(team, &stream);
                let count = self.write(stream.clone(), |writer| writer.int(&shared.count));
                let schedule = self.schedule(shared, &stream);
                let mut variable = quote!(_);
                if let Some(name) = &shared.variable {
                    self.counters.insert(name.clone());
                    let name = ident(&self.variables.name(name));
                    variable = quote!(#name);
                }
                let body = self.content(&region.parts);
                if let Some(name) = &shared.variable {
                    self.counters.remove(name);
                }
                let body = quote!(async |ctx, #variable| #body.await);
                quote!(#name.execute(ctx, #threads, #count, #schedule, #body))
            }
            Construct::ParallelSections(team) => {
                let threads = self.threads(team, &stream);
                let (count, choice) = self.choice(&region.parts, "section");
                quote!(#name.execute(ctx, #threads, #count, #choice))
            }
            Construct::Fork => {
                let (count, choice) = self.choice(&region.parts, "branch");
                quote!(#name.execute(ctx, #count, #choice))
            }
            Construct::Flows(targets) => {
                let targets = numbers(targets);
                let (_, choice) = self.choice(&region.parts, "part");
                quote!(#name.execute(ctx, &[#(#targets),*], #choice))
            }
            Construct::Gated(_) => {
                let body = self.content(&region.parts);
                quote!(#name.execute(ctx, #body))
            }
        };
        self.line(&awaited(&tokens, last).to_string());
    }

    /// Gives tokens to parts of the enclosing region. If it is the `last` step of the diagram, its
    /// value is the diagram's value.
    pub(super) fn pass(&mut self, pass: &Pass, last: bool) {
        let ctx = self.uses.context();
        let name = ident(&self.names.elements[pass.element]);
        let flows = numbers(&pass.flows);
        let call = quote!(#name.pass(#ctx, &[#(#flows),*]));
        let text = if last { call } else { quote!(#call?;) };
        self.line(&text.to_string());
    }

    fn content(&mut self, parts: &[DiagramIndex]) -> TokenStream {
        match parts {
            [part] => self.call_of(*part),
            _ => unreachable!("only forks and sections have several parts"),
        }
    }

    fn threads(&mut self, team: &Team, stream: &Stream) -> TokenStream {
        let of = self.uses.name("Threads");
        let Some(count) = team else {
            return quote!(#of::Default);
        };
        let count = self.write(stream.clone(), |writer| writer.value(count));
        quote!(#of::Of(#count))
    }

    fn schedule(&mut self, shared: &Iterations, stream: &Stream) -> TokenStream {
        let of = self.uses.name("Schedule");
        let name = ident(match shared.schedule {
            Schedule::Static => "Static",
            Schedule::Dynamic => "Dynamic",
            Schedule::Guided => "Guided",
        });
        let mut chunk = quote!(None);
        if let Some(value) = &shared.chunk {
            let value = self.write(stream.clone(), |writer| writer.value(value));
            chunk = quote!(Some(#value));
        }
        quote!(#of::#name(#chunk))
    }

    /// Returns the number of parts, and a closure that calls one of them by number.
    fn choice(&mut self, parts: &[DiagramIndex], variable: &str) -> (TokenStream, TokenStream) {
        let count = proc_macro2::Literal::usize_unsuffixed(parts.len());
        let calls: Vec<TokenStream> = parts.iter().map(|&part| self.call_of(part)).collect();
        let variable = ident(variable);
        let closure = match &calls[..] {
            [] => quote!(async |_, _| Ok(())),
            [call] => quote!(async |ctx, _| #call.await),
            calls => {
                let chosen = chosen(calls, 0, &variable);
                quote!(async |ctx, #variable| #chosen)
            }
        };
        (quote!(#count), closure)
    }
}

fn numbers(of: &[usize]) -> Vec<proc_macro2::Literal> {
    let literal = proc_macro2::Literal::usize_unsuffixed;
    of.iter().copied().map(literal).collect()
}

/// Chooses one of the calls, numbered from `first`. If there are too many awaits for one function,
/// they go into separate blocks.
fn chosen(calls: &[TokenStream], first: usize, variable: &proc_macro2::Ident) -> TokenStream {
    let number = proc_macro2::Literal::usize_unsuffixed;
    let mut size = 1;
    while size * MOST_AWAITS < calls.len() {
        size *= MOST_AWAITS;
    }
    let last = calls.len().div_ceil(size) - 1;
    let arms = calls.chunks(size).enumerate().map(|(at, chunk)| {
        let start = first + at * size;
        let pattern = match (at == last, size) {
            (true, _) => quote!(_),
            (false, 1) => {
                let start = number(start);
                quote!(#start)
            }
            (false, _) => {
                let (start, end) = (number(start), number(start + size));
                quote!(#start..#end)
            }
        };
        if let [call] = chunk {
            return quote!(#pattern => #call.await);
        }
        let inner = chosen(chunk, start, variable);
        quote!(#pattern => async { #inner }.await)
    });
    quote!(match #variable { #(#arms),* })
}
