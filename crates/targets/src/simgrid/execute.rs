//! Elements as calls of the headers.

use super::handler::{Actors, UNIT};
use crate::family::scalar;
use prophet_codegen::emit::Listing;
use prophet_codegen::lang::ir::Expression;
use prophet_codegen::program::action::{
    Action, Assigned, Collective, Completion, Gate, Mode, Order, Process, Receive, Send,
    SendReceive, Synchronization, Told, Wait,
};
use prophet_codegen::program::{ElementIndex, Execute, Place as _};

impl Actors<'_> {
    pub(super) fn execute_element(&self, execute: &Execute, lines: &mut Listing) {
        let element = &self.names.elements[execute.element];
        let text = match &execute.action {
            Action::Compute(compute) => {
                let price = self.value(element, &compute.price);
                format!("compute(unit, {element}, {price})")
            }
            Action::Send(send) => self.send(element, send),
            Action::Receive(receive) => self.receive(element, receive),
            Action::SendReceive(both) => self.send_and_receive(element, both),
            Action::Wait(wait) => self.wait(element, wait),
            Action::Collective(collective) => self.collective(element, collective),
            Action::Order(order) => return self.order(execute.element, order, lines),
            Action::Delay(delay) => {
                let price = self.value(element, &delay.price);
                format!("delay(unit, {element}, {price})")
            }
            Action::Signal(_) | Action::Offload(_) => unreachable!("the target refuses them"),
            Action::Own(own) => unreachable!("`{}` is refused", own.stereotype.name),
        };
        lines.line(&format!("prophet::{text};"));
    }

    /// Price that an element has of its own.
    fn price(&self, element: &str, price: Option<&Expression>) -> String {
        self.tag(element, price, "prophet::BY_MACHINE")
    }

    /// The value of a tag, or what stands for one that is left out.
    fn tag(&self, element: &str, value: Option<&Expression>, otherwise: &str) -> String {
        value.map_or_else(|| otherwise.to_owned(), |value| self.value(element, value))
    }

    /// The partner of a message: a real number is checked to be whole when it is used.
    fn process(&self, element: &str, process: &Process) -> String {
        match process {
            Process::Number(number) => self.value(element, number),
            Process::Whole(real) => format!("prophet::whole({})", self.value(element, real)),
        }
    }

    fn send(&self, element: &str, send: &Send) -> String {
        let mut arguments = vec![
            self.process(element, &send.dest),
            self.tag(element, send.size.as_ref(), "0"),
            self.tag(element, send.tag.as_ref(), "0"),
            self.price(element, send.price.as_ref()),
        ];
        arguments.extend(request(send.completion));
        arguments.extend(self.carried(element, send.value.as_ref()));
        call(["bsend", "nbsend"], send.completion, element, &arguments)
    }

    fn receive(&self, element: &str, receive: &Receive) -> String {
        let mut arguments = vec![
            self.process(element, &receive.source),
            self.tag(element, receive.limit.as_ref(), "prophet::ANY_SIZE"),
            self.tag(element, receive.tag.as_ref(), "0"),
            self.price(element, receive.price.as_ref()),
        ];
        arguments.extend(request(receive.completion));
        arguments.extend(self.results(&receive.results));
        call(["brecv", "nbrecv"], receive.completion, element, &arguments)
    }

    fn send_and_receive(&self, element: &str, both: &SendReceive) -> String {
        let mut arguments = vec![
            self.process(element, &both.dest),
            self.process(element, &both.source),
            self.tag(element, both.size.as_ref(), "0"),
            self.tag(element, both.size.as_ref(), "prophet::ANY_SIZE"),
            self.tag(element, both.tag.as_ref(), "0"),
            self.price(element, both.price.as_ref()),
        ];
        let results = self.results(&both.results);
        let nothing = || results.is_some().then(|| "prophet::NO_VALUE".to_owned());
        arguments.extend(self.carried(element, both.value.as_ref()).or_else(nothing));
        arguments.extend(results);
        format!("sendrecv(unit, {element}, {})", arguments.join(", "))
    }

    fn wait(&self, element: &str, wait: &Wait) -> String {
        let numbers: Vec<String> = wait.requests.iter().map(ToString::to_string).collect();
        // None is all.
        let names = format!("{{{}}}", numbers.join(", "));
        match &wait.mode {
            Mode::All => format!("wait(unit, {element}, {names})"),
            Mode::Any { index } => {
                let index = index.as_ref().map(|it| self.names.pointer(it));
                let index = index.unwrap_or_else(|| "nullptr".to_owned());
                format!("wait_any(unit, {names}, {index})")
            }
        }
    }

    /// The value that a message carries.
    fn carried(&self, element: &str, value: Option<&Expression>) -> Option<String> {
        let value = value?;
        let kind = scalar(&value.ty);
        let value = self.value(element, value);
        Some(format!("prophet::Value({kind}({value}))"))
    }

    /// The variables that get what an element receives.
    fn results(&self, results: &[Assigned]) -> Option<String> {
        if results.is_empty() {
            return None;
        }
        let pointer = |part: Told| {
            let result = results.iter().find(|it| it.part == part);
            let pointer = result.map(|it| self.names.pointer(&it.variable));
            pointer.unwrap_or_else(|| "nullptr".to_owned())
        };
        // In the order of their fields.
        let parts = [Told::Int, Told::Real, Told::Source, Told::Tag, Told::Size];
        let pointers = parts.map(pointer).join(", ");
        Some(format!("prophet::Results{{{pointers}}}"))
    }

    fn collective(&self, element: &str, collective: &Collective) -> String {
        let name = collective.operation.name();
        let [root, size] = collective.operation.root_and_size();
        let root = self.tag(element, root, "0");
        let size = self.tag(element, size, "0");
        let price = self.price(element, collective.price.as_ref());
        let color = match &collective.comm {
            None => "nullptr".to_owned(),
            Some(comm) => {
                let value = self.value(element, comm);
                format!("[&]({UNIT}) -> int64_t {{ return {value}; }}")
            }
        };
        format!("collective(unit, {element}, \"{name}\", {root}, {size}, {color}, {price})")
    }

    /// An element that orders threads and is drawn as an action.
    fn order(&self, index: ElementIndex, order: &Order, lines: &mut Listing) {
        let element = &self.names.elements[index];
        let price = order.price.as_ref().map(|it| self.value(element, it));
        let gate = match order.by {
            Synchronization::Gate(gate) => self.gate(gate, index),
            Synchronization::Barrier => {
                lines.line("prophet::ompbarrier(unit);");
                if let Some(price) = price {
                    let text = format!("prophet::compute(unit, {element}, {price});");
                    lines.line(&text);
                }
                return;
            }
        };
        match price {
            None => lines.line(&format!(
                "prophet::{gate}, [](const prophet::Unit &) {{}});"
            )),
            Some(price) => {
                lines.line(&format!(
                    "prophet::{gate}, [&, cost_s = double({price})](const prophet::Unit &unit)"
                ));
                lines.open();
                lines.line(&format!("prophet::compute(unit, {element}, cost_s);"));
                lines.close("});");
            }
        }
    }

    /// The begin of the call of a gate, up to its content.
    pub(super) fn gate(&self, gate: Gate, element: ElementIndex) -> String {
        match gate {
            Gate::Critical => {
                // 0 is the lock of those without a name.
                let lock = self.program.elements[element]
                    .lock
                    .map_or(0, |it| it.number() + 1);
                format!("critical(unit, {lock}")
            }
            Gate::Atomic => format!("atomic(unit, {}", self.names.elements[element]),
            Gate::Single => "single(unit".to_owned(),
            Gate::Master => "master(unit".to_owned(),
        }
    }
}

/// A call of the function for a completion: one that blocks, or one that does not.
fn call(
    functions: [&str; 2],
    completion: Completion,
    element: &str,
    arguments: &[String],
) -> String {
    let [blocking, awaited] = functions;
    let function = match completion {
        Completion::Blocking => blocking,
        Completion::Awaited(_) => awaited,
    };
    format!("{function}(unit, {element}, {})", arguments.join(", "))
}

/// The number of the request that an element begins, if it begins one.
fn request(completion: Completion) -> Option<String> {
    match completion {
        Completion::Blocking => None,
        Completion::Awaited(None) => Some("prophet::UNNAMED".to_owned()),
        Completion::Awaited(Some(request)) => Some(request.to_string()),
    }
}
