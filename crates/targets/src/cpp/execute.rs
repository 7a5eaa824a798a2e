//! Writes the execution of elements, for example as `A1.execute(uid, pid, tid, FA1());`.

use super::handler::Representation;
use prophet_codegen::target::c::{Dialect as _, Printer};
use prophet_codegen::target::text::c_string;
use prophet_frontend::lang::ir::{Expression, Type};
use prophet_frontend::program::action::{
    Action, Assigned, Collective, Completion, Mode, Operation, Partner, Receive, Send, SendReceive,
    Told, Wait,
};
use prophet_frontend::program::{Construct, Execute, Region, Schedule};

impl Representation<'_> {
    pub(super) fn expression(&self, expression: &Expression) -> String {
        Printer::new(&self.dialect()).converted(expression)
    }

    pub(super) fn execution(&self, execute: &Execute) -> String {
        let action = &execute.action;
        let mut arguments = vec!["uid".to_owned(), "pid".to_owned(), "tid".to_owned()];
        match action {
            Action::Send(send) => arguments.extend([self.partner(&send.dest), self.sent(send)]),
            Action::Receive(it) => {
                arguments.extend([self.partner(&it.source), self.received(it)]);
            }
            Action::SendReceive(both) => {
                let partners = [&both.dest, &both.source].map(|it| self.partner(it));
                arguments.extend(partners);
                arguments.push(self.both(both));
            }
            Action::Collective(it) => {
                if let Operation::Rooted { root, .. } = &it.operation {
                    arguments.push(self.mailbox(root.as_ref()));
                }
                arguments.extend(self.contribution(it));
            }
            Action::Wait(wait) => arguments.extend(self.requests(wait)),
            Action::Compute(_) | Action::Order(_) | Action::Delay(_) | Action::Signal(_) => {}
            Action::Offload(_) => unreachable!("the target refuses them"),
            Action::Own(own) => unreachable!("`{}` is refused", own.stereotype.name),
        }
        arguments.extend(action.price().map(|it| self.expression(it)));
        if let Action::Compute(compute) = action {
            arguments.extend(compute.bytes.as_ref().map(|it| self.expression(it)));
        }
        let name = &self.names.elements[execute.element];
        let arguments = arguments.join(", ");
        let Action::Wait(Wait {
            mode: Mode::Any { index },
            ..
        }) = action
        else {
            return format!("{name}.execute({arguments});");
        };
        match index.as_ref().map(|index| self.dialect().variable(index)) {
            None => format!("{name}.any({arguments});"),
            Some(index) => format!("{index} = {name}.any({arguments});"),
        }
    }

    /// Writes the mailbox of a process; process 0 if there is none.
    fn mailbox(&self, process: Option<&Expression>) -> String {
        let process = process.map(|it| self.expression(it));
        format!("p[{}]", process.as_deref().unwrap_or("0"))
    }

    /// Writes the partner of a message. C++ truncates real numbers.
    fn partner(&self, process: &Partner) -> String {
        self.mailbox(Some(process.value()))
    }

    /// Writes the operands of a collective if its time depends on them.
    fn contribution(&self, collective: &Collective) -> Option<String> {
        let Collective {
            operation,
            comm,
            price,
        } = collective;
        if price.is_some() && comm.is_none() {
            return None;
        }
        let [_, size] = operation.root_and_size();
        let size = self.with("bytes", size.filter(|_| price.is_none()));
        let comm = self.with("comm", comm.as_ref());
        Some(format!("bufferComm{size}{comm}"))
    }

    /// Writes a send's arguments after its partner. The size is included only if the machine
    /// computes the cost.
    fn sent(&self, send: &Send) -> String {
        let size = send.size.as_ref().filter(|_| send.price.is_none());
        let size = self.with("bytes", size);
        let tag = self.with("tag", send.tag.as_ref());
        let value = self.carried(send.value.as_ref());
        let request = self.begun(send.completion);
        format!("bufferComm{size}{tag}{value}{request}")
    }

    /// Writes a receive's arguments after its partner. The maximum size isn't included, because no
    /// machine uses it.
    fn received(&self, receive: &Receive) -> String {
        let tag = self.with("tag", receive.tag.as_ref());
        let results = self.results(&receive.results);
        let request = self.begun(receive.completion);
        format!("bufferComm{tag}{results}{request}")
    }

    /// Writes the arguments of a combined send and receive after its partners.
    fn both(&self, both: &SendReceive) -> String {
        let size = both.size.as_ref().filter(|_| both.price.is_none());
        let size = self.with("bytes", size);
        let tag = self.with("tag", both.tag.as_ref());
        let value = self.carried(both.value.as_ref());
        let results = self.results(&both.results);
        format!("bufferComm{size}{tag}{value}{results}")
    }

    /// Writes a call of a method of the buffer if there is a value.
    fn with(&self, function: &str, value: Option<&Expression>) -> String {
        value.map_or_else(String::new, |value| {
            format!(".{function}({})", self.expression(value))
        })
    }

    /// Writes the value that a message carries, converted so that the C++ overload is unambiguous.
    fn carried(&self, value: Option<&Expression>) -> String {
        value.map_or_else(String::new, |value| {
            let text = self.expression(value);
            match value.ty {
                // Its literals are shorter than a `long`.
                Type::Int => format!(".value(long({text}))"),
                Type::Real => format!(".value(double({text}))"),
                Type::Bool | Type::Array(..) => format!(".value({text})"),
            }
        })
    }

    fn results(&self, results: &[Assigned]) -> String {
        let pointer = |part: Told| {
            let result = results.iter().find(|it| it.part == part)?;
            Some(format!("&{}", self.dialect().variable(&result.variable)))
        };
        let into = pointer(Told::Int).or_else(|| pointer(Told::Real));
        let mut text = into.map_or_else(String::new, |into| format!(".into({into})"));
        let status = [Told::Source, Told::Tag, Told::Size].map(pointer);
        if status.iter().any(Option::is_some) {
            let status = status.map(|it| it.unwrap_or_else(|| "0".to_owned()));
            text = format!("{text}.status({})", status.join(", "));
        }
        text
    }

    fn begun(&self, completion: Completion) -> String {
        match completion {
            Completion::Blocking | Completion::Awaited(None) => String::new(),
            Completion::Awaited(Some(request)) => {
                let name = c_string(&self.program.requests[request]);
                format!(".request({name})")
            }
        }
    }

    /// Writes the names of the requests to wait for; `None` for all requests.
    fn requests(&self, wait: &Wait) -> Option<String> {
        let names = wait.requests.iter().map(|it| &*self.program.requests[*it]);
        let names: Vec<&str> = names.collect();
        (!names.is_empty()).then(|| c_string(&names.join(", ")))
    }

    /// Writes the start of a region, before its content.
    pub(super) fn begin_region(&self, region: &Region) -> String {
        let mut arguments = vec!["uid".to_owned(), "pid".to_owned(), "tid".to_owned()];
        let optional = |value: Option<&Expression>| {
            value.map_or_else(|| "0".to_owned(), |value| self.expression(value))
        };
        let parts = region.parts.len().to_string();
        match &region.construct {
            Construct::Parallel(team) => arguments.push(optional(team.as_ref())),
            Construct::ParallelDo(team, shared) => arguments.extend([
                optional(team.as_ref()),
                self.expression(&shared.count),
                schedule(shared.schedule).to_owned(),
                optional(shared.chunk.as_ref()),
            ]),
            Construct::ParallelSections(team) => {
                arguments.extend([optional(team.as_ref()), parts]);
            }
            Construct::Fork => arguments.push(parts),
            Construct::Flows(_) => unreachable!("the target refuses them"),
            Construct::Gated(_) => {}
        }
        let name = &self.names.elements[region.element];
        format!("{name}.execute({}, ", arguments.join(", "))
    }
}

fn schedule(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Static => "\"static\"",
        Schedule::Dynamic => "\"dynamic\"",
        Schedule::Guided => "\"guided\"",
    }
}
