//! Elements as calls of the support.

use super::contexts::Context;
use super::handler::{Skeleton, timed};
use prophet_codegen::emit::Listing;
use prophet_codegen::lang::ir::Expression;
use prophet_codegen::program::action::{
    Action, Collective, Completion, Mode, Operation, Order, Process, Receive, Send, SendReceive,
    Synchronization, Wait,
};
use prophet_codegen::program::{ElementIndex, Execute, RequestIndex};

impl Skeleton<'_> {
    pub(super) fn execute_element(&self, execute: &Execute, lines: &mut Listing) {
        let element = execute.element;
        let name = &self.names.elements[element];
        let line = match &execute.action {
            Action::Compute(compute) => {
                let cost = self.value(element, &compute.price);
                format!("prophet_compute(&{name}, {cost});")
            }
            Action::Send(send) => self.send(element, send),
            Action::Receive(receive) => self.receive(element, receive),
            Action::SendReceive(both) => self.send_and_receive(element, both),
            Action::Wait(wait) => self.wait(name, wait),
            Action::Collective(collective) => self.collective(element, collective),
            Action::Order(order) => return self.order(element, order, lines),
            Action::Delay(delay) => {
                let cost = self.value(element, &delay.price);
                format!("prophet_delay(&{name}, {cost});")
            }
            Action::Offload(_) => format!("prophet_offload(&{name});"),
            Action::Signal(_) => unreachable!("signals are refused"),
            Action::Own(own) => unreachable!("`{}` is refused", own.stereotype.name),
        };
        lines.line(&line);
    }

    fn price(&self, element: ElementIndex, price: Option<&Expression>) -> String {
        match price {
            Some(price) => format!("prophet_cost({})", self.value(element, price)),
            None => "prophet_by_machine()".to_owned(),
        }
    }

    /// The value of a tag, or what stands for one that is left out.
    fn tag(&self, element: ElementIndex, value: Option<&Expression>, otherwise: &str) -> String {
        value.map_or_else(|| otherwise.to_owned(), |value| self.value(element, value))
    }

    /// The number of a process: a real number is checked to be whole when it is used.
    fn process(&self, element: ElementIndex, process: &Process) -> String {
        match process {
            Process::Number(number) => self.value(element, number),
            Process::Whole(real) => format!("prophet_whole({})", self.value(element, real)),
        }
    }

    /// The name of the request that an element begins.
    fn request(&self, request: Option<RequestIndex>) -> String {
        request.map_or_else(
            || "PROPHET_UNNAMED".to_owned(),
            |request| self.names.requests[request].clone(),
        )
    }

    fn wait(&self, name: &str, wait: &Wait) -> String {
        let names = wait.requests.iter().map(|&it| &*self.names.requests[it]);
        let names: Vec<&str> = names.collect();
        let names = if names.is_empty() {
            "PROPHET_ALL_REQUESTS".to_owned()
        } else {
            format!("PROPHET_REQUESTS({})", names.join(", "))
        };
        match &wait.mode {
            Mode::All => format!("prophet_wait(&{name}, {names});"),
            Mode::Any { index } => {
                let index = index.as_ref();
                let index = index.map_or_else(|| "NULL".to_owned(), |it| self.names.pointer(it));
                format!("prophet_wait_any(&{name}, {names}, {index});")
            }
        }
    }

    fn send(&self, element: ElementIndex, send: &Send) -> String {
        let (function, mut arguments) = self.begin("send", element, send.completion);
        arguments.extend([
            self.process(element, &send.dest),
            self.tag(element, send.size.as_ref(), "0"),
            self.tag(element, send.tag.as_ref(), "0"),
            self.price(element, send.price.as_ref()),
            self.carried(element, send.value.as_ref()),
        ]);
        format!("{function}({});", arguments.join(", "))
    }

    fn receive(&self, element: ElementIndex, receive: &Receive) -> String {
        let (function, mut arguments) = self.begin("recv", element, receive.completion);
        let unlimited = match receive.completion {
            Completion::Blocking => "PROPHET_ANY_SIZE",
            Completion::Awaited(_) => "0",
        };
        arguments.extend([
            self.process(element, &receive.source),
            self.tag(element, receive.limit.as_ref(), unlimited),
            self.tag(element, receive.tag.as_ref(), "0"),
            self.price(element, receive.price.as_ref()),
            self.results(&receive.results),
        ]);
        format!("{function}({});", arguments.join(", "))
    }

    /// The function of the support and its first arguments.
    fn begin(
        &self,
        function: &str,
        element: ElementIndex,
        completion: Completion,
    ) -> (String, Vec<String>) {
        let name = format!("&{}", self.names.elements[element]);
        match completion {
            Completion::Blocking => (format!("prophet_b{function}"), vec![name]),
            Completion::Awaited(request) => {
                let arguments = vec![name, self.request(request)];
                (format!("prophet_nb{function}"), arguments)
            }
        }
    }

    fn send_and_receive(&self, element: ElementIndex, both: &SendReceive) -> String {
        let arguments = [
            format!("&{}", self.names.elements[element]),
            self.process(element, &both.dest),
            self.process(element, &both.source),
            self.tag(element, both.size.as_ref(), "0"),
            self.tag(element, both.tag.as_ref(), "0"),
            self.price(element, both.price.as_ref()),
            self.carried(element, both.value.as_ref()),
            self.results(&both.results),
        ];
        format!("prophet_sendrecv({});", arguments.join(", "))
    }

    fn collective(&self, element: ElementIndex, collective: &Collective) -> String {
        let mut arguments = vec![format!("&{}", self.names.elements[element])];
        let comm = collective.comm.as_ref();
        let comm = comm.and_then(|value| self.comms.iter().find(|known| known.value == value));
        arguments.push(comm.map_or_else(|| "NULL".to_owned(), |it| it.name.clone()));
        match &collective.operation {
            Operation::Rooted { root, size, .. } => arguments.extend([
                self.tag(element, root.as_ref(), "0"),
                self.tag(element, size.as_ref(), "0"),
            ]),
            Operation::Unrooted { size, .. } => {
                arguments.push(self.tag(element, size.as_ref(), "0"));
            }
            Operation::Barrier => {}
        }
        arguments.push(self.price(element, collective.price.as_ref()));
        let function = collective.operation.name();
        format!("prophet_{function}({});", arguments.join(", "))
    }

    /// An element that orders threads and is drawn as an action: its cost is its content.
    fn order(&self, element: ElementIndex, order: &Order, lines: &mut Listing) {
        let name = &self.names.elements[element];
        let content = order.price.as_ref().map(|price| {
            let cost = self.value(element, price);
            format!("prophet_work(&{name}, {cost});")
        });
        match order.by {
            Synchronization::Gate(gate) => {
                self.gated(gate, element, content.as_deref().unwrap_or(";"), lines);
            }
            Synchronization::Barrier => timed(name, lines, |lines| {
                match self.context {
                    Context::Alone => {}
                    Context::Team => lines.line("#pragma omp barrier"),
                    Context::Part => lines.line(&format!("prophet_alone(&{name});")),
                }
                if let Some(content) = &content {
                    lines.line(content);
                }
            }),
        }
    }
}
