//! Compiles the actions of elements.

use prophet_frontend::lang::ir::{Expression, ExpressionKind, Type};
use prophet_frontend::program::action::{
    Action, Assigned, Collective, Completion, Gate, Mode, Offload, OffloadCall, Operation, Order,
    Partner, Receive, Rooted as RootedName, Send, SendReceive, Signal, SignalPart, Synchronization,
    Task as TaskOfModel, TaskFile, Unrooted as UnrootedName, Wait,
};
use prophet_frontend::program::{ElementIndex, Execute, ListPlace as _};
use prophet_frontend::resolve::{is_checked_by_element, needs_before_element};
use prophet_runtime as runtime;

use super::count;
use super::unit::Unit;
use crate::code::FrameEntry;
use crate::compile::Unsupported;
use crate::element::{
    Collective as Made, Execution, Expected, Moved, OffloadTag, Offloaded, Order as Ordered,
    Posted, Priced, Result, Rooted, Sent, Task, Unrooted,
};
use crate::op::{Op, Reg};

#[derive(Clone, Copy)]
struct Executed {
    element: ElementIndex,
    named: runtime::Element,
    /// Whether the price of the element is a call, so that the element itself handles faults.
    direct: bool,
}

macro_rules! element {
    ($name:ident, $executed:expr) => {{
        let runtime::Element { index, name, id } = $executed.named;
        runtime::$name::new(index, name, id)
    }};
}

macro_rules! requesting {
    ($name:ident, $unit:expr, $executed:expr) => {{
        let element = element!($name, $executed);
        match $unit.compiler.requests_of($executed.element)[..] {
            [(index, name)] => element.request(index, name),
            _ => element,
        }
    }};
}

impl Unit<'_, '_> {
    pub(super) fn execute(&mut self, execute: &Execute) {
        let action = &execute.action;
        let functions = &self.compiler.program.functions;
        let price = action.price();
        let direct = price.is_some_and(|price| is_checked_by_element(price, functions));
        let marked = needs_before_element(action, functions);
        self.mark(execute.element, &marked);
        if execute.needs.stream && !marked.stream {
            let element = self.compiler.number(execute.element);
            self.emit(Op::Stream { element });
        }
        let executed = Executed {
            element: execute.element,
            named: self.compiler.named(execute.element),
            direct,
        };
        let execution = match action {
            Action::Compute(compute) => {
                let price = self.priced(executed, Some(&compute.price));
                let element = element!(ActionPlus, executed);
                if self.compiler.program.is_workflow {
                    let task = compute.task.as_deref().map(|it| self.task(it));
                    Execution::Task(element, price, Box::new(task.unwrap_or_default()))
                } else {
                    let moved = Moved {
                        bytes: self.optional(compute.bytes.as_ref()),
                        working_set: self.optional(compute.working_set.as_ref()),
                    };
                    Execution::Compute(element, price, moved)
                }
            }
            Action::Send(send) => self.send(executed, send),
            Action::Receive(receive) => self.receive(executed, receive),
            Action::SendReceive(both) => self.send_and_receive(executed, both),
            Action::Wait(wait) => self.wait(executed, wait),
            Action::Collective(collective) => self.collective(executed, collective),
            Action::Order(order) => self.order(executed, order),
            Action::Delay(delay) => {
                let price = self.priced(executed, Some(&delay.price));
                Execution::Delay(element!(Delay, executed), price)
            }
            Action::Signal(signal) => self.signal(executed, *signal),
            Action::Offload(offload) => self.offload(executed, offload),
            Action::Own(own) => {
                let what = format!("the custom stereotype `{}`", own.stereotype.name);
                self.compiler.unsupported.get_or_insert(Unsupported(what));
                return;
            }
        };
        let executions = &mut self.compiler.code.executions;
        executions.push(execution);
        let execution = count(executions.len() - 1);
        self.emit(Op::Execute { execution });
    }

    fn task(&mut self, task: &TaskOfModel) -> Task {
        let mut files = |all: &[TaskFile]| {
            let file = |it: &TaskFile| (it.name.clone(), self.optional(it.size.as_ref()));
            all.iter().map(file).collect()
        };
        let (inputs, outputs) = (files(&task.inputs), files(&task.outputs));
        let processes = self.optional(task.processes.as_ref());
        Task {
            cores: self.optional(task.cores.as_ref()),
            memory: self.optional(task.memory.as_ref()),
            inputs,
            outputs,
            model: task.model.clone().map(|model| (model, processes)),
            failure_probability: self.optional(task.failure_probability.as_ref()),
            retries: self.optional(task.retries.as_ref()),
            program: task.program.clone(),
        }
    }

    fn send(&mut self, executed: Executed, send: &Send) -> Execution {
        let dest = self.partner(&send.dest);
        let size = self.or_zero(send.size.as_ref());
        let tag = self.optional(send.tag.as_ref());
        let price = self.priced(executed, send.price.as_ref());
        let sent = Sent {
            dest,
            size: Some(size),
            tag,
            value: self.carried(send.value.as_ref()),
            price,
        };
        match send.completion {
            Completion::Blocking => Execution::BSend(element!(BSend, executed), sent),
            Completion::Awaited(_) => Execution::NBSend(requesting!(NBSend, self, executed), sent),
        }
    }

    fn receive(&mut self, executed: Executed, receive: &Receive) -> Execution {
        let expected = Expected {
            source: self.partner(&receive.source),
            limit: self.optional(receive.limit.as_ref()),
            tag: self.optional(receive.tag.as_ref()),
            price: self.priced(executed, receive.price.as_ref()),
        };
        match receive.completion {
            Completion::Blocking => {
                let results = self.results(&receive.results);
                Execution::BRecv(element!(BRecv, executed), expected, results)
            }
            Completion::Awaited(_) => {
                Execution::NBRecv(requesting!(NBRecv, self, executed), expected)
            }
        }
    }

    fn send_and_receive(&mut self, executed: Executed, both: &SendReceive) -> Execution {
        let dest = self.partner(&both.dest);
        let source = self.partner(&both.source);
        let size = self.optional(both.size.as_ref());
        let tag = self.optional(both.tag.as_ref());
        let price = self.priced(executed, both.price.as_ref());
        let sent = Sent {
            dest,
            size,
            tag,
            value: self.carried(both.value.as_ref()),
            price,
        };
        let results = self.results(&both.results);
        Execution::SendRecv(element!(SendRecv, executed), sent, source, results)
    }

    fn wait(&mut self, executed: Executed, wait: &Wait) -> Execution {
        let element = element!(Wait, executed);
        let requests = self.compiler.requests_of(executed.element);
        let element = match requests[..] {
            [] => element,
            [(index, name)] => element.request(index, name),
            _ => element.requests(requests.leak()),
        };
        let posted = self.compiler.posted.clone().into_iter();
        let posted = posted
            .filter(|it| it.may_end_by(wait))
            .map(|it| Posted {
                element: {
                    let named = self.compiler.named(it.element);
                    runtime::NBRecv::new(named.index, named.name, named.id)
                },
                results: self.results(&it.receive.results),
            })
            .collect();
        match &wait.mode {
            Mode::All => Execution::Wait(element, posted),
            Mode::Any { index } => {
                let index = index.as_ref().map(|variable| self.place(variable));
                Execution::WaitAny(element, posted, index)
            }
        }
    }

    fn collective(&mut self, executed: Executed, collective: &Collective) -> Execution {
        let (root, size) = match &collective.operation {
            Operation::Rooted { root, size, .. } => {
                (self.or_zero(root.as_ref()), self.or_zero(size.as_ref()))
            }
            Operation::Unrooted { size, .. } => (0, self.or_zero(size.as_ref())),
            Operation::Barrier => (0, 0),
        };
        let price = self.priced(executed, collective.price.as_ref());
        let comm = collective.comm.as_ref().map(|comm| self.thunk(comm));
        let made = match &collective.operation {
            Operation::Rooted { name, .. } => {
                let name = match name {
                    RootedName::Broadcast => Rooted::Broadcast(element!(Broadcast, executed)),
                    RootedName::Reduce => Rooted::Reduce(element!(Reduce, executed)),
                    RootedName::Gather => Rooted::Gather(element!(Gather, executed)),
                    RootedName::Scatter => Rooted::Scatter(element!(Scatter, executed)),
                };
                Made::Rooted(name, [root, size])
            }
            Operation::Unrooted { name, .. } => {
                let name = match name {
                    UnrootedName::AllReduce => Unrooted::AllReduce(element!(AllReduce, executed)),
                    UnrootedName::AllGather => Unrooted::AllGather(element!(AllGather, executed)),
                    UnrootedName::AllToAll => Unrooted::AllToAll(element!(AllToAll, executed)),
                    UnrootedName::ReduceScatter => {
                        Unrooted::ReduceScatter(element!(ReduceScatter, executed))
                    }
                    UnrootedName::Scan => Unrooted::Scan(element!(Scan, executed)),
                };
                Made::Unrooted(name, size)
            }
            Operation::Barrier => Made::Barrier(element!(Barrier, executed)),
        };
        Execution::Collective(made, comm, price)
    }

    fn order(&mut self, executed: Executed, order: &Order) -> Execution {
        let price = order.price.as_ref();
        let price = price.map(|price| self.priced(executed, Some(price)));
        let made = match order.by {
            Synchronization::Barrier => Ordered::Barrier(element!(OmpBarrier, executed)),
            Synchronization::Gate(Gate::Critical) => {
                let lock = self.compiler.lock(executed.element);
                Ordered::Critical(element!(Critical, executed).named(lock))
            }
            Synchronization::Gate(Gate::Atomic) => Ordered::Atomic(element!(Atomic, executed)),
            Synchronization::Gate(Gate::Single) => Ordered::Single(element!(Single, executed)),
            Synchronization::Gate(Gate::Master) => Ordered::Master(element!(Master, executed)),
        };
        Execution::Order(made, price)
    }

    fn signal(&self, executed: Executed, signal: Signal) -> Execution {
        let name: &str = self.compiler.program.signals[signal.signal].clone().leak();
        let index = count(signal.signal.number());
        match signal.part {
            SignalPart::Sends => {
                Execution::SendSignal(element!(SendSignal, executed).signal(index, name))
            }
            SignalPart::Accepts => {
                Execution::AcceptSignal(element!(AcceptSignal, executed).signal(index, name))
            }
        }
    }

    fn offload(&mut self, executed: Executed, offload: &Offload) -> Execution {
        let given = offload.arguments.iter().filter_map(|argument| {
            let tag = OffloadTag::of_name(argument.tag.name)?;
            Some((tag, argument.value.as_ref()?))
        });
        let values: Vec<_> = given.map(|(tag, value)| (tag, self.value(value))).collect();
        let has_price = matches!(offload.call, OffloadCall::Kernel | OffloadCall::Copy { .. });
        let price = has_price.then(|| self.priced(executed, offload.price.as_ref()));
        let made = match offload.call {
            OffloadCall::Kernel => Offloaded::Kernel(element!(Kernel, executed)),
            OffloadCall::Copy { to_host } => {
                Offloaded::Copy(element!(CopyMemory, executed), to_host)
            }
            OffloadCall::Event => Offloaded::Event(element!(RecordEvent, executed)),
            OffloadCall::Synchronize => Offloaded::Synchronize(element!(Synchronize, executed)),
        };
        Execution::Offload(made, price, values)
    }

    /// Compiles an expression that is evaluated separately, and returns its number. It must not
    /// draw random numbers or use diagram variables, so that any process can compute a
    /// communicator's color. Its code comes after the unit's code.
    pub(super) fn thunk(&mut self, expression: &Expression) -> u32 {
        let thunks = &mut self.compiler.code.thunks;
        thunks.push(FrameEntry::default());
        let thunk = thunks.len() - 1;
        self.thunks.push((thunk, expression.clone()));
        count(thunk)
    }

    fn priced(&mut self, executed: Executed, price: Option<&Expression>) -> Priced {
        match price {
            None => Priced::ByMachine,
            Some(Expression {
                kind: ExpressionKind::Call(function, arguments),
                ..
            }) if executed.direct => {
                let (function, first) = self.call(*function, arguments);
                let to = self.registers.temporary();
                self.emit(Op::Try {
                    to,
                    function,
                    first,
                });
                Priced::Seconds(to)
            }
            Some(price) => Priced::Seconds(self.value(price)),
        }
    }

    fn or_zero(&mut self, value: Option<&Expression>) -> Reg {
        match value {
            Some(value) => self.value(value),
            None => self.constant(0),
        }
    }

    /// Compiles the partner of a message. If it is a real number, the run checks that it is whole.
    fn partner(&mut self, partner: &Partner) -> Reg {
        match partner {
            Partner::Number(number) => self.value(number),
            Partner::Whole(real) => {
                let a = self.value(real);
                let to = self.registers.temporary();
                self.emit(Op::Whole { to, a });
                to
            }
        }
    }

    /// Compiles the value that a message carries. Also returns whether it is a real.
    fn carried(&mut self, value: Option<&Expression>) -> Option<(Reg, bool)> {
        value.map(|value| (self.value(value), value.ty == Type::Real))
    }

    fn results(&mut self, results: &[Assigned]) -> Vec<Result> {
        let result = |it: &Assigned| Result {
            part: it.part,
            place: self.place(&it.variable),
        };
        results.iter().map(result).collect()
    }
}
