//! Writes actions for languages with a support function for each kind of element.

use prophet_codegen::emit::Listing;
use prophet_frontend::lang::ir::Expression;
use prophet_frontend::program::action::{
    Action, Assigned, Collective, Completion, Offload, Order, Partner, Receive, Send, SendReceive,
    Wait,
};
use prophet_frontend::program::{ElementIndex, Execute, RequestIndex};

pub(crate) type Call = (&'static str, Vec<String>);

/// How a language writes calls.
#[derive(Debug)]
pub(crate) struct Spelling {
    pub(crate) prefix: &'static str,
    pub(crate) any_size: &'static str,
    /// What to write before the results for a message without a value.
    pub(crate) no_value: &'static str,
    /// Whether the request comes before the other arguments of a message.
    pub(crate) request_first: bool,
    /// Whether a combined send and receive has an argument for the received message's maximum size.
    pub(crate) limits_both: bool,
}

/// A language with a support library that has a function for each kind of element.
pub(crate) trait Elements {
    const SPELLING: Spelling;

    /// Returns the first arguments of every call. They identify the element.
    fn whose(&self, element: ElementIndex) -> String;

    /// Writes an expression. It draws random numbers for `element`.
    fn value(&self, element: ElementIndex, value: &Expression) -> String;

    /// Writes the element's own price or, if it has none, the machine's.
    fn price(&self, element: ElementIndex, price: Option<&Expression>) -> String;

    fn request(&self, request: Option<RequestIndex>) -> String;

    fn carried(&self, element: ElementIndex, value: Option<&Expression>) -> Option<String>;

    fn results(&self, results: &[Assigned]) -> Option<String>;

    fn wait(&self, element: ElementIndex, wait: &Wait) -> String;

    fn collective(&self, element: ElementIndex, collective: &Collective) -> Call;

    fn offloaded(&self, element: ElementIndex, offload: &Offload) -> String;

    /// Writes an element that orders threads and is drawn as an action. Its content is only its
    /// cost.
    fn order(&self, element: ElementIndex, order: &Order, lines: &mut Listing);

    fn execute_element(&self, execute: &Execute, lines: &mut Listing) {
        let element = execute.element;
        let (function, arguments) = match &execute.action {
            Action::Compute(it) => ("compute", vec![self.value(element, &it.price)]),
            Action::Delay(it) => ("delay", vec![self.value(element, &it.price)]),
            Action::Send(it) => self.send(element, it),
            Action::Receive(it) => self.receive(element, it),
            Action::SendReceive(it) => self.send_and_receive(element, it),
            Action::Collective(it) => self.collective(element, it),
            Action::Wait(it) => {
                let call = self.wait(element, it);
                return lines.line(&format!("{}{call};", Self::SPELLING.prefix));
            }
            Action::Order(it) => return self.order(element, it, lines),
            Action::Offload(it) => ("offload", vec![self.offloaded(element, it)]),
            Action::Signal(_) | Action::Own(_) => unreachable!("the targets refuse them"),
        };
        let (prefix, whose) = (Self::SPELLING.prefix, self.whose(element));
        let arguments = arguments.join(", ");
        lines.line(&format!("{prefix}{function}({whose}, {arguments});"));
    }

    /// Writes the value of a tag, or `otherwise` if the tag is missing.
    fn tag(&self, element: ElementIndex, value: Option<&Expression>, otherwise: &str) -> String {
        value.map_or_else(|| otherwise.to_owned(), |value| self.value(element, value))
    }

    /// Writes the partner of a message. A real number is checked during the run, because it must be
    /// whole.
    fn partner(&self, element: ElementIndex, partner: &Partner) -> String {
        let value = self.value(element, partner.value());
        match partner {
            Partner::Number(_) => value,
            Partner::Whole(_) => format!("{}whole({value})", Self::SPELLING.prefix),
        }
    }

    fn send(&self, element: ElementIndex, send: &Send) -> Call {
        let arguments = vec![
            self.partner(element, &send.dest),
            self.tag(element, send.size.as_ref(), "0"),
            self.tag(element, send.tag.as_ref(), "0"),
            self.price(element, send.price.as_ref()),
        ];
        let carried = self.carried(element, send.value.as_ref());
        self.message(["bsend", "nbsend"], send.completion, arguments, carried)
    }

    fn receive(&self, element: ElementIndex, receive: &Receive) -> Call {
        let arguments = vec![
            self.partner(element, &receive.source),
            self.tag(element, receive.limit.as_ref(), Self::SPELLING.any_size),
            self.tag(element, receive.tag.as_ref(), "0"),
            self.price(element, receive.price.as_ref()),
        ];
        let results = self.results(&receive.results);
        self.message(["brecv", "nbrecv"], receive.completion, arguments, results)
    }

    /// Writes a call of the blocking or the nonblocking function, depending on `completion`.
    fn message(
        &self,
        [blocking, awaited]: [&'static str; 2],
        completion: Completion,
        mut arguments: Vec<String>,
        behind: Option<String>,
    ) -> Call {
        let mut function = blocking;
        if let Completion::Awaited(request) = completion {
            function = awaited;
            let at = if Self::SPELLING.request_first {
                0
            } else {
                arguments.len()
            };
            arguments.insert(at, self.request(request));
        }
        arguments.extend(behind);
        (function, arguments)
    }

    fn send_and_receive(&self, element: ElementIndex, both: &SendReceive) -> Call {
        let Spelling {
            any_size,
            no_value,
            limits_both,
            ..
        } = Self::SPELLING;
        let mut arguments = vec![
            self.partner(element, &both.dest),
            self.partner(element, &both.source),
            self.tag(element, both.size.as_ref(), "0"),
        ];
        arguments.extend(limits_both.then(|| self.tag(element, both.size.as_ref(), any_size)));
        arguments.push(self.tag(element, both.tag.as_ref(), "0"));
        arguments.push(self.price(element, both.price.as_ref()));
        let results = self.results(&both.results);
        let nothing = || results.is_some().then(|| no_value.to_owned());
        arguments.extend(self.carried(element, both.value.as_ref()).or_else(nothing));
        arguments.extend(results);
        ("sendrecv", arguments)
    }
}
